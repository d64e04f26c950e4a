"""ZU Tiles: what a move does, in sentences."""

from companion.games.zu_tiles_hime.catalogue import title
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Place, Stack, Take
from companion.games.zu_tiles_hime.rules.position import Cell, Position, place_of
from companion.games.zu_tiles_hime.rules.turn import carry_out
from companion.rules import Told
from companion.said import called, joined, say, sentence
from companion.table import Place as Where


def tell(now: Position, move: Move) -> Told:
    """A Battle is told as a sum, a square pair by pair, as they come to be when the move is carried out."""
    happened = carry_out(now, move).log
    said = [_opening(now, move), *happened] if not isinstance(move, Battle) or not happened else list(happened)
    return Told(joined(map(sentence, said), "{some}. {more}"), touched(move))


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
    who = called(now.mover)
    match move:
        case Place():
            return say("{mover} places {tile} on {place}", mover=who, tile=title(move.tile), place=place_of(move.at))
        case Stack():
            uses = move.first.at is not None
            return say(
                "{mover} uses {tile}" if uses else "{mover} plays {tile}", mover=who, tile=title(move.first.tile)
            )
        case Battle():
            return say(
                "{mover} attacks {place} from {start}",
                mover=who,
                place=place_of(move.defender),
                start=place_of(move.attacker),
            )
        case Exchange():
            return say(
                "{mover} discards {tiles} and draws from stack {n}",
                mover=who,
                tiles=joined(map(title, move.tiles)),
                n=move.stack,
            )
        case Take():
            return say("{mover} takes {places}", mover=who, places=joined(map(place_of, move.cells)))
        case EndTurn():
            return say("{mover} ends the turn {drawing}", mover=who, drawing=_drawing(move))


def _drawing(move: EndTurn) -> str:
    if move.revived:
        return say("and takes {tiles} back into the hand", tiles=joined(map(title, move.revived)))
    if not move.draws:
        return say("without a tile to draw")
    return say("and draws from stack {stacks}", stacks=joined(map(str, move.draws)))
