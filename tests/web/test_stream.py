"""The stream: the whole state at once, again after every change, and a beat when nothing happens."""

import json

import pytest

from companion.events import MovePlayed, MoveVoided
from companion.live import Camera


def told(chunk):
    assert chunk.startswith("data: ")
    return json.loads(chunk.removeprefix("data: "))


@pytest.fixture
def listening(house):
    house.begin("a1")
    answer = house.spectator().get("/stream")
    assert answer.mimetype == "text/event-stream"
    chunks = (chunk.decode() for chunk in answer.response)
    assert next(chunks) == "retry: 1000\n\n"
    yield chunks
    answer.close()


def test_who_comes_gets_the_whole_state_and_then_every_change(house, listening):
    first = told(next(listening))
    assert first["number"] == house.table.now.number
    assert set(first["parts"]) == {"camera", "questions", "scores", "board", "moves"}
    house.table.tell(MovePlayed("black", "c1"))
    second = told(next(listening))
    assert second["number"] == first["number"] + 1
    assert "c1" in second["parts"]["moves"]
    assert "Black played c1. Legal." in second["say"]


def test_a_breach_stands_above_all_until_it_is_taken_back(house, listening):
    assert "Illegal" not in told(next(listening))["parts"]["questions"]
    breach = house.table.tell(MovePlayed("white", "b1", out_of_turn=True))
    above = told(next(listening))["parts"]["questions"]
    assert "Illegal by 2.1" in above
    assert f"/why/move/{breach.number}" in above
    house.table.tell(MoveVoided(breach.number))
    assert "Illegal" not in told(next(listening))["parts"]["questions"]


def test_what_the_camera_does_is_told(house, listening):
    next(listening)
    house.table.show_camera(Camera.HAND)
    assert "Hand over the table" in told(next(listening))["parts"]["camera"]
    house.table.show_camera(Camera.LOST, "The camera is unplugged.")
    assert "The camera is unplugged." in told(next(listening))["parts"]["questions"]


@pytest.mark.parametrize("camera", Camera)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_state_of_the_camera_has_words_and_a_sign(house, camera, language):
    house.table.show_camera(camera)
    phone = house.spectator()
    phone.post("/api/language", {"language": language})
    page = phone.page("/")
    assert f"camera-{camera}" in page
    assert f'id="camera-{camera}"' in phone.page(f"/static/{house.app.config['BUILT']}/icons.svg")


def test_a_stream_ends_when_the_table_closes(house, listening):
    next(listening)
    house.table.close()
    assert list(listening) == []


def test_a_hand_is_told_to_its_own_seat_only(house):
    house.begin("a1")
    own, other, watching = house.player("white"), house.player("black"), house.spectator()
    assert "Your hand" in own.page("/")
    assert own.page("/").count('alt="Piece"') == 8
    assert "Your hand" not in watching.page("/")
    assert other.page("/").count('alt="Piece"') == 9
    assert "Your hand" not in own.page("/tv")
