"""Pictures that are given one by one, each when it is asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.frame import Frame, Pixels


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
    hurries: bool = True
    """Whether they come faster for a while after they came too late."""
    truth: Sequence[Mapping[str, Any]] = ()
    """What has happened up to the newest moment, where that is known."""
    still: Callable[[], Frame] | None = None
    """The full picture of the newest moment, where the moments themselves are small ones."""
