"""Everything about a photo but what lies on the table: camera, lamps, table, paper and sensor, drawn by lot."""

import math
import random
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.game import AnyGame
from companion.table import Layout
from vision.studio.blocks import Bgr
from vision.studio.camera import Camera, Points, looking_at
from vision.studio.faces import Finish, any_finish
from vision.studio.leaves import GROUNDS, Marked, Paper, area_mm, lay
from vision.studio.light import Lamp, Lighting, colour_of
from vision.studio.materials import Material, any_material
from vision.studio.sensor import Sensor

FULL = (1640, 1232)
SMALL = (640, 480)
COARSEST_PX_PER_MM = 0.8
"""The honest limit at full size: further away or more from the side, the set-up would ask to move the camera."""
BLURRED_PX, SHAKEN_PX = 2.0, 4.0
"""The honest limits of focus and of shaking at full size: a camera above a table is focused and does not move."""
_TRIES = 40


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Everything about a photo but what lies on the table and who reaches over it."""

    camera: Camera
    lighting: Lighting
    table: Material
    table_matrix: Points
    table_tint: Bgr
    papers: tuple[Paper, ...]
    markers: tuple[Marked, ...]
    finish: Finish
    sensor: Sensor
    exposure: float
    ground: str


def any_setting(
    game: AnyGame,
    layout: Layout,
    dice: random.Random,
    hard: bool,
    size: tuple[int, int] = FULL,
    ground_kind: str | None = None,
    tables: Path | None = None,
) -> Setting:
    """All of it by chance; ``hard`` widens every range to the honest limits of a real home."""
    kind = ground_kind or dice.choice(GROUNDS)
    camera = any_camera(game, layout, kind, dice, hard, size)
    lighting = any_lighting(dice, hard)
    table = any_material(dice, tables)
    papers, markers = lay(game, kind, camera.px_per_mm, dice, hard)
    deep = dice.uniform(0.8, 1.1)
    tint = tuple(deep * dice.gauss(1, 0.05 if hard else 0.03) for _ in range(3))
    setting = Setting(
        camera,
        lighting,
        table,
        _cut_from(table, dice),
        (tint[0], tint[1], tint[2]),
        papers,
        markers,
        any_finish(dice, hard),
        any_sensor(dice, hard, size),
        1.0,
        kind,
    )
    return replace(setting, exposure=_exposure(setting, dice, hard))


def _cut_from(table: Material, dice: random.Random) -> Points:
    """Which part of the picture of a table top is seen, and turned how: grain runs mostly along or across."""
    turn = math.radians(90 * dice.randrange(4) + dice.gauss(0, 14))
    grow = dice.uniform(0.8, 1.25) * table.px_per_mm
    cos, sin = math.cos(turn) * grow, math.sin(turn) * grow
    high, wide = table.pixels.shape[:2]
    return np.array([[cos, -sin, wide * dice.uniform(0.3, 0.7)], [sin, cos, high * dice.uniform(0.3, 0.7)]])


def any_camera(
    game: AnyGame, layout: Layout, kind: str, dice: random.Random, hard: bool, size: tuple[int, int]
) -> Camera:
    """A camera that sees the whole area, from above and a little from one side, and all of it finely enough."""
    points = _must_see(game, layout, kind)
    enough = COARSEST_PX_PER_MM * size[0] / FULL[0]
    best = _drawn_camera(points, dice, hard, size)
    for _ in range(_TRIES):
        if _coarsest(best, points) >= enough:
            break
        best = max(best, _drawn_camera(points, dice, hard, size), key=lambda camera: _coarsest(camera, points))
    return best


def _drawn_camera(points: Points, dice: random.Random, hard: bool, size: tuple[int, int]) -> Camera:
    wide = dice.choice((62.0, 66.0, 75.0, 100.0)) if hard else dice.choice((62.0, 62.0, 66.0))
    focal = size[0] / 2 / math.tan(math.radians(wide / 2))
    bent = dice.gauss(-0.03, 0.06) if hard else dice.gauss(0.0, 0.02)
    bend = (bent, -bent * dice.uniform(0.1, 0.5), dice.gauss(0, 4e-4), dice.gauss(0, 4e-4))
    tilt = dice.uniform(0, 42) if hard else abs(dice.gauss(0, 11))
    side = dice.uniform(0, 360) if hard and dice.random() < 0.4 else dice.gauss(0, 14 if hard else 5)
    roll = dice.gauss(0, 8 if hard else 2)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2 + (dice.gauss(0, 8), dice.gauss(0, 8))
    at = (float(middle[0]), float(middle[1]))
    slack = dice.uniform(1.02, 1.35 if hard else 1.18)
    near, far = 100.0, 6000.0
    for _ in range(12):
        distance = (near + far) / 2
        camera = looking_at(size, focal, bend, at, distance, min(tilt, 50.0), side, roll)
        near, far = (near, distance) if _holds(camera, points) else (distance, far)
    return looking_at(size, focal, bend, at, far * slack, min(tilt, 50.0), side, roll)


def _coarsest(camera: Camera, points: Points) -> float:
    """Pixels a millimetre where the table is seen worst, along the direction that is foreshortened most."""
    corners = np.array([(x, y) for x in _span(points[:, 0]) for y in _span(points[:, 1])])
    steps = [camera.project(corners + step) - camera.project(corners - step) for step in ((0.5, 0.0), (0.0, 0.5))]
    return float(min(np.linalg.norm(step, axis=1).min() for step in steps))


def _span(values: NDArray[np.float64]) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def is_in_view(camera: Camera, game: AnyGame, layout: Layout) -> bool:
    """Whether a camera sees all the tiles and a little around them."""
    return not layout or _holds(camera, np.array(_around(game, layout)))


def _around(game: AnyGame, layout: Layout) -> list[tuple[float, float]]:
    reach = max(game.catalogue.size_mm) * 0.7
    spots = [game.board.spot(place) for place in layout]
    return [(spot.x_mm + x, spot.y_mm + y) for spot in spots for x in (-reach, reach) for y in (-reach, reach)]


def _must_see(game: AnyGame, layout: Layout, kind: str) -> Points:
    width, height = area_mm(game, kind)
    around = _around(game, layout)
    if kind == "bare" and not game.board.strokes and around:
        return np.array([*around, (-120.0, -90.0), (120.0, 90.0)])
    corners = [(x * width / 2, y * height / 2) for x in (-1, 1) for y in (-1, 1)]
    return np.array([*corners, *around])


def _holds(camera: Camera, points: Points) -> bool:
    deep = camera.rotation[2] @ np.column_stack([points, np.zeros(len(points))]).T + camera.shift[2]
    if (deep < 50).any():
        return False
    pixels = camera.project(points)
    margin = 0.015 * camera.size[0]
    return bool((pixels > margin).all() and (pixels < np.array(camera.size) - margin).all())


def any_lighting(dice: random.Random, hard: bool) -> Lighting:
    """One to three lamps and the room; warm, cold or mixed."""
    lamps = [_any_lamp(dice, hard) for _ in range(dice.choice((1, 1, 2, 2, 3)))]
    ambient = dice.uniform(0.25, 0.9) if hard else dice.uniform(0.45, 0.9)
    room = colour_of(dice.uniform(2700, 8000) if hard else dice.uniform(3500, 6500))
    total = [ambient * room[i] + sum(lamp.power * lamp.colour[i] for lamp in lamps) for i in range(3)]
    trust = dice.uniform(0.5, 1.0) if hard else dice.uniform(0.85, 1.0)
    balance = tuple((total[1] / part) ** trust * dice.gauss(1, 0.03 if hard else 0.012) for part in total)
    steep = 1.2 if hard else 0.5
    return Lighting(
        tuple(lamps),
        ambient,
        room,
        (dice.gauss(0, steep), dice.gauss(0, steep)),
        (balance[0], balance[1], balance[2]),
        dice.uniform(0.05, 0.5 if hard else 0.3),
    )


def _any_lamp(dice: random.Random, hard: bool) -> Lamp:
    """A lamp overhead, one that stands beside the table, or a window."""
    away, towards = dice.uniform(0, math.tau), dice.random()
    if towards < 0.5:
        height, reach, radius = dice.uniform(700, 1900), dice.uniform(50, 900), dice.uniform(30, 140)
    elif towards < 0.75:
        height, reach, radius = dice.uniform(350, 900), dice.uniform(350, 900), dice.uniform(25, 90)
    else:
        height, reach, radius = dice.uniform(600, 1300), dice.uniform(1200, 2600), dice.uniform(250, 600)
    power = dice.uniform(0.25, 1.3) if hard else dice.uniform(0.3, 0.8)
    kelvin = dice.uniform(2300, 7500) if hard else dice.uniform(2800, 6000)
    return Lamp(math.cos(away) * reach, math.sin(away) * reach, height, colour_of(kelvin), power, radius)


def any_sensor(dice: random.Random, hard: bool, size: tuple[int, int]) -> Sensor:
    """Focus, shake, noise, tones and JPEG by chance; measured at full size, less at smaller ones."""
    fine = size[0] / FULL[0]
    soft = min(abs(dice.gauss(0, 1.1)) + 0.5, BLURRED_PX) if hard else dice.uniform(0.45, 1.0)
    shake = min(abs(dice.gauss(0, 4.0)), SHAKEN_PX) if hard and dice.random() < 0.35 else 0.0
    along = dice.uniform(0, math.tau)
    return Sensor(
        max(0.4, soft * fine),
        (shake * fine * math.cos(along), shake * fine * math.sin(along)),
        dice.uniform(1.5, 8.0) if hard else dice.uniform(1.0, 3.2),
        dice.uniform(0.0, 1.0) if hard else dice.uniform(0.0, 0.45),
        dice.uniform(-0.1, 0.6),
        dice.uniform(0, 14 if hard else 6),
        dice.randint(45, 95) if hard else dice.randint(82, 96),
    )


def _exposure(setting: Setting, dice: random.Random, hard: bool) -> float:
    """What an automatic camera chooses: between a fixed light for white paper and a grey mean."""
    dark = (float(setting.table.pixels[::48, ::48].mean()) * sum(setting.table_tint) / 3 / 255) ** 2
    papered = 0.55 if setting.papers else 0.15
    mean = (1 - papered) * dark + papered * 0.6
    light = setting.lighting.ambient + sum(lamp.power for lamp in setting.lighting.lamps)
    by_mean, by_white = 0.26 / (mean * light), 0.92 / light
    off = dice.gauss(0, 0.28 if hard else 0.1)
    return float(by_white**0.7 * by_mean**0.3 * 2**off)
