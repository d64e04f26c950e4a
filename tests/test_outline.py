"""The plane by the board's own print, on photographs whose truth is known."""

import itertools
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.described import described
from companion.game import start
from companion.registry import game_named
from vision import outline
from vision.frame import Frame
from vision.judging import any_position
from vision.markers import find_markers
from vision.outline import plane_by_outline, refined, ways_up
from vision.plane import NoPlane, plane_by_corners, register
from vision.studio.camera import Camera
from vision.studio.render import photograph

BOARDS = ["zhizhu", "paiko", "tu_tzi"]


def photo(name, seed):
    game = game_named(name)
    return photograph(game, start(game), seed, ground_kind="bare", hands=0, clutter=1)


def camera(told):
    lens = told["camera"]
    bend, turn, shift = (tuple(lens[word]) for word in ("distortion", "turn", "shift_mm"))
    return Camera(tuple(told["size"]), lens["focal_px"], bend, turn, shift)


def off_mm(plane, told, board):
    """How far the plane is from the truth all over the board, root mean square."""
    across, down = (np.linspace(-0.45, 0.45, 7) * side for side in board.size_mm)
    points = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    return np.sqrt(((plane.to_mm(camera(told).project(points)) - points) ** 2).sum(axis=1).mean())


def tapped(told, board, seed):
    """The plane by corners as a finger finds them."""
    width, height = board.size_mm
    corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    seen = camera(told).project(corners) + np.random.default_rng(seed).normal(0, 6, (4, 2))
    return plane_by_corners(seen, board.size_mm, tuple(told["size"]))


@pytest.mark.parametrize("name", BOARDS)
def test_tapped_corners_are_made_finer_by_the_print(name):
    board = game_named(name).board
    pixels, told = photo(name, 3)
    rough = tapped(told, board, 3)
    fine = refined(rough, Frame(pixels, 0.0, 0), board)
    assert off_mm(rough, told, board) > 1.0
    assert off_mm(fine, told, board) < 0.5
    assert fine.residual_mm < 0.5


def test_cards_laid_half_a_square_off_still_let_the_print_be_found():
    board = game_named("paiko").board
    pixels, told = photo("paiko", 3)
    width, height = board.size_mm
    corners = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    laid = camera(told).project(corners + np.array([(-3, 10), (4, 6), (-12, -2), (14, 27)]))
    rough = plane_by_corners(laid, board.size_mm, tuple(told["size"]))
    assert off_mm(rough, told, board) > 15.0
    assert off_mm(refined(rough, Frame(pixels, 0.0, 0), board), told, board) < 0.5


@pytest.mark.parametrize(("seed", "nearer_mm"), [(22_000_081, 5), (30_000_127, 10)])
def test_a_line_of_the_print_is_not_taken_for_the_next_one(seed: int, nearer_mm: float):
    game = game_named("tu_tzi")
    pixels, told = photograph(game, any_position(game, seed), seed, True, ground_kind="cards", hands=0)
    plane = refined(register(pixels, game.name), Frame(pixels, 0.0, 0), game.board)
    assert off_mm(plane, told, game.board) < nearer_mm


def test_where_no_print_is_seen_the_plane_stays_as_it_is():
    board = game_named("paiko").board
    pixels = np.random.default_rng(1).integers(0, 255, (1232, 1640, 3), np.uint8)
    plane = plane_by_corners([(300, 100), (1300, 100), (1300, 1100), (300, 1100)], board.size_mm, (1640, 1232))
    assert refined(plane, Frame(pixels, 0.0, 0), board) is plane


def test_a_game_without_a_board_has_nothing_to_refine_by():
    board = game_named("zu_tiles_hime").board
    plane = plane_by_corners([(300, 100), (1300, 100), (1300, 1100), (300, 1100)], board.size_mm, (1640, 1232))
    assert refined(plane, Frame(np.zeros((1232, 1640, 3), np.uint8), 0.0, 0), board) is plane
    with pytest.raises(NoPlane, match="no printed board"):
        plane_by_outline(np.zeros((1232, 1640, 3), np.uint8), board)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_is_found_by_its_outline_alone(name):
    board = game_named(name).board
    pixels, told = photo(name, 5)
    assert off_mm(plane_by_outline(pixels, board), told, board) < 0.6


def test_a_print_that_is_hardly_told_from_its_turn_has_its_near_side_low_in_the_picture():
    game = game_named("paiko")
    pixels, told = photograph(game, any_position(game, 21_000_056), 21_000_056, True, ground_kind="mat", hands=0)
    plane = plane_by_outline(pixels, game.board)
    assert off_mm(plane, told, game.board) < 5


def test_a_shape_that_is_too_small_for_a_board_is_none():
    pixels = np.full((240, 320, 3), 40, np.uint8)
    pixels[90:150, 120:190] = 220
    with pytest.raises(NoPlane, match="outline is not to be seen"):
        plane_by_outline(pixels, game_named("paiko").board)


def test_a_fit_that_is_not_reached_a_second_time_is_taken_as_it_is(monkeypatch):
    board = game_named("zhizhu").board
    pixels, told = photo("zhizhu", 5)
    fitted, scores = outline._fitted, itertools.count(0.9, -0.05)
    monkeypatch.setattr(outline, "_fitted", lambda *given: replace(fitted(*given), score=next(scores)))
    assert off_mm(plane_by_outline(pixels, board), told, board) < 0.6


def test_a_picture_of_something_else_says_what_to_do():
    pixels, _ = photo("tu_tzi", 5)
    with pytest.raises(NoPlane, match="tap its four corners"):
        plane_by_outline(pixels, game_named("paiko").board)


@pytest.mark.parametrize("quarters", range(4))
def test_a_board_with_two_colours_is_found_whichever_way_up_it_lies(quarters):
    game = game_named("paiko")
    pixels, told = photograph(game, any_position(game, 71_000_013), 71_000_013, True, ground_kind="bare")
    turned = np.ascontiguousarray(np.rot90(pixels, quarters))
    high, wide = pixels.shape[:2]
    homes = np.array([(-100.0, 100.0), (100.0, -100.0)])
    x, y = camera(told).project(homes).T
    seen = [(x, y), (y, wide - 1 - x), (wide - 1 - x, high - 1 - y), (high - 1 - y, x)][quarters]
    assert plane_by_outline(turned, game.board).to_mm(np.stack(seen, axis=1)) == pytest.approx(homes, abs=2.0)


def drawn(board):
    """The print of a board on a plain table, seen a little from the side."""
    flat = outline._drawn(board)
    high, wide = flat.shape[:2]
    corners = np.float32([(0, 0), (wide, 0), (wide, high), (0, high)])
    there = cv2.getPerspectiveTransform(corners, np.float32([(420, 150), (1230, 140), (1300, 1060), (360, 1080)]))
    table = np.full((1232, 1640, 3), (60, 80, 110), np.uint8)
    return cv2.warpPerspective(flat, there, (1640, 1232), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)


def test_a_board_with_some_of_the_lines_of_another_is_not_taken_for_it():
    """Sixteen cells hold fourteen; but Paiko's has slanted edges too."""
    qwirkle = described(Path(__file__).parent / "boards" / "qwirkle").board
    pixels = drawn(qwirkle)
    assert plane_by_outline(pixels, qwirkle)
    with pytest.raises(NoPlane, match="outline is not to be seen"):
        plane_by_outline(pixels, game_named("paiko").board)


@pytest.mark.parametrize("seed", [2, 5])
def test_a_board_whose_near_edge_is_cut_off_is_not_moved_up(seed):
    game = game_named("tu_tzi")
    pixels, _ = photograph(game, any_position(game, seed), seed, ground_kind="mat", hands=0)
    with pytest.raises(NoPlane, match="until the whole board is in the picture"):
        plane_by_outline(np.ascontiguousarray(pixels[: int(0.8 * len(pixels))]), game.board)


def covered(pixels, told, corners):
    for corner in corners:
        x, y = np.array(told["markers"][corner]["corners"]).mean(axis=0).astype(int)
        pixels = cv2.circle(pixels.copy(), (int(x), int(y)), 90, (60, 70, 80), -1)
    return pixels


def test_markers_that_are_still_to_be_seen_say_which_way_up_a_board_lies():
    game = game_named("zhizhu")
    pixels, told = photograph(game, start(game), 2, ground_kind="mat", hands=0, clutter=0)
    turned = np.ascontiguousarray(np.rot90(covered(pixels, told, (0, 1)), 1))
    near = camera(told).project(np.array([(0.0, 100.0)]))[0]
    x, y = plane_by_outline(turned, game.board).to_mm(np.array([(near[1], pixels.shape[1] - 1 - near[0])]))[0]
    assert (x, y) == pytest.approx((0.0, 100.0), abs=1.0)


def test_a_plane_that_a_marker_contradicts_is_refused(monkeypatch):
    game = game_named("zhizhu")
    pixels, told = photograph(game, start(game), 2, ground_kind="mat", hands=0, clutter=0)
    hidden = covered(pixels, told, (0, 1, 2))
    assert plane_by_outline(hidden, game.board)
    ((number, quad),) = find_markers(hidden, game.name).items()
    monkeypatch.setattr(outline, "find_markers", lambda pixels: {number: quad + np.array([0, 90])})
    with pytest.raises(NoPlane, match="outline is not to be seen"):
        plane_by_outline(hidden, game.board)


def test_a_board_that_looks_alike_from_all_sides_says_so():
    assert ways_up(game_named("zhizhu").board) == (0, 1, 2, 3)
    assert ways_up(game_named("paiko").board) == (0,)
    assert ways_up(game_named("tu_tzi").board) == (0,)
