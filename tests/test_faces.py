from functools import cache
from itertools import combinations

import numpy as np
import pytest

from companion.art import Area, Line, Words, drawing
from companion.registry import games
from vision.faces_apart import NEAR, distances, pictures, turns_apart

PICTURED = [game for game in games().values() if game.face is not None]

pytestmark = pytest.mark.parametrize("game", PICTURED, ids=lambda game: game.name)


def _faces(game):
    drawn = [game.face(tile.name, owner) for tile in game.catalogue for owner in (tile.owners or (None,))]
    backs = [game.back(owner) for tile in game.catalogue for owner in (tile.owners or (None,))]
    return [drawing(svg) for svg in dict.fromkeys([*drawn, *backs])]


@cache
def _seen(name):
    game = games()[name]
    return pictures(game.catalogue, game.face)


def _points(shape):
    match shape:
        case Area():
            return [point for outline in shape.outlines for point in outline]
        case Line():
            return shape.points
        case Words():
            return [shape.at]


def test_every_face_has_the_size_of_its_tile(game):
    assert {(face.width, face.height) for face in _faces(game)} == {game.catalogue.size_mm}


def test_no_face_runs_over_its_edge(game):
    """What a drawer does not clip would be printed on the tile beside it."""
    for face in _faces(game):
        points = np.array([point for shape in face.shapes for point in _points(shape)])
        assert points.min() > -0.01
        assert (points.max(axis=0) < np.array([face.width, face.height]) + 0.01).all()


def test_no_two_faces_look_alike_turned_or_in_poor_light(game):
    seen = _seen(game.name)
    apart, names = distances(seen), list(seen)
    alike = [(names[i], names[j]) for i, j in combinations(range(len(names)), 2) if apart[i, j] < NEAR]
    assert alike == []


def test_a_face_shows_its_turns_only_where_they_matter(game):
    for name, picture in _seen(game.name).items():
        tile = game.catalogue[name.split()[-1]]
        if tile.turns == 4:
            assert turns_apart(picture) > NEAR, name
        elif game.catalogue.shape != "card":
            assert turns_apart(picture) < NEAR / 2, name
