"""Measurements of seeing: rendered tables that training never saw, and real photographs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress
from rich.table import Table

import companion
from companion.cli import paper
from companion.registry import game_named, games

if TYPE_CHECKING:
    from vision.judging import Tally

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_WRITTEN = click.Path(file_okay=False, path_type=Path)


@click.group(invoke_without_command=True)
@click.option("--game", "names", multiple=True, metavar="GAME", help="Only these games; all by default.")
@click.option("--scenes", default=60, show_default=True, type=click.IntRange(1), help="How many tables a game.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 400_000_000), help="The first scene.")
@click.option("--plain", is_flag=True, help="Good light and a good camera, instead of the hard settings.")
@click.option("--empty", is_flag=True, help="Tables with clutter and no tiles: whatever is read there is invented.")
@click.option("--real", type=_FOLDER, default=None, help="Read real photographs instead: qwirkle/, morris/, markers/.")
@click.option("--boards", type=_FOLDER, default=None, help="Their boards, as data; those of the tests by default.")
@click.option("--failures", type=_WRITTEN, default=None, help="Leave a picture of every table that was misread.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.pass_context
def evaluate(
    ctx: click.Context,
    names: tuple[str, ...],
    scenes: int,
    seed: int,
    plain: bool,
    empty: bool,
    real: Path | None,
    boards: Path | None,
    failures: Path | None,
    processes: int,
    as_json: bool,
) -> None:
    """Render tables that training never saw, read them, and count what went wrong; or read real photographs.

    exact are layouts without an error; turned are among the wrong. silent are the errors that nobody would be asked
    about: surer than 95 %, or missed on a place that was taken to be free. asked are tiles less sure than that, and
    places where something could not be made out.
    """
    if ctx.invoked_subcommand is not None:
        return
    if real is not None:
        _judge_real(real, boards or _boards_of_the_tests(), as_json)
        return
    from vision.judging import Scene, Tally, judge_reading

    if failures is not None:
        failures.mkdir(parents=True, exist_ok=True)
    chosen = [game_named(name).name for name in names] or sorted(games())
    tallies: dict[str, Tally] = {}
    with Progress(console=paper.console, transient=True, disable=as_json) as progress:
        for name in chosen:
            task = progress.add_task(name, total=scenes)
            tallies[name] = Tally()
            judged = [Scene(name, seed + number, not plain, empty, failures) for number in range(scenes)]
            for one in judge_reading(judged, processes):
                tallies[name].add(one)
                progress.advance(task)
    _tell(tallies, {name: {"unread": tally.unread} for name, tally in tallies.items()}, as_json)


def _boards_of_the_tests() -> Path:
    """They lie beside the program where it is a clone; an installation has no tests."""
    boards = Path(companion.__file__).parent.parent / "tests" / "boards"
    if not boards.is_dir():
        raise click.ClickException(f"There is no {boards}: name their folder with --boards, or use a clone.")
    return boards


def _judge_real(photos: Path, boards: Path, as_json: bool) -> None:
    from vision.real import judge_photos

    with paper.console.status("reading photographs") as status:
        judged = list(judge_photos(photos, boards, status.update))
    if not judged:
        raise click.ClickException(f"{photos} holds none of the folders that {boards} has a board for.")
    more = {one.name: {"counted are": one.of, "right": one.right, "unread": one.tally.unread} for one in judged}
    _tell({one.name: one.tally for one in judged}, more, as_json)


def _tell(tallies: Mapping[str, "Tally"], more: Mapping[str, dict[str, Any]], as_json: bool) -> None:
    """What was counted; for people with more of it, and with what went wrong."""
    rows = {name: tally.as_json() for name, tally in tallies.items()}
    if as_json:
        click.echo(json.dumps(rows))
        return
    paper.console.print(_by_game({name: row | more[name] for name, row in rows.items()}))
    for failure in [failure for tally in tallies.values() for failure in tally.failures][:40]:
        paper.console.print(f"  {failure}", style="dim", soft_wrap=True)


def _by_game(rows: dict[str, dict[str, Any]]) -> Table:
    """A column a game: of what is counted there is more than of games, and every word of it is to be read."""
    table = Table(box=None, pad_edge=False)
    table.add_column()
    for name in rows:
        table.add_column(games()[name].title if name in games() else name, justify="right", max_width=14)
    for word in next(iter(rows.values())):
        table.add_row(word.replace("_", " "), *(_counted(row, word) for row in rows.values()))
    return table


def _counted(row: dict[str, Any], word: str) -> str:
    """A count, with its share of all tiles where that is what one asks for."""
    tiles = row.get("tiles")
    return f"{row[word]} ({row[word] / tiles:.2%})" if word in ("asked", "right") and tiles else str(row[word])


def _by_weight(rows: dict[str, dict[str, Any]]) -> Table:
    """A row a weight; how many games it was tried with is the same for all of them."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    counted = [word for word in next(iter(rows.values())) if word != "games"]
    for word in counted:
        shown = [*word.split("_"), *(str(row[word]) for row in rows.values())]
        table.add_column(word.replace("_", " "), justify="right", width=max(map(len, shown)))
    for name, row in rows.items():
        table.add_row(name, *(str(row[word]) for word in counted))
    return table


@evaluate.command("watching")
@click.option("--game", "names", multiple=True, metavar="GAME", help="Only these games; all by default.")
@click.option("--games", "count", default=40, show_default=True, type=click.IntRange(1), help="How many of each.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="The first game.")
@click.option("--moves", default=60, show_default=True, type=click.IntRange(1), help="Where a long game is cut.")
@click.option(
    "--players",
    default=0,
    type=click.IntRange(0, 8),
    help="How many play, where the game seats so many; else the fewest that can.",
)
@click.option("--advised", is_flag=True, help="Players seek to win, so that games end; otherwise they play by lot.")
@click.option("--mischief", is_flag=False, flag_value="all", default="", help="Kinds with commas between; alone, all.")
@click.option("--hard", is_flag=True, help="As bad as light, lens and table get in a real home.")
@click.option("--size", default="1640x1232", show_default=True, help="Of the pictures that are read.")
@click.option("--rate", default=8.0, show_default=True, type=click.FloatRange(2, 30), help="Frames a second.")
@click.option(
    "--eyes",
    type=click.Choice(["camera", "perfect", "noisy"]),
    default="camera",
    show_default=True,
    help="Without the camera nothing is drawn, and the reads are the table's truth, with or without slips.",
)
@click.option("--ground", default="mat", show_default=True, help="What shows the camera the table: mat, cards or bare.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def watching(
    names: tuple[str, ...],
    count: int,
    seed: int,
    moves: int,
    players: int,
    eyes: str,
    processes: int,
    as_json: bool,
    **wished: str | float | bool,
) -> None:
    """Follow simulated games from the camera to the score, and count what went wrong.

    moves are the legal ones that a camera can see; exact those recorded for the same player with the same table
    after them; phantom those that never were. false_alarms are breaches reported and questions asked without a reason.
    delay_ms_p95 is from the hand leaving to the event, on the simulated clock. Games in which anything went wrong are
    named by their seeds; --json leaves them out.
    """
    from companion.cli.simulated import Match, follow_all
    from companion.truth import Tally
    from vision.studio.sim import read_wishes

    settings = {word: _as_setting(value) for word, value in wished.items()} | {"stills": "yes"}
    rows = {}
    with Progress(console=paper.console, transient=True, disable=as_json) as progress:
        for name in [game_named(name).name for name in names] or sorted(games()):
            told = {**settings, "players": str(players if players in games()[name].seats else 0)}
            wishes = [read_wishes({**told, "seed": str(number)}) for number in range(seed, seed + count)]
            tally, task = Tally(), progress.add_task(name, total=count)
            for number, one in enumerate(
                follow_all([Match(name, each, moves, eyes) for each in wishes], processes), seed
            ):
                tally.add(one)
                progress.advance(task)
                if one.trouble and not as_json:
                    progress.console.print(f"{name} {number}: {one.trouble}", style="dim", soft_wrap=True)
            rows[name] = tally.as_json()
    if as_json:
        click.echo(json.dumps(rows))
    else:
        paper.console.print(_by_game(rows))


def _as_setting(value: str | float | bool) -> str:
    """A wish as a source's words have it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


@evaluate.command("weights")
@click.option("--game", "names", multiple=True, metavar="GAME", help="Only these games; all by default.")
@click.option("--games", "count", default=8, show_default=True, type=click.IntRange(1), help="How many of each.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="The first game.")
@click.option("--moves", default=30, show_default=True, type=click.IntRange(1), help="Where a long game is cut.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def weights(names: tuple[str, ...], count: int, seed: int, moves: int, processes: int, as_json: bool) -> None:
    """Measure the weights of the reasoning: what goes wrong in simulated games, with slips and mischief, by each.

    One weight at a time is tried with several values; the others are as they are set.
    """
    from companion.cli.simulated import weigh

    chosen = [game_named(name).name for name in names] or sorted(games())
    rows = {}
    with paper.console.status("following games") as status:
        for weight, value, tally in weigh(chosen, range(seed, seed + count), moves, processes):
            rows[f"{weight} {value:g}"] = {"errors": tally.errors, **tally.as_json()}
            status.update(f"{weight} {value:g}: {tally.errors} errors")
    if as_json:
        click.echo(json.dumps(rows))
    else:
        paper.console.print(_by_weight(rows))


COMMANDS = (evaluate,)
