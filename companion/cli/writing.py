"""A measurement of what a day of play writes to the disk, for an SD card wears out by being written."""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import click
from rich.progress import Progress

from companion.cli import paper
from companion.events import MovePlayed
from companion.evidence import FOLDER, LARGEST_BYTES, Evidence
from companion.game import legal_moves
from companion.live import Table
from companion.registry import game_named, games
from companion.store import Store

DAY_SECONDS = 24 * 60 * 60
ALLOWED_MB = 250
PHOTOS = 4
"""Of each game."""
WARM_MOVES = 300
"""Played before counting: SQLite's log has then reached its size once, and is written over from there on."""


@dataclass(frozen=True, slots=True)
class Written:
    """What so many moves wrote: by this process, and by the whole disk with the file system's own journal."""

    moves: int
    by_us: int
    by_disk: int | None

    def a_day(self, seconds_a_move: float) -> float:
        """Megabytes in 24 hours of a move every so many seconds, by the larger of the two counts."""
        return max(self.by_us, self.by_disk or 0) / self.moves * DAY_SECONDS / seconds_a_move / 1e6


@click.command("writing")
@click.option("--game", "name", default="zhizhu", show_default=True)
@click.option("--moves", type=click.IntRange(10), default=500, show_default=True, help="How many are played.")
@click.option("--each", type=click.FloatRange(0.1), default=30.0, show_default=True, help="Seconds a move takes.")
@click.option("--pause", type=click.FloatRange(0), default=0.0, show_default=True, help="Seconds to wait after each.")
@click.option(
    "--picture",
    type=click.FloatRange(0, LARGEST_BYTES / 1000),
    help="KB of a move's picture; hard photographs of every game if left out.",
)
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path.cwd,
    show_default="here",
    help="Where to write: a folder on the disk that is meant.",
)
@click.option(
    "--disk", default=None, help="Count what reaches this device too, such as mmcblk0; nothing else should write to it."
)
def bench_writing(
    name: str, moves: int, each: float, pause: float, picture: float | None, folder: Path, disk: str | None
) -> None:
    """Play through the real record with a picture a move, count the bytes written, and say what 24 hours would be.

    A file system gathers what comes close together: wait 6 seconds or more after each move to count as in real play.
    """
    pictures = _photographed() if picture is None else [_jpeg(random.Random(1), round(picture * 1000))]
    sizes = sorted(len(jpeg) / 1000 for jpeg in pictures)
    click.echo(f"{len(sizes)} pictures: {statistics.median(sizes):.1f} KB, {sizes[-1]:.1f} at most")
    with tempfile.TemporaryDirectory(dir=folder) as state:
        written = _play(Path(state), name, moves, pause, pictures, disk)
    if not written.by_us:
        raise click.ClickException(f"{folder} is in memory, not on a disk: name another with --folder.")
    day = written.a_day(each)
    with_disk = "" if written.by_disk is None else f", {written.by_disk / moves / 1000:.1f} KB reached {disk}"
    click.echo(f"{moves} moves: {written.by_us / moves / 1000:.1f} KB a move, picture and all{with_disk}")
    click.echo(f"24 hours of a move every {each:g} s: {day:.0f} MB (allowed: {ALLOWED_MB})")
    if day > ALLOWED_MB:
        raise click.ClickException(f"this is more than {ALLOWED_MB} MB a day")


def _play(state: Path, name: str, moves: int, pause: float, pictures: Sequence[bytes], disk: str | None) -> Written:
    with Store(state) as store, Progress(console=paper.console, transient=True) as progress:
        table, evidence, rng = Table(store), Evidence(state / FOLDER), random.Random(1)
        for _ in range(WARM_MOVES):
            _move(table, name, rng)
        os.sync()
        before, before_disk = _by_us(), _by_disk(disk) if disk else 0
        for _, picture in zip(progress.track(range(moves)), cycle(pictures), strict=False):
            number = _move(table, name, rng)
            evidence.keep(store.games()[-1].identity, number, picture)
            time.sleep(pause)
        table.close()
        os.sync()
        return Written(moves, _by_us() - before, _by_disk(disk) - before_disk if disk else None)


def _move(table: Table, name: str, rng: random.Random) -> int:
    """A move by lot, in another game where one is over; answers the number of its event."""
    standing, game = table.now.standing, game_named(name)
    if standing is None or standing.outcome.over or len(standing.moves) >= 80:
        table.begin(name, game.seats[min(game.seats)], {}, {}, f"writing-{rng.getrandbits(64):016x}")
        standing = table.now.standing
    assert standing is not None
    move = rng.choice(legal_moves(game, standing.state))
    told = MovePlayed(game.to_move(standing.state), game.write_move(move, standing.state), "camera")
    return table.tell(told, f"writing-{rng.getrandbits(64):016x}").number


def _photographed() -> list[bytes]:
    """The evidence that tables of every game leave, photographed as badly as a real home has it."""
    from vision.frame import Frame
    from vision.judging import any_position
    from vision.pictures import evidence_picture
    from vision.plane import NoPlane
    from vision.reader import Reader
    from vision.studio.render import photograph

    kept = []
    for game, seed in ((game_named(name), seed) for name in games() for seed in range(PHOTOS)):
        pixels, _ = photograph(game, any_position(game, seed), seed, True, ground_kind="mat", hands=0)
        with suppress(NoPlane):
            frame = Frame(pixels, 0.0, 0)
            kept.append(evidence_picture(frame, Reader(game).read(frame), game))
    return kept


def _jpeg(rng: random.Random, size: int) -> bytes:
    """So many bytes that the evidence takes for a picture, and that no disk can make smaller."""
    return b"\xff\xd8\xff" + rng.randbytes(max(0, size - 5)) + b"\xff\xd9"


def _by_us() -> int:
    """The bytes this process had the disk write, by Linux's account."""
    try:
        counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    except OSError:
        raise click.ClickException("Only Linux counts what a process writes (/proc/self/io).") from None
    return int(counts["write_bytes"])


def _by_disk(name: str) -> int:
    """The bytes that reached a device since it was started."""
    try:
        return int(Path("/sys/class/block", name, "stat").read_text().split()[6]) * 512
    except OSError:
        raise click.ClickException(f"There is no device {name}: `lsblk` lists them.") from None
