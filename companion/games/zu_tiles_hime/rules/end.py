"""ZU Tiles: what takes effect at once, who is out of the game, and who has won (5.6, 5.7, 5.8)."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import maximum, title, too_many, worth
from companion.games.zu_tiles_hime.registry import FALLS_OFF, STANDS
from companion.games.zu_tiles_hime.rules.area import has_strength, strength
from companion.games.zu_tiles_hime.rules.position import TARGETS, Cell, Lying, Position, place_of
from companion.games.zu_tiles_hime.rules.verbs import detach, discard
from companion.said import called, joined, say
from companion.scoring import Outcome


def settle(now: Position) -> Position:
    """All that happens at once because of how things stand, until nothing more does."""
    while (after := _next_consequence(now)) is not None:
        now = after
    return now


def points_of(now: Position, seat: str) -> int:
    return sum(worth(name) for name in now.player(seat).points.names)


def target(now: Position) -> int:
    return TARGETS[len(now.seats)]


def lose(now: Position, seat: str, rule: str) -> Position:
    """A player is out; with three or four players the hand and the tiles in play go to the own discard pile (5.8)."""
    now = now.with_player(seat, replace(now.player(seat), lost=rule)).saying(
        say("{player} loses ({rule})", player=called(seat), rule=rule)
    )
    if len(now.seats) == 2:
        return now
    player = now.player(seat)
    held = player.hand if isinstance(player.hand, tuple) else ("?",) * (player.hand or 0)
    discarded = player.discard
    for tile in held:
        discarded = discarded.with_tile(tile)
    hand = () if isinstance(player.hand, tuple) else player.hand if player.hand is None else 0
    return now.with_player(seat, replace(player, hand=hand, discard=discarded))


def outcome(now: Position) -> Outcome:
    """The first to the target wins, or the last who has not lost."""
    alive = tuple(seat for seat in now.alive() if not _breaks_maximum(now, seat))
    if len(alive) < 2:
        return _last_one(now, alive)
    reached = sorted((seat for seat in alive if points_of(now, seat) >= target(now)), key=lambda s: -points_of(now, s))
    if reached:
        winner = reached[0]
        return Outcome(
            winner,
            False,
            "5.8",
            say("{winner} wins with {n} points", winner=called(winner), n=points_of(now, winner)),
        )
    return Outcome()


def is_over(now: Position) -> bool:
    if len(now.alive()) < 2:
        return True
    return outcome(now).over


def _last_one(now: Position, alive: tuple[str, ...]) -> Outcome:
    rules = [now.player(seat).lost or "5.7" for seat in now.seats if seat not in alive]
    if not alive:
        return Outcome(None, True, "5.7", say("Nobody is left in the game"))
    losers = joined(called(seat) for seat in now.seats if seat not in alive)
    why = (
        say("had to draw and had no tile left")
        if rules[-1] == "5.8"
        else say("has too many tiles of one name in the piles")
    )
    return Outcome(
        alive[0],
        False,
        rules[-1],
        say("{winner} wins: {losers} {why}", winner=called(alive[0]), losers=losers, why=why),
    )


def _breaks_maximum(now: Position, seat: str) -> str | None:
    player = now.player(seat)
    return too_many((*player.points.names, *player.discard.names))


def _next_consequence(now: Position) -> Position | None:
    for cell in sorted(now.area):
        after = _consequence(now, cell, now.area[cell])
        if after is not None:
            return after
    for seat in now.alive():
        if name := _breaks_maximum(now, seat):
            says = say(
                "{player} has more than {n} of {tile} in the piles (5.7)",
                player=called(seat),
                n=maximum(name),
                tile=title(name),
            )
            return lose(now.saying(says), seat, "5.7")
    return None


def _consequence(now: Position, cell: Cell, tile: Lying) -> Position | None:
    if len(now.seats) > 2 and now.player(tile.by).lost is not None:
        return discard(now, cell, tile.by)
    for attached in tile.attached:
        if attached.tile in FALLS_OFF and FALLS_OFF[attached.tile](now, cell, attached):
            return detach(now, cell, attached)
    if tile.tile in STANDS and (after := STANDS[tile.tile](now, cell)) is not None:
        return after
    if tile.load and has_strength(tile) and strength(now, cell) <= 0:
        now = now.saying(
            say("{tile} on {place} has no STR left and is discarded (5.6)", tile=title(tile.tile), place=place_of(cell))
        )
        return discard(now, cell)
    return None
