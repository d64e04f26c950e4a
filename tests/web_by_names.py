"""ZhiZhu's rules a second time, slowly and with other means: names and sets, no bits, straight from the wording."""

import re

LINES = "abcdefgh"
POINTS = [f"{line}{circle}" for line in LINES for circle in "123"]
OTHER = {"white": "black", "black": "white"}


def beside(point, steps):
    return LINES[(LINES.index(point[0]) + steps) % 8] + point[1]


THREES = [frozenset(f"{line}{circle}" for circle in "123") for line in LINES]
FIVES = [frozenset(beside(f"{line}{circle}", i) for i in range(5)) for circle in "123" for line in LINES]


def neighbours(point):
    circles = [str(int(point[1]) + step) for step in (-1, 1)]
    return {beside(point, 1), beside(point, -1), *(point[0] + c for c in circles if c in "123")}


def chains_through(point, pieces):
    return [chain for chain in (*THREES, *FIVES) if point in chain and chain <= pieces]


def in_a_chain(point, pieces):
    return bool(chains_through(point, pieces))


def due(position, pieces, point):
    made = chains_through(point, pieces)
    threes, fives = sum(len(chain) == 3 for chain in made), sum(len(chain) == 5 for chain in made)
    if position.get("options", {}).get("chains") == "every":
        return threes + 2 * fives
    return threes + 2 * min(fives, 1)


def capture_sets(enemy, number):
    """Every set of pieces that some order of single removals takes, each allowed when its turn comes."""
    found = {frozenset()}
    for _ in range(min(number, len(enemy))):
        longer = set()
        for taken in found:
            left = enemy - taken
            free = {piece for piece in left if not in_a_chain(piece, left)}
            longer |= {taken | {piece} for piece in (free or left)}
        found = longer
    return found


def pieces_left(position, player):
    return len(position[player]) + position["hand"][player]


def is_over_by_pieces(position):
    return any(pieces_left(position, player) <= 2 for player in OTHER)


def legal(position):
    mover = position["to_move"]
    mine, enemy = set(position[mover]), set(position[OTHER[mover]])
    empty = set(POINTS) - mine - enemy
    if is_over_by_pieces(position):
        return []
    if position["hand"][mover]:
        bare = [(None, to) for to in empty]
    else:
        bare = [(start, to) for start in mine for to in neighbours(start) & empty]
        bare = [(start, to) for start, to in bare if f"{start}-{to}" != position["barred"][mover]]
    moves = []
    for start, to in bare:
        written = f"{start}-{to}" if start else to
        for taken in capture_sets(enemy, due(position, (mine - {start}) | {to}, to)):
            moves.append(written + "".join(f"x{piece}" for piece in sorted(taken)))
    return sorted(moves)


def read(move):
    start, to, taken = re.fullmatch(r"(?:(..)-)?(..)((?:x..)*)", move).groups()
    return start, to, set(taken.split("x")[1:])


def apply(position, move):
    mover = position["to_move"]
    other = OTHER[mover]
    start, to, taken = read(move)
    mine = set(position[mover])
    left_a_chain = start is not None and in_a_chain(start, mine)
    mine = (mine - {start}) | {to}
    enemy = set(position[other]) - taken
    hand = dict(position["hand"])
    hand[mover] -= start is None
    barred = {mover: f"{to}-{start}" if left_a_chain else None, other: position["barred"][other]}
    if barred[other]:
        back_from, back_to = barred[other].split("-")
        remade = (enemy - {back_from}) | {back_to}
        possible = back_from in enemy and back_to not in mine | enemy and in_a_chain(back_to, remade)
        barred[other] = barred[other] if possible else None
    after = {
        "game": "zhizhu",
        "to_move": other,
        "white": sorted(mine if mover == "white" else enemy),
        "black": sorted(mine if mover == "black" else enemy),
        "hand": {"white": hand["white"], "black": hand["black"]},
        "barred": {"white": barred["white"], "black": barred["black"]},
    }
    return after | ({"options": position["options"]} if position.get("options") else {})


def first_breach(position, move):
    mover = position["to_move"]
    mine, enemy = set(position[mover]), set(position[OTHER[mover]])
    empty = set(POINTS) - mine - enemy
    start, to, taken = read(move)
    if is_over_by_pieces(position):
        return "4.1"
    if position["hand"][mover]:
        if start or to not in empty:
            return "2.2"
    elif start not in mine or to not in empty or to not in neighbours(start):
        return "2.3"
    elif position["barred"][mover] == f"{start}-{to}":
        return "3.6"
    number = min(due(position, (mine - {start}) | {to}, to), len(enemy))
    if len(taken) != number or not taken <= enemy:
        return "3.2"
    return None if frozenset(taken) in capture_sets(enemy, number) else "3.4"


def outcome(position):
    mover = position["to_move"]
    for loser in (mover, OTHER[mover]):
        if pieces_left(position, loser) <= 2:
            return OTHER[loser], "4.1"
    return (None, None) if legal(position) else (OTHER[mover], "4.2")
