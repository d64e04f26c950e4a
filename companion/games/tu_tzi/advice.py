"""Tu Tzi: what to recruit, build, exchange, discard and switch, by expected points over the cards not seen.

Nothing here looks at more than the mover may see. The gain of an advice is the points that the mover can expect of the
round, or in the Tu Tzi phase what the switch changes: the own points less those it gives the other player touched.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from companion.game import Clock
from companion.games.tu_tzi.cards import ANIMAL, GROUPS, Cards, complete_groups, doubled, known, names
from companion.games.tu_tzi.formations import best_formation, best_points
from companion.games.tu_tzi.match import (
    RECRUIT,
    SWITCH,
    BlindSwitch,
    Build,
    Deal,
    Discard,
    Exchange,
    Match,
    Move,
    Recruit,
)
from companion.games.tu_tzi.prospects import draws_left, own_cards, prospects, unseen_cards
from companion.games.tu_tzi.rules import quick_legal, seen_by, touched_seat
from companion.games.tu_tzi.score import points_of
from companion.games.tu_tzi.turns import play
from companion.said import called, joined, say
from companion.scoring import Advice

HORIZON = 4
"""So many draws ahead are imagined at most: a hand cannot keep all that comes later."""
SECONDS_A_LOOK = 60e-6
"""What finding the best formation of ten cards takes, roughly; each further card takes a quarter more."""


@dataclass(frozen=True, slots=True)
class _Futures:
    """What the stock may bring: every set of so many unseen cards if these are few, else the same sample each time."""

    unseen: tuple[int, ...]
    looks: int
    checkerboard: bool

    def expect(self, cards: Iterable[int], draws: int) -> float:
        """The mean of the best points that some cards make with so many draws."""
        held = tuple(cards)
        drawn = self.drawn(draws)
        return sum(best_points((*held, *future), self.checkerboard) for future in drawn) / len(drawn)

    def drawn(self, draws: int) -> Sequence[tuple[int, ...]]:
        draws = min(draws, len(self.unseen))
        if self.is_exact(draws):
            return list(combinations(self.unseen, draws))
        rng = Random(25)
        stocks = (rng.sample(self.unseen, min(HORIZON + len(GROUPS), len(self.unseen))) for _ in range(self.looks))
        return [tuple(stock[:draws]) for stock in stocks]

    def is_exact(self, draws: int) -> bool:
        return comb(len(self.unseen), min(draws, len(self.unseen))) <= max(self.looks, len(self.unseen))

    def how(self, draws: int) -> str:
        if self.is_exact(draws):
            return say("over all unseen cards")
        return say("over {n} imagined stocks", n=self.looks)


def advise(match: Match, seconds: float, clock: Clock) -> tuple[Advice[Move], ...]:
    """Moves worth playing, best first, by what the mover may know; the time sets how many futures are imagined."""
    if match.mover is None:
        return ()
    view = seen_by(match, match.players[match.mover])
    moves = [move for move in quick_legal(view) if _is_certain(view, move)]
    if view.phase == SWITCH:
        found = [_switch(view, move) for move in moves]
    elif view.phase == RECRUIT:
        found = _recruits(view, moves, seconds)
    else:
        found = _turn(view, moves, seconds)
    found.sort(key=lambda advice: -advice.gain)
    if found and seconds >= 0.25 and not isinstance(found[0].move, Deal):
        found[0] = Advice(
            found[0].move, found[0].gain, say("{why}; {reach}", why=found[0].because, reach=_in_reach(view))
        )
    return tuple(found)


def _is_certain(view: Match, move: Move) -> bool:
    """Whether the cards a move plays from the hand are known to be there: nobody is advised on cards not told."""
    hand = known(view.hands[view.mover or 0])
    match move:
        case Build(cards):
            return all(card in hand for card in cards)
        case Discard(card):
            return card in hand or view.lies_open(card)
        case Exchange(_, other):
            return other in hand or view.lies_open(other)
        case _:
            return True


def _recruits(view: Match, moves: Sequence[Move], seconds: float) -> list[Advice[Move]]:
    seat = view.mover or 0
    own, laid = own_cards(view, seat), known(view.formation(seat))
    futures = _futures(view, seconds, len(moves))
    ahead = min(HORIZON, draws_left(view, seat) + max(0, view.owed - 1))
    found: list[Advice[Move]] = []
    for move in moves:
        if not isinstance(move, Recruit):
            # Of equal ones the pass: who draws for nothing keeps the round from ending.
            now = points_of(laid, futures.checkerboard)
            found.append(Advice(move, now + 1e-4, say("keeps the {n} points of the formation", n=now)))
        elif move.card is None:
            expected = futures.expect(own, max(1, ahead))
            found.append(Advice(move, expected, _expects(expected, futures, max(1, ahead))))
        else:
            after = max(0, ahead - 1)
            expected = futures.expect((*own, move.card), after)
            says = _closing(_expects(expected, futures, after), own, (*own, move.card))
            found.append(Advice(move, expected, says))
    return found


def _turn(view: Match, moves: Sequence[Move], seconds: float) -> list[Advice[Move]]:
    """Groups that earn extra cards first, then exchanges that better the formation, then the discard."""
    seat = view.mover or 0
    own, laid = own_cards(view, seat), known(view.formation(seat))
    futures = _futures(view, seconds, sum(isinstance(move, Discard | Build) for move in moves))
    ahead = min(HORIZON, draws_left(view, seat))
    discards = [_discard(own, move, futures, ahead) for move in moves if isinstance(move, Discard)]
    kept = max((advice.gain for advice in discards), default=0.0)
    found: list[Advice[Move]] = [*discards]
    found += [_build(view, move, futures, ahead) for move in moves if isinstance(move, Build)]
    best = best_formation(
        (card for card in own if ANIMAL[card] in {ANIMAL[held] for held in laid}), futures.checkerboard
    )
    raised = best.points - points_of(laid, futures.checkerboard)
    for move in moves:
        if isinstance(move, Deal):
            found.append(Advice(move, 0.0, say("begins the next round")))
        elif isinstance(move, Exchange) and raised > 0 and _leads_to(move, best.cards):
            says = say(
                "leads to a formation of {n} points on the table, {more} more than now", n=best.points, more=raised
            )
            found.append(Advice(move, kept + raised / 1000, says))
    return found


def _discard(own: tuple[int, ...], move: Discard, futures: _Futures, ahead: int) -> Advice[Move]:
    rest = tuple(card for card in own if card != move.card)
    expected = futures.expect(rest, ahead)
    # Of equal ones goes the card with the fewest partners; a second pile is started for no reason of points.
    gain = expected - _partners(move.card, rest) / 1e4 - move.pile / 1e6
    return Advice(move, gain, _expects(expected, futures, ahead))


def _build(view: Match, move: Build, futures: _Futures, ahead: int) -> Advice[Move]:
    seat = view.mover or 0
    after = play(view, move)
    earned = after.earned[seat].bit_count() - view.earned[seat].bit_count()
    own, laid = own_cards(view, seat), known(after.formation(seat))
    expected = futures.expect(own, ahead + earned)
    says = _closing(_expects(expected, futures, ahead + earned), view.formation(seat), laid)
    return Advice(move, expected + points_of(laid, futures.checkerboard) / 1000, says)


def _switch(view: Match, move: Move) -> Advice[Move]:
    seat = view.mover or 0
    checkerboard = view.options["checkerboard"] == "on"
    laid = known(view.formation(seat))
    now = points_of(laid, checkerboard)
    if isinstance(move, BlindSwitch):
        kept = tuple(card for card in laid if card != move.own)
        drawn = unseen_cards(view, seat)
        values = [now if doubled((*kept, card)) else points_of((*kept, card), checkerboard) for card in drawn]
        expected = sum(values) / len(values) if values else now
        return Advice(
            move,
            expected - now,
            say("{expected:.1f} points on average over all unseen cards, {n} now", expected=expected, n=now),
        )
    if not isinstance(move, Exchange):
        return Advice(move, 0.0, say("keeps the {n} points of the formation", n=now))
    after = play(view, move)
    gain = points_of(known(after.formation(seat)), checkerboard) - now
    says = say("makes {then} points of {n}", then=now + gain, n=now)
    other = touched_seat(view, move)
    if other is None:
        return Advice(move, gain, says)
    before, then = (points_of(known(held.formation(other)), checkerboard) for held in (view, after))
    return Advice(
        move,
        gain - (then - before),
        say("{why}, and {then} of {player}'s {n}", why=says, then=then, player=called(view.players[other]), n=before),
    )


def _futures(view: Match, seconds: float, moves: int) -> _Futures:
    seat = view.mover or 0
    cards = len(own_cards(view, seat)) + min(HORIZON, draws_left(view, seat))
    cost = SECONDS_A_LOOK * 1.25 ** max(0, cards - 10)
    looks = max(16, min(400, int(seconds / cost / max(1, moves))))
    return _Futures(unseen_cards(view, seat), looks, view.options["checkerboard"] == "on")


def _expects(expected: float, futures: _Futures, draws: int) -> str:
    return say(
        "{expected:.1f} points to expect with {n} more cards, {how}",
        expected=expected,
        n=draws,
        how=futures.how(draws),
    )


def _closing(why: str, before: Cards, after: Cards) -> str:
    """The same with the groups that are complete only after it."""
    new = complete_groups(after) & ~complete_groups(before)
    closed = [group.name for i, group in enumerate(GROUPS) if new >> i & 1]
    return say("{why}; completes {groups}", why=why, groups=joined(closed)) if closed else why


def _leads_to(move: Exchange, best: tuple[int, ...]) -> bool:
    return ANIMAL[move.own] == ANIMAL[move.other] and move.other in best


def _partners(card: int, rest: Iterable[int]) -> int:
    """How many of the other cards share a group with a card, as another animal."""
    groups = [group.animals for group in GROUPS if ANIMAL[card] in group.animals]
    others = [ANIMAL[other] for other in rest if ANIMAL[other] != ANIMAL[card]]
    return sum(animal in animals for animal in others for animals in groups)


def _in_reach(view: Match) -> str:
    """The special hand that promises most, in words."""
    promising = max(prospects(view, view.players[view.mover or 0]), key=lambda found: found.chance * found.hand.points)
    if promising.missing is None or not promising.chance:
        return say("no special hand is in reach")
    if not promising.missing:
        return say("{hand} is in hand", hand=promising.hand.name)
    return say(
        "{hand} lacks {cards} or the like, which come in about {chance:.0%} of all stocks if nothing is let go",
        hand=promising.hand.name,
        cards=names(promising.missing),
        chance=promising.chance,
    )
