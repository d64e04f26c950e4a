"""Mats and corner cards as a camera sees them: numbers, places and scales of the markers."""

from dataclasses import replace
from importlib.resources import files

import cv2
import numpy as np
import pytest

from companion.art import Area, Line
from companion.board import load_board
from companion.inks import INKS, colour
from companion.mats import CORNERS, KINDS, MARKER_MM, QUIET_MM, cards, marker_number, mat, meaning, order
from companion.registry import games
from vision.marker_bits import marker_bits as bits_of_opencv

GAMES = list(games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def photograph(drawing, px_per_mm, rim_mm=20):
    """The drawing's areas and lines as a grey picture on a dark table, drawn finer and averaged."""
    height, width = (round((side + 2 * rim_mm) * px_per_mm) for side in (drawing.height, drawing.width))
    picture = np.full((3 * height, 3 * width), 90, np.uint8)
    fine = 3 * px_per_mm

    def at(points):
        return np.round((np.array(points) + rim_mm) * fine * 16 - 8).astype(np.int32)

    paper = [(0, 0), (drawing.width, 0), (drawing.width, drawing.height), (0, drawing.height)]
    cv2.fillPoly(picture, [at(paper)], 255, shift=4)
    for shape in drawing.shapes:
        if isinstance(shape, Area):
            cv2.fillPoly(picture, [at(outline) for outline in shape.outlines], grey(shape), shift=4)
        elif isinstance(shape, Line):
            cv2.polylines(picture, [at(shape.points)], False, grey(shape), max(1, round(shape.width * fine)), shift=4)
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)


def grey(shape):
    return sum(int(shape.colour[i : i + 2], 16) for i in (1, 3, 5)) // 3


def seen(picture, px_per_mm, rim_mm=20):
    """The markers that OpenCV finds: number to the four corners in millimetres."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    corners, numbers, _ = finder.detectMarkers(picture)
    found = [] if numbers is None else numbers.ravel().tolist()
    return {number: (quad[0] + 0.5) / px_per_mm - rim_mm for number, quad in zip(found, corners, strict=True)}


def test_the_bits_are_those_of_opencvs_dictionary():
    assert files("companion").joinpath("markers.toml").read_text(encoding="utf-8") == bits_of_opencv()


def test_a_number_says_game_kind_and_corner_and_none_says_two_things():
    said = {}
    for game in order():
        for kind in KINDS:
            for i, corner in enumerate(CORNERS):
                number = marker_number(game, kind, i)
                assert number not in said
                said[number] = meaning(number)
                assert (said[number].game, said[number].kind, said[number].corner) == (game, kind, corner)
    assert meaning(8 * len(order())) is None


def test_every_game_has_numbers_and_the_printed_order_never_changes():
    assert set(order()) >= games().keys()
    assert order()[:5] == ("zhizhu", "paiko", "tu_tzi", "pirates_ninjas_robots_zombies", "zu_tiles_hime")


@every_game
@pytest.mark.parametrize("px_per_mm", [1.7, 3.0])
def test_the_mat_tells_the_camera_which_game_it_is_and_where(game, px_per_mm):
    whole = mat(game)
    (leaf,) = whole.leaves
    found = seen(photograph(leaf.drawing, px_per_mm), px_per_mm)
    assert found.keys() == {marker.number for marker in whole.markers}
    for marker in whole.markers:
        there = np.array(marker.corners_mm) - (leaf.left_mm, leaf.top_mm)
        assert np.abs(found[marker.number] - there).max() < 0.5, meaning(marker.number)


@every_game
def test_every_corner_card_is_read_alone(game):
    whole = cards(game)
    for marker, leaf in zip(whole.markers, whole.leaves, strict=True):
        found = seen(photograph(leaf.drawing, 3.0), 3.0)
        there = np.array(marker.corners_mm) - (leaf.left_mm, leaf.top_mm)
        assert list(found) == [marker.number]
        assert np.abs(found[marker.number] - there).max() < 0.3


@every_game
@pytest.mark.parametrize("printed_at", [0.9, 1.05])
def test_a_wrong_print_scale_is_survived_since_the_markers_shrink_with_the_places(game, printed_at):
    whole = mat(game)
    (leaf,) = whole.leaves
    found = seen(photograph(leaf.drawing, 3.0 * printed_at), 3.0)
    first, second = (found[marker.number] for marker in whole.markers[:2])
    side = np.linalg.norm(first[1] - first[0])
    assert side == pytest.approx(MARKER_MM * printed_at, abs=0.3)
    apart = np.linalg.norm(second[0] - first[0]) / side * MARKER_MM
    assert apart == pytest.approx(whole.markers[1].x_mm - whole.markers[0].x_mm, rel=0.015)


@every_game
def test_no_tile_lies_on_a_marker(game):
    width, height = game.catalogue.size_mm
    reach = MARKER_MM / 2 + QUIET_MM
    for marker in mat(game).markers:
        for place, spot in game.board.places.items():
            wide, high = (height, width) if spot.angle_deg % 180 == 90 else (width, height)
            apart = abs(spot.x_mm - marker.x_mm) >= reach + wide / 2, abs(spot.y_mm - marker.y_mm) >= reach + high / 2
            assert any(apart), place


@every_game
def test_cards_lie_outside_the_playing_area_and_touch_its_corners(game):
    width, height = game.board.size_mm
    for marker, leaf in zip(cards(game).markers, cards(game).leaves, strict=True):
        assert abs(marker.x_mm) > width / 2
        assert abs(marker.y_mm) > height / 2
        xs = {leaf.left_mm, leaf.left_mm + leaf.drawing.width}
        ys = {leaf.top_mm, leaf.top_mm + leaf.drawing.height}
        assert {-width / 2, width / 2} & xs
        assert {-height / 2, height / 2} & ys


@every_game
def test_every_place_of_a_seat_is_in_one_zone(game):
    zoned = [place for zone in mat(game).zones for place in zone.places]
    assert sorted(zoned) == sorted(place for place in game.board.places if ":" in place)


def test_places_side_by_side_are_one_zone_and_a_pile_apart_is_another(tmp_path):
    board = tmp_path / "board.toml"
    board.write_text(
        "size_mm = [400.0, 300.0]\n"
        '[[grid]]\nprefix = "south:"\ncolumns = ["a", "b"]\nrows = ["1", "2"]\n'
        "pitch_mm = [24.0, 24.0]\nat = [0.0, 60.0]\n"
        '[[place]]\nname = "south:discard"\nx = -100.0\ny = 60.0\n'
    )
    pile, field = mat(replace(games()["zhizhu"], board=load_board(board))).zones
    assert (field.words, len(field.places)) == ("south", 4)
    assert (pile.words, pile.places) == ("discard", ("south:discard",))


@every_game
def test_every_ink_of_a_board_is_in_the_palette(game):
    for stroke in game.board.strokes:
        colour(stroke.ink)


def test_a_colour_is_an_ink_and_an_unknown_word_is_not():
    assert colour("#AABBCC") == "#aabbcc"
    assert all(colour(ink) == INKS[ink] for ink in INKS)
    with pytest.raises(ValueError, match="no ink 'mauve'"):
        colour("mauve")
