"""Turns a drawing in millimetres into pixels, as print and page would show it."""

import math
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art import Area, Drawing, Line, Point, Words

Pixels: TypeAlias = NDArray[np.uint8]

_FINER = 4
"""Everything is drawn so many times larger and averaged down, which smooths every edge alike."""
_SHIFT = 4
"""OpenCV takes points as whole numbers with so many binary places."""


def raster(drawing: Drawing, px_per_mm: float, paper: str = "#ffffff") -> Pixels:
    """The drawing as a BGR picture."""
    width, height = round(drawing.width * px_per_mm), round(drawing.height * px_per_mm)
    large = np.full((height * _FINER, width * _FINER, 3), _bgr(paper), np.uint8)
    scale = px_per_mm * _FINER
    for shape in drawing.shapes:
        match shape:
            case Area():
                cv2.fillPoly(
                    large,
                    [_points(outline, scale) for outline in shape.outlines],
                    _bgr(shape.colour),
                    cv2.LINE_8,
                    _SHIFT,
                )
            case Line():
                thick = max(1, round(shape.width * scale))
                cv2.polylines(
                    large, [_points(shape.points, scale)], False, _bgr(shape.colour), thick, cv2.LINE_8, _SHIFT
                )
            case Words():
                _write(large, shape, scale)
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _points(outline: tuple[Point, ...], scale: float) -> NDArray[np.int32]:
    # A pixel's own middle is at a half: without the half everything sits half a fine pixel low.
    return np.round((np.array(outline) * scale - 0.5) * (1 << _SHIFT)).astype(np.int32)


def _write(large: Pixels, words: Words, scale: float) -> None:
    letters, left, baseline = _letters(words.words, max(1, round(words.size * scale)), words.bold)
    turn = math.radians(words.angle_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    begin = {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor] * (letters.shape[1] - 2 * left) + left
    x, y = words.at[0] * scale, words.at[1] * scale
    place = np.array([[cos, -sin, x - cos * begin + sin * baseline], [sin, cos, y - sin * begin - cos * baseline]])
    corners = place @ np.array([[0, letters.shape[1]] * 2, [0, 0, *[letters.shape[0]] * 2], [1] * 4])
    x0, y0 = np.clip(np.floor(corners.min(axis=1)).astype(int), 0, None)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=1)).astype(int) + 1, large.shape[1::-1])
    if x0 >= x1 or y0 >= y1:
        return
    place[:, 2] -= x0, y0
    ink = cv2.warpAffine(letters, place, (int(x1 - x0), int(y1 - y0)))[..., None] / np.float32(255)
    under = large[y0:y1, x0:x1]
    under[:] = np.round(under * (1 - ink) + np.array(_bgr(words.colour), np.float32) * ink)


@cache
def _letters(words: str, size: int, bold: bool) -> tuple[Pixels, int, int]:
    """Words in white on black, how far their first letter stands from the left edge, and their baseline."""
    font, weight = _font(), 700 if bold else 450
    x, _, width, _ = cv2.getTextSize((0, 0), words, (0, 0), font, size, weight)
    # OpenCV wraps at the right edge, so there is room to spare while it writes.
    page = np.zeros((2 * size, width + 4 * size), np.uint8)
    cv2.putText(page, words, (size - x, round(1.4 * size)), (255,), font, size, weight)
    return np.ascontiguousarray(page[:, : width + 2 * size]), size, round(1.4 * size)


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def _bgr(colour: str) -> tuple[int, int, int]:
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)
