"""Players' own sets: small pictures of tiles beside the games' state, each with the name of what it shows.

A reference is two small files, ``7.png`` and ``7.json``, so that damage to one costs one. Embeddings are worked out
when a set is loaded: a new network needs no new enrolment. Only names are kept; the values printed on a tile stand in
the game's catalogue, and stay as editable as they are for the printed set.
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.eyes import Enrolled
from companion.game import Unreadable
from vision.crops import SIDE
from vision.frame import Pixels
from vision.names import EMPTY

_MOST_BYTES = 64 * 1024
_NAME = re.compile(r"[\w][\w -]{0,39}", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """One picture of a tile, upright, and which it is; `EMPTY` for a free place as this table has it."""

    tile: str
    owner: str | None
    crop: Pixels


class Sets:
    """The sets of all games in one folder of state."""

    def __init__(self, state: Path) -> None:
        self._root = state / "sets"

    def games(self) -> list[str]:
        """The games that sets were enrolled for."""
        return sorted(entry.name for entry in self._root.iterdir() if entry.is_dir()) if self._root.is_dir() else []

    def names(self, game: str) -> list[str]:
        """The sets enrolled for a game."""
        folder = self._root / game
        return sorted(entry.name for entry in folder.iterdir() if entry.is_dir()) if folder.is_dir() else []

    def load(self, game: str, name: str) -> tuple[list[Reference], list[str]]:
        """All references that can be used, and a sentence for each that cannot; raises `Unreadable` for no set."""
        folder = self.folder(game, name)
        if not folder.is_dir():
            there = ", ".join(self.names(game)) or "none"
            raise Unreadable(f"there is no set {name!r} for {game}; there are: {there}", "set")
        references, said = [], []
        for file in _numbered(folder):
            try:
                if (reference := _read(file)) is not None:
                    references.append(reference)
            except (OSError, ValueError, cv2.error):
                said.append(f"{file.with_suffix('.png')} is damaged and left out: enrol that tile once more")
        return references, said

    def add(self, game: str, name: str, references: Sequence[Reference]) -> None:
        """Keep references in a set, which is made if there is none."""
        folder = self.folder(game, name)
        folder.mkdir(parents=True, exist_ok=True)
        last = max((int(file.stem) for file in _numbered(folder)), default=0)
        for number, reference in enumerate(references, start=last + 1):
            _write(folder / f"{number}.json", reference)

    def forget(self, game: str, name: str, tile: str | None = None) -> int:
        """Remove a set, or one tile of it; how many references are gone."""
        folder = self.folder(game, name)
        references, _ = self.load(game, name)
        if tile is None:
            shutil.rmtree(folder)
            return len(references)
        gone = [file for file in _numbered(folder) if _shows(file, tile)]
        if not gone:
            raise Unreadable(f"there is no tile {tile!r} in the set {name!r}", "tile")
        for file in gone:
            file.unlink()
            file.with_suffix(".png").unlink(missing_ok=True)
        return len(gone)

    def folder(self, game: str, name: str) -> Path:
        """Where a set is kept."""
        if not _NAME.fullmatch(name):
            raise Unreadable("a set's name is up to 40 letters, digits, blanks, - and _", "set")
        return self._root / game / name


def listed(references: Sequence[Reference], close: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Enrolled, ...]:
    """Each tile once, with how many pictures it has and what it is too close to; free places are no tiles."""
    counts = Counter((one.tile, one.owner) for one in references if one.tile != EMPTY)
    return tuple(
        Enrolled(tile, owner, pictures, (close or {}).get(tile, ())) for (tile, owner), pictures in counts.items()
    )


def _numbered(folder: Path) -> list[Path]:
    return sorted((file for file in folder.glob("*.json") if file.stem.isdigit()), key=lambda file: int(file.stem))


def _read(file: Path) -> Reference | None:
    """What a file keeps; nothing for a quarter or an icon alone, as sets once had them beside the whole tile."""
    about = json.loads(file.read_bytes()[:_MOST_BYTES])
    picture = file.with_suffix(".png").read_bytes()
    if len(picture) > _MOST_BYTES or not isinstance(about, dict) or not isinstance(about.get("tile"), str):
        raise ValueError("not a reference")
    crop = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    if str(about.get("part", "")).startswith(("quarter ", "icon ")):
        return None
    owner = about.get("owner")
    if crop is None or crop.shape != (SIDE, SIDE, 3) or not isinstance(owner, str | None):
        raise ValueError("not a reference")
    return Reference(about["tile"], owner, np.asarray(crop, np.uint8))


def _shows(file: Path, tile: str) -> bool:
    try:
        return bool(json.loads(file.read_bytes()).get("tile") == tile)
    except (OSError, ValueError, AttributeError):
        return False


def _write(file: Path, reference: Reference) -> None:
    """The picture first, whole, then the name that makes it count."""
    coded = cv2.imencode(".png", reference.crop)[1].tobytes()
    about = json.dumps({"tile": reference.tile, "owner": reference.owner}).encode()
    for path, content in ((file.with_suffix(".png"), coded), (file, about)):
        fresh = path.with_suffix(f"{path.suffix}.new")
        fresh.write_bytes(content)
        os.replace(fresh, path)
