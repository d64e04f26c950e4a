"""ZU Tiles, chapter 2: what each tile of the Rat, Ox and Monkey deck does, cannot do, and meets."""

from zu_drawn import after, area, changes, legal, pile, points, ruling, table, verdict

# --- Banana Barrage


def test_banana_barrage_lowers_one_tile_for_each_monkey():
    position = table("S:monkey@0,0 S:monkey@0,1 N:dragon@2,0 N:snake@3,0")
    hit = after(position, "!banana-barrage(0,0:2,0;0,1:3,0)")
    assert [changes(hit, at) for at in ("0,0", "2,0", "3,0")] == [[], ["str-1"], ["str-1"]]
    assert pile(hit, "south:discard") == "banana-barrage"
    assert "loads" not in after(hit, ".1")


def test_banana_barrage_reaches_no_neighbour_and_each_monkey_throws_once():
    position = table("S:monkey@0,0 N:dragon@1,0 N:snake@2,0 S:rat@0,1")
    assert verdict(position, "!banana-barrage(0,0:1,0)") == "2"
    assert verdict(position, "!banana-barrage(0,1:2,0)") == "2"
    assert verdict(position, "!banana-barrage(0,0:5,5)") == "2"
    assert verdict(position, "!banana-barrage(0,0:2,0;0,0:2,0)") == "2"
    assert verdict(position, "!banana-barrage") == "2"
    spoilt = after(position, "!banana-barrage(0,0:1,0)")
    assert area(spoilt) == area(position)
    assert pile(spoilt, "south:discard") == "banana-barrage"


def test_banana_barrage_as_a_reaction_turns_a_battle():
    position = table("N:dragon@0,0 S:ox@1,0 S:monkey@3,0 S:rat@1,1 N:snake@0,1", "north")
    plain = ruling(position, "0,0>1,0-1,1*?").says
    assert "Dragon 4/4 against Ox 5/1 + Rat 1/5 = 6/6" in plain
    assert "Dragon 3/4" in ruling(position, "0,0>1,0-1,1*? ^south:banana-barrage(3,0:0,0)").says


def test_two_bananas_on_a_weak_tile_discard_it():
    hit = after(table("S:monkey@0,0 S:monkey@0,1 N:snake@2,0"), "!banana-barrage(0,0:2,0;0,1:2,0)")
    assert area(hit) == "S:monkey@0,0 S:monkey@0,1"
    assert pile(hit, "north:discard") == "snake"


# --- Monkey Swing


def test_monkey_swing_passes_two_spaces_as_an_action_and_one_as_a_reaction():
    position = table("S:monkey@0,0 N:ox@1,0 N:rat@0,1")
    assert area(after(position, "!monkey-swing(0,0>3,0)")) == "N:rat@0,1 N:ox@1,0 S:monkey@3,0"
    assert area(after(position, "!revive ^south:monkey-swing(0,0>2,0)")) == "N:rat@0,1 N:ox@1,0 S:monkey@2,0"


def test_monkey_swing_goes_straight_exactly_into_an_empty_space():
    position = table("S:monkey@0,0 N:ox@1,0 N:rat@3,0 N:monkey@0,1")
    for wrong in ("0,0>3,0", "0,0>2,0", "0,0>0,-2", "0,0>2,1", "0,0>0,0", "0,1>0,4", "1,0>1,3"):
        assert verdict(position, f"!monkey-swing({wrong})") == "2"
    assert verdict(position, "!monkey-swing(0,0>0,-3)") == "legal"
    nearer = table("S:monkey@0,0 N:ox@1,0", options={"swing": "up-to"})
    assert verdict(nearer, "!monkey-swing(0,0>2,0)") == "legal"
    assert verdict(nearer, "!monkey-swing(0,0>1,0)") == "2"


def test_monkey_swing_lands_in_a_square_and_scores_it():
    swung = after(table("S:monkey@0,0 N:rat@2,0 N:rat@3,1 S:monkey@2,1"), "!monkey-swing(0,0>3,0)")
    assert points(swung)["south"] == 4


def test_a_swinging_monkey_takes_what_is_attached_along():
    swung = after(table("S:monkey@0,0/contagion N:snake@0,1"), "!monkey-swing(0,0>3,0)")
    assert area(swung) == "N:snake@0,1 S:monkey@3,0/contagion"
    assert area(after(swung, ".1")) == "N:snake@0,1"


# --- Pull


def test_pull_moves_an_ox_and_what_is_in_line_behind_it():
    position = table("S:ox@0,0 N:rat@-1,0 S:sewer-system@-2,0 N:snake@0,1")
    assert area(after(position, "!pull(0,0>3,0)")) == "S:sewer-system@-2,0 N:rat@-1,0 N:snake@0,1 S:ox@3,0"
    assert area(after(position, "!pull(0,0>2,0+1)")) == "S:sewer-system@-2,0 N:snake@0,1 N:rat@1,0 S:ox@2,0"
    assert area(after(position, "!pull(0,0>1,0+2)")) == "S:sewer-system@-1,0 N:rat@0,0 N:snake@0,1 S:ox@1,0"


def test_pull_goes_one_to_three_empty_spaces_straight():
    position = table("S:ox@0,0 N:rat@-1,0 N:ox@3,0 S:rat@0,1")
    for wrong in ("0,0>4,0", "0,0>3,0", "0,0>1,1", "0,0>0,0", "0,0>1,0+2", "3,0>3,1", "0,1>0,2", "0,0>0,2"):
        assert verdict(position, f"!pull({wrong})") == "2", wrong
    assert verdict(position, "!pull(0,0>2,0+1)") == "legal"


def test_pull_completes_a_square_with_the_tile_it_pulls():
    pulled = after(table("S:ox@0,0 N:rat@-1,0 S:ox@0,1 N:rat@1,1"), "!pull(0,0>1,0+1)")
    assert points(pulled)["south"] == 4
    assert area(pulled) == ""


def test_an_ox_that_pulls_into_an_egg_is_gone_and_its_train_stops():
    pulled = after(table("S:ox@0,0 S:rat@-1,0 N:explosive-egg@2,0"), "!pull(0,0>3,0+1)")
    assert area(pulled) == "S:rat@0,0"
    assert pile(pulled, "south:discard") == "ox pull"
    assert pile(pulled, "north:discard") == "explosive-egg"


# --- Sewer System


def test_sewer_system_is_as_clever_as_its_rats():
    position = table("N:dragon@0,1 S:sewer-system@0,0 S:rat@1,0 N:rat@-1,0", "north")
    assert "Sewer System 4/10" in ruling(position, "0,1>0,0*?").says


def test_a_rat_moves_through_the_sewers_as_action_or_reaction():
    position = table("S:sewer-system@0,0 S:rat@3,0 S:ox@2,0 S:ox@1,0")
    assert area(after(position, "!sewer-system@0,0(3,0>0,1)")) == "S:sewer-system@0,0 S:rat@0,1 S:ox@1,0 S:ox@2,0"
    moved = after(position | {"to_move": "north"}, "!revive ^south:sewer-system@0,0(3,0>0,1)")
    assert "S:rat@0,1" in area(moved)
    assert verdict(position, "!sewer-system@0,0(3,0>2,1)") == "2"
    assert verdict(position, "!sewer-system@0,0(2,0>0,1)") == "2"
    assert verdict(position, "!sewer-system@0,0(3,0>1,0)") == "2"
    assert verdict(position, "!sewer-system@1,0(3,0>0,1)") == "2"


def test_only_its_controller_uses_a_sewer_system():
    position = table("N:sewer-system@0,0 S:rat@1,0")
    assert verdict(position, "!sewer-system@0,0(1,0>0,1)") == "2"
    assert area(after(position, "!sewer-system@0,0(1,0>0,1)")) == area(position)


def test_a_defeated_sewer_system_loses_its_allies_first_and_then_its_rats():
    position = table("N:dragon@0,1 S:sewer-system@0,0 S:ox@-1,0 N:rooster@1,0 S:rat@0,-1", "north")
    # 4/4 + 1/1 is no match for 4/5.
    assert points(after(position, "0,1>0,0+1,0*?"))["north"] == 0
    weak = table("N:dragon@0,1 S:sewer-system@0,0 S:monkey@-1,0 N:dragon@1,0 S:rat@0,-1", "north")
    won = after(weak, "0,1>0,0+1,0--1,0*?")
    # 8/8 against Sewer 4/5 + Monkey 2/3 = 6/8: a draw; without the Monkey it falls and takes the Rat along.
    assert points(won)["north"] == 0
    fallen = after(weak, "0,1>0,0+1,0*?")
    assert area(fallen) == "S:monkey@-1,0 N:dragon@0,1 N:dragon@1,0"
    assert pile(fallen, "south:discard") == "rat sewer-system"
    assert points(fallen)["north"] == 0
    allied = after(
        table("N:dragon@0,1 S:sewer-system@0,0 S:rat@-1,0 N:dragon@1,0 N:snake@0,-1", "north"),
        "0,1>0,0+0,-1+1,0--1,0*?",
    )
    assert pile(allied, "north:points") == "rat"
    assert pile(allied, "south:discard") == "sewer-system"


# --- Contagion


def test_contagion_spares_the_turn_it_comes_and_then_kills_and_moves_on():
    begun = table("S:rat@0,0 N:snake@1,0 N:dragon@2,0")
    infected = after(begun, "!contagion(1,0)")
    assert area(infected) == "S:rat@0,0 N:snake@1,0/contagion N:dragon@2,0"
    spared = after(infected, ".1")
    assert area(spared) == area(infected)
    assert verdict(spared, ".1 contagion(1,0>2,0)") == "legal"
    assert ".1 contagion(1,0>2,0)" in legal(spared)
    moved = after(spared, ".1 contagion(1,0>2,0)")
    assert area(moved) == "S:rat@0,0 N:dragon@2,0/contagion"
    assert pile(moved, "north:discard") == "snake"
    dead = after(moved, ".1")
    assert area(dead) == "S:rat@0,0"
    assert pile(dead, "south:discard") == "contagion"


def test_contagion_needs_a_creature_beside_an_own_rat():
    position = table("S:rat@0,0 N:snake@1,0 N:dragon@2,0 S:sewer-system@0,1")
    assert verdict(position, "!contagion(2,0)") == "2"
    assert verdict(position, "!contagion(0,1)") == "2"
    assert verdict(position, "!contagion(5,5)") == "2"
    spoilt = after(position, "!contagion(2,0)")
    assert area(spoilt) == area(position)
    assert pile(spoilt, "south:discard") == "contagion"


def test_contagion_goes_with_a_captured_host_to_who_played_it():
    position = table("N:dragon@0,0 S:monkey@1,0/contagion", "north")
    won = after(position, "0,0>1,0*?")
    assert pile(won, "north:points") == "monkey"
    assert pile(won, "south:discard") == "contagion"
    assert "pending" not in won


def test_where_contagion_moves_must_be_told_when_there_is_a_choice():
    position = table("N:snake@1,0/contagion N:dragon@2,0 N:rooster@1,1 S:rat@0,0 N:golden-egg@1,-1", "north")
    assert verdict(position, ".1") == "2"
    assert verdict(position, ".1 contagion(1,0>0,0)") == "2"
    assert verdict(position, ".1 contagion(1,0>1,-1)") == "2"
    assert verdict(position, ".1 contagion(2,0>1,0)") == "2"
    assert verdict(position, ".1 contagion(1,0>1,1)") == "legal"
    only = table("N:snake@1,0/contagion N:dragon@2,0 S:rat@0,0", "north")
    assert area(after(only, ".1")) == "S:rat@0,0 N:dragon@2,0/contagion"


# --- Impervious


def test_an_impervious_ox_returns_out_of_the_point_pile():
    position = table("N:dragon@0,0 S:ox@1,0 N:dragon@1,1", "north")
    taken = after(position, "0,0>1,0+1,1*? ^south:impervious(1,0)")
    assert pile(taken, "north:points") == "ox"
    back = after(taken, ".1")
    assert area(back) == "N:dragon@0,0 S:ox@1,0 N:dragon@1,1"
    assert pile(back, "north:points") == ""
    assert pile(back, "south:discard") == "impervious"


def test_impervious_does_nothing_for_an_ox_that_stays_or_another_tile():
    position = table("N:dragon@0,0 S:ox@1,0 S:rat@1,1 N:ox@0,1", "north")
    kept = after(position, "0,0>1,0*? ^south:impervious(1,0)", ".1")
    assert area(kept) == area(position)
    assert verdict(position, "0,0>1,0*? ^south:impervious(1,1)") == "2"
    assert verdict(position, "0,0>1,0*? ^south:impervious(0,1)") == "2"
    failed = after(position, "0,0>1,0*? ^south:impervious(1,1)")
    assert pile(failed, "south:discard") == "impervious"
    assert "pending" not in failed


def test_an_impervious_ox_discards_what_stands_in_its_space():
    position = table("N:dragon@0,0 S:ox@1,0 N:dragon@1,1", "north", north={"hand": ["rooster", "snake"]})
    taken = after(position, "0,0>1,0+1,1*snake ^south:impervious(1,0)", "rooster@1,0")
    back = after(taken, ".1")
    assert area(back) == "N:dragon@0,0 S:ox@1,0 N:dragon@1,1"
    assert "rooster" in pile(back, "north:discard")


def test_an_impervious_ox_that_returns_may_complete_a_square():
    begun = "N:dragon@2,1 S:ox@1,1 S:rat@0,1 S:ox@0,0 S:rat@1,0 N:dragon@1,2"
    # The four would be a square already, so the fourth comes only while the Ox is away.
    position = table(begun.replace(" S:rat@1,0", ""), "north", north={"deck": "custom", "hand": ["rat", "snake"]})
    taken = after(position, "2,1>1,1+1,2*snake ^south:impervious(1,1)", "rat@1,0")
    assert points(after(taken, ".1"))["south"] == 4


def test_end_of_turn_effects_resolve_in_the_order_in_which_they_came_to_be():
    sick = table("S:ox@0,0/contagion S:monkey@4,0 N:snake@5,0", "north")
    # Contagion came first: the Ox is discarded, and then Impervious brings it back.
    firm = after(sick, "!revive ^south:impervious(0,0)", ".1")
    assert area(firm) == "S:ox@0,0 S:monkey@4,0 N:snake@5,0"
    assert pile(firm, "south:discard") == "contagion impervious"
    # Revive came after Contagion and finds what it discarded.
    played = after(table("S:ox@0,0/contagion S:monkey@4,0", south={"hand": ["revive"]}), "!revive")
    assert [move for move in legal(played) if "revive" in move] == [". revive(ox)"]
    revived = after(played, ". revive(ox)")
    assert revived["players"]["south"]["hand"] == ["ox"]


# --- Leader of the Pack


def test_the_leader_is_stronger_for_each_other_rat_and_moves_as_an_action():
    led = after(table("S:rat@0,0 S:rat@5,0 S:rat@6,0 N:ox@1,0 N:rat@0,1"), "!leader-of-the-pack(0,0)")
    assert area(led).startswith("S:rat@0,0/leader-of-the-pack")
    assert "Rat 3/7 against Ox 5/1" in ruling(led, "0,0>1,0*?").says
    moved = after(led, "!leader-of-the-pack@0,0(0,0>-1,0)")
    assert area(moved).startswith("S:rat@-1,0/leader-of-the-pack")
    assert "!leader-of-the-pack@0,0(0,0>-1,0)" in legal(led)


def test_the_leader_is_an_own_rat_and_moves_one_empty_space():
    position = table("S:rat@0,0 N:rat@1,0 S:ox@0,1")
    assert verdict(position, "!leader-of-the-pack(1,0)") == "2"
    assert verdict(position, "!leader-of-the-pack(0,1)") == "2"
    assert pile(after(position, "!leader-of-the-pack(0,1)"), "south:discard") == "leader-of-the-pack"
    led = after(position, "!leader-of-the-pack(0,0)")
    for wrong in ("0,0>1,0", "0,0>-1,0>-2,0", "0,0>-1,-1", "0,1>0,2"):
        assert verdict(led, f"!leader-of-the-pack@0,0({wrong})") == "2"
    assert verdict(led, "!leader-of-the-pack@1,0(1,0>2,0)") == "2"


def test_the_leader_loses_strength_with_the_pack_and_the_tile_with_the_rat():
    position = table("S:rat@0,0/leader-of-the-pack S:rat@0,1 N:dragon@1,0 N:dragon@0,-1", "north")
    assert "Rat 2/6" in ruling(position, "1,0>0,0*?").says
    assert pile(after(position, "1,0>0,0+0,-1*?"), "north:points") == "rat"
    assert pile(after(position, "1,0>0,0+0,-1*?"), "south:discard") == "leader-of-the-pack"


# --- Mind Control


def test_mind_control_lends_a_creature_that_walks_and_goes_back_at_the_end():
    position = table("S:ox@0,0 N:dragon@1,0 N:snake@2,0")
    held = after(position, "!mind-control(1,0)")
    assert area(held) == "S:ox@0,0 S:dragon@1,0 N:snake@2,0"
    assert verdict(held, "1,0>2,0*?") == "legal"
    walked = after(held, "!mind-control@1,0(1,0>1,1>1,2>1,3>1,4)")
    assert area(walked) == "S:ox@0,0 S:dragon@1,4 N:snake@2,0"
    assert area(after(held, "!dragon@1,0(1,0>1,1)")) == "S:ox@0,0 S:dragon@1,1 N:snake@2,0"
    assert area(after(walked, ".1")) == "S:ox@0,0 N:dragon@1,4 N:snake@2,0"


def test_mind_control_takes_another_players_creature_and_up_to_four_steps():
    position = table("S:ox@0,0 N:dragon@1,0 N:golden-egg@2,0")
    assert verdict(position, "!mind-control(0,0)") == "2"
    assert verdict(position, "!mind-control(2,0)") == "2"
    assert pile(after(position, "!mind-control(2,0)"), "south:discard") == "mind-control"
    held = after(position, "!mind-control(1,0)")
    assert verdict(held, "!mind-control@1,0(1,0>1,1>1,2>1,3>1,4>1,5)") == "2"
    assert verdict(held, "!mind-control@1,0(1,0>2,0)") == "2"
    assert verdict(held, "!mind-control@0,0(0,0>0,1)") == "2"
    assert "!mind-control@1,0(1,0>1,1>2,1)" in legal(held)


def test_a_controlled_creature_is_discarded_to_who_started_with_it():
    held = after(table("S:ox@0,0 N:rooster@1,0 S:monkey@4,0"), "!mind-control(1,0)", "!banana-barrage(4,0:1,0)")
    assert pile(held, "north:discard") == "rooster"
    custom = {"deck": "custom"}
    kept = after(table("S:ox@0,0 N:ox@1,0", south=custom, north=custom), "!mind-control(1,0)")
    assert kept["area"][1]["of"] == "north"


def test_a_controlled_creature_that_is_captured_from_oneself_goes_to_the_own_discard_pile():
    position = table("S:ox@0,0 N:rooster@1,0 N:golden-egg@2,0 S:ox@2,1 S:rat@2,-1")
    held = after(position, "!mind-control(1,0)")
    won = after(held, "2,1>2,0+2,-1-1,0*?")
    assert pile(won, "south:discard") == "? mind-control rooster"


# --- Mosey On


def test_up_to_three_ox_mosey_on_one_after_the_other():
    position = table("S:ox@0,0 S:ox@1,0 S:ox@2,0 S:ox@3,0 N:snake@0,1")
    moved = after(position, "!mosey-on(2,0>2,1;1,0>1,1)")
    assert area(moved) == "S:ox@0,0 N:snake@0,1 S:ox@1,1 S:ox@2,1 S:ox@3,0"
    assert verdict(position, "!mosey-on(0,0>0,-1;1,0>0,0)") == "legal"
    assert verdict(position, "!mosey-on(0,0>0,-1;1,0>1,-1;2,0>2,-1)") == "legal"


def test_mosey_on_is_for_own_ox_one_space_each():
    position = table("S:ox@0,0 S:ox@1,0 S:ox@2,0 S:ox@3,0 N:ox@0,1 S:rat@1,1")
    for wrong in (
        "0,0>0,1",
        "0,1>0,2",
        "1,1>1,2",
        "0,0>0,-2",
        "0,0>0,-1;0,0>-1,0",
        "0,0>0,-1;0,-1>0,-2",
        "0,0>0,-1;1,0>1,-1;2,0>2,-1;3,0>3,-1",
    ):
        assert verdict(position, f"!mosey-on({wrong})") == "2", wrong
    assert verdict(position, "!mosey-on") == "2"
    assert pile(after(position, "!mosey-on(0,0>0,1)"), "south:discard") == "mosey-on"


def test_an_ox_that_moseys_into_a_square_takes_the_next_one_with_it():
    position = table("S:ox@0,0 S:ox@2,1 S:rat@2,0 S:rat@1,1")
    moved = after(position, "!mosey-on(0,0>1,0;2,1>3,1)")
    assert points(moved)["south"] == 4
    assert verdict(position, "!mosey-on(0,0>1,0;2,1>3,1)") == "legal"


# --- Revive


def test_revive_takes_a_creature_back_instead_of_drawing_and_two_when_alone():
    held = table("S:rat@0,0", south={"hand": ["ox", "revive"], "discard": ["rat", "ox", "monkey", "pull"]})
    alone = after(held, "!revive")
    assert verdict(alone, ". revive(rat,ox)") == "legal"
    back = after(alone, ". revive(rat,ox)")
    assert back["players"]["south"]["hand"] == ["ox", "ox", "rat"]
    assert back["players"]["south"]["stacks"] == [7, 7, 7, 7, 7]
    assert pile(back, "south:discard") == "monkey pull revive"
    busy = after(alone, "ox@1,0")
    assert verdict(busy, ". revive(rat,ox)") == "2"
    assert verdict(busy, ". revive(rat)") == "legal"
    assert verdict(busy, ".1") == "legal"


def test_revive_brings_back_creatures_of_the_own_discard_pile_only():
    alone = after(table("S:rat@0,0", south={"hand": ["revive"], "discard": ["rat", "pull"]}), "!revive")
    assert verdict(alone, ". revive(pull)") == "2"
    assert verdict(alone, ". revive(ox)") == "2"
    assert verdict(alone, ". revive(rat,rat)") == "2"
    assert verdict(alone, ".1 revive(rat)") == "3.5"
    assert verdict(table("S:rat@0,0", south={"discard": ["rat"]}), ". revive(rat)") == "2"
    assert [move for move in legal(alone) if "revive" in move] == [". revive(rat)"]


def test_revive_saves_who_has_no_tile_left_to_draw():
    position = table("S:rat@0,0", south={"hand": ["revive"], "discard": ["rat"], "stacks": [0] * 5})
    saved = after(position, "!revive", ". revive(rat)")
    assert saved["to_move"] == "north"
    assert "lost" not in saved


# --- Sapphire Monkey Totem


def test_the_totem_keeps_own_monkeys_in_a_square_an_opponent_completes():
    position = table("S:sapphire-monkey-totem@5,0 S:monkey@0,0 S:monkey@1,0 S:rat@0,1", "north")
    scored = after(position, "dragon@1,1")
    assert area(scored) == "S:monkey@0,0 S:monkey@1,0 S:sapphire-monkey-totem@5,0"
    assert pile(scored, "north:points") == "dragon rat"


def test_the_totem_keeps_no_monkey_in_a_square_of_ones_own():
    scored = after(table("S:sapphire-monkey-totem@5,0 S:monkey@0,0 S:monkey@1,0 S:rat@0,1"), "rat@1,1")
    assert points(scored)["south"] == 4


def test_the_totem_keeps_nobody_elses_monkey_and_no_monkey_in_battle():
    others = after(table("N:sapphire-monkey-totem@5,0 S:monkey@0,0 S:monkey@1,0 S:rat@0,1", "north"), "rat@1,1")
    assert points(others)["north"] == 4
    fought = after(table("S:sapphire-monkey-totem@0,1 S:monkey@0,0 N:dragon@1,0", "north"), "1,0>0,0*?")
    assert points(fought)["north"] == 1


# --- Stampede


def test_a_stampede_runs_four_spaces_over_everything():
    position = table("S:ox@0,0 N:ox@0,1 N:ox@0,2 N:dragon@2,0 S:rat@4,2 N:snake@5,1")
    run = after(position, "!stampede(0,0>e)")
    assert area(run) == "S:ox@4,0 N:ox@4,1 N:ox@4,2 N:snake@5,1"
    assert pile(run, "north:discard") == "dragon"
    assert pile(run, "south:discard") == "rat stampede"
    assert points(run) == {"south": 0, "north": 0}
    assert area(after(position, "!stampede(0,2>w)")).startswith("S:ox@-4,0 N:ox@-4,1")


def test_a_stampede_needs_three_joined_ox_one_of_them_own():
    assert verdict(table("S:ox@0,0 S:ox@0,1 N:rat@1,0 S:ox@1,2"), "!stampede(0,0>e)") == "2"
    assert verdict(table("N:ox@0,0 N:ox@0,1 N:ox@0,2 S:rat@1,0"), "!stampede(0,0>e)") == "2"
    position = table("S:ox@0,0 S:ox@0,1 S:rat@0,2")
    assert verdict(position, "!stampede(0,2>e)") == "2"
    assert pile(after(position, "!stampede(0,0>e)"), "south:discard") == "stampede"


def test_a_stampede_over_a_sewer_system_takes_its_rats_and_over_an_egg_loses_an_ox():
    run = after(table("S:ox@0,0 S:ox@0,1 S:ox@0,2 S:sewer-system@1,0 N:rat@1,-1"), "!stampede(0,0>e)")
    assert area(run) == "S:ox@4,0 S:ox@4,1 S:ox@4,2"
    broken = after(table("S:ox@0,0 S:ox@0,1 S:ox@0,2 N:explosive-egg@2,1"), "!stampede(0,0>e)")
    assert area(broken) == "S:ox@1,0 S:ox@1,2"
    shorter = after(table("S:ox@0,0 S:ox@0,1 S:ox@0,2 S:ox@0,3 N:explosive-egg@2,3"), "!stampede(0,0>e)")
    assert area(shorter) == "S:ox@4,0 S:ox@4,1 S:ox@4,2"


# --- Taunt


def test_taunt_halves_wit_half_up_while_the_two_are_neighbours():
    position = table("S:monkey@0,0 N:dragon@1,0 N:rat@0,1 N:snake@2,0 S:ox@1,1")
    taunted = after(position, "!taunt(0,1~0,0)")
    assert area(taunted) == "S:monkey@0,0 N:rat@0,1/taunt N:dragon@1,0 S:ox@1,1 N:snake@2,0"
    assert "Rat 1/3" in ruling(taunted, "0,0>0,1*?").says
    assert "Dragon 4/2" in ruling(after(position, "!taunt(1,0~0,0)"), "0,0>1,0*?").says


def test_taunt_needs_a_creature_beside_an_own_monkey():
    position = table("S:monkey@0,0 N:dragon@1,0 N:golden-egg@0,1 N:snake@2,0 N:monkey@3,0")
    for wrong in ("2,0~0,0", "0,1~0,0", "1,0~1,0", "2,0~3,0"):
        assert verdict(position, f"!taunt({wrong})") == "2", wrong
    assert pile(after(position, "!taunt(2,0~0,0)"), "south:discard") == "taunt"


def test_taunt_falls_off_when_the_two_part_and_in_battle_comes_as_a_reaction():
    position = table("S:monkey@0,0 N:dragon@1,0 S:monkey@2,0")
    taunted = after(position, "!taunt(1,0~0,0)")
    parted = after(taunted, "!monkey-swing(0,0>0,3)")
    assert area(parted) == "S:monkey@0,3 N:dragon@1,0 S:monkey@2,0"
    assert pile(parted, "south:discard") == "monkey-swing taunt"
    fought = table("N:dragon@0,0 S:monkey@1,0 S:ox@1,1", "north")
    says = ruling(fought, "0,0>1,0-1,1*? ^south:taunt(0,0~1,0)").says
    assert "Dragon 4/2 against Monkey 2/3 + Ox 5/1 = 7/4: STR and INT are greater for the Defender" in says


# --- Undue Judgement


def test_undue_judgement_is_worth_half_the_rats_and_ends_the_turn():
    position = table("S:rat@0,0 N:rat@1,0 S:rat@2,0 S:rat@3,0 S:ox@4,0", south={"hand": ["undue-judgement", "ox"]})
    judged = after(position, "!undue-judgement")
    assert pile(judged, "south:points") == "undue-judgement:2"
    assert points(judged)["south"] == 2
    assert [move[0] for move in legal(judged)] == ["."] * 5
    assert verdict(judged, "ox@5,0") == "3.4"
    assert verdict(after(position, "!biased-judgement"), "ox@5,0") == "3.4"


def test_undue_judgement_needs_an_even_number_and_comes_first():
    odd = table("S:rat@0,0 S:rat@1,0 S:rat@2,0")
    assert verdict(odd, "!undue-judgement") == "2"
    assert pile(after(odd, "!undue-judgement"), "south:discard") == "undue-judgement"
    even = table("S:rat@0,0 S:rat@1,0")
    assert verdict(even, "!undue-judgement") == "legal"
    assert verdict(after(even, "ox@2,0"), "!undue-judgement") == "2"


def test_undue_judgement_without_rats_or_after_one_fell_cannot_be_done():
    assert verdict(table("S:ox@0,0"), "!undue-judgement") == "2"
    none = after(table("S:ox@0,0"), "!undue-judgement")
    assert pile(none, "south:discard") == "undue-judgement"
    assert verdict(none, "ox@1,0") == "legal"
    position = table("S:rat@0,0 S:rat@1,0 N:upset-whelp@0,1")
    spoilt = after(position, "!undue-judgement ^south:upset-whelp@0,1(0,0)")
    assert points(spoilt)["south"] == 0
    assert pile(spoilt, "south:discard") == "rat undue-judgement"
