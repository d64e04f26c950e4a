"""Lamps over a table: how bright each part of it is, where shadows fall, and where the surface mirrors a lamp."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.studio.blocks import SHIFT, Bgr, Block, Seen, fixed, halved
from vision.studio.camera import Camera, Ground, Points

Field: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp or a window: where it is, its light, and how large it is, on which the softness of shadows hangs."""

    x_mm: float
    y_mm: float
    height_mm: float
    colour: Bgr
    power: float
    radius_mm: float

    @property
    def direction(self) -> tuple[float, float]:
        """Along the table towards the lamp, shorter the steeper it stands."""
        reach = math.sqrt(self.x_mm**2 + self.y_mm**2 + self.height_mm**2)
        return self.x_mm / reach, self.y_mm / reach

    def shade_mm(self, points: Points) -> Points:
        """Where on the table the shadows of points above it fall."""
        heights = np.minimum(points[:, 2], self.height_mm * 0.8)
        reach = heights / (self.height_mm - heights)
        return np.asarray(points[:, :2] + (points[:, :2] - (self.x_mm, self.y_mm)) * reach[:, None])


@dataclass(frozen=True, slots=True)
class Lighting:
    """All light of a scene: at most three lamps, and what the room gives back."""

    lamps: tuple[Lamp, ...]
    ambient: float
    ambient_colour: Bgr
    slope: tuple[float, float]
    """How the room's light grows along x and y, per metre."""
    balance: Bgr
    """What the camera multiplies each channel with, since it does not know the lamps quite."""
    vignette: float


def colour_of(kelvin: float) -> Bgr:
    """The colour of a glowing body, as blue, green, red; its green is about 0.8 to 1."""
    kelvins = (2000, 2700, 3500, 4500, 5500, 6500, 9000)
    blue = (0.10, 0.30, 0.52, 0.74, 0.90, 1.00, 1.18)
    green = (0.56, 0.70, 0.81, 0.90, 0.96, 1.00, 1.02)
    red = (1.30, 1.22, 1.15, 1.09, 1.04, 1.00, 0.88)
    return (
        float(np.interp(kelvin, kelvins, blue)),
        float(np.interp(kelvin, kelvins, green)),
        float(np.interp(kelvin, kelvins, red)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The light of every lamp on the bare table, the room's first, at half the size of the picture."""

    light: tuple[Field, ...]
    scale: float
    """Pixels of the half picture to a millimetre."""


def fields(camera: Camera, ground: Ground, lighting: Lighting) -> Fields:
    """Work out how the light falls off over the bare table, lens and all."""
    x, y = ground.nodes_mm[..., 0], ground.nodes_mm[..., 1]
    rows, columns = np.mgrid[0 : x.shape[0], 0 : x.shape[1]]
    middle = (np.array(x.shape) - 1) / 2
    off = ((rows - middle[0]) ** 2 + (columns - middle[1]) ** 2) / (middle**2).sum()
    lens = 1 - lighting.vignette * off * (0.6 + 0.4 * off)
    room = lighting.ambient * np.clip(1 + lighting.slope[0] * x / 1000 + lighting.slope[1] * y / 1000, 0.3, 2.5)
    layers = [room * lens]
    for lamp in lighting.lamps:
        away = np.sqrt((x - lamp.x_mm) ** 2 + (y - lamp.y_mm) ** 2 + lamp.height_mm**2)
        under = math.sqrt(lamp.x_mm**2 + lamp.y_mm**2 + lamp.height_mm**2)
        layers.append(lamp.power * np.minimum((under / away) ** 3, 4) * lens)
    return Fields(tuple(ground.half(layer.astype(np.float32)) for layer in layers), camera.px_per_mm / 2)


@dataclass(slots=True, eq=False)
class Shadows:
    """How much of each light is kept off, 0 to 255, the room's first."""

    masks: list[NDArray[np.uint8]]

    def copy(self) -> "Shadows":
        return Shadows([mask.copy() for mask in self.masks])


def no_shadows(light: Fields) -> Shadows:
    return Shadows([np.zeros(layer.shape, np.uint8) for layer in light.light])


def cast(shadows: Shadows, camera: Camera, lighting: Lighting, seen: Sequence[Seen], scale: float) -> None:
    """Add the shadows of low things: each falls on the table, and not on the tops beside it, which are as high."""
    if not seen:
        return
    blocks = [one.block for one in seen]
    _touching(shadows.masks[0], seen, scale)
    for mask, lamp in zip(shadows.masks[1:], lighting.lamps, strict=True):
        fresh = np.zeros_like(mask)
        for hull in shade_hulls(camera, lamp, blocks):
            cv2.fillConvexPoly(fresh, fixed(halved(hull)), 255, cv2.LINE_AA, SHIFT)
        mean = float(np.mean([block.height_mm + block.base_mm for block in blocks]))
        _soften(fresh, lamp, mean, scale)
        np.maximum(mask, fresh, out=mask)
    clear(shadows, [one.silhouette for one in seen])


def clear(shadows: Shadows, outlines: Sequence[Points]) -> None:
    """Take the shadows off these parts of the picture: what is there stands above them."""
    cover = np.zeros_like(shadows.masks[0])
    for outline in outlines:
        cv2.fillConvexPoly(cover, fixed(halved(outline)), 255, cv2.LINE_AA, SHIFT)
    keep = cv2.bitwise_not(cover)
    for mask in shadows.masks:
        cv2.multiply(mask, keep, dst=mask, scale=1 / 255)


def shade(
    shadows: Shadows, covers: Sequence[NDArray[np.uint8]], lamps: Sequence[Lamp], height_mm: float, scale: float
) -> None:
    """Add the shadow of something tall, given as what it covers for each lamp, at half size."""
    for mask, cover, lamp in zip(shadows.masks[1:], covers, lamps, strict=True):
        _soften(cover, lamp, height_mm, scale)
        np.maximum(mask, cover, out=mask)
    if covers:
        around = cv2.blur(covers[0], (_odd(_AROUND_MM * scale), _odd(_AROUND_MM * scale)))
        np.maximum(shadows.masks[0], (around * np.float32(0.45)).astype(np.uint8), out=shadows.masks[0])


def spread_mm(lighting: Lighting, height_mm: float, scale: float) -> float:
    """How far beyond its outline the shadow of something so high reaches at most."""
    softest = max(_softness(lamp, height_mm, scale) for lamp in lighting.lamps)
    return max(_AROUND_MM / 2, 3 * softest / scale)


def gain(light: Fields, shadows: Shadows, lighting: Lighting, exposure: float) -> Field:
    """What each half pixel's colour is multiplied with; the root, since pixels hold the root of light."""
    lit = [
        cv2.multiply(layer, 255 - mask, scale=1 / 255, dtype=cv2.CV_32F)
        for layer, mask in zip(light.light, shadows.masks, strict=True)
    ]
    colours = [lighting.ambient_colour, *(lamp.colour for lamp in lighting.lamps)]
    mixing = np.array([[colour[i] * lighting.balance[i] * exposure for colour in colours] for i in range(3)])
    return np.asarray(cv2.sqrt(cv2.transform(cv2.merge(lit), mixing)), np.float32)


def mirrored(lamp: Lamp, camera: Camera, lean: tuple[float, float] = (0.0, 0.0)) -> tuple[Points, float]:
    """Where on the table the lamp is mirrored towards the camera, and how many millimetres a slope of one is there."""
    stands = camera.stands_mm
    share = stands[2] / (stands[2] + lamp.height_mm)
    at = stands[:2] * (1 - share) + np.array([lamp.x_mm, lamp.y_mm]) * share
    arm = 2 * stands[2] * lamp.height_mm / (stands[2] + lamp.height_mm)
    return at - np.array(lean) * arm, arm


def highlight(
    points: NDArray[np.float64], lamp: Lamp, camera: Camera, rough: float, lean: tuple[float, float]
) -> Field:
    """How much of the lamp each point of a shiny surface mirrors, 0 to about 1: a bright core in a wide haze."""
    at, arm = mirrored(lamp, camera, lean)
    far = ((points - at) ** 2).sum(axis=-1)
    core = math.hypot(rough * arm, lamp.radius_mm * 0.5)
    return np.asarray(np.exp(-far / (2 * core**2)) + 0.12 * np.exp(-far / (2 * (3.5 * core) ** 2)), np.float32)


_SOFTEST = 48.0
_AROUND_MM = 60.0
"""An arm keeps the room's light off so far around it."""


def _touching(mask: NDArray[np.uint8], seen: Sequence[Seen], scale: float) -> None:
    """Under the edge of a thing little of the room's light arrives."""
    fresh = np.zeros_like(mask)
    for one in seen:
        deep = min(1.0, 0.25 + one.block.height_mm / 8)
        cv2.fillConvexPoly(fresh, fixed(halved(one.foot)), 200 * deep, cv2.LINE_AA, SHIFT)
    mean = float(np.mean([one.block.height_mm for one in seen]))
    _blur(fresh, min(20.0, max(0.8, 0.45 * mean * scale)))
    np.maximum(mask, fresh, out=mask)


def shade_hulls(camera: Camera, lamp: Lamp, blocks: Sequence[Block]) -> list[Points]:
    """The outlines of the shadows of blocks, in pixels."""
    outlines = []
    for block in blocks:
        top, foot = block.outline_mm(block.height_mm), block.outline_mm(0.0)
        outlines.append(np.vstack([lamp.shade_mm(top), lamp.shade_mm(foot)]))
    pixels = camera.project(np.vstack(outlines))
    hulls, first = [], 0
    for outline in outlines:
        part = pixels[first : first + len(outline)].astype(np.float32)
        hulls.append(np.asarray(cv2.convexHull(part), np.float64).reshape(-1, 2))
        first += len(outline)
    return hulls


def _soften(mask: NDArray[np.uint8], lamp: Lamp, height_mm: float, scale: float) -> None:
    _blur(mask, _softness(lamp, height_mm, scale))


def _softness(lamp: Lamp, height_mm: float, scale: float) -> float:
    wide = 0.55 * lamp.radius_mm * height_mm / max(50.0, lamp.height_mm - height_mm) * scale
    return min(max(0.6, wide), _SOFTEST)


def _blur(mask: NDArray[np.uint8], sigma: float) -> None:
    if sigma < 5:
        cv2.GaussianBlur(mask, (0, 0), sigma, dst=mask)
        return
    # A wide blur of a small copy looks the same and is much cheaper.
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    mask[:] = cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_LINEAR)


def _odd(length: float) -> int:
    return int(length) // 2 * 2 + 1
