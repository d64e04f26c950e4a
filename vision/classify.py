"""What a crop shows: its embedding and those of its parts, and the odds that it is a tile, a free place or other."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.crew import Crew
from vision.frame import Pixels
from vision.gallery import Vectors
from vision.locate import only_what_is_asked, session, told

Few = TypeVar("Few", bound=Sequence[Any] | Pixels)

_AT_ONCE = 8
"""So many crops are handled together: what a network makes of more does not stay in a core's own memory."""


class Seen(NamedTuple):
    """What the network says of each crop."""

    embedded: Vectors
    states: NDArray[np.float32]
    """The odds of being a tile, a free place, something else."""
    parts: Vectors
    """For each its quarters, clockwise from far left, and its middle; only for tiles that are read part by part."""


class Embedder:
    """The network that all games share."""

    def __init__(self, crew: Crew, with_parts: bool = False) -> None:
        # Threads that take whole crops need not wait for each other after every layer.
        self._crew, self._network = crew, session("embedder", 1)
        self.states: list[str] = list(told(self._network)["states"])  # type: ignore[call-overload]
        self._wanted = ["embedding", "state", *(["parts"] if with_parts else [])]
        self._manner = only_what_is_asked()

    def __call__(self, crops: Pixels) -> Seen:
        """What each crop shows."""
        return self.at(crops, lambda few: few)

    def at(self, spots: Few, cut: Callable[[Few], Pixels]) -> Seen:
        """What each spot shows; whoever looks at a few of them cuts their crops first."""
        share = self._crew.fair_share(len(spots), _AT_ONCE)
        few = (spots[at : at + share] for at in range(0, len(spots), share))
        seen = self._crew.map(lambda some: self._run(cut(some)), few) or [_NOTHING]
        return Seen(*(np.concatenate(column) for column in zip(*seen, strict=True)))

    def _run(self, crops: Pixels) -> Seen:
        seen = self._network.run(self._wanted, {"crops": crops}, self._manner)
        return Seen(seen[0], seen[1], seen[2] if len(seen) > 2 else np.empty((len(crops), 0, 64), np.float32))


_NOTHING = Seen(np.empty((0, 64), np.float32), np.empty((0, 3), np.float32), np.empty((0, 5, 64), np.float32))
