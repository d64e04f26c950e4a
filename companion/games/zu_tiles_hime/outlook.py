"""ZU Tiles: what could come, from the decks' lists: who may hold what, which squares are open, how Battles go."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb

from companion.game import Mark
from companion.games.zu_tiles_hime.catalogue import (
    CATALOGUE,
    DECKS,
    UNKNOWN,
    is_creature,
    reacts,
    title,
)
from companion.games.zu_tiles_hime.catalogue import worth as worth_in_a_pile
from companion.games.zu_tiles_hime.registry import WHEN_DEFEATED
from companion.games.zu_tiles_hime.rules.area import is_a_space_to_place, values
from companion.games.zu_tiles_hime.rules.battle import allies_left, compare, fight_of, may_ally
from companion.games.zu_tiles_hime.rules.conceivable import abilities, sides
from companion.games.zu_tiles_hime.rules.end import points_of
from companion.games.zu_tiles_hime.rules.moves import Battle, Played
from companion.games.zu_tiles_hime.rules.position import (
    Cell,
    Position,
    in_hand,
    known_tiles,
    left_to_draw,
    neighbours,
    place_of,
)
from companion.games.zu_tiles_hime.rules.squares import completed_by, squares_round
from companion.games.zu_tiles_hime.rules.turn import play
from companion.games.zu_tiles_hime.targets import candidates, write_targets
from companion.said import called, joined, say

_MOST_AIMS = 40


@dataclass(frozen=True, slots=True)
class Prospect:
    """How a Battle goes when both sides name their best allies: what the attacking player gains or loses."""

    battle: Battle
    gain: int
    says: str


@dataclass(frozen=True, slots=True)
class Spoiler:
    """A reaction that would turn a Battle, and how likely somebody holds it."""

    play: Played
    chance: float

    @property
    def says(self) -> str:
        tile, targets = title(self.play.tile), write_targets(self.play.targets)
        what = say("{tile} {targets}", tile=tile, targets=targets) if targets else tile
        if self.play.at is not None:
            return say("{tile} of the tile in play could spoil it", tile=what)
        return say(
            "{tile} could spoil it if {player} holds it ({chance:.0%})",
            tile=what,
            player=called(self.play.by),
            chance=self.chance,
        )


# --- who may hold what


def unseen_copies(now: Position, seat: str) -> dict[str, int]:
    """How many tiles of each name of a player's starter deck have not been seen anywhere; nothing for a custom deck."""
    deck = DECKS.get(now.player(seat).deck, {})
    seen = known_tiles(now)
    return {name: max(0, copies - seen.count(name)) for name, copies in deck.items()}


def chance_to_hold(now: Position, seat: str, tiles: set[str]) -> float:
    """How likely a hand holds one of these."""
    hand = now.player(seat).hand
    known = set(hand) - {UNKNOWN} if isinstance(hand, tuple) else set()
    if known & tiles:
        return 1.0
    held = hand.count(UNKNOWN) if isinstance(hand, tuple) else in_hand(hand)
    held = 5 if held is None else held
    copies = sum(count for name, count in unseen_copies(now, seat).items() if name in tiles)
    left = left_to_draw(now.player(seat).stacks)
    hidden = held + (30 if left is None else left)
    if copies >= hidden:
        return 1.0 if held and copies else 0.0
    return 1 - comb(hidden - copies, held) / comb(hidden, held)


def may_hold_names(now: Position, seat: str) -> dict[str, float]:
    """The tiles a player may hold, each with its likelihood."""
    hand = now.player(seat).hand
    names = set(hand) - {UNKNOWN} if isinstance(hand, tuple) else set()
    if not isinstance(hand, tuple) or UNKNOWN in hand:
        names |= {name for name, copies in unseen_copies(now, seat).items() if copies}
    return {name: chance_to_hold(now, seat, {name}) for name in sorted(names)}


# --- squares


def open_squares(now: Position, cell: Cell) -> dict[Cell, set[str]]:
    """The empty cells round a tile where one more creature completes a compatible square, and which ones do."""
    found: dict[Cell, set[str]] = {}
    for square in squares_round(cell):
        missing = [corner for corner in square if corner not in now.area]
        if len(missing) == 1 and all(now.area[corner].creature for corner in square if corner in now.area):
            found.setdefault(missing[0], set())
    for gap, fitting in found.items():
        if is_a_space_to_place(now, gap):
            fitting |= {tile.name for tile in CATALOGUE if is_creature(tile.name) and _fits(now, gap, tile.name, cell)}
    return {gap: fitting for gap, fitting in found.items() if fitting}


def _fits(now: Position, gap: Cell, name: str, cell: Cell) -> bool:
    return any(cell in square for square in completed_by(now, gap, name, now.mover))


def given_away(now: Position, cell: Cell) -> tuple[float, str]:
    """What a tile just placed leaves to the next players: the likely loss, and in words."""
    loss, says = 0.0, ""
    for gap, fitting in open_squares(now, cell).items():
        for seat in now.alive():
            chance = chance_to_hold(now, seat, fitting) if seat != now.mover else 0.0
            if 4 * chance > loss:
                names = joined(
                    sorted({title(name) for name in fitting & set(may_hold_names(now, seat))}), "{some} or {more}"
                )
                loss = 4 * chance
                says = say(
                    "it leaves {player} a square at {place} for {tiles} ({chance:.0%})",
                    player=called(seat),
                    place=place_of(gap),
                    tiles=names,
                    chance=chance,
                )
    return loss, says


def marks(now: Position) -> tuple[Mark, ...]:
    """The spaces where one creature completes a compatible square, with those that the decks in play list."""
    listed = {name for player in now.players.values() for name in DECKS.get(player.deck, CATALOGUE.tiles)}
    gaps: dict[Cell, set[str]] = {}
    for cell in now.area:
        for gap, fitting in open_squares(now, cell).items():
            gaps.setdefault(gap, set()).update(fitting & listed)
    return tuple(
        Mark(
            place_of(gap),
            "square",
            say("one creature completes a square here"),
            " ".join(sorted(CATALOGUE[name].letter for name in fitting)),
        )
        for gap, fitting in sorted(gaps.items())
        if fitting
    )


# --- battles


def prospects(now: Position) -> Iterator[Prospect]:
    """Every Battle the mover may start, fought with the best allies of both sides."""
    for attacker in sorted(now.area):
        tile = now.area[attacker]
        if tile.by != now.mover or not tile.creature:
            continue
        for defender in sorted(neighbours(attacker)):
            target = now.at(defender)
            if target is not None and not (target.creature and target.by == now.mover):
                yield _best_sides(now, attacker, defender)


def exposure(now: Position, seat: str) -> Prospect | None:
    """The Battle by which another player could win most, were it theirs to begin one."""
    fears = [
        prospect
        for other in now.alive()
        if other != seat
        for prospect in prospects(replace(now, mover=other))
        if prospect.gain > 0
    ]
    return max(fears, key=lambda prospect: prospect.gain, default=None)


def _best_sides(now: Position, attacker: Cell, defender: Cell) -> Prospect:
    """The attacking player names the allies that leave the best worst answer to the defending one."""
    by_allies: dict[tuple[Cell, ...], list[Prospect]] = {}
    for allies, foes in sides(now, attacker, defender):
        if all(now.area[cell].by == now.mover for cell in allies) and _would_defend(now, defender, foes):
            outlook = _fought(now, Battle(attacker, defender, allies, foes))
            by_allies.setdefault(allies, []).append(outlook)
    answers = [min(answered, key=lambda p: (p.gain, len(p.battle.foes))) for answered in by_allies.values()]
    return max(answers, key=lambda p: (p.gain, -len(p.battle.allies)))


def _would_defend(now: Position, defender: Cell, foes: tuple[Cell, ...]) -> bool:
    by = now.area[defender].by
    return all(now.area[cell].by == by and may_ally(now, defender, now.area[cell], attacking=False) for cell in foes)


def _fought(now: Position, battle: Battle) -> Prospect:
    fight = allies_left(fight_of(now, battle))
    found = compare(now, fight)
    if found.winner == "attacker":
        gain = _prize(now, battle)
    elif found.winner == "defender":
        gain = -(1 + len(battle.allies))
    else:
        gain = 0
    return Prospect(battle, gain, found.says)


def _prize(now: Position, battle: Battle) -> int:
    defender = now.area[battle.defender]
    worth = worth_in_a_pile(defender.tile) if defender.creature or defender.tile in WHEN_DEFEATED else 0
    return worth + sum(1 for cell in battle.foes if now.area[cell].by != now.mover)


def likeliest_spoiler(now: Position, battle: Battle) -> Spoiler | None:
    """The reaction most likely in an opponent's hand after which the Battle gains less."""
    wanted = _won(now, battle)
    reactions = sorted(_reactions(now), key=lambda reaction: -reaction.chance)
    for reaction in reactions:
        for i, targets in enumerate(candidates(now, reaction.play)):
            if i >= _MOST_AIMS:
                break
            told = replace(reaction.play, targets=targets)
            if _won(now, replace(battle, reactions=(told,))) < wanted:
                return replace(reaction, play=told)
    return None


def _reactions(now: Position) -> Iterator[Spoiler]:
    for seat in now.alive():
        if seat == now.mover:
            continue
        for used in abilities(now, seat, "R"):
            yield Spoiler(used, 1.0)
        for name, chance in may_hold_names(now, seat).items():
            if reacts(name) and chance > 0:
                yield Spoiler(Played(name, seat, reaction=True), chance)


def _won(now: Position, battle: Battle) -> int:
    then = play(now, battle)
    return points_of(then, now.mover) - sum(points_of(then, seat) for seat in now.seats if seat != now.mover)


def strength_of(now: Position, seat: str) -> int:
    """What a player's creatures in play can do, roughly: all their STR and INT."""
    return sum(sum(values(now, cell)) for cell, tile in now.area.items() if tile.by == seat and tile.creature)
