"""ZU Tiles: what the Roosters' tiles do."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import title
from companion.games.zu_tiles_hime.effects.guards import needs_targets, own
from companion.games.zu_tiles_hime.registry import BARS_ATTACK, IN_PLAY, ON_PLACE, ON_STACK, Undoable, tile
from companion.games.zu_tiles_hime.rules.area import beside
from companion.games.zu_tiles_hime.rules.moves import Played
from companion.games.zu_tiles_hime.rules.piles import out_of_pile, send, to_pile
from companion.games.zu_tiles_hime.rules.position import IN_BATTLE, Fight, Lying, Position, place_of
from companion.games.zu_tiles_hime.rules.verbs import another_turn, discard_all
from companion.rules import Breach
from companion.said import called, say


@tile(ON_PLACE, "explosive-egg")
def laid_beside_a_rooster(now: Position, play: Played) -> Position | Breach:
    assert isinstance(play.at, tuple)
    if any(lying.is_a("rooster") and lying.by == play.by for _, lying in beside(now, play.at)):
        return now
    return Breach(
        say("{place} neighbours no Rooster of {player}", place=place_of(play.at), player=called(play.by)),
        (place_of(play.at),),
    )


@tile(ON_PLACE, "golden-egg")
def laid_by_a_rooster(now: Position, play: Played) -> Position | Breach:
    return (
        now
        if now.controlled(play.by, "rooster")
        else Breach(say("{player} controls no Rooster", player=called(play.by)))
    )


@tile(IN_PLAY, "golden-egg")
def carry_the_egg(now: Position, play: Played) -> Position | Breach:
    if isinstance(play.at, str):
        return _from_pile_to_pile(now, play, play.at)
    egg = now.at(play.at)
    if play.at is None or egg is None or egg.tile != "golden-egg" or egg.by != play.by:
        where = place_of(play.at) if play.at else say("the area")
        return Breach(say("{player} controls no Golden Egg on {place}", player=called(play.by), place=where), (where,))
    return send(now, play.at, play.by, "points", "2 from the area")


def _from_pile_to_pile(now: Position, play: Played, start: str) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    to = str(play.targets[0].then)
    if not now.controlled(play.by, "dragon") and not now.controlled(play.by, "rooster"):
        return Breach(say("{player} controls neither a Dragon nor a Rooster", player=called(play.by)))
    if start not in now.seats or to not in now.seats or to == start:
        return Breach(say("a Golden Egg goes from one player's point pile to another's"))
    found = out_of_pile(now, start, "points", "golden-egg")
    if found is None:
        return Breach(say("no Golden Egg is in {player}'s point pile", player=called(start)), (f"{start}:points",))
    return to_pile(found, to, "points", "golden-egg", f"2 from {start}'s point pile")


@tile(ON_STACK, "crow-blast")
def crow(now: Position, play: Played) -> Position | Breach:
    if now.fight is None or not now.fight.defended_by:
        return Undoable(say("there is no Battle"))
    if len(play.targets) != 2:
        return needs_targets(play)
    roosters = [part.path[0] for part in play.targets]
    if breach := own(now, play, roosters[0], "rooster") or own(now, play, roosters[1], "rooster"):
        return breach
    if roosters[0] == roosters[1]:
        return Breach(say("two Roosters are discarded, not one"), (place_of(roosters[0]),))
    winner = _side(now.fight, str(play.targets[1].then))
    if winner is None:
        return Breach(say("{side} is no side of this Battle", side=play.targets[1].then))
    for seat, name in now.below:
        now = to_pile(now, seat, "discard", name)
    now = discard_all(replace(now, below=()), roosters)
    assert now.fight is not None
    return replace(now, fight=replace(now.fight, winner=winner)).saying(
        say("Crow Blast: the {winner} wins", winner=IN_BATTLE[winner])
    )


def _side(fight: Fight, named: str) -> str | None:
    """The side a player's name stands for; attacker and defender may be named as such too."""
    if named in ("attacker", "defender"):
        return named
    return {fight.defended_by: "defender", fight.attacked_by: "attacker"}.get(named)


@tile(BARS_ATTACK, "diamond-rooster-totem")
def roosters_are_safe(totem: Lying, defender: Lying) -> bool:
    return defender.is_a("rooster") and defender.by == totem.by


@tile(ON_STACK, "egg-pelt")
def pelt(now: Position, play: Played) -> Position | Breach:
    if len(play.targets) != 2:
        return needs_targets(play)
    eggs = [part.path[0] for part in play.targets]
    for cell in eggs:
        lying = now.at(cell)
        if lying is None or lying.by != play.by or "Egg" not in title(lying.tile).split():
            return Breach(
                say("{player} controls no Egg on {place}", player=called(play.by), place=place_of(cell)),
                (place_of(cell),),
            )
    if eggs[0] == eggs[1]:
        return Breach(say("two Eggs are discarded, not one"), (place_of(eggs[0]),))
    return another_turn(discard_all(now, eggs)).saying(
        say("{player} takes another turn after this one", player=called(play.by))
    )


@tile(ON_STACK, "reversal-of-fortune")
def turn_fortune(now: Position, play: Played) -> Position | Breach:
    fight = now.fight
    if fight is None:
        return Undoable(say("there is no Battle"))
    defender = now.at(fight.defender)
    if defender is None or not defender.creature:
        return Undoable(say("the Defender is no Creature"))
    return replace(now, fight=replace(fight, reversed=True)).saying(say("the side lower in STR and INT wins"))
