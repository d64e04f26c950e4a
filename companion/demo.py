"""A program at the table: it plays by its own advice, errs now and then, and takes back what was ruled illegal."""

import random
import time
from itertools import islice
from threading import Event as Flag
from threading import Thread
from typing import Any

from companion.events import MovePlayed, MoveVoided
from companion.game import AnyGame, Unreadable, advice, is_legal, legal_moves
from companion.live import Table
from companion.registry import game_named
from companion.store import NotRecorded

OPENING = 4
"""So many first moves are drawn by lot, so that no two games are the same."""
ERRS_EVERY = 11
"""One move in so many breaks a rule, to show what the companion says to it."""


class Demo:
    """Plays one game after another at a table until it is stopped."""

    def __init__(
        self,
        table: Table,
        game: str,
        *,
        pause_seconds: float = 2.0,
        think_seconds: float = 0.2,
        seed: int | None = None,
    ) -> None:
        self._table, self._game = table, game_named(game)
        self._pause, self._think, self._rng = pause_seconds, think_seconds, random.Random(seed)
        self._stopped = Flag()
        self._thread = Thread(target=self._play, name="demo", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _play(self) -> None:
        while not self._stopped.is_set():
            try:
                rest = self._step()
            except Unreadable:
                rest = 0.0  # a phone was quicker, and the move no longer goes with what lies there
            except NotRecorded:
                return
            self._stopped.wait(self._pause * (1 + rest))

    def _step(self) -> float:
        """One move, or another game; answers how many pauses longer people may look at it."""
        standing = self._table.now.standing
        if standing is None or standing.game is not self._game or standing.outcome.over:
            self._begin()
            return 0.0
        game, state = standing.game, standing.state
        if standing.moves and not standing.moves[-1].ruling.legal:
            self._table.tell(MoveVoided(standing.moves[-1].number))
            return 0.0
        erring = not isinstance(self._table.now.record[-1].fact, MoveVoided) and self._rng.random() < 1 / ERRS_EVERY
        move = self._choose(game, state, len(standing.moves), erring)
        self._table.tell(MovePlayed(game.to_move(state), game.write_move(move, state), "demo"))
        after = self._table.now.standing
        return 2.0 if after and (after.outcome.over or not after.moves[-1].ruling.legal) else 0.0

    def _begin(self) -> None:
        seats = self._game.seats[min(self._game.seats)]
        self._table.begin(self._game.name, seats, {}, {}, f"demo-{self._rng.getrandbits(64):016x}", dealt=True)

    def _choose(self, game: AnyGame, state: Any, played: int, erring: bool) -> Any:
        if erring and (wrong := self._breach(game, state)) is not None:
            return wrong
        best = advice(game, state, self._think, time.monotonic) if played >= OPENING else ()
        return best[0].move if best else self._rng.choice(legal_moves(game, state))

    def _breach(self, game: AnyGame, state: Any) -> Any:
        """A move that hands could make and the rule book forbids."""
        some = [move for move in islice(game.conceivable(state), 400) if not is_legal(game, state, move)]
        return self._rng.choice(some) if some else None
