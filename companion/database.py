"""The file of the record: its shape, how it is opened safely, and how damage is noticed and kept aside."""

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

from companion.game import Unreadable

APPLICATION = 0x54696C65
"""What SQLite calls the application id, so that `file` and we know our own; it reads "Tile"."""

LADDER: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            game INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL
        ) STRICT""",
        """CREATE TABLE events (
            game INTEGER NOT NULL REFERENCES games,
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            fact TEXT NOT NULL,
            request TEXT,
            noted REAL NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (game, number)
        ) STRICT, WITHOUT ROWID""",
        "CREATE UNIQUE INDEX a_request_happens_once ON events (request) WHERE request IS NOT NULL",
        """CREATE TRIGGER numbers_have_no_gaps BEFORE INSERT ON events
            WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM events WHERE game = NEW.game)
            BEGIN SELECT raise(ABORT, 'an event takes the next number'); END""",
        """CREATE TRIGGER events_stay BEFORE DELETE ON events
            BEGIN SELECT raise(ABORT, 'events are never taken away'); END""",
        """CREATE TRIGGER events_stay_as_they_are BEFORE UPDATE ON events
            BEGIN SELECT raise(ABORT, 'events are never changed'); END""",
        "CREATE TRIGGER games_stay BEFORE DELETE ON games BEGIN SELECT raise(ABORT, 'games are never taken away'); END",
    ),
)
"""Each rung takes a database from one version to the next; a new shape of the record is a new rung, never an edit."""

COLUMNS = "game, number, kind, fact, request, noted, checksum"
"""An event's row, in the order of its columns."""

_A_BAD_DAY = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}
"""What SQLite answers when the fault is not in the file but around it; a sound record must not be put aside for it."""
_DAMAGE_ALL_THE_SAME = {sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}


class NotRecorded(Exception):
    """The event was not written, and why; all that was acknowledged before still stands."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


class InUse(NotRecorded):
    """Another process writes this record."""


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def connect_reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)


def connect_salvaging(path: Path) -> sqlite3.Connection:
    """For a file that may be cut short: SQLite reads nothing of it unless told not to mind."""
    connection = connect_reading(path)
    connection.execute("PRAGMA writable_schema=ON")
    return connection


def connect_leaving_no_trace(path: Path) -> sqlite3.Connection:
    """For looking only: even a lock or a log beside a record that rests would be a change."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return connect_reading(path)
    return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True, isolation_level=None)


def use_safely(connection: sqlite3.Connection) -> None:
    """A commit returns when the disk has it. Without FULL a power cut takes back what was answered."""
    # An event is small, and each page it touches is written whole: small pages spare the card. A new file takes it.
    connection.execute("PRAGMA page_size=1024")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA fullfsync=ON")
    connection.execute("PRAGMA foreign_keys=ON")
    # What a killed writer left unsynced can be read already, so it must last before it is answered for.
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def climb(connection: sqlite3.Connection) -> None:
    """Take the database up the ladder, each rung whole or not at all."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for rung in range(version, len(LADDER)):
        connection.execute("BEGIN IMMEDIATE")
        for statement in LADDER[rung]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute(f"PRAGMA user_version={rung + 1}")
        connection.execute("COMMIT")


def create(path: Path) -> None:
    """Make a new record under another name first, so that a file which is cut short is always damage."""
    fresh = path.with_suffix(".new")
    for leftover in _parts(fresh):
        leftover.unlink(missing_ok=True)
    with closing(connect(fresh)) as connection:
        use_safely(connection)
        climb(connection)
    os.replace(fresh, path)
    _sync_folder(path.parent)


def stay_alone(path: Path) -> sqlite3.Connection:
    """Hold a lock that the system frees when this process ends, however it ends. SQLite knows how on every system."""
    held = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        held.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise InUse(f"Another companion writes the record in {path.parent}.") from None
    return held


def damage(path: Path, connect: Callable[[Path], sqlite3.Connection] = connect) -> str | None:
    """What is wrong with a record, or nothing; raises what a sound record on a bad day would, such as a full disk."""
    if not path.exists():
        # SQLite would take the log of a record that is gone for the log of the new one.
        logs = (path.with_name(path.name + end) for end in ("-wal", "-journal"))
        return "only its log is left" if any(log.exists() and log.stat().st_size for log in logs) else None
    if path.stat().st_size == 0:
        return "the file is empty"
    with closing(connect(path)) as connection:
        try:
            check_version(connection, path)
            return _first_fault(connection)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            return str(error)


def _first_fault(connection: sqlite3.Connection) -> str | None:
    """Whether the pages hang together, the index with them, and whether each event is still what was written."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        return " ".join(str(found).split())
    before = (0, 0)
    for row in connection.execute(f"SELECT {COLUMNS} FROM events ORDER BY game, number"):
        if not is_intact(row) or row[1] != (before[1] + 1 if row[0] == before[0] else 1):
            return f"event {row[1]} of game {row[0]} is not what was written"
        before = row[:2]
    return None


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """What a newer companion wrote is sound and left alone; what no companion wrote is not a record."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise sqlite3.DatabaseError("it is not marked as a record of the companion")
    if version > len(LADDER):
        raise Unreadable(f"{path} was written by a newer companion (its version is {version}, ours {len(LADDER)})")


def is_damage(error: sqlite3.Error) -> bool:
    if isinstance(error, sqlite3.ProgrammingError):  # ours, such as asking a record that was closed
        return False
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF not in _A_BAD_DAY or code in _DAMAGE_ALL_THE_SAME


def set_aside(path: Path, now: float) -> Path:
    """Keep a damaged record and its log under a name with the time in it."""
    stamp = "at-an-unknown-time"
    with suppress(ValueError, OverflowError, OSError):
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    names = (path.with_name(f"{path.stem}-damaged-{stamp}-{i}{path.suffix}") for i in count(1))
    kept = next(name for name in names if not any(part.exists() for part in _parts(name)))
    for part, aside in zip(_parts(path), _parts(kept), strict=True):
        if part.exists():
            os.replace(part, aside)
    _sync_folder(path.parent)
    return kept


def _parts(path: Path) -> tuple[Path, ...]:
    """A database's own file and those that SQLite keeps beside it."""
    return tuple(path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))


def _sync_folder(folder: Path) -> None:
    """A new name lasts once its folder is on the disk; where folders cannot be opened the system sees to it."""
    with suppress(PermissionError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def checksum(game: int, number: int, kind: str, fact: str, request: str | None) -> int:
    return zlib.crc32(json.dumps([game, number, kind, fact, request], default=repr).encode())


def is_intact(row: Any) -> bool:
    """Whether an event's row still has the checksum it was written with."""
    game, number, kind, fact, request, _, written = row
    return bool(checksum(game, number, kind, fact, request) == written)
