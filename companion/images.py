"""Photographs as files: their kind and size, read from their heads, before anybody decodes them."""

from companion.game import Unreadable
from companion.said import say

MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 26_000_000
"""A photo of 24 megapixels passes; decoded it takes some 80 MB."""

_PNG = b"\x89PNG\r\n\x1a\n"
_FRAMES = (0xC0, 0xC1, 0xC2)
"""The JPEG segments that hold the size of what is coded sequentially or progressively by Huffman's codes."""
_BARE = (0x01, *range(0xD0, 0xD8))
"""Markers without a length."""


def check_photo(image: bytes) -> None:
    """Refuse what is no whole JPEG or PNG of a reasonable size."""
    if len(image) > MOST_BYTES:
        raise Unreadable(
            say("this picture has more than {n} megabytes: send a smaller one", n=MOST_BYTES >> 20), "photo"
        )
    width, height = _size(image)
    if width < 64 or height < 64:
        raise Unreadable(say("this picture is too small to show a table: send the photo itself"), "photo")
    if width * height > MOST_PIXELS:
        most = MOST_PIXELS // 1_000_000
        raise Unreadable(say("this picture has more than {n} megapixels: send a smaller one", n=most), "photo")
    if not (image.rstrip(b"\0").endswith(b"\xff\xd9") or image.endswith(b"IEND\xaeB`\x82")):
        raise Unreadable(say("the end of this picture is missing: send it again"), "photo")


def _size(image: bytes) -> tuple[int, int]:
    size = _jpeg_size(image) if image.startswith(b"\xff\xd8\xff") else _png_size(image)
    if size is None:
        raise Unreadable(say("this is no JPEG or PNG picture: take the photo with the phone's camera"), "photo")
    return size


def _png_size(image: bytes) -> tuple[int, int] | None:
    if not image.startswith(_PNG + b"\x00\x00\x00\rIHDR") or len(image) < 33:
        return None
    return int.from_bytes(image[16:20]), int.from_bytes(image[20:24])


def _jpeg_size(image: bytes) -> tuple[int, int] | None:
    """Walk the segments up to the one that says how large the picture is."""
    at = 2
    while at + 9 < len(image) and image[at] == 0xFF:
        marker = image[at + 1]
        if marker in _FRAMES:
            return int.from_bytes(image[at + 7 : at + 9]), int.from_bytes(image[at + 5 : at + 7])
        if marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        elif 0xC0 <= marker < 0xD0 and marker not in (0xC4, 0xC8, 0xCC):
            return None
        else:
            at += 2 + int.from_bytes(image[at + 2 : at + 4])
    return None
