"""What a player still lacks for each special hand and how likely it can still be had, by what that player may know."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import comb
from random import Random
from typing import TypeAlias

from companion.games.tu_tzi.cards import CARD, DECK, ELEMENTS, GRID, known
from companion.games.tu_tzi.formations import can_make, checkered
from companion.games.tu_tzi.match import Match
from companion.games.tu_tzi.rules import seen_by
from companion.games.tu_tzi.score import (
    BY_DIVERSITY,
    BY_UNITY_SQUARES,
    BY_UNITY_TRINES,
    CHURCH,
    SPECIAL_HANDS,
    SpecialHand,
)

EXACT = 1000
"""So many possible futures are all looked at; of more, `SAMPLES` are drawn with a fixed seed."""
SAMPLES = 200

_Target: TypeAlias = tuple[int, ...]
_FEW = range(len(ELEMENTS))
_DIVERSE_ROWS = tuple(permutations(_FEW, 3))


@dataclass(frozen=True, slots=True)
class Prospect:
    """One special hand: the fewest cards that are missing for it (``None`` if it is out of reach) and its chance."""

    hand: SpecialHand
    missing: tuple[int, ...] | None
    chance: float


def prospects(match: Match, player: str, samples: int = SAMPLES) -> tuple[Prospect, ...]:
    """For each special hand what the player lacks, and how likely the coming draws from the stock bring it.

    The chance takes it that everybody draws from the stock to its end and that the player lets nothing useful go.
    """
    view = seen_by(match, player)
    seat = view.players.index(player)
    own = own_cards(view, seat)
    unseen = unseen_cards(view, seat)
    futures, exact = draws(unseen, draws_left(view, seat), samples)
    allowed = view.options["checkerboard"] == "on"
    found = []
    for hand in SPECIAL_HANDS:
        missing = fewest_missing(own, {*unseen, *known(view.tops)}, hand, allowed)
        chance = 0.0
        if missing is not None:
            hits = sum(can_make((*own, *future), hand, allowed) for future in futures)
            chance = max(hits / len(futures), 0.0 if exact else _at_least(missing, unseen, len(futures[0])))
        found.append(Prospect(hand, missing, chance))
    return tuple(found)


def own_cards(match: Match, seat: int) -> tuple[int, ...]:
    return known(match.formation(seat)) + known(match.hands[seat])


def unseen_cards(match: Match, seat: int) -> tuple[int, ...]:
    """The cards that a player has not seen: in the stock or in other hands."""
    own = set(own_cards(match, seat))
    return tuple(card for card in DECK if card not in own and not match.lies_open(card))


def draws_left(match: Match, seat: int) -> int:
    """How many stock cards come to a player if everybody keeps drawing from it."""
    if match.stock is None or match.mover is None:
        return 0
    turns_before = (seat - match.mover) % len(match.players)
    if match.phase != "recruit" and turns_before == 0:
        turns_before = len(match.players)
    return max(0, -(-(len(match.stock) - turns_before) // len(match.players)))


def draws(unseen: Sequence[int], count: int, samples: int = SAMPLES) -> tuple[list[tuple[int, ...]], bool]:
    """The sets of so many unseen cards: all of them, or where these are too many a fixed sample."""
    count = min(count, len(unseen))
    if comb(len(unseen), count) <= EXACT:
        return list(combinations(unseen, count)), True
    rng = Random(25)
    return [tuple(rng.sample(unseen, count)) for _ in range(samples)], False


def fewest_missing(
    own: Sequence[int], reachable: set[int], hand: SpecialHand, checkerboard: bool = False
) -> tuple[int, ...] | None:
    """The cards that complete a special hand with the fewest additions, if they can all be had."""
    held = set(own)

    def lacks(animal: int, element: int) -> int:
        card = CARD[animal, element]
        return 0 if card in held else 1 if card in reachable else len(DECK)

    best = min(_targets(hand, lacks, checkerboard), key=lambda target: _cost(target, held, reachable), default=None)
    if best is None or _cost(best, held, reachable) >= len(DECK):
        return None
    return tuple(sorted(set(best) - held))


def _cost(target: _Target, held: set[int], reachable: set[int]) -> int:
    return sum(0 if card in held else 1 if card in reachable else len(DECK) for card in target)


def _targets(hand: SpecialHand, lacks: Callable[[int, int], int], checkerboard: bool) -> Iterator[_Target]:
    """Formations that are the special hand, the cheapest among them."""
    for elements in product(_FEW, repeat=4):
        if BY_UNITY_TRINES.get(len(set(elements))) == hand:
            yield _target([[element] * 3 for element in elements])
    for elements in product(_FEW, repeat=3):
        if BY_UNITY_SQUARES.get(len(set(elements))) == hand:
            yield _target([elements] * 4)
    for count, held in BY_DIVERSITY.items():
        if held == hand:
            yield from _cheapest_diverse(lacks, count)
    if checkerboard and hand == CHURCH:
        for middle, one, other in product(range(3), _FEW, _FEW):
            if one != other:
                yield _target(checkered(middle, one, other))


def _cheapest_diverse(lacks: Callable[[int, int], int], count: int) -> Iterator[_Target]:
    """Row by row, for each set of elements that the columns show; with four elements all columns show the same."""
    reached: dict[tuple[int, ...], tuple[int, tuple[tuple[int, ...], ...]]] = {(0, 0, 0): (0, ())}
    for animals in GRID:
        price = [[lacks(animal, element) for element in _FEW] for animal in animals]
        rows = [(sum(price[i][e] for i, e in enumerate(row)), row, [1 << e for e in row]) for row in _DIVERSE_ROWS]
        better: dict[tuple[int, ...], tuple[int, tuple[tuple[int, ...], ...]]] = {}
        for (a, b, c), (cost, laid) in reached.items():
            for extra, row, (x, y, z) in rows:
                if a & x or b & y or c & z:
                    continue
                after = (a | x, b | y, c | z)
                if after not in better or cost + extra < better[after][0]:
                    better[after] = (cost + extra, (*laid, row))
        reached = better
    for columns, (_, laid) in reached.items():
        if (len(set(columns)) == 1) == (count == 4):
            yield _target(laid)


def _target(rows: Sequence[Sequence[int]]) -> _Target:
    lines = zip(GRID, rows, strict=True)
    return tuple(CARD[cell] for animals, elements in lines for cell in zip(animals, elements, strict=True))


def _at_least(missing: tuple[int, ...], unseen: tuple[int, ...], count: int) -> float:
    """How likely so many draws bring just these cards; the true chance is no smaller."""
    wanted = len([card for card in missing if card in unseen])
    if wanted > count:
        return 0.0
    return comb(len(unseen) - wanted, count - wanted) / comb(len(unseen), count)
