"""A camera in a child process, which is killed and started again when the camera stalls or fails."""

import contextlib
import json
import logging
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Condition, Event, Lock, Thread
from typing import IO, Any, NamedTuple, TypeAlias

import cv2
import numpy as np

from companion.eyes import CannotSee
from companion.said import say
from vision.frame import Frame, Lost, Pixels
from vision.workers.wire import Picture, Ring

ROOM = Path(__file__).parent.parent
"""Where a worker of our own finds this package, wherever the companion was started."""

Words: TypeAlias = dict[str, Any]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a camera may take, in seconds."""

    start: float = 15.0
    """Until its first picture."""
    picture: float = 1.5
    """From one picture to the next: with the time to notice it, a camera that stalls is missed within 2 s."""
    busy: float = 20.0
    """While it says that it is busy."""
    stop: float = 1.0
    again: float = 0.5
    """Before it is started again; twice as long each time that it fails at once."""
    longest: float = 8.0
    sound: float = 10.0
    """A camera that ran for so long is not one that fails at once."""


class Shown(NamedTuple):
    """A picture that is to be had: who holds it, its number there, and what was said of it."""

    child: "Child"
    number: int
    words: Words

    def frame(self) -> Frame | None:
        """The picture, unless newer ones have taken its place."""
        return _frame(self.child, self.child.ring, self.number)


class HeldCamera:
    """A camera that a child process holds; what it gives, and when, is for each kind of camera to say."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        settings: Mapping[str, Any],
        stills: bool = False,
        patience: Patience = Patience(),
    ) -> None:
        self.name, self.stills, self.patience = name, stills, patience
        self._command, self._settings = command, dict(settings)
        self._news = Condition()
        self._now: Lost | Shown = Lost(say("{camera} is being started.", camera=name), time.monotonic())
        self._last_seen = self._since = time.monotonic()
        """When the last picture came, and when that was on the camera's own clock."""
        self._first = 0
        """What is added to the numbers of the next child's pictures."""
        self._limit = 0.0
        """Until when the child must have said something."""
        self._over = Event()
        self._child: Child | None = None
        self._stuck: Child | None = None
        self._closing = Event()
        self._asked: dict[int | None, Future[Words]] = {}
        self._numbers = count(1)
        self._one_still = Lock()
        self._minder = Thread(target=self._mind, name=name, daemon=True)
        self._minder.start()

    def still(self) -> Frame | Lost:
        """The full picture of this moment, or why there is none; a camera that is busy is not waited for."""
        if isinstance(now := self._now, Lost):
            return now
        with self._one_still:
            try:
                child, words = self._answered("still")
            except CannotSee as error:
                return Lost(error.says, self._since)
            return _frame(child, child.still, words["still"]) or Lost(
                say("{camera} failed.", camera=self.name), self._since
            )

    def ask(self, do: str) -> Words:
        """Have the camera ``lock``, ``unlock``, ``focus`` or tell its ``status``; raises `CannotSee`."""
        return self._answered(do)[1]

    def close(self) -> None:
        """Let the camera go; a worker that does not end is killed."""
        with self._news:
            self._closing.set()
            self._news.notify_all()
            child = self._child
        if child is not None:
            child.tell(do="stop")
        self._minder.join(self.patience.stop)
        if child is not None:
            child.kill()
        self._minder.join()

    def _newer(self, told: Lost | Shown | None) -> Lost | Shown | None:
        """What there is as soon as it is news, or after a second what there is still; ``None`` at the end."""
        with self._news:
            self._news.wait_for(lambda: self._closing.is_set() or self._over.is_set() or self._now != told, 1.0)
            ended = self._closing.is_set() or (self._over.is_set() and self._now == told)
            return None if ended else self._now

    def _answered(self, do: str) -> tuple["Child", Words]:
        child, answer = self._put(do)
        # A child that does not answer is killed, and that is an answer too.
        words = answer.result()
        if "error" in words:
            raise CannotSee(_said(words, "error"))
        return child, words

    def _put(self, do: str, **more: Any) -> tuple["Child", Future[Words]]:
        """Ask something of the child; raises `CannotSee` while there is none."""
        number, answer = next(self._numbers), Future[Words]()
        with self._news:
            child = self._child
            if child is None:
                raise CannotSee(
                    self._now.says if isinstance(self._now, Lost) else say("{camera} is closed.", camera=self.name)
                )
            self._asked[number] = answer
        child.tell(do=do, id=number, **more)
        return child, answer

    def _mind(self) -> None:
        """Keep a child at work until the camera is closed or has nothing more to give."""
        pause, logged = self.patience.again, ""
        while not self._closing.is_set():
            began = time.monotonic()
            why = self._life()
            if self._closing.is_set() or self._over.is_set():
                return
            if self._last_seen - began > self.patience.sound:
                pause, logged = self.patience.again, ""
            if last_words := self._gives_up(why):
                self._lose(last_words, over=True)
                return
            if why != logged:  # a camera may be away for weeks, and a journal need not hear it every time
                log.warning("%s", why)
            logged = why
            self._lose(say("{why} It is tried again in {seconds:g} s.", why=why, seconds=pause))
            self._closing.wait(pause)
            pause = min(2 * pause, self.patience.longest)

    def _gives_up(self, why: str) -> str:
        """What is said when the camera is not tried again; nothing as long as it is."""
        return ""

    def _life(self) -> str:
        """Start a child and see it through to its end; says why it ended."""
        if self._stuck is not None and not self._stuck.kill():
            return say(
                "{camera} hangs in the system's driver: switch this computer off and on again.", camera=self.name
            )
        try:
            child = Child(self._command, self.name, self._first)
        except OSError as error:
            return say("{camera} cannot be started: {error}.", camera=self.name, error=error)
        with self._news:
            self._child = child
        try:
            return self._attend(child)
        except Exception as error:
            log.exception("%s", self.name)
            return say("{camera} is not understood: {error}.", camera=self.name, error=error)
        finally:
            self._stuck = None if child.kill() else child
            child.release()
            with self._news:
                self._child = None
            while self._asked:
                self._asked.popitem()[1].set_result(
                    {"error": say("{camera} failed before it answered: try again.", camera=self.name)}
                )

    def _attend(self, child: "Child") -> str:
        if self._closing.is_set():
            child.tell(do="stop")
        self._limit = time.monotonic() + self.patience.start
        child.tell(do="start", id=0, **self._settings)
        while True:
            heard = child.hear(min(1.0, max(0.0, self._limit - time.monotonic())))
            if heard is None:
                return child.why_it_ended()
            # What was said counts first: it may be this process that was held up, not the camera.
            if not heard and time.monotonic() >= self._limit:
                return say("{camera} gives no pictures.", camera=self.name)
            for words in heard:
                self._take(child, words)

    def _take(self, child: "Child", words: Words) -> None:
        """Take in what a child says."""
        if "frame" in words:
            self._see(child, words)
        if "busy" in words:
            self._lose(_said(words, "busy"))
            child.is_busy = True
            self._limit = time.monotonic() + self.patience.busy
        if "locked" in words:
            self._settings["locked"] = words["locked"]
        if (answer := self._asked.pop(words.get("answer"), None)) is not None:
            answer.set_result(words)
            if child.is_busy:
                child.is_busy = False
                self._limit = time.monotonic() + self.patience.picture

    def _see(self, child: "Child", words: Words) -> None:
        with self._news:
            if isinstance(self._now, Lost):
                log.info("%s gives pictures", self.name)
            self._now, self._last_seen = Shown(child, words["frame"], words), time.monotonic()
            self._news.notify_all()

    def _lose(self, says: str, over: bool = False) -> None:
        with self._news:
            self._now = Lost(says, self._since)
            if over:
                self._over.set()
            self._news.notify_all()


class LiveCamera(HeldCamera):
    """A camera that does not wait. Iterating gives the newest frame each time, or `Lost` every second without one."""

    def __iter__(self) -> Iterator[Frame | Lost]:
        told: Lost | Shown | None = None
        while (now := self._newer(told)) is not None:
            if isinstance(now, Lost):
                yield now
            elif now != told and (frame := now.frame()) is not None:
                yield frame
            told = now

    def _see(self, child: "Child", words: Words) -> None:
        super()._see(child, words)
        self._since = self._last_seen
        self._first = child.first + words["frame"]
        self._limit = self._last_seen + self.patience.picture


class Child:
    """A worker's process, seen from its owner; the protocol is in `vision.workers.wire`."""

    def __init__(self, command: Sequence[str], name: str, first: int) -> None:
        self.name, self.first = name, first
        self.is_busy = False
        self.ring, self.still = Ring(), Ring(slots=1)
        handles = (self.ring.handle, self.still.handle)
        self._process = subprocess.Popen(
            [*command, *map(str, handles), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=handles,
            cwd=ROOM,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the owner, who closes the camera
        )
        self._half = {"words": b"", "noise": b""}
        self._listening = selectors.PollSelector()
        self._listening.register(self._pipe("stdout"), selectors.EVENT_READ, "words")
        self._listening.register(self._pipe("stderr"), selectors.EVENT_READ, "noise")
        self._last_words = ""

    def tell(self, **words: Any) -> None:
        """Say something to the child; that it has ended is noticed elsewhere."""
        with contextlib.suppress(OSError, ValueError):
            self._pipe("stdin").write(json.dumps(words).encode() + b"\n")

    def hear(self, seconds: float) -> list[Words] | None:
        """What it says within some time; ``None`` when it has ended. What its libraries print goes to the log."""
        heard: list[Words] = []
        for key, _ in self._listening.select(seconds):
            lines = self._lines(key)
            if key.data == "noise":
                for line in lines or ():
                    log.info("%s: %s", self.name, line.decode("utf-8", "replace"))
            elif lines is None:
                return None
            else:
                heard += map(json.loads, lines)
        for words in heard:
            self._last_words = _said(words, "lost") or self._last_words
        return heard

    def why_it_ended(self) -> str:
        """Its last words, or how its process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status = self._process.returncode or 0
        if self._last_words:
            return self._last_words
        if status < 0:
            signalled = signal.Signals(-status).name
            return say("{camera} failed: its program was ended by {signal}.", camera=self.name, signal=signalled)
        return say("{camera} failed: its program ended with status {status}.", camera=self.name, status=status)

    def kill(self) -> bool:
        """End it now, and say whether it has: a process that hangs in a driver does not end."""
        self._process.kill()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return False
        return True

    def release(self) -> None:
        """Close its pipes; only for who listens to them."""
        for name in ("stdin", "stdout", "stderr"):
            self._pipe(name).close()

    def _pipe(self, name: str) -> IO[bytes]:
        pipe: IO[bytes] = getattr(self._process, name)
        return pipe

    def _lines(self, key: selectors.SelectorKey) -> list[bytes] | None:
        """The whole lines that have come; ``None`` at the end."""
        if not (read := os.read(key.fd, 65536)):
            self._listening.unregister(key.fileobj)
            return None
        *lines, self._half[key.data] = (self._half[key.data] + read).split(b"\n")
        return lines


def _frame(child: Child, ring: Ring, number: int) -> Frame | None:
    picture = ring.get(number)
    return picture and Frame(pixels_of(picture), picture.taken, child.first + picture.number)


def pixels_of(picture: Picture) -> Pixels:
    """The rows of a worker's picture, without what pads them."""
    lies = np.frombuffer(picture.pixels, np.uint8).reshape(-1, picture.stride)
    if picture.layout == "I420":
        return np.ascontiguousarray(cv2.cvtColor(lies, cv2.COLOR_YUV2BGR_I420)[:, : picture.width], np.uint8)
    rows = np.ascontiguousarray(lies[:, : 3 * picture.width])
    return rows.reshape(picture.height, picture.width, 3)


def _said(words: Words, key: str) -> str:
    """What a worker says under a key, if it says anything."""
    return say(words.get(key, ""), **words.get("gaps", {}))
