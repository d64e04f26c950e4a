"""Who plays next if nobody says otherwise: those who played before, as they are called and by their house rules."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.game import AnyGame
from companion.session import Standing


@dataclass(frozen=True, slots=True)
class Company:
    """The people at a table, as a game seats them."""

    seats: tuple[str, ...]
    people: Mapping[str, str]
    """What those are called who said so."""
    options: Mapping[str, str]
    """The house rules that are not the rule book's own."""


def company(game: AnyGame, before: Standing | None, *, said: int | None = None, usual: int | None = None) -> Company:
    """Who plays a game: as many as somebody said, else as the game before seated, else the usual number, else the
    fewest that can."""
    if before is None:
        return Company(_seats(game, said, usual), {}, {})
    seats = _seats(game, said, len(before.game.players(before.state)), usual)
    people = {seat: before.people[seat] for seat in seats if seat in before.people}
    is_again = before.game is game
    return Company(seats, people, before.game.write_position(before.state).get("options", {}) if is_again else {})


def _seats(game: AnyGame, *counts: int | None) -> tuple[str, ...]:
    return next((game.seats[count] for count in counts if count and count in game.seats), game.seats[min(game.seats)])
