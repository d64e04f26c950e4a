"""One palette for boards, sheets, pages and rendered tables: a word for a colour, so that files name meanings."""

from types import MappingProxyType

INKS = MappingProxyType(
    {
        "paper": "#f6f1e4",
        "line": "#4a4038",
        "faint": "#8d8272",
        "black": "#26221f",
        "white": "#fbf8f0",
        "half": "#e6dcc6",
        "home-white": "#f0dcb4",
        "home-black": "#b9c4ba",
        "middle": "#e9e4d6",
        "tile": "#efe6d0",
        "tile-letter": "#7a3b2e",
        "highlight": "#f2a900",
        "advice": "#0b7a75",
        "threat-white": "#c2452d",
        "threat-black": "#7b2d8b",
        "cover-white": "#2f7d4f",
        "cover-black": "#1f6f8b",
        # What sheets and mats are printed with.
        "sheet": "#ffffff",
        "words": "#3c3a37",
        "cut": "#8a8a8a",
        "outline": "#b9b5ac",
        "zone": "#8d979e",
        "zone-fill": "#f3f1ec",
        "marker": "#000000",
        # Sections of teams, those that count and the lesser ones; what an enemy negates; the five elements.
        "pirate": "#8e2412",
        "ninja": "#2e2370",
        "robot": "#0f5878",
        "zombie": "#356314",
        "pirate-lesser": "#e6a193",
        "ninja-lesser": "#b3aadb",
        "robot-lesser": "#a0cfe0",
        "zombie-lesser": "#bfd9a3",
        "negated": "#e0115f",
        "wood": "#3f8f4f",
        "fire": "#cf3b2f",
        "earth": "#e2b32c",
        "metal": "#8b9197",
        "water": "#2c6db3",
    }
)
_OTHER = "#6b7f8f"


def colour(ink: str) -> str:
    """The colour of an ink as ``#rrggbb``; a word nobody mixed a colour for is a quiet blue-grey."""
    return INKS.get(ink, _OTHER)
