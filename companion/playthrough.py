"""Whole games written down ply by ply, so that any change of an engine shows."""

import json
import random
from collections.abc import Iterator
from typing import Any

from companion.game import AnyGame, judge, legal_moves, start


def record_playthrough(game: AnyGame, seed: int, players: int, plies: int) -> str:
    """A random game as text: the first position, then every move with its ruling and the points."""
    rng = random.Random(seed)
    state = start(game, game.seats[players], rng=rng)
    return "\n".join(_lines(game, state, _random_moves(game, state, rng, plies))) + "\n"


def replay_playthrough(game: AnyGame, text: str) -> str:
    """The same text written anew by the engine from the first position and the moves alone."""
    head, *rest = text.splitlines()
    state = game.read_position(json.loads(head))
    moves = [line.split("  ")[1] for line in rest if line[0].isdigit()]
    return "\n".join(_lines(game, state, iter(moves))) + "\n"


def _lines(game: AnyGame, state: Any, moves: Iterator[str]) -> Iterator[str]:
    yield _json(game, state)
    for ply, notation in enumerate(moves, 1):
        move = game.read_move(notation, state)
        ruling = judge(game, state, move)
        state = game.play(state, move)
        points = " ".join(f"{player} {points}" for player, points in game.score(state).points.items())
        verdict = "legal" if ruling.legal else f"illegal {ruling.rule}"
        yield f"{ply}  {notation}  {verdict}  {points}"
    outcome = game.outcome(state)
    yield f"= {outcome.rule or 'goes on'} {outcome.winner or ('draw' if outcome.draw else '-')}"
    yield _json(game, state)


def _random_moves(game: AnyGame, state: Any, rng: random.Random, plies: int) -> Iterator[str]:
    for _ in range(plies):
        moves = legal_moves(game, state)
        if not moves:
            return
        notation = rng.choice(sorted(game.write_move(move, state) for move in moves))
        yield notation
        state = game.play(state, game.read_move(notation, state))


def _json(game: AnyGame, state: Any) -> str:
    return json.dumps(game.write_position(state), ensure_ascii=False)
