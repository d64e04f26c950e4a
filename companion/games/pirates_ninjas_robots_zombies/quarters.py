"""A tile as text: its four quarters by rows from the top, then its icon (``PN/zKo``); a base by its team (``P!``)."""

import re
from functools import cache
from typing import TypeAlias

from companion.said import say

Face: TypeAlias = str
"""A tile as it lies; turned, it is another face."""

TEAMS = "PNRZ"
TEAM_NAMES = {"P": say("Pirate"), "N": say("Ninja"), "R": say("Robot"), "Z": say("Zombie")}
ITEM_NAMES = {"P": "treasure chest", "N": "throwing star", "R": "battery", "Z": "brain"}
ENEMIES = {"P": "K", "N": "D", "R": "M", "Z": "H"}
ENEMY_NAMES = {"P": say("Kraken"), "N": say("Dragon"), "R": say("Military"), "Z": say("Hunter")}
BASE_QUARTERS = {"P": "1", "N": "2", "R": "3", "Z": "4"}
ICON_NAMES = {"o": say("rotate"), "s": say("swap"), "e": say("replace")}

QUARTERS = TEAMS + TEAMS.lower() + "".join(ENEMIES.values())
ANGLES = (0, 90, 180, 270)

_PLAY_TILE = re.compile(f"[{QUARTERS}]{{2}}/[{QUARTERS}]{{2}}[ose]?")
_BASE = re.compile(rf"([{TEAMS}])(?:\1\1/?\1)?!")


def read_face(text: str) -> Face | None:
    """The tile that is written so, or ``None``; a base may be spelled out (``PPPP!``)."""
    if base := _BASE.fullmatch(text):
        return f"{base[1]}!"
    return text if _PLAY_TILE.fullmatch(text) else None


def base_of(team: str) -> Face:
    return f"{team}!"


def is_base(face: Face) -> bool:
    return face[1] == "!"


def icon_of(face: Face) -> str:
    """``o``, ``s``, ``e``, or nothing."""
    return face[5:]


@cache
def quarters_of(face: Face) -> tuple[str, str, str, str]:
    """What stands in the north-west, north-east, south-west and south-east; a base's quarters are its digit."""
    if is_base(face):
        digit = BASE_QUARTERS[face[0]]
        return digit, digit, digit, digit
    return face[0], face[1], face[3], face[4]


@cache
def turned(face: Face, angle: int) -> Face:
    """The tile after so many degrees clockwise, in quarter turns."""
    if is_base(face) or angle % 360 == 0:
        return face
    north_west, north_east, south_west, south_east = quarters_of(face)
    once = f"{south_west}{north_west}/{south_east}{north_east}{icon_of(face)}"
    return turned(once, angle % 360 - 90)


@cache
def looks(face: Face) -> tuple[tuple[int, Face], ...]:
    """Every way the tile can look, each once, with the smallest angle that brings it there."""
    found: dict[Face, int] = {}
    for angle in ANGLES:
        found.setdefault(turned(face, angle), angle)
    return tuple((angle, look) for look, angle in found.items())


@cache
def kind(face: Face) -> Face:
    """The same word for a tile whichever way it lies."""
    return min(look for _, look in looks(face))


def same_tile(one: Face, other: Face) -> bool:
    """Whether one is the other, turned or not."""
    return kind(one) == kind(other)
