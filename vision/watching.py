"""From frames to reads of a table at rest: keeps the plane, notices a bumped camera, reads when it is asked."""

from collections.abc import Callable
from typing import TypeAlias

from vision.frame import Frame
from vision.plane import NoPlane, Plane, register, still_holds
from vision.reading import TableRead
from vision.settle import Settling, State, Stillness
from vision.snap import Grid

Read: TypeAlias = Callable[[Frame, Plane, Grid | None], TableRead]
"""Reads one picture of a table; raises `NoPlane` with what to do."""

_CHECK_MS = 5000.0
"""How often a plane is checked while nothing happens."""
_RETRY_MS = 1000.0
"""How long after a table was not found it is looked for again."""
MOVED = "The camera was moved; the table was found again."
_BY_HAND = "the camera was moved: set the four corners again, or put a mat or corner cards under it"


class Watching:
    """What one camera sees; `plane` is ``None`` until the table was found, and `says` is why."""

    def __init__(self, plane: Plane | None = None, settling: Settling | None = None) -> None:
        self.plane = plane
        self.grid: Grid | None = None
        self.frame: Frame | None = None
        """The newest one."""
        self.last: TableRead | None = None
        """The newest read, and `read_frame` its frame."""
        self.read_frame: Frame | None = None
        self.says = ""
        self._settling = settling or Settling()
        self._checked_ms = float("-inf")
        self._by_hand = plane is not None and plane.game is None

    def take(self, frame: Frame) -> Stillness:
        """What a frame says about rest; costs a millisecond, but for the moments when the plane is looked at."""
        if self.frame is not None and self.frame.pixels.shape != frame.pixels.shape and self.plane is not None:
            self.plane, self.grid = None, None
        self.frame = frame
        stillness = self._settling.take(frame)
        if stillness.stirred:
            self._checked_ms = min(self._checked_ms, frame.taken * 1000 - _CHECK_MS + _RETRY_MS)
        if stillness.state is State.REST:
            self._keep_plane(frame, stillness.shifted)
        return stillness

    def forget(self) -> None:
        """The camera was lost: when it comes back everything is looked at anew."""
        self._settling = Settling()
        self._checked_ms = float("-inf")

    def use(self, plane: Plane) -> None:
        """The table lies here: somebody said so, or it was looked for on purpose."""
        self.plane, self.grid, self.says = plane, None, ""
        self._by_hand = plane.game is None

    def read(self, read: Read) -> TableRead:
        """Read the newest frame; raises `NoPlane`."""
        if self.frame is None or self.plane is None:
            raise NoPlane(self.says or "there is no picture of the table yet")
        self.last = read(self.frame, self.plane, self.grid)
        self.read_frame, self.grid = self.frame, self.last.grid
        return self.last

    def _keep_plane(self, frame: Frame, shifted: bool) -> None:
        """Look for the table where there is none, and check now and then that it still is where it was."""
        now_ms = frame.taken * 1000
        since = now_ms - self._checked_ms
        if self.plane is None:
            if since >= _RETRY_MS:
                self._checked_ms = now_ms
                self._find(frame)
        elif shifted or since >= _CHECK_MS:
            self._checked_ms = now_ms
            self._check(self.plane, frame, shifted)

    def _check(self, plane: Plane, frame: Frame, shifted: bool) -> None:
        if self._by_hand:
            if shifted:
                self.plane, self.says = None, _BY_HAND
        elif still_holds(plane, frame.pixels) is False:
            self.plane = None
            self._find(frame)
            if self.plane is not None:
                self.says = MOVED

    def _find(self, frame: Frame) -> None:
        try:
            found = register(frame.pixels)
        except NoPlane as why:
            self.says = self.says if self._by_hand else str(why)
            return
        self.plane, self.says, self._by_hand = found, "", False
