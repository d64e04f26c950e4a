"""What is printed on Paiko's tiles: the symbol, and round it the squares that the tile threatens and covers.

A tile whose facing does not matter looks the same from all four sides; one whose facing does has a gable at its
front and a bar along its back.
"""

from pathlib import Path

from companion.style import (
    CORNER,
    INK,
    PAPER,
    area,
    block,
    disc,
    joined,
    mixed,
    page,
    part,
    placed,
    recoloured,
    ring,
    stroke,
)

_ART = Path(__file__).parent / "art"
_SIDE = 26.0
_MIDDLE = _SIDE / 2

_COLOURS = {
    "sword": "#8f8c86",
    "bow": "#12744a",
    "earth": "#5f9c3f",
    "fire": "#d8401a",
    "water": "#2f80d0",
    "sai": "#6a3f94",
    "lotus": "#ee86b4",
    "air": "#35a5a6",
}
_GROUND = {"white": "#f6ecd6", "black": "#262b3d"}
_LINE = {"white": INK, "black": PAPER}
_THREAT = {"white": "#c5261a", "black": "#f4512f"}
_COVER = {"white": "#2fa874", "black": "#74e6ae"}

Offset = tuple[int, int]

_AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
_STRAIGHT = [(0, -1), (1, 0), (0, 1), (-1, 0)]
_THREATENS: dict[str, list[Offset]] = {
    "sword": _AROUND,
    "bow": [(0, -2), (0, -3), (0, -4)],
    "earth": [(n * x, n * y) for n in (1, 2) for x, y in _STRAIGHT],
    "fire": [(0, 0), *((x, -1) for x in range(-1, 2)), *((x, -2) for x in range(-2, 3))],
    "water": [(x, y) for x in (-1, 1) for y in (-1, 1)],
    "sai": [(0, -1)],
    "lotus": [],
    "air": [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)],
}
_COVERS: dict[str, list[Offset]] = {
    "water": _STRAIGHT,
    "sai": [(-1, 0), (1, 0)],
    "lotus": [(0, 0), *_AROUND],
}
_FACED = ("bow", "fire", "sai")


def face(tile: str, owner: str | None) -> str:
    """The face of a tile, its front at the top."""
    whose = owner or "white"
    x, y = _place(tile, (0, 0))
    return page(
        _SIDE,
        _SIDE,
        block(0, 0, _SIDE, _SIDE, _GROUND[whose]),
        _front(tile, whose) if tile in _FACED else _field(tile, whose),
        *(_mark(tile, offset, whose) for offset in _shown(tile)),
        disc(x, y, _MEDAL, _COLOURS[tile], 0.7, _LINE[whose]),
        placed(part(_ART / f"{tile}.svg"), x, y, 1.66 * _MEDAL),
    )


def back(owner: str | None) -> str:
    """The underside, which lies hidden in play: the owner's colour and a knot."""
    whose = owner or "white"
    petal = stroke("M13 13C7 8 11 4.4 13 4.4C15 4.4 19 8 13 13", 1.1, _LINE[whose])
    edge = block(0, 0, _SIDE, _SIDE, _LINE[whose]) + block(1.4, 1.4, _SIDE - 2.8, _SIDE - 2.8, _GROUND[whose], CORNER)
    return page(_SIDE, _SIDE, edge, ring(4, petal, _MIDDLE, _MIDDLE))


_MEDAL = 5.5
_BAR = 3.4


def _tint(tile: str, whose: str) -> str:
    return mixed(_GROUND[whose], _COLOURS[tile], 0.6)


def _field(tile: str, whose: str) -> str:
    """A shape of its own for each kind, the same from all four sides."""
    return recoloured(part(_ART / f"field-{tile}.svg"), {"#808080": _tint(tile, whose)})


def _front(tile: str, whose: str) -> str:
    """A gable that points to the front, and a bar with chevrons along the back edge."""
    top = _SIDE - _BAR
    gable = area(f"M0 {top}V11L13 0.6L26 11V{top}Z", _tint(tile, whose))
    chevrons = (area(f"M{x - 2.2} {_SIDE - 0.8}L{x} {top + 0.7}L{x + 2.2} {_SIDE - 0.8}Z", PAPER) for x in (5, 13, 21))
    line = stroke(f"M0 {top}H{_SIDE}", 0.7, _LINE[whose])
    return gable + block(0, top, _SIDE, _BAR, _COLOURS[tile]) + line + joined(chevrons)


def _place(tile: str, offset: Offset) -> tuple[float, float]:
    """Where a square is shown: the tile's own square is as large as its symbol, the others close up round it."""
    x, y = offset
    if tile == "bow":
        return _MIDDLE + 8.6 * x, {0: 16.5, -1: 10.0, -2: 7.3, -3: 4.7, -4: 2.1}[y]
    if tile == "fire":
        return _MIDDLE + 4.6 * x, {0: 15.9, -1: 6.9, -2: 3.0}[y]
    if tile == "sai":
        return _MIDDLE + 8.8 * x, 14.2 + 8.6 * y
    return _MIDDLE + _close(x), _MIDDLE + _close(y)


def _close(steps: int) -> float:
    return (0.0, 7.6, 10.7)[abs(steps)] * (1 if steps > 0 else -1)


def _shown(tile: str) -> list[Offset]:
    """The squares of the pattern, and where there is room those between them, so that it reads as a piece of board."""
    lit = [*_THREATENS[tile], *_COVERS.get(tile, [])]
    return lit if tile in _FACED else [*lit, *(_BOARD - {*lit, (0, 0)})]


_BOARD = {(x, y) for x in range(-2, 3) for y in range(-2, 3)}


def _mark(tile: str, offset: Offset, whose: str) -> str:
    """A threatened square is filled, a covered one a ring; the tile's own square is a ring round its symbol."""
    x, y = _place(tile, offset)
    threat, cover = offset in _THREATENS[tile], offset in _COVERS.get(tile, [])
    colour = (_THREAT if threat else _COVER)[whose]
    if offset == (0, 0):
        return disc(x, y, _MEDAL + 1.1, colour)
    if threat:
        side = _CELL if tile != "bow" else 2.1
        return block(x - side / 2, y - side / 2, side, side, colour, 0.5)
    if cover:
        return disc(x, y, 1.15, _GROUND[whose], 0.95, colour)
    return block(x - 0.8, y - 0.8, 1.6, 1.6, mixed(_tint(tile, whose), _LINE[whose], 0.18), 0.4)


_CELL = 2.5
