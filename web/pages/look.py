"""Looking again: the table read afresh, beside what the companion believed."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import Blueprint, abort, render_template

from companion.draw import says_piece
from companion.game import AnyGame
from companion.live import Look
from companion.table import Layout, Piece, Place
from web import view
from web.asked import standing_now
from web.house import house
from web.roles import Role, open_to, viewer

pages = Blueprint("look", __name__)


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
    """Both readings; nothing changes until somebody corrects it."""
    standing, again = standing_now(), house().table.look_again
    if again is None:
        abort(404)
    game, state, found = standing.game, view.seen_state(standing, viewer().seat), again()
    unlike = differences(game, game.layout(state), found)
    places = tuple(each.place for each in unlike)
    return render_template(
        "look.html",
        page="ask",
        differences=unlike,
        hidden=sorted(found.hidden),
        believed=view.board(game, state, lit=places),
        seen=view.board(replace(game, layout=lambda _: found.seen), state, lit=places),
    )


def differences(game: AnyGame, believed: Layout, found: Look) -> tuple[Difference, ...]:
    """Every place that was seen to be other than believed."""
    places = sorted(place for place in {*believed, *found.seen} if place not in found.hidden)
    return tuple(
        Difference(place, _says(game, believed.get(place)), _says(game, found.seen.get(place)), _way(place, found.seen))
        for place in places
        if believed.get(place) != found.seen.get(place)
    )


def _says(game: AnyGame, piece: Piece | None) -> str | None:
    return None if piece is None else says_piece(game, piece)


def _way(place: Place, seen: Layout) -> str:
    """The page that would correct it so."""
    piece = seen.get(place)
    if piece is None:
        return f"/correct?{urlencode({'place': place, 'nothing': 1})}"
    facing = {} if piece.facing is None else {"facing": piece.facing}
    return f"/correct?{urlencode({'place': place, 'tile': piece.tile, 'owner': piece.owner or '', **facing})}"
