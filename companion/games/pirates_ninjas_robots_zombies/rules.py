"""Pirates, Ninjas, Robots & Zombies: what lies on the table, what a turn does, and the rules it can break."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple, TypeAlias

from companion.board import cell, cell_of, is_cell
from companion.game import Option, Options, Unreadable
from companion.games.pirates_ninjas_robots_zombies.quarters import (
    ANGLES,
    ICON_NAMES,
    TEAM_NAMES,
    TEAMS,
    Face,
    base_of,
    icon_of,
    is_base,
    kind,
    read_face,
    same_tile,
    turned,
)
from companion.games.pirates_ninjas_robots_zombies.sections import Cell
from companion.rules import Breach, Told, rule
from companion.said import called, say
from companion.table import Layout, Piece, Place

PLAY_TILES = 54
DEALT = 3
FIRST_CELL = (0, 0)

OPTIONS = (
    Option("bases", "2.5", "Who may rotate and swap a base by an icon", ("anyone", "owner")),
    Option("split", "2.5", "A moved base leaves the area in two parts", ("may", "may-not")),
    Option("negated", "3.3", "A negated quarter in its section", ("connects", "breaks")),
    Option("tie", "3.4", "Equal totals", ("shared", "larger-sections")),
)
DEFAULTS = Options((), OPTIONS)

Pile: TypeAlias = tuple[Face, ...] | int | None
"""Play tiles out of sight: which ones, or how many, or not even that."""


@dataclass(frozen=True, slots=True)
class Table:
    """A position. A base that is not in the area is in its owner's hand."""

    area: Mapping[Cell, Face] = field(hash=False)
    players: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    """The letters of each player's teams."""
    mover: int | None = None
    stack: Pile = None
    """The top comes first."""
    hands: tuple[Pile, ...] = ()
    turns_left: int | None = None
    """The turns still to be played once the last tile is drawn."""
    options: Options = DEFAULTS
    grid: str | None = None
    """Quarters without tiles, for scoring alone."""

    @property
    def own_teams(self) -> str:
        return "" if self.mover is None else self.teams[self.mover]

    @property
    def hand(self) -> Pile:
        return None if self.mover is None else self.hands[self.mover]

    @property
    def over(self) -> bool:
        return self.turns_left == 0

    def holds(self, team: str) -> bool:
        """Whether the mover has the base of a team in hand."""
        return team in self.own_teams and base_of(team) not in self.area.values()

    def opponents_base(self, face: Face) -> bool:
        return is_base(face) and face[0] not in self.own_teams


class Rotate(NamedTuple):
    """A tile turned where it lies, in degrees clockwise."""

    cell: Cell
    angle: int


class Swap(NamedTuple):
    """Two tiles change places; the first angle turns the tile that was on the first cell."""

    first: Cell
    second: Cell
    first_angle: int
    second_angle: int


class Replace(NamedTuple):
    """A tile goes to the hand and one of the hand takes its place, as it lies then."""

    cell: Cell
    face: Face


Action: TypeAlias = Rotate | Swap | Replace


class Turn(NamedTuple):
    """A tile or base put down, or a base moved (with a start), and the action its icon triggers."""

    face: Face
    to: Cell
    start: Cell | None = None
    action: Action | None = None


def setup(deck: tuple[Face, ...], players: tuple[str, ...], options: Options, rng: Random) -> Table:
    """Deal from the shuffled deck; the whole order of the stack is known to the state."""
    if len(players) not in (2, 3, 4):
        raise Unreadable(say("two, three or four can play"), "players")
    if len(deck) != PLAY_TILES:
        raise Unreadable(say("a set has {n} play tiles, this one {m}", n=PLAY_TILES, m=len(deck)), "tiles")
    shuffled = rng.sample(deck, len(deck))
    dealt = DEALT * len(players)
    hands = tuple(tuple(sorted(shuffled[seat : dealt : len(players)])) for seat in range(len(players)))
    teams = ("PN", "RZ") if len(players) == 2 else tuple(TEAMS[: len(players)])
    return Table({}, players, teams, 0, tuple(shuffled[dealt:]), hands, None, options)


def to_move(table: Table) -> str | None:
    return None if table.over or table.mover is None else table.players[table.mover]


def players(table: Table) -> tuple[str, ...]:
    """Who scores: the players, or the teams themselves where nobody said who plays them."""
    return table.players or tuple(TEAMS)


def neighbours(at: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    column, row = at
    return (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)


@rule("2.2")
def a_tile_shares_a_full_edge(table: Table, turn: Turn) -> Breach | None:
    """The first tile lies on 0,0, every other one on an empty cell beside a tile."""
    if turn.start is not None:
        return None
    if not table.area:
        return None if turn.to == FIRST_CELL else Breach(say("The first tile lies on 0,0"), (cell(*turn.to),))
    if turn.to in table.area:
        return Breach(say("{place} is taken", place=cell(*turn.to)), (cell(*turn.to),))
    if any(near in table.area for near in neighbours(turn.to)):
        return None
    corners = tuple(cell(*at) for at in _corners(turn.to) if at in table.area)
    place = cell(*turn.to)
    says = say(
        "{place} touches the area by a corner only" if corners else "{place} does not touch the area", place=place
    )
    return Breach(says, (place, *corners))


@rule("2.3")
def a_turn_is_one_of_three_things(table: Table, turn: Turn) -> Breach | None:
    """A tile of the hand is played, an own base is played, or an own base in play is moved elsewhere."""
    if not is_base(turn.face):
        return _breach_of_hand(table, turn.face, 1, turn.to)
    if table.mover is None:
        return None
    if table.opponents_base(turn.face):
        return Breach(say("{mover} does not own {tile}", mover=_mover(table), tile=_name(turn.face)), _at(turn))
    if turn.start is None:
        return _breach_of_base_in_hand(table, turn.face, turn.to)
    if table.area.get(turn.start) != turn.face:
        return Breach(say("On {start} does not lie {tile}", start=cell(*turn.start), tile=_name(turn.face)), _at(turn))
    return (
        Breach(say("{mover} has not moved {tile}", mover=_mover(table), tile=_name(turn.face)), _at(turn))
        if turn.start == turn.to
        else None
    )


@rule("2.3")
def a_replacement_comes_from_the_hand(table: Table, turn: Turn) -> Breach | None:
    """What an action puts down is another tile of the hand, or an own base that is not in play."""
    if not isinstance(turn.action, Replace):
        return None
    face, at = turn.action.face, turn.action.cell
    if table.opponents_base(face):
        return Breach(say("{mover} does not own {tile}", mover=_mover(table), tile=_name(face)), (cell(*at),))
    if is_base(face):
        if turn.face == face:
            return Breach(
                say("{mover} has just played {tile}", mover=_mover(table), tile=_name(face)),
                (cell(*at), cell(*turn.to)),
            )
        return _breach_of_base_in_hand(table, face, at)
    played = 0 if is_base(turn.face) else 1
    twins = 1 if played and same_tile(turn.face, face) else 0
    return _breach_of_hand(table, face, 1 + (twins if isinstance(table.hand, tuple) else played), at)


@rule("2.4")
def an_action_needs_its_icon(table: Table, turn: Turn) -> Breach | None:
    """Only a tile that shows the icon, just played from the hand, triggers the action."""
    if turn.action is None:
        return None
    wanted = {Rotate: "o", Swap: "s", Replace: "e"}[type(turn.action)]
    if turn.start is None and icon_of(turn.face) == wanted:
        return None
    at = tuple(cell(*touched) for touched in _touched(turn.action))
    return Breach(say("{tile} has no icon to {icon}", tile=turn.face, icon=ICON_NAMES[wanted]), (cell(*turn.to), *at))


@rule("2.4")
def a_rotated_tile_lay_there_before(table: Table, turn: Turn) -> Breach | None:
    """Rotate turns a tile other than the one just played by 90, 180 or 270 degrees."""
    if not isinstance(turn.action, Rotate):
        return None
    if turn.action.cell == turn.to:
        return Breach(say("The tile just played is not the one to rotate"), (cell(*turn.to),))
    if turn.action.cell not in table.area:
        return Breach(say("No tile lies on {place}", place=cell(*turn.action.cell)), (cell(*turn.action.cell),))
    if turn.action.angle not in ANGLES[1:]:
        return Breach(
            say("A tile is rotated by 90, 180 or 270 degrees, not {angle}", angle=turn.action.angle), _at(turn)
        )
    return None


@rule("2.4")
def two_tiles_are_swapped(table: Table, turn: Turn) -> Breach | None:
    """Swap names two different tiles in play, the one just played too, each turned by quarters."""
    if not isinstance(turn.action, Swap):
        return None
    first, second, *angles = turn.action
    if first == second:
        return Breach(say("A tile is not swapped with itself"), (cell(*first),))
    for at in (first, second):
        if at not in table.area and at != turn.to:
            return Breach(say("No tile lies on {place}", place=cell(*at)), (cell(*at),))
    for angle in angles:
        if angle not in ANGLES:
            return Breach(
                say("A tile is turned by quarters, not by {angle} degrees", angle=angle), (cell(*first), cell(*second))
            )
    return None


@rule("2.4")
def a_replaced_tile_may_be_taken(table: Table, turn: Turn) -> Breach | None:
    """Replace takes a tile that lay there before and is no opponent's base, and puts down a different one."""
    if not isinstance(turn.action, Replace):
        return None
    at = turn.action.cell
    if at == turn.to:
        return Breach(say("The tile just played is not the one to replace"), (cell(*at),))
    if at not in table.area:
        return Breach(say("No tile lies on {place}", place=cell(*at)), (cell(*at),))
    lay = table.area[at]
    if table.opponents_base(lay):
        return Breach(say("{mover} does not own {tile}", mover=_mover(table), tile=_name(lay)), (cell(*at),))
    if same_tile(lay, turn.action.face) and not isinstance(table.hand, tuple):
        return Breach(say("{tile} is replaced by a different tile", tile=lay), (cell(*at),))
    return None


@rule("2.5")
def bases_are_turned_by_whom_they_may(table: Table, turn: Turn) -> Breach | None:
    """Where the players say so only its owner rotates or swaps a base."""
    if table.options["bases"] == "anyone" or not isinstance(turn.action, Rotate | Swap):
        return None
    for at in _touched(turn.action):
        face = table.area.get(at)
        if face is not None and table.opponents_base(face):
            return Breach(say("{mover} does not own {tile}", mover=_mover(table), tile=_name(face)), (cell(*at),))
    return None


@rule("2.5")
def a_moved_base_finds_a_neighbour(table: Table, turn: Turn) -> Breach | None:
    """A base moves to an empty cell that shares a full edge with another tile."""
    if turn.start is None:
        return None
    if len(table.area) == 1:
        return Breach(say("With no other tile in play {tile} stays", tile=_name(turn.face)), _at(turn))
    if turn.to in table.area:
        return Breach(say("{place} is taken", place=cell(*turn.to)), _at(turn))
    if not any(near in table.area and near != turn.start for near in neighbours(turn.to)):
        return Breach(say("{place} shares no full edge with another tile", place=cell(*turn.to)), _at(turn))
    return None


@rule("2.5")
def a_moved_base_keeps_the_area_whole(table: Table, turn: Turn) -> Breach | None:
    """Where the players say so a moved base may not leave the area in more parts than before."""
    if turn.start is None or table.options["split"] == "may":
        return None
    after = {at for at in table.area if at != turn.start} | {turn.to}
    if count_parts(after) <= count_parts(table.area):
        return None
    return Breach(say("Without {tile} the area falls apart", tile=_name(turn.face)), _at(turn))


@rule("2.6")
def the_game_goes_on(table: Table, turn: Turn) -> Breach | None:
    """Nobody plays after the last turn."""
    return Breach(say("The last turn has been played"), _at(turn)) if table.over else None


CHECKS = (
    a_tile_shares_a_full_edge,
    a_turn_is_one_of_three_things,
    a_replacement_comes_from_the_hand,
    an_action_needs_its_icon,
    a_rotated_tile_lay_there_before,
    two_tiles_are_swapped,
    a_replaced_tile_may_be_taken,
    bases_are_turned_by_whom_they_may,
    a_moved_base_finds_a_neighbour,
    a_moved_base_keeps_the_area_whole,
    the_game_goes_on,
)


def play(table: Table, turn: Turn) -> Table:
    """Put down or move, act, draw, and pass the turn on."""
    area, hand, stack = dict(table.area), table.hand, table.stack
    if turn.start is not None:
        area.pop(turn.start, None)
    elif not is_base(turn.face):
        hand = _without(hand, turn.face)
    _put(area, turn.face, turn.to)
    if turn.action is not None:
        hand = _act(area, hand, turn.action)
    if turn.start is None:
        hand, stack = _draw(hand, stack)
    return _next(table, area, hand, stack)


def area_after(table: Table, turn: Turn) -> dict[Cell, Face]:
    """The play area after a turn, and nothing else."""
    area = dict(table.area)
    if turn.start is not None:
        area.pop(turn.start, None)
    _put(area, turn.face, turn.to)
    if turn.action is not None:
        _act(area, None, turn.action)
    return area


def unseen(table: Table, turn: Turn) -> bool:
    """Whether the area looks as before: so does a base put back where it lay, and no legal turn."""
    return area_after(table, turn) == table.area


def tell(table: Table, turn: Turn) -> Told:
    who = _mover(table)
    if turn.start is not None:
        return Told(
            say(
                "{mover} moves {tile} from {start} to {place}",
                mover=who,
                tile=_name(turn.face),
                start=cell(*turn.start),
                place=cell(*turn.to),
            ),
            _at(turn),
        )
    says = say("{mover} plays {tile} on {place}", mover=who, tile=_name(turn.face), place=cell(*turn.to))
    match turn.action:
        case Rotate(at, angle):
            says = say(
                "{told} and turns the tile on {place} by {angle} degrees", told=says, place=cell(*at), angle=angle
            )
        case Swap(first, second):
            says = say(
                "{told} and swaps the tiles on {first} and {second}",
                told=says,
                first=cell(*first),
                second=cell(*second),
            )
        case Replace(at, face):
            says = say(
                "{told} and replaces the tile on {place} by {tile}", told=says, place=cell(*at), tile=_name(face)
            )
    return Told(says, _at(turn))


def layout(table: Table) -> Layout:
    return {cell(*at): Piece(face) for at, face in table.area.items()}


def stages(table: Table, turn: Turn, seen: Layout) -> Iterator[Layout]:
    """The tile just played, before the action of its icon."""
    if turn.action is not None:
        yield {**layout(table), cell(*turn.to): Piece(turn.face)}


def amend(table: Table, place: Place, piece: Piece | None) -> Table:
    """What lies on the cell is so; a play tile that comes or goes is one of the stack's, or of a hand's at the end."""
    if not is_cell(place):
        raise Unreadable(say("{place} is no cell: write 1,0", place=place), "place")
    area = dict(table.area)
    area.pop(cell_of(place), None)
    if piece is not None:
        face = read_face(piece.tile)
        if face is None:
            raise Unreadable(say("{tile} is no tile", tile=piece.tile), "piece")
        _put(area, face, cell_of(place))
    return _settled(replace(table, area=area))


def seen_by(table: Table, player: str | None) -> Table:
    """The state without the order of the stack and without the hands of others."""
    hands = tuple(
        hand if seat == player else _count(hand) for seat, hand in zip(table.players, table.hands, strict=True)
    )
    return replace(table, stack=_count(table.stack), hands=hands)


def held(table: Table, player: str) -> tuple[str, ...]:
    """The play tiles of a hand, if they are known."""
    hand = table.hands[table.players.index(player)] if table.hands else None
    return hand if isinstance(hand, tuple) else ()


def in_hand(table: Table, player: str) -> int | None:
    return _count(table.hands[table.players.index(player)]) if table.hands else None


def hold(table: Table, player: str, tiles: tuple[str, ...]) -> Table:
    """The play tiles that a player told; of a hand all are known or none."""
    hands = list(table.hands)
    hands[table.players.index(player)] = tuple(sorted(tiles))
    return replace(table, hands=tuple(hands))


def count_parts(cells: Iterable[Cell]) -> int:
    """How many parts that share no edge with each other the cells make."""
    left, parts = set(cells), 0
    while left:
        parts += 1
        reached = [left.pop()]
        for at in reached:
            near = left.intersection(neighbours(at))
            left -= near
            reached.extend(near)
    return parts


def _breach_of_hand(table: Table, face: Face, wanted: int, at: Cell) -> Breach | None:
    held = table.hand
    if held is None:
        return None
    count = held if isinstance(held, int) else [kind(tile) for tile in held].count(kind(face))
    if count >= wanted:
        return None
    return Breach(
        say("{mover} has no {tile} in hand", mover=_mover(table), tile=face)
        if held
        else say("{mover}'s hand is empty", mover=_mover(table)),
        (cell(*at),),
    )


def _breach_of_base_in_hand(table: Table, face: Face, to: Cell) -> Breach | None:
    lies = [cell(*at) for at, other in table.area.items() if other == face]
    if not lies:
        return None
    return Breach(
        say("{mover} has {tile} in play already", mover=_mover(table), tile=_name(face)),
        tuple(dict.fromkeys((cell(*to), *lies))),
    )


def _put(area: dict[Cell, Face], face: Face, at: Cell) -> None:
    """Lay a tile down; there is one base of a team, so it is taken from wherever it lay."""
    if is_base(face):
        for lay in [lay for lay, other in area.items() if other == face]:
            del area[lay]
    area[at] = face


def _act(area: dict[Cell, Face], hand: Pile, action: Action) -> Pile:
    """Change the area as the action does, and answer with the hand after it."""
    match action:
        case Rotate(at, angle):
            if at in area:
                area[at] = turned(area[at], _quarters(angle))
        case Swap(first, second, first_angle, second_angle):
            if first in area and second in area and first != second:
                area[first], area[second] = (
                    turned(area[second], _quarters(second_angle)),
                    turned(area[first], _quarters(first_angle)),
                )
        case Replace(at, face):
            hand = hand if is_base(face) else _without(hand, face)
            if at in area and not is_base(area[at]):
                hand = _with(hand, area[at])
            _put(area, face, at)
    return hand


def _quarters(angle: int) -> int:
    """The nearest angle a tile can lie at."""
    return round(angle / 90) % 4 * 90


def _draw(hand: Pile, stack: Pile) -> tuple[Pile, Pile]:
    """A drawn tile that nobody can name makes the hand a number."""
    if isinstance(stack, tuple):
        return _with(hand, stack[0]), stack[1:] or 0
    if stack is None:
        return None, None
    if stack == 0:
        return hand, 0
    count = _count(hand)
    return None if count is None else count + 1, stack - 1


def _next(table: Table, area: dict[Cell, Face], hand: Pile, stack: Pile) -> Table:
    if table.mover is None:
        return replace(table, area=area)
    hands = (*table.hands[: table.mover], hand, *table.hands[table.mover + 1 :])
    turns_left = table.turns_left
    if turns_left is not None:
        turns_left = max(0, turns_left - 1)
    elif stack is not None and not stack:
        turns_left = len(table.players)
    mover = (table.mover + 1) % len(table.players)
    after = Table(area, table.players, table.teams, mover, stack, hands, turns_left, table.options)
    return after if count_play_tiles(after) in (PLAY_TILES, None) else _settled(after)


def count_play_tiles(table: Table) -> int | None:
    """All play tiles of a position together; ``None`` where some number is not known."""
    total = sum(1 for face in table.area.values() if not is_base(face))
    for pile in (table.stack, *table.hands):
        if pile is None:
            return None
        total += pile if isinstance(pile, int) else len(pile)
    return total


def _settled(table: Table) -> Table:
    """The position with 54 play tiles again, where a breach or a correction lost or found one."""
    total = count_play_tiles(table)
    if total is None or total == PLAY_TILES:
        return table
    missing = PLAY_TILES - total
    piles: list[Pile] = [table.stack, *table.hands] if table.turns_left is None else [0, *table.hands]
    for i in range(0 if table.turns_left is None else 1, len(piles)):
        count = _count(piles[i]) or 0
        change = max(missing, (1 if i == 0 else 0) - count)
        if change:
            piles[i] = count + change
        missing -= change
        if not missing:
            break
    stack, *hands = piles
    return replace(table, stack=stack, hands=tuple(hands))


def _count(pile: Pile) -> int | None:
    return len(pile) if isinstance(pile, tuple) else pile


def _with(pile: Pile, face: Face) -> Pile:
    if isinstance(pile, tuple):
        return tuple(sorted((*pile, face)))
    return None if pile is None else pile + 1


def _without(pile: Pile, face: Face) -> Pile:
    """A tile nobody held leaves the hand all the same; then only its size is known."""
    if not isinstance(pile, tuple):
        return None if pile is None else max(0, pile - 1)
    for i, tile in enumerate(pile):
        if same_tile(tile, face):
            return pile[:i] + pile[i + 1 :]
    return max(0, len(pile) - 1)


def _touched(action: Action) -> tuple[Cell, ...]:
    return (action.first, action.second) if isinstance(action, Swap) else (action.cell,)


def _at(turn: Turn) -> tuple[Place, ...]:
    touched = [turn.to] if turn.start is None else [turn.start, turn.to]
    if turn.action is not None:
        touched += _touched(turn.action)
    return tuple(dict.fromkeys(cell(*at) for at in touched))


def _corners(at: Cell) -> tuple[Cell, ...]:
    column, row = at
    return (column - 1, row - 1), (column - 1, row + 1), (column + 1, row - 1), (column + 1, row + 1)


def _name(face: Face) -> str:
    return say("the {team} base", team=TEAM_NAMES[face[0]]) if is_base(face) else face


def _mover(table: Table) -> str:
    return say("Nobody") if table.mover is None else called(table.players[table.mover])
