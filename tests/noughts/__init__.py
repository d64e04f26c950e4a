"""Noughts and crosses: a whole game in one small folder, to show that a folder is all a game needs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from companion.board import load_board
from companion.border import PositionShape, read_shape
from companion.game import Clock, Game, Options, Unreadable
from companion.rulebook import load_rulebook
from companion.rules import Breach, Told, rule
from companion.scoring import Advice, Item, Outcome, Scoresheet
from companion.table import Layout, Piece
from companion.tiles import load_catalogue

_FOLDER = Path(__file__).parent
_BOARD = load_board(_FOLDER / "board.toml")
SIDES = ("nought", "cross")
ROWS = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1")


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares in the order in which they were filled; noughts begin."""

    filled: tuple[str, ...] = ()

    def of(self, side: str) -> tuple[str, ...]:
        return self.filled[SIDES.index(side) :: 2]


class _Position(PositionShape):
    game: Literal["noughts"]
    filled: list[str]


def read_position(given: Mapping[str, Any]) -> Grid:
    filled = read_shape(_Position, given).filled
    if len(set(filled)) != len(filled) or not set(filled) <= _BOARD.places.keys():
        raise Unreadable("the squares are a1 to c3, each once", "filled")
    return Grid(tuple(filled))


def read_move(text: str, grid: Grid) -> str:
    if not re.fullmatch("[abc][123]", text):
        raise Unreadable(f"{text!r} is no square: squares are a1 to c3", "move")
    return text


@rule("2")
def the_game_goes_on(grid: Grid, square: str) -> Breach | None:
    """Nobody plays after the end."""
    return Breach("the game is over") if outcome(grid).over else None


@rule("1")
def the_square_is_empty(grid: Grid, square: str) -> Breach | None:
    """A sign goes on an empty square."""
    return Breach(f"{square} is taken", (square,)) if square in grid.filled else None


def conceivable(grid: Grid) -> Iterator[str]:
    return iter(_BOARD.places.keys() - set(grid.filled))


def play(grid: Grid, square: str) -> Grid:
    return Grid((*grid.filled, square))


def layout(grid: Grid) -> Layout:
    return {square: Piece("sign", SIDES[i % 2]) for i, square in enumerate(grid.filled)}


def outcome(grid: Grid) -> Outcome:
    for side in SIDES:
        if any(set(row.split()) <= set(grid.of(side)) for row in ROWS):
            return Outcome(side, False, "2", f"{side} has three in a row")
    return Outcome(None, True, "2", "the board is full") if len(grid.filled) == 9 else Outcome()


def score(grid: Grid) -> Scoresheet:
    won = outcome(grid).winner
    return Scoresheet(SIDES, (Item(won, 1, "2", "three in a row"),) if won else ())


def advise(grid: Grid, seconds: float, clock: Clock) -> tuple[Advice[str], ...]:
    best = sorted(conceivable(grid), key=lambda square: (not outcome(play(grid, square)).winner, square))
    return tuple(Advice(square, 0, "is free") for square in best)


def setup(players: tuple[str, ...], options: Options, rng: Random) -> Grid:
    return Grid()


GAME = Game(
    name="noughts",
    folder=_FOLDER,
    rulebook=load_rulebook(_FOLDER / "rules.toml"),
    catalogue=load_catalogue(_FOLDER / "tiles.toml"),
    board=_BOARD,
    seats={2: SIDES},
    setup=setup,
    players=lambda grid: SIDES,
    to_move=lambda grid: None if outcome(grid).over else SIDES[len(grid.filled) % 2],
    conceivable=conceivable,
    checks=(the_game_goes_on, the_square_is_empty),
    play=play,
    tell=lambda grid, square: Told(f"a sign goes on {square}", (square,)),
    layout=layout,
    score=score,
    outcome=outcome,
    advise=advise,
    read_position=read_position,
    write_position=lambda grid: {"game": "noughts", "filled": list(grid.filled)},
    read_move=read_move,
    write_move=lambda square, grid: square,
)
