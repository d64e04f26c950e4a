"""What tiles lie on: table tops, drawn or from photos, and printed boards, so that print is not taken for a tile."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels: TypeAlias = NDArray[np.uint8]
Field: TypeAlias = NDArray[np.float32]
Place: TypeAlias = tuple[float, float, float]
"""Where a tile may lie: x and y in pixels and how it is turned, in degrees."""

GROUND_PX = 512


def make_grounds(count: int, seed: int, photos: Path | None = None) -> list[Pixels]:
    """So many table tops; where there is a folder of photographed ones, each of them is among them, mirrored too."""
    rng = np.random.default_rng(seed)
    kinds: Sequence[Callable[[np.random.Generator], Field]] = (_wood, _wood, _cloth, _plain, _checks, _marble, _motifs)
    made = [_tinted(kinds[i % len(kinds)](rng), rng) for i in range(count)]
    for file in sorted(photos.glob("*.jpg")) if photos else []:
        photo = cv2.imread(str(file))
        longest = max(photo.shape[:2])
        for scale in (GROUND_PX * 1.4 / longest, GROUND_PX * 2.5 / longest):
            small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            made.append(
                np.asarray(cv2.resize(small, (GROUND_PX, GROUND_PX)) if min(small.shape[:2]) < GROUND_PX else small)
            )
    return made


def ground_under(grounds: Sequence[Pixels], side: int, rng: np.random.Generator) -> Pixels:
    """A part of one of the table tops, turned and enlarged by chance."""
    ground = grounds[int(rng.integers(len(grounds)))]
    turn, grow = rng.uniform(0, math.tau), rng.uniform(0.6, 1.8)
    cos, sin = math.cos(turn) * grow, math.sin(turn) * grow
    at = rng.uniform(0, min(ground.shape[:2]), 2)
    middle = side / 2
    matrix = np.array([[cos, -sin, at[0] - (cos - sin) * middle], [sin, cos, at[1] - (sin + cos) * middle]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    part = cv2.warpAffine(ground, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(part, np.uint8)


def draw_board(page: Pixels, pitch: float, turn_deg: float, rng: np.random.Generator) -> list[Place]:
    """Print a board on the page, turned so; gives the places where its tiles would lie."""
    kinds = (_fields, _fields, _outlines, _web, _nested, _crosses)
    kind = kinds[int(rng.integers(len(kinds)))]
    sheet = _Sheet(page, pitch, turn_deg, _ink(page, rng))
    places = kind(sheet, rng)
    _printed_around(sheet, rng)
    return [(*sheet.at(x, y), turn_deg) for x, y in places]


class _Sheet:
    """A page whose own axes are turned, measured in places from its middle."""

    def __init__(self, page: Pixels, pitch: float, turn_deg: float, ink: tuple[int, ...]) -> None:
        self.page, self.pitch, self.ink = page, pitch, ink
        self.cos, self.sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        self.middle = (page.shape[1] / 2, page.shape[0] / 2)
        self.reach = math.ceil(page.shape[0] * 0.72 / pitch)

    def at(self, x: float, y: float) -> tuple[float, float]:
        along, across = x * self.pitch, y * self.pitch
        return (
            self.middle[0] + along * self.cos - across * self.sin,
            self.middle[1] + along * self.sin + across * self.cos,
        )

    def points(self, corners: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        return np.round(np.array([self.at(x, y) for x, y in corners]) * 16).astype(np.int32)

    def line(self, corners: Sequence[tuple[float, float]], wide: int, colour: tuple[int, ...] | None = None) -> None:
        cv2.polylines(self.page, [self.points(corners)], False, colour or self.ink, wide, cv2.LINE_AA, 4)

    def area(self, corners: Sequence[tuple[float, float]], colour: tuple[int, ...]) -> None:
        cv2.fillPoly(self.page, [self.points(corners)], colour, cv2.LINE_AA, 4)

    def ring(self, x: float, y: float, radius: float, wide: int, colour: tuple[int, ...] | None = None) -> None:
        across, down = self.at(x, y)
        centre = (round(across * 16), round(down * 16))
        cv2.circle(self.page, centre, round(radius * self.pitch * 16), colour or self.ink, wide, cv2.LINE_AA, 4)


def _box(x: float, y: float, half_x: float, half_y: float) -> list[tuple[float, float]]:
    corners = [(x - half_x, y - half_y), (x + half_x, y - half_y), (x + half_x, y + half_y), (x - half_x, y + half_y)]
    return [*corners, corners[0]]


def _ink(page: Pixels, rng: np.random.Generator) -> tuple[int, ...]:
    """A colour that stands out from the page, strongly or hardly."""
    under = page[:: page.shape[0] // 8, :: page.shape[1] // 8].reshape(-1, 3).mean(axis=0)
    away = 255.0 * (rng.random(3) * 0.4 + (0.6 if under.mean() < 110 else 0.0))
    return tuple(int(part) for part in under + (away - under) * rng.uniform(0.15, 1.0))


def _fields(sheet: _Sheet, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Squares side by side, some or every other one filled, some with a sign in it."""
    n, wide = sheet.reach, int(rng.integers(1, 3))
    checked, share = rng.random() < 0.25, rng.choice([0.0, 0.06, 0.2])
    inks = [_ink(sheet.page, rng) for _ in range(3)]
    for x in range(-n, n + 1):
        for y in range(-n, n + 1):
            filled = (x + y) % 2 == 0 if checked else rng.random() < share
            if filled:
                inset = 0.5 if checked else rng.choice([0.5, 0.48, 0.4])
                sheet.area(_box(x, y, inset, inset), inks[0] if checked else inks[int(rng.integers(3))])
                if not checked and rng.random() < 0.5:
                    _sign(sheet, x, y, inks[int(rng.integers(3))], rng)
    for i in range(-n, n + 1):
        sheet.line([(i - 0.5, -n), (i - 0.5, n)], wide)
        sheet.line([(-n, i - 0.5), (n, i - 0.5)], wide)
    return [(x, y) for x in range(-n, n + 1) for y in range(-n, n + 1)]


def _sign(sheet: _Sheet, x: float, y: float, colour: tuple[int, ...], rng: np.random.Generator) -> None:
    kind = rng.integers(4)
    if kind == 0:
        sheet.ring(x, y, rng.uniform(0.1, 0.35), int(rng.choice([-1, 1, 2])), colour)
    elif kind == 1:
        left, low = sheet.at(x - 0.2, y + 0.2)
        said = str(rng.integers(100))
        cv2.putText(sheet.page, said, (int(left), int(low)), cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
    elif kind == 2:
        sheet.line([(x - 0.3, y - 0.3), (x + 0.3, y + 0.3)], 1, colour)
        sheet.line([(x + 0.3, y - 0.3), (x - 0.3, y + 0.3)], 1, colour)
    else:
        sheet.line(_box(x, y, 0.36, 0.36), 1, colour)


def _outlines(sheet: _Sheet, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Empty places, each with its outline: what a mat has where tiles belong."""
    high, gap = rng.choice([1.0, 1.0, 1.4]), rng.uniform(1.05, 1.4)
    fill, wide = (_ink(sheet.page, rng) if rng.random() < 0.35 else None), int(rng.integers(1, 3))
    places, is_round = [], rng.random() < 0.25
    for x in range(-sheet.reach, sheet.reach):
        for y in range(-sheet.reach, sheet.reach):
            if rng.random() < 0.75:
                places.append((x * gap, y * gap * high))
                if is_round:
                    sheet.ring(*places[-1], 0.47, -1 if fill else wide, fill)
                    continue
                box = _box(*places[-1], 0.47, 0.47 * high)
                if fill:
                    sheet.area(box, fill)
                sheet.line(box, wide)
    return places


def _web(sheet: _Sheet, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Circles and rays, with or without spots where they meet."""
    rings, rays, wide = int(rng.integers(2, 5)), int(rng.choice([4, 6, 8, 12])), int(rng.integers(1, 4))
    step, spots = rng.uniform(1.3, 2.2), rng.random() < 0.4
    turns = [math.tau * i / rays for i in range(rays)]
    for ring in range(1, rings + 1):
        sheet.ring(0, 0, ring * step, wide)
    for turn in turns:
        sheet.line([(0, 0), (rings * step * math.cos(turn), rings * step * math.sin(turn))], wide)
    places = [(r * step * math.cos(t), r * step * math.sin(t)) for r in range(1, rings + 1) for t in turns]
    for x, y in places if spots else []:
        sheet.ring(x, y, rng.uniform(0.1, 0.3), int(rng.choice([-1, 1])))
    return places


def _nested(sheet: _Sheet, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Squares one in the other with lines across, or a plain net of lines: tiles lie where they meet."""
    step, wide = rng.uniform(1.1, 1.9), int(rng.integers(1, 6))
    if rng.random() < 0.4:
        n = sheet.reach
        for i in range(-n, n + 1):
            sheet.line([(i * step, -n * step), (i * step, n * step)], min(wide, 2))
            sheet.line([(-n * step, i * step), (n * step, i * step)], min(wide, 2))
        return [(x * step, y * step) for x in range(-n, n + 1) for y in range(-n, n + 1)]
    for i in (1, 2, 3):
        sheet.line(_box(0, 0, i * step, i * step), wide)
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        sheet.line([(x * step, y * step), (3 * x * step, 3 * y * step)], wide)
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    places = [(i * x * step, i * y * step) for i in (1, 2, 3) for x, y in around]
    for x, y in places if rng.random() < 0.3 else []:
        sheet.ring(x, y, 0.18, -1)
    return places


def _crosses(sheet: _Sheet, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Small crosses where the corners of four tiles meet."""
    n, arm = sheet.reach, rng.uniform(0.03, 0.15)
    for x in range(-n, n + 1):
        for y in range(-n, n + 1):
            sheet.line([(x - 0.5 - arm, y - 0.5), (x - 0.5 + arm, y - 0.5)], 1)
            sheet.line([(x - 0.5, y - 0.5 - arm), (x - 0.5, y - 0.5 + arm)], 1)
    return [(x, y) for x in range(-n, n + 1) for y in range(-n, n + 1)]


def _printed_around(sheet: _Sheet, rng: np.random.Generator) -> None:
    """Markers, words and frames somewhere on it."""
    for _ in range(int(rng.integers(0, 3))):
        x, y = rng.uniform(-sheet.reach, sheet.reach, 2)
        if rng.random() < 0.5:
            _marker(sheet, x, y, rng.uniform(0.35, 1.0), rng)
        else:
            at = sheet.at(x, y)
            said = "".join(rng.choice(list("aeirnotk dslum"), int(rng.integers(4, 14))))
            where, size = (int(at[0]), int(at[1])), rng.uniform(0.3, 0.8)
            cv2.putText(sheet.page, said, where, cv2.FONT_HERSHEY_SIMPLEX, size, sheet.ink, 1, cv2.LINE_AA)


def _marker(sheet: _Sheet, x: float, y: float, half: float, rng: np.random.Generator) -> None:
    sheet.area(_box(x, y, half * 1.3, half * 1.3), (245, 245, 245))
    sheet.area(_box(x, y, half, half), (15, 15, 15))
    step = half / 3
    for i in range(4):
        for j in range(4):
            if rng.random() < 0.5:
                sheet.area(_box(x + (i - 1.5) * step, y + (j - 1.5) * step, step / 2, step / 2), (245, 245, 245))


def cloud(rng: np.random.Generator, coarse: float, stretch: float = 1.0) -> Field:
    """Soft noise from 0 to 1 of several sizes, the coarsest so many pixels."""
    total = np.zeros((GROUND_PX, GROUND_PX), np.float32)
    weight = 1.0
    while coarse >= 1.5:
        shape = (max(2, int(GROUND_PX / coarse)), max(2, int(GROUND_PX / coarse / stretch)))
        total += weight * cv2.resize(
            rng.random(shape, np.float32), (GROUND_PX, GROUND_PX), interpolation=cv2.INTER_CUBIC
        )
        coarse, weight = coarse / 2.3, weight * 0.6
    low, high = float(total.min()), float(total.max())
    return np.asarray((total - low) / (high - low), np.float32)


def _two_tones(rng: np.random.Generator, near: float) -> tuple[Field, Field]:
    first = rng.uniform(10, 245, 3).astype(np.float32)
    return first, np.clip(first + rng.normal(0, near, 3), 0, 255).astype(np.float32)


def _mixed(share: Field, tones: tuple[Field, Field]) -> Field:
    return np.asarray(tones[0] + (tones[1] - tones[0]) * share[..., None], np.float32)


def _wood(rng: np.random.Generator) -> Field:
    brown = np.array([40, 75, 120], np.float32) * rng.uniform(0.3, 1.9)
    tone = brown + rng.normal(0, 12, 3).astype(np.float32)
    grain = cloud(rng, rng.uniform(4, 12), rng.uniform(12, 40)) * 0.7 + cloud(rng, 120, 6) * 0.3
    rings = 0.5 + 0.5 * np.sin(grain * rng.uniform(5, 40))
    share = np.asarray(grain * 0.6 + rings * 0.4, np.float32)
    made = _mixed(share, (tone, tone * rng.uniform(0.45, 0.85)))
    if rng.random() < 0.4:
        step = int(rng.integers(40, 150))
        made[rng.integers(step) :: step] *= 0.5
    return made


def _cloth(rng: np.random.Generator) -> Field:
    y, x = np.mgrid[0:GROUND_PX, 0:GROUND_PX].astype(np.float32)
    thread = rng.uniform(0.7, 2.4)
    weave = 0.5 + 0.25 * np.sin(x * thread) + 0.25 * np.sin(y * thread)
    share = np.asarray(weave * 0.5 + cloud(rng, 100) * 0.5, np.float32)
    return _mixed(share, _two_tones(rng, 22))


def _plain(rng: np.random.Generator) -> Field:
    return _mixed(cloud(rng, 200), _two_tones(rng, 8)) + rng.normal(0, rng.uniform(0, 4), (GROUND_PX, GROUND_PX, 1))


def _checks(rng: np.random.Generator) -> Field:
    step = int(rng.integers(10, 70))
    y, x = np.mgrid[0:GROUND_PX, 0:GROUND_PX] // step
    kinds = ((x + y) % 2, ((x % 2) + (y % 2)) / 2, (x % 2) * 1.0, ((x % 4 == 0) | (y % 4 == 0)) * 1.0)
    share = np.asarray(kinds[int(rng.integers(4))], np.float32)
    return _mixed(share * 0.8 + cloud(rng, 40) * 0.2, _two_tones(rng, 60))


def _marble(rng: np.random.Generator) -> Field:
    veins = np.exp(-np.abs(cloud(rng, 150) - cloud(rng, 90)) * rng.uniform(12, 60))
    return _mixed(np.asarray(veins, np.float32), _two_tones(rng, 60))


def _motifs(rng: np.random.Generator) -> Field:
    """A printed cloth: rounds, squares and stars in rows, of any size."""
    made = _cloth(rng)
    step = int(rng.integers(20, 110))
    inks = [rng.uniform(10, 245, 3).tolist() for _ in range(2)]
    kind, size, wide = rng.integers(3), step * rng.uniform(0.15, 0.42), int(rng.choice([-1, 1, 2]))
    for i, x in enumerate(range(step // 2, GROUND_PX, step)):
        for j, y in enumerate(range(step // 2, GROUND_PX, step)):
            if kind == 0:
                cv2.circle(made, (x, y), int(size), inks[(i + j) % 2], wide, cv2.LINE_AA)
            elif kind == 1:
                turns = [math.tau * k / 4 for k in range(4)]
                points = np.array([[x + size * math.cos(t), y + size * math.sin(t)] for t in turns], np.int32)
                cv2.polylines(made, [points], True, inks[(i + j) % 2], abs(wide), cv2.LINE_AA)
            else:
                cv2.ellipse(
                    made, (x, y), (int(size), int(size * 0.4)), 45 * (i + j), 0, 360, inks[0], wide, cv2.LINE_AA
                )
    return made


def _tinted(made: Field, rng: np.random.Generator) -> Pixels:
    shaded = made * (0.85 + 0.3 * cloud(rng, 300)[..., None]) * rng.uniform(0.7, 1.15)
    return np.clip(shaded, 0, 255).astype(np.uint8)
