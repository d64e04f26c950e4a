"""Paiko: what to play next, found by looking some actions ahead."""

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from companion.game import Clock
from companion.games.paiko.field import (
    COLOURS,
    Action,
    Draw,
    Field,
    Move,
    Pick,
    outcome,
    picks_due,
    play,
    points_of,
)
from companion.games.paiko.patterns import TITLES, bits, counted, occupied
from companion.games.paiko.rules import quick_legal
from companion.games.paiko.weigh import (
    POINT,
    Candidate,
    balance,
    best_handful,
    candidates,
    least_welcome,
)
from companion.games.paiko.words import counted_tiles, how_many_points, with_article
from companion.said import called, joined, say
from companion.scoring import Advice

_WON = 10_000.0
_ADVISED = 5
_DEEPEST = 8
_WIDTHS = (24, 10, 7, 5)
"""How many actions are looked at in each ply beyond the second, from the root on."""
_REPLIES = 12
_FIRST_LOOK = 80
"""How many actions are looked at with their replies."""
_FIRST_HANDS = {7: ("SSEWIAA", "SSSEWIA", "SBEWIAA"), 9: ("SSSEWWIAA", "SSEEWIIAA", "SSBEEWIAA")}
"""Hands that can threaten near and far, run and cover."""


Ranked: TypeAlias = tuple[float, Candidate]


class _TimeIsUp(Exception):
    pass


class _Search:
    """Looks ahead until the clock says stop; values are the mover's, in tenths of a point."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self.clock = clock
        self.until = clock() + seconds

    def value(self, field: Field, depth: int, ply: int, alpha: float, beta: float) -> float:
        if self.clock() > self.until:
            raise _TimeIsUp
        if outcome(field).over:
            return self._ending(field, ply)
        if depth == 0:
            return balance(field)
        width = _REPLIES if depth == 1 and ply == 1 else _WIDTHS[min(ply, len(_WIDTHS) - 1)]
        found = candidates(field)[:width]
        if not found:
            return balance(field)
        best = -2 * _WON
        for candidate in found:
            best = max(
                best, -self.value(_settled(field, candidate.action), depth - 1, ply + 1, -beta, -max(alpha, best))
            )
            if best >= beta:
                break
        return best

    def _ending(self, field: Field, ply: int) -> float:
        winner = outcome(field).winner
        if winner is None:
            return 0.0
        return (_WON - ply) * (1 if winner == COLOURS[field.mover] else -1)

    def ranking(self, field: Field, found: list[Candidate]) -> list[Ranked]:
        """The actions with their values, best first, as deep as time allows."""
        children = {candidate: _settled(field, candidate.action) for candidate in found}
        ranked = _best_first((-self._glance(children[candidate]), candidate) for candidate in found)
        for depth in range(1, _DEEPEST):
            done = self._looked_into(ranked[: _FIRST_LOOK if depth == 1 else _WIDTHS[0]], children, depth)
            deeper = {candidate for _, candidate in done}
            ranked = [*_best_first(done), *(pair for pair in ranked if pair[1] not in deeper)]
            if self.clock() > self.until or abs(ranked[0][0]) > _WON / 2:
                break
        return ranked

    def _looked_into(self, ranked: list[Ranked], children: dict[Candidate, Field], depth: int) -> list[Ranked]:
        """The same actions valued so many plies beyond, as many of them as time allows."""
        done: list[Ranked] = []
        best = -2 * _WON
        with contextlib.suppress(_TimeIsUp):
            for _, candidate in ranked:
                # A little room below the best, so that the next best are told apart too.
                value = -self.value(children[candidate], depth, 1, -2 * _WON, -(best - POINT / 2))
                best = max(best, value)
                done.append((value, candidate))
        return done

    def _glance(self, child: Field) -> float:
        return self._ending(child, 1) if outcome(child).over else balance(child)


def _best_first(ranked: Iterable[Ranked]) -> list[Ranked]:
    return sorted(ranked, key=lambda pair: -pair[0])


def advise(field: Field, seconds: float, clock: Clock) -> tuple[Advice[Move], ...]:
    if outcome(field).over:
        return ()
    if field.owed:
        return tuple(_pick_advice(field))
    if number := picks_due(field):
        return tuple(_hand_advice(field, number))
    found = candidates(field)
    if not found:
        return tuple(
            Advice(move, 0.0, say("nothing better can be done")) for move in list(quick_legal(field))[:_ADVISED]
        )
    now = balance(field)
    ranked = _Search(seconds * 0.92, clock).ranking(field, found)
    return tuple(
        Advice(candidate.action, round((value - now) / POINT, 1), _because(field, candidate))
        for value, candidate in ranked[:_ADVISED]
    )


def _settled(field: Field, action: Action) -> Field:
    """The position after an action and the picks that follow from it."""
    after = play(field, action)
    while after.owed and not outcome(after).over:
        after = play(after, Pick(least_welcome(after.enemy.hand, after.enemy.reserve)[0]))
    return after


def _pick_advice(field: Field) -> list[Advice[Move]]:
    capturer = called(COLOURS[1 - field.mover])
    return [
        Advice(
            Pick(kind),
            0.0,
            say(
                "of {capturer}'s reserve {tile} helps {capturer} little",
                capturer=capturer,
                tile=with_article(TITLES[kind]),
            ),
        )
        for kind in least_welcome(field.enemy.hand, field.enemy.reserve)[:_ADVISED]
    ]


def _hand_advice(field: Field, number: int) -> list[Advice[Move]]:
    if number in _FIRST_HANDS:
        return [
            Advice(Draw(counted(hand)), 0.0, say("a hand that threatens near and far, runs and covers"))
            for hand in _FIRST_HANDS[number]
        ]
    best = best_handful(field.mine.hand, field.mine.reserve, number)
    return [Advice(Draw(best), 0.0, say("it is what the hand lacks most"))]


def _because(field: Field, candidate: Candidate) -> str:
    """The reason in words: the win, the points, the tiles captured and the tiles saved."""
    mover, after = field.mover, play(field, candidate.action)
    if (ended := outcome(after)).winner == COLOURS[mover]:
        return say("wins the game: {why}", why=ended.says)
    words = []
    won = points_of(mover, after.sides[mover].board) - points_of(mover, field.mine.board)
    if won > 0:
        words.append(say("wins {points}", points=how_many_points(won)))
    gone = [tile for tile in field.enemy.board if tile not in after.sides[1 - mover].board]
    if gone:
        cost = points_of(1 - mover, gone)
        takes = joined(say("{tile} on {place}", tile=tile.title, place=tile.place) for tile in gone)
        why = say("captures {tiles}", tiles=takes)
        if cost:
            enemy, points = called(COLOURS[1 - mover]), how_many_points(cost)
            why = say("{why}, which costs {enemy} {points}", why=why, enemy=enemy, points=points)
        words.append(why)
    if saved := _saved(field, after):
        words.append(say("saves {tiles}", tiles=saved))
    if isinstance(candidate.action, Draw):
        words.append(
            say("brings {tiles} to hand", tiles=joined(counted_tiles(candidate.action.tiles), "{some}, {more}"))
        )
    return joined(words, "{some}, {more}") or _quietly(field, after)


def _saved(field: Field, after: Field) -> str:
    """The own tiles that the enemy could capture next, were it their turn now, and no longer can."""
    mover = field.mover
    before = _attacked(replace(field, mover=1 - mover, owed=0))
    if not before:
        return ""
    still = _attacked(replace(after, owed=0)) if after.mover != mover else 0
    safe = [tile for tile in field.mine.board if tile.bit & before and not tile.bit & still]
    return joined(say("the {tile} on {place}", tile=tile.title, place=tile.place) for tile in safe)


def _attacked(field: Field) -> int:
    """The squares of the waiting player on which the mover can capture at once."""
    attacked = 0
    for candidate in candidates(field):
        attacked |= candidate.hits
    return attacked


def _quietly(field: Field, after: Field) -> str:
    enemy = occupied(field.enemy.board)
    aimed = [tile for tile in after.sides[field.mover].board if tile not in field.mine.board and tile.threat & enemy]
    if aimed:
        places = sorted({tile.place for other in aimed for tile in field.enemy.board if other.threat & tile.bit})
        return say("threatens {places}", places=joined(places))
    gained = 0
    for tile in after.sides[field.mover].board:
        if tile not in field.mine.board:
            gained |= tile.threat
    number = sum(1 for _ in bits(gained & ~enemy))
    return say("opens {n} squares to deploy on", n=number) if number else say("keeps everything covered")
