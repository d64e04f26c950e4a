"""What no camera sees of a turn of ZU Tiles, told from a phone: each kind once, by tapping."""

import json
import re
from html import unescape
from urllib.parse import quote, unquote

import pytest

from tests.zu.zu_drawn import table as drawn

AREA = "S:rat@0,0 N:rooster@1,0 S:ox@1,-1 N:snake@2,0 S:ox@2,1"


@pytest.fixture
def phone(house):
    """The seat of who is to move, at a table with a creature of each side beside the one that is attacked."""
    position = {"game": "zu_tiles_hime", **drawn(AREA)}
    position["players"]["south"]["hand"] = ["monkey", "pull", "revive"]
    position["players"]["north"]["hand"] = 4
    house.table.begin_from("zu_tiles_hime", position, "begin-zu-here")
    return house.player("south")


def taps(*places, **more):
    return "&".join((*(f"at={quote(place)}" for place in places), *(f"{key}={quote(more[key])}" for key in more)))


def offered(page):
    """The moves that a page offers to tap."""
    return [unquote(move) for move in re.findall(r'class="chip[^>]*href="/ask\?[^"]*?move=([^"&]*)"', page)]


def sent(page, path):
    """What the buttons of a page send, in their order."""
    bodies = re.findall(rf'data-send="{path}"[^>]*data-body="([^"]*)"', page)
    return [json.loads(unescape(body)) for body in bodies]


def last(house):
    return house.table.now.standing.moves[-1]


def test_a_draw_is_told(house, phone):
    draw = next(body for body in sent(phone.page("/tell"), "/api/move") if body["move"] == ".3")
    assert phone.change("/api/move", **draw).status_code == 200
    assert (last(house).move, last(house).ruling.legal) == (".3", True)


def test_an_ally_is_told_by_tapping_it(house, phone):
    fight, ally = "0,0>1,0*monkey", "0,0>1,0+1,-1*monkey"
    assert {fight, ally} <= set(offered(phone.page(f"/ask?{taps('0,0', '1,0')}")))
    helped = offered(phone.page(f"/ask?{taps('0,0', '1,0', '1,-1')}"))
    assert fight not in helped
    assert ally in helped
    (play,) = sent(phone.page(f"/ask?{taps('0,0', '1,0', '1,-1', move=ally)}"), "/api/move")
    assert phone.change("/api/move", **play).status_code == 200
    assert last(house).move == ally
    assert "Ox" in last(house).ruling.says


def test_targets_are_told_by_tapping_them(house, phone):
    aimed = offered(phone.page(f"/ask?{taps('2,1', '2,3', tile='pull')}"))
    assert aimed[0] == "!pull(2,1>2,3)"
    assert all(re.search(r"2,1.*2,3", move) for move in aimed)
    (play,) = sent(phone.page(f"/ask?{taps(move=aimed[0])}"), "/api/move")
    assert phone.change("/api/move", **play).status_code == 200
    standing = house.table.now.standing
    assert "2,3" in standing.game.layout(standing.state)


def test_a_tile_added_to_a_stack_is_told_with_its_target(house, phone):
    first = "!revive"
    page = phone.page(f"/ask?move={quote(first)}")
    assert "Somebody adds a tile" in page
    assert "adds=north%3Arattle" in page
    ways = offered(phone.page(f"/ask?move={quote(first)}&adds=north:rattle"))
    assert ways
    assert all("rattle" in way for way in ways)
    narrowed = offered(phone.page(f"/ask?move={quote(first)}&adds=north:rattle&{taps('2,1')}"))
    assert 0 < len(narrowed) < len(ways)
    (play,) = sent(phone.page(f"/ask?{taps(move=narrowed[0])}"), "/api/move")
    assert play["move"].startswith("!revive ^north:rattle(")
    assert phone.change("/api/move", **play).status_code == 200
    assert last(house).ruling.legal


def test_nobody_is_offered_what_another_is_known_not_to_hold(house, phone):
    page = phone.page(f"/ask?move={quote('!revive')}")
    assert "adds=south%3Arattle" not in page
    assert offered(phone.page(f"/ask?move={quote('!revive')}&adds=nobody:rattle")) == []


def test_what_a_camera_took_for_another_move_is_put_right_with_one_tap(house, phone):
    played = phone.change("/api/move", move="0,0>1,0+1,-1*monkey", player="south").get_json()["number"]
    page = phone.page("/tell")
    assert "Or was it this?" in page
    instead = next(body for body in sent(page, "/api/answer") if body["facts"][1]["move"] != last(house).move)
    assert instead["facts"][0] == {"kind": "move_voided", "move_number": played}
    before = house.table.now.standing.game.layout(house.table.now.standing.state)
    assert phone.change("/api/answer", **instead).status_code == 200
    standing = house.table.now.standing
    assert [move.move for move in standing.moves] == [instead["facts"][1]["move"]]
    assert standing.game.layout(standing.state) == before
