"""A table without a camera above it: its eyes read only what phones send."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from companion.game import AnyGame
from vision.plane import Plane
from vision.watching import Read, Watching


class NoCamera:
    """Stands where a camera would, and never has a picture."""

    def __init__(self) -> None:
        self.watching = Watching()

    @property
    def lock(self) -> AbstractContextManager[Any]:
        return nullcontext()

    @property
    def game(self) -> AnyGame | None:
        return None

    def pause(self, paused: bool) -> None:
        """There is nothing to pause."""

    def calibrate(self, plane: Plane) -> None:
        """There is no picture in which a table could lie."""

    def look_again(self) -> None:
        """There is nothing to look with."""

    def read_with(self, game: AnyGame, read: Read) -> None:
        """Photos are read by the eyes themselves."""
