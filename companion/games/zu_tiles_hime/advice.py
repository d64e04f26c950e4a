"""ZU Tiles: what to play next."""

from companion.game import Clock
from companion.games.zu_tiles_hime.rules import Position, quick_legal
from companion.games.zu_tiles_hime.rules.moves import Move
from companion.scoring import Advice


def advise(now: Position, seconds: float, clock: Clock) -> tuple[Advice[Move], ...]:
    return tuple(Advice(move, 0.0, "it is legal") for move in quick_legal(now)[:5])
