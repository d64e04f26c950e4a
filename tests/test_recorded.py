"""A video, a folder of photos and a photo are cameras that end."""

import time

import cv2
import numpy as np
import pytest

from companion.game import Unreadable
from companion.images import check_photo, is_whole_jpeg
from vision.frame import Frame, Lost
from vision.photo import decode
from vision.recorded import times_of
from vision.sources import open_source


def _picture(grey, size=(160, 120)):
    return np.full((size[1], size[0], 3), grey, np.uint8)


def _jpeg(grey):
    return cv2.imencode(".jpg", _picture(grey))[1].tobytes()


def _video(file, code, rate=20, count=12):
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*code), rate, (160, 120))
    for number in range(count):
        writer.write(_picture(20 * number))
    writer.release()
    return file


@pytest.mark.parametrize(("name", "code"), [("game.mp4", "mp4v"), ("game.avi", "MJPG")])
def test_every_frame_of_a_video_comes_with_its_time(tmp_path, name, code):
    file = _video(tmp_path / name, code)
    frames = list(open_source(f"video:{file}?pace=fast"))
    assert [frame.number for frame in frames] == list(range(1, 13))
    assert [frame.taken for frame in frames] == pytest.approx([number / 20 for number in range(12)], abs=0.002)
    assert [round(frame.pixels.mean() / 20) for frame in frames] == list(range(12))


def test_a_video_runs_at_the_pace_of_its_camera_and_waits_for_a_slow_computer(tmp_path):
    file = _video(tmp_path / "game.avi", "MJPG")
    began = time.monotonic()
    assert len(list(open_source(f"video:{file}"))) == 12
    assert time.monotonic() - began >= 0.54
    late = []
    for frame in open_source(f"video:{file}"):
        late.append(frame.number)
        time.sleep(0.1)
    assert late == list(range(1, 13))


def test_a_closed_video_ends(tmp_path):
    source = open_source(f"video:{_video(tmp_path / 'game.avi', 'MJPG')}?pace=fast")
    frames = iter(source)
    next(frames)
    source.close()
    assert list(frames) == []


def test_photos_come_in_the_order_in_which_a_person_counts(tmp_path):
    for number in (10, 2, 1):
        (tmp_path / f"photo {number}.JPG").write_bytes(_jpeg(20 * number))
    (tmp_path / "notes.txt").write_text("not a photo")
    frames = list(open_source(f"photos:{tmp_path}?pace=fast&interval=0.5"))
    assert [round(frame.pixels.mean() / 20) for frame in frames] == [1, 2, 10]
    assert [frame.taken for frame in frames] == [0.0, 0.5, 4.5]


def test_photos_keep_their_time_unless_they_are_hurried(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(cv2.imencode(".png", _picture(9))[1].tobytes())
    began = time.monotonic()
    assert len(list(open_source(f"photos:{tmp_path}?interval=0.2"))) == 3
    assert time.monotonic() - began >= 0.39


@pytest.mark.parametrize(
    ("names", "interval", "times"),
    [
        (["IMG_20240131_235958", "IMG_20240201_000003"], None, [0, 5]),
        (["2024-01-31 20.30.55.250", "2024-01-31 20.30.55.750"], None, [0, 0.5]),
        (["IMG_20240131_235958", "IMG_20240201_000003"], 2.0, [0, 2]),
        (["frame0007", "frame0008", "frame0011"], 0.1, [0, 0.1, 0.4]),
        (["a", "b", "c"], 3.0, [0, 3, 6]),
        (["one 1", "two", "three 3"], None, [0, 1, 2]),
        (["IMG_20241331_235958", "x"], None, [0, 1]),
    ],
)
def test_the_times_of_photos_are_in_their_names_or_in_the_interval(names, interval, times):
    assert times_of(names, interval) == pytest.approx(times)


def test_a_damaged_photo_among_others_is_said_and_passed_over(tmp_path):
    (tmp_path / "1.jpg").write_bytes(_jpeg(50))
    (tmp_path / "2.jpg").write_bytes(_jpeg(50)[:-200])
    (tmp_path / "3.jpg").write_bytes(_jpeg(50))
    first, second, third = open_source(f"photos:{tmp_path}?pace=fast")
    assert isinstance(first, Frame)
    assert isinstance(third, Frame)
    assert second == Lost("2.jpg: the photo is cut off in the middle: send it once more", 1.0)


def test_a_single_photo_is_one_frame(tmp_path):
    (tmp_path / "table.jpg").write_bytes(_jpeg(90))
    (frame,) = open_source(f"photo:{tmp_path / 'table.jpg'}")
    assert (frame.pixels.shape, frame.taken, frame.number) == ((120, 160, 3), 0.0, 1)


def test_a_jpeg_is_whole_though_a_phone_hid_a_film_behind_it_and_a_small_picture_in_it():
    plain = _jpeg(70)
    hidden = b"\xff\xe1" + (2 + len(plain)).to_bytes(2, "big") + plain
    photo = plain[:2] + hidden + plain[2:]
    assert is_whole_jpeg(photo + b"a film" * 100)
    check_photo(photo + b"a film" * 100)
    check_photo(cv2.imencode(".png", _picture(70))[1].tobytes() + b"what a phone knows")
    assert not is_whole_jpeg(photo[:-2])
    assert not is_whole_jpeg(photo[:300])


@pytest.mark.parametrize("progressive", [0, 1])
@pytest.mark.parametrize("interval", [0, 3])
@pytest.mark.parametrize("quality", [20, 95])
def test_a_jpeg_of_any_kind_is_sound_until_something_is_written_into_it(progressive, interval, quality):
    kind = (cv2.IMWRITE_JPEG_PROGRESSIVE, progressive, cv2.IMWRITE_JPEG_RST_INTERVAL, interval)
    noise = np.random.default_rng(1).integers(0, 256, (120, 160, 3), np.uint8)
    photo = cv2.imencode(".jpg", noise, [*kind, cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    check_photo(photo)
    middle = len(photo) // 2
    with pytest.raises(Unreadable, match="damaged inside: send it again"):
        check_photo(photo[:middle] + b"\xff\xd5\xff\x07" + photo[middle + 4 :])


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (cv2.imencode(".webp", _picture(70))[1].tobytes(), "this is WebP"),
        (cv2.imencode(".bmp", _picture(70))[1].tobytes(), "this is BMP"),
        (cv2.imencode(".tiff", _picture(70))[1].tobytes(), "this is TIFF"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "this is HEIC"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "this is HEIC"),
        (b"\0\0\0\x20ftypavif\0\0\0\0", "this is AVIF"),
        (b"GIF89a" + bytes(400), "this is GIF"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "this is PDF"),
        (b"hello\nhello\n" * 9, "this is text"),
        (b"", "this is no JPEG or PNG picture"),
        (bytes(range(256)), "this is no JPEG or PNG picture"),
    ],
)
def test_what_is_no_photo_is_called_what_it_is(image, says):
    with pytest.raises(Unreadable, match=f"{says}.*: send the photo as a JPEG"):
        check_photo(image)


@pytest.mark.parametrize("image", [b"", b"GIF89a", b"\xff\xd8", b"\x89PNG\r\n\x1a\n damaged"])
def test_what_is_no_photo_is_refused_with_what_to_send(image):
    with pytest.raises(Unreadable, match=r"send"):
        decode(image)


@pytest.mark.parametrize(
    ("spec", "at", "says"),
    [
        ("video:{}/none.mp4", "source", "there is no video"),
        ("video:{}/notes.txt", "source", "MP4 and AVI"),
        ("video:{}/notes.txt?speed=2", "speed", "settings pace"),
        ("video:{}/notes.txt?pace=3", "pace", "live, fast"),
        ("photos:{}/none", "source", "there is no folder"),
        ("photos:{}", "source", "holds no photos"),
        ("photos:{}?interval=0", "interval", "0.01"),
        ("photos:{}?interval=soon", "interval", "soon"),
        ("photo:{}/none.jpg", "source", "there is no photo"),
        ("photo:{}/notes.txt", "photo", "JPEG or a PNG"),
        ("photo:{}/notes.txt?pace=fast", "pace", "no settings"),
    ],
)
def test_a_recording_that_cannot_be_is_refused_with_what_to_do(tmp_path, spec, at, says):
    (tmp_path / "notes.txt").write_text("not a video")
    with pytest.raises(Unreadable, match=says) as refused:
        open_source(spec.format(tmp_path))
    assert refused.value.at == at
