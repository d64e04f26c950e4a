"""Table tops: wood of several kinds, cloth, felt, laminate, marble and more, drawn by rule; real ones from a folder."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

Field: TypeAlias = NDArray[np.float32]
Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue, as people write them."""
Draw: TypeAlias = Callable[[np.random.Generator], Field]

SIDE = 1536
PX_PER_MM = 2.0
LEARNED, JUDGED = range(6), range(6, 8)
"""Of each kind the tops that networks learn from, and those that everybody else sees: enough to differ, few enough to
keep them at hand."""


@dataclass(frozen=True, slots=True)
class Material:
    """A table top as a square picture, and how it shines."""

    name: str
    pixels: Pixels
    gloss: float
    """The share of light that is mirrored, 0 to 1."""
    rough: float
    """How far a highlight spreads, as the slope of the surface's small facets."""
    px_per_mm: float = PX_PER_MM


def material_names() -> tuple[str, ...]:
    """Every kind that can be drawn."""
    return tuple(_KINDS)


@lru_cache(maxsize=192)
def material(name: str, variant: int) -> Material:
    """One top of a kind; the same variant is the same picture."""
    draw, gloss, rough = _KINDS[name]
    dice = np.random.default_rng([_number(name), variant])
    pixels = np.clip(draw(dice), 0, 255).astype(np.uint8)
    return Material(name, pixels, gloss, rough)


@lru_cache(maxsize=64)
def photographed(file: Path) -> Material:
    """A real table top; small pictures are mirrored where they end, which the eye forgives."""
    pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if pixels is None:
        raise ValueError(f"{file} is no picture")
    gain = SIDE / max(pixels.shape[:2])
    small = cv2.resize(pixels, None, fx=gain, fy=gain, interpolation=cv2.INTER_AREA) if gain < 1 else pixels
    return Material(file.stem, np.asarray(small, np.uint8), 0.04, 0.12)


def any_material(dice: random.Random, folder: Path | None = None, variants: range = JUDGED) -> Material:
    """A table top by chance; from the folder, when there is one, half of the time."""
    found = sorted(file for file in folder.iterdir() if file.suffix.lower() in _PICTURES) if folder else []
    name, variant, real = dice.choice(material_names()), dice.choice(variants), dice.random() < 0.5
    return photographed(dice.choice(found)) if found and real else material(name, variant)


_PICTURES = (".jpg", ".jpeg", ".png")


def cloud(dice: np.random.Generator, fall: float, stretch: tuple[float, float] = (1.0, 1.0), side: int = SIDE) -> Field:
    """Noise of mean 0 and deviation 1; the larger the fall, the softer; stretched along x and y."""
    # What is soft is worked out small and drawn large, which nobody sees and takes a tenth of the time.
    worked = side // 4 if fall >= 1.9 else side // 2 if fall >= 1.1 else side
    y = np.fft.fftfreq(worked).astype(np.float32)[:, None] * (worked * stretch[1])
    x = np.fft.rfftfreq(worked).astype(np.float32)[None, :] * (worked * stretch[0])
    size = x * x + y * y
    size[0, 0] = np.inf
    falling = cv2.pow(size, -fall / 2)
    waves = np.fft.rfft2(dice.standard_normal((worked, worked), dtype=np.float32)) * falling
    field = np.fft.irfft2(waves, s=(worked, worked)).astype(np.float32)
    field = (field - field.mean()) / (field.std() + 1e-9)
    return np.asarray(cv2.resize(field, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def _number(name: str) -> int:
    return int.from_bytes(name.encode()[:6], "big")


def _axes() -> tuple[Field, Field]:
    line = np.arange(SIDE, dtype=np.float32) / SIDE
    x, y = np.meshgrid(line, line)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _mix(low: Colour, high: Colour, share: Field) -> Field:
    """From one colour to the other, as BGR."""
    a, b = np.array(low[::-1], np.float32), np.array(high[::-1], np.float32)
    return np.asarray(a + (b - a) * np.clip(share, -0.3, 1.3)[..., None], np.float32)


def _soft(field: Field, sigma: float) -> Field:
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma, borderType=cv2.BORDER_REFLECT), np.float32)


def _grain(dice: np.random.Generator, rings: int, sway: float) -> Field:
    """Year rings cut lengthwise, along y, with the fine fibres and pores between; about 0 to 1."""
    x, y = _axes()
    bow = (y - dice.uniform(0.2, 0.8)) ** 2 * dice.uniform(-0.6, 0.6)
    wander = 0.03 * cloud(dice, 2.0, (1.0, 5.0)) + 0.06 * cloud(dice, 2.6, (1.5, 6.0)) + 0.3 * bow
    across = x + sway * wander
    phase = across * rings + 0.35 * cloud(dice, 1.6, (1.0, 12.0))
    saw = phase - np.floor(phase)
    ring = np.where(saw < 0.8, saw / 0.8, (1 - saw) / 0.2) ** 1.6
    fibre = 0.16 * cloud(dice, 0.55, (0.6, 30.0))
    pores = np.clip(cloud(dice, 0.25, (0.5, 22.0)) - 1.4, 0, 2) * -0.22
    tint = 0.16 * cloud(dice, 2.2, (1.0, 4.0))
    return np.asarray(0.55 - 0.42 * ring * (0.8 + 0.3 * tint) + fibre + pores + tint, np.float32)


def _wood(low: Colour, high: Colour, rings: tuple[int, int], sway: float = 1.0) -> Draw:
    def draw(dice: np.random.Generator) -> Field:
        return _mix(low, high, _soft(_grain(dice, int(dice.integers(*rings)), sway), 0.6))

    return draw


def _planks(low: Colour, high: Colour, gap: Colour) -> Draw:
    """Boards side by side, each cut from elsewhere and a little lighter or darker."""

    def draw(dice: np.random.Generator) -> Field:
        grain = _grain(dice, int(dice.integers(14, 26)), 1.2)
        width, share, cut = SIDE // int(dice.integers(4, 9)), np.empty((SIDE, SIDE), np.float32), 0.0
        seams = np.zeros((SIDE, SIDE), np.float32)
        for left in range(0, SIDE, width):
            rolled = np.roll(grain, (int(dice.integers(SIDE)), int(dice.integers(SIDE))), (0, 1))
            share[:, left : left + width] = rolled[:, left : left + width] + dice.normal(0, 0.12)
            seams[:, left : left + 2] = 1
            cut = (cut + float(dice.uniform(0.25, 0.75))) % 1
            row = int(cut * SIDE)
            share[row:, left : left + width] += dice.normal(0, 0.1)
            seams[row : row + 2, left : left + width] = 1
        line = _soft(seams, 0.7)[..., None]
        return _mix(low, high, share) * (1 - line) + np.array(gap[::-1], np.float32) * line

    return draw


def _weave(thread_mm: float, colours: list[tuple[Colour, Colour]], folds: float) -> Draw:
    """Threads over and under; soft folds as light and dark."""

    def draw(dice: np.random.Generator) -> Field:
        x, y = _axes()
        count = int(SIDE / (thread_mm * PX_PER_MM))
        wobble = 0.12 * cloud(dice, 1.2)
        warp, weft = np.sin(np.pi * 2 * (x * count + wobble)), np.sin(np.pi * 2 * (y * count + wobble))
        threads = 0.24 * warp * weft + 0.1 * (cloud(dice, 0.4, (1, 20)) + cloud(dice, 0.4, (20, 1)))
        share = 0.5 + threads + 0.06 * cloud(dice, 0.2) + folds * cloud(dice, 2.6)
        return _mix(*colours[int(dice.integers(len(colours)))], share)

    return draw


def _checked(dice: np.random.Generator) -> Field:
    """Gingham: two rows of coloured bands that darken where they cross."""
    x, y = _axes()
    count = int(dice.integers(10, 22))
    bands = [(np.floor(axis * count * 2) % 2).astype(np.float32) for axis in (x, y)]
    threads = 0.5 + 0.25 * np.sin(x * 3000) * np.sin(y * 3000)
    share = _soft(np.asarray((bands[0] + bands[1]) / 2, np.float32), 0.8) * (0.85 + 0.2 * threads)
    colour: Colour = [(176, 40, 44), (48, 76, 148), (46, 104, 66), (110, 80, 60)][int(dice.integers(4))]
    return _mix((236, 232, 224), colour, np.asarray(share + 0.03 * cloud(dice, 2.5), np.float32))


def _printed_cloth(dice: np.random.Generator) -> Field:
    """A wipe-clean cloth with dots, rings or petals."""
    ground: Colour = [(226, 220, 204), (196, 214, 222), (60, 84, 110), (208, 190, 160)][int(dice.integers(4))]
    page = np.full((SIDE, SIDE, 3), ground[::-1], np.uint8)
    inks = [tuple(int(part) for part in dice.integers(30, 230, 3)) for _ in range(3)]
    pitch = int(dice.integers(90, 190))
    for row, top in enumerate(range(0, SIDE + pitch, pitch)):
        for left in range(0, SIDE + pitch, pitch):
            middle = (left + (row % 2) * pitch // 2, top)
            _motif(page, middle, pitch, inks, int(dice.integers(3)))
    return page.astype(np.float32) + 3 * cloud(dice, 1.0)[..., None] + 4 * cloud(dice, 2.4)[..., None]


def _motif(page: Pixels, at: tuple[int, int], pitch: int, inks: list[tuple[int, ...]], kind: int) -> None:
    if kind == 0:
        cv2.circle(page, at, pitch // 7, inks[0], -1, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(page, at, pitch // 6, inks[1], 5, cv2.LINE_AA)
    else:
        for turn in range(0, 360, 60):
            cv2.ellipse(page, at, (pitch // 5, pitch // 14), turn, 0, 360, inks[2], -1, cv2.LINE_AA)


def _felt(dice: np.random.Generator) -> Field:
    colour: Colour = [(34, 96, 62), (38, 62, 112), (118, 32, 40), (70, 70, 74), (24, 24, 27)][int(dice.integers(5))]
    fuzz = 0.1 * cloud(dice, 0.35) + 0.05 * cloud(dice, 1.2) + 0.06 * cloud(dice, 2.4)
    bright: Colour = (colour[0] + 46, colour[1] + 46, colour[2] + 46)
    return _mix(colour, bright, np.asarray(0.3 + fuzz * 1.6, np.float32))


def _speckled(dice: np.random.Generator) -> Field:
    """Kitchen laminate: a plain ground with specks of two colours."""
    tones: list[tuple[Colour, Colour]] = [
        ((206, 202, 194), (228, 226, 220)),
        ((74, 76, 80), (96, 98, 102)),
        ((188, 176, 154), (212, 202, 184)),
    ]
    page = _mix(*tones[int(dice.integers(3))], np.asarray(0.5 + 0.2 * cloud(dice, 1.5), np.float32))
    for ink, rare in ((-60.0, 1.7), (34.0, 1.9)):
        page += ink * np.clip(_specks(dice) - rare, 0, 0.5)[..., None] * 2
    return page


def _specks(dice: np.random.Generator) -> Field:
    grains = _soft(cloud(dice, 0.0), 1.3)
    return np.asarray(grains / grains.std(), np.float32)


def _plain(colours: list[Colour], mottle: float) -> Draw:
    """One colour, worn: smears, faint scratches, crumbs of dust."""

    def draw(dice: np.random.Generator) -> Field:
        colour = np.array(colours[int(dice.integers(len(colours)))][::-1], np.float32)
        wear = mottle * (cloud(dice, 2.2) + 0.6 * cloud(dice, 1.2) + 0.35 * cloud(dice, 0.3))
        page = np.asarray(colour + wear[..., None], np.float32)
        for _ in range(int(dice.integers(10, 40))):
            start, reach = dice.integers(0, SIDE, 2), dice.normal(0, 60, 2).astype(int)
            tone = tuple(float(part) for part in colour + dice.choice([-1, 1]) * mottle * 2.5)
            end = (int(start[0] + reach[0]), int(start[1] + reach[1]))
            cv2.line(page, (int(start[0]), int(start[1])), end, tone, 1, cv2.LINE_AA)
        return page

    return draw


def _marble(dice: np.random.Generator) -> Field:
    tones: list[tuple[Colour, Colour]] = [((96, 98, 104), (236, 234, 230)), ((196, 186, 170), (40, 42, 46))]
    low, high = tones[int(dice.integers(2))]
    veins = np.abs(cloud(dice, 2.5) + 0.06 * cloud(dice, 1.4)) * 2.4
    thin = np.abs(cloud(dice, 2.2) + 0.03 * cloud(dice, 1.4)) * 9
    share = np.minimum(np.clip(veins, 0, 1) ** 0.5, 0.35 + np.clip(thin, 0, 1) ** 0.6)
    return _mix(low, high, np.asarray(share + 0.05 * cloud(dice, 2.0), np.float32))


def _stone(dice: np.random.Generator) -> Field:
    tone: Colour = [(128, 126, 122), (158, 152, 142), (88, 88, 92)][int(dice.integers(3))]
    page = np.array(tone[::-1], np.float32) + (9 * cloud(dice, 1.4) + 6 * cloud(dice, 0.5))[..., None]
    holes = np.clip(cloud(dice, 1.0) - 2.4, 0, 1)
    return np.asarray(page - 60 * holes[..., None], np.float32)


def _carpet(dice: np.random.Generator) -> Field:
    tone: Colour = [(168, 154, 132), (92, 88, 92), (70, 78, 104)][int(dice.integers(3))]
    tufts = _soft(cloud(dice, 0.3), 1.6)
    share = 0.5 + 0.3 * tufts / tufts.std() + 0.1 * cloud(dice, 2.2)
    dark: Colour = (int(tone[0] * 0.6), int(tone[1] * 0.6), int(tone[2] * 0.6))
    return _mix(dark, tone, np.asarray(share, np.float32))


_LINEN: list[tuple[Colour, Colour]] = [
    ((150, 140, 122), (214, 206, 190)),
    ((150, 24, 26), (186, 40, 40)),
    ((40, 56, 92), (74, 92, 132)),
    ((196, 194, 188), (240, 238, 232)),
    ((26, 26, 28), (54, 54, 58)),
    ((72, 98, 78), (118, 142, 118)),
]

_KINDS: dict[str, tuple[Draw, float, float]] = {
    "oak": (_wood((150, 104, 58), (208, 168, 116), (16, 30)), 0.05, 0.10),
    "pine": (_wood((186, 132, 72), (230, 192, 136), (8, 14), 1.6), 0.04, 0.14),
    "walnut": (_wood((58, 38, 26), (118, 82, 56), (14, 26), 1.4), 0.07, 0.08),
    "cherry": (_wood((112, 48, 24), (168, 88, 48), (12, 22)), 0.10, 0.06),
    "beech": (_wood((188, 148, 108), (222, 188, 150), (20, 40), 0.6), 0.05, 0.10),
    "black stain": (_wood((20, 18, 18), (52, 46, 42), (16, 30)), 0.08, 0.08),
    "white wash": (_wood((176, 172, 164), (226, 224, 218), (14, 26)), 0.05, 0.14),
    "oak planks": (_planks((142, 100, 60), (204, 164, 114), (60, 40, 24)), 0.05, 0.12),
    "grey planks": (_planks((110, 102, 96), (168, 160, 152), (52, 48, 46)), 0.04, 0.14),
    "laminate planks": (_planks((120, 72, 46), (170, 112, 76), (50, 30, 22)), 0.09, 0.07),
    "linen": (_weave(1.1, _LINEN, 0.10), 0.01, 0.30),
    "coarse cloth": (_weave(2.0, _LINEN, 0.14), 0.01, 0.30),
    "gingham": (_checked, 0.01, 0.30),
    "printed cloth": (_printed_cloth, 0.08, 0.12),
    "felt": (_felt, 0.0, 0.40),
    "speckled laminate": (_speckled, 0.08, 0.08),
    "white lacquer": (_plain([(228, 226, 220), (238, 238, 238), (214, 206, 192)], 1.2), 0.16, 0.03),
    "coloured lacquer": (_plain([(40, 44, 52), (120, 36, 34), (46, 84, 96), (190, 160, 60)], 1.6), 0.14, 0.04),
    "desk mat": (_plain([(34, 35, 38), (66, 68, 74), (70, 52, 40)], 3.0), 0.03, 0.22),
    "paper": (_plain([(240, 238, 232), (196, 164, 122), (222, 214, 196)], 2.2), 0.01, 0.30),
    "marble": (_marble, 0.12, 0.04),
    "stone": (_stone, 0.03, 0.16),
    "carpet": (_carpet, 0.0, 0.40),
}
