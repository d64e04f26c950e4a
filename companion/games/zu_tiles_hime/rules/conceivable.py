"""ZU Tiles: what hands could do, legal or not.

Reactions are not listed: everyone may add any number of them to any stack, so that they cannot all be. Moves are
listed plain, and read, judged and played with whatever reactions they are told. Of a hand that is only a number nothing
is listed but what is possible whatever it holds: abilities of tiles in play, Battles with an unknown tile face down,
and the draw.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from typing import TypeVar

from companion.game import Addition
from companion.games.zu_tiles_hime.catalogue import (
    CATALOGUE,
    DECKS,
    UNKNOWN,
    is_creature,
    may_be_placed,
    reacts,
    starts_a_stack,
)
from companion.games.zu_tiles_hime.rules.area import is_empty, open_to_contagion, spaces
from companion.games.zu_tiles_hime.rules.battle import may_ally
from companion.games.zu_tiles_hime.rules.checks import CHECKS, is_done
from companion.games.zu_tiles_hime.rules.end import is_over
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Place, Played, Stack, Take
from companion.games.zu_tiles_hime.rules.position import (
    STACKS,
    Cell,
    Player,
    Position,
    can_draw,
    in_hand,
    left_to_draw,
    may_hold,
    neighbours,
)
from companion.games.zu_tiles_hime.rules.squares import is_square, square_at
from companion.games.zu_tiles_hime.rules.turn import most_revived, must_replace
from companion.games.zu_tiles_hime.targets import candidates

M = TypeVar("M", bound=Move)


def conceivable(now: Position) -> Iterator[Move]:
    """All plays of what the mover is known to hold, and the breaches that hands can make."""
    yield from _placements(now)
    yield from _misplacements(now)
    yield from _exchanges(now)
    yield from _ends(now)
    yield from _takes(now)
    yield from _battles(now)
    yield from _stacks(now)
    if left_to_draw(now.player(now.mover).stacks) != 0:
        yield EndTurn()


def quick_legal(now: Position) -> Iterator[Move]:
    """The legal moves, plain ones first, without the breaches that `conceivable` pictures too."""
    if is_over(now):
        return
    if not is_done(now, "place"):
        yield from _lawful(now, _placements(now))
    if not is_done(now, "discard"):
        yield from _lawful(now, _exchanges(now))
    yield from legal_ends(now)
    if not is_done(now, "battle"):
        yield from _lawful(now, _battles(now))
    yield from legal_stacks(now)


def legal_stacks(now: Position) -> Iterator[Stack]:
    if not is_done(now, "stack"):
        yield from _lawful(now, _stacks(now))


def legal_ends(now: Position) -> Iterator[EndTurn]:
    yield from _lawful(now, _ends(now))


def _lawful(now: Position, moves: Iterable[M]) -> Iterator[M]:
    """Those that break no rule while the game goes on."""
    for move in moves:
        if not any(check(now, move) for check in CHECKS[:-1]):
            yield move


def known_hand(player: Player) -> list[str]:
    """The names a player is known to hold, each once."""
    return sorted(set(player.hand) - {UNKNOWN}) if isinstance(player.hand, tuple) else []


def _placements(now: Position) -> Iterator[Place]:
    free = spaces(now)
    for tile in known_hand(now.player(now.mover)):
        if may_be_placed(tile):
            for cell in sorted(now.area) if must_replace(tile) else free:
                yield Place(tile, cell)


def _misplacements(now: Position) -> Iterator[Place]:
    """Tiles put where they touch a corner only, and tiles put down that only stacks bring."""
    free = spaces(now)
    corners = sorted(
        {(x + i, y + j) for x, y in now.area for i in (-1, 1) for j in (-1, 1)} - set(free) - set(now.area)
    )
    for tile in known_hand(now.player(now.mover)):
        for cell in corners if may_be_placed(tile) else free:
            if is_empty(now, cell):
                yield Place(tile, cell)


def _stacks(now: Position) -> Iterator[Stack]:
    for tile in known_hand(now.player(now.mover)):
        if starts_a_stack(tile):
            yield from _with_targets(now, Played(tile, now.mover))
    for play in abilities(now, now.mover, "A"):
        yield from _with_targets(now, play)


def _with_targets(now: Position, play: Played) -> Iterator[Stack]:
    for targets in candidates(now, play):
        yield Stack(Played(play.tile, play.by, targets, play.at, play.reaction))


def abilities(now: Position, by: str, kind: str) -> Iterator[Played]:
    """The abilities that a player could use as A or as R, their targets left open."""
    reaction = kind == "R"
    for cell in sorted(now.area):
        tile = now.area[cell]
        names = [tile.tile, *(part.tile for part in tile.attached if part.tile == "leader-of-the-pack")]
        for name in names:
            if name in CATALOGUE and name != "time-alone" and kind in CATALOGUE[name].values.get("ability", ""):
                yield Played(name, by, at=cell, reaction=reaction)
        if not reaction and any(effect.what == "mind-control" and effect.at == cell for effect in now.pending):
            yield Played("mind-control", by, at=cell)
    if reaction:
        return
    if any(gone.by == by for gone in now.gone):
        yield Played("time-alone", by, at="gone")
    for seat in now.seats:
        if "golden-egg" in now.player(seat).points.names:
            yield Played("golden-egg", by, at=seat)


def additions(now: Position, move: Move) -> Iterator[Addition[Move]]:
    """The Reactions that anybody may add to a Battle or a stack (5.1); of a hand not known, all of its deck."""
    if not isinstance(move, Battle | Stack):
        return
    for seat in now.alive():
        held = [Played(tile, seat, reaction=True) for tile in _may_be_held(now.player(seat)) if reacts(tile)]
        for play in (*held, *abilities(now, seat, "R")):
            yield Addition(seat, play.tile, _lawful(now, _with_reaction(now, move, play)))


def _with_reaction(now: Position, move: Battle | Stack, play: Played) -> Iterator[Battle | Stack]:
    for targets in candidates(now, play):
        yield replace(move, reactions=(*move.reactions, replace(play, targets=targets)))


def _may_be_held(player: Player) -> list[str]:
    listed = DECKS.get(player.deck, CATALOGUE.tiles)
    return sorted(name for name in listed if may_hold(player.hand, name))


def _battles(now: Position) -> Iterator[Battle]:
    for attacker in sorted(now.area):
        tile = now.area[attacker]
        if tile.by != now.mover or not tile.creature:
            continue
        for defender in sorted(neighbours(attacker)):
            if defender in now.area:
                for allies, foes in sides(now, attacker, defender):
                    for down in _face_down(now.player(now.mover)):
                        yield Battle(attacker, defender, allies, foes, down)


def sides(now: Position, attacker: Cell, defender: Cell) -> Iterator[tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
    """Every way in which the creatures beside the Defender may help either side, or nobody."""
    beside = [cell for cell in sorted(neighbours(defender)) if cell != attacker and cell in now.area]
    choices = [_roles(now, defender, cell) for cell in beside if is_creature(now.area[cell].tile)]
    for roles in product(*choices):
        yield (
            tuple(cell for cell, role in roles if role == "attack"),
            tuple(cell for cell, role in roles if role == "defend"),
        )


def _roles(now: Position, defender: Cell, cell: Cell) -> list[tuple[Cell, str]]:
    tile = now.area[cell]
    roles = [(cell, "aside")]
    if may_ally(now, defender, tile, attacking=True):
        roles.append((cell, "attack"))
    if may_ally(now, defender, tile, attacking=False):
        roles.append((cell, "defend"))
    return roles


def _face_down(player: Player) -> list[str]:
    known = known_hand(player)
    hidden = not isinstance(player.hand, tuple) or UNKNOWN in player.hand
    return [*known, UNKNOWN] if hidden and in_hand(player.hand) != 0 else known


def _exchanges(now: Position) -> Iterator[Exchange]:
    player = now.player(now.mover)
    if not isinstance(player.hand, tuple):
        return
    known = [tile for tile in player.hand if tile != UNKNOWN]
    for one, other in sorted(set(combinations(known, 2))):
        for stack in range(1, STACKS + 1):
            if can_draw(player, stack):
                yield Exchange((one, other), stack)


def _ends(now: Position) -> Iterator[EndTurn]:
    for spread in _spreads(now):
        for draws in _draws(now):
            yield EndTurn(draws, (), spread)
        for revived in _revivals(now):
            yield EndTurn((), revived, spread)


def _draws(now: Position) -> Iterator[tuple[int, ...]]:
    player = now.player(now.mover)
    if left_to_draw(player.stacks) == 0:
        yield ()
        return
    open_stacks = [stack for stack in range(1, STACKS + 1) if can_draw(player, stack)]
    for stack in open_stacks:
        yield (stack,)
    if not now.done:
        yield from product(open_stacks, repeat=2)


def _revivals(now: Position) -> Iterator[tuple[str, ...]]:
    if not any(effect.what == "revive" and effect.by == now.mover for effect in now.pending):
        return
    # What Contagion will have discarded by then may be among them.
    sick = [now.area[host].tile for host in _sick(now) if now.area[host].of == now.mover]
    creatures = sorted(name for name in (*now.player(now.mover).discard.names, *sick) if is_creature(name))
    for name in sorted(set(creatures)):
        yield (name,)
    if most_revived(now) > 1:
        for pair in combinations_with_replacement(sorted(set(creatures)), 2):
            if pair[0] != pair[1] or creatures.count(pair[0]) > 1:
                yield pair


def _spreads(now: Position) -> Iterator[tuple[tuple[Cell, Cell], ...]]:
    """Where each Contagion that moves tonight may go."""
    choices = [[(host, to) for to in open_to_contagion(now, host)] for host in _sick(now)]
    yield from product(*(choice for choice in choices if choice))


def _sick(now: Position) -> list[Cell]:
    """The tiles that Contagion discards at the end of this turn."""
    hosts = [effect.at for effect in now.pending if effect.what == "contagion" and not effect.fresh]
    return [host for host in dict.fromkeys(hosts) if host is not None and host in now.area]


def _takes(now: Position) -> Iterator[Take]:
    """One tile gone, or a square gone, without a play that takes it."""
    for cell in sorted(now.area):
        yield Take((cell,))
        square = square_at(*cell)
        if is_square(now, square):
            yield Take(tuple(sorted(square)))
