"""Mats and corner cards: what is printed on them and where their markers lie; the one truth about marker geometry.

All is in the millimetres of the game's board: the origin in the middle, x to the right, y towards the near edge. The
markers of a mat lie exactly where it says. Corner cards are laid by hand around the playing area, so only the size of a
marker is sure there, and which way is up; their distances are found by the camera.

A print at the wrong scale is survived. Tiles, board and markers come off one printer, so whatever it does to one it
does to all: a tile stays as many marker sides wide as it was drawn. A camera that takes the side of a marker for
`MARKER_MM` measures in millimetres of the drawing, and every place is where the drawing has it.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from companion.art import Area, Drawing, Line, Point, Shape, Words
from companion.board import Board, Spot, Stroke
from companion.game import AnyGame
from companion.inks import colour
from companion.registry import games
from companion.said import say
from companion.table import Place

MARKER_MM = 30.0
"""The side of a marker with its black border."""
MODULES = 6
"""Four modules of bits and the border."""
QUIET_MM = MARKER_MM / MODULES
"""How much white a marker needs around it."""
_CORNER_MM = MARKER_MM + 2 * QUIET_MM
"""The room of a marker in the corner of a mat."""
CARD_MM = 60.0
"""The side of a corner card."""
CARD_REACH_MM = 34.0
"""How far, each way, the middle of a card's marker lies from the corner that points at the playing area."""

KINDS = ("mat", "cards")
CORNERS = (say("far left"), say("far right"), say("near right"), say("near left"))
"""As who sits at the near edge sees them, clockwise as ArUco names the corners of a marker."""
_OUTWARD: tuple[tuple[int, int], ...] = ((-1, -1), (1, -1), (1, 1), (-1, 1))

_FRAME_MM = 3.0
"""From the tiles of a zone to its frame."""
_SEAT_DEG = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}
"""How words are turned that are upright for who sits there."""
_BARE_MM = (550.0, 380.0)
"""A mat that only keeps tiles straight is no larger than one A2 sheet, or six of A4; tiles may lie beyond it."""

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed marker: its number and the middle of it; it always stands upright for the near edge."""

    number: int
    x_mm: float
    y_mm: float
    size_mm: float = MARKER_MM

    @property
    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Far left first, then clockwise: the order in which ArUco reports them."""
        half = self.size_mm / 2
        x, y = self.x_mm, self.y_mm
        return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


@dataclass(frozen=True, slots=True)
class Zone:
    """Places of one seat that lie side by side, and the frame around them: a formation, a pile."""

    seat: str
    places: tuple[Place, ...]
    frame_mm: Box

    @property
    def words(self) -> str:
        """``points`` for a single pile, the seat's name for a field of places."""
        return self.places[0].partition(":")[2] if len(self.places) == 1 else self.seat


@dataclass(frozen=True, slots=True)
class Leaf:
    """A piece of paper on the table: where its far left corner lies and what is printed on it."""

    left_mm: float
    top_mm: float
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat, or the four corner cards that stand for one."""

    game: str
    kind: str
    area_mm: tuple[float, float]
    """The playing area: the mat itself, or what the corner cards enclose."""
    markers: tuple[Marker, ...]
    leaves: tuple[Leaf, ...]
    zones: tuple[Zone, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the markers lie just where this says; cards are laid by hand, and only about there."""
        return self.kind == "mat"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a marker's number says."""

    game: str
    kind: str
    corner: str


@cache
def order() -> tuple[str, ...]:
    """The games in the order of their marker numbers: those of ``mats.toml``, then any other."""
    read = tomllib.loads((Path(__file__).parent / "mats.toml").read_text(encoding="utf-8"))
    listed: tuple[str, ...] = tuple(read["games"])
    return listed + tuple(sorted(games().keys() - set(listed)))


@cache
def marker_bits() -> tuple[tuple[str, ...], ...]:
    """For each number the four rows of a marker, ``1`` for white, without the black border."""
    read = tomllib.loads((Path(__file__).parent / "markers.toml").read_text(encoding="utf-8"))
    return tuple(tuple(read["bits"][str(number)].split()) for number in range(len(read["bits"])))


def marker_number(game: str, kind: str, corner: int) -> int:
    """The number that says this game, this kind of mat and this corner."""
    number = 8 * order().index(game) + 4 * KINDS.index(kind) + corner
    if number >= len(marker_bits()):
        raise ValueError(f"no markers are left for {game}: the dictionary ends at {len(marker_bits()) - 1}")
    return number


def meaning(number: int) -> Meaning | None:
    """What a seen number says; ``None`` for one that no mat of ours has."""
    index, rest = divmod(number, 8)
    if not 0 <= index < len(order()):
        return None
    return Meaning(order()[index], KINDS[rest // 4], CORNERS[rest % 4])


def mat(game: AnyGame) -> Mat:
    """The game's mat: its board, or the zones of its players, with a marker in each corner.

    The markers stand inside the board's corners where no tile can lie there; otherwise a strip is added left and right.
    """
    width, height = _mat_size(game)
    markers = tuple(
        Marker(marker_number(game.name, "mat", i), x * (width - _CORNER_MM) / 2, y * (height - _CORNER_MM) / 2)
        for i, (x, y) in enumerate(_OUTWARD)
    )
    zones = tuple(_zones(game))
    shapes = [*_underlay(game, (width, height), zones, markers)]
    for marker in markers:
        shapes += marker_shapes(marker)
    drawn = Drawing(width, height, tuple(moved(shape, width / 2, height / 2) for shape in shapes))
    return Mat(game.name, "mat", (width, height), markers, (Leaf(-width / 2, -height / 2, drawn),), zones)


def cards(game: AnyGame) -> Mat:
    """The four corner cards: each one's arrow points at, and for a board of one's own touches, a corner of the area."""
    width, height = _area_size(game)
    markers, leaves = [], []
    for i, (x, y) in enumerate(_OUTWARD):
        number = marker_number(game.name, "cards", i)
        tip_x, tip_y = x * width / 2, y * height / 2
        markers.append(Marker(number, tip_x + x * CARD_REACH_MM, tip_y + y * CARD_REACH_MM))
        drawn = Drawing(CARD_MM, CARD_MM, tuple(_card_shapes(game.title, number, i)))
        leaves.append(Leaf(min(tip_x, tip_x + x * CARD_MM), min(tip_y, tip_y + y * CARD_MM), drawn))
    return Mat(game.name, "cards", (width, height), tuple(markers), tuple(leaves), tuple(_zones(game)))


@cache
def mat_of(game: str, kind: str) -> Mat:
    """The mat or the cards of a game, kept: a camera asks for them with every picture."""
    return (mat if kind == "mat" else cards)(games()[game])


def marker_shapes(marker: Marker) -> Iterator[Shape]:
    """A marker on its own white ground."""
    left, top = marker.corners_mm[0]
    module = marker.size_mm / MODULES
    yield Area((_rectangle(left - module, top - module, (MODULES + 2) * module, (MODULES + 2) * module),), "#ffffff")
    yield Area((_rectangle(left, top, marker.size_mm, marker.size_mm),), colour("marker"))
    rows = marker_bits()[marker.number]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    # White runs both ways overlap, so that no viewer shows a seam between neighbouring modules.
    for row, first, count in _runs(rows):
        yield Area((_rectangle(left + first * module, top + row * module, count * module, module),), "#ffffff")
    for column, first, count in _runs(columns):
        yield Area((_rectangle(left + column * module, top + first * module, module, count * module),), "#ffffff")


def stroke_shapes(board: Board) -> Iterator[Shape]:
    """What is printed on a board, in its own millimetres."""
    for stroke in board.strokes:
        yield from _stroke_shapes(stroke)


def moved(shape: Shape, right: float, down: float) -> Shape:
    """The same shape elsewhere."""
    match shape:
        case Area():
            outlines = tuple(tuple((x + right, y + down) for x, y in outline) for outline in shape.outlines)
            return replace(shape, outlines=outlines)
        case Line():
            return replace(shape, points=tuple((x + right, y + down) for x, y in shape.points))
        case Words():
            return replace(shape, at=(shape.at[0] + right, shape.at[1] + down))


def _runs(rows: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The runs of white: row, first module, how many; counted with the border."""
    for row, bits in enumerate(rows, start=1):
        for run in re.finditer("1+", bits):
            yield row, run.start() + 1, len(run.group())


def _rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)


def _circle(x: float, y: float, radius: float) -> tuple[Point, ...]:
    steps = max(24, math.ceil(radius * 2))
    turns = (math.tau * i / steps for i in range(steps))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def _stroke_shapes(stroke: Stroke) -> Iterator[Shape]:
    ink = colour(stroke.ink)
    match stroke.kind:
        case "text":
            for at in stroke.points:
                yield Words(at, stroke.words, stroke.radius_mm, ink, "middle", True)
            return
        case "line":
            yield Line(stroke.points, stroke.width_mm, ink)
            return
        case "circle":
            outlines = [_circle(x, y, stroke.radius_mm) for x, y in stroke.points]
        case "polygon":
            outlines = [stroke.points]
        case _:
            raise ValueError(f"a stroke is a circle, line, polygon or text, not {stroke.kind!r}")
    for outline in outlines:
        yield Area((outline,), ink) if stroke.fill else Line((*outline, outline[0]), stroke.width_mm, ink)


def _area_size(game: AnyGame) -> tuple[float, float]:
    """The board without its empty rim, or the whole board where only that has room for markers in its corners."""
    used = _used_size(game)
    return game.board.size_mm if not _has_room(game, used) and _has_room(game, game.board.size_mm) else used


def _mat_size(game: AnyGame) -> tuple[float, float]:
    width, height = _area_size(game)
    if _has_room(game, (width, height)):
        return width, height
    return width + 2 * _CORNER_MM, max(height, 2 * _CORNER_MM)


def _has_room(game: AnyGame, size: tuple[float, float]) -> bool:
    """Whether a marker fits in each corner without lying under a tile or in a zone."""
    taken = _footprints(game) + [zone.frame_mm for zone in _zones(game)]
    corners = _corner_boxes(*size)
    return min(size) >= 2 * _CORNER_MM and not any(_touch(corner, box) for corner in corners for box in taken)


def _used_size(game: AnyGame) -> tuple[float, float]:
    """How large a sheet around the origin holds all print and all tiles on their places, up to the board's own size."""
    if not game.board.strokes and not game.board.places:
        used = _BARE_MM
    else:
        printed = [
            _grown((x, y, x, y), stroke.radius_mm + (0.0 if stroke.fill else stroke.width_mm / 2))
            for stroke in game.board.strokes
            for x, y in stroke.points
        ]
        boxes = printed + _footprints(game) + [zone.frame_mm for zone in _zones(game)]
        used = (
            2 * max(max(-box[0], box[2]) for box in boxes),
            2 * max(max(-box[1], box[3]) for box in boxes),
        )
    return min(round(used[0], 3), game.board.size_mm[0]), min(round(used[1], 3), game.board.size_mm[1])


def _corner_boxes(width: float, height: float) -> list[Box]:
    middles = [(x * (width - _CORNER_MM) / 2, y * (height - _CORNER_MM) / 2) for x, y in _OUTWARD]
    return [_grown((x, y, x, y), _CORNER_MM / 2) for x, y in middles]


def _footprints(game: AnyGame) -> list[Box]:
    return [_footprint(game, spot) for spot in game.board.places.values()]


def _footprint(game: AnyGame, spot: Spot) -> Box:
    width, height = game.catalogue.size_mm
    turn = math.radians(spot.angle_deg)
    wide = abs(width * math.cos(turn)) + abs(height * math.sin(turn))
    high = abs(width * math.sin(turn)) + abs(height * math.cos(turn))
    return spot.x_mm - wide / 2, spot.y_mm - high / 2, spot.x_mm + wide / 2, spot.y_mm + high / 2


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _zones(game: AnyGame) -> Iterator[Zone]:
    """The places whose names begin with a seat and a colon, those that lie side by side together."""
    fields: list[Zone] = []
    for place, spot in game.board.places.items():
        seat, colon, _ = place.partition(":")
        if not colon:
            continue
        zone = Zone(seat, (place,), _grown(_footprint(game, spot), _FRAME_MM))
        near = [field for field in fields if field.seat == seat and _touch(field.frame_mm, zone.frame_mm)]
        fields = [field for field in fields if field not in near]
        fields.append(_joined([*near, zone]))
    yield from fields


def _joined(zones: list[Zone]) -> Zone:
    frames = [zone.frame_mm for zone in zones]
    frame = (
        min(frame[0] for frame in frames),
        min(frame[1] for frame in frames),
        max(frame[2] for frame in frames),
        max(frame[3] for frame in frames),
    )
    return Zone(zones[0].seat, tuple(place for zone in zones for place in zone.places), frame)


def _underlay(
    game: AnyGame, size: tuple[float, float], zones: tuple[Zone, ...], markers: tuple[Marker, ...]
) -> Iterator[Shape]:
    yield from stroke_shapes(game.board)
    if not game.board.strokes:
        yield from _outlines(game, game.board.places)
    for zone in zones:
        yield from _zone_shapes(game, zone)
    if game.board.lattice is not None:
        taken = [zone.frame_mm for zone in zones]
        taken += [(*marker.corners_mm[0], *marker.corners_mm[2]) for marker in markers]
        yield from _lattice_shapes(game.board.lattice.pitch_mm, size, [_grown(box, 8.0) for box in taken])


def _zone_shapes(game: AnyGame, zone: Zone) -> Iterator[Shape]:
    """Frame and name; only the places where the board brings its own print."""
    if game.board.strokes:
        yield from _outlines(game, zone.places)
        return
    left, top, right, bottom = zone.frame_mm
    frame = _rectangle(left, top, right - left, bottom - top)
    yield Line((*frame, frame[0]), 0.5, colour("zone"))
    middle = Spot((left + right) / 2, (top + bottom) / 2, _SEAT_DEG.get(zone.seat, 0.0))
    at = _turned(((0.0, 1.4),), middle)[0]
    yield Words(at, zone.words, 4.2, colour("zone"), "middle", True, middle.angle_deg)


def _outlines(game: AnyGame, places: Iterable[Place]) -> Iterator[Shape]:
    for place in places:
        outline = _turned(_rectangle(*_half(game), *game.catalogue.size_mm), game.board.places[place])
        yield Line((*outline, outline[0]), 0.25, colour("outline"))


def _half(game: AnyGame) -> Point:
    width, height = game.catalogue.size_mm
    return -width / 2, -height / 2


def _turned(points: tuple[Point, ...], spot: Spot) -> tuple[Point, ...]:
    cos, sin = math.cos(math.radians(spot.angle_deg)), math.sin(math.radians(spot.angle_deg))
    return tuple((spot.x_mm + x * cos - y * sin, spot.y_mm + x * sin + y * cos) for x, y in points)


def _lattice_shapes(pitch: float, size: tuple[float, float], taken: list[Box]) -> Iterator[Shape]:
    """Small crosses where the corners of four tiles meet, which keep the area straight without drawing a board."""
    across, down = int(size[0] / 2 / pitch), int(size[1] / 2 / pitch)
    arm = 1.5
    for column in range(-across, across):
        for row in range(-down, down):
            x, y = (column + 0.5) * pitch, (row + 0.5) * pitch
            if not any(_touch((x, y, x, y), box) for box in taken):
                yield Line(((x - arm, y), (x + arm, y)), 0.3, colour("outline"))
                yield Line(((x, y - arm), (x, y + arm)), 0.3, colour("outline"))


def _card_shapes(title: str, number: int, corner: int) -> Iterator[Shape]:
    """A card in its own millimetres; its tip is the corner that points at the playing area."""
    x, y = _OUTWARD[corner]
    tip_x, tip_y = (CARD_MM if x < 0 else 0.0), (CARD_MM if y < 0 else 0.0)

    def out(along: float, across: float) -> Point:
        return tip_x + x * along, tip_y + y * across

    yield Area((_rectangle(0.0, 0.0, CARD_MM, CARD_MM),), "#ffffff")
    # The two edges that face the area, and the arrow into it.
    bend = (out(0, 0), out(CARD_MM, 0), out(CARD_MM, 1.6), out(1.6, 1.6), out(1.6, CARD_MM), out(0, CARD_MM))
    yield Area((bend,), colour("line"))
    yield Line((out(5, 5), out(12.5, 12.5)), 1.6, colour("line"))
    yield Area(((out(3, 3), out(9.5, 4.5), out(4.5, 9.5)),), colour("line"))
    yield from marker_shapes(Marker(number, *out(CARD_REACH_MM, CARD_REACH_MM)))
    middle = out(CARD_REACH_MM, CARD_REACH_MM)[0]
    outer, inner = (4.4, CARD_MM - 5.6) if y < 0 else (CARD_MM - 2.2, 8.0)
    yield Words((middle, outer), title, min(3.0, 80 / len(title)), colour("words"), "middle", True)
    yield Words((middle, inner), CORNERS[corner], 3.0, colour("words"), "middle")
