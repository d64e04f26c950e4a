"""A coded picture, from a file or from the network, made into pixels."""

from pathlib import Path

import cv2
import numpy as np

from companion.game import Unreadable
from companion.images import MOST_BYTES, check_photo, is_whole_jpeg
from vision.frame import Pixels

_JPEG = b"\xff\xd8"


def decode(image: bytes) -> Pixels:
    """The pixels of a JPEG or PNG, turned upright; raises `Unreadable` for one that is damaged or none."""
    if image.startswith(_JPEG) and not is_whole_jpeg(image):
        raise Unreadable("the photo is cut off in the middle: send it once more", "photo")
    try:
        pixels = cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR) if image else None
    except cv2.error:
        pixels = None
    if pixels is None:
        raise Unreadable("the photo cannot be read: send a JPEG or a PNG", "photo")
    return np.asarray(pixels, np.uint8)


def read_photo(file: Path) -> Pixels:
    """The pixels of a photo that somebody took, whole and of a reasonable size; raises `Unreadable` for any other."""
    try:
        with file.open("rb") as opened:
            image = opened.read(MOST_BYTES + 1)
    except OSError as missing:
        raise Unreadable(f"{file} cannot be opened: {(missing.strerror or 'no such file').lower()}", "photo") from None
    check_photo(image)
    return decode(image)
