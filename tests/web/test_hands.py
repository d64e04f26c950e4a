"""Hands, in every game: each phone sees its own seat's and no other."""

import re
from random import Random
from urllib.parse import quote

import pytest

from companion.game import legal_moves, start
from companion.registry import games


@pytest.fixture(params=games())
def played(request):
    game, rng = games()[request.param], Random(2)
    state = start(game, rng=rng)
    for _ in range(8):
        state = game.play(state, rng.choice(legal_moves(game, state)))
    return game, state


def test_the_own_hand_is_known_and_every_tile_of_it_has_a_face(played):
    game, state = played
    for player in game.players(state):
        hand = game.held(game.seen_by(state, player), player)
        assert hand == game.held(state, player)
        assert all(game.face(tile, player).startswith("<svg") for tile in hand)


def test_a_secret_hand_is_nobody_elses_business(played):
    game, state = played
    if game.seen_by(state, None) == state:
        pytest.skip("nothing is secret in this game")
    first, second, *_ = game.players(state)
    assert game.held(game.seen_by(state, first), second) == ()
    assert game.held(game.seen_by(state, None), first) == ()


SECRET = [name for name, game in games().items() if game.hold is not None]


@pytest.fixture(params=SECRET)
def seated(request, house):
    """A game dealt with real tiles, whose hands nobody told the companion, and a phone at the first seat to move."""
    game = games()[request.param]
    house.table.begin(game.name, game.seats[2], {}, {}, f"begin-{next(house.ids)}-----")
    player = game.to_move(house.table.now.standing.state)
    dealt = start(game, rng=Random(7))
    return house, player, house.player(player), game.held(dealt, game.to_move(dealt))


def test_a_hand_dealt_at_a_real_table_is_unknown(seated):
    house, player, _phone, _ = seated
    standing = house.table.now.standing
    assert standing.game.held(standing.state, player) == ()
    assert standing.game.in_hand(standing.state, player) > 0


def test_a_hand_is_told_by_its_own_seat_and_seen_and_advised_there_only(seated):
    house, player, phone, tiles = seated
    game = house.table.now.standing.game
    assert "Take a seat" not in phone.page("/hand")
    taps = "&".join(f"tile={quote(tile)}" for tile in tiles)
    assert f"{len(tiles)} of {len(tiles)} tiles told" in phone.page(f"/hand?changed=1&{taps}")
    assert phone.change("/api/hand", tiles=list(tiles)).status_code == 200
    assert sorted(game.held(house.table.now.standing.state, player)) == sorted(tiles)
    other = house.player(next(seat for seat in game.seats[2] if seat != player))
    assert "Your hand" in phone.page("/")
    assert "Your hand" not in other.page("/")
    assert "Your hand" not in house.spectator().page("/")
    assert phone.post("/api/advice", {"on": True}).status_code == 200
    assert "advice" in phone.page("/advice/moves")
    assert other.get("/advice/moves").get_data(as_text=True) == ""
    assert house.spectator().get("/export/1.json").status_code in (403, 404)


def test_what_no_hand_can_hold_is_refused_in_a_sentence(seated):
    house, _player, phone, tiles = seated
    before = house.table.now
    for wrong in ([*tiles, *tiles], ["no such tile"], ["../x"] * 3):
        answer = phone.change("/api/hand", tiles=wrong)
        assert answer.status_code == 400
        assert answer.json["says"]
    assert house.table.now is before
    assert house.player().change("/api/hand", tiles=list(tiles)).status_code == 409
    assert house.spectator().change("/api/hand", tiles=list(tiles)).status_code == 403


def test_a_move_with_a_tile_that_nobody_knew_of_is_chosen_by_tapping(seated):
    house, _player, phone, tiles = seated
    assert "Which tile comes from the hand?" in phone.page("/ask")
    offered = phone.page(f"/ask?tile={quote(tiles[0])}")
    if house.table.now.standing.game.name != "tu_tzi":
        assert re.search(r'<ul class="chips( tall)?"><li><a class="chip"', offered)


def test_a_hand_told_after_a_move_that_is_taken_back_does_not_stand_in_the_way(house):
    game = games()["zu_tiles_hime"]
    house.table.begin(game.name, game.seats[2], {}, {}, "begin-zu-here")
    phone = house.player("south")
    played = phone.change("/api/move", move="rat@0,0", player="south").json["number"]
    assert phone.change("/api/hand", tiles=["ox", "ox"]).status_code == 200
    assert phone.change("/api/undo", number=played).status_code == 200
    assert game.in_hand(house.table.now.standing.state, "south") == 5


def test_hands_that_lie_open_need_not_be_told(house):
    house.begin()
    phone = house.player("white")
    assert phone.get("/hand").status_code == 404
    assert phone.change("/api/hand", tiles=["piece"]).status_code == 400


def test_paikos_picks_are_told_by_tapping_tiles(house):
    house.table.begin("paiko", ("white", "black"), {}, {}, "begin-paiko-here")
    phone = house.player("white")
    assert "Tap the tiles" in phone.page("/tell")
    assert "&#34;move&#34;: &#34;+SSSBBBE&#34;" not in phone.page("/tell")
    taps = "&".join(f"tile={tile}" for tile in ("sword", "sword", "sword", "bow", "bow", "bow", "earth"))
    page = phone.page(f"/tell?{taps}")
    assert page.count('data-send="/api/move"') == 1
    assert "+SSSBBBE" in page


def test_who_begins_is_settled_at_the_table(house):
    for name in SECRET:
        game = games()[name]
        for first in game.seats[3]:
            house.table.begin(name, game.seats[3], {}, {}, f"begin-{name}-{first}", first=first)
            assert game.to_move(house.table.now.standing.state) == first
    with pytest.raises(ValueError, match="cannot begin"):
        house.table.begin("paiko", ("white", "black"), {}, {}, "begin-black", first="black")
