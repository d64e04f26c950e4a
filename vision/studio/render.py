"""Photographs any position of any game, and writes down the truth beside the picture."""

import math
import random
import time
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game import AnyGame, each_legal, start
from companion.registry import game_named
from vision.frame import Pixels
from vision.studio.blocks import SHIFT, Block, Seen, draw_block, fixed, halved, look
from vision.studio.camera import Camera, Ground, Part, Points, ground
from vision.studio.clutter import any_clutter
from vision.studio.faces import FaceTray
from vision.studio.hands import Arm, any_arm, arm_cover, arm_outline, draw_arm
from vision.studio.leaves import Paper
from vision.studio.light import (
    Field,
    Fields,
    Lamp,
    Lighting,
    Shadows,
    cast,
    fields,
    gain,
    highlight,
    no_shadows,
    shade,
    shade_hulls,
    spread_mm,
)
from vision.studio.sensor import expose
from vision.studio.setting import FULL, Setting, any_setting
from vision.studio.strew import Lying, strewn


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """What there is to see: tiles, things beside them, arms above them."""

    tiles: tuple[Lying, ...] = ()
    clutter: tuple[Block, ...] = ()
    arms: tuple[Arm, ...] = ()


def photograph(
    game: AnyGame,
    state: Any,
    seed: int = 0,
    hard: bool = False,
    size: tuple[int, int] = FULL,
    *,
    ground_kind: str | None = None,
    hands: int | None = None,
    clutter: int | None = None,
    tables: Path | None = None,
    cutouts: Path | None = None,
) -> tuple[Pixels, dict[str, Any]]:
    """A photo of a position, and the truth about it. The same seed gives the same picture.

    ``ground_kind`` is one of `GROUNDS`; ``hands`` and ``clutter`` say how many there are; what is left out is drawn by
    lot. ``tables`` and ``cutouts`` are folders of real table tops and of hands cut out.
    """
    dice = random.Random(f"{seed} {hard}")
    layout = game.layout(state)
    setting = any_setting(game, layout, dice, hard, size, ground_kind, tables)
    tray = FaceTray(game, setting.finish, setting.camera.px_per_mm)
    tiles = strewn(game, layout, tray, dice, hard)
    things = _so_many(dice, clutter, 6 if hard else 3)
    arms = _so_many(dice, hands, 2 if hard else 1)
    targets = [(lying.block.x_mm, lying.block.y_mm) for lying in tiles]
    shot = Shot(
        tiles,
        any_clutter(dice, clear_of(game, tiles, setting), setting.camera, things),
        tuple(any_arm(dice, targets, setting.lighting, cutouts) for _ in range(arms)),
    )
    studio = Studio(setting)
    pixels = expose(studio.picture(shot), setting.sensor, np.random.default_rng(dice.getrandbits(64)))
    return pixels, {"game": game.name, "seed": seed, "hard": hard, **truth(setting, shot)}


@dataclass(slots=True, eq=False)
class Laid:
    """A table before light is put on it: colours, what shadows keep off, and what the surface mirrors."""

    colours: Pixels
    shadows: Shadows
    shine: Field

    def cut(self, part: Part, half: Part) -> "Laid":
        """A part of it, which is ``half`` in what is kept at half size."""
        return Laid(self.colours[part], Shadows([mask[half] for mask in self.shadows.masks]), self.shine[half])


class Studio:
    """Takes pictures in one setting; what does not change between them is drawn once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.ground = ground(setting.camera)
        self.light = waved(fields(setting.camera, self.ground, setting.lighting), setting, self.ground)
        self.bare = bare_table(setting, self.ground)
        self.shine = _shine(setting, self.ground)

    def picture(self, shot: Shot) -> Pixels:
        """The picture as the light draws it, before lens and sensor."""
        return self.finished(self.laid(shot), shot.arms)

    def laid(self, shot: Shot) -> Laid:
        """All that lies on the table, still without arms."""
        empty = Laid(self.bare, no_shadows(self.light), self.shine)
        return self.added(empty, [*(lying.block for lying in shot.tiles), *shot.clutter])

    def added(self, laid: Laid, blocks: Sequence[Block]) -> Laid:
        """The same with more things on it, or held above it."""
        setting = self.setting
        seen = look(setting.camera, blocks)
        colours, shadows, shine = laid.colours.copy(), laid.shadows.copy(), laid.shine.copy()
        toward = _brightest(setting.lighting).direction
        for one in seen:
            draw_block(colours, one, toward)
        low = [one for one in seen if one.block.height_mm + one.block.base_mm < 12]
        tall = [one for one in seen if one.block.height_mm + one.block.base_mm >= 12]
        cast(shadows, setting.camera, setting.lighting, low, self.light.scale)
        for one in tall:
            cast(shadows, setting.camera, setting.lighting, [one], self.light.scale)
        for one in seen:
            _shine_of(shine, one, setting)
        return Laid(colours, shadows, shine)

    def with_hands(
        self, still: Pixels, laid: Laid, held: Sequence[Block], arms: Sequence[Arm], brighter: float = 1.0
    ) -> Pixels:
        """A picture of what lies there and, over it, of hands and what they hold; only what they change is drawn."""
        part = self._touched(held, arms)
        half = _halved(part)
        through = self._through(part, half)
        drawn = still.copy()
        drawn[part] = through.finished(through.added(laid.cut(part, half), held), arms, brighter)
        return drawn

    def finished(self, laid: Laid, arms: Sequence[Arm], brighter: float = 1.0) -> Pixels:
        """Light put on it all, with arms above; ``brighter`` for light that changes from picture to picture."""
        if arms:
            laid = Laid(laid.colours.copy(), laid.shadows.copy(), laid.shine.copy())
        for arm in arms:
            self._reach(laid, arm)
        setting = self.setting
        bright = gain(self.light, laid.shadows, setting.lighting, setting.exposure * brighter)
        return lit(laid.colours, bright, laid.shine)

    def _through(self, part: Part, half: Part) -> "Studio":
        """The same studio, of whose picture only a part is drawn."""
        cut = copy(self)
        cut.setting = replace(self.setting, camera=self.setting.camera.cut(part))
        cut.light = Fields(tuple(layer[half] for layer in self.light.light), self.light.scale)
        return cut

    def _touched(self, held: Sequence[Block], arms: Sequence[Arm]) -> Part:
        """The part of the picture in which hands, what they hold, or their shadows are."""
        camera, lighting = self.setting.camera, self.setting.lighting
        outlines = [one.silhouette for one in look(camera, held)]
        for lamp in lighting.lamps if held else ():
            outlines += shade_hulls(camera, lamp, held)
        outlines += [arm_outline(arm, camera, lamp) for arm in arms for lamp in (None, *lighting.lamps)]
        heights = [*(block.base_mm + block.height_mm for block in held), *(arm.height_mm for arm in arms)]
        smeared = max((math.hypot(*arm.smear_px) for arm in arms), default=0.0)
        scale = self.light.scale
        beyond = 2 * scale * max(spread_mm(lighting, height, scale) for height in heights) + smeared + 4
        return _part_around(np.vstack(outlines), beyond, camera.size)

    def _reach(self, laid: Laid, arm: Arm) -> None:
        setting, shadows = self.setting, laid.shadows
        covers = [arm_cover(arm, setting.camera, lamp) for lamp in setting.lighting.lamps]
        shade(shadows, covers, setting.lighting.lamps, arm.height_mm, self.light.scale)
        cover = arm_cover(arm, setting.camera)
        keep = cv2.bitwise_not(cover)
        for mask in shadows.masks:
            cv2.multiply(mask, keep, dst=mask, scale=1 / 255)
        cv2.multiply(laid.shine, keep, dst=laid.shine, scale=1 / 255, dtype=cv2.CV_32F)
        draw_arm(laid.colours, arm, setting.camera)


def bare_table(setting: Setting, seen: Ground) -> Pixels:
    """The colours of the table and of the papers on it, without any light."""
    table = remapped(setting.table.pixels, seen.map(setting.table_matrix), cv2.BORDER_REFLECT)
    levels = np.arange(256, dtype=np.float32)[:, None] * np.array(setting.table_tint, np.float32)
    table = np.asarray(cv2.LUT(table, np.clip(levels, 0, 255).astype(np.uint8).reshape(1, 256, 3)), np.uint8)
    for paper in setting.papers:
        _draw_paper(table, paper, setting.camera, seen)
    return table


def remapped(pixels: Pixels, where: NDArray[np.float32], border: int) -> Pixels:
    """For each pixel of the new picture the one that lies there in the old."""
    nothing: Any = None
    return np.asarray(cv2.remap(pixels, where, nothing, cv2.INTER_LINEAR, borderMode=border), np.uint8)


def waved(light: Fields, setting: Setting, seen: Ground) -> Fields:
    """Paper is never quite flat: light and dark run over it in soft waves."""
    layers = [layer.copy() for layer in light.light]
    for paper in setting.papers:
        deep, along_x, along_y, start = paper.wave
        x, y = seen.nodes_mm[..., 0], seen.nodes_mm[..., 1]
        phase = along_x * x + along_y * y + start
        wave = 1 + deep * (np.sin(phase) + 0.6 * np.sin(1.7 * phase + 0.01 * (x - y)))
        rise = seen.half(wave.astype(np.float32))
        cover = np.zeros(rise.shape, np.uint8)
        cv2.fillPoly(cover, [fixed(halved(setting.camera.project(_along(paper.outline_mm))))], 255, cv2.LINE_8, SHIFT)
        for layer in layers[1:]:
            cv2.copyTo(cv2.multiply(layer, rise), cover, layer)
    return Fields(tuple(layers), light.scale)


def lit(colours: Pixels, brightness_half: Field, shine: Field) -> Pixels:
    """Colours under light; where lamps are mirrored their light is added, as light adds: square by square."""
    size = (colours.shape[1], colours.shape[0])
    full = cv2.resize(brightness_half, size, interpolation=cv2.INTER_LINEAR)
    picture = cv2.multiply(colours, full, dtype=cv2.CV_8U)
    rows, columns = np.flatnonzero(shine.max(axis=1) > 0.002), np.flatnonzero(shine.max(axis=0) > 0.002)
    if not len(rows):
        return np.asarray(picture, np.uint8)
    half = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    part = picture[2 * rows[0] : 2 * rows[-1] + 2, 2 * columns[0] : 2 * columns[-1] + 2]
    # What glare adds is worked out at half size: it is soft, and the picture under it is there in full.
    under = cv2.resize(picture, brightness_half.shape[1::-1], interpolation=cv2.INTER_AREA)[half]
    squares = cv2.multiply(under, under, dtype=cv2.CV_32F)
    glare = shine[half] * np.float32(255.0**2)
    added = cv2.subtract(cv2.sqrt(cv2.add(squares, cv2.merge([glare] * 3))), under, dtype=cv2.CV_8U)
    cv2.add(part, cv2.resize(added, part.shape[1::-1], interpolation=cv2.INTER_LINEAR), dst=part)
    return np.asarray(picture, np.uint8)


def truth(setting: Setting, shot: Shot) -> dict[str, Any]:
    """What is really there, in pixels: tiles with their corners and how much of each is to be seen, markers, camera."""
    camera = setting.camera
    shares = visible_shares(camera, shot)
    return {
        "size": list(camera.size),
        "ground": setting.ground,
        "table": setting.table.name,
        "camera": camera.described(),
        "markers": [
            {"id": marker.number, "corners": _rounded(camera.project(marker.corners_mm))} for marker in setting.markers
        ],
        "tiles": [_tile_truth(camera, lying, share) for lying, share in zip(shot.tiles, shares, strict=True)],
        "clutter": [
            {"kind": block.kind, "outline": _rounded(camera.project(block.outline_mm(block.height_mm)))}
            for block in shot.clutter
        ],
        "hands": [
            {"tip": _rounded(camera.project([arm.tip_mm]))[0], "tip_mm": [round(part, 1) for part in arm.tip_mm]}
            for arm in shot.arms
        ],
    }


def visible_shares(camera: Camera, shot: Shot) -> list[float]:
    """For each tile the share of its upper face that is in the picture and covered by nothing."""
    size = ((camera.size[0] + 1) // 2, (camera.size[1] + 1) // 2)
    owners = np.zeros(size[::-1], np.int32)
    blocks = [*(lying.block for lying in shot.tiles), *shot.clutter]
    numbers = {id(block): i + 1 for i, block in enumerate(blocks)}
    areas = np.zeros(len(blocks) + 1)
    for one in look(camera, blocks):
        cv2.fillConvexPoly(owners, fixed(halved(one.silhouette)), 0, cv2.LINE_8, SHIFT)
        top = halved(one.top)
        cv2.fillConvexPoly(owners, fixed(top), numbers[id(one.block)], cv2.LINE_8, SHIFT)
        areas[numbers[id(one.block)]] = _filled(top)
    for arm in shot.arms:
        owners[arm_cover(arm, camera) > 127] = 0
    counts = np.bincount(owners.ravel(), minlength=len(blocks) + 1)
    shares = counts[1 : len(shot.tiles) + 1] / np.maximum(areas[1 : len(shot.tiles) + 1], 1)
    return [round(min(1.0, float(share)), 3) for share in shares]


def _part_around(points: Points, beyond: float, size: tuple[int, int]) -> Part:
    """The part of a picture around points, in steps of eight pixels, as what is drawn at an eighth needs it."""
    low = np.clip(np.floor((points.min(axis=0) - beyond) / 8).astype(int) * 8, 0, np.array(size) - 8)
    high = np.clip(np.ceil((points.max(axis=0) + beyond) / 8).astype(int) * 8, low + 8, size)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _halved(part: Part) -> Part:
    rows, columns = part
    return slice(rows.start // 2, (rows.stop + 1) // 2), slice(columns.start // 2, (columns.stop + 1) // 2)


def _so_many(dice: random.Random, given: int | None, most: int) -> int:
    drawn = dice.randint(0, most)
    return drawn if given is None else given


def clear_of(game: AnyGame, tiles: Sequence[Lying], setting: Setting) -> Points:
    """Where nothing else may be put: around tiles, markers and every place of the board."""
    spots = [(spot.x_mm, spot.y_mm) for spot in game.board.places.values()]
    middles = [tuple(marker.corners_mm.mean(axis=0)) for marker in setting.markers]
    return np.array([*spots, *middles, *((lying.block.x_mm, lying.block.y_mm) for lying in tiles)]).reshape(-1, 2)


def _draw_paper(table: Pixels, paper: Paper, camera: Camera, seen: Ground) -> None:
    outline = camera.project(_along(paper.outline_mm))
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 2, camera.size)
    if (low >= high).any():
        return
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    ink = paper.black + levels * (np.array(paper.white, np.float32) - paper.black)
    inks = np.clip(ink, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    where = seen.map(paper.matrix)[part]
    drawn = remapped(paper.pixels, where, cv2.BORDER_REPLICATE)
    cover = np.zeros(drawn.shape[:2], np.uint8)
    cv2.fillPoly(cover, [fixed(outline - low)], 255, cv2.LINE_8, SHIFT)
    cv2.copyTo(cv2.LUT(drawn, inks), cover, table[part])


def _along(corners: Points) -> Points:
    """Points along the edges, since a lens bends straight lines."""
    steps = np.linspace(0, 1, 9)[:-1, None]
    return np.vstack([corners[i] + (corners[(i + 1) % 4] - corners[i]) * steps for i in range(4)])


def _shine(setting: Setting, seen: Ground) -> Field:
    """How the bare table and its papers mirror the lamps, at half size."""
    table = _mirror(seen.nodes_mm, setting, setting.table.gloss, setting.table.rough, (0.0, 0.0))
    whole = seen.half(table)
    for paper in setting.papers:
        sheet = seen.half(_mirror(seen.nodes_mm, setting, paper.gloss, paper.rough, (0.0, 0.0)))
        cover = np.zeros(whole.shape, np.uint8)
        cv2.fillPoly(cover, [fixed(halved(setting.camera.project(_along(paper.outline_mm))))], 255, cv2.LINE_8, SHIFT)
        cv2.copyTo(sheet, cover, whole)
    return whole


def _mirror(
    points: NDArray[np.float64], setting: Setting, gloss: float, rough: float, lean: tuple[float, float]
) -> Field:
    total = np.zeros(points.shape[:-1], np.float32)
    if gloss <= 0.003:
        return total
    for lamp in setting.lighting.lamps:
        # A small lamp is a bright one: what a rough surface spreads, a smooth one shows as a burnt-out spot.
        sharp = min(6.0, 0.25 / max(0.02, rough))
        strength = gloss * lamp.power * setting.exposure * sharp
        total += strength * highlight(points, lamp, setting.camera, rough, lean)
    return np.minimum(total, 1.2)


def _shine_of(shine: Field, one: Seen, setting: Setting) -> None:
    """What one block mirrors in place of the table under it."""
    top = halved(one.silhouette)
    low = np.maximum(np.floor(top.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(top.max(axis=0)).astype(int) + 1, shine.shape[::-1])
    if (low >= high).any():
        return
    part = shine[low[1] : high[1], low[0] : high[0]]
    value = _lean_value(one.block, setting)
    if value < 0.002 and float(part.max()) < 0.002:
        return
    cover = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(cover, fixed(top - low), 255, cv2.LINE_AA, SHIFT)
    share = cover.astype(np.float32) / 255
    part += share * (value - part)


def _lean_value(block: Block, setting: Setting) -> float:
    here = np.array([[block.x_mm, block.y_mm]])
    return float(_mirror(here, setting, block.gloss, block.rough, block.lean)[0])


def _brightest(lighting: Lighting) -> Lamp:
    return max(lighting.lamps, key=lambda lamp: lamp.power)


def _filled(outline: Points) -> float:
    """How many pixels the outline fills when it is drawn whole, wherever it lies."""
    low = np.floor(outline.min(axis=0)) - 1
    span = np.ceil(outline.max(axis=0) - low).astype(int) + 2
    page = np.zeros((int(span[1]), int(span[0])), np.uint8)
    cv2.fillConvexPoly(page, fixed(outline - low), 1, cv2.LINE_8, SHIFT)
    return float(page.sum())


def _tile_truth(camera: Camera, lying: Lying, visible: float) -> dict[str, Any]:
    block, piece = lying.block, lying.piece
    middle = [(block.x_mm, block.y_mm, block.base_mm + block.height_mm)]
    return {
        "tile": piece.tile,
        "owner": piece.owner,
        "place": lying.place,
        "facing": piece.facing,
        "centre": _rounded(camera.project(middle))[0],
        "corners": _rounded(camera.project(block.corners_mm)),
        "centre_mm": [round(block.x_mm, 2), round(block.y_mm, 2)],
        "angle_deg": round(block.angle_deg % 360, 2),
        "visible": visible,
    }


def _rounded(points: Points) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]


def photos_a_second(name: str, count: int = 40, hard: bool = False) -> float:
    """How quickly photos of a game under way are taken, once faces and table tops have been drawn."""
    game, dice = game_named(name), random.Random(1)
    state = start(game, rng=dice)
    for _ in range(20):
        state = game.play(state, dice.choice(list(islice(each_legal(game, state), 200))))
    for seed in range(count):
        photograph(game, state, seed, hard)
    began = time.perf_counter()
    for seed in range(count):
        photograph(game, state, seed, hard)
    return count / (time.perf_counter() - began)
