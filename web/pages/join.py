"""Joining: the owner's link, the PIN, and who holds which seat."""

import math
import secrets
from dataclasses import replace
from typing import Annotated

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request, session
from pydantic import Field, StringConstraints

from companion.border import Shape
from companion.config import Config
from companion.events import PlayerNamed
from companion.game import Unreadable
from web import view
from web.border import Change, Limit, read_body
from web.house import house
from web.pages.table import qr_code
from web.roles import Role, open_to, players, say, viewer
from web.words import languages

pages = Blueprint("join", __name__)

Person = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24, pattern=r"^[^\x00-\x1f\x7f]+$")
]


class _Claim(Shape):
    link: str = Field(max_length=64)


class _Pin(Shape):
    pin: str = Field(pattern=r"^\d{6}$")


class _Seat(Shape):
    seat: str = Field(max_length=40)


class _Name(Change):
    player: str = Field(max_length=40)
    person: Person


class _Language(Shape):
    language: str = Field(max_length=8)


@pages.get("/join")
@open_to(Role.SPECTATOR)
def join() -> str:
    """The address as a QR code, the seats and, for who has none, the PIN."""
    standing = house().table.now.standing
    return render_template(
        "join.html",
        page="more",
        address=house().addresses[0],
        addresses=house().addresses,
        qr=qr_code(house().addresses[0]),
        cards=view.cards(standing, viewer().seat) if standing else (),
        taken=house().settings.now.seats,
        pin=house().settings.now.pin if viewer().role == Role.OWNER else None,
    )


@pages.get("/owner/<link>")
@open_to(Role.SPECTATOR)
def owner(link: str) -> str:
    """Asks before it takes the one-time link: a preview of the address must not use it up."""
    return render_template("owner.html", page="more", link=link, valid=_is_link(link))


@pages.post("/api/claim")
@open_to(Role.SPECTATOR)
def claim() -> Response:
    wanted = read_body(_Claim).link

    def take(config: Config) -> Config:
        if config.owner_link is None or not secrets.compare_digest(config.owner_link.encode(), wanted.encode()):
            abort(403)
        return replace(config, owner_link=None)

    house().settings.change(take)
    _remember(owner=True, joined=True)
    return jsonify(role="owner")


@pages.post("/api/pin")
@open_to(Role.SPECTATOR)
def pin() -> tuple[Response, int]:
    """Open the seats to a phone that knows the PIN; tries are counted, and nobody is banned for good."""
    limit: Limit = current_app.extensions["pin_limit"]
    address = request.remote_addr or ""
    wait = limit.wait(address)
    if wait > 0:
        answer = jsonify(says=say("said.wait", n=math.ceil(wait)), at="pin", wait=round(wait))
        answer.headers["Retry-After"] = str(round(wait) or 1)
        return answer, 429
    if not secrets.compare_digest(read_body(_Pin).pin, house().settings.now.pin):
        limit.spend(address)
        return jsonify(says=say("said.not-the-pin"), at="pin"), 403
    _remember(joined=True)
    return jsonify(role="seat"), 200


@pages.post("/api/sit")
@open_to(Role.SEAT)
def sit() -> tuple[Response, int]:
    """Take a free seat, and leave the one held before."""
    seat, phone = read_body(_Seat).seat, viewer().phone
    if seat not in players():
        raise Unreadable(f"there is no seat {seat!r}", "seat")
    taken = house().settings.now.seats.get(seat)
    if taken is not None and taken != phone:
        return jsonify(says=say("said.taken"), at="seat"), 409
    house().settings.change(lambda config: replace(config, seats={**_without(config, phone), seat: phone}))
    return jsonify(seat=seat), 200


@pages.post("/api/stand")
@open_to(Role.SEAT)
def stand() -> Response:
    """Leave the seat."""
    read_body(Shape)
    phone = viewer().phone
    house().settings.change(lambda config: replace(config, seats=_without(config, phone)))
    return jsonify(seat=None)


@pages.post("/api/free")
@open_to(Role.OWNER)
def free() -> Response:
    """Take a seat from whatever phone holds it."""
    seat = read_body(_Seat).seat

    def without(config: Config) -> Config:
        return replace(config, seats={each: phone for each, phone in config.seats.items() if each != seat})

    house().settings.change(without)
    return jsonify(seat=seat)


@pages.post("/api/name")
@open_to(Role.SEAT)
def name() -> Response:
    """Say who sits where: one's own name, or as the owner anybody's."""
    wanted, who = read_body(_Name), viewer()
    if who.role < Role.OWNER and who.seat != wanted.player:
        abort(403)
    event = house().table.tell(PlayerNamed(wanted.player, wanted.person), wanted.request)
    return jsonify(number=event.number)


@pages.post("/api/language")
@open_to(Role.SPECTATOR)
def choose_language() -> Response:
    wanted = read_body(_Language).language
    if wanted not in languages():
        raise Unreadable(f"no words are written in {wanted!r}", "language")
    _remember(language=wanted)
    return jsonify(language=wanted)


def _is_link(link: str) -> bool:
    held = house().settings.now.owner_link
    return held is not None and secrets.compare_digest(held.encode(), link.encode())


def _remember(**kept: object) -> None:
    session.permanent = True
    session.setdefault("phone", secrets.token_hex(8))
    session.update(kept)


def _without(config: Config, phone: str) -> dict[str, str]:
    return {seat: held for seat, held in config.seats.items() if held != phone}
