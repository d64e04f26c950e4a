"""Every promise a `Game` makes, tried on random games; a game is tested by being there."""

import itertools
import time

import pytest

from companion.game import Unreadable, explanations, in_turn_of, is_legal, judge, legal_moves
from companion.table import Piece


def test_legal_moves_are_the_conceivable_ones_that_break_no_rule(game, walk):
    for state, _ in itertools.islice(walk(game, seed=1, plies=60), 0, None, 7):
        quick = sorted(game.write_move(move, state) for move in legal_moves(game, state))
        slow = sorted(game.write_move(move, state) for move in game.conceivable(state) if is_legal(game, state, move))
        assert quick == slow


def test_no_legal_move_is_refused_and_play_leads_to_a_position(game, walk):
    for state, move in walk(game, seed=2, plies=120):
        ruling = judge(game, state, move)
        assert ruling.legal, (game.write_move(move, state), ruling)
        assert ruling.says
        after = game.play(state, move)
        assert game.read_position(game.write_position(after)) == after


def test_play_is_total_over_conceivable_moves(game, walk):
    for state, _ in itertools.islice(walk(game, seed=3, plies=60), 0, None, 11):
        for move in itertools.islice(game.conceivable(state), 0, None, 37):
            after = game.play(state, move)
            game.layout(after)
            game.score(after)
            ruling = judge(game, state, move)
            assert ruling.legal or ruling.rule in game.rulebook


def test_notation_round_trips(game, walk):
    for state, _ in itertools.islice(walk(game, seed=4, plies=60), 0, None, 9):
        for move in itertools.islice(game.conceivable(state), 0, None, 23):
            assert game.read_move(game.write_move(move, state), state) == move


def test_the_layout_differs_whenever_a_visible_move_was_made(game, walk):
    for state, move in walk(game, seed=5, plies=120):
        changed = game.layout(game.play(state, move)) != game.layout(state)
        assert changed != game.unseen(state, move), game.write_move(move, state)


def test_every_place_of_a_layout_is_on_the_board_and_every_tile_in_the_catalogue(game, walk):
    for state, _ in walk(game, seed=6, plies=80):
        for place, piece in game.layout(state).items():
            game.board.spot(place)
            assert isinstance(piece, Piece)
            assert piece.facing is None or piece.facing in range(4)


def test_every_legal_move_is_found_again_from_its_own_picture(game, walk):
    for state, move in itertools.islice(walk(game, seed=7, plies=40), 0, None, 13):
        if game.unseen(state, move):
            continue
        seen = game.layout(game.play(state, move))
        found = [game.layout(game.play(state, other)) for other in explanations(game, state, seen)]
        assert found
        assert all(layout == seen for layout in found)


def test_points_are_the_sum_of_their_items_and_every_item_cites_a_rule(game, walk):
    for state, _ in walk(game, seed=8, plies=120):
        sheet = game.score(state)
        assert set(sheet.points) == set(game.players(state))
        assert sum(sheet.points.values()) == sum(item.points for item in sheet.items)
        assert all(item.rule in game.rulebook and item.says for item in sheet.items)


def test_a_finished_game_has_no_legal_moves_and_nobody_to_move(game, walk):
    for state, move in walk(game, seed=9, plies=400):
        after = game.play(state, move)
        outcome = game.outcome(after)
        assert outcome.over == (game.to_move(after) is None)
        if outcome.over:
            assert legal_moves(game, after) == []
            assert outcome.rule in game.rulebook


def test_a_turn_can_be_given_to_every_player_and_leaves_the_table_as_it_was(game, walk):
    for state, _ in itertools.islice(walk(game, seed=12, plies=90), 0, None, 5):
        assert in_turn_of(game, state, game.to_move(state)) is state
        for player in game.players(state):
            given = in_turn_of(game, state, player)
            if given is not None:
                assert game.to_move(given) == player
                assert game.layout(given) == game.layout(state)
                assert game.score(given).points == game.score(state).points
                assert game.read_position(game.write_position(given)) == given


def test_advice_is_legal_and_gives_a_reason(game, walk):
    for state, _ in itertools.islice(walk(game, seed=10, plies=30), 0, None, 17):
        for advice in game.advise(state, 0.05, time.monotonic):
            assert is_legal(game, state, advice.move), game.write_move(advice.move, state)
            assert advice.because


def test_nonsense_is_refused_with_a_reason(game, walk):
    state, _ = next(walk(game, seed=11, plies=1))
    for nonsense in ("", "?!", "zz9-zz9", "x" * 200, "１", "\n"):
        with pytest.raises(Unreadable, match=r"\w"):
            game.read_move(nonsense, state)
    for key in game.write_position(state):
        with pytest.raises(Unreadable, match=r"\w"):
            game.read_position(game.write_position(state) | {key: {"nonsense": [None]}})
    with pytest.raises(Unreadable, match="unheard-of"):
        game.read_position(game.write_position(state) | {"unheard-of": 1})
