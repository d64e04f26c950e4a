"""ZU Tiles: the rules a move can break, in the order in which they are cited."""

from dataclasses import replace

from companion.games.zu_tiles_hime.catalogue import CATALOGUE, is_creature, may_be_placed, title
from companion.games.zu_tiles_hime.registry import IN_PLAY, ON_STACK, Undoable
from companion.games.zu_tiles_hime.rules.area import is_a_space_to_place, spaces
from companion.games.zu_tiles_hime.rules.battle import bar_to_attack, cannot_ally, cannot_fight, fight_of
from companion.games.zu_tiles_hime.rules.end import outcome
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Place, Played, Stack, Take
from companion.games.zu_tiles_hime.rules.position import (
    MOST,
    Fight,
    Position,
    can_draw,
    in_hand,
    may_hold,
    place_of,
    take_from_hand,
)
from companion.games.zu_tiles_hime.rules.squares import explain_square, is_square, square_at
from companion.games.zu_tiles_hime.rules.stacks import (
    cannot_react,
    cannot_start,
    held_after,
    perform,
    resolve_battle,
    resolve_stack,
    without_tile,
)
from companion.games.zu_tiles_hime.rules.turn import condition_to_place, end_effects, must_replace, owed_draws, replaces
from companion.rules import Breach, rule
from companion.said import called, joined, say

_WORDS = {
    "place": say("a tile was placed this turn already"),
    "stack": say("two stacks were started this turn already"),
    "battle": say("a Battle was started this turn already"),
    "discard": say("two tiles were discarded for one this turn already"),
}


def thing_of(move: Move) -> str | None:
    """Which of the five things of a turn a move is (3.4)."""
    match move:
        case Place():
            return "place"
        case Stack():
            return "stack"
        case Battle():
            return "battle"
        case Exchange():
            return "discard"
    return None


def is_done(now: Position, thing: str) -> bool:
    """Whether the turn has no more room for it."""
    return "judged" in now.done or now.done.count(thing) >= MOST[thing]


@rule("3.4")
def each_thing_at_most_once(now: Position, move: Move) -> Breach | None:
    """Each of the five things once a turn, with what the hand holds."""
    thing = thing_of(move)
    if thing is None:
        return None
    if is_done(now, thing):
        return Breach(say("Undue Judgement ended the turn") if "judged" in now.done else _WORDS[thing])
    if isinstance(move, Place) and not may_hold(now.player(now.mover).hand, move.tile):
        return Breach(
            say("{mover} holds no {tile}", mover=called(now.mover), tile=title(move.tile)), (place_of(move.at),)
        )
    return _cannot_exchange(now, move) if isinstance(move, Exchange) else None


@rule("3.5")
def the_turn_ends_with_a_draw(now: Position, move: Move) -> Breach | None:
    """One tile is drawn, a second only after a turn in which nothing was done."""
    return owed_draws(now, move) if isinstance(move, EndTurn) else None


@rule("4.1")
def only_tiles_that_stand_are_placed(now: Position, move: Move) -> Breach | None:
    """Creatures, Items and Obstacles are placed, nothing else."""
    if not isinstance(move, Place) or may_be_placed(move.tile):
        return None
    return Breach(say("{tile} comes into play by a stack only", tile=title(move.tile)), (place_of(move.at),))


@rule("4.2")
def placed_beside_a_tile(now: Position, move: Move) -> Breach | None:
    """The first tile at the centre, each later one in an empty space beside another."""
    if not isinstance(move, Place) or is_a_space_to_place(now, move.at) or replaces(now, move):
        return None
    where = place_of(move.at)
    if not now.area:
        return Breach(
            say("the first tile goes to {first}, not {place}", first=place_of(spaces(now)[0]), place=where), (where,)
        )
    if move.at in now.area:
        return Breach(say("{tile} lies on {place}", tile=title(now.area[move.at].tile), place=where), (where,))
    return Breach(say("{place} shares no side with a tile in play", place=where), (where,))


@rule("4.6")
def a_square_is_taken_if_compatible(now: Position, move: Move) -> Breach | None:
    """Four creatures leave as a square only when all its pairs fit, by the tile that completes it."""
    if not isinstance(move, Take) or len(move.cells) != 4:
        return None
    square = square_at(min(x for x, _ in move.cells), min(y for _, y in move.cells))
    if sorted(square) != sorted(move.cells) or not is_square(now, square):
        return None
    return Breach(
        say("{pairs}; nobody completed this square just now", pairs=explain_square(now, square)),
        tuple(map(place_of, square)),
    )


@rule("2")
def the_tile_allows_it(now: Position, move: Move) -> Breach | None:
    """What is printed on the tiles is kept to."""
    match move:
        case Place():
            return _cannot_replace(now, move) or condition_to_place(now, move)
        case Battle():
            return _cannot_be_chosen(now, move) or _refused(now, move, move.reactions)
        case Stack():
            return _refused(now, move, (move.first, *move.reactions))
        case EndTurn():
            return end_effects(now, move)[1]
    return None


@rule("5.1")
def stacks_are_built_of_the_right_tiles(now: Position, move: Move) -> Breach | None:
    """A stack starts with an A or AR tile, and R or AR tiles are added, out of the hands."""
    if isinstance(move, Stack):
        if breach := cannot_start(now, move.first):
            return breach
        plays: tuple[Played, ...] = (move.first, *move.reactions)
    elif isinstance(move, Battle):
        # The Battle Action Tile has left the hand when the first reaction comes.
        now, plays = without_tile(now, Played(move.tile, now.mover)), move.reactions
    else:
        return None
    if not move.reactions:
        return None
    return next(filter(None, (cannot_react(now, play) for play in move.reactions)), None) or held_after(now, plays)


@rule("5.2")
def battles_are_fought_between_neighbours(now: Position, move: Move) -> Breach | None:
    """An own Creature against a neighbour that is no own Creature, with a tile of the hand face down."""
    if not isinstance(move, Battle):
        return None
    hand = now.player(now.mover).hand
    if in_hand(hand) == 0:
        return Breach(say("{mover} has no tile in hand to put face down", mover=called(now.mover)))
    if not may_hold(hand, move.tile):
        return Breach(say("{mover} holds no {tile}", mover=called(now.mover), tile=title(move.tile)))
    return cannot_fight(now, move)


@rule("5.3")
def allies_neighbour_the_defender(now: Position, move: Move) -> Breach | None:
    """Allies are Creatures beside the Defender, each on one side."""
    return cannot_ally(now, move) if isinstance(move, Battle) else None


@rule("5.4")
def tiles_leave_by_the_rules_only(now: Position, move: Move) -> Breach | None:
    """Nobody takes a tile out of the area without a square, a Battle or a tile that says so."""
    if not isinstance(move, Take):
        return None
    where = tuple(map(place_of, move.cells))
    return Breach(say("nothing takes {places} out of the area", places=joined(where)), where)


@rule("5.8")
def the_game_goes_on(now: Position, move: Move) -> Breach | None:
    """Nobody plays on when the game is over."""
    ended = outcome(now)
    return Breach(say("the game is over: {why}", why=ended.says)) if ended.over else None


CHECKS = (
    each_thing_at_most_once,
    the_turn_ends_with_a_draw,
    only_tiles_that_stand_are_placed,
    placed_beside_a_tile,
    a_square_is_taken_if_compatible,
    the_tile_allows_it,
    stacks_are_built_of_the_right_tiles,
    battles_are_fought_between_neighbours,
    allies_neighbour_the_defender,
    tiles_leave_by_the_rules_only,
    the_game_goes_on,
)


def _cannot_exchange(now: Position, move: Exchange) -> Breach | None:
    player = now.player(now.mover)
    hand = player.hand
    for tile in move.tiles:
        if not may_hold(hand, tile):
            return Breach(
                say("{mover} does not hold both {tiles}", mover=called(now.mover), tiles=joined(map(title, move.tiles)))
            )
        hand, _ = take_from_hand(hand, tile)
    if not can_draw(player, move.stack):
        return Breach(say("draw stack {n} is empty", n=move.stack))
    return None


def _cannot_replace(now: Position, move: Place) -> Breach | None:
    if not must_replace(move.tile):
        return None
    if not replaces(now, move):
        return Breach(
            say("{tile} is placed upon a tile it replaces only (5.5)", tile=title(move.tile)), (place_of(move.at),)
        )
    if now.area[move.at].by == now.mover:
        return None
    return Breach(
        say("{mover} does not control the tile on {place} (5.5)", mover=called(now.mover), place=place_of(move.at)),
        (place_of(move.at),),
    )


def _cannot_be_chosen(now: Position, move: Battle) -> Breach | None:
    defender = now.at(move.defender)
    if defender is None or not is_creature(defender.tile):
        return None
    bar = bar_to_attack(now, defender)
    if bar is None:
        return None
    where = place_of(move.defender)
    return Breach(
        say(
            "{bar} keeps {tile} on {place} from being chosen as Defender",
            bar=title(bar.tile),
            tile=title(defender.tile),
            place=where,
        ),
        (where,),
    )


def _refused(now: Position, move: Stack | Battle, plays: tuple[Played, ...]) -> Breach | None:
    """The first tile whose own condition holds neither when it is added nor when it resolves."""
    if breach := _used_twice(plays):
        return breach
    fight = fight_of(now, move) if isinstance(move, Battle) else None
    breaches = [_own_condition(now, play, fight) for play in plays]
    if not any(breaches):
        return None
    if len(plays) == 1:
        return breaches[0]
    failed = (resolve_stack(now, move) if isinstance(move, Stack) else resolve_battle(now, move))[1]
    both = (breach for breach, later in zip(breaches, failed, strict=True) if breach is not None and later is not None)
    return next(both, None)


def _used_twice(plays: tuple[Played, ...]) -> Breach | None:
    """An ability for once a turn that is added to one stack again."""
    for i, play in enumerate(plays):
        if not isinstance(play.at, tuple) or not CATALOGUE[play.tile].values.get("once"):
            continue
        if any((earlier.tile, earlier.at) == (play.tile, play.at) for earlier in plays[:i]):
            return Breach(say("the ability of {tile} is used once a turn", tile=title(play.tile)), (place_of(play.at),))
    return None


def _own_condition(now: Position, play: Played, fight: Fight | None) -> Breach | None:
    if play.tile not in (ON_STACK if play.at is None else IN_PLAY) or play.by not in now.players:
        return None
    after = perform(replace(now, fight=fight), play)
    return after if isinstance(after, Breach) and not isinstance(after, Undoable) else None
