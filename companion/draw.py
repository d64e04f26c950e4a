"""Draws any game from its layout: as signs for a terminal, and as SVG for a page."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

from companion.board import Board, Spot, Stroke, cell, cell_of, is_cell
from companion.game import AnyGame, Mark
from companion.inks import colour
from companion.said import called, say
from companion.table import FACE_DOWN, Layout, Piece, Place

ARROWS = "▲▶▼◀"
_WIDTH = 72
"""Columns of a terminal that a board should fill."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One character of a drawn board, what colour word it is written in and on what ground it stands."""

    sign: str = " "
    ink: str = ""
    ground: str = ""


def terminal_board(game: AnyGame, state: Any, lit: Sequence[Place] = ()) -> list[list[Sign]]:
    """The table as rows of signs: tiles by their letters, empty places by their names, lit places on bright ground."""
    layout, marks = game.layout(state), game.marks(state)
    spots = _shown_spots(game.board, [*layout, *(mark.place for mark in marks), *lit])
    sheet = _Sheet(spots, game.board)
    if not any(stroke.fill for stroke in game.board.strokes):
        for stroke in game.board.strokes:
            sheet.stroke(stroke)
    for place, spot in spots.items():
        if place not in layout:
            sheet.write(spot, [sheet.name(place, game.board)], "faint", _ground(game.board, spot, place, lit))
    for place, labelled in _labelled(marks).items():
        sheet.write_below(spots[place], labelled)
    for place, piece in layout.items():
        sheet.write(
            spots[place], letters(game, piece), piece.owner or "tile", _ground(game.board, spots[place], place, lit)
        )
    for mark in marks:
        sheet.tint_quarters(spots[mark.place], mark)
    return sheet.rows()


def plain(rows: Iterable[Iterable[Sign]]) -> str:
    """Drawn rows as text without colour."""
    return "\n".join("".join(sign.sign for sign in row).rstrip() for row in rows)


def letters(game: AnyGame, piece: Piece) -> list[str]:
    """A tile in a few signs, line by line: its letter, small for the second owner, with an arrow if it can face."""
    if piece.tile not in game.catalogue:
        return piece.tile.split("/")
    tile = game.catalogue[piece.tile]
    letter = tile.letters.get(piece.owner or "", tile.letter)
    if letter == tile.letter and tile.owners and piece.owner in tile.owners[1:]:
        letter = letter.lower()
    lines = letter.split("/")
    lines[-1] += ARROWS[piece.facing] if piece.facing is not None and tile.facing_matters else ""
    return lines


@dataclass(frozen=True, slots=True)
class Arrow:
    """A tile's way across the table; one that was not there before comes from nowhere, one taken away goes there."""

    start: Place | None
    end: Place | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What a page draws over a board, and how the board can be touched."""

    last: tuple[Place, ...] = ()
    """Where the last move happened."""
    chosen: tuple[Place, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    area_only: bool = False
    """Where tiles are laid without a board: leave out the piles beside them, for whoever shows those elsewhere."""
    tappable: bool = False
    """Every place is a button, the empty ones next to the tiles too."""
    face_at: Callable[[str, str | None], str] | None = None
    """Where a page finds a face, so that a board need not bring it along."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """What to write in a part of the board, under its tiles: by the word before the colon of its places' names."""
    speak: Callable[[str], str] = str
    """What is said of the board, in the language of who looks at it."""


def board_svg(
    game: AnyGame, state: Any, lit: Sequence[Place] = (), margin_mm: float = 8.0, overlay: Overlay | None = None
) -> str:
    """The table as an SVG document in millimetres; every place carries its name, so that a page can be tapped."""
    over = overlay or Overlay()
    layout, marks = game.layout(state), game.marks(state)
    if over.area_only and game.board.lattice is not None:
        layout = {place: piece for place, piece in layout.items() if place not in game.board.places}
    ends = [place for arrow in over.arrows for place in (arrow.start, arrow.end) if place is not None]
    named = [place for place in (*lit, *over.last, *over.chosen, *ends) if is_place(game.board, place)]
    spots = _shown_spots(game.board, [*layout, *(mark.place for mark in marks), *named])
    if over.area_only and game.board.lattice is not None:
        spots = {place: spot for place, spot in spots.items() if place not in game.board.places}
    if over.tappable:
        spots |= _free_cells(game.board, layout)
    box = _box(game, spots, margin_mm)
    namespace, title = "http://www.w3.org/2000/svg", escape(game.title)
    role = "group" if over.tappable else "img"
    parts = [
        f'<svg xmlns="{namespace}" viewBox="{_numbers(*box)}" role="{role}" aria-label="{title}">',
        f'<rect x="{box[0]:g}" y="{box[1]:g}" width="{box[2]:g}" height="{box[3]:g}" fill="{colour("paper")}"/>',
        *(_stroke_svg(stroke, over) for stroke in game.board.strokes),
        *(_zone_svg(game.board, zone, over.speak(words)) for zone, words in over.zones.items()),
        *(_last_svg(game, spots[place]) for place in over.last if place in spots),
        *(_frame_svg(game, mark, spots[mark.place], over) for mark in marks if not mark.label and not mark.quarters),
        _cut_svg(game) if game.face is not None else "",
        *(_faces_svg(game, layout) if over.face_at is None else ()),
        *(_piece_svg(game, place, piece, spots[place], over) for place, piece in layout.items()),
        *(_labels_svg(game, spots[place], labelled, over) for place, labelled in _labelled(marks).items()),
        *(_quarters_svg(game, mark, spots[mark.place], over) for mark in marks if mark.quarters),
        *(_lit_svg(game, place, spots[place]) for place in lit if place in spots),
        *(_arrow_svg(game, arrow, spots) for arrow in over.arrows),
        *(_taps_svg(game, spots, layout, over) if over.tappable else ()),
        "</svg>",
    ]
    return "\n".join(parts)


def ways(before: Layout, after: Layout) -> tuple[Arrow, ...]:
    """How the tiles went from one layout to the other: the same tile gone here and come there has moved."""
    gone = {place: piece for place, piece in before.items() if after.get(place) != piece}
    come = {place: piece for place, piece in after.items() if before.get(place) != piece}
    arrows = []
    for end, piece in come.items():
        start = next(
            (place for place, left in gone.items() if (left.tile, left.owner) == (piece.tile, piece.owner)), None
        )
        if start is not None:
            del gone[start]
        arrows.append(Arrow(start, end))
    return (*arrows, *(Arrow(place, None) for place in gone if place not in come))


_TURNED = (say("turned right"), say("upside down"), say("turned left"))


def says_piece(game: AnyGame, piece: Piece) -> str:
    """A tile in words: whose it is, its title, and how it is turned."""
    known = game.catalogue.tiles.get(piece.tile)
    title = known.title if known else say("face down") if piece.tile == FACE_DOWN else piece.tile
    tile = say("{owner} {tile}", owner=called(piece.owner), tile=title) if piece.owner else title
    return say("{tile} {turned}", tile=tile, turned=_TURNED[piece.facing - 1]) if piece.facing else tile


_PILE = re.compile(r"(?:(\w+):)?(stock|stack|discard|points)(?:[:-](\d))?")
_PILES = {
    "stock": say("stock"),
    "stack": say("draw stack"),
    "discard": say("discard pile"),
    "points": say("point pile"),
}


def says_place(place: Place) -> str:
    """A place in words: most go by their names, but a pile is called what it is."""
    found = _PILE.fullmatch(place)
    if found is None:
        return place
    seat, kind, number = found.groups()
    pile = say("{pile} {n}", pile=_PILES[kind], n=number) if number else _PILES[kind]
    return say("{player}'s {pile}", player=called(seat), pile=pile) if seat else pile


class _Sheet:
    """A raster of signs on which millimetres fall into columns and rows of about the same look."""

    def __init__(self, spots: dict[Place, Spot], board: Board) -> None:
        pitch_x, pitch_y = _pitch([*spots.values()], board)
        self.left = min((spot.x_mm for spot in spots.values()), default=0.0) - pitch_x / 2
        self.top = min((spot.y_mm for spot in spots.values()), default=0.0) - pitch_y / 2
        right = max((spot.x_mm for spot in spots.values()), default=0.0) + pitch_x / 2
        bottom = max((spot.y_mm for spot in spots.values()), default=0.0) + pitch_y / 2
        self.columns = max(4, min(8, int(_WIDTH * pitch_x / (right - self.left))))
        self.column_mm = pitch_x / self.columns
        self.row_mm = pitch_y / max(2, round(self.columns * pitch_y / pitch_x / 2))
        width, height = int((right - self.left) / self.column_mm) + 2, int((bottom - self.top) / self.row_mm) + 1
        self.signs = [[Sign() for _ in range(width)] for _ in range(height)]

    def rows(self) -> list[list[Sign]]:
        """All rows but the blank ones at the rim."""
        drawn = [i for i, row in enumerate(self.signs) if any(sign.sign != " " for sign in row)]
        return self.signs[drawn[0] : drawn[-1] + 1] if drawn else []

    def stroke(self, stroke: Stroke) -> None:
        """Dots along what is printed as a line."""
        if stroke.kind == "text":
            return
        for x, y in _along(stroke, self.column_mm):
            self._set(*self._cell(x, y), Sign("·", "line"))

    def name(self, place: Place, board: Board) -> str:
        """What stands on an empty place: its name where there is room for it."""
        return place if place in board.places and len(place) < self.columns - 1 else "·"

    def write(self, spot: Spot, lines: Sequence[str], ink: str, ground: str) -> None:
        column, row = self._cell(spot.x_mm, spot.y_mm)
        for down, line in enumerate(lines):
            first = column - (len(lines[0]) - 1) // 2
            self._set(first - 1, row + down, Sign(" ", "", ground))
            for right, sign in enumerate(f"{line} "):
                self._set(first + right, row + down, Sign(sign, ink, ground))

    def write_below(self, spot: Spot, marks: Sequence[Mark]) -> None:
        """The labels of a place's marks beside each other, a row below its name."""
        column, row = self._cell(spot.x_mm, spot.y_mm)
        right = column - (sum(len(mark.label) + 1 for mark in marks) - 1) // 2
        for mark in marks:
            for sign in mark.label:
                self._set(right, row + 1, Sign(sign, mark.ink))
                right += 1
            right += 1

    def tint_quarters(self, spot: Spot, mark: Mark) -> None:
        """The letters of a tile's quarters on the ink of their mark; a negated one is struck out."""
        column, row = self._cell(spot.x_mm, spot.y_mm)
        for quarter in mark.quarters:
            right, down = column + (quarter[1] == "e"), row + (quarter[0] == "s")
            if 0 <= down < len(self.signs) and 0 <= right < len(self.signs[0]):
                under = self.signs[down][right]
                self.signs[down][right] = (
                    Sign("×", "negated", under.ground) if mark.ink == "negated" else Sign(under.sign, "white", mark.ink)
                )

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        return int((x - self.left) / self.column_mm), int((y - self.top) / self.row_mm)

    def _set(self, column: int, row: int, sign: Sign) -> None:
        if 0 <= row < len(self.signs) and 0 <= column < len(self.signs[0]):
            self.signs[row][column] = sign


def _shown_spots(board: Board, places: Iterable[Place]) -> dict[Place, Spot]:
    """Every named place of a board, and of a lattice the cells in use; of an empty one the cell for the first tile."""
    shown = [*board.places, *places] or [cell(0, 0)]
    return {place: board.spot(place) for place in shown}


def is_place(board: Board, place: Place) -> bool:
    """Whether a word is a place of the board or a cell of its lattice."""
    return place in board.places or (board.lattice is not None and is_cell(place))


def _free_cells(board: Board, layout: Layout) -> dict[Place, Spot]:
    """The empty cells of a lattice that touch a tile; the first one where nothing lies yet."""
    if board.lattice is None:
        return {}
    taken = [cell_of(place) for place in layout if place not in board.places]
    beside = {cell(x + right, y + up) for x, y in taken for right in (-1, 0, 1) for up in (-1, 0, 1)} or {cell(0, 0)}
    return {place: board.spot(place) for place in sorted(beside, key=cell_of) if place not in layout}


def _pitch(spots: list[Spot], board: Board) -> tuple[float, float]:
    """How far apart neighbouring places lie, across and down."""
    if board.lattice is not None:
        return board.lattice.pitch_mm, board.lattice.pitch_mm
    across = [abs(a.x_mm - b.x_mm) for a in spots for b in spots if abs(a.y_mm - b.y_mm) < 0.5 and a.x_mm != b.x_mm]
    down = [abs(a.y_mm - b.y_mm) for a in spots for b in spots if abs(a.x_mm - b.x_mm) < 0.5 and a.y_mm != b.y_mm]
    return min((d for d in across if d > 1), default=40.0), min((d for d in down if d > 1), default=40.0)


def _ground(board: Board, spot: Spot, place: Place, lit: Sequence[Place]) -> str:
    if place in lit:
        return "highlight"
    inside = [stroke.ink for stroke in board.strokes if stroke.fill and _holds(stroke, spot)]
    return inside[-1] if inside else ""


def _holds(stroke: Stroke, spot: Spot) -> bool:
    if stroke.kind == "circle":
        x, y = stroke.points[0]
        return math.hypot(spot.x_mm - x, spot.y_mm - y) <= stroke.radius_mm
    if stroke.kind != "polygon":
        return False
    crossings = 0
    for (x1, y1), (x2, y2) in pairwise([*stroke.points, stroke.points[0]]):
        if (y1 > spot.y_mm) != (y2 > spot.y_mm):
            crossings += spot.x_mm < x1 + (spot.y_mm - y1) / (y2 - y1) * (x2 - x1)
    return crossings % 2 == 1


def _along(stroke: Stroke, step_mm: float) -> Iterator[tuple[float, float]]:
    if stroke.kind == "circle":
        x, y = stroke.points[0]
        steps = int(math.tau * stroke.radius_mm / step_mm) or 1
        for i in range(steps):
            turn = math.tau * i / steps
            yield x + stroke.radius_mm * math.sin(turn), y - stroke.radius_mm * math.cos(turn)
        return
    points = [*stroke.points, stroke.points[0]] if stroke.kind == "polygon" else stroke.points
    for (x1, y1), (x2, y2) in pairwise(points):
        steps = int(math.hypot(x2 - x1, y2 - y1) / step_mm) or 1
        for i in range(steps + 1):
            yield x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps


def _box(game: AnyGame, spots: dict[Place, Spot], margin: float) -> tuple[float, float, float, float]:
    width, height = game.board.size_mm
    if game.board.lattice is None or not spots:
        return -width / 2, -height / 2, width, height
    reach = max(game.catalogue.size_mm) / 2 + margin
    xs, ys = [spot.x_mm for spot in spots.values()], [spot.y_mm for spot in spots.values()]
    left, top = min(xs) - reach, min(ys) - reach
    return left, top, max(xs) + reach - left, max(ys) + reach - top


def _numbers(*numbers: float) -> str:
    return " ".join(f"{number:.2f}".rstrip("0").rstrip(".") for number in numbers)


def _stroke_svg(stroke: Stroke, over: Overlay) -> str:
    ink = colour(stroke.ink)
    paint = f'fill="{ink}"' if stroke.fill else f'fill="none" stroke="{ink}" stroke-width="{stroke.width_mm:g}"'
    if stroke.kind == "circle":
        x, y = stroke.points[0]
        return f'<circle cx="{x:g}" cy="{y:g}" r="{stroke.radius_mm:g}" {paint}/>'
    if stroke.kind == "text":
        x, y = stroke.points[0]
        return (
            f'<text x="{x:g}" y="{y:g}" font-size="{stroke.radius_mm:g}" text-anchor="middle" fill="{ink}" '
            f'font-family="system-ui, sans-serif">{escape(over.speak(stroke.words))}</text>'
        )
    tag = "polygon" if stroke.kind == "polygon" else "polyline"
    points = " ".join(f"{x:g},{y:g}" for x, y in stroke.points)
    return f'<{tag} points="{points}" {paint} stroke-linejoin="round" stroke-linecap="round"/>'


def _zone_svg(board: Board, zone: str, words: str) -> str:
    """Words in the middle of a part of the board, large and pale."""
    first = next(spot for place, spot in board.places.items() if place.startswith(f"{zone}:"))
    frame = next((stroke.points for stroke in board.strokes if _holds(stroke, first)), ((first.x_mm, first.y_mm),))
    left, right = min(x for x, _ in frame), max(x for x, _ in frame)
    size = min(board.size_mm[1] / 22, 1.5 * (right - left) / max(4, len(words)))
    middle = sum(y for _, y in frame) / len(frame)
    return (
        f'<text x="{(left + right) / 2:.2f}" y="{middle:.2f}" font-size="{size:.2f}" text-anchor="middle" '
        f'fill="{colour("line")}" fill-opacity="0.7" font-family="system-ui, sans-serif">{escape(words)}</text>'
    )


def _labelled(marks: Iterable[Mark]) -> dict[Place, list[Mark]]:
    """The marks with something to say, place by place."""
    found: dict[Place, list[Mark]] = {}
    for mark in marks:
        if mark.label:
            found.setdefault(mark.place, []).append(mark)
    return found


def _labels_svg(game: AnyGame, spot: Spot, marks: Sequence[Mark], over: Overlay) -> str:
    """The labels of a place's marks as small discs along its near edge."""
    width, height = game.catalogue.size_mm
    size = width / 5
    drawn = []
    for i, mark in enumerate(marks):
        across = size * (0.7 + 0.45 * len(mark.label))
        x, y = (i - (len(marks) - 1) / 2) * (across + 0.5), height / 2 - size / 2
        drawn.append(
            f'<g><title>{escape(over.speak(mark.says))}</title><rect x="{x - across / 2:.2f}" y="{y - size / 2:.2f}" '
            f'width="{across:.2f}" height="{size:.2f}" rx="{size / 2:.2f}" fill="{colour(mark.ink)}"/>'
            f'<text x="{x:.2f}" y="{y + size * 0.3:.2f}" font-size="{size * 0.85:.2f}" text-anchor="middle" '
            f'font-weight="bold" font-family="system-ui, sans-serif" fill="{colour("white")}">'
            f"{escape(mark.label)}</text></g>"
        )
    return f'<g transform="translate({_numbers(spot.x_mm, spot.y_mm)})">{"".join(drawn)}</g>'


def _frame_svg(game: AnyGame, mark: Mark, spot: Spot, over: Overlay) -> str:
    """A dashed frame around a place whose mark has no words."""
    width, height = (side + 1.4 for side in game.catalogue.size_mm)
    return (
        f'<rect x="{spot.x_mm - width / 2:.2f}" y="{spot.y_mm - height / 2:.2f}" width="{width:.2f}" '
        f'height="{height:.2f}" rx="2" fill="none" stroke="{colour(mark.ink)}" stroke-width="1" '
        f'stroke-dasharray="2.4 1.6"><title>{escape(over.speak(mark.says))}</title></rect>'
    )


def _quarters_svg(game: AnyGame, mark: Mark, spot: Spot, over: Overlay) -> str:
    """Frames around the quarters of a section, and crosses over those that an enemy negates."""
    half_x, half_y = game.catalogue.size_mm[0] / 2, game.catalogue.size_mm[1] / 2
    paths = []
    for quarter in mark.quarters:
        left, top = (0.0 if quarter[1] == "e" else -half_x), (0.0 if quarter[0] == "s" else -half_y)
        right, bottom = left + half_x, top + half_y
        if mark.ink == "negated":
            paths.append(f"M{left + 3:g} {top + 3:g}L{right - 3:g} {bottom - 3:g}")
            paths.append(f"M{right - 3:g} {top + 3:g}L{left + 3:g} {bottom - 3:g}")
        else:
            paths.append(f"M{left + 1:g} {top + 1:g}H{right - 1:g}V{bottom - 1:g}H{left + 1:g}Z")
    moved, ink = f"translate({_numbers(spot.x_mm, spot.y_mm)})", colour(mark.ink)
    width = 0.6 if mark.ink.endswith("-lesser") else 2.2
    drawn = f'<path d="{"".join(paths)}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linecap="round"/>'
    return f'<g transform="{moved}"><title>{escape(over.speak(mark.says))}</title>{drawn}</g>'


def _faces_svg(game: AnyGame, layout: Layout) -> Iterator[str]:
    """Each different face once, to be placed by reference."""
    if game.face is None:
        return
    yield "<defs>"
    for tile, owner in sorted({(piece.tile, piece.owner or "") for piece in layout.values()}):
        face = game.face(tile, owner or None)
        yield face.replace("<svg ", f'<symbol id="{_face_id(tile, owner)}" ', 1).replace("</svg>", "</symbol>")
    yield "</defs>"


def _face_id(tile: str, owner: str) -> str:
    return "face-" + "".join(sign if sign.isalnum() else f"_{ord(sign):x}" for sign in f"{tile}-{owner}")


def _piece_svg(game: AnyGame, place: Place, piece: Piece, spot: Spot, over: Overlay) -> str:
    width, height = game.catalogue.size_mm
    turn = spot.angle_deg + 90 * (piece.facing or 0)
    says = over.speak(say("{tile} on {place}", tile=says_piece(game, piece), place=says_place(place)))
    box = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}"'
    if game.face is not None and over.face_at is not None:
        drawn = _cut_out(game, f'<image href="{escape(over.face_at(piece.tile, piece.owner))}" {box}/>')
    elif game.face is not None:
        drawn = _cut_out(game, f'<use href="#{_face_id(piece.tile, piece.owner or "")}" {box}/>')
    else:
        drawn = _plain_tile(game, piece, width, height)
    moved = f"translate({_numbers(spot.x_mm, spot.y_mm)}) rotate({_numbers(turn)})"
    return f'<g data-place="{escape(place)}" transform="{moved}"><title>{escape(says)}</title>{drawn}</g>'


def _cut_svg(game: AnyGame) -> str:
    """Faces go on beyond the cut; this is where the tile ends."""
    return f'<clipPath id="cut-{game.name}">{_rim(game, "")}</clipPath>'


def _cut_out(game: AnyGame, face: str) -> str:
    edge = _rim(game, f'fill="none" stroke="{colour("line")}" stroke-width="0.6" stroke-opacity="0.7"')
    return f'<g clip-path="url(#cut-{game.name})">{face}</g>{edge}'


def _rim(game: AnyGame, paint: str) -> str:
    width, height = game.catalogue.size_mm
    if game.catalogue.shape == "disc":
        return f'<circle r="{width / 2:g}" {paint}/>'
    box = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="{width / 18:.2f}"'
    return f"<rect {box} {paint}/>"


def _plain_tile(game: AnyGame, piece: Piece, width: float, height: float) -> str:
    ground, ink = colour(piece.owner or "tile"), colour("line")
    radius = width / 2 if game.catalogue.shape == "disc" else width / 12
    lines = [line.strip(ARROWS) for line in letters(game, piece)]
    size = height / (1.2 * max(2, len(lines)))
    words = "".join(
        f'<text y="{(i - (len(lines) - 1) / 2) * size + size / 3:.2f}" font-size="{size:.2f}" text-anchor="middle" '
        f'fill="{colour("tile-letter")}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<rect x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
        f'fill="{ground}" stroke="{ink}" stroke-width="0.6"/>{words}'
    )


def _lit_svg(game: AnyGame, place: Place, spot: Spot) -> str:
    radius = max(game.catalogue.size_mm) * 0.62
    return (
        f'<circle cx="{spot.x_mm:.2f}" cy="{spot.y_mm:.2f}" r="{radius:.2f}" fill="none" '
        f'stroke="{colour("highlight")}" stroke-width="2" data-lit="{escape(place)}"/>'
    )


def _last_svg(game: AnyGame, spot: Spot) -> str:
    radius = max(game.catalogue.size_mm) * 0.66
    return (
        f'<circle cx="{spot.x_mm:.2f}" cy="{spot.y_mm:.2f}" r="{radius:.2f}" fill="{colour("highlight")}" '
        f'fill-opacity="0.45" data-last=""/>'
    )


def _arrow_svg(game: AnyGame, arrow: Arrow, spots: dict[Place, Spot]) -> str:
    """A thick arrow from middle to middle; a ring where a tile comes down, a cross where one is taken away."""
    start, end = spots.get(arrow.start or ""), spots.get(arrow.end or "")
    at = end or start
    if at is None:
        return ""
    size, ink = min(game.catalogue.size_mm), colour("advice")
    if start is not None and end is not None and start != end:
        shape = _shaft(start, end, size)
    elif end is not None:
        shape = (
            f'<circle cx="{end.x_mm:.2f}" cy="{end.y_mm:.2f}" r="{size * 0.56:.2f}" stroke-dasharray="{size / 5:g}"/>'
        )
    else:
        shape = _cross(at, size * 0.4)
    paint = f'fill="none" stroke="{ink}" stroke-width="{size / 8:.2f}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g {paint} data-arrow="">{shape}{_number_svg(at, size, arrow.label)}</g>'


def _shaft(start: Spot, end: Spot, size: float) -> str:
    far = math.hypot(end.x_mm - start.x_mm, end.y_mm - start.y_mm)
    along = ((end.x_mm - start.x_mm) / far, (end.y_mm - start.y_mm) / far)
    tip = (end.x_mm - along[0] * size * 0.2, end.y_mm - along[1] * size * 0.2)
    wing = size * 0.3
    left = (tip[0] - wing * (along[0] + along[1]), tip[1] - wing * (along[1] - along[0]))
    right = (tip[0] - wing * (along[0] - along[1]), tip[1] - wing * (along[1] + along[0]))
    head = f"M{_numbers(*left)}L{_numbers(*tip)}L{_numbers(*right)}"
    return f'<path d="M{_numbers(start.x_mm, start.y_mm)}L{_numbers(*tip)}{head}"/>'


def _cross(at: Spot, arm: float) -> str:
    down, up = f"l{_numbers(2 * arm, 2 * arm)}", f"m0 {_numbers(-2 * arm)}l{_numbers(-2 * arm, 2 * arm)}"
    return f'<path d="M{_numbers(at.x_mm - arm, at.y_mm - arm)}{down}{up}"/>'


def _number_svg(at: Spot, size: float, label: str) -> str:
    if not label:
        return ""
    x, y, radius = at.x_mm + size * 0.42, at.y_mm - size * 0.42, size * 0.26
    return (
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{colour("advice")}" stroke="none"/>'
        f'<text x="{x:.2f}" y="{y + radius * 0.42:.2f}" font-size="{radius * 1.3:.2f}" text-anchor="middle" '
        f'font-weight="bold" font-family="system-ui, sans-serif" fill="{colour("sheet")}" stroke="none">'
        f"{escape(label)}</text>"
    )


def _taps_svg(game: AnyGame, spots: dict[Place, Spot], layout: Layout, over: Overlay) -> Iterator[str]:
    size = _reach(game, spots.values())
    for place, spot in spots.items():
        there = says_piece(game, layout[place]) if place in layout else say("empty")
        says = over.speak(say("{place}: {tile}", place=says_place(place), tile=there))
        free = is_cell(place) and place not in layout
        yield _tap_svg(place, spot, says, size, place in over.chosen, "tap free" if free else "tap")


def _reach(game: AnyGame, spots: Iterable[Spot]) -> tuple[float, float]:
    """How large a place's button may be before it meets its neighbour's; as large as its tile, at most as two."""
    width, height = game.catalogue.size_mm
    points = [(spot.x_mm, spot.y_mm) for spot in spots]
    apart = min((math.dist(a, b) for i, a in enumerate(points) for b in points[:i] if a != b), default=2 * width)
    return max(width, min(apart, 2 * width)), max(height, min(apart, 2 * width))


def _tap_svg(place: Place, spot: Spot, says: str, size: tuple[float, float], pressed: bool, kind: str) -> str:
    """An invisible button over a place; a page's style shows when it is chosen or in focus."""
    width, height = size
    box = f'x="{-width / 2:.2f}" y="{-height / 2:.2f}" width="{width:.2f}" height="{height:.2f}" rx="{width / 4:.2f}"'
    moved = f"translate({_numbers(spot.x_mm, spot.y_mm)}) rotate({_numbers(spot.angle_deg)})"
    return (
        f'<g class="{kind}" role="button" tabindex="0" aria-pressed="{"true" if pressed else "false"}" '
        f'data-tap="{escape(place)}" aria-label="{escape(says)}" transform="{moved}">'
        f'<rect {box} fill="transparent"/></g>'
    )
