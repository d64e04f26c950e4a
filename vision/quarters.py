"""Tiles that are four pictures and an icon: read part by part, so that a combination never seen is read as well."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.tiles import Catalogue

UNLISTED = 0.0001
"""How likely a combination that the catalogue does not list is, against one that it does."""
NEGLIGIBLE = 1e-6
"""What is less likely than this is not thought of."""
_KEPT = 6
"""So many of the likeliest listed tiles are kept."""
_ELSEWHERE = 0.9
"""A tile as sure as this lies there, and not in another place as well."""
_ONCE_MORE = 0.05
"""How likely a tile is to be there once more than it was printed, against one that may be: sets get mixed."""


def combined(parts: Sequence[tuple[Sequence[str], NDArray[np.float64]]], tiles: Catalogue) -> list[dict[str, float]]:
    """For each tile the odds of whole names as it lies, from those of its parts: a row a tile for each of its quarters,
    clockwise from far left, and for its icon."""
    names = tuple(tile.name for tile in tiles if "/" in tile.name)
    listed, _ = _spellings(names)
    weights = np.ones((len(parts[0][1]), len(listed)))
    for place, (words, odds) in enumerate(parts):
        weights *= odds[:, _columns(names, place, tuple(words))]
    best = np.argpartition(-weights, min(_KEPT, len(listed) - 1), axis=1)[:, :_KEPT]
    likeliest = zip(best.tolist(), np.take_along_axis(weights, best, axis=1).tolist(), strict=True)
    return [
        _in_order({listed[i]: weight for i, weight in zip(*row, strict=True)}, unlisted)
        for row, unlisted in zip(likeliest, _unlisted(parts), strict=True)
    ]


def _in_order(found: dict[str, float], unlisted: Iterable[tuple[str, float]]) -> dict[str, float]:
    """What is listed and what is not as shares of one, the likeliest first; but for what hardly counts."""
    for name, weight in unlisted:
        found.setdefault(name, UNLISTED * weight)
    total = sum(found.values())
    likely = [(name, weight) for name, weight in found.items() if weight > NEGLIGIBLE * total]
    return {name: weight / total for name, weight in sorted(likely, key=lambda entry: -entry[1])}


def within_the_set(read: Sequence[Mapping[str, float]], tiles: Catalogue) -> list[dict[str, float]]:
    """The odds again, knowing how often each tile was printed: one that surely lies elsewhere is doubtful here."""
    copies = {_kind(tile.name): tile.copies for tile in tiles if "/" in tile.name}
    sure = [{_kind(name) for name, share in odds.items() if share >= _ELSEWHERE} for odds in read]
    lying = Counter(kind for kinds in sure for kind in kinds)
    all_there = {kind for kind, count in lying.items() if count >= copies.get(kind, math.inf)}
    held = []
    for odds, own in zip(read, sure, strict=True):
        kinds = all_there.intersection(map(_kind, odds))
        spent = {kind for kind in kinds if lying[kind] - (kind in own) >= copies[kind]}
        weights = {name: share * (_ONCE_MORE if _kind(name) in spent else 1.0) for name, share in odds.items()}
        total = sum(weights.values()) or 1.0
        held.append({name: weight / total for name, weight in sorted(weights.items(), key=lambda entry: -entry[1])})
    return held


@cache
def _kind(name: str) -> str:
    """One name for a tile in all its turns."""
    return min(turned(name, turn) for turn in range(4))


def _unlisted(parts: Sequence[tuple[Sequence[str], NDArray[np.float64]]]) -> Iterator[list[tuple[str, float]]]:
    """For each tile the likeliest reading of every part, and those with the second likeliest of one part instead."""
    two = np.stack([np.argsort(-odds[:, :-1], axis=1)[:, :2] for _, odds in parts], axis=1)
    shares = np.stack([np.take_along_axis(odds, two[:, i], axis=1) for i, (_, odds) in enumerate(parts)], axis=1)
    # Which of the two each part is, a way a row: the first of all, then the second of one.
    ways = np.vstack([np.zeros(len(parts), int), np.eye(len(parts), dtype=int)])
    weights = np.take_along_axis(shares[:, None], ways[None, ..., None], axis=3)[..., 0].prod(axis=2)
    for ranked, weight in zip(two.tolist(), weights.tolist(), strict=True):
        letters = [[words[i] for i in pair] for (words, _), pair in zip(parts, ranked, strict=True)]
        yield [
            (_spell([pair[which] for pair, which in zip(letters, way, strict=True)]), share)
            for way, share in zip(ways.tolist(), weight, strict=True)
        ]


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
