"""ZU Tiles: the rules, a file a chapter."""

from companion.games.zu_tiles_hime.rules.checks import CHECKS
from companion.games.zu_tiles_hime.rules.conceivable import additions, conceivable, quick_legal
from companion.games.zu_tiles_hime.rules.end import is_over, outcome
from companion.games.zu_tiles_hime.rules.position import OPTIONS, TABLES, Position
from companion.games.zu_tiles_hime.rules.setup import setup
from companion.games.zu_tiles_hime.rules.telling import tell
from companion.games.zu_tiles_hime.rules.turn import give_turn, play


def to_move(now: Position) -> str | None:
    return None if is_over(now) else now.mover


__all__ = [
    "CHECKS",
    "OPTIONS",
    "TABLES",
    "Position",
    "additions",
    "conceivable",
    "give_turn",
    "outcome",
    "play",
    "quick_legal",
    "setup",
    "tell",
    "to_move",
]
