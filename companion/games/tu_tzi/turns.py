"""How a match of Tu Tzi goes on: deals, the phases of a turn, the end of a round."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from companion.game import Options, Unreadable
from companion.games.tu_tzi.cards import ANIMAL, DECK, Cards, complete_groups, doubled, in_order
from companion.games.tu_tzi.match import (
    BUILD,
    OVER,
    RECRUIT,
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
    still_owed,
    trimmed,
)
from companion.games.tu_tzi.score import outcome, score

HAND = 7


def setup(players: tuple[str, ...], options: Options, rng: Random) -> Match:
    """The first dealer is the first who is dealt a rat face up (3.1); then the cards are shuffled anew."""
    if any(not player.strip() or player != player.strip() for player in players):
        raise Unreadable("a player's name is a word", "players")
    deck = list(DECK)
    rng.shuffle(deck)
    dealer = next(i for i, card in enumerate(deck) if ANIMAL[card] == 0) % len(players)
    match = Match(players, dealer, 1, (0,) * len(players), 0, followed=True, seed=rng.getrandbits(32), options=options)
    return _dealt(match, rng)


def play(match: Match, move: Move) -> Match:
    """What is known after a move; a card that was not where the move says is taken from wherever it is."""
    if match.mover is None:
        return match
    match move:
        case Recruit(card, drawn):
            return _recruited(match, card, drawn)
        case Build(cards):
            return _built(match, cards)
        case Exchange(own, other):
            return _switched(match, own, other) if match.phase == SWITCH else _exchanged(match, own, other)
        case BlindSwitch():
            return _blindly_switched(match, move)
        case Discard(card, pile):
            return _discarded(match, card, pile)
        case Pass():
            return _passed(match)
        case Deal(top):
            return _next_round(match, top)
        case _:
            return match


def give_turn(match: Match, player: str) -> Match:
    """Another player's turn begins, within the phase of the round; extra cards were for who was to move."""
    phase = RECRUIT if match.phase == BUILD else match.phase
    return replace(match, mover=match.players.index(player), phase=phase, owed=0)


def cleared_of(match: Match, card: int) -> Match:
    """The match with a card nowhere: gone from the table, and unknown where somebody was thought to hold it."""
    return replace(
        match,
        formations=tuple(_without(cards, card) for cards in match.formations),
        piles=None if match.piles is None else trimmed(tuple(_without(pile, card) or () for pile in match.piles)),
        hands=tuple(_unknown(hand, card) for hand in match.hands),
        stock=_unknown(match.stock, card, keep_order=True),
    )


def can_recruit(match: Match) -> bool:
    return not match.stock_is_gone or bool(match.tops)


def blind_card(match: Match, move: BlindSwitch) -> int | None:
    """The card that a blind switch draws, where that is known: of several, the one the seed points at."""
    source = match.stock if move.seat is None else match.hands[move.seat]
    if move.drawn is not None or not source:
        return move.drawn
    if move.seat is None:
        return source[0]
    return Random(f"{match.seed}/{match.round}/{move.own}/{source}").choice(source)


def _recruited(match: Match, card: int | None, drawn: int | None) -> Match:
    seat = _seat(match)
    stock = match.stock
    if card is None:
        if match.stock_is_gone:
            return match
        top = stock[0] if stock else None
        stock = stock[1:] if stock else stock
        card = drawn if drawn is not None else top
    cleared = replace(match, stock=stock) if card is None else cleared_of(replace(match, stock=stock), card)
    shown = card if match.is_open or drawn is not None else _as_known(match.hands[seat], card)
    return _drawn(_with_hand(cleared, _and(cleared.hands[seat], shown)))


def _drawn(match: Match) -> Match:
    """After a recruit: the next extra card, or building."""
    owed = max(0, match.owed - 1)
    return _due(replace(match, owed=owed, passes=0))


def _due(match: Match) -> Match:
    if match.owed and can_recruit(match):
        return replace(match, phase=RECRUIT, owed=still_owed(match, match.owed))
    return replace(match, phase=BUILD, owed=0)


def _built(match: Match, cards: Iterable[int]) -> Match:
    for card in cards:
        match = _played(match, card)
        match = _with_formation(match, _seat(match), (*match.formation(_seat(match)), card))
    return _paid(match)


def _exchanged(match: Match, own: int, other: int) -> Match:
    seat = _seat(match)
    before = match.hands[seat]
    match = _played(match, other)
    kept = (_without(match.formation(seat), own) or ()) if own in match.formation(seat) else match.formation(seat)
    match = cleared_of(match, own)
    match = _with_formation(match, seat, (*kept, other))
    return _paid(_with_hand(match, _and(match.hands[seat], _as_known(before, own))))


def _paid(match: Match) -> Match:
    """Every group that is complete for the first time in the round earns an extra card (4.2)."""
    seat = _seat(match)
    new = complete_groups(match.formation(seat)) & ~match.earned[seat]
    if not new:
        return replace(match, phase=match.phase or BUILD)
    earned = tuple(groups | new if i == seat else groups for i, groups in enumerate(match.earned))
    return _due(replace(match, earned=earned, owed=match.owed + new.bit_count()))


def _discarded(match: Match, card: int, pile: int) -> Match:
    match = _played(match, card)
    piles = list(match.piles or ())
    piles += [()] * (pile + 1 - len(piles))
    piles[pile] = (card, *piles[pile]) if match.followed else (card,)
    match = replace(match, piles=tuple(piles), owed=0, passes=0)
    if all(match.is_complete(seat) for seat in range(len(match.players))):
        return _round_ended(match)
    return _next_turn(match)


def _passed(match: Match) -> Match:
    if match.phase == SWITCH:
        return _after_switch(match)
    if match.phase == OVER:
        return match
    match = replace(match, passes=match.passes + 1, owed=0)
    return _round_ended(match) if match.passes >= len(match.players) else _next_turn(match)


def _next_turn(match: Match) -> Match:
    return replace(match, mover=match.left_of(_seat(match)), phase=RECRUIT)


def _round_ended(match: Match) -> Match:
    """To the Tu Tzi phase, or straight to the points."""
    return _first_switcher(replace(match, owed=0, passes=0), match.from_the_left())


def _after_switch(match: Match) -> Match:
    order = match.from_the_left()
    return _first_switcher(match, order[order.index(_seat(match)) + 1 :])


def _first_switcher(match: Match, order: Iterable[int]) -> Match:
    """Nothing is earned any more: what a position says of that is what its formations show."""
    earned = tuple(complete_groups(match.formation(seat)) for seat in range(len(match.players)))
    match = replace(match, earned=earned)
    for seat in order:
        if match.may_switch(seat):
            return replace(match, mover=seat, phase=SWITCH)
    return _tallied(match)


def _tallied(match: Match) -> Match:
    """The points of the round go to the totals; who sits left of the dealer deals next, if there is a next round."""
    points = score(match).points
    before = match.totals or ((0,) * len(match.players) if match.round == 1 else None)
    totals = before and tuple(
        (total or 0) + points[player] for total, player in zip(before, match.players, strict=True)
    )
    rounds = match.rounds + 1 if match.rounds is not None else match.round
    tallied = replace(match, totals=totals, rounds=rounds, mover=None, phase=OVER)
    if match.dealer is None or outcome(tallied).over:
        return tallied
    return replace(tallied, mover=match.left_of(match.dealer))


def _switched(match: Match, own: int, other: int) -> Match:
    """One card of the formation for another wherever that lies; the own card goes where the other one was."""
    seat = _seat(match)
    formations = tuple(_swap(cards, own, other) for cards in match.formations)
    piles = match.piles and tuple(_swap(pile, own, other) or () for pile in match.piles)
    hands = list(match.hands)
    if other in (hands[seat] or ()) or not match.lies_open(other):
        before = hands[seat]
        match = _played(match, other)
        hands = list(match.hands)
        hands[seat] = _and(hands[seat], _as_known(before, own))
    swapped = replace(match, formations=formations, piles=piles, hands=tuple(hands))
    return _after_switch(_ordered(swapped))


def _blindly_switched(match: Match, move: BlindSwitch) -> Match:
    seat = _seat(match)
    drawn = blind_card(match, move)
    source = match.stock if move.seat is None else match.hands[move.seat]
    kept = _without(match.formation(seat), move.own) or ()
    if drawn is not None and doubled((*kept, drawn)):
        return match if match.options["blind-double"] == "again" else _after_switch(match)
    if drawn is not None:
        match = cleared_of(match, drawn)
    match = _with_formation(cleared_of(match, move.own), seat, (*kept, drawn))
    if move.seat is None:
        stock = match.stock and (_as_known(source, move.own), *match.stock[1:])
        return _after_switch(replace(match, stock=stock))
    hands = list(match.hands)
    hands[move.seat] = _and(_less_one(hands[move.seat]), _as_known(source, move.own))
    return _after_switch(replace(match, hands=tuple(hands)))


def _next_round(match: Match, top: int | None) -> Match:
    """The deal passes to the left; without a seed the cards are dealt by real hands and nobody knows them."""
    number = (match.round or match.rounds_over) + 1
    match = replace(match, dealer=match.mover, round=number, arrangement=None)
    if match.seed is not None:
        return _dealt(match, Random(f"{match.seed}/{number}"))
    seats = len(match.players)
    unknown: Cards = (None,) * HAND
    return _begun(match, (unknown,) * seats, (None,) * (len(DECK) - HAND * seats - 1), top)


def _dealt(match: Match, rng: Random) -> Match:
    """One card after the other to each player, from the dealer's left; the next one starts the discard pile (3.2)."""
    deck = list(DECK)
    rng.shuffle(deck)
    seats = match.from_the_left()
    hands = {seat: in_order(deck[i : HAND * len(seats) : len(seats)]) for i, seat in enumerate(seats)}
    rest = deck[HAND * len(seats) :]
    return _begun(match, tuple(hands[seat] for seat in sorted(hands)), tuple(rest[1:]), rest[0])


def _begun(match: Match, hands: tuple[Cards, ...], stock: Cards, top: int | None) -> Match:
    seats = len(match.players)
    return replace(
        match,
        mover=match.from_the_left()[0],
        phase=RECRUIT,
        formations=((),) * seats,
        hands=hands,
        stock=stock,
        piles=None if top is None else ((top,),),
        earned=(0,) * seats,
        owed=0,
        passes=0,
    )


def _played(match: Match, card: int) -> Match:
    """The match after a card left the mover's hand, or the table if it lies there."""
    hand = match.hands[_seat(match)]
    if card in (hand or ()):
        return _with_hand(match, _without(hand, card))
    held_unseen = not match.lies_open(card)
    match = cleared_of(match, card)
    return _with_hand(match, _less_one(match.hands[_seat(match)])) if held_unseen else match


def _seat(match: Match) -> int:
    assert match.mover is not None
    return match.mover


def _with_hand(match: Match, hand: Cards | None) -> Match:
    seat = _seat(match)
    return replace(match, hands=tuple(hand if i == seat else held for i, held in enumerate(match.hands)))


def _with_formation(match: Match, seat: int, cards: Cards) -> Match:
    held = in_order(cards)
    return replace(match, formations=tuple(held if i == seat else other for i, other in enumerate(match.formations)))


def _ordered(match: Match) -> Match:
    return replace(match, formations=tuple(cards and in_order(cards) for cards in match.formations))


def _and(hand: Cards | None, card: int | None) -> Cards | None:
    return None if hand is None else in_order((*hand, card))


def _as_known(cards: Cards | None, card: int | None) -> int | None:
    """A card as those among which it goes are known: what was just a number of cards stays one."""
    return card if not cards or any(cards) else None


def _without(cards: Cards | None, card: int) -> Cards | None:
    return None if cards is None else tuple(held for held in cards if held != card)


def _unknown(cards: Cards | None, card: int, keep_order: bool = False) -> Cards | None:
    if cards is None or card not in cards:
        return cards
    forgotten = (None if held == card else held for held in cards)
    return tuple(forgotten) if keep_order else in_order(forgotten)


def _less_one(hand: Cards | None) -> Cards | None:
    """A hand without one of its unknown cards, if it has any."""
    return hand[:-1] if hand and hand[-1] is None else hand


def _swap(cards: Cards | None, one: int, other: int) -> Cards | None:
    exchanged = {one: other, other: one}
    return cards and tuple(None if card is None else exchanged.get(card, card) for card in cards)
