"""Hands, in every game: each phone sees its own seat's and no other."""

from random import Random

import pytest

from companion.game import legal_moves, start
from companion.registry import games


@pytest.fixture(params=games())
def played(request):
    game, rng = games()[request.param], Random(2)
    state = start(game, rng=rng)
    for _ in range(8):
        state = game.play(state, rng.choice(legal_moves(game, state)))
    return game, state


def test_the_own_hand_is_known_and_every_tile_of_it_has_a_face(played):
    game, state = played
    for player in game.players(state):
        hand = game.held(game.seen_by(state, player), player)
        assert hand == game.held(state, player)
        assert all(game.face(tile, player).startswith("<svg") for tile in hand)


def test_a_secret_hand_is_nobody_elses_business(played):
    game, state = played
    if game.seen_by(state, None) == state:
        pytest.skip("nothing is secret in this game")
    first, second, *_ = game.players(state)
    assert game.held(game.seen_by(state, first), second) == ()
    assert game.held(game.seen_by(state, None), first) == ()
