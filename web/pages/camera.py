"""The camera: what it sees, how well, where the table lies in its picture, and a check with a few tiles."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from flask import Blueprint, Response, abort, jsonify, render_template
from pydantic import Field

from companion.border import Shape
from companion.draw import says_piece
from companion.eyes import CannotSee, Corner, Eyes, View
from companion.game import AnyGame
from companion.live import Camera
from companion.registry import game_named, games
from companion.table import Piece
from web import view
from web.asked import asked_number, asked_word
from web.border import read_body
from web.house import house
from web.roles import Role, open_to

pages = Blueprint("camera", __name__)

ASKED_FOR = 4
SAMPLES = 10_000
USUAL: tuple[Corner, ...] = ((0.2, 0.2), (0.8, 0.2), (0.85, 0.85), (0.15, 0.85))
"""Where the corners of a table usually lie, for a person to drag them from."""

Share = Annotated[float, Field(ge=0, le=1)]


class _Found(Shape):
    corners: list[Annotated[list[Share], Field(min_length=2, max_length=2)]] | None = Field(min_length=4, max_length=4)


class _Pause(Shape):
    paused: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """A tile that was asked for, and whether it was read."""

    says: str
    face: str | None
    read: bool


def eyes() -> Eyes:
    """What reads pictures; a page about it is not there without."""
    held = house().eyes
    if held is None:
        abort(404)
    return held


@pages.get("/camera")
@open_to(Role.SEAT)
def camera() -> str:
    seen, wrong = _view(eyes())
    return render_template(
        "camera.html",
        page="more",
        view=seen,
        wrong=wrong,
        paused=house().table.now.camera == Camera.PAUSED,
        game=games().get(seen.game or "") if seen else None,
        corners=(seen and seen.corners) or USUAL,
    )


@pages.get("/camera/picture.jpg")
@open_to(Role.SEAT)
def picture() -> Response:
    """The newest picture."""
    return Response(eyes().picture(), mimetype="image/jpeg")


@pages.post("/api/camera/find")
@open_to(Role.OWNER)
def find() -> Response:
    """Find the table by its markers, or by four corners of the playing area: far left first, then clockwise."""
    given = read_body(_Found).corners
    found = eyes().calibrate(None if given is None else [(x, y) for x, y in given])
    return jsonify(plane=found.plane, game=found.game)


@pages.post("/api/camera/pause")
@open_to(Role.SEAT)
def pause() -> Response:
    wanted = read_body(_Pause)
    eyes().pause(wanted.paused)
    return jsonify(paused=wanted.paused)


@pages.get("/camera/check")
@open_to(Role.SEAT)
def check() -> str:
    """Put these tiles on the table: a few by lot, and what was read once somebody says that they lie there."""
    seeing, lot = eyes(), asked_number("lot")
    game = _game_to_check(seeing)
    lot = random.randrange(SAMPLES) if lot is None else lot
    wanted = a_few(game, lot)
    read, others, wrong = _checked(game, wanted) if asked_word("look") else (None, (), None)
    return render_template(
        "check.html",
        page="more",
        game=game,
        lot=lot,
        another=(lot + 1) % SAMPLES,
        wanted=read or tuple(_shown(game, piece, False) for piece in wanted),
        looked=read is not None,
        others=others,
        wrong=wrong,
    )


def a_few(game: AnyGame, lot: int) -> tuple[Piece, ...]:
    """Some tiles of a set by lot, never more than there are of one."""
    pool = [
        Piece(tile.name, owner)
        for tile in game.catalogue
        for owner in tile.owners or (None,)
        for _ in range(tile.copies)
    ]
    return tuple(random.Random(lot).sample(pool, min(ASKED_FOR, len(pool))))


def compared(wanted: Sequence[Piece], seen: Sequence[Piece]) -> tuple[tuple[bool, ...], tuple[Piece, ...]]:
    """Which of the tiles were read, however they are turned, and what was read beside them."""
    left = Counter((piece.tile, piece.owner) for piece in seen)
    read = []
    for piece in wanted:
        read.append(left[piece.tile, piece.owner] > 0)
        left[piece.tile, piece.owner] -= read[-1]
    return tuple(read), tuple(Piece(tile, owner) for (tile, owner), count in left.items() for _ in range(count))


def _view(held: Eyes) -> tuple[View | None, str | None]:
    try:
        return held.view(), None
    except CannotSee as cannot:
        return None, cannot.says


def _game_to_check(seeing: Eyes) -> AnyGame:
    wished, standing = asked_word("game"), house().table.now.standing
    if wished or standing is None:
        seen, _ = _view(seeing)
        return game_named(wished or (seen and seen.game) or next(iter(games())))
    return standing.game


def _checked(
    game: AnyGame, wanted: tuple[Piece, ...]
) -> tuple[tuple[Checked, ...] | None, tuple[str, ...], str | None]:
    try:
        seen = eyes().look_again().seen
    except CannotSee as cannot:
        return None, (), cannot.says
    read, others = compared(wanted, tuple(seen.values()))
    shown = tuple(_shown(game, piece, was) for piece, was in zip(wanted, read, strict=True))
    return shown, tuple(says_piece(game, piece) for piece in others), None


def _shown(game: AnyGame, piece: Piece, read: bool) -> Checked:
    face = view.face_address(game, piece.tile, piece.owner) if game.face else None
    return Checked(says_piece(game, piece), face, read)
