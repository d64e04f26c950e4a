"""The table as it is right now: one writer takes facts down and replaces `Table.now` whole; all others only read."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Condition
from typing import Any, TypeAlias, TypeVar

from companion.events import Event, Fact, GameBegun, PlayerNamed
from companion.game import Unreadable, start
from companion.registry import game_named
from companion.session import Standing, changes, fold
from companion.store import NotRecorded, Store
from companion.table import Layout, Place

T = TypeVar("T")

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


LookAgain: TypeAlias = Callable[[], Look]
Picture: TypeAlias = Callable[[int, int], bytes | None]
"""The photograph (JPEG) taken after an event of a game, by their numbers, if there is one."""


class Table:
    """One real table: its record, what it is now, and who listens."""

    def __init__(
        self,
        store: Store,
        *,
        camera: Camera = Camera.MANUAL,
        look_again: LookAgain | None = None,
        picture: Picture = lambda game, number: None,
    ) -> None:
        self.store, self.look_again, self.picture = store, look_again, picture
        self._writer = ThreadPoolExecutor(1, "writer")
        self._changed = Condition()
        self._closed = False
        self.now = _resumed(store, camera)

    def begin(
        self, game: str, players: Sequence[str], options: Mapping[str, str], people: Mapping[str, str], request: str
    ) -> Event:
        """Set up another game; a request repeated begins it once. Raises `Unreadable` for what cannot be set up."""
        return self._written(self._begin, game, tuple(players), options, people, request)

    def begin_from(self, game: str, position: Mapping[str, Any], request: str) -> Event:
        """Take down a game that begins with a certain position."""
        return self._written(self._begin_with, GameBegun(game, dict(position)), request)

    def tell(self, fact: Fact, request: str | None = None) -> Event:
        """Take down what came to pass; answers once it is on the disk. Raises `Unreadable` for what cannot be."""
        return self._written(self._take, fact, request)

    def show_camera(self, camera: Camera, says: str = "") -> None:
        """Tell everybody what the camera does now."""
        self._written(self._see, camera, says)

    def preview(self, fact: Fact) -> tuple[str, ...]:
        """What a fact would change, in sentences, without taking it down."""
        now = self.now
        if now.standing is None:
            raise Unreadable("no game has begun", "game")
        return changes(now.standing, fold((*now.record, Event(now.number + 1, fact))))

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
            raise NotRecorded("The companion is stopping; nothing more is taken down.") from None
        return doing.result()

    def _newer(self, heard: int, seconds: float) -> Now:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self.now.version != heard, seconds)
        return self.now

    def _begin(
        self, name: str, players: tuple[str, ...], options: Mapping[str, str], people: Mapping[str, str], request: str
    ) -> Event:
        game = game_named(name)
        # Drawn by the request, so that the same request sets up the same game.
        state = start(game, players, options, random.Random(request))
        if self.now.camera is not Camera.MANUAL:
            # Under a camera hands deal, and what they hold nobody has seen.
            state = game.seen_by(state, None)
        if unknown := people.keys() - set(players):
            raise Unreadable(f"no player is called {min(unknown)!r}", "people")
        former = self.now.game
        begun = self._begin_with(GameBegun(name, game.write_position(state)), request)
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
            raise Unreadable("no game has begun", "game")
        if (done := self.store.answered(now.game, fact, request)) is not None:
            return done
        record = (*now.record, Event(now.number + 1, fact))
        standing = fold(record)
        event = self.store.append(now.game, fact, request)
        self._replace(record=record, standing=standing)
        return event

    def _see(self, camera: Camera, says: str) -> None:
        if (camera, says) != (self.now.camera, self.now.camera_says):
            self._replace(camera=camera, camera_says=says)

    def _replace(self, **changed: object) -> None:
        with self._changed:
            self.now = replace(self.now, version=self.now.version + 1, **changed)  # type: ignore[arg-type]
            self._changed.notify_all()


def _resumed(store: Store, camera: Camera) -> Now:
    """The last game of the record, as it stood when the companion was stopped."""
    games = store.games()
    if not games:
        return Now(0, None, (), None, camera)
    record = store.events(games[-1].number)
    return Now(0, games[-1].number, record, fold(record), camera)
