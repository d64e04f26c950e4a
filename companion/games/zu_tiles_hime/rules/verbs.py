"""ZU Tiles: the few verbs of which every effect is made."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import title, worth
from companion.games.zu_tiles_hime.registry import WHEN_DISCARDED
from companion.games.zu_tiles_hime.rules.area import counts_as_empty, in_words
from companion.games.zu_tiles_hime.rules.piles import out_of_pile, send, to_pile
from companion.games.zu_tiles_hime.rules.position import (
    Attached,
    Cell,
    Change,
    Fight,
    Lying,
    Pending,
    Position,
    place_of,
    started_with,
    take_from_hand,
)
from companion.games.zu_tiles_hime.rules.squares import complete_squares
from companion.said import say

# --- put and move


def put(now: Position, cell: Cell, tile: Lying, by: str) -> Position:
    """Put a tile into an empty space; in the space of an Explosive Egg both are discarded. Squares score for ``by``."""
    if cell in now.area and counts_as_empty(now.area[cell]):
        now = to_pile(now.passing({**now.area, cell: tile}), tile.of, "discard", tile.tile)
        for attached in tile.attached:
            now = to_pile(now, attached.by, "discard", attached.tile)
        return discard(
            now.saying(say("{tile} is discarded with the Egg on {place}", tile=title(tile.tile), place=place_of(cell))),
            cell,
        )
    if cell in now.area:
        now = discard(now, cell)
    return complete_squares(replace(now, area={**now.area, cell: tile}, begun=True), (cell,), by)


def move(now: Position, start: Cell, to: Cell, by: str) -> Position:
    """Move a tile with all that is attached to it into an empty space. Squares it completes score for ``by`` (4.8)."""
    if to in now.area and counts_as_empty(now.area[to]):
        now = now.saying(
            say(
                "{tile} meets the Egg on {place}: both are discarded",
                tile=title(now.area[start].tile),
                place=place_of(to),
            )
        )
        return discard(discard(now.passing({**now.area, to: now.area[start]}), start), to)
    now = now.saying(
        say(
            "{tile} moves from {start} to {to}",
            tile=title(now.area[start].tile),
            start=place_of(start),
            to=place_of(to),
        )
    )
    return _score_moved(shift(now, {start: to}), (to,), by)


def move_together(now: Position, steps: Mapping[Cell, Cell], by: str) -> Position:
    """Move several tiles at once; a square of nothing but these is not completed by it."""
    return _score_moved(shift(now, steps), tuple(steps.values()), by)


def shift(now: Position, steps: Mapping[Cell, Cell]) -> Position:
    """Tiles on other cells, and everything that refers to them with them; nothing is scored."""
    area = {steps.get(cell, cell): _with_ties(tile, steps) for cell, tile in now.area.items()}
    pending = tuple(
        replace(entry, at=steps[entry.at])
        if entry.at is not None and entry.at in steps and entry.left is None
        else entry
        for entry in now.pending
    )
    return replace(now, area=area, pending=pending, fight=_moved_fight(now.fight, steps))


def _score_moved(now: Position, cells: tuple[Cell, ...], by: str) -> Position:
    if now.options["moved-square"] == "nobody":
        return now
    return complete_squares(now, cells, by)


def _with_ties(tile: Lying, steps: Mapping[Cell, Cell]) -> Lying:
    if not any(part.tie in steps for part in tile.attached):
        return tile
    load = tuple(
        replace(part, tie=steps.get(part.tie, part.tie))
        if isinstance(part, Attached) and part.tie is not None
        else part
        for part in tile.load
    )
    return replace(tile, load=load)


def _moved_fight(fight: Fight | None, steps: Mapping[Cell, Cell]) -> Fight | None:
    if fight is None:
        return None
    return replace(
        fight,
        attacker=steps.get(fight.attacker, fight.attacker) if fight.attacker else None,
        defender=steps.get(fight.defender, fight.defender) if fight.defender else None,
        allies=tuple(steps.get(cell, cell) for cell in fight.allies),
        foes=tuple(steps.get(cell, cell) for cell in fight.foes),
    )


# --- leave


def discard(now: Position, cell: Cell, seat: str | None = None) -> Position:
    """Discard a tile from the area, to the pile of who started with it unless another player is named."""
    tile = now.area[cell]
    now = send(now, cell, seat or tile.of, "discard")
    return WHEN_DISCARDED[tile.tile](now, cell) if tile.tile in WHEN_DISCARDED else now


def capture(now: Position, cell: Cell, by: str, how: str) -> Position:
    """A creature goes to the captor's point pile; from oneself to the own discard pile (5.4)."""
    tile = now.area[cell]
    if tile.by == by and tile.creature:
        return discard(now, cell, by)
    return send(now, cell, by, "points", how)


# --- attach, change, control


def attach(now: Position, cell: Cell, tile: str, by: str, tie: Cell | None = None) -> Position:
    """Put a tile under another."""
    host = now.area[cell]
    now = with_tile(now, cell, replace(host, load=(*host.load, Attached(tile, by, tie))))
    return now.saying(
        say("{tile} lies under {host} on {place}", tile=title(tile), host=title(host.tile), place=place_of(cell))
    )


def detach(now: Position, cell: Cell, attached: Attached) -> Position:
    """Discard an attached tile."""
    host = now.area[cell]
    load = list(host.load)
    load.remove(attached)
    now = with_tile(now, cell, replace(host, load=tuple(load)))
    now = now.saying(
        say(
            "{tile} under {host} on {place} is discarded",
            tile=title(attached.tile),
            host=title(host.tile),
            place=place_of(cell),
        )
    )
    return to_pile(now, attached.by, "discard", attached.tile)


def change(now: Position, cell: Cell, stat: str, how: str, amount: int) -> Position:
    """Change STR or INT of a tile until the end of the turn."""
    tile = now.area[cell]
    now = with_tile(now, cell, replace(tile, load=(*tile.load, Change(stat, how, amount))))
    return now.saying(
        say("{tile} on {place} until the end of the turn", tile=in_words(now, cell), place=place_of(cell))
    )


def with_tile(now: Position, cell: Cell, tile: Lying) -> Position:
    return replace(now, area={**now.area, cell: tile})


def control(now: Position, cell: Cell, by: str) -> Position:
    """A player controls a tile for the rest of the turn."""
    tile = now.area[cell]
    now = with_tile(now, cell, replace(tile, by=by))
    return at_end_of_turn(now, Pending("mind-control", tile.by, cell))


def swap_tile(now: Position, cell: Cell, tile: str, by: str) -> Position:
    """Replace a tile: attachments stay, the old one goes to the discard pile of who started with it (5.5)."""
    old = now.area[cell]
    now = to_pile(now, old.of, "discard", old.tile)
    return with_tile(now, cell, replace(old, tile=tile, by=by, of=started_with(now.players, tile, by), used=False))


# --- score, pay, return


def score(now: Position, by: str, tile: str, how: str) -> Position:
    """A tile that lies nowhere becomes points."""
    return to_pile(now, by, "points", tile, how)


def pay(now: Position, by: str, cost: int) -> Position | None:
    """Pay points: tiles worth as much go from the point pile to the discard pile, the cheapest first (5.9)."""
    paid = 0
    for name in sorted(now.player(by).points.names, key=worth):
        if paid >= cost:
            break
        if worth(name):
            now = to_pile(out_of_pile(now, by, "points", name) or now, by, "discard", name.partition(":")[0])
            paid += worth(name)
    return now if paid >= cost else None


def at_end_of_turn(now: Position, effect: Pending) -> Position:
    """Something will happen at the end of the turn, after all that is to happen there already (5.9)."""
    return replace(now, pending=(*now.pending, effect))


def another_turn(now: Position) -> Position:
    return replace(now, again=now.again + 1)


def hand_to_discard(now: Position, seat: str, tile: str) -> Position:
    """A tile of a hand is discarded."""
    player = now.player(seat)
    hand, told = take_from_hand(player.hand, tile)
    return to_pile(now.with_player(seat, replace(player, hand=hand)), seat, "discard", told)


def discard_all(now: Position, cells: Iterable[Cell]) -> Position:
    """Discard those that still lie there, one after the other."""
    for cell in cells:
        if cell in now.area:
            now = discard(now, cell)
    return now
