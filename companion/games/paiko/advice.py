"""Paiko: what to play next."""

from companion.game import Clock
from companion.games.paiko.field import Field, Move, play, points_of
from companion.games.paiko.rules import quick_legal
from companion.scoring import Advice


def advise(field: Field, seconds: float, clock: Clock) -> tuple[Advice[Move], ...]:
    return tuple(
        Advice(move, points_of(field.mover, play(field, move).sides[field.mover].board), "wins points")
        for move in quick_legal(field)
    )
