"""The one style of all faces: their colours and the strokes they are composed of, as parts of SVG in millimetres."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

INK = "#1e2230"
PAPER = "#fff6e6"
WHITE = "#ffffff"

CORNER = 2.4
"""The radius of a panel's corners."""
RIM = 0.7
"""The width of the dark line round panels, badges and pictures."""


def page(width: float, height: float, *parts: str) -> str:
    """A whole SVG document of so many millimetres."""
    box = f'viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}mm" height="{_n(height)}mm"'
    # What our own drawers do by themselves a browser has to be told.
    manner = 'stroke-linecap="round" stroke-linejoin="round" fill-rule="evenodd"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {manner}>{"".join(parts)}</svg>'


def block(x: float, y: float, width: float, height: float, fill: str, corner: float = 0.0, rim: float = 0.0) -> str:
    edge = f' stroke="{INK}" stroke-width="{_n(rim)}"' if rim else ""
    size = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(corner)}"'
    return f'<rect {size} fill="{fill}"{edge}/>'


def disc(x: float, y: float, radius: float, fill: str, rim: float = 0.0, edge: str = INK) -> str:
    stroke = f' stroke="{edge}" stroke-width="{_n(rim)}"' if rim else ""
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}"{stroke}/>'


def stroke(d: str, width: float, colour: str) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{_n(width)}"/>'


def area(d: str, fill: str) -> str:
    return f'<path d="{d}" fill="{fill}"/>'


def words(x: float, y: float, size: float, said: str, colour: str, anchor: str = "middle", bold: bool = True) -> str:
    """A line of text on its baseline."""
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}"'
    return f'<text {place}{weight} font-family="sans-serif" fill="{colour}">{escape(said)}</text>'


def badge(x: float, y: float, radius: float, fill: str, said: str, colour: str = WHITE) -> str:
    """A rimmed disc with a number or letter in it."""
    size = radius * (1.5 if len(said) == 1 else 1.15)
    return disc(x, y, radius, fill, RIM) + words(x, y + 0.36 * size, size, said, colour)


def placed(drawn: str, x: float, y: float, size: float, turn: float = 0.0) -> str:
    """A picture of 100 by 100 round a point, so many millimetres wide."""
    turned = f" rotate({_n(turn)})" if turn else ""
    return f'<g transform="translate({_n(x)} {_n(y)}){turned} scale({_n(size / 100)}) translate(-50 -50)">{drawn}</g>'


def turned(drawn: str, degrees: float, x: float, y: float) -> str:
    return f'<g transform="rotate({_n(degrees)} {_n(x)} {_n(y)})">{drawn}</g>'


@cache
def part(file: Path) -> str:
    """The shapes in a file of art."""
    return inside(file.read_text(encoding="utf-8"))


def inside(svg: str) -> str:
    """The shapes of a document without the document."""
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")].strip()


def recoloured(drawn: str, colours: Mapping[str, str]) -> str:
    return re.sub(r"#[0-9a-f]{6}", lambda found: colours.get(found[0], found[0]), drawn)


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, with so much of the other in it."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def width_of(said: str, size: float, bold: bool = True) -> float:
    """How wide a line of text comes out at most, in the widest of the plain fonts that our drawers use."""
    return size * sum(_width(letter) for letter in said) * (1.15 if bold else 1.02)


def fitted(said: str, width: float, largest: float, bold: bool = True) -> float:
    """The largest size at which a line of text fits."""
    return min(largest, largest * width / width_of(said, largest, bold))


def wrapped(said: str, size: float, width: float) -> list[str]:
    """Plain text broken into lines that fit."""
    lines = [""]
    for word in said.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size, bold=False) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def ring(places: int, drawn: str, x: float, y: float) -> str:
    """A shape repeated round a point."""
    return "".join(turned(drawn, 360 * i / places, x, y) for i in range(places))


def joined(parts: Iterable[str]) -> str:
    return "".join(parts)


def _width(letter: str) -> float:
    if letter in "ijlI.,:;'!|":
        return 0.30
    if letter in "frt ()-":
        return 0.38
    if letter in "mwMW":
        return 0.90
    return 0.68 if letter.isupper() or letter in "+=" else 0.58


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
