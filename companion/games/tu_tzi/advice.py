"""Tu Tzi: what to recruit, build, exchange and discard."""

from companion.game import Clock
from companion.games.tu_tzi.match import Match, Move
from companion.games.tu_tzi.rules import quick_legal
from companion.scoring import Advice


def advise(match: Match, seconds: float, clock: Clock) -> tuple[Advice[Move], ...]:
    return tuple(Advice(move, 0.0, "is legal") for move in quick_legal(match))
