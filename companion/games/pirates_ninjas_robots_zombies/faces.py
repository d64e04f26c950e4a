"""What is printed on the tiles: four quarters round the middle, an icon on some, and the bases.

The pictures stand on the middle of the tile, so a tile has no top: turned, it looks like the tile that its turned
notation names, and a base looks the same from all four sides.
"""

from pathlib import Path

from companion.animals import outline
from companion.style import INK, PAPER, WHITE, area, block, disc, mixed, page, part, placed, ring, stroke, turned

_ART = Path(__file__).parent / "art"
_SIDE = 40.0
_HALF = _SIDE / 2

_TEAM_COLOURS = {"P": "#d8442c", "N": "#5a3fa6", "R": "#4aa5e0", "Z": "#8cba36"}
_CHARACTERS = {"P": "pirate", "N": "ninja", "R": "robot", "Z": "zombie"}
_ITEMS = {"p": "chest", "n": "star", "r": "battery", "z": "brain"}
_ENEMIES = {"K": "kraken", "D": "dragon", "M": "military", "H": "hunter"}
_CRESTS = {"P": "wheel", "N": "blades", "R": "gear", "Z": "bones"}
_TEAM_OF_ENEMY = {"K": "P", "D": "N", "M": "R", "H": "Z"}
_NIGHT = "#2b2f40"
_TEAL = "#0d8f80"
_GOLD = "#f2b632"


def face(tile: str, owner: str | None) -> str:
    """A play tile such as ``PN/zKo``, or a base such as ``P!``, as it lies."""
    if tile[1] == "!":
        return _base(tile[0])
    corners = (tile[0], tile[1], tile[4], tile[3])
    quarters = (turned(_quarter(letter), 90 * i, _HALF, _HALF) for i, letter in enumerate(corners))
    return page(_SIDE, _SIDE, *quarters, _grid(), _icon(tile[5:]))


def back(owner: str | None) -> str:
    """The back of every play tile: the four teams' colours round a compass."""
    colours = enumerate(_TEAM_COLOURS.values())
    fields = (turned(block(0, 0, _HALF, _HALF, colour), 90 * i, _HALF, _HALF) for i, colour in colours)
    rings = ((12.5, INK), (11.3, PAPER), (10.3, INK))
    rays = ring(4, area("M20 4L24 20L16 20Z", PAPER) + area("M20 4L24 20L20 20Z", "#d9cfb8"), _HALF, _HALF)
    discs = (disc(_HALF, _HALF, radius, colour) for radius, colour in rings)
    return page(_SIDE, _SIDE, *fields, *discs, rays, disc(_HALF, _HALF, 2.4, _GOLD, 0.7))


def _quarter(letter: str) -> str:
    """The quarter at the top left, its picture's head in the corner of the tile."""
    ground, picture = _pictured(letter)
    return (
        block(0, 0, _HALF, _HALF, ground)
        + _behind(letter)
        + placed(picture, 9.4, 9.4, 14.2 if letter == "D" else 15.2, -45)
    )


def _pictured(letter: str) -> tuple[str, str]:
    """The ground tells character, item and enemy apart before the picture does."""
    if letter in _CHARACTERS:
        return _TEAM_COLOURS[letter], part(_ART / f"{_CHARACTERS[letter]}.svg")
    if letter in _ITEMS:
        return mixed(_TEAM_COLOURS[letter.upper()], WHITE, 0.55), part(_ART / f"{_ITEMS[letter]}.svg")
    if letter == "D":
        return _NIGHT, outline("dragon", body="#c63a2a", warm=_GOLD, light="#ffe9b0")
    return _NIGHT, part(_ART / f"{_ENEMIES[letter]}.svg")


def _behind(letter: str) -> str:
    """Each enemy has a shape and a brightness of its own, so that a camera far away tells them by that alone."""
    if letter in _CHARACTERS:
        return disc(9.4, 9.4, 8.5, mixed(_TEAM_COLOURS[letter], WHITE, 0.14))
    if letter in _ITEMS:
        return disc(9.4, 9.4, 8.5, PAPER, 0.9, _TEAM_COLOURS[letter.upper()])
    return _MENACES[letter](_TEAM_COLOURS[_TEAM_OF_ENEMY[letter]])


def _whirl(colour: str) -> str:
    arm = area("M9.4 0.7C14 1.6 15.6 5.6 13.6 9.4L9.4 9.4C11 6.2 11.2 3.2 9.4 0.7Z", WHITE)
    return disc(9.4, 9.4, 8.7, mixed(colour, WHITE, 0.6)) + ring(8, arm, 9.4, 9.4)


def _flames(colour: str) -> str:
    tongue = area("M9.4 0.3L12 5.4L9.4 9.4L6.8 5.4Z", _GOLD)
    return ring(14, tongue, 9.4, 9.4) + disc(9.4, 9.4, 5.5, mixed(_GOLD, colour, 0.2))


def _barbed(colour: str) -> str:
    """Dark on the whole, unlike the bright robots that it is an enemy of."""
    barb = area("M9.4 0.4L11 2.6L7.8 2.6Z", colour)
    return disc(9.4, 9.4, 7.6, mixed(colour, INK, 0.75), 1.5, colour) + ring(8, barb, 9.4, 9.4)


def _viewfinder(colour: str) -> str:
    corner = stroke("M1.9 6.2V1.9H6.2", 1.9, mixed(colour, WHITE, 0.3)) + stroke("M9.4 1.2V3.6", 1.4, colour)
    return disc(9.4, 9.4, 7.2, PAPER) + ring(4, corner, 9.4, 9.4)


_MENACES = {"K": _whirl, "D": _flames, "M": _barbed, "H": _viewfinder}


def _grid() -> str:
    return stroke("M20 0V40M0 20H40", 0.9, PAPER)


def _icon(letter: str) -> str:
    """Rotate, swap or replace where the quarters meet: a light disc, a dark square on its corner, a gold square."""
    return {"": "", "o": _rotate(), "s": _swap(), "e": _replace()}[letter]


def _rotate() -> str:
    arm = stroke("M15.9 18.4A4.4 4.4 0 0 1 19.2 15.7", 1.4, _TEAL) + area("M19 13.6L22 15.5L19 17.7Z", _TEAL)
    return disc(_HALF, _HALF, 7.7, INK) + disc(_HALF, _HALF, 7, WHITE) + ring(4, arm, _HALF, _HALF)


def _swap() -> str:
    arm = stroke("M20 18.4V15.6", 0.9, WHITE) + area("M20 13.2L21.5 15.8L18.5 15.8Z", WHITE)
    return _square(8, PAPER, 45) + _square(6.2, INK, 45) + ring(4, arm, _HALF, _HALF)


def _replace() -> str:
    arrow = area("M17.6 14.9L22.4 14.9L20 17.5Z", INK)
    return _square(6.5, INK) + _square(5.8, _GOLD) + block(18, 18, 4, 4, INK, 0.5) + ring(4, arrow, _HALF, _HALF)


def _square(half: float, colour: str, degrees: float = 0) -> str:
    square = block(_HALF - half, _HALF - half, 2 * half, 2 * half, colour, 1.6)
    return turned(square, degrees, _HALF, _HALF)


def _base(team: str) -> str:
    colour = _TEAM_COLOURS[team]
    head = placed(part(_ART / f"{_CHARACTERS[team]}.svg"), 7.8, 7.8, 11.6, -45)
    beams = "M20 20L8 0H14ZM20 20L26 0H32Z"
    rays = ring(4, area(beams, mixed(colour, WHITE, 0.25)), _HALF, _HALF)
    shield = (
        disc(_HALF, _HALF, 11.2, INK)
        + disc(_HALF, _HALF, 10.4, _GOLD)
        + disc(_HALF, _HALF, 8.6, mixed(colour, WHITE, 0.55), 0.7)
    )
    crest = placed(part(_ART / f"{_CRESTS[team]}.svg"), _HALF, _HALF, 15.5)
    heads = ring(4, head, _HALF, _HALF)
    return page(_SIDE, _SIDE, block(0, 0, _SIDE, _SIDE, colour), rays, _frame(), heads, shield, crest)


def _frame() -> str:
    """A base is one whole: a line runs round it where a play tile has a cross."""
    return stroke("M3 1H37Q39 1 39 3V37Q39 39 37 39H3Q1 39 1 37V3Q1 1 3 1Z", 0.9, PAPER)
