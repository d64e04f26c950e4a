"""ZU Tiles: positions read strictly; what is left out is not known, and what is impossible is refused by name."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.border import read_shape
from companion.game import Unreadable, choose_options
from companion.games.zu_tiles_hime.catalogue import CUSTOM, DECKS, UNKNOWN, lists, tile_named, title
from companion.games.zu_tiles_hime.record.shapes import (
    GoneShape,
    LeftShape,
    LoadShape,
    PendingShape,
    PilesShape,
    PlayerShape,
    TileShape,
    ZuPositionShape,
)
from companion.games.zu_tiles_hime.registry import AT_END
from companion.games.zu_tiles_hime.rules.position import (
    OPTIONS,
    STACKS,
    TABLES,
    Attached,
    Cell,
    Change,
    DrawStacks,
    Gone,
    Hand,
    Lying,
    Pending,
    Pile,
    Player,
    Position,
    known_tiles,
    place_of,
    started_with,
)
from companion.said import say

_CHANGE = re.compile(r"(str|int)([-=])(\d{1,2})", re.ASCII)
_PILES = ("points", "discard")


def read_position(given: Mapping[str, Any]) -> Position:
    shape = read_shape(ZuPositionShape, given)
    seats = _seats(shape)
    players = _players(shape, seats)
    area = _area(shape, players)
    if shape.again < 0:
        raise Unreadable("nobody takes fewer than no further turns", "again")
    now = Position(
        seats,
        shape.to_move,
        area,
        players,
        tuple(_gone(gone, i, players) for i, gone in enumerate(shape.gone)),
        tuple(shape.done),
        shape.again,
        with_contagions(tuple(_pending(entry, i, seats) for i, entry in enumerate(shape.pending)), area),
        shape.begun or bool(area),
        choose_options(OPTIONS, shape.options),
    )
    _check_counts(now)
    return now


def _seats(shape: ZuPositionShape) -> tuple[str, ...]:
    """Who plays: those named; where only one is, as many as the tiles ask for."""
    named = {str(seat) for seat in shape.players}
    if not named:
        raise Unreadable("there are no players", "players")
    told = {shape.to_move, *(tile.by for tile in shape.area)}
    for seats in TABLES.values():
        if named == set(seats) or (len(named) == 1 and named | told <= set(seats)):
            if shape.to_move not in seats:
                raise Unreadable(f"nobody sits at {shape.to_move}", "to_move")
            return seats
    raise Unreadable(
        f"{' and '.join(sorted(named))} are no table: {'; '.join(map(' '.join, TABLES.values()))}", "players"
    )


def _players(shape: ZuPositionShape, seats: tuple[str, ...]) -> dict[str, Player]:
    given = {str(seat): player for seat, player in shape.players.items()}
    piles = {str(seat): of_seat for seat, of_seat in shape.piles.items()}
    lost = {str(seat): rule for seat, rule in shape.lost.items()}
    if stranger := next((seat for seat in (*piles, *lost) if seat not in seats), None):
        raise Unreadable(f"nobody sits at {stranger}", "piles")
    return {
        seat: _player(given.get(seat, PlayerShape()), piles.get(seat, PilesShape()), lost.get(seat), seat)
        for seat in seats
    }


def _player(shape: PlayerShape, piles: PilesShape, lost: str | None, seat: str) -> Player:
    at = f"players.{seat}"
    return Player(
        shape.deck,
        _pile(shape.points, piles.points, f"{at}.points"),
        _pile(shape.discard, piles.discard, f"{at}.discard"),
        _hand(shape.hand, f"{at}.hand"),
        _stacks(shape.stacks, f"{at}.stacks"),
        lost,
    )


def _pile(given: int | list[str], order: list[list[str]] | None, at: str) -> Pile:
    listed = [UNKNOWN] * _count(given, at) if isinstance(given, int) else given
    names = [_piled(name, f"{at}.{i}") for i, name in enumerate(listed)]
    if order is None:
        return Pile(tuple((name, "") for name in names))
    tiles = tuple((entry[0], entry[1] if len(entry) > 1 else "") for entry in order if 1 <= len(entry) <= 2)
    if sorted(name for name, _ in tiles) != sorted(names):
        raise Unreadable("the pile in its order does not hold what the pile holds", at)
    return Pile(tiles)


def _piled(name: str, at: str) -> str:
    tile, colon, worth = name.partition(":")
    if name == UNKNOWN:
        return name
    tile = tile_named(tile, at)
    if colon and (tile != "undue-judgement" or not re.fullmatch(r"[1-9]\d?", worth, re.ASCII)):
        raise Unreadable(f"{name!r} is no tile of a pile", at)
    return f"{tile}{colon}{worth}"


def _hand(given: int | list[str] | None, at: str) -> Hand:
    if given is None:
        return None
    if isinstance(given, int):
        return _count(given, at)
    return tuple(sorted(_named(name, f"{at}.{i}") for i, name in enumerate(given)))


def _stacks(given: Sequence[int | list[str]] | None, at: str) -> DrawStacks:
    if given is None:
        return None
    if not given:
        return (0,) * STACKS
    if len(given) != STACKS:
        raise Unreadable(f"there are {STACKS} draw stacks, not {len(given)}", at)
    return tuple(_stack(stack, f"{at}.{i}") for i, stack in enumerate(given))


def _stack(given: int | list[str], at: str) -> int | tuple[str, ...]:
    if isinstance(given, int):
        return _count(given, at)
    return tuple(_named(name, f"{at}.{i}") for i, name in enumerate(given))


def _count(number: int, at: str) -> int:
    if isinstance(number, bool) or not 0 <= number <= 999:
        raise Unreadable(f"{number} is no number of tiles", at)
    return number


def _named(name: str, at: str) -> str:
    return name if name == UNKNOWN else tile_named(name, at)


def _cell(given: Sequence[int], at: str) -> Cell:
    if len(given) != 2 or not all(-999 <= number <= 999 for number in given):
        raise Unreadable(f"{list(given)} is no cell: write [column, row]", at)
    return given[0], given[1]


def _area(shape: ZuPositionShape, players: Mapping[str, Player]) -> dict[Cell, Lying]:
    loads = {_cell(load.at, f"loads.{i}.at"): load for i, load in enumerate(shape.loads)}
    area: dict[Cell, Lying] = {}
    for i, tile in enumerate(shape.area):
        at = f"area.{i}"
        cell = _cell(tile.at, f"{at}.at")
        if cell in area:
            raise Unreadable(f"two tiles lie on {place_of(cell)}", f"{at}.at")
        area[cell] = _lying(tile, loads.pop(cell, LoadShape(at=tile.at)), at, players)
    if loads:
        raise Unreadable(f"nothing lies on {place_of(next(iter(loads)))}", "loads")
    return area


def _lying(shape: TileShape, load: LoadShape, at: str, players: Mapping[str, Player]) -> Lying:
    tile = tile_named(shape.tile, f"{at}.tile")
    if shape.by not in players or (shape.of or shape.by) not in players:
        raise Unreadable(f"nobody sits at {shape.by if shape.by not in players else shape.of}", f"{at}.by")
    of = shape.of or started_with(players, tile, shape.by)
    return Lying(tile, shape.by, of, _load(shape, load, at, players), load.used)


def _load(shape: TileShape, load: LoadShape, at: str, players: Mapping[str, Player]) -> tuple[Attached | Change, ...]:
    """What lies under a tile and what changes it; ``changes`` names the attached tiles too, to tell the order."""
    attached = _attachments(shape, load, at, players)
    if not load.changes:
        return tuple(attached)
    parts: list[Attached | Change] = []
    for change in load.changes:
        if found := _CHANGE.fullmatch(change):
            parts.append(Change(found[1], found[2], int(found[3])))
        elif attached and attached[0].tile == change:
            parts.append(attached.pop(0))
        else:
            raise Unreadable(f"{change!r} is no change: write str-1 or int=1", "loads")
    if attached:
        raise Unreadable(f"the changes leave out {attached[0].tile}", "loads")
    return tuple(parts)


def _attachments(shape: TileShape, load: LoadShape, at: str, players: Mapping[str, Player]) -> list[Attached]:
    names = [_named(name, f"{at}.under.{i}") for i, name in enumerate(shape.under)]
    if load.attached is None:
        return [Attached(name, played_by(players, name, shape.by)) for name in names]
    if [entry.tile for entry in load.attached] != names:
        raise Unreadable("attached does not tell of the same tiles as under", "loads")
    if stranger := next((entry.by for entry in load.attached if entry.by not in players), None):
        raise Unreadable(f"nobody sits at {stranger}", "loads")
    return [
        Attached(entry.tile, entry.by, _cell(entry.tie, "loads") if entry.tie is not None else None)
        for entry in load.attached
    ]


def played_by(players: Mapping[str, Player], tile: str, host: str) -> str:
    """Who played a tile that lies under another, where the position does not tell it."""
    able = [seat for seat, player in players.items() if lists(player.deck, tile)] or list(players)
    if tile == "leader-of-the-pack":
        return host
    return next((seat for seat in able if seat != host), able[0])


def _gone(shape: GoneShape, i: int, players: Mapping[str, Player]) -> Gone:
    if shape.by not in players or (shape.of or shape.by) not in players:
        raise Unreadable(f"nobody sits at {shape.by}", f"gone.{i}")
    tile = tile_named(shape.tile, f"gone.{i}.tile")
    return Gone(tile, shape.by, shape.of or started_with(players, tile, shape.by))


def _pending(shape: PendingShape, i: int, seats: tuple[str, ...]) -> Pending:
    at = f"pending.{i}"
    if shape.what not in AT_END:
        raise Unreadable(f"nothing such as {shape.what!r} happens at the end of a turn", f"{at}.what")
    if shape.by not in seats:
        raise Unreadable(f"nobody sits at {shape.by}", f"{at}.by")
    cell = _cell(shape.at, f"{at}.at") if shape.at is not None else None
    return Pending(shape.what, shape.by, cell, shape.fresh, _left(shape.left, at, seats))


def _left(shape: LeftShape | None, at: str, seats: tuple[str, ...]) -> tuple[Lying, str] | None:
    if shape is None:
        return None
    seat, _, pile = shape.to.partition(":")
    if not {seat, shape.by, shape.of} <= set(seats) or pile not in _PILES:
        raise Unreadable(f"{shape.to!r} is no pile of a player here", f"{at}.left")
    return Lying(tile_named(shape.tile, f"{at}.left"), shape.by, shape.of), shape.to


def with_contagions(pending: tuple[Pending, ...], area: Mapping[Cell, Lying]) -> tuple[Pending, ...]:
    """A Contagion that is not told of otherwise lay there when the turn began, before all that came in it."""
    told = [entry.at for entry in pending if entry.what == "contagion"]
    older = []
    for cell in sorted(area):
        for part in area[cell].attached:
            if part.tile == "contagion" and cell not in told:
                older.append(Pending("contagion", part.by, cell))
    return (*older, *pending)


def _check_counts(now: Position) -> None:
    """No more tiles of a name than all the decks list; of a custom deck nobody knows, nor of a tile no deck lists."""
    decks = [player.deck for player in now.players.values()]
    if CUSTOM in decks:
        return
    for name, count in sorted(Counter(known_tiles(now)).items()):
        there_are = sum(DECKS[deck].get(name, 0) for deck in decks)
        if 0 < there_are < count:
            says = say("there are {n} {tile}, and the decks hold {all}", n=count, tile=title(name), all=there_are)
            raise Unreadable(says, "area")
