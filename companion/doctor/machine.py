"""The machine itself: what it is, what is installed, and whether it has power, room and the right time."""

import operator
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from companion.doctor.finding import Finding, absent, answer, broken, good, look
from companion.evidence import SPARE_BYTES

ARCHITECTURES = ("aarch64", "arm64", "x86_64", "amd64")
LEAST_PYTHON = (3, 11)
LEAST_MEMORY_MB, LEAST_FREE_MEMORY_MB = 900, 200
DAY = 86_400

_THROTTLED = {
    0: "the voltage is too low",
    1: "the processor's speed is capped",
    2: "the processor is throttled",
    3: "it is at its limit of heat",
}
"""The firmware's bits for now; sixteen places further left they say that it happened since the start."""
_MORE_POWER = "use the Pi's own power supply and a short cable, unplug what draws power, give it air"
_COMPARE: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_REQUIREMENT = re.compile(r"""([\w.-]+)(?:\[[^]]*])?\s*\(?([^;()]*)\)?(?:;\s*extra\s*==\s*['"](\w+)['"])?""")


def architecture(machine: str = platform.machine(), bits: int = sys.maxsize.bit_length() + 1) -> Finding:
    """The networks run on 64-bit systems alone."""
    if bits == 64 and machine.lower() in ARCHITECTURES:
        return good("architecture", f"{machine}, 64 bit")
    do = "install the 64-bit Raspberry Pi OS (a Pi 4 or 5)" if machine.startswith("arm") else "use a 64-bit ARM or x86"
    return broken("architecture", f"{machine} with a {bits}-bit Python", do)


def python(running: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    written = ".".join(map(str, running))
    if running >= LEAST_PYTHON:
        return good("Python", written)
    return broken("Python", f"{written} is too old", "install Python 3.11 or newer")


def installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def packages(
    requirements: Iterable[str], extras: tuple[str, ...], found: Callable[[str], str | None] = installed
) -> Finding:
    """Whether each package is there, within the bounds that were tested."""
    missing, wrong, count = [], [], 0
    for requirement in requirements:
        parsed = _REQUIREMENT.match(requirement)
        if parsed is None or (parsed[3] and parsed[3] not in extras):
            continue
        name, bounds, count = parsed[1], parsed[2].strip(), count + 1
        if (have := found(name)) is None:
            missing.append(name)
        elif not _within(have, bounds):
            wrong.append(f"{name} {have} (wanted {bounds})")
    do = f"run the installer again, or: pip install 'tile-table-companion[{','.join(extras)}]'"
    if missing or wrong:
        return broken("packages", "; ".join([*(f"{name} is missing" for name in missing), *wrong]), do)
    return good("packages", f"{count} packages within their bounds")


def power(root: Path = Path("/")) -> Finding:
    """Whether the Pi gets enough of it, and runs as fast as it can."""
    if (bits := _throttled(root)) is None:
        return absent("power", "only a Raspberry Pi tells")
    now = [words for bit, words in _THROTTLED.items() if bits >> bit & 1]
    before = [words for bit, words in _THROTTLED.items() if bits >> bit + 16 & 1]
    if now:
        return broken("power", f"now {' and '.join(now)}", _MORE_POWER)
    if before:
        return look("power", f"since the start it happened that {' and '.join(before)}", _MORE_POWER)
    return good("power", "enough, and no throttling since the start")


def disk(folder: Path, evidence_bytes: int) -> Finding:
    """Whether the record and its pictures have room, and may be written."""
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(place, os.W_OK):
        return broken("disk", f"{place} cannot be written", f"give it to this user: sudo chown -R $USER {place}")
    free = shutil.disk_usage(place).free
    says = f"{free / 1e6:,.0f} MB free at {place}"
    if free < SPARE_BYTES:
        return broken("disk", f"{says}: no pictures are kept, soon no moves", "delete files, or name another `state`")
    if free < SPARE_BYTES + evidence_bytes:
        return look("disk", f"{says}, less than pictures may take", "delete files, or set a smaller `evidence_mb`")
    return good("disk", says)


def memory(root: Path = Path("/")) -> Finding:
    """Whether the networks and the page fit."""
    try:
        told = dict(re.findall(r"(\w+):\s+(\d+) kB", (root / "proc/meminfo").read_text()))
        whole, free = (int(told[name]) // 1000 for name in ("MemTotal", "MemAvailable"))
    except (OSError, KeyError):
        return absent("memory", "this system does not tell")
    says = f"{free:,} of {whole:,} MB free"
    if whole < LEAST_MEMORY_MB:
        return look("memory", f"{says}: little for watching", "a Pi with 2 GB or more is better")
    if free < LEAST_FREE_MEMORY_MB:
        return look("memory", says, "stop other programs, or start the machine again")
    return good("memory", says)


def clock(known: float, root: Path = Path("/"), now: float | None = None) -> Finding:
    """Whether the time is plausible (not before what we know has been) and kept right; nothing is ordered by it."""
    now = time.time() if now is None else now
    says = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    do = "connect it to the internet for a moment, or: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'"
    if now < known - DAY:
        return look("clock", f"{says} is in the past: games will bear a wrong date", do)
    if _synchronised(root) is False:
        return look("clock", f"{says}, not synchronised", do)
    return good("clock", says)


def _within(have: str, bounds: str) -> bool:
    limits = (re.fullmatch(r"\s*([<>=!]=|[<>])\s*([\w.]+)\s*", bound) for bound in bounds.split(",") if bound.strip())
    return all(limit is None or _COMPARE[limit[1]](_parts(have), _parts(limit[2])) for limit in limits)


def _parts(written: str) -> tuple[int, ...]:
    numbers = [int(number) for number in re.findall(r"\d+", written.split("+")[0])]
    return tuple((numbers + [0] * 4)[:4])


def _throttled(root: Path) -> int | None:
    for file in root.glob("sys/devices/platform/soc*/*firmware/get_throttled"):
        return int(file.read_text(), 16)
    told = answer(["vcgencmd", "get_throttled"], 5) if root == Path("/") else None
    found = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", told or "")
    return int(found[1], 16) if found else None


def _synchronised(root: Path) -> bool | None:
    if (root / "run/systemd/timesync/synchronized").exists():
        return True
    told = answer(["timedatectl", "show", "-p", "NTPSynchronized", "--value"], 5) if root == Path("/") else None
    return {"yes": True, "no": False}.get(told or "")
