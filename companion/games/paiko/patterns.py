"""The board as bits, and every tile as it can stand there with the squares it threatens and covers.

Bit ``16 * y + x`` is a square, x to the right from file a and y down from rank 14; two columns beyond n stay empty, so
that a step over the rim never lands on the board.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from companion.said import say
from companion.table import Place

SWORD, BOW, EARTH, FIRE, WATER, SAI, LOTUS, AIR = range(8)
LETTERS = "SBEFWILA"
NAMES = ("sword", "bow", "earth", "fire", "water", "sai", "lotus", "air")
TITLES = tuple(say(name.title()) for name in NAMES)
FACINGS = "NESW"
FACING_WORDS = (say("north"), say("east"), say("south"), say("west"))
FACED = frozenset({BOW, FIRE, SAI})
STEPS = (2, 2, 1, 2, 2, 2, 0, 0)
"""How many squares a tile of each kind may be shifted."""

_STRIDE = 16
_SIDE = 14

Counts: TypeAlias = tuple[int, ...]
"""How many tiles of each kind, in the order of the kinds."""


def square_at(x: int, y: int) -> int:
    return _STRIDE * y + x


def _name(x: int, y: int) -> Place:
    return f"{'abcdefghijklmn'[x]}{_SIDE - y}"


def _exists(x: int, y: int) -> bool:
    return 6 <= x + y <= 20 and abs(x - y) <= 7


_GRID = [(x, y) for y in range(_SIDE) for x in range(_SIDE)]
GRID = {_name(x, y): square_at(x, y) for x, y in _GRID}
"""All words of the form a14 to n1, though only some are squares of the board."""
PLACES = {square: place for place, square in GRID.items()}
BOARD = sum(1 << square_at(x, y) for x, y in _GRID if _exists(x, y))
BLACK_SQUARES = sum(1 << GRID[place] for place in ("f9", "h8", "g7", "i6"))
HOME = (
    sum(1 << square_at(x, y) for x, y in _GRID if _exists(x, y) and x <= 6 and y >= 7),
    sum(1 << square_at(x, y) for x, y in _GRID if _exists(x, y) and x >= 7 and y <= 6),
)
MIDDLE = BOARD & ~(HOME[0] | HOME[1])

_AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
_ORTHOGONAL = [(0, -1), (1, 0), (0, 1), (-1, 0)]
_DIAGONAL = [(dx, dy) for dx in (-1, 1) for dy in (-1, 1)]
_KNIGHT = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
_THREATENS: dict[int, list[tuple[int, int]]] = {
    SWORD: _AROUND,
    BOW: [(0, -2), (0, -3), (0, -4)],
    EARTH: [(n * dx, n * dy) for n in (1, 2) for dx, dy in _ORTHOGONAL],
    FIRE: [(0, 0), *((dx, -1) for dx in range(-1, 2)), *((dx, -2) for dx in range(-2, 3))],
    WATER: _DIAGONAL,
    SAI: [(0, -1)],
    LOTUS: [],
    AIR: _KNIGHT,
}
_COVERS: dict[int, list[tuple[int, int]]] = {
    WATER: _ORTHOGONAL,
    SAI: [(-1, 0), (1, 0)],
    LOTUS: [(0, 0), *_AROUND],
}


class Standing:
    """A tile as it stands on a square. There is one object for each, so that they compare by identity."""

    __slots__ = ("bit", "cover", "facing", "kind", "square", "text", "threat")

    def __init__(self, kind: int, facing: int, square: int) -> None:
        self.kind = kind
        self.facing = facing
        """Quarter turns clockwise from north; 0 where turning changes nothing."""
        self.square = square
        self.bit = 1 << square
        self.threat = _mask(_THREATENS[kind], facing, square)
        self.cover = _mask(_COVERS.get(kind, []), facing, square)
        self.text = LETTERS[kind] + PLACES[square] + (FACINGS[facing] if kind in FACED else "")

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, tuple[int, int, int]]:
        return standing, (self.kind, self.facing, self.square)

    @property
    def place(self) -> Place:
        return PLACES[self.square]

    @property
    def title(self) -> str:
        return TITLES[self.kind]


def _mask(offsets: Iterable[tuple[int, int]], facing: int, square: int) -> int:
    y, x = divmod(square, _STRIDE)
    mask = 0
    for across, down in offsets:
        for _ in range(facing):
            across, down = -down, across
        if 0 <= x + across < _SIDE and 0 <= y + down < _SIDE:
            mask |= 1 << square_at(x + across, y + down)
    return mask & BOARD


def turns_of(kind: int) -> range:
    """The facings that look different."""
    return range(4) if kind in FACED else range(1)


_STANDING = [
    [{square: Standing(kind, facing, square) for square in GRID.values()} for facing in turns_of(kind)]
    for kind in range(8)
]
STANDING_AS = {tile.text: tile for turns in _STANDING for squares in turns for tile in squares.values()}
"""Every tile as it can stand by its notation, on words that are no squares of the board too."""


def standing(kind: int, facing: int, square: int) -> Standing:
    return _STANDING[kind][facing if kind in FACED else 0][square]


def bits(squares: int) -> Iterator[int]:
    """The numbers of the squares of a set."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def places(squares: int) -> tuple[Place, ...]:
    return tuple(PLACES[square] for square in bits(squares))


def around(squares: int) -> int:
    """The squares one orthogonal step away."""
    return (squares << 1 | squares >> 1 | squares << _STRIDE | squares >> _STRIDE) & BOARD


def within(start: int, steps: int, open_squares: int) -> int:
    """The squares that so many orthogonal steps over open squares lead to, without the first."""
    reached = edge = 1 << start
    for _ in range(steps):
        edge = around(edge) & open_squares & ~reached
        reached |= edge
    return reached & ~(1 << start)


def occupied(tiles: Iterable[Standing]) -> int:
    squares = 0
    for tile in tiles:
        squares |= tile.bit
    return squares


def threatened(tiles: Iterable[Standing]) -> int:
    squares = 0
    for tile in tiles:
        squares |= tile.threat
    return squares


def covered(colour: int, own: Iterable[Standing]) -> int:
    """Where a tile of that colour is covered (3.2)."""
    squares = HOME[colour]
    for tile in own:
        squares |= tile.cover
    return squares


class Danger(NamedTuple):
    """The squares where the threat against a player is at least one, two and three (3.1)."""

    one: int
    two: int
    three: int

    def with_fire(self, pattern: int) -> "Danger":
        """The danger with one more of the player's own Fires."""
        return Danger(self.one | pattern, self.two | self.one & pattern, self.three | self.two & pattern)

    def deadly(self, cover: int) -> int:
        """The squares where a tile can be captured (3.3)."""
        return self.two & ~cover | self.three


def danger(own: Sequence[Standing], enemy: Sequence[Standing]) -> Danger:
    one = two = three = 0
    for tile in enemy:
        pattern = tile.threat
        three |= two & pattern
        two |= one & pattern
        one |= pattern
    for tile in own:
        if tile.kind == FIRE:
            pattern = tile.threat
            three |= two & pattern
            two |= one & pattern
            one |= pattern
    return Danger(one, two, three)


def immune(own: Iterable[Standing]) -> int:
    """The Lotuses on black squares, which 8.3 may keep from capture."""
    return occupied(tile for tile in own if tile.kind == LOTUS and tile.bit & BLACK_SQUARES)


def threatening(square: int, own: Iterable[Standing], enemy: Iterable[Standing]) -> list[Standing]:
    """The tiles that count against a player's tile on a square (3.1)."""
    fires = (tile for tile in own if tile.kind == FIRE)
    return [tile for tile in (*enemy, *fires) if tile.threat >> square & 1]


def letters(counts: Counts) -> str:
    return "".join(letter * count for letter, count in zip(LETTERS, counts, strict=True))


def counted(text: Iterable[str]) -> Counts:
    held = "".join(text)
    return tuple(held.count(letter) for letter in LETTERS)


def added(counts: Counts, kind: int, number: int = 1) -> Counts:
    return (*counts[:kind], counts[kind] + number, *counts[kind + 1 :])


@lru_cache(maxsize=4096)
def handfuls(available: Counts, size: int) -> tuple[Counts, ...]:
    """Every choice of so many tiles out of those available."""
    if not available:
        return ((),) if size == 0 else ()
    first, *rest = available
    numbers = range(min(first, size), max(0, size - sum(rest)) - 1, -1)
    return tuple((number, *others) for number in numbers for others in handfuls(tuple(rest), size - number))
