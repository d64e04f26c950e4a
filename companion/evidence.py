"""Pictures of accepted moves, within a budget of disk; the record stands without them, should they be lost."""

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from threading import Lock

FOLDER = "evidence"
"""Its name beside the record."""
BUDGET_BYTES = 200_000_000
"""All pictures together: 10,000 or more, the last hundred games."""
LARGEST_BYTES = 20_000
"""One picture: an SD card wears out by being written, and a day of play may write 250 MB in all."""
SPARE_BYTES = 64_000_000
"""What must stay free on the disk: a picture is never the reason that an event finds no room."""

_FOLDER = re.compile(r"(\d{6,})-([0-9a-f]{32})")
_PICTURE = re.compile(r"(\d{5,})\.jpg")


class Evidence:
    """A folder a game, in the order the games first had a picture, whatever the clock said; the oldest go first."""

    def __init__(self, folder: Path, budget_bytes: int = BUDGET_BYTES, spare_bytes: int = SPARE_BYTES) -> None:
        self._folder, self._budget, self._spare = folder, budget_bytes, spare_bytes
        self._partial = folder / "picture.part"
        """One name for all: who is killed while writing leaves one such file, which the next picture takes away."""
        self._lock = Lock()
        self._folders: dict[str, str] = {}
        self._sizes: dict[Path, int] = {}
        for path in sorted(folder.glob("*/*.jpg")):
            named = _FOLDER.fullmatch(path.parent.name)
            if named and _PICTURE.fullmatch(path.name):
                self._folders[named[2]] = path.parent.name
                self._sizes[path] = path.stat().st_size

    @property
    def used_bytes(self) -> int:
        return sum(self._sizes.values())

    def keep(self, identity: str, number: int, jpeg: bytes) -> bool:
        """Keep the picture of a move; whether it was kept matters to nobody but who would look at it."""
        if not _is_whole(jpeg) or len(jpeg) > min(LARGEST_BYTES, self._budget):
            return False
        with self._lock:
            path = self._place(identity, number)
            try:
                return self._make_room(path, len(jpeg)) and self._write(path, jpeg)
            except OSError:
                return False

    def path(self, identity: str, number: int) -> Path | None:
        """Where the picture of a move is, if it is still there and whole."""
        if identity not in self._folders:
            return None
        path = self._place(identity, number)
        with suppress(OSError):
            return path if _is_whole(path.read_bytes()) else None
        return None

    def forget(self, identity: str) -> None:
        """Delete all pictures of a game."""
        with self._lock:
            folder = self._folders.pop(identity, None)
            for path in [path for path in self._sizes if path.parent.name == folder]:
                self._remove(path)
            self._partial.unlink(missing_ok=True)

    def _place(self, identity: str, number: int) -> Path:
        if identity not in self._folders:
            last = max((int(name.split("-")[0]) for name in self._folders.values()), default=0)
            name = f"{last + 1:06}-{identity}"
            if not _FOLDER.fullmatch(name):
                raise ValueError(f"no game is called {identity!r}")
            self._folders[identity] = name
        return self._folder / self._folders[identity] / f"{number:05}.jpg"

    def _make_room(self, path: Path, size: int) -> bool:
        used = self.used_bytes - self._sizes.get(path, 0)
        while used + size > self._budget:
            oldest = min(self._sizes.keys() - {path}, key=_age)
            used -= self._sizes[oldest]
            self._remove(oldest)
        self._folder.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self._folder).free >= self._spare + size

    def _write(self, path: Path, jpeg: bytes) -> bool:
        """Under another name first; not synced, for a picture that a power cut takes is not missed."""
        path.parent.mkdir(exist_ok=True)
        try:
            self._partial.write_bytes(jpeg)
            os.replace(self._partial, path)
        except OSError:
            self._partial.unlink(missing_ok=True)
            raise
        self._sizes[path] = len(jpeg)
        return True

    def _remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        del self._sizes[path]
        with suppress(OSError):
            path.parent.rmdir()


def _age(path: Path) -> tuple[int, int]:
    return int(path.parent.name.split("-")[0]), int(path.stem)


def _is_whole(jpeg: bytes) -> bool:
    return jpeg.startswith(b"\xff\xd8\xff") and jpeg.rstrip(b"\0").endswith(b"\xff\xd9")
