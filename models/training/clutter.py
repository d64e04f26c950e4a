"""Things on a table that are no tiles: dice, coins, cards, pens, cups, paper, and hands that reach over it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels: TypeAlias = NDArray[np.uint8]
Points: TypeAlias = NDArray[np.float64]
Colour: TypeAlias = tuple[float, ...]

SKINS: tuple[Colour, ...] = (
    (180, 205, 235),
    (140, 175, 215),
    (105, 145, 195),
    (70, 105, 155),
    (45, 70, 110),
    (30, 45, 75),
)


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something that lies there: outline around its middle, height, and what is drawn on it."""

    outline: Points
    height: float
    colour: Colour
    marks: tuple[tuple[Points, Colour], ...] = ()


def colour(rng: np.random.Generator) -> Colour:
    """Any colour; black and white more often than chance has them."""
    if rng.random() < 0.35:
        grey = rng.choice([rng.uniform(10, 60), rng.uniform(190, 250)])
        return tuple(grey + rng.normal(0, 5, 3))
    return tuple(rng.uniform(10, 245, 3))


def rectangle(wide: float, high: float, corner: float = 0.0) -> Points:
    """Round the middle, with its corners cut off or not."""
    x, y, c = wide / 2, high / 2, corner
    if c <= 0:
        return np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    d = c * 0.3
    quarter = [(x - c, -y), (x - d, -y + d), (x, -y + c)]
    right = [*quarter, *[(a, -b) for a, b in reversed(quarter)]]
    return np.array([*right, *[(-a, -b) for a, b in right]])


def circle(across: float, corners: int = 28) -> Points:
    turns = np.arange(corners) * math.tau / corners
    return np.column_stack([np.cos(turns), np.sin(turns)]) * across / 2


def any_thing(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    """A thing that cannot be taken for a tile of this size and shape."""
    kinds = (_die, _coin, _card, _pen, _cup, _paper, _scrap, _other_tile, _other_tile)
    return kinds[int(rng.integers(len(kinds)))](tile, is_round, rng)


def _die(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    side = tile[0] * rng.uniform(0.3, 0.72)
    spots = [(circle(side * 0.2, 10) + rng.choice([-0.26, 0, 0.26], 2) * side, colour(rng)) for _ in range(3)]
    return Thing(rectangle(side, side, side * 0.12), side, colour(rng), tuple(spots))


def _coin(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    across = tile[0] * (
        rng.choice([rng.uniform(0.4, 0.74), rng.uniform(1.35, 1.6)]) if is_round else rng.uniform(0.4, 1.3)
    )
    metal = np.array(((96, 150, 178), (60, 98, 148), (176, 180, 184))[int(rng.integers(3))], float)
    return Thing(
        circle(across), 1.5, tuple(metal * 0.85), ((circle(across * 0.86), tuple(metal)), _blob(across, metal, rng))
    )


def _blob(across: float, metal: NDArray[np.float64], rng: np.random.Generator) -> tuple[Points, Colour]:
    turns = np.arange(11) * math.tau / 11
    reach = rng.uniform(0.15, 0.32, 11) * across
    return np.column_stack([np.cos(turns) * reach, np.sin(turns) * reach]), tuple(np.minimum(metal * 1.15, 250))


def _card(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    """Larger than any tile of the game."""
    wide = tile[0] * rng.uniform(1.45, 3.0)
    high = wide * rng.uniform(1.3, 1.6)
    white = tuple(rng.uniform(215, 245) + rng.normal(0, 4, 3))
    marks = [(rectangle(wide * 0.8, high * 0.85), colour(rng))] if rng.random() < 0.4 else []
    marks += [
        (circle(wide * 0.15, 12) + rng.uniform(-0.35, 0.35, 2) * (wide, high), colour(rng))
        for _ in range(int(rng.integers(1, 6)))
    ]
    return Thing(rectangle(wide, high, wide * 0.06), 0.3, white, tuple(marks))


def _pen(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    long, thick = tile[0] * rng.uniform(3, 6), tile[0] * rng.uniform(0.15, 0.4)
    light = (rectangle(long * 0.98, thick * 0.25), colour(rng))
    return Thing(rectangle(long, thick, thick * 0.3), thick * 0.6, colour(rng), (light,))


def _cup(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    across = tile[0] * rng.uniform(1.7, 4.2)
    inside = ((circle(across * 0.9, 40), colour(rng)), (circle(across * 0.82, 40), colour(rng)))
    return Thing(circle(across, 40), across * rng.uniform(0.2, 1.2), colour(rng), inside)


def _paper(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    wide, high = tile[0] * rng.uniform(1.5, 5), tile[0] * rng.uniform(1.5, 6)
    lines = [
        (rectangle(wide * rng.uniform(0.3, 0.8), max(1.2, tile[0] * 0.06)) + np.array([0, y]), colour(rng))
        for y in np.arange(-high * 0.4, high * 0.4, tile[0] * rng.uniform(0.2, 0.6))
    ]
    return Thing(rectangle(wide, high), rng.choice([0.2, 4.0]), colour(rng), tuple(lines[:14]))


def _scrap(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    """A shape with no name."""
    turns = np.sort(rng.uniform(0, math.tau, int(rng.integers(3, 8))))
    reach = tile[0] * rng.uniform(0.2, 1.1) * rng.uniform(0.6, 1.2, len(turns))
    outline = np.column_stack([np.cos(turns) * reach, np.sin(turns) * reach])
    return Thing(
        cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2).astype(float), rng.uniform(0, 12), colour(rng)
    )


def _other_tile(tile: tuple[float, float], is_round: bool, rng: np.random.Generator) -> Thing:
    """A tile of some other game: of another size, or of another shape."""
    short, ratio = tile[0], tile[1] / tile[0]
    if rng.random() < 0.5:
        size = short * rng.choice([rng.uniform(0.45, 0.74), rng.uniform(1.35, 1.9)])
        outline = circle(size) if is_round else rectangle(size, size * ratio, size * 0.08)
    elif is_round or ratio > 1.15:
        size = short * rng.uniform(0.8, 1.2)
        outline = rectangle(size, size * (1.0 if ratio > 1.15 else rng.uniform(1, 2)), size * 0.08)
    else:
        size = short * rng.uniform(0.7, 1.2)
        outline = circle(size) if rng.random() < 0.5 else rectangle(size, size * rng.uniform(1.4, 1.7), size * 0.05)
    sign = _blob(size, np.array(colour(rng)), rng)
    return Thing(outline, rng.uniform(0.3, 8), colour(rng), (sign,))


def load_cutouts(folder: Path | None) -> list[Pixels]:
    """Hands cut out of photos, RGBA; none where there is no folder."""
    hands = [cv2.imread(str(file), cv2.IMREAD_UNCHANGED) for file in sorted(folder.glob("*.png"))] if folder else []
    return [np.asarray(cv2.resize(hand, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)) for hand in hands]


def draw_hand(
    page: Pixels, tip: tuple[float, float], size: float, cutouts: Sequence[Pixels], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """A hand whose fingers end at the tip and whose arm comes from outside; gives what it covers."""
    turn = rng.uniform(0, math.tau)
    if cutouts and rng.random() < 0.4:
        return _draw_cutout(page, tip, size, turn, cutouts[int(rng.integers(len(cutouts)))], rng)
    cover = np.zeros(page.shape[:2], np.uint8)
    sleeve = np.zeros(page.shape[:2], np.uint8)
    out = np.array([math.cos(turn), math.sin(turn)])
    across = np.array([-out[1], out[0]])
    palm = np.array(tip) + out * size * 1.9
    for i in range(int(rng.integers(2, 6))):
        spread = (i - 1.5) * size * rng.uniform(0.25, 0.5)
        end = np.array(tip) + across * spread + out * size * rng.uniform(0, 0.8)
        _limb(cover, end, palm + across * spread * 0.5, size * rng.uniform(0.3, 0.42))
    wrist = palm + out * size * 1.6
    cv2.circle(cover, _whole(palm), int(size * 0.95), 255, -1, cv2.LINE_AA)
    _limb(cover, palm, wrist, size * 1.2)
    _limb(cover, wrist, wrist + out * 600, size * 1.3)
    if rng.random() < 0.7:
        _limb(sleeve, wrist + out * size * rng.uniform(0, 2), wrist + out * 600, size * rng.uniform(1.5, 2.2))
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.8, 1.1)
    for mask, tone in ((cover, skin), (sleeve, np.array(colour(rng)))):
        _paint(page, mask, tone, size, rng)
    return np.asarray(np.maximum(cover, sleeve), np.uint8)


def _limb(mask: Pixels, start: Points, end: Points, thick: float) -> None:
    cv2.line(mask, _whole(start), _whole(end), 255, max(1, int(thick)), cv2.LINE_AA)


def _whole(point: Points) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def _paint(page: Pixels, mask: Pixels, tone: NDArray[np.float64], size: float, rng: np.random.Generator) -> None:
    """Rounder towards the edges: darker there, by how far the cover is from being whole nearby."""
    if not mask.any():
        return
    soft = cv2.GaussianBlur(mask, (0, 0), size * 0.3).astype(np.float32) / 255
    shade = 0.45 + 0.6 * soft + 0.06 * cv2.resize(rng.random((16, 16), np.float32), mask.shape[::-1])
    share = mask[..., None].astype(np.float32) / 255
    painted = np.clip(tone.astype(np.float32) * shade[..., None], 0, 255)
    page[:] = (page + (painted - page) * share).astype(np.uint8)


def _draw_cutout(
    page: Pixels, tip: tuple[float, float], size: float, turn: float, hand: Pixels, rng: np.random.Generator
) -> NDArray[np.uint8]:
    grow = size * 6 / max(hand.shape[:2]) * rng.uniform(0.8, 1.3)
    cos, sin = math.cos(turn) * grow, math.sin(turn) * grow
    middle = hand.shape[1] / 2, hand.shape[0] / 2
    at = (tip[0] - cos * middle[0] + sin * middle[1], tip[1] - sin * middle[0] - cos * middle[1])
    matrix = np.array([[cos, -sin, at[0]], [sin, cos, at[1]]])
    laid = cv2.warpAffine(hand, matrix, page.shape[1::-1])
    share = laid[..., 3:].astype(np.float32) / 255
    page[:] = (page + (laid[..., :3] * np.float32(rng.uniform(0.6, 1.1)) - page) * share).clip(0, 255).astype(np.uint8)
    return np.asarray(laid[..., 3], np.uint8)
