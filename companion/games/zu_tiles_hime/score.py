"""ZU Tiles: every tile in a point pile is worth something, and came there somehow."""

import re

from companion.games.zu_tiles_hime.catalogue import title, worth
from companion.games.zu_tiles_hime.rules.position import Position
from companion.said import called, say
from companion.scoring import Item, Scoresheet

_WAYS = (
    say("taken by hand"),
    say("captured in Battle as Attacker"),
    say("captured in Battle as an ally of the Attacker"),
    say("captured in Battle as Defender"),
    say("captured in Battle as an ally of the Defender"),
    say("defeated in Battle"),
    say("captured by Wingspan"),
    say("with Upset Whelp among Dragons"),
    say("from the area"),
)
_COMPLETED = re.compile(r"in the square at (.+) that (\w+) completed")
_HALF = re.compile(r"half of the (\d+) Rats in the area")
_STOLEN = re.compile(r"from (\w+)'s point pile")


def score(now: Position) -> Scoresheet:
    return Scoresheet(now.seats, tuple(item for seat in now.seats for item in _items(now, seat)))


def _items(now: Position, seat: str) -> list[Item]:
    return [_item(seat, name, how) for name, how in now.player(seat).points.tiles]


def _item(seat: str, name: str, how: str) -> Item:
    """The rule that brought it there, or, where that is not known, the one that says what it is worth."""
    rule, _, words = how.partition(" ")
    says = say("{tile}, {how}", tile=title(name), how=_in_words(words))
    unknown = say("{tile} in the point pile", tile=title(name))
    return Item(seat, worth(name), rule or "2", says if words else unknown, (f"{seat}:points",))


def _in_words(how: str) -> str:
    """How a tile came there is written in positions too, as it is said in English."""
    if found := _COMPLETED.fullmatch(how):
        return say("in the square at {places} that {player} completed", places=found[1], player=called(found[2]))
    if found := _HALF.fullmatch(how):
        return say("half of the {n} Rats in the area", n=found[1])
    if found := _STOLEN.fullmatch(how):
        return say("from {player}'s point pile", player=called(found[1]))
    return next((way for way in _WAYS if way == how), how)
