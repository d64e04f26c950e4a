"""ZU Tiles: every tile in a point pile is worth something, and came there somehow."""

from companion.games.zu_tiles_hime.catalogue import title, worth
from companion.games.zu_tiles_hime.rules.position import Position
from companion.scoring import Item, Scoresheet


def score(now: Position) -> Scoresheet:
    return Scoresheet(now.seats, tuple(item for seat in now.seats for item in _items(now, seat)))


def _items(now: Position, seat: str) -> list[Item]:
    return [_item(seat, name, how) for name, how in now.player(seat).points.tiles]


def _item(seat: str, name: str, how: str) -> Item:
    """The rule that brought it there, or, where that is not known, the one that says what it is worth."""
    rule, _, words = how.partition(" ")
    says = f"{title(name)}, {words}" if words else f"{title(name)} in the point pile"
    return Item(seat, worth(name), rule or "2", says, (f"{seat}:points",))
