"""Draws any game from its layout: as signs for a terminal, and as SVG for a page."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

from companion.board import Board, Spot, Stroke, cell
from companion.game import AnyGame, Mark
from companion.inks import colour
from companion.table import Layout, Piece, Place

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


def board_svg(game: AnyGame, state: Any, lit: Sequence[Place] = (), margin_mm: float = 8.0) -> str:
    """The table as an SVG document in millimetres; every place carries its name, so that a page can be tapped."""
    layout, marks = game.layout(state), game.marks(state)
    spots = _shown_spots(game.board, [*layout, *(mark.place for mark in marks), *lit])
    box = _box(game, spots, margin_mm)
    namespace, title = "http://www.w3.org/2000/svg", escape(game.title)
    parts = [
        f'<svg xmlns="{namespace}" viewBox="{_numbers(*box)}" role="img" aria-label="{title}">',
        f'<rect x="{box[0]:g}" y="{box[1]:g}" width="{box[2]:g}" height="{box[3]:g}" fill="{colour("paper")}"/>',
        *(_stroke_svg(stroke) for stroke in game.board.strokes),
        *(_frame_svg(game, mark, spots[mark.place]) for mark in marks if not mark.label and not mark.quarters),
        *_faces_svg(game, layout),
        *(_piece_svg(game, place, piece, spots[place]) for place, piece in layout.items()),
        *(_labels_svg(game, spots[place], labelled) for place, labelled in _labelled(marks).items()),
        *(_quarters_svg(game, mark, spots[mark.place]) for mark in marks if mark.quarters),
        *(_lit_svg(game, place, spots[place]) for place in lit),
        "</svg>",
    ]
    return "\n".join(parts)


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


def _stroke_svg(stroke: Stroke) -> str:
    ink = colour(stroke.ink)
    paint = f'fill="{ink}"' if stroke.fill else f'fill="none" stroke="{ink}" stroke-width="{stroke.width_mm:g}"'
    if stroke.kind == "circle":
        x, y = stroke.points[0]
        return f'<circle cx="{x:g}" cy="{y:g}" r="{stroke.radius_mm:g}" {paint}/>'
    if stroke.kind == "text":
        x, y = stroke.points[0]
        return (
            f'<text x="{x:g}" y="{y:g}" font-size="{stroke.radius_mm:g}" text-anchor="middle" fill="{ink}" '
            f'font-family="system-ui, sans-serif">{escape(stroke.words)}</text>'
        )
    tag = "polygon" if stroke.kind == "polygon" else "polyline"
    points = " ".join(f"{x:g},{y:g}" for x, y in stroke.points)
    return f'<{tag} points="{points}" {paint} stroke-linejoin="round" stroke-linecap="round"/>'


def _labelled(marks: Iterable[Mark]) -> dict[Place, list[Mark]]:
    """The marks with something to say, place by place."""
    found: dict[Place, list[Mark]] = {}
    for mark in marks:
        if mark.label:
            found.setdefault(mark.place, []).append(mark)
    return found


def _labels_svg(game: AnyGame, spot: Spot, marks: Sequence[Mark]) -> str:
    """The labels of a place's marks as small discs along its near edge."""
    width, height = game.catalogue.size_mm
    size = width / 5
    drawn = []
    for i, mark in enumerate(marks):
        across = size * (0.7 + 0.45 * len(mark.label))
        x, y = (i - (len(marks) - 1) / 2) * (across + 0.5), height / 2 - size / 2
        drawn.append(
            f'<g><title>{escape(mark.ink)}</title><rect x="{x - across / 2:.2f}" y="{y - size / 2:.2f}" '
            f'width="{across:.2f}" height="{size:.2f}" rx="{size / 2:.2f}" fill="{colour(mark.ink)}"/>'
            f'<text x="{x:.2f}" y="{y + size * 0.3:.2f}" font-size="{size * 0.85:.2f}" text-anchor="middle" '
            f'font-weight="bold" font-family="system-ui, sans-serif" fill="{colour("white")}">'
            f"{escape(mark.label)}</text></g>"
        )
    return f'<g transform="translate({_numbers(spot.x_mm, spot.y_mm)})">{"".join(drawn)}</g>'


def _frame_svg(game: AnyGame, mark: Mark, spot: Spot) -> str:
    """A dashed frame around a place whose mark has no words."""
    width, height = (side + 1.4 for side in game.catalogue.size_mm)
    return (
        f'<rect x="{spot.x_mm - width / 2:.2f}" y="{spot.y_mm - height / 2:.2f}" width="{width:.2f}" '
        f'height="{height:.2f}" rx="2" fill="none" stroke="{colour(mark.ink)}" stroke-width="1" '
        f'stroke-dasharray="2.4 1.6"><title>{escape(mark.ink)}</title></rect>'
    )


def _quarters_svg(game: AnyGame, mark: Mark, spot: Spot) -> str:
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
    return f'<g transform="{moved}"><title>{escape(mark.ink)}</title>{drawn}</g>'


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


def _piece_svg(game: AnyGame, place: Place, piece: Piece, spot: Spot) -> str:
    width, height = game.catalogue.size_mm
    turn = spot.angle_deg + 90 * (piece.facing or 0)
    says = " ".join(part for part in (piece.owner, piece.tile.replace("-", " "), "on", place) if part)
    if game.face is not None:
        box = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}"'
        drawn = f'<use href="#{_face_id(piece.tile, piece.owner or "")}" {box}/>'
    else:
        drawn = _plain_tile(game, piece, width, height)
    moved = f"translate({_numbers(spot.x_mm, spot.y_mm)}) rotate({_numbers(turn)})"
    return f'<g data-place="{escape(place)}" transform="{moved}"><title>{escape(says)}</title>{drawn}</g>'


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
