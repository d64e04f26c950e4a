"""ZhiZhu: what to play next, and why."""

from collections.abc import Iterable

from companion.game import Clock
from companion.games.zhizhu.chains import BOARD, LINE_OF, bits, closes_five, closes_three, names, slides
from companion.games.zhizhu.rules import COLOURS, Turn, Web, closed_chains, in_a_sentence, outcome, play
from companion.games.zhizhu.search import PIECE, PROVEN, WIN, Position, look_ahead, position_of, steps
from companion.scoring import Advice

SHOWN = 3
WON = 100.0
"""The gain of a turn that wins by force; one that loses by force gains its negative."""
_COUNT = ("no piece", "one piece", "two pieces")


def advise(web: Web, seconds: float, clock: Clock) -> tuple[Advice[Turn], ...]:
    """The best turns, with the difference in captured pieces that each leads to as far as could be seen."""
    if outcome(web).over:
        return ()
    ranked = look_ahead(web, seconds, clock, SHOWN)[:SHOWN]
    turns = [(Turn(start or None, to, taken), value) for (start, to, taken), value in ranked]
    advice = [Advice(turn, _gain(web, value), because(web, turn, value)) for turn, value in turns]
    return tuple(sorted(advice, key=lambda each: -each.gain))


def because(web: Web, turn: Turn, value: int = 0) -> str:
    """Why a turn is worth playing; ``value`` is what the search found it leads to."""
    then = play(web, turn)
    won = outcome(then)
    enemy = _name(1 - web.mover)
    if won.over:
        left = "no slide" if won.rule == "4.2" else _COUNT[then.left(1 - web.mover)]
        return f"wins by leaving {enemy} {left}"
    reasons = _reasons(web, turn, then) or [_quietly(web, turn, then)]
    said = reasons[0] if len(reasons) == 1 else f"{', '.join(reasons[:-1])} and {reasons[-1]}"
    if value > PROVEN:
        return f"{said}; wins by force in {_own_turns(WIN - value)}"
    if value < -PROVEN:
        return f"{said}; {enemy} wins all the same in {_own_turns(WIN + value)}"
    can_close = _closings(position_of(then, 1 - web.mover))
    return f"{said}, though {enemy} can close {_listed(can_close)}" if can_close else said


def _gain(web: Web, value: int) -> float:
    if abs(value) > PROVEN:
        return WON if value > 0 else -WON
    ahead = web.left(web.mover) - web.left(1 - web.mover)
    return float(round(value / PIECE) - ahead)


def _own_turns(plies: int) -> str:
    turns = (plies + 1) // 2
    return "one turn" if turns == 1 else f"{turns} turns"


def _reasons(web: Web, turn: Turn, then: Web) -> list[str]:
    """What the turn does that a player can see: chains closed, blocked, opened and threatened."""
    enemy = _name(1 - web.mover)
    reasons = []
    if closed := closed_chains(then.on[web.mover], turn.to):
        reasons.append(f"closes {_listed(closed)}")
    if turn.taken:
        reasons.append(f"takes {' and '.join(_taken(web, then, piece) for piece in bits(turn.taken))}")
    reasons += _stopped(web, turn, then, f"{enemy}'s")
    could, can = _closings(position_of(web, web.mover)), _closings(position_of(then, web.mover))
    opened = closed_chains(web.mine, turn.start) if turn.start and not closed else []
    if new := [chain for chain in can if chain not in could and chain not in opened]:
        reasons.append(f"threatens {_listed(new)}")
    if opened:
        when = "next turn" if all(chain in can for chain in opened) else "later"
        reasons.append(f"opens {_listed(opened)} to close it again {when}")
    return reasons


def _taken(web: Web, then: Web, piece: int) -> str:
    """Which piece goes, by what it stood for."""
    mine = then.on[web.mover]
    if piece & (closes_three(mine) | closes_five(mine)):
        return f"the piece that blocks {_listed(closed_chains(mine | piece, piece))}"
    point = names(piece)[0]
    line = LINE_OF[piece]
    if (line & web.enemy).bit_count() == 2 and not line & mine:
        return f"{point} out of {_name(1 - web.mover)}'s line {point[0]}"
    return f"the piece on {point}"


def _stopped(web: Web, turn: Turn, then: Web, enemys: str) -> list[str]:
    """The chains that the enemy could have closed next and now cannot, or not at this point."""
    before, now = (_closings(position_of(at, 1 - web.mover)) for at in (web, then))
    blocked = [f"{enemys} {chain}" for chain, points in before.items() if turn.to & points and chain not in now]
    half = [f"one end of {enemys} {chain}" for chain, points in before.items() if turn.to & points and chain in now]
    broken = [f"{enemys} {chain}" for chain, points in before.items() if not turn.to & points and chain not in now]
    reasons = [f"blocks {' and '.join(blocked + half)}"] if blocked or half else []
    return [*reasons, f"ends the threat of {' and '.join(broken)}"] if broken else reasons


def _quietly(web: Web, turn: Turn, then: Web) -> str:
    """What a turn without an event is good for."""
    mine, enemy = then.on[web.mover], then.on[1 - web.mover]
    line, point = LINE_OF[turn.to], names(turn.to)[0]
    if (line & mine).bit_count() == 2 and not line & enemy:
        return f"prepares line {point[0]}"
    if not line & enemy and (line & mine).bit_count() == 1 and web.placing:
        return f"takes a point of line {point[0]}, which is still open"
    empty = BOARD & ~(mine | enemy)
    free, free_enemy = slides(mine, empty), slides(enemy, empty)
    return f"keeps room: {free} slides against {_name(1 - web.mover)}'s {free_enemy}"


def _closings(position: Position) -> dict[str, int]:
    """The chains that a player to move could close, each with the points that close it."""
    found: dict[str, int] = {}
    for start, to, _ in steps(position, every=False)[0]:
        for chain in closed_chains(position[0] ^ start | to, to):
            found[chain] = found.get(chain, 0) | to
    return found


def _listed(chains: Iterable[str]) -> str:
    return " and ".join(in_a_sentence(chain) for chain in chains)


def _name(colour: int) -> str:
    return COLOURS[colour].title()
