"""Commands about rules: rulings, legal moves, scores, advice, boards and the rule book."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from companion.cli import paper
from companion.draw import board_svg
from companion.game import AnyGame, Unreadable, advice, legal_moves, start
from companion.game import judge as rule_on
from companion.protocol import answers, read_position
from companion.registry import game_named, games

_game = click.argument("game_name", metavar="GAME")
_position = click.argument("position", metavar="POSITION")


@click.command("rules")
def serve_protocol() -> None:
    """Answer rules questions as JSON Lines on standard input, one answer a line."""
    for said in answers(sys.stdin.buffer):
        print(said, flush=True)


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def list_games(as_json: bool) -> None:
    """List the games, who can play them and their options."""
    if as_json:
        click.echo(json.dumps([_described(game) for game in games().values()]))
        return
    for game in games().values():
        tiles = sum(tile.copies * max(1, len(tile.owners)) for tile in game.catalogue)
        players = " or ".join(map(str, sorted(game.seats)))
        paper.console.print(f"[bold]{game.name}[/bold]  {game.title}: {players} players, {tiles} tiles", soft_wrap=True)
        for option in game.options:
            choices = " | ".join(option.choices)
            paper.console.print(
                f"    [cyan]{option.name}[/cyan]: {choices}  ({option.rule}, {option.says})", soft_wrap=True
            )


@click.command()
@_game
@_position
@click.argument("move")
def judge(game_name: str, position: str, move: str) -> None:
    """Say whether MOVE is legal in POSITION and which rule forbids it. Exit status 1 if it is illegal."""
    game, state = _read(game_name, position)
    ruling = rule_on(game, state, game.read_move(move, state))
    paper.console.print(paper.board(game, state, _on_board(game, ruling.places)))
    paper.console.print(paper.ruling(game, move, ruling))
    sys.exit(not ruling.legal)


@click.command()
@_game
@_position
def legal(game_name: str, position: str) -> None:
    """List the legal moves in POSITION."""
    game, state = _read(game_name, position)
    for notation in sorted(game.write_move(move, state) for move in legal_moves(game, state)):
        click.echo(notation)


@click.command()
@_game
@_position
def score(game_name: str, position: str) -> None:
    """Count the points in POSITION, item by item."""
    game, state = _read(game_name, position)
    paper.console.print(paper.score(game.score(state)))
    paper.console.print(paper.outcome(game.outcome(state)))


@click.command()
@_game
@_position
@click.option("--seconds", type=click.FloatRange(0, 60), default=1.0, show_default=True, help="How long to think.")
@click.option("--most", type=click.IntRange(1), default=5, show_default=True, help="How many moves to show.")
def advise(game_name: str, position: str, seconds: float, most: int) -> None:
    """Suggest moves in POSITION, best first, with the reason."""
    game, state = _read(game_name, position)
    table = Table(box=None, pad_edge=False)
    for heading in ("move", "gain", "because"):
        table.add_column(heading)
    for best in advice(game, state, seconds, time.monotonic)[:most]:
        table.add_row(game.write_move(best.move, state), f"{best.gain:+g}", best.because)
    paper.console.print(table if table.row_count else paper.outcome(game.outcome(state)))


@click.command()
@_game
@_position
@click.option("--svg", is_flag=True, help="Write the board as SVG instead.")
@click.option("--json", "as_json", is_flag=True, help="Write the position as JSON instead.")
def show(game_name: str, position: str, svg: bool, as_json: bool) -> None:
    """Draw POSITION."""
    game, state = _read(game_name, position)
    if svg:
        click.echo(board_svg(game, state))
    elif as_json:
        click.echo(json.dumps(game.write_position(state), ensure_ascii=False))
    else:
        paper.console.print(paper.board(game, state))


@click.command()
@_game
@click.argument("number", required=False)
@click.option("--search", metavar="WORDS", help="Only rules that hold these words.")
def rulebook(game_name: str, number: str | None, search: str | None) -> None:
    """Read the rules of GAME: all, the one with NUMBER, or those that hold some words."""
    game = game_named(game_name)
    if number is not None and number not in game.rulebook:
        raise click.ClickException(f"{game.title} has no rule {number}; `companion rulebook {game.name}` lists them.")
    clauses = [game.rulebook[number]] if number is not None else game.rulebook.search(search or "")
    if not clauses:
        raise click.ClickException(f"No rule of {game.title} speaks of {search!r}.")
    chapter = ""
    for clause in clauses:
        if (found := clause.number.split(".")[0]) != chapter:
            chapter = found
            paper.console.print(f"[bold]{chapter} {game.rulebook.chapters[chapter]}[/bold]")
        silent = " [dim](the rule book is silent)[/dim]" if clause.silent else ""
        paper.console.print(f"  [cyan]{clause.number}[/cyan] {clause.says}{silent}", soft_wrap=False)


def _read(game_name: str, position: str) -> tuple[AnyGame, Any]:
    """POSITION is a file, ``-`` for standard input, or ``start``."""
    game = game_named(game_name)
    if position == "start":
        return game, start(game)
    read_game, state = read_file(position, game.name)
    if read_game is not game:
        raise Unreadable(f"{position} is a position of {read_game.title}, not of {game.title}", "game")
    return game, state


def read_file(position: str, game_name: str | None = None) -> tuple[AnyGame, Any]:
    """The game and state of a position in a file or on standard input; a name serves where the position has none."""
    try:
        text = sys.stdin.read() if position == "-" else Path(position).read_text(encoding="utf-8")
        given = json.loads(text)
    except OSError as error:
        raise click.ClickException(f"{position}: {error.strerror}. Name a file, - or start.") from None
    except ValueError as error:
        raise click.ClickException(f"{position} is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise click.ClickException(f"{position} holds no position: a position is a JSON object.")
    return read_position({"game": game_name, **given} if game_name and given.keys() != {"position"} else given)


def _described(game: AnyGame) -> dict[str, Any]:
    options = [
        {"name": option.name, "rule": option.rule, "says": option.says, "choices": list(option.choices)}
        for option in game.options
    ]
    seats = {str(number): list(names) for number, names in sorted(game.seats.items())}
    return {"name": game.name, "title": game.title, "seats": seats, "options": options}


def _on_board(game: AnyGame, places: tuple[str, ...]) -> tuple[str, ...]:
    """The places that can be drawn; a ruling may also light something that has no spot, such as a hand."""
    found = []
    for place in places:
        try:
            game.board.spot(place)
        except KeyError:
            continue
        found.append(place)
    return tuple(found)


COMMANDS = (serve_protocol, list_games, judge, legal, score, advise, show, rulebook)
