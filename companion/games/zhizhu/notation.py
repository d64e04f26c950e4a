"""ZhiZhu's notation: ``c2``, ``c2-c3``, ``c2-c3xa1xh2``, and positions as JSON."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from companion.border import PositionShape, Shape, read_shape
from companion.game import Unreadable, choose_options
from companion.games.zhizhu.chains import BIT, NEIGHBOURS, names
from companion.games.zhizhu.rules import COLOURS, OPTIONS, PIECES, Slide, Turn, Web, standing
from companion.said import say

_MOVE = re.compile(r"([a-h][1-3])(?:-([a-h][1-3]))?((?:x[a-h][1-3])*)")
_SLIDE = re.compile(r"([a-h][1-3])-([a-h][1-3])")


class _Hand(Shape):
    white: int
    black: int


class _Barred(Shape):
    white: str | None = None
    black: str | None = None


class _Position(PositionShape):
    game: Literal["zhizhu"]
    to_move: Literal["white", "black"]
    white: list[str]
    black: list[str]
    hand: _Hand
    barred: _Barred = _Barred()


def read_position(given: Mapping[str, Any]) -> Web:
    shape = read_shape(_Position, given)
    on = (_points(shape.white, "white"), _points(shape.black, "black"))
    if shared := on[0] & on[1]:
        raise Unreadable(f"a white and a black piece stand on {names(shared)[0]}", "black")
    hand = (shape.hand.white, shape.hand.black)
    for colour, player in enumerate(COLOURS):
        if hand[colour] < 0:
            raise Unreadable(f"{player} has {hand[colour]} pieces in hand", f"hand.{player}")
        if on[colour].bit_count() + hand[colour] > PIECES:
            raise Unreadable(
                f"{player} has more than {PIECES} pieces, board and hand together",
                player,
            )
    barred = (_slide(shape.barred.white, "barred.white"), _slide(shape.barred.black, "barred.black"))
    options = choose_options(OPTIONS, shape.options)
    return standing(Web(COLOURS.index(shape.to_move), on, hand, barred, options))


def write_position(web: Web) -> dict[str, Any]:
    position: dict[str, Any] = {
        "game": "zhizhu",
        "to_move": COLOURS[web.mover],
        "white": list(names(web.on[0])),
        "black": list(names(web.on[1])),
        "hand": dict(zip(COLOURS, web.hand, strict=True)),
        "barred": {player: _written(bar) for player, bar in zip(COLOURS, web.barred, strict=True)},
    }
    if web.options.chosen:
        position["options"] = web.options.as_dict()
    return position


def read_move(text: str, web: Web) -> Turn:
    found = _MOVE.fullmatch(text)
    if not found:
        raise Unreadable(say("{text!r} is no move: write c2, c2-c3 or c2-c3xa1xh2", text=text), "move")
    first, second, taken = found.groups()
    captured = taken.split("x")[1:]
    if captured != sorted(set(captured)):
        raise Unreadable(say("{text!r}: captures are written once each, in ascending order", text=text), "move")
    pieces = sum(BIT[point] for point in captured)
    return Turn(BIT[first], BIT[second], pieces) if second else Turn(None, BIT[first], pieces)


def write_move(turn: Turn, web: Web) -> str:
    start = f"{names(turn.start)[0]}-" if turn.start is not None else ""
    return start + names(turn.to)[0] + "".join(f"x{point}" for point in names(turn.taken))


def _points(given: list[str], at: str) -> int:
    points = 0
    for i, name in enumerate(given):
        if name not in BIT:
            raise Unreadable(f"{name!r} is no point: points are a1 to h3", f"{at}.{i}")
        if points & BIT[name]:
            raise Unreadable(f"{name} is named twice", f"{at}.{i}")
        points |= BIT[name]
    return points


def _slide(given: str | None, at: str) -> Slide | None:
    if given is None:
        return None
    found = _SLIDE.fullmatch(given)
    if not found or not BIT[found[2]] & NEIGHBOURS[BIT[found[1]]]:
        raise Unreadable(f"{given!r} is no slide between neighbours: write c3-c2", at)
    return Slide(BIT[found[1]], BIT[found[2]])


def _written(bar: Slide | None) -> str | None:
    return f"{names(bar.start)[0]}-{names(bar.to)[0]}" if bar else None
