"""ZU Tiles: positions written in one form: keys in the order of the notation, lists sorted, nothing said twice."""

from typing import Any

from companion.games.zu_tiles_hime.record.reading import played_by, with_contagions
from companion.games.zu_tiles_hime.rules.position import (
    Attached,
    Cell,
    Change,
    Gone,
    Pending,
    Pile,
    Player,
    Position,
    started_with,
)


def write_position(now: Position) -> dict[str, Any]:
    position: dict[str, Any] = {
        "game": "zu_tiles_hime",
        "to_move": now.mover,
        "area": [_write_tile(now, cell) for cell in sorted(now.area)],
        "players": {seat: _write_player(now.player(seat)) for seat in now.seats},
    }
    own = {
        "gone": [_write_gone(now, gone) for gone in now.gone],
        "done": list(now.done),
        "again": now.again,
        "pending": [_write_pending(entry) for entry in _worth_writing(now)],
        "begun": now.begun and not now.area,
        "loads": [load for cell in sorted(now.area) if (load := _write_load(now, cell))],
        "piles": {seat: piles for seat in now.seats if (piles := _write_piles(now.player(seat)))},
        "lost": {seat: rule for seat in now.seats if (rule := now.player(seat).lost)},
        "options": now.options.as_dict(),
    }
    return position | {key: value for key, value in own.items() if value}


def _write_tile(now: Position, cell: Cell) -> dict[str, Any]:
    tile = now.area[cell]
    written: dict[str, Any] = {
        "tile": tile.tile,
        "at": list(cell),
        "by": tile.by,
        "under": [part.tile for part in tile.attached],
    }
    if tile.of != started_with(now.players, tile.tile, tile.by):
        written["of"] = tile.of
    return written


def _write_load(now: Position, cell: Cell) -> dict[str, Any] | None:
    """What the area's own keys do not tell of a tile; nothing where they tell all."""
    tile = now.area[cell]
    attached = tile.attached
    written: dict[str, Any] = {}
    if any(part != Attached(part.tile, played_by(now.players, part.tile, tile.by)) for part in attached):
        written["attached"] = [_write_attached(part) for part in attached]
    if tile.changes:
        written["changes"] = [str(part) if isinstance(part, Change) else part.tile for part in tile.load]
    if tile.used:
        written["used"] = True
    return {"at": list(cell), **written} if written else None


def _write_attached(part: Attached) -> dict[str, Any]:
    tie = {"tie": list(part.tie)} if part.tie is not None else {}
    return {"tile": part.tile, "by": part.by, **tie}


def _write_player(player: Player) -> dict[str, Any]:
    written: dict[str, Any] = {
        "deck": player.deck,
        "points": sorted(player.points.names),
        "discard": sorted(player.discard.names),
    }
    if player.hand is not None:
        written["hand"] = player.hand if isinstance(player.hand, int) else list(player.hand)
    if player.stacks is not None:
        written["stacks"] = [stack if isinstance(stack, int) else list(stack) for stack in player.stacks]
    return written


def _write_piles(player: Player) -> dict[str, list[list[str]]]:
    piles = {"points": _write_pile(player.points), "discard": _write_pile(player.discard)}
    return {which: pile for which, pile in piles.items() if pile is not None}


def _write_pile(pile: Pile) -> list[list[str]] | None:
    """A pile from the bottom, where its names in order do not say all about it."""
    if list(pile.names) == sorted(pile.names) and not any(how for _, how in pile.tiles):
        return None
    return [[name, how] if how else [name] for name, how in pile.tiles]


def _write_gone(now: Position, gone: Gone) -> dict[str, Any]:
    of = {} if gone.of == started_with(now.players, gone.tile, gone.by) else {"of": gone.of}
    return {"tile": gone.tile, "by": gone.by, **of}


def _worth_writing(now: Position) -> tuple[Pending, ...]:
    """Nothing where reading the area would tell the same."""
    return () if now.pending == with_contagions((), now.area) else now.pending


def _write_pending(entry: Pending) -> dict[str, Any]:
    written: dict[str, Any] = {"what": entry.what, "by": entry.by}
    if entry.at is not None:
        written["at"] = list(entry.at)
    if entry.fresh:
        written["fresh"] = True
    if entry.left is not None:
        ox, to = entry.left
        written["left"] = {"tile": ox.tile, "by": ox.by, "of": ox.of, "to": to}
    return written
