"""Whether cards that lie on the table are arranged as rows of trines and columns of squares (2.2)."""

from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import TypeAlias

from companion.games.tu_tzi.cards import ANIMAL, SQUARES, TRINES, Cards, is_yang, known
from companion.said import say

Fault: TypeAlias = tuple[str, tuple[int, ...]]
"""What is wrong, and the cards that show it."""


def fault_of(arrangement: Sequence[Cards]) -> Fault | None:
    """The first thing wrong with rows of cards, from the top."""
    rows = [known(row) for row in arrangement]
    columns = [known(column) for column in zip_longest(*arrangement)]
    mixed = _mixed(rows, "trine") or _mixed(columns, "square")
    return mixed or _split(rows, "trine") or _split(columns, "square") or _rows_apart(rows)


def _mixed(lines: list[tuple[int, ...]], kind: str) -> Fault | None:
    for i, cards in enumerate(lines, 1):
        if len({_group_of(card, kind) for card in cards}) > 1:
            if kind == "trine":
                return say("row {n} holds cards of more than one trine", n=i), cards
            return say("column {n} holds cards of more than one square", n=i), cards
    return None


def _split(lines: list[tuple[int, ...]], kind: str) -> Fault | None:
    seen: dict[int, tuple[int, ...]] = {}
    for cards in filter(None, lines):
        number = _group_of(cards[0], kind)
        if number in seen:
            return say(
                "trine {n} lies in two lines" if kind == "trine" else "square {n} lies in two lines", n=number
            ), seen[number] + cards
        seen[number] = cards
    return None


def _rows_apart(rows: list[tuple[int, ...]]) -> Fault | None:
    filled = [i for i, cards in enumerate(rows) if cards]
    for above, below in pairwise(filled):
        cards = rows[above] + rows[below]
        if below > above + 1:
            return say("row {n} is empty between rows with cards", n=above + 2), cards
        if is_yang(rows[above][0]) == is_yang(rows[below][0]):
            polarity = say("yang") if is_yang(rows[above][0]) else say("yin")
            return say(
                "rows {above} and {below} are both {polarity}, with no bridge card between them",
                above=above + 1,
                below=below + 1,
                polarity=polarity,
            ), cards
    return None


def _group_of(card: int, kind: str) -> int:
    groups = TRINES if kind == "trine" else SQUARES
    return next(group.number for group in groups if ANIMAL[card] in group.animals)
