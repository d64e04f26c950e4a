"""Playing in the terminal: the companion against itself, every move ruled and scored."""

import random
import time
from pathlib import Path

import click

from companion.cli import paper
from companion.game import advice, judge, legal_moves, start
from companion.playthrough import record_playthrough
from companion.registry import game_named


@click.command()
@click.option("--game", "game_name", default="zhizhu", show_default=True, help="Which game.")
@click.option("--seconds", type=click.FloatRange(0, 60), default=0.2, show_default=True, help="Thinking time a move.")
@click.option(
    "--pause", type=click.FloatRange(0), default=0.4, show_default=True, help="Pause between moves, in seconds."
)
@click.option("--seed", type=int, default=None, help="The same seed begins the same game.")
@click.option("--moves", type=click.IntRange(1), default=400, show_default=True, help="Stop after so many moves.")
def demo(game_name: str, seconds: float, pause: float, seed: int | None, moves: int) -> None:
    """Watch a game played in the terminal, board drawn, every move ruled and scored."""
    game, rng = game_named(game_name), random.Random(seed)
    state = start(game, rng=rng)
    history = [state]
    for number in range(1, moves + 1):
        player = game.to_move(state)
        if player is None:
            break
        # The first moves are drawn by lot, so that no two games are the same.
        best = advice(game, state, seconds, time.monotonic) if number > 4 else ()
        move = best[0].move if best else rng.choice(legal_moves(game, state))
        ruling, notation = judge(game, state, move), game.write_move(move, state)
        state = game.play(state, move)
        history.append(state)
        paper.console.print(f"\n[bold]{number}. {player}[/bold]")
        paper.console.print(paper.board(game, state, tuple(p for p in ruling.places if p in game.board.places)))
        paper.console.print(paper.ruling(game, notation, ruling))
        if best:
            paper.console.print(f"  [dim]because it {best[0].because}[/dim]")
        points = "   ".join(f"{name} {points}" for name, points in game.score(state).points.items())
        paper.console.print(f"  [cyan]{points}[/cyan]")
        for remark in game.remarks(history):
            paper.console.print(f"  [yellow]{remark.says} ({remark.rule})[/yellow]")
        time.sleep(pause)
    paper.console.print(paper.score(game.score(state)))
    paper.console.print(paper.outcome(game.outcome(state)))


@click.command()
@click.argument("game_name", metavar="GAME")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--players", type=int, default=None, help="How many; the fewest that can play by default.")
@click.option("--moves", type=click.IntRange(1), default=400, show_default=True, help="Stop after so many moves.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write here instead of to the terminal.")
def playthrough(game_name: str, seed: int, players: int | None, moves: int, out: Path | None) -> None:
    """Write down a whole random game, ply by ply; the tests replay such files to the letter."""
    game = game_named(game_name)
    if players is not None and players not in game.seats:
        raise click.ClickException(f"{game.title} is for {', '.join(map(str, sorted(game.seats)))} players.")
    text = record_playthrough(game, seed, players or min(game.seats), moves)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")


COMMANDS = (demo, playthrough)
