"""From the layout of a photographed table to a position: what lies there, and nothing that nobody saw."""

import json
from typing import Any

import pytest

from companion.game import AnyGame, Unreadable
from companion.photographed import is_counted_alike, state_of
from companion.registry import game_named, games
from companion.table import FACE_DOWN, Piece
from vision.judging import any_position

EVERY_GAME = pytest.mark.parametrize("game", games().values(), ids=games())


@EVERY_GAME
def test_any_table_becomes_a_position_that_can_be_read_back_and_counted(game: AnyGame) -> None:
    for seed in range(1, 21):
        lying = dict(game.layout(any_position(game, seed)))
        position = game.write_position(state_of(game, lying))
        read = game.read_position(json.loads(json.dumps(position)))
        assert game.layout(read) == lying
        assert game.write_position(read) == position
        assert set(game.score(read).points) == set(game.players(read))
        assert game.write_position(state_of(game, lying)) == position


def test_cards_that_nobody_sees_are_not_made_up() -> None:
    game = game_named("tu_tzi")
    lying = {"p1:a1": Piece("1"), "p2:b2": Piece("2"), "discard:1": Piece("60")}
    assert game.write_position(state_of(game, lying)) == {
        "game": "tu_tzi",
        "players": ["south", "north"],
        "formations": {"south": [1], "north": [2]},
        "discards": [60],
    }


def test_tiles_in_hands_and_stacks_are_not_counted_by_a_look() -> None:
    game = game_named("zu_tiles_hime")
    position = game.write_position(state_of(game, {"0,0": Piece("rat", "south", 0)}))
    assert position["players"] == {
        "south": {"deck": "ROM", "points": [], "discard": []},
        "north": {"deck": "DSR", "points": [], "discard": []},
    }


def test_how_a_tile_on_a_pile_is_turned_does_not_matter() -> None:
    game = game_named("zu_tiles_hime")
    straight, turned = (Piece("rat", "south", 0), Piece("rat", "west", 1))
    seen = [state_of(game, {"0,0": straight, "south:discard": top}) for top in (straight, turned)]
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("lying", "players"),
    [
        ({"p1:a1": "1"}, 2),
        ({"p2:a1": "1"}, 2),
        ({"p3:a1": "1"}, 3),
        ({"p1:a1": "1", "p5:a1": "13"}, 5),
        ({"discard:1": "1", "discard:2": "2"}, 4),
    ],
)
def test_as_many_play_as_the_cards_on_the_table_take(lying: dict[str, str], players: int) -> None:
    game = game_named("tu_tzi")
    state = state_of(game, {place: Piece(card) for place, card in lying.items()})
    assert len(game.players(state)) == players


@pytest.mark.parametrize(
    ("name", "place", "lying"),
    [("tu_tzi", "stock", {"p1:a1": Piece("1")}), ("zu_tiles_hime", "south:stack-2", {"0,0": Piece("rat", "south", 0)})],
)
def test_the_backs_of_what_is_drawn_from_say_nothing(name: str, place: str, lying: dict[str, Piece]) -> None:
    game = game_named(name)
    assert state_of(game, {**lying, place: Piece(FACE_DOWN)}) == state_of(game, lying)


def test_a_back_among_the_tiles_is_said_to_be_turned_over() -> None:
    with pytest.raises(Unreadable, match="the tile on 1,0 lies face down: turn it over"):
        state_of(game_named("zu_tiles_hime"), {"0,0": Piece("rat", "south", 0), "1,0": Piece(FACE_DOWN)})


@pytest.mark.parametrize(
    ("name", "lying", "says"),
    [
        ("tu_tzi", {"stock": Piece("7")}, "Metal Horse cannot lie on stock"),
        ("tu_tzi", {"p1:a1": Piece("1"), "p2:a1": Piece("1")}, "cannot all be on the table at once"),
        ("tu_tzi", {"p1:a1": Piece("2")}, "cannot all be on the table at once"),
        ("paiko", {place: Piece("sword", "white", None) for place in ("g6", "g5", "g4", "g7")}, "stand elsewhere"),
        ("zu_tiles_hime", {f"{i},0": Piece("dragon", "south", 0) for i in range(13)}, "the decks hold 6"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(name: str, lying: dict[str, Piece], says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        state_of(game_named(name), lying)


@EVERY_GAME
def test_whoever_counts_less_than_there_is_says_so(game: AnyGame) -> None:
    """Points that differ from the true ones are those of a game that says which it leaves out, or of other players."""
    less = 0
    for seed in range(1, 31):
        state = any_position(game, seed)
        counted = state_of(game, game.layout(state))
        if _points(game, counted) != _points(game, state):
            assert game.uncounted or not is_counted_alike(game, game.layout(state))
            less += game.players(counted) == game.players(state)
    assert bool(less) == bool(game.uncounted)


def _points(game: AnyGame, state: Any) -> dict[str, int]:
    return {player: points for player, points in game.score(state).points.items() if points}


@pytest.mark.parametrize(
    ("name", "lying", "alike"),
    [
        ("pirates_ninjas_robots_zombies", {"0,0": Piece("P!"), "1,0": Piece("NN/NN")}, False),
        ("zu_tiles_hime", {"south:points": Piece("rat", "south", 0)}, True),
        ("paiko", {"g6": Piece("sword", "white", None)}, True),
    ],
)
def test_it_is_known_where_points_hang_on_how_many_play(name: str, lying: dict[str, Piece], alike: bool) -> None:
    assert is_counted_alike(game_named(name), lying) is alike
