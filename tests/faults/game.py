"""A game that plays itself into a record, so that every fault meets real events."""

import random

from companion.events import GameBegun, MovePlayed, MoveVoided, ScoreAdjusted
from companion.game import legal_moves, start
from companion.record import add
from companion.registry import game_named
from companion.session import fold

GAME = game_named("zhizhu")
LONGEST = 60


def begin(store):
    """Begin the next game of the record; its request makes a second try harmless."""
    begun = GameBegun(GAME.name, GAME.write_position(start(GAME)))
    return store.begin(begun, f"game {len(store.games()) + 1}")


def next_fact(events):
    """What comes to pass next; the same record always goes on the same way."""
    rng = random.Random(len(events))
    moves = [event.number for event in events if isinstance(event.fact, MovePlayed)]
    if rng.random() < 0.1:
        return ScoreAdjusted(rng.choice(("white", "black")), rng.randint(-2, 2), "agreed at the table")
    standing = fold(events)
    if moves and rng.random() < 0.05:
        return MoveVoided(moves[-1])
    player = GAME.to_move(standing.state)
    if player is None:
        return ScoreAdjusted("white", 1, "after the end")
    return MovePlayed(player, GAME.write_move(rng.choice(legal_moves(GAME, standing.state)), standing.state))


def play_on(store):
    """Go on with the last game, or begin one, for ever; yields a game's number and an event once it is committed."""
    while True:
        kept = store.games()
        if not kept or kept[-1].events >= LONGEST:
            game = begin(store)
            yield game, store.events(game)[0]
        else:
            game = kept[-1].number
            events = store.events(game)
            yield game, add(store, game, next_fact(events), f"{game}-{len(events) + 1}").event


def is_to_be_continued(reader, acknowledged):
    """Which acknowledged events a record does not hold as they were; none, if it is worth its name."""
    held = {(kept.number, event.number): event for kept in reader.games() for event in reader.events(kept.number)}
    return [place for place, event in acknowledged.items() if held.get(place) != event]
