"""ZU Tiles: what is printed on the tiles, and which deck lists how many of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from companion.game import Unreadable
from companion.games.zu_tiles_hime.editing import DECK_NAMES, EDITING, SMALLEST_DECK
from companion.said import say
from companion.tiles import Tile, load_catalogue

CATALOGUE = load_catalogue(Path(__file__).parent / "tiles.toml", EDITING)
UNKNOWN = "?"
"""A tile that lies somewhere without being known."""
DECKS: Mapping[str, Mapping[str, int]] = {
    deck: {tile.name: tile.values[deck.lower()] for tile in CATALOGUE if tile.values.get(deck.lower())}
    for deck in DECK_NAMES
}
CUSTOM = "custom"
_ALSO_PRINTED = {tile.values["also"]: tile.name for tile in CATALOGUE if "also" in tile.values}


def tile_named(name: str, at: str = "move") -> str:
    """The name of a tile as this game writes it; raises `Unreadable` for a name that no tile bears."""
    known = _ALSO_PRINTED.get(name, name)
    if known not in CATALOGUE or kind(known) == "placeholder":
        raise Unreadable(say("there is no tile {name!r}", name=name), at)
    return known


def printed(name: str) -> Tile | None:
    """The tile behind a name in a pile, where ``undue-judgement:2`` carries its worth; nothing for an unknown one."""
    name = name.partition(":")[0]
    return CATALOGUE.tiles.get(name)


def title(name: str) -> str:
    tile = printed(name)
    return tile.title if tile else say("an unknown tile")


@cache
def kind(name: str) -> str:
    """``creature``, ``A``, ``R``, ``AR``, ``I`` or ``O``; nothing for an unknown tile."""
    tile = printed(name)
    return str(tile.values["type"]) if tile else ""


@cache
def creature_class(name: str) -> str | None:
    tile = printed(name)
    return tile.values.get("class") if tile else None


def is_creature(name: str) -> bool:
    return kind(name) == "creature"


def is_item_or_obstacle(name: str) -> bool:
    return kind(name) in ("I", "O")


def may_be_placed(name: str) -> bool:
    return kind(name) in ("creature", "I", "O")


def starts_a_stack(name: str) -> bool:
    return kind(name) in ("A", "AR")


def reacts(name: str) -> bool:
    return kind(name) in ("R", "AR")


@cache
def compatible(one: str, other: str) -> bool:
    """Whether an icon of one creature shows the class of the other (4.6)."""
    return _shows(one, other) or _shows(other, one)


def _shows(one: str, other: str) -> bool:
    tile = printed(one)
    icons = tile.values.get("icons", ()) if tile else ()
    return "all" in icons or creature_class(other) in icons


@cache
def worth(name: str) -> int:
    """What a tile counts in a point pile (2)."""
    tile, _, told = name.partition(":")
    if told:
        return int(told)
    if tile == UNKNOWN:
        return 1
    return int(CATALOGUE[tile].values.get("worth", 1 if is_creature(tile) else 0))


def maximum(name: str) -> int | None:
    """The Maximum Tile Number (5.7)."""
    tile = printed(name)
    return tile.values.get("max") if tile else None


def deck_tiles(deck: str) -> list[str]:
    """All tiles of a starter deck."""
    return [name for name, copies in DECKS[deck].items() for _ in range(copies)]


def lists(deck: str, tile: str) -> bool:
    """Whether a starter deck lists the tile; of a custom deck nobody knows."""
    return deck in DECKS and tile.partition(":")[0] in DECKS[deck]


def check_deck(tiles: Sequence[str]) -> list[str]:
    """A custom deck as it may be played (5.11); raises `Unreadable` for one that may not."""
    if len(tiles) < SMALLEST_DECK:
        raise Unreadable(f"a deck has {SMALLEST_DECK} tiles or more, not {len(tiles)} (5.11)", "deck")
    return [tile_named(tile, f"deck.{i}") for i, tile in enumerate(tiles)]


def too_many(names: Sequence[str]) -> str | None:
    """The name of which more lie in a player's piles than its Maximum Tile Number allows (5.7)."""
    counts = Counter(name.partition(":")[0] for name in names)
    for name, count in sorted(counts.items()):
        limit = maximum(name)
        if limit is not None and count > limit:
            return name
    return None
