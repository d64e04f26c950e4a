"""Paiko: the rules that an action can break, and the legal actions by a short way."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.games.paiko.field import (
    COLOURS,
    SHIFTS_IN_A_ROW,
    Action,
    Boards,
    Botched,
    Deploy,
    Draw,
    Field,
    Move,
    Pass,
    Pick,
    Redeploy,
    Shift,
    action_of,
    arranged,
    capturable,
    house,
    outcome,
    picks_due,
    play,
    points_of,
    waves,
)
from companion.games.paiko.patterns import (
    BLACK_SQUARES,
    BOARD,
    FACED,
    FACING_WORDS,
    FIRE,
    GRID,
    HOME,
    LOTUS,
    PLACES,
    SAI,
    STEPS,
    TITLES,
    WATER,
    Counts,
    Danger,
    Standing,
    bits,
    covered,
    danger,
    handfuls,
    immune,
    occupied,
    standing,
    threatened,
    threatening,
    turns_of,
    within,
)
from companion.games.paiko.words import (
    how_many,
    mover_of,
    places_of,
    why_it_falls,
    why_it_stands,
    with_article,
)
from companion.rules import Breach, rule
from companion.said import called, counted, joined, say
from companion.table import Place

DRAWN = 3


class Ground(NamedTuple):
    """What counts for the mover while one tile is in the air: the danger, the cover and the squares of the others."""

    danger: Danger
    cover: int
    others: int
    spared: int
    empty: int

    def closed(self, kind: int) -> int:
        """The squares where a tile of that kind would be captured; a moving Fire adds its own threat (5.2)."""
        if kind == FIRE:
            return self.danger.one & ~self.cover | self.danger.two
        return self.danger.deadly(self.cover)

    def open_to(self, kind: int) -> int:
        """The squares that a tile of that kind may be shifted to or through."""
        return self.empty & ~BLACK_SQUARES & ~self.closed(kind)

    def safe(self, tile: Standing) -> bool:
        """Whether no tile of the mover can be captured once this one stands (6.1); 5.1a has looked after a Lotus."""
        danger = self.danger.with_fire(tile.threat) if tile.kind == FIRE else self.danger
        at_risk = self.others if tile.kind == LOTUS else self.others | tile.bit
        return not danger.deadly(self.cover | tile.cover) & at_risk & ~self.spared


def ground_without(field: Field, lifted: Standing | None = None, known: Danger | None = None) -> Ground:
    """The ground with one tile lifted; ``known`` is the danger where it is known already."""
    own = [tile for tile in field.mine.board if tile is not lifted]
    spared = immune(own) if house(field.options).lotus_immune else 0
    return Ground(
        known or danger(own, field.enemy.board), covered(field.mover, own), occupied(own), spared, field.empty
    )


@rule("7.1")
def nobody_has_won(field: Field, move: Move) -> Breach | None:
    """Nobody plays on when a player has ten points."""
    ended = outcome(field)
    if ended.rule != "7.1":
        return None
    winner = COLOURS.index(ended.winner or "")
    return _breach(say("{why}: the game is over", why=ended.says), _scoring_places(field, winner))


@rule("7.2")
def it_is_no_tie(field: Field, move: Move) -> Breach | None:
    """Nobody plays on after a tie."""
    ended = outcome(field)
    return _breach(say("{why}: the game is over", why=ended.says)) if ended.rule == "7.2" else None


@rule("6.3")
def owed_picks_are_made(field: Field, move: Move) -> Breach | None:
    """The loser of tiles picks for the capturer first, one tile for each, and never unasked."""
    action, capturer = action_of(move), called(COLOURS[1 - field.mover])
    if not isinstance(action, Pick):
        return (
            _breach(
                say(
                    "{mover} first picks {tiles} for {capturer}",
                    mover=mover_of(field),
                    tiles=how_many(field.owed),
                    capturer=capturer,
                )
            )
            if field.owed
            else None
        )
    if not field.owed:
        return _breach(say("no pick is owed to {capturer}", capturer=capturer))
    if not field.enemy.reserve[action.kind]:
        return _breach(say("{capturer}'s reserve holds no {tile}", capturer=capturer, tile=TITLES[action.kind]))
    return None


@rule("4.1")
def hands_are_picked_first(field: Field, move: Move) -> Breach | None:
    """White takes seven tiles, Black nine, White one more; then White begins."""
    number = picks_due(field)
    if not number:
        return None
    action = action_of(move)
    if not isinstance(action, Draw):
        return _breach(say("{mover} first picks {tiles} into hand", mover=mover_of(field), tiles=how_many(number)))
    if sum(action.tiles) != number:
        return _breach(
            say(
                "{mover} picks {tiles} here, not {n}",
                mover=mover_of(field),
                tiles=how_many(number),
                n=sum(action.tiles),
            )
        )
    return _short_of(field, action.tiles)


@rule("5.1")
def tiles_are_deployed_on_own_ground(field: Field, move: Move) -> Breach | None:
    """A tile of the hand goes on an empty square that is home or threatened by its owner, and free of threat."""
    action = action_of(move)
    if not isinstance(action, Deploy) or action.tile.kind == LOTUS:
        return None
    if not field.mine.hand[action.tile.kind]:
        return _breach(
            say("{mover} has no {tile} in hand", mover=mover_of(field), tile=action.tile.title), (action.tile.place,)
        )
    return _no_landing(field, action.tile.square)


@rule("5.1a")
def a_lotus_is_deployed_where_it_lasts(field: Field, move: Move) -> Breach | None:
    """A Lotus goes on any empty square where it could not be captured at once, and stays there."""
    action = action_of(move)
    if not isinstance(action, Deploy) or action.tile.kind != LOTUS:
        return None
    tile = action.tile
    if not field.mine.hand[LOTUS]:
        return _breach(say("{mover} has no {tile} in hand", mover=mover_of(field), tile=tile.title), (tile.place,))
    if not tile.bit & field.empty:
        return _taken(field, tile.square)
    if not tile.bit & lotus_ground(field, ground_without(field)):
        against = threatening(tile.square, field.mine.board, field.enemy.board)
        return _breach(
            say("threat {n} on {place} would capture the Lotus at once", n=len(against), place=tile.place),
            (tile.place, *places_of(against)),
        )
    return _breach(say("a Lotus never shifts"), (tile.place, action.then.place)) if action.then else None


@rule("5.1b")
def only_a_sai_shifts_when_deployed(field: Field, move: Move) -> Breach | None:
    """No tile but a Sai shifts right after it is deployed."""
    action = action_of(move)
    if not isinstance(action, Deploy) or action.then is None or action.tile.kind in (SAI, LOTUS):
        return None
    says = say("a {tile} does not shift in the turn in which it is deployed; only a Sai does", tile=action.tile.title)
    return _breach(says, (action.tile.place, action.then.place))


@rule("5.2")
def tiles_shift_over_open_squares(field: Field, move: Move) -> Breach | None:
    """One own tile goes up to its number of steps over empty squares where it could not be captured."""
    action = action_of(move)
    breach = None
    if isinstance(action, Deploy) and action.then and action.tile.kind == SAI:
        breach = _no_way(field, action.tile, action.then.square, ground_without(field))
    if isinstance(action, Shift):
        breach = _no_shift(field, action)
    if breach is None and isinstance(move, Botched) and move.turned:
        turned = joined(tile.place for tile in move.turned)
        return _breach(say("{places} was turned too: one tile acts in a turn", places=turned), places_of(move.turned))
    return breach


@rule("5.2a")
def only_water_is_deployed_anew(field: Field, move: Move) -> Breach | None:
    """Instead of a shift an own Water may be deployed anew by 5.1."""
    action = action_of(move)
    if not isinstance(action, Redeploy):
        return None
    found = field.tile_on(action.start)
    at = (PLACES[action.start], PLACES[action.end])
    if found is None or found[0] != field.mover:
        return _breach(say("{mover} has no tile on {start}", mover=mover_of(field), start=at[0]), at)
    if found[1].kind != WATER:
        return _breach(
            say("the {tile} on {start} is no Water and cannot be deployed anew", tile=found[1].title, start=at[0]), at
        )
    return _no_landing(field, action.end)


@rule("5.3")
def three_tiles_are_drawn(field: Field, move: Move) -> Breach | None:
    """A draw takes three tiles of the reserve, or all that are left."""
    action = action_of(move)
    if not isinstance(action, Draw) or picks_due(field):
        return None
    left = sum(field.mine.reserve)
    if not left:
        return _breach(say("{mover}'s reserve is empty", mover=mover_of(field)))
    if sum(action.tiles) != min(DRAWN, left):
        return _breach(
            say(
                "{mover} draws {tiles}, not {n}",
                mover=mover_of(field),
                tiles=how_many(min(DRAWN, left)),
                n=sum(action.tiles),
            )
        )
    return _short_of(field, action.tiles)


@rule("8.6")
def nobody_passes_who_can_act(field: Field, move: Move) -> Breach | None:
    """A player passes only without a legal action."""
    if not isinstance(action_of(move), Pass):
        return None
    able = next(legal_actions(field), None)
    return _breach(say("{mover} has a legal action and may not pass", mover=mover_of(field))) if able else None


@rule("6.1")
def no_own_tile_is_given_away(field: Field, move: Move) -> Breach | None:
    """After the action none of the mover's own tiles can be captured."""
    action = action_of(move)
    if isinstance(action, Pass | Pick) or picks_due(field):
        return None
    boards = _as_tested(field, arranged(field, action))
    own, enemy = boards[field.mover], boards[1 - field.mover]
    exposed = capturable(field.mover, own, enemy, house(field.options))
    if not exposed:
        return None
    fallen = [tile for tile in own if tile.bit & exposed]
    against = {tile for other in fallen for tile in threatening(other.square, own, enemy)}
    tiles = joined(why_it_falls(tile, field.mover, own, enemy) for tile in fallen)
    return _breach(
        say("{mover}'s own {tiles} could be captured", mover=mover_of(field), tiles=tiles),
        (*places_of(fallen), *places_of(against)),
    )


@rule("8.5")
def no_tile_shifts_four_turns_in_a_row(field: Field, move: Move) -> Breach | None:
    """Where the players chose so, the same tile is not shifted a fourth turn in a row."""
    action = action_of(move)
    if isinstance(action, Shift) and action.start == weary(field):
        says = say(
            "the tile on {place} was shifted in the last {n} turns", place=PLACES[action.start], n=SHIFTS_IN_A_ROW
        )
        return _breach(says, (PLACES[action.start],))
    return None


@rule("6.2")
def captures_are_carried_out(field: Field, move: Move) -> Breach | None:
    """Every capturable enemy tile leaves the board in the capture phase, and no other tile does."""
    if not isinstance(move, Botched):
        return None
    boards = arranged(field, move.action)
    own, enemy = boards[1 - field.mover], boards[field.mover]
    if move.left:
        left = [tile for tile in own if tile.bit & move.left]
        tiles = joined(why_it_falls(tile, 1 - field.mover, own, enemy) for tile in left)
        against = {tile for other in left for tile in threatening(other.square, own, enemy)}
        return _breach(
            say("the {tiles} is captured and must leave", tiles=tiles), (*places_of(left), *places_of(against))
        )
    if move.taken:
        return _wrongly_taken(field, boards, move.taken)
    return None


CHECKS = (
    nobody_has_won,
    it_is_no_tie,
    owed_picks_are_made,
    hands_are_picked_first,
    tiles_are_deployed_on_own_ground,
    a_lotus_is_deployed_where_it_lasts,
    only_a_sai_shifts_when_deployed,
    tiles_shift_over_open_squares,
    only_water_is_deployed_anew,
    three_tiles_are_drawn,
    nobody_passes_who_can_act,
    no_own_tile_is_given_away,
    no_tile_shifts_four_turns_in_a_row,
    captures_are_carried_out,
)


def quick_legal(field: Field) -> Iterator[Move]:
    """The legal moves without trying the conceivable ones."""
    if outcome(field).over:
        return
    if field.owed:
        yield from (Pick(kind) for kind in range(8) if field.enemy.reserve[kind])
        return
    if number := picks_due(field):
        yield from (Draw(tiles) for tiles in handfuls(field.mine.reserve, number))
        return
    able = False
    for action in legal_actions(field):
        able = True
        yield action
    if not able:
        yield Pass()


def quick_perft(field: Field, depth: int) -> int:
    """How many sequences of so many moves there are; the many hands of the set-up are counted without being made."""
    number = picks_due(field)
    if depth == 1 and number and not field.owed:
        return len(handfuls(field.mine.reserve, number))
    if depth == 1:
        return sum(1 for _ in quick_legal(field))
    return sum(quick_perft(play(field, move), depth - 1) for move in quick_legal(field))


def legal_actions(field: Field) -> Iterator[Action]:
    """The legal actions of a turn proper, picks and passes aside."""
    if house(field.options).tested_after:
        for action in _actions(field, lenient=True):
            boards = _as_tested(field, arranged(field, action))
            if not capturable(field.mover, boards[field.mover], boards[1 - field.mover], house(field.options)):
                yield action
    else:
        yield from _actions(field, lenient=False)


def deployable(field: Field, ground: Ground) -> int:
    """The squares where 5.1 lets the mover deploy."""
    own_ground = HOME[field.mover] | threatened(field.mine.board)
    return own_ground & ground.empty & ~BLACK_SQUARES & ~ground.danger.one


def lotus_ground(field: Field, ground: Ground) -> int:
    """The squares where 5.1a lets the mover deploy a Lotus, which covers itself."""
    spared = BLACK_SQUARES if house(field.options).lotus_immune else 0
    return ground.empty & (~ground.danger.three | spared)


def _actions(field: Field, lenient: bool) -> Iterator[Action]:
    ground = ground_without(field)
    yield from _deployments(field, ground, lenient)
    for tile in field.mine.board:
        if STEPS[tile.kind]:
            # Lifting a tile changes the threat against its owner only where it is a Fire.
            known = None if tile.kind == FIRE else ground.danger
            yield from _shifts(field, tile, ground_without(field, tile, known), lenient)
    if lenient or not ground.danger.deadly(ground.cover) & ground.others & ~ground.spared:
        left = sum(field.mine.reserve)
        yield from (Draw(tiles) for tiles in handfuls(field.mine.reserve, min(DRAWN, left)) if left)


def _deployments(field: Field, ground: Ground, lenient: bool) -> Iterator[Action]:
    squares = deployable(field, ground)
    for kind, number in enumerate(field.mine.hand):
        if not number:
            continue
        for square in bits(lotus_ground(field, ground) if kind == LOTUS else squares):
            for facing in turns_of(kind):
                tile = standing(kind, facing, square)
                if lenient or ground.safe(tile):
                    yield Deploy(tile)
    if field.mine.hand[SAI]:
        yield from _sai_runs(field, ground, squares, lenient)


def _sai_runs(field: Field, ground: Ground, squares: int, lenient: bool) -> Iterator[Action]:
    """A Sai deployed and shifted at once, with the facing of the end in both places."""
    open_squares = ground.open_to(SAI)
    ends = {
        square: [tile for tile in _turns(SAI, square) if lenient or ground.safe(tile)] for square in bits(open_squares)
    }
    for square in bits(squares):
        for end in bits(within(square, STEPS[SAI], open_squares)):
            for tile in ends[end]:
                yield Deploy(standing(SAI, tile.facing, square), tile)


def _shifts(field: Field, tile: Standing, ground: Ground, lenient: bool) -> Iterator[Action]:
    if tile.square != weary(field):
        reached = within(tile.square, STEPS[tile.kind], ground.open_to(tile.kind))
        for square in (tile.square, *bits(reached)):
            for after in _turns(tile.kind, square):
                if (after is not tile or _may_idle(field, tile)) and (lenient or ground.safe(after)):
                    yield Shift(tile.square, square, after.facing if tile.kind in FACED else None)
    if tile.kind == WATER:
        for square in bits(deployable(field, ground)):
            if lenient or ground.safe(standing(WATER, 0, square)):
                yield Redeploy(tile.square, square)


def _turns(kind: int, square: int) -> list[Standing]:
    return [standing(kind, facing, square) for facing in turns_of(kind)]


def _may_idle(field: Field, tile: Standing) -> bool:
    """Whether a tile may be turned in place without a visible change (8.4)."""
    return tile.kind not in FACED and not house(field.options).no_idle_turn


def weary(field: Field) -> int | None:
    """The square of the tile that 8.5 keeps from another shift."""
    row = field.rows[field.mover]
    tired = row is not None and row.turns >= SHIFTS_IN_A_ROW and house(field.options).no_fourth_shift
    return row.square if row and tired else None


def _as_tested(field: Field, boards: Boards) -> Boards:
    """The boards by which 6.1 is tested: before or after the captured tiles leave (8.2)."""
    rules = house(field.options)
    if not rules.tested_after:
        return boards
    loser = 1 - field.mover
    fallen = {tile for wave in waves(loser, boards, rules) for tile in wave}
    left = tuple(tile for tile in boards[loser] if tile not in fallen)
    return (boards[0], left) if loser else (left, boards[1])


def _breach(says: str, at: Iterable[Place] = ()) -> Breach:
    """A breach that lights up each place once, where the board has it."""
    return Breach(says, tuple(place for place in dict.fromkeys(at) if BOARD >> GRID[place] & 1))


def _short_of(field: Field, tiles: Counts) -> Breach | None:
    for kind, (wanted, left) in enumerate(zip(tiles, field.mine.reserve, strict=True)):
        if wanted > left:
            return _breach(
                say(
                    "{mover}'s reserve holds {left} {tile}, not {wanted}",
                    mover=mover_of(field),
                    left=left or say("no"),
                    tile=TITLES[kind],
                    wanted=wanted,
                )
            )
    return None


def _taken(field: Field, square: int) -> Breach:
    place = PLACES[square]
    if not BOARD >> square & 1:
        return _breach(say("{place} is no square of the board", place=place))
    return _breach(say("{place} is taken", place=place), (place,))


def _no_landing(field: Field, square: int) -> Breach | None:
    """Why 5.1 does not let the mover deploy on a square."""
    place, own = PLACES[square], field.mine.board
    if not field.empty >> square & 1:
        return _taken(field, square)
    if BLACK_SQUARES >> square & 1:
        return _breach(say("{place} is a black square: only a Lotus may stand there", place=place), (place,))
    if against := threatening(square, own, field.enemy.board):
        return _breach(
            say("the threat against {mover} on {place} is {n}", mover=mover_of(field), place=place, n=len(against)),
            (place, *places_of(against)),
        )
    if not (HOME[field.mover] | threatened(own)) >> square & 1:
        return _breach(
            say(
                "{place} is neither {mover}'s homeground nor threatened by {mover}", place=place, mover=mover_of(field)
            ),
            (place,),
        )
    return None


def _no_shift(field: Field, action: Shift) -> Breach | None:
    found = field.tile_on(action.start)
    at = (PLACES[action.start], PLACES[action.end])
    if found is None:
        return _breach(say("no tile stands on {start}", start=at[0]), at[:1])
    colour, tile = found
    if colour != field.mover:
        return _breach(
            say("the {tile} on {start} is {owner}'s", tile=tile.title, start=at[0], owner=called(COLOURS[colour])), at
        )
    if not STEPS[tile.kind]:
        return _breach(say("{tile} never shifts", tile=with_article(tile.title)), at)
    if action.start != action.end:
        return _no_way(field, tile, action.end, ground_without(field, tile))
    if tile.kind not in FACED:
        idle = say("turning {tile} in place changes nothing, and 8.4 was not chosen", tile=with_article(tile.title))
        return None if _may_idle(field, tile) else _breach(idle, at[:1])
    faces = FACING_WORDS[tile.facing]
    still = action.facing is None or action.facing == tile.facing
    return (
        _breach(
            say(
                "the {tile} on {start} already faces {faces}: it has not shifted",
                tile=tile.title,
                start=at[0],
                faces=faces,
            ),
            at[:1],
        )
        if still
        else None
    )


def _no_way(field: Field, tile: Standing, end: int, ground: Ground) -> Breach | None:
    """Why 5.2 does not let a tile go from its square to another."""
    at, steps = (tile.place, PLACES[end]), STEPS[tile.kind]
    if not field.empty >> end & 1:
        return _taken(field, end)
    if BLACK_SQUARES >> end & 1:
        return _breach(say("{place} is a black square: only a Lotus may stand there", place=at[1]), at)
    if (far := _distance(tile.square, end)) > steps:
        goes = counted(steps, "1 square", "{n} squares")
        return _breach(
            say(
                "{end} is {far} steps from {start} and {tile} shifts {goes}",
                end=at[1],
                far=far,
                start=at[0],
                tile=with_article(tile.title),
                goes=goes,
            ),
            at,
        )
    if ground.closed(tile.kind) >> end & 1:
        others = [other for other in field.mine.board if other is not tile]
        against = threatening(end, others, field.enemy.board)
        threat = len(against) + (tile.kind == FIRE)
        says = say("threat {n} on {place} would capture the {tile} there", n=threat, place=at[1], tile=tile.title)
        return _breach(says, (*at, *places_of(against)))
    if not within(tile.square, steps, ground.open_to(tile.kind)) >> end & 1:
        return _breach(say("every way from {start} to {end} is closed", start=at[0], end=at[1]), at)
    return None


def _wrongly_taken(field: Field, boards: Boards, taken: int) -> Breach:
    words, at = [], []
    for colour in (0, 1):
        for tile in boards[colour]:
            if tile.bit & taken:
                words.append(why_it_stands(tile, colour, boards))
                at.append(tile.place)
    return _breach(say("{stands} and is not captured", stands=joined(words)), tuple(at))


def _scoring_places(field: Field, colour: int) -> tuple[Place, ...]:
    return tuple(tile.place for tile in field.sides[colour].board if points_of(colour, (tile,)))


def _distance(start: int, end: int) -> int:
    down, right = divmod(start, 16)
    to_down, to_right = divmod(end, 16)
    return abs(to_down - down) + abs(to_right - right)
