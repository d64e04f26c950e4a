"""Things with a flat top that lie on a table, tiles, dice, coins, cards, drawn with the sides that a camera sees."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.studio.camera import Camera, Points

PAD = 2
"""So many clear pixels around a sprite, for soft edges."""
SHIFT = 4
"""OpenCV draws points given as whole numbers with so many binary places."""

Bgr: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A small picture with its see-through part, blue, green, red and cover, padded on every side."""

    pixels: Pixels


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One thing as it lies: turned clockwise by ``angle_deg``, its underside at ``base_mm``."""

    kind: str
    top: Sprite
    size_mm: tuple[float, float]
    height_mm: float
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0
    base_mm: float = 0.0
    round: bool = False
    corner_mm: float = 0.0
    side: Bgr = (200.0, 210.0, 215.0)
    sides: tuple[Sprite, ...] = ()
    """Pictures of the four sides, where they are more than a colour."""
    gloss: float = 0.03
    rough: float = 0.15
    lean: tuple[float, float] = (0.0, 0.0)
    """How far its top leans out of level, as slopes."""

    @property
    def corners_mm(self) -> Points:
        """The corners of the upper face, the picture's top left first, then clockwise; with heights."""
        width, height = self.size_mm
        square = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
        return self._placed(square, self.base_mm + self.height_mm)

    def outline_mm(self, height_mm: float) -> Points:
        """The outline at a height above its underside, clockwise."""
        return self._placed(_outline(*self.size_mm, self.round, self.corner_mm), self.base_mm + height_mm)

    def _placed(self, flat: Points, height_mm: float) -> Points:
        turn = math.radians(self.angle_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        turned = flat @ np.array([[cos, sin], [-sin, cos]]) + (self.x_mm, self.y_mm)
        return np.column_stack([turned, np.full(len(flat), height_mm)])


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A block in the picture, in pixels."""

    block: Block
    corners: Points
    top: Points
    foot: Points

    @property
    def silhouette(self) -> Points:
        """The outline of the whole of it, sides and all."""
        both = np.vstack([self.top, self.foot]).astype(np.float32)
        return np.asarray(cv2.convexHull(both), np.float64).reshape(-1, 2)


def look(camera: Camera, blocks: Sequence[Block]) -> list[Seen]:
    """Where each block falls in the picture, the farthest first, as they must be drawn."""
    if not blocks:
        return []
    stands = camera.stands_mm[:2]
    parts = [[block.corners_mm, block.outline_mm(block.height_mm), block.outline_mm(0.0)] for block in blocks]
    pixels = camera.project(np.vstack([points for part in parts for points in part]))
    seen, first = [], 0
    for block, part in zip(blocks, parts, strict=True):
        cuts = []
        for points in part:
            cuts.append(pixels[first : first + len(points)])
            first += len(points)
        seen.append(Seen(block, *cuts))
    far = [(b.base_mm, -math.hypot(b.x_mm - stands[0], b.y_mm - stands[1])) for b in blocks]
    return [seen[i] for i in sorted(range(len(seen)), key=lambda i: far[i])]


def fixed(points: Points) -> NDArray[np.int32]:
    """Points as OpenCV's drawing functions take them."""
    return np.asarray(np.round(points * (1 << SHIFT)), np.int32)


def halved(points: Points) -> Points:
    """Pixels of the picture as pixels of the picture at half its size."""
    return (points + 0.5) / 2 - 0.5


def sprite(pixels: Pixels, cover: NDArray[np.uint8] | None = None) -> Sprite:
    """A picture padded; without a cover all of it is solid."""
    solid = np.full(pixels.shape[:2], 255, np.uint8) if cover is None else cover
    colour = cv2.copyMakeBorder(pixels, PAD, PAD, PAD, PAD, cv2.BORDER_REPLICATE)
    padded = cv2.copyMakeBorder(solid, PAD, PAD, PAD, PAD, cv2.BORDER_CONSTANT, value=0)
    return Sprite(np.dstack([colour, padded]))


def draw_block(canvas: Pixels, seen: Seen, lit_from: tuple[float, float]) -> None:
    """Draw one block; ``lit_from`` points on the table towards the brightest lamp."""
    if seen.block.height_mm > 0.05:
        _draw_sides(canvas, seen, lit_from)
    draw_sprite(canvas, seen.block.top, seen.corners)


def draw_sprite(canvas: Pixels, picture: Sprite, corners: Points) -> None:
    """Draw a flat picture so that its corners come to lie on these pixels."""
    height, width = (length - 2 * PAD for length in picture.pixels.shape[:2])
    low = PAD - 0.5
    source = np.array([[low, low], [low + width, low], [low + width, low + height], [low, low + height]], np.float32)
    draw_warped(canvas, picture.pixels, source, corners)


def draw_warped(canvas: Pixels, pixels: Pixels, source: NDArray[np.float32], corners: Points) -> None:
    """Draw four channels of pixels, of which four points come to lie on four pixels of the canvas."""
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 3, canvas.shape[1::-1])
    if x0 >= x1 or y0 >= y1:
        return
    there = (corners - (x0, y0)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, there)
    warped = cv2.warpPerspective(pixels, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    blend(canvas[y0:y1, x0:x1], np.asarray(warped, np.uint8))


def blend(under: Pixels, over: Pixels) -> None:
    """Lay four channels over three, in place."""
    cover = cv2.cvtColor(over[..., 3], cv2.COLOR_GRAY2BGR)
    lower = cv2.multiply(under, cv2.bitwise_not(cover), scale=1 / 255)
    upper = cv2.multiply(cv2.cvtColor(over, cv2.COLOR_BGRA2BGR), cover, scale=1 / 255)
    cv2.add(lower, upper, dst=under)


@lru_cache(maxsize=256)
def _outline(width: float, height: float, is_round: bool, corner: float) -> Points:
    if is_round:
        turns = np.arange(28) * math.tau / 28
        return np.column_stack([np.cos(turns) * width / 2, np.sin(turns) * height / 2])
    if corner <= 0:
        return np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    points = []
    for x, y, first in ((-1, -1, 180), (1, -1, 270), (1, 1, 0), (-1, 1, 90)):
        for step in range(4):
            turn = math.radians(first + step * 30)
            middle = x * (width / 2 - corner), y * (height / 2 - corner)
            points.append((middle[0] + corner * math.cos(turn), middle[1] + corner * math.sin(turn)))
    return np.array(points)


def _draw_sides(canvas: Pixels, seen: Seen, lit_from: tuple[float, float]) -> None:
    block, top, foot = seen.block, seen.top, seen.foot
    edges = np.roll(top, -1, axis=0) - top
    down = foot - top
    faces_us = edges[:, 0] * down[:, 1] - edges[:, 1] * down[:, 0] < 0
    flat = block.outline_mm(0.0)[:, :2]
    along = np.roll(flat, -1, axis=0) - flat
    out = np.column_stack([along[:, 1], -along[:, 0]]) / (np.linalg.norm(along, axis=1, keepdims=True) + 1e-9)
    shade = 0.74 + 0.22 * (out @ np.array(lit_from))
    quads = fixed(np.stack([top, np.roll(top, -1, axis=0), np.roll(foot, -1, axis=0), foot], axis=1))
    for i in np.flatnonzero(faces_us):
        colour = tuple(float(part * shade[i]) for part in block.side)
        cv2.fillConvexPoly(canvas, quads[i], colour, cv2.LINE_AA, SHIFT)
        if block.sides:
            j = (int(i) + 1) % len(top)
            draw_sprite(canvas, block.sides[int(i) % len(block.sides)], np.array([top[i], top[j], foot[j], foot[i]]))
