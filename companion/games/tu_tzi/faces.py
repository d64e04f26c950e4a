"""What is printed on Tu Tzi's cards: number, glyph, animal, and a scene of the element in its colour."""

from pathlib import Path

from companion.animals import outline
from companion.style import (
    CORNER,
    INK,
    PAPER,
    WHITE,
    area,
    block,
    disc,
    fitted,
    joined,
    mixed,
    page,
    part,
    placed,
    recoloured,
    stroke,
    words,
)

_ART = Path(__file__).parent / "art"
_WIDTH, _HEIGHT = 36.0, 50.0

_ANIMALS = ("rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "sheep", "monkey", "rooster", "dog", "pig")
_ELEMENTS = ("wood", "fire", "earth", "metal", "water")
_COLOURS = {"wood": "#2c9a4b", "fire": "#dd3a2c", "earth": "#efab12", "metal": "#8b939e", "water": "#2159b5"}

_BARS_UP = (1, 3, 2)
"""How many upright bars name the first, second and third square."""
_TRINES = ((0, 4, 8), (9, 1, 5), (6, 10, 2), (3, 7, 11))
"""The animals of each trine, in the order of the squares."""
_DOTS = {
    "wood": ((-6.3, -1.5), (-6.3, 1.5)),
    "fire": ((-1.5, -6.3), (1.5, -6.3)),
    "metal": ((6.3, -1.5), (6.3, 1.5)),
    "water": ((-1.5, 6.3), (1.5, 6.3)),
    "earth": (),
}


def face(tile: str, owner: str | None) -> str:
    """The card of a number; a yang card is coloured on white, a yin card white on colour."""
    number = int(tile)
    animal, element = (number - 1) % 12, _ELEMENTS[(number - 1) % 10 // 2]
    colour, yang = _COLOURS[element], number % 2 == 1
    ground, ink = (WHITE, colour) if yang else (colour, WHITE)
    return page(
        _WIDTH,
        _HEIGHT,
        block(0, 0, _WIDTH, _HEIGHT, ground),
        _scene(element, yang),
        _creature(_ANIMALS[animal], colour, yang),
        _frame(ink),
        words(3.2, 11.2, 9.6, str(number), INK if yang else WHITE, "start"),
        _glyph(animal, element, ink, 25.6, 10.4),
        _title(f"{element} {_ANIMALS[animal]}".title()),
    )


def back(owner: str | None) -> str:
    """Five petals in the five colours, for the five elements."""
    middle = (_WIDTH / 2, _HEIGHT / 2)
    petals = (
        f'<g transform="rotate({72 * i} 18 25)">{area("M18 25C10 19 12 11 18 8C24 11 26 19 18 25Z", colour)}</g>'
        for i, colour in enumerate(_COLOURS.values())
    )
    lattice = joined(stroke(line, 0.5, "#3a4160") for line in _lattice())
    return page(
        _WIDTH,
        _HEIGHT,
        block(0, 0, _WIDTH, _HEIGHT, "#262c48"),
        lattice,
        disc(*middle, 14.6, PAPER),
        disc(*middle, 13.6, "#262c48"),
        *petals,
        disc(*middle, 3.2, PAPER),
        _frame(PAPER),
    )


def _lattice() -> list[str]:
    """Slanted lines both ways from edge to edge."""
    falling = [(max(0, at), max(0, -at), min(36, 50 + at), min(50, 36 - at)) for at in range(-44, 36, 6)]
    return [f"M{x} {y}L{u} {v}M{36 - x} {y}L{36 - u} {v}" for x, y, u, v in falling]


def _frame(colour: str) -> str:
    edge = "M3.6 1.3H32.4Q34.7 1.3 34.7 3.6V46.4Q34.7 48.7 32.4 48.7H3.6Q1.3 48.7 1.3 46.4V3.6Q1.3 1.3 3.6 1.3Z"
    return stroke(edge, 0.8, colour)


def _scene(element: str, yang: bool) -> str:
    colour = _COLOURS[element]
    body = mixed(colour, WHITE, 0.25) if yang else mixed(colour, INK, 0.4)
    tones = {"#000000": INK, "#808080": body, "#c0c0c0": mixed(body, WHITE, 0.6)}
    ground = block(0, 44, _WIDTH, 6, body)
    return ground + f'<g transform="translate(0 33.5)">{recoloured(part(_ART / f"{element}.svg"), tones)}</g>'


def _creature(animal: str, colour: str, yang: bool) -> str:
    body, warm = (colour, mixed(colour, WHITE, 0.62)) if yang else (WHITE, mixed(colour, WHITE, 0.15))
    light = WHITE if yang else mixed(colour, WHITE, 0.7)
    drawn = outline("ram" if animal == "sheep" else animal, body=body, warm=warm, light=light)
    return placed(drawn, _WIDTH / 2, 29.6, 23.0)


def _glyph(animal: int, element: str, colour: str, x: float, y: float) -> str:
    """Upright bars for the square, level bars for the trine, two dots on the element's side."""
    trine = next(i for i, row in enumerate(_TRINES) if animal in row)
    square = _TRINES[trine].index(animal)
    upright = (f"M{x + at} {y - 4.2}V{y + 4.2}" for at in _spread(_BARS_UP[square]))
    level = (f"M{x - 4.2} {y + at}H{x + 4.2}" for at in _spread(trine))
    dots = (disc(x + dx, y + dy, 1.05, colour) for dx, dy in _DOTS[element])
    return stroke(joined([*upright, *level]), 1.5, colour) + joined(dots)


def _spread(bars: int) -> tuple[float, ...]:
    return ((), (0.0,), (-1.7, 1.7), (-3.1, 0.0, 3.1))[bars]


def _title(name: str) -> str:
    return block(4.2, 42.5, 27.6, 5.0, PAPER, CORNER, 0.6) + words(18, 46.25, fitted(name, 26.6, 3.6), name, INK)
