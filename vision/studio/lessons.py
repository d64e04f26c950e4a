"""Writes what the networks learn from: crops of rendered tables with what they show, and top views with their tiles.

``python -m vision.studio.lessons FOLDER`` fills a file a game. Positions, light and tables are by lot,
from seeds that judging never uses, on table tops and beside things that it never shows.
"""

import argparse
import json
import math
import multiprocessing
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board import Spot, cell
from companion.game import AnyGame
from companion.registry import game_named, games
from companion.table import Layout, Piece, Place
from vision.crops import SIDE, cut
from vision.frame import Frame, Pixels
from vision.locate import Finder
from vision.names import FACE_DOWN, label_of, with_backs
from vision.plane import Rectified
from vision.snap import Found
from vision.studio.camera import Camera
from vision.studio.clutter import LEARNED as THINGS
from vision.studio.clutter import any_clutter
from vision.studio.faces import FaceTray
from vision.studio.hands import any_arm, arm_cover
from vision.studio.materials import LEARNED, any_material, material
from vision.studio.render import Shot, Studio, clear_of, remapped, truth
from vision.studio.sensor import expose
from vision.studio.setting import Setting, any_setting
from vision.studio.strew import strewn

FIRST_SEED = 500_000_000
"""Photos to learn from have seeds from here on; those to judge by have smaller ones."""
TABLES = {"paiko": 500, "pirates_ninjas_robots_zombies": 500, "tu_tzi": 200, "zhizhu": 120, "zu_tiles_hime": 700}
"""How many of each game: more where tiles are small, or have no board to lie on."""
VIEW_SIDE, VIEW_TILE_PX = 256, 28
"""The top views: their side, and how many pixels a tile is wide in them."""
PATTERNED = 0.2
"""This share of the tables has a cloth whose pattern may look like tiles, on top of those that have one by lot."""
_BARE = 0.06
"""This share of the tables has no tile at all, as before a game begins."""
_OF = 2
"""Of so many settings the harder one is learned from: what is easy was learned long ago."""
_GLOSSY, _GLARE = 0.15, 0.12
"""This share of the sets shines as much as laminated ones do: in the glare of a lamp a tile looks like the table."""
_PX = 54
"""How many pixels a tile is wide in the view that crops are cut from."""


@dataclass(slots=True)
class Lessons:
    """What one photo, or many, teach."""

    crops: list[Pixels] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    views: list[Pixels] = field(default_factory=list)
    tiles: list[list[tuple[float, float, float, float]]] = field(default_factory=list)
    """For each view its tiles: x, y, degrees, and how much of it is to be seen."""

    def add(self, other: "Lessons") -> None:
        self.crops += other.crops
        self.labels += other.labels
        self.views += other.views
        self.tiles += other.tiles


def lessons(game: AnyGame, seed: int, patterned: float = PATTERNED) -> Lessons:
    """All lessons of one photo."""
    dice = random.Random(f"lessons {game.name} {seed}")
    layout = any_layout(game, dice)
    hard = dice.random() < 0.85
    setting = max((any_setting(game, layout, dice, hard) for _ in range(_OF)), key=_is_hard_by)
    table = any_material(dice, variants=LEARNED)
    if dice.random() < patterned:
        table = material(dice.choice(("gingham", "printed cloth")), dice.choice(LEARNED))
    finish = replace(setting.finish, gloss=_GLARE) if dice.random() < _GLOSSY else setting.finish
    setting = replace(setting, table=table, finish=finish)
    tiles = strewn(game, layout, FaceTray(game, setting.finish, setting.camera.px_per_mm), dice, hard)
    things = any_clutter(dice, clear_of(game, tiles, setting), setting.camera, dice.randint(0, 6), THINGS)
    targets = [(lying.block.x_mm, lying.block.y_mm) for lying in tiles]
    arms = tuple(any_arm(dice, targets, setting.lighting, None) for _ in range(dice.choice((0, 0, 0, 1, 2))))
    shot = Shot(tiles, things, arms)
    pixels = expose(Studio(setting).picture(shot), setting.sensor, np.random.default_rng(dice.getrandbits(64)))
    covered = np.zeros(pixels.shape[:2], np.uint8)
    for arm in arms:
        covered |= cv2.resize(arm_cover(arm, setting.camera), covered.shape[::-1])
    photo = Photo(game, pixels, setting.camera, layout, truth(setting, shot), covered, dice)
    return photo.lessons()


def _is_hard_by(setting: Setting) -> float:
    """How far and how unsharp tiles are seen, and in how much noise."""
    sensor = setting.sensor
    return (1 + sensor.soft_px + math.hypot(*sensor.shake_px) / 2 + sensor.noise / 12) / setting.camera.px_per_mm


@dataclass(frozen=True, slots=True)
class Photo:
    """A rendered photo and everything that is true about it."""

    game: AnyGame
    pixels: Pixels
    camera: Camera
    layout: Layout
    truth: dict[str, Any]
    covered: Pixels
    dice: random.Random

    def lessons(self) -> Lessons:
        taught = Lessons()
        view = self._view(_PX / min(self.game.catalogue.size_mm), 1.0)
        found = _finder().find(view, self.game.catalogue.shape, self.game.catalogue.size_mm)
        self._teach_tiles(view, found, taught)
        self._teach_others(view, found, taught)
        self._teach_view(taught)
        return taught

    def _view(self, px_per_mm: float, lifted: float) -> Rectified:
        """The top view at the height of the tiles' faces, not quite where it should be, as a real one."""
        dice, reach = self.dice, max(self.game.catalogue.size_mm)
        spots = np.array([*self._beside_the_area(), *(tile["centre_mm"] for tile in self.truth["tiles"])])
        low, high = spots.min(axis=0) - 1.6 * reach, spots.max(axis=0) + 1.6 * reach
        height = self.game.catalogue.thickness_mm * lifted * dice.uniform(0.6, 1.3)
        off = np.array([dice.gauss(0, 0.02 * reach), dice.gauss(0, 0.02 * reach)])
        # The map is worked out at every eighth pixel and drawn out between, which is much quicker.
        columns, rows = (np.arange(low[i] + 4 / px_per_mm, high[i], 8 / px_per_mm) for i in (0, 1))
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2) + off
        nodes = self.camera.project(np.column_stack([grid, np.full(len(grid), height)]))
        nodes = nodes.reshape(len(rows), len(columns), 2).astype(np.float32)
        where = cv2.resize(nodes, (8 * len(columns), 8 * len(rows)), interpolation=cv2.INTER_LINEAR)
        seen = remapped(self.pixels, np.asarray(where, np.float32), cv2.BORDER_CONSTANT)
        origin = (float(low[0]), float(low[1]))
        return Rectified(seen, 1 / px_per_mm, origin, Frame(self.pixels, 0.0, 0))

    def _beside_the_area(self) -> list[tuple[float, float]]:
        """Without a board all of the table is looked at, and its patterns are to be told from tiles."""
        width, height = self.game.board.size_mm if self.game.board.lattice is not None else (0.0, 0.0)
        return [(-width / 2, -height / 2), (width / 2, height / 2)]

    def _teach_tiles(self, view: Rectified, found: Sequence[Found], taught: Lessons) -> None:
        for tile in self.truth["tiles"]:
            if tile["visible"] < 0.3:
                continue
            spot = self.game.board.spot(tile["place"])
            dice = self.dice
            at, upright = self._seen_at(spot, found)
            quarter = dice.randrange(4) if self.game.catalogue.shape != "card" else 2 * dice.randrange(2)
            turn = upright + 90 * quarter
            if tile["visible"] < 0.85:
                self._add(view, at, turn, "other" if tile["visible"] < 0.5 else "?", taught)
                continue
            seen = round((tile["angle_deg"] - spot.angle_deg) / 90 - quarter) % 4
            self._add(view, at, turn, label_of(self.game, tile["tile"], tile["owner"], seen), taught)

    def _seen_at(self, spot: Spot, found: Sequence[Found]) -> tuple[tuple[float, float], float]:
        """Where a reader takes a tile to lie, and how to be turned: as the finder has it, or about where it belongs."""
        size, dice = min(self.game.catalogue.size_mm), self.dice
        near = [tile for tile in found if math.hypot(tile.x_mm - spot.x_mm, tile.y_mm - spot.y_mm) < 0.3 * size]
        if not near or dice.random() < 0.3:
            off = (dice.gauss(0, 0.02 * size), dice.gauss(0, 0.02 * size))
            return (spot.x_mm + off[0], spot.y_mm + off[1]), spot.angle_deg + dice.gauss(0, 1.5)
        if self.game.catalogue.shape == "disc":
            return (near[0].x_mm, near[0].y_mm), spot.angle_deg
        step = 180.0 if self.game.catalogue.shape == "card" else 90.0
        beside = (near[0].angle_deg - spot.angle_deg + step / 2) % step - step / 2
        return (near[0].x_mm, near[0].y_mm), spot.angle_deg + beside

    def _add(self, view: Rectified, at: tuple[float, float], turn: float, label: str, taught: Lessons) -> None:
        if label != "?":
            taught.crops.append(cut(view, [at], [turn], self.game.catalogue.size_mm)[0])
            taught.labels.append(label)

    def _teach_others(self, view: Rectified, found: Sequence[Found], taught: Lessons) -> None:
        """Empty places, tiles half beside, things that are no tiles, arms."""
        dice, size = self.dice, self.game.catalogue.size_mm
        empty = [self.game.board.spot(place) for place in self._empty_places()]
        for spot in dice.sample(empty, min(len(empty), 10)):
            at = (spot.x_mm + dice.gauss(0, 0.03) * size[0], spot.y_mm + dice.gauss(0, 0.03) * size[1])
            label = "other" if self._hidden(spot.x_mm, spot.y_mm) else "empty"
            self._add(view, at, spot.angle_deg + 90 * dice.randrange(4) + dice.gauss(0, 2), label, taught)
        whole = [tile for tile in self.truth["tiles"] if tile["visible"] > 0.9]
        for tile in dice.sample(whole, min(len(whole), 2)):
            away, along = dice.uniform(0.42, 0.6), dice.uniform(0, math.tau)
            at = (
                tile["centre_mm"][0] + away * size[0] * math.cos(along),
                tile["centre_mm"][1] + away * size[1] * math.sin(along),
            )
            self._add(view, at, tile["angle_deg"] + dice.gauss(0, 20), "other", taught)
        for thing in self.truth["clutter"][:3]:
            x, y = self.camera.on_table([np.mean(thing["outline"], axis=0)])[0]
            self._add(view, (float(x), float(y)), dice.uniform(0, 360), "other", taught)
        for tile in self._wrongly(found):
            label = "other" if self._hidden(tile.x_mm, tile.y_mm) else "empty"
            self._add(view, (tile.x_mm, tile.y_mm), tile.angle_deg + 90 * dice.randrange(4), label, taught)

    def _wrongly(self, found: Sequence[Found]) -> list[Found]:
        """What the finder takes for a tile and is none: the errors that are still to be unlearned."""
        reach = 0.8 * max(self.game.catalogue.size_mm)
        at = np.array([tile["centre_mm"] for tile in self.truth["tiles"]] or [(math.inf, math.inf)])
        far = [tile for tile in found if np.hypot(*(at - (tile.x_mm, tile.y_mm)).T).min() > reach]
        return self.dice.sample(far, min(len(far), 12))

    def _empty_places(self) -> list[Place]:
        named = [place for place in self.game.board.places if place not in self.layout]
        if self.game.board.lattice is None:
            return named
        cells = [self._cell(place) for place in self.layout if place not in self.game.board.places]
        beside = {(x + i, y + j) for x, y in cells for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1))} - set(cells)
        return [cell(x, y) for x, y in sorted(beside)] + self.dice.sample(named, min(4, len(named)))

    @staticmethod
    def _cell(place: Place) -> tuple[int, int]:
        column, row = place.split(",")
        return int(column), int(row)

    def _hidden(self, x_mm: float, y_mm: float) -> bool:
        """Whether an arm or a thing lies there."""
        reach = 0.45 * min(self.game.catalogue.size_mm)
        ring = [(x_mm + i * reach, y_mm + j * reach) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        seen = np.round(self.camera.project(ring)).astype(int)
        return sum(self._covered_at(int(x), int(y)) for x, y in seen) >= 3

    def _covered_at(self, x: int, y: int) -> bool:
        high, wide = self.covered.shape
        if 0 <= y < high and 0 <= x < wide and self.covered[y, x] > 127:
            return True
        outlines = (np.array(thing["outline"], np.float32) for thing in self.truth["clutter"])
        return any(cv2.pointPolygonTest(outline, (x, y), False) >= 0 for outline in outlines)

    def _teach_view(self, taught: Lessons) -> None:
        """A part of the top view as the finder sees it, with every tile in it."""
        px_per_mm = VIEW_TILE_PX / min(self.game.catalogue.size_mm)
        view = self._view(px_per_mm * self.dice.uniform(0.94, 1.06), 0.0)
        high, wide = view.pixels.shape[:2]
        tiles = []
        for tile in self.truth["tiles"]:
            # Where its upper face is seen, measured on the table.
            corners = view.to_pixels(self.camera.on_table(tile["corners"]))
            across = corners[1] - corners[0] + corners[2] - corners[3]
            tiles.append((*corners.mean(axis=0), math.degrees(math.atan2(across[1], across[0])), tile["visible"]))
        for _ in range(2):
            left, top = (
                self.dice.randint(min(0, wide - VIEW_SIDE), max(0, wide - VIEW_SIDE)),
                self.dice.randint(min(0, high - VIEW_SIDE), max(0, high - VIEW_SIDE)),
            )
            move = np.array([[1.0, 0, -left], [0, 1.0, -top]])
            taught.views.append(
                cv2.warpAffine(view.pixels, move, (VIEW_SIDE, VIEW_SIDE), borderMode=cv2.BORDER_REFLECT)
            )
            taught.tiles.append([(float(x - left), float(y - top), a, v) for x, y, a, v in tiles])


@lru_cache(maxsize=1)
def _finder() -> Finder:
    return Finder(1)


def any_layout(game: AnyGame, dice: random.Random) -> dict[Place, Piece]:
    """Tiles by lot on places by lot: any piece anywhere, so that all are learned alike well."""
    pieces = _pieces(game)
    lattice = game.board.lattice is not None
    places = _blob(dice, dice.randint(3, 34)) if lattice else list(game.board.places)
    named = [place for place in game.board.places if lattice and dice.random() < 0.15]
    most = {"disc": 16, "card": 40}.get(game.catalogue.shape, 40)
    if dice.random() < _BARE:
        return {}
    chosen = places if lattice else dice.sample(places, min(len(places), dice.randint(2, most)))
    return {place: _lying(game, dice.choice(pieces), dice) for place in [*chosen, *named]}


def _blob(dice: random.Random, count: int) -> list[Place]:
    cells = [(0, 0)]
    while len(cells) < count:
        x, y = dice.choice(cells)
        step = dice.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        if (beside := (x + step[0], y + step[1])) not in cells:
            cells.append(beside)
    return [cell(x, y) for x, y in cells]


def _pieces(game: AnyGame) -> list[tuple[str, str | None]]:
    known = [(tile.name, owner) for tile in game.catalogue for owner in tile.owners or (None,)]
    backs = [(FACE_DOWN, owner) for owner in sorted({owner for _, owner in known}, key=str)]
    return known if game.catalogue.shape == "disc" else known + backs * max(1, len(known) // 30)


def _lying(game: AnyGame, piece: tuple[str, str | None], dice: random.Random) -> Piece:
    tile, owner = piece
    if game.name == "pirates_ninjas_robots_zombies" and "/" in tile and dice.random() < 0.7:
        quarters = "".join(dice.choice("PNRZPNRZPNRZpnrzKDMH") for _ in range(4))
        tile = f"{quarters[:2]}/{quarters[2:]}{dice.choice(('', '', 'o', 's', 'e'))}"
    turned = game.catalogue.shape == "square" and (
        tile == FACE_DOWN or (tile in game.catalogue and game.catalogue[tile].turns > 1)
    )
    named_as_it_lies = "/" in tile or "!" in tile
    return Piece(tile, owner, dice.randrange(4) if turned and not named_as_it_lies else None)


def _of_seed(given: tuple[str, int, float]) -> Lessons:
    cv2.setNumThreads(1)
    name, seed, patterned = given
    return lessons(shown(name), seed, patterned)


_games: dict[str, AnyGame] = {}


def shown(name: str) -> AnyGame:
    """The game with a layout for a state, and with faces for backs."""
    if name not in _games:
        _games[name] = replace(with_backs(game_named(name)), layout=lambda layout: layout)
    return _games[name]


def write_lessons(
    folder: Path, names: list[str], first: int, photos: int | None, processes: int, patterned: float = PATTERNED
) -> None:
    """A file a game, with progress; of so many photos, or of as many as `TABLES` says."""
    folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for name in names:
            taught, many = Lessons(), photos or TABLES.get(name, 300)
            for number, some in enumerate(
                pool.imap(_of_seed, ((name, first + number, patterned) for number in range(many)), 4), start=1
            ):
                taught.add(some)
                if number % 50 == 0:
                    print(f"{name}: {number} of {many} photos, {len(taught.crops)} crops", flush=True)
            np.savez(
                folder / f"{name}.npz",
                crops=np.stack(taught.crops).reshape(-1, SIDE, SIDE, 3),
                labels=np.array(taught.labels),
                views=np.stack(taught.views),
                tiles=json.dumps(taught.tiles),
                shape=game_named(name).catalogue.shape,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, help="of each game, for a trial")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the seed of the first photo")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--patterned", type=float, default=PATTERNED, help="the share of chequered and printed cloths")
    parser.add_argument("--game", action="append", help="only these")
    given = parser.parse_args()
    write_lessons(
        given.folder, given.game or sorted(games()), given.first, given.photos, given.processes, given.patterned
    )
