"""The doctor: looks at this machine, says what is wrong and what to do, and packs what helps others to help."""

import json
import random
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

import companion
from companion.cli import paper
from companion.cli.configuration import KEYS, PROGRAM, Settled
from companion.cli.configured import configured
from companion.cli.serve import lan_address
from companion.cli.tiles import own_faults
from companion.doctor import bundle, camera, kept, machine, network
from companion.doctor.finding import Finding, State, absent, broken, good, look
from companion.game import legal_moves, start
from companion.registry import game_named

EXTRAS = ("vision", "print")
SLOW_READ_MS = 1000
"""A table that takes longer to read than hands take to move on is no help."""

_STYLES = {State.GOOD: "green", State.LOOK: "yellow", State.BROKEN: "bold red", State.ABSENT: "dim"}


@click.command()
@configured(*KEYS)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option(
    "--bundle",
    "archive",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a support archive (.zip) here: no secrets, no players' names, no pictures.",
)
def doctor(told: Settled, as_json: bool, archive: Path | None) -> None:
    """Check this machine and say what to do; exit status 1 if something is broken."""
    findings = []
    with paper.console.status("looking") as status:
        for check in checks(told):
            findings.append(check())
            status.update(f"looked at {findings[-1].name}")
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings]))
    else:
        paper.console.print(_shown(findings))
    if archive is not None:
        _write(archive, findings, told)
    sys.exit(any(finding.state is State.BROKEN for finding in findings))


def checks(told: Settled) -> Iterator[Callable[[], Finding]]:
    """All checks, the quick ones first."""
    wanted = told.configuration
    local = f"{socket.gethostname().split('.')[0]}.local"
    yield machine.architecture
    yield machine.python
    yield lambda: machine.packages(requires(PROGRAM) or (), EXTRAS)
    yield lambda: configuration(told)
    yield lambda: camera.seen(wanted.source)
    yield lambda: camera.permission(wanted.source)
    yield lambda: camera.picamera2(wanted.source)
    yield machine.power
    yield lambda: machine.disk(wanted.state, wanted.evidence_mb * 1_000_000)
    yield machine.memory
    yield lambda: machine.clock(Path(companion.__file__).stat().st_mtime)
    yield lambda: network.address(lan_address())
    yield lambda: network.name(local)
    yield lambda: network.port(wanted.host, wanted.port)
    yield lambda: kept.record(wanted.state)
    yield lambda: kept.table(wanted.state)
    yield networks
    yield lambda: speed(wanted.threads)


def configuration(told: Settled) -> Finding:
    """Whether the file of settings can be meant, and those of players' own tiles."""
    if faults := own_faults():
        return broken("settings", "; ".join(faults), "put the file right; `companion tiles GAME` looks at it alone")
    if told.file.faults:
        return broken("settings", told.file.says(), "put the file right; `companion config check` looks at it alone")
    return good("settings", f"{told.file.path} is sound" if told.file.path.exists() else "all by default, no file")


def networks() -> Finding:
    """Whether the networks are what was trained."""
    from models import intact

    files = intact()
    if not files:
        return absent("networks", "this version comes without trained networks")
    if damaged := [name for name, whole in files.items() if not whole]:
        return broken("networks", f"missing or damaged: {', '.join(damaged)}", "install the companion again")
    return good("networks", f"{', '.join(files)} intact (SHA-256)")


def speed(threads: int) -> Finding:
    """How long a read of a photographed table takes on this machine."""
    if find_spec("cv2") is None or find_spec("onnxruntime") is None or networks().state is not State.GOOD:
        return absent("speed", "this installation cannot read pictures")
    try:
        milliseconds = _read_ms(threads)
    except Exception as error:  # whatever keeps a picture from being read is the finding
        return broken("speed", f"a picture could not be read: {error}", "install the companion again")
    says = f"a picture of 1640x1232 is read in {milliseconds:.0f} ms by {threads} threads"
    if milliseconds > SLOW_READ_MS:
        return look("speed", says, "stop other programs, see to power and heat, set `threads` to the processor's cores")
    return good("speed", says)


def _read_ms(threads: int, times: int = 5) -> float:
    from vision.frame import Frame
    from vision.reader import Reader
    from vision.studio.render import photograph

    game, rng = game_named("zhizhu"), random.Random(1)
    state = start(game)
    for _ in range(12):
        state = game.play(state, rng.choice(legal_moves(game, state)))
    pixels, _ = photograph(game, state, 1, False, (1640, 1232), ground_kind="mat")
    reader, frame = Reader(game, threads=threads), Frame(pixels, 0.0, 0)
    reader.read(frame)  # the first one also warms up
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        reader.read(frame)
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def _shown(findings: list[Finding]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("", "looked at", "found"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        said = Text(finding.says)
        if finding.do:
            said.append(f"\nDo: {finding.do}", "bold")
        table.add_row(Text(finding.state, _STYLES[finding.state]), finding.name, said)
    return table


def _write(archive: Path, findings: list[Finding], told: Settled) -> None:
    values = told.configuration.model_dump(mode="json")
    if "://" in values["source"]:  # an address may hold a password, in more than one way
        values["source"] = values["source"].partition("://")[0]
    settings = {key: {"value": values[key], "from": told.origins[key]} for key in KEYS}
    try:
        bundle.write_bundle(archive, findings, {"faults": told.file.says(), **settings}, told.configuration.state)
    except OSError as error:
        raise click.ClickException(f"{archive}: {error.strerror}; name a file in a folder you may write.") from None
    click.echo(f"{archive} is written: it holds no secrets, no players' names and no pictures.", err=True)


COMMANDS = (doctor,)
