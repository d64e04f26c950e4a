"""How the command line shows things to people: boards in colour, rulings, scores."""

from typing import Any

from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from companion.draw import terminal_board
from companion.game import AnyGame
from companion.inks import INKS, colour
from companion.rules import Ruling
from companion.scoring import Outcome, Scoresheet

console = Console(highlight=False)

_BRIGHT = {"white": "#ffffff", "black": "#d06f3c", "line": "#6b6259", "faint": "#6b6259", "tile": "#e8c170"}
"""Inks that would be lost on a dark terminal."""


def board(game: AnyGame, state: Any, lit: tuple[str, ...] = ()) -> Text:
    """The drawn board, in colour where the terminal has it."""
    drawn = Text()
    for row in terminal_board(game, state, lit):
        for sign in row:
            drawn.append(sign.sign, _style(sign.ink, sign.ground))
        drawn.append("\n")
    return drawn


def ruling(game: AnyGame, move: str, given: Ruling) -> Text:
    """A verdict with the number and the wording of the rule."""
    if given.legal:
        return Text.assemble((f"{move}: legal. ", "bold green"), f"{given.says}.")
    clause = game.rulebook[given.rule or ""]
    note = " (the rule book is silent here; the players may decide otherwise)" if clause.silent else ""
    return Text.assemble(
        (f"{move}: illegal by {given.rule}. ", "bold red"),
        f"{given.says}.\n",
        (f"  {clause.number} {clause.says}{note}", "dim"),
    )


def score(sheet: Scoresheet) -> Table:
    """Points by player, item by item."""
    table = Table(box=None, pad_edge=False)
    for heading in ("player", "points", "rule", "for"):
        table.add_column(heading, justify="right" if heading == "points" else "left")
    for item in sheet.items:
        table.add_row(item.player, str(item.points), item.rule, item.says)
    for player, points in sheet.points.items():
        table.add_row(player, str(points), "", "in all", style="bold")
    return table


def outcome(ended: Outcome) -> Text:
    return Text(f"{ended.says}." + (f" ({ended.rule})" if ended.over else ""), "bold" if ended.over else "dim")


def _style(ink: str, ground: str) -> Style:
    written = _BRIGHT.get(ink) or (colour(ink) if ink else None)
    if not ground:
        return Style(color=written)
    if ground == "highlight":
        return Style(color="#000000", bgcolor=INKS["highlight"], bold=True)
    return Style(color=colour("black") if ink in ("faint", "line") else written, bgcolor=_dimmed(colour(ground)))


def _dimmed(ground: str) -> str:
    """A ground dark enough for bright letters."""
    parts = [int(ground[i : i + 2], 16) * 2 // 5 for i in (1, 3, 5)]
    return "#{:02x}{:02x}{:02x}".format(*parts)
