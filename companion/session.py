"""The fold: from the events of one game to what the table is now, with every move ruled on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.events import (
    DrawAgreed,
    Event,
    GameBegun,
    MovePlayed,
    MoveVoided,
    OptionSwitched,
    RulingGiven,
    ScoreAdjusted,
    TileCorrected,
)
from companion.game import AnyGame, Unreadable, judge
from companion.registry import game_named
from companion.rules import Ruling
from companion.scoring import Item, Outcome, Scoresheet


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


def fold(events: Iterable[Event]) -> Standing:
    """Fold the events of one game. Voided moves are left out and all later ones judged as if they never were."""
    record = tuple(events)
    if not record or not isinstance(record[0].fact, GameBegun):
        raise Unreadable("a game's record begins with game_begun")
    begun = record[0].fact
    game = game_named(begun.game)
    voided = {event.fact.number for event in record if isinstance(event.fact, MoveVoided)}
    rulings = {event.fact.number: event.fact for event in record if isinstance(event.fact, RulingGiven)}
    state = game.read_position(begun.position)
    history = [state]
    moves: list[PlayedMove] = []
    adjusted: list[Item] = []
    agreed: DrawAgreed | None = None
    for event in record[1:]:
        match event.fact:
            case MovePlayed(player, notation) if event.number not in voided:
                move = game.read_move(notation, state)
                ruling = _overruled(judge(game, state, move), rulings.get(event.number))
                state = game.play(state, move)
                history.append(state)
                moves.append(PlayedMove(event.number, player, notation, ruling, game.score(state).points))
            case TileCorrected(place, piece):
                if game.amend is None:
                    raise Unreadable(f"{game.title} cannot be corrected tile by tile", f"event {event.number}")
                state = game.amend(state, place, piece)
                history.append(state)
            case OptionSwitched(option, choice):
                position = game.write_position(state)
                position["options"] = {**position.get("options", {}), option: choice}
                state = game.read_position(position)
            case ScoreAdjusted(player, points, note):
                adjusted.append(Item(player, points, "agreed", note or "by agreement"))
            case DrawAgreed():
                agreed = event.fact
    return Standing(
        game, state, tuple(moves), _score(game, state, adjusted), _outcome(game, state, agreed), game.remarks(history)
    )


def changes(before: Standing, after: Standing) -> tuple[str, ...]:
    """What a correction changed, in sentences: rulings first, then points."""
    old = {move.number: move for move in before.moves}
    found = []
    for move in after.moves:
        if move.number in old and move.ruling.legal != old[move.number].ruling.legal:
            verdict = "legal" if move.ruling.legal else f"illegal by {move.ruling.rule}"
            found.append(f"move {move.number}, {move.move}, is now {verdict}")
    was, now = before.score.points, after.score.points
    found += [f"{player}: {was[player]} → {now[player]} points" for player in now if was.get(player) != now[player]]
    return tuple(found)


def _overruled(ruling: Ruling, given: RulingGiven | None) -> Ruling:
    if given is None:
        return ruling
    note = f" ({given.note})" if given.note else ""
    return replace(ruling, legal=given.legal, says=f"The table decided{note}. {ruling.says}")


def _score(game: AnyGame, state: Any, adjusted: Sequence[Item]) -> Scoresheet:
    sheet = game.score(state)
    return Scoresheet(sheet.players, sheet.items + tuple(adjusted))


def _outcome(game: AnyGame, state: Any, agreed: DrawAgreed | None) -> Outcome:
    outcome = game.outcome(state)
    if agreed is None or outcome.over:
        return outcome
    return Outcome(None, True, "agreed", agreed.note or "The players agreed a draw.")
