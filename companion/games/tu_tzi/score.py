"""Tu Tzi's points: trines, squares and special hands, an item each; and who wins by them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.games.tu_tzi.cards import (
    ANIMAL,
    ANIMALS,
    COLUMN,
    ELEMENT,
    ELEMENTS,
    GRID,
    GROUPS,
    ROW,
    SQUARES,
    TRINES,
    Group,
    known,
    names,
)
from companion.games.tu_tzi.match import Match
from companion.said import called, joined, say
from companion.scoring import Item, Outcome, Scoresheet
from companion.table import Place

GOAL = 360
ROUNDS = 5
UNITY, DIVERSITY, BASIC = say("Unity"), say("Diversity"), say("Basic")
POINTS = {
    ("trine", UNITY): 30,
    ("trine", DIVERSITY): 10,
    ("square", UNITY): 50,
    ("square", DIVERSITY): 20,
}
RULE = {"trine": "6.1", "square": "6.2"}


class SpecialHand(NamedTuple):
    name: str
    points: int


FENG_SHUI = SpecialHand(say("Feng Shui"), 180)
COUP = SpecialHand(say("Coup D'Etat"), 210)
TRIUMVERATE = SpecialHand(say("Triumverate"), 250)
CHURCH = SpecialHand(say("Church & State"), 300)
IMPERIUM = SpecialHand(say("Elemental Imperium"), 360)
SPECIAL_HANDS = (FENG_SHUI, COUP, TRIUMVERATE, CHURCH, IMPERIUM)

BY_UNITY_TRINES = {1: IMPERIUM, 2: CHURCH, 3: TRIUMVERATE, 4: COUP}
BY_UNITY_SQUARES = {1: IMPERIUM, 2: CHURCH, 3: TRIUMVERATE}
BY_DIVERSITY = {4: COUP, 5: FENG_SHUI}


def score(match: Match) -> Scoresheet:
    """The points of this round's formations as they lie now; what earlier rounds gave is in the totals."""
    checkerboard = match.options["checkerboard"] == "on"
    items = [
        item
        for seat, player in enumerate(match.players)
        for item in _items(player, seat, known(match.formation(seat)), checkerboard)
    ]
    return Scoresheet(match.players, tuple(items))


def outcome(match: Match) -> Outcome:
    """Decided by the totals and the number of rounds that are over alone (7.1)."""
    if match.totals is None or not match.players:
        return Outcome()
    totals = [total or 0 for total in match.totals]
    most = max(totals)
    if most < GOAL and match.rounds_over < ROUNDS:
        return Outcome()
    first = [player for player, total in zip(match.players, totals, strict=True) if total == most]
    if len(first) == 1:
        return Outcome(first[0], False, "7.1", say("{winner} wins with {n} points", winner=called(first[0]), n=most))
    if match.options["tie"] == "another-round":
        return Outcome()
    return Outcome(
        None, True, "7.1", say("{winners} share the win with {n} points", winners=joined(map(called, first)), n=most)
    )


def points_of(cards: Iterable[int], checkerboard: bool = False) -> int:
    """What a formation is worth."""
    shown = {ANIMAL[card]: ELEMENT[card] for card in cards}
    hand = special_hand(shown, checkerboard)
    return hand.points if hand else sum(POINTS.get((g.kind, q), 0) for g, q in _complete(shown))


def special_hand(shown: Mapping[int, int], checkerboard: bool = False) -> SpecialHand | None:
    """The special hand that a formation is, given the element of each animal in it (6.4, 6.5)."""
    if len(shown) < len(ANIMALS):
        return None
    elements = len(set(shown.values()))
    trines = {quality(group, shown) for group in TRINES}
    squares = {quality(group, shown) for group in SQUARES}
    if trines == {"Unity"}:
        return BY_UNITY_TRINES[elements]
    if squares == {"Unity"}:
        return BY_UNITY_SQUARES[elements]
    if trines == squares == {"Diversity"}:
        return BY_DIVERSITY[elements]
    if checkerboard and elements == 2 and any(_is_checkerboard(shown, middle) for middle in range(3)):
        return CHURCH
    return None


def quality(group: Group, shown: Mapping[int, int]) -> str:
    """Unity, Diversity or Basic, for a group that is complete."""
    elements = {shown[animal] for animal in group.animals}
    if len(elements) == 1:
        return UNITY
    return DIVERSITY if len(elements) == len(group.animals) else BASIC


def place(seat: int, card: int) -> Place:
    """Where a card lies in the standard arrangement: columns a to c are squares, rows 1 to 4 trines."""
    return f"p{seat + 1}:{'abc'[COLUMN[ANIMAL[card]]]}{ROW[ANIMAL[card]] + 1}"


def _items(player: str, seat: int, cards: tuple[int, ...], checkerboard: bool) -> Iterable[Item]:
    shown = {ANIMAL[card]: ELEMENT[card] for card in cards}
    if hand := special_hand(shown, checkerboard):
        elements = sorted(set(shown.values()))
        says = say(
            "{hand}: {elements}", hand=hand.name, elements=joined((ELEMENTS[e] for e in elements), "{some}, {more}")
        )
        number = "6.4" if special_hand(shown) else "6.5"
        yield Item(player, hand.points, number, says, tuple(place(seat, card) for card in cards))
        return
    lying = {ANIMAL[card]: card for card in cards}
    for group, found in _complete(shown):
        held = [lying[animal] for animal in group.animals]
        says = say("{group}, {quality}: {cards}", group=group.name, quality=found, cards=names(held))
        points = POINTS.get((group.kind, found), 0)
        yield Item(player, points, RULE[group.kind], says, tuple(place(seat, card) for card in held))


def _complete(shown: Mapping[int, int]) -> Iterable[tuple[Group, str]]:
    for group in GROUPS:
        if all(animal in shown for animal in group.animals):
            yield group, quality(group, shown)


def _is_checkerboard(shown: Mapping[int, int], middle: int) -> bool:
    """Whether neighbours differ when one square lies between the others; yin rows always lie between yang ones."""
    sides: tuple[set[int], set[int]] = (set(), set())
    for row, animals in enumerate(GRID):
        for column, animal in enumerate(animals):
            sides[(row + (column == middle)) % 2].add(shown[animal])
    return len(sides[0]) == len(sides[1]) == 1
