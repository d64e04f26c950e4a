"""Points, each with the rule that gives it; how a game ended; and what to play next."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.said import say
from companion.table import Place

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Item:
    """Some points of one player, the rule that gives them and the tiles that earned them."""

    player: str
    points: int
    rule: str
    says: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """Every point on the table, itemised; a player without an item has none."""

    players: tuple[str, ...]
    items: tuple[Item, ...] = ()

    @property
    def points(self) -> dict[str, int]:
        totals = dict.fromkeys(self.players, 0)
        for item in self.items:
            totals[item.player] += item.points
        return totals


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended, or that it goes on."""

    winner: str | None = None
    draw: bool = False
    rule: str | None = None
    says: str = say("The game goes on")

    @property
    def over(self) -> bool:
        return self.rule is not None


@dataclass(frozen=True, slots=True)
class Advice(Generic[M]):
    """A move worth playing, what it gains, and why, in a sentence."""

    move: M
    gain: float
    because: str
