"""Matches between programs: who begins, who wins, and when a game is called off."""

from random import Random

from companion.game import legal_moves, start
from companion.match import Tally, play_match, plays_advised, plays_greedily, plays_randomly
from companion.registry import game_named

GAME = game_named("zhizhu")


def test_the_greedy_player_takes_the_most_it_can_and_a_win_before_all():
    two = GAME.read_position(
        {
            "game": "zhizhu",
            "to_move": "white",
            "white": ["a1", "a2", "b3", "c3", "d3", "e3"],
            "black": ["c1", "d1", "f1", "g2"],
            "hand": {"white": 3, "black": 3},
        }
    )
    for seed in range(5):
        assert plays_greedily(GAME, two, Random(seed)).taken.bit_count() == 3


def test_equal_moves_are_chosen_by_the_seed():
    empty = start(GAME)
    assert plays_greedily(GAME, empty, Random(1)) == plays_greedily(GAME, empty, Random(1))
    assert len({plays_greedily(GAME, empty, Random(seed)) for seed in range(9)}) > 1


def test_the_players_begin_by_turns():
    began = []

    def notes_who_it_is(game, state, rng):
        if not state.on[0] | state.on[1]:
            began.append("first player")
        return plays_randomly(game, state, rng)

    play_match(GAME, notes_who_it_is, plays_randomly, games=4, most_plies=10)
    assert len(began) == 2


def test_a_match_is_the_same_for_the_same_seed():
    matches = [play_match(GAME, plays_greedily, plays_randomly, games=3, seed=seed) for seed in (5, 5, 6)]
    assert matches[0] == matches[1] != matches[2]
    assert matches[0].games == 3


def test_a_game_without_end_is_a_draw_or_goes_to_who_has_the_most_points():
    called_off = play_match(GAME, plays_greedily, plays_randomly, games=12, seed=2, most_plies=24)
    by_points = play_match(GAME, plays_greedily, plays_randomly, games=12, seed=2, most_plies=24, by_points=True)
    assert called_off.draws > by_points.draws
    assert by_points.wins > called_off.wins
    assert by_points.plies == called_off.plies


def test_progress_is_told_after_every_game():
    told = []
    tally = play_match(GAME, plays_randomly, plays_randomly, games=3, most_plies=4, progress=told.append)
    assert [each.games for each in told] == [1, 2, 3]
    assert told[-1] == tally == Tally(0, 3, 0, 12)


def test_the_advised_player_plays_legal_moves():
    state = start(GAME, rng=Random(1))
    assert plays_advised(0.01)(GAME, state, Random(1)) in legal_moves(GAME, state)
