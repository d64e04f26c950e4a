"""Paiko: what a position and an action are worth, in tenths of a point, as far as a glance tells."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.games.paiko.field import Action, Deploy, Draw, Field, Redeploy, Shift, Side
from companion.games.paiko.patterns import (
    AIR,
    BLACK_SQUARES,
    BOARD,
    BOW,
    EARTH,
    FACED,
    FIRE,
    HOME,
    LOTUS,
    MIDDLE,
    SAI,
    STEPS,
    SWORD,
    WATER,
    Counts,
    Danger,
    Standing,
    added,
    around,
    bits,
    covered,
    danger,
    occupied,
    standing,
    threatened,
    turns_of,
    within,
)
from companion.games.paiko.rules import DRAWN, Ground, deployable, ground_without, lotus_ground, weary

POINT = 10.0
CAPTURED = 6.0
"""A captured tile beside its points; the capturer also gets one from the reserve."""
ON_BOARD = 5.0
"""A tile on the board beside its points: it took an action to come there."""
HELD = 0.7
"""The share of a tile's worth that it has while it is still in hand."""
IN_HAND = {SWORD: 3.0, AIR: 2.6, EARTH: 2.4, WATER: 2.2, SAI: 2.4, BOW: 1.6, FIRE: 1.0, LOTUS: 0.6}
"""How much a first tile of a kind is worth to a hand; a second is worth half, a third a quarter."""
_FULL_HAND = 5


def _steps_from_home(colour: int) -> dict[int, float]:
    """For each square the steps that a tile of a colour has to go until it scores."""
    found, edge, steps = {}, BOARD & ~HOME[colour], 0
    reached = edge
    while edge:
        found.update(dict.fromkeys(bits(edge), float(steps)))
        edge = around(edge) & ~reached
        reached |= edge
        steps += 1
    return found


_STEPS_FROM_HOME = (_steps_from_home(0), _steps_from_home(1))
_SCORING = (MIDDLE | HOME[1], MIDDLE | HOME[0])


class Aim(NamedTuple):
    """What stands against the mover, to see what one more threat would capture."""

    danger: Danger
    cover: int
    targets: int

    def hits(self, pattern: int) -> int:
        one, two, three = self.danger
        return ((two | one & pattern) & ~self.cover | three | two & pattern) & self.targets


class Candidate(NamedTuple):
    """An action, what it seems to be worth, and the enemy squares it captures at once."""

    worth: float
    action: Action
    hits: int


def aim_without(field: Field, lifted: Standing | None = None) -> Aim:
    enemy = field.enemy.board
    own = [tile for tile in field.mine.board if tile is not lifted]
    return Aim(danger(enemy, own), covered(1 - field.mover, enemy), occupied(enemy))


def candidates(field: Field) -> list[Candidate]:
    """The legal actions worth a thought, best first: few draws, and a Sai's run once for each end."""
    ground = ground_without(field)
    found = [*_deployments(field, ground), *_draws(field, ground)]
    for tile in field.mine.board:
        if STEPS[tile.kind]:
            found.extend(_shifts(field, tile, ground))
    found.sort(key=lambda candidate: -candidate.worth)
    return found


def balance(field: Field) -> float:
    """How much better the mover stands."""
    white, black = (side.board for side in field.sides)
    empty = field.empty
    value = _stand(0, field.sides[0], black, empty) - _stand(1, field.sides[1], white, empty)
    return value if field.mover == 0 else -value


def points_at(colour: int, squares: int) -> int:
    return 2 * (squares & HOME[1 - colour]).bit_count() + (squares & MIDDLE).bit_count()


def hand_worth(hand: Counts) -> float:
    return sum(IN_HAND[kind] * (2 - 0.5 ** (number - 1)) for kind, number in enumerate(hand) if number)


def _stand(colour: int, side: Side, enemy: Sequence[Standing], empty: int) -> float:
    """What one player has: points, tiles, safe squares to deploy on and the tiles that one more threat captures."""
    own = side.board
    peril, cover = danger(own, enemy), covered(colour, own)
    counting = occupied(tile for tile in own if tile.kind != LOTUS)
    points = points_at(colour, counting)
    value = POINT * points + 5.0 * max(0, points - 6) + ON_BOARD * len(own) + HELD * hand_worth(side.hand)
    exposed = (peril.one & ~cover | peril.two) & counting
    value -= 1.5 * exposed.bit_count() + 1.5 * points_at(colour, exposed)
    value -= 0.7 * sum(_STEPS_FROM_HOME[colour][tile.square] for tile in own)
    if sum(side.hand) > side.hand[LOTUS]:
        ground = threatened(own) & empty & ~BLACK_SQUARES & ~peril.one & _SCORING[colour]
        value += min(ground.bit_count(), 6) + 2.5 * min((ground & HOME[1 - colour]).bit_count(), 4)
    return value


def _placed(field: Field, tile: Standing, aim: Aim) -> tuple[float, int]:
    """What a tile is worth where it comes to stand, and what it captures."""
    mover, pattern = field.mover, tile.threat
    hits = aim.hits(pattern)
    worth = 0.0 if tile.kind == LOTUS else POINT * points_at(mover, tile.bit)
    worth += (pattern & _SCORING[mover]).bit_count() + (pattern & HOME[1 - mover]).bit_count()
    worth += 1.5 * (pattern & aim.targets).bit_count() - 0.7 * _STEPS_FROM_HOME[mover][tile.square]
    if hits:
        worth += CAPTURED * hits.bit_count() + POINT * points_at(1 - mover, hits)
    return worth, hits


def _deployments(field: Field, ground: Ground) -> Iterator[Candidate]:
    aim, squares = aim_without(field), deployable(field, ground)
    for kind, number in enumerate(field.mine.hand):
        if not number:
            continue
        for square in bits(lotus_ground(field, ground) if kind == LOTUS else squares):
            for facing in turns_of(kind):
                tile = standing(kind, facing, square)
                if ground.safe(tile):
                    worth, hits = _placed(field, tile, aim)
                    yield Candidate(worth + 3.0 - IN_HAND[kind], Deploy(tile), hits)
    if field.mine.hand[SAI]:
        yield from _sai_runs(field, ground, aim, squares)


def _sai_runs(field: Field, ground: Ground, aim: Aim, squares: int) -> Iterator[Candidate]:
    done = squares
    for square in bits(squares):
        ends = within(square, STEPS[SAI], ground.open_to(SAI)) & ~done
        done |= ends
        for end in bits(ends):
            for facing in range(4):
                tile = standing(SAI, facing, end)
                if ground.safe(tile):
                    worth, hits = _placed(field, tile, aim)
                    yield Candidate(worth + 3.0 - IN_HAND[SAI], Deploy(standing(SAI, facing, square), tile), hits)


def _shifts(field: Field, tile: Standing, ground: Ground) -> Iterator[Candidate]:
    lifted = ground_without(field, tile, None if tile.kind == FIRE else ground.danger)
    aim = aim_without(field, tile)
    before, _ = _placed(field, tile, aim)
    if tile.square != weary(field):
        reached = within(tile.square, STEPS[tile.kind], lifted.open_to(tile.kind))
        if tile.kind in FACED:
            reached |= tile.bit
        for square in bits(reached):
            for facing in turns_of(tile.kind):
                after = standing(tile.kind, facing, square)
                if after is not tile and lifted.safe(after):
                    worth, hits = _placed(field, after, aim)
                    shift = Shift(tile.square, square, facing if tile.kind in FACED else None)
                    yield Candidate(worth - before, shift, hits)
    if tile.kind == WATER:
        for square in bits(deployable(field, lifted)):
            after = standing(WATER, 0, square)
            if lifted.safe(after):
                worth, hits = _placed(field, after, aim)
                yield Candidate(worth - before, Redeploy(tile.square, square), hits)


def _draws(field: Field, ground: Ground) -> Iterator[Candidate]:
    """The best handful, and that without its best kind: nearly equal draws need no thought of their own."""
    if ground.danger.deadly(ground.cover) & ground.others & ~ground.spared or not any(field.mine.reserve):
        return
    best = best_handful(field.mine.hand, field.mine.reserve, DRAWN)
    held = tuple(have + more for have, more in zip(field.mine.hand, best, strict=True))
    hunger = 1.5 * max(0, _FULL_HAND - sum(field.mine.hand))
    yield Candidate(hand_worth(held) - hand_worth(field.mine.hand) + hunger - 4.0, Draw(best), 0)


def best_handful(hand: Counts, reserve: Counts, size: int) -> Counts:
    """The tiles that a hand misses most, one after the other."""
    drawn: Counts = (0,) * 8
    for _ in range(min(size, sum(reserve))):
        left = [kind for kind in range(8) if reserve[kind] > drawn[kind]]
        held = tuple(have + more for have, more in zip(hand, drawn, strict=True))
        drawn = added(drawn, max(left, key=lambda kind: IN_HAND[kind] * 0.5 ** held[kind]))
    return drawn


def least_welcome(hand: Counts, reserve: Counts) -> list[int]:
    """The kinds of a reserve, first those that help its owner's hand least (6.3)."""
    kinds = [kind for kind in range(8) if reserve[kind]]
    return sorted(kinds, key=lambda kind: IN_HAND[kind] * 0.5 ** hand[kind])
