"""ZU Tiles: five draw stacks, a hand of five with a Creature in it, and who begins (3.1, 3.2, 3.3, 5.11)."""

from collections.abc import Mapping, Sequence
from random import Random

from companion.game import Options, Unreadable
from companion.games.zu_tiles_hime.catalogue import CUSTOM, check_deck, deck_tiles, is_creature
from companion.games.zu_tiles_hime.rules.position import DEFAULTS, STACKS, TABLES, Player, Position
from companion.said import joined, say

OPENING_HAND = 5


def setup(players: tuple[str, ...], options: Options, rng: Random) -> Position:
    """A fully known game: the first named, the youngest, begins; starter decks go round in the order of play.

    Decks of the players' own making are theirs alone: of these only the number of tiles in an opening hand is known.
    """
    seats = seats_for(players)
    if options["decks"] == CUSTOM:
        unlisted = {seat: Player(CUSTOM, hand=OPENING_HAND) for seat in seats}
        return Position(seats, players[0], {}, unlisted, options=options)
    first, second = options["decks"].split("-")
    decks = {seat: (first, second)[i % 2] for i, seat in enumerate(seats)}
    dealt = {seat: deal(deck, deck_tiles(deck), rng) for seat, deck in decks.items()}
    return Position(seats, players[0], {}, dealt, options=options)


def setup_custom(decks: Mapping[str, Sequence[str]], rng: Random, options: Options = DEFAULTS) -> Position:
    """The same with decks of the players' own making that are listed; the first named begins."""
    seats = seats_for(tuple(decks))
    dealt = {seat: deal(CUSTOM, check_deck(decks[seat]), rng) for seat in seats}
    return Position(seats, next(iter(decks)), {}, dealt, options=options)


def seats_for(players: tuple[str, ...]) -> tuple[str, ...]:
    seats = TABLES.get(len(players), ())
    if sorted(seats) != sorted(players):
        named = joined((" ".join(table) for table in TABLES.values()), "{some}; {more}")
        raise Unreadable(say("the players of ZU Tiles sit at {seats}; the first named begins", seats=named), "players")
    return seats


def deal(deck: str, tiles: Sequence[str], rng: Random) -> Player:
    """Shuffle, make five stacks that differ by one tile at most, draw; again until the hand may stand."""
    hopeless = not any(map(is_creature, tiles))
    while True:
        shuffled = list(tiles)
        rng.shuffle(shuffled)
        stacks = [shuffled[i::STACKS] for i in range(STACKS)]
        hand = tuple(sorted(stack.pop(0) for stack in stacks))
        if hopeless or opening_hand_stands(hand):
            return Player(deck, hand=hand, stacks=tuple(map(tuple, stacks)))


def opening_hand_stands(hand: Sequence[str]) -> bool:
    """Whether an opening hand holds a Creature (3.2)."""
    return any(map(is_creature, hand))
