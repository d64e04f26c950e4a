"""Is this legal? A move chosen by tapping or by its notation, the verdict on it, and the way to enter it by hand."""

from typing import Any

from flask import Blueprint, render_template

from companion.draw import Overlay, ways
from companion.game import AnyGame, Unreadable
from companion.rules import Ruling
from companion.tiles import Tile
from web import view
from web.asked import asked_word, asked_words, standing_now
from web.books import book
from web.choosing import Added, Choice, additions, choices, legal_notations, ruling_on, with_addition
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
    tile = tile if tile in game.catalogue else ""
    ruling, wrong = _verdict(game, state, move) if move else (None, None)
    adding = _adding(asked_word("adds")) if ruling else None
    if adding:
        found, legal = with_addition(game, state, move, adding, tapped)
    else:
        found, legal = _choices(game, state, tapped, tile)
    return render_template(
        "ask.html",
        page="ask",
        standing=standing,
        player=player,
        tapped=tapped,
        near=asked_word("near"),
        tile=tile,
        tiles=[(each.name, *shown_tile(game, each, player)) for each in _from_hand(game, state)],
        move=move,
        choices=found,
        legal=legal,
        ruling=ruling,
        wrong=wrong,
        adding=adding,
        additions=_additions(game, state, move) if ruling and ruling.legal else (),
        kept={"tile": tile} | ({"move": move, "adds": adding.name} if adding else {}),
        clause_held=book(game, who.language).rules[ruling.rule] if ruling and ruling.rule else None,
        board=_board(game, state, tapped, move if ruling else "", ruling),
        can_look=house().has_camera,
        cards=view.cards(standing, who.seat),
    )


def _from_hand(game: AnyGame, state: Any) -> list[Tile]:
    """The tiles that may come out of the hand of who is to move, where hands are secret: of one not known, any."""
    player = game.to_move(state)
    if player is None or game.hold is None:
        return []
    held = game.held(state, player)
    return [tile for tile in game.catalogue if tile.name in held or game.in_hand(state, player) != len(held)]


def _adding(given: str) -> Added | None:
    player, _, tile = given.partition(":")
    return Added(player, tile) if player and tile else None


def _additions(game: AnyGame, state: Any, move: str) -> list[tuple[str, list[tuple[Added, str, str | None]]]]:
    """What anybody may add to the move, player by player."""
    by_player: dict[str, list[tuple[Added, str, str | None]]] = {}
    for each in additions(game, state, move):
        shown = shown_tile(game, game.catalogue[each.tile], each.player)
        by_player.setdefault(each.player, []).append((each, *shown))
    return list(by_player.items())


def _choices(game: AnyGame, state: Any, tapped: tuple[str, ...], tile: str) -> tuple[tuple[Choice, ...], int]:
    """The moves on offer; with a tile of the hand, those that only a hand with it can make."""
    player = game.to_move(state)
    if player is None or game.hold is None or tile not in {each.name for each in _from_hand(game, state)}:
        return choices(game, state, tapped)
    others = tuple(held for held in game.held(state, player) if held != tile)
    without = set(legal_notations(game, game.hold(state, player, others)))
    return choices(game, game.hold(state, player, (tile,)), tapped, without)


def _verdict(game: AnyGame, state: Any, move: str) -> tuple[Ruling | None, str | None]:
    try:
        return ruling_on(game, state, move), None
    except Unreadable as unreadable:
        return None, unreadable.says


def _board(game: AnyGame, state: Any, tapped: tuple[str, ...], move: str, ruling: Ruling | None) -> str:
    arrows = ways(game.layout(state), game.layout(game.play(state, game.read_move(move, state)))) if move else ()
    lit = ruling.places if ruling is not None and not ruling.legal else ()
    return view.board(game, state, lit=lit, overlay=Overlay(chosen=tapped, arrows=arrows, tappable=True))
