"""ZU Tiles: the spaces of the playing area (4.2, 4.5) and the strength of what lies there (5.10)."""

from collections.abc import Iterator

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, title
from companion.games.zu_tiles_hime.registry import SHOWN_VALUES, WHILE_UNDER
from companion.games.zu_tiles_hime.rules.position import (
    Attached,
    Cell,
    Change,
    Lying,
    Position,
    are_neighbours,
    neighbours,
)
from companion.said import say

CENTRE: Cell = (0, 0)


def is_empty(now: Position, cell: Cell) -> bool:
    """Whether a tile may be put there: nothing lies there, or a tile whose space counts as empty."""
    tile = now.area.get(cell)
    return tile is None or counts_as_empty(tile)


def counts_as_empty(tile: Lying) -> bool:
    return bool(CATALOGUE[tile.tile].values.get("empty"))


def spaces(now: Position) -> list[Cell]:
    """Where a tile may be placed, in order (4.2)."""
    if not now.area:
        return [CENTRE]
    beside = {space for cell in now.area for space in neighbours(cell) if is_empty(now, space)}
    return sorted(beside)


def is_a_space_to_place(now: Position, cell: Cell) -> bool:
    if not now.area:
        return cell == CENTRE or (now.begun and now.options["empty-area"] == "anywhere")
    return is_empty(now, cell) and any(beside in now.area for beside in neighbours(cell))


def beside(now: Position, cell: Cell) -> Iterator[tuple[Cell, Lying]]:
    """The tiles that neighbour a cell."""
    for other in neighbours(cell):
        if other in now.area:
            yield other, now.area[other]


def open_to_contagion(now: Position, host: Cell) -> list[Cell]:
    """The Creatures beside a host that are no Rats: where Contagion may move from it."""
    return sorted(cell for cell, tile in beside(now, host) if tile.creature and not tile.is_a("rat"))


def values(now: Position, cell: Cell) -> tuple[int, int]:
    """STR and INT as they stand, every change applied in its order."""
    tile = now.area[cell]
    stands = _printed_values(now, cell)
    for part in _in_order(now, tile):
        if isinstance(part, Change):
            stands = _changed(stands, part)
        elif part.tile in WHILE_UNDER:
            stands = WHILE_UNDER[part.tile](now, cell, part, stands)
    return stands


def strength(now: Position, cell: Cell) -> int:
    return values(now, cell)[0]


def has_strength(tile: Lying) -> bool:
    """Whether STR is printed on it: what never had any cannot lose it."""
    return "str" in CATALOGUE[tile.tile].values


def in_words(now: Position, cell: Cell) -> str:
    """``Dragon 4/4``."""
    strong, clever = values(now, cell)
    return say("{tile} {strong}/{clever}", tile=title(now.area[cell].tile), strong=strong, clever=clever)


def halved(number: int) -> int:
    """Half of a number to the nearest, half up (5.9)."""
    return (number + 1) // 2


def _printed_values(now: Position, cell: Cell) -> tuple[int, int]:
    tile = now.area[cell].tile
    if tile in SHOWN_VALUES:
        return SHOWN_VALUES[tile](now, cell)
    shown = CATALOGUE[tile].values
    return shown.get("str", 0), shown.get("int", 0)


def _in_order(now: Position, tile: Lying) -> tuple[Attached | Change, ...]:
    if len(tile.load) < 2 or now.options["order-of-changes"] == "in-order":
        return tile.load
    return tuple(sorted(tile.load, key=lambda part: isinstance(part, Change) and part.how == "-"))


def _changed(stands: tuple[int, int], change: Change) -> tuple[int, int]:
    strong, clever = stands
    if change.stat == "str":
        return (change.amount if change.how == "=" else strong - change.amount), clever
    return strong, (change.amount if change.how == "=" else clever - change.amount)


def ties_hold(now: Position, cell: Cell, attached: Attached, class_: str) -> bool:
    """Whether the creature an attached tile depends on still neighbours its host."""
    if attached.tie is not None:
        held = now.at(attached.tie)
        return held is not None and are_neighbours(cell, attached.tie)
    return any(tile.by == attached.by and tile.is_a(class_) for _, tile in beside(now, cell))
