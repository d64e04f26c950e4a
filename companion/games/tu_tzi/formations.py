"""The best formation that some cards can make, exactly: points separate into rows and columns of elements."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from companion.games.tu_tzi.cards import ANIMAL, CARD, ELEMENT, ELEMENTS, GRID
from companion.games.tu_tzi.score import (
    BY_DIVERSITY,
    BY_UNITY_SQUARES,
    BY_UNITY_TRINES,
    CHURCH,
    POINTS,
    SPECIAL_HANDS,
    SpecialHand,
)

Choices: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""For each row and column the elements in which its animal can be had."""
Elements: TypeAlias = tuple[int, ...]
Grid: TypeAlias = tuple[Elements, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The most points that some cards can make, with the cards that make them and the special hand if it is one."""

    points: int
    cards: tuple[int, ...]
    special: SpecialHand | None = None


def best_formation(cards: Iterable[int], checkerboard: bool = False) -> Best:
    """The formation of most points among all that the cards allow."""
    choices = _choices(cards)
    special = _best_special(choices, checkerboard) if all(all(row) for row in choices) else None
    if special is not None and special.points >= _MOST_BY_GROUPS:
        return special
    by_groups = _by_groups(choices)
    return special if special is not None and special.points >= by_groups.points else by_groups


def best_points(cards: Iterable[int], checkerboard: bool = False) -> int:
    return best_formation(cards, checkerboard).points


def can_make(cards: Iterable[int], hand: SpecialHand, checkerboard: bool = False) -> bool:
    """Whether the cards hold a special hand."""
    return next(_special(_choices(cards), hand, checkerboard), None) is not None


def _best_special(choices: Choices, checkerboard: bool) -> Best | None:
    for hand in reversed(SPECIAL_HANDS):
        if found := next(_special(choices, hand, checkerboard), None):
            return Best(hand.points, _cards(found), hand)
    return None


def _choices(cards: Iterable[int]) -> Choices:
    held: dict[int, list[int]] = {}
    for card in cards:
        held.setdefault(ANIMAL[card], []).append(ELEMENT[card])
    return tuple(tuple(tuple(sorted(held.get(animal, ()))) for animal in row) for row in GRID)


def _cards(grid: Grid) -> tuple[int, ...]:
    cells = ((GRID[i][j], element) for i, row in enumerate(grid) for j, element in enumerate(row))
    return tuple(sorted(CARD[animal, element] for animal, element in cells if element != _NONE))


_MOST_BY_GROUPS = 4 * POINTS["trine", "Unity"] + 3 * POINTS["square", "Unity"]

_Past: TypeAlias = int
"""All that a column's points depend on: the bits of its elements while they are all different, ``UNITY`` and the bit of
the element once it came again and no other, and ``LOST`` once the column can earn nothing."""
_UNITY, _LOST = 32, 64
_NONE = len(ELEMENTS)
"""Stands for an animal that cannot be had."""


def _next(past: _Past, element: int) -> _Past:
    bit = 1 << element
    if past == _LOST or element == _NONE:
        return _LOST
    if past in (bit, _UNITY | bit):
        return _UNITY | bit
    return _LOST if past & (bit | _UNITY) else past | bit


_NEXT = tuple(tuple(_next(past, element) for element in range(_NONE + 1)) for past in range(_LOST + 1))


def _by_groups(choices: Choices) -> Best:
    """The best sum of 6.1 and 6.2, row by row; an animal that can be had is laid, since a card never costs points."""
    reached: dict[tuple[_Past, _Past, _Past], tuple[int, Grid]] = {(0, 0, 0): (0, ())}
    for row in choices:
        laid = [(elements, _trine(elements)) for elements in product(*(cell or (_NONE,) for cell in row))]
        better: dict[tuple[_Past, _Past, _Past], tuple[int, Grid]] = {}
        for (a, b, c), (points, grid) in reached.items():
            one, two, three = _NEXT[a], _NEXT[b], _NEXT[c]
            for (x, y, z), earned in laid:
                after = (one[x], two[y], three[z])
                if after not in better or points + earned > better[after][0]:
                    better[after] = (points + earned, (*grid, (x, y, z)))
        reached = better
    totals = ((points + sum(map(_square, pasts)), grid) for pasts, (points, grid) in reached.items())
    points, grid = max(totals, key=lambda found: found[0])
    return Best(points, _cards(grid))


def _trine(elements: Elements) -> int:
    if _NONE in elements:
        return 0
    different = len(set(elements))
    return POINTS["trine", "Unity"] if different == 1 else POINTS["trine", "Diversity"] if different == 3 else 0


def _square(past: _Past) -> int:
    if past == _LOST:
        return 0
    return POINTS["square", "Unity"] if past & _UNITY else POINTS["square", "Diversity"]


def _special(choices: Choices, hand: SpecialHand, checkerboard: bool) -> Iterator[Grid]:
    """The grids of elements that are a special hand, as far as the choices allow."""
    columns = tuple(zip(*choices, strict=True))
    for elements in _unities(choices, BY_UNITY_TRINES, hand):
        yield tuple((element,) * 3 for element in elements)
    for elements in _unities(columns, BY_UNITY_SQUARES, hand):
        yield (elements,) * 4
    for count in (n for n, held in BY_DIVERSITY.items() if held == hand):
        yield from (grid for grid in _diverse(choices, (), (0, 0, 0)) if _count(grid) == count)
    if checkerboard and hand == CHURCH:
        yield from _checkerboards(choices)


def _unities(lines: Choices, hands: dict[int, SpecialHand], hand: SpecialHand) -> Iterator[tuple[int, ...]]:
    """An element for each line that all its cells can have, so many different ones as the hand wants."""
    common = [set(line[0]).intersection(*line[1:]) for line in lines]
    if all(common):
        yield from (elements for elements in product(*common) if hands.get(len(set(elements))) == hand)


def _diverse(choices: Choices, laid: Grid, used: tuple[int, ...]) -> Iterator[Grid]:
    """Every grid whose rows and columns show no element twice."""
    if len(laid) == len(choices):
        yield laid
        return
    for elements in product(*choices[len(laid)]):
        bits = tuple(1 << element for element in elements)
        if len(set(elements)) == len(elements) and not any(u & b for u, b in zip(used, bits, strict=True)):
            yield from _diverse(choices, (*laid, elements), tuple(u | b for u, b in zip(used, bits, strict=True)))


def _checkerboards(choices: Choices) -> Iterator[Grid]:
    for middle, one, other in product(range(3), range(len(ELEMENTS)), range(len(ELEMENTS))):
        if one != other:
            grid = checkered(middle, one, other)
            if all(e in choices[i][j] for i, row in enumerate(grid) for j, e in enumerate(row)):
                yield grid


def checkered(middle: int, one: int, other: int) -> tuple[tuple[int, ...], ...]:
    """Two elements in turn when the square ``middle`` lies between the other two."""
    return tuple(tuple(other if (i + (j == middle)) % 2 else one for j in range(3)) for i in range(4))


def _count(grid: Grid) -> int:
    return len({element for row in grid for element in row})
