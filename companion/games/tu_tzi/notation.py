"""Tu Tzi's notation: ``<stock``, ``<14``, ``+3,5,22``, ``5<>29``, ``>9``, ``pass``, and positions as JSON.

Keys of ours beside those of the rules, each only where the rest does not say it: ``order`` (the stock, its top first),
``below`` (the cards under the top of each discard pile, where the match is followed from its deal; without it a
covered card is forgotten and ``deal`` is not listed among the legal moves), ``earned`` (groups such as ``t1`` or
``s3`` that had their extra card, where these are not just the complete ones), ``owed`` (extra cards to recruit, where
these are several or one could pass), ``passes`` (in a row), ``births`` (lunar years, for 5.5) and ``seed`` (what the
next deal is derived from). ``null`` is a card that is there but not known. Moves of ours: ``deal`` begins the next
round, and ``<stock:17``, ``5<>stock:17``, ``5<>north?:17``, ``deal:17`` name a card that the position does not know.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

from pydantic import Field

from companion.border import PositionShape, read_shape
from companion.game import Unreadable, choose_options
from companion.games.tu_tzi.cards import ANIMAL, ANIMALS, DECK, GROUPS, Cards, complete_groups, in_order, names
from companion.games.tu_tzi.match import (
    OPTIONS,
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
    still_owed,
    trimmed,
)
from companion.said import say

_CARD = r"([1-9][0-9]?)"
_RECRUIT = re.compile(rf"<(?:{_CARD}|stock(?::{_CARD})?)")
_BUILD = re.compile(rf"\+({_CARD}(?:,{_CARD})*)")
_EXCHANGE = re.compile(rf"{_CARD}<>{_CARD}")
_BLIND = re.compile(rf"{_CARD}<>(?:stock|(.+)\?)(?::{_CARD})?")
_DISCARD = re.compile(rf">{_CARD}(:2)?")
_DEAL = re.compile(rf"deal(?::{_CARD})?")
_GROUP_NAMES = tuple(f"{group.kind[0]}{group.number}" for group in GROUPS)
_EXAMPLES = "<stock, <14, +3,5,22, 5<>29, 5<>north?, 5<>stock, >9, >9:2, pass, layout"

T = TypeVar("T")


class _Position(PositionShape):
    players: list[str] | None = None
    dealer: str | None = None
    round: int | None = Field(None, ge=1)
    totals: dict[str, int] | None = None
    rounds: int | None = Field(None, ge=0)
    to_move: str | None = None
    phase: Literal["recruit", "build", "tu tzi", "over"] | None = None
    formations: dict[str, list[int | None]] | None = None
    hands: dict[str, int | list[int | None]] | None = None
    stock: int | None = None
    discards: list[int | None] | None = Field(None, max_length=2)
    layout: list[list[int | None]] | None = None
    order: list[int | None] | None = None
    below: list[list[int]] | None = None
    earned: dict[str, list[str]] | None = None
    owed: int = Field(0, ge=0, le=len(GROUPS))
    passes: int = Field(0, ge=0)
    births: dict[str, int] | None = None
    seed: int | None = None


def read_position(given: Mapping[str, Any]) -> Match:
    shape = read_shape(_Position, given)
    players = _players(shape)
    formations = _by_seat(shape.formations, players, "formations")
    for player, cards in (shape.formations or {}).items():
        _no_double(cards, f"formations.{player}")
    hands = _by_seat(shape.hands, players, "hands")
    match = Match(
        players,
        _seat(shape.dealer, players, "dealer"),
        shape.round,
        _by_seat(shape.totals, players, "totals") if shape.totals is not None else None,
        shape.rounds,
        _seat(shape.to_move, players, "to_move"),
        shape.phase,
        tuple(None if cards is None else in_order(cards) for cards in formations),
        tuple(None if cards is None else in_order(_pile(cards, "hands")) for cards in hands),
        _stock(shape),
        _piles(shape),
        shape.below is not None,
        None if shape.layout is None else tuple(tuple(row) for row in shape.layout),
        owed=shape.owed,
        passes=shape.passes,
        births=_by_seat(shape.births, players, "births") if shape.births else (),
        seed=shape.seed,
        options=choose_options(OPTIONS, shape.options),
    )
    _check_cards(match, players)
    return _completed(match, shape)


def write_position(match: Match) -> dict[str, Any]:
    tops = match.piles and [pile[0] if pile else None for pile in match.piles]
    complete = tuple(complete_groups(match.formation(seat)) for seat in range(len(match.players)))
    held = {
        "game": "tu_tzi",
        "players": list(match.players) or None,
        "dealer": _name(match, match.dealer),
        "round": match.round,
        "totals": match.totals and _named(match, match.totals),
        "rounds": match.rounds,
        "to_move": _name(match, match.mover),
        "phase": match.phase,
        "formations": _named(match, [None if cards is None else list(cards) for cards in match.formations]) or None,
        "hands": _named(match, [None if hand is None else _written(hand, []) for hand in match.hands]) or None,
        "stock": None if match.stock is None else len(match.stock),
        "discards": list(tops) if tops is not None else None,
        "layout": match.arrangement and [list(row) for row in match.arrangement],
        "order": list(match.stock) if match.stock and any(match.stock) else None,
        "below": [list(pile[1:]) for pile in match.piles or ()] if match.followed else None,
        "earned": _named(match, [_groups(bits) for bits in match.earned]) if match.earned != complete else None,
        "owed": match.owed or None,
        "passes": match.passes or None,
        "births": _named(match, match.births) or None,
        "seed": match.seed,
        "options": match.options.as_dict() or None,
    }
    return {key: value for key, value in held.items() if value is not None}


def read_move(text: str, match: Match) -> Move:
    if text == "layout":
        if match.arrangement is None:
            raise Unreadable(say("the position has no layout to judge"), "layout")
        return Arrange()
    move = _move(text, match)
    if move is None:
        raise Unreadable(say("{text!r} is no move: write {examples}", text=text, examples=_EXAMPLES), "move")
    if match.mover is None:
        raise Unreadable(say("the position does not say whose turn it is"), "to_move")
    return move


def write_move(move: Move, match: Match) -> str:
    match move:
        case Recruit(card, drawn):
            return f"<{card}" if card is not None else f"<stock{_told(drawn)}"
        case Build(cards):
            return "+" + ",".join(str(card) for card in cards)
        case Exchange(own, other):
            return f"{own}<>{other}"
        case BlindSwitch(own, seat, drawn):
            return f"{own}<>{'stock' if seat is None else match.players[seat] + '?'}{_told(drawn)}"
        case Discard(card, pile):
            return f">{card}:2" if pile else f">{card}"
        case Pass():
            return "pass"
        case Arrange():
            return "layout"
        case Deal(top):
            return f"deal{_told(top)}"


def _move(text: str, match: Match) -> Move | None:
    if text == "pass":
        return Pass()
    if found := _RECRUIT.fullmatch(text):
        return Recruit(_optional(found[1]), _optional(found[2]))
    if found := _BUILD.fullmatch(text):
        return Build(_several(found[1]))
    if found := _EXCHANGE.fullmatch(text):
        return Exchange(_card(found[1]), _card(found[2]))
    if found := _BLIND.fullmatch(text):
        seat = _seat(found[2], match.players, "move")
        return BlindSwitch(_card(found[1]), seat, _optional(found[3]))
    if found := _DISCARD.fullmatch(text):
        return Discard(_card(found[1]), 1 if found[2] else 0)
    if found := _DEAL.fullmatch(text):
        return Deal(_optional(found[1]))
    return None


def _card(text: str) -> int:
    if int(text) not in DECK:
        raise Unreadable(say("{text} is no card: cards are 1 to 60", text=text), "move")
    return int(text)


def _optional(text: str | None) -> int | None:
    return None if text is None else _card(text)


def _several(text: str) -> tuple[int, ...]:
    cards = tuple(sorted(_card(number) for number in text.split(",")))
    if len(set(cards)) < len(cards):
        raise Unreadable(say("+{text} names a card twice", text=text), "move")
    return cards


def _told(card: int | None) -> str:
    return "" if card is None else f":{card}"


def _players(shape: _Position) -> tuple[str, ...]:
    """The players as they are named, or whoever the other keys name."""
    if shape.players is None:
        keyed = (shape.formations, shape.hands, shape.totals, shape.births)
        found = [player for key in keyed for player in key or {}]
        named = tuple(dict.fromkeys([*found, *(name for name in (shape.to_move, shape.dealer) if name)]))
    else:
        named = tuple(shape.players)
    if len(named) > 5 or shape.players == []:
        raise Unreadable(f"Tu Tzi is for 2 to 5 players, not {len(named)}", "players")
    if len(set(named)) < len(named):
        raise Unreadable("two players have the same name", "players")
    if blank := next((i for i, player in enumerate(named) if not player.strip()), None):
        raise Unreadable("a player has no name", f"players.{blank}")
    return named


def _by_seat(given: Mapping[str, T] | None, players: tuple[str, ...], at: str) -> tuple[T | None, ...]:
    for player in given or {}:
        if player not in players:
            raise Unreadable(f"there is no player {player!r}", f"{at}.{player}")
    return tuple((given or {}).get(player) for player in players)


def _seat(player: str | None, players: Sequence[str], at: str) -> int | None:
    if player is None:
        return None
    if player not in players:
        raise Unreadable(f"there is no player {player!r}", at)
    return players.index(player)


def _pile(given: int | list[int | None], at: str) -> Cards:
    if isinstance(given, int):
        if not 0 <= given <= len(DECK):
            raise Unreadable(f"{given} cards are not possible: there are 60", at)
        return (None,) * given
    return tuple(given)


def _stock(shape: _Position) -> Cards | None:
    if shape.order is None:
        return None if shape.stock is None else _pile(shape.stock, "stock")
    if shape.stock != len(shape.order):
        raise Unreadable(f"the order is that of {len(shape.order)} cards, not of the stock's", "order")
    return tuple(shape.order)


def _piles(shape: _Position) -> tuple[Cards, ...] | None:
    """The discard piles; ``null`` is one that was emptied while the other lies there."""
    below = shape.below or []
    if len(below) > len(shape.discards or ()):
        raise Unreadable("there are more piles below than tops", "below")
    if shape.discards is None:
        return None
    under = [*below, *[[]] * (len(shape.discards) - len(below))]
    piles = zip(shape.discards, under, strict=True)
    return trimmed(tuple(() if top is None else (top, *rest) for top, rest in piles))


def _no_double(cards: Sequence[int | None], at: str) -> None:
    first: dict[int, int] = {}
    for i, card in enumerate(cards):
        if card is None or card not in DECK:
            continue
        if ANIMAL[card] in first and first[ANIMAL[card]] != card:
            raise Unreadable(
                say(
                    "{cards}: a formation holds one {animal}",
                    cards=names((first[ANIMAL[card]], card)),
                    animal=ANIMALS[ANIMAL[card]],
                ),
                f"{at}.{i}",
            )
        first[ANIMAL[card]] = card


def _check_cards(match: Match, players: tuple[str, ...]) -> None:
    """Every card is one of the sixty and lies in one place; the arrangement shows a formation once more."""
    piles = {f"formations.{player}": cards for player, cards in zip(players, match.formations, strict=True)}
    piles |= {f"hands.{player}": cards for player, cards in zip(players, match.hands, strict=True)}
    piles |= {"stock": match.stock} | {f"discards.{i}": pile for i, pile in enumerate(match.piles or ())}
    seen: dict[int, str] = {}
    for at, cards in piles.items():
        _count(cards or (), at, seen)
    _count(tuple(card for row in match.arrangement or () for card in row), "layout", {})
    total = sum(len(cards or ()) for cards in piles.values())
    if total > len(DECK):
        raise Unreadable(say("there are 60 cards, not {n}", n=total), "stock")
    if len(players) in (2, 3) and len(match.piles or ()) > 1:
        raise Unreadable(f"{len(players)} players have one discard pile", "discards")


def _count(cards: Cards, at: str, seen: dict[int, str]) -> None:
    for card in cards:
        if card is None:
            continue
        if card not in DECK:
            raise Unreadable(f"{card} is no card: cards are 1 to 60", at)
        if card in seen:
            raise Unreadable(
                say("card {card} is named twice, in {one} and in {other}", card=card, one=seen[card], other=at), at
            )
        seen[card] = at


def _completed(match: Match, shape: _Position) -> Match:
    """What follows from the rest: the groups that have earned, and who has card 25 when that alone decides."""
    earned = [complete_groups(match.formation(seat)) for seat in range(len(match.players))]
    for seat, given in enumerate(_by_seat(shape.earned, match.players, "earned")):
        if given is not None:
            earned[seat] = _group_bits(given, f"earned.{match.players[seat]}")
    mover = match.mover
    if mover is None and match.phase == SWITCH:
        mover = next((seat for seat in match.from_the_left() if match.may_switch(seat)), None)
    return replace(match, earned=tuple(earned), mover=mover, owed=still_owed(match, match.owed))


def _group_bits(given: Sequence[str], at: str) -> int:
    for group in given:
        if group not in _GROUP_NAMES:
            raise Unreadable(f"{group!r} is no group: groups are {', '.join(_GROUP_NAMES)}", at)
    return sum(1 << i for i, group in enumerate(_GROUP_NAMES) if group in given)


def _groups(bits: int) -> list[str]:
    return [group for i, group in enumerate(_GROUP_NAMES) if bits >> i & 1]


def _name(match: Match, seat: int | None) -> str | None:
    return None if seat is None else match.players[seat]


def _named(match: Match, values: Sequence[T | None]) -> dict[str, T]:
    return {player: value for player, value in zip(match.players, values, strict=False) if value is not None}


def _written(cards: Cards, nothing: T) -> int | list[int | None] | T:
    if not cards:
        return nothing
    return len(cards) if all(card is None for card in cards) else list(cards)
