"""What a camera's worker and its owner say to each other: pictures by shared memory, words by lines of JSON.

Standard library only: it also runs under the system's Python, beside ``python3-picamera2`` and its older numpy.

The owner starts ``worker RING STILL OWNER``: two handles of shared memory, and its own process number. A line of the
worker's standard input is a command, ``{"do": "start", "id": 1, ...}``; the first is ``start``. What a worker says on
its standard output, a JSON object a line:

``{"frame": 7}``
    picture 7 is in the ring
``{"answer": 1, ...}``
    what a command did, or ``{"answer": 1, "error": "..."}``; an answer with ``locked`` holds the controls that the
    worker is to be started with if it must be started again
``{"busy": "..."}``
    no picture for a while, and why
``{"lost": "..."}``
    its last words; words may have gaps in braces, which ``gaps`` fills

A worker that waits, for recordings and the simulated table, gives a picture only when it is asked for with
``{"do": "next", "after": 41}``: the first one with a greater number. It says besides:

``{"frame": 42, "unreadable": "...", "taken": 4.2}``
    there is no such picture in the ring, because it cannot be read
``{"frame": 42, "truth": [...]}``
    what has happened since the last picture, where that is known
``{"refused": "...", "at": "source"}``
    what it was to open cannot be, and which word of the source is wrong
``{"end": true}``
    there are no more pictures

A worker ends when its input does, and with its owner, however that came to end.
"""

import contextlib
import ctypes
import json
import mmap
import os
import select
import signal
import struct
import sys
import tempfile
import traceback
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

_HEAD = struct.Struct("<Q56x")
"""How large a slot is."""
_RECORD = struct.Struct("<QdIII4s28x")
"""What is before the pixels in a slot; the number is 0 while they are written."""
_DIE_WITH_PARENT = 1


class Picture(NamedTuple):
    """The bytes of a picture and how they lie: rows of B,G,R, or the planes of ``I420``, at ``stride`` bytes a row."""

    number: int
    taken: float
    width: int
    height: int
    stride: int
    layout: str
    pixels: Any


def rows_of(pixels: Any, number: int, taken: float) -> Picture:
    """A picture from an array of rows that lie one after the other."""
    height, width = pixels.shape[:2]
    return Picture(number, taken, width, height, 3 * width, "BGR", pixels.data)


class Trouble(Exception):
    """What a worker has to say, as a pattern and what goes into its gaps, for the owner may have to translate it."""

    def __init__(self, pattern: str, **gaps: object) -> None:
        self.pattern, self.gaps = pattern, {name: str(gap) for name, gap in gaps.items()}
        super().__init__(pattern.format(**self.gaps) if gaps else pattern)


class Gone(Trouble):
    """The camera is not there, or not any more, and what can be done about it."""


class Refused(Trouble):
    """A command that this camera cannot follow, and why; the camera goes on."""


class Ring:
    """Memory that two processes share; it holds the newest pictures and has no name that could outlive them."""

    def __init__(self, handle: int | None = None, slots: int = 3) -> None:
        self.handle = _nameless_memory() if handle is None else handle
        # Never closed by hand: another thread may just be copying a picture.
        weakref.finalize(self, os.close, self.handle)
        self._slots = slots
        self._memory: mmap.mmap | None = None

    def put(self, picture: Picture) -> None:
        pixels = memoryview(picture.pixels).cast("B")
        memory, at = self._room(_RECORD.size + len(pixels), picture.number)
        told = (picture.taken, picture.width, picture.height, picture.stride, picture.layout.encode())
        _RECORD.pack_into(memory, at, 0, *told)
        memory[at + _RECORD.size : at + _RECORD.size + len(pixels)] = pixels
        _RECORD.pack_into(memory, at, picture.number, *told)

    def get(self, number: int) -> Picture | None:
        """A copy of a picture, or ``None`` if newer ones have taken its place."""
        if (memory := self._mapped()) is None:
            return None
        (slot,) = _HEAD.unpack_from(memory)
        at = _HEAD.size + number % self._slots * slot
        if at + _RECORD.size > len(memory):
            return None  # it has just grown
        found, taken, width, height, stride, layout = _RECORD.unpack_from(memory, at)
        name = layout.rstrip(b"\0").decode("ascii", "replace")
        length = height * stride * (3 if name == "I420" else 2) // 2
        pixels = bytearray(memoryview(memory)[at + _RECORD.size : at + _RECORD.size + length])
        if not found == number == _RECORD.unpack_from(memory, at)[0] or len(pixels) < length:
            return None
        return Picture(number, taken, width, height, stride, name, pixels)

    def _room(self, length: int, number: int) -> tuple[mmap.mmap, int]:
        """Where a picture goes; the memory grows with the pictures and never shrinks."""
        memory = self._mapped()
        slot = _HEAD.unpack_from(memory)[0] if memory else 0
        if memory is None or length > slot:
            slot = length + -length % 64
            os.ftruncate(self.handle, _HEAD.size + self._slots * slot)
            memory = self._mapped()
            assert memory is not None
            _HEAD.pack_into(memory, 0, slot)
            for place in range(self._slots):
                _RECORD.pack_into(memory, _HEAD.size + place * slot, 0, 0.0, 0, 0, 0, b"")
        return memory, _HEAD.size + number % self._slots * slot

    def _mapped(self) -> mmap.mmap | None:
        size = os.fstat(self.handle).st_size
        if size and (self._memory is None or len(self._memory) != size):
            self._memory = mmap.mmap(self.handle, size)
        return self._memory


class Owner:
    """The process that started this worker."""

    def __init__(self, ring: int, still: int, process: int) -> None:
        _die_with(process)
        self.ring, self.still = Ring(ring), Ring(still, slots=1)
        # What libraries print must not come among the words.
        self._words = os.dup(1)
        os.dup2(2, 1)
        self._heard = b""

    def say(self, **words: Any) -> None:
        os.write(self._words, json.dumps(words).encode() + b"\n")

    def show(self, picture: Picture, **more: Any) -> None:
        self.ring.put(picture)
        self.say(frame=picture.number, **more)

    def commands(self, seconds: float = 0.0) -> Iterator[dict[str, Any]]:
        """What was asked meanwhile; raises `EOFError` when the owner has closed the line."""
        if select.select([0], [], [], seconds)[0]:
            if not (heard := os.read(0, 65536)):
                raise EOFError
            *lines, self._heard = (self._heard + heard).split(b"\n")
            yield from map(json.loads, lines)


Commands = Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]
"""What a worker can do, by name: from the words of the command to the words of the answer."""


def serve(owner: Owner, commands: Commands, next_picture: Callable[[], Picture | None] | None = None) -> None:
    """Follow commands and show pictures until the owner says ``stop`` or closes the line, or the camera fails.

    Without ``next_picture`` pictures are shown by the commands alone.
    """
    started = False
    try:
        while True:
            for command in owner.commands(0.0 if started and next_picture else 60.0):
                _follow(owner, commands, command)
                started = True
            if started and next_picture and (picture := next_picture()) is not None:
                owner.show(picture)
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:
        if not isinstance(error, Gone):
            traceback.print_exc()
            error = Gone("The camera failed ({error}).", error=repr(error))
        with contextlib.suppress(BrokenPipeError):
            owner.say(lost=error.pattern, gaps=error.gaps)
        raise SystemExit(1) from None


def owner_from_arguments() -> Owner:
    """The owner, as its handles stand in the command line."""
    ring, still, process = map(int, sys.argv[1:4])
    return Owner(ring, still, process)


def _follow(owner: Owner, commands: Commands, command: dict[str, Any]) -> None:
    name, number = str(command.get("do")), command.get("id")
    if name == "stop":
        raise EOFError
    try:
        if name not in commands:
            raise Refused("This camera knows {commands}, not {name!r}.", commands=", ".join(commands), name=name)
        owner.say(answer=number, **commands[name](command))
    except Refused as error:
        owner.say(answer=number, error=error.pattern, gaps=error.gaps)


def _nameless_memory() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("camera")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _die_with(process: int) -> None:
    """End when the owner is killed, even if this worker hangs in a driver and never looks at its input again."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != process:
            raise SystemExit(1)
