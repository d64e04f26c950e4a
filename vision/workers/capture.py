"""A worker for cameras that OpenCV can open (USB, RTSP, MJPEG over HTTP), and for a JPEG asked for again and again."""

import base64
import os
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

import cv2
import numpy as np

from companion.game import Unreadable
from vision.frame import Pixels
from vision.photo import decode
from vision.workers.wire import Gone, Picture, Refused, owner_from_arguments, rows_of, serve

MOST_ASKED = 4.0
"""How many single pictures a second are asked of a camera; each is a connection of its own."""

MOST_BYTES = 32_000_000
"""More than any single picture has; what is longer is cut off and so refused."""


class Capture:
    """One camera from its start to its end."""

    def __init__(self) -> None:
        self._look: Callable[[], Pixels | None] = lambda: None
        self._number = 0
        self._name = ""

    def start(self, command: dict[str, Any]) -> dict[str, Any]:
        self._name, rate = command["name"], float(command["rate"])
        if "url" not in command:
            self._look = _film(_open_device(command), self._name, rate)
        elif _is_single(command["url"], self._name):
            self._look = _asking(command["url"], self._name, min(rate, MOST_ASKED))
        else:
            self._look = _film(_open_stream(command["url"], self._name), self._name, rate)
        return {}

    def status(self, command: dict[str, Any]) -> dict[str, Any]:
        return {"camera": self._name, "pictures": self._number}

    def refuse(self, command: dict[str, Any]) -> dict[str, Any]:
        raise Refused("{camera} sees to its own light and focus: set them at the camera.", camera=self._name)

    def picture(self) -> Picture | None:
        if (pixels := self._look()) is None:
            return None
        self._number += 1
        return rows_of(np.ascontiguousarray(pixels), self._number, time.monotonic())


def _film(video: cv2.VideoCapture, name: str, rate: float) -> Callable[[], Pixels | None]:
    """The newest picture at a rate; those between are taken from the camera, so that none is old, but not unpacked."""
    due = time.monotonic()

    def look() -> Pixels | None:
        nonlocal due
        if not video.grab():
            raise Gone("{camera} gives no more pictures: is it still connected?", camera=name)
        if time.monotonic() < due:
            return None
        due = max(due + 1 / rate, time.monotonic())
        got, pixels = video.retrieve()
        return np.asarray(pixels, np.uint8) if got else None

    return look


def _asking(url: str, name: str, rate: float) -> Callable[[], Pixels | None]:
    due = time.monotonic()

    def look() -> Pixels | None:
        nonlocal due
        time.sleep(max(0.0, due - time.monotonic()))
        due = time.monotonic() + 1 / rate
        with _reach(url, name) as answer:
            image = answer.read(MOST_BYTES)
        try:
            return decode(image)
        except Unreadable:
            return None

    return look


def _open_device(command: dict[str, Any]) -> cv2.VideoCapture:
    device = Path(command["device"])
    if not device.exists():
        others = ", ".join(sorted(f"v4l2:{other}" for other in Path("/dev").glob("video*")))
        if others:
            raise Gone(
                "There is no camera at {device}: plug it in or choose one of {others}.", device=device, others=others
            )
        raise Gone("There is no camera at {device}: plug it in.", device=device)
    if not os.access(device, os.R_OK | os.W_OK):
        raise Gone("The companion may not use {device}: add its user to the group video.", device=device)
    number = device.resolve().name.removeprefix("video")
    video = cv2.VideoCapture(int(number) if number.isdecimal() else str(device), cv2.CAP_V4L2)
    if not video.isOpened():
        raise Gone("{device} gives no pictures: another program may hold it, or it is no camera.", device=device)
    # Full pictures do not pass a USB 2 cable unpacked at any useful rate.
    video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    video.set(cv2.CAP_PROP_FRAME_WIDTH, command["size"][0])
    video.set(cv2.CAP_PROP_FRAME_HEIGHT, command["size"][1])
    video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return video


def _open_stream(url: str, name: str) -> cv2.VideoCapture:
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "rtsp_transport;tcp"
    video = cv2.VideoCapture(url, cv2.CAP_FFMPEG)
    if not video.isOpened():
        raise Gone(
            "{camera} gives no pictures: check the address, and that the camera is on and in this network.", camera=name
        )
    return video


def _is_single(url: str, name: str) -> bool:
    """Whether an address answers with one picture rather than with a stream."""
    if url.startswith("rtsp"):
        return False
    with _reach(url, name) as answer:
        kind = answer.headers.get_content_type()
    if kind == "text/html":
        raise Gone(
            "{camera} answers with a page, not with pictures: its stream often is at /video or /shot.jpg.", camera=name
        )
    return bool(kind.startswith("image/"))


def _reach(url: str, name: str) -> Any:
    parts = urlsplit(url)
    asked = Request(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl())
    if parts.username is not None:
        who = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        asked.add_header("Authorization", "Basic " + base64.b64encode(who.encode()).decode())
    try:
        # A camera in the home network has a certificate that nobody signed.
        return urlopen(asked, timeout=5.0, context=ssl._create_unverified_context())
    except HTTPError as error:
        error.close()
        raise Gone(
            "{camera} answers {answer}: check the address, the name and the password.",
            camera=name,
            answer=f"{error.code} {error.reason}",
        ) from None
    except (URLError, OSError) as error:
        why = getattr(error, "reason", error)
        raise Gone("{camera} cannot be reached ({why}): is it on, and in this network?", camera=name, why=why) from None


def main() -> None:
    owner = owner_from_arguments()
    # A camera in the home network is not asked by way of a proxy.
    for word in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        os.environ.pop(word, None)
    capture = Capture()
    commands = {"start": capture.start, "status": capture.status}
    serve(owner, commands | dict.fromkeys(("still", "lock", "unlock", "focus"), capture.refuse), capture.picture)


if __name__ == "__main__":
    main()
