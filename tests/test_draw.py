"""Boards drawn for a page: what can be tapped, ringed and pointed at, in every game."""

import re
from random import Random
from xml.etree import ElementTree

import pytest

from companion.draw import Arrow, Overlay, board_svg, says_place, ways
from companion.game import legal_moves, start
from companion.registry import games
from companion.table import Piece

SWORD, BOW = Piece("sword", "white"), Piece("bow", "black")


@pytest.mark.parametrize("name", games())
def test_every_tile_and_every_free_place_can_be_tapped_and_has_words(name):
    game, rng = games()[name], Random(1)
    state = start(game, rng=rng)
    for _ in range(6):
        state = game.play(state, rng.choice(legal_moves(game, state)))
    drawn = ElementTree.fromstring(board_svg(game, state, overlay=Overlay(tappable=True)))
    taps = {each.attrib["data-tap"]: each.attrib["aria-label"] for each in drawn.iter() if "data-tap" in each.attrib}
    assert taps.keys() >= {*game.layout(state), *game.board.places}
    assert all(label.startswith(f"{says_place(place)}: ") for place, label in taps.items())


def test_a_board_for_a_page_names_its_faces_instead_of_bringing_them():
    game = games()["zhizhu"]
    state = game.play(start(game), game.read_move("a1", start(game)))
    drawn = board_svg(game, state, overlay=Overlay(face_at=lambda tile, owner: f"/faces/{tile}-{owner}"))
    assert '<image href="/faces/piece-white"' in drawn
    assert "<symbol" not in drawn


def test_a_tile_that_is_gone_here_and_come_there_has_moved():
    assert ways({"a": SWORD}, {"b": SWORD}) == (Arrow("a", "b"),)
    assert ways({}, {"b": SWORD}) == (Arrow(None, "b"),)
    assert ways({"a": SWORD, "b": BOW}, {"a": SWORD}) == (Arrow("b", None),)
    assert ways({"a": SWORD, "b": BOW}, {"b": SWORD}) == (Arrow("a", "b"),)
    assert ways({"a": SWORD}, {"a": SWORD}) == ()


def test_an_arrow_is_drawn_for_what_moves_comes_and_goes():
    game = games()["zhizhu"]
    arrows = (Arrow("a1", "a2", "1"), Arrow(None, "b1"), Arrow("c1", None), Arrow("a1", "nowhere"))
    drawn = board_svg(game, start(game), overlay=Overlay(arrows=arrows))
    assert len(re.findall("data-arrow", drawn)) == 4
    ElementTree.fromstring(drawn)


def test_what_happened_off_the_board_is_not_drawn_on_it():
    game = games()["zhizhu"]
    assert "data-lit" not in board_svg(game, start(game), lit=("hand",), overlay=Overlay(last=("hand",)))


def test_a_pile_is_called_what_it_is_and_other_places_go_by_their_names():
    assert says_place("c2") == "c2"
    assert says_place("stock") == "stock"
    assert says_place("discard:2") == "discard pile 2"
    assert says_place("south:stack-3") == "South's draw stack 3"
