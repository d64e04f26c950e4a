"""ZU Tiles, chapter 2: what each tile of the Dragon, Snake and Rooster deck does, cannot do, and meets."""

import pytest
from zu_drawn import after, area, changes, legal, outcome, pile, points, ruling, table, verdict

# --- Explosive Egg


def test_an_explosive_egg_takes_the_tile_put_on_it_along():
    position = table("N:rooster@0,0 N:explosive-egg@1,0 S:rat@2,0")
    assert verdict(position, "ox@1,0") == "legal"
    burst = after(position, "ox@1,0")
    assert area(burst) == "N:rooster@0,0 S:rat@2,0"
    assert pile(burst, "south:discard") == "ox"
    assert pile(burst, "north:discard") == "explosive-egg"


def test_an_explosive_egg_is_laid_beside_an_own_rooster():
    position = table("N:rooster@0,0 S:rooster@2,0 N:dragon@0,1", "north")
    assert verdict(position, "explosive-egg@-1,0") == "legal"
    assert verdict(position, "explosive-egg@0,2") == "2"
    assert verdict(position, "explosive-egg@3,0") == "2"
    assert verdict(position, "explosive-egg@5,5") == "4.2"
    assert verdict(table("N:happy-rooster@0,0", "north"), "explosive-egg@0,1") == "legal"


def test_a_tile_that_moves_onto_an_egg_bursts_with_it_and_others_may_lie_beside():
    position = table("S:ox@0,0/contagion N:rooster@2,0 N:explosive-egg@1,0")
    burst = after(position, "!mosey-on(0,0>1,0)")
    assert area(burst) == "N:rooster@2,0"
    assert pile(burst, "south:discard") == "contagion mosey-on ox"
    assert verdict(position, "rat@1,1") == "legal"
    assert verdict(position, "0,0>1,0*?") == "legal"


def test_a_creature_rattled_onto_an_egg_is_gone_from_the_battle():
    position = table("S:rat@0,0 N:snake@0,1 N:explosive-egg@0,-1 N:rooster@1,0")
    fought = after(position, "0,0>1,0*ox ^north:rattle(0,0~0,1)")
    assert area(fought) == "N:snake@0,1 N:rooster@1,0"
    assert pile(fought, "south:discard") == "ox rat"


# --- Golden Egg


def test_a_golden_egg_becomes_two_points_and_moves_between_point_piles():
    position = table("N:rooster@0,0 N:golden-egg@1,0", "north")
    scored = after(position, "!golden-egg@1,0")
    assert points(scored) == {"south": 0, "north": 2}
    assert "!golden-egg@1,0" in legal(position)
    stolen = after(scored | {"area": [*scored["area"], table("S:dragon@5,5")["area"][0]]}, ".1")
    assert verdict(stolen, "!golden-egg@north(south)") == "legal"
    assert points(after(stolen, "!golden-egg@north(south)")) == {"south": 2, "north": 0}


def test_a_golden_egg_needs_a_rooster_to_be_placed_and_its_controller_to_score():
    assert verdict(table("N:dragon@0,0", "north"), "golden-egg@1,0") == "2"
    assert verdict(table("N:dragon@0,0 N:rooster@0,1", "north"), "golden-egg@1,0") == "legal"
    assert verdict(table("N:dragon@0,0 S:rooster@0,1", "north"), "golden-egg@1,0") == "2"
    position = table("N:rooster@0,0 N:golden-egg@1,0")
    assert verdict(position, "!golden-egg@1,0") == "2"
    assert area(after(position, "!golden-egg@1,0")) == area(position)
    without = table("S:rat@0,0", north={"points": ["golden-egg"]})
    assert verdict(without, "!golden-egg@north(south)") == "2"
    empty = table("S:dragon@0,0")
    assert verdict(empty, "!golden-egg@north(south)") == "2"
    assert verdict(table("S:dragon@0,0", north={"points": ["golden-egg"]}), "!golden-egg@north(north)") == "2"


def test_a_golden_egg_moved_to_the_twelfth_point_wins():
    position = table("S:dragon@0,0", south={"points": ["rat"] * 5 + ["ox"] * 5}, north={"points": ["golden-egg"]})
    won = after(position, "!golden-egg@north(south)")
    assert outcome(won).winner == "south"


def test_a_golden_egg_in_the_area_is_an_item_and_falls_in_battle():
    won = after(table("S:rat@0,0 S:ox@1,1 N:golden-egg@1,0"), "0,0>1,0+1,1*?")
    assert pile(won, "north:discard") == "golden-egg"
    assert points(won) == {"south": 0, "north": 0}


# --- Time Alone


def test_a_dragon_leaves_and_comes_back_beside_an_item():
    position = table("N:dragon@0,0/contagion N:golden-egg@1,0 N:rooster@2,0", "north")
    away = after(position, "!time-alone(0,0)")
    assert area(away) == "N:golden-egg@1,0 N:rooster@2,0"
    assert away["gone"] == [{"tile": "dragon", "by": "north"}]
    assert pile(away, "south:discard") == "contagion"
    assert verdict(away, "!time-alone@gone(1,1)") == "legal"
    assert "!time-alone@gone(1,1)" in legal(away)
    back = after(away, "!time-alone@gone(1,1)")
    assert area(back) == "N:golden-egg@1,0 N:dragon@1,1 N:rooster@2,0"
    assert "gone" not in back


def test_time_alone_is_for_an_own_dragon_and_its_return_for_an_empty_space_beside_a_thing():
    position = table("N:snake@0,0 S:dragon@1,0 N:golden-egg@2,0", "north")
    assert verdict(position, "!time-alone(0,0)") == "2"
    assert verdict(position, "!time-alone(1,0)") == "2"
    assert pile(after(position, "!time-alone(0,0)"), "north:discard") == "time-alone"
    assert verdict(position, "!time-alone@gone(3,0)") == "2"
    away = table("N:snake@0,0 N:golden-egg@2,0 S:rat@1,0", "north", gone=[{"tile": "dragon", "by": "north"}])
    assert verdict(away, "!time-alone@gone(0,1)") == "2"
    assert verdict(away, "!time-alone@gone(1,0)") == "2"
    assert verdict(away, "!time-alone@gone(3,0)") == "legal"
    assert verdict(away | {"to_move": "south"}, "!time-alone@gone(3,0)") == "2"


def test_a_dragon_that_comes_back_may_complete_a_square():
    position = table(
        "N:snake@0,0 N:dragon@1,0 N:snake@1,1 N:golden-egg@-1,1", "north", gone=[{"tile": "dragon", "by": "north"}]
    )
    back = after(position, "!time-alone@gone(0,1)")
    assert points(back)["north"] == 4


def test_a_controlled_dragon_sent_away_comes_back_under_who_sent_it():
    custom = {"deck": "custom"}
    position = table("S:snake@0,0 N:dragon@1,0 S:golden-egg@0,1", south=custom, north=custom)
    away = after(position, "!mind-control(1,0)", "!time-alone(1,0)", ".1", ".1")
    assert away["gone"] == [{"tile": "dragon", "by": "south", "of": "north"}]
    back = after(away, "!time-alone@gone(0,2)")
    assert "S:dragon@0,2" in area(back)
    assert [tile.get("of") for tile in back["area"]] == [None, None, "north"]


# --- Constrict


def test_constrict_takes_a_tile_of_the_hand_for_each_snake():
    squeezed = after(table("N:snake@0,0 N:snake@1,0 S:snake@2,0", "north"), "!constrict")
    assert squeezed["players"]["south"]["hand"] == 3
    assert pile(squeezed, "south:discard") == "? ?"
    known = after(table("N:snake@0,0", "north", south={"hand": ["rat", "rat"]}), "!constrict")
    assert known["players"]["south"]["hand"] == ["rat"]
    assert pile(known, "south:discard") == "rat"
    told = after(table("N:snake@0,0", "north", south={"hand": ["ox", "rat", "rat"]}), "!constrict(south=ox)")
    assert told["players"]["south"]["hand"] == ["rat", "rat"]
    half_seen = after(table("N:snake@0,0 N:snake@1,0", "north"), "!constrict(south=?;south=ox)")
    assert pile(half_seen, "south:discard") == "? ox"


def test_constrict_without_a_snake_or_a_hand_does_nothing():
    none = after(table("N:dragon@0,0", "north"), "!constrict")
    assert none["players"]["south"]["hand"] == 5
    assert pile(none, "north:discard") == "constrict"
    bare = after(table("N:snake@0,0", "north", south={"hand": []}), "!constrict")
    assert bare["players"]["south"]["hand"] == []
    assert verdict(table("N:snake@0,0", "north"), "!constrict(south;south)") == "2"
    assert verdict(table("N:snake@0,0", "north"), "!constrict(north)") == "2"


def test_constrict_can_make_an_opponent_lose_by_a_maximum():
    custom = {"deck": "custom"}
    position = table("N:snake@0,0", "north", north=custom, south=custom | {"hand": ["revive"], "discard": ["revive"]})
    assert outcome(after(position, "!constrict")).winner == "north"


def test_constrict_squeezes_the_next_opponent_or_the_ones_named():
    position = table("S:snake@0,0 S:snake@1,0", players="SWN")
    assert after(position, "!constrict")["players"]["west"]["hand"] == 3
    split = after(position, "!constrict(north;west)")
    assert [split["players"][seat]["hand"] for seat in ("west", "north")] == [4, 4]


# --- Crow Blast


def test_crow_blast_ends_the_battle_and_names_its_winner():
    position = table("S:ox@0,0 N:snake@1,0 N:rooster@4,0 N:rooster@5,0 S:rat@1,1")
    move = "0,0>1,0+1,1*rat ^north:crow-blast(4,0;5,0=north)"
    blown = after(position, move)
    assert area(blown) == "N:snake@1,0"
    assert pile(blown, "north:points") == "ox rat"
    assert pile(blown, "north:discard") == "crow-blast rooster rooster"
    assert pile(blown, "south:discard") == "rat"
    assert verdict(position, move) == "legal"


def test_crow_blast_without_a_battle_or_two_roosters_cannot_be_done():
    position = table("S:ox@0,0 N:snake@1,0 N:rooster@4,0 N:rooster@5,0 S:rooster@6,0")
    idle = after(position, "!pull(0,0>0,1) ^north:crow-blast(4,0;5,0=north)")
    assert "N:rooster@4,0 N:rooster@5,0" in area(idle)
    assert pile(idle, "north:discard") == "crow-blast"
    assert "S:ox@0,1" in area(idle)
    for wrong in ("4,0;4,0=north", "4,0;6,0=north", "4,0;1,0=north", "4,0;5,0=west"):
        assert verdict(position, f"0,0>1,0*? ^north:crow-blast({wrong})") == "2"


def test_crow_blast_discards_the_tiles_below_it_undone():
    position = table("S:ox@0,0 N:snake@1,0 N:rooster@4,0 N:rooster@5,0 S:monkey@7,0")
    move = "0,0>1,0*rat ^south:banana-barrage(7,0:1,0) ^north:crow-blast(4,0;5,0=north)"
    blown = after(position, move)
    assert pile(blown, "south:discard") == "banana-barrage rat"
    assert pile(blown, "north:points") == "ox"
    above = after(position, "0,0>1,0*rat ^north:crow-blast(4,0;5,0=north) ^south:banana-barrage(7,0:4,0)")
    assert pile(above, "north:points") == ""
    assert "N:rooster@5,0" in area(above)


def test_a_defender_that_crows_itself_away_may_still_win():
    position = table("S:ox@0,0 N:rooster@1,0 N:rooster@5,0")
    blown = after(position, "0,0>1,0*rat ^north:crow-blast(1,0;5,0=north)")
    assert pile(blown, "north:points") == "ox"
    assert area(blown) == ""


# --- Diamond Rooster Totem


def test_roosters_under_the_totem_cannot_be_chosen():
    position = table("S:ox@0,0 N:rooster@1,0 N:happy-rooster@0,1 N:diamond-rooster-totem@5,0 S:rooster@0,-1")
    assert verdict(position, "0,0>1,0*?") == "2"
    assert verdict(position, "0,0>0,1*?") == "2"
    assert not [move for move in legal(position) if move.startswith("0,0>")]


def test_the_totem_protects_no_other_creature_and_nobody_elses_rooster():
    position = table("S:ox@0,0 N:snake@1,0 N:diamond-rooster-totem@0,1")
    assert verdict(position, "0,0>1,0*?") == "legal"
    assert verdict(position, "0,0>0,1*?") == "legal"
    assert verdict(table("S:ox@0,0 N:rooster@1,0 S:diamond-rooster-totem@5,0"), "0,0>1,0*?") == "legal"


def test_a_protected_rooster_may_still_ally_and_be_captured():
    position = table("S:rat@0,0 S:ox@1,1 N:golden-egg@1,0 N:rooster@2,0 N:diamond-rooster-totem@5,0")
    won = after(position, "0,0>1,0+1,1-2,0*?")
    assert pile(won, "south:points") == "rooster"


# --- Dragon's Hoard


def test_a_hoard_sends_the_dragons_beside_it_to_the_discard_pile():
    position = table("N:dragon@0,0 N:upset-whelp@2,0 S:dragon@1,1 N:dragon@3,0", "north")
    placed = after(position, "dragons-hoard@1,0")
    assert area(placed) == "N:dragons-hoard@1,0 N:dragon@3,0"
    assert pile(placed, "north:discard") == "dragon dragon upset-whelp"


def test_a_hoard_needs_an_own_dragon_beside_it():
    position = table("S:dragon@0,0 N:snake@0,1 N:dragon@5,0", "north")
    assert verdict(position, "dragons-hoard@1,0") == "2"
    assert verdict(position, "dragons-hoard@6,0") == "legal"
    assert verdict(position, "dragons-hoard@9,9") == "4.2"


def test_a_defeated_hoard_is_four_points_for_the_attacking_player_even_its_own():
    strong = "S:ox@0,0 S:rat@1,1 S:rat@1,-1 S:ox@2,0"
    won = after(table(f"{strong} N:dragons-hoard@1,0"), "0,0>1,0+1,-1+1,1+2,0*?")
    assert points(won) == {"south": 4, "north": 0}
    own = after(table(f"{strong} S:dragons-hoard@1,0"), "0,0>1,0+1,-1+1,1+2,0*?")
    assert points(own) == {"south": 4, "north": 0}


# --- Egg Pelt


def test_egg_pelt_gives_another_turn():
    position = table("N:rooster@0,0 N:golden-egg@1,0 N:explosive-egg@0,1", "north")
    pelted = after(position, "!egg-pelt(0,1;1,0)")
    assert area(pelted) == "N:rooster@0,0"
    assert pile(pelted, "north:discard") == "egg-pelt explosive-egg golden-egg"
    again = after(pelted, ".1")
    assert again["to_move"] == "north"
    assert "done" not in again
    assert after(again, ".1")["to_move"] == "south"


def test_egg_pelt_needs_two_own_eggs():
    position = table("N:rooster@0,0 N:golden-egg@1,0 S:explosive-egg@0,1 N:explosive-egg@-1,0", "north")
    for wrong in ("1,0;1,0", "1,0;0,1", "0,0;1,0"):
        assert verdict(position, f"!egg-pelt({wrong})") == "2"
    spoilt = after(position, "!egg-pelt(1,0;0,1)")
    assert area(spoilt) == area(position)
    assert "again" not in spoilt
    assert [
        move for move in legal(table("N:golden-egg@1,0", "north", north={"hand": ["egg-pelt"]})) if "pelt" in move
    ] == []


def test_the_other_turn_of_egg_pelt_is_a_whole_one_and_contagion_strikes_in_between():
    position = table("N:rooster@0,0/contagion N:golden-egg@1,0 N:explosive-egg@0,1 N:snake@-1,0", "north")
    again = after(position, "!egg-pelt(0,1;1,0)", ".1")
    assert area(again) == "N:snake@-1,0/contagion"
    assert area(after(again, ".1")) == ""


# --- Happy Rooster and Upset Whelp


def test_a_happy_rooster_completes_a_square_with_anyone():
    # Rooster and Rat fit no Rooster but this one.
    scored = after(table("S:ox@0,0 N:rooster@0,1 N:rat@1,0", "north"), "happy-rooster@1,1")
    assert pile(scored, "north:points") == "happy-rooster ox rat rooster"


def test_a_happy_rooster_makes_no_peace_between_others():
    quarrel = table("S:ox@0,0 S:monkey@0,1 N:rat@1,0", "north")
    assert points(after(quarrel, "happy-rooster@1,1"))["north"] == 0
    assert "Monkey-Ox is not compatible" in ruling(quarrel, "happy-rooster@1,1").says


def test_a_second_happy_rooster_in_the_piles_loses():
    custom = {"deck": "custom"}
    position = table(
        "S:ox@0,0 S:rat@1,1 N:happy-rooster@1,0", south=custom | {"points": ["happy-rooster"]}, north=custom
    )
    assert outcome(after(position, "0,0>1,0+1,1*?")).winner == "north"


def test_an_opponent_upsets_the_whelp_once_a_turn():
    position = table("N:upset-whelp@0,0 N:dragon@1,0 S:rat@0,1", "north")
    lashed = after(position, "!revive ^south:upset-whelp@0,0(1,0)")
    assert changes(lashed, "1,0") == ["str-2"]
    twice = "!revive ^south:upset-whelp@0,0(1,0)"
    assert verdict(lashed, twice) == "2"
    assert verdict(position, "!revive ^north:upset-whelp@0,0(0,1)") == "2"
    assert verdict(position, "!revive ^south:upset-whelp@0,0(5,5)") == "2"
    assert verdict(position, f"{twice} ^south:upset-whelp@0,0(0,1)") == "2"
    assert verdict(after(lashed, ".1"), "!taunt(0,0~1,1)") == "2"
    assert after(lashed, ".1")["area"][0] == position["area"][0]


def test_the_whelp_starts_no_stack_and_weak_neighbours_fall():
    position = table("N:upset-whelp@0,0 S:rat@0,1 N:rooster@1,0")
    assert verdict(position, "!upset-whelp@0,0(1,0)") == "5.1"
    fought = after(position | {"to_move": "north"}, "0,0>0,1*? ^south:upset-whelp@0,0(1,0)")
    assert pile(fought, "north:discard") == "? rooster"


def test_a_whelp_among_dragons_is_five_points_for_its_controller():
    position = table(
        "N:upset-whelp@0,0 N:dragon@1,0 S:dragon@-1,0 N:dragon@0,1", south={"hand": ["dragon"], "deck": "custom"}
    )
    full = after(position, "dragon@0,-1")
    assert area(full) == ""
    assert points(full) == {"south": 0, "north": 5}
    assert pile(full, "north:points") == "dragon dragon dragon dragon upset-whelp"
    short = after(table("N:upset-whelp@0,0 N:dragon@1,0 S:snake@-1,0 N:dragon@0,1", "north"), "dragon@0,-1")
    assert points(short)["north"] == 0


# --- Hypnotic Glare


def test_hypnotic_glare_makes_one_of_strength_and_none_of_wit():
    position = table("N:snake@0,0 S:ox@1,0 N:rooster@1,1", "north")
    glared = after(position, "!hypnotic-glare(1,0~0,0)")
    assert area(glared) == "N:snake@0,0 S:ox@1,0/hypnotic-glare N:rooster@1,1"
    assert "against Ox 1/0" in ruling(glared, "1,1>1,0*?").says
    assert points(after(glared, "0,0>1,0*?"))["north"] == 1


def test_hypnotic_glare_needs_a_creature_beside_an_own_snake():
    position = table("N:snake@0,0 S:ox@1,0 S:rat@2,0 S:snake@3,0 S:sewer-system@0,1", "north")
    for wrong in ("2,0~0,0", "2,0~3,0", "0,1~0,0", "5,5~0,0"):
        assert verdict(position, f"!hypnotic-glare({wrong})") == "2"
    assert pile(after(position, "!hypnotic-glare(2,0~0,0)"), "north:discard") == "hypnotic-glare"


def test_hypnotic_glare_falls_off_when_its_snake_goes_and_order_matters():
    glared = after(table("N:snake@0,0 S:ox@1,0 S:monkey@1,1", "north"), "!hypnotic-glare(1,0~0,0)")
    gone = after(glared, ".1", "!pull(1,0>2,0)")
    assert area(gone) == "N:snake@0,0 S:monkey@1,1 S:ox@2,0"
    assert pile(gone, "north:discard") == "hypnotic-glare"
    # Lowered first and then set to 1 it stays at 1; set first and then lowered it falls.
    lowered = table("N:snake@0,0 S:ox@1,0 S:monkey@4,0", "north")
    before = after(lowered, "!hypnotic-glare(1,0~0,0) ^south:banana-barrage(4,0:1,0)")
    assert changes(before, "1,0") == ["str-1", "hypnotic-glare"]
    later = after(after(lowered, "!hypnotic-glare(1,0~0,0)"), "!slither(0,0>0,1) ^south:banana-barrage(4,0:1,0)")
    assert "ox" in pile(later, "south:discard")
    sets_first = after(
        lowered | {"options": {"order-of-changes": "sets-first"}},
        "!hypnotic-glare(1,0~0,0) ^south:banana-barrage(4,0:1,0)",
    )
    assert "ox" in pile(sets_first, "south:discard")


# --- Rattle


def test_rattle_pushes_away_or_weakens():
    position = table("N:snake@0,0 S:ox@1,0 S:rat@2,0", "north")
    weakened = after(position, "!revive ^north:rattle(1,0~0,0)")
    assert changes(weakened, "1,0") == ["str-2"]
    free = after(table("N:snake@0,0 S:ox@1,0", "north"), "!revive ^north:rattle(1,0~0,0)")
    assert area(free) == "N:snake@0,0 S:ox@2,0"


def test_rattle_needs_a_creature_beside_an_own_snake():
    position = table("N:snake@0,0 S:ox@1,0 S:rat@2,0 S:sewer-system@0,1", "north")
    for wrong in ("2,0~0,0", "0,1~0,0", "1,0~2,0"):
        assert verdict(position, f"!revive ^north:rattle({wrong})") == "2"
        assert pile(after(position, f"!revive ^north:rattle({wrong})"), "north:discard") == "rattle revive"


def test_rattle_that_weakens_too_much_discards_and_one_that_pushes_may_score():
    position = table("N:snake@0,0 S:rat@1,0 S:ox@2,0", "north")
    assert pile(after(position, "!revive ^north:rattle(1,0~0,0)"), "south:discard") == "rat"
    pushed = table("N:snake@0,0 S:rat@1,0 N:dragon@3,0 N:dragon@2,1 N:snake@3,1", "north")
    assert points(after(pushed, "!revive ^north:rattle(1,0~0,0)"))["north"] == 4


# --- Reversal of Fortune


def test_the_lower_side_wins_by_reversal_of_fortune():
    position = table("S:pig@0,0 N:rooster@1,0")
    move = "0,0>1,0*? ^north:reversal-of-fortune"
    assert pile(after(position, move), "north:points") == "pig"
    assert "STR and INT are lower for the Defender" in ruling(position, move).says


def test_reversal_of_fortune_is_for_creatures_in_a_battle_only():
    egg = after(table("S:ox@0,0 S:rat@1,1 N:golden-egg@1,0"), "0,0>1,0+1,1*? ^north:reversal-of-fortune")
    assert pile(egg, "north:discard") == "golden-egg reversal-of-fortune"
    idle = after(table("S:ox@0,0 N:rooster@1,0"), "!pull(0,0>0,1) ^north:reversal-of-fortune")
    assert pile(idle, "north:discard") == "reversal-of-fortune"


def test_reversal_of_fortune_leaves_a_draw_a_draw_and_counts_allies():
    draw = after(table("S:rat@0,0 N:ox@1,0"), "0,0>1,0*? ^north:reversal-of-fortune")
    assert points(draw) == {"south": 0, "north": 0}
    allied = after(table("S:ox@0,0 S:rat@1,1 N:snake@1,0"), "0,0>1,0+1,1*? ^north:reversal-of-fortune")
    assert pile(allied, "north:points") == "ox rat"


# --- Slither


def test_slither_moves_a_snake_and_dazes_a_creature():
    position = table("N:snake@0,0 S:dragon@1,1 S:ox@2,0 S:rat@0,-1", "north")
    slid = after(position, "!slither(0,0>1,0:1,1)")
    assert area(slid) == "S:rat@0,-1 N:snake@1,0 S:dragon@1,1 S:ox@2,0"
    assert changes(slid, "1,1") == ["int=1"]
    assert area(after(position, "!slither(0,0>0,1)")) == "S:rat@0,-1 N:snake@0,1 S:dragon@1,1 S:ox@2,0"
    assert area(after(position, "!revive ^north:slither(0,0>0,1)")).startswith("S:rat@0,-1 N:snake@0,1")


def test_slither_goes_one_empty_space_and_dazes_a_neighbour_only():
    position = table("N:snake@0,0 S:dragon@1,1 S:ox@1,0 S:sewer-system@0,2", "north")
    for wrong in ("0,0>1,0", "0,0>0,1>0,2", "0,0>-1,-1", "1,0>2,0", "0,0>-1,0:1,1", "0,0>0,1:0,2", "0,0>0,1:0,0"):
        assert verdict(position, f"!slither({wrong})") == "2", wrong
    spoilt = after(position, "!slither(0,0>1,0)")
    assert area(spoilt) == area(position)
    assert pile(spoilt, "north:discard") == "slither"


def test_slither_into_a_square_scores_and_then_dazes_nobody():
    position = table("N:snake@0,0 N:snake@1,1 N:dragon@2,0 N:dragon@2,1 S:ox@1,-1", "north")
    slid = after(position, "!slither(0,0>1,0:1,-1)")
    assert points(slid)["north"] == 4
    assert changes(slid, "1,-1") == []


# --- Wingspan


@pytest.mark.parametrize(("players", "seat"), [("SN", "north"), ("SN", "south")])
def test_wingspan_blows_left_and_right_or_captures(players, seat):
    me, other = ("N", "S") if seat == "north" else ("S", "N")
    position = table(f"{me}:dragon@0,0 {other}:ox@1,0 {other}:rat@-1,0 {other}:rat@-2,0 {other}:ox@0,1", seat)
    blown = after(position, "!wingspan(0,0)")
    assert area(blown) == f"{other}:rat@-2,0 {me}:dragon@0,0 {other}:ox@0,1 {other}:ox@2,0"
    assert pile(blown, f"{seat}:points") == "rat"


def test_wingspan_is_for_an_own_dragon_with_somebody_beside_it():
    position = table("N:dragon@0,0 N:snake@1,0 S:ox@0,1 S:dragon@0,2", "north")
    assert verdict(position, "!wingspan(1,0)") == "2"
    assert verdict(position, "!wingspan(0,2)") == "2"
    nobody = after(position, "!wingspan(0,0)")
    assert area(nobody) == area(position)
    assert pile(nobody, "north:discard") == "wingspan"


def test_left_and_right_are_as_the_player_sees_them():
    sideways = "W:dragon@0,0 N:ox@1,0 N:rat@0,1"
    blown = after(table(sideways, "west", "SWN"), "!wingspan(0,0)")
    assert area(blown) == "W:dragon@0,0 N:rat@0,2 N:ox@1,0"
    fixed = after(table(sideways, "west", "SWN", options={"left-and-right": "south"}), "!wingspan(0,0)")
    assert area(fixed) == "W:dragon@0,0 N:rat@0,1 N:ox@2,0"


def test_wingspan_may_complete_a_square_with_what_it_blows_away():
    position = table("N:dragon@0,0 S:rat@1,0 S:rat@3,0 S:ox@2,1 S:rat@3,1", "north")
    assert points(after(position, "!wingspan(0,0)"))["north"] == 4
