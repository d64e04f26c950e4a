"""Paiko: what the players have, what they can do with it, and what the table holds afterwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple, TypeAlias

from companion.game import Mark, Option, Options, Unreadable
from companion.games.paiko.patterns import (
    BOARD,
    FACED,
    FIRE,
    GRID,
    HOME,
    LOTUS,
    MIDDLE,
    NAMES,
    PLACES,
    TITLES,
    Counts,
    Standing,
    added,
    bits,
    covered,
    danger,
    immune,
    occupied,
    standing,
    threatening,
)
from companion.said import called, say
from companion.scoring import Outcome
from companion.table import FACE_DOWN, Layout, Piece, Place

COLOURS = ("white", "black")
COPIES = 3
NOTHING: Counts = (0,) * 8
EVERYTHING: Counts = (COPIES,) * 8
SHIFTS_IN_A_ROW = 3
WINNING_POINTS = 10
TIE_LOSSES, TIE_POINTS = 13, 5

OPTIONS = (
    Option("tie", "7.2", "A tie when both have lost 13 tiles and have 5 points or fewer", ("on", "off")),
    Option("fires", "8.1", "In the capture phase Fires leave", ("last", "first")),
    Option("own-tiles-tested", "8.2", "One's own tiles must be safe, captured tiles", ("before", "after")),
    Option("lotus-on-black", "8.3", "A Lotus on a black square", ("capturable", "immune")),
    Option("turn-without-facing", "8.4", "Turning a tile without a facing in place", ("allowed", "forbidden")),
    Option("fourth-shift-in-a-row", "8.5", "Shifting the same tile a fourth turn in a row", ("allowed", "forbidden")),
)
DEFAULTS = Options((), OPTIONS)


class House(NamedTuple):
    """The options as questions, each answered no where nothing was chosen."""

    no_ties: bool = False
    fires_first: bool = False
    tested_after: bool = False
    lotus_immune: bool = False
    no_idle_turn: bool = False
    no_fourth_shift: bool = False


_PLAIN = House()


def house(options: Options) -> House:
    if not options.chosen:
        return _PLAIN
    chosen = options.as_dict()
    return House(*(option.name in chosen for option in OPTIONS))


@dataclass(frozen=True, slots=True)
class Side:
    """The 24 tiles of one player."""

    board: tuple[Standing, ...] = ()
    """In the order of their notation."""
    hand: Counts = NOTHING
    reserve: Counts = EVERYTHING
    lost: Counts = NOTHING


class Row(NamedTuple):
    """A tile that was shifted so many turns in a row, and where it stands now."""

    square: int
    turns: int


@dataclass(frozen=True, slots=True)
class Field:
    """A position. Pairs hold White's first, then Black's."""

    mover: int
    sides: tuple[Side, Side]
    owed: int = 0
    """The picks of 6.3 that the mover still has to make."""
    rows: tuple[Row | None, Row | None] = (None, None)
    """Kept only where 8.5 is played."""
    options: Options = DEFAULTS

    @property
    def mine(self) -> Side:
        return self.sides[self.mover]

    @property
    def enemy(self) -> Side:
        return self.sides[1 - self.mover]

    @property
    def empty(self) -> int:
        return BOARD & ~(occupied(self.sides[0].board) | occupied(self.sides[1].board))

    def tile_on(self, square: int) -> tuple[int, Standing] | None:
        """The tile on a square and its colour."""
        for colour, side in enumerate(self.sides):
            for tile in side.board:
                if tile.square == square:
                    return colour, tile
        return None


@dataclass(frozen=True, slots=True)
class Deploy:
    """A tile comes from hand to the board; ``then`` is how it stands after a shift right away."""

    tile: Standing
    then: Standing | None = None

    @property
    def end(self) -> Standing:
        return self.then or self.tile


@dataclass(frozen=True, slots=True)
class Shift:
    """A tile goes from one square to another, or turns where it is; ``facing`` is how it faces then."""

    start: int
    end: int
    facing: int | None = None


@dataclass(frozen=True, slots=True)
class Redeploy:
    """A Water is taken up and deployed anew."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Tiles come from one's own reserve to one's hand, in the set-up too."""

    tiles: Counts


@dataclass(frozen=True, slots=True)
class Pick:
    """The loser of a tile chooses one of the capturer's reserve for the capturer's hand."""

    kind: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is done."""


Action: TypeAlias = Deploy | Shift | Redeploy | Draw | Pick | Pass


@dataclass(frozen=True, slots=True)
class Botched:
    """An action after which hands left captured tiles standing, took others away or turned one along."""

    action: Action
    left: int = 0
    taken: int = 0
    turned: tuple[Standing, ...] = ()


Move: TypeAlias = Action | Botched
Boards: TypeAlias = tuple[tuple[Standing, ...], tuple[Standing, ...]]


def setup(players: tuple[str, ...], options: Options, rng: Random) -> Field:
    if sorted(players) != sorted(COLOURS):
        raise Unreadable(say("the players of Paiko are white and black, and White begins"), "players")
    return Field(0, (Side(), Side()), options=options)


def to_move(field: Field) -> str | None:
    return None if outcome(field).over else COLOURS[field.mover]


def give_turn(field: Field, player: str) -> Field:
    """Another player's turn; the picks are owed by who was to move."""
    return replace(field, mover=COLOURS.index(player), owed=0)


def picks_due(field: Field) -> int:
    """How many tiles the mover takes into hand before the first action; 0 once the set-up is done (4.1)."""
    white, black = field.sides
    if white.board or black.board or any(white.lost) or any(black.lost):
        return 0
    return {(0, 0, 0): 7, (1, 7, 0): 9, (0, 7, 9): 1}.get((field.mover, sum(white.hand), sum(black.hand)), 0)


def action_of(move: Move) -> Action:
    return move.action if isinstance(move, Botched) else move


def arranged(field: Field, action: Action) -> Boards:
    """Both players' tiles after the action and before anything is captured; what cannot be done changes nothing."""
    match action:
        case Deploy():
            if action.end.bit & field.empty and _source(field.mine, action.end.kind):
                return _exchanged(field, field.mover, None, action.end)
        case Shift(start, end, facing):
            found = field.tile_on(start)
            if found and (start == end or field.empty >> end & 1):
                colour, tile = found
                after = standing(tile.kind, tile.facing if facing is None else facing, end)
                return _exchanged(field, colour, tile, after)
        case Redeploy(start, end):
            return arranged(field, Shift(start, end))
    return field.sides[0].board, field.sides[1].board


def waves(colour: int, boards: Boards, rules: House) -> Iterator[tuple[Standing, ...]]:
    """What a player loses in the capture phase, in the order in which it leaves (6.2, 8.1)."""
    own, enemy = list(boards[colour]), boards[1 - colour]
    while fallen := capturable(colour, own, enemy, rules):
        wave = [tile for tile in own if tile.bit & fallen]
        now = [tile for tile in wave if (tile.kind == FIRE) == rules.fires_first] or wave
        yield tuple(now)
        own = [tile for tile in own if tile not in now]


def capturable(colour: int, own: Sequence[Standing], enemy: Sequence[Standing], rules: House) -> int:
    """The squares of a player's tiles that can be captured (3.3, 8.3)."""
    deadly = danger(own, enemy).deadly(covered(colour, own)) & occupied(own)
    return deadly & ~immune(own) if rules.lotus_immune and deadly else deadly


def due(field: Field, action: Action) -> int:
    """The squares of the enemy's tiles that leave after the action; a pick is none, and no capture follows it."""
    if isinstance(action, Pick):
        return 0
    rules = house(field.options)
    return occupied(tile for wave in waves(1 - field.mover, arranged(field, action), rules) for tile in wave)


def play(field: Field, move: Move) -> Field:
    action = action_of(move)
    match action:
        case Pick(kind):
            return _picked(field, kind)
        case Draw(tiles):
            after = _drawn(field, tiles)
            if picks_due(field):
                return replace(after, mover=field.mover if picks_due(field) == 1 else 1 - field.mover)
        case Deploy():
            after = _deployed(field, action)
        case _:
            after = field
    return _captured(replace(after, rows=_rows(field, action)), arranged(field, action), move)


def points_of(colour: int, tiles: Sequence[Standing]) -> int:
    counting = occupied(tile for tile in tiles if tile.kind != LOTUS)
    return 2 * (counting & HOME[1 - colour]).bit_count() + (counting & MIDDLE).bit_count()


def outcome(field: Field) -> Outcome:
    """Who has won; where a position gives both ten points it is the player who moved last."""
    points = [points_of(colour, field.sides[colour].board) for colour in (0, 1)]
    for colour in (1 - field.mover, field.mover):
        if points[colour] >= WINNING_POINTS:
            winner = COLOURS[colour]
            return Outcome(
                winner,
                False,
                "7.1",
                say("{winner} wins with {n} points", winner=called(winner), n=points[colour]),
            )
    lost = [sum(side.lost) for side in field.sides]
    if min(lost) >= TIE_LOSSES and max(points) <= TIE_POINTS and not house(field.options).no_ties:
        says = say(
            "A tie: {white} has lost {n} tiles and {black} {m}, and neither has more than 5 points",
            white=called(COLOURS[0]),
            n=lost[0],
            black=called(COLOURS[1]),
            m=lost[1],
        )
        return Outcome(None, True, "7.2", says)
    return Outcome()


def layout(field: Field) -> Layout:
    return {tile.place: piece_of(tile, colour) for colour, side in enumerate(field.sides) for tile in side.board}


def held(field: Field, player: str) -> tuple[str, ...]:
    """The tiles of a hand, kind by kind."""
    hand = field.sides[COLOURS.index(player)].hand
    return tuple(name for name, count in zip(NAMES, hand, strict=True) for _ in range(count))


def piece_of(tile: Standing, colour: int) -> Piece:
    return Piece(NAMES[tile.kind], COLOURS[colour], tile.facing if tile.kind in FACED else None)


def tile_of(piece: Piece, place: Place) -> tuple[int, Standing]:
    """The colour and the tile that a piece on a place is; raises `Unreadable` for what is no tile of Paiko."""
    if place not in GRID or not BOARD >> GRID[place] & 1:
        raise Unreadable(say("{place} is no square of the board", place=place), "place")
    if piece.tile == FACE_DOWN:
        raise Unreadable(
            say("the tile on {place} shows its back, which says nothing in Paiko: turn it over", place=place), "piece"
        )
    if piece.owner not in COLOURS or piece.tile not in NAMES:
        raise Unreadable(say("there is no {tile!r} of {owner!r} in Paiko", tile=piece.tile, owner=piece.owner), "piece")
    kind = NAMES.index(piece.tile)
    if kind in FACED and piece.facing not in range(4):
        raise Unreadable(say("the facing of a {tile} is 0 to 3", tile=TITLES[kind]), "piece.facing")
    return COLOURS.index(piece.owner), standing(kind, piece.facing or 0, GRID[place])


def amend(field: Field, place: Place, piece: Piece | None) -> Field:
    """What lies on the square is so; a tile that goes returns to hand, one that comes is taken from there if it can."""
    put = tile_of(piece, place) if piece is not None else None
    if place not in GRID or not BOARD >> GRID[place] & 1:
        raise Unreadable(say("{place} is no square of the board", place=place), "place")
    sides = list(field.sides)
    if there := field.tile_on(GRID[place]):
        colour, tile = there
        sides[colour] = _returned(sides[colour], tile)
    if put:
        colour, tile = put
        if not _source(sides[colour], tile.kind):
            raise Unreadable(
                say("all of {owner}'s {tile} tiles stand elsewhere", owner=called(COLOURS[colour]), tile=tile.title),
                "piece",
            )
        sides[colour] = _brought(_spent(sides[colour], tile.kind), tile)
    return replace(field, sides=(sides[0], sides[1]), owed=min(field.owed, sum(sides[1 - field.mover].reserve)))


def unseen(field: Field, move: Move) -> bool:
    after = play(field, move)
    return all(before.board == now.board for before, now in zip(field.sides, after.sides, strict=True))


def marks(field: Field) -> tuple[Mark, ...]:
    """The threat against each player and the cover of each player's tiles, square by square.

    ``threat-white`` counts against White; on a square with a tile of White the label holds what captures it too.
    """
    found: list[Mark] = []
    for colour, player in enumerate(COLOURS):
        own, enemy = field.sides[colour].board, field.sides[1 - colour].board
        cover, here = covered(colour, own), occupied(own)
        threat = say("threat against {player}", player=called(player))
        for square in bits(danger(own, enemy).one):
            count = len(threatening(square, own, enemy))
            needed = f"/{3 if cover >> square & 1 else 2}" if here >> square & 1 else ""
            found.append(Mark(PLACES[square], f"threat-{player}", threat, f"{count}{needed}"))
        shown = cover & (here | ~HOME[colour])
        found.extend(
            Mark(PLACES[square], f"cover-{player}", say("cover of {player}", player=called(player)))
            for square in bits(shown)
        )
    return tuple(found)


def _exchanged(field: Field, colour: int, gone: Standing | None, come: Standing) -> Boards:
    """Both boards with one tile of a colour put in the place of another."""
    boards = [field.sides[0].board, field.sides[1].board]
    boards[colour] = _sorted([*(tile for tile in boards[colour] if tile is not gone), come])
    return boards[0], boards[1]


def _sorted(tiles: list[Standing]) -> tuple[Standing, ...]:
    tiles.sort(key=_text)
    return tuple(tiles)


def _text(tile: Standing) -> str:
    return tile.text


def _source(side: Side, kind: int) -> str | None:
    """Where a tile that appears on the board comes from; only the hand is within the rules."""
    return next((name for name in ("hand", "reserve", "lost") if getattr(side, name)[kind]), None)


def _spent(side: Side, kind: int) -> Side:
    match _source(side, kind):
        case "hand":
            return replace(side, hand=added(side.hand, kind, -1))
        case "reserve":
            return replace(side, reserve=added(side.reserve, kind, -1))
        case "lost":
            return replace(side, lost=added(side.lost, kind, -1))
        case _:
            return side


def _brought(side: Side, tile: Standing) -> Side:
    return replace(side, board=_sorted([*side.board, tile]))


def _returned(side: Side, tile: Standing) -> Side:
    board = tuple(other for other in side.board if other is not tile)
    return replace(side, board=board, hand=added(side.hand, tile.kind))


def _with_side(field: Field, colour: int, side: Side) -> tuple[Side, Side]:
    return (side, field.sides[1]) if colour == 0 else (field.sides[0], side)


def _moved_to_hand(side: Side, tiles: Counts) -> Side:
    taken = tuple(map(min, tiles, side.reserve))
    return replace(
        side,
        hand=tuple(have + more for have, more in zip(side.hand, taken, strict=True)),
        reserve=tuple(have - less for have, less in zip(side.reserve, taken, strict=True)),
    )


def _picked(field: Field, kind: int) -> Field:
    capturer = _moved_to_hand(field.enemy, added(NOTHING, kind))
    owed = min(max(0, field.owed - 1), sum(capturer.reserve))
    return replace(field, sides=_with_side(field, 1 - field.mover, capturer), owed=owed)


def _drawn(field: Field, tiles: Counts) -> Field:
    return replace(field, sides=_with_side(field, field.mover, _moved_to_hand(field.mine, tiles)))


def _deployed(field: Field, action: Deploy) -> Field:
    """The field with the deployed tile gone from where it came from, the board still as it was."""
    if not action.end.bit & field.empty:
        return field
    return replace(field, sides=_with_side(field, field.mover, _spent(field.mine, action.tile.kind)))


def _captured(field: Field, boards: Boards, move: Move) -> Field:
    """The field after the capture phase, as the hands carried it out."""
    mover, rules = field.mover, house(field.options)
    fallen = occupied(tile for wave in waves(1 - mover, boards, rules) for tile in wave)
    if isinstance(move, Botched):
        fallen = fallen & ~move.left | move.taken
        boards = _turned(boards[0], move.turned), _turned(boards[1], move.turned)
    sides = tuple(_bereft(side, board, fallen) for side, board in zip(field.sides, boards, strict=True))
    lost = sum(1 for tile in boards[1 - mover] if tile.bit & fallen)
    rows = tuple(
        row if row and any(tile.square == row.square for tile in side.board) else None
        for row, side in zip(field.rows, sides, strict=True)
    )
    return replace(
        field,
        mover=1 - mover,
        sides=(sides[0], sides[1]),
        owed=min(lost, sum(sides[mover].reserve)),
        rows=(rows[0], rows[1]),
    )


def _turned(board: tuple[Standing, ...], turned: tuple[Standing, ...]) -> tuple[Standing, ...]:
    to = {(tile.kind, tile.square): tile for tile in turned}
    return _sorted([to.get((tile.kind, tile.square), tile) for tile in board])


def _bereft(side: Side, board: tuple[Standing, ...], fallen: int) -> Side:
    if not fallen:
        return side if side.board == board else replace(side, board=board)
    lost = side.lost
    for tile in board:
        if tile.bit & fallen:
            lost = added(lost, tile.kind)
    return replace(side, board=tuple(tile for tile in board if not tile.bit & fallen), lost=lost)


def _rows(field: Field, action: Action) -> tuple[Row | None, Row | None]:
    """For each player the tile of the last turn's shift, where 8.5 is played."""
    if not house(field.options).no_fourth_shift:
        return None, None
    row = field.rows[field.mover]
    match action:
        case Shift(start, end):
            turns = row.turns if row and row.square == start else 0
            mine: Row | None = Row(end, turns + 1)
        case Deploy(_, then) if then:
            mine = Row(then.square, 1)
        case _:
            mine = None
    return (mine, field.rows[1]) if field.mover == 0 else (field.rows[0], mine)
