"""ZU Tiles, chapter 7: positions and moves as they are written."""

import json

import pytest
from zu_drawn import GAME, after, table, verdict

from companion.game import Unreadable, start
from companion.games.zu_tiles_hime.rules.verbs import attach, pay, swap_tile

EXAMPLE = json.loads(
    '{"game": "zu_tiles_hime", "to_move": "south", "area": [{"tile": "rat", "at": [0,0], "by": "south", "under": []}], '
    '"players": {"south": {"deck": "ROM", "points": [], "discard": [], "hand": 5, "stacks": [7,7,7,7,7]}}}'
)


def read(position):
    return GAME.read_position(position)


def test_the_example_is_read_and_written_in_its_own_order():
    written = GAME.write_position(read(EXAMPLE))
    assert list(written)[:4] == ["game", "to_move", "area", "players"]
    assert list(written["players"]["south"]) == ["deck", "points", "discard", "hand", "stacks"]
    assert written["area"] == EXAMPLE["area"]
    assert written["players"]["south"] == EXAMPLE["players"]["south"]


def test_what_is_left_out_is_not_known_and_does_not_matter():
    bare = {"game": GAME.name, "to_move": "south", "area": [], "players": {"south": {}, "north": {}}}
    assert verdict(bare, "rat@0,0") == "legal"
    assert verdict(bare, ".3") == "legal"
    assert "hand" not in GAME.write_position(read(bare))["players"]["south"]


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"area": [{"tile": "rat", "at": [0, 0], "by": "south"}] * 2}, "two tiles"),
        ({"area": [{"tile": "unicorn", "at": [0, 0], "by": "south"}]}, "unicorn"),
        ({"area": [{"tile": "action-placeholder", "at": [0, 0], "by": "south"}]}, "placeholder"),
        ({"area": [{"tile": "rat", "at": [0], "by": "south"}]}, "no cell"),
        ({"area": [{"tile": "rat", "at": [0, 0], "by": "east2"}]}, "by"),
        ({"area": [{"tile": "rat", "at": [0, 0], "by": "south", "weight": 3}]}, "weight"),
        ({"area": [{"tile": "rat", "at": [i, 0], "by": "south"} for i in range(9)]}, "9 Rat"),
        ({"to_move": "up"}, "to_move"),
        ({"players": {}}, "players"),
        ({"players": {"south": {}, "west": {}}}, "no table"),
        ({"to_move": "east"}, "nobody sits at east"),
        ({"area": [{"tile": "rat", "at": [0, 0], "by": "west"}]}, "nobody sits at west"),
        ({"done": ["dance"]}, "done"),
        ({"pending": [{"what": "rain", "by": "south"}]}, "rain"),
        ({"options": {"swing": "sideways"}}, "sideways"),
        ({"again": -1}, "fewer"),
        ({"piles": {"south": {"points": [["rat"]]}}}, "does not hold"),
        ({"piles": {"west": {}}}, "nobody sits at west"),
        ({"loads": [{"at": [5, 5]}]}, "nothing lies"),
        ({"loads": [{"at": [0, 0], "changes": ["str+1"]}]}, "no change"),
        ({"loads": [{"at": [0, 0], "attached": [{"tile": "taunt", "by": "north"}]}]}, "same tiles"),
    ],
)
def test_what_is_impossible_is_refused_by_name(changes, names):
    with pytest.raises(Unreadable, match=names):
        read(table("S:rat@0,0") | changes)


@pytest.mark.parametrize(
    "player",
    [
        {"hand": -1},
        {"hand": ["unicorn"]},
        {"stacks": [7, 7, 7]},
        {"stacks": [7, 7, 7, 7, -1]},
        {"deck": "XYZ"},
        {"points": ["rat:3"]},
        {"points": ["undue-judgement:x"]},
        {"discard": ["action-placeholder"]},
        {"luck": 7},
    ],
)
def test_a_player_with_something_impossible_is_refused(player):
    with pytest.raises(Unreadable):
        read(table("S:rat@0,0", south=player))


def test_creatures_that_no_deck_lists_may_lie_in_any_area():
    assert verdict(table("S:pig@0,0 N:rabbit@1,0"), "0,0>1,0*?") == "legal"


@pytest.mark.parametrize(
    "move",
    [
        "rat@-1,0",
        "0,0>1,0*?",
        "0,0>1,0+0,1+1,1-2,0*dragons-hoard",
        "0,0>1,0+-1,0--1,1*ox",
        "!pull(0,0>2,0+1)",
        "!sewer-system@0,0(3,0>0,1)",
        "!banana-barrage(0,0:2,0;0,1:-3,0)",
        "!mosey-on(0,0>0,1;1,0>1,1)",
        "!slither(0,0>0,1:1,1)",
        "!stampede(0,0>n)",
        "!taunt(1,0~0,0) ^north:rattle(1,0~0,0) ^south:monkey-swing(0,0>0,2)",
        "0,0>1,0*? ^north:crow-blast(4,0;5,0=north) ^north:reversal-of-fortune",
        "!revive ^north:upset-whelp@0,0(1,0)",
        "!golden-egg@1,0",
        "!golden-egg@south(north)",
        "!time-alone@gone(-1,1)",
        "!mind-control@0,0(0,0>0,1>1,1)",
        "!undue-judgement",
        "!constrict(north=rat;north)",
        "~ox,rat:2",
        ".",
        ".3",
        ".3,3",
        ". revive(ox,rat)",
        ".1 contagion(1,0>2,0)",
        ". revive(rat) contagion(1,0>2,0)",
        "x0,0;1,0",
    ],
)
def test_moves_are_written_as_they_are_read(move):
    state = read(table("S:rat@0,0"))
    assert GAME.write_move(GAME.read_move(move, state), state) == move


def test_moves_have_one_written_form():
    state = read(table("S:rat@0,0"))
    for told, written in {
        "~rat,ox:2": "~ox,rat:2",
        "0,0>1,0-2,0+1,1+0,1*?": "0,0>1,0+0,1+1,1-2,0*?",
        "0,0>1,0": "0,0>1,0*?",
        "!biased-judgement": "!undue-judgement",
        ". revive(rat,ox)": ". revive(ox,rat)",
        "!dragon@1,0(1,0>1,1)": "!mind-control@1,0(1,0>1,1)",
        "!leader-of-the-pack(0,0>0,1)": "!leader-of-the-pack@0,0(0,0>0,1)",
        "!pull(0,0>2,0+0)": "!pull(0,0>2,0)",
    }.items():
        assert GAME.write_move(GAME.read_move(told, state), state) == written


@pytest.mark.parametrize(
    "nonsense",
    [
        "rat@",
        "rat@0",
        "rat@00,0",
        "rat@-0,0",
        "unicorn@0,0",
        "0,0>1",
        "0,0>1,0*unicorn",
        "!pull(0,0)",
        "!pull(0,0>2,0",
        "!pull 0,0",
        "!revive(rat)",
        "!golden-egg@up(north)",
        "rat@0,0 ^north:rattle(0,0~1,0)",
        "!revive ^up:rattle(0,0~1,0)",
        "!revive ^west:rattle(0,0~1,0)",
        "!revive ^north",
        "~rat,ox:6",
        "~rat:1",
        ".6",
        ".1,",
        ".1 revive",
        ".1 pull(0,0)",
        "x",
        "!",
        "^north:rattle(0,0~1,0)",
    ],
)
def test_what_is_no_move_is_refused(nonsense):
    with pytest.raises(Unreadable):
        GAME.read_move(nonsense, read(table("S:rat@0,0")))


def test_what_was_done_and_what_is_to_come_travels_with_the_position():
    busy = after(table("S:monkey@0,0 N:dragon@1,0 S:ox@2,0 S:rat@0,1"), "!taunt(1,0~0,0)", "rat@0,2")
    assert busy["done"] == ["stack", "place"]
    assert busy["loads"] == [{"at": [1, 0], "attached": [{"tile": "taunt", "by": "south", "tie": [0, 0]}]}]
    held = after(busy, "!mind-control(1,0)")
    assert held["pending"] == [{"what": "mind-control", "by": "north", "at": [1, 0]}]
    assert "pending" not in after(held, ".1")


def test_a_taunt_whose_monkey_is_not_told_stays_while_any_of_its_players_monkeys_is_near():
    position = table("S:monkey@0,0 N:dragon@1,0/taunt S:monkey@2,0 S:rat@5,0")
    assert "taunt" in str(after(position, "!monkey-swing(0,0>0,3)")["area"])
    assert "taunt" not in str(after(position, "!monkey-swing(0,0>0,3)", "!monkey-swing(2,0>2,3)")["area"])


def test_a_known_hand_that_draws_from_an_unknown_stack_holds_an_unknown_tile():
    drawn = after(table("S:rat@0,0", south={"hand": ["ox"]}), ".1")
    assert drawn["players"]["south"]["hand"] == ["?", "ox"]
    assert verdict(drawn | {"to_move": "south"}, "monkey@1,0") == "legal"


def test_an_unknown_battle_tile_out_of_a_known_hand_leaves_only_its_number():
    fought = after(table("S:rat@0,0 N:ox@1,0", south={"hand": ["ox", "rat", "pull"]}), "0,0>1,0*?")
    assert fought["players"]["south"]["hand"] == 2
    assert fought["players"]["south"]["discard"] == ["?"]
    same = after(table("S:rat@0,0 N:ox@1,0", south={"hand": ["ox", "ox"]}), "0,0>1,0*?")
    assert same["players"]["south"] | {"stacks": 0} == {
        "deck": "ROM", "points": [], "discard": ["ox"], "hand": ["ox"], "stacks": 0
    }  # fmt: skip


def test_piles_are_written_sorted_and_their_order_beside_them():
    state = start(GAME)
    player = state.player("south")
    pile = player.discard.with_tile("rat").with_tile("ox")
    assert pile.top == "ox"
    assert pile.without("ox").top == "rat"
    shuffled = after(table("S:monkey@0,0 N:ox@3,0", south={"hand": ["rat", "ox"]}), "0,0>3,0*rat", "~ox,ox:1")
    assert shuffled["players"]["south"]["discard"] == ["ox", "ox", "rat"]
    assert shuffled["piles"] == {"south": {"discard": [["rat"], ["ox"], ["ox"]]}}


def test_a_replaced_tile_leaves_its_attachments_and_goes_to_who_started_with_it():
    state = read(table("S:rat@0,0", south={"deck": "custom"}, north={"deck": "custom"}))
    state = attach(state, (0, 0), "leader-of-the-pack", "south")
    swapped = swap_tile(state, (0, 0), "ox", "south")
    assert [part.tile for part in swapped.area[0, 0].attached] == ["leader-of-the-pack"]
    assert swapped.area[0, 0].tile == "ox"
    assert swapped.player("south").discard.names == ("rat",)


def test_costs_go_from_the_point_pile_to_the_discard_pile():
    state = read(table(south={"points": ["rat", "golden-egg", "undue-judgement:2"]}))
    paid = pay(state, "south", 1)
    assert paid.player("south").points.names == ("golden-egg", "undue-judgement:2")
    assert paid.player("south").discard.names == ("rat",)
    assert pay(state, "south", 6) is None


def test_a_pile_of_which_only_the_number_is_known_counts_a_point_a_tile():
    state = read(table(south={"points": 3, "discard": 2}))
    assert GAME.score(state).points["south"] == 3
    assert GAME.write_position(state)["players"]["south"]["discard"] == ["?", "?"]
