"""Tu Tzi's sixty cards and the groups they form: rows of the standard formation are trines, columns are squares."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from companion.said import joined, say

Cards: TypeAlias = tuple[int | None, ...]
"""Cards by number; ``None`` is a card that is there but not known."""

DECK = tuple(range(1, 61))
TU_TZI = 25
ANIMALS = (
    say("rat"),
    say("ox"),
    say("tiger"),
    say("rabbit"),
    say("dragon"),
    say("snake"),
    say("horse"),
    say("sheep"),
    say("monkey"),
    say("rooster"),
    say("dog"),
    say("pig"),
)
ELEMENTS = (say("wood"), say("fire"), say("earth"), say("metal"), say("water"))
GRID = ((0, 4, 8), (9, 1, 5), (6, 10, 2), (3, 7, 11))
"""The animals of each trine, in the order of the squares."""
ALL_ANIMALS = (1 << len(ANIMALS)) - 1


class Group(NamedTuple):
    """A trine or a square: its kind and number, and its animals in order and as a set of bits."""

    kind: str
    number: int
    animals: tuple[int, ...]
    bits: int

    @property
    def name(self) -> str:
        return say("trine {n}" if self.kind == "trine" else "square {n}", n=self.number)


def _group(kind: str, number: int, animals: Iterable[int]) -> Group:
    held = tuple(animals)
    return Group(kind, number, held, sum(1 << animal for animal in held))


TRINES = tuple(_group("trine", i + 1, row) for i, row in enumerate(GRID))
SQUARES = tuple(_group("square", i + 1, column) for i, column in enumerate(zip(*GRID, strict=True)))
GROUPS = TRINES + SQUARES

ANIMAL = (0, *((n - 1) % 12 for n in DECK))
"""The animal of each card; nobody asks for card 0."""
ELEMENT = (0, *((n - 1) % 10 // 2 for n in DECK))
_TITLES = ("", *(say(f"{ELEMENTS[ELEMENT[n]]} {ANIMALS[ANIMAL[n]]}".title()) for n in DECK))
"""What is printed on each card."""
CARD = {(ANIMAL[n], ELEMENT[n]): n for n in DECK}
ROW = {animal: i for i, row in enumerate(GRID) for animal in row}
COLUMN = {animal: i for row in GRID for i, animal in enumerate(row)}


def name(card: int) -> str:
    """``25 Earth Rat``."""
    return say("{card} {title}", card=card, title=_TITLES[card])


def names(cards: Iterable[int]) -> str:
    return joined((name(card) for card in cards), "{some}, {more}")


def is_yang(card: int) -> bool:
    return card % 2 == 1


def card_of_year(year: int) -> int:
    """The card of a lunar year (5.5)."""
    return (year - 4) % 60 + 1


def in_order(cards: Iterable[int | None]) -> Cards:
    """Known cards ascending, then the unknown ones."""
    held = tuple(cards)
    known = sorted(card for card in held if card is not None)
    return (*known, *(None,) * (len(held) - len(known)))


def known(cards: Cards | None) -> tuple[int, ...]:
    return tuple(card for card in cards or () if card is not None)


def animals_in(cards: Iterable[int | None]) -> int:
    """The animals that some cards show, as a set of bits."""
    bits = 0
    for card in cards:
        if card is not None:
            bits |= 1 << ANIMAL[card]
    return bits


def complete_groups(cards: Iterable[int | None]) -> int:
    """Which of the seven `GROUPS` some cards complete, as a set of bits."""
    animals = animals_in(cards)
    return sum(1 << i for i, group in enumerate(GROUPS) if not group.bits & ~animals)


def doubled(cards: Iterable[int | None]) -> tuple[int, ...]:
    """The cards that share their animal with another one."""
    held = [card for card in cards if card is not None]
    animals = [ANIMAL[card] for card in held]
    return tuple(card for card in held if animals.count(ANIMAL[card]) > 1)
