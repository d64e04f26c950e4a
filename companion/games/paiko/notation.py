"""Paiko's notation: ``Bg6N``, ``g6-h7E``, ``g6@c4``, ``+SSB``, ``?S``, ``pass``, and positions as JSON.

Three signs after a move picture a slip of the hands: ``=c9`` left standing though captured, ``xc9`` taken away though
not captured, ``~c9E`` turned along to face east.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field as Key

from companion.border import PositionShape, Shape, read_shape
from companion.game import Unreadable, choose_options
from companion.games.paiko.field import (
    COLOURS,
    COPIES,
    OPTIONS,
    SHIFTS_IN_A_ROW,
    Action,
    Botched,
    Deploy,
    Draw,
    Field,
    Move,
    Pass,
    Pick,
    Redeploy,
    Row,
    Shift,
    Side,
    arranged,
    due,
    house,
)
from companion.games.paiko.patterns import (
    BOARD,
    FACED,
    FACINGS,
    GRID,
    LETTERS,
    PLACES,
    SAI,
    STANDING_AS,
    TITLES,
    Counts,
    Standing,
    counted,
    letters,
    occupied,
    standing,
)
from companion.said import called, say

_SQUARE = r"[a-n](?:1[0-4]|[1-9])"
_DEPLOY = re.compile(rf"([SBEFWILA])({_SQUARE})([NESW])?(?:-({_SQUARE})([NESW])?)?")
_SHIFT = re.compile(rf"({_SQUARE})-({_SQUARE})([NESW])?")
_REDEPLOY = re.compile(rf"({_SQUARE})@({_SQUARE})")
_DRAW = re.compile(r"\+([SBEFWILA]{1,24})")
_PICK = re.compile(r"\?([SBEFWILA])")
_SLIPS = re.compile(rf"(.*?)((?:={_SQUARE})*)((?:x{_SQUARE})*)((?:~{_SQUARE}[NESW])*)", re.DOTALL)

_LONGEST_MOVE = 300


class _Side(Shape):
    board: list[str] = Key(default_factory=list)
    hand: str = ""
    reserve: str = ""
    """All that is not told elsewhere, where the key is left out."""
    lost: str = ""


class _Row(Shape):
    tile: str
    turns: int


class _Rows(Shape):
    white: _Row | None = None
    black: _Row | None = None


class _Position(PositionShape):
    to_move: Literal["white", "black"]
    white: _Side
    black: _Side
    owed: int = 0
    in_a_row: _Rows = _Rows()


def read_position(given: Mapping[str, Any]) -> Field:
    shape = read_shape(_Position, given)
    if shape.game != "paiko":
        raise Unreadable(f"this is a position of {shape.game!r}, not of paiko", "game")
    sides = (_side(shape.white, "white"), _side(shape.black, "black"))
    if shared := occupied(sides[0].board) & occupied(sides[1].board):
        raise Unreadable(f"a white and a black tile stand on {PLACES[shared.bit_length() - 1]}", "black.board")
    mover = COLOURS.index(shape.to_move)
    if not 0 <= shape.owed <= sum(sides[1 - mover].reserve):
        raise Unreadable(f"{shape.owed} picks cannot be owed from a reserve that small", "owed")
    options = choose_options(OPTIONS, shape.options)
    rows = _row(shape.in_a_row.white, sides[0], "white"), _row(shape.in_a_row.black, sides[1], "black")
    return Field(mover, sides, shape.owed, rows if house(options).no_fourth_shift else (None, None), options)


def write_position(field: Field) -> dict[str, Any]:
    position: dict[str, Any] = {"game": "paiko", "to_move": COLOURS[field.mover]}
    for player, side in zip(COLOURS, field.sides, strict=True):
        position[player] = {
            "board": [tile.text for tile in side.board],
            "hand": letters(side.hand),
            "reserve": letters(side.reserve),
            "lost": letters(side.lost),
        }
    position["owed"] = field.owed
    if any(field.rows):
        position["in_a_row"] = {
            player: {"tile": PLACES[row.square], "turns": row.turns} if row else None
            for player, row in zip(COLOURS, field.rows, strict=True)
        }
    if field.options.chosen:
        position["options"] = field.options.as_dict()
    return position


def read_move(text: str, field: Field) -> Move:
    found = _SLIPS.fullmatch(text) if len(text) <= _LONGEST_MOVE else None
    if not found:
        raise _no_move(text)
    action = _read_action(found[1], field)
    left, taken, turned = found[2].split("=")[1:], found[3].split("x")[1:], found[4].split("~")[1:]
    if not (left or taken or turned):
        return action
    return _botched(text, field, action, (_squares(text, left), _squares(text, taken)), turned)


def write_move(move: Move, field: Field) -> str:
    if not isinstance(move, Botched):
        return _write_action(move)
    left = "".join(f"={place}" for place in _in_order(move.left))
    taken = "".join(f"x{place}" for place in _in_order(move.taken))
    turned = "".join(f"~{text}" for text in sorted(tile.text[1:] for tile in move.turned))
    return _write_action(move.action) + left + taken + turned


def _side(shape: _Side, player: str) -> Side:
    board = _board(shape.board, f"{player}.board")
    hand, lost = _counts(shape.hand, f"{player}.hand"), _counts(shape.lost, f"{player}.lost")
    reserve, told = _counts(shape.reserve, f"{player}.reserve"), "reserve" in shape.model_fields_set
    on_board = counted(tile.text[0] for tile in board)
    known = [sum(of_kind) for of_kind in zip(on_board, hand, lost, reserve, strict=True)]
    for kind, number in enumerate(known):
        if number > COPIES or (told and number < COPIES):
            says = say(
                "{player} has {n} tiles {tile}, board, hand, reserve and lost together, not {copies}",
                player=called(player),
                n=number,
                tile=TITLES[kind],
                copies=COPIES,
            )
            raise Unreadable(says, player)
    return Side(board, hand, reserve if told else tuple(COPIES - number for number in known), lost)


def _board(given: list[str], at: str) -> tuple[Standing, ...]:
    tiles: dict[int, Standing] = {}
    for i, text in enumerate(given):
        tile = STANDING_AS.get(text)
        if tile is None or not tile.bit & BOARD:
            raise Unreadable(f"{text!r} is no tile on a square: write Sg6, or Bg6N for one with a facing", f"{at}.{i}")
        if tile.square in tiles:
            raise Unreadable(f"two tiles stand on {tile.place}", f"{at}.{i}")
        tiles[tile.square] = tile
    return tuple(sorted(tiles.values(), key=lambda tile: tile.text))


def _counts(given: str, at: str) -> Counts:
    for letter in given:
        if letter not in LETTERS:
            raise Unreadable(f"{letter!r} is no tile: the letters are {' '.join(LETTERS)}", at)
    return counted(given)


def _row(shape: _Row | None, side: Side, player: str) -> Row | None:
    if shape is None:
        return None
    at = f"in_a_row.{player}"
    if shape.tile not in GRID or not occupied(side.board) >> GRID[shape.tile] & 1:
        raise Unreadable(f"{player} has no tile on {shape.tile!r}", f"{at}.tile")
    if not 1 <= shape.turns <= SHIFTS_IN_A_ROW + 1:
        raise Unreadable(
            f"a tile is shifted 1 to {SHIFTS_IN_A_ROW} turns in a row",
            f"{at}.turns",
        )
    return Row(GRID[shape.tile], shape.turns)


def _no_move(text: str) -> Unreadable:
    return Unreadable(
        say("{text!r} is no move: write Sg6, Bg6N, g6-h7E, g6@c4, +SSB, ?S or pass", text=text[:40]), "move"
    )


def _read_action(text: str, field: Field) -> Action:
    if text == "pass":
        return Pass()
    if found := _DRAW.fullmatch(text):
        return Draw(counted(found[1]))
    if found := _PICK.fullmatch(text):
        return Pick(LETTERS.index(found[1]))
    if found := _REDEPLOY.fullmatch(text):
        return Redeploy(GRID[found[1]], GRID[found[2]])
    if found := _SHIFT.fullmatch(text):
        return _read_shift(text, field, GRID[found[1]], GRID[found[2]], found[3])
    if found := _DEPLOY.fullmatch(text):
        return _read_deploy(text, *found.groups())
    raise _no_move(text)


def _read_shift(text: str, field: Field, start: int, end: int, faces: str | None) -> Shift:
    """A tile with a facing keeps it where none is written."""
    facing = FACINGS.index(faces) if faces else None
    if there := field.tile_on(start):
        _, tile = there
        if tile.kind not in FACED and faces:
            raise Unreadable(
                say("{text!r}: the {tile} on {place} has no facing", text=text, tile=tile.title, place=tile.place),
                "move",
            )
        if tile.kind in FACED and not faces:
            facing = tile.facing
    return Shift(start, end, facing)


def _read_deploy(
    text: str, letter: str, place: str, faces: str | None, end: str | None, end_faces: str | None
) -> Deploy:
    """The facing before a Sai's shift has no effect, so the facing of the end stands for both."""
    kind = LETTERS.index(letter)
    last = end_faces if end else faces
    if (kind in FACED) != bool(faces) or (kind in FACED) != bool(last):
        faced = say("{text!r}: a {tile} is written with the way it faces", text=text, tile=TITLES[kind])
        plain = say("{text!r}: a {tile} has no facing", text=text, tile=TITLES[kind])
        raise Unreadable(faced if kind in FACED else plain, "move")
    facing = FACINGS.index(last) if last else 0
    tile = standing(kind, facing, GRID[place])
    # A Sai that is turned where it was deployed was simply deployed so (5.1b).
    runs = end is not None and (end != place or kind != SAI)
    return Deploy(tile, standing(kind, facing, GRID[end]) if end and runs else None)


def _squares(text: str, given: list[str]) -> int:
    if len(set(given)) != len(given):
        raise Unreadable(say("{text!r} names a square twice", text=text), "move")
    return sum(1 << GRID[place] for place in given)


def _botched(text: str, field: Field, action: Action, slips: tuple[int, int], turned: list[str]) -> Botched:
    """The slips, where they are slips at all: otherwise one move had two notations."""
    left, taken = slips
    boards, fallen = arranged(field, action), due(field, action)
    standing_still = (occupied(boards[0]) | occupied(boards[1])) & ~fallen
    if left & ~fallen:
        raise Unreadable(say("{text!r}: only what would be captured can be left standing", text=text), "move")
    if taken & ~standing_still:
        raise Unreadable(say("{text!r}: only a tile that would stay can be taken away wrongly", text=text), "move")
    on = {tile.square: tile for board in boards for tile in board if tile.bit & standing_still & ~taken}
    tiles = []
    for place in turned:
        before, facing = on.pop(GRID[place[:-1]], None), FACINGS.index(place[-1])
        if before is None or before.kind not in FACED or before.facing == facing:
            raise Unreadable(say("{text!r}: nothing on {place} can be turned so", text=text, place=place[:-1]), "move")
        tiles.append(standing(before.kind, facing, before.square))
    return Botched(action, left, taken, tuple(sorted(tiles, key=lambda tile: tile.text[1:])))


def _write_action(action: Action) -> str:
    match action:
        case Deploy(tile, then):
            return tile.text + (f"-{then.text[1:]}" if then else "")
        case Shift(start, end, facing):
            return f"{PLACES[start]}-{PLACES[end]}{FACINGS[facing] if facing is not None else ''}"
        case Redeploy(start, end):
            return f"{PLACES[start]}@{PLACES[end]}"
        case Draw(tiles):
            return f"+{letters(tiles)}"
        case Pick(kind):
            return f"?{LETTERS[kind]}"
        case Pass():
            return "pass"


def _in_order(squares: int) -> list[str]:
    return sorted(place for square, place in PLACES.items() if squares >> square & 1)
