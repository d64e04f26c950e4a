"""Commands that make pictures: printed sheets, photographs of positions, films of simulated games."""

import json
from pathlib import Path

import click
from rich.progress import Progress

from companion.cli import paper
from companion.cli.rules import read_file
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


@click.command()
@click.argument("position", metavar="POSITION")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The photo; the truth is written beside it."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed takes the same photo.")
@click.option("--hard", is_flag=True, help="As bad as light, lens and table get in a real home.")
@click.option("--ground", type=click.Choice(["mat", "cards", "bare"]), default=None, help="By lot if left out.")
@click.option("--size", default="1640x1232", show_default=True, help="Width x height in pixels.")
def scene(position: str, out: Path, seed: int, hard: bool, ground: str | None, size: str) -> None:
    """Photograph POSITION (a file or -) on a table that is not there, and write the truth as JSON beside the photo."""
    import cv2

    from vision.studio.render import photograph

    game, state = read_file(position)
    beside = out.with_suffix(".json")
    if beside.resolve() == Path(position).resolve():
        raise click.ClickException(f"The truth would be written over {position}: give the photo another name.")
    pixels, truth = photograph(game, state, seed, hard, _pixels(size), ground_kind=ground)
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.suffix.lower() not in (".jpg", ".jpeg", ".png") or not cv2.imwrite(str(out), pixels):
        raise click.ClickException(f"{out}: a photo is a .jpg or .png in a folder that can be written.")
    beside.write_text(json.dumps(truth), encoding="utf-8")
    click.echo(f"{out} with {len(truth['tiles'])} tiles, truth in {beside}")


@click.command()
@click.argument("game_name", metavar="GAME")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="An .mp4; the truth is written beside it.")
@click.option("--seconds", type=click.FloatRange(1), default=20.0, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--mischief", default="", help="Kinds with commas between, or all.")
@click.option("--words", is_flag=True, help="Write what happens over the picture: for people, not for replay.")
def film(game_name: str, out: Path, seconds: float, seed: int, mischief: str, words: bool) -> None:
    """Film a simulated game: hands come, place, capture and leave."""
    from vision.recorded import truth_beside
    from vision.studio.film import film as record
    from vision.studio.sim import read_wishes

    wishes = read_wishes({"seed": str(seed), "size": "820x616", **({"mischief": mischief} if mischief else {})})
    out.parent.mkdir(parents=True, exist_ok=True)
    with paper.console.status("filming"):
        frames = record(game_named(game_name), out, seconds, wishes, words)
    click.echo(f"{out}: {frames} frames, truth in {truth_beside(out)}")


def _pixels(size: str) -> tuple[int, int]:
    width, cross, height = size.partition("x")
    if not (cross and width.isdigit() and height.isdigit() and 64 <= int(width) <= 8192 and 64 <= int(height) <= 8192):
        raise click.ClickException(f"{size!r} is no size: write 1640x1232, each from 64 to 8192.")
    return int(width), int(height)


COMMANDS = (print_game, scene, film)
