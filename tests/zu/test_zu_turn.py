"""ZU Tiles, chapter 3: set-up, the five things of a turn, and its end."""

import math
import random

import pytest
from zu_drawn import GAME, after, area, legal, outcome, pile, ruling, table, verdict

from companion.game import Unreadable, start
from companion.games.zu_tiles_hime.catalogue import check_deck, deck_tiles, is_creature
from companion.games.zu_tiles_hime.rules.setup import opening_hand_stands, setup_custom


@pytest.mark.parametrize("number", [2, 3, 4])
def test_everyone_has_five_stacks_of_eight_less_the_hand_of_five(number):
    state = start(GAME, GAME.seats[number], rng=random.Random(number))
    for player in state.players.values():
        assert len(player.hand) == 5
        assert [len(stack) for stack in player.stacks] == [7] * 5
        held = [*player.hand, *(tile for stack in player.stacks for tile in stack)]
        assert sorted(held) == sorted(deck_tiles(player.deck))


def test_a_game_with_decks_of_the_players_own_begins_without_a_list_of_them():
    state = start(GAME, ["north", "south"], {"decks": "custom"})
    position = GAME.write_position(state)
    assert GAME.to_move(state) == "north"
    assert {seat: (held["deck"], held["hand"]) for seat, held in position["players"].items()} == {
        "south": ("custom", 5),
        "north": ("custom", 5),
    }
    assert GAME.read_position(position) == state
    assert verdict(position, "tiger@0,0") == "legal"


def test_the_first_named_begins_and_the_decks_are_chosen():
    state = start(GAME, ["north", "south"], {"decks": "DSR-DSR"}, random.Random(1))
    assert state.mover == "north"
    assert {player.deck for player in state.players.values()} == {"DSR"}
    with pytest.raises(Unreadable, match="sit at"):
        start(GAME, ["south", "west"])


@pytest.mark.parametrize(("deck", "chance"), [("ROM", 0.01302), ("DSR", 0.00940)])
def test_an_opening_hand_without_a_creature_is_as_rare_as_it_should_be(deck, chance):
    others = sum(1 for tile in deck_tiles(deck) if not is_creature(tile))
    assert math.comb(others, 5) / math.comb(40, 5) == pytest.approx(chance, abs=5e-6)


def test_an_opening_hand_holds_a_creature():
    assert not opening_hand_stands(["pull", "pull", "sewer-system", "taunt", "revive"])
    few = ["rat", *["pull"] * 19]
    for seed in range(20):
        state = setup_custom({"south": few, "north": few}, random.Random(seed))
        assert all("rat" in player.hand for player in state.players.values())


def test_a_custom_deck_has_five_tiles_or_more_in_stacks_that_differ_by_one():
    state = setup_custom({"south": ["pig"] * 13, "north": ["rabbit"] * 5}, random.Random(1))
    assert [len(stack) for stack in state.players["south"].stacks] == [2, 2, 2, 1, 1]
    assert [len(stack) for stack in state.players["north"].stacks] == [0] * 5
    with pytest.raises(Unreadable, match="5 tiles or more"):
        check_deck(["pig"] * 4)
    with pytest.raises(Unreadable, match="no tile"):
        check_deck(["pig"] * 4 + ["unicorn"])


def test_each_thing_is_done_once_a_turn_and_stacks_twice():
    hand = ["rat", "rat", "pull", "pull", "pull", "monkey", "monkey", "monkey", "monkey"]
    begun = table("S:ox@0,0 N:ox@1,0", south={"hand": hand, "deck": "custom"})
    moves = ["rat@0,1", "!pull(0,0>-1,0)", "!pull(-1,0>0,0)", "0,0>1,0*monkey", "~monkey,monkey:2"]
    for i, move in enumerate(moves):
        assert verdict(after(begun, *moves[:i]), move) == "legal"
    done = after(begun, *moves)
    assert {verdict(done, move) for move in ("rat@0,-1", "!pull(0,0>-1,0)", "0,0>1,0*rat", "~monkey,rat:1")} == {"3.4"}
    assert verdict(done, ".1") == "legal"
    fresh = after(done, ".1", ".1")
    assert verdict(fresh, "rat@0,-1") == "legal"


def test_an_ability_uses_up_a_stack():
    begun = table("S:sewer-system@0,0 S:rat@3,0 S:ox@1,0 S:ox@2,0", south={"hand": ["pull"]})
    once = after(begun, "!sewer-system@0,0(3,0>0,1)", "!sewer-system@0,0(0,1>-1,0)")
    assert verdict(once, "!pull(1,0>1,1)") == "3.4"
    assert verdict(once, "!sewer-system@0,0(-1,0>0,1)") == "3.4"


def test_a_tile_that_is_not_held_is_not_placed_nor_discarded():
    position = table("N:ox@1,0", south={"hand": ["rat", "ox"]})
    assert verdict(position, "monkey@0,0") == "3.4"
    assert verdict(position, "~rat,rat:1") == "3.4"
    assert verdict(position, "~rat,ox:1") == "legal"
    assert verdict(table("N:ox@1,0", south={"hand": 0}), "rat@0,0") == "3.4"
    assert verdict(table("N:ox@1,0", south={"stacks": [0, 7, 7, 7, 7]}), "~rat,ox:1") == "3.4"


def test_two_tiles_discarded_draw_one():
    position = after(table(south={"hand": ["rat", "ox", "pull"], "stacks": [["taunt"], 7, 7, 7, 7]}), "~rat,ox:1")
    assert position["players"]["south"]["hand"] == ["pull", "taunt"]
    assert pile(position, "south:discard") == "ox rat"
    assert position["players"]["south"]["stacks"] == [[], 7, 7, 7, 7]
    assert position["to_move"] == "south"


def test_the_turn_ends_with_a_draw_and_two_after_doing_nothing():
    idle = table("S:rat@0,0", south={"hand": ["ox"]})
    assert verdict(idle, ".") == "3.5"
    assert verdict(idle, ".3") == "legal"
    assert verdict(idle, ".3,3") == "legal"
    assert verdict(idle, ".3,3,3") == "3.5"
    busy = after(idle, "ox@1,0")
    assert verdict(busy, ".3,3") == "3.5"
    assert verdict(busy, ".3") == "legal"
    then = after(table("S:rat@0,0", south={"hand": 5}), ".3,2")
    assert then["players"]["south"]["hand"] == 7
    assert then["players"]["south"]["stacks"] == [7, 6, 6, 7, 7]
    assert then["to_move"] == "north"


def test_an_empty_stack_gives_no_tile():
    position = table(south={"stacks": [0, 1, 0, 0, 0]})
    assert verdict(position, ".1") == "3.5"
    assert verdict(position, ".2") == "legal"
    assert verdict(position, ".2,2") == "3.5"
    assert [move for move in legal(position) if move.startswith(".")] == [".2"]


def test_play_goes_clockwise_and_passes_who_has_lost():
    position = table(players="SWNE")
    order = []
    for _ in range(4):
        order.append(position["to_move"])
        position = after(position, ".1")
    assert order == ["south", "west", "north", "east"]
    assert position["to_move"] == "south"
    gone = table(players="SWNE", lost={"west": "5.8"})
    assert after(gone, ".1")["to_move"] == "north"


def test_having_to_draw_with_no_tile_left_loses():
    position = table("S:rat@0,0", south={"stacks": [0, 0, 0, 0, 0]})
    assert verdict(position, ".") == "legal"
    assert [move for move in legal(position) if move.startswith(".")] == ["."]
    ended = after(position, ".")
    assert (outcome(ended).winner, outcome(ended).rule) == ("north", "5.8")
    assert legal(ended) == []
    assert verdict(ended, "rat@0,1") == "5.8"


def test_with_three_players_the_loser_leaves_and_the_others_play_on():
    begun = table(
        "S:rat@0,0 N:ox@1,0 S:ox@2,0 S:snake@0,1",
        players="SWN",
        south={"hand": ["ox"], "stacks": [0] * 5},
        pending=[],
    )
    ended = after(begun, ".")
    assert area(ended) == "N:ox@1,0"
    assert pile(ended, "south:discard") == "ox ox rat snake"
    assert ended["players"]["south"]["hand"] == []
    assert ended["to_move"] == "west"
    assert not outcome(ended).over


def test_a_tile_that_comes_to_a_loser_is_discarded_at_once():
    begun = table("W:rat@0,0 N:snake@1,0", "west", "SWN", lost={"south": "5.8"}, pending=[])
    begun["pending"] = [{"what": "mind-control", "by": "south", "at": [0, 0]}]
    ended = after(begun, ".1")
    assert area(ended) == "N:snake@1,0"
    assert pile(ended, "south:discard") == "rat"


@pytest.mark.parametrize(("players", "target"), [("SN", 12), ("SWN", 10), ("SWNE", 9)])
def test_the_target_depends_on_the_number_of_players(players, target):
    rats, oxen, monkeys = ["rat"] * 5, ["ox"] * 5, ["monkey"] * 2
    pile_ = (rats + oxen + monkeys)[: target - 1]
    assert not outcome(table("S:rat@0,0", players=players, south={"points": pile_})).over
    won = table("S:rat@0,0", players=players, south={"points": [*pile_, "monkey"]})
    assert (outcome(won).winner, outcome(won).rule) == ("south", "5.8")
    assert legal(won) == []


def test_more_of_a_name_than_its_maximum_loses_at_once():
    custom = {"deck": "custom"}
    begun = table(south=custom | {"hand": ["revive", "revive", "rat"], "discard": []}, north=custom)
    fine = after(begun, "!revive")
    assert not outcome(fine).over
    lost = after(fine, "!revive")
    assert (outcome(lost).winner, outcome(lost).rule) == ("north", "5.7")


def test_a_creature_that_nobody_saw_go_to_the_discard_pile_can_be_brought_back():
    begun = table(south={"hand": 5, "discard": []})
    exchanged = after(begun, "~?,monkey-swing:1", "!revive")
    back = ". revive(monkey)"
    assert ruling(exchanged, back).legal
    assert pile(after(exchanged, back), "south:discard") == "monkey-swing revive"
    assert not ruling(after(begun, "!revive"), back).legal


def test_points_and_discards_count_together_for_the_maximum_and_beat_a_win():
    custom = {"deck": "custom"}
    piles = {"points": [*["rat"] * 12, "golden-egg"], "discard": ["golden-egg", "golden-egg"]}
    lost = table(south=custom | piles, north=custom)
    assert (outcome(lost).winner, outcome(lost).rule) == ("north", "5.7")
    judged = {"points": ["undue-judgement:2", "undue-judgement:1"], "discard": ["undue-judgement"]}
    assert outcome(table(south=custom | judged, north=custom)).winner == "north"


def test_with_three_players_who_breaks_the_maximum_is_out_and_the_turn_passes():
    custom = {"deck": "custom"}
    begun = table(
        "S:rat@0,0 W:ox@1,0",
        players="SWN",
        south=custom | {"hand": ["revive", "revive", "ox"]},
        west=custom,
        north=custom,
    )
    ended = after(begun, "!revive", "!revive")
    assert ended["to_move"] == "west"
    assert area(ended) == "W:ox@1,0"
    assert pile(ended, "south:discard") == "ox rat revive revive"
    assert not outcome(ended).over
