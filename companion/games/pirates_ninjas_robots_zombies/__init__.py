"""Pirates, Ninjas, Robots & Zombies: tiles of four quarters, laid edge to edge into sections of one's own team."""

from functools import partial
from pathlib import Path

from companion.board import load_board
from companion.game import Game
from companion.games.pirates_ninjas_robots_zombies import faces, notation, rules, score, turns
from companion.games.pirates_ninjas_robots_zombies.advice import advise
from companion.games.pirates_ninjas_robots_zombies.editing import EDITING
from companion.games.pirates_ninjas_robots_zombies.quarters import is_base
from companion.rulebook import load_rulebook
from companion.tiles import Catalogue, load_catalogue

_FOLDER = Path(__file__).parent
_CATALOGUE = load_catalogue(_FOLDER / "tiles.toml", EDITING)


def _deck(catalogue: Catalogue) -> tuple[str, ...]:
    """Every play tile, as often as there are copies."""
    return tuple(tile.name for tile in catalogue if not is_base(tile.name) for _ in range(tile.copies))


GAME = Game(
    name=notation.NAME,
    folder=_FOLDER,
    rulebook=load_rulebook(_FOLDER / "rules.toml"),
    catalogue=_CATALOGUE,
    board=load_board(_FOLDER / "board.toml"),
    seats={2: ("south", "north"), 3: ("south", "west", "east"), 4: ("south", "west", "north", "east")},
    options=rules.OPTIONS,
    setup=partial(rules.setup, _deck(_CATALOGUE)),
    players=rules.players,
    to_move=rules.to_move,
    conceivable=turns.conceivable,
    checks=rules.CHECKS,
    play=rules.play,
    tell=rules.tell,
    layout=rules.layout,
    score=score.score,
    outcome=score.outcome,
    advise=partial(advise, _deck(_CATALOGUE)),
    read_position=notation.read_position,
    write_position=notation.write_position,
    read_move=notation.read_move,
    write_move=notation.write_move,
    quick_legal=turns.quick_legal,
    explain=turns.explain,
    stages=rules.stages,
    suspects=turns.suspects,
    amend=rules.amend,
    unseen=rules.unseen,
    seen_by=rules.seen_by,
    held=rules.held,
    in_hand=rules.in_hand,
    hold=rules.hold,
    marks=score.marks,
    face=faces.face,
    back=faces.back,
)
