"""Pictures that were taken before: a video, a folder of photos, a single photo."""

import itertools
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.game import Unreadable
from vision.frame import Pixels
from vision.photo import decode
from vision.reel import Moment, Reel
from vision.settings import between, one_of, read_settings

PHOTOS = (".jpg", ".jpeg", ".png")

_PACE = one_of("live", "fast")


def open_video(name: str, settings: Mapping[str, str]) -> Reel:
    """A video file, ``video:game.mp4?pace=fast``."""
    values = read_settings("a video", settings, {"pace": _PACE})
    file = _existing(name, "video")
    if next(_film(file), None) is None:
        raise Unreadable(f"{file} is no video that can be read: MP4 and AVI can", "source")
    return Reel(lambda: _film(file), values.get("pace") != "fast")


def truth_beside(film: Path) -> Path:
    """Where the truth about a simulated game that was filmed is written: a line of JSON for all that happens."""
    return film.with_suffix(".truth.jsonl")


def open_photos(name: str, settings: Mapping[str, str]) -> Reel:
    """A folder of photos in the order of their names, ``photos:evening?interval=2&pace=fast``."""
    known = {"interval": between(0.01, 86400), "pace": _PACE}
    values = read_settings("a folder of photos", settings, known)
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise Unreadable(f"there is no folder {folder}: name one that holds photos", "source")
    files = sorted((file for file in folder.iterdir() if file.suffix.lower() in PHOTOS), key=_in_order)
    if not files:
        raise Unreadable(f"{folder} holds no photos: put JPEG or PNG files there", "source")
    times = times_of([file.stem for file in files], values.get("interval"))
    return Reel(lambda: _album(files, times), values.get("pace") != "fast", photos=True)


def open_photo(name: str, settings: Mapping[str, str]) -> Reel:
    """A single photo, ``photo:table.jpg``."""
    read_settings("a photo", settings, {})
    file = _existing(name, "photo")
    pixels = decode(file.read_bytes())
    return Reel(lambda: iter((Moment(1, 0.0, lambda: pixels),)), live=False, photos=True)


def times_of(names: list[str], interval: float | None = None) -> list[float]:
    """When photos were taken, in seconds from the first.

    By the date and time in their names if all have one; otherwise, and where an interval is given, by the number
    that each name ends in; otherwise one after the other.
    """
    clocks = [_clock(name) for name in names]
    if interval is None and (told := [clock for clock in clocks if clock is not None]) and len(told) == len(names):
        return [(clock - min(told)).total_seconds() for clock in told]
    numbers = [int(found[1]) if (found := re.search(r"(\d+)\D*$", name)) else None for name in names]
    counted = [number for number in numbers if number is not None]
    rising = len(counted) == len(names) and all(one < other for one, other in itertools.pairwise(counted))
    places = counted if rising else list(range(len(names)))
    return [(place - places[0]) * (interval or 1.0) for place in places]


def _clock(name: str) -> datetime | None:
    """The date and time in a name, as ``IMG_20240131_203055`` or ``2024-01-31 20.30.55.250``."""
    found = re.search(r"(20\d\d)\D?(\d\d)\D?(\d\d)\D?(\d\d)\D?(\d\d)\D?(\d\d)(?:\D?(\d{3}))?(?!\d)", name)
    if found is None:
        return None
    year, month, day, hour, minute, second, thousandth = (int(part or 0) for part in found.groups())
    try:
        return datetime(year, month, day, hour, minute, second, 1000 * thousandth)
    except ValueError:
        return None


def _in_order(file: Path) -> list[tuple[int, str]]:
    """Names in the order in which a person counts: photo 2 comes before photo 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", file.name.lower())]


def _existing(name: str, what: str) -> Path:
    file = Path(name).expanduser()
    if not file.is_file():
        raise Unreadable(f"there is no {what} {file}: check the name", "source")
    return file


def _film(file: Path) -> Iterator[Moment]:
    video = cv2.VideoCapture(str(file))
    rate = video.get(cv2.CAP_PROP_FPS) or 25.0
    number, taken = 0, -1.0
    try:
        while video.grab():
            number += 1
            # Phones film at a changing rate, so the file's own times count; files that have none are counted out.
            told = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
            taken = told if told > taken else max(taken + 1 / rate, 0.0)
            yield Moment(number, taken, partial(_unpacked, video))
    finally:
        video.release()


def _unpacked(video: cv2.VideoCapture) -> Pixels:
    got, pixels = video.retrieve()
    if not got:
        raise Unreadable("a picture of the video cannot be read", "source")
    return np.asarray(pixels, np.uint8)


def _album(files: list[Path], times: list[float]) -> Iterator[Moment]:
    for number, (file, taken) in enumerate(zip(files, times, strict=True), start=1):
        yield Moment(number, taken, partial(_photo, file))


def _photo(file: Path) -> Pixels:
    try:
        return decode(file.read_bytes())
    except (Unreadable, OSError) as error:
        raise Unreadable(f"{file.name}: {error}", "source") from None
