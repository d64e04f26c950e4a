"""Measurements that anyone can run again."""

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context

import click
from rich.progress import Progress, TaskID
from rich.table import Table

from companion.bench import measure_rules
from companion.bench_reading import measure_readings
from companion.cli import paper
from companion.match import Tally, play_match, plays_advised, plays_greedily, plays_randomly
from companion.registry import game_named, games


@click.group()
def bench() -> None:
    """Measure speed and strength on this machine."""


@bench.command("rules")
@click.option("--seconds", type=click.FloatRange(0.1), default=2.0, show_default=True, help="How long for each line.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def bench_rules(seconds: float, as_json: bool) -> None:
    """Perft nodes a second of every game, and python-chess's in the same run where it is installed."""
    speeds = []
    with paper.console.status("counting"):
        for speed in measure_rules(seconds):
            speeds.append(speed)
    if as_json:
        click.echo(json.dumps([{**asdict(speed), "per_second": speed.per_second} for speed in speeds]))
        return
    yardstick = next((speed.per_second for speed in speeds if speed.way == "python-chess"), None)
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "from", "counted", "nodes", "nodes a second", "times python-chess"):
        table.add_column(heading, justify="right" if heading.startswith(("nodes", "times")) else "left")
    for speed in speeds:
        ratio = f"{speed.per_second / yardstick:.2f}" if yardstick else "not installed"
        table.add_row(speed.name, speed.position, speed.way, f"{speed.nodes:,}", f"{speed.per_second:,.0f}", ratio)
    paper.console.print(table)


@bench.command("reading")
@click.option("--positions", type=click.IntRange(1), default=12, show_default=True, help="How many for each game.")
@click.option("--seed", type=int, default=1, show_default=True)
def bench_reading(positions: int, seed: int) -> None:
    """Milliseconds from what was seen to what happened, by game and kind of table."""
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "table", "read", "median ms", "worst ms"):
        table.add_column(heading, justify="left" if heading in ("game", "table") else "right")
    with paper.console.status("reading tables"):
        for took in measure_readings(positions, seed):
            table.add_row(took.name, took.kind, str(len(took.each_ms)), f"{took.median_ms:.1f}", f"{took.worst_ms:.1f}")
    paper.console.print(table)


@bench.command("render")
@click.option("--photos", type=click.IntRange(1), default=40, show_default=True, help="How many for each line.")
def bench_render(photos: int) -> None:
    """Photographs a second of the renderer, by one process and by two at once."""
    from vision.studio.render import photos_a_second

    table = Table("game", "kind", "one process", "two processes", box=None, pad_edge=False)
    with paper.console.status("taking photographs"), ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for name in games():
            for hard in (False, True):
                alone = photos_a_second(name, photos, hard)
                both = sum(pool.map(photos_a_second, [name] * 2, [photos] * 2, [hard] * 2))
                table.add_row(name, "hard" if hard else "plain", f"{alone:.1f}", f"{both:.1f}")
    paper.console.print(table)


@bench.command("vision")
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True, help="The median of so many.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def bench_vision(rounds: int, as_json: bool) -> None:
    """Milliseconds of each step of reading a 1640x1232 picture, by one thread and by two."""
    from vision.stopwatch import STAGES, stage_times_ms

    rows = []
    with paper.console.status("reading"):
        for name in games():
            for threads in (1, 2):
                rows.append({"game": name, "threads": threads, **stage_times_ms(name, threads, rounds)})
    if as_json:
        click.echo(json.dumps(rows))
        return
    table = Table("game", "threads", *STAGES, box=None, pad_edge=False)
    for row in rows:
        table.add_row(str(row["game"]), str(row["threads"]), *(f"{row[stage]:.1f}" for stage in STAGES))
    paper.console.print(table)


@bench.command("finding")
@click.option("--photos", type=click.IntRange(1), default=12, show_default=True, help="How many of each game.")
@click.option("--plain", is_flag=True, help="Good light and a good camera, instead of the hard settings.")
def bench_finding(photos: int, plain: bool) -> None:
    """Finding tiles by the network against finding them by outlines alone: recall, precision, how far off, time."""
    from vision.outlines import compare_finding

    table = Table("game", "way", "recall", "precision", "off mm", "ms", box=None, pad_edge=False)
    with paper.console.status("looking for tiles"):
        for name in games():
            for row in compare_finding(name, photos, not plain):
                shares = (f"{row.recall:.3f}", f"{row.precision:.3f}", f"{row.off_mm:.2f}", f"{row.ms:.1f}")
                table.add_row(name, row.way, *shares)
    paper.console.print(table)


@bench.command("advice")
@click.option("--game", "names", multiple=True, help="Which games; all by default.")
@click.option("--seconds", type=click.FloatRange(0), default=0.1, show_default=True, help="Thinking time a move.")
@click.option(
    "--games", "count", type=click.IntRange(1), default=100, show_default=True, help="Games against each opponent."
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--plies", type=click.IntRange(1), default=600, show_default=True, help="A longer game counts as a draw.")
def bench_advice(names: tuple[str, ...], seconds: float, count: int, seed: int, plies: int) -> None:
    """Matches of the advice against a random and a greedy player."""
    table = Table("game", "against", "won", "drawn", "lost", box=None, pad_edge=False)
    with Progress(console=paper.console, transient=True) as progress:
        for name in names or games():
            for opponent, plays in (("random", plays_randomly), ("greedy", plays_greedily)):
                task = progress.add_task(f"{name} against {opponent}", total=count)

                def show(tally: Tally, task: TaskID = task) -> None:
                    progress.update(task, completed=tally.games)

                tally = play_match(
                    game_named(name),
                    plays_advised(seconds),
                    plays,
                    games=count,
                    seed=seed,
                    most_plies=plies,
                    progress=show,
                )
                table.add_row(name, opponent, str(tally.wins), str(tally.draws), str(tally.losses))
    paper.console.print(table)


COMMANDS = (bench,)
