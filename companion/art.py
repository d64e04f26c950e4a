"""The pictures of tiles: a small, flat part of SVG turned into polygons, lines and words in millimetres.

One source serves print, the simulated camera and the page, so the drawings keep to what all three can show: ``svg``
with a viewBox in millimetres, ``g``, ``path``, ``circle``, ``ellipse``, ``rect``, ``line``, ``polyline``, ``polygon``
and ``text``; plain ``#rrggbb`` fills and strokes, ``transform``; areas are filled by the even-odd rule.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TypeAlias
from xml.etree import ElementTree

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """Closed outlines filled together by the even-odd rule."""

    outlines: tuple[tuple[Point, ...], ...]
    colour: str


@dataclass(frozen=True, slots=True)
class Line:
    """A drawn line with round ends and corners."""

    points: tuple[Point, ...]
    width: float
    colour: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text: the point its baseline is anchored at, and how high its letters stand."""

    at: Point
    words: str
    size: float
    colour: str
    anchor: str = "start"
    bold: bool = False
    angle_deg: float = 0.0


Shape: TypeAlias = Area | Line | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of so many millimetres, its shapes from the lowest to the uppermost."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class _Pen:
    matrix: tuple[float, float, float, float, float, float] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    fill: str | None = "#000000"
    stroke: str | None = None
    width: float = 1.0
    size: float = 4.0
    anchor: str = "start"
    bold: bool = False

    def map(self, x: float, y: float) -> Point:
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f

    @property
    def scale(self) -> float:
        a, b, c, d, _, _ = self.matrix
        return math.sqrt(abs(a * d - b * c))


@cache
def drawing(svg: str) -> Drawing:
    """Read an SVG document; raises ``ValueError`` for what is outside our part of SVG."""
    root = ElementTree.fromstring(svg)
    left, top, width, height = (float(number) for number in root.attrib["viewBox"].split())
    pen = _styled(_Pen(matrix=(1.0, 0.0, 0.0, 1.0, -left, -top)), root)
    return Drawing(width, height, tuple(_shapes(root, pen)))


def _shapes(parent: ElementTree.Element, pen: _Pen) -> Iterator[Shape]:
    for element in parent:
        tag = element.tag.rpartition("}")[2]
        styled = _styled(pen, element)
        if tag == "g":
            yield from _shapes(element, styled)
        elif tag == "text":
            yield from _words(element, styled)
        elif tag not in ("title", "desc"):
            yield from _drawn(_outlines(tag, element), styled, filled=tag not in ("line", "polyline"))


def _drawn(outlines: list[tuple[list[Point], bool]], pen: _Pen, filled: bool) -> Iterator[Shape]:
    mapped = [(tuple(pen.map(x, y) for x, y in points), closed) for points, closed in outlines]
    if filled and pen.fill:
        yield Area(tuple(points for points, _ in mapped if len(points) > 2), pen.fill)
    if pen.stroke:
        for points, closed in mapped:
            yield Line((*points, points[0]) if closed else points, pen.width * pen.scale, pen.stroke)


def _words(element: ElementTree.Element, pen: _Pen) -> Iterator[Words]:
    words = "".join(element.itertext()).strip()
    if words and pen.fill:
        at = pen.map(_number(element, "x"), _number(element, "y"))
        angle = math.degrees(math.atan2(pen.matrix[1], pen.matrix[0]))
        yield Words(at, words, pen.size * pen.scale, pen.fill, pen.anchor, pen.bold, angle)


def _styled(pen: _Pen, element: ElementTree.Element) -> _Pen:
    given = element.attrib
    if "style" in given or "class" in given:
        raise ValueError("drawings carry their colours as attributes, not as style or class")
    changed = replace(pen, matrix=_times(pen.matrix, _matrix(given.get("transform", ""))))
    if "fill" in given:
        changed = replace(changed, fill=_colour(given["fill"]))
    if "stroke" in given:
        changed = replace(changed, stroke=_colour(given["stroke"]))
    if "stroke-width" in given:
        changed = replace(changed, width=float(given["stroke-width"]))
    if "font-size" in given:
        changed = replace(changed, size=float(given["font-size"]))
    if "text-anchor" in given:
        changed = replace(changed, anchor=given["text-anchor"])
    if "font-weight" in given:
        changed = replace(changed, bold=given["font-weight"] in ("bold", "700", "800", "900"))
    return changed


def _colour(given: str) -> str | None:
    if given == "none":
        return None
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", given):
        raise ValueError(f"a colour is none or #rrggbb, not {given!r}")
    return given.lower()


Matrix: TypeAlias = tuple[float, float, float, float, float, float]


def _matrix(transform: str) -> Matrix:
    matrix: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for name, inside in re.findall(r"(\w+)\s*\(([^)]*)\)", transform):
        matrix = _times(matrix, _single(name, [float(number) for number in re.split(r"[\s,]+", inside.strip())]))
    return matrix


def _single(name: str, numbers: list[float]) -> Matrix:
    match name, numbers:
        case "translate", [x, *rest]:
            return 1.0, 0.0, 0.0, 1.0, x, rest[0] if rest else 0.0
        case "scale", [x, *rest]:
            return x, 0.0, 0.0, rest[0] if rest else x, 0.0, 0.0
        case "rotate", [degrees]:
            turn = math.radians(degrees)
            return math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0.0, 0.0
        case "rotate", [degrees, x, y]:
            there = _times((1.0, 0.0, 0.0, 1.0, x, y), _single("rotate", [degrees]))
            return _times(there, (1.0, 0.0, 0.0, 1.0, -x, -y))
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
    raise ValueError(f"drawings do not use {name}({numbers})")


def _times(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def _number(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib.get(name, 0.0))


def _outlines(tag: str, element: ElementTree.Element) -> list[tuple[list[Point], bool]]:
    def number(name: str) -> float:
        return _number(element, name)

    match tag:
        case "path":
            return list(_path(element.attrib["d"]))
        case "circle":
            return [(_ellipse(number("cx"), number("cy"), number("r"), number("r")), True)]
        case "ellipse":
            return [(_ellipse(number("cx"), number("cy"), number("rx"), number("ry")), True)]
        case "rect":
            radius = max(number("rx"), number("ry"))
            return [(_rect(number("x"), number("y"), number("width"), number("height"), radius), True)]
        case "line":
            return [([(number("x1"), number("y1")), (number("x2"), number("y2"))], False)]
        case "polyline" | "polygon":
            numbers = [float(found) for found in re.split(r"[\s,]+", element.attrib["points"].strip())]
            return [(list(zip(numbers[::2], numbers[1::2], strict=True)), tag == "polygon")]
    raise ValueError(f"drawings do not use <{tag}>")


def _ellipse(x: float, y: float, rx: float, ry: float) -> list[Point]:
    steps = 48
    turns = (math.tau * i / steps for i in range(steps))
    return [(x + rx * math.cos(turn), y + ry * math.sin(turn)) for turn in turns]


def _rect(x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
    if not radius:
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    corners = [(x + width, y, 270), (x + width, y + height, 0), (x, y + height, 90), (x, y, 180)]
    points = []
    for corner_x, corner_y, first in corners:
        centre_x = corner_x - radius if corner_x > x else corner_x + radius
        centre_y = corner_y - radius if corner_y > y else corner_y + radius
        for step in range(9):
            turn = math.radians(first + step * 90 / 8)
            points.append((centre_x + radius * math.cos(turn), centre_y + radius * math.sin(turn)))
    return points


_TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


def _path(d: str) -> Iterator[tuple[list[Point], bool]]:
    """The outlines of a path, curves flattened; the second part says whether the outline was closed."""
    points: list[Point] = []
    here, handle = (0.0, 0.0), None
    for command, numbers in _commands(d):
        if command in "Zz":
            if points:
                yield points, True
                here = points[0]
            points, handle = [], None
            continue
        if command in "Mm":
            if len(points) > 1:
                yield points, False
            here = _absolute(command, numbers, here)[-1]
            points, handle = [here], None
            continue
        points = points or [here]
        added, handle = _segment(command, numbers, here, handle)
        points += added
        here = points[-1]
    if len(points) > 1:
        yield points, False


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    tokens = [(letter, number) for letter, number in _TOKEN.findall(d)]
    i, command = 0, ""
    while i < len(tokens):
        if tokens[i][0]:
            command, i = tokens[i][0], i + 1
        takes = _TAKES[command.upper()]
        yield command, [float(number) for _, number in tokens[i : i + takes]]
        i += takes
        # Further pairs after a move are lines.
        command = {"M": "L", "m": "l"}.get(command, command)


def _absolute(command: str, numbers: list[float], here: Point) -> list[Point]:
    dx, dy = here if command.islower() else (0.0, 0.0)
    return [(x + dx, y + dy) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def _segment(command: str, numbers: list[float], here: Point, handle: Point | None) -> tuple[list[Point], Point | None]:
    """The points of one drawn segment, and the handle that a smooth one after it mirrors."""
    kind = command.upper()
    if kind == "H":
        return [(numbers[0] + (here[0] if command == "h" else 0.0), here[1])], None
    if kind == "V":
        return [(here[0], numbers[0] + (here[1] if command == "v" else 0.0))], None
    if kind == "A":
        end = _absolute(command, numbers[5:], here)[0]
        return _arc(
            here, numbers[0], numbers[1], math.radians(numbers[2]), bool(numbers[3]), bool(numbers[4]), end
        ), None
    given = _absolute(command, numbers, here)
    if kind == "L":
        return given, None
    mirrored = (2 * here[0] - handle[0], 2 * here[1] - handle[1]) if handle else here
    bends = [mirrored, *given] if kind in "ST" else given
    return _bezier([here, *bends]), bends[-2]


def _bezier(handles: list[Point], steps: int = 12) -> list[Point]:
    points = []
    for step in range(1, steps + 1):
        t, level = step / steps, handles
        while len(level) > 1:
            level = [((1 - t) * p[0] + t * q[0], (1 - t) * p[1] + t * q[1]) for p, q in pairwise(level)]
        points.append(level[0])
    return points


def _arc(start: Point, rx: float, ry: float, tilt: float, large: bool, sweep: bool, end: Point) -> list[Point]:
    """An elliptical arc by its ends, as SVG's implementation notes work out the centre."""
    if not rx or not ry or start == end:
        return [end]
    rx, ry = abs(rx), abs(ry)
    cos, sin = math.cos(tilt), math.sin(tilt)
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = cos * half_x + sin * half_y, -sin * half_x + cos * half_y
    stretch = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * stretch, ry * stretch
    inside = (rx * ry) ** 2 / ((rx * y) ** 2 + (ry * x) ** 2) - 1
    reach = math.sqrt(max(0.0, inside)) * (1 if large != sweep else -1)
    centre_x, centre_y = reach * rx * y / ry, -reach * ry * x / rx
    middle = (
        cos * centre_x - sin * centre_y + (start[0] + end[0]) / 2,
        sin * centre_x + cos * centre_y + (start[1] + end[1]) / 2,
    )
    first = math.atan2((y - centre_y) / ry, (x - centre_x) / rx)
    last = math.atan2((-y - centre_y) / ry, (-x - centre_x) / rx)
    span = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    steps = max(2, math.ceil(abs(span) / math.tau * 48))
    turns = (first + span * step / steps for step in range(1, steps + 1))
    return [
        (
            middle[0] + rx * math.cos(t) * cos - ry * math.sin(t) * sin,
            middle[1] + rx * math.cos(t) * sin + ry * math.sin(t) * cos,
        )
        for t in turns
    ]
