"""Tiles that are four pictures and an icon: read part by part, so that a combination never seen is read as well."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.tiles import Catalogue

UNLISTED = 0.0001
"""How likely a combination that the catalogue does not list is, against one that it does."""
_KEPT = 6
"""So many of the likeliest listed tiles are kept."""
_ELSEWHERE = 0.9
"""A tile as sure as this lies there, and not in another place as well."""
_ONCE_MORE = 0.05
"""How likely a tile is to be there once more than it was printed, against one that may be: sets get mixed."""


def combined(parts: Sequence[tuple[Sequence[str], NDArray[np.float64]]], tiles: Catalogue) -> dict[str, float]:
    """The odds of whole names as the tile lies, from those of its quarters, clockwise from far left, and its icon."""
    names = tuple(tile.name for tile in tiles if "/" in tile.name)
    listed, _ = _spellings(names)
    weights = np.ones(len(listed))
    for place, (words, odds) in enumerate(parts):
        weights *= odds[_columns(names, place, tuple(words))]
    found = {listed[i]: float(weights[i]) for i in np.argsort(-weights)[:_KEPT]}
    for name, weight in _unlisted(parts):
        found.setdefault(name, UNLISTED * weight)
    total = sum(found.values())
    ranked = sorted(found.items(), key=lambda entry: -entry[1])
    return {name: weight / total for name, weight in ranked} if total > 0 else {}


def within_the_set(read: Sequence[Mapping[str, float]], tiles: Catalogue) -> list[dict[str, float]]:
    """The odds again, knowing how often each tile was printed: one that surely lies elsewhere is doubtful here."""
    copies = {_kind(tile.name): tile.copies for tile in tiles if "/" in tile.name}
    sure = [{_kind(name) for name, share in odds.items() if share >= _ELSEWHERE} for odds in read]
    lying = Counter(kind for kinds in sure for kind in kinds)
    held = []
    for odds, own in zip(read, sure, strict=True):
        spent = {kind for kind, count in lying.items() if count - (kind in own) >= copies.get(kind, math.inf)}
        weights = {name: share * (_ONCE_MORE if _kind(name) in spent else 1.0) for name, share in odds.items()}
        total = sum(weights.values()) or 1.0
        held.append({name: weight / total for name, weight in sorted(weights.items(), key=lambda entry: -entry[1])})
    return held


@cache
def _kind(name: str) -> str:
    """One name for a tile in all its turns."""
    return min(turned(name, turn) for turn in range(4))


def _unlisted(parts: Sequence[tuple[Sequence[str], NDArray[np.float64]]]) -> Iterator[tuple[str, float]]:
    """The likeliest reading of every part, and those with the second likeliest of one part instead."""
    ranked = [[(names[i], float(odds[i])) for i in np.argsort(-odds[:-1])[:2]] for names, odds in parts]
    best = [ranks[0] for ranks in ranked]
    for place in range(-1, len(parts)):
        chosen = [ranked[i][1] if i == place else one for i, one in enumerate(best)]
        yield _spell([letter for letter, _ in chosen]), math.prod(share for _, share in chosen)


def _spell(letters: Sequence[str]) -> str:
    """Far left, far right, near right, near left and the icon, as the notation has them."""
    return f"{letters[0]}{letters[1]}/{letters[3]}{letters[2]}{letters[4]}"


@lru_cache(maxsize=4)
def _spellings(names: tuple[str, ...]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Every listed tile in each of its turns, and its parts in the order in which they are read."""
    listed = sorted({turned(name, turn) for name in names for turn in range(4)})
    return listed, [_letters(name) for name in listed]


@lru_cache(maxsize=32)
def _columns(names: tuple[str, ...], place: int, words: tuple[str, ...]) -> NDArray[np.intp]:
    """Which of the words each listed tile has in this place; one that is not among them is like none."""
    column = {word: i for i, word in enumerate(words)}
    return np.array([column.get(letters[place], -1) for letters in _spellings(names)[1]], np.intp)


def turned(name: str, quarters: int) -> str:
    """The name of a tile after so many quarter turns clockwise."""
    for _ in range(quarters % 4):
        far_left, far_right, near_left, near_right = name[0], name[1], name[3], name[4]
        name = f"{near_left}{far_left}/{near_right}{far_right}{name[5:]}"
    return name


def is_quartered(name: str) -> bool:
    """Whether this is the name of a tile that is four pictures, and not of a base or a back."""
    return name[2:3] == "/" and len(name) >= 5


def parts_of(name: str) -> list[str]:
    """The words for the parts of a tile: its quarters, clockwise from far left, and its icon."""
    *quarters, icon = _letters(name)
    return [*(f"quarter {letter}" for letter in quarters), f"icon {icon}"]


def _letters(name: str) -> tuple[str, ...]:
    return name[0], name[1], name[4], name[3], name[5:]
