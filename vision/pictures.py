"""Pictures that leave the camera: the evidence of a move, and the newest frame for a phone."""

import math
from dataclasses import replace

import cv2
import numpy as np

from companion.framing import framed, framing
from companion.game import AnyGame
from companion.table import Piece
from vision.frame import Frame, Pixels
from vision.plane import Plane
from vision.reading import TableRead
from vision.snap import Grid

_EVIDENCE_PX = 560
_PICTURE_PX = 1280
_QUALITY = 80


def evidence_picture(frame: Frame, read: TableRead, game: AnyGame) -> bytes:
    """The board, or the tiles that lie without one, from above, small; what it shows is written into it."""
    shown = framing(game, {tile.place: Piece("") for tile in read.tiles if tile.place is not None})
    plane = read.plane if read.grid is None else _along(read.plane, read.grid, game)
    box = (shown.left, shown.top, shown.right, shown.bottom)
    return framed(encoded(plane.rectify(frame, box, max(shown.size_mm) / _EVIDENCE_PX).pixels), shown)


def _along(plane: Plane, grid: Grid, game: AnyGame) -> Plane:
    """The same plane in the millimetres of the lattice, as it lies on the table."""
    scale = grid.pitch_mm / game.board.lattice.pitch_mm if game.board.lattice else 1.0
    cos, sin = (scale * turned(math.radians(grid.angle_deg)) for turned in (math.cos, math.sin))
    laid = np.array([[cos, -sin, grid.x_mm], [sin, cos, grid.y_mm], [0.0, 0.0, 1.0]])
    return replace(plane, homography=plane.homography @ laid)


def encoded(pixels: Pixels, widest_px: int = _PICTURE_PX) -> bytes:
    """A picture as JPEG, no wider than asked."""
    scale = widest_px / pixels.shape[1]
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1])
