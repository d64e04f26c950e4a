"""A phone or a network camera is a source: streams and single pictures, and what goes wrong with them."""

import time

import pytest

from companion.cli.watch import _shown
from companion.game import Unreadable
from tests.cameras.network import doorbell, phone
from tests.cameras.waiting import is_frame, until
from vision.frame import Lost
from vision.sources import lock, open_source
from vision.workers.capture import MOST_ASKED


@pytest.fixture
def camera():
    opened = []

    def open_one(spec):
        opened.append(open_source(spec))
        return iter(opened[-1])

    yield open_one
    for one in opened:
        one.close()


def _says(words):
    return lambda given: isinstance(given, Lost) and words in given.says


def test_a_stream_gives_its_newest_pictures_at_our_rate(camera):
    with phone() as server:
        source = camera(server.address("/video"))
        until(source, is_frame)
        began, count = time.monotonic(), 0
        while time.monotonic() < began + 2.0:
            frame = until(source, is_frame)
            behind = (server.taken - round(frame.pixels.mean() / 10)) % 20
            count += 1
        assert frame.pixels.shape == (120, 160, 3)
        assert 5 <= count <= 26, "ten a second of the twenty-five that were sent"
        assert behind <= 4, "what is shown is what is there now"


def test_a_stream_that_stalls_is_missed_and_comes_back(camera):
    with phone() as server:
        source = camera(server.address("/video"))
        until(source, is_frame)
        server.stalled.set()
        stalled = time.monotonic()
        until(source, _says("gives no pictures"))
        assert time.monotonic() - stalled < 2.0
        server.stalled.clear()
        until(source, is_frame)


def test_an_rtsp_camera_gives_its_newest_pictures_and_is_missed_when_it_stalls(camera):
    with doorbell() as server:
        source = camera(server.address())
        frames = [until(source, is_frame) for _ in range(10)]
        assert frames[-1].pixels.shape == (120, 160, 3)
        behind = (server.taken - round(frames[-1].pixels.mean() / 10)) % 20
        assert behind <= 6, "what is shown is what is there now"
        server.stalled.set()
        until(source, _says("gives no pictures"), 3.0)
        server.stalled.clear()
        until(source, is_frame)


def test_a_stream_that_is_switched_off_is_missed_at_once(camera):
    with phone() as server:
        source = camera(server.address("/video"))
        until(source, is_frame)
        server.off.set()
        assert until(source, _says("gives no more pictures: is it still connected?"), 3.0)


def test_single_pictures_are_asked_for_again_and_again_and_half_ones_passed_over(camera):
    with phone() as server:
        began = time.monotonic()
        source = camera(server.address("/shot.jpg"))
        for _ in range(4):
            until(source, is_frame)
        asked, seconds = server.taken, time.monotonic() - began
        assert asked <= seconds * MOST_ASKED + 2, "the first time it is asked what it gives, and the next may be due"
        server.cut.set()
        until(source, _says("gives no pictures"), 4.0)


def test_a_phone_is_to_be_locked_by_hand():
    with phone() as server:
        source = open_source(server.address("/shot.jpg"))
        until(source, is_frame)
        assert lock(source) == (f"{source.name} sees to its own light and focus: set them at the camera.",)
        source.close()


def test_a_camera_with_a_password_is_told_it_and_nobody_else_is(camera):
    with phone() as server:
        until(camera(server.address("/private.jpg", "seat:p%40ss@")), is_frame)
        lost = until(camera(server.address("/private.jpg", "seat:wrong@")), _says("401"))
        assert "wrong" not in lost.says


def test_a_log_names_a_camera_without_its_name_and_password(capsys):
    with _shown("rtsp://seat:p%40ss@camera/stream?size=big"):
        assert capsys.readouterr().out == "Watching rtsp://[left out]@camera/stream\n"


@pytest.mark.parametrize("spec", ["rtps://seat:secret@camera/", "rtsp://seat:secret?@camera/", "http://s:secret#@c/"])
def test_an_address_that_cannot_be_is_refused_without_its_password(spec):
    with pytest.raises(Unreadable) as refused:
        open_source(spec)
    assert "secret" not in refused.value.says


@pytest.mark.parametrize(
    ("path", "says"), [("/", "answers with a page, not with pictures"), ("/none", "answers 404 Not Found")]
)
def test_an_address_without_pictures_is_said_with_what_to_do(camera, path, says):
    with phone() as server:
        assert until(camera(server.address(path)), _says(says))


def test_an_address_where_nobody_is_is_said(camera):
    assert until(camera("http://127.0.0.1:9/video"), _says("cannot be reached"))
    assert until(camera("rtsp://127.0.0.1:9/video"), _says("check the address"))
