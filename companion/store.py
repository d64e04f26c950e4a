"""The record on disk: events that are only ever added, and that count once they are committed."""

import json
import os
import shlex
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from companion import database
from companion.database import InUse, NotRecorded
from companion.events import Event, Fact, GameBegun, event_from_json
from companion.game import Unreadable
from companion.said import say

__all__ = ["Entry", "InUse", "KeptGame", "NotRecorded", "Reader", "Store"]

FILE = "record.db"
"""The name of the record in its folder; one that was kept aside has another."""

Connect = Callable[[Path], sqlite3.Connection]


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game of the record: its number here, a name that is its own in every record, and what it holds."""

    number: int
    identity: str
    name: str
    events: int
    moves: int
    begun: float
    """Seconds since 1970 by the clock of that day, which may have been wrong: a note, nothing is ordered by it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with the time on the clock when it was written down."""

    event: Event
    noted: float


class Reader:
    """Reads a record by a connection of its own, whoever may be writing it."""

    def __init__(self, folder: Path, file: str = FILE) -> None:
        path = folder.resolve() / file
        if not path.exists():
            raise Unreadable(f"nothing is recorded in {folder}")
        self._lock = RLock()
        self._path = path
        connect = database.connect_reading if file == FILE else database.connect_salvaging
        with _readable(path), ExitStack() as undo:
            self._connection = undo.enter_context(closing(connect(path)))
            database.check_version(self._connection, path)
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def games(self) -> tuple[KeptGame, ...]:
        """All games, in the order they came into the record."""
        return tuple(KeptGame(*row) for row in self._rows(f"{_GAMES} GROUP BY game ORDER BY game"))

    def game(self, number: int) -> KeptGame:
        """One game; raises `Unreadable` for a number that none has."""
        rows = self._rows(f"{_GAMES} WHERE game = ? GROUP BY game", number)
        if not rows:
            raise Unreadable(f"there is no game {number} in this record", "game")
        return KeptGame(*rows[0])

    def identities(self) -> dict[int, str]:
        """What games are called in every record, by their numbers here; of a damaged record all that there is a sign
        of, called nothing where that is lost."""
        found: dict[int, str] = {}
        for question in _SIGNS:
            with self._lock, suppress(sqlite3.Error):
                found.update(row for row in self._connection.execute(question) if _is_sign(*row))
        if not found:
            self.games()
        return dict(sorted(found.items()))

    def entries(self, game: int) -> tuple[Entry, ...]:
        """The events of a game with the times noted; raises `Unreadable` if it is not there or not intact."""
        rows = self._rows(f"SELECT {database.COLUMNS} FROM events WHERE game = ? ORDER BY number", game)
        if not rows:
            raise Unreadable(f"there is no game {game} in this record", "game")
        for number, row in enumerate(rows, 1):
            if row[1] != number or not database.is_intact(row):
                raise Unreadable(f"{self._path} is damaged", f"event {number} of game {game}")
        return tuple(Entry(_event(number, kind, fact), noted) for _, number, kind, fact, _, noted, _ in rows)

    def events(self, game: int) -> tuple[Event, ...]:
        return tuple(entry.event for entry in self.entries(game))

    def back_up(self, copy: Path) -> None:
        """Write all that is committed to another file: whole or not at all, and never over one that is there."""
        fresh = copy.with_name(f"{copy.name}.new")
        if copy.exists():
            raise Unreadable(f"{copy} is there already")
        with self._lock, _refused_as_not_recorded(say("The record cannot be backed up")):
            fresh.unlink(missing_ok=True)
            with closing(sqlite3.connect(fresh)) as written:
                self._connection.backup(written)
            os.replace(fresh, copy)

    def _rows(self, question: str, *given: object) -> list[Any]:
        with self._lock, _readable(self._path):
            return self._connection.execute(question, given).fetchall()


class Store(Reader):
    """The one writer of a record. What it answers is committed; what is damaged it keeps aside and begins anew."""

    def __init__(
        self, folder: Path, *, clock: Callable[[], float] = time.time, connect: Connect = database.connect
    ) -> None:
        self._lock, self._clock, self._path = RLock(), clock, folder.resolve() / FILE
        self.said: tuple[str, ...] = ()
        """What people should hear about the opening, such as that a damaged record was kept aside."""
        with _refused_as_not_recorded(say("The record cannot be opened")):
            folder.mkdir(parents=True, exist_ok=True)
            self._open(connect)

    def close(self) -> None:
        super().close()
        self._alone.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else in this process writes meanwhile: for reading first and writing by what was read."""
        with self._lock:
            yield

    def begin(self, fact: GameBegun, request: str | None = None) -> int:
        """Write down that a game was begun, and answer its number once that is committed."""
        with self._writing():
            if (done := self._requested(request)) is not None:
                _same(done, (done[0], 1, fact))
                return int(done[0])
            game = self._new_game(uuid4().hex, fact)
            self._add(game, Event(1, fact), request, self._clock())
        return game

    def append(self, game: int, fact: Fact, request: str | None = None) -> Event:
        """Write an event down and answer it once it is committed; the same request again gets the same answer."""
        if isinstance(fact, GameBegun):
            raise Unreadable("a game begins once; the next one has a record of its own", "kind")
        with self._writing():
            if (done := self._requested(request)) is not None:
                return _same(done, (game, done[1], fact))
            (last,) = self._connection.execute("SELECT max(number) FROM events WHERE game = ?", (game,)).fetchone()
            if last is None:
                raise Unreadable(f"there is no game {game} in this record", "game")
            event = Event(last + 1, fact)
            self._add(game, event, request, self._clock())
        return event

    def answered(self, game: int, fact: Fact, request: str | None) -> Event | None:
        """The event this request has led to already; raises `Unreadable` if it was a request for something else."""
        with self._lock, _readable(self._path):
            done = self._requested(request)
        return None if done is None else _same(done, (game, done[1], fact))

    def adopt(self, identity: str, entries: Sequence[Entry]) -> int:
        """Take in a whole game of another record, all or nothing; raises `Unreadable` if it is here already."""
        begun = entries[0].event.fact
        if not isinstance(begun, GameBegun):
            raise Unreadable("a game's record begins with game_begun", "events.0")
        with self._writing():
            here = self._connection.execute("SELECT game FROM games WHERE identity = ?", (identity,)).fetchone()
            if here:
                raise Unreadable(f"this game is here already: it is game {here[0]}", "identity")
            game = self._new_game(identity, begun)
            for entry in entries:
                self._add(game, entry.event, None, entry.noted)
        return game

    def forget(self, game: int) -> str:
        """Take a whole game out with every byte of it, and answer its identity: nothing else is ever deleted."""
        identity = self.game(game).identity
        guards = self._rows("SELECT name, sql FROM sqlite_master WHERE name IN ('events_stay', 'games_stay')")
        with self._writing():
            for name, _ in guards:
                self._connection.execute(f"DROP TRIGGER {name}")
            for kept in ("events", "games"):
                self._connection.execute(f"DELETE FROM {kept} WHERE game = ?", (game,))
            for _, guard in guards:
                self._connection.execute(guard)
        with self._lock, _refused_as_not_recorded(say("The record is not rid of the game's last traces yet")):
            # The rows are gone, but their bytes would stay in free pages and in the log.
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return identity

    def _open(self, connect: Connect) -> None:
        with ExitStack() as undo:
            self._alone = undo.enter_context(closing(database.stay_alone(self._path.with_suffix(".lock"))))
            self._keep_damage_aside()
            self._connection = undo.enter_context(closing(connect(self._path)))
            database.use_safely(self._connection)
            database.climb(self._connection)
            undo.pop_all()

    def _keep_damage_aside(self) -> None:
        damage = database.damage(self._path)
        if damage is not None:
            kept = database.set_aside(self._path, self._clock())
            said = f"The record was damaged ({damage}). It is kept as {kept.name}; a new one was begun."
            self.said = (said, *_remedy(kept))
        if not self._path.exists():
            database.create(self._path)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, _refused_as_not_recorded(say("The record does not take the event")):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # SQLite may have rolled back by itself, as it does when the disk is full.
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _requested(self, request: str | None) -> Any:
        if request is None:
            return None
        wanted = "SELECT game, number, kind, fact FROM events WHERE request = ?"
        return self._connection.execute(wanted, (request,)).fetchone()

    def _new_game(self, identity: str, begun: GameBegun) -> int:
        (game,) = self._connection.execute("SELECT coalesce(max(game), 0) + 1 FROM games").fetchone()
        self._connection.execute("INSERT INTO games VALUES (?, ?, ?)", (game, identity, begun.game))
        return int(game)

    def _add(self, game: int, event: Event, request: str | None, noted: float) -> None:
        kind, fact = _written(event.fact)
        checksum = database.checksum(game, event.number, kind, fact, request)
        row = (game, event.number, kind, fact, request, noted, checksum)
        self._connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)


_GAMES = """SELECT game, identity, name, count(*), sum(kind = 'move_played'), min(CASE number WHEN 1 THEN noted END)
    FROM games JOIN events USING (game)"""


_SIGNS = (
    "SELECT DISTINCT game, '' FROM events ORDER BY game",
    "SELECT DISTINCT game, '' FROM events ORDER BY game DESC",
    "SELECT game, identity FROM games ORDER BY game",
    "SELECT game, identity FROM games ORDER BY game DESC",
    "SELECT game, identity FROM games ORDER BY identity",
    "SELECT game, identity FROM games ORDER BY identity DESC",
)
"""A page that is damaged ends an answer, so all is asked from either end, and in the order of the index, which has
pages of its own."""


def _is_sign(game: object, identity: object) -> bool:
    """Whether these are a number and a name at all: what a damaged page gives may be anything."""
    return isinstance(game, int) and isinstance(identity, str)


def _remedy(kept: Path) -> tuple[str, ...]:
    """How to get the games back that are whole in a record that was kept aside, where any is."""
    whole = _whole_games(kept)
    command = shlex.join(["companion", "record", "import", str(kept), "--state", str(kept.parent)])
    return (f"`{command}` brings back what is still whole in it: {whole} games.",) if whole else ()


def _whole_games(kept: Path) -> int:
    whole = 0
    with suppress(Unreadable), Reader(kept.parent, kept.name) as reader:
        for game in reader.identities():
            with suppress(Unreadable):
                whole += bool(reader.entries(game))
    return whole


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        state = "is damaged" if database.is_damage(error) else "cannot be read"
        raise Unreadable(f"{path} {state}: {error}") from error


@contextmanager
def _refused_as_not_recorded(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        raise _not_recorded(what, say("the disk is full") if full else str(error)) from error
    except OSError as error:
        raise _not_recorded(what, error.strerror or str(error)) from error


def _not_recorded(what: str, why: str) -> NotRecorded:
    return NotRecorded(say("{what}: {why}. Nothing recorded before is lost.", what=what, why=why))


def _written(fact: Fact) -> tuple[str, str]:
    """A fact as it stands in its row; raises `Unreadable` for one that could not be read from there again."""
    told = Event(1, fact).as_json()
    del told["number"]
    kind, text = told.pop("kind"), json.dumps(told, separators=(",", ":"), allow_nan=False)
    _event(1, kind, text)
    return kind, text


def _event(number: int, kind: str, fact: str) -> Event:
    return event_from_json({"number": number, "kind": kind, **json.loads(fact)})


def _same(done: Any, wanted: tuple[int, int, Fact]) -> Event:
    game, number, fact = wanted
    if (game, number, *_written(fact)) != tuple(done):
        raise Unreadable("this request was made before, for something else", "request")
    return Event(number, fact)
