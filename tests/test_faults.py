"""The record under faults done for real, a few of each; `python -m tests.faults` does the whole counts."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from faults.cuts import cut_many
from faults.disk import append_until_refused
from faults.kills import kill_many

from companion import database
from companion.events import DrawAgreed, GameBegun, ScoreAdjusted
from companion.game import Unreadable
from companion.store import NotRecorded, Reader, Store

TOP = Path(__file__).parent.parent
BEGUN = GameBegun("zhizhu", {"game": "zhizhu", "to_move": "white", "white": [], "black": []})


def test_nothing_acknowledged_is_lost_by_kills_and_the_game_goes_on(tmp_path):
    tally = kill_many(tmp_path / "state", times=25, seed=7)
    assert tally.lost == []
    assert tally.said == []
    assert len(tally.acknowledged) > tally.kills


def test_a_kill_while_the_record_is_made_is_no_damage(tmp_path):
    for i in range(6):
        tally = kill_many(tmp_path / str(i), times=2, seed=i, patience=0.02)
        assert (tally.lost, tally.said) == ([], [])
        with Store(tmp_path / str(i)) as store:
            assert store.said == ()


def test_a_record_half_made_is_made_anew(tmp_path):
    for name in ("record.new", "record.new-wal", "record.new-journal"):
        (tmp_path / name).write_bytes(b"half a page")
    with Store(tmp_path) as store:
        assert store.said == ()
        assert store.begin(BEGUN) == 1


def test_nothing_acknowledged_is_lost_by_power_cuts():
    tally = cut_many(60, seed=3)
    assert (tally.cuts, tally.lost_something, tally.damaged) == (60, 0, 0), tally.examples
    assert tally.events > 600


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_the_same_power_cuts_lose_events_when_the_disk_is_not_waited_for(synchronous):
    assert cut_many(60, synchronous, seed=3).lost_something > 10


def _full(*command):
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def _check_full(told):
    assert told["acknowledged"] > 3
    assert told["refused_again"]
    assert told["read_while_full"] == told["held_after"] == told["acknowledged"]
    assert told["goes_on_with"] == told["acknowledged"] + 1
    assert told["said"] == []
    assert not any("damaged" in name for name in told["files"])
    assert "Nothing recorded before is lost" in told["says"]


def test_a_full_disk_is_said_and_loses_nothing(tmp_path):
    mount = 'mount -t tmpfs -o size=600k none "$1" && exec "$2" -m tests.faults full "$1"'
    alone = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
    if shutil.which("unshare") is None or subprocess.run([*alone, "mount -t tmpfs none /mnt"], check=False).returncode:
        pytest.skip("this system gives no small disk of its own to a test")
    told = _full(*alone, mount, "sh", str(tmp_path), sys.executable)
    _check_full(told)
    assert "the disk is full" in told["says"]


def test_a_file_that_may_not_grow_is_said_and_loses_nothing(tmp_path):
    told = _full(sys.executable, "-m", "tests.faults", "full", str(tmp_path), "--by-limit")
    _check_full(told)
    assert told["says"]


def test_a_record_that_may_have_no_more_pages_says_that_the_disk_is_full(tmp_path):
    def connect_small(path):
        connection = database.connect(path)
        connection.execute("PRAGMA max_page_count=12")
        return connection

    with Store(tmp_path, connect=connect_small) as store:
        game = store.begin(BEGUN)
        says, last = append_until_refused(store, game)
        assert "the disk is full" in says
        assert len(store.events(game)) == last
    with Store(tmp_path) as store:
        assert store.append(game, DrawAgreed()).number == last + 1


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A closed record of some pages, with two games in it."""
    folder = tmp_path_factory.mktemp("sound")
    with Store(folder) as store:
        for _ in range(2):
            game = store.begin(BEGUN)
            for i in range(60):
                store.append(game, ScoreAdjusted("white", i, f"note {i} " * 20), f"request {game} {i}")
    assert (folder / "record.db").stat().st_size > 8 * 4096
    return folder / "record.db"


@pytest.fixture
def record(sound, tmp_path):
    """A copy of it, to be damaged."""
    return Path(shutil.copy(sound, tmp_path))


def overwrite(path, start, length, byte=0x5A):
    with path.open("r+b") as file:
        file.seek(start)
        file.write(bytes([byte]) * length)


def damage_middle(path):
    overwrite(path, path.stat().st_size // 2, 6000)


def damage_one_note(path):
    """Text of an event changes and the pages still hang together."""
    found = path.read_bytes().index(b"note 30")
    overwrite(path, found, 4)


def damage_header(path):
    overwrite(path, 0, 100, 0)


def damage_schema(path):
    overwrite(path, 3000, 1096)


def cut_short(path):
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2 + 100)


def cut_by_a_page(path):
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 4096)


def empty(path):
    path.write_bytes(b"")


def write_a_letter(path):
    path.write_text("Dear companion, this is no database. " * 300)


def zero_everything(path):
    path.write_bytes(bytes(path.stat().st_size))


def give_to_another_program(path):
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (cake TEXT)")
    connection.close()


DAMAGES = (
    damage_middle,
    damage_one_note,
    damage_header,
    damage_schema,
    cut_short,
    cut_by_a_page,
    empty,
    write_a_letter,
    zero_everything,
    give_to_another_program,
)


MENDABLE = (damage_one_note, cut_by_a_page)
"""What leaves a whole game in the record."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_kept_aside_and_said_and_a_new_one_begun(record, damage):
    damage(record)
    spoiled = record.read_bytes()
    with Store(record.parent, clock=lambda: 1_800_000_000.0) as store:
        kept = record.with_name("record-damaged-20270115T080000Z-1.db")
        assert kept.read_bytes() == spoiled
        said, *remedy = store.said
        assert "damaged" in said
        assert kept.name in said
        assert [f"import {kept} --state {kept.parent}" in told for told in remedy] == [True] * (damage in MENDABLE)
        assert store.games() == ()
        game = store.begin(BEGUN)
        assert store.append(game, DrawAgreed()).number == 2
    with Store(record.parent) as store:
        assert store.said == ()
        assert len(store.events(game)) == 2


def test_a_reader_of_a_damaged_record_says_so(record):
    damage_one_note(record)
    with Reader(record.parent) as reader, pytest.raises(Unreadable, match="damaged"):
        reader.events(1)
    write_a_letter(record)
    with pytest.raises(Unreadable, match="damaged"):
        Reader(record.parent)


def test_every_damaged_record_is_kept_though_the_clock_stands_still(tmp_path):
    for _ in range(3):
        (tmp_path / "record.db").write_text("no database")
        Store(tmp_path, clock=lambda: 0.0).close()
    Store(tmp_path, clock=lambda: 0.0).close()
    assert len(list(tmp_path.glob("record-damaged-19700101T000000Z-*.db"))) == 3


def test_a_clock_that_has_lost_its_mind_does_not_stop_the_keeping(tmp_path):
    (tmp_path / "record.db").write_text("no database")
    with Store(tmp_path, clock=lambda: 1e300) as store:
        assert "unknown-time" in store.said[0]


def test_the_log_of_a_record_that_is_gone_is_not_taken_for_the_new_ones(tmp_path):
    with Store(tmp_path) as store:
        game = store.begin(BEGUN)
        store.append(game, DrawAgreed())
        log = (tmp_path / "record.db-wal").read_bytes()
    assert log
    (tmp_path / "record.db").unlink()
    (tmp_path / "record.db-wal").write_bytes(log)
    with Store(tmp_path) as store:
        assert store.games() == ()
        assert "log" in store.said[0]
    assert [path.read_bytes() for path in tmp_path.glob("record-damaged-*-wal")] == [log]


def test_a_torn_log_loses_only_what_was_never_acknowledged(tmp_path):
    with Store(tmp_path / "live") as store:
        game = store.begin(BEGUN)
        held = [store.append(game, DrawAgreed()).number for _ in range(5)]
        shutil.copytree(tmp_path / "live", tmp_path / "copy")
    with (tmp_path / "copy" / "record.db-wal").open("ab") as log:
        log.write(b"\x5a" * 5000)
    with Store(tmp_path / "copy") as store:
        assert store.said == ()
        assert len(store.events(game)) == held[-1]


def test_a_record_that_may_not_be_written_is_not_taken_for_damaged(tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")
    with pytest.raises(NotRecorded, match="cannot be opened"):
        Store(tmp_path / "state")
    assert (tmp_path / "state").read_text() == "a file where the folder should be"
