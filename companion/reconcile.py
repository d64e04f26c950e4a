"""From what was seen to what happened: ranks the turns that could explain the table, legal or not.

Legality is a prior, never a filter: if only legal moves were considered, the camera would explain a cheat away and no
dispute could be settled. Every explanation is weighed by how well its picture fits what was seen, and an illegal turn,
a second turn or a table that nothing explains only starts with a handicap.
"""

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from companion.game import AnyGame, explanations, is_legal, judge, suspects
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
"""Of a list without end only so many; games name what is likely before what is far-fetched."""
_MOST_PUZZLING = 3
"""Of so many layouts that no legal turn explains a longer story is sought."""
_MOST_GOALS = 40
_HALF = 1.5
"""Half a turn that waits for the rest is a little less likely than a whole one."""
_HALF_HIDDEN = 0.5
"""A turn that is done as far as can be seen is likelier than half of it."""
_MOST_UNDONE = 2
"""The second of two turns undid the first on so many places at most."""
_MOST_FIRSTS = 24
"""Of so many turns it is asked whether another one followed."""
_MOST_PAIRS = 12
"""So many pairs of turns are held against what was glimpsed between them."""
_UNEXPLAINED = 3
"""A table that no turn explains is believed only when nothing else comes near: so many misread places."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One explanation of what was seen: the turns that led there, the ruling on the last, and how well it fits."""

    kind: str
    """``nothing``, ``turn``, ``turns`` (one was missed), ``part`` (a turn is under way) or ``unexplained``."""
    layout: Layout
    fit: float
    moves: tuple[Any, ...] = ()
    ruling: Ruling | None = None
    """On the last of the moves; while a turn is under way, on what it seems to become."""


def readings(game: AnyGame, state: Any, seen: Observation, weights: Weights = WEIGHTS) -> list[Reading]:
    """Explanations of what was seen, the best first; there is always one."""
    look = _Look(game, state)
    found: list[Reading] = []
    puzzling: list[tuple[Layout, float]] = []
    for layout, fit in islice(likely_layouts(look.before, seen, weights.misread), 32):
        # Handicaps only lower a fit, so later, less likely layouts cannot overtake a clear winner.
        if _best(found) > fit:
            break
        plain = list(look.explain(layout, fit, weights))
        found += plain
        if all(reading.kind != "nothing" and not (reading.ruling and reading.ruling.legal) for reading in plain):
            puzzling.append((layout, fit))
    for layout, fit in puzzling[:_MOST_PUZZLING]:
        if fit > _best(found):
            found += look.explain_at_length(layout, fit, seen, weights)
    found += [Reading("unexplained", layout, fit - _UNEXPLAINED * weights.misread) for layout, fit in puzzling[:1]]
    return sorted(found, key=lambda reading: -reading.fit)


def _best(found: Sequence[Reading]) -> float:
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


def is_on_the_way(before: Layout, now: Layout, goal: Layout, *stages: Layout) -> bool:
    """Whether a table lies between two others: each place looks as in one of the pictures, or is empty in between."""
    return now != goal and _is_between((before, goal, *stages), now, differences(before, now))


def _is_between(pictures: Sequence[Layout], now: Layout, places: Iterable[Place]) -> bool:
    for place in places:
        looks = {picture.get(place) for picture in pictures}
        if now.get(place) not in looks and (now.get(place) is not None or len(looks) == 1):
            return False
    return True


def goals(game: AnyGame, state: Any, layout: Layout) -> Iterator[Any]:
    """The moves that a table shows half done, legal ones first."""
    return _Look(game, state).goals(layout)


class _Look:
    """What one look at the table is held against: the state before it, and where each turn from there leads."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state, self.before = game, state, game.layout(state)
        self._led: dict[Any, tuple[Any, Layout, frozenset[Place]]] = {}

    def after(self, move: Any) -> tuple[Any, Layout, frozenset[Place]]:
        """The state after a move, its picture and what differs in it, once for all tables that may have been seen."""
        if move not in self._led:
            then = self.game.play(self.state, move)
            picture = self.game.layout(then)
            self._led[move] = then, picture, frozenset(differences(self.before, picture))
        return self._led[move]

    def explain(self, layout: Layout, fit: float, weights: Weights) -> Iterator[Reading]:
        """By nothing, or by one turn."""
        if layout == self.before:
            yield Reading("nothing", layout, fit)
            return
        for move in explanations(self.game, self.state, layout):
            ruling = judge(self.game, self.state, move)
            yield Reading("turn", layout, fit - (0 if ruling.legal else weights.illegal), (move,), ruling)

    def explain_at_length(
        self, layout: Layout, fit: float, seen: Collection[Place], weights: Weights
    ) -> Iterator[Reading]:
        """By a turn under way, or by two of which one was missed."""
        under_way = list(islice(self.goals(layout, _MOST_TRIED), _MOST_GOALS))
        for goal in under_way[:1]:
            ruling = judge(self.game, self.state, goal)
            yield Reading("part", layout, fit - _HALF - (0 if ruling.legal else weights.illegal), (goal,), ruling)
        yield from self.half_hidden(under_way, layout, fit, seen, weights)
        yield from islice(self.two_turns(layout, fit, weights), _MOST_PAIRS)

    def half_hidden(
        self, under_way: Sequence[Any], layout: Layout, fit: float, seen: Collection[Place], weights: Weights
    ) -> Iterator[Reading]:
        """A turn that is done as far as can be seen; where it may be one of several, the rest is waited for."""
        done = [
            move
            for move in under_way
            if all(self.is_hidden(place, seen) for place in differences(layout, self.after(move)[1]))
            and is_legal(self.game, self.state, move)
        ]
        if len(done) == 1:
            picture = self.after(done[0])[1]
            yield Reading("turn", picture, fit + _HALF_HIDDEN, tuple(done), judge(self.game, self.state, done[0]))

    def is_hidden(self, place: Place, seen: Collection[Place]) -> bool:
        """Whether nobody could see what lies there; a cell without a name on which no tile lay is empty unless seen."""
        return place not in seen and (place in self.game.board.places or place in self.before)

    def goals(self, layout: Layout, most: int | None = None) -> Iterator[Any]:
        changed = differences(self.before, layout)
        for move in islice(suspects(self.game, self.state, layout), most):
            _, goal, touched = self.after(move)
            if layout != goal and (
                (touched.issuperset(changed) and _is_between((self.before, goal), layout, changed))
                or _is_between((self.before, goal, *self.game.stages(self.state, move, layout)), layout, changed)
            ):
                yield move

    def two_turns(self, layout: Layout, fit: float, weights: Weights) -> Iterator[Reading]:
        for first, trace in self.firsts(layout):
            between, _, _ = self.after(first)
            for second in explanations(self.game, between, layout):
                ruling = judge(self.game, between, second)
                handicap = (1 if trace else 2) * weights.missed + (0 if ruling.legal else weights.illegal)
                yield Reading("turns", layout, fit - handicap, (first, second), ruling)

    def firsts(self, layout: Layout) -> Iterator[tuple[Any, bool]]:
        """Legal turns that account for some of what differs, and whether all they did is still to be seen."""
        changed = differences(self.before, layout)
        whole, undone = list[Any](), list[Any]()
        for move in islice(suspects(self.game, self.state, layout), _MOST_TRIED):
            _, picture, touched = self.after(move)
            kept = [place for place in touched if picture.get(place) == layout.get(place)]
            if kept and len(touched) - len(kept) <= _MOST_UNDONE and touched != set(changed):
                (whole if len(kept) == len(touched) else undone).append(move)
        tried = islice(chain(((move, True) for move in whole), ((move, False) for move in undone)), _MOST_FIRSTS)
        return ((move, trace) for move, trace in tried if is_legal(self.game, self.state, move))


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
