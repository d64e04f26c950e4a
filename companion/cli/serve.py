"""The program itself: a table, its page on the local network, and what plays or watches there."""

import logging
import os
import signal
import socket
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Timer
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
import segno

from companion import notify
from companion.cli.configuration import KEYS, Configuration, Settled, camera_source
from companion.cli.configured import configured
from companion.cli.tiles import own_faults
from companion.config import Settings
from companion.demo import Demo
from companion.doctor.bundle import leave_out
from companion.doctor.network import refused
from companion.evidence import FOLDER, Evidence
from companion.eyes import Eyes
from companion.game import Unreadable
from companion.images import MOST_BYTES
from companion.live import Camera, Table
from companion.registry import game_named
from companion.store import Store

if TYPE_CHECKING:
    from flask import Flask

    from web.house import PrintSheets

THREADS = 280
"""Every phone that watches holds one; the rest answer all other requests."""
LONGEST_LEAVE_SECONDS = 12.0
"""Less than systemd waits (`TimeoutStopSec`)."""
_DEMO = "demo"
_NO_CAMERA = ("none", "manual", _DEMO)
_APART = {_DEMO: "demo", "sim": "simulated"}


@click.command()
@configured(*KEYS)
@click.option("--owner", is_flag=True, help="Make another one-time owner link.")
@click.option("--pause", type=click.FloatRange(0), default=2.0, show_default=True, help="Seconds between demo moves.")
def serve(told: Settled, owner: bool, pause: float) -> None:
    """Serve the table's page to every phone on the network."""
    told = _within_reach(told)
    wanted = told.configuration
    if taken := refused(wanted.host, wanted.port):
        says = f"Port {wanted.port}: {taken.strerror}. Take another --port; companion doctor says more."
        raise click.ClickException(says)
    # A file that is broken may have named another camera: the page says so, and moves are told by hand.
    source = "none" if _broken(told) else wanted.source
    # What nobody plays has a record of its own, so that it never stands between your games.
    folder = wanted.state / _APART.get(source.partition(":")[0], "")
    with ExitStack() as closing:
        table, evidence = _open_table(closing, folder, wanted.evidence_mb)
        told, eyes = _open_eyes(closing, told, table, evidence, source)
        told = _use_set(told, eyes)
        settings = Settings(folder)
        if owner:
            settings.renew_owner_link()
        server = _listen(_page(told, table, settings, eyes, demo=source == _DEMO), wanted.host, wanted.port)
        addresses = _addresses(wanted.host, server.effective_port)
        _announce(told, settings, addresses)
        if source == _DEMO:
            demo = Demo(table, wanted.game or "zhizhu", pause_seconds=pause)
            demo.start()
            closing.callback(demo.stop)
        _answer(server, table, addresses[0])


def _broken(told: Settled) -> str:
    """What is wrong with the settings and with what players wrote of their own tiles; empty when all is well."""
    return "; ".join(filter(None, (told.file.says(), *own_faults())))


def _within_reach(told: Settled) -> Settled:
    """Every address of this machine instead of one of the file's that is none: else nobody could see what is wrong."""
    wrong = refused(told.configuration.host, 0)
    if wrong is None:
        return told
    told = told.refuse("host", f"{wrong.strerror}; leave it out, and the page is at every address of this machine")
    everywhere = Configuration.model_fields["host"].default
    return replace(told, configuration=told.configuration.model_copy(update={"host": everywhere}))


def _open_table(closing: ExitStack, folder: Path, evidence_mb: int) -> tuple[Table, Evidence]:
    """The table as its record left it, and the pictures that belong to it."""
    store = closing.enter_context(Store(folder))
    for sentence in store.said:
        click.echo(sentence)
    evidence = Evidence(folder / FOLDER, evidence_mb * 1_000_000)
    return Table(store, picture=lambda game, event: _picture(store, evidence, game, event)), evidence


def _open_eyes(
    closing: ExitStack, told: Settled, table: Table, evidence: Evidence, source: str
) -> tuple[Settled, Eyes | None]:
    """What reads pictures, where anything can; a camera that the file names and nobody knows is a fault of the file."""
    wanted = told.configuration
    if source in _NO_CAMERA:
        return told, _read_photos(wanted)
    table.show_camera(Camera.SETTLING)
    try:
        eyes = _watch(closing, table, evidence, wanted)
    except Unreadable as wrong:
        table.show_camera(Camera.MANUAL)
        return told.refuse("source", leave_out(wrong.says, ())), _read_photos(wanted)
    return told, eyes


def _use_set(told: Settled, eyes: Eyes | None) -> Settled:
    """Read with the players' own tiles; a set that the file names and nobody enrolled is a fault of the file."""
    wanted = told.configuration
    if eyes is None or wanted.set is None:
        return told
    try:
        if wanted.game is None:
            raise Unreadable("a set is of one game: set `game` too")
        eyes.use_set(wanted.game, wanted.set)
    except Unreadable as wrong:
        told = told.refuse("set", wrong.says)
        eyes.pause(True)  # with the printed tiles in mind, others would all be misread
    return told


def _page(told: Settled, table: Table, settings: Settings, eyes: Eyes | None, *, demo: bool) -> "Flask":
    from web import create_app

    wanted = told.configuration
    return create_app(
        table,
        settings,
        addresses=_addresses(wanted.host, wanted.port),
        names=(_local_name(), *wanted.names),
        print_sheets=_printer(),
        demo=demo,
        language=wanted.language or "",
        broken_file=_broken(told),
        eyes=eyes,
    )


def _listen(app: "Flask", host: str, port: int) -> Any:
    """A server with a thread for every phone that watches, and room for photos."""
    from waitress.server import create_server

    logging.getLogger("waitress").addFilter(_still_there)
    return create_server(
        app,
        host=host,
        port=port,
        threads=THREADS,
        connection_limit=2 * THREADS,
        asyncore_use_poll=True,
        max_request_body_size=MOST_BYTES + 1,
        channel_timeout=60,
        ident=None,
    )


def _answer(server: Any, table: Table, address: str) -> None:
    """Answer whoever asks, until somebody stops the companion."""
    pulse = notify.Pulse(table.settle, lambda: _turn(server))
    with suppress(KeyboardInterrupt):
        _leave_on_signals(table, pulse)
        pulse.start()
        notify.tell("READY=1", f"STATUS=The page is at {address}")
        server.run()
    server.close()


def _announce(told: Settled, settings: Settings, addresses: tuple[str, ...]) -> None:
    """Where the page is; a journal is kept, and others read it, so it gets no pictures and no secrets."""
    if broken := _broken(told):
        click.echo(f"Safe mode, without a camera: {broken}", err=True)
    if notify.to_journal():
        click.echo(f"The page is at {' and '.join(addresses)}")
    else:
        _greet(settings, addresses)
        click.echo("  Stop with Ctrl-C.")


@click.command()
@configured("host", "port", "state")
@click.option("--owner", is_flag=True, help="Make another one-time owner link; stop the companion first.")
def address(told: Settled, owner: bool) -> None:
    """Show the address of the page, its QR code, the PIN, and the owner's link until it was used."""
    wanted = told.configuration
    settings = Settings(wanted.state)
    if owner:
        settings.renew_owner_link()
    _greet(settings, _addresses(wanted.host, wanted.port))


def _watch(closing: ExitStack, table: Table, evidence: Evidence, wanted: Configuration) -> Eyes:
    """Follow the table by a camera, from now until the end, and give the page its eyes."""
    if find_spec("cv2") is None:
        raise click.ClickException("Watching needs the extra vision: install tile-table-companion[vision].")
    from companion.cli.following import FollowingThread
    from companion.cli.watch import following_of, open_table, reader_of
    from vision.eyes import TableEyes
    from vision.own_sets import PlayersSets

    source = camera_source(wanted)
    frames, tell = open_table(source, table)
    following = following_of(table, frames, wanted.game, wanted.players, evidence, wanted.threads)
    thread = FollowingThread(following, frames, tell)
    thread.start()
    closing.callback(thread.stop)
    read = partial(reader_of, threads=wanted.threads)
    return TableEyes(source, following, read, PlayersSets(wanted.state, wanted.threads))


def _read_photos(wanted: Configuration) -> Eyes | None:
    """Without a camera above the table phones' photos are read all the same, where what reads them is installed."""
    if find_spec("cv2") is None or find_spec("onnxruntime") is None:
        return None
    from companion.cli.watch import reader_of
    from vision.eyes import TableEyes
    from vision.no_camera import NoCamera
    from vision.own_sets import PlayersSets

    read = partial(reader_of, threads=wanted.threads)
    return TableEyes("none", NoCamera(), read, PlayersSets(wanted.state, wanted.threads))


def lan_address() -> str:
    """The address by which others on the network reach this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _local_name() -> str:
    return f"{socket.gethostname().split('.')[0]}.local"


def _addresses(host: str, port: int) -> tuple[str, ...]:
    end = "" if port == 80 else f":{port}"
    if host not in ("0.0.0.0", "::", ""):
        return (f"http://{f'[{host}]' if ':' in host else host}{end}/",)
    return f"http://{lan_address()}{end}/", f"http://{_local_name()}{end}/"


def _greet(settings: Settings, addresses: tuple[str, ...]) -> None:
    """The address, its QR code, and on the first start how to own the table."""
    segno.make(addresses[0], error="m").terminal(compact=True)
    click.echo(f"  Open {click.style(addresses[0], bold=True)}" + "".join(f"  or {other}" for other in addresses[1:]))
    click.echo(f"  PIN for players: {click.style(settings.now.pin, bold=True)}")
    if settings.now.owner_link:
        click.echo(f"  Owner's link (works once): {addresses[0]}owner/{settings.now.owner_link}")


def _leave_on_signals(table: Table, pulse: notify.Pulse) -> None:
    """Let the listeners go first: a server waits for its threads, and they for the table."""

    def leave(number: int, frame: FrameType | None) -> None:
        notify.tell("STOPPING=1")
        # What still hangs then, in a driver or a search, would be killed: every move is on the disk by then.
        late = Timer(LONGEST_LEAVE_SECONDS, os._exit, [0])
        late.daemon = True
        late.start()
        pulse.stop()
        table.close()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def _turn(server: Any) -> None:
    """Wait until the server's loop has come round: it must be alive, however many phones it serves."""
    came_round = Event()
    server.trigger.pull_trigger(came_round.set)
    came_round.wait()


def _still_there(record: logging.LogRecord) -> bool:
    """A phone that hung up is no error; waitress stumbles over one that never said what it wanted."""
    from waitress.channel import ClientDisconnected

    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error and (error.__context__ or error), ClientDisconnected)


def _picture(store: Store, evidence: Evidence, game: int, event: int) -> bytes | None:
    path = evidence.path(store.game(game).identity, event)
    return path.read_bytes() if path is not None else None


def _printer() -> "PrintSheets | None":
    """Prints a bundle of a game's sheets, where the library for PDF is installed."""
    if find_spec("fpdf") is None:
        return None
    from companion.printing import print_sheets
    from companion.sheets import PAPERS, bundles

    def printed(name: str, bundle: str, paper: str, speak: Callable[[str], str]) -> bytes:
        game = game_named(name)
        names = (bundle,) if bundle != "board" else tuple(each.name for each in bundles(game, PAPERS[paper])[1:2])
        with tempfile.TemporaryDirectory() as folder:
            (path,) = print_sheets(game, paper, Path(folder), only=names, speak=speak)
            return path.read_bytes()

    return printed


COMMANDS = (serve, address)
