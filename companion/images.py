"""Photographs as files: their kind and size, read from their heads, before anybody decodes them."""

import re
from collections.abc import Iterator

from companion.game import Unreadable
from companion.said import say

MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 26_000_000
"""A photo of 24 megapixels passes; decoded it takes some 80 MB."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_JPEG, _JPEG_END, _SCAN = b"\xff\xd8", b"\xff\xd9", 0xDA
_FRAMES = (0xC0, 0xC1, 0xC2)
"""The JPEG segments that hold the size of what is coded sequentially or progressively by Huffman's codes."""
_PROGRESSIVE, _RESTARTS, _END, _INTERVAL = 0xC2, range(0xD0, 0xD8), 0xD9, 0xDD
_BARE = (0x01, *_RESTARTS)
"""Markers without a length."""
_BETWEEN_SCANS = (0xC4, _SCAN, 0xDB, 0xDC, _INTERVAL, 0xFE, *range(0xE0, 0xF0))
"""What may stand between two scans: tables, comments, and the next one."""
_MARKER = re.compile(rb"\xff+([^\x00\xff])", re.DOTALL)
"""A byte of 255 that is a pixel's has a nought behind it."""
_KINDS = {
    "WebP": r"RIFF....WEBP",
    "HEIC": r"....ftyp(hei|hev|mif1|msf1)",
    "AVIF": r"....ftypavi",
    "GIF": r"GIF8",
    "BMP": r"BM....\0\0\0\0",
    "TIFF": r"II\*\0|MM\0\*",
    "PDF": r"%PDF",
}
"""How other kinds of files begin that people take for photographs."""


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
    if not (is_whole_jpeg(image) or (image.startswith(_PNG) and _PNG_END in image)):
        raise Unreadable(say("the end of this picture is missing: send it again"), "photo")
    if image.startswith(_JPEG) and is_overwritten_jpeg(image):
        raise Unreadable(say("this picture is damaged inside: send it again, or take another one"), "photo")


def is_whole_jpeg(image: bytes) -> bool:
    """Whether the end marker follows the scan: a JPEG that is cut off decodes to something all the same.

    The marker is not looked for from the back: the small picture inside a phone's photo has one too, and phones
    put other things behind the photo.
    """
    return any(marker == _SCAN and image.find(_JPEG_END, at) >= 0 for marker, at in _segments(image))


def is_overwritten_jpeg(image: bytes) -> bool:
    """Whether a marker stands among the pixels where none may: bytes of something else look like one sooner or later.

    What looks like pixels, such as noughts or a part of another photo, is not found out.
    """
    heads = dict(_segments(image))
    frame, scan = next((at for marker, at in heads.items() if marker in _FRAMES), None), heads.get(_SCAN)
    if frame is None or scan is None or frame + 9 >= len(image):
        return False
    is_one_scan = image[frame + 1] != _PROGRESSIVE and image[frame + 9] == image[scan + 4]
    restarts, due = _INTERVAL in heads, _RESTARTS[0]
    for marker in _markers_among_pixels(image, scan):
        if marker in _RESTARTS:
            if not restarts or marker != due:
                return True
            due = _RESTARTS[(marker + 1 - _RESTARTS[0]) % len(_RESTARTS)]
        elif is_one_scan or marker not in _BETWEEN_SCANS:
            return True
        else:
            restarts, due = restarts or marker == _INTERVAL, _RESTARTS[0]
    return False


def _markers_among_pixels(image: bytes, scan: int) -> Iterator[int]:
    """The markers from the first scan to the end of the picture; phones put other things behind it."""
    at = _behind(image, scan)
    while (found := _MARKER.search(image, at)) and found[1][0] != _END:
        yield found[1][0]
        at = found.end() if found[1][0] in _BARE else _behind(image, found.end() - 2)


def _behind(image: bytes, at: int) -> int:
    """Where a segment with a length ends."""
    return at + 2 + int.from_bytes(image[at + 2 : at + 4])


def _size(image: bytes) -> tuple[int, int]:
    size = _jpeg_size(image) if image.startswith(_JPEG) else _png_size(image)
    if size is None:
        raise Unreadable(_no_photo(image), "photo")
    return size


def _no_photo(image: bytes) -> str:
    """What it is instead, where its first bytes tell."""
    head = image[:64].decode("latin-1")
    for kind, begins in _KINDS.items():
        if re.match(begins, head, re.DOTALL):
            return say("this is {kind}, no JPEG or PNG: send the photo as a JPEG", kind=kind)
    if head and head.isascii() and all(sign.isprintable() or sign.isspace() for sign in head):
        return say("this is text, no JPEG or PNG: send the photo as a JPEG")
    return say("this is no JPEG or PNG picture: send the photo as a JPEG")


def _png_size(image: bytes) -> tuple[int, int] | None:
    if not image.startswith(_PNG + b"\x00\x00\x00\rIHDR") or len(image) < 33:
        return None
    return int.from_bytes(image[16:20]), int.from_bytes(image[20:24])


def _jpeg_size(image: bytes) -> tuple[int, int] | None:
    for marker, at in _segments(image):
        if marker in _FRAMES and at + 9 < len(image):
            return int.from_bytes(image[at + 7 : at + 9]), int.from_bytes(image[at + 5 : at + 7])
        if 0xC0 <= marker < 0xD0 and marker not in (0xC4, 0xC8, 0xCC):
            return None
    return None


def _segments(image: bytes) -> Iterator[tuple[int, int]]:
    """The markers of a JPEG up to its first scan, and where each stands."""
    at = len(_JPEG)
    while image.startswith(_JPEG) and at + 4 <= len(image) and image[at] == 0xFF:
        marker = image[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        yield marker, at
        if marker == _SCAN:
            return
        at = at + 2 if marker in _BARE else _behind(image, at)
