"""Where requests come in: whose host and origin they name, what bodies may hold, and what answers may load."""

import gzip
import ipaddress
import time
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from flask import Flask, Response, abort, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, Field, ValidationError
from werkzeug.exceptions import HTTPException

from companion.border import Shape
from companion.eyes import CannotSee
from companion.game import Unreadable
from companion.images import MOST_BYTES as MOST_PHOTO_BYTES
from companion.store import NotRecorded
from web.asked import NoGame
from web.images import KINDS
from web.roles import in_own_words, say
from web.words import DEFAULT, languages

MOST_BYTES = 64 * 1024
"""No body of ours is larger, but a photograph."""
HEADER = "X-Companion"
"""A page of another site cannot send it without being asked first, and we never answer that question."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

B = TypeVar("B", bound=BaseModel)


class Change(Shape):
    """What every change carries: an id of its own, so that a retry is done once."""

    request: str = Field(pattern=r"^[0-9A-Za-z-]{8,64}$")


def read_body(shape: type[B]) -> B:
    """Check the raw bytes of a body against a shape; the first thing wrong raises `Unreadable`."""
    try:
        return shape.model_validate_json(request.get_data(cache=False))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise Unreadable(first["msg"], ".".join(str(part) for part in first["loc"])) from None


def is_known_host(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this machine: any IP address, or a name we were given; whatever the port."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") and host.rsplit(":", 1)[-1].isdigit() else host
    name = name.casefold().rstrip(".")
    try:
        ipaddress.ip_address(name[1:-1] if name.startswith("[") and name.endswith("]") else name)
    except ValueError:
        return name in names
    return True


class Limit:
    """A few tries at once, then one every so many seconds, for each address and for all together; nobody is banned."""

    def __init__(
        self, tries: int, seconds_each: float, together: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tries, self._each, self._together, self._clock = tries, seconds_each, together, clock
        self._spent: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def wait(self, address: str) -> float:
        """How many seconds until this address may try again; nothing when it may now."""
        with self._lock:
            own = self._owed(address) - self._tries + 1
            everyone = sum(self._owed(other) for other in self._spent) - self._together + 1
            return max(0.0, own, everyone) * self._each

    def spend(self, address: str) -> None:
        """Count a failed try."""
        with self._lock:
            self._spent[address] = (self._owed(address) + 1, self._clock())
            self._spent = {other: spent for other, spent in self._spent.items() if self._owed(other) > 0}

    def _owed(self, address: str) -> float:
        tries, when = self._spent.get(address, (0.0, 0.0))
        return max(0.0, tries - (self._clock() - when) / self._each)


def guard(app: Flask, names: frozenset[str]) -> None:
    """Put the border round an app."""
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    known = frozenset(name.casefold() for name in names) | {"localhost"}

    @app.before_request
    def check() -> None:
        if not is_known_host(request.headers.get("Host", ""), known):
            abort(421)
        if request.method not in ("GET", "HEAD"):
            _check_change()

    app.after_request(_seal)
    app.register_error_handler(Unreadable, _unreadable)
    app.register_error_handler(NotRecorded, _not_recorded)
    app.register_error_handler(CannotSee, _cannot_see)
    app.register_error_handler(HTTPException, _refused)


def _check_change() -> None:
    if request.method != "POST":
        abort(405)
    if request.headers.get("Origin") != f"{request.scheme}://{request.headers.get('Host', '')}":
        abort(403)
    if HEADER not in request.headers:
        abort(403)
    most = getattr(current_app.view_functions.get(request.endpoint or ""), "most_bytes", None)
    if most is not None:
        request.max_content_length = most
    if request.mimetype not in (("application/json",) if most is None else KINDS):
        abort(415)


def _seal(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    return _squeezed(response)


def _squeezed(response: Response) -> Response:
    small = response.direct_passthrough or response.is_streamed or (response.content_length or 0) < 500
    if small or "gzip" not in request.headers.get("Accept-Encoding", "") or response.mimetype == "image/png":
        return response
    response.set_data(gzip.compress(response.get_data(), 6, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.add("Vary", "Accept-Encoding")
    return response


def _unreadable(error: Unreadable) -> tuple[Response | str, int]:
    if request.method == "POST":
        return jsonify(says=in_own_words(error.says), at=error.at), 400
    return render_template("error.html", title=_says(400), code=400, says=error.says), 400


def _cannot_see(error: CannotSee) -> tuple[Response | str, int]:
    if request.method == "POST":
        return jsonify(says=in_own_words(error.says), at="camera"), 409
    return render_template("error.html", title=_says(409), code=409, says=error.says), 409


def _not_recorded(error: NotRecorded) -> tuple[Response | str, int]:
    if request.method == "POST":
        return jsonify(says=in_own_words(error.says), at=""), 507
    return render_template("error.html", title=_says(507), code=507, says=error.says), 507


def _says(code: int) -> str:
    known = f"error.{code}" in languages()[DEFAULT].words
    return say(f"error.{code}" if known else "error.title", mb=MOST_PHOTO_BYTES >> 20)


def _refused(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    if code < 400:
        return error
    if request.method != "GET":
        return jsonify(says=_says(code), at=""), code
    if code == 421:
        return Response("This is not a name of this table. Use its address.\n", mimetype="text/plain"), code
    if isinstance(error, NoGame):
        return render_template("no_game.html"), code
    return render_template("error.html", title=_says(code), code=code, says=""), code
