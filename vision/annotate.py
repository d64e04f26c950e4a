"""Draws what was read over the picture it was read from."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from companion.board import Board, is_cell
from companion.mats import MARKER_MM, mat_of
from companion.registry import games
from companion.table import Piece
from vision.frame import Pixels
from vision.plane import Plane, Points
from vision.reading import SeenTile, TableRead

Bgr = tuple[int, int, int]
_SURE, _ASKED, _UNKNOWN = (90, 205, 60), (0, 165, 255), (70, 70, 240)
_TABLE, _HIDDEN, _INK, _DARK = (255, 205, 90), (200, 200, 200), (255, 255, 255), (28, 28, 28)
_LETTERS, _OF_A_TILE = 100, (0.2, 0.45)
"""So many letters go into the width of a picture, unless they are smaller or larger than these parts of a tile."""
_WEIGHT = 600
_CERTAIN = 0.995
"""What is surer needs no percentage."""
_FACE = 0.7
"""So much of a tile, from its middle, is its face, which no label should cover."""
_TIP, _NARROWER, _WIDER = 0.25, 0.75, 0.95
"""How far a tip reaches, in halves of a tile; how much smaller words are written to be no wider than so many tiles."""


class Box(NamedTuple):
    """A part of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


def annotated(pixels: Pixels, read: TableRead, ask_below: float) -> Pixels:
    """The picture with the playing area and its markers, and every tile outlined and named beside it.

    Green is sure, amber would be asked about, red is like nothing known; a tip is where a tile points whose turn says
    something, and a struck circle is a place that could not be seen.
    """
    drawn, thick = pixels.copy(), max(1, round(pixels.shape[1] / 1000))
    _draw_table(drawn, read, thick)
    for tile in read.tiles:
        _outline(drawn, np.array(tile.corners_px), _colour(tile, ask_below), 2 * thick)
    for tile in read.tiles:
        if tile.piece is not None and tile.piece.facing is not None:
            _draw_turn(drawn, tile, thick)
    _draw_labels(drawn, read.tiles, ask_below)
    return np.asarray(drawn, np.uint8)


def captioned(pixels: Pixels, lines: Sequence[str]) -> Pixels:
    """The picture with sentences under it."""
    high = 26 * len(lines) + 12
    under = np.full((high, pixels.shape[1], 3), 24, np.uint8)
    for i, line in enumerate(lines):
        cv2.putText(under, line, (10, 26 * i + 26), cv2.FONT_HERSHEY_SIMPLEX, 0.7, _INK, 1, cv2.LINE_AA)
    return np.vstack([pixels, under])


def short(piece: Piece) -> str:
    """A piece in a few letters: its name and whose it is."""
    return " ".join(filter(None, (piece.tile, (piece.owner or "")[:1])))


def _draw_table(drawn: Pixels, read: TableRead, thick: int) -> None:
    """What the plane says: where the playing area ends, which markers were seen, which places could not be."""
    board = _board_of(read)
    if read.plane.game is not None:
        _outline(drawn, _edge(read.plane, mat_of(read.plane.game, read.plane.kind).area_mm), _TABLE, thick)
    elif board is not None:
        _outline(drawn, _edge(read.plane, board.size_mm), _TABLE, thick)
    for x, y in read.plane.to_mm(np.array([*read.plane.seen.values()]).reshape(-1, 2)):
        _outline(drawn, read.plane.to_pixels(np.array([x, y]) + _square(MARKER_MM / 2)), _TABLE, 2 * thick)
    for place, spot in (board.places if board is not None else {}).items():
        if place not in read.observation:
            _draw_hidden(drawn, read.plane, (spot.x_mm, spot.y_mm), thick)


def _board_of(read: TableRead) -> Board | None:
    """The board whose places were looked at; a plane without markers does not say which it is."""
    if read.plane.game is not None:
        return games()[read.plane.game].board
    looked = {place for place in read.observation if not is_cell(place)}
    return next((game.board for game in games().values() if looked and looked <= game.board.places.keys()), None)


def _edge(plane: Plane, area_mm: tuple[float, float]) -> Points:
    """The rim of an area in the picture, where a lens bends straight lines."""
    corners = _square(1.0) * np.array(area_mm) / 2
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    return plane.to_pixels(np.concatenate([np.linspace(start, end, 12, endpoint=False) for start, end in sides]))


def _square(half: float) -> Points:
    return np.array([(-half, -half), (half, -half), (half, half), (-half, half)])


def _draw_hidden(drawn: Pixels, plane: Plane, at_mm: tuple[float, float], thick: int) -> None:
    ((x, y),) = plane.to_pixels(np.array([at_mm])).round().astype(int).tolist()
    radius = round(6 * plane.pixels_per_mm())
    cv2.circle(drawn, (x, y), radius, _HIDDEN, thick, cv2.LINE_AA)
    cv2.line(drawn, (x - radius, y + radius), (x + radius, y - radius), _HIDDEN, thick, cv2.LINE_AA)


def _draw_turn(drawn: Pixels, tile: SeenTile, thick: int) -> None:
    """A tip on the middle of the upper edge that points out of the tile."""
    left, right = np.array(tile.corners_px[:2])
    edge, across = (left + right) / 2, (right - left) / 2
    out = edge - np.array(tile.centre_px)
    tip = np.stack([edge - _TIP * (across + out), edge + _TIP * out, edge + _TIP * (across - out)])
    cv2.fillPoly(drawn, [np.round(tip).astype(np.int32)], _INK, cv2.LINE_AA)
    cv2.polylines(drawn, [np.round(tip).astype(np.int32)], True, _DARK, thick, cv2.LINE_AA)


def _outline(drawn: Pixels, points: Points, colour: Bgr, thick: int) -> None:
    """A closed line with a dark rim, so that it is seen on any table."""
    line = [np.round(points).astype(np.int32).reshape(-1, 1, 2)]
    cv2.polylines(drawn, line, True, _DARK, thick + 2, cv2.LINE_AA)
    cv2.polylines(drawn, line, True, colour, thick, cv2.LINE_AA)


def _draw_labels(drawn: Pixels, tiles: Sequence[SeenTile], ask_below: float) -> None:
    """What each tile is, on plates that keep clear of faces and of each other as far as there is room."""
    boxes = [_box(np.array(tile.corners_px)) for tile in tiles]
    if not boxes:
        return
    usual, picture = _letters_px(drawn.shape[1], boxes), Box(0, 0, drawn.shape[1], drawn.shape[0])
    faces, plates = [_face(box) for box in boxes], list[Box]()
    for tile, box in sorted(zip(tiles, boxes, strict=True), key=lambda both: both[1].bottom):
        words = _words(tile)
        letters = _fitting(words, usual, box)
        plate = _freest(_beside(box, *_size_of(words, letters)), faces, plates, picture)
        plates.append(plate)
        _write(drawn, words, plate, letters, _colour(tile, ask_below))


def _letters_px(wide: int, boxes: Sequence[Box]) -> int:
    usual = float(np.median([math.sqrt(box.area) for box in boxes]))
    return max(8, round(min(max(wide / _LETTERS, _OF_A_TILE[0] * usual), _OF_A_TILE[1] * usual)))


def _fitting(words: str, letters: int, box: Box) -> int:
    """Smaller letters for a long name, down to a limit."""
    wide, _ = _size_of(words, letters)
    return round(letters * min(1.0, max(_NARROWER, _WIDER * (box.right - box.left) / wide)))


def _beside(box: Box, wide: float, high: float) -> Iterator[Box]:
    """Where a label may stand, the best first: below, above, right, left, across the lower edge, across the upper."""
    middle, half = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    corners = [
        (middle - wide / 2, box.bottom + 2),
        (middle - wide / 2, box.top - 2 - high),
        (box.right + 2, half - high / 2),
        (box.left - 2 - wide, half - high / 2),
        (middle - wide / 2, box.bottom - high / 2),
        (middle - wide / 2, box.top - high / 2),
    ]
    return (Box(left, top, left + wide, top + high) for left, top in corners)


def _freest(ways: Iterator[Box], faces: Sequence[Box], plates: Sequence[Box], picture: Box) -> Box:
    """The one that covers least, of words above all, and is in the picture; the first of several."""

    def covers(plate: Box) -> float:
        outside = plate.area - plate.overlap(picture)
        return sum(map(plate.overlap, faces)) + 4 * sum(map(plate.overlap, plates)) + 9 * outside

    return min(ways, key=covers)


def _face(box: Box) -> Box:
    rim = (1 - _FACE) / 2
    wide, high = rim * (box.right - box.left), rim * (box.bottom - box.top)
    return Box(box.left + wide, box.top + high, box.right - wide, box.bottom - high)


def _box(points: Points) -> Box:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Box(left, top, right, bottom)


def _words(tile: SeenTile) -> str:
    name = "unknown" if tile.piece is None else short(tile.piece)
    return name if tile.piece is not None and tile.probability > _CERTAIN else f"{name} {tile.probability:.0%}"


def _colour(tile: SeenTile, ask_below: float) -> Bgr:
    if tile.piece is None:
        return _UNKNOWN
    return _SURE if tile.probability >= ask_below else _ASKED


def _size_of(words: str, letters: int) -> tuple[float, float]:
    _, _, wide, _ = cv2.getTextSize((0, 0), words, (0, 0), _font(), letters, _WEIGHT)
    return wide + 0.7 * letters, 1.35 * letters


def _write(drawn: Pixels, words: str, plate: Box, letters: int, colour: Bgr) -> None:
    """Words on a dark plate with a stripe of the tile's colour; those that are asked about on one of that colour."""
    ground, ink = (_DARK, _INK) if colour == _SURE else (colour, _DARK)
    wide, high = round(plate.right - plate.left), round(plate.bottom - plate.top)
    # OpenCV wraps words at the right edge, so there is room to spare while it writes.
    written = np.full((high, 2 * wide, 3), ground, np.uint8)
    cv2.putText(written, words, (round(0.4 * letters), letters), ink, _font(), letters, _WEIGHT)
    written[:, : max(2, letters // 6)] = colour
    _lay(drawn, written[:, :wide], round(plate.left), round(plate.top))


def _lay(drawn: Pixels, plate: Pixels, left: int, top: int) -> None:
    """A plate upon the picture, as far as it is in it."""
    there = drawn[max(top, 0) : max(top + plate.shape[0], 0), max(left, 0) : max(left + plate.shape[1], 0)]
    there[:] = plate[max(-top, 0) :, max(-left, 0) :][: there.shape[0], : there.shape[1]]


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")
