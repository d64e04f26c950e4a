"""ZU Tiles: what the Rats' tiles do."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, title
from companion.games.zu_tiles_hime.effects.guards import creature, empty, needs_targets, own, steps
from companion.games.zu_tiles_hime.registry import (
    AT_END,
    IN_PLAY,
    ON_STACK,
    SHOWN_VALUES,
    WHEN_DISCARDED,
    WHILE_UNDER,
    Values,
    tile,
)
from companion.games.zu_tiles_hime.rules.area import beside, open_to_contagion, values
from companion.games.zu_tiles_hime.rules.moves import EndTurn, Played
from companion.games.zu_tiles_hime.rules.position import (
    Attached,
    Cell,
    Pending,
    Position,
    place_of,
)
from companion.games.zu_tiles_hime.rules.verbs import (
    at_end_of_turn,
    attach,
    discard,
    discard_all,
    move,
    score,
    with_tile,
)
from companion.rules import Breach
from companion.said import called, joined, say


@tile(SHOWN_VALUES, "sewer-system")
def as_clever_as_its_rats(now: Position, cell: Cell) -> Values:
    clever = sum(values(now, rat)[1] for rat, lying in beside(now, cell) if lying.is_a("rat"))
    return CATALOGUE["sewer-system"].values["str"], clever


@tile(IN_PLAY, "sewer-system")
def through_the_sewers(now: Position, play: Played) -> Position | Breach:
    if not play.targets or not isinstance(play.at, tuple):
        return needs_targets(play)
    if breach := in_play_and_own(now, play, "sewer-system"):
        return breach
    start, to = play.targets[0].path
    if breach := own(now, play, start, "rat") or empty(now, to):
        return breach
    if not any(lying.tile == "sewer-system" for _, lying in beside(now, to)):
        return Breach(say("{place} neighbours no Sewer System", place=place_of(to)), (place_of(to),))
    return move(now, start, to, play.by)


@tile(WHEN_DISCARDED, "sewer-system")
def rats_go_with_it(now: Position, cell: Cell) -> Position:
    return discard_all(now, [rat for rat, lying in beside(now, cell) if lying.is_a("rat")])


@tile(ON_STACK, "contagion")
def infect(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    cell = play.targets[0].path[0]
    if breach := creature(now, cell):
        return breach
    if not any(lying.is_a("rat") and lying.by == play.by for _, lying in beside(now, cell)):
        return Breach(
            say("{place} neighbours no Rat of {player}", place=place_of(cell), player=called(play.by)),
            (place_of(cell),),
        )
    now = attach(now, cell, "contagion", play.by)
    return at_end_of_turn(now, Pending("contagion", play.by, cell, fresh=True))


@tile(AT_END, "contagion")
def spread(now: Position, effect: Pending, told: EndTurn) -> Position | Breach:
    host = effect.at
    if host is None or host not in now.area:
        return now
    if effect.fresh:
        return _swap(now, effect, replace(effect, fresh=False))
    to = dict(told.spread).get(host)
    open_to = open_to_contagion(now, host)
    if to is None and len(open_to) == 1:
        to = open_to[0]
    wrong = _told_wrongly(host, to, open_to)
    sick = now.area[host]
    carried = next((part for part in sick.attached if part.tile == "contagion"), None)
    if wrong is not None or carried is None:
        return wrong or now
    if to is not None:
        # It is lifted before its host goes, or it would be discarded with it.
        now = with_tile(now, host, replace(sick, load=tuple(part for part in sick.load if part is not carried)))
        now = attach(_swap(now, effect, replace(effect, at=to)), to, "contagion", carried.by)
    return discard(
        now.saying(say("{tile} on {place} is discarded by Contagion", tile=title(sick.tile), place=place_of(host))),
        host,
    )


def _told_wrongly(host: Cell, to: Cell | None, open_to: list[Cell]) -> Breach | None:
    if to is None and open_to:
        cells = joined(map(place_of, open_to), "{some} or {more}")
        return Breach(
            say("where Contagion moves from {place} must be told: {places}", place=place_of(host), places=cells),
            (place_of(host),),
        )
    if to is not None and to not in open_to:
        return Breach(
            say("Contagion cannot move from {place} to {to}", place=place_of(host), to=place_of(to)), (place_of(to),)
        )
    return None


def _swap(now: Position, old: Pending, new: Pending) -> Position:
    return replace(now, pending=tuple(new if entry == old else entry for entry in now.pending))


@tile(ON_STACK, "leader-of-the-pack")
def lead(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    cell = play.targets[0].path[0]
    return own(now, play, cell, "rat") or attach(now, cell, "leader-of-the-pack", play.by)


@tile(WHILE_UNDER, "leader-of-the-pack")
def as_strong_as_the_pack(now: Position, cell: Cell, leader: Attached, stands: Values) -> Values:
    others = sum(1 for rat in now.controlled(leader.by, "rat") if rat != cell)
    return stands[0] + others, stands[1] + others


@tile(IN_PLAY, "leader-of-the-pack")
def the_leader_moves(now: Position, play: Played) -> Position | Breach:
    if not play.targets or not isinstance(play.at, tuple):
        return needs_targets(play)
    path, host = play.targets[0].path, now.at(play.at)
    if host is None or not any(part == ("leader-of-the-pack", play.by) for part in _attached(host.attached)):
        return Breach(
            say("no Leader of the Pack of {player} lies on {place}", player=called(play.by), place=place_of(play.at)),
            (place_of(play.at),),
        )
    if path[0] != play.at:
        return Breach(say("Leader of the Pack moves the Rat on {place}", place=place_of(play.at)), (place_of(path[0]),))
    return steps(now, path, 1) or move(now, path[0], path[1], play.by)


@tile(ON_STACK, "undue-judgement")
def judge_unduly(now: Position, play: Played) -> Position | Breach:
    rats = sum(1 for lying in now.area.values() if lying.is_a("rat"))
    if now.done:
        return Breach(say("Undue Judgement is only for the first action of a turn"))
    if rats % 2:
        return Breach(say("there are {n} Rats in the area, an odd number", n=rats))
    if not rats:
        return Breach(say("there is no Rat in the area"))
    worth = rats // 2
    now = score(now, play.by, f"undue-judgement:{worth}", f"2 half of the {rats} Rats in the area")
    now = now.saying(say("Undue Judgement is worth {n}: half of {rats} Rats; the turn ends", n=worth, rats=rats))
    return replace(now, done=("judged",))


def in_play_and_own(now: Position, play: Played, name: str) -> Breach | None:
    """The player controls the tile whose ability is used."""
    assert isinstance(play.at, tuple)
    lying = now.at(play.at)
    if lying is not None and lying.tile == name and lying.by == play.by:
        return None
    return Breach(
        say(
            "{player} controls no {tile} on {place}", player=called(play.by), tile=title(name), place=place_of(play.at)
        ),
        (place_of(play.at),),
    )


def _attached(parts: tuple[Attached, ...]) -> list[tuple[str, str]]:
    return [(part.tile, part.by) for part in parts]
