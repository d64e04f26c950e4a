"""The fold: from the events of one game to what the table is now, with every move ruled on."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from companion.events import (
    DrawAgreed,
    Event,
    GameBegun,
    HandTold,
    MovePlayed,
    MoveVoided,
    OptionSwitched,
    PlayerNamed,
    RulingGiven,
    ScoreAdjusted,
    TileCorrected,
)
from companion.game import AnyGame, Unreadable, in_turn_of, judge_taken, out_of_turn
from companion.registry import game_named
from companion.rules import Ruling
from companion.said import called, say, sentence
from companion.scoring import Item, Outcome, Scoresheet
from companion.table import Piece, Place


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move of the game as it counts now."""

    number: int
    player: str | None
    move: str
    ruling: Ruling
    points: dict[str, int]


@dataclass(frozen=True, slots=True)
class Standing:
    """What the table is after all events: the state, how it came to be, the points and the outcome."""

    game: AnyGame
    state: Any
    moves: tuple[PlayedMove, ...]
    score: Scoresheet
    outcome: Outcome
    remarks: tuple[Ruling, ...]
    people: Mapping[str, str] = field(default_factory=dict)
    """What people call the players, where they said so."""

    def called(self, player: str) -> str:
        return self.people.get(player) or called(player)


def fold(events: Iterable[Event]) -> Standing:
    """Fold the events of one game. Voided moves are left out and all later ones judged as if they never were."""
    record = tuple(events)
    if not record or not isinstance(record[0].fact, GameBegun):
        raise Unreadable("a game's record begins with game_begun")
    folding = _Fold.begun(record)
    for event in record[1:]:
        try:
            folding.take(event)
        except Unreadable as refused:
            raise Unreadable(refused.says, f"event {event.number}") from None
    return folding.standing()


def changes(before: Standing, after: Standing) -> tuple[str, ...]:
    """What a correction changed, in sentences: rulings first, then points, then how the game ended."""
    old = {move.number: move for move in before.moves}
    found = []
    for move in after.moves:
        verdict = _verdict(move.ruling)
        if move.number in old and verdict != _verdict(old[move.number].ruling):
            found.append(say("move {n}, {move}, is now {verdict}", n=move.number, move=move.move, verdict=verdict))
    was, now = before.score.points, after.score.points
    found += [
        say("{player}: {was} → {now} points", player=after.called(player), was=was[player], now=now[player])
        for player in now
        if was.get(player) != now[player]
    ]
    if before.outcome != after.outcome:
        found.append(after.outcome.says)
    return tuple(found)


@dataclass(slots=True)
class _Fold:
    """The game as it stands after some of its events."""

    game: AnyGame
    voided: frozenset[int]
    rulings: dict[int, RulingGiven]
    history: list[Any]
    """A state for the beginning and for each move; a correction changes the last one."""
    told: set[int] = field(default_factory=set)
    """The numbers of the moves so far, the voided among them."""
    moves: list[PlayedMove] = field(default_factory=list)
    adjusted: list[Item] = field(default_factory=list)
    agreed: DrawAgreed | None = None
    people: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begun(cls, record: Sequence[Event]) -> "_Fold":
        begun = record[0].fact
        assert isinstance(begun, GameBegun)
        game = game_named(begun.game)
        voided = frozenset(event.fact.move_number for event in record if isinstance(event.fact, MoveVoided))
        rulings = {event.fact.move_number: event.fact for event in record if isinstance(event.fact, RulingGiven)}
        return cls(game, voided, rulings, [game.read_position(begun.position)])

    @property
    def state(self) -> Any:
        return self.history[-1]

    def take(self, event: Event) -> None:
        match event.fact:
            case MovePlayed() as played:
                self.told.add(event.number)
                if event.number not in self.voided:
                    self._play(event.number, played)
            case MoveVoided(number) | RulingGiven(number):
                if number not in self.told:
                    raise Unreadable(say("event {n} is no move that was played before", n=number))
            case TileCorrected(place, piece):
                self.history[-1] = self._amended(place, piece)
            case OptionSwitched(option, choice):
                position = self.game.write_position(self.state)
                position["options"] = {**position.get("options", {}), option: choice}
                self.history[-1] = self.game.read_position(position)
            case ScoreAdjusted(player, points, note):
                self._check_player(player)
                self.adjusted.append(Item(player, points, "agreed", note or say("by agreement")))
            case PlayerNamed(player, person):
                self._check_player(player)
                self.people[player] = person
            case HandTold(player, tiles):
                self._check_player(player)
                # After a move was taken back a hand told since may fit no more; then it is unknown again.
                with suppress(Unreadable) if self.voided else nullcontext():
                    self.history[-1] = self._holding(player, tiles)
            case DrawAgreed() as agreed:
                self.agreed = agreed
            case GameBegun():
                raise Unreadable("a game begins once; the next one has a record of its own")

    def standing(self) -> Standing:
        sheet = self.game.score(self.state)
        score = Scoresheet(sheet.players, sheet.items + tuple(self.adjusted))
        remarks = self.game.remarks(self.history)
        return Standing(self.game, self.state, tuple(self.moves), score, self._outcome(), remarks, dict(self.people))

    def _amended(self, place: Place, piece: Piece | None) -> Any:
        """The state with a tile corrected; its notation can be read again, for no table holds what no notation can."""
        if self.game.amend is None:
            raise Unreadable(say("{game} cannot be corrected tile by tile", game=self.game.title))
        try:
            amended = self.game.amend(self.state, place, piece)
            self.game.read_position(self.game.write_position(amended))
        except Unreadable:
            raise
        except (LookupError, ValueError):
            says = say("nothing can be changed on {place}", place=place)
            if piece:
                known = self.game.catalogue.tiles.get(piece.tile)
                says = say("{tile} cannot lie on {place}", tile=known.title if known else piece.tile, place=place)
            raise Unreadable(says) from None
        return amended

    def _holding(self, player: str, tiles: tuple[str, ...]) -> Any:
        if self.game.hold is None:
            raise Unreadable(say("in {game} nobody's tiles are secret; nothing needs to be told", game=self.game.title))
        count = self.game.in_hand(self.state, player)
        holding = self.game.hold(self.state, player, tiles)
        if count is not None and self.game.in_hand(holding, player) != count:
            says = say(
                "{player} holds {n} tiles, not {m}: tell all of them", player=called(player), n=count, m=len(tiles)
            )
            raise Unreadable(says)
        self.game.read_position(self.game.write_position(holding))
        return holding

    def _check_player(self, player: str) -> None:
        if player not in self.game.players(self.state):
            raise Unreadable(say("no player is called {player!r}", player=player))

    def _play(self, number: int, played: MovePlayed) -> None:
        ruling, after = self._ruled(played)
        ruling = _overruled(ruling, self.rulings.get(number))
        self.history.append(after)
        self.moves.append(PlayedMove(number, played.player, played.move, ruling, self.game.score(after).points))

    def _ruled(self, played: MovePlayed) -> tuple[Ruling, Any]:
        """The ruling on a move of its own player, and the state after it; in a turn that a game cannot give it changes
        nothing."""
        # After a move was voided the turn may be another's than of who made the next one, and that stays theirs. In a
        # record without one whoever is to move has moved: nobody is given a turn out of order.
        given = self.voided or played.out_of_turn
        state = in_turn_of(self.game, self.state, played.player) if given else self.state
        if state is None:
            return out_of_turn(self.game, played.player), self.state
        move = self.game.read_move(played.move, state)
        # Once the moves before it are put right it may have been in its turn after all.
        taken_from = self.state if played.out_of_turn else state
        return judge_taken(self.game, taken_from, state, move), self.game.play(state, move)

    def _outcome(self) -> Outcome:
        outcome = self.game.outcome(self.state)
        if self.agreed is None or outcome.over:
            return outcome
        return Outcome(None, True, "agreed", self.agreed.note or say("The players agreed a draw"))


def _verdict(ruling: Ruling) -> str:
    if ruling.legal:
        return say("legal")
    return say("illegal by {rule}", rule=ruling.rule) if ruling.rule else say("illegal by the table's decision")


def _overruled(ruling: Ruling, given: RulingGiven | None) -> Ruling:
    if given is None:
        return ruling
    decided = say("The table decided ({note})", note=given.note) if given.note else say("The table decided")
    return replace(
        ruling, legal=given.legal, says=say("{decided}. {says}", decided=decided, says=sentence(ruling.says))
    )
