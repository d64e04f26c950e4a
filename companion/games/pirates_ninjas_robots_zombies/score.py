"""Pirates, Ninjas, Robots & Zombies: the best section of each team, who wins by them, and how to draw them."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from companion.board import cell
from companion.game import Mark
from companion.games.pirates_ninjas_robots_zombies.quarters import ENEMY_NAMES, TEAM_NAMES, TEAMS
from companion.games.pirates_ninjas_robots_zombies.rules import Table, players
from companion.games.pirates_ninjas_robots_zombies.sections import (
    Quarter,
    Section,
    best_sections,
    cell_and_corner,
    find_sections,
    negated_quarters,
    quarters_of_grid,
    quarters_on,
)
from companion.said import called, counted, joined, say
from companion.scoring import Item, Outcome, Scoresheet
from companion.table import Place

_ITEMS: Mapping[str, Callable[[int], str]] = {
    "P": lambda n: counted(n, "1 treasure chest", "{n} treasure chests"),
    "N": lambda n: counted(n, "1 throwing star", "{n} throwing stars"),
    "R": lambda n: counted(n, "1 battery", "{n} batteries"),
    "Z": lambda n: counted(n, "1 brain", "{n} brains"),
}
_CORNERS = {"nw": say("nw"), "ne": say("ne"), "sw": say("sw"), "se": say("se")}


def shown_on(table: Table) -> dict[Quarter, str]:
    """Every quarter of a table, or of a plain grid."""
    return quarters_on(table.area) if table.grid is None else quarters_of_grid(table.grid)


def negated_connect(table: Table) -> bool:
    return table.options["negated"] == "connects"


def owner_of(table: Table, team: str) -> str | None:
    """Who plays a team; where no players are named a team plays itself."""
    if not table.players:
        return team
    return next((player for player, teams in zip(table.players, table.teams, strict=True) if team in teams), None)


def score(table: Table) -> Scoresheet:
    best = best_sections(shown_on(table), negated_connect(table))
    items = []
    for team in TEAMS:
        owner = owner_of(table, team)
        if owner is not None and team in best:
            section = best[team]
            items.append(Item(owner, section.points, "3.4", _in_words(section), _places(section.quarters)))
    return Scoresheet(players(table), tuple(items))


def outcome(table: Table) -> Outcome:
    if not table.over:
        return Outcome()
    points = score(table).points
    most = max(points.values())
    leaders = [player for player, total in points.items() if total == most]
    if len(leaders) > 1 and table.options["tie"] == "larger-sections":
        sizes = {player: _size(table, player) for player in leaders}
        leaders = [player for player in leaders if sizes[player] == max(sizes.values())]
    if len(leaders) == 1:
        return Outcome(
            leaders[0], False, "3.4", say("{winner} wins with {n} points", winner=called(leaders[0]), n=most)
        )
    names = joined(called(leader) for leader in leaders)
    return Outcome(None, True, "3.4", say("{winners} share the win with {n} points each", winners=names, n=most))


def marks(table: Table) -> tuple[Mark, ...]:
    """Every section, cell by cell: the ink is its team (``pirate``, or ``pirate-lesser`` where another one counts).

    Negated quarters are marked once more in the ink ``negated``.
    """
    shown = shown_on(table)
    best = best_sections(shown, negated_connect(table))
    drawn = []
    for section in find_sections(shown, negated_connect(table)):
        team = TEAM_NAMES[section.team]
        if section == best[section.team]:
            drawn += _marks(section.quarters, team.lower(), say("{team} section", team=team))
        else:
            drawn += _marks(section.quarters, f"{team.lower()}-lesser", say("lesser {team} section", team=team))
    return (*drawn, *_marks(sorted(negated_quarters(shown)), "negated", say("negated")))


def _marks(quarters: tuple[Quarter, ...] | list[Quarter], ink: str, says: str) -> list[Mark]:
    corners = defaultdict(list)
    for quarter in quarters:
        at, corner = cell_and_corner(quarter)
        corners[at].append(corner)
    return [Mark(cell(*at), ink, says, quarters=tuple(names)) for at, names in corners.items()]


def _places(quarters: tuple[Quarter, ...]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(cell(*cell_and_corner(quarter)[0]) for quarter in quarters))


def _size(table: Table, player: str) -> int:
    best = best_sections(shown_on(table), negated_connect(table))
    return sum(len(section.quarters) for team, section in best.items() if owner_of(table, team) == player)


def _in_words(section: Section) -> str:
    parts = [counted(section.characters, "1 character", "{n} characters")] if section.characters else []
    parts += [_ITEMS[section.team](section.items)] if section.items else []
    parts += [say("the base")] if section.base else []
    says = say(
        "{team} section: {parts}",
        team=TEAM_NAMES[section.team],
        parts=joined(parts, "{some} + {more}") or say("nothing that counts"),
    )
    if section.negated:
        says = say(
            "{says}; {n} negated by the {enemy} on {quarters}",
            says=says,
            n=len(section.negated),
            enemy=ENEMY_NAMES[section.team],
            quarters=joined(_quarter_words(section.negated), "{some}, {more}"),
        )
    return says


def _quarter_words(quarters: tuple[Quarter, ...]) -> list[str]:
    return [
        say("{place} {corner}", place=cell(*at), corner=_CORNERS[corner])
        for at, corner in map(cell_and_corner, quarters)
    ]
