"""The plane by the board's own print, on photographs whose truth is known."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from companion.game import start
from companion.registry import game_named
from vision import outline
from vision.frame import Frame
from vision.judging import any_position
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


def test_a_board_that_looks_alike_from_all_sides_says_so():
    assert ways_up(game_named("zhizhu").board) == (0, 1, 2, 3)
    assert ways_up(game_named("paiko").board) == (0,)
    assert ways_up(game_named("tu_tzi").board) == (0,)
