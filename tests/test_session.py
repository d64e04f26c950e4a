"""The fold of a table's events: what counts, what is judged anew, and what the players settle themselves."""

import json
import random

import pytest

from companion.events import (
    DrawAgreed,
    Event,
    GameBegun,
    MovePlayed,
    MoveVoided,
    OptionSwitched,
    PlayerNamed,
    RulingGiven,
    ScoreAdjusted,
    TileCorrected,
    event_from_json,
)
from companion.game import Unreadable, legal_moves, start
from companion.registry import game_named, games
from companion.said import called
from companion.session import changes, fold
from companion.table import Piece
from tests import noughts

START = {
    "game": "zhizhu",
    "to_move": "white",
    "white": [],
    "black": [],
    "hand": {"white": 9, "black": 9},
    "barred": {"white": None, "black": None},
}
SLIDING = START | {"white": ["a1", "c1", "e2"], "black": ["b3", "d3", "g3"], "hand": {"white": 0, "black": 0}}


def record(*facts, position=START):
    """Words are moves; a game was begun before them."""
    begun = GameBegun("zhizhu", position)
    facts = [MovePlayed(None, fact) if isinstance(fact, str) else fact for fact in facts]
    return [Event(number, fact) for number, fact in enumerate((begun, *facts), 1)]


def fold_of(*facts, position=START):
    return fold(record(*facts, position=position))


def verdicts(standing):
    return [(move.move, move.ruling.rule or "legal") for move in standing.moves]


def written(standing):
    return standing.game.write_position(standing.state)


def test_a_game_just_begun_stands_as_it_was_set_up():
    standing = fold_of()
    assert written(standing) == START
    assert standing.moves == ()
    assert standing.score.points == {"white": 0, "black": 0}
    assert not standing.outcome.over


def test_every_move_is_ruled_on_in_its_turn():
    standing = fold_of("a1", "c1", "a2", "c1", "a3xc1")
    assert verdicts(standing) == [
        ("a1", "legal"),
        ("c1", "legal"),
        ("a2", "legal"),
        ("c1", "2.2"),
        ("a3xc1", "legal"),
    ]
    assert [move.number for move in standing.moves] == [2, 3, 4, 5, 6]
    assert standing.moves[-1].points == {"white": 2, "black": 0}


def test_a_breach_stands_on_the_table_and_is_ruled_on_not_explained_away():
    standing = fold_of("a1", "b1", "a2", "b2", "a3")
    assert standing.moves[-1].ruling.rule == "3.2"
    assert written(standing)["white"] == ["a1", "a2", "a3"]
    assert written(standing)["to_move"] == "black"


def test_who_made_the_move_is_kept():
    standing = fold_of(MovePlayed("white", "a1", "phone"))
    assert standing.moves[0].player == "white"


def test_later_moves_are_judged_as_if_a_voided_one_never_was():
    before = record("a1", "c1", "c1", "d1")
    after = [*before, Event(6, MoveVoided(3))]
    assert verdicts(fold(before)) == [("a1", "legal"), ("c1", "legal"), ("c1", "2.2"), ("d1", "legal")]
    assert verdicts(fold(after)) == [("a1", "legal"), ("c1", "legal"), ("d1", "legal")]
    assert "move 4, c1, is now legal" in changes(fold(before), fold(after))


def test_a_voided_capture_gives_the_points_back():
    before = record("a1", "b1", "a2", "b2", "a3xb1")
    after = [*before, Event(7, MoveVoided(6))]
    assert changes(fold(before), fold(after)) == ("White: 1 → 0 points",)
    assert written(fold(after))["to_move"] == "white"


def test_a_move_that_an_earlier_void_leaves_without_its_piece_is_still_ruled_on():
    standing = fold_of("a1-b1", "g3-h3", "b1-b2", MoveVoided(2), position=SLIDING)
    assert verdicts(standing) == [("g3-h3", "2.3"), ("b1-b2", "2.3")]


def test_a_move_after_a_voided_one_stays_the_move_of_who_made_it():
    players = ("white", "black", "white", "black", "white")
    told = [MovePlayed(*move) for move in zip(players, ("a1", "b1", "a2", "b2", "a3xb1"), strict=True)]
    standing = fold_of(*told, MoveVoided(2))
    assert [(move.player, move.ruling.says) for move in standing.moves[:3]] == [
        ("black", "Black places on b1"),
        ("white", "White places on a2"),
        ("black", "Black places on b2"),
    ]
    assert verdicts(standing)[3] == ("a3xb1", "3.2")
    assert standing.moves[3].points == {"white": 1, "black": 0}
    assert written(standing)["to_move"] == "black"


def seeded(name, *facts):
    """A game of two that begins the same every time; pairs are moves, each with its player."""
    game = game_named(name)
    begun = GameBegun(name, game.write_position(start(game, rng=random.Random(1))))
    facts = [MovePlayed(*fact) if isinstance(fact, tuple) else fact for fact in facts]
    return [Event(number, fact) for number, fact in enumerate((begun, *facts), 1)]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tu_tzi", [("north", "<stock"), ("north", ">5"), ("south", "<stock"), ("south", ">4")]),
        ("zu_tiles_hime", [("south", "rat@0,0"), ("south", ".1"), ("north", "snake@1,0"), ("north", ".1")]),
        ("pirates_ninjas_robots_zombies", [("south", "P!@0,0"), ("north", "R!@1,0"), ("south", "N!@0,1")]),
    ],
)
def test_whoever_moves_after_an_end_of_turn_that_does_not_count_begins_a_turn(name, told):
    end_of_turn = 3
    standing = fold(seeded(name, *told, MoveVoided(end_of_turn)))
    assert [move.ruling.rule for move in standing.moves] == [None] * (len(told) - 1)


def some_game(game, count, rng):
    """The record of the first moves of a random game, each with its player."""
    state = start(game, game.seats[count], rng=rng)
    facts = [GameBegun(game.name, game.write_position(state))]
    for _ in range(24):
        move = rng.choice(legal_moves(game, state))
        facts.append(MovePlayed(game.to_move(state), game.write_move(move, state)))
        state = game.play(state, move)
    return [Event(number, fact) for number, fact in enumerate(facts, 1)]


@pytest.mark.parametrize("game", games().values(), ids=games().keys())
def test_whichever_move_is_voided_no_other_is_told_as_somebody_elses(game):
    for count in game.seats:
        told = some_game(game, count, random.Random(count))
        for number in range(2, len(told) + 1):
            for move in fold([*told, Event(len(told) + 1, MoveVoided(number))]).moves:
                others = [called(seat) for seat in game.seats[count] if seat != move.player]
                assert not (move.ruling.legal and move.ruling.says.startswith(tuple(others))), (number, move)


def test_where_a_game_cannot_say_whose_turn_it_is_a_move_out_of_turn_is_illegal_and_changes_nothing(monkeypatch):
    monkeypatch.setattr("companion.session.game_named", lambda name: noughts.GAME)
    begun = GameBegun("noughts", {"game": "noughts", "filled": []})
    told = (begun, MovePlayed("nought", "a1"), MovePlayed("cross", "b1"), MovePlayed("nought", "c1"), MoveVoided(2))
    first, last = fold(Event(number, fact) for number, fact in enumerate(told, 1)).moves
    assert (first.ruling.legal, first.ruling.rule, first.ruling.says) == (False, "turn order", "it is not Cross's turn")
    assert last.ruling.legal


def test_a_move_out_of_turn_is_against_the_rule_until_what_was_before_it_is_put_right():
    told = (MovePlayed("white", "a1"), MovePlayed("white", "b1", out_of_turn=True), MovePlayed("black", "c1"))
    moves = fold_of(*told).moves
    assert [(move.player, move.ruling.rule) for move in moves] == [("white", None), ("white", "2.1"), ("black", None)]
    assert moves[1].ruling.places == ("b1",)
    assert all(move.ruling.legal for move in fold_of(*told, MoveVoided(2)).moves)


@pytest.mark.parametrize("number", [1, 3, 4, 99])
def test_only_a_move_that_was_played_can_be_voided_or_ruled_on(number):
    for fact in (MoveVoided(number), RulingGiven(number, True)):
        with pytest.raises(Unreadable, match="no move") as refused:
            fold_of("a1", ScoreAdjusted("white", 1), fact)
        assert refused.value.at == "event 4"


def test_the_table_may_decide_against_the_rule_book():
    standing = fold_of("a1", "a1", RulingGiven(3, True, "we play it so"))
    ruling = standing.moves[1].ruling
    assert ruling.legal
    assert ruling.rule == "2.2"
    assert ruling.says.startswith("The table decided (we play it so). ")


def test_the_table_may_forbid_what_the_rule_book_allows():
    before, after = record("a1"), record("a1", RulingGiven(2, False))
    assert not fold(after).moves[0].ruling.legal
    assert changes(fold(before), fold(after)) == ("move 2, a1, is now illegal by the table's decision",)


def test_the_last_decision_on_a_move_holds():
    standing = fold_of("a1", RulingGiven(2, False), RulingGiven(2, True))
    assert standing.moves[0].ruling.legal


def test_agreed_points_are_an_item_of_their_own():
    standing = fold_of("a1", ScoreAdjusted("black", 2, "handicap"), ScoreAdjusted("black", -1))
    assert standing.score.points == {"white": 0, "black": 1}
    assert [(item.rule, item.says) for item in standing.score.items] == [
        ("agreed", "handicap"),
        ("agreed", "by agreement"),
    ]


def test_points_for_nobody_are_refused():
    with pytest.raises(Unreadable, match="red") as refused:
        fold_of(ScoreAdjusted("red", 2))
    assert refused.value.at == "event 2"


def test_who_sits_where_is_kept_and_may_change():
    standing = fold_of("a1", PlayerNamed("white", "Window"), PlayerNamed("white", "Window side"))
    assert (standing.called("white"), standing.called("black")) == ("Window side", "Black")


def test_nobody_sits_where_no_seat_is():
    with pytest.raises(Unreadable, match="red"):
        fold_of(PlayerNamed("red", "Window"))


def test_an_option_holds_from_when_it_was_switched():
    placed = START | {
        "white": ["a3", "b3", "d3", "e3", "f3"],
        "black": ["a1", "c1", "e1", "g1", "g3"],
        "hand": {"white": 4, "black": 4},
    }
    four = "c3xa1xc1xe1xg1"
    assert verdicts(fold_of(four, position=placed)) == [(four, "3.2")]
    switched = fold_of(OptionSwitched("chains", "every"), four, position=placed)
    assert verdicts(switched) == [(four, "legal")]
    assert written(switched)["options"] == {"chains": "every"}
    too_late = fold_of(four, OptionSwitched("chains", "every"), position=placed)
    assert verdicts(too_late) == [(four, "3.2")]
    back = fold_of(OptionSwitched("chains", "every"), OptionSwitched("chains", "three-and-five"), position=placed)
    assert "options" not in written(back)


def test_an_unknown_option_is_refused():
    with pytest.raises(Unreadable, match="flying") as refused:
        fold_of("a1", OptionSwitched("flying", "yes"))
    assert refused.value.at == "event 3"


def test_a_draw_can_be_agreed():
    standing = fold_of("a1", DrawAgreed("late"))
    assert (standing.outcome.draw, standing.outcome.winner, standing.outcome.says) == (True, None, "late")
    assert standing.outcome.over


def test_a_won_game_is_no_draw():
    won = START | {"white": ["a1", "c1", "e2"], "black": ["b3", "d3"], "hand": {"white": 0, "black": 0}}
    assert fold_of(DrawAgreed(), position=won).outcome.winner == "white"


def test_a_correction_lists_that_a_game_is_over_or_goes_on():
    won = START | {"white": ["a1", "c1", "e2"], "black": ["b3", "d3"], "hand": {"white": 0, "black": 0}}
    over, goes_on = (
        fold(record(*facts, position=won)) for facts in ((), [TileCorrected("g3", Piece("piece", "black"))])
    )
    assert changes(over, goes_on)[-1] == "The game goes on"
    assert changes(goes_on, over)[-1] == over.outcome.says != "The game goes on"


def test_a_corrected_tile_is_what_later_moves_are_judged_by():
    seen_wrong = record("a1", "c1", "a1")
    corrected = record("a1", TileCorrected("a1", None), TileCorrected("b1", Piece("piece", "white")), "c1", "a1")
    assert verdicts(fold(seen_wrong))[-1] == ("a1", "2.2")
    assert verdicts(fold(corrected))[-1] == ("a1", "legal")
    assert written(fold(corrected))["hand"] == {"white": 7, "black": 8}


def test_what_no_table_can_hold_is_refused_not_believed():
    for piece in (Piece("sword", "white"), Piece("piece", "red"), Piece("", None)):
        with pytest.raises(Unreadable):
            fold_of("a1", TileCorrected("b1", piece))


def test_a_place_that_is_none_is_not_corrected():
    with pytest.raises(Unreadable, match="z9") as refused:
        fold_of(TileCorrected("z9", None))
    assert refused.value.at == "event 2"


ROUND = ("a1-b1", "g3-h3", "b1-a1", "h3-g3")


def test_the_third_time_a_position_stands_is_pointed_out():
    assert fold_of(*ROUND, position=SLIDING).remarks == ()
    (remark,) = fold_of(*ROUND, *ROUND, position=SLIDING).remarks
    assert (remark.rule, remark.silent, remark.legal) == ("4.3", True, True)
    assert "3 times" in remark.says
    assert fold_of(*ROUND, *ROUND, "c1-d1", position=SLIDING).remarks == ()


def test_a_voided_move_takes_its_position_out_of_the_count():
    assert fold_of(*ROUND, *ROUND, MoveVoided(9), position=SLIDING).remarks == ()


def test_a_correction_there_and_back_is_no_repetition():
    fix = (TileCorrected("h1", Piece("piece", "black")), TileCorrected("h1", None))
    assert fold_of(*ROUND, *fix, *fix, position=SLIDING).remarks == ()


def test_the_table_may_choose_not_to_hear_of_repetition():
    assert fold_of(*ROUND, *ROUND, OptionSwitched("repetition", "ignore"), position=SLIDING).remarks == ()


def test_switching_another_option_does_not_forget_what_stood_before():
    standing = fold_of(*ROUND, *ROUND, OptionSwitched("chains", "every"), position=SLIDING)
    assert [remark.rule for remark in standing.remarks] == ["4.3"]


def test_a_record_begins_with_a_game_and_holds_one():
    with pytest.raises(Unreadable, match="game_begun"):
        fold([])
    with pytest.raises(Unreadable, match="game_begun"):
        fold([Event(1, MovePlayed("white", "a1"))])
    with pytest.raises(Unreadable, match="once"):
        fold_of("a1", GameBegun("zhizhu", START))
    with pytest.raises(Unreadable, match="no game"):
        fold([Event(1, GameBegun("chess", {}))])


def test_a_move_that_cannot_be_read_is_refused_with_its_number():
    with pytest.raises(Unreadable) as refused:
        fold_of("a1", "castle")
    assert refused.value.at == "event 3"


FACTS = [
    GameBegun("zhizhu", START),
    MovePlayed("white", "a1", "phone"),
    MovePlayed(None, "a1xb2"),
    MoveVoided(2),
    TileCorrected("a1", Piece("piece", "white")),
    TileCorrected("0,-1", Piece("sword", "black", 3)),
    TileCorrected("a1", None),
    RulingGiven(2, True, "so be it"),
    ScoreAdjusted("black", -3, "handicap"),
    OptionSwitched("chains", "every"),
    PlayerNamed("white", "Window side"),
    DrawAgreed(),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_an_event_comes_back_from_json_as_it_went(fact):
    event = Event(7, fact)
    assert event_from_json(json.loads(json.dumps(event.as_json()))) == event


def test_a_record_folds_the_same_after_a_journey_through_json():
    told = record(
        "a1", "b1", "a2", TileCorrected("c1", Piece("piece", "black")), "b2", "a3xb1", ScoreAdjusted("white", 1)
    )
    assert fold(event_from_json(json.loads(json.dumps(event.as_json()))) for event in told) == fold(told)


@pytest.mark.parametrize(
    ("given", "at"),
    [
        ({}, "number"),
        ({"number": 0, "kind": "draw_agreed"}, "number"),
        ({"number": True, "kind": "draw_agreed"}, "number"),
        ({"number": "1", "kind": "draw_agreed"}, "number"),
        ({"number": 1}, "kind"),
        ({"number": 1, "kind": ["draw_agreed"]}, "kind"),
        ({"number": 1, "kind": "table_flipped"}, "kind"),
        ({"number": 1, "kind": "draw_agreed", "why": "late"}, "why"),
        ({"number": 1, "kind": "move_voided"}, "move_number"),
        ({"number": 1, "kind": "move_voided", "move_number": "3"}, "move_number"),
        ({"number": 1, "kind": "move_voided", "move_number": True}, "move_number"),
        ({"number": 1, "kind": "move_played", "player": 3, "move": "a1"}, "player"),
        ({"number": 1, "kind": "tile_corrected", "place": "a1", "piece": {"tile": 1}}, "piece.tile"),
        ({"number": 1, "kind": "score_adjusted", "player": "white", "points": "two"}, "points"),
    ],
)
def test_what_is_no_event_is_refused_where_it_is_wrong(given, at):
    with pytest.raises(Unreadable) as refused:
        event_from_json(given)
    assert refused.value.at == at
