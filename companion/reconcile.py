"""From what was seen to what happened: ranks the turns that could explain the table, legal or not.

Legality is a prior, never a filter: if only legal moves were considered, the camera would explain a cheat away and no
dispute could be settled. Every explanation is weighed by how well its picture fits what was seen, and an illegal turn,
a second turn or a table that nothing explains only starts with a handicap.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Any, TypeAlias

from companion.game import AnyGame, each_legal, explanations, is_legal, judge
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
_MOST_LAYOUTS = 32
_MOST_PUZZLED = 3
"""Of so many layouts that no legal turn explains a longer story is sought."""
_MOST_CHANGED = 8
_MOST_UNDONE = 2


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
    puzzling: list[tuple[Layout, float]] = []
    for layout, fit in islice(likely_layouts(before, seen, weights.misread), _MOST_LAYOUTS):
        # Handicaps only lower a fit, so later, less likely layouts cannot overtake a clear winner.
        if _best(found) > fit:
            break
        plain = list(_explain_plainly(game, state, before, layout, fit, weights))
        found += plain
        if not any(reading.kind == "nothing" or (reading.ruling and reading.ruling.legal) for reading in plain):
            puzzling.append((layout, fit))
    goals = _goals(game, state) if puzzling else []
    for layout, fit in puzzling[:_MOST_PUZZLED]:
        if fit > _best(found):
            found += _explain_at_length(game, state, before, layout, fit, weights, goals)
    if puzzling:
        found.append(Reading("unexplained", puzzling[0][0], puzzling[0][1] - 3 * weights.misread))
    return sorted(found, key=lambda reading: -reading.fit)


def _best(found: list[Reading]) -> float:
    return max((reading.fit for reading in found), default=-math.inf)


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


def _explain_plainly(
    game: AnyGame, state: Any, before: Layout, layout: Layout, fit: float, weights: Weights
) -> Iterator[Reading]:
    """Nothing, or one turn."""
    if layout == before:
        yield Reading("nothing", layout, fit)
        return
    for move in explanations(game, state, layout):
        ruling = judge(game, state, move)
        yield Reading("turn", layout, fit - (0 if ruling.legal else weights.illegal), (move,), ruling)


def _explain_at_length(
    game: AnyGame, state: Any, before: Layout, layout: Layout, fit: float, weights: Weights, goals: "_Goals"
) -> Iterator[Reading]:
    """A turn under way, or two turns of which one was missed."""
    for goal in islice((move for move, goal in goals if is_on_the_way(before, layout, goal)), 1):
        yield Reading("part", layout, fit, (goal,))
    for first, second, ruling in islice(_two_turns(game, state, before, layout, goals), 3):
        handicap = weights.missed + (0 if ruling.legal else weights.illegal)
        yield Reading("turns", layout, fit - handicap, (first, second), ruling)


_Goals: TypeAlias = list[tuple[Any, Layout]]


def _goals(game: AnyGame, state: Any) -> _Goals:
    """Legal moves and their tables; of a list without end the first, for plain moves come before elaborate ones."""
    return [(move, game.layout(game.play(state, move))) for move in islice(each_legal(game, state), _MOST_TRIED)]


def _two_turns(
    game: AnyGame, state: Any, before: Layout, layout: Layout, goals: _Goals
) -> Iterator[tuple[Any, Any, Ruling]]:
    """Both turns and the ruling on the second; the first was legal, or it would not have been played over."""
    for first in _firsts(game, state, before, layout, goals):
        between = game.play(state, first)
        for second in explanations(game, between, layout):
            yield first, second, judge(game, between, second)


def _firsts(game: AnyGame, state: Any, before: Layout, layout: Layout, goals: _Goals) -> Iterator[Any]:
    """Legal turns that may have come first: those that account for some of what differs, then those of which the
    second turn undid a part, as a capture does."""
    changed = differences(before, layout)
    if len(changed) > _MOST_CHANGED:
        return
    for some in chain.from_iterable(combinations(changed, n) for n in range(1, len(changed))):
        halfway = _laid(before, {place: layout.get(place) for place in some})
        yield from (move for move in explanations(game, state, halfway) if is_legal(game, state, move))
    for move, goal in goals:
        touched = set(differences(before, goal))
        if 0 < len(touched.difference(changed)) <= _MOST_UNDONE:
            yield move


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
