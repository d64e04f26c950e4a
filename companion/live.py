"""The table as it is right now: one writer takes facts down and replaces `Table.now` whole; all others only read."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Condition
from typing import Any, TypeAlias, TypeVar
from zlib import crc32

from companion.events import Event, Fact, GameBegun, PlayerNamed, fact_json
from companion.game import AnyGame, Unreadable, start
from companion.registry import game_named
from companion.said import called, say
from companion.session import Standing, changes, fold
from companion.store import NotRecorded, Store
from companion.table import Layout, Place

T = TypeVar("T")

_MOST_DEALS = 200
BEAT_SECONDS = 5.0
"""How often a listener hears that nothing happened, so that one who has left is noticed."""


class Camera(StrEnum):
    """What the camera is doing."""

    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    READING = "reading"
    NEEDS_YOU = "needs-you"
    LOST = "lost"
    PAUSED = "paused"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Answer:
    """One tap: what it says, and the facts that it takes down; without any it leaves all as it is believed."""

    says: str
    facts: tuple[Fact, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"says": self.says, "facts": [fact_json(fact) for fact in self.facts]}


@dataclass(frozen=True, slots=True)
class Question:
    """What the table shows and nobody can explain, with the answers there are."""

    says: str
    answers: tuple[Answer, ...]
    places: tuple[Place, ...] = ()

    @property
    def name(self) -> str:
        """A word by which an answer names its question."""
        return f"{crc32(repr(self).encode()):08x}"

    def as_json(self) -> dict[str, Any]:
        answers = [answer.as_json() for answer in self.answers]
        return {"question": self.name, "says": self.says, "places": list(self.places), "answers": answers}


@dataclass(frozen=True, slots=True)
class Now:
    """Everything that is known at one moment; nobody ever changes it."""

    version: int
    """Grows with every change, of the game or of the camera."""
    game: int | None
    """The number of the game in the record; ``None`` before the first one."""
    record: tuple[Event, ...]
    standing: Standing | None
    camera: Camera
    camera_says: str = ""
    questions: tuple[Question, ...] = ()
    """What the camera asks the players; it goes on once they answered, or once the table says so itself."""

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self.record[-1].number if self.record else 0


@dataclass(frozen=True, slots=True)
class Look:
    """The table read afresh, place by place."""

    seen: Layout
    hidden: frozenset[Place] = frozenset()
    """Where a hand or glare left nothing to see: hidden is not empty."""


Picture: TypeAlias = Callable[[int, int], bytes | None]
"""The photograph (JPEG) taken after an event of a game, by their numbers, if there is one."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is settled before a game."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    people: Mapping[str, str]
    first: str | None
    """Who begins, where the players settled it among themselves."""
    dealt: bool


class Table:
    """One real table: its record, what it is now, and who listens."""

    def __init__(
        self,
        store: Store,
        *,
        camera: Camera = Camera.MANUAL,
        picture: Picture = lambda game, number: None,
        anew: bool = False,
    ) -> None:
        """The last game of the record goes on, unless the table is set up ``anew``."""
        self.store, self.picture = store, picture
        self._writer = ThreadPoolExecutor(1, "writer")
        self._changed = Condition()
        self._closed = False
        self.now = Now(0, None, (), None, camera) if anew else _resumed(store, camera)

    def begin(
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        people: Mapping[str, str],
        request: str,
        *,
        first: str | None = None,
        dealt: bool = False,
    ) -> Event:
        """Set up another game; a request repeated begins it once. Raises `Unreadable` for what cannot be set up.

        People deal real tiles, so nobody's hand is known; ``dealt`` says that the companion dealt them itself.
        """
        return self._written(self._begin, Beginning(game, tuple(players), options, people, first, dealt), request)

    def begin_from(self, game: str, position: Mapping[str, Any], request: str) -> Event:
        """Take down a game that begins with a certain position."""
        return self._written(self._begin_with, GameBegun(game, dict(position)), request)

    def tell(self, fact: Fact, request: str | None = None) -> Event:
        """Take down what came to pass; answers once it is on the disk. Raises `Unreadable` for what cannot be."""
        return self._written(self._take, fact, request)

    def show_camera(self, camera: Camera, says: str = "", questions: tuple[Question, ...] = ()) -> None:
        """Tell everybody what the camera does now, and what it asks."""
        self._written(self._see, camera, says, questions)

    def settle(self) -> None:
        """Wait until everything told so far is taken down."""
        self._written(lambda: None)

    def answer(self, facts: Sequence[Fact], request: str, question: str = "") -> Event | None:
        """Take facts down, all or none, and ask the question that they answer no more."""
        return self._written(self._answer, tuple(facts), request, question)

    def preview(self, *facts: Fact) -> tuple[str, ...]:
        """What facts would change, in sentences, without taking them down."""
        now = self.now
        if now.standing is None:
            raise Unreadable(say("no game has begun"), "game")
        return changes(now.standing, fold((*now.record, *_numbered(facts, now.number + 1))))

    def listen(self, beat_seconds: float = BEAT_SECONDS) -> Iterator[Now | None]:
        """What the table is now, and again after every change; ``None`` when nothing changed for a while.

        A slow listener is not told what is past: the newest counts.
        """
        heard = -1
        while not self._closed:
            now = self._newer(heard, beat_seconds)
            yield now if now.version != heard else None
            heard = now.version

    def close(self) -> None:
        """Let all listeners go; what was told is taken down first."""
        self._writer.shutdown()
        self._closed = True
        with self._changed:
            self._changed.notify_all()

    def _written(self, job: Callable[..., T], *given: object) -> T:
        """Have the one writer do a job, and wait for it."""
        try:
            doing = self._writer.submit(job, *given)
        except RuntimeError:
            raise NotRecorded(say("The companion is stopping; nothing more is taken down.")) from None
        return doing.result()

    def _newer(self, heard: int, seconds: float) -> Now:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self.now.version != heard, seconds)
        return self.now

    def _begin(self, wanted: Beginning, request: str) -> Event:
        game, people = game_named(wanted.game), wanted.people
        state = _started(game, wanted, request)
        if not wanted.dealt:
            state = game.seen_by(state, None)
        if unknown := people.keys() - set(wanted.players):
            raise Unreadable(f"no player is called {min(unknown)!r}", "people")
        former = self.now.game
        begun = self._begin_with(GameBegun(game.name, game.write_position(state)), request)
        for player, person in people.items() if self.now.game != former else ():
            self._take(PlayerNamed(player, person), None)
        return begun

    def _begin_with(self, begun: GameBegun, request: str) -> Event:
        standing = fold([Event(1, begun)])
        number = self.store.begin(begun, request)
        if number != self.now.game:
            self._replace(game=number, record=(Event(1, begun),), standing=standing)
        return self.now.record[0]

    def _take(self, fact: Fact, request: str | None) -> Event:
        now = self.now
        if now.game is None:
            raise Unreadable(say("no game has begun"), "game")
        if (done := self.store.answered(now.game, fact, request)) is not None:
            return done
        record = (*now.record, Event(now.number + 1, fact))
        standing = fold(record)
        event = self.store.append(now.game, fact, request)
        self._replace(record=record, standing=standing)
        return event

    def _see(self, camera: Camera, says: str, questions: tuple[Question, ...]) -> None:
        if (camera, says, questions) != (self.now.camera, self.now.camera_says, self.now.questions):
            self._replace(camera=camera, camera_says=says, questions=questions)

    def _answer(self, facts: tuple[Fact, ...], request: str, question: str) -> Event | None:
        now = self.now
        if facts and now.game is not None and self.store.answered(now.game, facts[0], f"{request}-0") is None:
            fold((*now.record, *_numbered(facts, now.number + 1)))
        events = [self._take(fact, f"{request}-{i}") for i, fact in enumerate(facts)]
        left = tuple(each for each in self.now.questions if each.name != question)
        if left != self.now.questions:
            self._replace(questions=left)
        return events[-1] if events else None

    def _replace(self, **changed: object) -> None:
        with self._changed:
            self.now = replace(self.now, version=self.now.version + 1, **changed)  # type: ignore[arg-type]
            self._changed.notify_all()


def _started(game: AnyGame, wanted: Beginning, request: str) -> Any:
    """The first position, drawn by the request so that a retry gets the same, again until the right player begins."""
    for turn in range(_MOST_DEALS):
        seat = turn % len(wanted.players) if wanted.players else 0
        seated = (*wanted.players[seat:], *wanted.players[:seat])
        state = start(game, seated, wanted.options, random.Random(f"{request}-{turn}" if turn else request))
        if wanted.first in (None, game.to_move(state)):
            return state
    raise Unreadable(say("{player} cannot begin {game}", player=called(wanted.first or ""), game=game.title), "first")


def _numbered(facts: Sequence[Fact], first: int) -> Iterator[Event]:
    return (Event(number, fact) for number, fact in enumerate(facts, first))


def _resumed(store: Store, camera: Camera) -> Now:
    """The last game of the record, as it stood when the companion was stopped."""
    games = store.games()
    if not games:
        return Now(0, None, (), None, camera)
    record = store.events(games[-1].number)
    return Now(0, games[-1].number, record, fold(record), camera)
