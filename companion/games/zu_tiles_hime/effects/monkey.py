"""ZU Tiles: what the Monkeys' tiles do."""

from companion.games.zu_tiles_hime.catalogue import title
from companion.games.zu_tiles_hime.effects.guards import creature_beside_own, empty, needs_targets, own, straight
from companion.games.zu_tiles_hime.registry import (
    FALLS_OFF,
    ON_STACK,
    STAYS_IN_SQUARE,
    WHILE_UNDER,
    Values,
    tile,
)
from companion.games.zu_tiles_hime.rules.area import halved, ties_hold
from companion.games.zu_tiles_hime.rules.moves import Played
from companion.games.zu_tiles_hime.rules.position import Attached, Cell, Lying, Position, are_neighbours, place_of
from companion.games.zu_tiles_hime.rules.verbs import attach, change, move
from companion.rules import Breach
from companion.said import counted, say


@tile(ON_STACK, "banana-barrage")
def throw_bananas(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    thrown = [(part.path[0], part.then) for part in play.targets]
    for monkey, hit in thrown:
        assert isinstance(hit, tuple)
        if breach := own(now, play, monkey, "monkey") or _out_of_reach(now, monkey, hit):
            return breach
        if [other for other, _ in thrown].count(monkey) > 1:
            return Breach(say("each Monkey chooses one tile"), (place_of(monkey),))
    for _, hit in thrown:
        assert isinstance(hit, tuple)
        now = change(now, hit, "str", "-", 1)
    return now


def _out_of_reach(now: Position, monkey: Cell, hit: Cell) -> Breach | None:
    if hit not in now.area:
        return Breach(say("nothing lies on {place}", place=place_of(hit)), (place_of(hit),))
    if are_neighbours(monkey, hit):
        return Breach(
            say("{place} neighbours the Monkey on {monkey}", place=place_of(hit), monkey=place_of(monkey)),
            (place_of(monkey), place_of(hit)),
        )
    return None


@tile(ON_STACK, "monkey-swing")
def swing(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    start, to = play.targets[0].path
    passes = 1 if play.reaction else 2
    line = straight(start, to)
    if breach := own(now, play, start, "monkey"):
        return breach
    fewest = 2 if now.options["swing"] == "up-to" else passes + 1
    if line is None or not fewest <= line[1] <= passes + 1:
        over = counted(passes, "1 space", "{n} spaces")
        return Breach(
            say("{tile} passes straight over {over}", tile=title(play.tile), over=over), (place_of(start), place_of(to))
        )
    return empty(now, to) or move(now, start, to, play.by)


@tile(ON_STACK, "taunt")
def taunt(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    if breach := creature_beside_own(now, play, "monkey"):
        return breach
    part = play.targets[0]
    return attach(now, part.path[0], "taunt", play.by, part.then if isinstance(part.then, tuple) else None)


@tile(WHILE_UNDER, "taunt")
def half_as_clever(now: Position, cell: Cell, attached: Attached, stands: Values) -> Values:
    return stands[0], halved(stands[1])


@tile(FALLS_OFF, "taunt")
def out_of_earshot(now: Position, cell: Cell, attached: Attached) -> bool:
    return not ties_hold(now, cell, attached, "monkey")


@tile(STAYS_IN_SQUARE, "sapphire-monkey-totem")
def monkeys_stay(totem: Lying, lying: Lying, completer: str) -> bool:
    return lying.is_a("monkey") and lying.by == totem.by and completer != totem.by
