"""A coded picture, from a file or from the network, made into pixels."""

import cv2
import numpy as np

from companion.game import Unreadable
from vision.frame import Pixels

_START, _SCAN, _END = b"\xff\xd8", 0xDA, b"\xff\xd9"


def decode(image: bytes) -> Pixels:
    """The pixels of a JPEG or PNG, turned upright; raises `Unreadable` for one that is damaged or none."""
    if image.startswith(_START) and not is_whole_jpeg(image):
        raise Unreadable("the photo is cut off in the middle: send it once more", "photo")
    try:
        pixels = cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR) if image else None
    except cv2.error:
        pixels = None
    if pixels is None:
        raise Unreadable("the photo cannot be read: send a JPEG or a PNG", "photo")
    return np.asarray(pixels, np.uint8)


def is_whole_jpeg(image: bytes) -> bool:
    """Whether the end marker follows the scan: a JPEG that is cut off decodes to something all the same.

    The marker is not looked for from the back: the small picture inside a phone's photo has one too, and phones
    put other things behind the photo.
    """
    at = len(_START)
    while at + 4 <= len(image) and image[at] == 0xFF:
        if image[at + 1] == _SCAN:
            return image.find(_END, at) >= 0
        at += 2 + int.from_bytes(image[at + 2 : at + 4], "big")
    return False
