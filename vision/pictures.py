"""Pictures that leave the camera: the evidence of a move, and the newest frame for a phone."""

import math
from dataclasses import replace

import cv2
import numpy as np

from companion.evidence import LARGEST_BYTES
from companion.framing import framed, framing
from companion.game import AnyGame
from companion.table import Piece
from vision.frame import Frame, Pixels
from vision.plane import Plane
from vision.reading import TableRead
from vision.snap import Grid

_EVIDENCE = ((560, 80), (560, 60), (560, 40), (400, 60), (400, 40), (280, 40))
"""Pixels and quality of an evidence picture, the finest first; a noisy picture of a busy cloth takes a coarser one."""
_PICTURE_PX = 1280
_QUALITY = 80


def evidence_picture(frame: Frame, read: TableRead, game: AnyGame) -> bytes:
    """The board, or the tiles that lie without one, from above, small; what it shows is written into it.

    It takes `LARGEST_BYTES` at most, however the table looks.
    """
    shown = framing(game, {tile.place: Piece("") for tile in read.tiles if tile.place is not None})
    plane = read.plane if read.grid is None else _along(read.plane, read.grid, game)
    box = (shown.left, shown.top, shown.right, shown.bottom)
    jpeg = b""
    for widest_px, quality in _EVIDENCE:
        pixels = plane.rectify(frame, box, max(shown.size_mm) / widest_px).pixels
        jpeg = framed(encoded(pixels, widest_px, quality), shown)
        if len(jpeg) <= LARGEST_BYTES:
            break
    return jpeg


def _along(plane: Plane, grid: Grid, game: AnyGame) -> Plane:
    """The same plane in the millimetres of the lattice, as it lies on the table."""
    scale = grid.pitch_mm / game.board.lattice.pitch_mm if game.board.lattice else 1.0
    cos, sin = (scale * turned(math.radians(grid.angle_deg)) for turned in (math.cos, math.sin))
    laid = np.array([[cos, -sin, grid.x_mm], [sin, cos, grid.y_mm], [0.0, 0.0, 1.0]])
    return replace(plane, homography=plane.homography @ laid)


def encoded(pixels: Pixels, widest_px: int = _PICTURE_PX, quality: int = _QUALITY) -> bytes:
    """A picture as JPEG, no wider than asked."""
    scale = widest_px / pixels.shape[1]
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])
