"""From frames to reads of a table at rest: keeps the plane, notices a bumped camera, reads when it is asked."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from companion.game import AnyGame
from companion.said import say
from companion.table import Place
from vision.frame import Frame, Lost
from vision.outline import turned_like
from vision.plane import NoPlane, Plane, still_holds
from vision.reading import TableRead
from vision.registration import find_table
from vision.settle import Settling, State, Stillness, Windows
from vision.snap import Grid

Read: TypeAlias = Callable[[Frame, Plane, Grid | None], TableRead]
"""Reads one picture of a table; raises `NoPlane` with what to do."""

Full: TypeAlias = Callable[[Frame], Frame | Lost]

_CHECK_MS = 5000.0
"""How often a plane is checked while nothing happens."""
_RETRY_MS = 1000.0
"""How long after a table was not found it is looked for again."""
_MOVED = say("the camera was moved, and the table was found again")
_BY_HAND = say("the camera was moved: set the four corners again, or put a mat or corner cards under it")


class Watching:
    """What one camera sees; `plane` is ``None`` until the table was found, and `says` is why."""

    def __init__(
        self,
        plane: Plane | None = None,
        full: Full = lambda frame: frame,
        windows: Windows = Windows(),  # noqa: B008 - frozen, so it may be shared
    ) -> None:
        """``full`` is the picture to read from, where the camera watches with a smaller one."""
        self._full, self.plane, self._windows = full, plane, windows
        self.game: AnyGame | None = None
        """What is played, where that is known: its board is looked for where there are no markers."""
        self.grid: Grid | None = None
        self.frame: Frame | None = None
        """The newest one."""
        self.last: TableRead | None = None
        """The newest read, and `read_frame` its frame."""
        self.read_frame: Frame | None = None
        self.says = ""
        self._settling = Settling(windows)
        self._checked_ms = float("-inf")
        self._before = plane
        """Where the table was last."""

    def take(self, frame: Frame) -> Stillness:
        """What a frame says about rest; costs a millisecond, but for the moments when the plane is looked at."""
        self.frame = frame
        stillness = self._settling.take(frame)
        if stillness.stirred:
            self._checked_ms = min(self._checked_ms, frame.taken * 1000 - _CHECK_MS + _RETRY_MS)
        if stillness.state is State.REST:
            self._keep_plane(frame, stillness.shifted)
        return stillness

    def forget(self) -> None:
        """The camera was lost: when it comes back everything is looked at anew."""
        self._settling = Settling(self._windows)
        self._checked_ms = float("-inf")

    def use(self, plane: Plane) -> None:
        """The table lies here: somebody said so, or it was looked for on purpose."""
        self.plane, self.grid, self.says = plane, None, ""
        self._before = plane

    def read(self, read: Read, game: AnyGame) -> TableRead:
        """Read the newest frame; raises `NoPlane`."""
        if self.frame is None or self.plane is None:
            raise NoPlane(self.says or say("there is no picture of the table yet"))
        full = self._full(self.frame)
        if isinstance(full, Lost):
            raise NoPlane(full.says)
        self.last = without_strays(read(full, self.plane, self.grid), game)
        self.read_frame, self.grid = full, self.last.grid
        return self.last

    def _keep_plane(self, frame: Frame, shifted: bool) -> None:
        """Look for the table where there is none, and check now and then that it still is where it was."""
        now_ms = frame.taken * 1000
        due = abs(now_ms - self._checked_ms) >= (_RETRY_MS if self.plane is None else _CHECK_MS)
        full = self._full(frame) if due or shifted else None
        if isinstance(full, Frame):
            self._checked_ms = now_ms
            if self.plane is None or self.plane.size != (full.pixels.shape[1], full.pixels.shape[0]):
                self._find(full)
            else:
                self._check(self.plane, full, shifted)

    def _check(self, plane: Plane, frame: Frame, shifted: bool) -> None:
        if plane.kind == "corners":
            if shifted:
                self.plane, self.says = None, _BY_HAND
        elif still_holds(plane, frame.pixels) is False or (shifted and plane.kind == "board"):
            self._find(frame)
            if self.plane is not None:
                self.says = _MOVED

    def _find(self, frame: Frame) -> None:
        self.plane = None
        try:
            found = find_table(frame, self.game)
        except NoPlane as why:
            self.says = _BY_HAND if self._before is not None and self._before.kind == "corners" else why.says
            return
        if found.kind == "board" and self._before is not None and self.game is not None:
            found = turned_like(found, self._before, self.game.board)
        self.plane = self._before = found
        self.says = ""


def without_strays(read: TableRead, game: AnyGame) -> TableRead:
    """Beside a tile that lies on no place no place counts as empty: it may belong there, and hidden is not empty."""
    reach = 0.8 * max(game.catalogue.size_mm)

    def is_beside_one(place: Place) -> bool:
        named = game.board.places.get(place)
        spot = (named.x_mm, named.y_mm) if named else read.grid.spot(place) if read.grid else (math.inf, math.inf)
        return any(math.dist(spot, stray) < reach for stray in read.astray)

    if not read.astray:
        return read
    seen = {
        place: odds for place, odds in read.observation.items() if odds.get(None, 0.0) < 0.5 or not is_beside_one(place)
    }
    return replace(read, observation=seen, says=read.says or say("a tile lies between places: push it onto its place"))
