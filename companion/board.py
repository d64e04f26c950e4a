"""Where the places of a game lie, in millimetres, and what is printed around them; read from ``board.toml``.

The origin is the middle of the board or of the mat, x grows to the right and y towards the near edge, as on a page.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.said import say
from companion.table import Place


@dataclass(frozen=True, slots=True)
class Spot:
    """The middle of a place, and how a tile that lies straight on it is turned."""

    x_mm: float
    y_mm: float
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cells without a board: ``column,row`` from the first tile, columns to the right and rows away from the viewer."""

    pitch_mm: float

    def spot(self, place: Place) -> Spot:
        column, row = cell_of(place)
        return Spot(column * self.pitch_mm, -row * self.pitch_mm)


@dataclass(frozen=True, slots=True)
class Stroke:
    """One printed shape: a ``circle``, ``line``, ``polygon`` or ``text``, in the board's millimetres."""

    kind: str
    points: tuple[tuple[float, float], ...]
    radius_mm: float = 0.0
    """Of a circle; of text the height of its letters."""
    width_mm: float = 0.5
    ink: str = "line"
    """A word, not a colour: ``line``, ``home-white``, ``black``; the drawer knows its colour."""
    fill: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """The surface of a game: named places, a lattice for what has no board, and the print around them."""

    size_mm: tuple[float, float]
    places: Mapping[Place, Spot]
    lattice: Lattice | None = None
    strokes: tuple[Stroke, ...] = ()

    def spot(self, place: Place) -> Spot:
        """Where a place lies; raises ``KeyError`` for a word that is no place here."""
        if place in self.places:
            return self.places[place]
        if self.lattice is not None and is_cell(place):
            return self.lattice.spot(place)
        raise KeyError(place)


def cell(column: int, row: int) -> Place:
    """The word for a cell of a lattice."""
    return f"{column},{row}"


def cell_of(place: Place) -> tuple[int, int]:
    """Column and row of a cell."""
    column, row = place.split(",")
    return int(column), int(row)


def is_cell(place: Place) -> bool:
    """Whether the word is a cell of a lattice, written as `cell` writes it."""
    try:
        return cell(*cell_of(place)) == place
    except ValueError:
        return False


def load_board(file: Path) -> Board:
    """Read ``board.toml``.

    ``size_mm`` is required. Places come as ``[[place]]`` (name, x, y), as ``[[grid]]`` (columns, rows, pitch_mm, at:
    the first one's middle; prefix, skip) or as ``[[ring]]`` (names, radius_mm, from_deg clockwise from the top);
    ``[lattice]`` has pitch_mm; ``[[stroke]]`` is what is printed.
    """
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    places: dict[Place, Spot] = {}
    for entry in read.get("place", ()):
        places[entry["name"]] = Spot(entry["x"], entry["y"], entry.get("angle_deg", 0.0))
    for entry in read.get("grid", ()):
        places.update(_grid(entry))
    for entry in read.get("ring", ()):
        places.update(_ring(entry))
    lattice = Lattice(read["lattice"]["pitch_mm"]) if "lattice" in read else None
    width, height = read["size_mm"]
    return Board(
        (width, height), MappingProxyType(places), lattice, tuple(_stroke(entry) for entry in read.get("stroke", ()))
    )


def _grid(entry: Mapping[str, Any]) -> dict[Place, Spot]:
    first_x, first_y = entry["at"]
    pitch_x, pitch_y = entry["pitch_mm"]
    turn = math.radians(entry.get("angle_deg", 0.0))
    skip = set(entry.get("skip", ()))
    spots = {}
    for down, row in enumerate(entry["rows"]):
        for right, column in enumerate(entry["columns"]):
            name = f"{entry.get('prefix', '')}{column}{row}"
            along, across = right * pitch_x, down * pitch_y
            x = first_x + along * math.cos(turn) - across * math.sin(turn)
            y = first_y + along * math.sin(turn) + across * math.cos(turn)
            if name not in skip:
                spots[name] = Spot(x, y, entry.get("angle_deg", 0.0))
    return spots


def _ring(entry: Mapping[str, Any]) -> dict[Place, Spot]:
    names, radius = entry["names"], entry["radius_mm"]
    centre_x, centre_y = entry.get("at", (0.0, 0.0))
    step = math.tau / len(names)
    start = math.radians(entry.get("from_deg", 0.0))
    return {
        name: Spot(centre_x + radius * math.sin(start + i * step), centre_y - radius * math.cos(start + i * step))
        for i, name in enumerate(names)
    }


def _stroke(entry: Mapping[str, Any]) -> Stroke:
    return Stroke(
        kind=entry["kind"],
        points=tuple((x, y) for x, y in entry["points"]),
        radius_mm=entry.get("radius_mm", 0.0),
        width_mm=entry.get("width_mm", 0.5),
        ink=entry.get("ink", "line"),
        fill=entry.get("fill", False),
        words=say(entry.get("words", "")),
    )
