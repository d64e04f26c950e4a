"""ZU Tiles' notation of moves: ``rat@1,0``, ``0,0>1,0+0,1*ox``, ``!pull(0,0>2,0+1) ^north:rattle(1,0~0,0)``, ``.3``."""

import re

from companion.game import Unreadable
from companion.games.zu_tiles_hime.catalogue import UNKNOWN, is_creature, tile_named
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Place, Played, Stack, Take
from companion.games.zu_tiles_hime.rules.position import SEATS, STACKS, Cell, Position, place_of
from companion.games.zu_tiles_hime.targets import CELL, form_of, read_cell, read_targets, write_targets
from companion.said import called, say

_NAME = r"[a-z]+(?:-[a-z]+)*"
_PLACE = re.compile(rf"({_NAME})@({CELL})", re.ASCII)
_BATTLE = re.compile(rf"({CELL})>({CELL})((?:[+-]{CELL})*)(?:\*({_NAME}|\?))?", re.ASCII)
_ALLY = re.compile(rf"([+-])({CELL})", re.ASCII)
_PLAY = re.compile(rf"({_NAME})(?:@({CELL}|{_NAME}))?(?:\(([^()]*)\))?", re.ASCII)
_EXCHANGE = re.compile(rf"~({_NAME}|\?),({_NAME}|\?):([1-{STACKS}])", re.ASCII)
_END = re.compile(rf"\.([1-{STACKS}](?:,[1-{STACKS}])*)?((?: {_NAME}\([^()]*\))*)", re.ASCII)
_TOLD = re.compile(rf" ({_NAME})\(([^()]*)\)", re.ASCII)
_TAKE = re.compile(rf"x({CELL}(?:;{CELL})*)", re.ASCII)
_STEP = re.compile(rf"({CELL})>({CELL})", re.ASCII)


def read_move(text: str, now: Position) -> Move:
    first, *added = text.split(" ^")
    reactions = tuple(_read_reaction(reaction, now) for reaction in added)
    if first.startswith("!"):
        return Stack(_read_play(first[1:], now.mover, now), reactions)
    if found := _BATTLE.fullmatch(first):
        return _read_battle(found, reactions)
    if reactions:
        raise Unreadable(say("{text!r} is no stack and no Battle: nothing can be added to it", text=first), "move")
    if found := _PLACE.fullmatch(first):
        return Place(tile_named(found[1]), read_cell(found[2]))
    if found := _EXCHANGE.fullmatch(first):
        one, other = sorted(map(_tile_or_unknown, found.group(1, 2)))
        return Exchange((one, other), int(found[3]))
    if found := _END.fullmatch(first):
        return _read_end(found)
    if found := _TAKE.fullmatch(first):
        return Take(tuple(sorted({read_cell(cell) for cell in found[1].split(";")})))
    raise Unreadable(
        say("{text!r} is no move: write rat@1,0, 0,0>1,0*ox, !pull(0,0>2,0), ~rat,ox:2 or .3", text=text), "move"
    )


def write_move(move: Move, now: Position) -> str:
    match move:
        case Place():
            return f"{move.tile}@{place_of(move.at)}"
        case Battle():
            return _write_battle(move) + _write_reactions(move.reactions)
        case Stack():
            return f"!{_write_play(move.first)}" + _write_reactions(move.reactions)
        case Exchange():
            return f"~{move.tiles[0]},{move.tiles[1]}:{move.stack}"
        case Take():
            return f"x{';'.join(map(place_of, move.cells))}"
        case EndTurn():
            return _write_end(move)


def _read_reaction(text: str, now: Position) -> Played:
    seat, colon, played = text.partition(":")
    if not colon or seat not in SEATS:
        raise Unreadable(say("{text!r} is no reaction: write ^north:rattle(1,0~0,0)", text=text), "move")
    if seat not in now.seats:
        raise Unreadable(say("nobody sits at {seat}", seat=called(seat)), "move")
    play = _read_play(played, seat, now)
    return Played(play.tile, seat, play.targets, play.at, reaction=True)


def _read_play(text: str, by: str, now: Position) -> Played:
    found = _PLAY.fullmatch(text)
    if not found:
        raise Unreadable(say("{text!r} is no tile with its targets: write pull(0,0>2,0+1)", text=text), "move")
    name, at, targets = found.groups()
    tile, where = tile_named(name), _read_at(at, now)
    if where is None and form_of(tile, ability=True) == "walk" and (walk := _STEP.match(targets or "")):
        # A tile that moves its host says by the path alone where it lies.
        where = read_cell(walk[1])
    if is_creature(tile) and isinstance(where, tuple) and tile != "upset-whelp":
        # A creature whose mind is controlled walks by an ability that it has from Mind Control.
        tile = "mind-control"
    return Played(tile, by, read_targets(tile, where is not None, targets or ""), where)


def _read_at(at: str | None, now: Position) -> Cell | str | None:
    if at is None:
        return None
    if at == "gone" or at in now.seats:
        return at
    if not re.fullmatch(CELL, at):
        raise Unreadable(say("{text!r} is no cell, no player and not gone", text=at), "move")
    return read_cell(at)


def _read_battle(found: re.Match[str], reactions: tuple[Played, ...]) -> Battle:
    attacker, defender, helpers, tile = found.groups()
    named = [(side, read_cell(cell)) for side, cell in _ALLY.findall(helpers)]
    return Battle(
        read_cell(attacker),
        read_cell(defender),
        tuple(sorted(cell for side, cell in named if side == "+")),
        tuple(sorted(cell for side, cell in named if side == "-")),
        _tile_or_unknown(tile or UNKNOWN),
        reactions,
    )


def _read_end(found: re.Match[str]) -> EndTurn:
    draws = tuple(map(int, found[1].split(","))) if found[1] else ()
    revived: tuple[str, ...] = ()
    spread: list[tuple[Cell, Cell]] = []
    for name, told in _TOLD.findall(found[2]):
        if name == "revive" and not revived:
            revived = tuple(sorted(tile_named(tile) for tile in told.split(",")))
        elif name == "contagion" and (step := _STEP.fullmatch(told)):
            spread.append((read_cell(step[1]), read_cell(step[2])))
        else:
            raise Unreadable(say("{text} tells nothing of the end of a turn", text=f"{name}({told})"), "move")
    return EndTurn(draws, revived, tuple(spread))


def _tile_or_unknown(name: str) -> str:
    return name if name == UNKNOWN else tile_named(name)


def _write_battle(move: Battle) -> str:
    allies = "".join(f"+{place_of(cell)}" for cell in move.allies)
    foes = "".join(f"-{place_of(cell)}" for cell in move.foes)
    return f"{place_of(move.attacker)}>{place_of(move.defender)}{allies}{foes}*{move.tile}"


def _write_play(play: Played) -> str:
    at = "" if play.at is None else f"@{play.at if isinstance(play.at, str) else place_of(play.at)}"
    return f"{play.tile}{at}{write_targets(play.targets)}"


def _write_reactions(reactions: tuple[Played, ...]) -> str:
    return "".join(f" ^{play.by}:{_write_play(play)}" for play in reactions)


def _write_end(move: EndTurn) -> str:
    told = [f" revive({','.join(move.revived)})"] if move.revived else []
    told += [f" contagion({place_of(start)}>{place_of(to)})" for start, to in move.spread]
    return "." + ",".join(map(str, move.draws)) + "".join(told)
