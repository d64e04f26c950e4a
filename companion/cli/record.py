"""Commands about the record: games that were played, how they stand, and their way out and in."""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from companion import evidence
from companion.cli import paper
from companion.cli.state import state_option
from companion.events import Event
from companion.game import Unreadable
from companion.record import Step, as_json, corrections, export_json, import_games, import_json, moves_csv, steps
from companion.rules import Ruling
from companion.session import Standing, fold
from companion.store import Entry, KeptGame, NotRecorded, Reader, Store

_game = click.argument("game", type=click.IntRange(1, 2**31))


@click.group("record")
def record() -> None:
    """Look at the games that were recorded, replay them, and carry them to another companion."""


@record.command("list")
@state_option
@click.option("--last", type=click.IntRange(1), default=20, show_default=True, help="How many, the newest.")
@click.option("--json", "with_json", is_flag=True, help="For programs.")
def list_games(state: Path, last: int, with_json: bool) -> None:
    """List the games of the record with their points and how they ended."""
    with Reader(state) as reader:
        rows = [_summary(reader, kept) for kept in reader.games()[-last:]]
    if with_json:
        click.echo(json.dumps(rows))
        return
    table = _table("game", "name", "begun", "moves", "points", "")
    for row in rows:
        points = "   ".join(f"{player} {points}" for player, points in row["points"].items())
        table.add_row(str(row["number"]), row["name"], _day(row["begun"]), str(row["moves"]), points, row["says"])
    paper.console.print(table)


@record.command("show")
@_game
@state_option
@click.option("--json", "with_json", is_flag=True, help="For programs.")
def show(game: int, state: Path, with_json: bool) -> None:
    """Show how GAME stands: the board, the moves that count, what corrections changed, the score."""
    kept, entries = _read(state, game)
    events, pictures = [entry.event for entry in entries], evidence.Evidence(state / evidence.FOLDER)
    standing = fold(events)
    taken = ((move.number, pictures.path(kept.identity, move.number)) for move in standing.moves)
    found = {number: path for number, path in taken if path}
    if with_json:
        shown = {number: str(path) for number, path in found.items()}
        click.echo(json.dumps({**as_json(kept, entries), "pictures": shown}))
        return
    paper.console.print(paper.board(standing.game, standing.state))
    paper.console.print(_moves(standing, found))
    for folder in {path.parent for path in found.values()}:
        click.echo(f"The pictures are in {folder}.")
    for step in corrections(events):
        _print_step(standing, step)
    for remark in standing.remarks:
        paper.console.print(f"[yellow]{remark.says} ({remark.rule})[/yellow]")
    paper.console.print(paper.score(standing.score))
    paper.console.print(paper.outcome(standing.outcome))


@record.command("replay")
@_game
@state_option
@click.option("--boards", is_flag=True, help="Draw the board after every event.")
@click.option("--pause", type=click.FloatRange(0), default=0.0, show_default=True, help="Seconds between events.")
def replay(game: int, state: Path, boards: bool, pause: float) -> None:
    """Play GAME again event by event, each move ruled on as it was in its turn."""
    _, entries = _read(state, game)
    events = [entry.event for entry in entries]
    end = fold(events)
    for step in steps(events):
        _print_step(end, step)
        if boards:
            drawn = fold(events[: step.event.number])
            paper.console.print(paper.board(drawn.game, drawn.state))
        time.sleep(pause)
    paper.console.print(paper.score(end.score))
    paper.console.print(paper.outcome(end.outcome))


@record.command("export")
@_game
@state_option
@click.option("--csv", "with_csv", is_flag=True, help="Only the moves and scores, for a spreadsheet.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write here instead of to the terminal.")
def export(game: int, state: Path, with_csv: bool, out: Path | None) -> None:
    """Write GAME as JSON, whole, so that it can be imported again; or its moves and scores as CSV."""
    with Reader(state) as reader:
        text = moves_csv(fold(reader.events(game))) if with_csv else export_json(reader, game)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}.") from None


@record.command("forget")
@_game
@state_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(game: int, state: Path, yes: bool) -> None:
    """Delete GAME with its names and pictures, for good; the companion must not be running."""
    with Reader(state) as reader:
        kept = reader.game(game)
    if not yes:
        told = f"Delete game {game} ({kept.name}, {_day(kept.begun)}, {kept.moves} moves) and its pictures for good?"
        click.confirm(told, abort=True)
    with _writing(state) as store:
        evidence.Evidence(state / evidence.FOLDER).forget(store.forget(game))
    click.echo(f"Game {game} is gone.")


@record.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@state_option
@click.option("--json", "with_json", is_flag=True, help="For programs.")
def import_file(file: str, state: Path, with_json: bool) -> None:
    """Take in the exported game in FILE, or every whole game of another record.db; - is standard input."""
    with click.open_file(file, "rb") as opened:
        content = opened.read()
    with _writing(state) as store:
        taken, refused = _take_in(store, file, content)
    if with_json:
        click.echo(json.dumps({"games": taken, "refused": refused}))
    else:
        click.echo("\n".join(_told(taken, refused)))
    sys.exit(bool(refused))


@record.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@state_option
def backup(file: Path, state: Path) -> None:
    """Copy the whole record to FILE, which must not exist yet, while it may be written; `import` reads it again."""
    try:
        with Reader(state) as reader:
            reader.back_up(file)
            games = len(reader.games())
    except NotRecorded as refused:
        raise click.ClickException(refused.says) from None
    click.echo(f"{games} games are copied to {file}.")


@record.command("upgrade")
@state_option
def upgrade(state: Path) -> None:
    """Bring the record to the shape of this version, as `serve` does when it starts, and say that it is sound."""
    with _writing(state) as store:
        click.echo(f"The record is sound and holds {len(store.games())} games.")


COMMANDS = (record,)


@contextmanager
def _writing(state: Path) -> Iterator[Store]:
    try:
        with Store(state) as store:
            for said in store.said:
                click.echo(said, err=True)
            yield store
    except NotRecorded as refused:
        raise click.ClickException(refused.says) from None


def _take_in(store: Store, file: str, content: bytes) -> tuple[list[int], list[str]]:
    if content.startswith(b"SQLite format 3\0") and file != "-":
        path = Path(file)
        with Reader(path.parent, path.name) as other:
            return import_games(store, other)
    try:
        return [import_json(store, content.decode("utf-8"))], []
    except UnicodeDecodeError:
        raise click.ClickException("This is no export of a game: it is not UTF-8.") from None


def _told(taken: list[int], refused: list[str]) -> list[str]:
    """What became of each game, and of all of them where they are several."""
    total = len(taken) + len(refused)
    summed = [f"{len(taken)} of {total} games are taken in."] if total != 1 else []
    return [*(f"This is game {number} now." for number in taken), *refused, *summed]


def _read(state: Path, game: int) -> tuple[KeptGame, Sequence[Entry]]:
    with Reader(state) as reader:
        return reader.game(game), reader.entries(game)


def _summary(reader: Reader, kept: KeptGame) -> dict[str, Any]:
    """A game that cannot be folded any more is still listed, with the reason."""
    told = {"number": kept.number, "name": kept.name, "identity": kept.identity, "begun": kept.begun}
    told |= {"events": kept.events, "moves": kept.moves}
    try:
        standing = fold(reader.events(kept.number))
    except Unreadable as refused:
        return told | {"points": {}, "over": None, "winner": None, "says": f"{refused.says} ({refused.at})"}
    outcome = standing.outcome
    return told | {
        "points": standing.score.points,
        "over": outcome.over,
        "winner": outcome.winner,
        "says": outcome.says,
    }


def _moves(standing: Standing, pictures: Mapping[int, Path]) -> Table:
    table = _table("", "player", "move", "ruling", "picture", *standing.score.players)
    for move in standing.moves:
        points = [str(move.points.get(player, 0)) for player in standing.score.players]
        picture = pictures[move.number].name if move.number in pictures else ""
        table.add_row(str(move.number), move.player or "", move.move, _verdict(move.ruling), picture, *points)
    return table


def _verdict(given: Ruling) -> Text:
    if given.legal:
        return Text("legal" if given.rule is None else f"legal by the table's decision, despite {given.rule}", "green")
    return Text(f"illegal by {given.rule or 'the decision of the table'}: {given.says}", "red")


def _print_step(standing: Standing, step: Step) -> None:
    if step.played is not None:
        who = f"{step.played.player} " if step.played.player else ""
        points = "   ".join(f"{player} {points}" for player, points in step.played.points.items())
        said = Text.assemble(f"{step.event.number}. {who}{step.played.move}  ", _verdict(step.played.ruling))
        paper.console.print(said.append(f"   {points}", "cyan"))
        return
    paper.console.print(Text(f"{step.event.number}. {_in_words(step.event)}", "bold"))
    for changed in step.changed:
        paper.console.print(Text(f"   {changed}", "yellow"))


def _in_words(event: Event) -> str:
    """An event that is no move, in the words of its own fields."""
    told = event.as_json()
    del told["number"]
    kind = told.pop("kind").replace("_", " ")
    told.pop("position", None)
    return " ".join(
        [kind, *(f"{name.replace('_', ' ')} {_value(value)}" for name, value in told.items() if value != "")]
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(str(part) for part in value.values() if part is not None)
    return "nothing" if value is None else str(value)


def _day(seconds: float) -> str:
    """The time a clock showed; a clock may have shown anything."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "?"


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    return table
