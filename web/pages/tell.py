"""Telling what a camera cannot see: one tap for each legal move that leaves the table as it looks."""

from itertools import islice

from flask import Blueprint, render_template

from companion.game import judge, legal_moves
from web import view
from web.asked import asked_word, standing_now
from web.roles import Role, open_to, viewer

pages = Blueprint("tell", __name__)

MOST = 60


@pages.get("/tell")
@open_to(Role.SEAT)
def tell() -> str:
    standing, who = standing_now(), viewer()
    game, state = standing.game, view.seen_state(standing, who.seat)
    typed = asked_word("typed").strip()
    unseen = (move for move in legal_moves(game, state) if game.unseen(state, move))
    written = ((game.write_move(move, state), move) for move in unseen)
    found = list(islice(((word, move) for word, move in written if typed.casefold() in word.casefold()), MOST))
    return render_template(
        "tell.html",
        page="more",
        standing=standing,
        player=game.to_move(standing.state),
        cards=view.cards(standing, who.seat),
        typed=typed,
        moves=[(word, judge(game, state, move).says) for word, move in found],
        most=len(found) == MOST,
    )
