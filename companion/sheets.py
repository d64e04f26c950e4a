"""Lays out what a printer prints, in millimetres: tiles and backs, boards and mats over several sheets, corner cards.

Everything here is shapes on sheets; `companion.printing` turns them into PDF, and the tests look at them as they are.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from companion.art import Area, Drawing, Line, Point, Shape, Words, drawing
from companion.game import AnyGame
from companion.inks import colour
from companion.mats import Box, cards, mat
from companion.said import say
from companion.tiles import Tile

HEAD_MM = 15.0
FOOT_MM = 12.0
RULER_MM = 100.0
GAP_MM = 4.0
"""Between two tiles, so that each may be cut a little wide."""
BLEED_MM = 1.5
"""How far a face goes on beyond its cut line; a back goes on as far as the gap lets it."""
MARKS_MM = 5.0
"""Room for cut marks around the tiles."""
OVERLAP_MM = 10.0
"""How far two sheets of one board lie over each other."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, and the rim on which printers cannot print."""

    name: str
    width_mm: float
    height_mm: float
    margin_mm: float

    def turned(self) -> "Paper":
        return Paper(self.name, self.height_mm, self.width_mm, self.margin_mm)

    @property
    def body(self) -> Box:
        """What is left between the head and the foot of a sheet."""
        return (
            self.margin_mm,
            self.margin_mm + HEAD_MM,
            self.width_mm - self.margin_mm,
            self.height_mm - self.margin_mm - FOOT_MM,
        )


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        "a4": Paper("A4", 210.0, 297.0, 8.0),
        "letter": Paper("Letter", 215.9, 279.4, 8.0),
        "a3": Paper("A3", 297.0, 420.0, 6.0),
        "a2": Paper("A2", 420.0, 594.0, 6.0),
    }
)


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes that belong together, and the window beyond which nothing of them shows."""

    what: str
    """``face sword white``, ``back sword white``, ``part B2``, ``card far left``."""
    frame: Box
    """Where the thing itself lies: what is left of it when it is cut out."""
    window: Box
    at: Point
    """Where on the sheet the shapes' own origin lies."""
    shapes: tuple[Shape, ...]
    is_round: bool = False
    """Whether the window is the ellipse in its box."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a paper: pictures, and around them the head, the foot and the marks."""

    paper: Paper
    pictures: tuple[Picture, ...]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Sheets that are printed together: one file."""

    name: str
    title: str
    sheets: tuple[Sheet, ...]
    two_sided: bool = False


def bundles(game: AnyGame, paper: Paper) -> tuple[Bundle, ...]:
    """Everything there is to print for a game."""
    return tile_sheets(game, paper), mat_sheets(game, paper), card_sheets(game, paper)


def face_of(game: AnyGame, tile: Tile, owner: str | None) -> Drawing:
    """The face of a tile; a plain lettered one where the game has no pictures."""
    if game.face is not None:
        return _for_print(game.face(tile.name, owner))
    letter = tile.letter if tile.letter.isascii() else tile.title
    return _plain(game, owner, letter, tile.title if letter != tile.title else "")


def back_of(game: AnyGame, tile: Tile, owner: str | None) -> Drawing:
    """The back of a tile: the owner's, or its face again where both sides count."""
    if tile.values.get("both_sides"):
        return face_of(game, tile, owner)
    return _for_print(game.back(owner)) if game.back is not None else _plain(game, owner, "", game.title)


FINEST_MM = 0.02
"""A dot of a printer at 1200 dpi: a curve need not be followed more closely."""


@cache
def _for_print(svg: str) -> Drawing:
    """A picture without the points that no printer could show, which are most of them where the picture is small."""
    read = drawing(svg)
    return replace(read, shapes=tuple(_thinned(shape) for shape in read.shapes))


def _thinned(shape: Shape) -> Shape:
    match shape:
        case Area():
            # Both halves of a closed outline are thinned apart, since its ends meet.
            halves = [(outline[: len(outline) // 2 + 1], outline[len(outline) // 2 :]) for outline in shape.outlines]
            outlines = tuple(_followed(first)[:-1] + _followed((*second, first[0]))[:-1] for first, second in halves)
            return replace(shape, outlines=outlines)
        case Line():
            return replace(shape, points=_followed(shape.points))
        case Words():
            return shape


def _followed(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """The fewest points of a line that keep it within `FINEST_MM`, by Douglas and Peucker's rule."""
    kept = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        (x, y), (end_x, end_y) = points[first], points[last]
        along, across = end_x - x, end_y - y
        length = math.hypot(along, across)
        farthest, most = 0, FINEST_MM
        for i in range(first + 1, last):
            right, down = points[i][0] - x, points[i][1] - y
            off = abs(along * down - across * right) / length if length else math.hypot(right, down)
            if off > most:
                farthest, most = i, off
        if farthest:
            kept.add(farthest)
            spans += [(first, farthest), (farthest, last)]
    return tuple(points[i] for i in sorted(kept))


def _plain(game: AnyGame, owner: str | None, letter: str, title: str) -> Drawing:
    """A tile without a picture: its letter, its title, its owner's colour."""
    width, height = game.catalogue.size_mm
    ground = owner if owner in ("white", "black") else "sheet"
    ink = colour("white" if ground == "black" else "line")
    shapes: list[Shape] = [Area((_outline(game, (0.0, 0.0, width, height)),), colour(ground))]
    if letter:
        size = min(height * 0.42, 1.2 * width / len(letter))
        shapes.append(Words((width / 2, height / 2 + size * 0.3), letter, size, ink, "middle", True))
    if title:
        size = min(3.0, 1.4 * width / len(title))
        shapes.append(Words((width / 2, height * (0.82 if letter else 0.52)), title, size, ink, "middle"))
    return Drawing(width, height, tuple(shapes))


# Tiles.

_Copy: TypeAlias = tuple[Tile, str | None]
"""A tile and whose it is."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """How tiles stand on a sheet: in the middle of the paper, so that a flipped back meets its face."""

    paper: Paper
    tile_mm: tuple[float, float]
    columns: int
    rows: int

    @property
    def left(self) -> float:
        return (self.paper.width_mm - self.columns * (self.tile_mm[0] + GAP_MM) + GAP_MM) / 2

    @property
    def top(self) -> float:
        return self.paper.body[1] + MARKS_MM

    def frame(self, number: int) -> Box:
        row, column = divmod(number, self.columns)
        width, height = self.tile_mm
        left, top = self.left + column * (width + GAP_MM), self.top + row * (height + GAP_MM)
        return left, top, left + width, top + height

    def frame_behind(self, number: int) -> Box:
        """Where the back is printed: mirrored left to right, as the paper turns over its long edge."""
        left, top, right, bottom = self.frame(number)
        return self.paper.width_mm - right, top, self.paper.width_mm - left, bottom


def tile_sheets(game: AnyGame, paper: Paper) -> Bundle:
    """Every tile as often as the game has it: a sheet of faces, then the sheet of their backs, and so on."""
    grid = _tile_grid(paper, game.catalogue.size_mm)
    wanted = list(_copies(game))
    batches = [wanted[i : i + grid.columns * grid.rows] for i in range(0, len(wanted), grid.columns * grid.rows)]
    sheets: list[Sheet] = []
    for number, batch in enumerate(batches, start=1):
        numbered = say("sheet {n} of {all}", n=number, all=len(batches))
        sheets += [_face_sheet(game, grid, batch, numbered), _back_sheet(game, grid, batch, numbered)]
    return Bundle("tiles", f"{game.title}: tiles", tuple(sheets), two_sided=True)


_FACES_NOTE = say(
    "Print on both sides, flipped on the long edge; the backs are on the next page. Cut along the thin lines."
)
_BACKS_NOTE = say(
    "Mirrored left to right, so that every back lies behind its own face when the paper turns over its long edge."
)


def _face_sheet(game: AnyGame, grid: _Grid, batch: Sequence[_Copy], numbered: str) -> Sheet:
    faces = []
    for i, (tile, owner) in enumerate(batch):
        what = f"face {tile.name} {owner or ''}".rstrip()
        faces.append(_cut_out(game, what, face_of(game, tile, owner), grid.frame(i), BLEED_MM))
    front = say("{sheet}, front", sheet=numbered)
    head = _head(grid.paper, game.title, say("tiles · faces"), front, _mounting(game, _FACES_NOTE))
    return Sheet(grid.paper, tuple(faces), (*head, *_foot(grid.paper), *_cut_lines(game, faces)))


def _back_sheet(game: AnyGame, grid: _Grid, batch: Sequence[_Copy], numbered: str) -> Sheet:
    backs = []
    for i, (tile, owner) in enumerate(batch):
        what = f"back {tile.name} {owner or ''}".rstrip()
        backs.append(_cut_out(game, what, back_of(game, tile, owner), grid.frame_behind(i), GAP_MM / 2))
    back = say("{sheet}, back", sheet=numbered)
    head = _head(grid.paper, game.title, say("tiles · backs"), back, _BACKS_NOTE)
    return Sheet(grid.paper, tuple(backs), (*head, *_foot(grid.paper)))


def _mounting(game: AnyGame, note: str) -> str:
    thick = game.catalogue.thickness_mm
    return say("{note} Or glue both on {thick:g} mm board.", note=note, thick=thick) if thick >= 1 else note


def _tile_grid(paper: Paper, tile_mm: tuple[float, float]) -> _Grid:
    left, top, right, bottom = paper.body
    columns = int((right - left - 2 * MARKS_MM + GAP_MM) / (tile_mm[0] + GAP_MM))
    rows = int((bottom - top - 2 * MARKS_MM + GAP_MM) / (tile_mm[1] + GAP_MM))
    return _Grid(paper, tile_mm, columns, rows)


def _copies(game: AnyGame) -> Iterator[_Copy]:
    """All tiles of the first owner, then all of the next; those without an owner last."""
    owners: dict[str | None, None] = {owner: None for tile in game.catalogue for owner in tile.owners}
    for owner in (*owners, None):
        for tile in game.catalogue:
            if owner in tile.owners or (owner is None and not tile.owners):
                yield from [(tile, owner)] * tile.copies


def _cut_out(game: AnyGame, what: str, face: Drawing, frame: Box, bleed: float) -> Picture:
    left, top, right, bottom = frame
    window = (left - bleed, top - bleed, right + bleed, bottom + bleed)
    return Picture(what, frame, window, (left, top), _bled(face, bleed), is_round=game.catalogue.shape == "disc")


@cache
def _bled(face: Drawing, bleed: float) -> tuple[Shape, ...]:
    """A face, and under it what reaches its edges once more, a little larger."""
    wider, higher = 1 + 2 * bleed / face.width, 1 + 2 * bleed / face.height

    def grown(outline: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x * wider - bleed, y * higher - bleed) for x, y in outline)

    under = (
        replace(shape, outlines=tuple(grown(outline) for outline in shape.outlines))
        for shape in face.shapes
        if isinstance(shape, Area) and _at_the_edge(shape, face)
    )
    return (*under, *face.shapes)


def _at_the_edge(area: Area, face: Drawing) -> bool:
    near = 0.1
    return any(
        x < near or y < near or x > face.width - near or y > face.height - near
        for outline in area.outlines
        for x, y in outline
    )


def _outline(game: AnyGame, frame: Box) -> tuple[Point, ...]:
    left, top, right, bottom = frame
    if game.catalogue.shape != "disc":
        return (left, top), (right, top), (right, bottom), (left, bottom)
    turns = (math.tau * i / 72 for i in range(72))
    x, y, rx, ry = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
    return tuple((x + rx * math.cos(turn), y + ry * math.sin(turn)) for turn in turns)


def _cut_lines(game: AnyGame, faces: Sequence[Picture]) -> Iterator[Shape]:
    for face in faces:
        outline = _outline(game, face.frame)
        yield Line((*outline, outline[0]), 0.1, colour("cut"))
    if game.catalogue.shape != "disc":
        yield from _cut_ticks(faces)


def _cut_ticks(faces: Sequence[Picture]) -> Iterator[Shape]:
    """Short lines around all the tiles, to lay a ruler on."""
    first, last = 2.0, MARKS_MM - 0.2
    left, top = min(face.frame[0] for face in faces), min(face.frame[1] for face in faces)
    right, bottom = max(face.frame[2] for face in faces), max(face.frame[3] for face in faces)
    for x in sorted({face.frame[side] for face in faces for side in (0, 2)}):
        yield _hair((x, top - first), (x, top - last))
        yield _hair((x, bottom + first), (x, bottom + last))
    for y in sorted({face.frame[side] for face in faces for side in (1, 3)}):
        yield _hair((left - first, y), (left - last, y))
        yield _hair((right + first, y), (right + last, y))


def _hair(start: Point, end: Point, width: float = 0.15, ink: str = "line") -> Line:
    return Line((start, end), width, colour(ink))


# Boards and mats.


@dataclass(frozen=True, slots=True)
class _Split:
    """How a board is spread over sheets: so many each way, each showing as much as the others."""

    paper: Paper
    size_mm: tuple[float, float]
    columns: int
    rows: int

    @property
    def part_mm(self) -> tuple[float, float]:
        width, height = self.size_mm
        return (
            (width + (self.columns - 1) * OVERLAP_MM) / self.columns,
            (height + (self.rows - 1) * OVERLAP_MM) / self.rows,
        )

    def window(self) -> Box:
        """Where on the sheet the part is printed."""
        left, top, right, bottom = self.paper.body
        width, height = self.part_mm
        x, y = left + (right - left - width) / 2, top + (bottom - top - height) / 2
        return x, y, x + width, y + height

    def corner(self, column: int, row: int) -> Point:
        """Which point of the board lies at the window's left top."""
        width, height = self.part_mm
        return column * (width - OVERLAP_MM), row * (height - OVERLAP_MM)


def mat_sheets(game: AnyGame, paper: Paper) -> Bundle:
    """The game's board or mat with its markers, in one piece or in parts to be glued."""
    whole = mat(game)
    (leaf,) = whole.leaves
    noun = "mat" if whole.zones or game.board.lattice else "board"
    size = f"{leaf.drawing.width:.0f} × {leaf.drawing.height:.0f} mm"
    subject = say("mat · {size}" if noun == "mat" else "board · {size}", size=size)
    split = _split(paper, (leaf.drawing.width, leaf.drawing.height))
    sheets = [
        _mat_sheet(game.title, subject, split, leaf.drawing, column, row)
        for row in range(split.rows)
        for column in range(split.columns)
    ]
    return Bundle(noun, f"{game.title}: {noun}", tuple(sheets))


_GLUE_NOTE = say("Cut along the thin lines. Glue each sheet on the hatched strips of its neighbours, edge on line.")
_WHOLE_NOTE = say(
    "Cut along the thin line. Keep the markers flat and uncovered: by them the camera knows where the board lies."
)
_MAP_MM = 13.0


def _mat_sheet(title: str, subject: str, split: _Split, whole: Drawing, column: int, row: int) -> Sheet:
    number, count = row * split.columns + column + 1, split.columns * split.rows
    numbered = say("sheet {n} of {all}", n=number, all=count)
    if count == 1:
        head = _head(split.paper, title, subject, numbered, _WHOLE_NOTE)
    else:
        numbered = say("{part} · {sheet}", part=_part(column, row), sheet=numbered)
        head = _head(split.paper, title, subject, numbered, _GLUE_NOTE, room=_MAP_MM + 4.0)
    marks = (*_glue_marks(split, column, row), *_small_map(split, column, row))
    return Sheet(split.paper, (_part_picture(split, whole, column, row),), (*head, *_foot(split.paper), *marks))


def _part(column: int, row: int) -> str:
    return f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[column]}{row + 1}"


def _split(paper: Paper, size_mm: tuple[float, float]) -> _Split:
    """Upright or sideways, whichever takes fewer sheets."""
    ways = []
    for turned in (paper, paper.turned()):
        left, top, right, bottom = turned.body
        columns, rows = _parts(size_mm[0], right - left), _parts(size_mm[1], bottom - top)
        ways.append(_Split(turned, size_mm, columns, rows))
    return min(ways, key=lambda way: way.columns * way.rows)


def _parts(length: float, room: float) -> int:
    if length <= room:
        return 1
    return math.ceil((length - OVERLAP_MM) / (room - OVERLAP_MM))


def _part_picture(split: _Split, whole: Drawing, column: int, row: int) -> Picture:
    window = split.window()
    x, y = split.corner(column, row)
    shown = (x, y, x + split.part_mm[0], y + split.part_mm[1])
    inside = tuple(shape for shape in whole.shapes if _reaches(shape, shown))
    return Picture(f"part {_part(column, row)}", window, window, (window[0] - x, window[1] - y), inside)


def _reaches(shape: Shape, window: Box) -> bool:
    """Whether any of a shape may show; words are not measured here and always may."""
    match shape:
        case Area():
            points = [point for outline in shape.outlines for point in outline]
        case Line():
            points = list(shape.points)
        case Words():
            return True
    slack = shape.width if isinstance(shape, Line) else 0.0
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (
        min(xs) - slack < window[2]
        and max(xs) + slack > window[0]
        and min(ys) - slack < window[3]
        and max(ys) + slack > window[1]
    )


def _glue_marks(split: _Split, column: int, row: int) -> Iterator[Shape]:
    """Cut lines around the part, and hatched strips on which the neighbours are glued."""
    left, top, right, bottom = split.window()
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    yield Line((*corners, corners[0]), 0.15, colour("cut"))
    if column + 1 < split.columns:
        edge = right - OVERLAP_MM
        yield from _hatching((edge, top, right, bottom))
        yield _hair((edge, top), (edge, bottom))
        yield from _glue_words(((edge + right) / 2, (top + bottom) / 2), _part(column + 1, row), upright=False)
    if row + 1 < split.rows:
        edge = bottom - OVERLAP_MM
        yield from _hatching((left, edge, right, bottom))
        yield _hair((left, edge), (right, edge))
        yield from _glue_words(((left + right) / 2, (edge + bottom) / 2), _part(column, row + 1), upright=True)


def _glue_words(at: Point, neighbour: str, upright: bool) -> Iterator[Shape]:
    """What belongs on the strip, on a white ground over the hatching."""
    x, y = at
    long, short = 40.0, 6.0
    width, height = (long, short) if upright else (short, long)
    yield Area((_box_outline(x - width / 2, y - height / 2, width, height),), colour("sheet"))
    words = say("{part} is glued on here", part=neighbour)
    if upright:
        yield Words((x, y + 1.0), words, 2.8, colour("words"), "middle")
    else:
        yield Words((x - 1.0, y), words, 2.8, colour("words"), "middle", False, 90.0)


def _hatching(strip: Box) -> Iterator[Shape]:
    """Thin slanting lines over a strip; the neighbour covers them."""
    left, top, right, bottom = strip
    slant = min(right - left, bottom - top)
    if right - left < bottom - top:
        for i in range(int((bottom - top - slant) / 5) + 1):
            yield _hair((left, top + slant + i * 5), (right, top + i * 5), 0.12, "cut")
    else:
        for i in range(int((right - left - slant) / 5) + 1):
            yield _hair((left + slant + i * 5, top), (left + i * 5, bottom), 0.12, "cut")


def _small_map(split: _Split, column: int, row: int) -> Iterator[Shape]:
    """In the head: all the sheets, this one filled."""
    if split.columns * split.rows == 1:
        return
    width, height = split.size_mm
    scale = min(_MAP_MM / width, _MAP_MM / height)
    right, top = split.paper.width_mm - split.paper.margin_mm, split.paper.margin_mm
    cell_x, cell_y = width * scale / split.columns, height * scale / split.rows
    left = right - width * scale
    here = _box_outline(left + column * cell_x, top + row * cell_y, cell_x, cell_y)
    yield Area((here,), colour("highlight"))
    for across in range(split.columns):
        for down in range(split.rows):
            outline = _box_outline(left + across * cell_x, top + down * cell_y, cell_x, cell_y)
            yield Line((*outline, outline[0]), 0.2, colour("line"))


def _box_outline(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)


# Corner cards.


def card_sheets(game: AnyGame, paper: Paper) -> Bundle:
    """The four corner cards on one sheet, and how to lay them."""
    whole = cards(game)
    side, gap = whole.leaves[0].drawing.width, 10.0
    left, top = (paper.width_mm - 2 * side - gap) / 2, paper.body[1] + MARKS_MM
    pictures, marks = [], []
    for number, leaf in enumerate(whole.leaves):
        x, y = left + (number in (1, 2)) * (side + gap), top + (number in (2, 3)) * (side + gap)
        frame = (x, y, x + side, y + side)
        pictures.append(Picture(f"card {number}", frame, frame, (x, y), leaf.drawing.shapes))
        outline = _outline_of(frame)
        marks.append(Line((*outline, outline[0]), 0.15, colour("cut")))
    note = say("Cut out the four cards. They stand for a mat on any table.")
    head = _head(paper, game.title, say("corner cards"), say("sheet {n} of {all}", n=1, all=1), note)
    how = _laying(paper, whole.area_mm, not game.board.lattice and not whole.zones, top + 2 * side + gap + 14.0)
    return Bundle(
        "corners", f"{game.title}: corner cards", (Sheet(paper, tuple(pictures), (*head, *_foot(paper), *marks, *how)),)
    )


def _outline_of(frame: Box) -> tuple[Point, ...]:
    return _box_outline(frame[0], frame[1], frame[2] - frame[0], frame[3] - frame[1])


def _laying(paper: Paper, area_mm: tuple[float, float], has_board: bool, top: float) -> Iterator[Shape]:
    """A small picture of the table with the cards on it, and the words to it."""
    scale = min(56.0 / area_mm[0], 44.0 / area_mm[1])
    width, height, card = area_mm[0] * scale, area_mm[1] * scale, 9.0
    left, high = paper.body[0] + MARKS_MM + card, top + card
    area = _box_outline(left, high, width, height)
    yield Area((area,), colour("zone-fill"))
    yield Line((*area, area[0]), 0.2, colour("zone"))
    yield Words((left + width / 2, high + height / 2 + 1.0), say("playing area"), 2.8, colour("words"), "middle")
    for x, y, right, down in ((0, 0, -1, -1), (1, 0, 0, -1), (1, 1, 0, 0), (0, 1, -1, 0)):
        corner = _box_outline(left + x * width + right * card, high + y * height + down * card, card, card)
        yield Line((*corner, corner[0]), 0.3, colour("line"))
        out_x, out_y = (1 if x else -1), (1 if y else -1)
        tip = left + x * width, high + y * height
        yield Area(
            ((tip, (tip[0] + out_x * 4.4, tip[1] + out_y * 1.4), (tip[0] + out_x * 1.4, tip[1] + out_y * 4.4)),),
            colour("line"),
        )
    for number, line in enumerate(_laying_words(area_mm, has_board)):
        yield Words((left + 56.0 + card + 10.0, top + 6.0 + number * 5.2), line, 3.1, colour("words"))


def _laying_words(area_mm: tuple[float, float], has_board: bool) -> tuple[str, ...]:
    board = (say("With a board let each arrow's tip touch a corner of the board."), "") if has_board else ()
    size = f"{area_mm[0]:.0f} × {area_mm[1]:.0f} mm"
    return (
        say("Lay the cards around the playing area, every arrow pointing into it,"),
        say("and all words upright for the player at the near edge."),
        say("The area drawn here is {size}. It may be larger or smaller:", size=size),
        say("the camera finds the distances by the size of the markers."),
        "",
        *board,
        say("Keep the cards flat, whole and in the camera's sight; lay nothing"),
        say("on the black and white squares, nor on the white rim around them."),
    )


# Head and foot of every sheet.


def _head(paper: Paper, title: str, subject: str, count: str, note: str, room: float = 0.0) -> Iterator[Shape]:
    left, right, top = paper.margin_mm, paper.width_mm - paper.margin_mm - room, paper.margin_mm
    yield Words((left, top + 5.0), title, 5.2, colour("line"), "start", True)
    yield Words(
        (right, top + 5.0), say("{subject} · {count}", subject=subject, count=count), 3.4, colour("words"), "end"
    )
    yield _hair((left + 0.2, top + 7.4), (right - 0.2, top + 7.4), 0.3)
    yield Words((left, top + 11.4), note, 2.7, colour("words"))


def _foot(paper: Paper) -> Iterator[Shape]:
    """The ruler, and how to print."""
    left, base = paper.margin_mm + 1.0, paper.height_mm - paper.margin_mm - 4.6
    comb: list[Point] = []
    for mm in range(int(RULER_MM) + 1):
        rise = 3.4 if mm % 50 == 0 else 2.6 if mm % 10 == 0 else 1.8 if mm % 5 == 0 else 1.0
        comb += [(left + mm, base), (left + mm, base - rise), (left + mm, base)]
    yield Line(tuple(comb), 0.15, colour("line"))
    for mm in range(0, int(RULER_MM) + 1, 10):
        words = f"{mm} mm" if mm == RULER_MM else f"{mm}"
        yield Words((left + mm, base + 3.2), words, 2.3, colour("words"), "middle")
    right = paper.width_mm - paper.margin_mm
    yield Words((right, base - 0.6), say("print at 100 %"), 3.8, colour("line"), "end", True)
    advice = say("{paper}, not fitted to the page: the ruler is {n:g} mm long", paper=paper.name, n=RULER_MM)
    yield Words((right, base + 3.2), advice, 2.3, colour("words"), "end")
