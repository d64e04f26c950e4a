"""A player's own set: learned tile by tile from the table or from a phone's photos, chosen, and forgotten."""

import re
from base64 import b64encode
from dataclasses import dataclass
from typing import Annotated

from flask import Blueprint, Response, current_app, jsonify, render_template
from pydantic import Field, StringConstraints

from companion.border import Shape
from companion.draw import says_piece
from companion.eyes import Crop, Enrolled
from companion.game import AnyGame, Unreadable
from companion.registry import game_named, games
from companion.table import Piece
from web import view
from web.asked import asked_number, asked_word
from web.border import read_body
from web.house import house
from web.images import read_photo, takes_a_photo
from web.pages.camera import eyes
from web.roles import Role, open_to, say

pages = Blueprint("sets", __name__)

_NAME = r"^[\w][\w -]{0,23}$"
"""A set's name becomes a file's, so it holds letters, digits, spaces and dashes only."""

SetName = Annotated[str, StringConstraints(pattern=_NAME)]
Word = Annotated[str, StringConstraints(max_length=80)]


class _Set(Shape):
    game: Word
    set_name: SetName | None = Field(alias="set")


class _Forget(Shape):
    game: Word
    set_name: SetName = Field(alias="set")
    tile: Word | None = None


class _Learn(Shape):
    game: Word
    set_name: SetName = Field(alias="set")
    tile: Word
    owner: Word | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """One face of a set, and how well it is known."""

    number: int
    piece: Piece
    says: str
    face: str | None
    learned: Enrolled | None
    close: tuple[str, ...]
    """What it looks too much like."""


@pages.get("/sets")
@open_to(Role.OWNER)
def sets() -> str:
    """The sets of a game; of a chosen one every face in the order of the catalogue, and the next to learn."""
    standing, wished = house().table.now.standing, asked_word("game")
    game = game_named(wished) if wished else standing.game if standing else next(iter(games().values()))
    name = asked_word("set").strip()
    if name:
        _check_name(name)
    held = eyes().sets(game.name)
    kinds = _kinds(game, held.get(name, ())) if name else ()
    return render_template(
        "sets.html",
        page="more",
        game=game,
        games=games(),
        sets={each: len(tiles) for each, tiles in held.items()},
        in_all=len(_kinds(game, ())),
        name=name,
        kinds=kinds,
        kind=_chosen(kinds),
        known=sum(kind.learned is not None for kind in kinds),
    )


@pages.post("/api/sets/use")
@open_to(Role.OWNER)
def use() -> Response:
    """Read with a player's set from now on, or with the printed one."""
    wanted = read_body(_Set)
    eyes().use_set(game_named(wanted.game).name, wanted.set_name)
    return jsonify(set=wanted.set_name)


@pages.post("/api/sets/forget")
@open_to(Role.OWNER)
def forget() -> Response:
    wanted = read_body(_Forget)
    eyes().forget(game_named(wanted.game).name, wanted.set_name, wanted.tile)
    return jsonify(set=wanted.set_name)


@pages.post("/api/sets/learn")
@open_to(Role.OWNER)
def learn() -> str:
    """Learn one tile from what lies alone on the table; answers with what was seen."""
    wanted = read_body(_Learn)
    return _learned(game_named(wanted.game), wanted.set_name, Piece(wanted.tile, wanted.owner), None)


@pages.post("/api/sets/photo")
@open_to(Role.OWNER)
@takes_a_photo
def learn_from_photo() -> str:
    """The same from a photo that a phone took of the tile."""
    name = asked_word("set")
    _check_name(name)
    piece = Piece(asked_word("tile"), asked_word("owner") or None)
    return _learned(game_named(asked_word("game")), name, piece, read_photo())


def data_address(jpeg: bytes) -> str:
    """A small picture as part of the page itself."""
    return f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"


def _learned(game: AnyGame, name: str, piece: Piece, image: bytes | None) -> str:
    kinds = _kinds(game, ())
    kind = next((kind for kind in kinds if kind.piece == piece), None)
    if kind is None:
        raise Unreadable(f"there is no {piece.tile!r} in {game.title}", "tile")
    crop, enrolled = eyes().enrol(game.name, name, piece, image)
    seen: dict[tuple[str, str, str], Crop] = current_app.extensions["learned"]
    seen[game.name, name, piece.tile] = crop
    close = [
        (other.says, _picture(seen, game, name, other))
        for other in kinds
        if other is not kind and other.piece.tile in enrolled.close_to
    ]
    return render_template(
        "parts/learned.html",
        game=game,
        name=name,
        kind=kind,
        enrolled=enrolled,
        crop=data_address(crop.jpeg),
        close=close,
        after=(kind.number + 1) % len(kinds),
    )


def _picture(seen: dict[tuple[str, str, str], Crop], game: AnyGame, name: str, kind: Kind) -> str | None:
    """What another tile looked like when it was learned; its printed face where that was another day."""
    crop = seen.get((game.name, name, kind.piece.tile))
    return data_address(crop.jpeg) if crop else kind.face


def _kinds(game: AnyGame, held: tuple[Enrolled, ...]) -> tuple[Kind, ...]:
    known = {(each.tile, each.owner): each for each in held}
    pieces = [Piece(tile.name, owner) for tile in game.catalogue for owner in tile.owners or (None,)]
    return tuple(
        Kind(
            number,
            piece,
            says_piece(game, piece),
            view.face_address(game, piece.tile, piece.owner) if game.face else None,
            learned,
            tuple(game.catalogue[other].title for other in learned.close_to) if learned else (),
        )
        for number, piece in enumerate(pieces)
        for learned in (known.get((piece.tile, piece.owner)),)
    )


def _chosen(kinds: tuple[Kind, ...]) -> Kind | None:
    """The face that was asked for, else the first that is not known yet."""
    number = asked_number("number")
    if number is not None and number < len(kinds):
        return kinds[number]
    return next((kind for kind in kinds if kind.learned is None), kinds[0] if kinds else None)


def _check_name(name: str) -> None:
    if not re.fullmatch(_NAME, name):
        raise Unreadable(say("said.set-name"), "set")
