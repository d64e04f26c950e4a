"""ZU Tiles: stacks of tiles, added one on the other and resolved from the top down (5.1)."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, kind, reacts, starts_a_stack, title
from companion.games.zu_tiles_hime.registry import IN_PLAY, ON_STACK
from companion.games.zu_tiles_hime.rules.battle import end_battle, fight_of
from companion.games.zu_tiles_hime.rules.end import is_over, settle
from companion.games.zu_tiles_hime.rules.moves import Battle, Played, Stack
from companion.games.zu_tiles_hime.rules.piles import to_pile
from companion.games.zu_tiles_hime.rules.position import Position, may_hold, take_from_hand
from companion.rules import Breach
from companion.said import called, say


def perform(now: Position, play: Played) -> Position | Breach:
    """What the tile says, or why that cannot be done."""
    effects = ON_STACK if play.at is None else IN_PLAY
    if play.tile not in effects:
        return Breach(say("{tile} does nothing on a stack", tile=title(play.tile)))
    return effects[play.tile](now, play)


def resolve_stack(now: Position, move: Stack) -> tuple[Position, list[Breach | None]]:
    """Play a Basic Action Stack whole; also what could not be done, for each tile from the bottom."""
    now = _lay_down(now, (move.first, *move.reactions))
    return _resolve(now, (move.first, *move.reactions))


def resolve_battle(now: Position, move: Battle) -> tuple[Position, list[Breach | None]]:
    """Fight a Battle whole: the reactions, then the Battle Action Tile."""
    player = now.player(now.mover)
    hand, told = take_from_hand(player.hand, move.tile)
    now = replace(
        now.with_player(now.mover, replace(player, hand=hand)), below=((now.mover, told),), fight=fight_of(now, move)
    )
    now, failed = _resolve(_lay_down(now, move.reactions), move.reactions)
    for seat, tile in now.below:
        now = to_pile(replace(now, below=()), seat, "discard", tile)
    if not is_over(now):
        now = end_battle(now)
    return settle(replace(now, fight=None)), failed


def cannot_start(now: Position, play: Played) -> Breach | None:
    """Why a stack cannot start with this (5.1)."""
    if play.at is not None:
        ability = CATALOGUE[play.tile].values.get("ability", "")
        return None if "A" in ability else Breach(say("{tile} has no ability as an Action", tile=title(play.tile)))
    if not starts_a_stack(play.tile):
        return Breach(say("{tile} is {kind}: it starts no stack", tile=title(play.tile), kind=_kind(play.tile)))
    return _not_held(now, play)


def cannot_react(now: Position, play: Played) -> Breach | None:
    """Why this cannot be added to a stack (5.1)."""
    if play.by not in now.alive():
        return Breach(say("{player} is not in this game", player=called(play.by)))
    if play.at is not None:
        ability = CATALOGUE[play.tile].values.get("ability", "")
        return None if "R" in ability else Breach(say("{tile} has no ability as a Reaction", tile=title(play.tile)))
    if not reacts(play.tile):
        return Breach(say("{tile} is {kind}, no Reaction", tile=title(play.tile), kind=_kind(play.tile)))
    return _not_held(now, play)


def held_after(now: Position, plays: tuple[Played, ...]) -> Breach | None:
    """Whether the hands hold all the tiles of a stack together, as far as is known."""
    for play in plays:
        if play.at is None:
            if breach := _not_held(now, play):
                return breach
            now = without_tile(now, play)
    return None


def _not_held(now: Position, play: Played) -> Breach | None:
    if may_hold(now.player(play.by).hand, play.tile):
        return None
    return Breach(say("{player} holds no {tile}", player=called(play.by), tile=title(play.tile)))


def without_tile(now: Position, play: Played) -> Position:
    """The tile has left the hand of who plays it."""
    player = now.player(play.by)
    return now.with_player(play.by, replace(player, hand=take_from_hand(player.hand, play.tile)[0]))


def _lay_down(now: Position, plays: tuple[Played, ...]) -> Position:
    """The tiles of the hands go onto the stack; abilities are shown by placeholders."""
    for play in plays:
        if play.at is None and play.by in now.players:
            now = replace(without_tile(now, play), below=(*now.below, (play.by, play.tile)))
    return now


def _resolve(now: Position, plays: tuple[Played, ...]) -> tuple[Position, list[Breach | None]]:
    failed: list[Breach | None] = [None] * len(plays)
    for i in range(len(plays) - 1, -1, -1):
        play = plays[i]
        if play.by not in now.players or is_over(now) or (now.fight is not None and now.fight.winner is not None):
            continue
        if play.at is None:
            now = replace(now, below=now.below[:-1])
        now, failed[i] = _resolve_one(now, play)
    return _clear(now), failed


def _clear(now: Position) -> Position:
    """What is left on a stack whose resolution was cut short is discarded; a Battle Action Tile waits for its own."""
    keep = now.below[:1] if now.fight is not None else ()
    for seat, tile in now.below[len(keep) :]:
        now = to_pile(now, seat, "discard", tile)
    return replace(now, below=keep)


def _resolve_one(now: Position, play: Played) -> tuple[Position, Breach | None]:
    after = perform(now, play)
    if isinstance(after, Breach):
        now = now.saying(say("{tile} cannot be done: {why} (5.1)", tile=title(play.tile), why=after.says))
        return _to_discard(now, play), after
    if not CATALOGUE[play.tile].values.get("stays"):
        after = _to_discard(after, play)
    return settle(after), None


def _to_discard(now: Position, play: Played) -> Position:
    return now if play.at is not None else to_pile(now, play.by, "discard", play.tile)


def _kind(tile: str) -> str:
    return {
        "A": say("an Action"),
        "R": say("a Reaction"),
        "AR": say("an Action or Reaction"),
        "I": say("an Item"),
        "O": say("an Obstacle"),
    }.get(kind(tile), say("a Creature"))
