"""Without a camera above the table a phone's photo is read all the same."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.art import drawing
from companion.cli.watch import reader_of
from companion.eyes import CannotSee
from companion.mats import mat
from companion.registry import game_named
from companion.table import Piece
from tests.test_reading import shot
from vision.eyes import TableEyes
from vision.frame import Frame
from vision.no_camera import NoCamera
from vision.own_sets import PlayersSets
from vision.raster import raster
from vision.reader import Reader


def _jpeg(pixels):
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def test_a_photo_is_read_and_everything_else_says_that_there_is_no_picture():
    eyes = TableEyes("none", NoCamera(), reader_of)
    pixels, layout, _ = shot("zhizhu", clutter=0)
    assert dict(eyes.read_photo(_jpeg(pixels), "zhizhu").seen) == dict(layout)
    assert eyes.crop("a1") is None
    for asked in (eyes.picture, eyes.view, eyes.look_again, eyes.calibrate):
        with pytest.raises(CannotSee):
            asked()


def test_a_photo_of_a_board_without_a_mat_is_read_where_its_print_says_which_side_is_near():
    eyes = TableEyes("none", NoCamera(), reader_of)
    pixels, layout, _ = shot("paiko", ground_kind="bare", clutter=0)
    assert dict(eyes.read_photo(_jpeg(pixels), "paiko").seen) == dict(layout)
    pixels, _, _ = shot("zhizhu", ground_kind="bare", clutter=0)
    with pytest.raises(CannotSee, match="which side of the board is near: tap its four corners"):
        eyes.read_photo(_jpeg(pixels), "zhizhu")


def test_corners_are_those_of_the_mat_where_a_game_has_no_board():
    eyes, game = TableEyes("none", NoCamera(), reader_of), game_named("pirates_ninjas_robots_zombies")
    pixels, layout, _ = shot(game.name, clutter=0)
    plane = Reader(game).register(Frame(pixels, 0.0, 0))
    half = np.array(mat(game).area_mm) / 2
    tapped = plane.to_pixels(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half) / plane.size
    assert dict(eyes.read_photo(_jpeg(pixels), game.name, [tuple(corner) for corner in tapped]).seen) == dict(layout)


def test_a_photo_is_read_with_the_set_that_the_players_chose(tmp_path):
    eyes = TableEyes("none", NoCamera(), reader_of, PlayersSets(tmp_path))
    game, turned = game_named("zhizhu"), {"white": "black", "black": "white"}
    for owner, other in turned.items():
        # In this set each side plays with what is printed for the other.
        face = raster(drawing(game.face("piece", other)), 8.0)
        crop, enrolled = eyes.enrol("zhizhu", "Turned", Piece("piece", owner), _jpeg(face))
        assert crop.jpeg.startswith(b"\xff\xd8")
        assert (enrolled.owner, enrolled.close_to) == (owner, ())
    pixels, layout, _ = shot("zhizhu", clutter=0)
    eyes.use_set("zhizhu", "Turned")
    swapped = {place: replace(piece, owner=turned[piece.owner]) for place, piece in layout.items()}
    assert dict(eyes.read_photo(_jpeg(pixels), "zhizhu").seen) == swapped
    eyes.use_set("zhizhu", None)
    assert dict(eyes.read_photo(_jpeg(pixels), "zhizhu").seen) == dict(layout)


def test_a_photo_of_a_card_is_learned_in_the_shape_of_a_card(tmp_path):
    eyes = TableEyes("none", NoCamera(), reader_of, PlayersSets(tmp_path))
    game = game_named("tu_tzi")
    tile = next(iter(game.catalogue))
    face = raster(drawing(game.face(tile.name, None)), 8.0)
    wide = cv2.copyMakeBorder(face, 0, 0, 300, 300, cv2.BORDER_CONSTANT, value=(40, 60, 80))
    alone, among = (eyes.enrol("tu_tzi", "Ours", Piece(tile.name), _jpeg(photo))[0].jpeg for photo in (face, wide))
    alone, among = (cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) for jpeg in (alone, among))
    assert np.abs(alone.astype(int) - among).mean() < 3
