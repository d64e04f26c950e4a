"""A recording and a simulated table run in a child: whatever becomes of it, every picture is given once."""

import itertools
import json
import logging
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Timer

import cv2
import numpy as np
import pytest

from companion.game import Unreadable, start
from companion.registry import game_named
from vision.frame import Frame, Lost
from vision.live import Patience
from vision.sources import full_picture, open_source
from vision.studio.sim import SimulatedTable, Wishes
from vision.waiting import MOST_TRIES, WaitingCamera, open_waiting, photo_sent

TOP = Path(__file__).parent.parent
COUNT = 12
HASTY = Patience(start=10.0, picture=1.5, busy=1.5, again=0.1, stop=0.3)
SLOW = replace(HASTY, start=30.0, picture=8.0, busy=8.0)
"""The first picture of a simulated table takes a busy computer some seconds."""


def _picture(number):
    return np.full((120, 160, 3), 20 * number, np.uint8)


@pytest.fixture
def film(tmp_path):
    file = tmp_path / "game.mp4"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), 20, (160, 120))
    for number in range(COUNT):
        writer.write(_picture(number))
    writer.release()
    return file


@pytest.fixture
def album(tmp_path):
    """Photos of which one cannot be read."""
    folder = tmp_path / "album"
    folder.mkdir()
    for number in range(COUNT):
        cv2.imwrite(str(folder / f"{number}.jpg"), _picture(number))
    (folder / "4.jpg").write_bytes(b"\xff\xd8 damaged")
    return folder


@pytest.fixture
def opened():
    """Opens recordings whose worker may be another, and closes them."""
    sources, before = [], set(_children())

    def open_one(kind, what, *how, **settings):
        command = {"command": (sys.executable, "-m", "tests.cameras.balking", *how)} if how else {}
        told = {"kind": kind, "words": [str(what), settings if kind == "sim" else {"pace": "fast", **settings}]}
        sources.append(WaitingCamera("The recording", told, patience=SLOW if kind == "sim" else HASTY, **command))
        return sources[-1]

    yield open_one
    for source in sources:
        source.close()
    assert set(_children()) <= before


def _children():
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _told(given):
    """What is to come exactly once, be a worker killed or not: pictures, and which of them cannot be read."""
    return [
        (each.number, each.taken, each.pixels.tobytes()) if isinstance(each, Frame) else (each.says, each.since)
        for each in given
        if isinstance(each, Frame) or "4.jpg" in each.says
    ]


@pytest.mark.parametrize("kind", ["video", "photos"])
@pytest.mark.parametrize(
    ("how", "why", "noticed_within"),
    [(signal.SIGKILL, "its program was ended by SIGKILL", 0.5), (signal.SIGSTOP, "gives no pictures", 2.5)],
)
def test_a_worker_that_is_killed_or_stopped_is_said_and_every_picture_comes_once(
    request, opened, kind, how, why, noticed_within
):
    what = request.getfixturevalue("film" if kind == "video" else "album")
    undisturbed = list(opened(kind, what))
    source, disturbed, noticed, killed = opened(kind, what), [], {}, 0.0
    for given in source:
        if isinstance(given, Lost) and why in given.says:
            noticed.setdefault(given.since, time.monotonic() - killed)
        if isinstance(given, Frame) and given.number in (3, 7):
            os.kill(source._child._process.pid, how)
            killed = time.monotonic()
        disturbed.append(given)
    assert _told(disturbed) == _told(undisturbed)
    assert len(_told(disturbed)) == COUNT
    assert list(noticed) == [undisturbed[2].taken, undisturbed[6].taken]
    assert max(noticed.values()) < noticed_within


@pytest.mark.parametrize(
    ("how", "why"),
    [("crashes", "its program was ended by SIGSEGV"), ("hangs", "no pictures"), ("stops", "no pictures")],
)
def test_a_film_that_fails_again_and_again_at_the_same_picture_is_given_up(opened, film, caplog, how, why):
    with caplog.at_level(logging.WARNING):
        given = list(opened("video", film, how, "5"))
    assert [each.number for each in given if isinstance(each, Frame)] == [1, 2, 3, 4]
    last = given[-1]
    assert isinstance(last, Lost)
    assert why in last.says
    assert f"failed {MOST_TRIES} times at the same place, and is given up" in last.says
    assert last.since == pytest.approx(0.15, abs=0.002)
    assert caplog.messages[-1] == last.says
    assert len(caplog.messages) == 2


@pytest.mark.parametrize(("how", "why"), [("crashes", "ended by SIGSEGV"), ("hangs", "gives no pictures")])
def test_a_film_that_cannot_even_be_opened_is_refused(film, how, why):
    command, patience = (sys.executable, "-m", "tests.cameras.balking", how, "0"), Patience(start=2.5)
    others = set(_children())
    with pytest.raises(Unreadable, match=why) as refused:
        WaitingCamera("The film", {"kind": "video", "words": [str(film), {}]}, command, patience)
    assert refused.value.at == "source"
    assert "tried again" not in refused.value.says
    assert set(_children()) <= others


def test_a_photo_that_a_phone_sends_is_unpacked_in_a_child_and_crashes_nobody_else():
    image, others = cv2.imencode(".png", _picture(7))[1].tobytes(), set(_children())
    assert (photo_sent(image).pixels == _picture(7)).all()
    with pytest.raises(Unreadable, match="the photo cannot be read: send a JPEG or a PNG"):
        photo_sent(b"no picture")
    with pytest.raises(Unreadable, match="ended by SIGSEGV"):
        photo_sent(image, (sys.executable, "-m", "tests.cameras.balking", "crashes", "0"))
    assert set(_children()) <= others


def test_a_recording_that_has_ended_has_ended_and_leaves_no_process(film):
    others = set(_children())
    source = open_source(f"video:{film}?pace=fast")
    assert len(list(source)) == COUNT
    assert list(source) == []
    source._minder.join(2.0)
    assert set(_children()) <= others
    source.close()


def test_who_goes_on_with_a_recording_gets_the_next_picture(opened, film):
    source = opened("video", film)
    assert next(iter(source)).number == 1
    assert [frame.number for frame in source] == list(range(2, COUNT + 1))


def test_nothing_is_unpacked_before_it_is_asked_for(opened, film):
    """A picture that is never asked for kills nobody."""
    frames = iter(opened("video", film, "crashes", "5"))
    assert [next(frames).number for _ in range(4)] == [1, 2, 3, 4]
    time.sleep(0.5)
    assert isinstance(next(frames), Lost)


def test_a_recording_closed_while_it_waits_for_its_time_ends(opened, album):
    source = opened("photos", album, interval="60", pace="live")
    frames = iter(source)
    assert next(frames).number == 1
    began = time.monotonic()
    closing = Timer(0.5, source.close)
    closing.start()
    assert list(frames) == []
    assert 0.5 <= time.monotonic() - began < 2.5
    closing.join()


def test_names_are_meant_from_where_the_companion_is(film, monkeypatch, caplog):
    monkeypatch.chdir(film.parent)
    assert len(list(open_source("video:game.mp4?pace=fast"))) == COUNT
    with pytest.raises(Unreadable, match=r"there is no video other\.mp4: check the name"):
        open_source("video:other.mp4")
    assert caplog.messages == []


def test_a_damaged_film_is_read_as_far_as_it_goes_without_its_decoders_words(film, caplog, capfd):
    image = bytearray(film.read_bytes())
    start = image.index(b"mdat") + 8
    image[start + 300 : start + 900] = os.urandom(600)
    film.write_bytes(image)
    with caplog.at_level(logging.INFO):
        list(open_source(f"video:{film}?pace=fast"))
    assert caplog.messages == []
    assert capfd.readouterr() == ("", "")


def test_a_worker_does_not_outlive_an_owner_who_was_killed(film):
    told = [sys.executable, "-c", _OWNER, f"video:{film}"]
    owner = subprocess.Popen(told, cwd=TOP, stdout=subprocess.PIPE, text=True)
    worker = int(owner.stdout.readline())
    os.kill(worker, signal.SIGSTOP)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    limit = time.monotonic() + 2.0
    while _is_running(worker):
        assert time.monotonic() < limit
        time.sleep(0.02)


_OWNER = """
import sys, time
from vision.sources import open_source
source = open_source(sys.argv[1])
print(source._child._process.pid, flush=True)
time.sleep(60)
"""


def _is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(") ")[1][0] != "Z"
    except OSError:
        return False


MANY = {"seed": "4", "size": "160x120", "pace": "6", "rate": "5", "mischief": "lost,bump"}
"""A simulated table at which frames are lost, so that their numbers have gaps."""
LAST = 40


@pytest.mark.parametrize(
    ("how", "why"), [(signal.SIGKILL, "its program was ended by SIGKILL"), (signal.SIGSTOP, "gives no pictures")]
)
def test_a_simulated_table_whose_worker_was_killed_goes_on_at_the_same_frame(opened, how, why):
    undisturbed, source, seen, lost = opened("sim", "zhizhu", **MANY), opened("sim", "zhizhu", **MANY), [], []
    for given in source:
        if isinstance(given, Lost):
            lost.append(given.says)
            continue
        seen.append(given)
        if len(seen) == 20:
            os.kill(source._child._process.pid, how)
        elif len(seen) == LAST:
            break
    true = list(itertools.islice(undisturbed, LAST))
    assert any(why in says for says in lost)
    assert [(frame.number, frame.taken) for frame in seen] == [(frame.number, frame.taken) for frame in true]
    assert max(np.diff([frame.number for frame in seen])) > 1
    assert source.truth == undisturbed.truth
    assert max(_unlike(one, other) for one, other in zip(seen[:20], true[:20], strict=True)) == 0
    # A camera that is bumped shakes, and noise is never the same twice.
    assert np.median([_unlike(one, other) for one, other in zip(seen, true, strict=True)]) < 4


def _unlike(one, other):
    return np.abs(one.pixels.astype(int) - other.pixels).mean()


def test_a_simulated_table_in_a_child_is_the_same_to_the_pixel_and_so_are_its_stills_and_its_truth(opened):
    source = opened("sim", "paiko", seed="2", size="320x240", rate="5", stills="yes")
    table = SimulatedTable(game_named("paiko"), Wishes(seed=2, size=(320, 240), rate=5.0, stills=True))
    for number, (one, other) in enumerate(zip(source, table, strict=False), start=1):
        assert _as_told(one) == _as_told(other)
        if number % 10 == 0:
            assert _as_told(full_picture(source, one)) == _as_told(full_picture(table, other))
        assert source.truth == json.loads(json.dumps(table.truth))
        if number == 60:
            break
    assert {"begun", "move"} <= {each["kind"] for each in source.truth}


def _as_told(frame):
    return frame.number, frame.taken, frame.pixels.shape, frame.pixels.tobytes()


def test_a_simulated_game_goes_on_from_a_position(opened):
    web = game_named("zhizhu")
    laid = web.write_position(web.play(start(web), web.read_move("b2", start(web))))
    source = open_waiting("sim", "zhizhu", {"size": "160x120"}, laid)
    next(iter(source))
    source.close()
    assert source.truth[0]["position"] == json.loads(json.dumps(laid))


def test_a_live_simulated_table_keeps_time_and_does_not_hurry_after_a_slow_moment(opened):
    source, came = opened("sim", "zhizhu", size="160x120", rate="10", live="yes"), []
    for frame in itertools.islice(source, 10):
        came.append(time.monotonic())
        if frame.number == 5:
            time.sleep(1.0)
    assert came[4] - came[0] >= 0.39
    assert came[9] - came[5] >= 0.39
