"""Telling what a camera cannot see: moves that leave the table as it looks, what else the last was, the own hand."""

import re
from collections import Counter
from itertools import islice
from typing import Any

from flask import Blueprint, abort, render_template, request

from companion.draw import says_piece
from companion.events import MovePlayed, MoveVoided, fact_json
from companion.game import AnyGame, each_legal, explanations, judge
from companion.session import PlayedMove, Standing, fold
from companion.table import Piece
from companion.tiles import Tile
from web import view
from web.asked import asked_number, asked_word, standing_now
from web.house import house
from web.roles import Role, open_to, viewer

pages = Blueprint("tell", __name__)

MOST = 40
FEW = 10
"""Of more moves than these one taps the tiles they name first."""
OTHERS = 8
TRIED = 200
"""So many moves are looked through for others that leave the table as the last one did, and so many shown."""
TAPPED = 24
"""So many tiles of one move or hand can be tapped."""


@pages.get("/tell")
@open_to(Role.SEAT)
def tell() -> str:
    """The moves that nobody sees; where there are many, those with the tiles that were tapped."""
    standing, who = standing_now(), viewer()
    game, state = standing.game, view.seen_state(standing, who.seat)
    typed, tapped = asked_word("typed").strip(), _tapped(game)
    unseen = [(game.write_move(move, state), move) for move in each_legal(game, state) if game.unseen(state, move)]
    fitting = [
        (word, move) for word, move in unseen if typed.casefold() in word.casefold() and _names(game, word, tapped)
    ]
    found = sorted(fitting, key=lambda each: len(each[0]))[:MOST]
    return render_template(
        "tell.html",
        page="more",
        standing=standing,
        player=game.to_move(standing.state),
        cards=view.cards(standing, who.seat),
        typed=typed,
        tapped=tapped,
        tiles=_offered(game, state, [word for word, _ in fitting], tapped) if len(unseen) > FEW else (),
        moves=[(word, _named(standing, judge(game, state, move).says)) for word, move in found],
        many=len(unseen) > FEW,
        more=len(fitting) - len(found),
        hides=game.hold is not None,
        last=view.lines(standing)[0] if standing.moves else None,
        others=_others(standing, who.seat),
        known=len(game.held(state, who.seat)) if who.seat else 0,
        count=game.in_hand(state, who.seat) if who.seat else None,
    )


@pages.get("/hand")
@open_to(Role.SEAT)
def hand() -> str:
    """The own hand, tile by tile; what was known before is there already."""
    standing, seat = standing_now(), viewer().seat
    game = standing.game
    if game.hold is None:
        abort(404)
    state = view.seen_state(standing, seat)
    tapped = _tapped(game) if asked_number("changed") else game.held(state, seat or "") if seat else ()
    return render_template(
        "hand.html",
        page="more",
        standing=standing,
        tapped=tapped,
        shown=[(tile, *shown_tile(game, game.catalogue[tile], seat)) for tile in tapped],
        count=game.in_hand(state, seat) if seat else None,
        tiles=[(tile.name, *shown_tile(game, tile, seat)) for tile in _holdable(game, state, seat, tapped)],
    )


def _others(standing: Standing, seat: str | None) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """What else the last move may have been, for all that the table shows: each in words, and the facts to tell."""
    if not standing.moves:
        return []
    game, last = standing.game, standing.moves[-1]
    record = house().table.now.record
    before = view.seen_state(fold(event for event in record if event.number < last.number), seat)
    shown = game.layout(view.seen_state(standing, seat))
    alike = ((game.write_move(move, before), move) for move in islice(explanations(game, before, shown), TRIED))
    legal = ((word, judge(game, before, move)) for word, move in alike if word != last.move)
    found = islice(((word, ruling.says) for word, ruling in legal if ruling.legal), OTHERS)
    return [(word, _named(standing, says), _instead(last, word)) for word, says in found]


def _named(standing: Standing, says: str) -> str:
    """What a move does, with the names of people."""
    return view.by_name(says, view.cards(standing))


def _instead(last: PlayedMove, word: str) -> list[dict[str, Any]]:
    """The facts that put another move in the place of the last."""
    return [fact_json(MoveVoided(last.number)), fact_json(MovePlayed(last.player, word, "phone"))]


def _tapped(game: AnyGame) -> tuple[str, ...]:
    return tuple(tile for tile in request.args.getlist("tile")[:TAPPED] if tile in game.catalogue)


def _holdable(game: AnyGame, state: Any, seat: str | None, tapped: tuple[str, ...]) -> list[Tile]:
    """The tiles of which there is one that lies nowhere in sight and was not told."""
    used = Counter(piece.tile for piece in game.layout(state).values()) + Counter(tapped)
    return [tile for tile in game.catalogue if used[tile.name] < tile.copies * max(1, len(tile.owners))]


def _offered(game: AnyGame, state: Any, moves: list[str], tapped: tuple[str, ...]) -> list[tuple[str, str, str | None]]:
    """The tiles that narrow many moves down: those that one more of is named in some of them."""
    seat = game.to_move(state)
    return [
        (tile.name, *shown_tile(game, tile, seat))
        for tile in game.catalogue
        if any(_names(game, word, (*tapped, tile.name)) for word in islice(moves, 3000))
    ]


def shown_tile(game: AnyGame, tile: Tile, seat: str | None) -> tuple[str, str | None]:
    """A tile as a list offers it: in words, and the address of its face."""
    owner = seat if seat in tile.owners else None
    return says_piece(game, Piece(tile.name)), view.face_address(game, tile.name, owner) if game.face else None


def _names(game: AnyGame, move: str, tiles: tuple[str, ...]) -> bool:
    """Whether a move names all these tiles, each as often as it was tapped, by its name or its letter."""
    return all(_times_named(game.catalogue[tile], move) >= count for tile, count in Counter(tiles).items())


def _times_named(tile: Tile, move: str) -> int:
    by_name = len(re.findall(rf"(?<![\w-]){re.escape(tile.name)}(?![\w-])", move))
    return by_name or (move.count(tile.letter) if len(tile.letter) == 1 else 0)
