"""Paiko: everything hands can do at the table, slips included, and which of it explains what is seen."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.game import Unreadable
from companion.games.paiko.field import (
    Action,
    Boards,
    Botched,
    Deploy,
    Draw,
    Field,
    Move,
    Pass,
    Pick,
    Redeploy,
    Shift,
    action_of,
    arranged,
    due,
    layout,
    picks_due,
    piece_of,
    tile_of,
)
from companion.games.paiko.patterns import (
    BOARD,
    FACED,
    PLACES,
    SAI,
    STEPS,
    WATER,
    Standing,
    bits,
    handfuls,
    occupied,
    standing,
    turns_of,
    within,
)
from companion.games.paiko.rules import CHECKS, DRAWN, deployable, ground_without, quick_legal
from companion.table import Layout

_MOST_FORGOTTEN = 4
"""Up to so many captures every selection of forgotten ones is pictured; of more, one or all."""


def conceivable(field: Field) -> Iterator[Move]:
    """Any tile of the mover put anywhere, any tile moved or turned, any draw or pick, and the slips of a capture."""
    yield from _untold(field)
    for action in _visible(field):
        yield action
        yield from _forgotten(field, action)
    fallen = due(field, Pass())
    for tile in (*field.mine.board, *field.enemy.board):
        if not tile.bit & fallen:
            yield Botched(Pass(), taken=tile.bit)
    if not field.owed and not picks_due(field):
        for move in quick_legal(field):
            yield from _slips(field, move)


def explain(field: Field, layout: Layout) -> Iterator[Move]:
    """The conceivable moves that lead to this layout, found from what differs."""
    try:
        seen = [tile_of(piece, place) for place, piece in layout.items()]
    except Unreadable:
        return
    after: Boards = (
        tuple(tile for colour, tile in seen if colour == 0),
        tuple(tile for colour, tile in seen if colour == 1),
    )
    for action in _suspects(field, after):
        move = _as_seen(field, action, after)
        if move is not None:
            yield move


def stages(field: Field, move: Move, seen: Layout) -> Iterator[Layout]:
    """A Sai where it is deployed, before it shifts."""
    action = action_of(move)
    if isinstance(action, Deploy) and action.then:
        yield {**layout(field), action.tile.place: piece_of(action.tile, field.mover)}


def suspects(field: Field, seen: Layout) -> Iterator[Move]:
    """The legal actions on squares that differ only, or on all that differ but for enemy tiles that are gone."""
    before = layout(field)
    differs = {place for place in {*before, *seen} if before.get(place) != seen.get(place)}
    gone = {tile.place for tile in field.enemy.board if tile.place not in seen}
    for move in quick_legal(field):
        match move:
            case Deploy(tile, then):
                starts, end = tile.place, (then or tile).place
            case Shift(start, to) | Redeploy(start, to):
                starts, end = PLACES[start], PLACES[to]
            case _:
                continue
        if end in differs or differs - gone <= {starts, end}:
            yield move


def _untold(field: Field) -> Iterator[Action]:
    """What the camera cannot see: draws of any likely number, picks, and nothing at all."""
    number = picks_due(field)
    sizes = [number] if number else range(1, DRAWN + 2)
    for size in sizes:
        yield from (Draw(tiles) for tiles in handfuls(field.mine.reserve, size))
    yield from (Pick(kind) for kind in range(8))
    yield Pass()


def _visible(field: Field) -> Iterator[Action]:
    empty = field.empty
    for kind in range(8):
        if _has(field, kind):
            for square in bits(empty):
                yield from (Deploy(standing(kind, facing, square)) for facing in turns_of(kind))
    yield from _sai_runs(field)
    for tile in (*field.mine.board, *field.enemy.board):
        for square in (tile.square, *bits(empty)):
            yield from _moved(tile, square)


def _moved(tile: Standing, square: int) -> Iterator[Action]:
    facings = turns_of(tile.kind) if tile.kind in FACED else (None,)
    yield from (Shift(tile.square, square, facing) for facing in facings)
    if tile.kind == WATER and square != tile.square:
        yield Redeploy(tile.square, square)


def _sai_runs(field: Field) -> Iterator[Deploy]:
    """A Sai deployed within the rules and shifted up to one step too far."""
    if not field.mine.hand[SAI]:
        return
    for square in bits(deployable(field, ground_without(field))):
        for end in bits(within(square, STEPS[SAI] + 1, BOARD) & field.empty):
            for facing in range(4):
                yield Deploy(standing(SAI, facing, square), standing(SAI, facing, end))


def _forgotten(field: Field, action: Action) -> Iterator[Botched]:
    """The action with captured tiles left standing, each selection of them."""
    fallen = [1 << square for square in bits(due(field, action))]
    numbers = range(1, len(fallen) + 1) if len(fallen) <= _MOST_FORGOTTEN else (1, len(fallen))
    for number in numbers:
        yield from (Botched(action, left=sum(left)) for left in combinations(fallen, number))


def _slips(field: Field, action: Move) -> Iterator[Botched]:
    """A legal action with one enemy tile too many taken away, or with another tile turned along."""
    if not isinstance(action, Deploy | Shift | Redeploy):
        return
    fallen, boards = due(field, action), arranged(field, action)
    for tile in boards[1 - field.mover]:
        if not tile.bit & fallen:
            yield Botched(action, taken=tile.bit)
    if isinstance(action, Deploy) and action.then:
        return
    acted = action.end.square if isinstance(action, Deploy) else action.end
    for tile in (*boards[0], *boards[1]):
        if tile.kind in FACED and tile.square != acted and not tile.bit & fallen:
            turned = (standing(tile.kind, facing, tile.square) for facing in range(4) if facing != tile.facing)
            yield from (Botched(action, turned=(other,)) for other in turned)


def _suspects(field: Field, after: Boards) -> Iterator[Action]:
    """The actions that can have put on the board what is new there."""
    boards = field.sides[0].board, field.sides[1].board
    come = [[tile for tile in after[colour] if tile not in boards[colour]] for colour in (0, 1)]
    gone = [[tile for tile in boards[colour] if tile not in after[colour]] for colour in (0, 1)]
    if not any(come):
        yield from _untold(field)
        lost = gone[1 - field.mover]
        yield from (_put_back(tile) for tile in (*boards[0], *boards[1]) if tile not in lost)
        # An enemy tile that is moved to where it falls, or turned so that it does, leaves nothing new behind.
        for tile in lost:
            yield from (action for square in (tile.square, *bits(field.empty)) for action in _moved(tile, square))
    for colour in (0, 1):
        for tile in come[colour]:
            for before in gone[colour]:
                if before.kind == tile.kind:
                    yield from _moved_to(before, tile)
    for tile in come[field.mover]:
        yield Deploy(tile)
        if tile.kind == SAI:
            yield from (run for run in _sai_runs(field) if run.then is tile)
    if _one_is_turned(come, gone):
        # Only a tile without a facing may be shifted in place and look as it did (8.4).
        yield from (_put_back(tile) for tile in field.mine.board if tile.kind not in FACED)


def _one_is_turned(come: Sequence[list[Standing]], gone: Sequence[list[Standing]]) -> bool:
    """Whether all that is new on the board is one tile that faces another way."""
    if len(come[0]) + len(come[1]) != 1:
        return False
    ((colour, tile),) = ((colour, tile) for colour in (0, 1) for tile in come[colour])
    return any((before.kind, before.square) == (tile.kind, tile.square) for before in gone[colour])


def _put_back(tile: Standing) -> Shift:
    """A tile lifted and put down as it stood."""
    return Shift(tile.square, tile.square, tile.facing if tile.kind in FACED else None)


def _moved_to(before: Standing, tile: Standing) -> Iterator[Action]:
    yield Shift(before.square, tile.square, tile.facing if tile.kind in FACED else None)
    if tile.kind == WATER:
        yield Redeploy(before.square, tile.square)


def _as_seen(field: Field, action: Action, after: Boards) -> Move | None:
    """The action with just those slips that make the table look so, where a slip is conceivable."""
    boards = arranged(field, action)
    fallen, now = due(field, action), [occupied(board) for board in after]
    loser = 1 - field.mover
    left = fallen & now[loser]
    taken = (occupied(boards[loser]) & ~fallen & ~now[loser]) | (occupied(boards[field.mover]) & ~now[field.mover])
    turned = tuple(
        tile
        for colour in (0, 1)
        for tile in after[colour]
        if tile not in boards[colour] and any(other.square == tile.square for other in boards[colour])
    )
    if not (left or taken or turned):
        move: Move = action
    else:
        move = Botched(action, left, taken, turned)
    return move if _pictures(field, move, boards, fallen, after) and _is_likely(field, move) else None


def _pictures(field: Field, move: Move, boards: Boards, fallen: int, after: Boards) -> bool:
    botched = move if isinstance(move, Botched) else Botched(move)
    off = fallen & ~botched.left | botched.taken
    to = {(tile.kind, tile.square): tile for tile in botched.turned}
    return all(
        {to.get((tile.kind, tile.square), tile) for tile in boards[colour] if not tile.bit & off} == set(after[colour])
        for colour in (0, 1)
    )


def _is_likely(field: Field, move: Move) -> bool:
    """Whether `conceivable` holds a move that was deduced from a picture."""
    if not isinstance(move, Botched):
        return not isinstance(move, Deploy) or _has(field, move.tile.kind)
    if move.action == Pass():
        return not move.left and not move.turned and move.taken.bit_count() == 1
    if isinstance(move.action, Draw | Pick) or not _is_likely(field, move.action):
        return False
    if move.left:
        number, total = move.left.bit_count(), due(field, move.action).bit_count()
        return not move.taken and not move.turned and (total <= _MOST_FORGOTTEN or number in (1, total))
    return move in _slips(field, move.action) and not any(check(field, move.action) for check in CHECKS)


def _has(field: Field, kind: int) -> bool:
    return bool(field.mine.hand[kind] or field.mine.reserve[kind] or field.mine.lost[kind])
