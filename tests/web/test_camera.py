"""Everything that needs a camera, with one that really reads photographs of a simulated table."""

import re

import cv2
import numpy as np
import pytest

from companion.asking import questions
from companion.framing import Framing, framed
from companion.live import Camera, Look
from tests.studio_eyes import BLACK, GAME, WHITE, StudioEyes
from tests.web.conftest import House
from web.pages.camera import a_few, compared

EYES = StudioEyes()
"""One for all tests: the first photograph takes longest."""
LYING = {"a1": WHITE, "b1": BLACK, "a2": WHITE, "b2": BLACK}


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path, EYES)
    EYES.lies, EYES.ground, EYES.plane, EYES.table = dict(LYING), "mat", None, house.table
    EYES.learned.clear()
    house.table.show_camera(Camera.WATCHING)
    house.begin("a1", "b1", "a2", "b2")
    yield house
    house.close()


@pytest.fixture
def phone(house):
    return house.player("white")


def test_the_picture_and_how_well_the_camera_sees_are_shown(house, phone):
    assert phone.get("/camera/picture.jpg").get_data() == EYES.photo()
    page = phone.page("/camera")
    assert "found by 4 of 4 markers" in page
    assert "ZhiZhu" in page
    assert "Find the table" not in page
    assert "Find the table" in house.owner().page("/camera")


def test_the_game_is_recognised_from_its_mat(house):
    assert "The camera sees the mat of ZhiZhu" in house.owner().page("/setup")


def test_the_table_is_found_by_markers_or_by_corners(house):
    owner = house.owner()
    assert owner.post("/api/camera/find", {"corners": None}).json == {"plane": "markers", "game": "zhizhu"}
    corners = [[x, y] for x, y in EYES.view().corners]
    assert owner.post("/api/camera/find", {"corners": corners}).json == {"plane": "corners", "game": None}
    assert EYES.look_again().seen == LYING
    crossed = owner.post("/api/camera/find", {"corners": [corners[0], corners[2], corners[1], corners[3]]})
    assert crossed.status_code == 409
    assert "far left" in crossed.json["says"]
    assert owner.post("/api/camera/find", {"corners": [[0, 0], [1, 0], [1, 2], [0, 1]]}).status_code == 400


def test_a_camera_that_cannot_see_says_what_to_do(house, phone):
    EYES.ground = "bare"
    assert "uncover the markers" in phone.page("/camera")
    answer = phone.get("/look")
    assert answer.status_code == 409
    assert "put the mat under the camera" in answer.get_data(as_text=True)


def test_watching_is_paused_and_goes_on(house, phone):
    assert phone.post("/api/camera/pause", {"paused": True}).status_code == 200
    assert house.table.now.camera == Camera.PAUSED
    assert "Go on watching" in phone.page("/")
    assert "Go on watching" not in house.spectator().page("/")
    phone.post("/api/camera/pause", {"paused": False})
    assert house.table.now.camera == Camera.WATCHING


def test_looking_again_shows_both_readings_and_each_answer_is_one_tap(house, phone):
    assert "Both readings are the same" in phone.page("/look")
    EYES.lies["c1"] = WHITE
    page = phone.page("/look")
    assert "nothing → <b>White Piece</b>" in page
    assert "/correct?place=c1&amp;tile=piece&amp;owner=white" in page
    assert "Window side played c1" in page
    facts = [{"kind": "move_played", "player": "white", "move": "c1", "told_by": "phone"}]
    assert phone.change("/api/answer", facts=facts).json == {"number": house.table.now.number}
    assert "Both readings are the same" in phone.page("/look")


def test_an_answer_only_plays_or_corrects(house, phone):
    before = house.table.now
    for fact in ({"kind": "score_adjusted", "player": "white", "points": 9}, {"kind": "x"}, {}):
        assert phone.change("/api/answer", facts=[fact]).status_code == 400
    assert house.table.now is before


def test_a_question_of_the_table_is_asked_on_every_screen_and_answered_once(house, phone):
    asked = questions(house.table.now.standing, Look({**LYING, "a1": BLACK}))
    house.table.show_camera(Camera.NEEDS_YOU, "", asked)
    assert "a1 shows Black Piece instead of White Piece." in house.spectator().page("/")
    assert "The table is right" not in house.spectator().page("/")
    assert "Answer on a phone" in phone.page("/tv")
    page = phone.page("/")
    assert "Needs you" in page
    assert "The table is right: correct the tiles" in page
    right = asked[0].answers[0].facts
    piece = {"tile": "piece", "owner": "black", "facing": None}
    assert right[0].piece == BLACK
    facts = [{"kind": "tile_corrected", "place": "a1", "piece": piece}]
    body = {"question": asked[0].name, "facts": facts, "request": "answer-once"}
    first, second = phone.post("/api/answer", body), phone.post("/api/answer", body)
    assert first.json == second.json
    assert house.table.now.questions == ()
    assert "a1 shows" not in phone.page("/")


def test_a_tile_is_corrected_by_its_crop_the_likeliest_first(house, phone):
    EYES.lies["a1"] = BLACK
    page = phone.page("/correct?place=a1")
    assert "a1 as the camera sees it" in page
    assert "data:image/jpeg;base64," in page
    assert "95 % likely" in page
    assert "as the camera sees it" not in phone.page("/correct")


def test_a_photo_from_a_phone_is_read_as_the_table(house, phone):
    EYES.lies["c1"] = WHITE
    answer = phone.photo("/api/photo", EYES.photo())
    assert answer.status_code == 200
    assert "Window side played c1" in answer.get_data(as_text=True)
    EYES.ground = "bare"
    unmarked = phone.photo("/api/photo", EYES.photo())
    assert unmarked.status_code == 409
    assert unmarked.json["at"] == "camera"


def test_a_photo_without_markers_is_read_by_its_corners(house, phone):
    EYES.lies["c1"] = WHITE
    corners = ",".join(f"{share:.4f}" for corner in EYES.calibrate().corners for share in corner)
    answer = phone.photo(f"/api/photo?corners={corners}", EYES.photo())
    assert "Window side played c1" in answer.get_data(as_text=True)
    for wrong in ("1,2", "a,b,c,d,e,f,g,h", "0,0,1,0,1,1,0,nan", "0,0,1,0,1,1,0,2"):
        assert phone.photo(f"/api/photo?corners={wrong}", EYES.photo()).status_code == 400


def test_a_few_tiles_are_asked_for_and_what_was_read_is_shown(house, phone):
    wanted = a_few(GAME, 3)
    assert len(wanted) == 4
    EYES.lies = dict(zip(("a1", "c1", "e2", "g3"), wanted, strict=True))
    assert "Put these 4 tiles" in phone.page("/camera/check?lot=3")
    assert "All of them were read" in phone.page("/camera/check?lot=3&look=1")
    EYES.lies["b3"] = EYES.lies.pop("a1")
    del EYES.lies["c1"]
    assert "3 of 4 were read" in phone.page("/camera/check?lot=3&look=1")


def test_tiles_are_compared_however_they_are_turned():
    assert compared([WHITE, WHITE, BLACK], [BLACK, WHITE, BLACK]) == ((True, False, True), (BLACK,))


def test_a_set_is_learned_tile_by_tile_and_two_too_close_are_shown(house):
    owner = house.owner()
    assert "Learn another set" in owner.page("/sets?game=zhizhu")
    page = owner.page("/sets?game=zhizhu&set=Ours")
    assert "Lay White Piece alone in the middle" in page
    learn = {"game": "zhizhu", "set": "Ours", "tile": "piece"}
    first = owner.post("/api/sets/learn", {**learn, "owner": "white"}).get_data(as_text=True)
    assert "learned from 1" in first
    assert "too much like" not in first
    assert "Lay Black Piece alone" in owner.page("/sets?game=zhizhu&set=Ours")
    second = owner.photo("/api/sets/photo?game=zhizhu&set=Ours&tile=piece&owner=black", EYES.photo())
    assert "Black Piece looks too much like another tile" in second.get_data(as_text=True)
    assert second.get_data(as_text=True).count("data:image/jpeg") >= 3
    assert "2 of 2 tiles learned" in owner.page("/sets?game=zhizhu")
    assert owner.post("/api/sets/use", {"game": "zhizhu", "set": "Ours"}).status_code == 200
    assert EYES.used == "Ours"
    assert owner.post("/api/sets/forget", {"game": "zhizhu", "set": "Ours"}).status_code == 200
    assert EYES.learned == {}


@pytest.mark.parametrize("name", ["../../etc", "a/b", "", "x" * 30, ".hidden"])
def test_a_set_has_a_plain_name(house, name):
    owner = house.owner()
    learn = {"game": "zhizhu", "set": name, "tile": "piece", "owner": "white"}
    assert owner.post("/api/sets/learn", learn).status_code == 400
    path = f"/api/sets/photo?game=zhizhu&set={name}&tile=piece&owner=white"
    assert owner.photo(path, EYES.photo()).status_code == 400


def test_a_tile_that_is_none_is_not_learned(house):
    learn = {"game": "zhizhu", "set": "Ours", "tile": "rat", "owner": None}
    assert house.owner().post("/api/sets/learn", learn).status_code == 400


def test_the_places_of_a_ruling_are_ringed_on_its_photograph(house, phone):
    phone.change("/api/move", move="a1", player="white")
    picture = framed(EYES.photo(), Framing(-200, -180, 200, 180))
    house.table.picture = lambda game, event: picture
    page = phone.page(f"/why/move/{house.table.now.number}")
    at = GAME.board.spot("a1")
    assert 'viewBox="-200.0 -180.0 400.0 360.0"' in page
    assert f'<circle class="ring" cx="{at.x_mm}" cy="{at.y_mm}"' in page
    assert len(re.findall('class="ring"', page)) == 1
    house.table.picture = lambda game, event: EYES.photo()
    assert 'viewBox="-162.0 -162.0 324.0 324.0"' in phone.page(f"/why/move/{house.table.now.number}")


def _jpeg(width, height):
    return cv2.imencode(".jpg", np.zeros((height, width, 3), np.uint8))[1].tobytes()


def _png_head(width, height):
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4) + height.to_bytes(4) + b"\x08\x02\x00\x00\x00"
    return head + bytes(20) + b"IEND\xaeB`\x82"


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (b"", "no JPEG or PNG"),
        (b"GIF89a" + bytes(400), "no JPEG or PNG"),
        (b"\xff\xd8\xff\xe0" + bytes(400), "no JPEG or PNG"),
        (b"\xff\xd8\xff\xdb\x00\x00" * 90, "no JPEG or PNG"),
        (_png_head(30_000, 30_000), "megapixels"),
        (_png_head(1, 1), "too small"),
        (_jpeg(640, 480)[:-40], "the end of this picture is missing"),
    ],
)
def test_a_picture_that_should_not_be_decoded_is_refused_in_a_sentence(phone, image, says):
    answer = phone.photo("/api/photo", image)
    assert answer.status_code == 400
    assert says in answer.json["says"]


def test_a_jpeg_that_says_it_is_huge_is_never_decoded(phone):
    small = _jpeg(640, 480)
    at = small.index(b"\xff\xc0")
    huge = small[: at + 5] + (60_000).to_bytes(2) + (60_000).to_bytes(2) + small[at + 9 :]
    assert "megapixels" in phone.photo("/api/photo", huge).json["says"]


def test_photos_are_limited_in_bytes_and_kind_and_nothing_else_grows(phone):
    too_large = phone.photo("/api/photo", bytes(12 * 1024 * 1024 + 1))
    assert too_large.status_code == 413
    assert "at most 12 MB" in too_large.json["says"]
    assert phone.photo("/api/photo", EYES.photo(), kind="application/json").status_code == 415
    assert phone.photo("/api/photo", EYES.photo(), kind="image/gif").status_code == 415
    assert phone.photo("/api/move", EYES.photo()).status_code == 415
    assert phone.post("/api/move", raw=bytes(70_000)).status_code == 413
