"""ZU Tiles: what to play next, for the tiles in play and the own hand; what others hold is only guessed at."""

from collections.abc import Iterator
from dataclasses import replace

from companion.game import Clock
from companion.games.zu_tiles_hime.catalogue import UNKNOWN, is_creature, may_be_placed, title
from companion.games.zu_tiles_hime.outlook import (
    exposure,
    given_away,
    likeliest_spoiler,
    may_hold_names,
    prospects,
    strength_of,
)
from companion.games.zu_tiles_hime.rules.area import spaces
from companion.games.zu_tiles_hime.rules.checks import CHECKS, is_done
from companion.games.zu_tiles_hime.rules.conceivable import known_hand, legal_ends, legal_stacks
from companion.games.zu_tiles_hime.rules.end import is_over, outcome, points_of
from companion.games.zu_tiles_hime.rules.moves import EndTurn, Exchange, Move, Place
from companion.games.zu_tiles_hime.rules.position import Lying, Position, in_hand, place_of
from companion.games.zu_tiles_hime.rules.squares import Square, completed_by, explain_square
from companion.games.zu_tiles_hime.rules.turn import carry_out, play
from companion.games.zu_tiles_hime.rules.verbs import with_tile
from companion.games.zu_tiles_hime.seen import seen_by
from companion.said import counted, joined, say
from companion.scoring import Advice

_SHOWN = 10
_TILE = 0.2
"""What a tile of the hand is worth against a point: little, but not nothing."""
_WEIGHED = 3
_CONTROL = 0.06
"""What a point of STR or INT in play is worth."""


def advise(now: Position, seconds: float, clock: Clock) -> tuple[Advice[Move], ...]:
    """The best moves of the player to move, best first; Battles that draw or lose are told of too, last."""
    if is_over(now):
        return ()
    until = clock() + seconds
    known = seen_by(now, now.mover)
    found = [*_battles(known, until, clock), *_placements(known, until, clock), *_stacks(known, until, clock)]
    found += _exchange(known)
    found += _end(known)
    legal = [advice for advice in found if not any(check(now, advice.move) for check in CHECKS)]
    return tuple(sorted(legal, key=lambda advice: -advice.gain)[:_SHOWN])


# --- placing


def _placements(now: Position, until: float, clock: Clock) -> Iterator[Advice[Move]]:
    if is_done(now, "place"):
        return
    for tile, chance in may_hold_names(now, now.mover).items():
        if not may_be_placed(tile):
            continue
        placed: list[Advice[Move]] = []
        for cell in spaces(now):
            if (advice := _placement(now, Place(tile, cell), chance)) is not None:
                placed.append(advice)
            if clock() > until:
                break
        placed.sort(key=lambda advice: -advice.gain)
        braced = [_braced(now, advice) for advice in placed[:_WEIGHED] if clock() < until] or placed
        if braced:
            yield max(braced, key=lambda advice: advice.gain)


def _braced(now: Position, advice: Advice[Move]) -> Advice[Move]:
    """The same with what the next players could win by a Battle only then."""
    then = play(now, advice.move)
    fear = exposure(then, now.mover)
    if fear is None or fear.gain <= (before.gain if (before := exposure(now, now.mover)) else 0):
        return advice
    says = say(
        "{why}; {attacker} could attack {defender}",
        why=advice.because,
        attacker=place_of(fear.battle.attacker),
        defender=place_of(fear.battle.defender),
    )
    return Advice(advice.move, advice.gain - fear.gain / 2, says)


def _placement(now: Position, move: Place, chance: float) -> Advice[Move] | None:
    if any(check(now, move) for check in CHECKS):
        return None
    then = play(now, move)
    gain = _standing(then, now.mover) - _standing(now, now.mover)
    loss, leaves = given_away(then, move.at) if move.at in then.area and not outcome(then).over else (0.0, "")
    squares = completed_by(now, move.at, move.tile, now.mover) if is_creature(move.tile) else []
    because = _why_place(now, move, chance, gain, squares)
    return Advice(
        move, (gain - loss) * chance, say("{why}; {leaves}", why=because, leaves=leaves) if leaves else because
    )


def _why_place(now: Position, move: Place, chance: float, gain: float, squares: list[Square]) -> str:
    what = say("{tile} on {place}", tile=title(move.tile), place=place_of(move.at))
    if chance < 1:
        what = say("if you hold it ({chance:.0%}), {tile}", chance=chance, tile=what)
    if squares:
        then = with_tile(now, move.at, Lying(move.tile, now.mover, now.mover))
        pairs = joined((explain_square(then, square) for square in squares), "{some}; {more}")
        return say(
            "{tile} completes {squares}: {pairs}",
            tile=what,
            squares=counted(len(squares), "a square", "{n} squares"),
            pairs=pairs,
        )
    return say("{tile} gains ground" if gain > 0 else "{tile} costs more than it gains", tile=what)


# --- battles


def _battles(now: Position, until: float, clock: Clock) -> Iterator[Advice[Move]]:
    if is_done(now, "battle") or in_hand(now.player(now.mover).hand) == 0:
        return
    tile = _least_missed(now)
    for prospect in prospects(now):
        battle = replace(prospect.battle, tile=tile)
        gain, says = float(prospect.gain) - _TILE, prospect.says
        if prospect.gain > 0 and clock() < until and (spoiler := likeliest_spoiler(now, battle)):
            gain -= prospect.gain * spoiler.chance / 2
            says = say("{why}; {spoiler}", why=says, spoiler=spoiler.says)
        yield Advice(battle, gain, says)


def _least_missed(now: Position) -> str:
    """The tile to put face down: the one held most often, else any; unknown where the hand is."""
    hand = now.player(now.mover).hand
    known = known_hand(now.player(now.mover))
    if not known or not isinstance(hand, tuple):
        return UNKNOWN
    return max(known, key=lambda tile: (hand.count(tile), not is_creature(tile), tile))


# --- stacks, and what is left


def _stacks(now: Position, until: float, clock: Clock) -> Iterator[Advice[Move]]:
    best: dict[str, Advice[Move]] = {}
    for move in legal_stacks(now):
        then = carry_out(now, move)
        gain = _standing(then, now.mover) - _standing(now, now.mover)
        name = move.first.tile
        if name not in best or gain > best[name].gain:
            best[name] = Advice(
                move, gain, joined(then.log, "{some}. {more}") or say("{tile} has its effect later", tile=title(name))
            )
        if clock() > until:
            break
    yield from best.values()


def _exchange(now: Position) -> Iterator[Advice[Move]]:
    """Two tiles that are held twice, or that nothing can be done with, for a new one."""
    hand = now.player(now.mover).hand
    spare = [tile for tile in known_hand(now.player(now.mover)) if isinstance(hand, tuple) and hand.count(tile) > 2]
    if not is_done(now, "discard") and spare:
        yield Advice(
            Exchange((spare[0], spare[0]), _fullest(now)),
            -_TILE,
            say("{tile} is held three times", tile=title(spare[0])),
        )


def _end(now: Position) -> Iterator[Advice[Move]]:
    """End the turn; who draws two tiles for doing nothing comes to the end of the stacks the sooner."""
    ends = [move for move in legal_ends(now) if len(move.draws) < 2]
    if not ends:
        return
    best = max(ends, key=lambda move: (len(move.revived), move.draws == (_fullest(now),)))
    yield Advice(best, _TILE * len(best.revived), _why_end(best))


def _why_end(move: EndTurn) -> str:
    if move.revived:
        return say(
            "{tiles} back from the discard pile, and nothing drawn from the stacks",
            tiles=joined(map(title, move.revived)),
        )
    return (
        say("the turn may end here, with a tile of the fullest stack")
        if move.draws
        else say("there is no tile left to draw")
    )


def _fullest(now: Position) -> int:
    stacks = now.player(now.mover).stacks or (0,)
    sizes = [stack if isinstance(stack, int) else len(stack) for stack in stacks]
    return sizes.index(max(sizes)) + 1


def _standing(now: Position, seat: str) -> float:
    """How a player stands against the best of the others; a lost or won game outweighs all."""
    ended = outcome(now)
    if ended.over:
        return 100.0 if ended.winner == seat else -100.0
    worth = {other: points_of(now, other) + _CONTROL * strength_of(now, other) for other in now.seats}
    others = [worth[other] for other in now.alive() if other != seat]
    held = in_hand(now.player(seat).hand) or 0
    return worth[seat] + _TILE * held - max(others, default=0.0)
