"""ZU Tiles: what lies where, who holds what, and what is still to come this turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.board import cell as write_cell
from companion.game import Option, Options
from companion.games.zu_tiles_hime.catalogue import CUSTOM, UNKNOWN, creature_class, is_creature, lists
from companion.said import say

Cell: TypeAlias = tuple[int, int]
"""Column and row from the first tile; east and north positive."""

IN_BATTLE = {"attacker": say("Attacker"), "defender": say("Defender")}
SEATS = ("south", "west", "north", "east")
TABLES: Mapping[int, tuple[str, ...]] = {2: ("south", "north"), 3: ("south", "west", "north"), 4: SEATS}
"""Who sits where, in the order of play, clockwise from south."""
TARGETS = {2: 12, 3: 10, 4: 9}
STACKS = 5
MOST = {"place": 1, "stack": 2, "battle": 1, "discard": 1}
"""How often each thing may be done in a turn (3.4)."""
SIDES: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))

OPTIONS = (
    Option("decks", "3.1", "The decks, in the order of play", ("ROM-DSR", "DSR-ROM", "ROM-ROM", "DSR-DSR", CUSTOM)),
    Option("moved-square", "4.8", "A square completed by moving a tile scores for", ("mover", "nobody")),
    Option("several-squares", "4.8", "Several compatible squares completed at once", ("union", "one")),
    Option("empty-area", "4.9", "The tile placed after the area emptied goes to", ("centre", "anywhere")),
    Option("left-and-right", "5.10", "Left and right are as seen by", ("player", "south")),
    Option("order-of-changes", "5.10", "Changes of STR and INT apply", ("in-order", "sets-first")),
    Option("swing", "5.10", "Monkey Swing passes over", ("exactly", "up-to")),
)
DEFAULTS = Options((), OPTIONS)


@dataclass(frozen=True, slots=True)
class Attached:
    """A tile under another (5.5)."""

    tile: str
    by: str
    """Who played it; its discard pile is theirs."""
    tie: Cell | None = None
    """The creature it depends on, where it is known; it goes when the two no longer neighbour."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of STR or INT until the end of the turn: ``-`` lowers by, ``=`` sets to."""

    stat: str
    how: str
    amount: int

    def __str__(self) -> str:
        return f"{self.stat}{self.how}{self.amount}"


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile in the area."""

    tile: str
    by: str
    """Who controls it; it faces them."""
    of: str
    """Who started the game with it."""
    load: tuple[Attached | Change, ...] = ()
    """What is attached to it and what changes it, in the order in which it came to be."""
    used: bool = False
    """Whether its ability for once a turn was used."""

    @property
    def attached(self) -> tuple[Attached, ...]:
        return tuple(part for part in self.load if isinstance(part, Attached))

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(part for part in self.load if isinstance(part, Change))

    @property
    def creature(self) -> bool:
        return is_creature(self.tile)

    def is_a(self, class_: str) -> bool:
        return creature_class(self.tile) == class_


@dataclass(frozen=True, slots=True)
class Pile:
    """A point or discard pile, from the bottom: each tile and how it came there."""

    tiles: tuple[tuple[str, str], ...] = ()
    """Name and how it came, ``5.4 captured in Battle``; no words where that is not known."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.tiles)

    @property
    def top(self) -> str | None:
        return self.tiles[-1][0] if self.tiles else None

    def with_tile(self, name: str, how: str = "") -> "Pile":
        return Pile((*self.tiles, (name, how)))

    def without(self, name: str) -> "Pile":
        """The pile with one tile of that name fewer, the uppermost."""
        at = max(i for i, tile in enumerate(self.names) if tile == name)
        return Pile((*self.tiles[:at], *self.tiles[at + 1 :]))


Hand: TypeAlias = int | tuple[str, ...] | None
"""The tiles, sorted, of which some may be unknown; or just their number; or nothing is known at all."""
DrawStacks: TypeAlias = tuple[int | tuple[str, ...], ...] | None
"""Five stacks, each its tiles from the top or just their number."""


@dataclass(frozen=True, slots=True)
class Player:
    """What one player has outside the area."""

    deck: str
    points: Pile = Pile()
    discard: Pile = Pile()
    hand: Hand = None
    stacks: DrawStacks = None
    lost: str | None = None
    """The rule by which the player is out of the game."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A Dragon that left the game for a while (2, Time Alone)."""

    tile: str
    by: str
    of: str


@dataclass(frozen=True, slots=True)
class Pending:
    """Something that happens at the end of the turn."""

    what: str
    by: str
    at: Cell | None = None
    fresh: bool = False
    """Contagion: it came to its tile in this turn, which is therefore spared at its end."""
    left: tuple[Lying, str] | None = None
    """Impervious: the Ox that left the area, and the pile it went to, ``north:points``."""
    settled: bool = False
    """It has had its moment at this end of turn."""


@dataclass(frozen=True, slots=True)
class Fight:
    """A Battle that is being fought; a tile that left the area is no part of it any more."""

    attacker: Cell | None
    defender: Cell | None
    allies: tuple[Cell, ...] = ()
    foes: tuple[Cell, ...] = ()
    """The defender's allies."""
    attacked_by: str = ""
    defended_by: str = ""
    """Who controls the two; kept, because they may have left when a tile decides the Battle."""
    own_thing: bool = False
    """The attacking player attacks an Item or Obstacle of their own."""
    reversed: bool = False
    winner: str | None = None
    """``attacker`` or ``defender``, where a tile decides it."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two moves, and, in the fields at the end, in the middle of one."""

    seats: tuple[str, ...]
    mover: str
    area: Mapping[Cell, Lying]
    players: Mapping[str, Player]
    gone: tuple[Gone, ...] = ()
    done: tuple[str, ...] = ()
    """What the mover did this turn: ``place``, ``stack``, ``battle``, ``discard``, ``judged``."""
    again: int = 0
    """How many turns the mover takes after this one."""
    pending: tuple[Pending, ...] = ()
    begun: bool = False
    """Whether a first tile was ever placed."""
    options: Options = DEFAULTS
    fight: Fight | None = None
    below: tuple[tuple[str, str], ...] = ()
    """Who played which tile of the stack that is not resolved yet, from the bottom."""
    log: tuple[str, ...] = field(default=(), compare=False)
    """What happened in the course of a move, in sentences."""
    passed: tuple[Mapping[Cell, Lying], ...] = field(default=(), compare=False)
    """How the area lay in the course of a move, each time before a tile left it."""

    def player(self, seat: str) -> Player:
        return self.players[seat]

    def at(self, cell: Cell | None) -> Lying | None:
        return self.area.get(cell) if cell is not None else None

    def alive(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.seats if self.players[seat].lost is None)

    def with_player(self, seat: str, player: Player) -> "Position":
        return replace(self, players={**self.players, seat: player})

    def saying(self, says: str) -> "Position":
        return replace(self, log=(*self.log, says))

    def passing(self, area: Mapping[Cell, Lying]) -> "Position":
        return replace(self, passed=(*self.passed, area))

    def controlled(self, seat: str, class_: str) -> list[Cell]:
        """The cells of a player's creatures of a class, in order."""
        return sorted(cell for cell, tile in self.area.items() if tile.by == seat and tile.is_a(class_))


def started_with(players: Mapping[str, Player], tile: str, by: str) -> str:
    """Who started the game with a tile that a player controls: the one whose deck lists it, else that player."""
    if players[by].deck == CUSTOM or lists(players[by].deck, tile):
        return by
    return next((seat for seat, player in players.items() if lists(player.deck, tile)), by)


def known_tiles(now: Position) -> list[str]:
    """The names of all tiles that are known to be anywhere."""
    names = [tile.tile for tile in now.area.values()]
    names += [part.tile for tile in now.area.values() for part in tile.attached]
    names += [gone.tile for gone in now.gone]
    for player in now.players.values():
        names += [name.partition(":")[0] for name in (*player.points.names, *player.discard.names)]
        names += player.hand if isinstance(player.hand, tuple) else ()
        names += [name for stack in player.stacks or () if isinstance(stack, tuple) for name in stack]
    return [name for name in names if name != UNKNOWN]


def place_of(cell: Cell) -> str:
    return write_cell(*cell)


def neighbours(cell: Cell) -> Iterator[Cell]:
    for east, north in SIDES:
        yield cell[0] + east, cell[1] + north


def are_neighbours(one: Cell | None, other: Cell | None) -> bool:
    if one is None or other is None:
        return False
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def in_hand(hand: Hand) -> int | None:
    """How many tiles a hand holds."""
    return hand if hand is None or isinstance(hand, int) else len(hand)


def may_hold(hand: Hand, tile: str) -> bool:
    """Whether the hand holds the tile, as far as is known."""
    if isinstance(hand, tuple):
        return tile in hand or UNKNOWN in hand or (tile == UNKNOWN and bool(hand))
    return hand is None or hand > 0


def take_from_hand(hand: Hand, tile: str) -> tuple[Hand, str]:
    """The hand after a tile left it, and the tile if it can be told; a hand that did not hold it stays as it is."""
    if hand is None or isinstance(hand, int):
        return (None if hand is None else max(0, hand - 1)), tile
    if tile == UNKNOWN and hand:
        return (hand[1:], hand[0]) if len(set(hand)) == 1 else (len(hand) - 1, tile)
    for held in (tile, UNKNOWN):
        if held in hand:
            at = hand.index(held)
            return (*hand[:at], *hand[at + 1 :]), tile
    return hand, tile


def give_to_hand(hand: Hand, tile: str) -> Hand:
    if hand is None or isinstance(hand, int):
        return None if hand is None else hand + 1
    return tuple(sorted((*hand, tile)))


def left_to_draw(stacks: DrawStacks) -> int | None:
    """How many tiles are left to draw."""
    if stacks is None:
        return None
    return sum(stack if isinstance(stack, int) else len(stack) for stack in stacks)


def can_draw(player: Player, stack: int) -> bool:
    """Whether a stack, counted from 1, has a tile left, as far as is known."""
    if player.stacks is None:
        return True
    chosen = player.stacks[stack - 1]
    return bool(chosen)


def draw(player: Player, stack: int) -> Player:
    """Draw the top tile of a stack, counted from 1; from an empty one nothing is drawn."""
    if player.stacks is None:
        return replace(player, hand=give_to_hand(player.hand, UNKNOWN))
    chosen = player.stacks[stack - 1]
    if not chosen:
        return player
    top, rest = (UNKNOWN, chosen - 1) if isinstance(chosen, int) else (chosen[0], chosen[1:])
    stacks = (*player.stacks[: stack - 1], rest, *player.stacks[stack:])
    return replace(player, stacks=stacks, hand=give_to_hand(player.hand, top))
