"""What was seen of a table in the free moments between hands, held against what hands are said to have done."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from companion.game import AnyGame, explanations, is_legal
from companion.reconcile import Weights, is_on_the_way, likely_layouts, readings
from companion.table import Layout, Observation, Odds, Place

CLEAR = 20.0
"""A place is clearly seen when what is seen is so many times likelier than what is believed."""
_MOST_ALIKE = 60
_MOST_LINES = 8


@dataclass(slots=True)
class Glimpses:
    """All since the table was last understood."""

    tables: list[Layout] = field(default_factory=list)
    places: dict[Place, Odds] = field(default_factory=dict)
    """What was last seen on each place: what is known of one that is hidden afterwards."""
    of_hand: bool = False
    """Whether a hand was seen: what it did was not done behind the camera's back."""
    away: bool = False
    """Whether there was a time without frames: what came between hands then, nobody could glimpse."""
    in_vain: bool = False
    """Whether the hand before seemed to do nothing: it may have made a turn that was hidden."""

    def clear(self, in_vain: bool = False) -> None:
        """The table is understood, be it that a hand was there and nothing was to be seen of what it did."""
        self.in_vain = in_vain and self.of_hand
        self.tables.clear()
        self.places.clear()
        self.of_hand = self.away = False

    def take(self, before: Layout, seen: Observation, weights: Weights) -> None:
        """Keep how the table looks, if all that is new is clearly seen."""
        table, _ = next(likely_layouts(before, seen, weights.misread))
        if is_clear(seen, before, table):
            self.places.update(seen)
            if table != (self.tables[-1] if self.tables else before):
                self.tables.append(table)

    def lines(self, game: AnyGame, state: Any, weights: Weights) -> list[tuple[Any, ...]]:
        """Legal moves that lead from glimpse to glimpse; any of these may show half a move, and is left out too."""
        found: list[tuple[tuple[Any, ...], Any]] = [((), state)]
        for table in self.tables:
            more = ((line, now, moves) for line, now in found for moves in _legal(game, now, table, weights))
            found += [((*line, *moves), played(game, now, moves)) for line, now, moves in islice(more, _MOST_LINES)]
        return [line for line, _ in found[1:]]

    def doubt(self, game: AnyGame, state: Any, moves: Sequence[Any], weights: Weights) -> float:
        """What speaks against moves: a glimpse that has no place in them; or that nobody glimpsed the table between two
        of them though hands were seen, which leave it free for a moment. The first may have been the hand's before."""
        legs = list(_legs(game, state, moves))
        strange = sum(not any(leg.has_place_for(table) for leg in legs) for table in self.tables)
        unseen = self.of_hand and not self.away and any(leg.goal not in self.tables for leg in legs[:-1])
        return weights.missed * strange + (weights.missed / 2 if self.in_vain else weights.illegal) * unseen


@dataclass(frozen=True, slots=True)
class _Leg:
    """One move of a story, with the tables before and after it."""

    game: AnyGame
    state: Any
    move: Any
    before: Layout
    goal: Layout

    def has_place_for(self, table: Layout) -> bool:
        stages = self.game.stages(self.state, self.move, table)
        return table == self.goal or is_on_the_way(self.before, table, self.goal, *stages)


def _legs(game: AnyGame, state: Any, moves: Sequence[Any]) -> Iterator[_Leg]:
    for move in moves:
        then = game.play(state, move)
        yield _Leg(game, state, move, game.layout(state), game.layout(then))
        state = then


def is_clear(seen: Observation, before: Layout, now: Layout) -> bool:
    """Whether every place that changed is seen to have changed without a doubt."""
    return all(
        now.get(place) == before.get(place) or odds.get(now.get(place), 0.0) > CLEAR * odds.get(before.get(place), 0.0)
        for place, odds in seen.items()
    )


def played(game: AnyGame, state: Any, moves: Sequence[Any]) -> Any:
    """The state after some more moves."""
    for move in moves:
        state = game.play(state, move)
    return state


def _legal(game: AnyGame, state: Any, table: Layout, weights: Weights) -> Iterator[tuple[Any, ...]]:
    """The first legal move that makes the table look so; or two, of which one was hidden before."""
    if table == game.layout(state):
        return
    alike = islice(explanations(game, state, table), _MOST_ALIKE)
    if (move := next((move for move in alike if is_legal(game, state, move)), None)) is not None:
        yield (move,)
        return
    seen = {place: {table.get(place): 1.0} for place in {**game.layout(state), **table}}
    best = readings(game, state, seen, weights)[0]
    if best.kind == "turns" and best.ruling is not None and best.ruling.legal:
        yield best.moves
