"""A recording runs in a child: whatever becomes of the child, every picture is given once, and none is made up."""

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import cv2
import numpy as np
import pytest

from companion.game import Unreadable
from vision.frame import Frame, Lost
from vision.live import Patience
from vision.sources import open_source
from vision.waiting import MOST_TRIES, WaitingCamera

TOP = Path(__file__).parent.parent
COUNT = 12
HASTY = Patience(start=10.0, picture=1.5, busy=1.5, again=0.1, stop=0.3)


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
        told = {"kind": kind, "words": [str(what), {"pace": "fast", **settings}]}
        sources.append(WaitingCamera("The recording", told, patience=HASTY, **command))
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
