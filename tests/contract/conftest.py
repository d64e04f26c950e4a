"""The contract between a game and the rest, run over every folder the registry finds."""

import random

import pytest

from companion.game import legal_moves, start
from companion.registry import games
from companion.scenes import scenes


def pytest_generate_tests(metafunc):
    if "scene" in metafunc.fixturenames:
        told = [(game, scene) for game in games().values() for scene in scenes(game)]
        metafunc.parametrize(("game", "scene"), told, ids=[f"{game.name}: {scene.name}" for game, scene in told])
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games().values(), ids=games().keys())


@pytest.fixture
def walk():
    """Walks random legal games of every number of players and yields each state with the move played from it."""

    def states(game, seed, plies):
        rng = random.Random(seed)
        for number in game.seats:
            state = start(game, game.seats[number], rng=rng)
            for _ in range(plies):
                moves = legal_moves(game, state)
                if not moves:
                    break
                move = rng.choice(moves)
                yield state, move
                state = game.play(state, move)

    return states
