"""A play area counted once, so that the points with one more tile anywhere cost a look at its edges only."""

from collections.abc import Mapping
from typing import TypeAlias

from companion.games.pirates_ninjas_robots_zombies.quarters import ENEMIES, TEAMS, Face, quarters_of
from companion.games.pirates_ninjas_robots_zombies.sections import (
    BASE_WORTH,
    STRIDE,
    TEAM_OF,
    VICTIMS,
    WORTH,
    Cell,
    Quarter,
    find_sections,
    quarters_on,
    team_points,
)

# Beside each quarter of a tile (north-west, north-east, south-west, south-east): the two steps out of the tile, and the
# two quarters of the tile it touches.
_OUTWARD = ((STRIDE, -1), (STRIDE, 1), (-STRIDE, -1), (-STRIDE, 1))
_INWARD = ((1, 2), (0, 3), (0, 3), (1, 2))
_STEPS = (STRIDE, STRIDE + 1, 0, 1)

_Group: TypeAlias = tuple[str, int, set[int]]
"""A team, what its quarters on the new tile are worth, and the sections outside that they join."""


class Ground:
    """The sections of an area, ready to grow by one tile."""

    def __init__(self, area: Mapping[Cell, Face], negated_connect: bool = True) -> None:
        self.shown = quarters_on(area)
        self.connect = negated_connect
        self.section_at: dict[Quarter, int] = {}
        self.worth: list[int] = []
        self.team: list[str] = []
        self.negated: set[Quarter] = set()
        for i, section in enumerate(find_sections(self.shown, negated_connect)):
            self.section_at.update(dict.fromkeys(section.quarters, i))
            self.worth.append(section.points)
            self.team.append(section.team)
            self.negated.update(section.negated)
        self.points = dict.fromkeys(TEAMS, 0)
        for team, worth in zip(self.team, self.worth, strict=True):
            self.points[team] = max(self.points[team], worth)

    def points_with(self, face: Face, at: Cell) -> dict[str, int]:
        """The points of every team if the tile lay on an empty cell too."""
        corner = 2 * (at[1] * STRIDE + at[0])
        letters = quarters_of(face)
        if not self.connect:
            more = {corner + step: letter for step, letter in zip(_STEPS, letters, strict=True)}
            return team_points(self.shown | more, False)
        lost = self._lost_to(letters, corner)
        points = dict(self.points)
        for team in {self.team[i] for i in lost}:
            sections = (worth - lost.get(i, 0) for i, worth in enumerate(self.worth) if self.team[i] == team)
            points[team] = max(sections)
        for team, worth in self._grown(letters, corner, lost):
            points[team] = max(points[team], worth)
        return points

    def _lost_to(self, letters: tuple[str, ...], corner: Quarter) -> dict[int, int]:
        """What the arch-enemies on the new tile take from each section beside it."""
        lost: dict[int, int] = {}
        for i, letter in enumerate(letters):
            victims = VICTIMS.get(letter)
            if victims is None:
                continue
            for step in _OUTWARD[i]:
                near = corner + _STEPS[i] + step
                shows = self.shown.get(near)
                if shows is not None and shows in victims and near not in self.negated:
                    section = self.section_at[near]
                    lost[section] = lost.get(section, 0) + WORTH[shows]
        return lost

    def _grown(self, letters: tuple[str, ...], corner: Quarter, lost: dict[int, int]) -> list[tuple[str, int]]:
        """The sections that reach into the new tile, with their new worth."""
        groups = []
        left = {i for i in range(4) if letters[i] in TEAM_OF}
        while left:
            groups.append(self._group(left, letters, corner))
        return [
            (team, worth + sum(self.worth[i] - lost.get(i, 0) for i in joined))
            for team, worth, joined in _merged(groups)
        ]

    def _group(self, left: set[int], letters: tuple[str, ...], corner: Quarter) -> _Group:
        """Some quarters of the new tile that touch each other; they are taken out of those left."""
        members = [left.pop()]
        team = TEAM_OF[letters[members[0]]]
        enemy, joined, worth, base = ENEMIES[team], set[int](), 0, 0
        for i in members:
            own = WORTH[letters[i]]
            base = base if own else BASE_WORTH
            for near in _INWARD[i]:
                if letters[near] == enemy:
                    own = 0
                elif near in left and TEAM_OF[letters[near]] == team:
                    left.remove(near)
                    members.append(near)
            for step in _OUTWARD[i]:
                beside = corner + _STEPS[i] + step
                if self.shown.get(beside) == enemy:
                    own = 0
                elif (section := self.section_at.get(beside)) is not None and self.team[section] == team:
                    joined.add(section)
            worth += own
        return team, worth + base, joined


def _merged(groups: list[_Group]) -> list[_Group]:
    """Two groups of the new tile that reach the same section outside are one."""
    merged: list[_Group] = []
    for team, worth, joined in groups:
        for other in [other for other in merged if other[2] & joined]:
            merged.remove(other)
            worth, joined = worth + other[1], joined | other[2]
        merged.append((team, worth, joined))
    return merged
