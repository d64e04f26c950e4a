"""ZU Tiles: where the function of each tile is found; a new tile adds itself here by a decorator.

A function that does something takes the position and the play and gives the position after it, or the `Breach` of the
tile's own condition, or `Undoable` where nothing forbids it but nothing can be done either.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from companion.rules import Breach

if TYPE_CHECKING:
    from companion.games.zu_tiles_hime.rules.moves import EndTurn, Played
    from companion.games.zu_tiles_hime.rules.position import Attached, Cell, Lying, Pending, Position


@dataclass(frozen=True, slots=True)
class Undoable(Breach):
    """It may be played, but it cannot be done: the tile is discarded (5.1)."""


Effect: TypeAlias = "Callable[[Position, Played], Position | Breach]"
Values: TypeAlias = tuple[int, int]

ON_STACK: "dict[str, Effect]" = {}
"""What an A, R or AR tile does when its stack resolves."""
IN_PLAY: "dict[str, Effect]" = {}
"""What the ability of a tile in play does."""
ON_PLACE: "dict[str, Effect]" = {}
"""What a tile asks for and does when it is placed; it lies in the area already."""
WHEN_DISCARDED: "dict[str, Callable[[Position, Cell], Position]]" = {}
"""What else happens when a tile is discarded from the area; it has left it already."""
WHEN_DEFEATED: "dict[str, Callable[[Position, Cell, str], Position]]" = {}
"""What becomes of an Item or Obstacle defeated by a player, where it is not just discarded."""
SHOWN_VALUES: "dict[str, Callable[[Position, Cell], Values]]" = {}
"""STR and INT of a tile on which they are not plain numbers."""
WHILE_UNDER: "dict[str, Callable[[Position, Cell, Attached, Values], Values]]" = {}
"""What a tile does to STR and INT of the tile it lies under."""
FALLS_OFF: "dict[str, Callable[[Position, Cell, Attached], bool]]" = {}
"""Whether an attached tile is to be discarded now."""
STAYS_IN_SQUARE: "dict[str, Callable[[Lying, Lying, str], bool]]" = {}
"""Whether a tile in play keeps another from being removed in a square that a player completes."""
BARS_ATTACK: "dict[str, Callable[[Lying, Lying], bool]]" = {}
"""Whether a tile in play keeps another from being chosen as Defender."""
STANDS: "dict[str, Callable[[Position, Cell], Position | None]]" = {}
"""What a tile in play does by itself as soon as something is so."""
AT_END: "dict[str, Callable[[Position, Pending, EndTurn], Position | Breach]]" = {}
"""What a pending effect does at the end of the turn, given what the player tells about it."""

F = TypeVar("F")


def tile(table: "dict[str, F]", name: str) -> Callable[[F], F]:
    """Register the function of a tile."""

    def registered(function: F) -> F:
        table[name] = function
        return function

    return registered
