"""A state from nothing but what lies on a table: who plays is taken from whose tiles and places are in use."""

import random
import re
from collections.abc import Iterator
from typing import Any

from companion.draw import says_piece
from companion.game import AnyGame, Unreadable, start
from companion.said import say
from companion.table import FACE_DOWN, Layout, Piece, Place

_PART = re.compile(r"p(\d+)")
"""A part of the board that belongs to nobody by name but to the first, second or third player."""
_DRAWN_FROM = re.compile(r"(?:\w+:)?(?:stock|stack)(?:[:-]\d)?")
"""Where tiles wait to be drawn, face down."""


def state_of(game: AnyGame, layout: Layout) -> Any:
    """The state a photographed table stands for, as far as it shows; raises `Unreadable` where it can be none.

    The fewest players who can have laid it so are taken to play.
    """
    return next(_states(game, layout))


def is_counted_alike(game: AnyGame, layout: Layout) -> bool:
    """Whether the same points go to the same players however many play: a table does not show that."""
    first, *others = (
        {(item.player, item.points, item.places) for item in game.score(state).items} for state in _states(game, layout)
    )
    return all(points == first for points in others)


def _states(game: AnyGame, layout: Layout) -> Iterator[Any]:
    """What the table stands for, the fewest players first; raises `Unreadable` where nobody can have laid it."""
    if game.amend is None:
        raise Unreadable(say("a table of {game} does not tell its whole position", game=game.title))
    counted = {place: game.counts_as(place, piece) for place, piece in layout.items()}
    shown, refused = _face_up(counted), list[Unreadable]()
    rounds = list(_rounds(game, shown))
    for players in rounds:
        try:
            yield _readable(game, _laid(game, players, shown))
        except Unreadable as cannot:
            refused.append(cannot)
    if len(refused) == len(rounds):
        raise refused[0]


def _face_up(layout: Layout) -> Layout:
    """Without the backs of what is drawn from; a back elsewhere hides a tile, and raises `Unreadable`."""
    backs = {place for place, piece in layout.items() if piece.tile == FACE_DOWN}
    for place in sorted(backs):
        if not _DRAWN_FROM.fullmatch(place):
            raise Unreadable(say("the tile on {place} lies face down: turn it over", place=place))
    return {place: piece for place, piece in layout.items() if place not in backs}


def _rounds(game: AnyGame, layout: Layout) -> Iterator[tuple[str, ...]]:
    """The rounds in which everybody has a seat whose tiles or places are in use, the smallest first."""
    using = {piece.owner for piece in layout.values()} | {place.partition(":")[0] for place in layout if ":" in place}
    known = {seat for seats in game.seats.values() for seat in seats}
    parts = [int(part[1]) for part in map(_PART.fullmatch, filter(None, using)) if part]
    for count in sorted(game.seats):
        everybody = using & known <= set(game.seats[count]) and count >= max(parts, default=0)
        if everybody or count == max(game.seats):
            yield game.seats[count]


def _laid(game: AnyGame, players: tuple[str, ...], layout: Layout) -> Any:
    """The table as these could have laid it, and nothing else known; raises `Unreadable` where they could not."""
    # Whatever is dealt, nobody has seen it; but the same table is to be the same position again.
    state = game.seen_by(start(game, players, rng=random.Random(0)), None)
    for place in (*(game.layout(state).keys() - layout.keys()), *layout):
        if game.layout(state).get(place) != layout.get(place):
            state = _amended(game, state, place, layout.get(place))
    state = game.at_a_glance(state)
    if game.layout(state) != dict(layout):
        raise Unreadable(say("the tiles that were read cannot all be on the table at once"))
    return state


def _amended(game: AnyGame, state: Any, place: Place, piece: Piece | None) -> Any:
    assert game.amend is not None
    try:
        return game.amend(state, place, piece)
    except (LookupError, ValueError) as cannot:
        if isinstance(cannot, Unreadable) or piece is None:
            raise
        raise Unreadable(say("{tile} cannot lie on {place}", tile=says_piece(game, piece), place=place)) from None


def _readable(game: AnyGame, state: Any) -> Any:
    """The same, once its notation was read back: what is given out must be of use to others."""
    game.read_position(game.write_position(state))
    return state
