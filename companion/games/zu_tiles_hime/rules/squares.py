"""ZU Tiles: squares of four creatures (4.6, 4.7, 4.8)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from companion.games.zu_tiles_hime.catalogue import compatible, title
from companion.games.zu_tiles_hime.registry import STAYS_IN_SQUARE
from companion.games.zu_tiles_hime.rules.piles import send
from companion.games.zu_tiles_hime.rules.position import Cell, Lying, Position, place_of
from companion.said import called, counted, joined, say

Square: TypeAlias = tuple[Cell, Cell, Cell, Cell]
"""Round the square, so that each cell shares a side with the next."""


def squares_round(cell: Cell) -> Iterator[Square]:
    """The four squares that hold a cell."""
    for west in (cell[0] - 1, cell[0]):
        for south in (cell[1] - 1, cell[1]):
            yield square_at(west, south)


def square_at(west: int, south: int) -> Square:
    return ((west, south), (west + 1, south), (west + 1, south + 1), (west, south + 1))


def is_square(now: Position, square: Square) -> bool:
    """Four creatures, of whatever controllers."""
    return all(cell in now.area and now.area[cell].creature for cell in square)


def pairs(now: Position, square: Square) -> list[tuple[str, str]]:
    """The names of the creatures that share a side in a square."""
    names = [now.area[cell].tile for cell in square]
    return list(zip(names, names[1:] + names[:1], strict=True))


def is_compatible(now: Position, square: Square) -> bool:
    return all(compatible(one, other) for one, other in pairs(now, square))


def explain_square(now: Position, square: Square) -> str:
    """A square pair by pair, ``Ox-Rat fits, Rooster-Rooster does not``."""
    seen: dict[str, bool] = {}
    for one, other in pairs(now, square):
        first, second = sorted((title(one), title(other)))
        seen[say("{one}-{other}", one=first, other=second)] = compatible(one, other)
    fit = [pair for pair, fits in seen.items() if fits]
    unfit = [pair for pair, fits in seen.items() if not fits]
    said = []
    if fit:
        said.append(say("{pairs} are compatible" if len(fit) > 1 else "{pairs} is compatible", pairs=joined(fit)))
    if unfit:
        said.append(
            say("{pairs} are not compatible" if len(unfit) > 1 else "{pairs} is not compatible", pairs=joined(unfit))
        )
    return joined(said, "{some}, {more}")


def complete_squares(now: Position, cells: tuple[Cell, ...], by: str) -> Position:
    """Take the compatible squares that the tiles on these cells complete into a player's point pile."""
    found: list[Square] = []
    for square in _touched(cells):
        if not is_square(now, square):
            continue
        if is_compatible(now, square):
            found.append(square)
        else:
            now = now.saying(
                say(
                    "square at {places}: {pairs}: nothing happens (4.7)",
                    places=_at(square),
                    pairs=explain_square(now, square),
                )
            )
    if now.options["several-squares"] == "one":
        found = found[:1]
    return _take(now, found, by) if found else now


def completed_by(now: Position, cell: Cell, tile: str, by: str) -> list[Square]:
    """The compatible squares that a creature would complete on an empty cell."""
    then = replace(now, area={**now.area, cell: Lying(tile, by, by)})
    return [square for square in squares_round(cell) if is_square(then, square) and is_compatible(then, square)]


def _touched(cells: tuple[Cell, ...]) -> list[Square]:
    """The squares that hold some of the cells and something else."""
    together = set(cells)
    touched = {square for cell in cells for square in squares_round(cell)}
    return sorted(square for square in touched if not set(square) <= together)


def _take(now: Position, found: list[Square], by: str) -> Position:
    union = sorted({cell for square in found for cell in square})
    kept = [cell for cell in union if _stays(now, now.area[cell], by)]
    words = joined((explain_square(now, square) for square in found), "{some}; {more}")
    taken = len(union) - len(kept)
    now = now.saying(
        say(
            "square at {places}: {pairs}: {player} takes {tiles} (4.7)",
            places=joined(_at(square) for square in found),
            pairs=words,
            player=called(by),
            tiles=counted(taken, "1 tile", "{n} tiles"),
        )
    )
    for cell in union:
        if cell not in kept:
            square = next(square for square in found if cell in square)
            now = send(now, cell, by, "points", f"4.7 in the square at {_at(square)} that {by} completed")
    return now


def _stays(now: Position, tile: Lying, completer: str) -> bool:
    return any(
        STAYS_IN_SQUARE[other.tile](other, tile, completer)
        for other in now.area.values()
        if other.tile in STAYS_IN_SQUARE
    )


def _at(square: Square) -> str:
    return " ".join(place_of(cell) for cell in square)
