"""Looking again, with the camera above or with a phone's: the table read afresh, beside what is believed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, render_template
from pydantic import Field

from companion.asking import questions
from companion.draw import says_piece
from companion.events import Fact, MovePlayed, MoveVoided, TileCorrected, event_from_json
from companion.eyes import Corner
from companion.game import AnyGame, Unreadable
from companion.live import Look
from companion.table import Layout, Piece, Place
from web import view
from web.asked import asked_word, standing_now
from web.border import Change, read_body
from web.house import house
from web.images import read_photo, takes_a_photo
from web.pages.camera import USUAL, eyes
from web.roles import Role, open_to, viewer

pages = Blueprint("look", __name__)

MOST_FACTS = 120


class _Answer(Change):
    question: str = Field(default="", max_length=16)
    facts: list[dict[str, Any]] = Field(max_length=MOST_FACTS)


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the two readings differ, and where to correct it."""

    place: Place
    believed: str | None
    seen: str | None
    correct: str


@pages.get("/look")
@open_to(Role.SEAT)
def look() -> str:
    """Both readings; nothing changes until somebody says which one is right."""
    standing_now()
    return render_template("look.html", page="ask", **_read(eyes().look_again()))


@pages.get("/photo")
@open_to(Role.SEAT)
def photo() -> str:
    """Where a phone takes a photo of the table."""
    standing_now()
    eyes()
    return render_template("photo.html", page="more", corners=USUAL)


@pages.post("/api/photo")
@open_to(Role.SEAT)
@takes_a_photo
def read_as_table() -> str:
    """A photo from a phone, read as the table; answers with both readings."""
    standing, corners = standing_now(), _corners(asked_word("corners"))
    return render_template("parts/reading.html", **_read(eyes().read_photo(read_photo(), standing.game.name, corners)))


@pages.post("/api/answer")
@open_to(Role.SEAT)
def answer() -> Response:
    """One answer to what the table asks: its facts, all or none."""
    wanted = read_body(_Answer)
    event = house().table.answer([_fact(given) for given in wanted.facts], wanted.request, wanted.question)
    return jsonify(number=event.number if event else house().table.now.number)


def differences(game: AnyGame, believed: Layout, found: Look) -> tuple[Difference, ...]:
    """Every place that was seen to be other than believed."""
    places = sorted(place for place in {*believed, *found.seen} if place not in found.hidden)
    return tuple(
        Difference(place, _says(game, believed.get(place)), _says(game, found.seen.get(place)), _way(place, found.seen))
        for place in places
        if believed.get(place) != found.seen.get(place)
    )


def _read(found: Look) -> dict[str, Any]:
    """What a template shows of a reading."""
    standing = standing_now()
    game, state = standing.game, view.seen_state(standing, viewer().seat)
    unlike = differences(game, game.layout(state), found)
    places = tuple(each.place for each in unlike)
    return {
        "differences": unlike,
        "hidden": sorted(found.hidden),
        "believed": view.board(game, state, lit=places),
        "seen": view.board(replace(game, layout=lambda _: found.seen, marks=lambda _: ()), state, lit=places),
        "questions": view.asked(questions(standing, found)),
    }


def _fact(given: dict[str, Any]) -> Fact:
    fact = event_from_json({**given, "number": 1}).fact
    if not isinstance(fact, MovePlayed | MoveVoided | TileCorrected):
        raise Unreadable("an answer plays a move, takes one back or corrects a tile", "facts")
    return fact


def _corners(given: str) -> Sequence[Corner] | None:
    """Four corners in the address, as eight shares with commas between."""
    if not given:
        return None
    try:
        shares = [float(share) for share in given.split(",")]
    except ValueError:
        shares = []
    if len(shares) != 8 or not all(0 <= share <= 1 for share in shares):
        raise Unreadable("four corners are eight numbers from 0 to 1", "corners")
    return list(zip(shares[::2], shares[1::2], strict=True))


def _says(game: AnyGame, piece: Piece | None) -> str | None:
    return None if piece is None else says_piece(game, piece)


def _way(place: Place, seen: Layout) -> str:
    """The page that would correct it so."""
    piece = seen.get(place)
    if piece is None:
        return f"/correct?{urlencode({'place': place, 'nothing': 1})}"
    facing = {} if piece.facing is None else {"facing": piece.facing}
    return f"/correct?{urlencode({'place': place, 'tile': piece.tile, 'owner': piece.owner or '', **facing})}"
