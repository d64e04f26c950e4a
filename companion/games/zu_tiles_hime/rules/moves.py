"""ZU Tiles: what a player does in a turn, as it is told."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.zu_tiles_hime.rules.position import Cell


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a tile's targets: cells joined by ``>``, then perhaps a mark and what follows it."""

    path: tuple[Cell, ...] = ()
    mark: str = ""
    """``:`` or ``~`` before another cell, ``+`` before a number, ``>`` before a direction, ``=`` before a word."""
    then: Cell | int | str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A tile played on a stack, or the ability of a tile in play used there."""

    tile: str
    by: str
    targets: tuple[Part, ...] = ()
    at: Cell | str | None = None
    """Where the tile of an ability lies: a cell, a player's point pile, or ``gone``; nothing for a tile of the hand."""
    reaction: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """``rat@1,0``."""

    tile: str
    at: Cell


@dataclass(frozen=True, slots=True)
class Battle:
    """``0,0>1,0+0,1*ox``."""

    attacker: Cell
    defender: Cell
    allies: tuple[Cell, ...] = ()
    foes: tuple[Cell, ...] = ()
    tile: str = "?"
    reactions: tuple[Played, ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """``!pull(0,0>2,0+1)``."""

    first: Played
    reactions: tuple[Played, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two tiles of the hand discarded for one drawn: ``~rat,ox:2``."""

    tiles: tuple[str, str]
    stack: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """``.3``, ``. revive(rat)``, ``.1 contagion(1,0>2,0)``."""

    draws: tuple[int, ...] = ()
    revived: tuple[str, ...] = ()
    spread: tuple[tuple[Cell, Cell], ...] = ()


@dataclass(frozen=True, slots=True)
class Take:
    """Tiles taken out of the area by hand, without a play that does so: ``x0,0;0,1``. Never legal; a camera sees it."""

    cells: tuple[Cell, ...]


Move: TypeAlias = Place | Battle | Stack | Exchange | EndTurn | Take
