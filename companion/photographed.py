"""A state from nothing but what lies on a table: who plays is taken from whose tiles and places are in use."""

from typing import Any

from companion.game import AnyGame, Unreadable, start
from companion.said import say
from companion.table import Layout


def state_of(game: AnyGame, layout: Layout) -> Any:
    """The state a photographed table stands for, as far as it shows; raises `Unreadable` where it can be none."""
    if game.amend is None:
        raise Unreadable(say("a table of {game} does not tell its whole position", game=game.title))
    state = start(game, _players(game, layout))
    for place in game.layout(state).keys() - layout.keys():
        state = game.amend(state, place, None)
    for place, piece in layout.items():
        if game.layout(state).get(place) != piece:
            state = game.amend(state, place, piece)
    if game.layout(state) != dict(layout):
        raise Unreadable(say("the tiles that were read cannot all be on the table at once"))
    return state


def _players(game: AnyGame, layout: Layout) -> tuple[str, ...]:
    """The smallest round in which everybody has a seat whose tiles or places are in use."""
    using = {piece.owner for piece in layout.values()} | {place.partition(":")[0] for place in layout if ":" in place}
    known = {seat for seats in game.seats.values() for seat in seats}
    for count in sorted(game.seats):
        if using & known <= set(game.seats[count]):
            return game.seats[count]
    return game.seats[max(game.seats)]
