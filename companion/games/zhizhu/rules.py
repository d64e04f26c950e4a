"""ZhiZhu: what lies on the web, what hands can do there, and the rules they can break."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

from companion.game import Option, Options, Unreadable
from companion.games.zhizhu.chains import (
    BIT,
    BOARD,
    NEIGHBOURS,
    bits,
    captures_due,
    chained,
    closes_five,
    closes_three,
    names,
    removals,
)
from companion.rules import Breach, Ruling, Told, rule
from companion.said import called, counted, joined, say
from companion.scoring import Outcome
from companion.table import Layout, Piece, Place

COLOURS = ("white", "black")
PIECES = 9

OPTIONS = (
    Option("chains", "3.3", "Several chains closed at once", ("three-and-five", "every")),
    Option("repetition", "4.3", "A position that stands for the third time", ("offer", "ignore")),
)
DEFAULTS = Options((), OPTIONS)


class Slide(NamedTuple):
    """From one point to another, each a bit."""

    start: int
    to: int


Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Web:
    """A position. Pairs hold White's first, then Black's."""

    mover: int
    on: Pair
    """The points each player stands on."""
    hand: Pair = (PIECES, PIECES)
    barred: tuple[Slide | None, Slide | None] = (None, None)
    """The slide that 3.6 forbids each player on the next turn."""
    options: Options = DEFAULTS

    @property
    def mine(self) -> int:
        return self.on[self.mover]

    @property
    def enemy(self) -> int:
        return self.on[1 - self.mover]

    @property
    def empty(self) -> int:
        return BOARD & ~(self.on[0] | self.on[1])

    @property
    def placing(self) -> bool:
        return self.hand[self.mover] > 0

    @property
    def pays_every_chain(self) -> bool:
        return self.options["chains"] == "every"

    def left(self, colour: int) -> int:
        """How many pieces a player has in all, on the board and in hand."""
        return self.on[colour].bit_count() + self.hand[colour]


@dataclass(frozen=True, slots=True)
class Turn:
    """A placement (no start) or a slide, and the pieces it takes."""

    start: int | None
    to: int
    taken: int = 0


def setup(players: tuple[str, ...], options: Options, rng: Random) -> Web:
    if sorted(players) != sorted(COLOURS):
        raise Unreadable(say("the players of ZhiZhu are white and black, the first named begins"), "players")
    return Web(COLOURS.index(players[0]), (0, 0), options=options)


def to_move(web: Web) -> str | None:
    return None if outcome(web).over else COLOURS[web.mover]


def conceivable(web: Web) -> Iterator[Turn]:
    """One piece put down or moved from anywhere to anywhere, and as many enemy pieces gone as any chains could take."""
    losses = [sum(taken) for n in range(_most_taken(web) + 1) for taken in combinations(bits(web.enemy), n)]
    starts: list[int | None] = [*bits(web.on[0] | web.on[1])]
    if web.mine.bit_count() < PIECES:
        starts.append(None)
    for start in starts:
        for to in bits(web.empty):
            for taken in losses:
                if start is None or not start & taken:
                    yield Turn(start, to, taken)


def explain(web: Web, seen: Layout) -> Iterator[Turn]:
    """The conceivable turns after which the table looks so, from what came and what went."""
    now = [sum(BIT[place] for place, piece in seen.items() if piece.owner == owner) for owner in COLOURS]
    came = [now[colour] & ~web.on[colour] for colour in (0, 1)]
    gone = [web.on[colour] & ~now[colour] for colour in (0, 1)]
    me, you = web.mover, 1 - web.mover
    to = came[me] | came[you]
    if to.bit_count() != 1 or not to & web.empty:
        return
    if came[you]:
        candidates = [Turn(start, to, gone[you] & ~start) for start in bits(gone[you])] if not gone[me] else []
    elif gone[me]:
        candidates = [Turn(gone[me], to, gone[you])] if gone[me].bit_count() == 1 else []
    else:
        candidates = [Turn(None, to, gone[you])] if web.mine.bit_count() < PIECES else []
    yield from (turn for turn in candidates if turn.taken.bit_count() <= _most_taken(web))


@rule("4.1")
def the_game_goes_on(web: Web, turn: Turn) -> Breach | None:
    """Nobody plays on when a player has two pieces or fewer left in all."""
    for colour, name in enumerate(COLOURS):
        if web.left(colour) <= 2:
            return Breach(
                say("{player} has {n} pieces left: the game is over", player=called(name), n=web.left(colour)),
                names(web.on[colour]),
            )
    return None


@rule("2.2")
def a_piece_in_hand_is_placed(web: Web, turn: Turn) -> Breach | None:
    """With a piece in hand the turn is a placement on an empty point."""
    if not web.placing:
        return None
    if turn.start is not None:
        return Breach(
            say("{mover} still has {n} to place and may not slide", mover=_mover(web), n=web.hand[web.mover]),
            _at(turn),
        )
    if turn.to & ~web.empty:
        return Breach(say("{place} is taken", place=_point(turn.to)), _at(turn))
    return None


@rule("2.3")
def a_piece_slides_to_an_empty_neighbour(web: Web, turn: Turn) -> Breach | None:
    """With no piece in hand the turn is a slide of an own piece to an empty neighbouring point."""
    if web.placing:
        return None
    if turn.start is None:
        return Breach(say("{mover} has no piece in hand", mover=_mover(web)), _at(turn))
    if not turn.start & web.mine:
        return Breach(say("{mover} has no piece on {start}", mover=_mover(web), start=_point(turn.start)), _at(turn))
    if turn.to & ~web.empty:
        return Breach(say("{place} is taken", place=_point(turn.to)), _at(turn))
    if not turn.to & NEIGHBOURS[turn.start]:
        return Breach(
            say("{place} is no neighbour of {start}", place=_point(turn.to), start=_point(turn.start)), _at(turn)
        )
    return None


@rule("3.6")
def a_chain_is_not_remade_at_once(web: Web, turn: Turn) -> Breach | None:
    """The piece that left a chain does not come back to it on the next turn."""
    if turn.start is None or web.barred[web.mover] != (turn.start, turn.to):
        return None
    return Breach(
        say("{start} left the chain at {to} only last turn", start=_point(turn.start), to=_point(turn.to)), _at(turn)
    )


@rule("3.2")
def chains_take_what_they_earn(web: Web, turn: Turn) -> Breach | None:
    """A chain of three takes one enemy piece, a chain of five two."""
    if strangers := turn.taken & ~web.enemy:
        return Breach(
            say("no enemy piece stands on {places}", places=joined(names(strangers), "{some} or {more}")),
            names(strangers),
        )
    due = captures_due(_after(web, turn), turn.to, web.pays_every_chain)
    owed, took = min(due, web.enemy.bit_count()), turn.taken.bit_count()
    if took == owed:
        return None
    earned = say("{mover} earns {pieces} here", mover=_mover(web), pieces=_pieces(owed))
    says = say(
        "{earned}, but {pieces} taken",
        earned=earned if owed else say("no chain is closed here"),
        pieces=say("{n} were", n=took) if took > 1 else say("1 was") if took else say("none was"),
    )
    return Breach(says, (*_at(turn), *names(turn.taken)))


@rule("3.4")
def chains_are_protected(web: Web, turn: Turn) -> Breach | None:
    """A piece in a chain of its owner stays while another can be taken."""
    if web.enemy & ~turn.taken in removals(web.enemy, turn.taken.bit_count()):
        return None
    guarded = names(turn.taken & chained(web.enemy))
    stand = say(
        "{pieces} stands in a chain" if len(guarded) == 1 else "{pieces} stand in chains", pieces=joined(guarded)
    )
    return Breach(say("{stand} while a free piece could be taken", stand=stand), guarded)


CHECKS = (
    the_game_goes_on,
    a_piece_in_hand_is_placed,
    a_piece_slides_to_an_empty_neighbour,
    a_chain_is_not_remade_at_once,
    chains_take_what_they_earn,
    chains_are_protected,
)


def play(web: Web, turn: Turn) -> Web:
    """The table after a turn, legal or not: a piece that is not there moves nothing, one that is landed on is gone."""
    on, hand, barred = list(web.on), list(web.hand), list(web.barred)
    barred[web.mover] = None
    moved = _moved(web, turn)
    if moved is not None:
        if turn.start is None:
            hand[moved] = max(0, hand[moved] - 1)
        on = [pieces & ~(turn.to | (turn.start or 0)) for pieces in on]
        on[moved] |= turn.to
        if turn.start is not None and moved == web.mover:
            barred[moved] = Slide(turn.to, turn.start)
    on = [pieces & ~turn.taken for pieces in on]
    return standing(
        replace(web, mover=1 - web.mover, on=(on[0], on[1]), hand=(hand[0], hand[1]), barred=(barred[0], barred[1]))
    )


def standing(web: Web) -> Web:
    """The position with only those slides barred that would still remake a chain."""
    kept = [bar if bar and _remakes(web, colour, bar) else None for colour, bar in enumerate(web.barred)]
    return replace(web, barred=(kept[0], kept[1]))


def quick_legal(web: Web) -> Iterator[Turn]:
    """The legal turns without trying the conceivable ones."""
    if min(web.left(0), web.left(1)) <= 2:
        return
    if web.placing:
        for to in bits(web.empty):
            yield from _with_captures(web, None, to)
        return
    for start in bits(web.mine):
        for to in bits(NEIGHBOURS[start] & web.empty):
            if web.barred[web.mover] != (start, to):
                yield from _with_captures(web, start, to)


def outcome(web: Web) -> Outcome:
    for colour in (web.mover, 1 - web.mover):
        if web.left(colour) <= 2:
            winner = COLOURS[1 - colour]
            return Outcome(
                winner,
                False,
                "4.1",
                say(
                    "{winner} wins: {owner} has two pieces or fewer",
                    winner=called(winner),
                    owner=called(COLOURS[colour]),
                ),
            )
    if not web.placing and not _can_slide(web):
        winner = COLOURS[1 - web.mover]
        return Outcome(
            winner, False, "4.2", say("{winner} wins: {mover} cannot slide", winner=called(winner), mover=_mover(web))
        )
    return Outcome()


def layout(web: Web) -> Layout:
    return {name: Piece("piece", COLOURS[colour]) for colour in (0, 1) for name in names(web.on[colour])}


def amend(web: Web, place: Place, piece: Piece | None) -> Web:
    """What lies on the point is so; a piece that comes or goes is one of the hand's while there is one."""
    if place not in BIT:
        raise Unreadable(say("{place} is no point: points are a1 to h3", place=place), "place")
    if piece is not None and (piece.tile != "piece" or piece.owner not in COLOURS):
        raise Unreadable(say("on the web lie white and black pieces"), "piece")
    on, hand = list(web.on), list(web.hand)
    for colour, owner in enumerate(COLOURS):
        before = on[colour] & BIT[place]
        after = BIT[place] if piece is not None and piece.owner == owner else 0
        on[colour] = on[colour] & ~BIT[place] | after
        if after and not before:
            hand[colour] = max(0, hand[colour] - 1)
        if before and not after and hand[colour]:
            hand[colour] += 1
        if on[colour].bit_count() > PIECES:
            says = say("{player} has no tenth piece: first say which of the nine is gone", player=called(owner))
            raise Unreadable(says, "piece")
    return standing(replace(web, on=(on[0], on[1]), hand=(hand[0], hand[1])))


def remarks(history: Sequence[Web]) -> tuple[Ruling, ...]:
    last = history[-1]
    times = sum(1 for web in history if replace(web, options=last.options) == last)
    if times < 3 or last.options["repetition"] == "ignore" or outcome(last).over:
        return ()
    says = say(
        "This position has stood {n} times with {mover} to move: the players may agree a draw",
        n=times,
        mover=_mover(last),
    )
    return (Ruling(True, "4.3", says, (), True),)


def tell(web: Web, turn: Turn) -> Told:
    if turn.start is None:
        says = say("{mover} places on {to}", mover=_mover(web), to=_point(turn.to))
    else:
        says = say("{mover} slides {start} to {to}", mover=_mover(web), start=_point(turn.start), to=_point(turn.to))
    if closed := closed_chains(_after(web, turn), turn.to):
        says = say("{told}, closes {chains}", told=says, chains=joined(map(in_a_sentence, closed)))
    if turn.taken:
        says = say("{told} and takes {pieces}", told=says, pieces=joined(names(turn.taken)))
    return Told(says, (*_at(turn), *names(turn.taken)))


def closed_chains(mine: int, to: int) -> list[str]:
    """The chains that a piece just closed, in words."""
    before, circle = mine & ~to, _point(to)[1]
    found = [say("line {line}", line=_point(to)[0])] if to & closes_three(before) else []
    return [*found, say("five on circle {circle}", circle=circle)] if to & closes_five(before) else found


def in_a_sentence(chain: str) -> str:
    """A line has a name; a five is one of several on its circle."""
    return chain if chain.startswith("line") else say("a {chain}", chain=chain)


def _with_captures(web: Web, start: int | None, to: int) -> Iterator[Turn]:
    before = web.mine & ~(start or 0)
    if not to & (closes_three(before) | closes_five(before)):
        yield Turn(start, to)
        return
    for left in removals(web.enemy, captures_due(before | to, to, web.pays_every_chain)):
        yield Turn(start, to, web.enemy & ~left)


def _can_slide(web: Web) -> bool:
    return any(
        web.barred[web.mover] != (start, to) for start in bits(web.mine) for to in bits(NEIGHBOURS[start] & web.empty)
    )


def _most_taken(web: Web) -> int:
    return PIECES if web.pays_every_chain else 3


def _moved(web: Web, turn: Turn) -> int | None:
    """Whose piece comes to the point: nobody's if the start is empty or all nine already stand on the board."""
    if turn.start is None:
        return web.mover if web.mine.bit_count() < PIECES else None
    return next((colour for colour in (0, 1) if turn.start & web.on[colour]), None)


def _remakes(web: Web, colour: int, bar: Slide) -> bool:
    if web.hand[colour] or not bar.start & web.on[colour] or not bar.to & web.empty & NEIGHBOURS[bar.start]:
        return False
    without = web.on[colour] & ~bar.start
    return bool(bar.to & (closes_three(without) | closes_five(without)))


def _after(web: Web, turn: Turn) -> int:
    return web.mine & ~(turn.start or 0) | turn.to


def _at(turn: Turn) -> tuple[Place, ...]:
    return (_point(turn.to),) if turn.start is None else (_point(turn.start), _point(turn.to))


def _point(bit: int) -> Place:
    return names(bit)[0]


def _mover(web: Web) -> str:
    return called(COLOURS[web.mover])


def _pieces(count: int) -> str:
    return counted(count, "1 piece", "{n} pieces")
