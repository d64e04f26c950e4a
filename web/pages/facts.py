"""Changes to the game: each is told to the table as a fact, and answered with its event's number."""

from typing import Annotated

from flask import Blueprint, Response, jsonify
from pydantic import Field, StringConstraints

from companion.events import (
    DrawAgreed,
    Fact,
    HandTold,
    MovePlayed,
    MoveVoided,
    OptionSwitched,
    RulingGiven,
    ScoreAdjusted,
    TileCorrected,
)
from companion.game import Unreadable
from companion.table import Piece
from web.border import Change, read_body
from web.house import house
from web.roles import Role, open_to, players, say, viewer

pages = Blueprint("facts", __name__)

Word = Annotated[str, StringConstraints(max_length=80)]
Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class _Move(Change):
    player: Word | None
    """Whose move it is, as the phone believes; said by the phone, so that a retry says the same."""
    move: str = Field(min_length=1, max_length=400)


class _Undo(Change):
    number: int


class _Tile(Change):
    place: Word
    tile: Word | None
    owner: Word | None = None
    facing: int | None = Field(default=None, ge=0, le=3)


class _Ruling(Change):
    number: int
    legal: bool
    note: Note = ""


class _Option(Change):
    option: Word
    choice: Word


class _Points(Change):
    player: Word
    points: int = Field(ge=-1000, le=1000)
    note: Note = ""


class _Hand(Change):
    tiles: list[Word] = Field(max_length=40)


class _Draw(Change):
    note: Note = ""


@pages.post("/api/move")
@open_to(Role.SEAT)
def move() -> Response:
    """A whole move by hand; it is ruled on like one that was seen."""
    wanted = read_body(_Move)
    if wanted.player is not None and wanted.player not in players():
        raise Unreadable(f"no player is called {wanted.player!r}", "player")
    return _told(MovePlayed(wanted.player, wanted.move, "phone"), wanted)


@pages.post("/api/undo")
@open_to(Role.SEAT)
def undo() -> Response:
    wanted = read_body(_Undo)
    return _told(MoveVoided(wanted.number), wanted)


@pages.post("/api/tile")
@open_to(Role.SEAT)
def tile() -> Response:
    wanted = read_body(_Tile)
    piece = None if wanted.tile is None else Piece(wanted.tile, wanted.owner, wanted.facing)
    return _told(TileCorrected(wanted.place, piece), wanted)


@pages.post("/api/ruling")
@open_to(Role.SEAT)
def ruling() -> Response:
    wanted = read_body(_Ruling)
    return _told(RulingGiven(wanted.number, wanted.legal, wanted.note), wanted)


@pages.post("/api/option")
@open_to(Role.SEAT)
def option() -> Response:
    wanted = read_body(_Option)
    return _told(OptionSwitched(wanted.option, wanted.choice), wanted)


@pages.post("/api/points")
@open_to(Role.SEAT)
def points() -> Response:
    wanted = read_body(_Points)
    return _told(ScoreAdjusted(wanted.player, wanted.points, wanted.note), wanted)


@pages.post("/api/hand")
@open_to(Role.SEAT)
def hand() -> tuple[Response, int]:
    """What one holds; only the phone of the own seat can tell, and only it will show."""
    wanted, seat = read_body(_Hand), viewer().seat
    if seat is None:
        return jsonify(says=say("said.no-seat"), at="seat"), 409
    return _told(HandTold(seat, tuple(wanted.tiles)), wanted), 200


@pages.post("/api/draw")
@open_to(Role.SEAT)
def draw() -> Response:
    wanted = read_body(_Draw)
    return _told(DrawAgreed(wanted.note), wanted)


def _told(fact: Fact, wanted: Change) -> Response:
    return jsonify(number=house().table.tell(fact, wanted.request).number)
