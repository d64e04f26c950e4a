"""ZhiZhu: looks ahead with iterative deepening alpha-beta on the bits of `chains`.

A position is six numbers, the mover's before the other's: pieces on the board twice, pieces in hand twice, and the
slide that 3.6 bars to each, as ``start | to << 24`` or 0. Values are the mover's, `PIECE` for a captured piece.
"""

import math
from functools import lru_cache
from typing import TypeAlias

from companion.game import Clock
from companion.games.zhizhu.chains import (
    BOARD,
    FIVES,
    NEIGHBOURS,
    bits,
    captures_due,
    chained,
    closes_five,
    closes_three,
    removals,
    slides,
)
from companion.games.zhizhu.rules import Slide, Web

PIECE = 1000
WIN = 1_000_000
PROVEN = WIN - 1000
"""A value beyond this is a win that no answer prevents, and `WIN` less the value is the number of turns to it."""
DEEPEST = 40
_ENTRIES = 200_000
_AT_ONCE = 250
"""What makes a capture now better than the same one later."""
_RUN_WORTH = (0, 0, 1, 5, 24, 10)
"""What so many pieces on five points in a row are worth while the enemy has none there."""

Step: TypeAlias = tuple[int, int, int]
"""Start (0 for a placement), point, pieces taken."""
Position: TypeAlias = tuple[int, int, int, int, int, int]
_Entry: TypeAlias = tuple[int, int, int, Step | None]
_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2


class _OutOfTime(Exception):
    pass


def look_ahead(web: Web, seconds: float, clock: Clock, wanted: int = 3) -> list[tuple[Step, int]]:
    """All legal turns, best first; at least the wanted ones have their true value at the depth that was reached."""
    search = _Search(web.pays_every_chain, clock, clock() + seconds)
    ranked = search.rank(position_of(web, web.mover), wanted)
    return [(step, value if abs(value) > PROVEN else value - _AT_ONCE * step[2].bit_count()) for step, value in ranked]


def position_of(web: Web, me: int) -> Position:
    """The position as numbers, as if this player were to move."""
    you = 1 - me
    on, hand, barred = web.on, web.hand, web.barred
    return on[me], on[you], hand[me], hand[you], _as_bar(barred[me]), _as_bar(barred[you])


def evaluate(mine: int, enemy: int, hand: int, enemy_hand: int) -> int:
    """What a quiet position is worth to the mover: pieces first, then chains in the making and room."""
    empty = BOARD ^ (mine | enemy)
    inner, middle, outer = mine & 255, mine >> 8 & 255, mine >> 16
    inner_, middle_, outer_ = enemy & 255, enemy >> 8 & 255, enemy >> 16
    threes = ((middle & outer | (inner & outer) << 8 | (inner & middle) << 16) & empty).bit_count()
    threes_ = ((middle_ & outer_ | (inner_ & outer_) << 8 | (inner_ & middle_) << 16) & empty).bit_count()
    lines = (inner & middle & outer).bit_count() - (inner_ & middle_ & outer_).bit_count()
    circles = _circle(inner | inner_ << 8) + _circle(middle | middle_ << 8) + _circle(outer | outer_ << 8)
    room = slides(mine, empty) - slides(enemy, empty)
    pieces = mine.bit_count() + hand - enemy.bit_count() - enemy_hand
    return PIECE * pieces + 26 * threes - 22 * threes_ + 14 * lines + circles + 5 * room


@lru_cache(maxsize=1 << 16)
def _circle(points: int) -> int:
    """The worth of the runs on one circle, ours in the low byte and the enemy's in the high one."""
    mine, enemy = points & 255, points >> 8
    ours = sum(_RUN_WORTH[(run & mine).bit_count()] for run in FIVES[:8] if not run & enemy)
    return ours - sum(_RUN_WORTH[(run & enemy).bit_count()] for run in FIVES[:8] if not run & mine)


def steps(position: Position, every: bool, only_taking: bool = False) -> tuple[list[Step], list[Step]]:
    """The legal turns of a position that is not over: those that take pieces, then the quiet ones."""
    mine, enemy, hand, _, bar, _ = position
    empty = BOARD ^ (mine | enemy)
    taking: list[Step] = []
    quiet: list[Step] = []
    closing = empty & (closes_three(mine) | closes_five(mine))
    if only_taking and not closing:
        return taking, quiet
    if hand:
        for to in bits(closing):
            due = captures_due(mine | to, to, every)
            taking += [(0, to, enemy ^ left) for left in removals(enemy, due)]
        if not only_taking:
            quiet = [(0, to, 0) for to in bits(empty ^ closing)]
        return taking, quiet
    for start in bits(mine):
        targets = NEIGHBOURS[start] & (closing if only_taking else empty)
        for to in bits(targets):
            due = captures_due(mine ^ start | to, to, every) if to & closing else 0
            if start | to << 24 == bar:
                continue
            if due:
                taking += [(start, to, enemy ^ left) for left in removals(enemy, due)]
            else:
                quiet.append((start, to, 0))
    return taking, quiet


def after(position: Position, step: Step) -> Position:
    """The position for the other player after a turn."""
    mine, enemy, hand, enemy_hand, _, enemy_bar = position
    start, to, taken = step
    enemy ^= taken
    if enemy_bar and not _bars(enemy, BOARD ^ (enemy | mine ^ start | to), enemy_bar):
        enemy_bar = 0
    if not start:
        return enemy, mine | to, enemy_hand, hand - 1, enemy_bar, 0
    bar = to | start << 24 if start & chained(mine) else 0
    return enemy, mine ^ start | to, enemy_hand, hand, enemy_bar, bar


class _Search:
    """One look ahead: its deadline, what it has seen, and which turns proved good."""

    def __init__(self, every: bool, clock: Clock, deadline: float) -> None:
        self.every = every
        self.clock = clock
        self.deadline = deadline
        self.nodes = 0
        self.seen: dict[Position, _Entry] = {}
        self.good: dict[Step, int] = {}
        self.killers: list[Step | None] = [None] * (DEEPEST + 64)

    def rank(self, position: Position, wanted: int) -> list[tuple[Step, int]]:
        """Deepen until time is up or the outcome is proven."""
        taking, quiet = steps(position, self.every)
        values = {step: -evaluate(*after(position, step)[:4]) for step in (*taking, *quiet)}
        deadline, self.deadline = self.deadline, math.inf
        for depth in range(1, DEEPEST):
            try:
                self._deepen(position, depth, wanted, values)
            except _OutOfTime:
                break
            self.deadline = deadline
            best = max(values.values(), default=0)
            if len(values) < 2 or abs(best) > PROVEN or self.clock() >= deadline:
                break
        return _in_order(values)

    def _deepen(self, position: Position, depth: int, wanted: int, values: dict[Step, int]) -> None:
        """Value every turn to this depth; what is done stands even when time runs out on the rest."""
        best: list[int] = []
        for step, _ in _in_order(values):
            at_once = _AT_ONCE * step[2].bit_count()
            bound = best[wanted - 1] if len(best) >= wanted else -WIN
            value = -self._value_after(position, step, depth, -WIN, at_once - bound, 0)
            value += at_once if abs(value) < PROVEN else 0
            best = sorted([*best, value], reverse=True)
            # A value at the bound is only known not to be better: it goes behind those that are known.
            values[step] = value if value > bound or bound == -WIN else value - 1

    def _value_after(self, position: Position, step: Step, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The other player's value after a turn, or that the game is lost for want of pieces."""
        then = after(position, step)
        if step[2] and then[0].bit_count() + then[2] <= 2:
            return ply + 1 - WIN
        return self._value(then, depth - 1, alpha, beta, ply + 1)

    def _value(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        self._count_node()
        if depth <= 0:
            return self._settle(position, alpha, beta, ply)
        entry = self.seen.get(position)
        first: Step | None = None
        if entry is not None:
            known_to, kind, value, first = entry
            value = _from_here(value, -ply)
            if (known_to >= depth or abs(value) > PROVEN) and (
                kind == _EXACT or (kind == _AT_LEAST and value >= beta) or (kind == _AT_MOST and value <= alpha)
            ):
                return value
        ordered = self._ordered(position, first, ply)
        if not ordered:
            return ply - WIN
        best, chosen = self._best(position, ordered, depth, alpha, beta, ply)
        self._remember(position, depth, best, alpha, beta, ply, chosen)
        return best

    def _best(
        self, position: Position, ordered: list[Step], depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, Step]:
        """The best of the turns; all but the first are first asked only whether they are better."""
        best, chosen = -WIN, ordered[0]
        for i, step in enumerate(ordered):
            if i == 0:
                value = -self._value_after(position, step, depth, -beta, -alpha, ply)
            else:
                # A late quiet turn is seldom best: look less far first, and again in full if it surprises.
                less = 1 if i >= 5 and depth >= 3 and not step[2] else 0
                value = -self._value_after(position, step, depth - less, -alpha - 1, -alpha, ply)
                if value > alpha and (less or value < beta):
                    value = -self._value_after(position, step, depth, -beta, -alpha, ply)
            if value > best:
                best, chosen = value, step
            if value > alpha:
                alpha = value
            if alpha >= beta:
                if not step[2]:
                    self.killers[ply] = step
                    self.good[step] = self.good.get(step, 0) + depth * depth
                break
        return best, chosen

    def _settle(self, position: Position, alpha: int, beta: int, ply: int) -> int:
        """The value once nobody gains by taking at once; for each chain only the most hurtful captures are tried."""
        mine, enemy, hand, enemy_hand, _, _ = position
        # A barred slide is never the only one: a partner of its chain stands beside the empty point.
        if not hand and not slides(mine, BOARD ^ (mine | enemy)):
            return ply - WIN
        best = evaluate(mine, enemy, hand, enemy_hand)
        if best >= beta:
            return best
        alpha = max(alpha, best)
        taking, _ = steps(position, self.every, only_taking=True)
        for step in _most_hurtful(position, taking)[:4]:
            then = after(position, step)
            if then[0].bit_count() + then[2] <= 2:
                return WIN - ply - 1
            self._count_node()
            value = -self._settle(then, -beta, -alpha, ply + 1)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best

    def _ordered(self, position: Position, first: Step | None, ply: int) -> list[Step]:
        taking, quiet = steps(position, self.every)
        good, killer = self.good, self.killers[ply]
        mine, enemy = position[0], position[1]
        blocks = (closes_three(enemy) | closes_five(enemy)) & ~(mine | enemy)
        if len(quiet) > 1:
            quiet.sort(
                key=lambda step: (
                    good.get(step, 0) + (1 << 30 if step == killer else 1 << 29 if step[1] & blocks else 0)
                ),
                reverse=True,
            )
        ordered = _most_hurtful(position, taking) + quiet
        if first is not None and first in ordered:
            ordered.remove(first)
            ordered.insert(0, first)
        return ordered

    def _remember(
        self, position: Position, depth: int, value: int, alpha: int, beta: int, ply: int, step: Step
    ) -> None:
        if len(self.seen) >= _ENTRIES:
            self.seen.clear()
        kind = _AT_MOST if value <= alpha else _AT_LEAST if value >= beta else _EXACT
        self.seen[position] = (depth, kind, _from_here(value, ply), step)

    def _count_node(self) -> None:
        self.nodes += 1
        if not self.nodes & 127 and self.clock() >= self.deadline:
            raise _OutOfTime


def _most_hurtful(position: Position, taking: list[Step]) -> list[Step]:
    """Captures in the order of what they leave the enemy; those that clear the way for a chain come earlier."""
    if len(taking) < 2:
        return taking
    mine, enemy = position[0], position[1]
    wanted = closes_three(mine) | closes_five(mine)
    return sorted(
        taking, key=lambda step: _potential(enemy ^ step[2]) - 40 * (step[2] & wanted).bit_count() if step[2] else WIN
    )


@lru_cache(maxsize=1 << 16)
def _potential(pieces: int) -> int:
    """What pieces could still become, whatever stands in their way."""
    circles = _circle(pieces & 255) + _circle(pieces >> 8 & 255) + _circle(pieces >> 16)
    return PIECE * pieces.bit_count() + circles + 26 * closes_three(pieces).bit_count()


def _in_order(values: dict[Step, int]) -> list[tuple[Step, int]]:
    return sorted(values.items(), key=lambda valued: valued[1], reverse=True)


def _from_here(value: int, plies: int) -> int:
    """A win that is counted from the root, counted from this position; with a negative number the other way."""
    if value > PROVEN:
        return value + plies
    return value - plies if value < -PROVEN else value


def _as_bar(slide: Slide | None) -> int:
    return slide.start | slide.to << 24 if slide else 0


def _bars(mine: int, empty: int, bar: int) -> bool:
    """Whether the slide back would still remake a chain."""
    start, to = bar & BOARD, bar >> 24
    return bool(start & mine and to & empty and captures_due(mine ^ start | to, to, False))
