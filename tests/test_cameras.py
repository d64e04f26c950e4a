"""A live camera runs in a child: whatever becomes of the child, the table hears of it and the camera comes back."""

import gc
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from companion.eyes import CannotSee
from companion.game import Unreadable
from tests.cameras.waiting import all_until, is_frame
from vision.frame import Lost
from vision.live import LiveCamera, Patience, pixels_of
from vision.sources import full_picture, open_source
from vision.workers.wire import Picture, Ring

TOP = Path(__file__).parent.parent
HASTY = Patience(start=2.5, again=0.1, stop=0.3)


@pytest.fixture
def camera():
    """Opens cameras that misbehave, and closes them."""
    opened, before = [], set(_children())

    def open_one(how, patience=HASTY, stills=False):
        command = (sys.executable, "-m", "tests.cameras.unruly", how)
        opened.append(LiveCamera("The test camera", command, {"rate": 10}, stills, patience))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()
    assert set(_children()) <= before


def _children():
    """The processes that are children of this one, dead ones that nobody waited for among them."""
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _says(words):
    return lambda given: isinstance(given, Lost) and words in given.says


@pytest.mark.parametrize(
    ("how", "why", "noticed_within"),
    [
        ("crashes", "its program was ended by SIGSEGV", 0.5),
        ("fails", "The cable is loose: push it in.", 0.5),
        ("hangs", "gives no pictures", 2.0),
        ("stops", "gives no pictures", 2.0),
    ],
)
def test_a_camera_that_fails_is_missed_within_two_seconds_and_comes_back(camera, how, why, noticed_within):
    source = camera(how)
    before = all_until(source, _says(why))
    frames = [frame for _, frame in before if is_frame(frame)]
    assert frames[-1].number == 9, "the child failed at its tenth picture"
    noticed, lost = before[-1]
    assert noticed - frames[-1].taken < noticed_within
    assert lost.since == pytest.approx(frames[-1].taken, abs=0.2)
    assert "tried again in" in lost.says
    again = all_until(source, is_frame)[-1][1]
    assert again.number > 9
    assert again.taken > lost.since


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("dies at once", "its program ended with status 3"),
        ("cannot be opened", "There is no camera here: plug one in."),
        ("never delivers", "gives no pictures"),
        ("is faulty", "The camera failed (KeyError('model'))."),
        ("babbles", "is not understood"),
    ],
)
def test_a_camera_that_never_comes_is_said_and_tried_again_ever_more_slowly(camera, how, why):
    source = camera(how)
    pauses = []
    for given in source:
        if isinstance(given, Lost) and why in given.says and given.says not in pauses:
            pauses.append(given.says)
        if len(pauses) == 3:
            break
    assert [says.rsplit("again in ")[1] for says in pauses] == ["0.1 s.", "0.2 s.", "0.4 s."]


def test_a_camera_that_is_lost_says_so_every_second_and_nothing_else(camera):
    limit = time.monotonic() + 3.2
    seen = all_until(camera("never delivers", Patience(start=9.0)), lambda _: time.monotonic() > limit)
    assert all(isinstance(given, Lost) for _, given in seen)
    times = [at for at, _ in seen]
    assert max(later - earlier for earlier, later in pairwise(times)) < 1.2


def test_a_program_that_is_not_there_is_said():
    source = LiveCamera("The test camera", ("/nowhere/python",), {}, patience=HASTY)
    assert all_until(source, _says("cannot be started: [Errno 2] No such file or directory: '/nowhere/python'"))
    source.close()


def test_a_camera_that_hangs_in_a_driver_is_not_started_over_and_over(camera, monkeypatch):
    others = len(_children())
    source = camera("stops")
    all_until(source, is_frame)
    with monkeypatch.context() as kernel:
        kernel.setattr(subprocess.Popen, "kill", lambda _: None)
        all_until(source, _says("switch this computer off and on again"))
        assert len(_children()) == others + 1
    all_until(source, is_frame)


def test_a_slow_reader_gets_the_newest_frame_not_the_next(camera):
    ages, numbers = [], []
    for given in camera("good"):
        if is_frame(given):
            ages.append(time.monotonic() - given.taken)
            numbers.append(given.number)
            time.sleep(0.2)
        if len(numbers) == 8:
            break
    assert max(ages) < 0.15
    assert all(later - earlier > 3 for earlier, later in pairwise(numbers))


def test_frames_may_change_their_size(camera):
    widths = set()
    for given in camera("grows"):
        if is_frame(given):
            assert given.pixels.shape == (48, 64 + 2 * given.number, 3)
            assert np.ptp(given.pixels) == 0, "a picture is of one moment"
            widths.add(given.pixels.shape[1])
        if len(widths) == 20:
            break


def test_a_camera_is_asked_while_it_watches_and_what_was_locked_stays_so_after_a_failure(camera):
    source = camera("good")
    all_until(source, is_frame)
    locked = source.ask("lock")["locked"]
    all_until(source, is_frame)
    status = source.ask("status")
    assert "locked" not in status["settings"]
    os.kill(status["process"], signal.SIGKILL)
    all_until(source, _says("SIGKILL"))
    all_until(source, is_frame)
    assert source.ask("status")["settings"]["locked"] == locked


def test_while_a_camera_is_busy_the_table_is_told_and_it_is_not_taken_for_dead(camera):
    source = camera("good", Patience(picture=0.2, start=3.0))
    all_until(source, is_frame)
    process = source.ask("status")["process"]
    source.ask("lock")
    all_until(source, is_frame)
    assert source.ask("status")["process"] == process


def test_what_a_camera_cannot_do_is_a_sentence(camera):
    source = camera("good")
    all_until(source, is_frame)
    with pytest.raises(CannotSee, match="no lens to move"):
        source.ask("focus")
    with pytest.raises(CannotSee, match="knows start, lock"):
        source.ask("dance")
    os.kill(source.ask("status")["process"], signal.SIGSTOP)
    with pytest.raises(CannotSee, match="failed before it answered"):
        source.ask("status")
    source.close()
    with pytest.raises(CannotSee, match="The test camera"):
        source.ask("status")


def test_a_full_picture_is_taken_where_the_camera_has_one(camera):
    source, plain = camera("good", stills=True), camera("good")
    frame, small = all_until(source, is_frame)[-1][1], all_until(plain, is_frame)[-1][1]
    assert full_picture(source, frame).pixels.shape == (480, 640, 3)
    assert full_picture(plain, small) is small
    source.close()
    assert isinstance(full_picture(source, frame), Lost)


@pytest.mark.parametrize("how", ["good", "never ends", "stops", "never delivers", "dies at once"])
def test_a_closed_camera_leaves_no_process_and_ends_its_iteration(camera, how):
    others = set(_children())
    source = camera(how)
    time.sleep(0.8)
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < 2.0
    assert list(source) == []
    assert set(_children()) <= others


def test_a_camera_closed_at_once_leaves_no_process(camera):
    others = set(_children())
    camera("good").close()
    assert set(_children()) <= others


def test_many_failures_leave_nothing_open(camera):
    source = camera("dies at once", Patience(again=0.01, longest=0.01))
    all_until(source, lambda _: True)
    counts = []
    for _ in range(3):
        time.sleep(1.5)
        gc.collect()
        counts.append(_fewest_handles())
    assert max(counts) - min(counts) <= 6, "as many handles as one child has"


def _fewest_handles():
    """While a child is being started there are more for a moment, a long one on a busy computer."""
    fewest = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        time.sleep(0.01)
        fewest = min(fewest, len(os.listdir("/proc/self/fd")))
    return fewest


def test_memory_does_not_grow_with_frames(camera):
    source = iter(camera("good"))
    for _ in range(20):
        next(source)
    before = _resident_kb()
    for _ in range(150):
        next(source)
    assert _resident_kb() - before < 1000


def _resident_kb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.parametrize("how", ["good", "stops"])
def test_a_child_does_not_outlive_an_owner_who_was_killed(how):
    owner = subprocess.Popen([sys.executable, "-c", _OWNER, how], cwd=TOP, stdout=subprocess.PIPE, text=True)
    child = int(owner.stdout.readline())
    assert Path(f"/proc/{child}").exists()
    time.sleep(0.5)
    owner.kill()
    owner.wait()
    owner.stdout.close()
    limit = time.monotonic() + 2.0
    while _is_running(child):
        assert time.monotonic() < limit
        time.sleep(0.02)


_OWNER = """
import sys, time
from vision.live import LiveCamera
camera = LiveCamera("The camera", (sys.executable, "-m", "tests.cameras.unruly", sys.argv[1]), {})
while camera._child is None:
    time.sleep(0.01)
print(camera._child._process.pid, flush=True)
time.sleep(60)
"""


def _is_running(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(") ")[1][0]
    except OSError:
        return False
    return state != "Z"  # whoever takes over orphans here may be slow to bury them


def test_a_ring_keeps_the_newest_pictures_and_knows_which_are_gone():
    ring = Ring()
    assert ring.get(1) is None
    for number in range(1, 6):
        ring.put(Picture(number, number / 10, 2, 2, 6, "BGR", bytes([number]) * 12))
    assert [ring.get(number) for number in (1, 2)] == [None, None]
    assert [bytes(ring.get(number).pixels) for number in (3, 4, 5)] == [bytes([n]) * 12 for n in (3, 4, 5)]


def test_rows_are_freed_of_what_pads_them_in_either_layout():
    bgr = np.zeros((4, 32), np.uint8)
    bgr[:, :12] = 7
    assert (pixels_of(Picture(1, 0.0, 4, 4, 32, "BGR", bytearray(bgr))) == np.full((4, 4, 3), 7)).all()
    grey = np.full((6, 8), 128, np.uint8)
    grey[:4] = 235
    shown = pixels_of(Picture(1, 0.0, 6, 4, 8, "I420", bytearray(grey)))
    assert shown.shape == (4, 6, 3)
    assert (shown == 255).all()


@pytest.mark.parametrize(
    ("spec", "at", "says"),
    [
        ("v4l2:front", "source", "v4l2:0"),
        ("v4l2:0?size=big", "size", "1920x1080"),
        ("v4l2:0?speed=2", "speed", "rate, size"),
        ("http://", "source", "has a host"),
        ("http://phone:port/video", "source", "cannot be read"),
        ("rtsp:///x", "source", "has a host"),
        ("http://phone/video#rate=900", "rate", "from 1 to 60"),
        ("picamera:front", "source", "picamera:1"),
        ("picamera:?picture=huge", "picture", "1920x1080"),
        ("webcam", "source", "picamera:, v4l2:"),
    ],
)
def test_a_camera_that_cannot_be_is_refused_with_what_can(spec, at, says):
    with pytest.raises(Unreadable, match=says) as refused:
        open_source(spec)
    assert refused.value.at == at


def test_a_usb_camera_that_is_not_there_is_waited_for():
    source = open_source("v4l2:97")
    assert all_until(source, _says("There is no camera at /dev/video97: plug it in"))
    source.close()
