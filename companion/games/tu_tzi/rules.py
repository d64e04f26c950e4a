"""Tu Tzi: the rules that a move can break, and how the table looks to whom."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from companion.game import Unreadable
from companion.games.tu_tzi.arrangement import fault_of
from companion.games.tu_tzi.cards import (
    ANIMAL,
    DECK,
    ELEMENT,
    GROUPS,
    Cards,
    complete_groups,
    doubled,
    in_order,
    known,
    name,
    names,
)
from companion.games.tu_tzi.match import (
    BUILD,
    OVER,
    RECRUIT,
    SWITCH,
    Arrange,
    BlindSwitch,
    Build,
    Deal,
    Discard,
    Exchange,
    Match,
    Move,
    Pass,
    Recruit,
    trimmed,
)
from companion.games.tu_tzi.moves import begun, builds, conceivable, dealt, discards, exchanges, revealing
from companion.games.tu_tzi.score import outcome, place, special_hand
from companion.games.tu_tzi.turns import cleared_of, play
from companion.rules import Breach, Told, rule
from companion.said import called, joined, say
from companion.table import Layout, Piece, Place


def to_move(match: Match) -> str | None:
    return None if match.mover is None or outcome(match).over else match.players[match.mover]


def quick_legal(match: Match) -> Iterator[Move]:
    """The legal moves without trying what belongs to another phase."""
    tried: Iterable[Move] = conceivable(match)
    if match.phase == BUILD and match.mover is not None and not match.is_open and not outcome(match).over:
        seat = match.mover
        tried = chain(builds(match, seat), exchanges(match, seat), discards(match, seat))
    return (move for move in tried if not any(check(match, move) for check in CHECKS))


@rule("7.1")
def the_match_goes_on(match: Match, move: Move) -> Breach | None:
    """Nobody plays on when the match is decided."""
    if isinstance(move, Arrange) or not (ended := outcome(match)).over:
        return None
    return Breach(ended.says)


@rule("2.1")
def an_animal_lies_once(match: Match, move: Move) -> Breach | None:
    """A formation holds one card of an animal at most."""
    twice = doubled(_formation_after(match, move))
    if not twice:
        return None
    return Breach(say("{cards} are the same animal", cards=names(sorted(twice))), _places(match, twice))


@rule("2.2")
def lines_are_groups_and_alternate(match: Match, move: Move) -> Breach | None:
    """Rows are trines and columns squares, and neighbouring rows differ in polarity."""
    if not isinstance(move, Arrange) or match.arrangement is None:
        return None
    fault = fault_of(match.arrangement)
    return Breach(fault[0], _places(match, fault[1])) if fault else None


@rule("3.2")
def a_second_pile_is_for_four_or_five(match: Match, move: Move) -> Breach | None:
    """Three players or fewer discard to one pile."""
    if not isinstance(move, Discard) or move.pile == 0 or len(match.players) >= 4 or len(match.piles or ()) > 1:
        return None
    return Breach(say("{n} players have one discard pile", n=len(match.players)), ("discard:2",))


@rule("4.1")
def a_turn_begins_with_one_recruit(match: Match, move: Move) -> Breach | None:
    """First the top card of the stock or of a discard pile is drawn, once."""
    if match.phase == RECRUIT and not match.owed and isinstance(move, Build | Exchange | Discard):
        return Breach(say("{mover} has not recruited yet", mover=_mover(match)))
    if not isinstance(move, Recruit) or match.phase in (SWITCH, OVER):
        return None
    if match.phase == BUILD:
        return Breach(say("{mover} has recruited already", mover=_mover(match)))
    if move.card is None or match.piles is None or move.card in match.tops:
        return None
    return Breach(say("{card} is not the top card of a discard pile", card=name(move.card)), ("discard:1",))


@rule("4.2")
def building_completes_a_group(match: Match, move: Move) -> Breach | None:
    """Cards of the hand go down to complete a trine or square; extra cards are recruited at once."""
    if match.phase in (SWITCH, OVER) or not isinstance(move, Build | Exchange | Discard):
        return None
    if match.owed:
        return Breach(say("{mover} still recruits {n} for completed groups", mover=_mover(match), n=match.owed))
    if isinstance(move, Exchange):
        return _exchange_breach(match, move)
    if isinstance(move, Discard):
        return None
    if strangers := _not_in_hand(match, move.cards):
        return Breach(say("{mover} does not hold {cards}", mover=_mover(match), cards=names(strangers)))
    idle = () if match.is_open else _idle(match, move.cards)
    if idle:
        return Breach(say("{cards} completes no trine or square", cards=names(idle)), _places(match, idle))
    return None


@rule("4.4")
def a_turn_ends_with_a_discard(match: Match, move: Move) -> Breach | None:
    """One card of the hand is kept for the discard that ends the turn."""
    if match.phase in (SWITCH, OVER) or match.mover is None:
        return None
    if isinstance(move, Discard):
        if not _not_in_hand(match, (move.card,)) or move.card in _loose(match):
            return None
        return Breach(say("{mover} does not hold {card}", mover=_mover(match), card=name(move.card)))
    hand = match.hands[match.mover]
    if not isinstance(move, Build) or hand is None or len(hand) > len(move.cards):
        return None
    if match.is_open and _loose(play(match, move)):
        return None
    return Breach(say("{mover} keeps no card to discard", mover=_mover(match)))


@rule("4.5")
def only_an_empty_stock_lets_pass(match: Match, move: Move) -> Breach | None:
    """Nobody draws from a stock that is gone, and only then a player may pass instead of recruiting."""
    if match.phase in (SWITCH, OVER):
        return None
    if isinstance(move, Recruit) and move.card is None and match.stock_is_gone:
        return Breach(say("the stock is gone"), ("stock",))
    if not isinstance(move, Pass):
        return None
    if not match.stock_is_gone:
        return Breach(say("the stock is not gone"), ("stock",))
    if match.phase == BUILD or match.owed:
        return Breach(say("{mover} has recruited and ends the turn with a discard", mover=_mover(match)))
    return None


@rule("4.6")
def the_round_goes_on_until_it_ends(match: Match, move: Move) -> Breach | None:
    """After the end of the round cards are dealt, and not before."""
    if match.phase == OVER and not isinstance(move, Deal | Arrange):
        return Breach(say("the round is over"))
    if match.phase != OVER and isinstance(move, Deal):
        return Breach(say("the round is not over"))
    return None


@rule("5.1")
def tu_tzi_switches_what_is_there(match: Match, move: Move) -> Breach | None:
    """Who has card 25 in the formation may switch one card with one that lies where it may be taken."""
    if match.phase != SWITCH:
        return Breach(say("this is not the Tu Tzi phase")) if isinstance(move, BlindSwitch) else None
    if isinstance(move, Pass | Arrange) or match.mover is None:
        return None
    if not isinstance(move, Exchange | BlindSwitch):
        return Breach(say("the Tu Tzi phase knows a switch or a pass"))
    if not match.may_switch(match.mover):
        card = match.tu_tzi_of(match.mover)
        wanted = say("birth-year card that is known") if card is None else name(card)
        return Breach(say("{mover} has no {card} in the formation", mover=_mover(match), card=wanted))
    if move.own not in match.formation(match.mover):
        return Breach(
            say("{card} is not in {mover}'s formation", card=name(move.own), mover=_mover(match)),
            _places(match, (move.own,)),
        )
    return _absence(match, move)


@rule("5.3")
def a_special_hand_is_immune(match: Match, move: Move) -> Breach | None:
    """Nothing is taken from a player whose formation is a special hand."""
    if match.phase != SWITCH:
        return None
    seat = touched_seat(match, move)
    if seat is None or not _is_special(match, seat):
        return None
    lit = tuple(place(seat, card) for card in known(match.formation(seat)))
    return Breach(say("{player} has a special hand", player=called(match.players[seat])), lit)


@rule("5.4")
def a_switch_doubles_no_animal(match: Match, move: Move) -> Breach | None:
    """After the switch no formation shows an animal twice."""
    if match.phase != SWITCH or not isinstance(move, Exchange):
        return None
    after = play(match, move)
    for seat, player in enumerate(match.players):
        if twice := doubled(after.formation(seat)):
            lit = tuple(place(seat, card) for card in twice)
            return Breach(
                say("{player}'s formation would show {cards}", player=called(player), cards=names(sorted(twice))), lit
            )
    return None


CHECKS = (
    the_match_goes_on,
    an_animal_lies_once,
    lines_are_groups_and_alternate,
    a_second_pile_is_for_four_or_five,
    a_turn_begins_with_one_recruit,
    building_completes_a_group,
    a_turn_ends_with_a_discard,
    only_an_empty_stock_lets_pass,
    the_round_goes_on_until_it_ends,
    tu_tzi_switches_what_is_there,
    a_special_hand_is_immune,
    a_switch_doubles_no_animal,
)


def layout(match: Match) -> Layout:
    """Formations in the standard arrangement and the tops of the discard piles; open hands beside the formations."""
    lying = {
        place(seat, card): Piece(str(card))
        for seat in range(len(match.players))
        for card in known(match.formation(seat))
    }
    for i, pile in enumerate(match.piles or ()):
        if pile and pile[0] is not None:
            lying[f"discard:{i + 1}"] = Piece(str(pile[0]))
    if match.is_open:
        for seat, hand in enumerate(match.hands):
            lying.update((f"p{seat + 1}:h{min(i, 3) + 1}", Piece(str(card))) for i, card in enumerate(known(hand)))
    return lying


def unseen(match: Match, move: Move) -> bool:
    return layout(play(match, move)) == layout(match)


def explain(match: Match, seen: Layout) -> Iterator[Move]:
    """The moves that make the table look so, among them draws whose card was told by the picture alone."""
    shown = {piece.tile for piece in seen.values()}
    cards = _cards(shown)
    for move in chain(conceivable(match, cards), revealing(match), dealt(match, cards)):
        if _can_show(match, move, shown) and layout(play(match, move)) == seen:
            yield move


def suspects(match: Match, seen: Layout) -> Iterator[Move]:
    """The legal moves, of a hand that is not known only with cards that lie there, or that go with those."""
    shown = _cards(piece.tile for piece in seen.values())
    moves = chain(conceivable(match, shown), begun(match, shown), dealt(match, shown))
    return (move for move in moves if not any(check(match, move) for check in CHECKS))


def _cards(tiles: Iterable[str]) -> set[int]:
    return {int(tile) for tile in tiles if tile.isdigit()}


def _can_show(match: Match, move: Move, shown: set[str]) -> bool:
    """Whether what a move lays down is to be seen, or lies below another card of its animal; playing takes longer."""
    laid = _laid_down(move)
    return all(str(card) in shown or _may_be_covered(match, card, laid) for card in laid)


def _may_be_covered(match: Match, card: int, laid: tuple[int, ...]) -> bool:
    own = () if match.mover is None else known(match.formation(match.mover))
    return any(other != card and ANIMAL[other] == ANIMAL[card] for other in (*own, *laid))


def _laid_down(move: Move) -> tuple[int, ...]:
    match move:
        case Build(cards):
            return cards
        case Discard(card, _) | Exchange(_, card):
            return (card,)
        case BlindSwitch(_, _, drawn) if drawn is not None:
            return (drawn,)
        case _:
            return ()


def seen_by(match: Match, player: str | None) -> Match:
    """Without the stock, the other hands (if they are not open) and what deals are derived from."""
    own = match.players.index(player) if player in match.players else None
    hands = tuple(
        hand if seat == own or match.is_open or hand is None else (None,) * len(hand)
        for seat, hand in enumerate(match.hands)
    )
    stock = None if match.stock is None else (None,) * len(match.stock)
    return replace(match, hands=hands, stock=stock, seed=None)


def at_a_glance(match: Match) -> Match:
    """The formations and the tops of the discard piles; whose turn it is, hands and stock nobody can see."""
    return Match(
        match.players,
        formations=match.formations,
        hands=(None,) * len(match.players),
        piles=tuple(pile[:1] for pile in match.piles or ()),
        earned=tuple(complete_groups(match.formation(seat)) for seat in range(len(match.players))),
        options=match.options,
    )


def held(match: Match, player: str) -> tuple[str, ...]:
    """The cards of a hand that are known."""
    hand = match.hands[match.players.index(player)] or ()
    return tuple(str(card) for card in hand if card is not None)


def in_hand(match: Match, player: str) -> int | None:
    hand = match.hands[match.players.index(player)]
    return None if hand is None else len(hand)


def hold(match: Match, player: str, cards: tuple[str, ...]) -> Match:
    """The cards that a player told; those not named stay unknown."""
    if unknown := [card for card in cards if not card.isdigit() or int(card) not in DECK]:
        raise Unreadable(say("there is no card {card}", card=unknown[0]), "tiles")
    unnamed = max(0, (in_hand(match, player) or 0) - len(cards))
    hands, seat = list(match.hands), match.players.index(player)
    hands[seat] = (*sorted(map(int, cards)), *(None,) * unnamed)
    return replace(match, hands=tuple(hands))


def tell(match: Match, move: Move) -> Told:
    """What a legal move does, in words that tell no secret."""
    mover = _mover(match)
    match move:
        case Recruit(None):
            return Told(say("{mover} recruits the top card of the stock", mover=mover), ("stock",))
        case Recruit(card) if card is not None:
            return Told(say("{mover} recruits {card} from the discard pile", mover=mover, card=name(card)))
        case Build(cards):
            closed = _completed(match, play(match, move))
            says = say("{mover} builds with {cards}", mover=mover, cards=names(cards))
            if closed:
                says = say("{told} and completes {groups}", told=says, groups=joined(closed))
            return Told(says, _places(match, cards))
        case Exchange(own, other):
            return Told(
                say("{mover} exchanges {own} for {other}", mover=mover, own=name(own), other=name(other)),
                _places(match, (own, other)),
            )
        case BlindSwitch(own, seat):
            source = (
                say("the top card of the stock")
                if seat is None
                else say("a blind card of {player}'s hand", player=called(match.players[seat]))
            )
            return Told(
                say("{mover} switches {own} for {source}", mover=mover, own=name(own), source=source),
                _places(match, (own,)),
            )
        case Discard(card, pile):
            return Told(say("{mover} discards {card}", mover=mover, card=name(card)), (f"discard:{pile + 1}",))
        case Deal():
            return Told(say("{mover} deals round {n}", mover=mover, n=(match.round or 0) + 1))
        case Arrange():
            return Told(say("rows are trines, columns are squares, and neighbouring rows differ in polarity"))
        case _:
            return Told(say("{mover} passes", mover=mover))


def amend(match: Match, where: Place, piece: Piece | None) -> Match:
    """What lies on the place is so; a card that comes is nowhere else, one that goes is forgotten."""
    card = int(piece.tile) if piece is not None else None
    cleared = match if card is None else cleared_of(match, card)
    if where.startswith("discard:"):
        return _within_the_deck(_amend_pile(cleared, int(where[-1]) - 1, card), match, card)
    seat = int(where[1]) - 1
    if ":h" in where or seat >= len(match.players):
        return match
    kept = [held for held in cleared.formation(seat) if held is None or place(seat, held) != where]
    formations = list(cleared.formations)
    formations[seat] = in_order([*kept, card] if card is not None else kept)
    return _within_the_deck(replace(cleared, formations=tuple(formations)), match, card, seat)


def _within_the_deck(match: Match, before: Match, card: int | None, seat: int | None = None) -> Match:
    """One unknown card less where a card that came to light was, if there were more than the deck has otherwise: in the
    hand or stock that was thought to hold it, else in the hand of whose formation it is now, the stock, another hand.
    """
    piles = [*match.formations, *match.hands, match.stock, *(match.piles or ())]
    if sum(len(cards or ()) for cards in piles) <= len(DECK):
        return match
    unseen, was = [*match.hands, match.stock], [*before.hands, before.stock]
    stock = len(match.hands)
    likeliest = sorted(range(len(unseen)), key=lambda i: (card not in (was[i] or ()), i != seat, i != stock))
    source = next((i for i in likeliest if None in (unseen[i] or ())), None)
    if source is None:
        return match
    fewer = list(unseen[source] or ())
    fewer.remove(None)
    unseen[source] = tuple(fewer)
    return replace(match, hands=tuple(unseen[:stock]), stock=unseen[stock])


def touched_seat(match: Match, move: Move) -> int | None:
    """Whose formation or hand a switch takes from, if it is another player's."""
    if isinstance(move, BlindSwitch):
        return move.seat
    if isinstance(move, Exchange):
        others = (seat for seat in range(len(match.players)) if seat != match.mover)
        return next((seat for seat in others if move.other in match.formation(seat)), None)
    return None


def _formation_after(match: Match, move: Move) -> Cards:
    """What an arrangement shows, or a build or exchange of cards that are there; the Tu Tzi phase has its own rule."""
    if isinstance(move, Arrange):
        return tuple(card for row in match.arrangement or () for card in row)
    if match.phase in (SWITCH, OVER) or match.mover is None:
        return ()
    lying = match.formation(match.mover)
    if isinstance(move, Build) and not _not_in_hand(match, move.cards):
        return (*lying, *move.cards)
    if isinstance(move, Exchange) and move.own in lying and not _not_in_hand(match, (move.other,)):
        return (*(card for card in lying if card != move.own), move.other)
    return ()


def _not_in_hand(match: Match, cards: Iterable[int]) -> tuple[int, ...]:
    """The cards that the mover cannot hold, by what everybody sees and the mover's own hand."""
    hand = match.hands[match.mover] if match.mover is not None else None
    strangers = tuple(card for card in cards if card not in (hand or ()))
    lying = tuple(card for card in strangers if match.lies_open(card))
    unknown = len(DECK) if hand is None else hand.count(None)
    return lying or (strangers if len(strangers) > unknown else ())


def _idle(match: Match, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a build that belong to no group which it completes."""
    before = match.formation(match.mover or 0)
    new = complete_groups((*before, *cards)) & ~complete_groups(before)
    used = [group.bits for i, group in enumerate(GROUPS) if new >> i & 1]
    return tuple(card for card in cards if not any(bits >> ANIMAL[card] & 1 for bits in used))


def _loose(match: Match) -> tuple[int, ...]:
    """In the open game, the cards of the mover's formation that belong to no complete group."""
    if not match.is_open or match.mover is None:
        return ()
    lying = match.formation(match.mover)
    full = complete_groups(lying)
    used = [group.bits for i, group in enumerate(GROUPS) if full >> i & 1]
    return tuple(card for card in known(lying) if not any(bits >> ANIMAL[card] & 1 for bits in used))


def _exchange_breach(match: Match, move: Exchange) -> Breach | None:
    if match.mover is not None and move.own not in match.formation(match.mover):
        return Breach(
            say("{card} is not in {mover}'s formation", card=name(move.own), mover=_mover(match)),
            _places(match, (move.own,)),
        )
    if _not_in_hand(match, (move.other,)):
        return Breach(say("{mover} does not hold {card}", mover=_mover(match), card=name(move.other)))
    return None


def _absence(match: Match, move: Exchange | BlindSwitch) -> Breach | None:
    if isinstance(move, Exchange):
        return (
            None
            if _can_be_taken(match, move.other)
            else Breach(say("{card} lies nowhere to be taken", card=name(move.other)))
        )
    if move.drawn is not None and match.lies_open(move.drawn):
        return Breach(say("{card} lies open", card=name(move.drawn)))
    if move.seat is None:
        return Breach(say("the stock is gone"), ("stock",)) if match.stock_is_gone else None
    if move.seat == match.mover:
        return Breach(say("a blind card comes from another player's hand"))
    return (
        Breach(say("{player} holds no card", player=called(match.players[move.seat])))
        if match.hands[move.seat] == ()
        else None
    )


def _can_be_taken(match: Match, card: int) -> bool:
    if card in match.tops or touched_seat(match, Exchange(0, card)) is not None:
        return True
    hand = match.hands[match.mover] if match.mover is not None else None
    return card in (hand or ()) or (None in (hand or ()) and not match.lies_open(card))


def _is_special(match: Match, seat: int) -> bool:
    shown = {ANIMAL[card]: ELEMENT[card] for card in known(match.formation(seat))}
    return special_hand(shown, match.options["checkerboard"] == "on") is not None


def _completed(before: Match, after: Match) -> list[str]:
    """The names of the groups that a build of the mover completed."""
    seat = before.mover or 0
    new = complete_groups(after.formation(seat)) & ~complete_groups(before.formation(seat))
    return [group.name for i, group in enumerate(GROUPS) if new >> i & 1]


def _amend_pile(match: Match, pile: int, card: int | None) -> Match:
    piles = list(match.piles or ())
    piles += [()] * (pile + 1 - len(piles))
    piles[pile] = (card, *piles[pile][1:]) if card is not None else ()
    return replace(match, piles=trimmed(tuple(piles)))


def _places(match: Match, cards: Iterable[int]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place(match.mover or 0, card) for card in cards))


def _mover(match: Match) -> str:
    return say("nobody") if match.mover is None else called(match.players[match.mover])
