"""ZU Tiles: the five things of a turn, and its end (3.4, 3.5)."""

from collections.abc import Sequence
from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, creature_class
from companion.games.zu_tiles_hime.registry import AT_END, ON_PLACE
from companion.games.zu_tiles_hime.rules.area import counts_as_empty
from companion.games.zu_tiles_hime.rules.end import is_over, lose, settle
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Place, Played, Stack, Take
from companion.games.zu_tiles_hime.rules.piles import send
from companion.games.zu_tiles_hime.rules.position import (
    Lying,
    Pending,
    Position,
    can_draw,
    draw,
    left_to_draw,
    place_of,
    started_with,
    take_from_hand,
)
from companion.games.zu_tiles_hime.rules.squares import complete_squares
from companion.games.zu_tiles_hime.rules.stacks import resolve_battle, resolve_stack
from companion.games.zu_tiles_hime.rules.verbs import hand_to_discard, put, swap_tile, with_tile
from companion.rules import Breach
from companion.said import called, say


def play(now: Position, move: Move) -> Position:
    """What the table holds after a move, legal or not."""
    now = carry_out(now, move)
    if now.player(now.mover).lost and not is_over(now):
        now = _next_turn(end_effects(now, EndTurn())[0])
    return replace(now, log=(), passed=())


def carry_out(now: Position, move: Move) -> Position:
    """The same with what happened on the way, in sentences."""
    match move:
        case Place():
            return _did(settle(place(now, move)), "place")
        case Stack():
            return _did(resolve_stack(now, move)[0], "stack")
        case Battle():
            return _did(resolve_battle(now, move)[0], "battle")
        case Exchange():
            return _did(_exchange(now, move), "discard")
        case Take():
            return settle(_take_by_hand(now, move))
        case EndTurn():
            return end_turn(now, move)


def _did(now: Position, what: str) -> Position:
    """Note it; Undue Judgement is noted after the stack it was played on."""
    judged = ("judged",) if "judged" in now.done else ()
    return replace(now, done=(*(thing for thing in now.done if thing != "judged"), what, *judged))


# --- placing


def place(now: Position, move: Place) -> Position:
    """A tile from the hand into the area, facing who placed it (4.3)."""
    player = now.player(now.mover)
    hand, _ = take_from_hand(player.hand, move.tile)
    now = now.with_player(now.mover, replace(player, hand=hand))
    if replaces(now, move):
        return complete_squares(swap_tile(now, move.at, move.tile, now.mover), (move.at,), now.mover)
    explodes = move.at in now.area and counts_as_empty(now.area[move.at])
    now = put(now, move.at, _brought(now, move), now.mover)
    if explodes or move.at not in now.area or move.tile not in ON_PLACE:
        return now
    after = ON_PLACE[move.tile](now, Played(move.tile, now.mover, at=move.at))
    return now if isinstance(after, Breach) else after


def _brought(now: Position, move: Place) -> Lying:
    return Lying(move.tile, now.mover, started_with(now.players, move.tile, now.mover))


def condition_to_place(now: Position, move: Place) -> Breach | None:
    """What the tile itself asks for when it is placed."""
    if move.tile not in ON_PLACE:
        return None
    then = with_tile(now, move.at, _brought(now, move))
    after = ON_PLACE[move.tile](then, Played(move.tile, now.mover, at=move.at))
    return after if isinstance(after, Breach) else None


def must_replace(tile: str) -> Sequence[str]:
    """The names or classes of which a tile says that it must replace one (5.5)."""
    names: Sequence[str] = CATALOGUE[tile].values.get("replaces", ())
    return names


def replaces(now: Position, move: Place) -> bool:
    """Whether the tile says that it replaces a tile such as the one there (5.5)."""
    old = now.at(move.at)
    names = must_replace(move.tile)
    return old is not None and (old.tile in names or creature_class(old.tile) in names)


def _exchange(now: Position, move: Exchange) -> Position:
    for tile in move.tiles:
        now = hand_to_discard(now, now.mover, tile)
    now = settle(now)
    if now.player(now.mover).lost:
        return now
    return now.with_player(now.mover, draw(now.player(now.mover), move.stack))


def _take_by_hand(now: Position, move: Take) -> Position:
    for cell in move.cells:
        if cell in now.area:
            now = send(now, cell, now.mover, "points", "4.7 taken by hand")
    return now


# --- the end of the turn


def end_turn(now: Position, move: EndTurn) -> Position:
    """End-of-turn effects in the order in which they came to be, then the draw, then the next player."""
    now, _ = end_effects(now, move)
    now = settle(now)
    if not is_over(now) and now.player(now.mover).lost is None:
        now = _draw(now, move)
    if is_over(now):
        return now
    return _next_turn(now)


def give_turn(now: Position, seat: str) -> Position:
    """Another player's turn begins; what waited for an end of the turn before that never came is not waited for."""
    return _begun(replace(now, pending=_lasting(now)), seat, 0)


def end_effects(now: Position, move: EndTurn) -> tuple[Position, Breach | None]:
    """The pending effects in their order, and the first of them that was told wrongly or not at all."""
    wrong = _told_of_nothing(now, move)
    while (effect := next((other for other in now.pending if not other.settled), None)) and not is_over(now):
        at = now.pending.index(effect)
        now = replace(now, pending=(*now.pending[:at], replace(effect, settled=True), *now.pending[at + 1 :]))
        after = AT_END[effect.what](now, replace(effect, settled=True), move)
        wrong = wrong or (after if isinstance(after, Breach) else None)
        now = settle(now if isinstance(after, Breach) else after)
    return replace(now, pending=_lasting(now)), wrong


def _lasting(now: Position) -> tuple[Pending, ...]:
    """Only Contagion outlives the turn: every other effect has had its moment."""
    return tuple(replace(effect, settled=False) for effect in now.pending if effect.what == "contagion")


def _told_of_nothing(now: Position, move: EndTurn) -> Breach | None:
    if move.revived and not any(effect.what == "revive" for effect in now.pending):
        return Breach(say("no Revive was played this turn"))
    for start, _ in move.spread:
        if not any(effect.what == "contagion" and effect.at == start for effect in now.pending):
            return Breach(say("no Contagion lies on {place}", place=place_of(start)), (place_of(start),))
    return None


def most_revived(now: Position) -> int:
    """How many Creatures Revive brings back: 2 if it was all that was done this turn."""
    return 2 if now.done == ("stack",) else 1


def owed_draws(now: Position, move: EndTurn) -> Breach | None:
    """Whether as many tiles are drawn as the turn asks for (3.5)."""
    player = now.player(now.mover)
    left = left_to_draw(player.stacks)
    if move.revived:
        return Breach(say("what Revive brings back comes instead of drawing")) if move.draws else None
    if not move.draws:
        return None if left == 0 else Breach(say("{mover} must draw a tile", mover=called(now.mover)))
    if len(move.draws) > 1 and now.done:
        return Breach(say("a second tile is drawn only after a turn in which nothing else was done"))
    if len(move.draws) > 2:
        return Breach(say("nobody draws more than two tiles"))
    for stack in move.draws:
        if not can_draw(player, stack):
            return Breach(say("draw stack {n} is empty", n=stack))
        player = draw(player, stack)
    return None


def _draw(now: Position, move: EndTurn) -> Position:
    player = now.player(now.mover)
    if not move.draws and not move.revived and left_to_draw(player.stacks) == 0:
        return settle(lose(now, now.mover, "5.8"))
    for stack in move.draws:
        player = draw(player, stack)
    return now.with_player(now.mover, player)


def _next_turn(now: Position) -> Position:
    again = now.again > 0 and now.player(now.mover).lost is None
    mover = now.mover if again else _after(now, now.mover)
    return _begun(now, mover, now.again - 1 if again else 0)


def _begun(now: Position, mover: str, again: int) -> Position:
    area = {cell: _without_changes(tile) for cell, tile in now.area.items()}
    return settle(replace(now, area=area, mover=mover, done=(), again=again))


def _after(now: Position, seat: str) -> str:
    at = now.seats.index(seat)
    order = now.seats[at + 1 :] + now.seats[: at + 1]
    return next(other for other in order if now.player(other).lost is None)


def _without_changes(tile: Lying) -> Lying:
    if not tile.changes and not tile.used:
        return tile
    return replace(tile, load=tile.attached, used=False)
