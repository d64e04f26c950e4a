"""The live table: facts are taken down one after another, everybody hears of them, and a restart forgets nothing."""

import json
from threading import Thread

import pytest

from companion.config import Settings
from companion.events import MovePlayed, MoveVoided, TileCorrected
from companion.game import Unreadable
from companion.live import Camera, Table
from companion.store import Store


@pytest.fixture
def table(tmp_path):
    with Store(tmp_path) as store:
        table = Table(store)
        yield table
        table.close()


def begin(table, request="request-1", **people):
    return table.begin("zhizhu", ("white", "black"), {}, people, request)


def test_a_table_without_a_game_says_so(table):
    assert (table.now.game, table.now.number, table.now.standing) == (None, 0, None)
    with pytest.raises(Unreadable, match="no game"):
        table.tell(MovePlayed("white", "a1"))
    with pytest.raises(Unreadable, match="no game"):
        table.preview(MovePlayed("white", "a1"))


def test_a_game_begins_with_its_people(table):
    begin(table, white="Window side")
    assert table.now.standing.called("white") == "Window side"
    assert table.now.number == 2


def test_the_same_request_is_done_once(table):
    begin(table)
    begin(table)
    assert len(table.store.games()) == 1
    first, again = (table.tell(MovePlayed("white", "a1", "phone"), "request-2") for _ in range(2))
    assert first == again
    assert len(table.now.standing.moves) == 1


def test_what_cannot_be_is_refused_and_changes_nothing(table):
    begin(table)
    before = table.now
    for fact in (MovePlayed("white", "castle"), MoveVoided(9), TileCorrected("z9", None)):
        with pytest.raises(Unreadable):
            table.tell(fact)
    with pytest.raises(Unreadable, match="nobody"):
        table.begin("zhizhu", ("white", "black"), {}, {"nobody": "x"}, "request-3")
    assert table.now is before
    assert len(table.store.events(before.game)) == 1


def test_a_change_is_shown_before_it_is_made(table):
    begin(table)
    for move in ("a1", "b1", "a2", "b2", "a3xb1"):
        table.tell(MovePlayed(None, move))
    assert "White: 1 → 0 points" in table.preview(MoveVoided(6))
    assert table.now.standing.score.points["white"] == 1


def test_a_listener_hears_the_whole_state_first_and_every_change_after(table):
    heard = table.listen(0.01)
    assert next(heard).standing is None
    begin(table)
    assert next(heard).number == 1
    assert next(heard) is None
    table.show_camera(Camera.NEEDS_YOU, "What lies on a1?")
    told = next(heard)
    assert (told.camera, told.camera_says, told.number) == (Camera.NEEDS_YOU, "What lies on a1?", 1)
    table.show_camera(Camera.NEEDS_YOU, "What lies on a1?")
    assert next(heard) is None


def test_facts_from_many_phones_are_numbered_without_gaps(table):
    begin(table)
    points = [f"{line}{circle}" for line in "abcdefgh" for circle in "12"]
    phones = [Thread(target=table.tell, args=(MovePlayed(None, point, "phone"), f"phone-{point}")) for point in points]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert [event.number for event in table.now.record] == list(range(1, 18))
    assert table.store.events(table.now.game) == table.now.record


def test_a_restart_finds_the_game_as_it_stood(tmp_path):
    for move in ("a1", "b1"):
        with Store(tmp_path) as store:
            table = Table(store)
            if table.now.game is None:
                begin(table)
            table.tell(MovePlayed(None, move))
            table.close()
    with Store(tmp_path) as store:
        assert [move.move for move in Table(store).now.standing.moves] == ["a1", "b1"]


def test_settings_are_made_once_and_kept(tmp_path):
    first = Settings(tmp_path).now
    assert len(first.pin) == 6
    assert first.pin.isdigit()
    assert Settings(tmp_path).now == first
    assert (tmp_path / "table.json").stat().st_mode & 0o077 == 0


def test_damaged_settings_are_not_guessed_at(tmp_path):
    Settings(tmp_path)
    held = json.loads((tmp_path / "table.json").read_text())
    (tmp_path / "table.json").write_text(json.dumps(held | {"pin": 7}))
    with pytest.raises(Unreadable, match="damaged"):
        Settings(tmp_path)
