"""Designs our set of 54 play tiles and four bases, and writes it as ``tiles.toml``.

Eight patterns are drawn for a few teams, then for every way to trade the teams, so the set stays the same set whichever
teams trade their pictures. Hence each team has as many characters, items and arch-enemies as any other, on the same
mix of tiles, beside every other team equally often, and with every icon equally often.

    python -m companion.games.pirates_ninjas_robots_zombies.design
"""

import json
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path

from companion.games.pirates_ninjas_robots_zombies.editing import entry_of
from companion.games.pirates_ninjas_robots_zombies.quarters import (
    ENEMIES,
    TEAMS,
    Face,
    base_of,
    kind,
)

PATTERNS = {
    "PP/Ppo": "three of a team and its item, rotate",
    "PP/PPs": "four of a team, swap",
    "Pp/pPe": "two of a team and two of its items, replace",
    "PP/NN": "two teams side by side",
    "PN/NP": "two teams across",
    "PN/ZR": "all four teams, in every order around",
    "PP/PD": "three of a team and another team's arch-enemy",
    "Pn/DP": "two of a team between another team's item and arch-enemy",
}

_HEAD = """\
# The play tiles and bases of our own printable set, written by the module `design` of this folder.
# Whichever teams trade their pictures, it stays the same set: each team has 42 characters, 6 items and 6 arch-enemies,
# and each icon stands on four tiles, one a team. A name is the quarters by rows from the top, then the icon (o rotate,
# s swap, e replace); `turns` is how many of the four quarter turns look different. Another set of 54 goes into a file
# of players' own (`companion tiles`).
[set]
shape = "square"
size_mm = [40.0, 40.0]
thickness_mm = 2.0
in_quarters = true
"""


def design() -> tuple[Face, ...]:
    """The 54 play tiles, pattern by pattern."""
    return tuple(tile for pattern in PATTERNS for tile in traded(pattern))


def traded(pattern: Face) -> list[Face]:
    """Each different tile that a pattern becomes when teams trade their pictures."""
    found = {kind(trade(pattern, teams)): trade(pattern, teams) for teams in reversed(list(permutations(TEAMS)))}
    return list(reversed(found.values()))


def trade(face: Face, teams: Iterable[str]) -> Face:
    """The tile with the pictures of P, N, R and Z given to these teams, in this order."""
    given: dict[str, str] = {}
    for old, new in zip(TEAMS, teams, strict=True):
        given |= {old: new, old.lower(): new.lower(), ENEMIES[old]: ENEMIES[new]}
    return "".join(given.get(letter, letter) for letter in face)


def catalogue() -> str:
    """The whole text of ``tiles.toml``."""
    return "\n".join([_HEAD, *map(_entry, design()), *(_entry(base_of(team)) for team in TEAMS)])


def main() -> None:
    Path(__file__).with_name("tiles.toml").write_text(catalogue(), encoding="utf-8")


def _entry(face: Face) -> str:
    lines = ["[[tile]]", *(f"{key} = {json.dumps(value)}" for key, value in entry_of(face).items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
