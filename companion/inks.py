"""The one palette: what colour each ink of a board, a mat or a mark has, in print, on the page and under the camera."""

import re
from collections.abc import Mapping
from types import MappingProxyType

INKS: Mapping[str, str] = MappingProxyType(
    {
        # Paper and print.
        "paper": "#ffffff",
        "line": "#2b2a28",
        "faint": "#b9b5ac",
        "cut": "#8a8a8a",
        "words": "#3c3a37",
        "zone": "#8d979e",
        "zone-fill": "#f3f1ec",
        "marker": "#000000",
        # Owners.
        "white": "#f7f0df",
        "black": "#26262b",
        # Paiko's grounds.
        "home-white": "#f2dfb6",
        "home-black": "#b4bfcb",
        "middle": "#e3ead9",
        "half": "#efebe2",
        # What the page lights up.
        "threat-white": "#d1495b",
        "threat-black": "#7b2d8b",
        "cover-white": "#e0a526",
        "cover-black": "#2f7fb5",
        "highlight": "#ffd21f",
        "breach": "#d7263d",
        "advice": "#1b9e77",
        # Teams of Pirates, Ninjas, Robots & Zombies, by their letters.
        "P": "#c8452c",
        "N": "#4a3d8f",
        "R": "#2f86a6",
        "Z": "#5f9133",
        # The five elements.
        "wood": "#3f8f4f",
        "fire": "#cf3b2f",
        "earth": "#e2b32c",
        "metal": "#8b9197",
        "water": "#2c6db3",
        # Seats.
        "south": "#b5532a",
        "west": "#2f7d6b",
        "north": "#355f9e",
        "east": "#8a5a9e",
    }
)


def colour(ink: str) -> str:
    """The ``#rrggbb`` of an ink; a colour stands for itself. Raises ``ValueError`` for a word the palette lacks."""
    if ink in INKS:
        return INKS[ink]
    if re.fullmatch(r"#[0-9a-fA-F]{6}", ink):
        return ink.lower()
    raise ValueError(f"there is no ink {ink!r}; there are: {', '.join(INKS)}")
