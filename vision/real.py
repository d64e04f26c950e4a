"""Judges reading by real photographs: sets enrolled from one of them, boards described by data alone, markers.

A folder of photographs is read with the board of the same name. Beside the board, ``photos.toml`` names the photo that
is enrolled from and corrects the truth where the photos show otherwise.
"""

import re
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.described import described
from companion.game import AnyGame
from companion.table import Layout, Piece
from vision.enrol import gallery_of, learn
from vision.frame import Frame
from vision.judging import Tally
from vision.markers import find_markers
from vision.photo import read_photo
from vision.plane import NoPlane
from vision.reader import ASK_BELOW, Reader
from vision.reading import TableRead


@dataclass(slots=True)
class Judged:
    """How reading one folder went; places count whether something lies there or not."""

    name: str
    of: str
    """What is counted: ``tiles``, ``points`` or ``markers``."""
    tally: Tally = field(default_factory=Tally)
    right: int = 0


def judge_photos(photos: Path, boards: Path, progress: Callable[[str], None] = lambda said: None) -> Iterator[Judged]:
    """A row for each folder that there is a board and a truth for, and one for the markers."""
    for name, truth_of in _TRUTHS.items():
        if (photos / name).is_dir() and (boards / name).is_dir():
            yield _judged_folder(photos / name, described(boards / name), truth_of, progress)
    if (photos / "markers").is_dir() and (boards / "markers.toml").is_file():
        yield _judged_markers(photos / "markers", tomllib.loads((boards / "markers.toml").read_text(encoding="utf-8")))


def _judged_folder(folder: Path, game: AnyGame, truth_of: "_TruthOf", progress: Callable[[str], None]) -> Judged:
    about = tomllib.loads((game.folder / "photos.toml").read_text(encoding="utf-8"))
    truth, first = truth_of(folder, game, about), about["enrolled_from"]
    reader = Reader(game)
    frame = Frame(read_photo(folder / f"{first}.jpg"), 0.0, 0)
    references = learn(reader, frame, reader.register(frame), truth[first])
    reader.gallery = gallery_of(references, game.catalogue, reader.embed)
    judged = Judged(folder.name, "points" if game.catalogue.shape == "disc" else "tiles")
    for name, layout in truth.items():
        if name != first:
            progress(f"{folder.name} {name}")
            _judge_photo(judged, reader, folder / f"{name}.jpg", layout)
    return judged


def _judge_photo(judged: Judged, reader: Reader, photo: Path, truth: Layout) -> None:
    tally = judged.tally
    tally.layouts += 1
    frame = Frame(read_photo(photo), 0.0, 0)
    try:
        plane = reader.register(frame)
    except NoPlane as cannot:
        tally.unread += 1
        tally.tiles += len(truth)
        tally.missed += len(truth)
        tally.failures.append(f"{photo.name}: {cannot}")
        return
    began = time.perf_counter()
    seen = reader.read(frame, plane)
    tally.times_ms.append((time.perf_counter() - began) * 1000)
    _count(judged, photo.name, reader.game, seen, truth)


def _count(judged: Judged, photo: str, game: AnyGame, seen: TableRead, truth: Layout) -> None:
    tally = judged.tally
    read = {tile.place: tile for tile in seen.tiles if tile.place is not None}
    tally.asked += sum(tile.probability < ASK_BELOW for tile in seen.tiles)
    errors = sum(tile.place is None for tile in seen.tiles)
    tally.invented += errors
    for place in game.board.places:
        tile, true = read.get(place), truth.get(place)
        said = tile.piece if tile is not None else None
        tally.tiles += judged.of == "points" or true is not None
        if said == true and (tile is None or true is not None):
            judged.right += judged.of == "points" or true is not None
            continue
        errors += 1
        tally.missed += tile is None
        tally.invented += true is None
        tally.wrong += tile is not None and true is not None
        tally.silent += tile is None or tile.probability >= ASK_BELOW
        tally.failures.append(f"{photo}: {place} is {_said(true)}, read as {_said(said)}")
    tally.exact += errors == 0


def _judged_markers(folder: Path, expected: Mapping[str, list[int]]) -> Judged:
    judged = Judged("markers", "markers")
    tally = judged.tally
    for photo in sorted(folder.glob("*.jpg")):
        there = next((set(ids) for word, ids in expected.items() if photo.name.startswith(word)), set())
        began = time.perf_counter()
        found = set(find_markers(read_photo(photo)))
        tally.times_ms.append((time.perf_counter() - began) * 1000)
        tally.layouts += 1
        tally.tiles += len(there)
        judged.right += len(there & found)
        tally.missed += len(there - found)
        tally.invented += len(found - there)
        tally.exact += found == there
        if found != there:
            tally.failures.append(f"{photo.name}: {sorted(found)} instead of {sorted(there)}")
    return judged


def _tiles_added(folder: Path, game: AnyGame, about: Mapping[str, Any]) -> dict[str, Layout]:
    """From a file a photo with the tiles that are new in it, such as ``10D 4G``: row, column, tile."""
    layout: dict[str, Piece] = _cells(about["start"])
    truth: dict[str, Layout] = {}
    for photo in sorted(folder.glob("*.jpg")):
        told = photo.with_suffix(".txt")
        lines = told.read_text(encoding="utf-8").splitlines() if told.is_file() else []
        # An O is sometimes written as a nought.
        layout |= _cells(re.sub("0$", "O", line) for line in lines if " " in line)
        layout |= _cells(about["corrections"].get(photo.stem, ()))
        truth[photo.stem] = dict(layout)
    return truth


def _cells(lines: Any) -> dict[str, Piece]:
    found = (re.fullmatch(r"(\d+)([A-Z]) (\w+)", line.strip()) for line in lines)
    return {f"{match[2]}{match[1]}": Piece(match[3]) for match in found if match}


def _boards_drawn(folder: Path, game: AnyGame, about: Mapping[str, Any]) -> dict[str, Layout]:
    """From boards drawn in letters, one a round: ``B`` and ``W`` are men, ``+`` is a free point, in reading order."""
    _, *rounds = re.split(r"Round Nr\.: (\d+)", (folder / "boards.txt").read_text(encoding="utf-8"))
    men = {"B": Piece("man", "black"), "W": Piece("man", "white")}
    # The game's first photo, before the first round, shows the empty board.
    truth: dict[str, Layout] = {"1_1": {}}
    for number, drawn in zip(rounds[::2], rounds[1::2], strict=True):
        signs = zip(game.board.places, re.findall(r"[+BW]", drawn), strict=True)
        fixed = {line.split()[0]: men[line.split()[1]] for line in about["corrections"].get(f"1_{number}", ())}
        truth[f"1_{number}"] = {place: men[sign] for place, sign in signs if sign in men} | fixed
    return truth


_TruthOf = Callable[[Path, AnyGame, Mapping[str, Any]], dict[str, Layout]]
_TRUTHS: dict[str, _TruthOf] = {"qwirkle": _tiles_added, "morris": _boards_drawn}


def _said(piece: Piece | None) -> str:
    return "nothing" if piece is None else " ".join(filter(None, (piece.owner, piece.tile)))
