"""ZU Tiles: what the conditions of the tiles have in common, each with the sentence that refuses."""

from itertools import pairwise

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, title
from companion.games.zu_tiles_hime.rules.area import is_empty
from companion.games.zu_tiles_hime.rules.moves import Played
from companion.games.zu_tiles_hime.rules.position import Cell, Position, are_neighbours, place_of
from companion.rules import Breach
from companion.said import called, counted, say


def needs_targets(play: Played) -> Breach:
    return Breach(say("{tile} needs a target", tile=title(play.tile)))


def own(now: Position, play: Played, cell: Cell, class_: str) -> Breach | None:
    """The player controls a creature of the class there."""
    tile = now.at(cell)
    if tile is not None and tile.by == play.by and tile.is_a(class_):
        return None
    return Breach(
        say(
            "{player} controls no {tile} on {place}",
            player=called(play.by),
            tile=CATALOGUE[class_].title,
            place=place_of(cell),
        ),
        (place_of(cell),),
    )


def creature(now: Position, cell: Cell) -> Breach | None:
    tile = now.at(cell)
    if tile is not None and tile.creature:
        return None
    return Breach(say("there is no Creature on {place}", place=place_of(cell)), (place_of(cell),))


def empty(now: Position, cell: Cell) -> Breach | None:
    if is_empty(now, cell):
        return None
    return Breach(say("{place} is not empty", place=place_of(cell)), (place_of(cell),))


def creature_beside_own(now: Position, play: Played, class_: str) -> Breach | None:
    """``(creature~own)``: a creature that neighbours one of the player's creatures of the class."""
    part = play.targets[0]
    cell, held = part.path[0], part.then
    assert isinstance(held, tuple)
    if breach := creature(now, cell) or own(now, play, held, class_):
        return breach
    if not are_neighbours(cell, held):
        return Breach(
            say("{place} is no neighbour of {start}", place=place_of(cell), start=place_of(held)),
            (place_of(cell), place_of(held)),
        )
    return None


def steps(now: Position, path: tuple[Cell, ...], most: int) -> Breach | None:
    """A path of neighbouring empty spaces from where a tile stands."""
    if not 2 <= len(path) <= most + 1:
        return Breach(
            say("it moves {spaces}", spaces=counted(most, "1 space", "1 to {n} spaces")),
            tuple(map(place_of, path)),
        )
    for one, other in pairwise(path):
        if not are_neighbours(one, other):
            return Breach(
                say("{place} is no neighbour of {start}", place=place_of(other), start=place_of(one)),
                (place_of(one), place_of(other)),
            )
        if other != path[0] and (breach := empty(now, other)):
            return breach
    return None


def straight(start: Cell, to: Cell) -> tuple[Cell, int] | None:
    """The direction and the number of spaces of a straight line; nothing for any other."""
    east, north = to[0] - start[0], to[1] - start[1]
    length = abs(east) + abs(north)
    if length == 0 or (east and north):
        return None
    return (east // length, north // length), length
