"""ZU Tiles, chapter 5: stacks, Battles and allies."""

import pytest
from zu_drawn import after, area, legal, pile, points, ruling, table, verdict

OPTIONAL = "N:dragon@0,0 N:snake@1,1 S:ox@1,0 S:rat@2,0"


def fight(attacker, defender):
    return table(f"S:{attacker}@0,0 N:{defender}@1,0", south={"deck": "custom"}, north={"deck": "custom"})


def test_pig_beats_rabbit_and_rat_against_ox_is_a_draw():
    assert pile(after(fight("pig", "rabbit"), "0,0>1,0*?"), "south:points") == "rabbit"
    draw = after(fight("rat", "ox"), "0,0>1,0*?")
    assert area(draw) == "S:rat@0,0 N:ox@1,0"
    assert points(draw) == {"south": 0, "north": 0}
    assert ruling(fight("rat", "ox"), "0,0>1,0*?").says == (
        "Rat 1/5 against Ox 5/1: INT is greater, STR is not: a draw, 5.4"
    )


def test_dragon_alone_beats_rooster_monkey_rabbit_and_dog():
    every = ["rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "ram", "monkey", "rooster", "dog", "pig"]
    beaten = [name for name in every if points(after(fight("dragon", name), "0,0>1,0*?"))["south"]]
    # A Horse 4/3 and a Pig 3/4 hold a Dragon 4/4 in one value, and so on.
    assert beaten == ["rabbit", "monkey", "rooster", "dog"]


def test_the_attacker_may_lose_too():
    lost = after(fight("rabbit", "pig"), "0,0>1,0*?")
    assert area(lost) == "N:pig@1,0"
    assert pile(lost, "north:points") == "rabbit"


def test_a_battle_is_told_as_a_sum():
    position = table(OPTIONAL, "north")
    assert ruling(position, "0,0>1,0+1,1-2,0*?").says == (
        "Dragon 4/4 + Snake 2/4 = 6/8 against Ox 5/1 + Rat 1/5 = 6/6: INT is greater, STR is not: a draw, 5.4"
    )


def test_the_loser_and_its_allies_go_to_the_winners_point_pile():
    position = table("S:ox@0,0 S:rat@1,1 N:rooster@1,0 N:rooster@2,0")
    won = after(position, "0,0>1,0+1,1-2,0*ox")
    assert area(won) == "S:ox@0,0 S:rat@1,1"
    assert pile(won, "south:points") == "rooster rooster"
    assert pile(won, "south:discard") == "ox"
    assert won["players"]["south"]["hand"] == 4


def test_an_attack_needs_an_own_creature_and_a_neighbour_that_is_none():
    position = table("S:ox@0,0 S:rat@0,1 N:rat@1,0 S:sewer-system@-1,0 N:snake@1,1")
    assert verdict(position, "0,0>1,0*?") == "legal"
    assert verdict(position, "0,0>-1,0*?") == "legal"
    assert verdict(position, "0,0>0,1*?") == "5.2"
    assert verdict(position, "0,0>1,1*?") == "5.2"
    assert verdict(position, "1,0>0,0*?") == "5.2"
    assert verdict(position, "-1,0>0,0*?") == "5.2"
    assert verdict(position, "0,0>0,-1*?") == "5.2"


def test_a_battle_needs_a_tile_of_the_hand():
    assert verdict(table("S:ox@0,0 N:rooster@1,0", south={"hand": 0}), "0,0>1,0*?") == "5.2"
    held = table("S:ox@0,0 N:rooster@1,0", south={"hand": ["rat"]})
    assert verdict(held, "0,0>1,0*ox") == "5.2"
    assert [move for move in legal(held) if ">" in move] == ["0,0>1,0*rat"]


def test_allies_are_creatures_beside_the_defender_each_on_one_side():
    position = table("S:ox@0,0 N:snake@1,0 S:rat@1,1 S:rat@0,1 N:rooster@2,0 S:sewer-system@1,-1")
    assert verdict(position, "0,0>1,0+1,1-2,0*?") == "legal"
    assert verdict(position, "0,0>1,0+0,1*?") == "5.3"
    assert verdict(position, "0,0>1,0+1,-1*?") == "5.3"
    assert verdict(position, "0,0>1,0+2,0*?") == "5.3"
    assert verdict(position, "0,0>1,0-1,1*?") == "5.3"
    assert verdict(position, "0,0>1,0+1,1-1,1*?") == "5.3"
    assert verdict(position, "0,0>1,0+0,0*?") == "5.3"
    assert verdict(position, "0,0>1,0+5,5*?") == "5.3"


def test_legal_lists_a_battle_with_all_allies_there_could_be():
    position = table("S:ox@0,0 N:snake@1,0 S:rat@1,1 N:rooster@2,0", south={"hand": 1, "stacks": [0] * 5})
    assert [move for move in legal(position) if move.startswith("0,0>1,0")] == [
        "0,0>1,0*?",
        "0,0>1,0+1,1*?",
        "0,0>1,0+1,1-2,0*?",
        "0,0>1,0-2,0*?",
    ]


def test_negative_cells_keep_their_sign_beside_the_marks_of_allies():
    position = table("S:ox@0,-1 N:snake@0,0 S:rat@-1,0 N:rooster@1,0 N:rooster@0,1")
    assert verdict(position, "0,-1>0,0+-1,0-0,1-1,0*?") == "legal"
    mirrored = table("S:ox@0,-1 N:snake@0,0 S:rat@1,0 N:rooster@-1,0")
    assert verdict(mirrored, "0,-1>0,0+1,0--1,0*?") == "legal"


def test_a_third_player_may_ally_with_either_side_but_not_the_other_side_itself():
    position = table("S:ox@0,0 N:snake@1,0 W:rat@1,1 N:rooster@2,0", players="SWN")
    assert verdict(position, "0,0>1,0+1,1*?") == "legal"
    assert verdict(position, "0,0>1,0-1,1*?") == "legal"
    assert verdict(position, "0,0>1,0+2,0*?") == "5.3"
    # Together they win, and the attacking player alone takes what was beaten.
    won = after(position, "0,0>1,0+1,1*?")
    assert points(won) == {"south": 1, "west": 0, "north": 0}


def test_a_third_players_ally_is_captured_with_the_loser():
    position = table("S:rooster@0,0 N:dragon@1,0 W:rooster@1,1", players="SWN")
    lost = after(position, "0,0>1,0+1,1*?")
    assert pile(lost, "north:points") == "rooster rooster"


def test_a_defeated_item_is_discarded_and_its_allies_are_captured():
    position = table("S:ox@0,0 N:explosive-egg@1,0 S:rat@1,1 S:rat@1,-1 N:rooster@2,0")
    won = after(position, "0,0>1,0+1,-1+1,1-2,0*?")
    assert pile(won, "north:discard") == "explosive-egg"
    assert pile(won, "south:points") == "rooster"


def test_anyones_creature_defends_an_item_and_from_oneself_one_discards():
    position = table("S:ox@0,0 N:golden-egg@1,0 S:monkey@1,1 N:rooster@2,0")
    assert verdict(position, "0,0>1,0-1,1*?") == "legal"
    # Ox 5/1 against Golden Egg 3/0 + Rooster 1/1 = 4/1: a draw; without the Rooster it falls.
    assert area(after(position, "0,0>1,0-2,0*?")) == area(position)
    assert pile(after(position, "0,0>1,0*?"), "north:discard") == "golden-egg"


def test_a_creature_one_would_capture_from_oneself_goes_to_the_own_discard_pile():
    position = table("S:ox@0,0 N:golden-egg@1,0 S:rat@2,0 S:monkey@1,1 S:ox@1,-1")
    # Ox + Ox 10/2 against Golden Egg + Monkey 5/3: a draw; Ox + Ox + Rat 11/7 wins.
    won = after(position, "0,0>1,0+1,-1+2,0-1,1*?")
    assert pile(won, "north:discard") == "golden-egg"
    assert pile(won, "south:discard") == "? monkey"
    assert points(won) == {"south": 0, "north": 0}


def test_an_own_item_may_be_attacked_and_beats_its_attacker_into_the_discard_pile():
    position = table("S:rooster@0,0 S:dragons-hoard@1,0 S:snake@1,1", south={"deck": "custom"})
    lost = after(position, "0,0>1,0+1,1*?")
    assert area(lost) == "S:dragons-hoard@1,0"
    assert pile(lost, "south:discard") == "? rooster snake"
    assert points(lost) == {"south": 0, "north": 0}


def test_an_item_of_another_player_captures_who_attacks_it_in_vain():
    lost = after(table("S:rooster@0,0 N:dragons-hoard@1,0"), "0,0>1,0*?")
    assert pile(lost, "north:points") == "rooster"


def test_nothing_is_compared_when_the_two_are_no_longer_neighbours():
    position = table("S:ox@0,0 N:rooster@1,0 N:snake@1,1")
    fled = after(position, "0,0>1,0*rat ^north:rattle(1,0~1,1)")
    assert area(fled) == "S:ox@0,0 N:rooster@1,-1 N:snake@1,1"
    assert pile(fled, "south:discard") == "rat"
    assert pile(fled, "north:discard") == "rattle"
    assert "no longer neighbours" in ruling(position, "0,0>1,0*rat ^north:rattle(1,0~1,1)").says


def test_an_ally_that_no_longer_neighbours_the_defender_is_out():
    position = table("S:monkey@0,0 N:rooster@1,0 S:ox@2,0 N:snake@2,1")
    assert points(after(position, "0,0>1,0+2,0*?"))["south"] == 1
    moved = after(table("S:rat@0,0 N:ox@1,0 S:ox@2,0 N:snake@2,1"), "0,0>1,0+2,0*? ^north:rattle(2,0~2,1)")
    assert area(moved) == "S:rat@0,0 N:ox@1,0 S:ox@2,-1 N:snake@2,1"
    assert points(moved) == {"south": 0, "north": 0}


def test_reactions_resolve_last_first():
    position = table("S:rat@0,0 N:snake@1,0 N:snake@0,1")
    # Rattle from the south of it pushes the Rat away first; then the other Snake no longer neighbours it.
    both = after(position, "!revive ^north:slither(0,1>0,2) ^north:rattle(0,0~0,1)")
    assert area(both) == "S:rat@0,-1 N:snake@0,2 N:snake@1,0"
    turned = after(position, "!revive ^north:rattle(0,0~0,1) ^north:slither(0,1>0,2)")
    assert area(turned) == "S:rat@0,0 N:snake@0,2 N:snake@1,0"
    assert pile(turned, "north:discard") == "rattle slither"


def test_a_stack_starts_with_an_action_and_grows_by_reactions():
    position = table("S:monkey@0,0 N:snake@1,0 S:rat@0,1 S:ox@0,2")
    assert verdict(position, "!rattle(0,0~1,0)") == "2"
    assert verdict(table("S:snake@1,0 N:rat@0,0"), "!rattle(0,0~1,0)") == "5.1"
    assert verdict(position, "!rat") == "5.1"
    assert verdict(position, "!taunt(1,0~0,0) ^north:rattle(0,0~1,0)") == "legal"
    assert verdict(position, "!taunt(1,0~0,0) ^south:monkey-swing(0,0>0,-2)") == "legal"
    assert verdict(position, "!taunt(1,0~0,0) ^south:pull(0,2>0,3)") == "5.1"
    assert verdict(position, "!taunt(1,0~0,0) ^north:upset-whelp@5,5(1,0)") == "2"
    held = table("S:monkey@0,0 N:snake@1,0", north={"hand": ["slither"]}, south={"hand": ["taunt"]})
    assert verdict(held, "!taunt(1,0~0,0) ^north:slither(1,0>1,1)") == "legal"
    assert verdict(held, "!taunt(1,0~0,0) ^north:rattle(0,0~1,0)") == "5.1"
    assert verdict(held, "!taunt(1,0~0,0) ^north:slither(1,1>1,2) ^north:slither(1,0>1,1)") == "5.1"
    assert verdict(held, "!monkey-swing(0,0>0,3)") == "5.1"
    once = table("S:monkey@0,0 N:snake@1,0", south={"hand": ["taunt"]})
    assert verdict(once, "0,0>1,0*taunt ^south:taunt(1,0~0,0)") == "5.1"


def test_what_cannot_be_done_when_it_is_reached_is_discarded():
    position = table("S:ox@0,0 N:snake@1,0 N:dragon@2,0")
    # Rattle pushes the Ox west; then it no longer stands where Pull begins.
    spoilt = after(position, "!pull(0,0>0,3) ^north:rattle(0,0~1,0)")
    assert area(spoilt) == "S:ox@-1,0 N:snake@1,0 N:dragon@2,0"
    assert pile(spoilt, "south:discard") == "pull"
    assert verdict(position, "!pull(0,0>0,3) ^north:rattle(0,0~1,0)") == "legal"
    # What a reaction makes possible may be named beforehand.
    assert verdict(position, "!pull(-1,0>-1,2) ^north:rattle(0,0~1,0)") == "legal"
    assert verdict(position, "!pull(-1,0>-1,2)") == "2"


def test_no_strength_left_is_discarded_at_once_and_no_wit_does_no_harm():
    position = table("S:monkey@0,0 N:rooster@2,0 N:ox@3,0 S:monkey@0,1")
    hit = after(position, "!banana-barrage(0,0:2,0)")
    assert pile(hit, "north:discard") == "rooster"
    glared = after(table("N:snake@0,0 S:ox@1,0", "north"), "!hypnotic-glare(1,0~0,0)")
    assert area(glared) == "N:snake@0,0 S:ox@1,0/hypnotic-glare"


@pytest.mark.parametrize("sides", ["+0,0", "-0,0", "+1,1+1,1", "+1,1-1,1"])
def test_a_tile_named_twice_in_a_battle_is_ruled_on_and_fights_once(sides):
    position = table("S:rooster@0,0 S:rooster@1,1 N:dragon@1,0")
    assert verdict(position, f"0,0>1,0{sides}*? ^south:rattle(5,5~6,6)") == "2"
    assert verdict(position, f"0,0>1,0{sides}*?") == "5.3"
    assert "N:dragon@1,0" in area(after(position, f"0,0>1,0{sides}*?"))
