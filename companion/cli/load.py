"""Measurements of the page under load: many phones on the stream, and very many malformed requests."""

import http.client
import json
import random
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress

from companion.cli import paper
from companion.config import Settings
from companion.game import legal_moves, start
from companion.live import Table
from companion.registry import game_named
from companion.store import Store

_HOST = "127.0.0.1"
_NUMBER = re.compile(rb'"number": (\d+)')


@dataclass(slots=True)
class _Listener:
    """A phone on the stream: which events it has heard of, and when."""

    line: socket.socket
    heard: dict[int, float] = field(default_factory=dict)
    waiting: bytes = b""

    def take(self) -> None:
        self.waiting += self.line.recv(1 << 18)
        now = time.perf_counter()
        *messages, self.waiting = self.waiting.split(b"\n\n")
        for message in messages:
            if found := _NUMBER.search(message[:400]):
                self.heard.setdefault(int(found[1]), now)


class _Owner:
    """Whoever makes the moves, over one connection."""

    def __init__(self, port: int, link: str) -> None:
        self._line, self._port, self._cookie, self._count = http.client.HTTPConnection(_HOST, port), port, "", 0
        self.send("/api/claim", {"link": link}, plain=True)

    def send(self, path: str, body: dict[str, Any], plain: bool = False) -> Any:
        self._count += 1
        told = body if plain else {**body, "request": f"load-{time.time_ns()}"}
        headers = {
            "Origin": f"http://{_HOST}:{self._port}",
            "X-Companion": "1",
            "Content-Type": "application/json",
            "Cookie": self._cookie,
        }
        self._line.request("POST", path, json.dumps(told), headers)
        answer = self._line.getresponse()
        self._cookie = (answer.getheader("Set-Cookie") or self._cookie).split(";")[0]
        said = json.loads(answer.read())
        if answer.status != 200:
            raise click.ClickException(f"{path} answered {answer.status}: {said}")
        return said


@click.command("stream")
@click.option("--phones", type=click.IntRange(1, 270), default=200, show_default=True)
@click.option("--seconds", type=click.IntRange(1), default=60, show_default=True)
@click.option("--each", type=click.FloatRange(0.05), default=0.5, show_default=True, help="Seconds between moves.")
@click.option("--within", type=click.FloatRange(1), default=250.0, show_default=True, help="Milliseconds allowed.")
def bench_stream(phones: int, seconds: int, each: float, within: float) -> None:
    """Many phones on the stream: is every move delivered, and how long after it was told?"""
    with _server() as (port, state, said):
        owner = _Owner(port, json.loads((state / "table.json").read_text())["owner_link"])
        owner.send("/api/begin", {"game": "zhizhu", "players": ["white", "black"]})
        listeners = [_Listener(_listen(port)) for _ in range(phones)]
        told = _play(owner, listeners, seconds, each)
        for listener in listeners:
            listener.line.close()
    delays = sorted((x.heard[n] - when) * 1000 for x in listeners for n, when in told.items() if n in x.heard)
    missed = len(told) * phones - len(delays)
    tail = delays[int(len(delays) * 0.99)] if delays else float("inf")
    median = statistics.median(delays) if delays else float("inf")
    click.echo(
        f"{phones} phones, {len(told)} moves, {missed} not delivered; median {median:.0f} ms, 99 % {tail:.0f} ms"
    )
    if missed or tail > within or "Traceback" in said():
        raise click.ClickException(f"not every move reached every phone within {within:.0f} ms")


@click.command("border")
@click.option("--requests", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def bench_border(requests: int, seed: int) -> None:
    """Very many malformed requests: none may be answered with an error of ours."""
    rng, routes, statuses = random.Random(seed), _routes(), Counter[str]()
    with _server() as (port, state, said):
        owner = _Owner(port, json.loads((state / "table.json").read_text())["owner_link"])
        owner.send("/api/begin", {"game": "zhizhu", "players": ["white", "black"]})
        with Progress(console=paper.console, transient=True) as progress:
            for _ in progress.track(range(requests)):
                sent = _malformed(rng, routes, port, owner._cookie)
                status = _answer(port, sent)
                statuses[status] += 1
                if status.startswith("5"):
                    raise click.ClickException(f"answered {status} to {sent!r}")
    click.echo("  ".join(f"{status}: {count}" for status, count in sorted(statuses.items())))
    if "Traceback" in said():
        raise click.ClickException(said()[-2000:])


@contextmanager
def _server() -> Iterator[tuple[int, Path, Callable[[], str]]]:
    """The program as people start it, with a record that is thrown away; its port, its state and what it complained."""
    with socket.socket() as free:
        free.bind((_HOST, 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as complaints:
        command = [sys.executable, "-m", "companion", "serve", "--source", "none", "--host", _HOST, "--port", str(port)]
        serving = subprocess.Popen([*command, "--state", folder], stdout=subprocess.DEVNULL, stderr=complaints)

        def said() -> str:
            return kept or ""

        kept = ""
        try:
            _wait_for(port)
            yield port, Path(folder), said
        finally:
            serving.send_signal(signal.SIGTERM)
            serving.wait(20)
            complaints.seek(0)
            kept = complaints.read().decode(errors="replace")


def _wait_for(port: int) -> None:
    for _ in range(1200):
        with suppress(OSError):
            socket.create_connection((_HOST, port), 1).close()
            return
        time.sleep(0.05)
    raise click.ClickException("the server did not start")


def _listen(port: int) -> socket.socket:
    line = socket.create_connection((_HOST, port))
    line.sendall(f"GET /stream HTTP/1.1\r\nHost: {_HOST}:{port}\r\n\r\n".encode())
    return line


def _play(owner: _Owner, listeners: list[_Listener], seconds: int, each: float) -> dict[int, float]:
    """Random games, and when each of their events was told."""
    picked = selectors.DefaultSelector()
    for listener in listeners:
        picked.register(listener.line, selectors.EVENT_READ, listener)
    _hear(picked, 3.0)
    told: dict[int, float] = {}
    game, rng = game_named("zhizhu"), random.Random(1)
    state, end = start(game), time.perf_counter() + seconds
    while time.perf_counter() < end:
        player = game.to_move(state)
        if player is None:
            break
        move = rng.choice(legal_moves(game, state))
        before = time.perf_counter()
        number = owner.send("/api/move", {"move": game.write_move(move, state), "player": player})["number"]
        told[number] = before
        state = game.play(state, move)
        _hear(picked, max(0.0, each - (time.perf_counter() - before)))
    _hear(picked, 2.0)
    return told


def _hear(picked: selectors.BaseSelector, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        for key, _ in picked.select(left):
            key.data.take()


_FILLED = {"game": "zhizhu", "bundle": "tiles", "paper": "a4", "name": "style.css"}
_NUMBERED = {"game": "1", "number": "2"}
"""What stands for the words and the numbers of a route; any other word is an x."""
_WORDS = (
    "at", "move", "adds", "item", "place", "tile", "owner", "facing", "nothing", "typed", "words", "game", "players",
    "show", "changed", "set", "number", "lot", "look", "corners", "near",
)  # fmt: skip
_VALUES = (
    b"a1", b"", b"%00", b"%ff", b"-1", b"9" * 40, b"%F0%9F%98%80", b"{}", b"' OR 1=1", b"../../etc/passwd", b"<p>",
    b"x" * 900, b"a1-a2xb1", b"zhizhu", b"white", b"1e9", b"%ED%A0%80", b"0", b"1", b"3", b"piece", b"white:piece",
    b"0,0,1,0,1,1,0,1", b"0,0,1,0,nan,1,0,inf", b"Ours",
)  # fmt: skip
_ID = b'{"request":"12345678"'
_BODIES = (
    b"", b"{}", b"[]", b"null", b"{", b"\xff\xfe\x00", b"[" * 2000, _ID + b"}",
    _ID + b',"move":"a1","player":"white"}',
    _ID + b',"number":-1}',
    _ID + b',"place":"a1","tile":"x","owner":null}',
    _ID + b',"place":"a1","tile":"piece","owner":"red","facing":3}',
    _ID + b',"option":"chains","choice":"\\u0000"}',
    _ID + b',"player":"white","points":1e3}',
    _ID + b',"number":1,"legal":"yes"}',
    _ID + b',"game":"zhizhu","players":["white","white"],"people":{},"options":{}}',
    b'{"request":"\\ud800\\ud800\\ud800\\ud800"}', b'{"pin":"000000"}', b'{"link":"\\u00e9"}', b'{"seat":"\\n"}',
    _ID + b',"facts":[{"kind":"move_voided","move_number":-7},{"kind":"x"}]}',
    _ID + b',"facts":[{"kind":"tile_corrected","place":"a1","piece":{"tile":"x"}}],"question":"\\u0000"}',
    _ID + b',"tiles":["../x","piece"]}', b'{"corners":[[0,0],[1,0],[1,1],[0,1e999]]}', b'{"corners":null}',
    b'{"paused":"no"}', b'{"game":"zhizhu","set":"../../x","tile":"piece","owner":"white"}',
    b'{"game":"zhizhu","set":"Ours","tile":"piece","owner":"white"}', b'{"game":"chess","set":null}',
)  # fmt: skip
_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
_PHOTOS = (
    b"", b"GIF89a" + bytes(300), b"\xff\xd8\xff\xe0" + bytes(400) + b"\xff\xd9", b"\xff\xd8\xff\xdb\x00\x00" * 60,
    _PNG + b"\x00\x00\xff\xff\x00\x00\xff\xff\x08\x02\x00\x00\x00" + bytes(40),
    _PNG + b"\x00\x00\x02\x80\x00\x00\x01\xe0\x08\x02\x00\x00\x00" + bytes(40) + b"IEND\xaeB`\x82",
)  # fmt: skip
_HEADERS = (
    b"Host: evil.example", b"Host: ", b"Host: [::1", b"Cookie: companion=\xff", b"Content-Length: -1",
    b"Origin: null", b"Transfer-Encoding: chunked", b"Content-Type: text/html", b"Accept-Language: \xff;q=x",
    b"Accept-Encoding: gzip;q=x", b"X-Companion:", b"Range: bytes=9-1", b"If-None-Match: \xff",
    b"Content-Encoding: gzip", b"Expect: 100-continue",
)  # fmt: skip
_METHODS = (b"GET", b"GET", b"GET", b"POST", b"HEAD", b"PUT", b"\xff")


@dataclass(frozen=True, slots=True)
class _Route:
    path: bytes
    post: bool
    photo: bool


def _routes() -> tuple[_Route, ...]:
    """Every route of the page but the stream, which is a bench of its own."""
    from web import create_app

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        app = create_app(Table(store), Settings(Path(folder)))
    return tuple(
        _Route(
            _path(rule.rule), "POST" in (rule.methods or ()), hasattr(app.view_functions[rule.endpoint], "most_bytes")
        )
        for rule in app.url_map.iter_rules()
        if rule.rule != "/stream"
    )


def _path(rule: str) -> bytes:
    def filled(found: re.Match[str]) -> str:
        return _NUMBERED[found[2]] if found[1] == "int" else _FILLED.get(found[2], "x")

    return re.sub(r"<(?:([a-z]+)(?:\([^)]*\))?:)?(\w+)>", filled, rule).encode()


def _malformed(rng: random.Random, routes: tuple[_Route, ...], port: int, cookie: str) -> bytes:
    """A request with something wrong with it; often only one thing, so that it comes far."""
    route = rng.choice(routes)
    path = route.path
    query = b"&".join(rng.choice(_WORDS).encode() + b"=" + rng.choice(_VALUES) for _ in range(rng.randrange(4)))
    method = b"POST" if route.post else rng.choice(_METHODS)
    body = rng.choice(_PHOTOS if route.photo else _BODIES) if method == b"POST" else b""
    if body and rng.random() < 0.3:
        at = rng.randrange(len(body))
        body = body[:at] + bytes([rng.randrange(256)]) + body[at + 1 :]
    lines = [method + b" " + path + (b"?" + query if query else b"") + b" HTTP/1.1"]
    lines += [f"Host: {_HOST}:{port}".encode(), f"Origin: http://{_HOST}:{port}".encode(), b"X-Companion: 1"]
    kind = b"image/jpeg" if route.photo else b"application/json"
    lines += [b"Content-Type: " + kind, b"Content-Length: %d" % len(body), b"Connection: close"]
    lines += [f"Cookie: {cookie}".encode()] if rng.random() < 0.8 else []
    if rng.random() < 0.3:
        lines[rng.randrange(len(lines))] = rng.choice(_HEADERS)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _answer(port: int, sent: bytes) -> str:
    """The status of the answer, or that the line was closed or stayed silent."""
    try:
        with socket.create_connection((_HOST, port), 10) as line:
            line.settimeout(2)
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            return line.recv(64).decode("latin-1").partition(" ")[2][:3] or "closed"
    except TimeoutError:
        return "silent"
    except OSError:
        return "closed"


BENCHES = (bench_stream, bench_border)
