"""ZU Tiles, chapters 1 and 4: compatibility, placing, spaces and squares."""

import itertools

import pytest
from zu_drawn import GAME, after, area, legal, pile, points, ruling, table, verdict

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, compatible

CREATURES = ["rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "ram", "monkey", "rooster", "dog", "pig"]


def test_the_relation_of_the_twelve_is_symmetric():
    for one, other in itertools.product(CREATURES, repeat=2):
        icons = CATALOGUE[one].values["icons"], CATALOGUE[other].values["icons"]
        assert (other in icons[0]) == (one in icons[1]), (one, other)


@pytest.mark.parametrize(("classes", "count"), [("rat ox monkey", 35), ("dragon snake rooster", 56)])
def test_as_many_squares_fit_as_the_rules_say(classes, count):
    fitting = [
        (a, b, c, d)
        for a, b, c, d in itertools.product(classes.split(), repeat=4)
        if compatible(a, b) and compatible(b, c) and compatible(c, d) and compatible(d, a)
    ]
    assert len(fitting) == count


def test_happy_rooster_fits_all_and_upset_whelp_those_that_show_a_dragon():
    assert all(compatible("happy-rooster", other) and compatible(other, "happy-rooster") for other in CREATURES)
    fits = {other for other in CREATURES if compatible("upset-whelp", other)}
    assert fits == {"rat", "snake", "monkey", "rooster", "horse", "pig", "dragon"}


def test_a_later_tile_shares_a_side_with_a_tile_in_play():
    position = table("N:snake@0,0", south={"hand": ["rat"]})
    assert [move for move in legal(position) if "@" in move] == ["rat@-1,0", "rat@0,-1", "rat@0,1", "rat@1,0"]
    assert verdict(position, "rat@1,1") == "4.2"
    assert verdict(position, "rat@0,0") == "4.2"
    assert verdict(position, "rat@5,5") == "4.2"


def test_creatures_need_not_be_compatible_to_be_placed():
    assert verdict(table("S:ox@0,0"), "monkey@1,0") == "legal"


def test_action_tiles_are_not_placed_and_that_is_cited_before_the_space():
    position = table("S:ox@0,0")
    assert verdict(position, "pull@1,0") == "4.1"
    assert verdict(position, "rattle@4,4") == "4.1"
    placed = after(position, "ox@0,1")
    assert verdict(placed, "pull@4,4") == "3.4"


def test_a_compatible_square_goes_to_who_placed_the_last_tile():
    position = table("S:rat@0,1 N:ox@1,1 N:monkey@0,0", south={"hand": ["rat"]})
    scored = after(position, "rat@1,0")
    assert area(scored) == ""
    assert pile(scored, "south:points") == "monkey ox rat rat"
    assert points(scored) == {"south": 4, "north": 0}
    says = ruling(position, "rat@1,0").says
    assert "Ox-Rat and Monkey-Rat are compatible" in says.replace("Monkey-Rat and Ox-Rat", "Ox-Rat and Monkey-Rat")
    assert "South takes 4 tiles" in says


def test_an_incompatible_square_does_nothing_and_says_why():
    position = table("N:rooster@0,1 N:rooster@1,1 N:dragon@0,0", "north", north={"hand": ["snake"]})
    scored = after(position, "snake@1,0")
    assert area(scored) == "N:dragon@0,0 N:rooster@0,1 N:snake@1,0 N:rooster@1,1"
    assert points(scored) == {"south": 0, "north": 0}
    assert "Rooster-Rooster is not compatible" in ruling(position, "snake@1,0").says


def test_diagonals_are_not_tested():
    # Ox and Monkey do not fit, but they only meet at a corner.
    scored = after(table("S:ox@0,0 S:rat@1,0 S:rat@0,1"), "monkey@1,1")
    assert points(scored)["south"] == 4


def test_an_item_makes_no_square():
    standing = after(table("S:rat@0,0 S:rat@1,0 S:sewer-system@0,1"), "rat@1,1")
    assert points(standing)["south"] == 0
    assert len(standing["area"]) == 4


def test_several_squares_at_once_give_their_union():
    both = "S:rat@0,0 S:rat@1,0 S:rat@2,0 S:rat@0,1 S:rat@2,1"
    assert points(after(table(both), "rat@1,1"))["south"] == 6
    one = table(both, options={"several-squares": "one"})
    assert points(after(one, "rat@1,1"))["south"] == 4


def test_the_items_of_a_score_say_how_each_tile_came():
    scored = after(table("S:ox@0,0 S:rat@1,0 S:rat@0,1"), "monkey@1,1")
    sheet = GAME.score(GAME.read_position(scored))
    assert [(item.points, item.rule) for item in sheet.items] == [(1, "4.7")] * 4
    assert all("square at 0,0 1,0 1,1 0,1" in item.says for item in sheet.items)
    told = table(south={"points": ["rat", "undue-judgement:3"]}, north={"points": ["golden-egg", "dragons-hoard"]})
    assert points(told) == {"south": 4, "north": 6}


def test_when_the_area_has_emptied_the_next_tile_is_a_first_tile_again():
    emptied = after(table("S:rat@4,4 S:rat@5,4 S:rat@4,5"), "rat@5,5", ".1")
    assert verdict(emptied, "dragon@0,0") == "legal"
    assert verdict(emptied, "dragon@5,5") == "4.2"
    free = after(table("S:rat@4,4 S:rat@5,4 S:rat@4,5", options={"empty-area": "anywhere"}), "rat@5,5", ".1")
    assert verdict(free, "dragon@5,5") == "legal"
    assert verdict(table(options={"empty-area": "anywhere"}), "rat@3,3") == "4.2"


def test_what_is_attached_to_a_tile_of_a_square_is_discarded():
    scored = after(table("N:snake@0,0/contagion N:snake@1,0 N:dragon@0,1", "north"), "dragon@1,1")
    assert points(scored)["north"] == 4
    assert pile(scored, "south:discard") == "contagion"


def test_a_square_completed_by_a_moved_tile_scores_for_whose_play_moved_it():
    begun = "S:ox@0,0 S:rat@2,0 N:rat@1,1 N:ox@2,1"
    moved = after(table(begun), "!pull(0,0>1,0)")
    assert points(moved)["south"] == 4
    nobody = after(table(begun, options={"moved-square": "nobody"}), "!pull(0,0>1,0)")
    assert points(nobody)["south"] == 0


def test_tiles_taken_by_hand_are_a_breach():
    position = table("S:rooster@0,0 S:rooster@1,0 S:snake@0,1 S:dragon@1,1")
    assert verdict(position, "x0,0;0,1;1,0;1,1") == "4.6"
    assert "Rooster-Rooster is not compatible" in ruling(position, "x0,0;0,1;1,0;1,1").says
    assert verdict(position, "x0,0") == "5.4"
