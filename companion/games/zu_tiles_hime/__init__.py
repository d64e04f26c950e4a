"""ZU Tiles: Hime: creatures of the zodiac in squares and Battles, with every tile's effect."""

from pathlib import Path

from companion.board import load_board
from companion.game import Game
from companion.games.zu_tiles_hime import effects, faces, notation, outlook, record, rules, seen
from companion.games.zu_tiles_hime.advice import advise
from companion.games.zu_tiles_hime.catalogue import CATALOGUE
from companion.games.zu_tiles_hime.score import score
from companion.rulebook import load_rulebook
from companion.said import say

_FOLDER = Path(__file__).parent

GAME = Game(
    name="zu_tiles_hime",
    folder=_FOLDER,
    rulebook=load_rulebook(_FOLDER / "rules.toml"),
    catalogue=CATALOGUE,
    board=load_board(_FOLDER / "board.toml"),
    seats=rules.TABLES,
    options=rules.OPTIONS,
    setup=rules.setup,
    players=lambda now: now.seats,
    to_move=rules.to_move,
    give_turn=rules.give_turn,
    conceivable=rules.conceivable,
    checks=rules.CHECKS,
    play=rules.play,
    tell=rules.tell,
    layout=seen.layout,
    counts_as=seen.counts_as,
    score=score,
    uncounted=say("of a point pile only the uppermost tile is seen: those below it are not counted"),
    outcome=rules.outcome,
    advise=advise,
    read_position=record.read_position,
    write_position=record.write_position,
    read_move=notation.read_move,
    write_move=notation.write_move,
    quick_legal=rules.quick_legal,
    explain=seen.explain,
    stages=seen.stages,
    suspects=seen.suspects,
    hindsight=seen.hindsight,
    amend=seen.amend,
    unseen=seen.unseen,
    additions=rules.additions,
    questions=seen.questions,
    seen_by=seen.seen_by,
    at_a_glance=seen.at_a_glance,
    held=seen.held,
    in_hand=seen.counted,
    hold=seen.hold,
    marks=outlook.marks,
    face=faces.face,
    back=faces.back,
)

__all__ = ["GAME", "effects"]
