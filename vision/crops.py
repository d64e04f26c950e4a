"""Small square pictures cut out of a top view, one a place; training and play use the same, so neither can drift."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Pixels
from vision.plane import Rectified

SIDE = 64
_RIM, _COARSE, _SAME_LEVELS, _SAME_LIGHT = 8, 8, 8.0, 0.1
"""Crops that show the same differ, less this rim and made so many pixels wide, by no more than so many levels in any,
and one may be so much lighter. Free places of plain tables differ by 2 to 4 levels from the next like them, of hard
ones by 4 to 13; of 250 tiles none was nearer to a free place than 24."""
FACE = 54
"""So many pixels of the side are the tile; around it a little of the ground, since tiles never lie quite true."""


def cut(
    view: Rectified, centres_mm: Sequence[tuple[float, float]], turns_deg: Sequence[float], size_mm: tuple[float, float]
) -> Pixels:
    """One crop for each centre, upright when the tile is turned so far clockwise; all of one size on the table."""
    right, down = size_mm[0] / FACE / view.mm_per_pixel, size_mm[1] / FACE / view.mm_per_pixel
    turns = np.radians(turns_deg)
    cos, sin = np.cos(turns), np.sin(turns)
    there = np.stack([cos * right, -sin * down, sin * right, cos * down], axis=1).reshape(-1, 2, 2)
    corners = view.to_pixels(np.array(centres_mm).reshape(-1, 2)) - there @ np.full(2, (SIDE - 1) / 2)
    crops = np.empty((len(there), SIDE, SIDE, 3), np.uint8)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for crop, matrix in zip(crops, np.concatenate([there, corners[:, :, None]], axis=2), strict=True):
        cv2.warpAffine(view.pixels, matrix, (SIDE, SIDE), crop, how, cv2.BORDER_REPLICATE)
    return crops


def first_alike(crops: Pixels) -> list[int]:
    """For each crop the first one that shows the same."""
    if not len(crops):
        return []
    inner = np.ascontiguousarray(crops[:, _RIM:-_RIM, _RIM:-_RIM]).reshape(-1, SIDE - 2 * _RIM, 3)
    coarse = cv2.resize(inner, (_COARSE, len(crops) * _COARSE), interpolation=cv2.INTER_AREA)
    looks = coarse.reshape(len(crops), -1).astype(np.float32)
    light = looks.mean(axis=1) + 1
    looks *= 128 / light[:, None]
    firsts: list[int] = []
    found = []
    for i in range(len(crops)):
        as_light = [j for j in firsts if abs(light[j] / light[i] - 1) < _SAME_LIGHT]
        off = np.abs(looks[as_light] - looks[i]).max(axis=1, initial=0.0)
        if len(off) and off.min() < _SAME_LEVELS:
            found.append(as_light[int(off.argmin())])
        else:
            firsts.append(i)
            found.append(i)
    return found
