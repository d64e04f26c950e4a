"""Without a camera above the table a phone's photo is read all the same."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.art import drawing
from companion.cli.watch import reader_of
from companion.eyes import CannotSee
from companion.registry import game_named
from companion.table import Piece
from tests.test_reading import shot
from vision.eyes import TableEyes
from vision.no_camera import NoCamera
from vision.own_sets import PlayersSets
from vision.raster import raster


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
