"""ZhiZhu: what to play next, and why."""

from collections.abc import Iterable

from companion.game import Clock
from companion.games.zhizhu.chains import BOARD, LINE_OF, bits, closes_five, closes_three, names, slides
from companion.games.zhizhu.rules import COLOURS, Turn, Web, closed_chains, in_a_sentence, outcome, play
from companion.games.zhizhu.search import PIECE, PROVEN, WIN, Position, look_ahead, position_of, steps
from companion.said import called, counted, joined, listed, say
from companion.scoring import Advice

SHOWN = 3
WON = 100.0
"""The gain of a turn that wins by force; one that loses by force gains its negative."""
_COUNT = (say("no piece"), say("one piece"), say("two pieces"))


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
        left = say("no slide") if won.rule == "4.2" else _COUNT[then.left(1 - web.mover)]
        return say("wins by leaving {enemy} {left}", enemy=enemy, left=left)
    reasons = _reasons(web, turn, then) or [_quietly(web, turn, then)]
    why = listed(reasons)
    if value > PROVEN:
        return say("{why}; wins by force in {turns}", why=why, turns=_own_turns(WIN - value))
    if value < -PROVEN:
        turns = _own_turns(WIN + value)
        return say("{why}; {enemy} wins all the same in {turns}", why=why, enemy=enemy, turns=turns)
    if chains := _closings(position_of(then, 1 - web.mover)):
        return say("{why}, though {enemy} can close {chains}", why=why, enemy=enemy, chains=_listed(chains))
    return why


def _gain(web: Web, value: int) -> float:
    if abs(value) > PROVEN:
        return WON if value > 0 else -WON
    ahead = web.left(web.mover) - web.left(1 - web.mover)
    return float(round(value / PIECE) - ahead)


def _own_turns(plies: int) -> str:
    turns = (plies + 1) // 2
    return counted(turns, "one turn", "{n} turns")


def _reasons(web: Web, turn: Turn, then: Web) -> list[str]:
    """What the turn does that a player can see: chains closed, blocked, opened and threatened."""
    enemy = _name(1 - web.mover)
    reasons = []
    if closed := closed_chains(then.on[web.mover], turn.to):
        reasons.append(say("closes {chains}", chains=_listed(closed)))
    if turn.taken:
        reasons.append(say("takes {pieces}", pieces=joined(_taken(web, then, piece) for piece in bits(turn.taken))))
    reasons += _stopped(web, turn, then, enemy)
    could, can = _closings(position_of(web, web.mover)), _closings(position_of(then, web.mover))
    opened = closed_chains(web.mine, turn.start) if turn.start and not closed else []
    if new := [chain for chain in can if chain not in could and chain not in opened]:
        reasons.append(say("threatens {chains}", chains=_listed(new)))
    if opened:
        when = say("next turn") if all(chain in can for chain in opened) else say("later")
        reasons.append(say("opens {chains} to close it again {when}", chains=_listed(opened), when=when))
    return reasons


def _taken(web: Web, then: Web, piece: int) -> str:
    """Which piece goes, by what it stood for."""
    mine = then.on[web.mover]
    if piece & (closes_three(mine) | closes_five(mine)):
        return say("the piece that blocks {chains}", chains=_listed(closed_chains(mine | piece, piece)))
    point = names(piece)[0]
    line = LINE_OF[piece]
    if (line & web.enemy).bit_count() == 2 and not line & mine:
        return say("{point} out of {enemy}'s line {line}", point=point, enemy=_name(1 - web.mover), line=point[0])
    return say("the piece on {point}", point=point)


def _stopped(web: Web, turn: Turn, then: Web, enemy: str) -> list[str]:
    """The chains that the enemy could have closed next and now cannot, or not at this point."""
    before, now = (_closings(position_of(at, 1 - web.mover)) for at in (web, then))
    owned = {chain: say("{enemy}'s {chain}", enemy=enemy, chain=chain) for chain in before}
    here = [chain for chain, points in before.items() if turn.to & points]
    blocked = [owned[chain] for chain in here if chain not in now]
    half = [say("one end of {chain}", chain=owned[chain]) for chain in here if chain in now]
    broken = [owned[chain] for chain in before if chain not in here and chain not in now]
    reasons = [say("blocks {chains}", chains=joined(blocked + half))] if here else []
    return [*reasons, say("ends the threat of {chains}", chains=joined(broken))] if broken else reasons


def _quietly(web: Web, turn: Turn, then: Web) -> str:
    """What a turn without an event is good for."""
    mine, enemy = then.on[web.mover], then.on[1 - web.mover]
    line, point = LINE_OF[turn.to], names(turn.to)[0]
    if (line & mine).bit_count() == 2 and not line & enemy:
        return say("prepares line {line}", line=point[0])
    if not line & enemy and (line & mine).bit_count() == 1 and web.placing:
        return say("takes a point of line {line}, which is still open", line=point[0])
    empty = BOARD & ~(mine | enemy)
    free, theirs = slides(mine, empty), slides(enemy, empty)
    return say("keeps room: {n} slides against {enemy}'s {theirs}", n=free, enemy=_name(1 - web.mover), theirs=theirs)


def _closings(position: Position) -> dict[str, int]:
    """The chains that a player to move could close, each with the points that close it."""
    found: dict[str, int] = {}
    for start, to, _ in steps(position, every=False)[0]:
        for chain in closed_chains(position[0] ^ start | to, to):
            found[chain] = found.get(chain, 0) | to
    return found


def _listed(chains: Iterable[str]) -> str:
    return joined(in_a_sentence(chain) for chain in chains)


def _name(colour: int) -> str:
    return called(COLOURS[colour])
