"""Small square pictures cut out of a top view, one a place; training and play use the same, so neither can drift."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Pixels
from vision.plane import Rectified

SIDE = 64
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
