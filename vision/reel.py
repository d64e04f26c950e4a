"""Pictures that are given one by one, each when it is asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.frame import Pixels


@dataclass(frozen=True, slots=True)
class Moment:
    """A picture that can be looked at until there is a next one; looking raises `Unreadable` where it is damaged."""

    number: int
    taken: float
    look: Callable[[], Pixels]


@dataclass(frozen=True, slots=True)
class Reel:
    """Moments in their order, from the first to the last."""

    moments: Callable[[], Iterator[Moment]]
    live: bool
    """Whether they are to come at the pace at which they were taken, or as fast as they are asked for."""
    photos: bool = False
    """Whether each stands for itself: there is no second picture of the same moment."""
