"""The web as bits: a set of points is a number, and chains are found by a few operations on it.

Bit ``8 * (circle - 1) + line`` is the point of that line (a is 0) on that circle, so a circle is one byte.
"""

from collections.abc import Iterator
from functools import lru_cache

POINTS = tuple(f"{line}{circle}" for circle in "123" for line in "abcdefgh")
BIT = {point: 1 << i for i, point in enumerate(POINTS)}
BOARD = (1 << 24) - 1
NAMES_IN_ORDER = tuple(sorted(POINTS))


def _ring(line: int) -> int:
    return 1 << line % 8


def _runs_of_five() -> tuple[int, ...]:
    return tuple(sum(_ring(first + i) for i in range(5)) for first in range(8))


_RUNS = _runs_of_five()
IN_FIVE = tuple(sum(_ring(i) for i in range(8) if any(r & ~c == 0 and r >> i & 1 for r in _RUNS)) for c in range(256))
"""For each occupation of a circle, its points that stand in a chain of five."""
CLOSES_FIVE = tuple(
    sum(_ring(i) for i in range(8) if any(r & ~(c | 1 << i) == 0 and r >> i & 1 for r in _RUNS)) for c in range(256)
)
"""For each occupation of a circle, the points where one more piece stands in a chain of five."""


def _neighbours(i: int) -> int:
    circle, line = divmod(i, 8)
    around = _ring(line + 1) << 8 * circle | _ring(line - 1) << 8 * circle
    inward = 1 << i - 8 if circle > 0 else 0
    outward = 1 << i + 8 if circle < 2 else 0
    return around | inward | outward


NEIGHBOURS = {1 << i: _neighbours(i) for i in range(24)}
LINES = tuple(0x010101 << line for line in range(8))
FIVES = tuple(run << 8 * circle for circle in range(3) for run in _RUNS)
LINE_OF = {1 << i: LINES[i % 8] for i in range(24)}
FIVES_OF = {1 << i: tuple(five for five in FIVES if five >> i & 1) for i in range(24)}
"""The chains that hold each point."""


def bits(points: int) -> Iterator[int]:
    """The single points of a set."""
    while points:
        lowest = points & -points
        yield lowest
        points ^= lowest


def names(points: int) -> tuple[str, ...]:
    """The points of a set in ascending order of name."""
    return tuple(name for name in NAMES_IN_ORDER if points & BIT[name])


def chained(mine: int) -> int:
    """The points that stand in a chain of three or five."""
    full = mine & mine >> 8 & mine >> 16 & 255
    return full * 0x010101 | IN_FIVE[mine & 255] | IN_FIVE[mine >> 8 & 255] << 8 | IN_FIVE[mine >> 16] << 16


def closes_three(mine: int) -> int:
    """The points where one more piece makes all three of a line ours."""
    inner, middle, outer = mine & 255, mine >> 8 & 255, mine >> 16
    return middle & outer | (inner & outer) << 8 | (inner & middle) << 16


def closes_five(mine: int) -> int:
    """The points where one more piece stands in five of a circle in a row."""
    return CLOSES_FIVE[mine & 255] | CLOSES_FIVE[mine >> 8 & 255] << 8 | CLOSES_FIVE[mine >> 16] << 16


def captures_due(mine: int, to: int, pay_every_chain: bool) -> int:
    """How many enemy pieces a piece that just came to a point earns (3.2, 3.3); ``mine`` holds that point."""
    missing = ~mine
    due = 0 if LINE_OF[to] & missing else 1
    fives = sum(1 for five in FIVES_OF[to] if not five & missing)
    if pay_every_chain:
        return due + 2 * fives
    return due + 2 if fives else due


@lru_cache(maxsize=1 << 14)
def removals(enemy: int, due: int) -> tuple[int, ...]:
    """What may be left of the enemy after so many removals, each tested anew for protection (3.4, 3.5)."""
    left = {enemy}
    for _ in range(min(due, enemy.bit_count())):
        left = {pieces ^ piece for pieces in left for piece in bits(pieces & ~chained(pieces) or pieces)}
    return tuple(left)


def slides(mine: int, empty: int) -> int:
    """How many slides to an empty neighbour there are."""
    clockwise = mine << 1 & 0xFEFEFE | mine >> 7 & 0x010101
    back = mine >> 1 & 0x7F7F7F | mine << 7 & 0x808080
    outward, inward = mine << 8 & empty, mine >> 8 & empty
    return (clockwise & empty).bit_count() + (back & empty).bit_count() + outward.bit_count() + inward.bit_count()
