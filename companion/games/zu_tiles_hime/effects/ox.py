"""ZU Tiles: what the Ox' tiles do."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import title
from companion.games.zu_tiles_hime.effects.guards import needs_targets, own, steps, straight
from companion.games.zu_tiles_hime.registry import AT_END, ON_STACK, tile
from companion.games.zu_tiles_hime.rules.area import counts_as_empty, is_empty
from companion.games.zu_tiles_hime.rules.moves import EndTurn, Played
from companion.games.zu_tiles_hime.rules.piles import out_of_pile
from companion.games.zu_tiles_hime.rules.position import Cell, Lying, Pending, Position, neighbours, place_of
from companion.games.zu_tiles_hime.rules.squares import complete_squares
from companion.games.zu_tiles_hime.rules.verbs import (
    at_end_of_turn,
    discard,
    discard_all,
    move,
    move_together,
    shift,
)
from companion.rules import Breach
from companion.said import called, say

DIRECTIONS: dict[str, Cell] = {"e": (1, 0), "n": (0, 1), "w": (-1, 0), "s": (0, -1)}
RUN = 4
HERD = 3


@tile(ON_STACK, "pull")
def pull(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    part = play.targets[0]
    start, to = part.path
    pulled = part.then if isinstance(part.then, int) else 0
    line = straight(start, to)
    if breach := own(now, play, start, "ox"):
        return breach
    if line is None or line[1] > 3:
        return Breach(say("Pull goes 1 to 3 spaces straight"), (place_of(start), place_of(to)))
    heading, length = line
    ahead = [_along(start, heading, i + 1) for i in range(length)]
    if blocked := [cell for cell in ahead if not is_empty(now, cell)]:
        return Breach(say("{place} is not empty", place=place_of(blocked[0])), (place_of(blocked[0]),))
    train = [_along(start, heading, -i) for i in range(pulled + 1)]
    if missing := [cell for cell in train if cell not in now.area]:
        return Breach(say("nothing lies on {place} to be pulled", place=place_of(missing[0])), (place_of(missing[0]),))
    tile = title(now.area[start].tile)
    says = say("{tile} moves from {start} to {to}", tile=tile, start=place_of(start), to=place_of(to))
    now = now.saying(say("{told} and pulls {n} along", told=says, n=pulled) if pulled else says)
    return _walk(now, train, heading, length, play.by)


def _walk(now: Position, train: list[Cell], heading: Cell, length: int, by: str) -> Position:
    """Step by step: the Ox that comes upon an Egg is discarded with it, and what it pulled stops behind."""
    for _ in range(length):
        ahead = _along(train[0], heading, 1)
        if ahead in now.area and counts_as_empty(now.area[ahead]):
            now = discard_all(now, (train[0], ahead))
            return move_together(now, {cell: cell for cell in train[1:]}, by)
        steps = {cell: _along(cell, heading, 1) for cell in train}
        now = shift(now, steps)
        train = list(steps.values())
    return move_together(now, {cell: cell for cell in train}, by)


@tile(ON_STACK, "mosey-on")
def mosey_on(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    if len(play.targets) > 3:
        return Breach(say("Mosey On moves up to 3 Ox"))
    starts = [part.path[0] for part in play.targets]
    for i, part in enumerate(play.targets):
        again = part.path[0] in [other.path[-1] for other in play.targets[:i]]
        breach = own(now, play, part.path[0], "ox") or steps(now, part.path, most=1)
        if breach is None and (starts.count(part.path[0]) > 1 or again):
            breach = Breach(say("each Ox moves once"), (place_of(part.path[0]),))
        if breach and i == 0:
            return breach
        if breach:
            # The first Ox may have taken this one away in a square: then there is no more to do.
            return breach if part.path[0] in now.area else now
        now = move(now, part.path[0], part.path[1], play.by)
    return now


@tile(ON_STACK, "stampede")
def stampede(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    named, heading = play.targets[0].path[0], DIRECTIONS[str(play.targets[0].then)]
    lying = now.at(named)
    if lying is None or not lying.is_a("ox"):
        return Breach(say("there is no Ox on {place}", place=place_of(named)), (place_of(named),))
    herd = herd_of(now, named)
    if len(herd) < HERD:
        return Breach(
            say("only {n} Ox are joined there, not {herd}", n=len(herd), herd=HERD),
            tuple(map(place_of, sorted(herd))),
        )
    if not any(now.area[cell].by == play.by for cell in herd):
        return Breach(say("none of these Ox is {player}'s", player=called(play.by)), tuple(map(place_of, sorted(herd))))
    return _run(
        now.saying(say("{n} Ox run {heading}", n=len(herd), heading=play.targets[0].then)), herd, heading, play.by
    )


def herd_of(now: Position, named: Cell) -> set[Cell]:
    """All Ox joined as neighbours with the one named."""
    herd, border = {named}, [named]
    while border:
        for cell in neighbours(border.pop()):
            lying = now.at(cell)
            if cell not in herd and lying is not None and lying.is_a("ox"):
                herd.add(cell)
                border.append(cell)
    return herd


def _run(now: Position, herd: set[Cell], heading: Cell, by: str) -> Position:
    for _ in range(RUN):
        ahead = {cell: _along(cell, heading, 1) for cell in herd}
        eggs = {cell for cell, to in ahead.items() if to not in herd and _holds_egg(now, to)}
        now = discard_all(now, sorted(to for to in ahead.values() if to in now.area and to not in herd))
        now = discard_all(now, sorted(eggs))
        # What was run over may have taken others along, and an Ox that met an Egg is gone with it.
        herd = {cell for cell in herd if cell in now.area}
        if not _holds_together(now, herd):
            break
        now = shift(now, {cell: ahead[cell] for cell in herd})
        herd = {ahead[cell] for cell in herd}
    return move_together(now, {cell: cell for cell in sorted(herd)}, by)


def _holds_together(now: Position, herd: set[Cell]) -> bool:
    return len(herd) >= HERD and herd <= herd_of(now, min(herd))


def _holds_egg(now: Position, cell: Cell) -> bool:
    return cell in now.area and counts_as_empty(now.area[cell])


@tile(ON_STACK, "impervious")
def stand_firm(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    cell = play.targets[0].path[0]
    return own(now, play, cell, "ox") or at_end_of_turn(now, Pending("impervious", play.by, cell))


@tile(AT_END, "impervious")
def stand_there_again(now: Position, effect: Pending, told: EndTurn) -> Position | Breach:
    if effect.left is None or effect.at is None:
        return now
    ox, place = effect.left
    seat, _, pile = place.partition(":")
    found = out_of_pile(now, seat, pile, ox.tile)
    if found is None:
        return now
    if effect.at in found.area:
        found = discard(found, effect.at)
    found = found.saying(say("{tile} returns to {place}", tile=title(ox.tile), place=place_of(effect.at)))
    back = replace(found, area={**found.area, effect.at: Lying(ox.tile, ox.by, ox.of)}, begun=True)
    return complete_squares(back, (effect.at,), effect.by)


def _along(cell: Cell, heading: Cell, spaces: int) -> Cell:
    return cell[0] + heading[0] * spaces, cell[1] + heading[1] * spaces
