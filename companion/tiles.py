"""The catalogue of a game's tiles, read from its ``tiles.toml``."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.own_tiles import Edited, Editing, Entry, edited, own_file
from companion.said import say


@dataclass(frozen=True, slots=True)
class Tile:
    """One kind of tile: its name, how many there are, and what is printed on it."""

    name: str
    title: str
    letter: str
    """Short enough for a cell of the terminal board."""
    letters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """For each owner, where a sign of its own serves better than a small letter for the second."""
    copies: int = 1
    """How many one owner has, or how many there are where tiles have no owner."""
    owners: tuple[str, ...] = ()
    turns: int = 4
    """How many of the four quarter turns look different."""
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The printed values that only the game itself understands."""

    @property
    def facing_matters(self) -> bool:
        return self.turns > 1


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All tiles of a game and their size."""

    shape: str
    """``square``, ``disc`` or ``card``."""
    size_mm: tuple[float, float]
    thickness_mm: float
    tiles: Mapping[str, Tile]
    owner_by_turn: tuple[str, ...] = ()
    """Where a tile belongs to whom it is upright for: the owner after each quarter turn clockwise."""
    in_quarters: bool = False
    """Whether a face is four pictures and an icon, and its name spells them as it lies, such as ``PN/zKo``."""
    editing: Editing | None = None
    """What players may write of the tiles of their own set; nothing where the rules know every tile."""
    own: frozenset[str] = frozenset()
    """The tiles that players wrote of."""
    faults: tuple[str, ...] = ()
    """What is wrong with what they wrote; what is printed holds then."""

    def __getitem__(self, name: str) -> Tile:
        return self.tiles[name]

    def __contains__(self, name: str) -> bool:
        return name in self.tiles

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles.values())


def load_catalogue(file: Path, editing: Editing | None = None) -> Catalogue:
    """Read ``tiles.toml``: the table ``[set]``, then one ``[[tile]]`` for each kind; and what players wrote over it."""
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    common = read["set"]
    width, height = common["size_mm"]
    own = own_file(file.parent.name)
    told = edited(read["tile"], own, editing) if own is not None and editing is not None else Edited(read["tile"])
    tiles = {entry["name"]: _tile(entry, common) for entry in told.entries}
    if len(tiles) != len(told.entries):
        raise ValueError(f"{file}: two tiles have the same name")
    return Catalogue(
        common["shape"],
        (width, height),
        common["thickness_mm"],
        MappingProxyType(tiles),
        tuple(common.get("owner_by_turn", ())),
        common.get("in_quarters", False),
        editing,
        told.own,
        told.faults,
    )


def _tile(entry: Entry, common: Mapping[str, Any]) -> Tile:
    own = {"name", "title", "letter", "letters", "copies", "owners", "turns"}
    return Tile(
        name=entry["name"],
        title=say(entry.get("title", entry["name"].replace("-", " ").title())),
        letter=entry.get("letter", entry["name"][:2]),
        letters=MappingProxyType(entry.get("letters", {})),
        copies=entry.get("copies", 1),
        owners=tuple(entry.get("owners", common.get("owners", ()))),
        turns=entry.get("turns", common.get("turns", 4)),
        values=MappingProxyType({key: value for key, value in entry.items() if key not in own}),
    )
