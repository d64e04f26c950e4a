"""Is this legal? A move chosen by tapping or by its notation, the verdict on it, and the way to enter it by hand."""

from typing import Any

from flask import Blueprint, render_template

from companion.draw import Overlay, ways
from companion.game import AnyGame, Unreadable
from companion.rules import Ruling
from web import view
from web.asked import asked_word, asked_words, standing_now
from web.choosing import Choice, choices, legal_notations, ruling_on
from web.house import house
from web.pages.tell import shown_tile
from web.roles import Role, open_to, viewer

pages = Blueprint("ask", __name__)


@pages.get("/ask")
@open_to(Role.SPECTATOR)
def ask() -> str:
    """Nothing changes by asking: the verdict is on the table as this phone's seat may know it."""
    standing, who = standing_now(), viewer()
    game, state = standing.game, view.seen_state(standing, who.seat)
    tapped, move = asked_words("at"), "".join(asked_word("move").split("\n")).strip()
    player, tile = game.to_move(standing.state), asked_word("tile")
    guessed = (
        bool(player)
        and game.hold is not None
        and game.in_hand(state, player or "") != len(game.held(state, player or ""))
    )
    found, legal = _choices(game, state, tapped, tile if guessed and tile in game.catalogue else "")
    ruling, wrong = _verdict(game, state, move) if move else (None, None)
    return render_template(
        "ask.html",
        page="ask",
        standing=standing,
        player=player,
        tapped=tapped,
        near=asked_word("near"),
        tile=tile if tile in game.catalogue else "",
        tiles=[(each.name, *shown_tile(game, each, player)) for each in game.catalogue] if guessed else (),
        move=move,
        choices=found,
        legal=legal,
        ruling=ruling,
        wrong=wrong,
        clause_held=game.rulebook[ruling.rule] if ruling and ruling.rule else None,
        board=_board(game, state, tapped, move if ruling else "", ruling),
        can_look=house().eyes is not None,
    )


def _choices(game: AnyGame, state: Any, tapped: tuple[str, ...], tile: str) -> tuple[tuple[Choice, ...], int]:
    """The moves on offer; with a tile named that nobody knew of, those that a hand with it can make."""
    player = game.to_move(state)
    if not tile or player is None or game.hold is None:
        return choices(game, state, tapped)
    known = set(legal_notations(game, state))
    found, _ = choices(game, game.hold(state, player, (tile,)), tapped, known)
    return found, sum(each.legal for each in found)


def _verdict(game: AnyGame, state: Any, move: str) -> tuple[Ruling | None, str | None]:
    try:
        return ruling_on(game, state, move), None
    except Unreadable as unreadable:
        return None, unreadable.says


def _board(game: AnyGame, state: Any, tapped: tuple[str, ...], move: str, ruling: Ruling | None) -> str:
    arrows = ways(game.layout(state), game.layout(game.play(state, game.read_move(move, state)))) if move else ()
    lit = ruling.places if ruling is not None and not ruling.legal else ()
    return view.board(game, state, lit=lit, overlay=Overlay(chosen=tapped, arrows=arrows, tappable=True))
