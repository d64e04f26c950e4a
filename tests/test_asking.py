"""What the players are asked where the table is seen otherwise than believed."""

import pytest

from companion.asking import questions, seen_layout
from companion.events import Event, GameBegun, MovePlayed, TileCorrected
from companion.game import start
from companion.live import Camera, Look, Table
from companion.registry import game_named
from companion.session import fold
from companion.store import Store
from companion.table import Piece

WHITE, BLACK = Piece("piece", "white"), Piece("piece", "black")


@pytest.fixture
def standing():
    game = game_named("zhizhu")
    events = [Event(1, GameBegun("zhizhu", game.write_position(start(game))))]
    return fold([*events, Event(2, MovePlayed("white", "a1")), Event(3, MovePlayed("black", "b1"))])


def test_a_table_as_believed_asks_nothing(standing):
    assert questions(standing, Look({"a1": WHITE, "b1": BLACK})) == ()
    assert questions(standing, Look({"a1": WHITE}, frozenset({"b1"}))) == ()


def test_a_move_that_explains_the_table_is_the_first_answer(standing):
    (asked,) = questions(standing, Look({"a1": WHITE, "b1": BLACK, "c1": WHITE}))
    assert asked.says == "c1 shows White Piece instead of nothing."
    assert asked.places == ("c1",)
    assert asked.answers[0].says == "White played c1"
    assert asked.answers[0].facts == (MovePlayed("white", "c1", "phone"),)


def test_what_no_move_explains_is_corrected_or_left(standing):
    (asked,) = questions(standing, Look({"a1": BLACK, "b1": WHITE}))
    right, left = asked.answers
    assert right.facts == (TileCorrected("a1", BLACK), TileCorrected("b1", WHITE))
    assert left.facts == ()


def test_a_game_asks_in_its_own_words():
    game = game_named("zu_tiles_hime")
    position = game.write_position(game.seen_by(start(game), None))
    events = [Event(1, GameBegun(game.name, position)), Event(2, MovePlayed("south", "rat@0,0"))]
    (asked,) = questions(fold(events), Look({"0,0": Piece("rat", "north", 2)}))
    assert asked.says == "Rat on 0,0 faces North and is South's: who controls it?"


def test_hidden_is_not_empty():
    assert seen_layout({"a1": WHITE, "b1": BLACK}, Look({"b1": WHITE}, frozenset({"b1"}))) == {"b1": BLACK}


def test_an_answer_is_taken_down_whole_once_and_ends_the_question(tmp_path, standing):
    with Store(tmp_path) as store:
        table = Table(store)
        table.begin("zhizhu", ("white", "black"), {}, {}, "begin-it")
        asked = questions(table.now.standing, Look({"a1": BLACK, "b1": WHITE}))
        table.show_camera(Camera.NEEDS_YOU, "What lies here?", asked)
        assert table.now.questions == asked
        for _ in range(2):
            event = table.answer(asked[0].answers[0].facts, "answer-it", asked[0].name)
            assert event.number == 3
        assert table.now.questions == ()
        assert table.now.standing.game.layout(table.now.standing.state) == {"a1": BLACK, "b1": WHITE}
        with pytest.raises(ValueError, match="on the web lie"):
            table.answer((TileCorrected("c1", WHITE), TileCorrected("c2", Piece("rat"))), "answer-two", "")
        assert table.now.number == 3
        table.close()
