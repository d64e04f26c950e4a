"""ZU Tiles: how the targets of a tile are written, and which of them hands could mean."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations, product

from companion.game import Unreadable
from companion.games.zu_tiles_hime.catalogue import CATALOGUE, title
from companion.games.zu_tiles_hime.rules.area import spaces
from companion.games.zu_tiles_hime.rules.moves import Part, Played
from companion.games.zu_tiles_hime.rules.position import Cell, Position, neighbours, place_of
from companion.said import say

CELL = r"(?:0|-?[1-9]\d{0,2}),(?:0|-?[1-9]\d{0,2})"
_WORD = r"[a-z]+(?:-[a-z]+)*"
_PATH = f"{CELL}(?:>{CELL})+"
_GIVEN = rf"{_WORD}(?:=(?:{_WORD}|\?))?"
"""Who gave something, and what, as far as that is known."""
FORMS: dict[str, tuple[str, str]] = {
    "": ("", "nothing"),
    "cell": (CELL, "(0,0)"),
    "space": (CELL, "(0,0)"),
    "cells": (f"{CELL};{CELL}", "(0,0;1,0)"),
    "pair": (f"{CELL}~{CELL}", "(0,0~1,0)"),
    "jump": (f"{CELL}>{CELL}", "(0,0>3,0)"),
    "carry": (f"{CELL}>{CELL}", "(3,0>0,1)"),
    "line": (rf"{CELL}>{CELL}(?:\+\d)?", "(0,0>2,0+1)"),
    "walk": (_PATH, "(0,0>0,1)"),
    "path": (f"{_PATH}(?::{CELL})?", "(0,0>0,1:1,1)"),
    "paths": (f"{_PATH}(?:;{_PATH})*", "(0,0>0,1;2,0>2,1)"),
    "heading": (f"{CELL}>[enws]", "(0,0>e)"),
    "shots": (f"{CELL}:{CELL}(?:;{CELL}:{CELL})*", "(0,0:2,0)"),
    "roosters": (f"{CELL};{CELL}={_WORD}", "(0,0;1,0=north)"),
    "seat": (_WORD, "(north)"),
    "seats": (f"{_GIVEN}(?:;{_GIVEN})*", "(north)"),
}
_PART = re.compile(rf"({CELL}(?:>{CELL})*)(?:([:~])({CELL})|(\+)(\d+)|(>)([enws])|(=)({_WORD}))?")
_MANY = 400
"""So many choices of Banana Barrage are listed whole; of more, only those of one Monkey."""


def form_of(tile: str, ability: bool) -> str:
    return str(CATALOGUE[tile].values.get("aims" if ability else "targets", ""))


def read_targets(tile: str, ability: bool, text: str) -> tuple[Part, ...]:
    """Targets from their notation; none is always readable, and the tile decides what that means."""
    if not text:
        return ()
    pattern, example = FORMS[form_of(tile, ability)]
    if not pattern or not re.fullmatch(pattern, text, re.ASCII):
        raise Unreadable(
            say(
                "the targets of {tile} are written {example}, not ({text})",
                tile=title(tile),
                example=example,
                text=text,
            ),
            "move",
        )
    return tuple(_read_part(part) for part in text.split(";"))


def write_targets(targets: tuple[Part, ...]) -> str:
    return f"({';'.join(map(_write_part, targets))})" if targets else ""


def read_cell(text: str) -> Cell:
    column, row = text.split(",")
    return int(column), int(row)


def _read_part(text: str) -> Part:
    found = _PART.fullmatch(text)
    if not found:
        return Part(then=text)
    path, *marks = found.groups()
    cells = tuple(map(read_cell, path.split(">")))
    for mark, then in zip(marks[::2], marks[1::2], strict=True):
        if mark and then != "0":
            return Part(cells, mark, _read_then(mark, then))
    return Part(cells)


def _read_then(mark: str, then: str) -> Cell | int | str:
    if mark in ":~":
        return read_cell(then)
    return int(then) if mark == "+" else then


def _write_part(part: Part) -> str:
    path = ">".join(map(place_of, part.path))
    then = place_of(part.then) if isinstance(part.then, tuple) else "" if part.then is None else str(part.then)
    return f"{path}{part.mark}{then}"


# --- what could be meant


def candidates(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    """Targets that the form of a tile allows here, most of which its own condition will refuse."""
    yield from _CANDIDATES[form_of(play.tile, play.at is not None)](now, play)


def _none(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    yield ()


def _each_tile(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for cell in sorted(now.area):
        yield (Part((cell,)),)


def _each_space(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for cell in spaces(now):
        yield (Part((cell,)),)


def _two_own_tiles(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    things = [cell for cell in _own(now, play) if not now.area[cell].creature]
    for one, other in combinations(things, 2):
        yield Part((one,)), Part((other,))


def _pairs(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for own in _own_creatures(now, play):
        for cell in sorted(neighbours(own)):
            if cell in now.area:
                yield (Part((cell,), "~", own),)


def _jumps(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for start in _own_creatures(now, play):
        for length in (2, 3):
            for to in _round(start, length):
                yield (Part((start, to)),)


def _carries(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for start in _own_creatures(now, play):
        for to in spaces(now):
            yield (Part((start, to)),)


def _lines(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for start in _own_creatures(now, play):
        for length in (1, 2, 3):
            for to in _round(start, length):
                behind = ((start[0] - to[0]) // length, (start[1] - to[1]) // length)
                yield (Part((start, to)),)
                for pulled in range(1, _lie_in_line(now, start, behind) + 1):
                    yield (Part((start, to), "+", pulled),)


def _lie_in_line(now: Position, start: Cell, heading: Cell) -> int:
    count = 0
    while (start[0] + heading[0] * (count + 1), start[1] + heading[1] * (count + 1)) in now.area:
        count += 1
    return count


def _paths(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    most = 4 if play.tile == "mind-control" else 1
    starts = [play.at] if isinstance(play.at, tuple) else _own_creatures(now, play)
    for start in starts:
        for path in _walks(now, (start,), most):
            yield (Part(path),)
            if play.at is None:
                for cell in sorted(neighbours(path[-1])):
                    if cell in now.area and cell != start:
                        yield (Part(path, ":", cell),)


def _walks(now: Position, path: tuple[Cell, ...], most: int) -> Iterator[tuple[Cell, ...]]:
    for cell in sorted(neighbours(path[-1])):
        if cell not in path:
            yield (*path, cell)
            if most > 1 and cell not in now.area:
                yield from _walks(now, (*path, cell), most - 1)


def _several_steps(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    movers = _own_creatures(now, play)
    free = {start: [to for to in sorted(neighbours(start)) if _may_be_free(now, to, movers)] for start in movers}
    for count in (1, 2, 3):
        for starts in combinations(movers, count):
            for tos in product(*(free[start] for start in starts)):
                if steps := _vacated_first(dict(zip(starts, tos, strict=True))):
                    yield tuple(Part(step) for step in steps)


def _vacated_first(moves: dict[Cell, Cell]) -> list[tuple[Cell, Cell]]:
    """The moves in order, but who moves into another's space after that one has left; nothing for a ring of them."""
    ordered: list[tuple[Cell, Cell]] = []
    waiting = dict(moves)
    while waiting:
        free = next((start for start, to in waiting.items() if to not in waiting), None)
        if free is None:
            return []
        ordered.append((free, waiting.pop(free)))
    return ordered


def _may_be_free(now: Position, cell: Cell, movers: list[Cell]) -> bool:
    return cell not in now.area or cell in movers or not now.area[cell].creature


def _headings(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for cell in sorted(now.area):
        if now.area[cell].is_a("ox"):
            for heading in "ensw":
                yield (Part((cell,), ">", heading),)


def _shots(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    monkeys = now.controlled(play.by, "monkey")
    aims = {
        monkey: [None, *(cell for cell in sorted(now.area) if cell not in set(neighbours(monkey)))]
        for monkey in monkeys
    }
    choices = 1
    for cells in aims.values():
        choices *= len(cells)
    if choices > _MANY:
        for monkey in monkeys:
            yield from ((Part((monkey,), ":", hit),) for hit in aims[monkey] if hit is not None)
        return
    for hits in product(*aims.values()):
        shots = tuple(Part((monkey,), ":", hit) for monkey, hit in zip(monkeys, hits, strict=True) if hit is not None)
        if shots:
            yield shots


def _roosters(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    for one, other in combinations(now.controlled(play.by, "rooster"), 2):
        for winner in now.alive():
            yield Part((one,)), Part((other,), "=", winner)


def _seats(now: Position, play: Played) -> Iterator[tuple[Part, ...]]:
    if isinstance(play.at, tuple):
        yield ()
        return
    for seat in now.seats:
        if seat != play.at:
            yield (Part(then=seat),)


def _own(now: Position, play: Played) -> list[Cell]:
    return sorted(cell for cell, tile in now.area.items() if tile.by == play.by)


def _own_creatures(now: Position, play: Played) -> list[Cell]:
    return [cell for cell in _own(now, play) if now.area[cell].creature and _may_do(now.area[cell].tile, play.tile)]


def _may_do(creature: str, tile: str) -> bool:
    """Whether the tile speaks of creatures of that class, where it names one."""
    class_ = CATALOGUE[tile].values.get("of")
    return class_ is None or CATALOGUE[creature].values.get("class") == class_


def _round(start: Cell, length: int) -> list[Cell]:
    return sorted(
        (start[0] + (cell[0] - start[0]) * length, start[1] + (cell[1] - start[1]) * length)
        for cell in neighbours(start)
    )


_CANDIDATES: dict[str, Callable[[Position, Played], Iterator[tuple[Part, ...]]]] = {
    "": _none,
    "cell": _each_tile,
    "space": _each_space,
    "cells": _two_own_tiles,
    "pair": _pairs,
    "jump": _jumps,
    "carry": _carries,
    "line": _lines,
    "walk": _paths,
    "path": _paths,
    "paths": _several_steps,
    "heading": _headings,
    "shots": _shots,
    "roosters": _roosters,
    "seat": _seats,
    "seats": _none,
}
