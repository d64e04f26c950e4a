"""Choosing a move by tapping: the moves whose notation names every place, or the tile on it, that was tapped."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from companion.board import is_cell
from companion.game import AnyGame, judge, legal_moves
from companion.rules import Ruling
from companion.table import Layout, Place

MOST_SHOWN = 24
MOST_TOLD = 8
"""So few moves are told in sentences; more are shown by their notation."""
MOST_CONSIDERED = 60_000
"""So many conceivable moves are looked through for one that is not legal; no game of ours has more that matter."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move on offer."""

    move: str
    legal: bool
    says: str = ""
    """What it does, where there are so few that each can be told."""


@dataclass(frozen=True, slots=True)
class Added:
    """A tile that somebody may add to a move."""

    player: str
    tile: str

    @property
    def name(self) -> str:
        return f"{self.player}:{self.tile}"


def additions(game: AnyGame, state: Any, move: str) -> tuple[Added, ...]:
    """What anybody may add to a move, each tile of a player once."""
    found = game.additions(state, game.read_move(move, state))
    return tuple(dict.fromkeys(Added(each.player, each.tile) for each in found))


def with_addition(
    game: AnyGame, state: Any, move: str, added: Added, tapped: Sequence[Place]
) -> tuple[tuple[Choice, ...], int]:
    """The ways to add a tile that go with what was tapped, and how many there are in all."""
    fits = _fitting(game.layout(state), tapped)
    wanted = [
        each.ways
        for each in game.additions(state, game.read_move(move, state))
        if (each.player, each.tile) == (added.player, added.tile)
    ]
    written = [game.write_move(way, state) for ways in wanted for way in ways]
    found = [whole for whole in dict.fromkeys(written) if fits(whole[len(move) :])]
    return tuple(told(game, state, Choice(whole, True)) for whole in found[:MOST_SHOWN]), len(found)


def told(game: AnyGame, state: Any, choice: Choice) -> Choice:
    """A choice with what it does in words."""
    return replace(choice, says=ruling_on(game, state, choice.move).says)


def legal_notations(game: AnyGame, state: Any) -> tuple[str, ...]:
    return tuple(game.write_move(move, state) for move in legal_moves(game, state))


def choices(
    game: AnyGame, state: Any, tapped: Sequence[Place], without: Collection[str] = ()
) -> tuple[tuple[Choice, ...], int]:
    """The moves that fit what was tapped, legal ones first, and how many legal ones there are in all."""
    fits = _fitting(game.layout(state), tapped)
    legal = sorted((move for move in legal_notations(game, state) if fits(move) and move not in without), key=_shortest)
    found = [Choice(move, True) for move in legal[:MOST_SHOWN]]
    if tapped and len(found) < MOST_SHOWN:
        found += _illegal(game, state, fits, {*legal, *without}, MOST_SHOWN - len(found))
    if len(found) <= MOST_TOLD:
        found = [told(game, state, choice) for choice in found]
    return tuple(found), len(legal)


def ruling_on(game: AnyGame, state: Any, move: str) -> Ruling:
    """The verdict on a move in its notation; raises `Unreadable` for what is no move."""
    return judge(game, state, game.read_move(move, state))


def _illegal(game: AnyGame, state: Any, fits: Callable[[str], bool], legal: set[str], most: int) -> list[Choice]:
    if game.to_move(state) is None:
        return []
    written = (game.write_move(move, state) for move in islice(game.conceivable(state), MOST_CONSIDERED))
    others = {move for move in written if move not in legal and fits(move)}
    return [Choice(move, False) for move in sorted(others, key=_shortest)[:most]]


def _fitting(layout: Layout, tapped: Sequence[Place]) -> Callable[[str], bool]:
    wanted = [_naming(place, layout) for place in tapped]
    return lambda move: all(name.search(move) for name in wanted)


def _naming(place: Place, layout: Layout) -> re.Pattern[str]:
    """Matches the place, or the unowned tile that lies there, as a word: 1,0 is neither in 11,0 nor in -1,0."""
    before = r"(?<![0-9,])(?:(?<!-)|(?<=[0-9]-))" if is_cell(place) and place[0] != "-" else r"(?<![0-9,])"
    words = [before + re.escape(place)]
    if place in layout and layout[place].owner is None:
        words.append(r"(?<![0-9A-Za-z])" + re.escape(layout[place].tile))
    return re.compile(rf"(?:{'|'.join(words)})(?![0-9])")


def _shortest(move: str) -> tuple[int, str]:
    return len(move), move
