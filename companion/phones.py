"""The players' phones at a simulated table: they tell how a game begins, and what no camera can see."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.events import MovePlayed
from companion.game import AnyGame, Unreadable, start
from companion.live import Table
from companion.registry import game_named

_PATIENCE_SECONDS = 3.0
"""So long a player waits for the camera to catch up before telling a move that it cannot see."""


def phones_in(film: Sequence[Mapping[str, Any]], table: Table) -> Callable[[float], None]:
    """The phones of a simulated game that was filmed: they hear its truth as the film goes on."""
    heard: list[Mapping[str, Any]] = []
    phones = Phones(table, game_named(film[0]["game"]), heard)

    def tell(now: float) -> None:
        # What happens at a moment is to be seen from the next frame on; the times of films are a little off.
        heard.extend(each for each in film[len(heard) :] if each["at"] < now - 0.001)
        phones.tell(now)

    return tell


class Phones:
    """Reads the truth of a simulated table as it grows."""

    def __init__(self, table: Table, game: AnyGame, truth: Sequence[Mapping[str, Any]]) -> None:
        self._table, self._game, self._truth = table, game, truth
        self._heard = self._played = 0
        self._untold: list[tuple[int, Mapping[str, Any]]] = []
        """Unseen moves, with the number of moves before each in its game."""

    def tell(self, now: float) -> None:
        """Tell what has come to pass and is not yet told, at a moment of the simulated clock."""
        for happened in self._truth[self._heard :]:
            self._hear(happened)
        self._heard = len(self._truth)
        while self._untold and self._is_time(now):
            _, happened = self._untold.pop(0)
            with suppress(Unreadable):
                self._table.tell(MovePlayed(happened["player"], happened["move"], "phone"))

    def _hear(self, happened: Mapping[str, Any]) -> None:
        if happened["kind"] == "begun":
            self._played = 0
            self._untold.clear()
            self._begin(happened["position"])
        elif happened["kind"] == "move" and happened["legal"]:
            if happened["unseen"]:
                self._untold.append((self._played, happened))
            self._played += 1

    def _is_time(self, now: float) -> bool:
        before, happened = self._untold[0]
        standing = self._table.now.standing
        followed = sum(move.ruling.legal for move in standing.moves) if standing else 0
        return followed >= before or now - happened["at"] > _PATIENCE_SECONDS

    def _begin(self, position: Mapping[str, Any]) -> None:
        """Where a look at the table cannot tell how the game began, or for how many, a phone does."""
        state = self._game.read_position(position)
        shown = self._shown(state)
        standing = self._table.now.standing
        if standing is not None and standing.game is self._game and self._shown(standing.state) == shown:
            return
        is_company = len(self._game.players(state)) > min(self._game.seats)
        if is_company or len({repr(self._shown(start(self._game, rng=random.Random(seed)))) for seed in range(3)}) > 1:
            self._table.begin_from(self._game.name, shown, f"phone-{random.SystemRandom().getrandbits(64):016x}")

    def _shown(self, state: Any) -> dict[str, Any]:
        return self._game.write_position(self._game.seen_by(state, None))
