"""The stream of events: whoever listens gets the whole state at once and again after every change."""

import json
from collections.abc import Iterator
from threading import Lock
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, stream_with_context

from companion.draw import Overlay
from companion.live import Now
from web import view
from web.house import house
from web.roles import Role, Viewer, open_to, viewer
from web.words import speaker, spoken

pages = Blueprint("stream", __name__)

SHOWN_MOVES = 6
PARTS = ("camera", "questions", "scores", "board", "moves")


@pages.get("/stream")
@open_to(Role.SPECTATOR)
def stream() -> Response:
    """Server-sent events until the phone hangs up. A beat now and then shows both ends that the other is there."""
    tv = "tv" in request.args
    listening = house().table.listen()

    def told() -> Iterator[str]:
        yield "retry: 1000\n\n"
        for now in listening:
            # Who looks is asked again each time: a seat may have been given away meanwhile.
            yield "event: beat\ndata: 1\n\n" if now is None else f"data: {message(now, viewer(), tv)}\n\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream_with_context(told()), mimetype="text/event-stream", headers=headers)


def message(now: Now, who: Viewer, tv: bool) -> str:
    """The live parts of a page as one line of JSON, worked out once for all who see the same."""
    kept: Kept = current_app.extensions["kept"]
    return kept.once(view.parts_key(now, who, tv), lambda: json.dumps(_told(now, who, tv)))


def parts(now: Now, who: Viewer, tv: bool = False) -> dict[str, str]:
    """The live parts as HTML by their names."""
    shown: dict[str, Any] = {"now": now, "who": who, "tv": tv, "t": speaker(who.language)}
    shown["questions"] = view.asked(now.questions)
    if now.standing is not None:
        standing = now.standing
        state = view.seen_state(standing, None if tv else who.seat)
        overlay = Overlay(last=view.last_places(standing), tappable=not tv, zones=view.zones(standing))
        shown |= {
            "standing": standing,
            "cards": view.cards(standing, who.seat),
            "lines": view.lines(standing)[:SHOWN_MOVES],
            "board": view.board(standing.game, state, overlay=overlay),
            "beside": view.beside(standing, state),
            "text_board": view.text_board(standing.game, state),
            "hand": _hand(standing, state, who.seat, tv),
        }
    return {name: render_template(f"parts/{name}.html", **shown) for name in PARTS}


def _hand(standing: Any, state: Any, seat: str | None, tv: bool) -> tuple[tuple[str, str], ...]:
    """The tiles of the own hand, each with the address of its face; a phone sees no hand but its seat's."""
    if seat is None or tv:
        return ()
    game = standing.game
    return tuple((view.face_address(game, tile, seat), game.catalogue[tile].title) for tile in game.held(state, seat))


def _told(now: Now, who: Viewer, tv: bool) -> dict[str, Any]:
    return {
        "version": now.version,
        "number": now.number,
        "game": now.game,
        "built": current_app.config["BUILT"],
        "say": _news(now, who),
        "parts": parts(now, who, tv),
    }


def _news(now: Now, who: Viewer) -> str:
    """The last move in a sentence, and how the game ended, for who listens instead of looking."""
    if now.standing is None or not now.standing.moves:
        return ""
    say, last = speaker(who.language), view.lines(now.standing)[0]
    called = last.card.called if last.card else say("move.somebody")
    verdict = say(last.judged, rule=last.ruling.rule or "")
    news = say("move.news", player=called, move=last.move, verdict=verdict, says=last.told)
    outcome = now.standing.outcome
    ended = spoken(view.by_name(outcome.says, last.cards), who.language)
    return f"{news} {say('table.over')} {ended}" if outcome.over else news


class Kept:
    """The last few messages; two hundred phones ask for the same one within milliseconds."""

    def __init__(self, most: int = 32) -> None:
        self._most, self._held, self._lock = most, dict[Any, str](), Lock()

    def once(self, key: tuple[object, ...], work: Any) -> str:
        with self._lock:
            if key not in self._held:
                self._held[key] = work()
                while len(self._held) > self._most:
                    del self._held[next(iter(self._held))]
            return self._held[key]
