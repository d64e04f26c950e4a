"""From a photograph to the layout of the table, with the trained networks."""

import json
import math
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.game import start
from companion.protocol import answer
from companion.registry import game_named, games
from companion.table import Layout, Odds, Piece
from companion.watcher import likeliest
from vision.frame import Frame, Pixels
from vision.judging import any_position
from vision.locate import Finder
from vision.names import FACE_DOWN, with_backs
from vision.plane import STRAIGHT, NoPlane, Plane
from vision.reader import ASK_BELOW, Candidate, Reader, off_markers, weighed
from vision.reading import SeenTile, TableRead
from vision.snap import Found, Grid, fit_grid
from vision.studio.render import photograph
from vision.studio.sim import SimulatedTable, Wishes
from vision.watching import without_strays

SEED = 9_100
"""The photos of these tests; none of them was trained on."""


def layout_of(read: TableRead) -> dict[str | None, Piece | None]:
    return {tile.place: tile.piece for tile in read.tiles}


def shot(
    name: str, layout: Layout | None = None, seed: int = SEED, **how: Any
) -> tuple[Pixels, Layout, dict[str, Any]]:
    game = game_named(name)
    shown = replace(with_backs(game), layout=lambda state: layout) if layout is not None else game
    state = any_position(game, seed)
    pixels, truth = photograph(shown, state, seed, **{"ground_kind": "mat", "hands": 0, **how})
    return pixels, layout if layout is not None else game.layout(state), truth


def read(name: str, pixels: Pixels) -> TableRead:
    return Reader(game_named(name)).read(Frame(pixels, 0.0, 0))


@pytest.mark.parametrize("name", sorted(games()))
@pytest.mark.parametrize("ground", ["mat", "cards"])
def test_a_table_in_good_light_is_read_exactly(name: str, ground: str) -> None:
    for seed in (SEED, SEED + 1):
        pixels, layout, _ = shot(name, seed=seed, ground_kind=ground)
        assert layout_of(read(name, pixels)) == layout


def test_tiles_are_found_where_they_lie() -> None:
    pixels, _, truth = shot("paiko")
    seen = {tile.place: tile for tile in read("paiko", pixels).tiles}
    for tile in truth["tiles"]:
        assert np.hypot(*np.subtract(seen[tile["place"]].centre_px, tile["centre"])) < 6
        off = np.abs(np.subtract(seen[tile["place"]].corners_px, tile["corners"]))
        assert game_named("paiko").catalogue[tile["tile"]].turns < 4 or off.max() < 12


@pytest.mark.parametrize("name", sorted(games()))
def test_the_first_corner_is_that_of_the_tile_as_it_is_printed(name: str) -> None:
    pixels, _, truth = shot(name)
    seen, catalogue = {tile.place: tile for tile in read(name, pixels).tiles}, game_named(name).catalogue
    compared = 0
    for tile in truth["tiles"]:
        told = seen[tile["place"]]
        # What looks the same after a turn has no corner of its own to be known by.
        if catalogue.shape == "card" or (tile["tile"] in catalogue and catalogue[tile["tile"]].turns == 4):
            assert np.hypot(*np.subtract(told.corners_px[0], tile["corners"][0])) < 12
            assert abs((told.angle_deg - tile["angle_deg"] + 180) % 360 - 180) < 6
            compared += 1
    assert compared or catalogue.shape == "disc"


@pytest.mark.parametrize("name", ["paiko", "pirates_ninjas_robots_zombies"])
def test_however_many_threads_share_a_read_it_tells_the_same(name: str) -> None:
    pixels, _, _ = shot(name, hard=True)
    alone, three = (Reader(game_named(name), threads=threads).read(Frame(pixels, 0.0, 0)) for threads in (1, 3))
    assert [(tile.place, tile.piece) for tile in three.tiles] == [(tile.place, tile.piece) for tile in alone.tiles]
    for one, other in zip(alone.tiles, three.tiles, strict=True):
        assert other.centre_mm == pytest.approx(one.centre_mm, abs=0.5)


def test_a_tile_that_shows_its_back_is_read_as_that() -> None:
    lying = {"0,0": Piece("rat", "south", 0), "1,0": Piece(FACE_DOWN, None, 0), "0,1": Piece("ox", "north", 2)}
    pixels, _, _ = shot("zu_tiles_hime", lying)
    seen = layout_of(read("zu_tiles_hime", pixels))
    assert {place: piece.tile for place, piece in seen.items() if piece} == {
        "0,0": "rat",
        "1,0": FACE_DOWN,
        "0,1": "ox",
    }


def test_an_empty_table_with_things_on_it_has_no_tiles() -> None:
    for name in ("pirates_ninjas_robots_zombies", "paiko"):
        pixels, _, _ = shot(name, {}, clutter=5)
        assert read(name, pixels).tiles == ()


@pytest.mark.parametrize("off_mm", [4.5, 6.0])
def test_a_tile_is_known_though_the_finder_is_a_little_beside(monkeypatch: pytest.MonkeyPatch, off_mm: float) -> None:
    found = Finder.find

    def find(finder: Finder, *given: Any) -> list[Found]:
        beside = (replace(tile, x_mm=tile.x_mm + off_mm, y_mm=tile.y_mm - off_mm) for tile in found(finder, *given))
        return [replace(tile, score=min(tile.score, 0.5)) for tile in beside]

    lying = {"0,0": Piece("rat", "south", 0), "1,0": Piece("dragon", "north", 2)}
    pixels, _, _ = shot("zu_tiles_hime", lying, ground_kind="cards")
    monkeypatch.setattr(Finder, "find", find)
    assert layout_of(read("zu_tiles_hime", pixels)) == lying


def test_a_tile_beside_others_is_read_where_they_say_it_lies_though_the_finder_errs_on_a_chequered_cloth() -> None:
    pixels, layout, _ = shot("pirates_ninjas_robots_zombies", seed=33_000_020, hard=True, ground_kind="mat")
    assert layout_of(read("pirates_ninjas_robots_zombies", pixels)) == layout


def test_a_tile_on_its_place_is_seen_though_a_square_of_the_cloth_beside_it_was_found_instead() -> None:
    seed = 32_000_145
    pixels, layout, _ = shot("zu_tiles_hime", seed=seed, hard=True, ground_kind="cards")
    assert layout["south:discard"].tile == "stampede"
    told = {tile.place: tile.piece for tile in read("zu_tiles_hime", pixels).tiles}
    assert told["south:discard"] == layout["south:discard"]


def test_a_tile_half_beside_its_place_is_seen_though_the_finder_missed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lying = {
        "0,0": Piece("rat", "south", 0),
        "1,0": Piece("dragon", "north", 2),
        "north:discard": Piece("ox", "north", 2),
    }
    pixels, _, _ = shot("zu_tiles_hime", lying)
    reader, frame = Reader(game_named("zu_tiles_hime")), Frame(pixels, 0.0, 0)
    plane = reader.register(frame)
    slipped = np.array([[1, 0, 8.5], [0, 1, -8.5], [0, 0, 1]])
    found = Finder.find
    monkeypatch.setattr(Finder, "find", lambda *given: [tile for tile in found(*given) if tile.y_mm > -200])
    read = reader.read(frame, replace(plane, homography=plane.homography @ slipped))
    assert layout_of(read)["north:discard"] == lying["north:discard"]


@pytest.mark.parametrize(
    ("place", "piece", "at_mm", "sureness", "told"),
    [
        ("1,0", None, (41.0, 0.0), 0.6, True),
        ("1,1", None, (41.0, -41.0), 0.6, False),
        ("1,1", Piece("rat"), (41.0, -41.0), 0.6, True),
        ("1,1", Piece("rat"), (41.0, -41.0), 0.2, False),
        ("5,0", Piece("rat"), (205.0, 0.0), 0.6, False),
        ("2,-1", Piece("rat"), (82.0, 41.0), 0.6, True),
        ("5,0", Piece("rat"), (205.0, 0.0), 0.9, False),
        ("2,0", Piece("rat"), (82.0, 0.0), 0.9, True),
        ("5,0", Piece("rat"), (205.0, 0.0), 0.98, True),
        ("1,0", Piece("rat"), (25.0, 0.0), 0.6, False),
        ("1,0", Piece("rat"), (25.0, 0.0), 0.98, False),
        ("south:discard", None, (200.0, 300.0), 0.6, True),
    ],
)
def test_what_is_not_surely_a_tile_is_told_of_only_beside_others_and_none_upon_a_surer_one(
    place: str, piece: Piece | None, at_mm: tuple[float, float], sureness: float, told: bool
) -> None:
    def seen(place: str, piece: Piece | None, at_mm: tuple[float, float], probability: float) -> SeenTile:
        return SeenTile(place, piece, probability, {piece: probability}, (0.0, 0.0), (), at_mm, 0.0)

    sure = seen("0,0", Piece("dragon"), (0.0, 0.0), 0.99)
    spot = Candidate(place, *at_mm, 0.0, Found(*at_mm, 0.0, 0.9))
    reader, tile = Reader(game_named("zu_tiles_hime")), seen(place, piece, at_mm, sureness)
    assert (not reader.same_as_surer([tile], [sure]) and reader.is_told(spot, tile, [sure])) is told


@pytest.mark.parametrize(("sureness", "told"), [(0.3, False), (0.6, False), (0.9, True)])
def test_where_no_other_tile_lies_one_must_be_likely_to_be_told_of(sureness: float, told: bool) -> None:
    odds = {Piece("lotus", "white"): sureness}
    lone = SeenTile("i13", Piece("lotus", "white"), sureness, odds, (0.0, 0.0), (), (43.5, -159.5), 0.0)
    spot = Candidate("i13", 43.5, -159.5, 0.0, Found(43.5, -159.5, 0.0, 0.9))
    assert Reader(game_named("paiko")).is_told(spot, lone, [lone] if sureness > 0.5 else []) is told


def test_a_place_of_an_empty_board_that_looks_like_a_tile_in_noise_is_asked_about_and_not_told_of() -> None:
    bare = replace(game_named("paiko"), layout=lambda state: {})
    pixels, _ = photograph(bare, start(bare), 61_500_017, True, ground_kind="mat", hands=0, clutter=3)
    told = Reader(bare, threads=1).read(Frame(pixels, 0.0, 0))
    assert (told.tiles, told.unclear) == ((), ("j12",))


def test_of_free_places_that_look_the_same_only_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels, layout, _ = shot("paiko", seed=SEED + 2)
    reader, looked = Reader(game_named("paiko")), []
    seen_by = reader._embedder.at
    monkeypatch.setattr(reader._embedder, "at", lambda spots, cut: (looked.append(len(spots)), seen_by(spots, cut))[1])
    told = reader.read(Frame(pixels, 0.0, 0))
    assert layout_of(told) == layout
    assert set(told.observation) == set(reader.game.board.places)
    assert sum(looked) < len(reader.game.board.places) / 2


def test_a_place_of_a_board_that_is_hardly_like_any_tile_is_asked_about_without_a_name() -> None:
    game = game_named("paiko")
    pixels, _ = photograph(game, any_position(game, 66_000_281), 66_000_281, True, ground_kind="cards", hands=0)
    told = Reader(game, threads=1).read(Frame(pixels, 0.0, 0))
    assert "k10" in told.unclear
    assert "k10" not in {tile.place for tile in told.tiles}


def test_tiles_far_beyond_the_mat_are_looked_for_where_others_lie_at_the_edge_of_what_is_seen() -> None:
    game = game_named("zu_tiles_hime")
    position = any_position(game, 66_000_264)
    pixels, _ = photograph(game, position, 66_000_264, True, ground_kind="mat", hands=0)
    told = Reader(game, threads=1).read(Frame(pixels, 0.0, 0))
    assert {tile.place: tile.piece for tile in told.tiles} == game.layout(position)
    assert max(tile.centre_mm[0] for tile in told.tiles) > game.board.size_mm[0] / 2 + 3 * 40.0


def test_something_on_a_pile_that_cannot_be_made_out_is_asked_about() -> None:
    game = game_named("zu_tiles_hime")
    pixels, _ = photograph(game, any_position(game, 67_000_219), 67_000_219, True, ground_kind="cards", hands=0)
    told = Reader(game, threads=1).read(Frame(pixels, 0.0, 0))
    assert told.unclear == ("east:discard",)


def test_of_plain_ground_in_noise_nothing_is_asked() -> None:
    game = game_named("tu_tzi")
    pixels, _ = photograph(game, any_position(game, 64_000_369), 64_000_369, True, ground_kind="cards", hands=0)
    told = Reader(game, threads=1).read(Frame(pixels, 0.0, 0))
    assert "p1:b2" not in told.observation
    assert told.unclear == ()


@pytest.mark.parametrize(("off_mm", "turn_deg", "told"), [(11.0, 25.0, False), (11.0, 3.0, True), (2.0, 25.0, True)])
def test_what_lies_neither_on_a_cell_nor_square_to_it_is_told_of_only_if_it_is_surely_a_tile(
    off_mm: float, turn_deg: float, told: bool
) -> None:
    rat = Piece("rat", "south", 0)
    sure = SeenTile("0,0", rat, 0.99, {rat: 0.99}, (0.0, 0.0), (), (0.0, 0.0), 0.0)
    thing = Found(41.0 + off_mm, 0.0, turn_deg, 0.4)
    spot = Candidate("1,0", thing.x_mm, 0.0, turn_deg, thing, (41.0, 0.0), 0.0)
    doubtful, certain = (
        SeenTile("1,0", rat, share, {rat: share}, (0.0, 0.0), (), (thing.x_mm, 0.0), turn_deg) for share in (0.6, 0.99)
    )
    reader = Reader(game_named("zu_tiles_hime"))
    assert reader.is_told(spot, doubtful, [sure]) is told
    assert reader.is_told(spot, certain, [sure])


def test_a_tile_is_followed_to_where_it_looks_like_a_face_and_still_like_a_tile() -> None:
    pixels, layout, _ = shot("zu_tiles_hime", seed=41_000_135, hard=True, ground_kind="cards")
    assert layout_of(read("zu_tiles_hime", pixels)) == layout


def test_a_lone_tile_that_is_surely_one_is_told_of_though_it_is_not_sure_which() -> None:
    odds = {Piece("snake", "west", 1): 0.85, Piece("snake", "north", 2): 0.12, None: 0.03}
    lone = SeenTile("0,0", Piece("snake", "west", 1), 0.85, odds, (0.0, 0.0), (), (0.0, 0.0), 0.0)
    spot = Candidate("0,0", 0.0, 0.0, 0.0, Found(0.0, 0.0, 0.0, 0.9))
    assert Reader(game_named("zu_tiles_hime")).is_told(spot, lone, [lone])


@pytest.mark.parametrize("ground", ["mat", "cards"])
def test_a_marker_is_no_tile_and_what_lies_upon_one_or_where_a_card_should_lie_may_be(ground: str) -> None:
    name = "zhizhu"
    pixels, _, _ = shot(name, {}, ground_kind=ground, clutter=0)
    plane = Reader(game_named(name)).register(Frame(pixels, 0.0, 0))
    corners = next(iter(plane.markers.values()))
    upon, beside = (Found(*(plane.to_mm(corners).mean(axis=0) + off), 0.0, 0.8) for off in (8.0, 30.0))
    assert off_markers([upon, beside], plane, pixels) == [beside]
    face = cv2.resize(np.random.default_rng(0).integers(0, 255, (6, 6, 3), np.uint8), (60, 60))
    flat = np.array([(0, 0), (60, 0), (60, 60), (0, 60)], np.float32)
    there = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    cv2.warpPerspective(face, there, pixels.shape[1::-1], pixels, borderMode=cv2.BORDER_TRANSPARENT)
    assert off_markers([upon, beside], plane, pixels) == [upon, beside]


def test_an_area_may_grow_over_a_marker_of_the_mat_after_it_was_seen() -> None:
    game = game_named("pirates_ninjas_robots_zombies")
    grown = [*(f"{column},0" for column in range(-6, 1)), *(f"-6,{row}" for row in range(1, 5))]
    lying = {cell: Piece(tile) for cell, tile in zip(grown, game.catalogue.tiles, strict=False)}
    pixels, _, _ = shot(game.name, lying)
    plane = Reader(game).register(Frame(pixels, 0.0, 0))
    assert len(plane.seen) == 3
    before = replace(plane, seen={number: tuple(corners.mean(axis=0)) for number, corners in plane.markers.items()})
    assert layout_of(Reader(game).read(Frame(pixels, 0.0, 0), before)) == lying


@pytest.mark.parametrize(
    "cells",
    [
        ("-1,6", "-1,7", "0,7"),
        ("0,1", "1,1", "0,2", "0,3", "0,4", "-1,7", "0,7"),
        ("0,1", "1,1", "0,2", "0,3", "0,4", "0,7"),
    ],
    ids=["beside", "beyond a gap", "alone"],
)
def test_an_area_that_has_grown_up_to_somebodys_stacks_is_still_read_as_an_area(cells: tuple[str, ...]) -> None:
    names = ("monkey", "rat", "ox", "horse", "ram", "dragon", "rooster")
    lying = {place: Piece(name, "south", 0) for place, name in zip(cells, names, strict=False)}
    pixels, _, _ = shot("zu_tiles_hime", {**lying, "north:discard": Piece("snake", "north", 2)})
    assert layout_of(read("zu_tiles_hime", pixels)) == {**lying, "north:discard": Piece("snake", "north", 2)}


def test_a_tile_of_the_area_that_reaches_over_nobodys_stack_lies_there_once() -> None:
    names = ("monkey", "rat", "ox", "horse", "ram", "dragon", "rooster", "snake")
    lying = {f"{column},0": Piece(name, "north", 2) for column, name in enumerate(names)}
    seen = read("zu_tiles_hime", shot("zu_tiles_hime", lying)[0])
    assert layout_of(seen) == lying
    assert "east:stack-3" not in seen.observation
    assert "east:stack-5" in seen.observation


def test_a_place_that_a_pushed_card_reaches_over_is_not_told_to_be_free() -> None:
    game = game_named("tu_tzi")
    there = game.board.places["discard:1"]
    pushed = replace(there, x_mm=there.x_mm + 23.4, y_mm=there.y_mm + 8.8)
    elsewhere = replace(game.board, places={**game.board.places, "discard:1": pushed})
    shown = replace(game, board=elsewhere, layout=lambda state: {"discard:1": Piece("28")})
    pixels, _ = photograph(shown, any_position(game, SEED), SEED, ground_kind="mat", hands=0)
    seen = without_strays(read("tu_tzi", pixels), game).observation
    assert "discard:1" not in seen
    assert max(seen["p1:a1"], key=lambda piece: seen["p1:a1"][piece]) is None


def test_a_card_pushed_half_over_its_outline_hides_it_though_it_is_found_less_surely() -> None:
    game = game_named("tu_tzi")
    position = {"players": ["south", "north"], "to_move": "south", "phase": "build", "discards": [57], "stock": 30}
    hidden = {"formations": {"south": [], "north": []}, "hands": {"south": 12, "north": 12}}
    state, reader = game.read_position({"game": game.name, **position, **hidden}), Reader(game)
    for seed, degrees in ((170002, 45), (170003, 45), (170019, 45), (170026, 315), (170028, 225), (170036, 135)):
        table = SimulatedTable(game, Wishes(seed=seed), state)
        there = table.stage.tiles["discard:1"]
        right, down = (25 * turn(math.radians(degrees)) for turn in (math.cos, math.sin))
        pushed = replace(there.block, x_mm=there.block.x_mm + right, y_mm=there.block.y_mm + down)
        table.stage.tiles["discard:1"], table.stage.changes = replace(there, block=pushed), table.stage.changes + 1
        seen = without_strays(reader.read(table.still()), game).observation
        assert likeliest(seen.get("discard:1", {Piece("57"): 1.0})) is not None


def test_a_discarded_tile_that_lies_beside_its_place_is_no_part_of_an_area_far_away() -> None:
    game = game_named("zu_tiles_hime")
    pitch, discard = game.board.lattice.pitch_mm, game.board.places["north:discard"]
    # The lattice lies so that one of its cells is where the discarded tile was pushed to.
    beside = (discard.x_mm + 0.35 * pitch, discard.y_mm)
    area = [Found(beside[0] - 5 * pitch, beside[1] + y * pitch, 0.0, 0.9) for y in (4, 5, 6)]
    pushed = Found(*beside, 0.0, 0.9)
    spot = Candidate("north:discard", *beside, 0.0, pushed, (discard.x_mm, discard.y_mm))
    grid = fit_grid(area, pitch)
    assert grid is not None
    grown = Reader(game)._grown_beside
    assert grown(area, [spot], grid) == []
    near = [Found(beside[0] - 2 * pitch, beside[1] + y * pitch, 0.0, 0.9) for y in (0, 1, 2)]
    assert grown(near, [spot], fit_grid(near, pitch) or grid) == [pushed]


def test_who_is_unsure_of_a_name_looks_again_from_beside_and_nobody_else() -> None:
    name = "pirates_ninjas_robots_zombies"
    pixels, _, _ = shot(name, seed=30_000_103, hard=True, ground_kind="cards")
    reader, frame = Reader(game_named(name)), Frame(pixels, 0.0, 0)
    plane = reader.register(frame)
    view = reader.view(frame, plane)
    spots, seen = reader.look(view, reader.candidates(view, plane, None)[0])
    once = reader.name(spots, seen, reader.spell(spots, seen))
    again = reader.understand(view, spots).named
    before, after = ([max(odds.values(), default=0.0) for odds in named] for named in (once, again))
    unsure = [spot.found is not None and 0.2 < sure < 0.995 for spot, sure in zip(spots, before, strict=True)]
    assert 0 < sum(unsure) <= 12
    changed = [abs(now - then) > 1e-3 for now, then in zip(after, before, strict=True)]
    assert any(changed)
    assert all(doubted for doubted, other in zip(unsure, changed, strict=True) if other)


def test_what_is_like_one_face_and_no_other_is_asked_about_although_it_was_hardly_found() -> None:
    empty = np.array([[0.1, 0.7, 0.2]], np.float32)
    alike, hardly_found = 0.66, 0.35
    known, like_two = (weighed(empty, np.array([[1, -2.0, alike, -1.3, hardly_found, sure]])) for sure in (0.999, 0.5))
    assert like_two[0, 0] < 0.1
    assert 0.5 < known[0, 0] < ASK_BELOW
    assert known.sum() == pytest.approx(1.0)


def test_what_the_network_calls_a_free_place_is_not_told_of_for_the_finder_s_sake() -> None:
    found_in_noise = np.array([[1, 0.0, 0.45, 0.0, 0.56, 0.87]])
    free, tile = (weighed(np.array([row], np.float32), found_in_noise)[0, 0] for row in ([0.3, 0.7, 0], [0.7, 0.3, 0]))
    assert free <= 0.2 < tile < 0.5


def test_every_place_that_is_seen_is_told_of_even_if_it_is_empty() -> None:
    pixels, layout, _ = shot("zhizhu")
    seen = read("zhizhu", pixels).observation
    assert set(seen) == set(game_named("zhizhu").board.places)
    for place, odds in seen.items():
        assert max(odds, key=odds.__getitem__) == layout.get(place)
        assert abs(sum(odds.values()) - 1) < 1e-6


def test_a_place_beyond_the_edge_of_the_picture_is_hidden_not_empty() -> None:
    pixels, _, _ = shot("zhizhu", {})
    reader, frame = Reader(game_named("zhizhu")), Frame(pixels, 0.0, 0)
    plane = reader.register(frame)
    farther = np.array([[1, 0, 250.0], [0, 1, 0], [0, 0, 1]])
    slipped = replace(plane, homography=plane.homography @ farther)
    wide, high = plane.size
    spots = {place: (spot.x_mm, spot.y_mm) for place, spot in game_named("zhizhu").board.places.items()}
    shown = dict(zip(spots, slipped.to_pixels(np.array(list(spots.values()))), strict=True))
    inside = {place for place, (x, y) in shown.items() if 0 < x < wide and 0 < y < high}
    observed = reader.read(frame, slipped).observation.keys()
    assert 0 < len(observed) < len(inside) + 1 <= len(spots)
    assert observed <= inside


def test_the_lattice_stays_put_as_the_area_grows() -> None:
    dice, name = random.Random(4), "pirates_ninjas_robots_zombies"
    tiles = [tile.name for tile in game_named(name).catalogue if "/" in tile.name]
    lying = {f"{x},{y}": Piece(dice.choice(tiles)) for x, y in ((0, 0), (1, 0), (0, 1))}
    reader, grid = Reader(game_named(name)), None
    for more in ((2, 0), (3, 0), (3, 1), (-1, 1)):
        lying[f"{more[0]},{more[1]}"] = Piece(dice.choice(tiles))
        pixels, _, _ = shot(name, dict(lying))
        seen = reader.read(Frame(pixels, 0.0, 0), grid=grid)
        grid = seen.grid
        assert layout_of(seen) == lying
    del lying["3,1"]
    pixels, _, _ = shot(name, dict(lying))
    seen = reader.read(Frame(pixels, 0.0, 0), grid=grid)
    assert layout_of(seen) == lying
    assert likeliest(seen.observation["3,1"]) is None, "a cell that a tile has left is seen to be empty"


def test_a_tile_that_is_pushed_half_under_the_only_other_one_moves_no_lattice_and_leaves_no_free_cell() -> None:
    game = game_named("pirates_ninjas_robots_zombies")
    area = [{"tile": "PH/zP", "at": [0, 0]}, {"tile": "rR/Rre", "at": [-1, 0]}]
    position = {"teams": {"south": ["P", "N"], "north": ["R", "Z"]}, "area": area, "to_move": "south"}
    state = game.read_position({"game": game.name, **position, "stack": 46, "hands": {"south": 3, "north": 3}})
    table, reader = SimulatedTable(game, Wishes(seed=150033), state), Reader(game)
    before = reader.read(table.still())
    assert layout_of(before) == game.layout(state)
    there = table.stage.tiles["0,0"]
    pushed = replace(there.block, x_mm=there.block.x_mm - 19.7, y_mm=there.block.y_mm - 3.7)
    table.stage.tiles["0,0"], table.stage.changes = replace(there, block=pushed), table.stage.changes + 1
    seen, still = before, table.still()
    for _ in range(4):
        seen = reader.read(still, grid=seen.grid)
        assert math.dist(seen.grid.spot("0,0"), before.grid.spot("0,0")) < 2.0
        assert not any(
            likeliest(odds) is None for place, odds in seen.observation.items() if place in before.grid.cells
        )


def test_the_mat_of_another_game_is_named() -> None:
    pixels, _, _ = shot("zhizhu")
    with pytest.raises(NoPlane, match="this is the mat of ZhiZhu"):
        read("pirates_ninjas_robots_zombies", pixels)


@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        (lambda pixels: (pixels * 0.04).astype(np.uint8), "dark"),
        (lambda pixels: (pixels * 0.1).astype(np.uint8), "dark"),
        (lambda pixels: np.full_like(pixels, 252), "bright"),
        (lambda pixels: cv2.convertScaleAbs(pixels, alpha=2.5, beta=20), "bright"),
        (lambda pixels: cv2.GaussianBlur(pixels, (0, 0), 25), "blurred"),
        (lambda pixels: cv2.blur(pixels, (61, 1)), "blurred"),
        (lambda pixels: cv2.resize(pixels, (120, 90)), "too small"),
        (lambda pixels: np.ascontiguousarray(pixels[: pixels.shape[0] // 2]), "visible"),
    ],
)
def test_a_picture_of_no_use_says_what_to_do(spoiled: Any, says: str) -> None:
    pixels, _, _ = shot("pirates_ninjas_robots_zombies")
    with pytest.raises(NoPlane, match=says):
        read("pirates_ninjas_robots_zombies", spoiled(pixels))


@pytest.mark.parametrize(
    "spoil", [lambda pixels: pixels * 0.1, lambda pixels: pixels * 2.5 + 20], ids=["dark", "burnt"]
)
def test_what_is_too_dark_or_too_bright_is_not_read_by_the_boards_outline_either(spoil: Any) -> None:
    pixels, _, _ = shot("paiko")
    with pytest.raises(NoPlane, match="to be read"):
        read("paiko", np.clip(spoil(pixels.astype(float)), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("seed", [901, 903])
def test_tiles_whose_colours_are_burnt_are_not_read_on_a_dark_table_either(seed: int) -> None:
    game = game_named("pirates_ninjas_robots_zombies")
    pixels, told = photograph(game, any_position(game, seed), seed, ground_kind="cards", hands=0)
    assert len(read(game.name, pixels).tiles) == len(told["tiles"])
    with pytest.raises(NoPlane, match="too bright"):
        read(game.name, cv2.convertScaleAbs(pixels, alpha=3, beta=20))


def test_a_white_mat_in_bright_light_is_read() -> None:
    game = game_named("tu_tzi")
    pixels, told = photograph(game, any_position(game, 17_000_024), 17_000_024, True, ground_kind="mat", hands=0)
    assert len(read(game.name, pixels).tiles) == len(told["tiles"])


def test_a_red_card_that_has_all_its_red_is_read() -> None:
    pixels, layout, _ = shot("tu_tzi", {"p1:a4": Piece("4"), "p1:b4": Piece("14")})
    assert layout_of(read("tu_tzi", cv2.convertScaleAbs(pixels, alpha=1.8))) == layout


def test_what_is_wrongly_taken_for_a_marker_does_not_bend_the_table() -> None:
    state = any_position(game_named("paiko"), 7)
    pixels, _ = photograph(game_named("paiko"), state, 7, ground_kind="mat", hands=0)
    with pytest.raises(NoPlane, match="only two of four corner markers are visible"):
        read("paiko", np.ascontiguousarray(pixels[:, pixels.shape[1] // 2 :]))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["read", *arguments])
    return result.exit_code, result.output


def test_the_command_tells_everything_as_a_line_of_json(tmp_path: Path) -> None:
    pixels, layout, _ = shot("paiko")
    photo = tmp_path / "table.jpg"
    cv2.imwrite(str(photo), pixels)
    code, output = run(str(photo), "--game", "paiko", "--json")
    told = json.loads(output)
    assert code == 0
    assert set(told) == {"photo", "plane", "tiles", "position", "says"}
    assert told["plane"]["residual_mm"] < 1
    assert {tile["place"]: (tile["name"], tile["owner"], tile["facing"]) for tile in told["tiles"]} == {
        place: (piece.tile, piece.owner, piece.facing) for place, piece in layout.items()
    }
    assert {"centre_px", "corners_px", "centre_mm", "angle_deg", "probability", "alternatives"} <= set(told["tiles"][0])
    game = game_named("paiko")
    assert game.layout(game.read_position(told["position"])) == layout
    counted = json.loads(run(str(photo), "--game", "paiko", "--json", "--score")[1])
    answered = answer(json.dumps({"do": "score", "position": told["position"]}))
    assert counted == {**told, "score": json.loads(json.dumps(answered))}
    assert any(counted["score"]["points"].values())


def test_under_a_hand_nothing_is_counted_as_empty(tmp_path: Path) -> None:
    pixels, layout, _ = shot("paiko", seed=SEED + 1, hands=1)
    photo = tmp_path / "table.jpg"
    cv2.imwrite(str(photo), pixels)
    told = json.loads(run(str(photo), "--game", "paiko", "--json", "--score")[1])
    assert told["score"] is None
    missing = layout.keys() - {tile["place"] for tile in told["tiles"]}
    assert missing
    assert told["tiles"]
    assert told["position"] is None
    assert re.fullmatch(
        r"something covers \w+, \w+, \w+, \w+ and \d+ more: take it away and take the photo again", told["says"]
    )
    code, output = run(str(photo), "--game", "paiko", "--score")
    assert code == 0
    assert "in all" not in output
    assert "▒▒" in output


def test_tiles_that_make_no_position_are_drawn_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lying = {"0,0": Piece("dragon", "south", 0), "1,0": None, "2,0": Piece(FACE_DOWN, "south", 0)}
    pretend_to_read(monkeypatch, [(place, {piece: 1.0}) for place, piece in lying.items()])
    _, output = run(str(nothing_in(tmp_path)), "--game", "zu_tiles_hime")
    assert re.search(r"Dr\S +\? +#", output)


@pytest.mark.parametrize(
    ("covered", "says"),
    [
        (["h12"], "something covers h12: "),
        (["h12", "h13"], "something covers h13 and h12: "),
        (["h12", "h13", "g5", "g6", "g7"], "something covers h13, h12, g7, g6 and 1 more: "),
    ],
)
def test_the_places_that_could_not_be_seen_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, covered: list[str], says: str
) -> None:
    places = [place for place in game_named("paiko").board.places if place not in covered]
    pretend_to_read(monkeypatch, [], {place: {None: 1.0} for place in places})
    assert told_of(tmp_path, "paiko")["says"].startswith(says)


def test_what_cannot_be_made_out_beside_tiles_without_a_board_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pretend_to_read(monkeypatch, [("0,0", {RAT: 0.99})], unclear=("1,0",))
    told = told_of(tmp_path, "zu_tiles_hime")
    assert told["says"] == "what lies on 1,0 cannot be made out: if it is a tile, take the photo from nearer"
    assert told["position"] is not None


@pytest.mark.parametrize(("state", "is_free"), [([0.9, 0.1, 0.0], False), ([0.4, 0.5, 0.1], True)])
def test_what_looks_like_a_tile_and_is_none_is_no_free_place(state: list[float], is_free: bool) -> None:
    nothing_speaks_for_it = np.array([[1.0, 0.0, 0.2, 0.0, 0.0, 0.1]])
    tile, free, other = weighed(np.array([state], np.float32), nothing_speaks_for_it)[0]
    assert tile < 0.01
    assert bool(free > other) is is_free


@pytest.mark.parametrize(("share", "told"), [(0.75, False), (0.97, True)])
def test_what_lies_alone_and_is_not_told_of_is_no_tile_for_the_game_either(share: float, told: bool) -> None:
    lens = np.array([[2.0, 0.0, 800.0], [0.0, 2.0, 600.0], [0.0, 0.0, 1.0]])
    plane = Plane(lens, STRAIGHT, (1640, 1232), 0.0, "zu_tiles_hime", "mat")
    spot = Candidate("0,0", 0.0, 0.0, 0.0, Found(0.0, 0.0, 0.0, 0.6), (0.0, 0.0))
    reader = Reader(game_named("zu_tiles_hime"))
    states = np.array([[share, 1 - share, 0.0]])
    read = reader._told(plane, [spot], [{Piece("rat", "south", 0): 1.0}], states, Grid(0.0, 0.0, 0.0, 41.0))
    assert (bool(read.tiles), "0,0" in read.observation) == (told, told)


def test_a_place_beyond_the_edge_of_the_picture_is_not_empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    observed: dict[str, Odds] = {place: {None: 1.0} for place in game_named("zhizhu").board.places}
    pretend_to_read(monkeypatch, [("a1", {Piece("piece", "white"): 1.0})], observed, size=(600, 1000))
    told = told_of(tmp_path, "zhizhu")
    assert told["position"] is None
    assert told["says"] == "the picture leaves out c3: move the camera until the whole board is in it"


@pytest.mark.parametrize(
    ("name", "lying", "says"),
    [
        ("zhizhu", {"a1": Piece("piece", "white")}, "captured pieces no longer lie on the table: they are not counted"),
        ("zu_tiles_hime", {"0,0": Piece("rat", "south", 0)}, "those below it are not counted"),
        ("pirates_ninjas_robots_zombies", {"0,0": Piece("NN/NN")}, "counted as for 2 players: the table does not show"),
        ("paiko", {"g6": Piece("sword", "white")}, ""),
    ],
)
def test_a_score_that_a_photo_cannot_tell_in_full_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, lying: dict[str, Piece], says: str
) -> None:
    observed: dict[str, Odds] = {place: {None: 1.0} for place in game_named(name).board.places}
    pretend_to_read(monkeypatch, [(place, {piece: 1.0}) for place, piece in lying.items()], observed)
    told = told_of(tmp_path, name, "--score")["says"]
    assert (says in told) if says else not told
    assert told_of(tmp_path, name)["says"] == ""


RAT, OX, TURNED = Piece("rat", "south", 0), Piece("ox", "south", 0), Piece("rat", "north", 2)


@pytest.mark.parametrize(
    ("tiles", "says"),
    [
        ([("1,0", {RAT: 0.39, OX: 0.3, None: 0.1})], "the tile on 1,0 may be Rat (39 %) or Ox: look there"),
        ([("1,0", {RAT: 0.6, TURNED: 0.3})], "may be South Rat (60 %) or North Rat upside down: look there"),
        ([("1,0", {RAT: 0.9, None: 0.08})], "on 1,0 may be Rat (90 %) or nothing: look there"),
        ([("south:discard", {RAT: 0.7})], "on South's discard pile may be Rat (70 %): look there"),
        ([(f"{i},0", {RAT: 0.5}) for i in range(7)], "on 3,0 may be Rat (50 %), 3 more are not sure: look there"),
        ([(f"{i},0", {RAT: 0.5}) for i in range(5)], "on 3,0 may be Rat (50 %), one more is not sure: look there"),
        ([("0,0", {RAT: 1.0}), (None, {OX: 0.999})], "a tile lies between places: push it onto its place"),
        ([(None, {OX: 0.999}), (None, {OX: 0.999})], "2 tiles lie between places: push each onto its place"),
        ([("1,0", {RAT: 0.96, OX: 0.04})], ""),
    ],
)
def test_a_tile_that_is_not_sure_is_named_with_what_it_may_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tiles: list[tuple[str | None, Odds]], says: str
) -> None:
    pretend_to_read(monkeypatch, tiles)
    told = told_of(tmp_path, "zu_tiles_hime")
    assert told["says"].endswith(says)
    assert bool(told["says"]) == bool(says)
    assert told["position"] is not None


def pretend_to_read(
    monkeypatch: pytest.MonkeyPatch,
    tiles: list[tuple[str | None, Odds]],
    observed: dict[str, Odds] | None = None,
    size: tuple[int, int] = (1000, 1000),
    unclear: tuple[str, ...] = (),
) -> None:
    """Every photo is read so: tiles with their odds, the likeliest first, and what was seen of places."""
    lying = [
        SeenTile(place, piece, share, odds, (0.0, 0.0), (), (0.0, 0.0), 0.0)
        for place, odds in tiles
        for piece, share in [next(iter(odds.items()))]
    ]
    plane = Plane(np.array([(1.0, 0.0, 500.0), (0.0, 1.0, 500.0), (0.0, 0.0, 1.0)]), STRAIGHT, size, 0.0)
    seen = TableRead(plane, tuple(lying), observed or {}, None, "", unclear)
    monkeypatch.setattr(Reader, "read", lambda *given: seen)


def nothing_in(folder: Path) -> Path:
    """A photo of nothing."""
    cv2.imwrite(str(folder / "table.png"), np.zeros((90, 90, 3), np.uint8))
    return folder / "table.png"


def told_of(folder: Path, name: str, *how: str) -> Any:
    return json.loads(run(str(nothing_in(folder)), "--game", name, "--json", *how)[1])


def test_the_command_draws_and_counts(tmp_path: Path) -> None:
    pixels, _, _ = shot("pirates_ninjas_robots_zombies")
    photo, drawn = tmp_path / "table.png", tmp_path / "drawn.png"
    cv2.imwrite(str(photo), pixels)
    code, output = run(str(photo), "--game", "pirates_ninjas_robots_zombies", "--score", "--out", str(drawn))
    assert code == 0
    assert "in all" in output
    assert (cv2.imread(str(drawn)) != pixels).any()


@pytest.mark.parametrize(
    ("places", "says"),
    [((), "0 tiles\n"), (("0,0",), "1 tile, the least sure 99.0%"), (("0,0", "1,0"), "2 tiles, the least sure 99.0%")],
)
def test_tiles_are_counted_in_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, places: tuple[str, ...], says: str
) -> None:
    pretend_to_read(monkeypatch, [(place, {RAT: 0.99}) for place in places])
    assert f"\n{says}" in run(str(nothing_in(tmp_path)), "--game", "zu_tiles_hime")[1]


@pytest.mark.parametrize("name", ["drawn.txt", "drawn", "file/drawn.png"])
def test_where_no_picture_can_be_drawn_that_is_said(tmp_path: Path, name: str) -> None:
    pixels, _, _ = shot("zhizhu")
    cv2.imwrite(str(tmp_path / "table.png"), pixels)
    (tmp_path / "file").write_text("no folder")
    code, output = run(str(tmp_path / "table.png"), "--game", "zhizhu", "--out", str(tmp_path / name))
    assert code == 1
    assert f"{name}: a picture is a .jpg or .png in a folder that can be written." in " ".join(output.split())


def test_tapped_corners_stand_in_for_markers(tmp_path: Path) -> None:
    pixels, layout, truth = shot("zhizhu", ground_kind="bare")
    camera = truth["camera"]
    corners = np.array([(-140, -140, 0), (140, -140, 0), (140, 140, 0), (-140, 140, 0)], float)
    matrix = np.array(
        [[camera["focal_px"], 0, camera["centre_px"][0]], [0, camera["focal_px"], camera["centre_px"][1]], [0, 0, 1]]
    )
    tapped, _ = cv2.projectPoints(
        corners, np.array(camera["turn"]), np.array(camera["shift_mm"]), matrix, np.array(camera["distortion"])
    )
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), pixels)
    given = ",".join(f"{number:.0f}" for number in tapped.ravel())
    _, output = run(str(photo), "--game", "zhizhu", "--corners", given, "--json")
    assert {tile["place"]: tile["owner"] for tile in json.loads(output)["tiles"]} == {
        p: piece.owner for p, piece in layout.items()
    }


def test_how_well_tapped_corners_fit_is_not_known_where_nothing_is_printed(tmp_path: Path) -> None:
    pixels, _, _ = shot("pirates_ninjas_robots_zombies")
    cv2.imwrite(str(tmp_path / "table.png"), pixels)
    given = ["--game", "pirates_ninjas_robots_zombies", "--corners", "200,150,1400,150,1500,1100,100,1100"]
    told = json.loads(run(str(tmp_path / "table.png"), *given, "--json")[1])
    assert told["plane"]["by"] == "corners"
    assert told["plane"]["residual_mm"] is None


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda image: image[: len(image) // 2], "missing"),
        (lambda image: b"GIF89a" + image, "JPEG or PNG"),
        (
            lambda image: (
                b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (30000).to_bytes(4) * 2 + b"\x08\x02\x00\x00\x00" * 3
            ),
            "megapixels",
        ),
        (lambda image: b"", "JPEG or PNG"),
    ],
)
def test_a_file_of_no_use_is_refused_with_a_sentence(tmp_path: Path, spoil: Any, says: str) -> None:
    pixels, _, _ = shot("zhizhu")
    photo = tmp_path / "table.jpg"
    photo.write_bytes(spoil(cv2.imencode(".jpg", pixels)[1].tobytes()))
    code, output = run(str(photo), "--game", "zhizhu", "--json", "--score")
    assert code == 1
    assert says in json.loads(output)["says"]
    assert json.loads(output)["score"] is None


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    code, output = run(str(tmp_path / "nothing.jpg"), "--game", "zhizhu")
    assert code == 1
    assert "cannot be opened" in " ".join(output.split())
