"""The rules protocol: one JSON request a line, one JSON answer a line, so that any program can use the engines."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from random import Random
from typing import Any

from pydantic import Field

from companion.border import Shape, read_shape
from companion.game import AnyGame, Unreadable, advice, judge, legal_moves, perft, start
from companion.registry import game_named
from companion.scoring import Scoresheet


class _Asked(Shape):
    do: str
    position: dict[str, Any]


class _AskedMove(_Asked):
    move: str


class _AskedAdvice(_Asked):
    seconds: float = Field(default=1.0, ge=0, le=60, allow_inf_nan=False)


class _AskedPerft(_Asked):
    depth: int = Field(ge=0)


class _AskedStart(Shape):
    do: str
    game: str
    players: list[str] | None = None
    options: dict[str, str] = Field(default_factory=dict)
    seed: int | None = None
    """Deals the same cards again; without it the deal is random."""


def answers(lines: Iterable[bytes]) -> Iterator[str]:
    """Answer every line; one that cannot be read or served gets an ``error`` and the next is still served."""
    for line in lines:
        yield json.dumps(answer(line))


def answer(line: bytes | str) -> dict[str, Any]:
    """Answer one request."""
    try:
        return serve(_parsed(line))
    except Unreadable as unreadable:
        return {"error": unreadable.says, "at": unreadable.at}
    except RecursionError:
        return {"error": "the request is nested too deeply", "at": ""}
    except Exception as defect:  # the next line must be served whatever happened to this one
        return {"error": f"the companion failed at this request ({type(defect).__name__}: {defect})", "at": ""}


def serve(request: Any) -> dict[str, Any]:
    """Serve one parsed request; raises `Unreadable` for what cannot be served."""
    if not isinstance(request, dict):
        raise Unreadable("a request is an object with the key 'do'")
    do = request.get("do")
    if not isinstance(do, str) or do not in _SERVED:
        raise Unreadable(f"'do' is one of {', '.join(_SERVED)}", "do")
    return _SERVED[do](request)


def read_position(given: dict[str, Any]) -> tuple[AnyGame, Any]:
    """The game and state of a position; an earlier answer that holds one may be handed back as it is."""
    if given.keys() == {"position"} and isinstance(given["position"], dict):
        given = given["position"]
    name = given.get("game")
    if not isinstance(name, str):
        raise Unreadable("a position names its game under 'game'", "position.game")
    game = game_named(name)
    try:
        return game, game.read_position(given)
    except Unreadable as unreadable:
        raise Unreadable(unreadable.says, f"position.{unreadable.at}".rstrip(".")) from None


def written_score(sheet: Scoresheet) -> dict[str, Any]:
    """Points by player, and every item with its rule."""
    return {"points": sheet.points, "items": [asdict(item) for item in sheet.items]}


def _parsed(line: bytes | str) -> Any:
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except UnicodeDecodeError:
        raise Unreadable("the line is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"the line is not JSON: {error.msg}", f"column {error.colno}") from None
    except ValueError as error:
        raise Unreadable(f"the line is not JSON: {error}", "") from None


def _refuse_constant(word: str) -> Any:
    raise Unreadable(f"{word} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise Unreadable(f"the key {twice!r} stands twice", twice)
    return found


def _legal(request: Any) -> dict[str, Any]:
    game, state = read_position(read_shape(_Asked, request).position)
    return {"moves": sorted(game.write_move(move, state) for move in legal_moves(game, state))}


def _apply(request: Any) -> dict[str, Any]:
    asked = read_shape(_AskedMove, request)
    game, state = read_position(asked.position)
    move = game.read_move(asked.move, state)
    ruling = judge(game, state, move)
    if not ruling.legal:
        raise Unreadable(f"{asked.move} is illegal by {ruling.rule}: {ruling.says}", "move")
    return {"position": game.write_position(game.play(state, move))}


def _judge(request: Any) -> dict[str, Any]:
    asked = read_shape(_AskedMove, request)
    game, state = read_position(asked.position)
    ruling = judge(game, state, game.read_move(asked.move, state))
    said = {"legal": ruling.legal, "rule": ruling.rule, "says": ruling.says, "places": list(ruling.places)}
    return said | ({"silent": True} if ruling.silent else {})


def _score(request: Any) -> dict[str, Any]:
    game, state = read_position(read_shape(_Asked, request).position)
    return written_score(game.score(state))


def _outcome(request: Any) -> dict[str, Any]:
    game, state = read_position(read_shape(_Asked, request).position)
    outcome = game.outcome(state)
    return {"winner": outcome.winner, "draw": outcome.draw, "rule": outcome.rule, "says": outcome.says}


def _advise(request: Any) -> dict[str, Any]:
    asked = read_shape(_AskedAdvice, request)
    game, state = read_position(asked.position)
    best = advice(game, state, asked.seconds, time.monotonic)
    moves = [{"move": game.write_move(a.move, state), "gain": a.gain, "because": a.because} for a in best]
    return {"moves": moves}


def _perft(request: Any) -> dict[str, Any]:
    asked = read_shape(_AskedPerft, request)
    game, state = read_position(asked.position)
    return {"nodes": perft(game, state, asked.depth)}


def _start(request: Any) -> dict[str, Any]:
    asked = read_shape(_AskedStart, request)
    game = game_named(asked.game)
    return {"position": game.write_position(start(game, asked.players, asked.options, Random(asked.seed)))}


_SERVED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "legal": _legal,
    "apply": _apply,
    "judge": _judge,
    "score": _score,
    "outcome": _outcome,
    "advise": _advise,
    "perft": _perft,
    "start": _start,
}
