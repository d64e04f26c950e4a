"""ZhiZhu: nine pieces each on a spider's web of three circles and eight lines."""

from pathlib import Path

from companion.board import load_board
from companion.game import Game
from companion.games.zhizhu import faces, notation, rules
from companion.games.zhizhu.advice import advise
from companion.games.zhizhu.perft import quick_perft
from companion.games.zhizhu.score import score
from companion.rulebook import load_rulebook
from companion.said import say
from companion.tiles import load_catalogue

_FOLDER = Path(__file__).parent

GAME = Game(
    name="zhizhu",
    folder=_FOLDER,
    rulebook=load_rulebook(_FOLDER / "rules.toml"),
    catalogue=load_catalogue(_FOLDER / "tiles.toml"),
    board=load_board(_FOLDER / "board.toml"),
    seats={2: rules.COLOURS},
    options=rules.OPTIONS,
    setup=rules.setup,
    players=lambda web: rules.COLOURS,
    to_move=rules.to_move,
    turns="2.1",
    conceivable=rules.conceivable,
    checks=rules.CHECKS,
    play=rules.play,
    tell=rules.tell,
    layout=rules.layout,
    score=score,
    uncounted=say("captured pieces no longer lie on the table: they are not counted"),
    outcome=rules.outcome,
    advise=advise,
    read_position=notation.read_position,
    write_position=notation.write_position,
    read_move=notation.read_move,
    write_move=notation.write_move,
    quick_legal=rules.quick_legal,
    quick_perft=quick_perft,
    explain=rules.explain,
    amend=rules.amend,
    held=lambda web, player: ("piece",) * web.hand[rules.COLOURS.index(player)],
    remarks=rules.remarks,
    face=faces.face,
    back=faces.back,
)
