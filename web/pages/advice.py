"""Advice: off until a seat asks for it, worked out from no more than that seat may know."""

import time
from dataclasses import replace
from threading import Lock
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template

from companion.border import Shape
from companion.config import Config
from companion.draw import Arrow, Overlay, ways
from companion.game import advice as worked_out
from companion.live import Now
from companion.scoring import Advice
from companion.session import Standing
from web import view
from web.asked import asked_number, standing_now
from web.border import read_body
from web.house import house
from web.roles import Role, Viewer, open_to, say, viewer

pages = Blueprint("advice", __name__)

MOST = 3


class _Wish(Shape):
    on: bool


@pages.get("/advice")
@open_to(Role.SPECTATOR)
def advice() -> str:
    """The page without the answer: working it out takes a moment, and the page says so."""
    standing, who = standing_now(), viewer()
    return render_template(
        "advice.html", page="advice", standing=standing, wished=_wished(who), why_not=_why_not(standing, who)
    )


@pages.get("/advice/moves")
@open_to(Role.SEAT)
def moves() -> str:
    """The best moves as arrows, each with its reason and gain."""
    now, who, standing = house().table.now, viewer(), standing_now()
    if not _wished(who) or _why_not(standing, who):
        return ""
    found, shown = _best(now, standing), asked_number("show")
    game, state = standing.game, view.seen_state(standing, who.seat)
    pointed = [shown] if shown is not None and shown < len(found) else range(len(found))
    arrows = tuple(arrow for i in pointed for arrow in _arrows(standing, state, found[i], str(i + 1)))
    return render_template(
        "parts/advice.html",
        found=[(game.write_move(best.move, state), best) for best in found],
        shown=shown,
        player=game.to_move(standing.state),
        board=view.board(game, state, overlay=Overlay(arrows=arrows)),
        cards=view.cards(standing, who.seat),
    )


@pages.post("/api/advice")
@open_to(Role.SEAT)
def wish() -> tuple[Response, int]:
    """A seat's own wish for advice; nobody else can make it."""
    on, seat = read_body(_Wish).on, viewer().seat
    if seat is None:
        return jsonify(says=say("said.no-seat"), at="seat"), 409

    def wished(config: Config) -> Config:
        others = tuple(each for each in config.advised if each != seat)
        return replace(config, advised=(*others, seat) if on else others)

    house().settings.change(wished)
    return jsonify(on=on), 200


def _wished(who: Viewer) -> bool:
    return who.seat is not None and who.seat in house().settings.now.advised


def _why_not(standing: Standing, who: Viewer) -> str | None:
    """The key of the sentence that says why there is no advice now."""
    if who.seat is None:
        return "advice.no-seat"
    turn = standing.game.to_move(standing.state)
    if turn is None:
        return "advice.over"
    if turn != who.seat:
        return "advice.not-your-turn"
    return None


def _best(now: Now, standing: Standing) -> tuple[Advice[Any], ...]:
    """Worked out once for each position, however often a phone asks; one at a time, to leave the others a processor."""
    thought: Thoughts = current_app.extensions["thoughts"]
    return thought.on(now, standing, house().advice_seconds)


def _arrows(standing: Standing, state: Any, best: Advice[Any], label: str) -> tuple[Arrow, ...]:
    game = standing.game
    first, *rest = ways(game.layout(state), game.layout(game.play(state, best.move))) or (Arrow(None, None),)
    return (replace(first, label=label), *rest)


class Thoughts:
    """The advice on the last position that was asked about."""

    def __init__(self) -> None:
        self._lock, self._about, self._found = Lock(), (-1, -1), tuple[Advice[Any], ...]()

    def on(self, now: Now, standing: Standing, seconds: float) -> tuple[Advice[Any], ...]:
        with self._lock:
            if self._about != (now.game or -1, now.number):
                self._found = worked_out(standing.game, standing.state, seconds, time.monotonic)[:MOST]
                self._about = (now.game or -1, now.number)
            return self._found
