"""Composes top views of tables to learn finding tiles on: quick, plain and endless, each scene by its own seed.

Here nothing is projected: seen from the camera's side, whatever has height leans away from it by one and the same slope
over the small part of a table that a scene shows. That is what makes it quick enough to draw while the network learns.
"""

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.clutter import Thing, any_thing, circle, colour, draw_hand, load_cutouts, rectangle
from models.training.faces import FAMILY, make_faces
from models.training.grounds import Pixels, Place, draw_board, ground_under, make_grounds

SIDE = 256
TILE_PX = 28
"""The shorter side of a tile, or what a disc measures across, in every view that the network sees."""
SHAPES = ("square", "card", "disc")

Points: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TileSet:
    """Faces that belong together, upright, and the mat they are played on."""

    shape: int
    faces: Sequence[Pixels]
    ratio: float = 1.0
    """How much longer than wide."""
    thickness: float | None = None
    """In widths of a tile."""
    mat: Pixels | None = None
    places: tuple[Place, ...] = ()
    """In pixels from the middle of the mat."""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """All that scenes are made of, kept in memory."""

    bank: NDArray[np.uint8]
    printed: tuple[TileSet, ...]
    grounds: Sequence[Pixels]
    hands: Sequence[Pixels]


@dataclass(frozen=True, slots=True)
class Lying:
    """The upper face of a tile: its middle in pixels, how it is turned, and how much of it is to be seen."""

    x: float
    y: float
    angle_deg: float
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture and the tiles in it; all tiles of a scene have one shape, which a game's catalogue would tell."""

    pixels: Pixels
    shape: int
    tiles: tuple[Lying, ...]


def load_material(
    icons: Path, prints: Path | None, photos: Path | None, cutouts: Path | None, faces: int, seed: int
) -> Material:
    """Faces of no set of ours from the icons; printed sets, table photos and cut-out hands where folders are given."""
    bank = np.stack(list(make_faces(icons, faces, seed)))
    printed = tuple(_load_set(folder) for folder in sorted(prints.iterdir())) if prints else ()
    return Material(bank, printed, make_grounds(84, seed, photos), load_cutouts(cutouts))


def _load_set(folder: Path) -> TileSet:
    """A folder as ``python -m vision.prints`` writes it."""
    read = json.loads((folder / "set.json").read_text(encoding="utf-8"))
    wide, high = read["size_mm"]
    px_per_mm = TILE_PX / min(wide, high)
    faces = [cv2.imread(str(file)) for file in sorted((folder / "faces").glob("*.png"))]
    mat = cv2.imread(str(folder / "mat.png"))
    scale = TILE_PX / min(faces[0].shape[:2])
    mat = np.asarray(cv2.resize(mat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    places = [(x * px_per_mm, y * px_per_mm, angle) for x, y, angle in read["places"]]
    if read["pitch_mm"]:
        pitch = read["pitch_mm"] * px_per_mm
        places += [(x * pitch, y * pitch, 0.0) for x in range(-7, 8) for y in range(-7, 8)]
    return TileSet(SHAPES.index(read["shape"]), faces, high / wide, read["thickness_mm"] / wide, mat, tuple(places))


def compose(material: Material, seed: int) -> Scene:
    """The scene of a seed."""
    rng = np.random.default_rng(seed)
    tiles = _any_set(material, rng)
    table = _Table(ground_under(material.grounds, SIDE, rng), tiles, rng)
    places = _spread_paper(table, tiles, rng)
    lying = _any_layout(tiles, places, table.size, rng)
    table.lay(lying, tiles)
    if rng.random() < 0.18:
        table.reach_over(material.hands)
    return Scene(_photographed(table.page, rng), tiles.shape, table.seen())


class _Table:
    """A scene while it is being made."""

    def __init__(self, page: Pixels, tiles: TileSet, rng: np.random.Generator) -> None:
        self.page, self.rng = page, rng
        self.owners = np.zeros(page.shape[:2], np.int32)
        self.areas: list[float] = []
        self.tops: list[Place] = []
        grown = TILE_PX * rng.uniform(0.93, 1.08)
        self.size = (grown, grown * tiles.ratio)
        self.thick = self.size[0] * _thickness(tiles, rng)
        slope, away = math.tan(math.radians(min(52, abs(rng.normal(0, 24))))), rng.uniform(0, math.tau)
        self.lean = np.array([math.cos(away), math.sin(away)]) * slope
        turn, low = rng.uniform(0, math.tau), rng.uniform(0.1, 1.6)
        self.shade = np.array([math.cos(turn), math.sin(turn)]) * low
        self.dark, self.soft = rng.uniform(0.0, 0.75), rng.uniform(0.5, 4.0)

    def lay(self, lying: Sequence[Place], tiles: TileSet) -> None:
        """Things and tiles, the furthest first, on the shadows of all."""
        rng = self.rng
        stuff = _Stuff(tiles, self.size, rng)
        heaps = _heaps(lying, self.size)
        blocks: list[tuple[Points, float, float, Thing | None]] = []
        for (x, y, angle), base in zip(lying, heaps, strict=True):
            blocks.append((np.array([x, y, angle]), base * self.thick, self.thick, None))
        for _ in range(int(rng.choice([0, 0, 1, 2, 4, 7]))):
            thing = any_thing(self.size, tiles.shape == 2, rng)
            at = self._free_spot(lying, float(np.abs(thing.outline).max()))
            if at is not None:
                blocks.append((np.array([*at, rng.uniform(0, 360)]), 0.0, thing.height, thing))
        self._cast_shadows(blocks, stuff.outline)
        toward = self.lean / (np.linalg.norm(self.lean) + 1e-9)
        for where, base, height, thing in sorted(blocks, key=lambda b: (b[1], -float(b[0][:2] @ toward))):
            if thing is None:
                self._draw_tile(where, base, height, stuff)
            else:
                self._draw_thing(where, thing)

    def reach_over(self, hands: Sequence[Pixels]) -> None:
        tip = tuple(self.rng.uniform(0, SIDE, 2))
        cover = draw_hand(self.page, (tip[0], tip[1]), self.size[0] * self.rng.uniform(0.5, 1.3), hands, self.rng)
        self.owners[cover > 127] = 0

    def seen(self) -> tuple[Lying, ...]:
        counts = np.bincount(self.owners.ravel(), minlength=len(self.areas) + 1)[1:]
        shares = np.minimum(1.0, counts / np.maximum(self.areas, 1.0))
        return tuple(Lying(*top, float(share)) for top, share in zip(self.tops, shares, strict=True))

    def _free_spot(self, lying: Sequence[Place], reach: float) -> tuple[float, float] | None:
        """Beside the tiles; a little overlap is left to chance."""
        for _ in range(6):
            x, y = self.rng.uniform(-10, SIDE + 10, 2)
            room = reach + max(self.size) * self.rng.uniform(0.4, 0.75)
            if all(math.hypot(x - a, y - b) > room for a, b, _ in lying):
                return x, y
        return None

    def _cast_shadows(self, blocks: Sequence[tuple[Points, float, float, Thing | None]], outline: Points) -> None:
        if self.dark < 0.05:
            return
        mask = np.zeros(self.page.shape[:2], np.uint8)
        for where, _, height, thing in blocks:
            base = _turned(outline if thing is None else thing.outline, where[2]) + where[:2]
            drop = self.shade * height + self.rng.normal(0, 0.3, 2)
            # Where it stands is dark all round: the small gap below every tile.
            _fill(mask, cv2.convexHull(np.vstack([base, base + drop]).astype(np.float32)).reshape(-1, 2), 255)
        soft = cv2.GaussianBlur(mask, (0, 0), self.soft).astype(np.float32) * (self.dark / 255)
        self.page[:] = (self.page * (1 - soft[..., None])).astype(np.uint8)

    def _draw_thing(self, where: Points, thing: Thing) -> None:
        base = _turned(thing.outline, where[2]) + where[:2]
        top = base + self.lean * thing.height
        self._draw_sides(base, top, np.array(thing.colour))
        _fill(self.page, top, thing.colour)
        for mark, ink in thing.marks:
            _fill(self.page, _turned(mark, where[2]) + where[:2] + self.lean * thing.height, ink)
        _fill(self.owners, cv2.convexHull(np.vstack([base, top]).astype(np.float32)).reshape(-1, 2), 0, cv2.LINE_8)

    def _draw_tile(self, where: Points, base_height: float, height: float, stuff: "_Stuff") -> None:
        turned = _turned(stuff.outline, where[2])
        base = turned + where[:2] + self.lean * base_height
        top = base + self.lean * height
        self._draw_sides(base, top, stuff.side)
        _fill(self.owners, cv2.convexHull(np.vstack([base, top]).astype(np.float32)).reshape(-1, 2), 0, cv2.LINE_8)
        middle = where[:2] + self.lean * (base_height + height)
        _paste(self.page, stuff.any_face(), middle, float(where[2]), self.size)
        if stuff.bevel:
            self._draw_bevel(top, stuff.bevel)
        self.tops.append((float(middle[0]), float(middle[1]), float(where[2])))
        _fill(self.owners, top, len(self.tops), cv2.LINE_8)
        self.areas.append(float(cv2.contourArea(top.astype(np.float32))))

    def _draw_sides(self, base: Points, top: Points, tone: Points) -> None:
        if float(np.abs(top - base).max()) < 0.4:
            return
        hull = cv2.convexHull(np.vstack([base, top]).astype(np.float32)).reshape(-1, 2)
        lit = 0.75 - 0.25 * float(self.lean @ self.shade) / (
            np.linalg.norm(self.lean) * np.linalg.norm(self.shade) + 1e-6
        )
        _fill(self.page, hull, tuple(np.clip(tone * lit, 0, 255)))
        if len(base) > 16:
            return
        for i in range(len(base)):
            edge = base[(i + 1) % len(base)] - base[i]
            outward = np.array([edge[1], -edge[0]]) / (np.linalg.norm(edge) + 1e-9)
            if outward @ self.lean < 0:
                bright = 0.72 - 0.3 * float(outward @ self.shade) / (np.linalg.norm(self.shade) + 1e-6)
                quad = np.array([base[i], base[(i + 1) % len(base)], top[(i + 1) % len(base)], top[i]])
                _fill(self.page, quad, tuple(np.clip(tone * bright, 0, 255)))

    def _draw_bevel(self, top: Points, strength: float) -> None:
        light = -self.shade / (np.linalg.norm(self.shade) + 1e-9)
        for i in range(len(top)):
            start, end = top[i], top[(i + 1) % len(top)]
            edge = end - start
            outward = np.array([edge[1], -edge[0]]) / (np.linalg.norm(edge) + 1e-9)
            tone = 255.0 if outward @ light > 0 else 0.0
            middle = (start + end) / 2 - outward * 1.2
            x, y = int(np.clip(middle[0], 0, SIDE - 1)), int(np.clip(middle[1], 0, SIDE - 1))
            share = strength * abs(float(outward @ light))
            ink = tuple(float(part) for part in self.page[y, x] * (1 - share) + tone * share)
            line = np.round(np.array([start - outward, end - outward]) * 16).astype(np.int32)
            cv2.polylines(self.page, [line], False, ink, 1, cv2.LINE_AA, 4)


class _Stuff:
    """How the tiles of one scene were made: their cut, their sides, and each face once as it is pasted."""

    def __init__(self, tiles: TileSet, size: tuple[float, float], rng: np.random.Generator) -> None:
        self.tiles, self.rng = tiles, rng
        is_round = tiles.shape == 2
        corner = 0.0 if rng.random() < 0.4 else size[0] * rng.uniform(0.02, 0.2)
        self.outline = circle(size[0]) if is_round else rectangle(*size, corner)
        self.side = np.array(colour(rng))
        self.bevel = rng.uniform(0.2, 0.8) if rng.random() < 0.3 and not is_round else 0.0
        self.margin = rng.uniform(0.03, 0.14) if rng.random() < 0.25 and tiles.mat is None else 0.0
        self.plain = tiles.mat is None and rng.random() < (0.55 if is_round else 0.08)
        self.corner = corner / size[0]
        self.black, self.white = rng.uniform(5, 70), rng.uniform(190, 250)
        few = len(tiles.faces) if rng.random() < 0.5 else int(rng.integers(1, len(tiles.faces) + 1))
        self.kinds = rng.permutation(len(tiles.faces))[:few]
        self.body = [np.array(colour(rng)) for _ in range(2)]
        self.cut: dict[int, Pixels] = {}

    def any_face(self) -> Pixels:
        kind = int(self.rng.choice(self.kinds))
        if kind not in self.cut:
            self.cut[kind] = self._made(kind)
        return self.cut[kind]

    def _made(self, kind: int) -> Pixels:
        """Blue, green, red and cover, 40 pixels wide, with a clear rim so that edges come out smooth."""
        wide, high = 40, round(40 * self.tiles.ratio)
        if self.plain:
            face = np.full((high, wide, 3), self.body[kind % 2], np.float32)
            if kind % 3 == 0:
                cv2.circle(
                    face, (wide // 2, high // 2), int(wide * 0.36), tuple(self.body[(kind + 1) % 2]), 1, cv2.LINE_AA
                )
        else:
            face = cv2.resize(self.tiles.faces[kind], (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32)
        if self.margin:
            inset = max(1, int(self.margin * wide))
            small = cv2.resize(face, (wide - 2 * inset, high - 2 * inset), interpolation=cv2.INTER_AREA)
            face = np.full((high, wide, 3), self.body[0], np.float32)
            face[inset:-inset, inset:-inset] = small
        inked = self.black + face / 255 * (self.white - self.black)
        cover = np.zeros((high + 4, wide + 4), np.uint8)
        middle = np.array([wide / 2 + 1.5, high / 2 + 1.5])
        outline = circle(wide) if self.tiles.shape == 2 else rectangle(wide, high, self.corner * wide)
        _fill(cover, outline + middle, 255)
        made = np.dstack([cv2.copyMakeBorder(inked, 2, 2, 2, 2, cv2.BORDER_REPLICATE), cover.astype(np.float32)])
        return np.clip(made, 0, 255).astype(np.uint8)


def _any_set(material: Material, rng: np.random.Generator) -> TileSet:
    if material.printed and rng.random() < 0.4:
        return material.printed[int(rng.integers(len(material.printed)))]
    family = int(rng.integers(len(material.bank) // FAMILY)) * FAMILY
    shape = int(rng.choice(3, p=[0.5, 0.22, 0.28]))
    ratio = rng.choice([rng.uniform(1.25, 1.6), rng.uniform(1.25, 2.0)]) if shape == 1 else 1.0
    return TileSet(shape, list(material.bank[family : family + FAMILY]), float(ratio))


def _thickness(tiles: TileSet, rng: np.random.Generator) -> float:
    """In widths of a tile."""
    if tiles.thickness is not None and rng.random() < 0.8:
        return tiles.thickness * rng.uniform(0.8, 1.2)
    return float(rng.choice([0.01, rng.uniform(0.02, 0.15), rng.uniform(0.1, 0.4)]))


def _spread_paper(table: _Table, tiles: TileSet, rng: np.random.Generator) -> list[Place]:
    """The set's own mat, a board of any kind on paper or painted on the table, or nothing; gives places on it."""
    turn = rng.normal(0, 2) if rng.random() < 0.6 else rng.uniform(0, 360)
    if tiles.mat is not None and rng.random() < 0.75:
        return _lay_mat(table.page, tiles.mat, tiles.places, turn, rng)
    if rng.random() < 0.35:
        return []
    if rng.random() < 0.7:
        _lay_sheet(table.page, turn, rng)
    return draw_board(table.page, table.size[0] * rng.uniform(1.0, 1.4), turn, rng)


def _lay_mat(
    page: Pixels, mat: Pixels, places: tuple[Place, ...], turn: float, rng: np.random.Generator
) -> list[Place]:
    reach = np.array([mat.shape[1], mat.shape[0]]) / 2
    at = rng.uniform(-1, 1, 2) * np.maximum(reach - SIDE * 0.3, 0)
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    spin = np.array([[cos, -sin], [sin, cos]])
    shift = np.array([SIDE / 2, SIDE / 2]) - spin @ at
    matrix = np.column_stack([spin, shift - spin @ (reach - 0.5)])
    white, black = rng.uniform(190, 245) + rng.normal(0, 4, 3), rng.uniform(10, 80)
    levels = black + np.arange(256)[:, None] / 255 * (white - black)
    inked = cv2.LUT(mat, np.clip(levels, 0, 255).astype(np.uint8).reshape(1, 256, 3))
    laid = cv2.warpAffine(inked, matrix, (SIDE, SIDE))
    corners = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * reach) @ spin.T + shift
    cover = np.zeros((SIDE, SIDE), np.uint8)
    _fill(cover, corners, 255)
    cv2.copyTo(laid, cover, page)
    return [(*(spin @ (x, y) + shift), angle + turn) for x, y, angle in places]


def _lay_sheet(page: Pixels, turn: float, rng: np.random.Generator) -> None:
    wide, high = rng.uniform(0.5, 1.6, 2) * SIDE
    at = np.array([SIDE / 2, SIDE / 2]) + rng.normal(0, 30, 2)
    tone = colour(rng) if rng.random() < 0.5 else tuple(rng.uniform(190, 245) + rng.normal(0, 6, 3))
    _fill(page, _turned(rectangle(wide, high), turn) + at, tone)


def _any_layout(
    tiles: TileSet, places: list[Place], size: tuple[float, float], rng: np.random.Generator
) -> list[Place]:
    """Where tiles lie: on places of a board, side by side, or strewn; sometimes none."""
    kind = rng.random()
    if kind < 0.12:
        return []
    if places and kind < 0.62:
        lying = _on_places(places, size, rng)
    elif kind < 0.9:
        lying = _side_by_side(size, rng)
    else:
        lying = [(*rng.uniform(0, SIDE, 2), rng.uniform(0, 360)) for _ in range(int(rng.integers(1, 14)))]
    slack, tilt = size[0] * rng.choice([0.005, 0.02, 0.06]), rng.choice([0.3, 1.5, 4.0])
    piled = rng.random() < 0.06
    moved = [(x + rng.normal(0, slack), y + rng.normal(0, slack), a + rng.normal(0, tilt)) for x, y, a in lying]
    return _untangled(moved, size, 0.35 if piled else 0.88)


def _on_places(places: list[Place], size: tuple[float, float], rng: np.random.Generator) -> list[Place]:
    inside = [p for p in places if -size[0] < p[0] < SIDE + size[0] and -size[0] < p[1] < SIDE + size[0]]
    share = rng.choice([0.1, 0.3, 0.6, 0.95])
    quarter = 90 if size[0] == size[1] else 180
    return [(x, y, a + quarter * int(rng.integers(4))) for x, y, a in inside if rng.random() < share]


def _side_by_side(size: tuple[float, float], rng: np.random.Generator) -> list[Place]:
    """A cluster that grew tile by tile along edges, rows and blocks among them."""
    turn = rng.normal(0, 3) if rng.random() < 0.45 else rng.uniform(0, 360)
    gap = size[0] * rng.choice([0.0, 0.01, 0.03, 0.12])
    cells, many = [(0, 0)], int(rng.integers(1, 40))
    straight = rng.random()
    for _ in range(many * 3):
        x, y = cells[-1] if rng.random() < straight else cells[int(rng.integers(len(cells)))]
        step = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(rng.integers(4))]
        if (x + step[0], y + step[1]) not in cells:
            cells.append((x + step[0], y + step[1]))
        if len(cells) >= many:
            break
    offsets = np.array([(x * (size[0] + gap), y * (size[1] + gap)) for x, y in cells])
    at = _turned(offsets, turn) + rng.uniform(0.15, 0.85, 2) * SIDE
    quarter = 90 if size[0] == size[1] else 180
    return [(float(x), float(y), turn + quarter * int(rng.integers(4))) for x, y in at]


def _untangled(lying: list[Place], size: tuple[float, float], closest: float) -> list[Place]:
    """Without those that lie too much on an earlier one; how near is told in widths of a tile."""
    kept: list[Place] = []
    for x, y, angle in lying:
        near = [(a, b, c) for a, b, c in kept if math.hypot(x - a, y - b) < 1.45 * size[1]]
        if all(_apart((x, y, angle), other, size) >= closest for other in near):
            kept.append((x, y, angle))
    return kept


def _apart(one: Place, other: Place, size: tuple[float, float]) -> float:
    """How far apart two tiles are, each way in its own widths, along the axis where it is most; one is touching."""
    far = 0.0
    for _, _, angle in (one, other):
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        x, y = other[0] - one[0], other[1] - one[1]
        far = max(far, abs(x * cos + y * sin) / size[0], abs(y * cos - x * sin) / size[1])
    return far


def _heaps(lying: Sequence[Place], size: tuple[float, float]) -> list[int]:
    """How many tiles each one lies on: the later above the earlier where they overlap much."""
    bases: list[int] = []
    for i, one in enumerate(lying):
        under = [bases[j] + 1 for j in range(i) if _apart(one, lying[j], size) < 0.85]
        bases.append(max(under, default=0))
    return bases


def _turned(points: Points, angle_deg: float) -> Points:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def _fill(page: NDArray[np.generic], outline: NDArray[np.floating], ink: object, line: int = cv2.LINE_AA) -> None:
    cv2.fillConvexPoly(page, np.round(np.asarray(outline) * 16).astype(np.int32), ink, line, 4)


def _paste(page: Pixels, face: Pixels, middle: Points, angle_deg: float, size: tuple[float, float]) -> None:
    """Put a face there by its cover."""
    reach = math.hypot(*size) / 2 + 2
    left, top = (max(0, math.floor(part - reach)) for part in middle)
    right, bottom = (min(SIDE, math.ceil(part + reach)) for part in middle)
    if left >= right or top >= bottom:
        return
    grow = size[0] / (face.shape[1] - 4)
    cos, sin = math.cos(math.radians(angle_deg)) * grow, math.sin(math.radians(angle_deg)) * grow
    half = ((face.shape[1] - 1) / 2, (face.shape[0] - 1) / 2)
    x, y = middle[0] - left, middle[1] - top
    matrix = np.array([[cos, -sin, x - cos * half[0] + sin * half[1]], [sin, cos, y - sin * half[0] - cos * half[1]]])
    laid = cv2.warpAffine(face, matrix, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    under = page[top:bottom, left:right]
    share = laid[..., 3:].astype(np.float32) * np.float32(1 / 255)
    under[:] = under + (laid[..., :3] - under.astype(np.float32)) * share


def _photographed(page: Pixels, rng: np.random.Generator) -> Pixels:
    """Light, glare, colour, focus, shake, distance, noise and compression."""
    seen = page.astype(np.float32) * _light(rng)
    if rng.random() < 0.25:
        seen = _glare(seen, rng)
    if rng.random() < 0.35:
        seen = _softer(seen, rng)
    if rng.random() < 0.2:
        small = cv2.resize(seen, None, fx=(scale := rng.uniform(0.45, 0.9)), fy=scale, interpolation=cv2.INTER_AREA)
        seen = cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    noise = rng.standard_normal((SIDE // 2, SIDE // 2, 3), np.float32) * np.float32(rng.uniform(0, 8))
    seen = seen + cv2.resize(
        noise, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_LINEAR
    )
    out = np.clip(seen, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        _, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 92))])
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return out


def _light(rng: np.random.Generator) -> NDArray[np.float32]:
    """How bright each colour is, from place to place."""
    bright, warm = min(1.25, math.exp(rng.normal(-0.1, 0.35))), rng.normal(0, 0.14)
    cast = np.array([1 - warm, 1 + rng.normal(0, 0.04), 1 + warm]) * bright
    corners = 1 + rng.normal(0, 0.14, (2, 2))
    if rng.random() < 0.2:
        corners = 1 + rng.normal(0, 0.25, (4, 4))
    field = cv2.resize(corners.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(field[..., None] * cast, np.float32)


def _glare(seen: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    y, x = np.mgrid[0 : SIDE // 4, 0 : SIDE // 4].astype(np.float32) * 4
    at, wide = rng.uniform(0, SIDE, 2), rng.uniform(10, 90, 2)
    spot = np.exp(-(((x - at[0]) / wide[0]) ** 2) - ((y - at[1]) / wide[1]) ** 2) * rng.uniform(30, 260)
    return np.asarray(seen + cv2.resize(spot, (SIDE, SIDE))[..., None], np.float32)


def _softer(seen: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.8)), np.float32)
    turn, long = rng.uniform(0, math.pi), rng.uniform(1, 5)
    kernel = np.zeros((11, 11), np.float32)
    end = np.array([math.cos(turn), math.sin(turn)]) * long / 2
    line = np.round((np.array([5 - end, 5 + end])) * 16).astype(np.int32)
    cv2.polylines(kernel, [line], False, 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(cv2.filter2D(seen, -1, kernel / kernel.sum()), np.float32)


def scenes_a_second(material: Material, count: int = 200) -> float:
    """How many scenes one core composes in a second of its own time."""
    began = time.process_time()
    for seed in range(count):
        compose(material, seed)
    return count / (time.process_time() - began)
