"""The contract between a game and the rest of the house: one record of data and pure functions."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from companion.board import Board
from companion.rulebook import Rulebook
from companion.rules import Check, Ruling, Told
from companion.said import called, joined, say
from companion.scoring import Advice, Outcome, Scoresheet
from companion.table import Layout, Piece, Place
from companion.tiles import Catalogue

S = TypeVar("S")
M = TypeVar("M")

Clock: TypeAlias = Callable[[], float]
"""Seconds that only go forward, such as ``time.monotonic``."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something the players settle before the game; the first choice is the default."""

    name: str
    rule: str
    says: str
    choices: tuple[str, ...]

    @property
    def default(self) -> str:
        return self.choices[0]


@dataclass(frozen=True, slots=True)
class Options:
    """What was chosen for one game, where it is not the default."""

    chosen: tuple[tuple[str, str], ...] = ()
    offered: tuple[Option, ...] = ()

    def __getitem__(self, name: str) -> str:
        for option, choice in self.chosen:
            if option == name:
                return choice
        return next(option.default for option in self.offered if option.name == name)

    def as_dict(self) -> dict[str, str]:
        return dict(self.chosen)


def choose_options(offered: tuple[Option, ...], chosen: Mapping[str, str]) -> Options:
    """Check the choices against what the game offers; raises `Unreadable` for an unknown option or choice."""
    known = {option.name: option for option in offered}
    for name, choice in chosen.items():
        if name not in known:
            raise Unreadable(f"there is no option {name!r}; there are: {', '.join(known) or 'none'}", f"options.{name}")
        if choice not in known[name].choices:
            raise Unreadable(f"{name} is one of {', '.join(known[name].choices)}, not {choice!r}", f"options.{name}")
    return Options(tuple(sorted((n, c) for n, c in chosen.items() if c != known[n].default)), offered)


class Unreadable(ValueError):
    """A position or a move that cannot be read: what is wrong, and where."""

    def __init__(self, says: str, at: str = "") -> None:
        super().__init__(says)
        self.says = says
        self.at = at


@dataclass(frozen=True, slots=True)
class Mark:
    """Something worth drawing on a place beside the tiles: a threat, a cover, a section."""

    place: Place
    ink: str
    says: str
    label: str = ""
    quarters: tuple[str, ...] = ()
    """Which of ``nw ne sw se`` of the tile it is about, where not the whole."""


@dataclass(frozen=True, slots=True)
class Addition(Generic[M]):
    """A tile that a player may add to a move which is under way."""

    player: str
    tile: str
    ways: Iterable[M]
    """The whole move with it, once for each way to use it that breaks no rule; worked out when it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, M]):
    """One game. Everything here is a pure function; randomness and clocks are arguments."""

    name: str
    folder: Path
    rulebook: Rulebook
    catalogue: Catalogue
    board: Board
    seats: Mapping[int, tuple[str, ...]]
    """For each number of players that can play, the names of the seats, in the order of play."""
    options: tuple[Option, ...] = ()

    setup: Callable[[tuple[str, ...], Options, random.Random], S]
    """The first position; raises `Unreadable` for players the game cannot seat."""
    players: Callable[[S], tuple[str, ...]]
    to_move: Callable[[S], str | None]
    """Whose turn it is; ``None`` when the game is over."""
    turns: str = ""
    """The rule by which players take turns, where the rule book numbers one and the table shows every turn."""

    conceivable: Callable[[S], Iterator[M]]
    """Everything hands could do that the engine can picture, legal or not; each move once."""
    checks: tuple[Check[S, M], ...]
    """The rules a move can break, in the order in which they are cited; the first breach decides."""
    play: Callable[[S, M], S]
    """What the table holds after a move; total over the conceivable ones, so that a breach can be pictured too."""
    tell: Callable[[S, M], Told]
    """What a legal move does."""
    layout: Callable[[S], Layout]
    counts_as: Callable[[Place, Piece], Piece] = lambda place, piece: piece
    """What a piece that is seen on a place stands for; on some it does not matter how a tile is turned."""
    score: Callable[[S], Scoresheet]
    uncounted: str = ""
    """Which points no look at the table can show, as a sentence; empty where it shows them all."""
    outcome: Callable[[S], Outcome]
    advise: Callable[[S, float, Clock], tuple[Advice[M], ...]]
    """The best legal moves for who is to move, best first, found within about so many seconds."""

    read_position: Callable[[Mapping[str, Any]], S]
    """From the game's JSON notation, strictly: what is impossible raises `Unreadable`."""
    write_position: Callable[[S], dict[str, Any]]
    read_move: Callable[[str, S], M]
    """From the game's notation; raises `Unreadable` for what is no move at all. A move may be illegal."""
    write_move: Callable[[M, S], str]

    quick_legal: Callable[[S], Iterable[M]] | None = None
    """The legal moves by a shorter way, where `conceivable` is large; a test proves the two equal."""
    quick_perft: Callable[[S, int], int] | None = None
    explain: Callable[[S, Layout], Iterator[M]] | None = None
    """The conceivable moves after which the table looks just so, by a shorter way than trying them all."""
    stages: Callable[[S, M, Layout], Iterable[Layout]] = lambda state, move, seen: ()
    """Pictures that a move passes through before its last, such as what is seen may be; where tiles only come, go or
    are lifted, nothing is to be said."""
    suspects: Callable[[S, Layout], Iterator[M]] | None = None
    """The moves that can have a part in a table that looks so: all such legal ones, and then breaches half done."""
    hindsight: Callable[[S, M, Layout], Iterable[M]] = lambda state, move, later: ()
    """The same move with what a later table has brought to light of it, such as the lower of two tiles laid away."""
    give_turn: Callable[[S, str], S] | None = None
    """The state in which another player's turn begins; to be said where a turn holds more than whose it is."""
    amend: Callable[[S, Place, Piece | None], S] | None = None
    """The state with another piece, or none, on a place: what a correction by hand does."""
    unseen: Callable[[S, M], bool] = lambda state, move: False
    """Whether a move leaves the table as it looked, so that a phone must tell it."""
    additions: Callable[[S, M], Iterable[Addition[M]]] = lambda state, move: ()
    """What anybody may add to a move before it comes to pass, such as a reaction; a list of moves has none of it."""
    questions: Callable[[S, Layout], tuple[str, ...]] = lambda state, layout: ()
    """What the table shows that contradicts what is known, as questions to the players; nothing changes by itself."""
    seen_by: Callable[[S, str | None], S] = lambda state, player: state
    """The state as one player, or a bystander, may know it."""
    at_a_glance: Callable[[S], S] = lambda state: state
    """What is left of a state for who sees the table for the first time: no hands, no stock, nothing from before."""
    held: Callable[[S, str], tuple[str, ...]] = lambda state, player: ()
    """The tiles that a player is known to hold, off the table; where nobody knows them, none."""
    in_hand: Callable[[S, str], int | None] = lambda state, player: None
    """How many tiles a secret hand holds, known or not; nothing where nobody counted."""
    hold: Callable[[S, str, tuple[str, ...]], S] | None = None
    """The state in which a player's secret hand is what its own seat told; ``None`` where hands lie open."""
    remarks: Callable[[Sequence[S]], tuple[Ruling, ...]] = lambda history: ()
    """What the rule book is silent about and the players should settle, given every state so far."""
    marks: Callable[[S], tuple[Mark, ...]] = lambda state: ()
    """What is worth drawing beside the tiles."""
    face: Callable[[str, str | None], str] | None = None
    """The face of a tile of an owner as SVG in millimetres, upright."""
    back: Callable[[str | None], str] | None = None

    @property
    def title(self) -> str:
        return self.rulebook.title


AnyGame: TypeAlias = Game[Any, Any]


def judge(game: Game[S, M], state: S, move: M) -> Ruling:
    """Rule on a move: the first rule it breaks decides."""
    for check in game.checks:
        if breach := check(state, move):
            return Ruling(False, check.number, breach.says, breach.at, game.rulebook[check.number].silent)
    told = game.tell(state, move)
    return Ruling(True, None, told.says, told.at)


def in_turn_of(game: Game[S, M], state: S, player: str | None) -> S | None:
    """The state to judge a player's move by: if it is somebody else's turn, theirs begins; ``None`` if it cannot."""
    if player is None or player == game.to_move(state) or player not in game.players(state):
        return state
    if game.give_turn is not None:
        return game.give_turn(state, player)
    try:
        return game.read_position({**game.write_position(state), "to_move": player})
    except Unreadable:
        return None


def out_of_turn(game: AnyGame, player: str | None) -> Ruling:
    """The ruling on a move of somebody whose turn it is not."""
    return Ruling(False, game.turns or say("turn order"), say("it is not {player}'s turn", player=called(player or "")))


def judge_taken(game: Game[S, M], state: S, turn: S, move: M) -> Ruling:
    """Rule on a move in a turn that was taken, be it another's; the first tile on a table tells who begins."""
    ruling = judge(game, turn, move)
    if turn is state or not game.layout(state):
        return ruling
    return replace(out_of_turn(game, game.to_move(turn)), places=ruling.places)


def is_legal(game: Game[S, M], state: S, move: M) -> bool:
    """Whether no rule forbids the move."""
    return not any(check(state, move) for check in game.checks)


def each_legal(game: Game[S, M], state: S) -> Iterator[M]:
    """The legal moves one after the other; none when the game is over."""
    if game.quick_legal is not None:
        yield from game.quick_legal(state)
    else:
        yield from (move for move in game.conceivable(state) if is_legal(game, state, move))


def legal_moves(game: Game[S, M], state: S) -> list[M]:
    """All legal moves."""
    return list(each_legal(game, state))


def advice(game: Game[S, M], state: S, seconds: float, clock: Clock) -> tuple[Advice[M], ...]:
    """The best moves for who is to move, worked out from no more than that player may know."""
    player = game.to_move(state)
    return () if player is None else game.advise(game.seen_by(state, player), seconds, clock)


def explanations(game: Game[S, M], state: S, layout: Layout) -> Iterator[M]:
    """The conceivable moves after which the table looks just so."""
    if game.explain is not None:
        yield from game.explain(state, layout)
        return
    for move in game.conceivable(state):
        if game.layout(game.play(state, move)) == layout:
            yield move


def suspects(game: Game[S, M], state: S, layout: Layout) -> Iterator[M]:
    """The moves that can have a part in a table that looks so, legal ones first; where the game does not say, these."""
    return each_legal(game, state) if game.suspects is None else game.suspects(state, layout)


def perft(game: Game[S, M], state: S, depth: int) -> int:
    """How many sequences of so many legal moves there are."""
    if depth == 0:
        return 1
    if game.quick_perft is not None:
        return game.quick_perft(state, depth)
    moves = legal_moves(game, state)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.play(state, move), depth - 1) for move in moves)


def start(
    game: Game[S, M],
    players: Sequence[str] | None = None,
    chosen: Mapping[str, str] | None = None,
    rng: random.Random | None = None,
) -> S:
    """The first position of a game, for the players named or for the fewest that can play it."""
    seated = tuple(players) if players else game.seats[min(game.seats)]
    if len(seated) not in game.seats:
        numbers = joined(map(str, sorted(game.seats)), "{some} or {more}")
        says = say("{game} is for {numbers} players, not {n}", game=game.title, numbers=numbers, n=len(seated))
        raise Unreadable(says, "players")
    if len(set(seated)) != len(seated):
        raise Unreadable(say("two players have the same name"), "players")
    return game.setup(seated, choose_options(game.options, chosen or {}), rng or random.Random())
