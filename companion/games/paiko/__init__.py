"""Paiko: tiles that threaten and cover squares, on a board of two homegrounds and the middle between."""

from pathlib import Path

from companion.board import load_board
from companion.game import Game
from companion.games.paiko import faces, field, hands, notation, rules, words
from companion.games.paiko.advice import advise
from companion.games.paiko.score import score
from companion.rulebook import load_rulebook
from companion.tiles import load_catalogue

_FOLDER = Path(__file__).parent

GAME = Game(
    name="paiko",
    folder=_FOLDER,
    rulebook=load_rulebook(_FOLDER / "rules.toml"),
    catalogue=load_catalogue(_FOLDER / "tiles.toml"),
    board=load_board(_FOLDER / "board.toml"),
    seats={2: field.COLOURS},
    options=field.OPTIONS,
    setup=field.setup,
    players=lambda _: field.COLOURS,
    to_move=field.to_move,
    give_turn=field.give_turn,
    conceivable=hands.conceivable,
    checks=rules.CHECKS,
    play=field.play,
    tell=words.tell,
    layout=field.layout,
    score=score,
    outcome=field.outcome,
    advise=advise,
    read_position=notation.read_position,
    write_position=notation.write_position,
    read_move=notation.read_move,
    write_move=notation.write_move,
    quick_legal=rules.quick_legal,
    quick_perft=rules.quick_perft,
    explain=hands.explain,
    stages=hands.stages,
    suspects=hands.suspects,
    amend=field.amend,
    unseen=field.unseen,
    held=field.held,
    marks=field.marks,
    face=faces.face,
    back=faces.back,
)
