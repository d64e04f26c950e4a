"""A game's record as a whole: adding what folds, what corrections changed, and the way out and in again."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import Field

from companion.border import Shape, read_shape
from companion.events import Event, Fact, MovePlayed, event_from_json
from companion.game import Unreadable
from companion.rules import Ruling
from companion.session import PlayedMove, Standing, changes, fold
from companion.store import Entry, KeptGame, Reader, Store


@dataclass(frozen=True, slots=True)
class Step:
    """One event as it was taken: the ruling on a move, or what another event changed in what was ruled before."""

    event: Event
    played: PlayedMove | None
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event that is committed, what it changed in what was ruled before, and how the game stands now."""

    event: Event
    changed: tuple[str, ...]
    standing: Standing


class _Export(Shape):
    format: Literal["companion-record"]
    version: Literal[1]
    identity: str = Field(pattern=r"^[0-9a-f]{32}$")
    game: str
    events: list[dict[str, Any]] = Field(min_length=1)
    sha256: str


class _Noted(Shape):
    noted: float = Field(allow_inf_nan=False)


def add(store: Store, game: int, fact: Fact, request: str | None = None) -> Recorded:
    """Write down what the game's record can hold; raises `Unreadable`, with nothing written, for what it cannot."""
    with store.alone():
        record, done = store.events(game), store.answered(game, fact, request)
        before = record if done is None else record[: done.number - 1]
        after = fold((*before, Event(len(before) + 1, fact)))
        changed = () if isinstance(fact, MovePlayed) else changes(fold(before), after)
        return Recorded(store.append(game, fact, request), changed, after if done is None else fold(record))


def steps(events: Sequence[Event]) -> Iterator[Step]:
    """The record told from its beginning: each move as it was ruled on in its turn."""
    record = tuple(events)
    standing: Standing | None = None
    for event in record:
        if isinstance(event.fact, MovePlayed):
            if standing is None or all(move.number != event.number for move in standing.moves):
                standing = fold(record[: _last_of_a_run(record, event.number)])
            yield Step(event, next(move for move in standing.moves if move.number == event.number), ())
        else:
            before, standing = standing, fold(record[: event.number])
            yield Step(event, None, changes(before, standing) if before else ())


def corrections(events: Sequence[Event]) -> tuple[Step, ...]:
    """The events that are no moves, with what each changed."""
    return tuple(step for step in steps(events) if step.played is None and step.event.number > 1)


def export_json(reader: Reader, game: int) -> str:
    """A whole game as JSON, to be read again by `import_json` here or elsewhere."""
    kept = reader.game(game)
    events = [{"noted": entry.noted, **entry.event.as_json()} for entry in reader.entries(game)]
    head = {"format": "companion-record", "version": 1, "identity": kept.identity, "game": kept.name}
    return json.dumps({**head, "events": events, "sha256": _digest(kept.identity, events)}, indent=1) + "\n"


def import_json(store: Store, text: str) -> int:
    """Take in an exported game whole, and answer its number; raises `Unreadable`, and changes nothing, if it is
    damaged, is no game, or is here already."""
    export = read_shape(_Export, _parsed(text))
    if export.sha256 != _digest(export.identity, export.events):
        raise Unreadable("the events are not those that were exported", "sha256")
    entries = [_entry(i, given) for i, given in enumerate(export.events)]
    standing = fold(entry.event for entry in entries)
    if standing.game.name != export.game:
        raise Unreadable(f"the events are of {standing.game.name}, not of {export.game}", "game")
    return store.adopt(export.identity, entries)


def import_games(store: Store, other: Reader) -> tuple[list[int], list[str]]:
    """Take in every game of another record that is whole, be the record itself damaged; and say which are not."""
    taken, refused = [], []
    for number, identity in other.identities().items():
        try:
            entries = other.entries(number)
            fold(entry.event for entry in entries)
            taken.append(store.adopt(identity or _called_by(entries), entries))
        except Unreadable as left:
            at = f" (at {left.at})" if left.at else ""
            refused.append(f"game {number}: {left.says}{at}")
    return taken, refused


def moves_csv(standing: Standing, speak: Callable[[str], str] = str) -> str:
    """The moves that count, with their rulings and the points after each; the last row has the end score."""
    out, players = io.StringIO(), standing.score.players
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["number", "player", "move", "verdict", "rule", "says", *map(_harmless, players)])
    for move in standing.moves:
        ruling = move.ruling
        points = [move.points.get(player, 0) for player in players]
        told = [_harmless(move.player or ""), move.move, verdict(ruling), ruling.rule or "", speak(ruling.says)]
        rows.writerow([move.number, *told, *points])
    end = standing.outcome
    winner = _harmless(end.winner or "")
    rows.writerow(["end", winner, "", "", end.rule or "", speak(end.says), *standing.score.points.values()])
    return out.getvalue()


def as_json(kept: KeptGame, entries: Sequence[Entry]) -> dict[str, Any]:
    """All that `record show` shows, for programs."""
    events = [entry.event for entry in entries]
    standing = fold(events)
    changed = [{"event": step.event.as_json(), "changed": step.changed} for step in corrections(events)]
    return {
        **asdict(kept),
        "moves": [asdict(move) for move in standing.moves],
        "corrections": changed,
        "points": standing.score.points,
        "items": [asdict(item) for item in standing.score.items],
        "outcome": asdict(standing.outcome),
        "remarks": [asdict(remark) for remark in standing.remarks],
        "position": standing.game.write_position(standing.state),
    }


def verdict(ruling: Ruling) -> str:
    return "legal" if ruling.legal else "illegal"


def _last_of_a_run(record: Sequence[Event], number: int) -> int:
    """The number of the last move that follows this one without another event between: one fold rules on them all."""
    return next((event.number - 1 for event in record[number:] if not isinstance(event.fact, MovePlayed)), len(record))


def _entry(index: int, given: dict[str, Any]) -> Entry:
    held = dict(given)
    try:
        noted = read_shape(_Noted, {"noted": held.pop("noted", None)}).noted
        event = event_from_json(held)
    except Unreadable as refused:
        raise Unreadable(refused.says, f"events.{index}.{refused.at}".rstrip(".")) from None
    if event.number != index + 1:
        raise Unreadable(f"event {index + 1} is missing", f"events.{index}.number")
    return Entry(event, noted)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"this is no export of a game: it is not JSON ({error})") from None


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _digest(identity: str, events: Sequence[dict[str, Any]]) -> str:
    written = json.dumps([identity, events], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def _called_by(entries: Sequence[Entry]) -> str:
    """An identity for a game that lost its own, the same whenever it is taken in."""
    return _digest("", [entry.event.as_json() for entry in entries])[:32]


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t")) else name
