"""From what was seen to what happened: ranks the turns that could explain the table, legal or not.

Legality is a prior, never a filter: if only legal moves were considered, the camera would explain a cheat away and no
dispute could be settled. Every explanation is weighed by how well its picture fits what was seen, and an illegal turn,
a second turn or a table that nothing explains only starts with a handicap.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from companion.game import AnyGame, each_legal, explanations, judge
from companion.rules import Ruling
from companion.table import Layout, Observation, Odds, Piece, Place


@dataclass(frozen=True, slots=True)
class Weights:
    """What an explanation costs before it is held against the picture, in natural logarithms; measured, not guessed."""

    illegal: float = 5.0
    """A turn that breaks a rule."""
    missed: float = 4.0
    """A second turn between two looks."""
    misread: float = 9.0
    """At most so much for one place whose seen odds speak against it: recognisers are wrong now and then."""


WEIGHTS = Weights()
_MOST_TRIED = 2000
UNEXPLAINED = 3 * WEIGHTS.misread
"""A table that no turn explains is believed only when nothing else comes near."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One explanation of what was seen: the turns that led there, the ruling on the last, and how well it fits."""

    kind: str
    """``nothing``, ``turn``, ``turns`` (one was missed), ``part`` (a turn is under way) or ``unexplained``."""
    layout: Layout
    fit: float
    moves: tuple[Any, ...] = ()
    ruling: Ruling | None = None


def readings(game: AnyGame, state: Any, seen: Observation, weights: Weights = WEIGHTS) -> list[Reading]:
    """Explanations of what was seen, the best first; there is always one."""
    before = game.layout(state)
    found: list[Reading] = []
    for layout, fit in islice(likely_layouts(before, seen, weights.misread), 32):
        # Handicaps only lower a fit, so later, less likely layouts cannot overtake a clear winner.
        if found and max(reading.fit for reading in found) > fit:
            break
        found += _explain(game, state, before, layout, fit, weights)
    return sorted(found, key=lambda reading: -reading.fit)


def margin(ranked: list[Reading]) -> float:
    """How much better the best reading is than the next one that ends in another picture or another ruling."""
    best = ranked[0]
    others = [r for r in ranked[1:] if r.layout != best.layout or r.kind != best.kind or r.moves != best.moves]
    return best.fit - others[0].fit if others else math.inf


def likely_layouts(before: Layout, seen: Observation, misread: float) -> Iterator[tuple[Layout, float]]:
    """Whole tables in the order of their likelihood; places that were hidden stay as they were."""
    choices = [(place, _choices(odds, before.get(place), misread)) for place, odds in seen.items()]
    open_places = [(place, ranked) for place, ranked in choices if len(ranked) > 1]
    best = {place: ranked[0][0] for place, ranked in choices}
    top = -sum(ranked[0][1] for _, ranked in choices)
    for cost, flips in _cheapest_flips([[c - ranked[0][1] for _, c in ranked] for _, ranked in open_places]):
        chosen = dict(best)
        for index, rank in flips:
            place, ranked = open_places[index]
            chosen[place] = ranked[rank][0]
        yield _laid(before, chosen), top - cost


def differences(before: Layout, after: Layout) -> tuple[Place, ...]:
    """The places where two tables differ."""
    return tuple(sorted(place for place in {*before, *after} if before.get(place) != after.get(place)))


def is_on_the_way(before: Layout, now: Layout, goal: Layout) -> bool:
    """Whether a table lies between two others: what changes is as it was, as it will be, or empty in between."""
    return now != goal and all(
        now.get(place) in (was, will) or (now.get(place) is None and was != will)
        for place in {*before, *now, *goal}
        for was, will in [(before.get(place), goal.get(place))]
    )


def _explain(
    game: AnyGame, state: Any, before: Layout, layout: Layout, fit: float, weights: Weights
) -> Iterator[Reading]:
    if layout == before:
        yield Reading("nothing", layout, fit)
        return
    turns = [(move, judge(game, state, move)) for move in explanations(game, state, layout)]
    for move, ruling in turns:
        yield Reading("turn", layout, fit - (0 if ruling.legal else weights.illegal), (move,), ruling)
    if any(ruling.legal for _, ruling in turns):
        return
    goals = (move for move in _some_legal(game, state) if _leads_past(game, state, move, before, layout))
    for goal in islice(goals, 1):
        yield Reading("part", layout, fit, (goal,))
    yield from islice(_two_turns(game, state, before, layout, fit, weights), 3)
    if not turns:
        yield Reading("unexplained", layout, fit - UNEXPLAINED)


def _some_legal(game: AnyGame, state: Any) -> Iterator[Any]:
    """Legal moves, but of a list without end only the first; games name plain moves before elaborate ones."""
    return islice(each_legal(game, state), _MOST_TRIED)


def _leads_past(game: AnyGame, state: Any, move: Any, before: Layout, layout: Layout) -> bool:
    return is_on_the_way(before, layout, game.layout(game.play(state, move)))


def _two_turns(
    game: AnyGame, state: Any, before: Layout, layout: Layout, fit: float, weights: Weights
) -> Iterator[Reading]:
    changed = set(differences(before, layout))
    for first in _some_legal(game, state):
        between = game.play(state, first)
        touched = differences(before, game.layout(between))
        # A first turn that left no trace in what is seen now was no turn of these two.
        if not touched or not changed.issuperset(touched):
            continue
        for second in explanations(game, between, layout):
            ruling = judge(game, between, second)
            handicap = weights.missed + (0 if ruling.legal else weights.illegal)
            yield Reading("turns", layout, fit - handicap, (first, second), ruling)


def _choices(odds: Odds, was: Piece | None, misread: float) -> list[tuple[Piece | None, float]]:
    """What may lie on a place, likeliest first, with its cost; what lay there before is always thinkable."""
    costs = {piece: min(misread, -math.log(max(share, 1e-12))) for piece, share in odds.items()}
    costs.setdefault(was, misread)
    return sorted(costs.items(), key=lambda choice: (choice[1], choice[0] != was))[:4]


def _cheapest_flips(costs: list[list[float]]) -> Iterator[tuple[float, tuple[tuple[int, int], ...]]]:
    """Ways to depart from the best choice everywhere, cheapest first: pairs of list and rank."""
    order = sorted(range(len(costs)), key=lambda i: costs[i][1])
    waiting: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
    while waiting:
        cost, flips = heapq.heappop(waiting)
        yield cost, tuple((order[at], rank) for at, rank in flips)
        last, rank = flips[-1] if flips else (-1, 0)
        grown = []
        if last + 1 < len(order):
            grown.append((*flips, (last + 1, 1)))
            if rank == 1:
                grown.append((*flips[:-1], (last + 1, 1)))
        if flips and rank + 1 < len(costs[order[last]]):
            grown.append((*flips[:-1], (last, rank + 1)))
        for more in grown:
            heapq.heappush(waiting, (sum(costs[order[at]][rank] for at, rank in more), more))


def _laid(before: Layout, chosen: dict[Place, Piece | None]) -> Layout:
    merged = {**before, **chosen}
    return {place: piece for place, piece in merged.items() if piece is not None}
