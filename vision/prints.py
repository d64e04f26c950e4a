"""Writes what the printed games look like into a folder, as material to train on: faces, backs and mats.

``python -m vision.prints FOLDER`` fills a folder a game: ``faces/*.png`` upright, ``mat.png`` with the origin in its
middle, and ``set.json`` with the sizes and where tiles lie. The networks' own code never looks at a game.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2

from companion.art import drawing
from companion.game import AnyGame
from companion.mats import mat
from companion.registry import games
from vision.raster import raster

FACE_PX = 56
"""The shorter side of a face, and of a tile at the scale of the mat."""


def write_prints(folder: Path) -> None:
    """All games that have faces."""
    for game in games().values():
        if game.face is not None:
            _write_game(game, folder / game.name)


def _write_game(game: AnyGame, folder: Path) -> None:
    (folder / "faces").mkdir(parents=True, exist_ok=True)
    scale = FACE_PX / min(game.catalogue.size_mm)
    for number, svg in enumerate(dict.fromkeys(_faces(game))):
        cv2.imwrite(str(folder / "faces" / f"{number:03}.png"), raster(drawing(svg), scale))
    cv2.imwrite(str(folder / "mat.png"), raster(mat(game).leaves[0].drawing, scale))
    (folder / "set.json").write_text(json.dumps(_described(game)) + "\n", encoding="utf-8")


def _faces(game: AnyGame) -> Iterator[str]:
    assert game.face is not None
    for tile in game.catalogue:
        for owner in tile.owners or (None,):
            yield game.face(tile.name, owner)
            if game.back is not None:
                yield game.back(owner)


def _described(game: AnyGame) -> dict[str, object]:
    lattice = game.board.lattice
    return {
        "shape": game.catalogue.shape,
        "size_mm": game.catalogue.size_mm,
        "thickness_mm": game.catalogue.thickness_mm,
        "pitch_mm": lattice.pitch_mm if lattice else None,
        "places": [(spot.x_mm, spot.y_mm, spot.angle_deg) for spot in game.board.places.values()],
    }


if __name__ == "__main__":
    write_prints(Path(sys.argv[1]))
