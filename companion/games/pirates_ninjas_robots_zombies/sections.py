"""Sections: connected quarters of one team, what they are worth, and which of their quarters an arch-enemy negates.

A quarter is one number, ``row * STRIDE + column`` in quarters, so that its four neighbours are a sum away.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.pirates_ninjas_robots_zombies.quarters import BASE_QUARTERS, ENEMIES, TEAMS, Face, quarters_of

Cell: TypeAlias = tuple[int, int]
Quarter: TypeAlias = int

STRIDE = 4096
BASE_WORTH = 5
ITEM_WORTH = 3
CORNERS = {(0, 1): "nw", (1, 1): "ne", (0, 0): "sw", (1, 0): "se"}

_MEMBERS = {team: team + team.lower() + BASE_QUARTERS[team] for team in TEAMS}
TEAM_OF = {letter: team for team, letters in _MEMBERS.items() for letter in letters}
WORTH = dict.fromkeys(TEAMS, 1) | {team.lower(): ITEM_WORTH for team in TEAMS} | dict.fromkeys("1234", 0)
VICTIMS = {enemy: team + team.lower() for team, enemy in ENEMIES.items()}


@dataclass(frozen=True, slots=True)
class Section:
    """One connected set of a team's quarters (3.1)."""

    team: str
    quarters: tuple[Quarter, ...]
    characters: int
    """How many characters score; so for the items."""
    items: int
    base: bool
    negated: tuple[Quarter, ...]
    """The characters and items next to their own arch-enemy, which score nothing (3.3)."""

    @property
    def points(self) -> int:
        return self.characters + ITEM_WORTH * self.items + BASE_WORTH * self.base


def quarters_on(area: Mapping[Cell, Face]) -> dict[Quarter, str]:
    """What every quarter of the play area shows."""
    shown: dict[Quarter, str] = {}
    for (column, row), face in area.items():
        south_west = 2 * (row * STRIDE + column)
        north_west = south_west + STRIDE
        shown[north_west], shown[north_west + 1], shown[south_west], shown[south_west + 1] = quarters_of(face)
    return shown


def quarters_of_grid(grid: str) -> dict[Quarter, str]:
    """What a plain grid shows: the two uppermost rows are row 0 of the cells."""
    return {
        (1 - down) * STRIDE + right: letter
        for down, row in enumerate(grid.split("/"))
        for right, letter in enumerate(row)
        if letter != "."
    }


def cell_and_corner(quarter: Quarter) -> tuple[Cell, str]:
    """The cell a quarter lies in, and which of its four it is."""
    column = (quarter + STRIDE // 2) % STRIDE - STRIDE // 2
    row = (quarter - column) // STRIDE
    return (column >> 1, row >> 1), CORNERS[column & 1, row & 1]


def negated_quarters(shown: Mapping[Quarter, str]) -> frozenset[Quarter]:
    """Every character or item orthogonally next to its own arch-enemy."""
    return frozenset(
        near
        for quarter, letter in shown.items()
        if letter in VICTIMS
        for near in (quarter - 1, quarter + 1, quarter - STRIDE, quarter + STRIDE)
        if near in shown and shown[near] in VICTIMS[letter]
    )


def find_sections(shown: Mapping[Quarter, str], negated_connect: bool) -> Iterator[Section]:
    """All sections; negated quarters belong to them unless the players chose otherwise (3.3)."""
    negated = negated_quarters(shown)
    seen = set() if negated_connect else set(negated)
    for quarter, letter in shown.items():
        team = TEAM_OF.get(letter)
        if team and quarter not in seen:
            yield _section(team, _flood(shown, quarter, _MEMBERS[team], seen), shown, negated)


def best_sections(shown: Mapping[Quarter, str], negated_connect: bool) -> dict[str, Section]:
    """The section that counts for each team that has one: the most points, then the most quarters (3.4)."""
    best: dict[str, Section] = {}
    for section in find_sections(shown, negated_connect):
        held = best.get(section.team)
        if held is None or (section.points, len(section.quarters)) > (held.points, len(held.quarters)):
            best[section.team] = section
    return best


def team_points(shown: Mapping[Quarter, str], negated_connect: bool) -> dict[str, int]:
    """The points of every team, and nothing else: what advice asks for thousands of times."""
    best = dict.fromkeys(TEAMS, 0)
    seen = set() if negated_connect else set(negated_quarters(shown))
    look = shown.get
    for start, letter in shown.items():
        team = TEAM_OF.get(letter)
        if team is None or start in seen:
            continue
        members, enemy = _MEMBERS[team], ENEMIES[team]
        points, base = 0, 0
        seen.add(start)
        reached = [start]
        for quarter in reached:
            worth = WORTH[shown[quarter]]
            if not worth:
                base = BASE_WORTH
            for near in (quarter - 1, quarter + 1, quarter - STRIDE, quarter + STRIDE):
                other = look(near)
                if other is None:
                    continue
                if other == enemy:
                    worth = 0
                elif other in members and near not in seen:
                    seen.add(near)
                    reached.append(near)
            points += worth
        if points + base > best[team]:
            best[team] = points + base
    return best


def _flood(shown: Mapping[Quarter, str], start: Quarter, members: str, seen: set[Quarter]) -> list[Quarter]:
    seen.add(start)
    reached = [start]
    for quarter in reached:
        for near in (quarter - 1, quarter + 1, quarter - STRIDE, quarter + STRIDE):
            if near not in seen and near in shown and shown[near] in members:
                seen.add(near)
                reached.append(near)
    return reached


def _section(team: str, reached: list[Quarter], shown: Mapping[Quarter, str], negated: frozenset[Quarter]) -> Section:
    scoring = [shown[quarter] for quarter in reached if quarter not in negated]
    return Section(
        team=team,
        quarters=tuple(sorted(reached)),
        characters=scoring.count(team),
        items=scoring.count(team.lower()),
        base=BASE_QUARTERS[team] in scoring,
        negated=tuple(sorted(quarter for quarter in reached if quarter in negated)),
    )
