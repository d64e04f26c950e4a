"""ZU Tiles: what the Dragons' tiles do."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import is_item_or_obstacle, title
from companion.games.zu_tiles_hime.effects.guards import empty, needs_targets, own
from companion.games.zu_tiles_hime.registry import (
    IN_PLAY,
    ON_PLACE,
    ON_STACK,
    STANDS,
    WHEN_DEFEATED,
    Undoable,
    tile,
)
from companion.games.zu_tiles_hime.rules.area import beside, is_empty
from companion.games.zu_tiles_hime.rules.moves import Played
from companion.games.zu_tiles_hime.rules.piles import leave, send
from companion.games.zu_tiles_hime.rules.position import (
    Cell,
    Gone,
    Lying,
    Position,
    are_neighbours,
    neighbours,
    place_of,
)
from companion.games.zu_tiles_hime.rules.verbs import capture, change, discard_all, move, put, with_tile
from companion.rules import Breach
from companion.said import called, say

_RIGHT: dict[str, Cell] = {"south": (1, 0), "west": (0, -1), "north": (-1, 0), "east": (0, 1)}
"""To the right of each player, as they sit."""


@tile(ON_STACK, "time-alone")
def leave_for_a_while(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    cell = play.targets[0].path[0]
    if breach := own(now, play, cell, "dragon"):
        return breach
    dragon = now.area[cell]
    now = replace(leave(now, cell), gone=(*now.gone, Gone(dragon.tile, play.by, dragon.of)))
    return now.saying(
        say("{tile} on {place} leaves the game for a while", tile=title(dragon.tile), place=place_of(cell))
    )


@tile(IN_PLAY, "time-alone")
def come_back(now: Position, play: Played) -> Position | Breach:
    if not play.targets or play.at != "gone":
        return needs_targets(play)
    cell = play.targets[0].path[0]
    away = next((gone for gone in now.gone if gone.by == play.by), None)
    if away is None:
        return Breach(say("no Dragon of {player} is away", player=called(play.by)))
    if breach := empty(now, cell):
        return breach
    if not any(is_item_or_obstacle(lying.tile) for _, lying in beside(now, cell)):
        return Breach(say("{place} neighbours no Item or Obstacle", place=place_of(cell)), (place_of(cell),))
    left = list(now.gone)
    left.remove(away)
    return put(replace(now, gone=tuple(left)), cell, Lying(away.tile, play.by, away.of), play.by)


@tile(ON_PLACE, "dragons-hoard")
def send_dragons_away(now: Position, play: Played) -> Position | Breach:
    assert isinstance(play.at, tuple)
    dragons = [cell for cell, lying in beside(now, play.at) if lying.is_a("dragon")]
    if not any(now.area[cell].by == play.by for cell in dragons):
        return Breach(
            say("{place} neighbours no Dragon of {player}", place=place_of(play.at), player=called(play.by)),
            (place_of(play.at),),
        )
    return discard_all(now, sorted(dragons))


@tile(WHEN_DEFEATED, "dragons-hoard")
def rob_the_hoard(now: Position, cell: Cell, by: str) -> Position:
    return send(now, cell, by, "points", "2 defeated in Battle")


@tile(ON_STACK, "wingspan")
def spread_wings(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    dragon = play.targets[0].path[0]
    if breach := own(now, play, dragon, "dragon"):
        return breach
    east, north = _RIGHT["south" if now.options["left-and-right"] == "south" else play.by]
    blown = [
        (east_, north_)
        for east_, north_ in ((-east, -north), (east, north))
        if _is_blown(now, play, dragon, (east_, north_))
    ]
    if not blown:
        return Undoable(say("no Creature of another player is left or right of it"), (place_of(dragon),))
    for heading in blown:
        cell = (dragon[0] + heading[0], dragon[1] + heading[1])
        away = (cell[0] + heading[0], cell[1] + heading[1])
        if cell not in now.area:
            continue
        if is_empty(now, away):
            now = move(now, cell, away, play.by)
        else:
            now = capture(now, cell, play.by, "2 captured by Wingspan")
    return now


def _is_blown(now: Position, play: Played, dragon: Cell, heading: Cell) -> bool:
    lying = now.at((dragon[0] + heading[0], dragon[1] + heading[1]))
    return lying is not None and lying.creature and lying.by != play.by


@tile(IN_PLAY, "upset-whelp")
def lash_out(now: Position, play: Played) -> Position | Breach:
    if not play.targets or not isinstance(play.at, tuple):
        return needs_targets(play)
    whelp, cell = now.at(play.at), play.targets[0].path[0]
    if whelp is None or whelp.tile != "upset-whelp":
        return Breach(say("there is no Upset Whelp on {place}", place=place_of(play.at)), (place_of(play.at),))
    if whelp.by == play.by:
        return Breach(
            say("only an opponent of {player} may upset this Whelp", player=called(play.by)), (place_of(play.at),)
        )
    if whelp.used:
        return Breach(say("Upset Whelp lashes out once a turn"), (place_of(play.at),))
    if cell not in now.area or not are_neighbours(play.at, cell):
        return Breach(say("no tile on {place} neighbours the Whelp", place=place_of(cell)), (place_of(cell),))
    return change(with_tile(now, play.at, replace(whelp, used=True)), cell, "str", "-", 2)


@tile(STANDS, "upset-whelp")
def among_dragons(now: Position, cell: Cell) -> Position | None:
    round_it = sorted(neighbours(cell))
    if not all(other in now.area and now.area[other].is_a("dragon") for other in round_it):
        return None
    by = now.area[cell].by
    now = now.saying(
        say(
            "Upset Whelp on {place} has Dragons on all sides: all five go to {player}",
            place=place_of(cell),
            player=called(by),
        )
    )
    for other in (*round_it, cell):
        now = send(now, other, by, "points", "2 with Upset Whelp among Dragons")
    return now
