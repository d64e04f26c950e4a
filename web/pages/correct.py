"""Correcting: what really lies on a place, what that changes, and taking the last move back."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template

from companion.draw import Overlay, is_place, says_piece
from companion.events import MoveVoided, TileCorrected
from companion.eyes import CannotSee, Crop
from companion.game import AnyGame, Unreadable
from companion.table import Odds, Piece, Place
from web import view
from web.asked import asked_number, asked_word, standing_now
from web.house import house
from web.pages.sets import data_address
from web.roles import Role, open_to, viewer

pages = Blueprint("correct", __name__)


@dataclass(frozen=True, slots=True)
class Offer:
    """A tile that may really lie there."""

    piece: Piece
    says: str
    face: str | None
    left: int
    """How many of it are not on the table."""
    share: float = 0.0
    """How likely it is by what the camera sees."""


@pages.get("/correct")
@open_to(Role.SEAT)
def correct() -> str:
    """Tap a tile, tap what it is, confirm."""
    standing, who = standing_now(), viewer()
    game, state = standing.game, view.seen_state(standing, who.seat)
    place, wanted = asked_word("place"), _wanted(game)
    chosen, crop = (place,) if place else (), _crop(game, place)
    changed, wrong = _preview(TileCorrected(place, wanted[0])) if place and wanted else ((), None)
    return render_template(
        "correct.html",
        page="more",
        standing=standing,
        place=place,
        there=game.layout(state).get(place),
        says=lambda piece: says_piece(game, piece),
        crop=data_address(crop.jpeg) if crop else None,
        offers=offers(game, state, place, crop.odds if crop else {}) if place else (),
        turns=_turns(game, state, place),
        wanted=wanted,
        changed=changed,
        wrong=wrong,
        board=view.board(game, state, overlay=Overlay(chosen=chosen, tappable=True)),
        last=standing.moves[-1] if standing.moves else None,
    )


@pages.get("/undo")
@open_to(Role.SEAT)
def undo() -> str:
    """The last move, and what taking it back changes."""
    standing = standing_now()
    line = view.lines(standing)[0] if standing.moves else None
    changed, wrong = _preview(MoveVoided(line.number)) if line else ((), None)
    return render_template("undo.html", page="more", standing=standing, line=line, changed=changed, wrong=wrong)


def offers(game: AnyGame, state: Any, place: Place, odds: Odds) -> tuple[Offer, ...]:
    """Every tile still in the inventory, the likeliest first: as the camera sees it, then by its kind."""
    layout = game.layout(state)
    seen = sorted(((s, piece) for piece, s in odds.items() if piece is not None), key=lambda each: each[0])
    turned = {(piece.tile, piece.owner): piece.facing for _, piece in seen}
    likely = {(piece.tile, piece.owner): share for share, piece in seen}
    there = layout.get(place)
    lying = [(piece.tile, piece.owner) for where, piece in layout.items() if where != place]
    found = []
    for tile in game.catalogue:
        for owner in tile.owners or (None,):
            left = tile.copies - lying.count((tile.name, owner))
            facing = (turned.get((tile.name, owner)) or 0) if tile.facing_matters else None
            piece = Piece(tile.name, owner, facing)
            if left > 0 and (there is None or (there.tile, there.owner) != (tile.name, owner)):
                face = view.face_address(game, tile.name, owner) if game.face else None
                share = likely.get((tile.name, owner), 0.0)
                found.append(Offer(piece, says_piece(game, piece), face, left, share))
    return tuple(sorted(found, key=lambda offer: (-offer.share, there is None or offer.piece.tile != there.tile)))


def _crop(game: AnyGame, place: Place) -> Crop | None:
    """What the camera sees on a place, where there is one that sees it."""
    held = house().eyes
    try:
        return held.crop(place) if held is not None and is_place(game.board, place) else None
    except CannotSee:
        return None


def _turns(game: AnyGame, state: Any, place: Place) -> tuple[Piece, ...]:
    """The same tile turned otherwise."""
    there = game.layout(state).get(place)
    if there is None or there.facing is None:
        return ()
    return tuple(Piece(there.tile, there.owner, turn) for turn in range(4) if turn != there.facing)


def _wanted(game: AnyGame) -> tuple[Piece | None] | None:
    """The piece that the address names; ``None`` in it for nothing there."""
    if asked_word("nothing"):
        return (None,)
    tile = asked_word("tile")
    return (Piece(tile, asked_word("owner") or None, asked_number("facing")),) if tile else None


def _preview(fact: TileCorrected | MoveVoided) -> tuple[tuple[str, ...], str | None]:
    try:
        return house().table.preview(fact), None
    except Unreadable as unreadable:
        return (), unreadable.says
