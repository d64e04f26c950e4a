"""What a page was asked for: numbers and words of the address, and the game that must be there."""

from flask import request
from werkzeug.exceptions import NotFound

from companion.session import Standing
from web.house import house


class NoGame(NotFound):
    """A page about a game was asked for before the first one began."""


def standing_now() -> Standing:
    """The game that is played; a page about it is not there without one."""
    standing = house().table.now.standing
    if standing is None:
        raise NoGame
    return standing


def asked_number(name: str) -> int | None:
    """A number of the address, if it is there and is one."""
    given = request.args.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else None


def asked_word(name: str) -> str:
    return request.args.get(name, "")[:400]


def asked_words(name: str, most: int = 12) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word[:80] for word in request.args.getlist(name)[:most]))
