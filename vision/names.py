"""What a crop can show: the label of a tile, and for tiles made of parts the parts, each with a crop of its own."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.game import AnyGame
from companion.table import FACE_DOWN as FACE_DOWN

EMPTY, OTHER = "empty", "other"
"""Labels of crops without a tile: a free place, or something that is no tile or none that can be read."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is read by itself: where it lies on the tile, how large it is, and what it shows."""

    label: str
    off_mm: tuple[float, float]
    turn_deg: float
    size_mm: tuple[float, float]

    def centre(self, tile_mm: tuple[float, float], turn_deg: float) -> tuple[float, float]:
        """Its middle on the table, for a tile that lies there and is turned so."""
        cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        x, y = self.off_mm
        return tile_mm[0] + x * cos - y * sin, tile_mm[1] + x * sin + y * cos


def label(game: str, tile: str, owner: str | None = None, turn: int = 0) -> str:
    """One word for all that a crop can tell."""
    return f"{game}|{tile}|{owner or ''}|{turn}"


def parts_of(game: AnyGame, tile: str, owner: str | None, turn: int) -> Iterator[Part]:
    """The whole tile, seen after so many quarter turns, then its parts where it is read part by part."""
    size = game.catalogue.size_mm
    if not _has_quarters(tile):
        turns = _turns(game, tile)
        shown = owner if tile == FACE_DOWN or (tile in game.catalogue and game.catalogue[tile].owners) else None
        yield Part(label(game.name, tile, shown, turn % turns), (0.0, 0.0), 0.0, size)
        return
    yield Part(label(game.name, "quarters"), (0.0, 0.0), 0.0, size)
    letters = (tile[0], tile[1], tile[4], tile[3])
    for corner, (off, part_turn) in enumerate(QUARTERS):
        shown_letter = letters[(corner - turn) % 4]
        yield Part(
            label(game.name, f"quarter {shown_letter}"),
            (off[0] * size[0], off[1] * size[1]),
            part_turn,
            (size[0] / 2, size[1] / 2),
        )
    yield Part(label(game.name, f"icon {tile[5:]}"), (0.0, 0.0), 0.0, (size[0] * ICON, size[1] * ICON))


QUARTERS = (((-0.25, -0.25), 0.0), ((0.25, -0.25), 90.0), ((0.25, 0.25), 180.0), ((-0.25, 0.25), 270.0))
"""Where each quarter's middle lies in widths of the tile, clockwise, and how far it is turned against the first."""
ICON = 0.42
"""How much of the tile's width the icon in its middle takes."""


def _has_quarters(tile: str) -> bool:
    return len(tile) >= 5 and tile[2] == "/"


def _turns(game: AnyGame, tile: str) -> int:
    # A back says nothing by its turn.
    if game.catalogue.shape == "disc" or tile == FACE_DOWN:
        return 1
    if game.catalogue.shape == "card":
        return 4
    return game.catalogue[tile].turns if tile in game.catalogue else 4


def with_backs(game: AnyGame) -> AnyGame:
    """The same game with a face for `FACE_DOWN`."""
    shown, back = game.face, game.back
    if shown is None or back is None:
        return game
    return replace(game, face=lambda tile, owner: back(owner) if tile == FACE_DOWN else shown(tile, owner))
