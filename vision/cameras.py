"""Live cameras by their names: which worker holds each, and what it is told."""

import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from companion.game import Unreadable
from vision.live import LiveCamera
from vision.settings import Known, between, read_settings, size

RATE = 10.0
"""Pictures a second: enough to see a hand come, and little enough for a Pi."""
SIZE = (1920, 1080)

_RATE = between(1, 60)
_CAPTURE = (sys.executable, "-m", "vision.workers.capture")
_PI_WORKER = Path(__file__).parent / "workers" / "picamera.py"


def open_v4l2(what: str, settings: Mapping[str, str]) -> LiveCamera:
    """A USB camera by its number or device, ``v4l2:0?size=1280x720``."""
    values = read_settings("a USB camera", settings, {"rate": _RATE, "size": size})
    if not what.isdecimal() and not what.startswith("/dev/"):
        raise Unreadable(f"a USB camera is v4l2:0 or v4l2:/dev/video0, not v4l2:{what}", "source")
    device = f"/dev/video{what}" if what.isdecimal() else what
    told = {"device": device, "size": SIZE, "rate": RATE} | values
    return _captured(f"The camera at {device}", told)


def open_stream(url: str) -> LiveCamera:
    """A camera in the network, ``http://phone:8080/video`` or ``rtsp://...``; ``#rate=5`` is for us, not for it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        # What the library says may quote half of a password.
        says = "the address of the camera cannot be read: a port is a number, and in a password ? is %3F and # is %23"
        raise Unreadable(says, "source") from None
    if not host:
        raise Unreadable("the address of a camera has a host, such as http://192.168.0.20:8080/video", "source")
    values = read_settings("a camera in the network", dict(parse_qsl(parts.fragment)), {"rate": _RATE})
    # Its name and password stay out of what is said.
    name = f"The camera at {host}{f':{port}' if port else ''}"
    return _captured(name, {"url": parts._replace(fragment="").geturl(), "rate": RATE} | values)


def open_picamera(what: str, settings: Mapping[str, str]) -> LiveCamera:
    """A camera of the Raspberry Pi, ``picamera:`` or ``picamera:1`` for the second one.

    Its worker runs under the system's Python, for which alone libcamera is packaged.
    """
    known: Known = {"rate": between(1, 30), "picture": size, "python": str}
    values = read_settings("a Pi's camera", settings, known)
    if what and not what.isdecimal():
        raise Unreadable(f"a Pi's camera is picamera: or picamera:1, not picamera:{what}", "source")
    # The settings of this environment are not for the system's Python.
    command = (values.pop("python", "/usr/bin/python3"), "-E", "-s", str(_PI_WORKER))
    told = {"camera": int(what or 0), "rate": RATE} | values
    return LiveCamera("The Pi's camera", command, told, stills=True)


def _captured(name: str, told: Mapping[str, object]) -> LiveCamera:
    return LiveCamera(name, _CAPTURE, {"name": name, **told})
