"""Commands that make pictures: printed sheets."""

from pathlib import Path

import click
from rich.progress import Progress

from companion.cli import paper
from companion.registry import game_named


@click.command("print")
@click.argument("game_name", metavar="GAME")
@click.option("--paper", "size", type=click.Choice(["a4", "letter", "a3", "a2"]), default="a4", show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="Folder for the PDFs."
)
@click.option(
    "--only", type=click.Choice(["tiles", "board", "mat", "corners"]), multiple=True, help="Only these; all by default."
)
def print_game(game_name: str, size: str, out: Path, only: tuple[str, ...]) -> None:
    """Write the tiles, board, mat and corner cards of GAME as PDFs to print at 100 %."""
    from companion.printing import print_sheets

    with Progress(console=paper.console, transient=True) as progress:
        task = progress.add_task("drawing sheets", total=None)
        files = print_sheets(
            game_named(game_name),
            size,
            out,
            only=only,
            progress=lambda done, of: progress.update(task, completed=done, total=of),
        )
    for file in files:
        click.echo(file)


COMMANDS = (print_game,)
