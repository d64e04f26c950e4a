"""Asking the players: where the table is seen otherwise than believed, what that may mean, each meaning one answer."""

from dataclasses import replace
from itertools import islice

from companion.draw import says_piece, says_place
from companion.events import Fact, MovePlayed, TileCorrected
from companion.game import AnyGame, explanations, is_legal
from companion.live import Answer, Look, Question
from companion.reconcile import differences
from companion.said import joined, say
from companion.session import Standing
from companion.table import Layout, Piece

_MOST_TRIED = 200
_MOST_MOVES = 3


def seen_layout(believed: Layout, look: Look) -> Layout:
    """The whole table by a look at it; what was hidden is as it was."""
    kept = {place: piece for place, piece in believed.items() if place in look.hidden}
    return {**{place: piece for place, piece in look.seen.items() if place not in look.hidden}, **kept}


def questions(standing: Standing, look: Look) -> tuple[Question, ...]:
    """What to ask about a look at the table; nothing where it is as believed."""
    # What everybody may know is enough to ask, and tells no secret in an answer.
    standing = replace(standing, state=standing.game.seen_by(standing.state, None))
    game, state = standing.game, standing.state
    believed = game.layout(state)
    seen = seen_layout(believed, look)
    places = differences(believed, seen)
    if not places:
        return ()
    asked = game.questions(state, seen) or tuple(_difference(game, p, believed.get(p), seen.get(p)) for p in places)
    corrected: tuple[Fact, ...] = tuple(TileCorrected(place, seen.get(place)) for place in places)
    answers = (
        *played(standing, seen),
        Answer(say("The table is right: correct the tiles"), corrected),
        Answer(say("The companion is right: leave it"), ()),
    )
    return (Question(joined(asked, "{some} {more}"), answers, places),)


def played(standing: Standing, seen: Layout) -> tuple[Answer, ...]:
    """The moves that would make the table look so, legal ones first."""
    game, state = standing.game, standing.state
    player = game.to_move(state)
    if player is None:
        return ()
    found = sorted(islice(explanations(game, state, seen), _MOST_TRIED), key=lambda m: not is_legal(game, state, m))
    written = [(game.write_move(move, state), is_legal(game, state, move)) for move in found[:_MOST_MOVES]]
    return tuple(
        Answer(
            say(
                "{player} played {move}" if legal else "{player} played {move}, against the rules",
                player=standing.called(player),
                move=move,
            ),
            (_move(player, move),),
        )
        for move, legal in written
    )


def _move(player: str, move: str) -> Fact:
    return MovePlayed(player, move, "phone")


def _difference(game: AnyGame, place: str, believed: Piece | None, seen: Piece | None) -> str:
    was, now = (says_piece(game, piece) if piece else say("nothing") for piece in (believed, seen))
    return say("{place} shows {now} instead of {was}.", place=says_place(place), now=now, was=was)
