"""What a lens and a sensor do to a picture: softness, shake, noise, the curve of tones, and JPEG."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels


@dataclass(frozen=True, slots=True)
class Sensor:
    """How one picture is taken."""

    soft_px: float
    """Lens and focus, as the deviation of a blur."""
    shake_px: tuple[float, float]
    """How far the camera moved while the shutter was open."""
    noise: float
    """The deviation of the noise in levels of 255."""
    grain: float
    """The share of the noise that is coloured and coarse."""
    contrast: float
    black: float
    jpeg: int | None
    """The quality, or ``None`` for a picture that never was one."""


def expose(pixels: Pixels, sensor: Sensor, dice: np.random.Generator) -> Pixels:
    """From the picture as the light draws it to the picture as the file holds it."""
    return developed(softened(shaken(pixels, sensor.shake_px), sensor), sensor, dice)


def softened(pixels: Pixels, sensor: Sensor) -> Pixels:
    """As sharp as the lens draws it."""
    if sensor.soft_px <= 0.25:
        return pixels
    side = 2 * blur_px(sensor) + 1
    return np.asarray(cv2.GaussianBlur(pixels, (side, side), sensor.soft_px), np.uint8)


def blur_px(sensor: Sensor) -> int:
    """How far the lens spreads a point."""
    return 1 if sensor.soft_px < 0.6 else 2 if sensor.soft_px < 1.1 else math.ceil(2.5 * sensor.soft_px)


def developed(pixels: Pixels, sensor: Sensor, dice: np.random.Generator, brighter: float = 1.0) -> Pixels:
    """What the sensor makes of a picture, ``brighter`` times as bright: noise, tones and a file."""
    noisy = with_noise(pixels, sensor, dice, brighter)
    toned = cv2.LUT(noisy, _curve(round(sensor.contrast, 2), round(sensor.black, 1)))
    if sensor.jpeg is None:
        return np.asarray(toned, np.uint8)
    coded = cv2.imencode(".jpg", toned, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def shaken(pixels: Pixels, move_px: tuple[float, float]) -> Pixels:
    """Blurred along a straight move."""
    reach = math.hypot(*move_px)
    if reach < 1:
        return pixels
    side = 2 * math.ceil(reach / 2) + 1
    kernel = np.zeros((side, side), np.float32)
    middle, x, y = side // 2, move_px[0] / 2, move_px[1] / 2
    ends = [(round((middle + sign * x) * 16), round((middle + sign * y) * 16)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(cv2.filter2D(pixels, -1, kernel / kernel.sum()), np.uint8)


def with_noise(pixels: Pixels, sensor: Sensor, dice: np.random.Generator, brighter: float = 1.0) -> Pixels:
    """Noise from a part, by chance, of one large sheet of it; about even in a picture that holds the root of light."""
    if sensor.noise <= 0:
        return np.asarray(cv2.convertScaleAbs(pixels, alpha=brighter), np.uint8)
    sheet = _noise(1 if sensor.grain > 0.3 else 0)
    height, width = pixels.shape[:2]
    top, left = int(dice.integers(sheet.shape[0] - height + 1)), int(dice.integers(sheet.shape[1] - width + 1))
    part = sheet[top : top + height, left : left + width]
    strength = sensor.noise / _STORED
    return np.asarray(cv2.addWeighted(pixels, brighter, part, strength, -128 * strength), np.uint8)


_STORED = 30.0
"""The deviation of the noise in the sheet, large so that rounding does no harm."""
_LARGEST = (3000, 2400)


@lru_cache(maxsize=2)
def _noise(coarse: int) -> Pixels:
    """A sheet of noise around 128: fine and grey, with a coarser coloured part, as demosaicing leaves it."""
    dice = np.random.default_rng(20 + coarse)
    width, height = _LARGEST
    grey = dice.standard_normal((height, width, 1), dtype=np.float32)
    colour = dice.standard_normal((height, width, 3), dtype=np.float32)
    spread = cv2.GaussianBlur(colour, (0, 0), 0.7 + 0.9 * coarse)
    mixed = (0.75 - 0.3 * coarse) * grey + (0.55 + 0.3 * coarse) * (spread / spread.std())
    soft = cv2.GaussianBlur(mixed, (0, 0), 0.45)
    return np.asarray(np.clip(128 + soft / soft.std() * _STORED, 0, 255), np.uint8)


@lru_cache(maxsize=256)
def _curve(contrast: float, black: float) -> NDArray[np.uint8]:
    """An S around the middle, and the level that black is lifted to."""
    share = np.linspace(0, 1, 256)
    bent = share + contrast * (share - 0.5) * (1 - share) * share * 4
    return np.clip(black + bent * (255 - black), 0, 255).round().astype(np.uint8)
