"""What hands could do in a match of Tu Tzi, legal or not."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, product

from companion.games.tu_tzi.cards import ANIMAL, DECK, GROUPS, animals_in, known
from companion.games.tu_tzi.match import (
    OVER,
    SWITCH,
    BlindSwitch,
    Build,
    Deal,
    Discard,
    Exchange,
    Match,
    Move,
    Pass,
    Recruit,
)
from companion.games.tu_tzi.score import outcome


def conceivable(match: Match, shown: Collection[int] | None = None) -> Iterator[Move]:
    """Whatever the mover could do with cards that are known, in any phase; stock cards are drawn unseen.

    To have an arrangement judged is no turn, and only a match that is followed goes on with the next deal. Where it is
    said which cards are shown, these may be built in any way, and others that the mover only may hold in none.
    """
    if match.mover is None or outcome(match).over:
        return
    if match.phase == OVER:
        if match.followed:
            yield Deal()
    elif match.phase == SWITCH:
        yield from switches(match, match.mover)
        yield Pass()
    else:
        yield from (Recruit(card) for card in (None, *known(match.tops)))
        yield from dict.fromkeys(chain(builds(match, match.mover, shown), _any_cards(match, match.mover, shown)))
        yield from exchanges(match, match.mover)
        yield from discards(match, match.mover)
        yield Pass()


def switches(match: Match, seat: int) -> Iterator[Move]:
    own = known(match.formation(seat))
    others = [i for i in range(len(match.players)) if i != seat]
    lying = [*_pool(match, seat), *(card for i in others for card in known(match.formation(i))), *known(match.tops)]
    yield from (Exchange(card, other) for card in own for other in lying)
    yield from (BlindSwitch(card, i) for card in own for i in others if match.hands[i] is not None)
    yield from (BlindSwitch(card, None) for card in own)


def revealing(match: Match) -> Iterator[Move]:
    """Draws from where the card is unknown, with each card that it can have been."""
    if match.mover is None or outcome(match).over:
        return
    hidden = [card for card in DECK if not match.lies_open(card)]
    if match.phase == SWITCH:
        for move in switches(match, match.mover):
            if isinstance(move, BlindSwitch):
                yield from (replace(move, drawn=card) for card in hidden)
    elif match.is_open:
        yield from (Recruit(None, card) for card in hidden)


def dealt(match: Match, shown: Iterable[int]) -> Iterator[Deal]:
    """Deals by real hands, with the card that came to light as the first of the discard pile."""
    if match.phase == OVER and match.followed and match.seed is None and not outcome(match).over:
        yield from map(Deal, shown)


def _pool(match: Match, seat: int) -> tuple[int, ...]:
    """The cards a player holds or, as far as the hand is unknown, may hold."""
    hand = match.hands[seat]
    if hand is None or None not in hand:
        return known(hand)
    return (*known(hand), *(card for card in DECK if card not in hand and not match.lies_open(card)))


def builds(match: Match, seat: int, shown: Collection[int] | None = None) -> Iterator[Build]:
    """Cards that complete one group, or several at once where the hand is known or the cards are shown."""
    pool = _pool(match, seat)
    is_known = len(pool) == len(match.hands[seat] or ())
    if shown is not None:
        held = known(match.hands[seat])
        pool = tuple(card for card in pool if card in shown or card in held)
    animals = animals_in(match.formation(seat))
    missing = {group.bits & ~animals for group in GROUPS} - {0}
    wanted = {bits for bits in missing if not bits & ~animals_in(pool)}
    if is_known or shown is not None:
        wanted = _unions(wanted)
    for bits in sorted(wanted):
        choices = ([card for card in pool if 1 << ANIMAL[card] == bit] for bit in _bits(bits))
        yield from (Build(tuple(sorted(cards))) for cards in product(*choices))


def begun(match: Match, shown: Collection[int]) -> Iterator[Build]:
    """Builds of which some cards came to light out of an unknown hand, with any card for each that is missing."""
    seat = match.mover
    if seat is None or None not in (match.hands[seat] or ()):
        return
    laid = [card for card in shown if not match.lies_open(card)]
    held = {1 << ANIMAL[card]: card for card in reversed(_pool(match, seat))}
    there = animals_in((*match.formation(seat), *laid))
    wanted = {one.bits | other.bits for one in GROUPS for other in GROUPS}
    for missing in sorted({bits & ~there for bits in wanted if laid} - {0}):
        if all(bit in held for bit in _bits(missing)):
            yield Build(tuple(sorted((*laid, *(held[bit] for bit in _bits(missing))))))


def _unions(sets: set[int]) -> set[int]:
    found: set[int] = set()
    for bits in sets:
        found |= {bits, *(bits | other for other in found)}
    return found


def _bits(animals: int) -> Iterator[int]:
    return (1 << i for i in range(animals.bit_length()) if animals >> i & 1)


def _any_cards(match: Match, seat: int, shown: Collection[int] | None) -> Iterator[Build]:
    """Cards that need not complete anything: those that are known to be held, or came to light."""
    hand = {*known(match.hands[seat])}
    if shown is not None and None in (match.hands[seat] or ()):
        hand |= {card for card in shown if not match.lies_open(card)}
    return (Build(cards) for n in range(1, 5) for cards in combinations(sorted(hand), n))


def exchanges(match: Match, seat: int) -> Iterator[Exchange]:
    pool = _pool(match, seat)
    return (Exchange(own, other) for own in known(match.formation(seat)) for other in pool)


def discards(match: Match, seat: int) -> Iterator[Discard]:
    cards = (*_pool(match, seat), *known(match.formation(seat)))
    return (Discard(card, pile) for card in cards for pile in (0, 1))
