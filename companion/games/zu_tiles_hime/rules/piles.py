"""ZU Tiles: out of the area, onto the piles and off them again."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import UNKNOWN
from companion.games.zu_tiles_hime.rules.position import Cell, Fight, Lying, Position


def to_pile(now: Position, seat: str, pile: str, tile: str, how: str = "") -> Position:
    """Put a tile that lies nowhere on a player's ``points`` or ``discard`` pile."""
    player = now.player(seat)
    if pile == "points":
        return now.with_player(seat, replace(player, points=player.points.with_tile(tile, how)))
    return now.with_player(seat, replace(player, discard=player.discard.with_tile(tile)))


def out_of_pile(now: Position, seat: str, pile: str, tile: str) -> Position | None:
    """Take a tile off a pile; nothing if it is not in there. A tile that nobody saw go there may be any."""
    player = now.player(seat)
    names = (player.points if pile == "points" else player.discard).names
    found = tile if tile in names else UNKNOWN
    if found not in names:
        return None
    if pile == "points":
        return now.with_player(seat, replace(player, points=player.points.without(found)))
    return now.with_player(seat, replace(player, discard=player.discard.without(found)))


def leave(now: Position, cell: Cell) -> Position:
    """A tile leaves play: what is attached to it is discarded, and nothing refers to it any more (5.5)."""
    tile = now.area[cell]
    area = {other: lying for other, lying in now.area.items() if other != cell}
    pending = tuple(p for p in now.pending if p.at != cell or p.left is not None)
    now = replace(now.passing(now.area), area=area, pending=pending, fight=_fight_without(now.fight, cell))
    for attached in tile.attached:
        now = to_pile(now, attached.by, "discard", attached.tile)
    return now


def send(now: Position, cell: Cell, seat: str, pile: str, how: str = "") -> Position:
    """A tile leaves the area for a pile."""
    tile = now.area[cell]
    # An Ox under Impervious is remembered with the pile it goes to.
    pending = tuple(
        replace(p, left=(Lying(tile.tile, tile.by, tile.of), f"{seat}:{pile}"))
        if p.what == "impervious" and p.at == cell and p.left is None
        else p
        for p in now.pending
    )
    return to_pile(leave(replace(now, pending=pending), cell), seat, pile, tile.tile, how)


def _fight_without(fight: Fight | None, cell: Cell) -> Fight | None:
    if fight is None:
        return None
    return replace(
        fight,
        attacker=None if fight.attacker == cell else fight.attacker,
        defender=None if fight.defender == cell else fight.defender,
        allies=tuple(ally for ally in fight.allies if ally != cell),
        foes=tuple(foe for foe in fight.foes if foe != cell),
    )
