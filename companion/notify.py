"""What systemd hears of the companion: that it is ready, what it does, and that every part of it still gets on."""

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

PART_SECONDS = 20.0
"""A part that reports progress and then is silent for so long is stuck."""

_lately: dict[str, float] = {}
"""When each part that reports progress last did."""


def tell(*lines: str) -> None:
    """Say something such as ``READY=1`` to systemd; nobody hears it where the companion was started otherwise."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.connect("\0" + address[1:] if address.startswith("@") else address)
        line.sendall("\n".join(lines).encode())


def progress(part: str = "watcher") -> None:
    """A part of the house has done a turn of its work; from the first time on it is expected to go on doing so."""
    _lately[part] = time.monotonic()


def at_rest(part: str = "watcher") -> None:
    """A part has ended its work, and nobody waits for it any longer."""
    _lately.pop(part, None)


def stuck(part_seconds: float = PART_SECONDS) -> tuple[str, ...]:
    """The parts that have reported progress before and no longer do."""
    now = time.monotonic()
    return tuple(part for part, when in tuple(_lately.items()) if now - when > part_seconds)


def to_journal() -> bool:
    """Whether what is printed ends up in systemd's journal."""
    out = os.fstat(1)
    return os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}"


class Pulse:
    """Beats for systemd's watchdog while every part does its work, and leaves off when one does not."""

    def __init__(self, *turns: Callable[[], object]) -> None:
        """Each of ``turns`` has a part do a turn of its work and returns; one that hangs or fails stops the pulse."""
        self._turns = turns
        self._stopped = Event()
        self._thread = Thread(target=self._beat, name="pulse", daemon=True)

    def start(self) -> None:
        """Begin, where systemd waits for it."""
        if _watchdog_seconds():
            self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def _beat(self) -> None:
        while not self._stopped.is_set():
            try:
                for turn in self._turns:
                    turn()
            except Exception:
                if self._stopped.is_set():  # a part that is closing takes no more work
                    return
                raise
            if still := stuck():
                tell(f"STATUS=No progress: {', '.join(still)}.")
            else:
                tell("WATCHDOG=1")
            self._stopped.wait(_watchdog_seconds() / 4)


def _watchdog_seconds() -> float:
    """How long systemd waits for a beat; 0 where it does not wait for this process."""
    meant_for = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    given = os.environ.get("WATCHDOG_USEC", "")
    return int(given) / 1e6 if given.isdecimal() and meant_for == str(os.getpid()) else 0.0
