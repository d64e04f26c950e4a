"""How fast a look at the table is explained, whether by a turn, half a turn, two turns or nothing at all."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from companion.game import AnyGame, Clock, each_legal, is_legal, start
from companion.reconcile import differences, readings
from companion.registry import games
from companion.table import Layout

_LISTED = 4000
"""So many moves are listed to choose one from; some games have more in a turn than anyone wants to wait for."""
_APART = 3
"""Turns between two positions that are measured."""


@dataclass(frozen=True, slots=True)
class Took:
    """What the readings of one kind of table took, each in milliseconds."""

    name: str
    kind: str
    each_ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        return statistics.median(self.each_ms)

    @property
    def worst_ms(self) -> float:
        return max(self.each_ms)


def measure_readings(positions: int, seed: int = 1, clock: Clock = time.perf_counter) -> Iterator[Took]:
    """Measure every game on so many positions of random games."""
    for game in games().values():
        yield from measure_game_readings(game, positions, seed, clock)


def measure_game_readings(game: AnyGame, positions: int, seed: int, clock: Clock = time.perf_counter) -> Iterator[Took]:
    """The kinds of table that came up, and what reading each took."""
    rng, took = Random(seed), dict[str, list[float]]()
    for state in islice(_positions(game, rng), positions):
        before = game.layout(state)
        for kind, table in _tables(game, state, rng):
            if table != before:
                seen = {place: {table.get(place): 0.97} for place in {*before, *table}}
                begun = clock()
                readings(game, state, seen)
                took.setdefault(kind, []).append(1000 * (clock() - begun))
    yield from (Took(game.name, kind, tuple(each_ms)) for kind, each_ms in sorted(took.items()))


def _positions(game: AnyGame, rng: Random) -> Iterator[Any]:
    """Positions of random games, some turns apart, one game after the other."""
    while True:
        state, turns = start(game, rng=rng), 0
        while moves := _some(each_legal(game, state)):
            if turns % _APART == 0:
                yield state
            state, turns = game.play(state, rng.choice(moves)), turns + 1


def _tables(game: AnyGame, state: Any, rng: Random) -> Iterator[tuple[str, Layout]]:
    before, move = game.layout(state), rng.choice(_some(each_legal(game, state)))
    then = game.play(state, move)
    after = game.layout(then)
    yield "legal turn", after
    yield "half a turn", _half(before, after, rng)
    if following := _some(each_legal(game, then)):
        yield "two turns", game.layout(game.play(then, rng.choice(following)))
    wrong = rng.choice(_some(game.conceivable(state)))
    if not is_legal(game, state, wrong):
        yield "illegal turn", game.layout(game.play(state, wrong))
    if len(before) > 3:
        yield "unexplained", _swept(before, rng)


def _some(moves: Iterator[Any]) -> list[Any]:
    return list(islice(moves, _LISTED))


def _half(before: Layout, after: Layout, rng: Random) -> Layout:
    """Some of the places as they were and some as they will be."""
    as_yet = {place for place in differences(before, after) if rng.random() < 0.5}
    pictures = ((place, (before if place in as_yet else after).get(place)) for place in {*before, *after})
    return {place: piece for place, piece in pictures if piece is not None}


def _swept(before: Layout, rng: Random) -> Layout:
    """Two pieces in each other's place and a third one gone."""
    one, other, gone = rng.sample(sorted(before), 3)
    swapped = {**before, one: before[other], other: before[one]}
    return {place: piece for place, piece in swapped.items() if place != gone}
