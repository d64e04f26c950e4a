"""What came to pass at a table, in the past tense: numbered facts that travel as JSON and are never changed."""

import json
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeAlias

from pydantic import TypeAdapter, ValidationError

from companion.game import Unreadable
from companion.table import Piece, Place


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game was set up; ``position`` is the first one, in the game's notation, options and all."""

    kind: ClassVar[str] = "game_begun"
    game: str
    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A move was seen or told; legal or not, the table now looks so."""

    kind: ClassVar[str] = "move_played"
    player: str | None
    move: str
    told_by: str = "camera"
    out_of_turn: bool = False
    """Whether it was another's turn when the move was made."""


@dataclass(frozen=True, slots=True)
class MoveVoided:
    """A move counts no more: it was taken back, or never happened. ``move_number`` is its event's number."""

    kind: ClassVar[str] = "move_voided"
    move_number: int


@dataclass(frozen=True, slots=True)
class TileCorrected:
    """A person said what really lies on a place; ``piece`` is ``None`` for nothing."""

    kind: ClassVar[str] = "tile_corrected"
    place: Place
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class RulingGiven:
    """The table decided on a move itself, whatever the rule book says."""

    kind: ClassVar[str] = "ruling_given"
    move_number: int
    legal: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScoreAdjusted:
    """Points were given or taken by agreement."""

    kind: ClassVar[str] = "score_adjusted"
    player: str
    points: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class OptionSwitched:
    """A house rule holds from now on."""

    kind: ClassVar[str] = "option_switched"
    option: str
    choice: str


@dataclass(frozen=True, slots=True)
class PlayerNamed:
    """A person sat down: ``player`` is the seat's name in the game, ``person`` what people call who sits there."""

    kind: ClassVar[str] = "player_named"
    player: str
    person: str


@dataclass(frozen=True, slots=True)
class HandTold:
    """A player told the companion, and nobody else, which tiles a hand holds; those not named stay unknown."""

    kind: ClassVar[str] = "hand_told"
    player: str
    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """The players ended the game without a winner."""

    kind: ClassVar[str] = "draw_agreed"
    note: str = ""


Fact: TypeAlias = (
    GameBegun
    | MovePlayed
    | MoveVoided
    | TileCorrected
    | RulingGiven
    | ScoreAdjusted
    | OptionSwitched
    | PlayerNamed
    | HandTold
    | DrawAgreed
)

_KINDS: dict[str, TypeAdapter[Any]] = {
    kind.kind: TypeAdapter(kind)
    for kind in (
        GameBegun,
        MovePlayed,
        MoveVoided,
        TileCorrected,
        RulingGiven,
        ScoreAdjusted,
        OptionSwitched,
        PlayerNamed,
        HandTold,
        DrawAgreed,
    )
}


@dataclass(frozen=True, slots=True)
class Event:
    """A fact with its place in the record; numbers begin at 1 and have no gaps."""

    number: int
    fact: Fact

    def as_json(self) -> dict[str, Any]:
        return {"number": self.number, **fact_json(self.fact)}


def fact_json(fact: Fact) -> dict[str, Any]:
    return {"kind": fact.kind, **asdict(fact)}


def event_from_json(given: dict[str, Any]) -> Event:
    """Read an event back; raises `Unreadable` for what is none."""
    held = dict(given)
    number, kind = held.pop("number", None), held.pop("kind", None)
    if type(number) is not int or number < 1:
        raise Unreadable("an event has a number from 1 on", "number")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise Unreadable(f"there is no event {kind!r}", "kind")
    try:
        return Event(number, _KINDS[kind].validate_json(json.dumps(held), strict=True, extra="forbid"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Unreadable(first["msg"], ".".join(str(part) for part in first["loc"])) from None
