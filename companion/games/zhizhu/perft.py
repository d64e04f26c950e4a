"""ZhiZhu: how many sequences of turns there are, counted on bits.

A slide out of a chain is remembered as the slide back; whether 3.6 still bars it is asked only when its player is to
move, since by then a lost partner or a blocked point may have freed it. The last turn is counted, not played.
"""

from companion.games.zhizhu.chains import (
    BOARD,
    CLOSES_FIVE,
    NEIGHBOURS,
    bits,
    captures_due,
    chained,
    closes_five,
    closes_three,
    removals,
    slides,
)
from companion.games.zhizhu.rules import Pair, Slide, Web


def quick_perft(web: Web, depth: int) -> int:
    """The same number as the generic perft, without building a position for each turn."""
    if depth == 0:
        return 1
    if min(web.left(0), web.left(1)) <= 2:
        return 0
    me, you = web.mover, 1 - web.mover
    every = web.pays_every_chain
    hand, barred = (web.hand[me], web.hand[you]), (web.barred[me], web.barred[you])
    if depth == 1:
        return _count(web.mine, web.enemy, hand[0], barred[0], every)
    return _walk(depth, web.mine, web.enemy, hand, barred, every)


def _count(mine: int, enemy: int, hand: int, barred: Slide | None, every: bool) -> int:
    """The legal turns of a position that is not over."""
    empty = BOARD ^ (mine | enemy)
    inner, middle, outer = mine & 255, mine >> 8 & 255, mine >> 16
    closing = empty & (
        (middle & outer | CLOSES_FIVE[inner])
        | (inner & outer | CLOSES_FIVE[middle]) << 8
        | (inner & middle | CLOSES_FIVE[outer]) << 16
    )
    if hand:
        count = empty.bit_count()
        for to in bits(closing) if closing else ():
            count += len(removals(enemy, captures_due(mine | to, to, every))) - 1
        return count
    count = slides(mine, empty)
    for to in bits(closing) if closing else ():
        for start in bits(NEIGHBOURS[to] & mine):
            if due := captures_due(mine ^ start | to, to, every):
                count += len(removals(enemy, due)) - 1
    if barred and (due := _still_barred(mine, empty, barred, every)):
        count -= len(removals(enemy, due))
    return count


def _walk(depth: int, mine: int, enemy: int, hand: Pair, barred: tuple[Slide | None, Slide | None], every: bool) -> int:
    """The sequences of two turns or more from a position that is not over."""
    empty = BOARD ^ (mine | enemy)
    if hand[0]:
        placed = (hand[0] - 1, hand[1])
        closing = empty & (closes_three(mine) | closes_five(mine))
        return sum(
            _after(depth, mine | to, enemy, to if to & closing else 0, placed, (None, barred[1]), every)
            for to in bits(empty)
        )
    bar = barred[0] if barred[0] and _still_barred(mine, empty, barred[0], every) else None
    in_chains = chained(mine)
    count = 0
    for start in bits(mine):
        rest = mine ^ start
        closing = closes_three(rest) | closes_five(rest)
        for to in bits(NEIGHBOURS[start] & empty):
            if bar != (start, to):
                back = Slide(to, start) if start & in_chains else None
                count += _after(depth, rest | to, enemy, to & closing, hand, (back, barred[1]), every)
    return count


def _after(
    depth: int,
    mine: int,
    enemy: int,
    closed: int,
    hand: Pair,
    barred: tuple[Slide | None, Slide | None],
    every: bool,
) -> int:
    """The sequences that go on after a piece came to its point; ``closed`` is that point if it closed a chain."""
    hands, bars = (hand[1], hand[0]), (barred[1], barred[0])
    if not closed:
        if depth == 2:
            return _count(enemy, mine, hands[0], bars[0], every)
        return _walk(depth - 1, enemy, mine, hands, bars, every)
    count = 0
    for left in removals(enemy, captures_due(mine, closed, every)):
        if left.bit_count() + hands[0] > 2:
            if depth == 2:
                count += _count(left, mine, hands[0], bars[0], every)
            else:
                count += _walk(depth - 1, left, mine, hands, bars, every)
    return count


def _still_barred(mine: int, empty: int, bar: Slide, every: bool) -> int:
    """What the barred slide would earn: nothing when it can be made no more or makes no chain."""
    if not bar.start & mine or not bar.to & empty:
        return 0
    return captures_due(mine ^ bar.start | bar.to, bar.to, every)
