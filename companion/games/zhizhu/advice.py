"""ZhiZhu: what to play next."""

from companion.game import Clock
from companion.games.zhizhu.rules import Turn, Web, quick_legal
from companion.scoring import Advice


def advise(web: Web, seconds: float, clock: Clock) -> tuple[Advice[Turn], ...]:
    return tuple(Advice(turn, turn.taken.bit_count(), "takes pieces") for turn in quick_legal(web))
