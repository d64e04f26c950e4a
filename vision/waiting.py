"""A camera that waits to be asked: of a recording or a simulated table every picture is given once."""

import logging
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from companion.game import Unreadable
from companion.said import say
from vision.frame import Frame, Lost
from vision.live import Child, HeldCamera, Patience, Shown, Words

log = logging.getLogger(__name__)

UNHURRIED = Patience(start=30.0, picture=15.0, busy=15.0)
"""To draw a picture may take a Pi several seconds; systemd's watchdog waits for 20. A worker that ends is missed at
once all the same."""
MOST_TRIES = 3
"""So often a worker may fail at the same picture."""

_NAMES = {
    "video": say("The video"),
    "photos": say("The folder of photos"),
    "photo": say("The photo"),
    "sim": say("The simulated table"),
}
_WORKER = (sys.executable, "-m", "vision.workers.waiting")


class WaitingCamera(HeldCamera):
    """Pictures that wait in a child process. Iterating gives each of them once, and `Lost` while none can be had."""

    def __init__(
        self,
        name: str,
        settings: Mapping[str, Any],
        command: Sequence[str] = _WORKER,
        patience: Patience = UNHURRIED,
    ) -> None:
        """Raises `Unreadable` for what cannot be opened."""
        self.photos = False
        """Whether each frame stands for itself."""
        self.truth: list[dict[str, Any]] = []
        """What has happened up to the last frame that was given, where that is known: at a simulated table."""
        self._live = self._hurries = False
        self._opened = False
        self._told: Lost | Shown | None = None
        """What was given last, or why nothing was."""
        self._number = 0
        """The last picture that was given."""
        self._asked_for: tuple[Child, int] | None = None
        """Who was asked for the picture after which."""
        self._tries = 0
        self._refused: Unreadable | None = None
        self._began: float | None = None
        super().__init__(name, command, {"folder": os.getcwd(), **settings}, patience=patience)
        self._since = 0.0
        self._open()

    def __iter__(self) -> Iterator[Frame | Lost]:
        while (now := self._wanted()) is not None:
            before, self._told = self._told, now
            if isinstance(now, Lost):
                yield now
            elif now != before:
                given = self._given(now)
                if self._closing.is_set():
                    return
                yield given

    def _open(self) -> None:
        with self._news:
            self._news.wait_for(lambda: self._opened or self._over.is_set())
        if self._refused is not None:
            self.close()
            raise self._refused

    def _wanted(self) -> Lost | Shown | None:
        """The next picture as soon as it is there, or after a second what there is still; ``None`` at the end."""
        with self._news:
            # Each child is asked once.
            if self._child is not None and self._asked_for != (asked_for := (self._child, self._number)):
                self._asked_for = asked_for
                self._put("next", after=self._number)
        return self._newer(self._told)

    def _given(self, shown: Shown) -> Frame | Lost:
        frame = shown.frame()
        taken = shown.words["taken"] if frame is None else frame.taken
        self._wait_until(taken)
        self._number, self._since = shown.number, taken
        self.truth += shown.words.get("truth", ())
        return frame or Lost(shown.words["unreadable"], taken)

    def _wait_until(self, taken: float) -> None:
        """Each picture at its time, or as soon after it as a slow computer asks for it: what is told of a recording
        must not depend on what else a computer does."""
        if self._live:
            now = time.monotonic()
            self._began = now - taken if self._began is None else self._began
            late = now - self._began - taken
            self._closing.wait(max(0.0, -late))
            if not self._hurries:
                self._began += max(0.0, late)

    def _put(self, do: str, **more: Any) -> tuple[Child, Future[Words]]:
        with self._news:
            put = super()._put(do, **more)
            self._limit = time.monotonic() + self.patience.picture
            return put

    def _take(self, child: Child, words: Words) -> None:
        super()._take(child, words)
        with self._news:
            if "refused" in words:
                self._refused = Unreadable(words["refused"], words["at"])
            if words.get("answer") == 0 and not self._opened:
                self._opened = True
                self._live, self._hurries = words["live"], words["hurries"]
                self.photos, self.stills = words["photos"], words["stills"]
                self._now = self._told = Shown(child, 0, {})
            if "end" in words:
                self._over.set()
            if "answer" in words and not self._asked:
                self._limit = math.inf
            self._news.notify_all()

    def _see(self, child: Child, words: Words) -> None:
        self._tries = 0
        super()._see(child, words)

    def _gives_up(self, why: str) -> str:
        self._tries += 1
        if not self._opened:
            self._refused = self._refused or Unreadable(why, "source")
            return why
        if self._tries < MOST_TRIES:
            return ""
        says = say("{why} It failed {n} times at the same place, and is given up.", why=why, n=self._tries)
        log.warning("%s", says)
        return says


def open_waiting(
    kind: str, what: str, settings: Mapping[str, str], position: Mapping[str, Any] | None = None
) -> WaitingCamera:
    """A ``video``, ``photos``, a ``photo`` or ``sim`` by the words of a source; raises `Unreadable` for what cannot be.

    ``position`` is where a simulated game goes on, instead of its beginning.
    """
    words = [what, dict(settings)] if position is None else [what, dict(settings), dict(position)]
    return WaitingCamera(_NAMES[kind], {"kind": kind, "words": words})


def photo_sent(image: bytes, command: Sequence[str] = _WORKER) -> Frame:
    """A photo that a phone has sent, unpacked in a child process: whatever is in it, only that can crash."""
    with tempfile.NamedTemporaryFile(suffix=".photo") as file:
        file.write(image)
        file.flush()
        source = WaitingCamera(_NAMES["photo"], {"kind": "photo", "words": [file.name, {}]}, command)
        given = list(source)
        source.close()
    if not isinstance(photo := given[-1], Frame):
        raise Unreadable(photo.says, "photo")
    return photo
