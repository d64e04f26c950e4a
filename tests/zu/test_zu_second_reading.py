"""Cases worked out from the text of the rules alone, through the protocol: what is legal, what is left in the area."""

import json
from dataclasses import dataclass, field
from itertools import product
from math import comb

import pytest
from zu_drawn import SEATS, area, pile, table

from companion.games.zu_tiles_hime.catalogue import DECKS, is_creature
from companion.protocol import answer


def custom(drawn, by="south", players="SN"):
    """A table of custom decks, so that anybody may have started with anything."""
    return table(drawn, by, players, **{SEATS[letter]: {"deck": "custom"} for letter in players})


@dataclass(frozen=True)
class Case:
    says: str
    drawn: str
    moves: str
    """Split by `` then ``; the last one is ruled on."""
    left: str | None = None
    """The area after the last move, where it is legal."""
    rule: str = "legal"
    by: str = "south"
    players: str = "SN"
    piles: dict[str, str] = field(default_factory=dict)


BATTLES = (
    Case("an ally at a corner of the Defender is none", "S:ox@0,0 S:rat@0,1 N:ox@1,0", "0,0>1,0+0,1*ox", rule="5.3"),
    Case("nobody is on both sides", "S:ox@0,0 S:rat@1,1 N:ox@1,0", "0,0>1,0+1,1-1,1*?", rule="5.3"),
    Case("the Attacker is no ally", "S:ox@0,0 N:golden-egg@1,0", "0,0>1,0-0,0*?", rule="5.3"),
    Case("an Item does not attack", "S:ox@0,0 S:golden-egg@1,0", "1,0>0,0*?", rule="5.2"),
    Case(
        "a negative column keeps its sign behind a plus",
        "S:ox@0,0 N:golden-egg@-1,0 S:ox@-2,0 S:rat@-1,1",
        "0,0>-1,0+-2,0+-1,1*?",
        "S:ox@-2,0 S:rat@-1,1 S:ox@0,0",
        piles={"north:discard": "golden-egg", "south:points": ""},
    ),
    Case(
        "a negative column keeps its sign behind a minus, and the attacking player's own may defend a thing",
        "S:ox@0,0 N:golden-egg@-1,0 S:ox@-2,0",
        "0,0>-1,0--2,0*?",
        "S:ox@-2,0 N:golden-egg@-1,0 S:ox@0,0",
    ),
    Case(
        "a Creature beaten by an Item of its own player is discarded with its allies",
        "S:golden-egg@1,0 S:rooster@2,0 S:rooster@1,-1 S:dragon@1,1",
        "2,0>1,0+1,-1-1,1*?",
        "S:golden-egg@1,0 S:dragon@1,1",
        piles={"south:discard": "? rooster rooster", "south:points": ""},
    ),
    Case(
        "so it is when an ally of another player decides it",
        "S:golden-egg@1,0 S:rooster@2,0 N:dragon@1,1",
        "2,0>1,0-1,1*?",
        "S:golden-egg@1,0 N:dragon@1,1",
        piles={"south:discard": "? rooster", "north:points": ""},
    ),
    Case(
        "of the allies of a defeated Item the own are discarded and the others captured",
        "N:golden-egg@1,0 S:dragon@2,0 S:rooster@1,-1 N:rooster@1,1 S:dragon@0,0",
        "2,0>1,0+0,0-1,-1-1,1*?",
        "S:dragon@0,0 S:dragon@2,0",
        piles={"south:points": "rooster", "south:discard": "? rooster", "north:discard": "golden-egg"},
    ),
    Case(
        "an own Item that is defeated is discarded",
        "S:golden-egg@1,0 S:dragon@2,0 N:rooster@1,1 S:ox@0,0",
        "2,0>1,0+0,0-1,1*?",
        "S:ox@0,0 S:dragon@2,0",
        piles={"south:points": "rooster", "south:discard": "? golden-egg"},
    ),
    Case(
        "the Rats of a defeated Sewer System are discarded, even those that attacked it",
        "S:dragon@0,0 N:sewer-system@1,0 S:dragon@1,1 S:rat@2,0",
        "0,0>1,0+1,1+2,0*?",
        "S:dragon@0,0 S:dragon@1,1",
        piles={"south:discard": "? rat", "north:discard": "sewer-system", "south:points": ""},
    ),
    Case(
        "an own ally of an own Sewer System is discarded",
        "S:dragon@0,0 S:sewer-system@1,0 S:rat@1,1 S:dragon@2,0 S:dragon@1,-1",
        "0,0>1,0+2,0+1,-1-1,1*?",
        "S:dragon@0,0 S:dragon@1,-1 S:dragon@2,0",
        piles={"south:discard": "? rat sewer-system", "south:points": ""},
    ),
    Case(
        "a third player's Creature may help, and is captured when its side loses",
        "S:rooster@0,0 N:dragon@1,0 W:rooster@1,1",
        "0,0>1,0+1,1*?",
        "N:dragon@1,0",
        players="SWN",
        piles={"north:points": "rooster rooster"},
    ),
    Case(
        "the Attacker may swing to the other side of the Defender",
        "S:monkey@0,0 N:rooster@1,0 N:ox@0,1",
        "0,0>1,0*? ^south:monkey-swing(0,0>2,0)",
        "N:ox@0,1 S:monkey@2,0",
        piles={"south:points": "rooster"},
    ),
)

SQUARES = (
    Case(
        "of two squares completed at once the incompatible one stays",
        "N:rat@0,1 S:rat@1,1 N:snake@2,1 S:rat@0,0 S:rat@2,0",
        "rat@1,0",
        "S:rat@2,0 N:snake@2,1",
        piles={"south:points": "rat rat rat rat"},
    ),
    Case(
        "four squares at once are nine tiles, each once",
        "N:rat@0,1 S:rat@1,1 N:rat@2,1 S:rat@0,0 S:monkey@2,0 S:rat@0,-1 S:ox@1,-1 S:rat@2,-1",
        "rat@1,0",
        "",
        piles={"south:points": "monkey ox rat rat rat rat rat rat rat"},
    ),
    Case(
        "after the area emptied the next tile is a first tile",
        "N:rat@0,1 S:ox@1,1 N:monkey@0,0",
        "rat@1,0 then .1 then dragon@0,0",
        "N:dragon@0,0",
    ),
    Case(
        "and goes nowhere else",
        "N:rat@0,1 S:ox@1,1 N:monkey@0,0",
        "rat@1,0 then .1 then dragon@1,0",
        rule="4.2",
    ),
    Case(
        "a square completed by a Reaction scores for who played it",
        "S:ox@0,0 N:snake@0,-1 S:rat@1,1 S:rat@0,2 S:monkey@1,2 S:monkey@9,9",
        "!monkey-swing(9,9>9,6) ^north:rattle(0,0~0,-1)",
        "N:snake@0,-1 S:monkey@9,6",
        piles={"north:points": "monkey ox rat rat"},
    ),
    Case(
        "an Egg saves a square",
        "N:rat@0,1 S:rat@1,1 N:rat@0,0 N:explosive-egg@1,0",
        "rat@1,0",
        "N:rat@0,0 N:rat@0,1 S:rat@1,1",
    ),
    Case("a Whelp fits a Rat", "S:rat@1,0 S:rat@1,1 S:monkey@0,1", "upset-whelp@0,0", "", by="north"),
    Case(
        "and no Ox",
        "S:rat@1,0 S:rat@1,1 S:ox@0,1",
        "upset-whelp@0,0",
        "N:upset-whelp@0,0 S:ox@0,1 S:rat@1,0 S:rat@1,1",
        by="north",
    ),
    Case("what no stack is for is not placed, wherever", "S:rat@0,0", "pull@5,5", rule="4.1"),
    Case("where a tile goes comes before what it asks for", "N:snake@0,0", "golden-egg@2,0", rule="4.2", by="north"),
    Case("a tile may be placed beside an Egg", "N:explosive-egg@0,0", "rat@1,0", "N:explosive-egg@0,0 S:rat@1,0"),
)

STACKS = (
    Case(
        "an Ox pulled over an Egg bursts it on the way",
        "S:ox@0,0 N:explosive-egg@1,0 N:rooster@5,5",
        "!pull(0,0>2,0)",
        "N:rooster@5,5",
        piles={"south:discard": "ox pull", "north:discard": "explosive-egg"},
    ),
    Case(
        "a Monkey swings over an Egg",
        "S:monkey@0,0 N:explosive-egg@1,0",
        "!monkey-swing(0,0>3,0)",
        "N:explosive-egg@1,0 S:monkey@3,0",
    ),
    Case(
        "a Glare on a weakened Ox leaves it STR 1",
        "N:snake@0,0 S:ox@1,0 N:monkey@5,5",
        "!banana-barrage(5,5:1,0) then !hypnotic-glare(1,0~0,0)",
        "N:snake@0,0 S:ox@1,0/hypnotic-glare N:monkey@5,5",
        by="north",
    ),
    Case(
        "weakening a hypnotised Ox discards it",
        "N:snake@0,0 S:ox@1,0 N:monkey@5,5",
        "!hypnotic-glare(1,0~0,0) then !banana-barrage(5,5:1,0)",
        "N:snake@0,0 N:monkey@5,5",
        by="north",
        piles={"south:discard": "ox"},
    ),
    Case(
        "an Ox that moved before it fell comes back to where it fell",
        "S:ox@1,0 N:snake@1,-1 N:dragon@0,1 N:snake@2,1 N:dragon@8,8",
        "!time-alone(8,8) ^north:rattle(1,0~1,-1) ^south:impervious(1,0) then 0,1>1,1+2,1*? then .1",
        "N:dragon@0,1 N:snake@1,-1 S:ox@1,1 N:snake@2,1",
        by="north",
    ),
    Case(
        "Contagion that left with its host is forgotten by who stands there later",
        "S:ox@0,0 S:rat@1,1 N:snake@1,0/contagion N:dragon@2,0",
        "0,0>1,0+1,1*? then monkey@1,0 then .1",
        "S:ox@0,0 S:monkey@1,0 S:rat@1,1 N:dragon@2,0",
    ),
    Case(
        "Contagion moves with its host",
        "S:rat@0,0 N:dragon@1,0/contagion N:snake@1,1 N:rooster@2,-1",
        "!slither(1,1>2,1) ^north:rattle(1,0~1,1) then .1 contagion(1,-1>2,-1)",
        "S:rat@0,0 N:rooster@2,-1/contagion N:snake@2,1",
        by="north",
    ),
    Case(
        "Contagion moves to no Rat", "S:rat@0,0 N:dragon@1,0/contagion", ".1 contagion(1,0>0,0)", rule="2", by="north"
    ),
    Case("a Creature is no Reaction", "S:ox@0,0 N:ox@1,0 S:monkey@1,1", "0,0>1,0*taunt ^south:rat", rule="5.1"),
    Case(
        "the tile's own condition comes before the kind of stack", "S:ox@0,0 N:snake@0,1", "!rattle(0,0~0,1)", rule="2"
    ),
    Case("what was used up comes first", "S:rat@0,0", "rat@1,0 then pull@9,9", rule="3.4"),
    Case("nobody draws twice after doing something", "S:rat@0,0", "rat@1,0 then .1,1", rule="3.5"),
    Case("a tile must be drawn", "S:rat@0,0", ".", rule="3.5"),
)


def asked(**request):
    return answer(json.dumps(request))


@pytest.mark.parametrize("case", [*BATTLES, *SQUARES, *STACKS], ids=lambda case: case.says)
def test_what_the_text_says_is_what_happens(case):
    position = custom(case.drawn, case.by, case.players)
    *before, last = case.moves.split(" then ")
    for move in before:
        position = asked(do="apply", position=position, move=move)["position"]
    ruling = asked(do="judge", position=position, move=last)
    assert (ruling["rule"] or "legal", ruling["says"]) == (case.rule, ruling["says"])
    if case.left is not None:
        position = asked(do="apply", position=position, move=last)["position"]
        assert area(position) == case.left
        assert {place: pile(position, place) for place in case.piles} == case.piles


@pytest.mark.parametrize(
    ("classes", "patterns"), [(("rat", "ox", "monkey"), 35), (("dragon", "snake", "rooster"), 56)], ids=["ROM", "DSR"]
)
def test_so_many_patterns_of_each_deck_are_compatible_squares(classes, patterns):
    empty = 0
    for a, b, c, d in product(classes, repeat=4):
        position = custom(f"S:{a}@0,0 S:{b}@1,0 S:{c}@1,1")
        empty += not asked(do="apply", position=position, move=f"{d}@0,1")["position"]["area"]
    assert empty == patterns


@pytest.mark.parametrize(("deck", "chance"), [("ROM", 1.302), ("DSR", 0.940)])
def test_a_hand_without_a_creature_is_as_rare_as_the_decks_make_it(deck, chance):
    others = sum(copies for tile, copies in DECKS[deck].items() if not is_creature(tile))
    assert round(100 * comb(others, 5) / comb(40, 5), 3) == chance


def test_the_example_of_the_notation_is_a_position():
    rat = {"tile": "rat", "at": [0, 0], "by": "south", "under": []}
    south = {"deck": "ROM", "points": [], "discard": [], "hand": 5, "stacks": [7, 7, 7, 7, 7]}
    position = {"game": "zu_tiles_hime", "to_move": "south", "area": [rat], "players": {"south": south}}
    assert area(asked(do="apply", position=position, move="rat@1,0")["position"]) == "S:rat@0,0 S:rat@1,0"
