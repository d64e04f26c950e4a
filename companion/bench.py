"""How fast the rules are: perft nodes a second of every game, and python-chess's beside them where it is installed."""

import importlib
import importlib.util
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from companion.game import AnyGame, Clock, legal_moves, perft, start
from companion.registry import games

_OPENING_PLIES = 24


@dataclass(frozen=True, slots=True)
class Speed:
    """So many nodes counted from a position in so many seconds."""

    name: str
    position: str
    way: str
    """How they were counted: ``quick`` by the game's own perft, ``generic`` by its legal moves, or a package's name."""
    nodes: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0


def measure_rules(seconds: float = 2.0, clock: Clock = time.perf_counter) -> Iterator[Speed]:
    """Measure every game, then python-chess if it can be imported; each takes about so many seconds."""
    for game in games().values():
        yield from measure_game(game, seconds, clock)
    if (chess := measure_chess(seconds, clock)) is not None:
        yield chess


def measure_game(game: AnyGame, seconds: float, clock: Clock = time.perf_counter) -> Iterator[Speed]:
    """From the first position and from one in the middle of a random game."""
    first = start(game, rng=Random(1))
    for name, state in (("first", first), (f"after {_OPENING_PLIES} moves", _middle(game, first))):
        if game.quick_perft is not None:
            nodes, took = _deepest(partial(perft, game, state), seconds / 2, clock)
            yield Speed(game.name, name, "quick", nodes, took)
        else:
            nodes, took = _walk_for(game, state, seconds / 2, clock)
            yield Speed(game.name, name, "generic", nodes, took)


def measure_chess(seconds: float, clock: Clock = time.perf_counter) -> Speed | None:
    """The same of python-chess on its first position; ``None`` where it is not installed."""
    if importlib.util.find_spec("chess") is None:
        return None
    board = importlib.import_module("chess").Board()
    nodes, took = _deepest(lambda depth: _chess_perft(board, depth), seconds, clock)
    return Speed("chess", "first", "python-chess", nodes, took)


def _middle(game: AnyGame, state: Any) -> Any:
    """Some moves on, or as far as the game went before its last move."""
    rng = Random(1)
    for _ in range(_OPENING_PLIES):
        moves = legal_moves(game, state)
        then = game.play(state, rng.choice(moves))
        if game.to_move(then) is None:
            break
        state = then
    return state


def _deepest(count: Callable[[int], int], seconds: float, clock: Clock) -> tuple[int, float]:
    """Nodes and seconds of the deepest count that is expected to end in time."""
    nodes, took = 1, 0.0
    for depth in itertools.count(1):
        before, begun = nodes, clock()
        nodes = count(depth)
        took = clock() - begun
        if not nodes or took * nodes / max(before, 1) > seconds:
            break
    return nodes, took


def _walk_for(game: AnyGame, state: Any, seconds: float, clock: Clock) -> tuple[int, float]:
    """Walk the tree of legal moves until time is up: the leaves counted and the seconds it took."""
    begun = clock()
    nodes = 0
    for depth in itertools.count(1):
        counted, whole = _leaves(game, state, depth, begun + seconds, clock)
        nodes += counted
        if not whole or not counted:
            break
    return nodes, clock() - begun


def _leaves(game: AnyGame, state: Any, depth: int, until: float, clock: Clock) -> tuple[int, bool]:
    """The leaves below a state, and whether there was time for all of them."""
    moves = legal_moves(game, state)
    if depth == 1:
        return len(moves), clock() < until
    counted = 0
    for move in moves:
        more, whole = _leaves(game, game.play(state, move), depth - 1, until, clock)
        counted += more
        if not whole:
            return counted, False
    return counted, True


def _chess_perft(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.legal_moves.count())
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += _chess_perft(board, depth - 1)
        board.pop()
    return nodes
