"""What a check found, and what to do about it."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How it stands with one thing."""

    GOOD = "good"
    LOOK = "look"
    """Works, but somebody should have a look."""
    BROKEN = "broken"
    ABSENT = "absent"
    """Not on this machine, and not needed for what it is set up to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: State
    says: str
    do: str = ""


def good(name: str, says: str) -> Finding:
    return Finding(name, State.GOOD, says)


def look(name: str, says: str, do: str) -> Finding:
    return Finding(name, State.LOOK, says, do)


def broken(name: str, says: str, do: str) -> Finding:
    return Finding(name, State.BROKEN, says, do)


def absent(name: str, says: str) -> Finding:
    return Finding(name, State.ABSENT, says)


def answer(command: Sequence[str], seconds: float) -> str | None:
    """What a program says; ``None`` if it is not here, fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
