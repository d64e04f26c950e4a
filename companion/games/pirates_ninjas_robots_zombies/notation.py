"""The notation: ``PN/zK@1,0``, ``P!0,1>2,0``, ``PP/RRo@1,0 o1,1:180``, and positions as JSON.

A key of ours beside those of the rules: ``order``, the tiles of the stack, top first, where a program holds them.
"""

import re
from collections.abc import Mapping
from typing import Any

from companion.board import cell
from companion.border import PositionShape, Shape, read_shape
from companion.game import Unreadable, choose_options
from companion.games.pirates_ninjas_robots_zombies.quarters import (
    BASE_QUARTERS,
    QUARTERS,
    TEAMS,
    Face,
    is_base,
    read_face,
)
from companion.games.pirates_ninjas_robots_zombies.rules import (
    OPTIONS,
    PLAY_TILES,
    Action,
    Pile,
    Replace,
    Rotate,
    Swap,
    Table,
    Turn,
    count_play_tiles,
)
from companion.games.pirates_ninjas_robots_zombies.sections import Cell
from companion.said import say

NAME = "pirates_ninjas_robots_zombies"

_NUMBER = r"(0|-?[1-9][0-9]{0,2})"
_CELL = f"{_NUMBER},{_NUMBER}"
_PLAY = re.compile(rf"([^@ ]+)@{_CELL}")
_BASE_MOVE = re.compile(rf"([{TEAMS}]+!){_CELL}>{_CELL}")
_ROTATE = re.compile(rf"o{_CELL}:{_NUMBER}")
_SWAP = re.compile(rf"s{_CELL}~{_CELL}:{_NUMBER},{_NUMBER}")
_REPLACE = re.compile(rf"e{_CELL}=([^ ]+)")
_GRID_LETTERS = set(QUARTERS) | set(BASE_QUARTERS.values()) | {"."}


class _Laid(Shape):
    tile: str
    at: list[int]


class _Position(PositionShape):
    teams: dict[str, list[str]] | None = None
    area: list[_Laid] | None = None
    to_move: str | None = None
    stack: int | None = None
    hands: dict[str, int | list[str]] | None = None
    turns_left: int | None = None
    grid: str | None = None
    order: list[str] | None = None


def read_position(given: Mapping[str, Any]) -> Table:
    shape = read_shape(_Position, given)
    options = choose_options(OPTIONS, shape.options)
    if shape.grid is not None:
        if strange := shape.model_fields_set - {"game", "grid", "options"}:
            raise Unreadable(f"a plain grid stands alone, without {min(strange)!r}", min(strange))
        return Table({}, options=options, grid=_grid(shape.grid))
    if shape.area is None:
        raise Unreadable("the key 'area' is missing", "area")
    teams = _teams(shape.teams)
    seated = tuple(teams)
    table = Table(
        area=_area(shape.area),
        players=seated,
        teams=tuple(teams.values()),
        mover=_mover(shape, seated),
        stack=_stack(shape),
        hands=_hands(shape.hands, seated),
        turns_left=0 if _is_finished_table(shape) else shape.turns_left,
        options=options,
    )
    _check_bases(table)
    _check_end(table)
    total = count_play_tiles(table)
    if table.players and total not in (PLAY_TILES, None):
        raise Unreadable(
            say("area, stack and hands hold {n} play tiles together, not {all}", n=total, all=PLAY_TILES), "stack"
        )
    return table


def write_position(table: Table) -> dict[str, Any]:
    position: dict[str, Any] = {"game": NAME}
    if table.grid is not None:
        position["grid"] = table.grid
    else:
        position |= _written(table)
    if table.options.chosen:
        position["options"] = table.options.as_dict()
    return position


def read_move(text: str, table: Table) -> Turn:
    if table.mover is None and not table.over:
        raise Unreadable(say("the position does not say whose turn it is"), "to_move")
    first, *rest = text.split(" ")
    if len(rest) > 1:
        raise Unreadable(say("{text!r}: one action a turn, after one space", text=text), "move")
    action = _action(rest[0]) if rest else None
    if found := _BASE_MOVE.fullmatch(first):
        return Turn(_face(found[1]), _cell(found, 4), _cell(found, 2), action)
    if found := _PLAY.fullmatch(first):
        return Turn(_face(found[1]), _cell(found, 2), None, action)
    raise Unreadable(
        say("{text!r} is no move: write PN/zK@1,0, P!@0,1, P!0,1>2,0 or PP/RRo@1,0 o1,1:180", text=text), "move"
    )


def write_move(turn: Turn, table: Table) -> str:
    start = "@" if turn.start is None else f"{cell(*turn.start)}>"
    return f"{turn.face}{start}{cell(*turn.to)}{_written_action(turn.action)}"


def _written(table: Table) -> dict[str, Any]:
    position: dict[str, Any] = {}
    if table.players:
        position["teams"] = {player: list(teams) for player, teams in zip(table.players, table.teams, strict=True)}
    position["area"] = [{"tile": table.area[at], "at": list(at)} for at in sorted(table.area)]
    if table.players:
        position["to_move"] = None if table.mover is None else table.players[table.mover]
    if table.stack is not None:
        position["stack"] = len(table.stack) if isinstance(table.stack, tuple) else table.stack
    if table.players and any(hand is not None for hand in table.hands):
        hands = zip(table.players, table.hands, strict=True)
        position["hands"] = {player: _written_pile(hand) for player, hand in hands if hand is not None}
    position["turns_left"] = table.turns_left
    return position | ({"order": list(table.stack)} if isinstance(table.stack, tuple) and table.stack else {})


def _written_pile(pile: Pile) -> int | list[str] | None:
    return list(pile) if isinstance(pile, tuple) else pile


def _written_action(action: Action | None) -> str:
    match action:
        case Rotate(at, angle):
            return f" o{cell(*at)}:{angle}"
        case Swap(first, second, first_angle, second_angle):
            return f" s{cell(*first)}~{cell(*second)}:{first_angle},{second_angle}"
        case Replace(at, face):
            return f" e{cell(*at)}={face}"
        case None:
            return ""


def _action(text: str) -> Action:
    if found := _ROTATE.fullmatch(text):
        return Rotate(_cell(found, 1), int(found[3]))
    if found := _SWAP.fullmatch(text):
        return Swap(_cell(found, 1), _cell(found, 3), int(found[5]), int(found[6]))
    if found := _REPLACE.fullmatch(text):
        return Replace(_cell(found, 1), _face(found[3]))
    raise Unreadable(say("{text!r} is no action: write o1,1:180, s0,0~1,1:90,0 or e0,0=NN/rr", text=text), "move")


def _cell(found: re.Match[str], group: int) -> Cell:
    return int(found[group]), int(found[group + 1])


def _face(text: str, at: str = "move") -> Face:
    face = read_face(text)
    if face is None:
        raise Unreadable(say("{text!r} is no tile: write PN/zK, PP/RRo or P!", text=text), at)
    return face


def _grid(text: str) -> str:
    rows = text.split("/")
    if not rows[0] or len({len(row) for row in rows}) != 1:
        raise Unreadable("the rows of a grid are of one length", "grid")
    if strange := set(text) - _GRID_LETTERS - {"/"}:
        raise Unreadable(f"{min(strange)!r} is no quarter", "grid")
    for team, digit in BASE_QUARTERS.items():
        if text.count(digit) > 4:
            raise Unreadable(f"the base {team}! has four quarters", "grid")
    return text


def _teams(given: dict[str, list[str]] | None) -> dict[str, str]:
    if given is None:
        return {}
    if len(given) not in (2, 3, 4):
        raise Unreadable(f"two, three or four play, not {len(given)}", "teams")
    wanted = 2 if len(given) == 2 else 1
    seen: set[str] = set()
    for player, teams in given.items():
        at = f"teams.{player}"
        if not player.strip():
            raise Unreadable("a player has a name", at)
        if len(teams) != wanted:
            raise Unreadable(f"of {len(given)} players each has {wanted} team{'s' if wanted > 1 else ''}", at)
        for team in teams:
            if len(team) != 1 or team not in TEAMS:
                raise Unreadable(f"{team!r} is no team: the teams are P, N, R and Z", at)
            if team in seen:
                raise Unreadable(f"the team {team} is taken twice", at)
            seen.add(team)
    return {player: "".join(teams) for player, teams in given.items()}


def _area(given: list[_Laid]) -> dict[Cell, Face]:
    area: dict[Cell, Face] = {}
    for i, laid in enumerate(given):
        if len(laid.at) != 2 or max(map(abs, laid.at)) > 999:
            raise Unreadable("a cell is [column, row]", f"area.{i}.at")
        at = (laid.at[0], laid.at[1])
        face = _face(laid.tile, f"area.{i}.tile")
        if at in area:
            raise Unreadable(f"two tiles lie on {cell(*at)}", f"area.{i}.at")
        if is_base(face) and face in area.values():
            raise Unreadable(f"the base {face} lies twice in the area", f"area.{i}.tile")
        area[at] = face
    return area


def _mover(shape: _Position, seated: tuple[str, ...]) -> int | None:
    if shape.to_move is None:
        return None
    if shape.to_move not in seated:
        raise Unreadable(f"{shape.to_move!r} does not play", "to_move")
    return seated.index(shape.to_move)


def _hands(given: dict[str, int | list[str]] | None, seated: tuple[str, ...]) -> tuple[Pile, ...]:
    held = given or {}
    for player in held:
        if player not in seated:
            raise Unreadable(f"{player!r} does not play", f"hands.{player}")
    piles = (_pile(held.get(player), f"hands.{player}") for player in seated)
    return tuple(tuple(sorted(pile)) if isinstance(pile, tuple) else pile for pile in piles)


def _is_finished_table(shape: _Position) -> bool:
    """Whether the position is a picture of tiles that says nothing of a turn still to come."""
    told = (shape.to_move, shape.stack, shape.hands)
    return "turns_left" not in shape.model_fields_set and all(key is None for key in told)


def _stack(shape: _Position) -> Pile:
    if shape.order is None:
        return _pile(shape.stack, "stack")
    if shape.stack != len(shape.order):
        raise Unreadable(f"the order is that of {len(shape.order)} tiles, not of the stack's", "order")
    return _pile(shape.order, "order") or 0


def _pile(given: int | list[str] | None, at: str) -> Pile:
    if isinstance(given, list):
        faces = [_face(text, f"{at}.{i}") for i, text in enumerate(given)]
        for i, face in enumerate(faces):
            if is_base(face):
                raise Unreadable(f"{face} is a base: only play tiles are listed", f"{at}.{i}")
        return tuple(faces)
    if given is not None and not 0 <= given <= PLAY_TILES:
        raise Unreadable(f"there are {PLAY_TILES} play tiles, not {given}", at)
    return given


def _check_bases(table: Table) -> None:
    seated = "".join(table.teams) or TEAMS
    for at, face in table.area.items():
        if is_base(face) and face[0] not in seated:
            raise Unreadable(f"nobody plays the base {face} on {cell(*at)}", "area")


def _check_end(table: Table) -> None:
    if table.turns_left is None:
        if table.stack is not None and not table.stack:
            raise Unreadable("the last tile is drawn: turns_left is a number", "turns_left")
        return
    if not 0 <= table.turns_left <= (len(table.players) or 4):
        raise Unreadable("every player has one more turn when the last tile is drawn", "turns_left")
    if table.stack:
        raise Unreadable("turns are counted down only when the last tile is drawn", "turns_left")
