"""What is printed on ZhiZhu's pieces: a spider in its web, the same from all sides."""

from pathlib import Path

from companion.style import INK, PAPER, block, disc, page, part, placed, recoloured

_ART = Path(__file__).parent / "art"
_ACROSS = 22.0
_GROUND = {"white": "#f8efdc", "black": "#23283a"}
_LINE = {"white": INK, "black": PAPER}
_RING = {"white": "#c8452f", "black": "#e8b23a"}


def face(tile: str, owner: str | None) -> str:
    """The one kind of piece, in its owner's colours."""
    whose, middle = owner or "white", _ACROSS / 2
    web = recoloured(part(_ART / "web.svg"), {"#000000": _LINE[whose], "#ff0000": _RING[whose]})
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
