"""What to play next: the turn after which the own lead is largest once the next player has answered.

Every placement is counted, then the actions of the tiles with an icon on the best of them, as many as time allows; the
most promising turns are tried against the best placement that the next player could answer with.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from companion.board import cell
from companion.game import Clock
from companion.games.pirates_ninjas_robots_zombies.ground import Ground
from companion.games.pirates_ninjas_robots_zombies.quarters import TEAM_NAMES, TEAMS, Face, icon_of, kind, quarters_of
from companion.games.pirates_ninjas_robots_zombies.rules import Replace, Rotate, Swap, Table, Turn, area_after, play
from companion.games.pirates_ninjas_robots_zombies.score import negated_connect
from companion.games.pirates_ninjas_robots_zombies.sections import quarters_on, team_points
from companion.games.pirates_ninjas_robots_zombies.turns import actions, placements
from companion.said import called, joined, say
from companion.scoring import Advice

PLACES_FOR_ACTIONS = 4
"""On how many of the best placements of each tile with an icon its actions are tried."""
ANSWERED = 40
"""How many of the best turns are tried against an answer."""
GIVEN = 10
"""How many turns are advised."""
SHARE_OF_ACTIONS = 0.5
SUPPOSED_HANDS_SEED = 1

Points = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Idea:
    """A turn, the points of every team after it, and by how much it changes the mover's lead."""

    turn: Turn
    points: Points
    gain: int


@dataclass(frozen=True, slots=True)
class Answered:
    """An idea and the next player's best answer to it, if there is a next turn."""

    idea: Idea
    answer: Idea | None
    gain: int
    """The change of the mover's lead once the answer is played."""


def advise(deck: tuple[Face, ...], table: Table, seconds: float, clock: Clock) -> tuple[Advice[Turn], ...]:
    if table.over or table.mover is None:
        return ()
    begun = clock()
    ideas = ranked(table)
    before = team_points(quarters_on(table.area), negated_connect(table))
    for idea in _with_actions(table, before, ideas):
        ideas.append(idea)
        if clock() - begun > seconds * SHARE_OF_ACTIONS:
            break
    ideas.sort(key=lambda idea: -idea.gain)
    answered: list[Answered] = []
    for idea in ideas[:ANSWERED]:
        if answered and clock() - begun > seconds * 0.9:
            break
        answered.append(_answered(deck, table, idea, before))
    answered.sort(key=lambda one: -one.gain)
    return tuple(Advice(one.idea.turn, float(one.gain), _because(table, before, one)) for one in answered[:GIVEN])


def ranked(table: Table) -> list[Idea]:
    """Every known turn without an action, the best for the mover first."""
    connect = negated_connect(table)
    ground = Ground(table.area, connect)
    lifted: dict[Face, Ground] = {}
    ideas = []
    for turn in placements(table):
        on = ground
        if turn.start is not None:
            if turn.face not in lifted:
                rest = {at: face for at, face in table.area.items() if at != turn.start}
                lifted[turn.face] = Ground(rest, connect)
            on = lifted[turn.face]
        points = on.points_with(turn.face, turn.to)
        ideas.append(Idea(turn, points, _lead(table, points) - _lead(table, ground.points)))
    return sorted(ideas, key=lambda idea: -idea.gain)


def totals(table: Table, points: Points) -> list[int]:
    """The points of every player."""
    return [sum(points[team] for team in teams) for teams in table.teams]


def _lead(table: Table, points: Points) -> int:
    """How far the mover is ahead of the best opponent."""
    sums = totals(table, points)
    own = sums.pop(table.mover or 0)
    return own - max(sums)


def _with_actions(table: Table, before: Points, ideas: list[Idea]) -> Iterator[Idea]:
    """The best placements of each tile with an icon, with every action, those on much-counting tiles first."""
    tried: dict[Face, int] = {}
    for idea in list(ideas):
        tile = kind(idea.turn.face)
        if not icon_of(tile) or tried.get(tile, 0) >= PLACES_FOR_ACTIONS:
            continue
        tried[tile] = tried.get(tile, 0) + 1
        weights = {at: _weight(face) for at, face in table.area.items()} | {idea.turn.to: _weight(idea.turn.face)}
        for action in sorted(actions(table, idea.turn), key=lambda action: -_touch(action, weights)):
            turn = idea.turn._replace(action=action)
            points = team_points(quarters_on(area_after(table, turn)), negated_connect(table))
            yield Idea(turn, points, _lead(table, points) - _lead(table, before))


def _weight(face: Face) -> int:
    """How much may depend on a tile: its items and arch-enemies count most."""
    return sum(1 if letter in TEAMS else 3 for letter in quarters_of(face))


def _touch(action: Rotate | Swap | Replace, weights: Mapping[tuple[int, int], int]) -> int:
    if isinstance(action, Swap):
        return weights[action.first] + weights[action.second]
    return weights[action.cell]


def _answered(deck: tuple[Face, ...], table: Table, idea: Idea, before: Points) -> Answered:
    after = _supposed(deck, play(table, idea.turn))
    answers = [] if after.over else ranked(after)
    if not answers:
        return Answered(idea, None, idea.gain)
    best = answers[0]
    return Answered(idea, best, _lead(table, best.points) - _lead(table, before))


def _supposed(deck: tuple[Face, ...], table: Table) -> Table:
    """The table with a likely hand for the mover where it is not known: some of the tiles nobody has seen."""
    hand = table.hand
    if table.mover is None or isinstance(hand, tuple):
        return table
    known = [face for pile in table.hands if isinstance(pile, tuple) for face in pile]
    seen = {kind(face) for face in (*known, *table.area.values())}
    unseen = [face for face in deck if kind(face) not in seen]
    count = min(3 if hand is None else hand, len(unseen))
    hands = list(table.hands)
    hands[table.mover] = tuple(Random(SUPPOSED_HANDS_SEED).sample(unseen, count))
    return replace(table, hands=tuple(hands))


def _because(table: Table, before: Points, one: Answered) -> str:
    own = [team for team in TEAMS if team in table.own_teams]
    changes = [_change(team, before, one.idea.points) for team in (*own, *(t for t in TEAMS if t not in own))]
    changed = joined(filter(None, changes), "{some}, {more}") or say("keeps every total as it is")
    says = _by_action(changed, one.idea.turn)
    if one.answer is None or table.mover is None:
        return says
    next_player = (table.mover + 1) % len(table.players)
    name = called(table.players[next_player])
    won = totals(table, one.answer.points)[next_player] - totals(table, one.idea.points)[next_player]
    if won <= 0 and one.answer.gain <= 0:
        return say("{why}; {player} has no good answer", why=says, player=name)
    return say(
        "{why}; {player} can then win {n} with {tile} on {place}",
        why=says,
        player=name,
        n=won,
        tile=one.answer.turn.face,
        place=cell(*one.answer.turn.to),
    )


def _by_action(why: str, turn: Turn) -> str:
    match turn.action:
        case Rotate(at):
            return say("{why} with {place} rotated", why=why, place=cell(*at))
        case Swap(first, second):
            return say("{why} with {first} and {second} swapped", why=why, first=cell(*first), second=cell(*second))
        case Replace(at, face):
            return say("{why} with {tile} for the tile on {place}", why=why, tile=face, place=cell(*at))
        case None:
            return why


def _change(team: str, before: Points, after: Points) -> str:
    if before[team] == after[team]:
        return ""
    return say(
        "brings {team} from {before} to {after}"
        if after[team] > before[team]
        else "cuts {team} from {before} to {after}",
        team=TEAM_NAMES[team],
        before=before[team],
        after=after[team],
    )
