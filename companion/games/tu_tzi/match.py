"""What is known of a match of Tu Tzi, and what a player can do: the types that rules, score and notation share."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.game import Option, Options
from companion.games.tu_tzi.cards import ALL_ANIMALS, TU_TZI, Cards, animals_in, card_of_year

OPTIONS = (
    Option("open-hand", "4.3", "Cards may lie in the formation before their group is complete", ("off", "on")),
    Option("blind-double", "5.4", "A blind or stock card whose animal the formation shows", ("back", "again")),
    Option("birth-year", "5.5", "Each player's own birth-year card plays Tu Tzi's part", ("off", "on")),
    Option("checkerboard", "6.5", "Two elements in a checkerboard are Church & State", ("off", "on")),
    Option("tie", "7.1", "A tie at the end", ("shared", "another-round")),
)
DEFAULTS = Options((), OPTIONS)

RECRUIT, BUILD, SWITCH, OVER = "recruit", "build", "tu tzi", "over"


@dataclass(frozen=True, slots=True)
class Match:
    """A position. Players are numbered by their seat; ``None`` stands for what nobody told.

    ``score`` counts the formations as they lie; ``totals`` are those of the rounds that are over, this one among them
    once its phase is ``over``.
    """

    players: tuple[str, ...] = ()
    dealer: int | None = None
    round: int | None = None
    totals: tuple[int | None, ...] | None = None
    rounds: int | None = None
    mover: int | None = None
    phase: str | None = None
    formations: tuple[Cards | None, ...] = ()
    hands: tuple[Cards | None, ...] = ()
    stock: Cards | None = None
    """The top card first."""
    piles: tuple[Cards, ...] | None = None
    """The discard piles, the top card of each first."""
    followed: bool = False
    """Whether the match is followed from deal to deal, so that the cards under the tops are remembered.

    Otherwise a position is a moment of one round, and a pile is its top card.
    """
    arrangement: tuple[Cards, ...] | None = None
    """Rows from the top, as the cards really lie; only the move ``layout`` looks at it."""
    earned: tuple[int, ...] = ()
    """For each player the groups that have earned their extra card this round, as bits."""
    owed: int = 0
    """Extra cards the mover still recruits in this turn, where the phase alone does not say so (`still_owed`)."""
    passes: int = 0
    """How many players have passed in a row."""
    births: tuple[int | None, ...] = ()
    """The lunar years in which the players were born."""
    seed: int | None = None
    """What the next deal and blind draws are derived from, where a program holds the cards."""
    options: Options = DEFAULTS

    def formation(self, seat: int) -> Cards:
        return self.formations[seat] or ()

    @property
    def tops(self) -> Cards:
        return tuple(pile[0] for pile in self.piles or () if pile)

    @property
    def stock_is_gone(self) -> bool:
        return self.stock == ()

    @property
    def is_open(self) -> bool:
        return self.options["open-hand"] == "on"

    @property
    def rounds_over(self) -> int:
        if self.rounds is not None:
            return self.rounds
        return (self.round or 1) - (self.phase != OVER)

    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.players)

    def from_the_left(self) -> tuple[int, ...]:
        """The seats in the order of play, from the dealer's left."""
        first = 0 if self.dealer is None else self.left_of(self.dealer)
        return tuple((first + i) % len(self.players) for i in range(len(self.players)))

    def is_complete(self, seat: int) -> bool:
        return animals_in(self.formation(seat)) == ALL_ANIMALS

    def tu_tzi_of(self, seat: int) -> int | None:
        """The card that lets a player switch at the end of the round (5.1, 5.5)."""
        if self.options["birth-year"] == "off":
            return TU_TZI
        year = self.births[seat] if self.births else None
        return None if year is None else card_of_year(year)

    def may_switch(self, seat: int) -> bool:
        card = self.tu_tzi_of(seat)
        return card is not None and card in self.formation(seat)

    def lies_open(self, card: int) -> bool:
        """Whether everybody sees or saw the card: in a formation or in a discard pile."""
        return any(card in (cards or ()) for cards in (*self.formations, *(self.piles or ())))


def still_owed(match: Match, cards: int) -> int:
    """A single card to recruit is what the phase ``recruit`` means, unless one could pass instead of it."""
    return 0 if cards == 1 and not match.stock_is_gone else cards


def trimmed(piles: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Discard piles without the empty ones at the end."""
    return trimmed(piles[:-1]) if piles and not piles[-1] else piles


@dataclass(frozen=True, slots=True)
class Recruit:
    """The top card of a discard pile, or of the stock (no card); ``drawn`` names a stock card that somebody told."""

    card: int | None
    drawn: int | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Cards of the hand into the formation, ascending."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A card of the own formation for another one: of the hand or, in the Tu Tzi phase, wherever that lies."""

    own: int
    other: int


@dataclass(frozen=True, slots=True)
class BlindSwitch:
    """A card of the own formation for one of another's hand (a seat) or of the stock (``None``), unseen."""

    own: int
    seat: int | None
    drawn: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    card: int
    pile: int = 0


@dataclass(frozen=True, slots=True)
class Pass:
    pass


@dataclass(frozen=True, slots=True)
class Arrange:
    """Has the arrangement of the position judged; changes nothing."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The next round; ``top`` names the card that starts the discard pile, where a real hand dealt it."""

    top: int | None = None


Move: TypeAlias = Recruit | Build | Exchange | BlindSwitch | Discard | Pass | Arrange | Deal
