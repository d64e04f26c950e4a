"""The tiles of a game, and where players write what is printed on those of their own set."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rich.table import Column, Table
from rich.text import Text

from companion.cli import paper
from companion.cli.configuration import file_path
from companion.game import AnyGame, Unreadable
from companion.own_tiles import FOLDER, Entry, instead, own_file
from companion.registry import game_named, games
from companion.tiles import Tile

IN_SPITE = ("serve", "address", "config", "doctor", "tiles")
"""The commands that go on when what players wrote of their tiles cannot be meant."""


def know_own_tiles() -> None:
    """Look for players' own values beside the settings, before any game is loaded."""
    if not os.environ.get(FOLDER):
        os.environ[FOLDER] = str(file_path().parent / "tiles")


def own_faults() -> list[str]:
    """What is wrong with the files of players' own tiles; no game is loaded where there are none."""
    folder = os.environ.get(FOLDER)
    files = sorted(Path(folder).glob("*.toml")) if folder else []
    return [fault for file in files for fault in _faults_of(file)]


def refuse_faults() -> None:
    """No answer by values that nobody meant."""
    if faults := own_faults():
        raise Unreadable("; ".join(faults))


def _faults_of(file: Path) -> tuple[str, ...]:
    game = games().get(file.stem)
    if game is None:
        return (f"{file}: there is no game {file.stem!r}; {instead(file.stem, games())}",)
    return game.catalogue.faults if game.catalogue.editing else (f"{file}: {_nothing_to_edit(game)}",)


def _nothing_to_edit(game: AnyGame) -> str:
    return f"the rules of {game.title} know every tile: nothing that is printed on one can be changed"


@click.command()
@click.argument("game_name", metavar="GAME")
@click.option(
    "--write", is_flag=True, help="Write a file to begin with, every line a comment, where yours is looked for."
)
@click.option("--toml", is_flag=True, help="Show that file instead.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def tiles(game_name: str, write: bool, toml: bool, as_json: bool) -> None:
    """List the tiles of GAME with what is printed on them; your own values are marked with a star."""
    game = game_named(game_name)
    file = own_file(game.name)
    assert file is not None
    if write or toml:
        _begin(game, file, write)
    elif as_json:
        click.echo(json.dumps({"file": str(file), "tiles": [_entry(tile) for tile in game.catalogue]}))
    else:
        paper.console.print(_listed(game))
        click.echo(_where(game, file))
    for fault in game.catalogue.faults:
        click.echo(fault, err=True)
    sys.exit(bool(game.catalogue.faults))


COMMANDS = (tiles,)


def _begin(game: AnyGame, file: Path, write: bool) -> None:
    if game.catalogue.editing is None:
        raise click.ClickException(_nothing_to_edit(game))
    if not write:
        click.echo(_starter(game), nl=False)
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as fresh:
            fresh.write(_starter(game))
    except FileExistsError:
        raise click.ClickException(f"{file} is there already: edit it, or take it away first.") from None
    except OSError as error:
        says = f"{file} cannot be written: {(error.strerror or str(error)).lower()}"
        raise click.ClickException(f"{says}; --toml shows what to put there.") from None
    click.echo(f"{file} is written: change it, then start the companion again.")


def _where(game: AnyGame, file: Path) -> str:
    if game.catalogue.editing is None:
        return f"\n{_nothing_to_edit(game)[:1].upper()}{_nothing_to_edit(game)[1:]}."
    if file.exists():
        return f"\nYour own values are in {file}."
    return f"\nYour own values go into {file}; `companion tiles {game.name} --write` begins it."


def _listed(game: AnyGame) -> Table:
    table = Table(
        "", "name", Column("copies", justify="right"), Column("printed", overflow="fold"), box=None, pad_edge=False
    )
    for tile in game.catalogue:
        star = "*" if tile.name in game.catalogue.own else ""
        values = ", ".join(f"{key} {_in_a_word(value)}" for key, value in tile.values.items())
        table.add_row(star, tile.name, str(tile.copies), Text(values))
    return table


def _in_a_word(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else json.dumps(value, ensure_ascii=False)


def _entry(tile: Tile) -> Entry:
    return {"name": tile.name, "title": str(tile.title), "letter": tile.letter, "copies": tile.copies, **tile.values}


def _starter(game: AnyGame) -> str:
    return "\n".join(_lines(game)) + "\n"


def _lines(game: AnyGame) -> Iterator[str]:
    """Every line a comment, so that it changes nothing yet."""
    editing = game.catalogue.editing
    assert editing is not None
    yield f"# What is printed on your own tiles of {game.title}, where it is not what the companion has."
    yield "# Take the # away from [[tile]], its name and what you change; another name is another tile. You may write:"
    yield from (f"#   {key}: {kind}" for key, kind in editing.keys.items())
    yield from (f"#   {key}, of a tile of your own: {kind}" for key, kind in editing.new_keys.items())
    if editing.only:
        yield "# With the next line, above all tiles, there are none but those that are named below:"
        yield "# only = true"
    for tile in game.catalogue:
        yield ""
        yield "# [[tile]]"
        yield f"# name = {json.dumps(tile.name)}"
        shown = {key: value for key, value in _entry(tile).items() if key in editing.keys}
        yield from (f"# {key} = {json.dumps(value, ensure_ascii=False)}" for key, value in shown.items())
