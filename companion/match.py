"""Matches between programs over the contract of a game: how strong advice is, in games won."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from companion.game import AnyGame, Clock, advice, legal_moves, start

Player: TypeAlias = Callable[[AnyGame, Any, Random], Any]
"""Chooses one of the legal moves of a state in which it is to move."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Games of a match as the first player sees them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0
    """Moves in all games together."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


Progress: TypeAlias = Callable[[Tally], None]


def plays_randomly(game: AnyGame, state: Any, rng: Random) -> Any:
    """Any legal move."""
    return rng.choice(legal_moves(game, state))


def plays_greedily(game: AnyGame, state: Any, rng: Random) -> Any:
    """The move after which its points exceed the best other player's most; a win before all, a coin among equals."""
    me = game.to_move(state)
    assert me is not None
    valued = [(_lead(game, game.play(state, move), me), move) for move in legal_moves(game, state)]
    best = max(lead for lead, _ in valued)
    return rng.choice([move for lead, move in valued if lead == best])


def plays_advised(seconds: float, clock: Clock = time.monotonic) -> Player:
    """Follows the game's own advice, so many seconds a move; any legal move where the advice knows none."""

    def follow(game: AnyGame, state: Any, rng: Random) -> Any:
        best = advice(game, state, seconds, clock)
        return best[0].move if best else plays_randomly(game, state, rng)

    return follow


def play_match(
    game: AnyGame,
    one: Player,
    other: Player,
    *,
    games: int,
    seed: int = 0,
    most_plies: int = 400,
    by_points: bool = False,
    progress: Progress = lambda tally: None,
) -> Tally:
    """Play so many games; the first player begins every other one, the second has all other seats.

    A game that reaches the most plies is a draw, or with ``by_points`` is won by who has the most points.
    """
    seats = game.seats[2 if 2 in game.seats else min(game.seats)]
    tally = Tally()
    for number in range(games):
        seat = seats[number % len(seats)]
        rng = Random(f"{seed}/{number}")
        state, plies = _play_game(game, seats, {seat: one}, other, rng, most_plies)
        won = _share(game, state, seat, by_points)
        tally = Tally(tally.wins + (won > 0), tally.draws + (won == 0), tally.losses + (won < 0), tally.plies + plies)
        progress(tally)
    return tally


def _play_game(
    game: AnyGame, seats: tuple[str, ...], sitting: dict[str, Player], other: Player, rng: Random, most_plies: int
) -> tuple[Any, int]:
    """One game, and how many moves it took; each player knows only what its seat may see."""
    state = start(game, seats, rng=rng)
    for ply in range(most_plies):
        seat = game.to_move(state)
        if seat is None:
            return state, ply
        move = sitting.get(seat, other)(game, game.seen_by(state, seat), rng)
        state = game.play(state, move)
    return state, most_plies


def _share(game: AnyGame, state: Any, seat: str, by_points: bool) -> int:
    """1 for a win of the seat, 0 for a draw, -1 for a loss."""
    outcome = game.outcome(state)
    if outcome.over:
        return 0 if outcome.winner is None else 1 if outcome.winner == seat else -1
    lead = _lead(game, state, seat) if by_points else 0
    return (lead > 0) - (lead < 0)


def _lead(game: AnyGame, state: Any, seat: str) -> float:
    """Own points less the best other player's; without end where the game is won or lost."""
    outcome = game.outcome(state)
    if outcome.over and outcome.winner is not None:
        return float("inf") if outcome.winner == seat else float("-inf")
    points = game.score(state).points
    return points[seat] - max((held for player, held in points.items() if player != seat), default=0)
