"""What to play next."""

from companion.game import Clock
from companion.games.pirates_ninjas_robots_zombies.rules import Table, Turn
from companion.games.pirates_ninjas_robots_zombies.turns import placements
from companion.scoring import Advice


def advise(table: Table, seconds: float, clock: Clock) -> tuple[Advice[Turn], ...]:
    return tuple(Advice(turn, 0.0, "is legal") for turn in placements(table))
