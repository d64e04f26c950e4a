"""Who is looking: an owner, somebody with a seat, or a spectator; every route names whom it is open to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import wraps
from typing import Any, TypeVar

from flask import abort, request, session

from web.house import house
from web.words import best_language, speaker, spoken

V = TypeVar("V", bound=Callable[..., Any])


class Role(IntEnum):
    """What somebody may do; the greater may do all that the lesser may."""

    SPECTATOR = 0
    SEAT = 1
    OWNER = 2


@dataclass(frozen=True, slots=True)
class Viewer:
    """One phone, or the TV, as far as the page must know it."""

    role: Role
    seat: str | None
    language: str
    phone: str = ""

    @property
    def may_tell(self) -> bool:
        return self.role >= Role.SEAT


def viewer() -> Viewer:
    """Who makes this request, by what the phone's signed cookie holds and who has which seat now."""
    phone = str(session.get("phone", ""))
    role = Role.OWNER if session.get("owner") else Role.SEAT if session.get("joined") else Role.SPECTATOR
    return Viewer(role, seat_of(phone), language(), phone)


def language() -> str:
    return best_language(str(session.get("language", house().language)), request.accept_languages)


def say(key: str, **gaps: object) -> str:
    """A sentence of the catalogue in the language of who asks."""
    return speaker(language())(key, **gaps)


def in_own_words(said: str) -> str:
    """What the companion says in the language of who asks."""
    return str(spoken(said, language()))


def seat_of(phone: str) -> str | None:
    """The seat that a phone holds in the game that is played now."""
    held = house().settings.now.seats
    return next((seat for seat in players() if phone and held.get(seat) == phone), None)


def players() -> Sequence[str]:
    standing = house().table.now.standing
    return standing.game.players(standing.state) if standing else ()


def open_to(role: Role) -> Callable[[V], V]:
    """Name the role that a route is open to, and keep everybody else out."""

    def marked(view: V) -> V:
        @wraps(view)
        def guarded(**given: Any) -> Any:
            if viewer().role < role:
                abort(403)
            return view(**given)

        guarded.role = role  # type: ignore[attr-defined]
        return guarded  # type: ignore[return-value]

    return marked
