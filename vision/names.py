"""What a crop can show: one word for a tile as it is seen."""

from dataclasses import replace

from companion.game import AnyGame
from companion.table import FACE_DOWN as FACE_DOWN
from vision.quarters import is_quartered, turned

QUARTERED = "quarters"
"""The name of every tile that is read quarter by quarter, when it is seen as a whole."""
EMPTY, OTHER = "empty", "other"
"""Labels of crops without a tile: a free place, or something that is no tile or none that can be read."""


def label(game: str, tile: str, owner: str | None = None, turn: int = 0) -> str:
    """One word for all that a crop can tell."""
    return f"{game}|{tile}|{owner or ''}|{turn}"


def label_of(game: AnyGame, tile: str, owner: str | None, turn: int) -> str:
    """What a crop of a tile shows that is seen after so many quarter turns."""
    if is_quartered(tile):
        return label(game.name, turned(tile, turn))
    shown = owner if tile == FACE_DOWN or (tile in game.catalogue and game.catalogue[tile].owners) else None
    return label(game.name, tile, shown, turn % _turns(game, tile))


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
