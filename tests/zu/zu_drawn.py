"""Draws positions of ZU Tiles in a line and reads what became of them, through the notation only."""

import json

from companion.game import judge, legal_moves
from companion.registry import game_named

GAME = game_named("zu_tiles_hime")
SEATS = {"S": "south", "W": "west", "N": "north", "E": "east"}
DECKS = {"south": "ROM", "north": "DSR", "west": "ROM", "east": "DSR"}


def table(area="", to_move="south", players="SN", **keys):
    """``S:rat@0,0 N:ox@1,0/taunt`` is a Rat of South's and an Ox of North's with Taunt under it."""
    seated = [SEATS[letter] for letter in players]
    position = {
        "game": GAME.name,
        "to_move": to_move,
        "area": [_tile(word) for word in area.split()],
        "players": {
            seat: {"deck": DECKS[seat], "points": [], "discard": [], "hand": 5, "stacks": [7, 7, 7, 7, 7]}
            for seat in seated
        },
    }
    for key, value in keys.items():
        if key in SEATS.values():
            position["players"][key] |= value
        else:
            position[key] = value
    return position


def _tile(word):
    by, _, rest = word.partition(":")
    name, *under = rest.split("/")
    tile, _, at = name.partition("@")
    return {"tile": tile, "at": [int(part) for part in at.split(",")], "by": SEATS[by], "under": under}


def after(position, *moves):
    """The position after some moves, each read, played, written and read again."""
    for move in moves:
        state = GAME.read_position(position)
        position = json.loads(json.dumps(GAME.write_position(GAME.play(state, GAME.read_move(move, state)))))
    return position


def area(position):
    """What lies in the area, as `table` draws it, in order."""
    letters = {seat: letter for letter, seat in SEATS.items()}
    return " ".join(
        f"{letters[tile['by']]}:{'/'.join([tile['tile'] + '@' + ','.join(map(str, tile['at'])), *tile['under']])}"
        for tile in sorted(position["area"], key=lambda tile: tile["at"])
    )


def pile(position, place):
    """A pile by its place, ``north:discard``, its names in order."""
    seat, which = place.split(":")
    return " ".join(position["players"][seat][which])


def changes(position, place):
    """What changes the tile on a cell, in its order."""
    at = [int(part) for part in place.split(",")]
    return next((load["changes"] for load in position.get("loads", []) if load["at"] == at and "changes" in load), [])


def ruling(position, move):
    state = GAME.read_position(position)
    return judge(GAME, state, GAME.read_move(move, state))


def verdict(position, move):
    """``legal``, or the number of the rule that is broken first."""
    given = ruling(position, move)
    return "legal" if given.legal else given.rule


def legal(position):
    state = GAME.read_position(position)
    return sorted(GAME.write_move(move, state) for move in legal_moves(GAME, state))


def points(position):
    return GAME.score(GAME.read_position(position)).points


def outcome(position):
    return GAME.outcome(GAME.read_position(position))
