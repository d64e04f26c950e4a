"""A support archive: what helps to find a fault, and no secret, no player's name and no picture."""

import json
import os
import platform
import re
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from companion import config, store
from companion.database import connect_leaving_no_trace
from companion.doctor.finding import Finding, answer
from companion.game import Unreadable

SERVICE = "companion.service"
GAP = "[left out]"

_SECRET_SHAPES = (
    re.compile(r"(?<=/owner/)[\w-]+"),
    re.compile(r"(?<=PIN for players: )\S+"),
    re.compile(r"(?<=://)[^\s\"]+(?=@)"),
)
"""Owner links and PINs of other days, and passwords in the address of a camera."""

_NAMES_UNKNOWN = "The record cannot be read, so nobody knows which names to leave out of the log."


def write_bundle(
    path: Path, findings: Iterable[Finding], settings: Mapping[str, Any], folder: Path, log: str | None = None
) -> None:
    """Write the archive; everything in it went through `leave_out`."""
    hidden, record = private_words(folder), _record(folder)
    texts = {
        "findings.json": _json([asdict(finding) for finding in findings]),
        "settings.json": _json(settings),
        "system.txt": _system(),
        "record.json": _json(record),
        "log.txt": _NAMES_UNKNOWN if "unreadable" in record else _journal() if log is None else log,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, leave_out(text, hidden))


def leave_out(text: str, hidden: Iterable[str]) -> str:
    """The text without secrets, players' names and this user's name in paths."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text).replace(str(Path.home()), "~")
    for shape in _SECRET_SHAPES:
        plain = shape.sub(GAP, plain)
    for word in sorted(hidden, key=len, reverse=True):
        plain = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", GAP, plain, flags=re.IGNORECASE)
    return plain


def private_words(folder: Path) -> set[str]:
    """What must not leave the house: PIN, keys, the table's name, phones, and what people are called."""
    words: set[str] = set()
    for place in (folder, *(file.parent for file in folder.glob(f"*/{config.FILE}"))):
        with suppress(Unreadable, OSError):
            if kept := config.kept_in(place):
                words |= {kept.pin, kept.owner_link or "", kept.secret, kept.name, *kept.seats.values()}
        with suppress(sqlite3.Error):
            facts = _ask(place, "SELECT fact FROM events WHERE kind = 'player_named'")
            words |= {str(json.loads(fact).get("person", "")) for (fact,) in facts}
    return {word for word in words if word.strip()}


def _record(folder: Path) -> dict[str, Any]:
    """How much is recorded, of what kind; not what."""
    try:
        games = Counter(name for (name,) in _ask(folder, "SELECT name FROM games"))
        events = Counter(kind for (kind,) in _ask(folder, "SELECT kind FROM events"))
    except sqlite3.Error as error:
        return {"unreadable": str(error)}
    return {"games": games, "events": events}


def _ask(folder: Path, question: str) -> list[Any]:
    path = folder.resolve() / store.FILE
    if not path.exists():
        return []
    with closing(connect_leaving_no_trace(path)) as connection:
        return connection.execute(question).fetchall()


def _system() -> str:
    told = [platform.platform(), f"Python {platform.python_version()}", f"{os.cpu_count()} processors"]
    for file in (Path("/etc/os-release"), Path("/proc/device-tree/model"), Path("/proc/meminfo")):
        with suppress(OSError):
            told.append(file.read_text(errors="replace").strip("\0\n"))
    return "\n\n".join([*told, "\n".join(sorted(f"{each.name} {each.version}" for each in distributions()))])


def _journal() -> str:
    told = answer(["journalctl", "-u", SERVICE, "-n", "2000", "--no-pager", "-o", "short-iso"], 20)
    return told or f"The journal has nothing of {SERVICE}, or is closed to this user."


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1, default=str)
