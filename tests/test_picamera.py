"""The Pi's camera: its worker against a stand-in for picamera2 that behaves as the manual says, faults among it."""

import importlib.util
import json
import sys
import time
from pathlib import Path

import pytest

from companion.eyes import CannotSee
from tests.cameras.waiting import is_frame, until
from tests.standin.signatures import LIST, real, signatures
from vision.frame import Lost
from vision.live import LiveCamera, Patience
from vision.sources import full_picture, lock, lock_meanwhile, open_source

STANDIN = Path(__file__).parent / "standin"
WORKER = Path(__file__).parent.parent / "vision" / "workers" / "picamera.py"


@pytest.fixture
def camera(monkeypatch, tmp_path):
    """Opens a Pi's camera with a sensor and a fault."""
    opened = []

    def open_one(sensor="imx708", fault="", rate=25, busy=20.0, **settings):
        monkeypatch.setenv("PYTHONPATH", str(STANDIN))
        monkeypatch.setenv("STANDIN_SENSOR", sensor)
        monkeypatch.setenv("STANDIN_FAULT", fault)
        monkeypatch.setenv("STANDIN_NOTES", str(tmp_path / "notes"))
        told = {"camera": 0, "rate": rate, **settings}
        patience = Patience(start=4.0, again=0.1, stop=0.5, busy=busy)
        opened.append(LiveCamera("The Pi's camera", (sys.executable, str(WORKER)), told, True, patience))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.fixture
def notes(tmp_path):
    """The controls that were set, in order."""
    return lambda: [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]


def _says(words):
    return lambda given: isinstance(given, Lost) and words in given.says


@pytest.mark.parametrize(
    ("sensor", "name", "picture", "watch", "lens"),
    [
        ("imx219", "Camera Module 2", [3280, 2464], [1024, 768], False),
        ("imx708", "Camera Module 3", [4608, 2592], [1024, 576], True),
        ("imx708_wide", "Camera Module 3", [4608, 2592], [1024, 576], True),
        ("imx477", "HQ Camera", [4056, 3040], [1024, 766], False),
        ("imx296", "Global Shutter Camera", [1456, 1088], [1024, 764], False),
    ],
)
def test_the_mode_is_the_finest_that_sees_the_whole_table_in_time(camera, sensor, name, picture, watch, lens):
    source = camera(sensor, rate=10)
    frame = until(source, is_frame)
    status = source.ask("status")
    assert (status["camera"], status["picture"], status["watch"]) == (name, picture, watch)
    assert (status["mode"], status["lens"]) == (picture, lens)
    assert frame.pixels.shape == (watch[1], watch[0], 3)


def test_a_small_stream_is_watched_and_a_full_picture_is_read_in_blue_green_red(camera):
    source = camera("imx296")
    frame = until(source, is_frame)
    full = full_picture(source, frame)
    assert full.pixels.shape == (1088, 1456, 3)
    assert full.pixels[500, 700].tolist() == [10, 200, 30]
    assert full.number > frame.number
    assert 0 <= time.monotonic() - full.taken < 1.0


def test_a_faster_rate_takes_a_coarser_mode_that_still_sees_everything(camera):
    source = camera("imx477", rate=25)
    until(source, is_frame)
    assert source.ask("status")["mode"] == [2028, 1520]


def test_a_smaller_picture_may_be_wished_for(camera):
    source = camera("imx708", rate=10, picture=(2304, 1296))
    frame = until(source, is_frame)
    assert full_picture(source, frame).pixels.shape == (1296, 2304, 3)
    assert source.ask("status")["mode"] == [4608, 2592]


def test_a_pi_with_little_memory_takes_the_next_smaller_mode(camera):
    source = camera("imx708", "little memory", rate=10)
    until(source, is_frame)
    assert source.ask("status")["mode"] == [2304, 1296]


def test_focus_is_swept_and_locked_where_there_is_a_lens_to_move(camera, notes):
    source = camera("imx708")
    until(source, is_frame)
    assert source.ask("focus")["locked"] == {"LensPosition": 1.6}
    assert notes()[-1] == {"AfMode": "AfModeEnum.Manual", "LensPosition": 1.6}


def test_a_lens_that_takes_its_time_is_waited_for_while_pictures_come(camera):
    source = camera("imx708", "slow focus", busy=1.0)
    until(source, is_frame)
    began = time.monotonic()
    assert source.ask("focus")["locked"] == {"LensPosition": 1.6}
    assert time.monotonic() - began > 1.5


@pytest.mark.parametrize(
    ("sensor", "fault", "says"),
    [
        ("imx477", "", "The HQ Camera has no motor: turn its lens by hand"),
        ("imx708", "no focus", "finds no focus: lay the printed mat under its middle"),
    ],
)
def test_what_cannot_be_focused_is_said_and_the_camera_goes_on(camera, sensor, fault, says):
    source = camera(sensor, fault)
    until(source, is_frame)
    with pytest.raises(CannotSee, match=says):
        source.ask("focus")
    until(source, is_frame)


def test_a_camera_is_locked_as_far_as_it_can_be(camera):
    moving = camera("imx708")
    until(moving, is_frame)
    assert lock(moving) == ()
    assert {"ExposureTime", "LensPosition"} <= moving.ask("status")["locked"].keys()
    fixed = camera("imx219")
    until(fixed, is_frame)
    assert lock(fixed) == ("The Camera Module 2 has no motor: turn its lens by hand until the picture is sharp.",)
    assert "ExposureTime" in fixed.ask("status")["locked"]


def test_a_camera_is_locked_while_it_watches_and_says_what_it_does(camera, notes):
    source = camera("imx708")
    until(source, is_frame)
    assert notes()[0]["AfMode"] == "AfModeEnum.Continuous"
    lock_meanwhile(source)
    until(source, _says("finding its focus"))
    assert "finding its focus" in source.still().says
    until(source, _says("getting used to the light"))
    until(source, is_frame)
    assert notes()[-1].keys() >= {"AeEnable", "AwbEnable", "ExposureTime"}


def test_light_is_locked_once_it_is_steady(camera, notes):
    source = camera("imx219")
    until(source, is_frame)
    locked = source.ask("lock")["locked"]
    assert locked["ExposureTime"] == pytest.approx(12000, rel=0.02)
    assert locked["ColourGains"] == pytest.approx([1.8, 1.5], rel=0.02)
    set_last = notes()[-1]
    assert (set_last["AeEnable"], set_last["AwbEnable"]) == (False, False)
    assert source.ask("unlock")["locked"] == {}
    assert (notes()[-1]["AeEnable"], notes()[-1]["ExposureTime"]) == (True, 0)


def test_pictures_taken_while_the_controls_change_are_not_shown(camera):
    source = camera("imx219", locked={"ExposureTime": 4200, "AnalogueGain": 4.0, "ColourGains": [2.0, 1.2]})
    dark = until(source, is_frame).pixels.mean()
    source.ask("unlock")
    shades = []
    for given in source:
        if is_frame(given):
            shades.append(given.pixels.mean())
        if len(shades) == 5:
            break
    assert min(shades) > dark + 20
    assert max(shades) - min(shades) < 3


def test_a_camera_that_is_started_again_has_what_was_locked_from_its_first_picture(camera, notes):
    held = {"ExposureTime": 7000, "AnalogueGain": 3.0, "ColourGains": [2.0, 1.2], "LensPosition": 2.5}
    source = camera("imx708", locked=held)
    until(source, is_frame)
    now = source.ask("status")["now"]
    assert {name: now[name] for name in held} == held
    assert notes()[0] | {"AeEnable": False, "AwbEnable": False, "AfMode": "AfModeEnum.Manual"} == notes()[0]


def test_controls_that_a_sensor_lacks_are_left_alone(camera, notes):
    source = camera("imx296", locked={"LensPosition": 2.5})
    until(source, is_frame)
    assert all("LensPosition" not in wanted and "AfMode" not in wanted for wanted in notes())


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("capture hangs", "gives no pictures"),
        ("stop never returns", "gives no pictures"),
        ("crashes", "its program was ended by SIGABRT"),
    ],
)
def test_a_camera_that_hangs_or_crashes_is_killed_and_started_again(camera, fault, why):
    source = camera("imx296", fault)
    until(source, is_frame)
    until(source, _says(why))
    assert until(source, is_frame).number > 8


def test_a_camera_that_is_unplugged_is_waited_for_until_it_is_back(camera, monkeypatch):
    source = camera("imx296", "capture hangs")
    until(source, is_frame)
    monkeypatch.setenv("STANDIN_FAULT", "none attached")
    until(source, _says("gives no pictures"))
    assert until(source, _says("push the ribbon cable in"))
    monkeypatch.setenv("STANDIN_FAULT", "")
    assert until(source, is_frame)


def test_a_stop_that_never_returns_does_not_keep_the_companion(camera):
    source = camera("imx296", "stop never returns")
    until(source, is_frame)
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < 2.0


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("none attached", "push the ribbon cable in at both ends"),
        ("in use", "another program may hold it"),
    ],
)
def test_a_camera_that_cannot_be_had_is_said_with_what_to_do(camera, fault, says):
    assert until(camera("imx708", fault), _says(says))


def test_a_camera_that_stays_away_is_logged_once(camera, caplog):
    source = camera("imx708", "none attached")
    for pause in ("0.1", "0.2", "0.4"):
        until(source, _says(f"It is tried again in {pause} s."))
    (record,) = caplog.records
    assert "push the ribbon cable" in record.message


def test_a_second_camera_that_is_not_there_is_said(camera):
    assert until(camera("imx708", camera=1), _says("The Pi has no camera 1: it finds 1"))


def test_a_machine_without_picamera2_is_told_what_to_install():
    source = open_source(f"picamera:?python={sys.executable}")
    assert until(source, _says("sudo apt install python3-picamera2"))
    source.close()


def test_the_stand_in_declares_what_picamera2_declares():
    assert signatures(STANDIN / "picamera2.py") == json.loads(LIST.read_text(encoding="utf-8"))


def test_the_list_of_signatures_is_that_of_the_real_package():
    if (found := importlib.util.find_spec("picamera2")) is None:
        pytest.skip("picamera2 is not installed here; tests/standin/signatures.py tells how to compare")
    assert real(Path(found.origin).parent) == json.loads(LIST.read_text(encoding="utf-8"))
