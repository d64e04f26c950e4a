"""ZU Tiles: what tiles of no particular creature do."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import is_creature, title
from companion.games.zu_tiles_hime.effects.guards import creature, needs_targets, steps
from companion.games.zu_tiles_hime.registry import AT_END, IN_PLAY, ON_STACK, tile
from companion.games.zu_tiles_hime.rules.moves import EndTurn, Played
from companion.games.zu_tiles_hime.rules.piles import out_of_pile
from companion.games.zu_tiles_hime.rules.position import Pending, Position, give_to_hand, place_of
from companion.games.zu_tiles_hime.rules.turn import most_revived
from companion.games.zu_tiles_hime.rules.verbs import at_end_of_turn, control, move, with_tile
from companion.rules import Breach
from companion.said import called, say


@tile(ON_STACK, "revive")
def revive(now: Position, play: Played) -> Position | Breach:
    return at_end_of_turn(now, Pending("revive", play.by))


@tile(AT_END, "revive")
def bring_back(now: Position, effect: Pending, told: EndTurn) -> Position | Breach:
    """Creatures of the discard pile into the hand, if the player wishes."""
    if effect.by != now.mover or not told.revived:
        return now
    if len(told.revived) > most_revived(now):
        return Breach(say("Revive brings back 1 Creature, or 2 if it was all that was done this turn"))
    for name in told.revived:
        if not is_creature(name):
            return Breach(say("{tile} is no Creature", tile=title(name)))
        found = out_of_pile(now, effect.by, "discard", name)
        if found is None:
            return Breach(
                say("no {tile} is in {player}'s discard pile", tile=title(name), player=called(effect.by)),
                (f"{effect.by}:discard",),
            )
        player = found.player(effect.by)
        now = found.with_player(effect.by, replace(player, hand=give_to_hand(player.hand, name)))
    return now


@tile(ON_STACK, "mind-control")
def control_a_mind(now: Position, play: Played) -> Position | Breach:
    if not play.targets:
        return needs_targets(play)
    cell = play.targets[0].path[0]
    if breach := creature(now, cell):
        return breach
    if now.area[cell].by == play.by:
        return Breach(
            say(
                "{tile} on {place} is {player}'s already",
                tile=title(now.area[cell].tile),
                place=place_of(cell),
                player=called(play.by),
            ),
            (place_of(cell),),
        )
    return control(now, cell, play.by)


@tile(IN_PLAY, "mind-control")
def walk_as_told(now: Position, play: Played) -> Position | Breach:
    if not play.targets or not isinstance(play.at, tuple):
        return needs_targets(play)
    lying, path = now.at(play.at), play.targets[0].path
    held = any(effect.what == "mind-control" and effect.at == play.at for effect in now.pending)
    if lying is None or lying.by != play.by or not held or path[0] != play.at:
        return Breach(
            say("{player} controls no mind on {place}", player=called(play.by), place=place_of(play.at)),
            (place_of(play.at),),
        )
    if breach := steps(now, path, 4):
        return breach
    # An Egg on the way ends the walk there.
    stop = next((cell for cell in path[1:-1] if cell in now.area and cell != path[0]), path[-1])
    return now if stop == path[0] else move(now, path[0], stop, play.by)


@tile(AT_END, "mind-control")
def let_go(now: Position, effect: Pending, told: EndTurn) -> Position | Breach:
    lying = now.at(effect.at)
    if lying is None or effect.at is None:
        return now
    return with_tile(now, effect.at, replace(lying, by=effect.by))
