"""Paiko: two points for a tile on the enemy's homeground, one for a tile on middle ground."""

from companion.games.paiko.field import COLOURS, Field, points_of
from companion.games.paiko.patterns import MIDDLE, Standing
from companion.said import called, say
from companion.scoring import Item, Scoresheet


def score(field: Field) -> Scoresheet:
    items = [
        Item(COLOURS[colour], points, "7.1", _words(tile, colour), (tile.place,))
        for colour, side in enumerate(field.sides)
        for tile in side.board
        if (points := points_of(colour, (tile,)))
    ]
    return Scoresheet(COLOURS, tuple(items))


def _words(tile: Standing, colour: int) -> str:
    if tile.bit & MIDDLE:
        return say("{tile} on {place}, middle ground", tile=tile.title, place=tile.place)
    return say(
        "{tile} on {place}, {enemy}'s homeground", tile=tile.title, place=tile.place, enemy=called(COLOURS[1 - colour])
    )
