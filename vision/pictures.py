"""Pictures that leave the camera: the evidence of a move, and the newest frame for a phone."""

import cv2

from companion.game import AnyGame
from vision.frame import Frame, Pixels
from vision.reading import TableRead

_EVIDENCE_PX = 560
_PICTURE_PX = 1280
_QUALITY = 80


def evidence_picture(frame: Frame, read: TableRead, game: AnyGame) -> bytes:
    """The board from above, small."""
    rim = max(game.catalogue.size_mm)
    half_x, half_y = (side / 2 + rim for side in game.board.size_mm)
    scale = 2 * max(half_x, half_y) / _EVIDENCE_PX
    return encoded(read.plane.rectify(frame, (-half_x, -half_y, half_x, half_y), scale).pixels)


def encoded(pixels: Pixels, widest_px: int = _PICTURE_PX) -> bytes:
    """A picture as JPEG, no wider than asked."""
    scale = widest_px / pixels.shape[1]
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1])
