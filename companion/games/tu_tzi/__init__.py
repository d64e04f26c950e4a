"""Tu Tzi: sixty cards of twelve animals and five elements, formations of trines and squares."""

from pathlib import Path

from companion.board import load_board
from companion.game import Game
from companion.games.tu_tzi import faces, match, moves, notation, rules, turns
from companion.games.tu_tzi.advice import advise
from companion.games.tu_tzi.score import outcome, score
from companion.rulebook import load_rulebook
from companion.tiles import load_catalogue

_FOLDER = Path(__file__).parent

GAME = Game(
    name="tu_tzi",
    folder=_FOLDER,
    rulebook=load_rulebook(_FOLDER / "rules.toml"),
    catalogue=load_catalogue(_FOLDER / "tiles.toml"),
    board=load_board(_FOLDER / "board.toml"),
    seats={
        2: ("south", "north"),
        3: ("south", "north", "east"),
        4: ("south", "west", "north", "east"),
        5: ("south", "west", "northwest", "northeast", "east"),
    },
    options=match.OPTIONS,
    setup=turns.setup,
    players=lambda known: known.players,
    to_move=rules.to_move,
    give_turn=turns.give_turn,
    conceivable=moves.conceivable,
    checks=rules.CHECKS,
    play=turns.play,
    tell=rules.tell,
    layout=rules.layout,
    score=score,
    outcome=outcome,
    advise=advise,
    read_position=notation.read_position,
    write_position=notation.write_position,
    read_move=notation.read_move,
    write_move=notation.write_move,
    quick_legal=rules.quick_legal,
    explain=rules.explain,
    suspects=rules.suspects,
    amend=rules.amend,
    unseen=rules.unseen,
    seen_by=rules.seen_by,
    at_a_glance=rules.at_a_glance,
    held=rules.held,
    in_hand=rules.in_hand,
    hold=rules.hold,
    face=faces.face,
    back=faces.back,
)
