"""The camera: whether one is seen, whether we may use it, and what the Pi's own library says of it."""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.doctor.finding import Finding, absent, answer, broken, good, look

SYSTEM_PYTHON = "/usr/bin/python3"
"""Where apt puts picamera2; the companion's own environment never holds it."""
PI_CAMERA = "picamera"
"""The kind of source that is a camera of the Pi's own."""

_NO_CAMERA = re.compile(r"bcm2835-(codec|isp)|rpi-hevc|rpivid|pispbe|hevc")
"""Video devices of a Pi that decode or shape pictures; they are there without any camera."""
_ASK = """
import importlib.util, json
if importlib.util.find_spec("picamera2") is None:
    print("null")
else:
    from picamera2 import Picamera2
    print(json.dumps([camera.get("Model", "?") for camera in Picamera2.global_camera_info()]))
"""


def is_on_this_machine(source: str) -> bool:
    """Whether a source is a camera that is plugged in here."""
    return source.partition(":")[0] in (PI_CAMERA, "v4l2")


def cameras(root: Path) -> Iterator[tuple[Path, str]]:
    """The video devices that may be cameras, with the names their drivers give."""
    for device in sorted(root.glob("dev/video*")):
        told = root / "sys/class/video4linux" / device.name / "name"
        name = told.read_text().strip() if told.exists() else device.name
        if not _NO_CAMERA.search(name):
            yield device, name


def seen(source: str, root: Path = Path("/")) -> Finding:
    """Whether the system sees a camera."""
    if found := list(cameras(root)):
        return good("camera", ", ".join(f"{name} ({device.name})" for device, name in found))
    if is_on_this_machine(source):
        return broken("camera", "none is seen", "switch off, push in the cable (contacts to the board), start again")
    return absent("camera", "none is attached, and the source that is set needs none")


def permission(source: str, root: Path = Path("/"), may: Callable[[Path, int], bool] = os.access) -> Finding:
    """Whether this user may use the devices that a camera takes."""
    devices = [device for kind in ("video*", "media*", "dma_heap/*") for device in sorted(root.glob(f"dev/{kind}"))]
    if not devices:
        return absent("permission", "there are no camera devices")
    closed = [device for device in devices if not may(device, os.R_OK | os.W_OK)]
    if not closed:
        return good("permission", f"all {len(devices)} camera devices are open to this user")
    groups = ",".join(sorted({_group(device) for device in closed}))
    names = ", ".join(device.name for device in closed)
    do = f"sudo usermod -aG {groups} {_user()}, then log in or start the service again"
    return (broken if is_on_this_machine(source) else look)("permission", f"closed to this user: {names}", do)


def picamera2(source: str, root: Path = Path("/"), python: str = SYSTEM_PYTHON, seconds: float = 20) -> Finding:
    """What the Pi's camera library lists, asked under the system's own Python."""
    needed = source.partition(":")[0] == PI_CAMERA
    if not needed and not (root / "proc/device-tree/model").exists():
        return absent("picamera2", "this is no Raspberry Pi")
    told = answer([python, "-c", _ASK], seconds)
    listed = json.loads(told.splitlines()[-1]) if told else []
    if listed:
        return good("picamera2", f"lists {', '.join(listed)}")
    if told is None:
        says, do = "does not answer", "switch the Pi off and on; if that does not help, try another cable"
    elif listed is None:
        says, do = "is not installed", "sudo apt install python3-picamera2"
    else:
        says, do = "lists no camera", "push in the cable on both ends; config.txt must say camera_auto_detect=1"
    return broken("picamera2", says, do) if needed else absent("picamera2", says)


def _user() -> str:
    """Who runs this, whatever the environment says."""
    import pwd  # not on every system, but wherever there are such devices

    return pwd.getpwuid(os.geteuid()).pw_name


def _group(device: Path) -> str:
    try:
        return device.group()
    except KeyError:
        return str(device.stat().st_gid)
