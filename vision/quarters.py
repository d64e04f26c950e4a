"""Tiles that are four pictures and an icon: read part by part, so that a combination never seen is read as well."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.tiles import Catalogue

UNLISTED = 0.02
"""How likely a combination that the catalogue does not list is, against one that it does."""
_KEPT = 3
"""Of each part so many of the likeliest readings are combined."""


def combined(parts: Sequence[tuple[Sequence[str], NDArray[np.float64]]], tiles: Catalogue) -> dict[str, float]:
    """The odds of whole names as the tile lies, from those of its quarters, clockwise from far left, and its icon."""
    listed = _listed(tiles)
    weights: dict[str, float] = {}
    for chosen in product(*(_likeliest(names, odds) for names, odds in parts)):
        letters, weight = [letter for letter, _ in chosen], float(np.prod([share for _, share in chosen]))
        name = f"{letters[0]}{letters[1]}/{letters[3]}{letters[2]}{letters[4]}"
        weights[name] = weight * (1.0 if name in listed else UNLISTED)
    total = sum(weights.values())
    ranked = sorted(weights.items(), key=lambda entry: -entry[1])[:8]
    return {name: weight / total for name, weight in ranked} if total > 0 else {}


def turned(name: str, quarters: int) -> str:
    """The name of a tile after so many quarter turns clockwise."""
    for _ in range(quarters % 4):
        far_left, far_right, near_left, near_right = name[0], name[1], name[3], name[4]
        name = f"{near_left}{far_left}/{near_right}{far_right}{name[5:]}"
    return name


def _likeliest(names: Sequence[str], odds: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
    for i in np.argsort(-odds)[:_KEPT]:
        if i < len(names):
            yield names[i], float(odds[i])


def _listed(tiles: Catalogue) -> set[str]:
    return {turned(tile.name, turn) for tile in tiles if "/" in tile.name for turn in range(4)}
