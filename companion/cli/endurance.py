"""How long and how cheaply a table can be watched: the cost of an idle frame, and a day of frames without growth."""

import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress

from companion.cli import paper

A_DAY = 864_000
"""Frames of 24 hours at ten a second."""
_RATE = 10.0
_HANGING_SECONDS = 900.0
"""A program that has not come to its end by then hangs; how quick the machine is does not count."""


@click.command("watching")
@click.option("--frames", type=click.IntRange(10), default=500, show_default=True)
@click.option("--within", type=click.FloatRange(0.1), default=8.0, show_default=True, help="Milliseconds allowed.")
def bench_watching(frames: int, within: float) -> None:
    """What a frame of 1640x1232 costs while nothing happens at the table."""
    from companion.registry import game_named
    from vision.settle import Settling
    from vision.studio.sim import SimulatedTable, Wishes

    taken = list(islice(SimulatedTable(game_named("zhizhu"), Wishes(seed=1)), 15))
    settling, costs = Settling(), []
    for number, frame in enumerate(islice(cycle(taken), frames)):
        began = time.process_time()
        settling.take(type(frame)(frame.pixels, number / _RATE, number))
        costs.append((time.process_time() - began) * 1000)
    costs.sort()
    middle, tail = costs[len(costs) // 2], costs[int(len(costs) * 0.95)]
    click.echo(f"an idle frame of 1640x1232 costs {middle:.2f} ms of processor time, 95 % at most {tail:.2f} ms")
    if tail > within:
        raise click.ClickException(f"an idle frame may cost {within:g} ms")


@click.command("memory")
@click.option("--game", "name", default="zhizhu", show_default=True)
@click.option("--moves", type=click.IntRange(1), default=10, show_default=True, help="How many are watched.")
@click.option("--most", type=click.FloatRange(1), default=300.0, show_default=True, help="Megabytes allowed.")
def bench_memory(name: str, moves: int, most: float) -> None:
    """What `companion watch` takes, and the process of its camera, while a game of 1640x1232 pixels goes on."""
    from companion.registry import game_named
    from vision.studio.broadcast import broadcast, when_ready
    from vision.studio.sim import SimulatedTable, Wishes

    program = camera = 0.0
    with tempfile.TemporaryDirectory() as state, ExitStack() as stack:
        table = SimulatedTable(game_named(name), Wishes(seed=1, live=True))
        address = stack.enter_context(broadcast(when_ready(table, partial(_has_begun, Path(state)))))
        stack.enter_context(paper.console.status("watching"))
        command = [sys.executable, "-m", "companion", "watch", "--source", address, "--state", state]
        watching = subprocess.Popen([*command, "--moves", str(moves)], stdout=subprocess.DEVNULL)
        end = time.monotonic() + _HANGING_SECONDS
        while watching.poll() is None and time.monotonic() < end:
            program = max(program, _resident_mb(watching.pid))
            camera = max(camera, sum(map(_resident_mb, _children(watching.pid))))
            time.sleep(0.2)
        watching.kill()
        watching.wait()
    click.echo(
        f"{moves} moves of {name}: the program at most {program:.0f} MB, the process of its camera {camera:.0f} MB"
    )
    if watching.returncode or program > most:
        raise click.ClickException(f"the program may take {most:g} MB, and must come to its end")


def _has_begun(state: Path) -> bool:
    """Whether a game is in the record."""
    from companion.store import Reader

    if not (state / "record.db").exists():
        return False
    with Reader(state) as reader:
        return bool(reader.games())


def _children(pid: int) -> list[str]:
    with suppress(OSError):  # a thread may just have ended
        threads = Path(f"/proc/{pid}/task").glob("*/children")
        return [child for thread in threads for child in thread.read_text().split()]
    return []


@click.command("soak")
@click.option("--frames", type=click.IntRange(1000), default=A_DAY, show_default=True, help="24 hours by default.")
@click.option("--game", "name", default="zhizhu", show_default=True)
@click.option("--most", type=click.FloatRange(1), default=300.0, show_default=True, help="Megabytes allowed.")
@click.option("--growth", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Megabytes it may grow by.")
def bench_soak(frames: int, name: str, most: float, growth: float) -> None:
    """A day of frames as fast as they go: rests, hands and reads in turn, over and over, and what memory it takes."""
    from companion.cli.following import Following
    from companion.cli.watch import reader_of
    from companion.evidence import Evidence
    from companion.live import Camera, Table
    from companion.registry import game_named
    from companion.store import Store
    from vision.frame import Frame

    # Drawn elsewhere, so that only what watching takes is measured.
    with paper.console.status("drawing"), ProcessPoolExecutor(1, get_context("spawn")) as pool:
        scenes = pool.submit(_scenes, name).result()
    # A quiet minute; then a hand lays a tile and takes it back, which is read, told and voided.
    minute = [scenes[0]] * 560 + scenes + [scenes[-1]] * 10 + scenes[::-1]
    held_mb = sum(scene.nbytes for scene in scenes) / 1e6
    reader, sizes = reader_of(game_named(name)), []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        table = Table(store, camera=Camera.SETTLING)
        following = Following(table, lambda game: reader, evidence=Evidence(Path(folder) / "evidence"))
        with Progress(console=paper.console, transient=True) as progress:
            task = progress.add_task("watching", total=frames)
            for number, pixels in enumerate(islice(cycle(minute), frames), start=1):
                following.take(Frame(pixels, number / _RATE, number))
                if number % max(1, frames // 12) == 0:
                    sizes.append(_resident_mb() - held_mb)
                    progress.console.print(f"{number:>8} frames, {table.now.number:>5} events, {sizes[-1]:.0f} MB")
                progress.update(task, completed=number)
        told = table.now.number
        table.close()
    grown = sizes[-1] - sizes[len(sizes) // 3]
    click.echo(f"{frames} frames, {told} events, {sizes[-1]:.0f} MB, grown by {grown:+.1f} MB after the first third")
    if grown > growth or sizes[-1] > most:
        raise click.ClickException(f"memory may grow by {growth:g} MB and reach {most:g} MB")


def _scenes(name: str) -> list[Any]:
    """A few pictures of a table, of a hand that lays a tile there, and of the table after it."""
    from companion.registry import game_named
    from vision.studio.sim import SimulatedTable, Wishes

    simulated = SimulatedTable(game_named(name), Wishes(seed=1, rate=5.0))
    drawn = [frame.pixels for frame in islice(simulated, 22)]
    return drawn[8:]


def _resident_mb(pid: int | str = "self") -> float:
    """What a process has in memory now, libraries and all; nothing when it has just ended."""
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    return 0.0


BENCHES = (bench_watching, bench_memory, bench_soak)
