"""The record on disk: what is acknowledged stays, happens once, and is read back as it was."""

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion import database
from companion.events import (
    DrawAgreed,
    Event,
    GameBegun,
    MovePlayed,
    MoveVoided,
    OptionSwitched,
    RulingGiven,
    ScoreAdjusted,
    TileCorrected,
)
from companion.game import Unreadable
from companion.store import Entry, InUse, NotRecorded, Reader, Store
from companion.table import Piece

TOP = Path(__file__).parent.parent
BEGUN = GameBegun("zhizhu", {"game": "zhizhu", "to_move": "white", "white": [], "black": []})
FACTS = (
    MovePlayed("white", "a1", "phone"),
    MovePlayed(None, "a1xb2"),
    MoveVoided(2),
    TileCorrected("0,-1", Piece("sword", "black", 3)),
    TileCorrected("a1", None),
    RulingGiven(2, True, "so be it – „ja“"),
    ScoreAdjusted("black", -3, "handicap"),
    OptionSwitched("chains", "every"),
    DrawAgreed(),
)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "state") as opened:
        yield opened


@pytest.fixture
def game(store):
    return store.begin(BEGUN)


@pytest.fixture
def inside(tmp_path, store):
    """The database itself, by another connection."""
    with closing(database.connect(tmp_path / "state" / "record.db")) as connection:
        yield connection


def test_every_fact_comes_back_as_it_went(store, game):
    for number, fact in enumerate(FACTS, 2):
        assert store.append(game, fact) == Event(number, fact)
    assert store.events(game) == tuple(Event(number, fact) for number, fact in enumerate((BEGUN, *FACTS), 1))


def test_a_record_is_there_again_after_it_was_closed(tmp_path):
    with Store(tmp_path) as store:
        game = store.begin(BEGUN)
        store.append(game, FACTS[0])
    with Store(tmp_path) as store:
        assert store.said == ()
        assert store.append(game, FACTS[1]).number == 3


def test_many_games_have_numbers_of_their_own(store):
    one, two = store.begin(BEGUN), store.begin(BEGUN)
    numbers = [store.append(game, DrawAgreed()).number for game in (one, two, one, one, two)]
    assert numbers == [2, 2, 3, 4, 3]
    assert [(kept.number, kept.name, kept.events, kept.moves) for kept in store.games()] == [
        (one, "zhizhu", 4, 0),
        (two, "zhizhu", 3, 0),
    ]
    assert len({kept.identity for kept in store.games()}) == 2


def test_a_game_that_is_not_there_takes_no_event_and_has_none(store):
    for asked in (lambda: store.append(7, DrawAgreed()), lambda: store.events(7), lambda: store.game(7)):
        with pytest.raises(Unreadable, match="no game 7"):
            asked()
    assert store.games() == ()


def test_a_game_begins_once(store, game):
    with pytest.raises(Unreadable, match="once"):
        store.append(game, BEGUN)


@pytest.mark.parametrize(
    "fact", [ScoreAdjusted("black", 1, "\ud800"), ScoreAdjusted("black", 1.5), MovePlayed(3, "a1")]
)
def test_what_could_not_be_read_again_is_not_written(store, game, fact):
    with pytest.raises(Unreadable):
        store.append(game, fact)
    assert store.events(game) == (Event(1, BEGUN),)


def test_a_request_made_again_happens_once_and_gets_the_same_answer(store, game):
    first = store.append(game, FACTS[0], "phone 1")
    store.append(game, FACTS[1], "phone 2")
    assert store.append(game, FACTS[0], "phone 1") == first
    assert store.answered(game, FACTS[0], "phone 1") == first
    assert store.answered(game, FACTS[0], "phone 3") is None
    assert len(store.events(game)) == 3


def test_a_request_made_again_after_a_restart_happens_once(tmp_path):
    with Store(tmp_path) as store:
        game = store.begin(BEGUN, "first")
        event = store.append(game, FACTS[0], "second")
    with Store(tmp_path) as store:
        assert store.begin(BEGUN, "first") == game
        assert store.append(game, FACTS[0], "second") == event
        assert [kept.events for kept in store.games()] == [2]


def test_a_request_is_not_taken_for_another_one(store, game):
    other = store.begin(BEGUN, "the other game")
    store.append(game, FACTS[0], "phone 1")
    for asked in (
        lambda: store.append(game, FACTS[1], "phone 1"),
        lambda: store.append(other, FACTS[0], "phone 1"),
        lambda: store.begin(BEGUN, "phone 1"),
        lambda: store.append(other, FACTS[0], "the other game"),
    ):
        with pytest.raises(Unreadable, match="something else"):
            asked()
    assert len(store.events(game)) == 2


def test_nothing_is_ever_changed_or_taken_away(store, game, inside):
    store.append(game, FACTS[0])
    for statement in ("UPDATE events SET noted = 0", "DELETE FROM events", "DELETE FROM games"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            inside.execute(statement)
    with pytest.raises(sqlite3.IntegrityError, match="next number"):
        inside.execute("INSERT INTO events VALUES (1, 9, 'draw_agreed', '{}', NULL, 0, 0)")


def test_the_disk_is_written_the_safe_way(store):
    asked = {
        name: store._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
    }
    assert asked == {"journal_mode": "wal", "synchronous": 2}


def test_the_file_says_whose_it_is_and_of_which_version(inside):
    assert inside.execute("PRAGMA application_id").fetchone() == (database.APPLICATION,)
    assert inside.execute("PRAGMA user_version").fetchone() == (len(database.LADDER),)


def test_an_older_record_climbs_the_ladder_and_keeps_its_events(tmp_path, monkeypatch):
    with Store(tmp_path) as store:
        game = store.begin(BEGUN)
        store.append(game, FACTS[0])
    rung = ("ALTER TABLE games ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",)
    monkeypatch.setattr(database, "LADDER", (*database.LADDER, rung))
    with Store(tmp_path) as store:
        assert store._connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert store._connection.execute("SELECT note FROM games").fetchone() == ("none",)
        assert len(store.events(game)) == 2


def test_a_rung_that_breaks_leaves_the_record_as_it_was(tmp_path, monkeypatch):
    with Store(tmp_path) as store:
        game = store.begin(BEGUN)
    broken = ("ALTER TABLE games ADD COLUMN note TEXT", "ALTER TABLE nowhere ADD COLUMN note TEXT")
    with monkeypatch.context() as changed:
        changed.setattr(database, "LADDER", (*database.LADDER, broken))
        with pytest.raises(NotRecorded, match="nowhere"):
            Store(tmp_path)
    with Store(tmp_path) as store:
        assert store.said == ()
        assert len(store.events(game)) == 1


def test_what_a_newer_companion_wrote_is_left_alone(tmp_path):
    Store(tmp_path).close()
    with closing(database.connect(tmp_path / "record.db")) as connection:
        connection.execute(f"PRAGMA user_version={len(database.LADDER) + 1}")
    before = (tmp_path / "record.db").read_bytes()
    for opens in (Store, Reader):
        with pytest.raises(Unreadable, match="newer companion"):
            opens(tmp_path)
    assert (tmp_path / "record.db").read_bytes() == before


def test_a_reader_sees_what_is_committed_and_nothing_else(tmp_path, store, game):
    with Reader(tmp_path / "state") as reader:
        store.append(game, FACTS[0])
        assert len(reader.events(game)) == 2
        with store._writing():
            store._add(game, Event(3, FACTS[1]), None, 0)
            assert len(reader.events(game)) == 2
        assert len(reader.events(game)) == 3


def test_a_reader_cannot_write(tmp_path, store, game):
    with Reader(tmp_path / "state") as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._connection.execute("INSERT INTO games VALUES (9, 'x', 'y')")


def test_where_nothing_is_recorded_nothing_is_made_by_looking(tmp_path):
    with pytest.raises(Unreadable, match="nothing is recorded"):
        Reader(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_two_writers_are_one_too_many(tmp_path, store):
    with pytest.raises(InUse, match="Another companion"):
        Store(tmp_path / "state")
    store.close()
    Store(tmp_path / "state").close()


def test_another_process_may_read_but_not_write(tmp_path, store, game):
    store.append(game, FACTS[0])
    program = """
import sys, pathlib
from companion.store import InUse, Reader, Store
folder = pathlib.Path(sys.argv[1])
with Reader(folder) as reader:
    print(len(reader.events(1)))
try:
    Store(folder)
except InUse as refused:
    print(refused.says)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "state"], cwd=TOP, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["2", f"Another companion writes the record in {tmp_path / 'state'}."]
    assert store.append(game, FACTS[1]).number == 3


def test_many_threads_may_ask_the_one_writer(store, game):
    asked = [f"request {i // 2}" for i in range(40)]
    threads = [threading.Thread(target=store.append, args=(game, DrawAgreed(), request)) for request in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.number for event in store.events(game)] == list(range(1, 22))


def test_a_clock_that_jumps_does_no_harm(tmp_path):
    times = iter([2e9, 5.0, -1e15, 1e18, 1.7e9, 1.7e9, 0.0])
    with Store(tmp_path, clock=lambda: next(times)) as store:
        game = store.begin(BEGUN)
        for fact in FACTS[:4]:
            store.append(game, fact)
        later = store.begin(BEGUN)
        assert [event.fact for event in store.events(game)] == [BEGUN, *FACTS[:4]]
        assert [entry.noted for entry in store.entries(game)] == [2e9, 5.0, -1e15, 1e18, 1.7e9]
        assert [kept.number for kept in store.games()] == [game, later]
        assert store.game(game).begun == 2e9


def test_a_whole_game_is_taken_in_or_nothing_of_it(store):
    entries = [Entry(Event(1, BEGUN), 5.0), Entry(Event(2, FACTS[0]), 6.0)]
    game = store.adopt("ab" * 16, entries)
    assert list(store.entries(game)) == entries
    with pytest.raises(Unreadable, match=f"it is game {game}"):
        store.adopt("ab" * 16, entries)
    with pytest.raises(NotRecorded, match="next number"):
        store.adopt("cd" * 16, [entries[0], Entry(Event(3, FACTS[0]), 6.0)])
    with pytest.raises(Unreadable, match="game_begun"):
        store.adopt("ef" * 16, entries[1:])
    assert len(store.games()) == 1
