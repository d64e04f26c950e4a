"""What players wrote of the tiles of their own set: other values, more tiles, or another list of them.

Their file is laid over the game's ``tiles.toml``. It holds whole or not at all: half of what somebody meant is a set
that lies on no table.
"""

import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

FOLDER = "COMPANION_TILES"
"""The variable of the environment that names the folder of these files: a process that is started knows it too."""
MOST = 999

Entry: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Word:
    """A value that is one of these words, or several of them in a list; any words where none are named."""

    known: tuple[str, ...] = ()
    several: bool = False

    def __str__(self) -> str:
        some = ", ".join(self.known)
        if self.several:
            return f"a list of {some}" if some else "a list of words"
        return f"one of {some}" if some else "words in quotes"

    def fits(self, value: Any) -> bool:
        words = value if self.several else [value]
        return isinstance(words, list) and all(isinstance(word, str) and self._knows(word) for word in words)

    def _knows(self, word: str) -> bool:
        return word in self.known if self.known else bool(word)


@dataclass(frozen=True, slots=True)
class Number:
    """A value that counts something."""

    least: int = 0

    def __str__(self) -> str:
        return f"a whole number from {self.least} to {MOST}"

    def fits(self, value: Any) -> bool:
        return type(value) is int and self.least <= value <= MOST


Keys: TypeAlias = Mapping[str, Word | Number]


@dataclass(frozen=True, slots=True)
class Editing:
    """What may be written of a game's tiles."""

    keys: Keys
    """Of every tile, and what its value may be."""
    understand: Callable[[Sequence[Entry]], Sequence[Entry]]
    """All tiles as the game wants them; raises `ValueError` for a set that it cannot be played with."""
    new_keys: Keys = field(default_factory=dict)
    """What may be written, besides, of a tile that the game does not have."""
    only: bool = False
    """Whether there may be no other tiles than those written."""


@dataclass(frozen=True, slots=True)
class Edited:
    """All tiles of a set, which of them players wrote, and what is wrong with what they wrote if it does not hold."""

    entries: Sequence[Entry]
    own: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()


def own_file(game: str) -> Path | None:
    """Where players write of the tiles of a game; nowhere where no folder is named."""
    folder = os.environ.get(FOLDER)
    return Path(folder) / f"{game}.toml" if folder else None


def edited(printed: Sequence[Entry], file: Path, editing: Editing) -> Edited:
    """What is printed, with what players wrote over it; never raises."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        told = tomllib.loads(text)
        if faults := [*_faults(told, {entry["name"] for entry in printed}, editing, text)]:
            return Edited(printed, faults=tuple(f"{file}: {fault}" for fault in faults))
        tiles = told.get("tile", [])
        entries = editing.understand(_laid_over(printed, tiles, told.get("only", False))) if told else printed
        return Edited(entries, frozenset(tile["name"] for tile in tiles))
    except FileNotFoundError:
        return Edited(printed)
    except OSError as error:
        return Edited(printed, faults=(f"{file} cannot be read: {(error.strerror or str(error)).lower()}",))
    except UnicodeDecodeError:
        return Edited(printed, faults=(f"{file} is not UTF-8: save it as UTF-8",))
    except ValueError as wrong:
        return Edited(printed, faults=(f"{file}: {wrong}",))


def instead(word: str, known: Collection[str]) -> str:
    """What somebody may have meant who wrote what nobody knows."""
    near = get_close_matches(word, known, 1, 0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"


def _laid_over(printed: Sequence[Entry], tiles: Sequence[Entry], only: bool) -> list[Entry]:
    written = {tile["name"]: tile for tile in tiles}
    others: Entry = {"copies": 0} if only else {}
    return [*({**entry, **written.pop(entry["name"], others)} for entry in printed), *written.values()]


def _faults(told: Mapping[str, Any], known: Collection[str], editing: Editing, text: str) -> Iterator[str]:
    """What cannot be meant, tile by tile."""
    keys = ("tile", "only") if editing.only else ("tile",)
    for key in told.keys() - set(keys):
        yield f"{key!r} cannot be written here; {instead(key, keys)}"
    if not isinstance(told.get("only", False), bool):
        yield f"only is true or false, not {told['only']!r}"
    tiles = told.get("tile", [])
    if not isinstance(tiles, list) or not all(isinstance(tile, dict) for tile in tiles):
        yield "a tile is written: [[tile]], and its name and values below"
        return
    heads = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*tile\s*\]\]", line)]
    names = [tile.get("name") for tile in tiles]
    for i, tile in enumerate(tiles):
        where = f"line {heads[i]}" if len(heads) == len(tiles) else f"tile {i + 1}"
        if not isinstance(names[i], str):
            yield f'{where}: the tile has no name; write name = "..."'
        elif names[i] in names[:i]:
            yield f"{where}: {names[i]} is written twice"
        else:
            allowed = {**editing.keys, **({} if names[i] in known else editing.new_keys)}
            yield from (f"{where}: {names[i]}: {fault}" for fault in _wrong_with(tile, allowed))


def _wrong_with(tile: Entry, allowed: Keys) -> Iterator[str]:
    for key, value in tile.items():
        if key == "name":
            continue
        if key not in allowed:
            yield f"{key!r} cannot be written here; {instead(key, allowed)}"
        elif not allowed[key].fits(value):
            yield f"{key} is {allowed[key]}, not {value!r}"
