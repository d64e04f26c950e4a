"""Hands and forearms: built from bones by rule, in many skins and sleeves, or real ones cut out, from a folder."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.studio.blocks import Bgr, blend
from vision.studio.camera import Camera, Points
from vision.studio.light import Lamp, Lighting
from vision.studio.materials import cloud

Field: TypeAlias = NDArray[np.float32]
Joint: TypeAlias = tuple[float, float, float, float]
"""Millimetres across, along the arm and up from the tip, and the radius there."""

PX_PER_MM = 1.6
LEFT_MM, TOP_MM, WIDTH_MM, LENGTH_MM = -95.0, -25.0, 230.0, 430.0
"""The picture of an arm: the tip of the fingers is the origin, the elbow lies along y."""
WHOLE_MM = 1100.0
"""So long is an arm in the scene; beyond the forearm its last part is repeated, to and fro."""

POSES = ("pinch", "open", "point", "flat")
PEOPLE = 12
"""So many people: skin, build, sleeve."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """An arm without light: its colours, where its surface leans, and what it covers."""

    colours: Pixels
    normals: NDArray[np.int8]
    """In steps of 1/127."""
    hollows: NDArray[np.uint8]
    cover: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """An arm in the scene: its picture, and where the picture's four corners are above the table."""

    pixels: Pixels
    """Blue, green, red and cover."""
    corners_mm: Points
    tip_mm: tuple[float, float, float]
    height_mm: float
    """How high it is held, for the softness of its shadow."""
    smear_px: tuple[float, float] = (0.0, 0.0)
    """How far it moves while the shutter is open."""


def any_arm(
    dice: random.Random,
    targets_mm: Sequence[tuple[float, float]],
    lighting: Lighting,
    cutouts: Path | None = None,
) -> Arm:
    """An arm that reaches in from a side of the picture, often to a tile."""
    side = math.radians(dice.choice((0, 0, 90, 180, 270)) + dice.gauss(0, 22))
    outward = (math.sin(side), math.cos(side))
    target = dice.choice(list(targets_mm)) if targets_mm and dice.random() < 0.8 else (0.0, 0.0)
    spread = 60.0 if dice.random() < 0.5 else 12.0
    tip = (target[0] + dice.gauss(0, spread), target[1] + dice.gauss(0, spread))
    height = dice.uniform(4, 60)
    files = sorted(cutouts.glob("*.png")) if cutouts else []
    if files and dice.random() < 0.5:
        return cut_out(dice.choice(files), tip, outward, height, dice.random() < 0.5)
    return reach(dice.randrange(PEOPLE), dice.choice(POSES), tip, outward, height, dice.random() < 0.4, lighting)


def reach(
    person: int,
    pose: str,
    tip_mm: tuple[float, float],
    outward: tuple[float, float],
    height_mm: float,
    left_handed: bool,
    lighting: Lighting,
) -> Arm:
    """An arm whose fingers are at a point of the table, coming from the side that ``outward`` points to."""
    pixels = _lit(person, pose, left_handed, _light_from(lighting, outward))
    x0, y0, x1, y1 = LEFT_MM, TOP_MM, LEFT_MM + WIDTH_MM, TOP_MM + WHOLE_MM
    if left_handed:
        x0, x1 = -x1, -x0
    flat = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return _above(pixels, flat, tip_mm, outward, height_mm)


def cut_out(
    file: Path, tip_mm: tuple[float, float], outward: tuple[float, float], height_mm: float, mirrored: bool
) -> Arm:
    """A real hand cut out of a photo, its wrist at the upper edge; a sleeve goes on from it."""
    pixels = _cut_outs(file, mirrored)
    wide, tall = pixels.shape[1] / PX_PER_MM, pixels.shape[0] / PX_PER_MM
    flat = np.array([[-wide / 2, 0], [wide / 2, 0], [wide / 2, tall], [-wide / 2, tall]])
    return _above(pixels, flat, tip_mm, outward, height_mm)


def arm_cover(arm: Arm, camera: Camera, lamp: Lamp | None = None) -> NDArray[np.uint8]:
    """What an arm covers of the picture, or what its shadow from a lamp does, at half the picture's size."""
    pixels, matrix = _in_picture(arm, camera, lamp)
    size = ((camera.size[0] + 1) // 2, (camera.size[1] + 1) // 2)
    halve = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
    return np.asarray(cv2.warpPerspective(pixels[..., 3], halve @ matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def arm_outline(arm: Arm, camera: Camera, lamp: Lamp | None = None) -> Points:
    """The four corners of an arm's picture, or of its shadow from a lamp, in pixels."""
    pixels, matrix = _in_picture(arm, camera, lamp)
    height, width = pixels.shape[:2]
    outline = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(outline, matrix)[0])


def draw_arm(canvas: Pixels, arm: Arm, camera: Camera) -> None:
    """Draw an arm as the camera sees it, smeared along its move."""
    pixels, matrix = _in_picture(arm, camera)
    corners = arm_outline(arm, camera)
    reach_px = math.ceil(math.hypot(*arm.smear_px)) + 3
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - reach_px, 0, camera.size)
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + reach_px, 0, camera.size)
    if (low >= high).any():
        return
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    warped = cv2.warpPerspective(pixels, moved, (int(high[0] - low[0]), int(high[1] - low[1])), flags=cv2.INTER_LINEAR)
    blend(canvas[low[1] : high[1], low[0] : high[0]], _smeared(np.asarray(warped, np.uint8), arm.smear_px))


def _in_picture(arm: Arm, camera: Camera, lamp: Lamp | None = None) -> tuple[Pixels, Points]:
    """The part of an arm that is before the camera, and the matrix from its pixels to the picture's.

    An elbow is far outside the picture, where the bending of a lens has no meaning: so arms are straight, and only
    moved to where the lens shows the tip of the fingers.
    """
    tip = np.array([arm.tip_mm])
    for share in (1.0, 0.75, 0.55, 0.4, 0.3):
        near = arm.corners_mm.copy()
        near[2:] = near[1::-1] + (near[2:] - near[1::-1]) * share
        points = near if lamp is None else np.column_stack([lamp.shade_mm(near), np.zeros(4)])
        there, depths = camera.straight(points)
        if depths.min() > 80:
            break
    shown = tip if lamp is None else np.column_stack([lamp.shade_mm(tip), [0.0]])
    off = camera.bent_by(camera.straight(shown)[0])[0]
    pixels = arm.pixels[: math.ceil(arm.pixels.shape[0] * share)]
    height, width = pixels.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    return pixels, np.asarray(cv2.getPerspectiveTransform(source, (there + off).astype(np.float32)), np.float64)


def _smeared(warped: Pixels, move: tuple[float, float]) -> Pixels:
    """Averaged along the move: laid over itself half the move away, then a quarter, and so on."""
    steps = [(round(move[0] / 2**i), round(move[1] / 2**i)) for i in range(1, 6)]
    wide, tall = (sum(abs(step[i]) for step in steps) for i in (0, 1))
    page = cv2.copyMakeBorder(warped, tall // 2, tall - tall // 2, wide // 2, wide - wide // 2, cv2.BORDER_REPLICATE)
    for right, down in steps:
        height, width = page.shape[0] - abs(down), page.shape[1] - abs(right)
        near = page[max(0, down) :, max(0, right) :][:height, :width]
        far = page[max(0, -down) :, max(0, -right) :][:height, :width]
        page = cv2.addWeighted(near, 0.5, far, 0.5, 0)
    return np.asarray(page, np.uint8)


def _above(
    pixels: Pixels, flat: Points, tip_mm: tuple[float, float], outward: tuple[float, float], height_mm: float
) -> Arm:
    """The picture laid above the table: fingers low, elbow higher."""
    length = math.hypot(*outward)
    x, y = outward[0] / length, outward[1] / length
    there = flat @ np.array([[y, -x], [x, y]]) + tip_mm
    heights = height_mm + 22.0 + flat[:, 1] * 0.16
    corners = np.column_stack([there, heights])
    return Arm(pixels, corners, (tip_mm[0], tip_mm[1], height_mm), height_mm + 45.0)


def _light_from(lighting: Lighting, outward: tuple[float, float]) -> tuple[float, float]:
    """The direction of most light, in the arm's own axes, in coarse steps so that pictures can be kept."""
    x = sum(lamp.power * lamp.direction[0] for lamp in lighting.lamps)
    y = sum(lamp.power * lamp.direction[1] for lamp in lighting.lamps)
    total = lighting.ambient + sum(lamp.power for lamp in lighting.lamps)
    length = math.hypot(*outward)
    along_x, along_y = outward[1] / length, outward[0] / length
    turned = (x * along_x - y * along_y, x * along_y + y * along_x)
    return round(1.3 * turned[0] / total * 4) / 4, round(1.3 * turned[1] / total * 4) / 4


@lru_cache(maxsize=8)
def _lit(person: int, pose: str, left_handed: bool, towards: tuple[float, float]) -> Pixels:
    """An arm under light from one side."""
    shape = arm_shape(person, pose)
    toward = np.array([-towards[0] if left_handed else towards[0], towards[1], 0.62], np.float32)
    lamp = toward / np.linalg.norm(toward)
    half = lamp + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    normals = shape.normals.astype(np.float32) / 127
    leaning = cv2.transform(normals, np.array([lamp, half, (0, 0, 1)], np.float32))
    falls = np.maximum(leaning[..., 0], 0) * 0.75 + 0.25 * leaning[..., 2]
    light = (0.34 + 0.72 * falls) * shape.hollows.astype(np.float32) / 255
    # Light wanders under skin and comes out red, so dark parts stay warmer than bright ones.
    root = cv2.sqrt(light)
    warm = cv2.merge([root * (0.86 + 0.14 * root), root * (0.94 + 0.06 * root), root * (1.06 - 0.06 * root)])
    sharp = np.maximum(leaning[..., 1], 0) ** 4
    gleam = 26 * (sharp * sharp * sharp) ** 2 * light
    lit = cv2.multiply(shape.colours, warm, dtype=cv2.CV_32F) + gleam[..., None]
    whole = np.dstack([np.clip(lit, 0, 255).astype(np.uint8), shape.cover])
    drawn = np.vstack([whole, _upper_arm(whole)])
    return np.ascontiguousarray(drawn[:, ::-1] if left_handed else drawn)


def _upper_arm(drawn: Pixels) -> Pixels:
    """The rest of the arm, made of the last part that was drawn, which has neither hand nor cuff."""
    last = drawn[-round(110 * PX_PER_MM) :]
    rows = round(WHOLE_MM * PX_PER_MM) - drawn.shape[0]
    to_and_fro = [last[::-1], last] * (rows // (2 * len(last)) + 1)
    return np.vstack(to_and_fro)[:rows]


@lru_cache(maxsize=64)
def arm_shape(person: int, pose: str) -> Shape:
    """The shape and colours of one person's arm in one pose."""
    dice = np.random.default_rng([7, person])
    build = float(dice.uniform(0.76, 0.96))
    skin = _SKINS[person % len(_SKINS)]
    cuff_mm = float((170, 190, 250, 620)[person % 4] + dice.uniform(-15, 15))
    sleeve = _SLEEVES[int(dice.integers(len(_SLEEVES)))]
    cloth_colours, folds = _sleeve(sleeve, dice), _patch(dice, 2.2) * 3.2 + _patch(dice, 1.4) * 1.2
    bones = [[(x * build, y * build, z, r * build) for x, y, z, r in bone] for bone in _bones(pose)]
    sleeved = _beyond(cuff_mm, 26 * build)
    cloth = _height([[(25 * build, cuff_mm - 20, 42, 45), (36 * build, 620, 46, 56)]])
    height = np.where(sleeved & (cloth > 0), cloth + folds, np.where(sleeved, 0, _height(bones))).astype(np.float32)
    cover = cv2.GaussianBlur(((height > 0.5) * 255).astype(np.uint8), (0, 0), 0.7)
    smooth = _smooth(height, 1.6)
    colours = _skin(skin, bones, dice)
    colours[sleeved] = cloth_colours[sleeved]
    return Shape(
        np.clip(colours, 0, 255).astype(np.uint8),
        np.round(_normals(smooth) * 127).astype(np.int8),
        np.round(_hollows(smooth, sleeved) * 255).astype(np.uint8),
        np.asarray(cover, np.uint8),
    )


def _beyond(cuff_mm: float, middle_mm: float) -> NDArray[np.bool_]:
    """Where the sleeve is: its edge runs around the arm, so it is curved as we see it."""
    rows, columns = _grid()
    y = ((np.arange(rows, dtype=np.float32) + 0.5) / PX_PER_MM + TOP_MM)[:, None]
    x = (np.arange(columns, dtype=np.float32) + 0.5) / PX_PER_MM + LEFT_MM
    return np.asarray(y > cuff_mm + 0.006 * (x - middle_mm) ** 2 + 2.0 * np.sin(x / 9), np.bool_)


_SKINS: tuple[Bgr, ...] = (
    (168, 190, 232),
    (140, 172, 222),
    (120, 152, 206),
    (96, 130, 188),
    (70, 102, 158),
    (50, 76, 122),
    (40, 58, 92),
    (156, 178, 218),
)
_SLEEVES: tuple[Bgr, ...] = (
    (70, 60, 52),
    (52, 48, 50),
    (120, 76, 40),
    (60, 64, 150),
    (200, 204, 206),
    (96, 120, 84),
    (150, 156, 164),
    (34, 34, 36),
)


def _bones(pose: str) -> list[list[Joint]]:
    """Chains of joints for a right hand seen from above: five fingers, the back of the hand, the forearm."""
    knuckles: list[Joint] = [(2, 80, 44, 13), (22, 74, 47, 13.5), (40, 80, 44, 12.5), (55, 92, 38, 11)]
    wrist: Joint = (26, 158, 40, 25)
    backs: list[list[Joint]] = [[(14 + 8 * i, 150, 38, 19), knuckle] for i, knuckle in enumerate(knuckles)]
    forearm: list[list[Joint]] = [[wrist, (34, 300, 42, 36), (40, 620, 44, 46)], [(16, 152, 38, 20), (38, 152, 36, 19)]]
    palm: list[list[Joint]] = [[(4, 100, 34, 16), (52, 104, 30, 15)], [(8, 124, 34, 19), (44, 126, 32, 18)]]
    return [*_fingers(pose, knuckles), *backs, *palm, *forearm]


def _fingers(pose: str, knuckles: list[Joint]) -> list[list[Joint]]:
    index, middle, ring, little = knuckles
    curled: list[list[Joint]] = [
        [middle, (20, 36, 46, 10.5), (16, 20, 26, 9.5), (13, 14, 14, 8.5)],
        [ring, (42, 44, 42, 10), (36, 28, 24, 9), (32, 24, 12, 8)],
        [little, (58, 62, 36, 9), (53, 48, 20, 8), (49, 45, 10, 7)],
    ]
    pinching: list[Joint] = [(0, 140, 30, 17), (-24, 104, 30, 13.5), (-22, 58, 26, 11.5), (-7, 9, 10, 9)]
    if pose == "pinch":
        return [[index, (-5, 40, 44, 10.5), (0, 18, 24, 9.5), (4, 4, 9, 8)], *curled, pinching]
    if pose == "open":
        return [
            [index, (-8, 38, 42, 10.5), (-8, 16, 28, 9.5), (-6, 1, 16, 8)],
            [middle, (18, 30, 44, 10.5), (14, 8, 28, 9.5), (12, -6, 16, 8)],
            [ring, (42, 38, 40, 10), (40, 16, 26, 9), (37, 4, 14, 8)],
            [little, (62, 60, 34, 9), (62, 42, 22, 8), (60, 32, 12, 7)],
            [(0, 140, 30, 17), (-32, 108, 28, 13.5), (-40, 66, 24, 11.5), (-30, 34, 14, 9)],
        ]
    if pose == "point":
        return [
            [index, (-2, 42, 36, 10.5), (-1, 20, 24, 9.5), (0, 2, 12, 8)],
            [middle, (22, 50, 46, 11), (20, 62, 30, 10)],
            [ring, (42, 58, 42, 10.5), (40, 70, 28, 9.5)],
            [little, (57, 72, 36, 9.5), (54, 82, 24, 8.5)],
            [(0, 140, 30, 17), (-24, 106, 30, 13.5), (-10, 76, 34, 11.5), (8, 62, 36, 9.5)],
        ]
    return [
        [index, (-6, 36, 22, 10), (-8, 14, 16, 9), (-9, -4, 10, 8)],
        [middle, (22, 26, 22, 10.5), (22, 2, 16, 9.5), (22, -16, 10, 8)],
        [ring, (44, 34, 20, 10), (47, 10, 15, 9), (49, -6, 9, 8)],
        [little, (66, 58, 18, 9), (72, 40, 13, 8), (76, 27, 8, 7)],
        [(0, 140, 24, 17), (-34, 110, 20, 13), (-52, 80, 16, 11), (-62, 54, 10, 9)],
    ]


def _grid() -> tuple[int, int]:
    return round(LENGTH_MM * PX_PER_MM), round(WIDTH_MM * PX_PER_MM)


def _patch(dice: np.random.Generator, fall: float) -> Field:
    rows, columns = _grid()
    coarse = cloud(dice, fall, side=512)
    return np.asarray(cv2.resize(coarse, (max(rows, columns),) * 2)[:rows, :columns], np.float32)


def _height(bones: Sequence[Sequence[Joint]]) -> Field:
    """The upper surface of all bones in their flesh, in millimetres; 0 where there is none."""
    rows, columns = _grid()
    height = np.zeros((rows, columns), np.float32)
    for bone in bones:
        for start, end in pairwise(bone):
            _raise(height, start, end)
    return height


def _raise(height: Field, start: Joint, end: Joint) -> None:
    """A rounded cone between two joints."""
    widest = max(start[3], end[3])
    low_x, high_x = min(start[0], end[0]) - widest, max(start[0], end[0]) + widest
    low_y, high_y = min(start[1], end[1]) - widest, max(start[1], end[1]) + widest
    c0, c1 = (int(np.clip((x - LEFT_MM) * PX_PER_MM, 0, height.shape[1])) for x in (low_x, high_x + 1))
    r0, r1 = (int(np.clip((y - TOP_MM) * PX_PER_MM, 0, height.shape[0])) for y in (low_y, high_y + 1))
    x = (np.arange(c0, c1, dtype=np.float32) + 0.5) / PX_PER_MM + LEFT_MM - start[0]
    y = ((np.arange(r0, r1, dtype=np.float32) + 0.5) / PX_PER_MM + TOP_MM - start[1])[:, None]
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = np.clip((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-6), 0, 1)
    far = (x - along * dx) ** 2 + (y - along * dy) ** 2
    radius = start[3] + along * (end[3] - start[3])
    inside = radius**2 - far
    top = np.where(inside > 0, start[2] + along * (end[2] - start[2]) + np.sqrt(np.maximum(inside, 0)), 0)
    part = height[r0:r1, c0:c1]
    np.maximum(part, top, out=part)


def _smooth(height: Field, millimetres: float) -> Field:
    """Flesh between the bones: blurred within the outline only."""
    inside = (height > 0).astype(np.float32)
    sigma = millimetres * PX_PER_MM
    share = cv2.GaussianBlur(inside, (0, 0), sigma)
    return np.asarray(cv2.GaussianBlur(height, (0, 0), sigma) / np.maximum(share, 1e-3) * inside, np.float32)


def _normals(height: Field) -> Field:
    """Where the surface leans; the rim bends away from us on every side."""
    rim = cv2.GaussianBlur((height > 0).astype(np.float32), (0, 0), 2.2 * PX_PER_MM)
    rounded = height + 9 * np.clip(rim * 2 - 1, 0, 1) ** 0.6
    right = cv2.Sobel(rounded, cv2.CV_32F, 1, 0, ksize=3, scale=PX_PER_MM / 8)
    down = cv2.Sobel(rounded, cv2.CV_32F, 0, 1, ksize=3, scale=PX_PER_MM / 8)
    soft = [np.tanh(cv2.GaussianBlur(slope, (0, 0), 1.2) * 0.7) for slope in (right, down)]
    normals = np.dstack([-soft[0], -soft[1], np.full_like(soft[0], 0.8)])
    return np.asarray(normals / np.linalg.norm(normals, axis=-1, keepdims=True), np.float32)


def _hollows(height: Field, sleeved: NDArray[np.bool_]) -> Field:
    """Darker where neighbours stand higher: between fingers, under the cuff."""
    inside = (height > 0).astype(np.float32)
    wide = 5 * PX_PER_MM
    share = np.maximum(cv2.GaussianBlur(inside, (0, 0), wide), 0.05)
    around = cv2.GaussianBlur(height, (0, 0), wide) / share
    deep = np.clip((around - height) / 26, 0, 1)
    cuff = cv2.GaussianBlur(sleeved.astype(np.float32), (0, 0), 3 * PX_PER_MM) * ~sleeved
    return np.asarray((1 - 0.75 * deep) * (1 - 0.5 * cuff), np.float32)


def _skin(tone: Bgr, bones: Sequence[Sequence[Joint]], dice: np.random.Generator) -> Field:
    """Skin with blotches, red knuckles, creases and nails."""
    rows, columns = _grid()
    page = np.empty((rows, columns, 3), np.float32)
    page[:] = np.array(tone, np.float32)
    page *= 1 + 0.025 * _patch(dice, 1.6)[..., None] + 0.02 * _patch(dice, 0.5)[..., None]
    red = np.zeros((rows, columns), np.float32)
    lines = np.zeros((rows, columns), np.float32)
    for finger in bones[:5]:
        for number, joint in enumerate(finger[:-1]):
            cv2.circle(red, _at(joint), round(joint[3] * PX_PER_MM), 0.9, -1)
            if number > 0:
                _creases(lines, finger[number - 1], joint, dice)
        cv2.circle(red, _at(finger[-1]), round(finger[-1][3] * PX_PER_MM), 1.0, -1)
    flush = cv2.GaussianBlur(red, (0, 0), 5 * PX_PER_MM)[..., None]
    page *= 1 - flush * np.array([0.14, 0.11, 0.0], np.float32)
    page *= 1 - 0.2 * cv2.GaussianBlur(lines, (0, 0), 0.9)[..., None]
    for finger in bones[:5]:
        if len(finger) > 3:
            _nail(page, finger[-2], finger[-1], tone)
    return page


def _at(joint: Joint) -> tuple[int, int]:
    return round((joint[0] - LEFT_MM) * PX_PER_MM), round((joint[1] - TOP_MM) * PX_PER_MM)


def _creases(lines: Field, before: Joint, joint: Joint, dice: np.random.Generator) -> None:
    """A few lines across the finger over its joint."""
    along = np.array([joint[0] - before[0], joint[1] - before[1]])
    along /= np.linalg.norm(along) + 1e-6
    across = np.array([-along[1], along[0]])
    for step in (-2.2, -0.6, 1.0, 2.4):
        middle = np.array(joint[:2]) + along * (step + dice.normal(0, 0.3))
        reach = across * joint[3] * dice.uniform(0.4, 0.7)
        ends = [((middle + sign * reach - (LEFT_MM, TOP_MM)) * PX_PER_MM).round().astype(int) for sign in (-1, 1)]
        cv2.line(lines, (int(ends[0][0]), int(ends[0][1])), (int(ends[1][0]), int(ends[1][1])), 1.0, 1, cv2.LINE_AA)


def _nail(page: Field, before: Joint, tip: Joint, tone: Bgr) -> None:
    along = math.degrees(math.atan2(tip[1] - before[1], tip[0] - before[0]))
    middle = (tip[0] * 0.85 + before[0] * 0.15, tip[1] * 0.85 + before[1] * 0.15, 0.0, 0.0)
    axes = (round(tip[3] * 0.72 * PX_PER_MM), round(tip[3] * 0.58 * PX_PER_MM))
    cover = np.zeros(page.shape[:2], np.float32)
    cv2.ellipse(cover, _at(middle), axes, along, 0, 360, 1.0, -1, cv2.LINE_AA)
    edge = cv2.morphologyEx(cover, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    pale = np.array(tone, np.float32) * (1.02, 1.0, 1.06) + (14, 10, 10)
    share = (cover * 0.6)[..., None]
    page[:] = (page * (1 - share) + np.minimum(pale, 245) * share) * (1 - 0.09 * edge[..., None])


def _sleeve(tone: Bgr, dice: np.random.Generator) -> Field:
    """Cloth: plain, ribbed or striped, its threads just too fine to see."""
    rows, columns = _grid()
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    page = np.array(tone, np.float32) * (1 + 0.05 * _patch(dice, 0.4) + 0.03 * _patch(dice, 1.5))[..., None]
    kind = int(dice.integers(3))
    if kind == 1:
        page *= (1 + 0.1 * np.sin(x / float(dice.uniform(1.4, 2.6))))[..., None]
    if kind == 2:
        page *= (1 + 0.35 * (np.sin(y / float(dice.uniform(5, 16))) > 0.2))[..., None]
    return np.asarray(page, np.float32)


_HAND_MM = 180.0


@lru_cache(maxsize=32)
def _cut_outs(file: Path, mirrored: bool) -> Pixels:
    """The hand with its fingers at the top, and below its wrist a sleeve as wide as it needs."""
    pixels = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise ValueError(f"{file} is no picture with a see-through part")
    turned = cv2.rotate(pixels, cv2.ROTATE_180)
    rows = round(_HAND_MM * PX_PER_MM)
    size = (round(turned.shape[1] * rows / turned.shape[0]), rows)
    hand = cv2.resize(turned[:, ::-1] if mirrored else turned, size, interpolation=cv2.INTER_AREA)
    wrist = np.flatnonzero(hand[-8:, :, 3].max(axis=0) > 127)
    middle, width = (int(wrist.mean()), len(wrist)) if len(wrist) else (size[0] // 2, size[0] // 2)
    sleeve = _sleeve_of(_number(file.stem), round(width * 1.25) + 24)
    page = np.zeros((rows + len(sleeve) - 30, max(size[0], sleeve.shape[1]) * 2, 4), np.uint8)
    left = page.shape[1] // 2 - middle
    page[:rows, left : left + size[0]] = hand
    start = page.shape[1] // 2 - sleeve.shape[1] // 2
    under = page[rows - 30 :, start : start + sleeve.shape[1]]
    under[:] = np.where(sleeve[..., 3:] > 127, sleeve, under)
    return page


def _sleeve_of(person: int, width: int) -> Pixels:
    """A sleeve, its cuff at the top, so many pixels wide."""
    sleeved = 4 * (person % (PEOPLE // 4))
    whole = _lit(sleeved, "flat", False, (0.0, 0.0))
    cuff = round((205 - TOP_MM) * PX_PER_MM)
    part = whole[cuff:]
    covered = np.flatnonzero(part[..., 3].max(axis=0) > 127)
    trimmed = part[:, covered[0] : covered[-1] + 1]
    return np.asarray(cv2.resize(trimmed, (width, len(trimmed)), interpolation=cv2.INTER_AREA), np.uint8)


def _number(name: str) -> int:
    return sum(map(ord, name))
