"""ZU Tiles: advice for the tiles in play and the own hand."""

import random
import time

import pytest
from zu_drawn import GAME, table

from companion.game import is_legal, legal_moves, start
from companion.games.zu_tiles_hime.outlook import chance_to_hold, given_away, likeliest_spoiler, prospects


def advice(position, seconds=1.0):
    state = GAME.read_position(position)
    return {GAME.write_move(each.move, state): each for each in GAME.advise(state, seconds, time.monotonic)}


def test_a_square_that_can_be_completed_now_comes_first():
    found = advice(table("S:rat@0,1 N:ox@1,1 N:monkey@0,0", south={"hand": ["ox", "rat", "pull"]}))
    best = next(iter(found))
    assert best == "rat@1,0"
    assert "completes a square: Monkey-Rat and Ox-Rat are compatible" in found[best].because


def test_a_hand_that_is_not_known_is_advised_by_the_decks_list():
    found = advice(table("S:rat@0,1 N:ox@1,1 N:monkey@0,0"))
    assert "if you hold it (64%)" in found["rat@1,0"].because


def test_a_square_that_would_be_given_away_is_told():
    position = table("N:dragon@0,0 N:snake@1,0", south={"hand": ["rat"]})
    found = {move: each for move, each in advice(position).items() if move.startswith("rat")}
    # Above either of the two it would make three of a square that a Dragon or a Snake of North's completes.
    assert set(found) <= {"rat@-1,0", "rat@2,0"}
    state = GAME.read_position(position)
    loss, says = given_away(GAME.play(state, GAME.read_move("rat@0,1", state)), (0, 1))
    assert loss > 2
    assert says.startswith("it leaves North a square at 1,1 for Dragon or Happy Rooster")


def test_a_battle_is_weighed_with_the_best_allies_of_both_sides():
    state = GAME.read_position(table("S:ox@0,0 S:rat@1,1 N:rooster@1,0 N:snake@2,0 N:snake@1,-1"))
    weighed = [each for each in prospects(state) if (each.battle.attacker, each.battle.defender) == ((0, 0), (1, 0))]
    # 6/6 beats Rooster 1/1 alone and with one Snake (3/5); both Snakes (5/9) make it a draw.
    assert [each.gain for each in weighed] == [0]
    lone = GAME.read_position(table("S:ox@0,0 S:rat@1,1 N:rooster@1,0"))
    assert {GAME.write_move(each.battle, lone): each.gain for each in prospects(lone)} == {
        "0,0>1,0+1,1*?": 1,
        "1,1>1,0+0,0*?": 1,
    }


def test_battles_that_draw_or_lose_are_told_of_last():
    found = advice(table("S:rat@0,0 N:ox@1,0 N:snake@0,1", south={"hand": ["pull"]}))
    assert "a draw" in found["0,0>1,0*pull"].because
    assert list(found).index("0,0>1,0*pull") > 0


def test_the_likeliest_reaction_that_spoils_a_battle_is_named():
    state = GAME.read_position(table("S:ox@0,0 S:rat@1,1 N:rooster@1,0 N:snake@2,0"))
    battle = GAME.read_move("0,0>1,0+1,1*?", state)
    spoiler = likeliest_spoiler(state, battle)
    assert spoiler.play.tile in {"rattle", "reversal-of-fortune", "slither"}
    assert "could spoil it if North holds it" in spoiler.says
    banana = GAME.read_position(table("N:dragon@0,0 S:monkey@1,0 S:monkey@3,0 S:monkey@4,0", "north"))
    turned = likeliest_spoiler(banana, GAME.read_move("0,0>1,0*?", banana))
    assert turned is not None
    assert turned.play.by == "south"


def test_a_played_tile_is_in_nobodys_hand():
    state = GAME.read_position(table("S:ox@0,0", north={"discard": ["rattle"]}))
    assert chance_to_hold(state, "north", {"rattle"}) == 0
    assert 0.1 < chance_to_hold(state, "north", {"wingspan"}) < 0.15
    assert chance_to_hold(GAME.read_position(table(north={"hand": ["rattle"]})), "north", {"rattle"}) == 1


def test_advice_knows_no_hand_but_the_own():
    base = table("S:ox@0,0 S:rat@1,1 N:rooster@1,0 N:snake@2,0", south={"hand": ["ox", "pull"]})
    plain = [(move, each.gain, each.because) for move, each in advice(base).items()]
    base["players"]["north"]["hand"] = ["crow-blast", "dragon", "dragon", "rattle", "slither"]
    assert [(move, each.gain, each.because) for move, each in advice(base).items()] == plain


def test_a_finished_game_needs_no_advice():
    assert advice(table("S:rat@0,0", south={"points": ["rat"] * 6 + ["ox"] * 6})) == {}


@pytest.mark.parametrize("number", [2, 3, 4])
def test_advice_is_legal_quick_and_gives_a_reason(number):
    rng = random.Random(number)
    state = start(GAME, GAME.seats[number], rng=rng)
    for ply in range(60):
        moves = legal_moves(GAME, state)
        if ply % 6 == 0:
            began = time.monotonic()
            found = GAME.advise(state, 0.1, time.monotonic)
            assert time.monotonic() - began < 2
            assert found
            assert all(each.because and is_legal(GAME, state, each.move) for each in found)
        state = GAME.play(state, rng.choice(moves))


def test_who_follows_the_advice_beats_a_random_player():
    won = 0
    for seed in range(4):
        rng = random.Random(seed)
        me = ("south", "north")[seed % 2]
        state = start(GAME, rng=rng)
        while (mover := GAME.to_move(state)) is not None:
            if mover == me:
                move = GAME.advise(state, 0.02, time.monotonic)[0].move
            else:
                move = rng.choice(legal_moves(GAME, state))
            state = GAME.play(state, move)
        won += GAME.outcome(state).winner == me
    assert won >= 3
