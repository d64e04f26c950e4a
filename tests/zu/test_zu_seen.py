"""ZU Tiles, chapter 6: what a camera sees of a turn, and what has to be asked."""

import random

import pytest
from zu_drawn import GAME, after, table

from companion.game import explanations, judge, start
from companion.reconcile import goals, readings
from companion.table import FACE_DOWN, Piece

FACES = {"south": 0, "west": 1, "north": 2, "east": 3}


def look(position):
    return GAME.layout(GAME.read_position(position))


def explained(position, seen):
    state = GAME.read_position(position)
    return {
        GAME.write_move(move, state): judge(GAME, state, move).rule or "legal"
        for move in explanations(GAME, state, seen)
    }


def test_a_tile_faces_its_controller():
    seen = look(table("S:rat@0,0 W:ox@1,0 N:snake@-1,2 E:dragon@0,1", players="SWNE"))
    assert seen["0,0"] == Piece("rat", "south", 0)
    assert {piece.owner: piece.facing for piece in seen.values()} == FACES
    assert seen["-1,2"] == Piece("snake", "north", 2)


def test_the_tops_of_the_piles_are_seen():
    seen = look(table(south={"points": ["rat", "undue-judgement:2"]}, north={"discard": ["snake", "dragon"]}))
    assert seen == {
        "south:points": Piece("undue-judgement", "south", 0),
        "north:discard": Piece("dragon", "north", 2),
    }
    for place in ("south:points", "west:discard", "north:points", "east:discard", "-3,2"):
        GAME.board.spot(place)


def test_a_placed_tile_is_found_and_one_at_a_corner_is_ruled_on():
    position = table("N:snake@0,0", south={"hand": ["rat", "pull"]})
    assert explained(position, look(after(position, "rat@1,0"))) == {"rat@1,0": "legal"}
    assert explained(position, look(position) | {"1,1": Piece("rat", "south", 0)}) == {"rat@1,1": "4.2"}
    assert explained(position, look(position) | {"1,0": Piece("pull", "south", 0)}) == {"pull@1,0": "4.1"}


def test_a_tile_placed_twice_is_ruled_on():
    position = after(table("N:snake@0,0", south={"hand": ["rat", "ox"]}), "rat@1,0")
    assert explained(position, look(after(position, "ox@0,1"))) == {"ox@0,1": "3.4"}


def test_a_square_is_worked_out_from_the_placement():
    position = table("S:rat@0,1 N:ox@1,1 N:monkey@0,0", south={"hand": ["rat"]})
    assert explained(position, look(after(position, "rat@1,0"))) == {"rat@1,0": "legal"}


def test_four_tiles_gone_without_a_compatible_square_are_ruled_on():
    position = table("N:rooster@0,0 N:rooster@1,0 N:snake@0,1 N:dragon@1,1 S:rat@2,0")
    gone = look(after(position, "x0,0;0,1;1,0;1,1"))
    assert explained(position, gone) == {"x0,0;0,1;1,0;1,1": "4.6"}


def test_two_tiles_laid_away_are_rather_an_exchange_than_a_battle_that_changes_nothing():
    position = table("S:rat@0,0 N:happy-rooster@-1,0", south={"hand": 5, "stacks": [6, 6, 6, 6, 6]})
    seen = look(position) | {"south:discard": Piece("leader-of-the-pack", "south", 0)}
    told = list(explained(position, seen))
    assert told.index("~?,leader-of-the-pack:1") < told.index("0,0>-1,0*leader-of-the-pack")


def test_one_tile_gone_is_a_battle_won_or_a_breach():
    position = table("S:ox@0,0 S:rat@1,1 N:rooster@1,0", south={"hand": ["pull"]})
    seen = look(after(position, "0,0>1,0+1,1*pull"))
    assert explained(position, seen) == {"0,0>1,0+1,1*pull": "legal", "1,1>1,0+0,0*pull": "5.2"} or (
        explained(position, seen)["0,0>1,0+1,1*pull"] == "legal"
    )
    taken = look(after(position, "x1,0"))
    assert explained(position, taken) == {"x1,0": "5.4"}


def test_a_moved_tile_is_found():
    position = table("S:monkey@0,0 N:ox@1,0", south={"hand": ["monkey-swing"]})
    assert explained(position, look(after(position, "!monkey-swing(0,0>3,0)"))) == {"!monkey-swing(0,0>3,0)": "legal"}


def test_what_constrict_takes_is_seen_though_a_tile_like_it_lay_there_before():
    hands = {"north": {"hand": 5}, "south": {"hand": 5, "discard": ["rat"]}}
    for taken in ("ox", "rat"):
        position = table("N:snake@0,0", "north", **hands)
        seen = look(after(position, f"!constrict(south={taken})"))
        assert explained(position, seen)[f"!constrict(south={taken})"] == "legal"


def test_a_tile_that_faces_another_player_is_asked_about_and_nothing_changes():
    position = table("S:rat@0,0 N:ox@1,0")
    state = GAME.read_position(position)
    seen = look(position) | {"1,0": Piece("ox", "south", 0)}
    assert GAME.questions(state, seen) == ("Ox on 1,0 faces South and is North's: who controls it?",)
    assert GAME.layout(state)["1,0"] == Piece("ox", "north", 2)
    assert GAME.questions(state, look(position)) == ()
    assert explained(position, seen) == {}


def test_a_tile_whose_direction_is_not_seen_is_asked_about_by_its_owner():
    position = table("S:rat@0,0 N:ox@1,0")
    state = GAME.read_position(position)
    assert GAME.questions(state, look(position) | {"1,0": Piece("ox", None, None)}) == ()
    (question,) = GAME.questions(state, look(position) | {"1,0": Piece("ox", "south", None)})
    assert question.startswith("Ox on 1,0 faces South")


def test_another_tile_or_none_on_a_cell_is_no_question_of_control():
    position = table("S:rat@0,0 N:ox@1,0")
    state = GAME.read_position(position)
    assert GAME.questions(state, {"1,0": Piece("snake", "south", 0)}) == ()


def test_draws_and_passes_are_not_seen():
    state = GAME.read_position(table("S:rat@0,0"))
    assert GAME.unseen(state, GAME.read_move(".1", state))
    assert not GAME.unseen(state, GAME.read_move("rat@1,0", state))


def test_hands_are_private_and_stacks_are_nobodys():
    state = start(GAME, rng=random.Random(1))
    south = GAME.seen_by(state, "south")
    assert south.player("south").hand == state.player("south").hand
    assert south.player("north").hand == 5
    assert south.player("south").stacks == (7, 7, 7, 7, 7)
    assert GAME.seen_by(state, None).player("south").hand == 5


@pytest.mark.parametrize("place", ["0,0", "1,0", "south:discard"])
def test_a_correction_by_hand_makes_it_so(place):
    state = GAME.read_position(table("S:rat@0,0", south={"hand": ["ox"]}))
    piece = Piece("ox", "south", 0)
    amended = GAME.amend(state, place, piece)
    assert GAME.layout(amended)[place] == piece
    cleared = GAME.amend(amended, place, None)
    assert GAME.layout(cleared).get(place) != piece
    assert GAME.read_position(GAME.write_position(cleared)) == cleared


def test_no_face_is_put_on_a_stack_by_hand():
    with pytest.raises(LookupError):
        GAME.amend(start(GAME, ("south", "north")), "south:stack-2", Piece("rat", "south", 0))


def test_a_tile_of_another_controller_may_be_agreed_upon():
    state = GAME.read_position(table("S:rat@0,0 N:ox@1,0"))
    amended = GAME.amend(state, "1,0", Piece("ox", "south", 0))
    assert amended.area[1, 0].by == "south"


def test_a_tile_out_of_a_hand_that_is_not_known_is_found_too():
    position = table("S:ox@0,0 N:snake@1,0")
    assert explained(position, look(after(position, "rat@0,1"))) == {"rat@0,1": "legal"}
    assert explained(position, look(after(position, "!pull(0,0>0,2)"))) == {"!pull(0,0>0,2)": "legal"}
    assert explained(position, look(after(position, "rat@1,1"))) == {"rat@1,1": "legal"}
    assert explained(position, look(position) | {"2,1": Piece("rat", "south", 0)}) == {"rat@2,1": "4.2"}


def test_a_tile_that_went_with_the_square_it_completed_is_found():
    position = table("S:rat@0,1 N:ox@1,1 N:monkey@0,0")
    seen = look(after(position, "rat@1,0"))
    assert seen == {"south:points": Piece("ox", "south", 0)}
    assert explained(position, seen) == {"rat@1,0": "legal"}


def test_a_tile_that_lies_under_the_one_it_cost_its_player_is_found():
    position = table("S:monkey@0,0 S:rat@-1,1")
    seen = look(after(position, "!banana-barrage(0,0:-1,1)"))
    assert seen["south:discard"].tile == "rat"
    assert explained(position, seen) == {"!banana-barrage(0,0:-1,1)": "legal"}


def test_a_tile_like_the_one_on_the_discard_pile_is_found():
    position = table("S:ox@0,0 S:rat@1,1 N:rooster@1,0", south={"discard": ["ox"]})
    found = explained(position, look(after(position, "0,0>1,0+1,1*ox")))
    assert found["0,0>1,0+1,1*ox"] == "legal"


def test_an_exchange_out_of_a_hand_that_is_not_known_shows_its_upper_tile():
    position = table("S:ox@0,0", south={"stacks": [0, 3, 0, 0, 0]})
    assert explained(position, look(after(position, "~ox,rat:2"))) == {"~?,rat:2": "legal"}


def test_a_tile_that_was_not_in_a_known_hand_is_ruled_on():
    position = table("S:ox@0,0", south={"hand": ["rat"]})
    assert explained(position, look(after(position, "monkey@0,1"))) == {"monkey@0,1": "3.4"}


def under_way(position, **more):
    """What a camera makes of a table with more tiles on it, and the moves that may come of it."""
    state = GAME.read_position(position)
    laid = look(position) | {place.replace("_", ","): piece for place, piece in more.items()}
    return _read_and_goals(state, laid)


def _read_and_goals(state, laid):
    in_sight = {*GAME.board.places, *GAME.layout(state), *laid}
    best = readings(GAME, state, {place: {laid.get(place): 0.97} for place in in_sight})[0]
    return best, [GAME.write_move(move, state) for move in goals(GAME, state, laid)]


RAT = Piece("rat", "south", 0)
BACK = Piece(FACE_DOWN, "south", 0)


@pytest.mark.parametrize("hand", [["rat"], 5], ids=["known hand", "unknown hand"])
def test_a_square_that_still_lies_there_is_a_turn_under_way(hand):
    best, moves = under_way(table("S:rat@0,1 N:ox@1,1 N:monkey@0,0", south={"hand": hand}), **{"1_0": RAT})
    assert (best.kind, best.ruling.legal, moves) == ("part", True, ["rat@1,0"])


def test_a_square_of_which_two_tiles_are_taken_is_a_turn_under_way():
    state = GAME.read_position(table("S:rat@0,1 N:ox@1,1 N:monkey@0,0", south={"hand": ["rat"]}))
    best, moves = _read_and_goals(state, {"1,0": RAT, "0,0": Piece("monkey", "north", 2)})
    assert (best.kind, moves) == ("part", ["rat@1,0"])


def test_a_moved_tile_that_completes_a_square_is_a_turn_under_way():
    position = table("S:rat@0,1 N:ox@1,1 N:monkey@0,0 S:ox@4,0", south={"hand": ["pull"]})
    state = GAME.read_position(position)
    laid = {place: piece for place, piece in look(position).items() if place != "4,0"} | {
        "1,0": Piece("ox", "south", 0)
    }
    best, moves = _read_and_goals(state, laid)
    assert best.kind == "part"
    assert "!pull(4,0>1,0)" in moves


def test_a_tile_laid_on_an_egg_is_a_turn_under_way():
    position = table("N:rooster@0,0 N:explosive-egg@1,0", south={"hand": ["rat"]})
    best, moves = under_way(position, **{"1_0": RAT})
    assert (best.kind, moves) == ("part", ["rat@1,0"])


def test_the_first_of_two_tiles_discarded_is_a_turn_under_way():
    position = table("S:ox@0,0", south={"hand": ["ox", "rat"], "stacks": [0, 3, 0, 0, 0]})
    best, moves = under_way(position, **{"south:discard": Piece("ox", "south", 0)})
    assert (best.kind, moves) == ("part", ["~ox,rat:2"])


@pytest.mark.parametrize("place", ["1_1", "2_0", "5_-3"])
@pytest.mark.parametrize("back", [BACK, Piece(FACE_DOWN)], ids=["turned", "plain"])
def test_a_face_down_tile_beside_the_area_is_a_battle_under_way(place, back):
    best, moves = under_way(table("S:ox@0,0 N:rat@1,0 N:snake@0,-1"), **{place: back})
    assert (best.kind, best.ruling.legal) == ("part", True)
    assert set(moves) == {"0,0>1,0*?", "0,0>0,-1*?"}


def test_a_battle_is_under_way_while_its_tile_lies_there_and_the_loser_is_gone():
    position = table("S:ox@0,0 S:rat@1,1 N:rooster@1,0", south={"hand": ["pull"]})
    state = GAME.read_position(position)
    laid = look(after(position, "0,0>1,0+1,1*pull")) | {"2,2": BACK}
    del laid["south:discard"]
    best, moves = _read_and_goals(state, laid)
    assert best.kind == "part"
    assert "0,0>1,0+1,1*pull" in moves


def test_a_second_battle_in_a_turn_is_ruled_on_as_soon_as_its_tile_lies_there():
    position = after(table("S:ox@0,0 N:rat@1,0"), "0,0>1,0*?")
    best, _ = under_way(position, **{"1_1": BACK})
    assert (best.kind, best.ruling.rule) == ("part", "3.4")


def test_a_face_down_tile_with_nothing_to_attack_is_no_battle():
    best, moves = under_way(table("S:ox@0,0"), **{"1_1": BACK})
    assert best.kind != "part"
    assert moves == []


@pytest.mark.parametrize("hand", [["pull", "rat"], 5], ids=["known hand", "unknown hand"])
def test_a_fanned_stack_is_under_way(hand):
    position = table("S:ox@0,0 N:rat@1,0 N:snake@0,-1", south={"hand": hand})
    best, moves = under_way(position, **{"3_3": Piece("pull", "south", 0), "3_2": Piece("rattle", "north", 2)})
    assert (best.kind, best.ruling.legal) == ("part", True)
    assert "!pull(0,0>-2,0)" in moves
    assert all(move.startswith("!pull") for move in moves)


def test_a_stack_of_an_ability_shows_a_placeholder():
    position = table("S:sewer-system@0,0 S:rat@3,0 S:ox@1,0 N:ox@2,0")
    best, moves = under_way(position, **{"5_5": Piece("action-placeholder", None, 0)})
    assert best.kind == "part"
    assert "!sewer-system@0,0(3,0>0,1)" in moves


def test_a_stack_of_which_nothing_can_come_is_known_too():
    best, moves = under_way(table("S:rat@0,0", south={"hand": ["pull"]}), **{"4_4": Piece("pull", "south", 0)})
    assert (best.kind, moves) == ("part", ["!pull"])


def test_the_spaces_that_complete_a_square_are_marked():
    marks = GAME.marks(GAME.read_position(table("S:rat@0,1 N:ox@1,1 N:monkey@0,0")))
    assert [(mark.place, mark.ink, mark.label) for mark in marks] == [("1,0", "square", "HR Ra Sn")]
