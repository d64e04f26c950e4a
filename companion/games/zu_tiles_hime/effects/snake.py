"""ZU Tiles: what the Snakes' tiles do."""

from random import Random

from companion.games.zu_tiles_hime.catalogue import UNKNOWN
from companion.games.zu_tiles_hime.effects.guards import creature, creature_beside_own, needs_targets, own, steps
from companion.games.zu_tiles_hime.registry import FALLS_OFF, ON_STACK, WHILE_UNDER, Undoable, Values, tile
from companion.games.zu_tiles_hime.rules.area import is_empty, strength, ties_hold
from companion.games.zu_tiles_hime.rules.moves import Played
from companion.games.zu_tiles_hime.rules.position import (
    Attached,
    Cell,
    Position,
    are_neighbours,
    in_hand,
    may_hold,
    place_of,
)
from companion.games.zu_tiles_hime.rules.verbs import attach, change, hand_to_discard, move
from companion.rules import Breach
from companion.said import called, say


@tile(ON_STACK, "constrict")
def constrict(now: Position, play: Played) -> Position | Breach:
    snakes = len(now.controlled(play.by, "snake"))
    if not snakes:
        return Undoable(say("{player} controls no Snake", player=called(play.by)))
    if len(play.targets) > snakes:
        return Breach(
            say("{player} controls {n} Snakes: no more tiles are discarded", player=called(play.by), n=snakes)
        )
    for i in range(snakes):
        told = _told(play, i)
        seat = told[0] or next_with_a_hand(now, play.by)
        if seat is None:
            return now
        if seat == play.by or seat not in now.alive():
            return Breach(say("{player} is no opponent", player=called(seat)))
        tile_ = told[1] or _at_random(now, seat, i)
        if not may_hold(now.player(seat).hand, tile_):
            return Breach(say("{player} holds no such tile", player=called(seat))) if told[1] else now
        now = hand_to_discard(now, seat, tile_)
    return now


def _told(play: Played, i: int) -> tuple[str | None, str | None]:
    """Which opponent discarded what, where the players tell it: ``north`` or ``north=rat``."""
    if i >= len(play.targets):
        return None, None
    part = play.targets[i]
    seat, _, name = str(part.then).partition("=")
    return seat, name or None


def next_with_a_hand(now: Position, by: str) -> str | None:
    """The next opponent clockwise who may hold a tile."""
    at = now.seats.index(by)
    for seat in now.seats[at + 1 :] + now.seats[:at]:
        if seat in now.alive() and in_hand(now.player(seat).hand) != 0:
            return seat
    return None


def _at_random(now: Position, seat: str, i: int) -> str:
    """A tile of a hand that is known: drawn by lot, but the same from the same position, so that games replay."""
    hand = now.player(seat).hand
    if not isinstance(hand, tuple) or not hand:
        return UNKNOWN
    return Random(f"{sorted(now.area)} {hand} {i}").choice(hand)


@tile(ON_STACK, "hypnotic-glare")
def hypnotise(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    if breach := creature_beside_own(now, play, "snake"):
        return breach
    part = play.targets[0]
    return attach(now, part.path[0], "hypnotic-glare", play.by, part.then if isinstance(part.then, tuple) else None)


@tile(WHILE_UNDER, "hypnotic-glare")
def spellbound(now: Position, cell: Cell, attached: Attached, stands: Values) -> Values:
    return 1, 0


@tile(FALLS_OFF, "hypnotic-glare")
def out_of_sight(now: Position, cell: Cell, attached: Attached) -> bool:
    return not ties_hold(now, cell, attached, "snake")


@tile(ON_STACK, "rattle")
def rattle(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    if breach := creature_beside_own(now, play, "snake"):
        return breach
    part = play.targets[0]
    cell, snake = part.path[0], part.then
    assert isinstance(snake, tuple)
    away = (2 * cell[0] - snake[0], 2 * cell[1] - snake[1])
    if is_empty(now, away):
        return move(now, cell, away, play.by)
    return change(now, cell, "str", "-", strength(now, snake))


@tile(ON_STACK, "slither")
def slither(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    part = play.targets[0]
    if breach := own(now, play, part.path[0], "snake") or steps(now, part.path, 1):
        return breach
    start, to = part.path
    dazed = part.then if isinstance(part.then, tuple) else None
    if dazed is not None and (breach := _cannot_daze(now, start, to, dazed)):
        return breach
    now = move(now, start, to, play.by)
    if dazed is None or dazed not in now.area or to not in now.area:
        return now
    return change(now, dazed, "int", "=", 1)


def _cannot_daze(now: Position, start: Cell, to: Cell, dazed: Cell) -> Breach | None:
    if breach := creature(now, dazed):
        return breach
    if dazed == start or not are_neighbours(to, dazed):
        return Breach(
            say("{place} is no neighbour of {start}", place=place_of(dazed), start=place_of(to)), (place_of(dazed),)
        )
    return None
