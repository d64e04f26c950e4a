"""What tiles look like: references to compare a crop with, and how likely each of them is."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from models import printed_references
from vision.names import EMPTY, QUARTERED

Vectors = NDArray[np.float32]

SHARPNESS = 24.0
"""How quickly odds fall with the distance from a reference; measured so that probabilities mean what they say."""
PARTS_SHARPNESS = {"quarter": 0.8, "icon": 0.46}
"""How much slower they fall for parts of a tile, which are seen in fewer pixels; measured in the same way."""
STRANGE = 0.36
"""A crop that is no nearer than this, as a cosine, to any reference is like nothing known."""


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """What a reference shows: a tile, or a part of one; whose, and after how many quarter turns clockwise."""

    tile: str
    owner: str | None = None
    turn: int = 0


@dataclass(frozen=True, eq=False)
class Gallery:
    """References with their names; a name may have several."""

    names: tuple[Name, ...]
    vectors: Vectors
    sharpness: float = SHARPNESS

    @cached_property
    def whole(self) -> "Gallery":
        """The references of whole tiles."""
        kept = [i for i, name in enumerate(self.names) if not name.tile.startswith(("quarter ", "icon ", EMPTY))]
        return Gallery(tuple(self.names[i] for i in kept), self.vectors[kept], self.sharpness)

    @cached_property
    def quarters(self) -> "Gallery":
        """The references of quarters of tiles, by what they show."""
        return self._part("quarter")

    @cached_property
    def icons(self) -> "Gallery":
        """Those of the icons in their middles."""
        return self._part("icon")

    def _part(self, word: str) -> "Gallery":
        kept = [i for i, name in enumerate(self.names) if name.tile.startswith(f"{word} ")]
        names = tuple(Name(self.names[i].tile.removeprefix(f"{word} "), self.names[i].owner) for i in kept)
        return Gallery(names, self.vectors[kept], self.sharpness * PARTS_SHARPNESS[word])

    @cached_property
    def knows_free_places(self) -> bool:
        """Whether an enrolled set shows what its board looks like where nothing lies."""
        return any(name.tile == EMPTY for name in self.names) and any(name.tile != EMPTY for name in self.names)

    @cached_property
    def each_name(self) -> list[Name]:
        """All names once."""
        return list(dict.fromkeys(self.names))

    @cached_property
    def _by_name(self) -> tuple[list[int], list[int]]:
        """Which references belong to each name, one name after the other; and where each begins."""
        first = {name: i for i, name in enumerate(self.each_name)}
        order = sorted(range(len(self.names)), key=lambda i: first[self.names[i]])
        starts = [at for at, i in enumerate(order) if at == 0 or self.names[order[at - 1]] != self.names[i]]
        return order, starts

    @cached_property
    def quartered(self) -> int | None:
        """Which of the names stands for all tiles that are read part by part."""
        return self.each_name.index(Name(QUARTERED)) if Name(QUARTERED) in self.each_name else None

    def states(self, embedded: Vectors) -> NDArray[np.float64]:
        """The odds of a tile, a free place and something else, by what was enrolled of both."""
        free = np.array([name.tile == EMPTY for name in self.names])
        cosines = embedded @ self.vectors.T
        strange = np.full(len(embedded), STRANGE)
        near = np.stack([cosines[:, ~free].max(axis=1), cosines[:, free].max(axis=1), strange], axis=1)
        weight = np.exp(self.sharpness * (near - near.max(axis=1, keepdims=True)))
        return np.asarray(weight / weight.sum(axis=1, keepdims=True), float)

    def odds(
        self, embedded: Vectors, by_parts: NDArray[np.float64] | None = None
    ) -> tuple[list[Name], NDArray[np.float64]]:
        """The names, and for each embedding the odds of every name and, in the last column, of none of them.

        ``by_parts`` tells how like the parts of each are to known parts, which speaks for `QUARTERED`.
        """
        names, (order, starts) = self.each_name, self._by_name
        near = np.full((len(embedded), len(names) + 1), STRANGE)
        if names:
            # Of several references of one name the nearest counts.
            near[:, :-1] = np.maximum.reduceat((embedded @ self.vectors.T)[:, order], starts, axis=1)
        if by_parts is not None and self.quartered is not None:
            near[:, self.quartered] = np.maximum(near[:, self.quartered], by_parts)
        weight = np.exp(self.sharpness * (near - near.max(axis=1, keepdims=True)))
        return names, weight / weight.sum(axis=1, keepdims=True)


def joined(galleries: Iterable[Gallery]) -> Gallery:
    """All references together."""
    some = list(galleries)
    names = tuple(name for gallery in some for name in gallery.names)
    return Gallery(names, np.concatenate([gallery.vectors for gallery in some]) if some else np.empty((0, 64), "f4"))


@lru_cache(maxsize=8)
def printed(game: str) -> Gallery:
    """The references of a game's printed set, as training left them; none for a game that has not been learned."""
    labels, vectors = printed_references()
    own = [(i, label.split("|")) for i, label in enumerate(labels) if label.startswith(f"{game}|")]
    names = tuple(Name(tile, owner or None, int(turn)) for _, (_, tile, owner, turn) in own)
    return Gallery(names, vectors[[i for i, _ in own]].astype(np.float32))
