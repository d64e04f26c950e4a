"""ZU Tiles: Battles (5.2, 5.3, 5.4)."""

from dataclasses import dataclass, replace

from companion.games.zu_tiles_hime.catalogue import title
from companion.games.zu_tiles_hime.registry import BARS_ATTACK, WHEN_DEFEATED
from companion.games.zu_tiles_hime.rules.area import in_words, values
from companion.games.zu_tiles_hime.rules.moves import Battle
from companion.games.zu_tiles_hime.rules.position import (
    IN_BATTLE,
    Cell,
    Fight,
    Lying,
    Position,
    are_neighbours,
    place_of,
)
from companion.games.zu_tiles_hime.rules.verbs import capture, discard
from companion.rules import Breach
from companion.said import called, joined, say


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both sides of a Battle as they stand, and who wins: ``attacker``, ``defender`` or nobody."""

    winner: str | None
    says: str


def fight_of(now: Position, battle: Battle) -> Fight:
    """Who fights; a tile named more than once stands where it was named first."""
    defender = now.at(battle.defender)
    allies = _others(now, battle.allies, (battle.attacker, battle.defender))
    return Fight(
        battle.attacker if battle.attacker in now.area else None,
        battle.defender if defender else None,
        allies,
        _others(now, battle.foes, (battle.attacker, battle.defender, *allies)),
        now.mover,
        defender.by if defender else "",
        defender is not None and not defender.creature and defender.by == now.mover,
    )


def _others(now: Position, named: tuple[Cell, ...], taken: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple(cell for cell in dict.fromkeys(named) if cell in now.area and cell not in taken)


def allies_left(fight: Fight) -> Fight:
    """Without the allies that no longer neighbour the Defender (5.3)."""
    return replace(
        fight,
        allies=tuple(cell for cell in fight.allies if are_neighbours(cell, fight.defender)),
        foes=tuple(cell for cell in fight.foes if are_neighbours(cell, fight.defender)),
    )


def compare(now: Position, fight: Fight) -> Comparison:
    """Sum both sides (5.4)."""
    assert fight.attacker is not None
    assert fight.defender is not None
    ours, we = _sum(now, (fight.attacker, *fight.allies))
    theirs, they = _sum(now, (fight.defender, *fight.foes))
    ahead = tuple(_sign(our - their) for our, their in zip(ours, theirs, strict=True))
    if fight.reversed:
        ahead = tuple(-sign for sign in ahead)
    winner = {(1, 1): "attacker", (-1, -1): "defender"}.get((ahead[0], ahead[1]))
    return Comparison(
        winner,
        say(
            "{we} against {they}: {verdict}, 5.4",
            we=we,
            they=they,
            verdict=_verdict(ours, theirs, winner, fight.reversed),
        ),
    )


def end_battle(now: Position) -> Position:
    """The Battle Action Tile is reached: compare, if attacker and defender are still neighbours (5.2)."""
    fight = now.fight
    if fight is None:
        return now
    if fight.winner is not None:
        return _conclude(now, allies_left(fight), fight.winner)
    if not are_neighbours(fight.attacker, fight.defender):
        return now.saying(say("Attacker and Defender are no longer neighbours: there is no Battle (5.2)"))
    fight = allies_left(fight)
    found = compare(now, fight)
    now = now.saying(found.says)
    return _conclude(now, fight, found.winner) if found.winner else now


def bar_to_attack(now: Position, defender: Lying) -> Lying | None:
    """The tile in play that keeps a tile from being chosen as Defender."""
    for tile in now.area.values():
        if tile.tile in BARS_ATTACK and BARS_ATTACK[tile.tile](tile, defender):
            return tile
    return None


def cannot_fight(now: Position, battle: Battle) -> Breach | None:
    """Why these two cannot be Attacker and Defender (5.2)."""
    at = (place_of(battle.attacker), place_of(battle.defender))
    attacker, defender = now.at(battle.attacker), now.at(battle.defender)
    if attacker is None or not attacker.creature or attacker.by != now.mover:
        return Breach(say("{mover} controls no Creature on {place}", mover=called(now.mover), place=at[0]), at[:1])
    if defender is None:
        return Breach(say("nothing lies on {place}", place=at[1]), at[1:])
    if not are_neighbours(battle.attacker, battle.defender):
        return Breach(say("{place} is no neighbour of {start}", place=at[1], start=at[0]), at)
    if defender.creature and defender.by == now.mover:
        return Breach(
            say(
                "{tile} on {place} is {mover}'s own Creature",
                tile=title(defender.tile),
                place=at[1],
                mover=called(now.mover),
            ),
            at,
        )
    return None


def cannot_ally(now: Position, battle: Battle) -> Breach | None:
    """Why one of those named cannot be an ally (5.3)."""
    sides = (*battle.allies, *battle.foes)
    for cell in sides:
        where, tile = place_of(cell), now.at(cell)
        if tile is None or not tile.creature:
            return Breach(say("there is no Creature on {place} to be an ally", place=where), (where,))
        if cell == battle.attacker or sides.count(cell) > 1:
            return Breach(
                say("{tile} on {place} is in this Battle already", tile=title(tile.tile), place=where), (where,)
            )
        if not are_neighbours(cell, battle.defender):
            return Breach(
                say("{tile} on {place} does not neighbour the Defender", tile=title(tile.tile), place=where), (where,)
            )
        if not may_ally(now, battle.defender, tile, attacking=cell in battle.allies):
            return Breach(
                say(
                    "{tile} on {place} is {player}'s and fights for the other side",
                    tile=title(tile.tile),
                    place=where,
                    player=called(tile.by),
                ),
                (where,),
            )
    return None


def may_ally(now: Position, defender: Cell, tile: Lying, attacking: bool) -> bool:
    """Whose creatures may help: one's own, and those of a third player who agrees; anyone's defend a mere thing."""
    defended = now.area.get(defender)
    if defended is None:
        return False
    if attacking:
        return tile.by == now.mover or (len(now.seats) > 2 and tile.by != defended.by)
    return not defended.creature or tile.by != now.mover


def _conclude(now: Position, fight: Fight, winner: str) -> Position:
    if winner == "attacker":
        return _defender_falls(now, fight, fight.attacked_by)
    return _attacker_falls(now, fight, fight.defended_by)


def _defender_falls(now: Position, fight: Fight, by: str) -> Position:
    for cell in fight.foes:
        now = capture(now, cell, by, "5.4 captured in Battle as an ally of the Defender")
    defender = now.at(fight.defender)
    if defender is None or fight.defender is None:
        return now
    if defender.creature:
        return capture(now, fight.defender, by, "5.4 captured in Battle as Defender")
    if defender.tile in WHEN_DEFEATED:
        return WHEN_DEFEATED[defender.tile](now, fight.defender, by)
    return discard(now, fight.defender)


def _attacker_falls(now: Position, fight: Fight, by: str) -> Position:
    fallen = (fight.attacker, *fight.allies)
    for i, cell in enumerate(fallen):
        if cell is None:
            continue
        role = "as an ally of the Attacker" if i else "as Attacker"
        now = discard(now, cell) if fight.own_thing else capture(now, cell, by, f"5.4 captured in Battle {role}")
    return now


def _sum(now: Position, cells: tuple[Cell, ...]) -> tuple[tuple[int, int], str]:
    each = [values(now, cell) for cell in cells]
    total = (sum(strong for strong, _ in each), sum(clever for _, clever in each))
    words = joined((in_words(now, cell) for cell in cells), "{some} + {more}")
    if len(cells) == 1:
        return total, words
    return total, say("{sum} = {strong}/{clever}", sum=words, strong=total[0], clever=total[1])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _verdict(ours: tuple[int, int], theirs: tuple[int, int], winner: str | None, turned: bool) -> str:
    better = say("lower") if turned else say("greater")
    if winner is not None:
        return say("STR and INT are {better} for the {winner}, who wins", better=better, winner=IN_BATTLE[winner])
    signs = [_sign(our - their) * (-1 if turned else 1) for our, their in zip(ours, theirs, strict=True)]
    ahead = [stat for stat, sign in zip(("STR", "INT"), signs, strict=True) if sign > 0]
    if not ahead:
        return say("neither STR nor INT is {better}: a draw", better=better)
    other = "INT" if ahead[0] == "STR" else "STR"
    return say("{stat} is {better}, {other} is not: a draw", stat=ahead[0], better=better, other=other)
