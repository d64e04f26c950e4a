"""Pictures that leave the camera: the evidence of a move, the newest frame for a phone, and photos that come in."""

import struct

import cv2
import numpy as np

from companion.game import AnyGame
from vision.frame import Frame, Pixels
from vision.reading import TableRead

_EVIDENCE_PX = 560
_PICTURE_PX = 1280
_QUALITY = 80
MOST_BYTES = 15_000_000
MOST_PIXELS = 50_000_000
"""A photo may have so many; what a file claims is checked before anything is decoded."""


class BadPhoto(ValueError):
    """A picture that is not taken; the message says why and what to do."""


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


def decoded(image: bytes) -> Pixels:
    """A photo from outside; raises `BadPhoto` for one that is too large, is no JPEG or PNG, or is damaged."""
    if len(image) > MOST_BYTES:
        raise BadPhoto(f"the photo has {len(image) / 1e6:.0f} MB: send one of at most {MOST_BYTES // 1_000_000} MB")
    width, height = size_of(image)
    if min(width, height) < 160 or width * height > MOST_PIXELS:
        raise BadPhoto(
            f"the photo has {width}x{height} pixels: send one from 160x160 to {MOST_PIXELS // 10**6} million"
        )
    pixels = cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise BadPhoto("the photo is damaged: send it again")
    return pixels


def size_of(image: bytes) -> tuple[int, int]:
    """Width and height as a JPEG's or PNG's head claims them; raises `BadPhoto`."""
    if image.startswith(b"\x89PNG\r\n\x1a\n") and len(image) >= 24 and image[12:16] == b"IHDR":
        return struct.unpack(">II", image[16:24])
    if not image.startswith(b"\xff\xd8\xff"):
        raise BadPhoto("this is no JPEG or PNG: send a photo as the camera of the phone makes it")
    if not image.rstrip(b"\0").endswith(b"\xff\xd9"):
        raise BadPhoto("the photo is cut short: send it again")
    return _jpeg_size(image)


def _jpeg_size(image: bytes) -> tuple[int, int]:
    """By walking the segments up to the one that begins the frame."""
    at = 2
    while at + 9 < len(image) and image[at] == 0xFF:
        marker, length = image[at + 1], int.from_bytes(image[at + 2 : at + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", image[at + 5 : at + 9])
            return width, height
        at += 1 if marker == 0xFF else 2 + max(2, length)
    raise BadPhoto("the photo is damaged: send it again")
