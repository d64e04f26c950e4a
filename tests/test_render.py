import dataclasses
import json
import random

import cv2
import numpy as np
import pytest

from companion.game import legal_moves, start
from companion.registry import game_named, games
from vision.studio.camera import ground, looking_at
from vision.studio.clutter import JUDGED, LEARNED, clutter_names, thing
from vision.studio.hands import PEOPLE, POSES, arm_shape
from vision.studio.leaves import GROUNDS
from vision.studio.materials import material, material_names
from vision.studio.render import photograph
from vision.studio.sensor import Sensor, expose

HALF = (820, 616)


def _position(game, plies, seed=0):
    dice = random.Random(seed)
    state = start(game, rng=dice)
    for _ in range(plies):
        moves = legal_moves(game, state)
        if not moves:
            break
        state = game.play(state, dice.choice(moves))
    return state


def _coloured(game):
    """The same game with faces of plain green and magenta, which nothing else on a table has."""

    def face(tile, owner):
        width, height = game.catalogue.size_mm
        colour = "#00e000" if owner == "white" else "#e000e0"
        box = f'<rect width="{width}" height="{height}" fill="{colour}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{box}</svg>'

    return dataclasses.replace(game, face=face)


def _green(pixels):
    hue = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)
    return (np.abs(hue[..., 0].astype(int) - 60) < 18) & (hue[..., 1] > 120) & (hue[..., 2] > 30)


@pytest.fixture(scope="module")
def web():
    return _position(game_named("zhizhu"), 14)


@pytest.mark.parametrize("hard", [False, True])
def test_the_same_seed_gives_the_same_picture_and_another_does_not(web, hard):
    game = game_named("zhizhu")
    first, told = photograph(game, web, 5, hard, HALF)
    again, told_again = photograph(game, web, 5, hard, HALF)
    other, _ = photograph(game, web, 6, hard, HALF)
    assert first.shape == (616, 820, 3)
    assert np.array_equal(first, again)
    assert told == told_again == json.loads(json.dumps(told))
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["mat", "cards"])
def test_markers_are_found_where_the_truth_has_their_corners(web, seed, kind):
    pixels, told = photograph(game_named("zhizhu"), web, seed, ground_kind=kind, hands=0)
    finely = cv2.aruco.DetectorParameters()
    finely.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), finely)
    corners, numbers, _ = finder.detectMarkers(pixels)
    found = {int(number): corner.reshape(4, 2) for number, corner in zip(numbers.ravel(), corners, strict=True)}
    assert len(told["markers"]) == 4
    for marker in told["markers"]:
        off = found[marker["id"]] - np.array(marker["corners"])
        assert np.abs(off).max() < 1.5
        assert np.abs(off.mean(axis=0)).max() < 0.5


@pytest.mark.parametrize("seed", range(4))
def test_a_tile_is_seen_where_the_truth_has_it(seed):
    game = _coloured(game_named("zhizhu"))
    state = game.read_position(
        {"game": "zhizhu", "to_move": "black", "white": ["c3"], "black": [], "hand": {"white": 8, "black": 9}}
    )
    pixels, told = photograph(game, state, seed, ground_kind="mat", hands=0, clutter=0)
    (tile,) = told["tiles"]
    assert (tile["tile"], tile["owner"], tile["place"], tile["visible"]) == ("piece", "white", "c3", 1.0)
    rows, columns = np.nonzero(_green(pixels))
    top = cv2.minEnclosingCircle(np.array(tile["corners"], np.float32))[1]
    assert np.hypot(columns.mean() - tile["centre"][0], rows.mean() - tile["centre"][1]) < 0.15 * top
    assert len(rows) == pytest.approx(np.pi * (top / np.sqrt(2)) ** 2, rel=0.3)


def test_the_visible_share_is_what_a_hand_leaves():
    game = _coloured(game_named("zhizhu"))
    white = ["a1", "a2", "a3", "b1", "c3", "d2", "e2", "f2", "g3"]
    state = game.read_position(
        {"game": "zhizhu", "to_move": "black", "white": white, "black": [], "hand": {"white": 0, "black": 9}}
    )
    shares = []
    for seed in range(6):
        free, _ = photograph(game, state, seed, size=HALF, ground_kind="mat", hands=0, clutter=0)
        reached, told = photograph(game, state, seed, size=HALF, ground_kind="mat", hands=1, clutter=0)
        for tile in told["tiles"]:
            part = np.zeros(free.shape[:2], np.uint8)
            cv2.fillPoly(part, [np.round(tile["corners"]).astype(np.int32)], 1)
            left = (_green(reached) & (part > 0)).sum() / max(1, (_green(free) & (part > 0)).sum())
            shares.append((tile["visible"], left))
    told, seen = np.array(shares).T
    assert (told < 0.5).any()
    assert (told == 1).any()
    assert np.abs(told - seen)[(told == 0) | (told == 1)].max() < 0.25
    assert np.abs(told - seen).mean() < 0.05


def test_every_game_is_photographed_on_every_ground():
    for game in games().values():
        state = _position(game, 25)
        for seed, kind in enumerate(GROUNDS):
            _, told = photograph(game, state, seed, hard=True, size=(640, 480), ground_kind=kind)
            assert {tile["place"] for tile in told["tiles"]} == set(game.layout(state))
            for tile in told["tiles"]:
                piece = game.layout(state)[tile["place"]]
                assert (tile["tile"], tile["owner"], tile["facing"]) == (piece.tile, piece.owner, piece.facing)
                assert 0 <= tile["visible"] <= 1


def test_the_whole_area_is_in_the_picture_and_hard_photos_are_tilted_more(web):
    tilts = {}
    for hard in (False, True):
        told = [photograph(game_named("zhizhu"), web, seed, hard, (160, 120))[1] for seed in range(8)]
        tilts[hard] = np.mean([truth["camera"]["tilt_deg"] for truth in told])
        for truth in told:
            centres = np.array([tile["centre"] for tile in truth["tiles"]])
            assert ((centres > 0) & (centres < (160, 120))).all()
    assert tilts[True] > tilts[False] + 5


def test_a_camera_takes_millimetres_to_pixels_and_back():
    camera = looking_at((1640, 1232), 1359.0, (-0.06, 0.01, 0.0, 0.0), (10.0, -20.0), 800.0, 30.0, 15.0, 4.0)
    places = np.array([[0.0, 0.0], [140.0, -90.0], [-150.0, 120.0]])
    pixels = camera.project(places)
    assert np.abs(camera.on_table(pixels) - places).max() < 1e-6
    mapped = ground(camera).map(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    for (x, y), place in zip(np.round(pixels).astype(int), camera.on_table(np.round(pixels)), strict=True):
        assert np.abs(mapped[y, x] - place).max() < 0.05
    assert camera.tilt_deg == pytest.approx(30.0)


def test_what_stands_higher_is_seen_farther_from_the_middle():
    camera = looking_at((1640, 1232), 1359.0, (0.0, 0.0, 0.0, 0.0), (0.0, 0.0), 700.0, 0.0, 0.0, 0.0)
    low, high = camera.project([[100.0, 0.0, 0.0], [100.0, 0.0, 20.0]])
    assert high[0] > low[0] + 3


def test_tiles_beside_each_other_do_not_overlap():
    for game in games().values():
        if game.catalogue.shape == "disc":
            continue
        _, told = photograph(game, _position(game, 40), 3, True, (160, 120))
        middles = np.array([tile["centre_mm"] for tile in told["tiles"]]).reshape(-1, 2)
        apart = np.abs(middles[:, None] - middles[None]).max(axis=-1) + np.eye(len(middles)) * 1e3
        assert (apart > min(game.catalogue.size_mm) * 0.9).all()


def test_every_table_top_every_thing_and_every_hand_can_be_drawn():
    pictures = [material(name, 0).pixels for name in material_names()]
    assert len(pictures) >= 12
    assert all(picture.shape == pictures[0].shape for picture in pictures)
    assert {thing(name, variant).kind for name in clutter_names() for variant in (*LEARNED, *JUDGED)} == set(
        clutter_names()
    )
    covers = [arm_shape(person, pose).cover.mean() for person, pose in zip(range(PEOPLE), POSES * 3, strict=True)]
    assert min(covers) > 10


def test_noise_is_as_strong_as_it_is_said_to_be():
    grey = np.full((400, 500, 3), 128, np.uint8)
    sensor = Sensor(0.0, (0.0, 0.0), 4.0, 0.0, 0.0, 0.0, None)
    taken = expose(grey, sensor, np.random.default_rng(1)).astype(float)
    assert taken.mean() == pytest.approx(128, abs=1)
    assert taken.std() == pytest.approx(4.0, rel=0.15)


def test_real_tables_and_hands_are_taken_from_folders(tmp_path, web):
    stripes = np.zeros((200, 300, 3), np.uint8)
    stripes[:, ::20] = (0, 128, 255)
    hand = np.zeros((200, 120, 4), np.uint8)
    hand[:, 30:90] = (120, 150, 200, 255)
    (tmp_path / "tables").mkdir()
    (tmp_path / "hands").mkdir()
    cv2.imwrite(str(tmp_path / "tables" / "stripes.png"), stripes)
    cv2.imwrite(str(tmp_path / "hands" / "flat.png"), hand)
    game, used = game_named("zhizhu"), set()
    for seed in range(6):
        _, told = photograph(
            game, web, seed, size=(160, 120), tables=tmp_path / "tables", cutouts=tmp_path / "hands", hands=1
        )
        used.add(told["table"])
    assert "stripes" in used
    assert len(used) > 1


def test_the_lens_throws_what_lies_far_beyond_the_picture_no_further():
    camera = looking_at((1640, 1232), 1300.0, (-0.2, 0.1, 0.0, 0.0), (0.0, 0.0), 900.0, 20.0, 0.0, 0.0)
    far = np.array([(0.0, 0.0), (2_000.0, 0.0), (20_000.0, 0.0)])
    across = camera.project(far)[:, 0] - camera.middle[0]
    assert 0 <= abs(across[0]) < abs(across[1]) < abs(across[2]) < 60_000
