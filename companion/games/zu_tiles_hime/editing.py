"""ZU Tiles: what players may write of the tiles of their own set."""

import re
from collections.abc import Sequence

from companion.animals import ORDER
from companion.own_tiles import Editing, Entry, Number, Word, instead

DECK_NAMES = ("ROM", "DSR")
SMALLEST_DECK = 5

_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
_COUNTS = ("copies", "rom", "dsr", "str", "int", "max", "worth")
_SHOWS = {"creature": {"class", "str", "int", "icons"}, "I": {"str", "int"}, "O": {"str"}}
"""What must be printed on the tiles whose rules are those of their type; all others have a function of their own."""


def understand(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The tiles as they are, if they can be played with."""
    for entry in entries:
        if "type" not in entry:
            others = [other["name"] for other in entries if "type" in other]
            raise ValueError(
                f"there is no tile {entry['name']!r}; {instead(entry['name'], others)} A new one has a type"
            )
        _check(entry, entry["type"])
    for deck in DECK_NAMES:
        if (count := sum(entry.get(deck.lower(), 0) for entry in entries)) < SMALLEST_DECK:
            raise ValueError(f"the deck {deck} has {SMALLEST_DECK} tiles or more, not {count} (5.11)")
    return entries


def _check(entry: Entry, type_: str) -> None:
    name, shows = entry["name"], _SHOWS.get(type_, set())
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name}: a name is small letters, with - between words")
    if missing := sorted(shows - entry.keys()):
        raise ValueError(f"{name}: on a tile of the type {type_} stands also {', '.join(missing)}")
    placed = {"str", "int"} if shows else set()
    if wrong := sorted({"class", "str", "int", "icons"} & entry.keys() - shows - placed):
        raise ValueError(f"{name}: on a tile of the type {type_} stands no {wrong[0]}")


EDITING = Editing(
    keys={
        **{word: Word() for word in ("title", "letter", "does")},
        **{count: Number() for count in _COUNTS},
        "icons": Word((*ORDER, "all"), several=True),
    },
    new_keys={"type": Word(tuple(_SHOWS)), "class": Word(ORDER), "replaces": Word(several=True)},
    understand=understand,
)
