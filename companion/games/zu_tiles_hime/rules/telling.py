"""ZU Tiles: what a move does, in sentences."""

from companion.games.zu_tiles_hime.catalogue import title
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Place, Stack, Take
from companion.games.zu_tiles_hime.rules.position import Cell, Position, place_of
from companion.games.zu_tiles_hime.rules.turn import carry_out
from companion.rules import Told
from companion.table import Place as Where


def tell(now: Position, move: Move) -> Told:
    """A Battle is told as a sum, a square pair by pair, as they come to be when the move is carried out."""
    happened = carry_out(now, move).log
    said = [_opening(now, move), *happened] if not isinstance(move, Battle) or not happened else list(happened)
    return Told(". ".join(sentence[:1].upper() + sentence[1:] for sentence in said), touched(move))


def touched(move: Move) -> tuple[Where, ...]:
    """The places a move speaks of."""
    cells: list[Cell] = []
    match move:
        case Place():
            cells = [move.at]
        case Battle():
            cells = [move.attacker, move.defender, *move.allies, *move.foes]
        case Stack():
            at = [move.first.at] if isinstance(move.first.at, tuple) else []
            cells = [*at, *(cell for part in move.first.targets for cell in part.path)]
            cells += [part.then for part in move.first.targets if isinstance(part.then, tuple)]
        case EndTurn():
            cells = [cell for step in move.spread for cell in step]
        case Take():
            cells = list(move.cells)
    return tuple(map(place_of, dict.fromkeys(cells)))


def _opening(now: Position, move: Move) -> str:
    who = now.mover.title()
    match move:
        case Place():
            return f"{who} places {title(move.tile)} on {place_of(move.at)}"
        case Stack():
            return f"{who} {'uses' if move.first.at is not None else 'plays'} {title(move.first.tile)}"
        case Battle():
            return f"{who} attacks {place_of(move.defender)} from {place_of(move.attacker)}"
        case Exchange():
            return f"{who} discards {' and '.join(map(title, move.tiles))} and draws from stack {move.stack}"
        case Take():
            return f"{who} takes {' and '.join(map(place_of, move.cells))}"
        case EndTurn():
            return f"{who} ends the turn {_drawing(move)}"


def _drawing(move: EndTurn) -> str:
    if move.revived:
        return f"and takes {' and '.join(map(title, move.revived))} back into the hand"
    if not move.draws:
        return "without a tile to draw"
    return f"and draws from stack {' and '.join(map(str, move.draws))}"
