"""Which turns there are: the legal ones, those that hands could make by mistake, and those that a picture shows.

A tile's turns are listed once for each look, by the smallest angle; an action that changes nothing to be seen is not
listed beside the same turn without it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, repeat

from companion.board import cell_of
from companion.games.pirates_ninjas_robots_zombies.quarters import (
    TEAMS,
    Face,
    base_of,
    icon_of,
    is_base,
    looks,
    read_face,
    same_tile,
)
from companion.games.pirates_ninjas_robots_zombies.rules import (
    CHECKS,
    FIRST_CELL,
    Action,
    Replace,
    Rotate,
    Swap,
    Table,
    Turn,
    a_moved_base_keeps_the_area_whole,
    area_after,
    neighbours,
)
from companion.games.pirates_ninjas_robots_zombies.sections import Cell
from companion.table import Layout


def placements(table: Table) -> Iterator[Turn]:
    """The legal turns without an action; of a hand that is only a number no tile is known."""
    if table.over or table.mover is None:
        return
    cells = open_cells(table)
    for face in _playable(table):
        for to in cells:
            yield Turn(face, to)
    for start, face in _bases_in_play(table):
        if face[0] in table.own_teams:
            moves = (Turn(face, to, start) for to in cells if _beside_another(table, to, start))
            yield from (turn for turn in moves if not a_moved_base_keeps_the_area_whole(table, turn))


def actions(table: Table, turn: Turn) -> Iterator[Action]:
    """The actions that the icon of a tile just played allows and that change something to be seen."""
    if turn.start is None:
        touchable = _touchable(table, turn.face)
        yield from _on_old_tiles(table, turn.face, touchable)
        yield from _with_new_tile(table, turn, touchable)


def quick_legal(table: Table) -> Iterator[Turn]:
    """The legal turns; swaps make the list long, so what does not depend on the new cell is found once a tile."""
    face, touchable, old_actions = "", list[Cell](), list[Action]()
    for turn in placements(table):
        yield turn
        if turn.start is not None or not icon_of(turn.face):
            continue
        if turn.face != face:
            face, touchable = turn.face, _touchable(table, turn.face)
            old_actions = list(_on_old_tiles(table, face, touchable))
        yield from map(Turn, repeat(face), repeat(turn.to), repeat(None), old_actions)
        yield from map(Turn, repeat(face), repeat(turn.to), repeat(None), _with_new_tile(table, turn, touchable))


def conceivable(table: Table) -> Iterator[Turn]:
    """What hands can do: known tiles and any base beside the area or at a corner of it, with the icon's action.

    Without its icon a neighbour of the new tile may be turned; `explain` knows every other action without an icon.
    """
    if table.mover is None:
        return
    open_ones, corners = open_cells(table), _corner_cells(table)
    for face in (*_playable(table), *_foreign_bases(table)):
        old_actions = list(_on_old_tiles(table, face, sorted(table.area)))
        for to in open_ones:
            turn = Turn(face, to)
            yield turn
            yield from map(Turn, repeat(face), repeat(to), repeat(None), old_actions)
            more = chain[Action](_with_new_tile(table, turn, table.area), _careless_turns(table, turn))
            yield from map(Turn, repeat(face), repeat(to), repeat(None), more)
        for to in corners:
            yield Turn(face, to)
    for start, face in _bases_in_play(table):
        for to in (*open_ones, *corners):
            yield Turn(face, to, start)


def explain(table: Table, layout: Layout) -> Iterator[Turn]:
    """The turns, legal ones first, after which the area looks so: a new tile and at most one old one touched."""
    if table.mover is None:
        return
    wanted = {cell_of(place): read_face(piece.tile) or "" for place, piece in layout.items()}
    new = [at for at in wanted if at not in table.area]
    if "" in wanted.values() or len(new) != 1:
        return
    found = dict.fromkeys(turn for turn in _guesses(table, wanted, new[0]) if area_after(table, turn) == wanted)
    yield from sorted(found, key=lambda turn: any(check(table, turn) for check in CHECKS))


def suspects(table: Table, layout: Layout) -> Iterator[Turn]:
    """The legal turns that touch nothing but what differs, then those that touch all that differs and more."""
    wanted = {cell_of(place): piece.tile for place, piece in layout.items()}
    differs = {at for at in wanted.keys() | table.area.keys() if wanted.get(at) != table.area.get(at)}
    held = _holding(table, [face for at in sorted(differs) if (face := read_face(wanted.get(at, "")))])
    plain = list(placements(held))
    within = (turn for turn in plain if {turn.to, turn.start} <= {*differs, None})
    beyond = (turn for turn in plain if _may_be_half_done(turn, differs, wanted.get(turn.to)))
    found = chain(
        (acting for turn in within for acting in _acting(turn, _actions_within(held, turn, differs))),
        (acting for turn in beyond for acting in _acting(turn, _actions_beyond(held, turn, differs - {turn.to}))),
    )
    told = set[Turn]()
    for turn in found:
        if turn not in told and (held is table or not any(check(table, turn) for check in CHECKS)):
            told.add(turn)
            yield turn


def open_cells(table: Table) -> list[Cell]:
    """The empty cells that share an edge with the area, or where the first tile goes."""
    if not table.area:
        return [FIRST_CELL]
    return sorted({near for at in table.area for near in neighbours(at)} - table.area.keys())


def _corner_cells(table: Table) -> list[Cell]:
    touched = {(column + right, row + up) for column, row in table.area for right in (-1, 1) for up in (-1, 1)}
    return sorted(touched - table.area.keys() - set(open_cells(table)))


def _playable(table: Table) -> list[Face]:
    """Every look of every known tile in the mover's hand, then the bases."""
    hand = table.hand if isinstance(table.hand, tuple) else ()
    faces = dict.fromkeys(look for tile in hand for _, look in looks(tile))
    return [*faces, *(base_of(team) for team in table.own_teams if table.holds(team))]


def _foreign_bases(table: Table) -> list[Face]:
    seated = "".join(table.teams)
    others = (base_of(team) for team in TEAMS if team in seated and team not in table.own_teams)
    return [base for base in others if base not in table.area.values()]


def _bases_in_play(table: Table) -> list[tuple[Cell, Face]]:
    return sorted((at, face) for at, face in table.area.items() if is_base(face))


def _beside_another(table: Table, to: Cell, start: Cell) -> bool:
    return any(near in table.area and near != start for near in neighbours(to))


def _touchable(table: Table, face: Face) -> list[Cell]:
    """Where the action of an icon finds a tile it may touch: not every one may touch an opponent's base."""
    if icon_of(face) != "e" and table.options["bases"] == "anyone":
        return sorted(table.area)
    return sorted(at for at, other in table.area.items() if not table.opponents_base(other))


def _on_old_tiles(table: Table, face: Face, touchable: list[Cell]) -> Iterator[Action]:
    match icon_of(face):
        case "o":
            for at in touchable:
                yield from _rotations(table, at)
        case "s":
            for first, second in combinations(touchable, 2):
                yield from _swaps(first, second, table.area[first], table.area[second])
        case "e":
            yield from _replacements(table, face, touchable)


def _with_new_tile(table: Table, turn: Turn, touchable: Iterable[Cell]) -> Iterator[Swap]:
    if icon_of(turn.face) == "s":
        for at in touchable:
            if at < turn.to:
                yield from _swaps(at, turn.to, table.area[at], turn.face)
            else:
                yield from _swaps(turn.to, at, turn.face, table.area[at])


def _careless_turns(table: Table, turn: Turn) -> Iterator[Rotate]:
    if icon_of(turn.face) != "o":
        for near in neighbours(turn.to):
            if near in table.area:
                yield from _rotations(table, near)


def _may_be_half_done(turn: Turn, differs: set[Cell], shown: Face | None) -> bool:
    """Whether an action, which touches two tiles at most, can account for all else that differs."""
    if shown not in (None, turn.face) and icon_of(turn.face) != "s":
        return False
    return len(differs - {turn.to, turn.start}) <= 2


def _acting(turn: Turn, actions: Iterable[Action]) -> Iterator[Turn]:
    yield turn
    if turn.start is None:
        yield from map(Turn, repeat(turn.face), repeat(turn.to), repeat(None), actions)


def _actions_within(table: Table, turn: Turn, cells: set[Cell]) -> Iterator[Action]:
    """The actions that touch only the new tile and these."""
    touchable = [at for at in _touchable(table, turn.face) if at in cells]
    yield from _on_old_tiles(table, turn.face, touchable)
    yield from _with_new_tile(table, turn, touchable)


def _actions_beyond(table: Table, turn: Turn, cells: set[Cell]) -> Iterator[Action]:
    """The actions that touch all of these, and perhaps one tile more."""
    touchable = _touchable(table, turn.face)
    if not cells.issubset(touchable):
        return
    if not cells:
        yield from actions(table, turn)
    elif icon_of(turn.face) != "s":
        yield from _on_old_tiles(table, turn.face, [*cells]) if len(cells) == 1 else ()
    elif len(cells) == 2:
        yield from _on_old_tiles(table, turn.face, sorted(cells))
    else:
        yield from _with_new_tile(table, turn, cells)
        for other in set(touchable) - cells:
            yield from _on_old_tiles(table, turn.face, sorted({*cells, other}))


def _holding(table: Table, faces: list[Face]) -> Table:
    """The table as it would be if a hand that is not known held the tiles that were seen to come."""
    if table.mover is None or isinstance(table.hand, tuple):
        return table
    come = tuple(face for face in faces if not is_base(face))
    return replace(table, hands=(*table.hands[: table.mover], come, *table.hands[table.mover + 1 :]))


def _rotations(table: Table, at: Cell) -> Iterator[Rotate]:
    return (Rotate(at, angle) for angle, _ in looks(table.area[at]) if angle)


def _swaps(first: Cell, second: Cell, one: Face, other: Face) -> Iterator[Swap]:
    if same_tile(one, other):
        for angle, look in looks(one):
            for other_angle, other_look in looks(other):
                if look != other or other_look != one:
                    yield Swap(first, second, angle, other_angle)
        return
    for angle, _ in looks(one):
        for other_angle, _ in looks(other):
            yield Swap(first, second, angle, other_angle)


def _replacements(table: Table, played: Face, touchable: list[Cell]) -> Iterator[Replace]:
    hand = list(table.hand) if isinstance(table.hand, tuple) else []
    used = next((i for i, tile in enumerate(hand) if same_tile(tile, played)), None)
    if used is not None:
        del hand[used]
    faces = dict.fromkeys(look for tile in hand for _, look in looks(tile))
    bases = [base_of(team) for team in table.own_teams if table.holds(team)]
    for at in touchable:
        for face in (*faces, *bases):
            if face != table.area[at]:
                yield Replace(at, face)


def _guesses(table: Table, wanted: dict[Cell, Face], to: Cell) -> Iterator[Turn]:
    gone = [at for at in table.area if at not in wanted]
    if gone:
        yield from (
            Turn(wanted[to], to, start) for start in gone if wanted[to] == table.area[start] and is_base(wanted[to])
        )
        return
    changed = [at for at, face in table.area.items() if wanted[at] != face]
    if len(changed) > 2:
        return
    if not changed:
        yield Turn(wanted[to], to)
    for action in _guessed_actions(table, wanted, changed):
        yield Turn(wanted[to], to, None, action)
    for at in changed or table.area:
        if same_tile(table.area[at], wanted[to]):
            yield from _guessed_swaps_of_new(table, wanted, to, at)


def _guessed_actions(table: Table, wanted: dict[Cell, Face], changed: list[Cell]) -> Iterator[Action]:
    """What happened to old tiles only; one of two swapped twins may look untouched."""
    for at in changed:
        yield from (Rotate(at, angle) for angle, look in looks(table.area[at]) if look == wanted[at])
        twin = isinstance(table.hand, tuple) and any(same_tile(wanted[at], tile) for tile in table.hand)
        if twin or not same_tile(table.area[at], wanted[at]):
            yield Replace(at, wanted[at])
    if changed:
        one = changed[0]
        twins = (at for at, face in table.area.items() if at != one and same_tile(face, table.area[one]))
        for other in changed[1:] or twins:
            first, second = sorted((one, other))
            yield from _swaps(first, second, table.area[first], table.area[second])


def _guessed_swaps_of_new(table: Table, wanted: dict[Cell, Face], to: Cell, at: Cell) -> Iterator[Turn]:
    """The new tile may have come down in any turn before it was swapped."""
    for _, played in looks(wanted[at]):
        first, second = sorted((at, to))
        one, other = (table.area[at], played) if first == at else (played, table.area[at])
        for swap in _swaps(first, second, one, other):
            yield Turn(played, to, None, swap)
