"""A player's own set, learned a tile at a time by the camera's eyes."""

from random import Random

import pytest

from companion.registry import game_named
from companion.table import Piece
from tests.test_reading import shot
from vision.frame import Frame
from vision.own_sets import PlayersSets
from vision.reader import Reader

GAME = game_named("paiko")
MIDDLE = "g7"


def _alone(piece, seed):
    pixels, _, _ = shot("paiko", {MIDDLE: piece}, seed, clutter=0)
    frame = Frame(pixels, 0.0, 1)
    return frame, Reader(GAME).register(frame)


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    held = PlayersSets(tmp_path_factory.mktemp("state"))
    dice = Random(1)
    for name in ("sword", "bow", "fire"):
        piece = Piece(name, "white", 0)
        crop, enrolled = held.enrol(GAME, "Ours", Piece(name, "white"), *_alone(piece, dice.randrange(1000)))
        assert crop.jpeg.startswith(b"\xff\xd8")
        assert (enrolled.tile, enrolled.owner, enrolled.pictures) == (name, "white", 1)
    return held


def test_a_tile_is_learned_and_listed(sets):
    assert [each.tile for each in sets.listed(GAME)["Ours"]] == ["sword", "bow", "fire"]


def test_what_was_learned_is_read(sets):
    frame, plane = _alone(Piece("bow", "white", 0), 77)
    read = sets.reader(GAME, "Ours")(frame, plane, None)
    seen = {place: max(odds, key=odds.get) for place, odds in read.observation.items()}
    assert seen[MIDDLE].tile == "bow"


def test_the_same_face_under_two_names_is_too_close(sets):
    _, enrolled = sets.enrol(GAME, "Ours", Piece("lotus", "white"), *_alone(Piece("sword", "white", 0), 5))
    assert "sword" in enrolled.close_to
    sets.forget(GAME, "Ours", "lotus")
    assert "lotus" not in [each.tile for each in sets.listed(GAME)["Ours"]]
