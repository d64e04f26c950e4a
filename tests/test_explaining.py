"""No conceivable turn is missed when candidates come from what differs."""

import json
import random
from itertools import islice

import pytest

from companion.game import explanations, is_legal, legal_moves, start
from companion.registry import games


@pytest.mark.parametrize("hidden", [False, True], ids=["all known", "as seen from outside"])
@pytest.mark.parametrize("game", games().values(), ids=games())
def test_every_conceivable_turn_explains_its_own_picture(game, hidden):
    rng = random.Random(f"{game.name} {hidden}")
    state = start(game, rng=rng)
    known = game.seen_by(state, None) if hidden else state
    for _ in range(18):
        moves = legal_moves(game, state)
        if not moves:
            break
        turns = list(islice(game.conceivable(known), 30_000))
        for turn in rng.sample(turns, min(5, len(turns))):
            if game.unseen(known, turn):
                continue
            assert turn in list(explanations(game, known, game.layout(game.play(known, turn)))), turn
        move = rng.choice(moves)
        known = game.play(known, game.read_move(game.write_move(move, state), known))
        state = game.play(state, move)


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_a_legal_turn_looks_legal_to_who_does_not_know_the_hands(game):
    rng = random.Random(f"{game.name} outside")
    state = start(game, rng=rng)
    known = game.seen_by(state, None)
    for _ in range(24):
        moves = [move for move in legal_moves(game, state) if not game.unseen(state, move)] or legal_moves(game, state)
        if not moves:
            break
        for move in rng.sample(moves, min(5, len(moves))):
            if not game.unseen(state, move):
                picture = game.layout(game.play(known, game.read_move(game.write_move(move, state), known)))
                turns = list(explanations(game, known, picture))
                assert any(is_legal(game, known, turn) for turn in turns), move
                assert all(game.read_move(game.write_move(turn, known), known) == turn for turn in turns[:20])
        move = rng.choice(moves)
        known = game.play(known, game.read_move(game.write_move(move, state), known))
        state = game.play(state, move)


WHOLE_GAMES = [path for game in games().values() for path in sorted((game.folder / "playthroughs").glob("*.txt"))]


@pytest.mark.parametrize("path", WHOLE_GAMES, ids=lambda path: f"{path.parent.parent.name} {path.stem}")
def test_a_whole_game_looks_legal_to_who_sees_its_table_and_is_told_the_rest(path):
    game, (first, *lines) = games()[path.parent.parent.name], path.read_text(encoding="utf-8").splitlines()
    state = game.read_position(json.loads(first))
    known = game.seen_by(state, None)
    for word in [line.split("  ")[1] for line in lines if line[0].isdigit()]:
        move = game.read_move(word, state)
        then = game.play(state, move)
        if game.unseen(state, move):
            known = game.play(known, game.read_move(word, known))
        else:
            known = game.play(known, legal_explanation(game, known, game.layout(then), word))
        state = then


def legal_explanation(game, known, picture, word):
    """The legal move of a picture, rather the one that was made."""
    first = None
    for turn in explanations(game, known, picture):
        if is_legal(game, known, turn):
            if game.write_move(turn, known) == word:
                return turn
            first = first or turn
    assert first is not None, word
    return first


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_an_explanation_pictures_what_was_seen(game):
    rng = random.Random(3)
    state = start(game, rng=rng)
    for _ in range(12):
        moves = legal_moves(game, state)
        if not moves:
            break
        after = game.play(state, rng.choice(moves))
        layout = game.layout(after)
        assert all(
            game.layout(game.play(state, turn)) == layout for turn in islice(explanations(game, state, layout), 40)
        )
        state = after


def test_cards_of_a_hand_that_nobody_knows_may_be_built_against_the_rules():
    game = games()["tu_tzi"]
    state = start(game, rng=random.Random(5))
    known = game.seen_by(state, None)
    held = game.held(state, game.to_move(state))[:3]
    wrong = game.read_move(f"+{','.join(held)}", known)
    found = list(explanations(game, known, game.layout(game.play(known, wrong))))
    assert wrong in found
    assert not is_legal(game, known, wrong)
