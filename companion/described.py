"""A game that is only described: a board and its tiles as data files, without rules; it can be laid out and read."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board import load_board
from companion.game import AnyGame, Game, Unreadable
from companion.registry import game_named, games
from companion.rulebook import Rulebook
from companion.rules import Told
from companion.scoring import Outcome, Scoresheet
from companion.table import Layout, Piece, Place
from companion.tiles import load_catalogue


def described(folder: Path) -> Game[Layout, str]:
    """The game of a folder with ``board.toml`` and ``tiles.toml``; its state is what lies on the table."""
    for file in ("board.toml", "tiles.toml"):
        if not (folder / file).is_file():
            raise Unreadable(f"{folder} describes no game: it has no {file}", "game")
    return Game(
        name=folder.name,
        folder=folder,
        rulebook=Rulebook(folder.name.replace("_", " ").title(), MappingProxyType({}), MappingProxyType({})),
        catalogue=load_catalogue(folder / "tiles.toml"),
        board=load_board(folder / "board.toml"),
        seats=MappingProxyType({0: ()}),
        setup=lambda players, options, rng: {},
        players=lambda layout: (),
        to_move=lambda layout: None,
        conceivable=lambda layout: iter(()),
        checks=(),
        play=lambda layout, move: layout,
        tell=lambda layout, move: Told("nothing"),
        layout=lambda layout: layout,
        score=lambda layout: Scoresheet(()),
        outcome=lambda layout: Outcome(),
        advise=lambda layout, seconds, clock: (),
        read_position=_read_position,
        write_position=lambda layout: {"game": folder.name, "tiles": {at: word_of(one) for at, one in layout.items()}},
        read_move=_read_move,
        write_move=lambda move, layout: move,
        amend=_amended,
    )


def known_or_described(name: str) -> AnyGame:
    """A game by its name, or the one that a folder describes; raises `Unreadable` where there is neither."""
    return described(Path(name)) if name not in games() and (Path(name) / "board.toml").is_file() else game_named(name)


def piece_of(word: str) -> Piece:
    """``man@white`` is a man of white's; ``6R`` is nobody's."""
    tile, _, owner = word.partition("@")
    return Piece(tile, owner or None)


def word_of(piece: Piece) -> str:
    """A piece as `piece_of` reads it; how it is turned is not said."""
    return f"{piece.tile}@{piece.owner}" if piece.owner else piece.tile


def _read_position(position: Mapping[str, Any]) -> Layout:
    tiles = position.get("tiles")
    if not isinstance(tiles, dict) or not all(isinstance(word, str) for word in tiles.values()):
        raise Unreadable("tiles is a place and a tile for each that lies on the table", "tiles")
    return {place: piece_of(word) for place, word in tiles.items()}


def _read_move(word: str, layout: Layout) -> str:
    raise Unreadable("a game without rules has no moves", "move")


def _amended(layout: Layout, place: Place, piece: Piece | None) -> Layout:
    rest = {at: one for at, one in layout.items() if at != place}
    return rest if piece is None else rest | {place: piece}
