"""What the page and the commands may ask of a camera above the table; no pixel passes here, only files and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.live import Look
from companion.table import Odds, Piece, Place

Corner = tuple[float, float]
"""A point of the camera's picture, as shares of its width and height."""


class CannotSee(ValueError):
    """The camera or the picture is of no use now; the message says what to do about it."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


@dataclass(frozen=True, slots=True)
class View:
    """How the camera sees the table, in words that a person can act on."""

    source: str
    game: str | None
    """The game whose mat is under the camera, where its markers say it."""
    plane: str
    """``markers``, ``board``, ``corners`` or ``none``: how the table was found."""
    residual_mm: float | None
    markers: int
    """How many of the four are seen."""
    corners: tuple[Corner, Corner, Corner, Corner] | None
    """The playing area in the picture: far left, then clockwise."""
    focus: str
    exposure: str
    coverage: str
    """Each ``good``, or a sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A place as the camera sees it: its picture, and what it may be, likeliest first."""

    jpeg: bytes
    odds: Odds


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A tile of a player's own set: how many pictures it was learned from, and what it is too close to."""

    tile: str
    owner: str | None
    pictures: int
    close_to: tuple[str, ...] = ()


class Eyes(Protocol):
    """A camera that is watched."""

    def picture(self) -> bytes:
        """The newest picture as JPEG, at most some hundred kilobytes."""

    def view(self) -> View: ...

    def calibrate(self, corners: Sequence[Corner] | None = None) -> View:
        """Find the table again, by its markers or by four corners that a person dragged; raises `CannotSee`."""

    def look_again(self) -> Look:
        """Read the table afresh; raises `CannotSee`."""

    def crop(self, place: Place) -> Crop | None:
        """What lies on a place as it was last read; ``None`` where it is out of sight."""

    def read_photo(self, image: bytes, game: str, corners: Sequence[Corner] | None = None) -> Look:
        """A photo from a phone, read as the table; raises `CannotSee` for one that cannot be used."""

    def sets(self, game: str) -> Mapping[str, tuple[Enrolled, ...]]:
        """The sets that players have enrolled for a game, by their names."""

    def enrol(self, game: str, set_name: str, piece: Piece, image: bytes | None = None) -> tuple[Crop, Enrolled]:
        """Learn one tile from a photo, or from what lies alone in the middle of the table now."""

    def forget(self, game: str, set_name: str, tile: str | None = None) -> None:
        """Remove a set, or one tile of it."""

    def use_set(self, game: str, set_name: str | None) -> None:
        """Read with a player's set from now on; ``None`` for the printed one."""

    def pause(self, paused: bool) -> None:
        """Stop watching for a while, or go on."""
