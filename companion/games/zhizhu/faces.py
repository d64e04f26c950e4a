"""What is printed on ZhiZhu's pieces: a spider in its web, the same from all sides.

A camera far away sees hardly more than how bright a piece is, so nothing on it may outweigh its ground: the web is
faint, and the ring of the dark piece is darker than that of the light one.
"""

from pathlib import Path

from companion.style import INK, PAPER, block, disc, mixed, page, part, placed, recoloured

_ART = Path(__file__).parent / "art"
_ACROSS = 22.0
_GROUND = {"white": "#f8efdc", "black": "#1b2030"}
_LINE = {"white": INK, "black": PAPER}
_RING = {"white": "#c8452f", "black": "#2a7fa8"}


def face(tile: str, owner: str | None) -> str:
    """The one kind of piece, in its owner's colours."""
    whose, middle = owner or "white", _ACROSS / 2
    colours = {"#808080": mixed(_GROUND[whose], _LINE[whose], 0.3), "#000000": _LINE[whose], "#ff0000": _RING[whose]}
    web = recoloured(part(_ART / "web.svg"), colours)
    return page(
        _ACROSS,
        _ACROSS,
        block(0, 0, _ACROSS, _ACROSS, _GROUND[whose]),
        disc(middle, middle, 9.6, _GROUND[whose], 1.3, _RING[whose]),
        placed(web, middle, middle, 17.4),
    )


def back(owner: str | None) -> str:
    """Both sides of a piece are alike."""
    return face("piece", owner)
