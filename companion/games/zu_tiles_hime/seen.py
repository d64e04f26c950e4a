"""ZU Tiles and the camera: how the table must look, what a look at it may mean, and what has to be asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from companion.board import cell_of, is_cell
from companion.games.zu_tiles_hime.catalogue import CATALOGUE, DECKS, UNKNOWN, is_creature, title
from companion.games.zu_tiles_hime.rules.area import counts_as_empty
from companion.games.zu_tiles_hime.rules.conceivable import conceivable, known_hand
from companion.games.zu_tiles_hime.rules.moves import Battle, Exchange, Move, Place, Stack, Take
from companion.games.zu_tiles_hime.rules.piles import leave
from companion.games.zu_tiles_hime.rules.position import (
    SEATS,
    STACKS,
    Hand,
    Lying,
    Position,
    can_draw,
    give_to_hand,
    in_hand,
    left_to_draw,
    place_of,
    started_with,
    take_from_hand,
)
from companion.games.zu_tiles_hime.rules.turn import play
from companion.table import Layout, Piece
from companion.table import Place as Where

FACING = {seat: turns for turns, seat in enumerate(SEATS)}
"""Quarter turns clockwise of a tile that faces each player: its foot points to them."""


def layout(now: Position) -> Layout:
    """The tiles of the area, each facing its controller, and the tops of the piles."""
    look = {place_of(cell): Piece(tile.tile, tile.by, FACING[tile.by]) for cell, tile in now.area.items()}
    for seat in now.seats:
        player = now.player(seat)
        for which, pile in (("points", player.points), ("discard", player.discard)):
            if pile.top is not None and pile.top != UNKNOWN:
                look[f"{seat}:{which}"] = Piece(pile.top.partition(":")[0], seat, FACING[seat])
    return look


def unseen(now: Position, move: Move) -> bool:
    return layout(play(now, move)) == layout(now)


def explain(now: Position, seen: Layout) -> Iterator[Move]:
    """The conceivable moves after which the table looks just so; the cheap tests come before playing them."""
    before = layout(now)
    differs = {place for place in before.keys() | seen.keys() if before.get(place) != seen.get(place)}
    shown = _come_to_light(now, seen, differs)
    for move in chain(conceivable(_holding(now, shown)), _half_seen_exchanges(now, shown)):
        if _may_explain(now, move, differs) and layout(play(now, move)) == seen:
            yield move


def _come_to_light(now: Position, seen: Layout, differs: set[Where]) -> set[str]:
    """The tiles that the mover may have played, as far as a look can tell."""
    shown = {seen[place].tile for place in differs if place in seen}
    if top := seen.get(f"{now.mover}:discard"):
        # A tile like the one that lay on top before leaves the pile as it looked.
        shown.add(top.tile)
    emptied = [place for place in differs if is_cell(place) and place not in seen]
    if len(emptied) > 1 or (emptied and f"{now.mover}:points" in differs):
        # The tile that completed a square went with it, perhaps unseen.
        listed = DECKS.get(now.player(now.mover).deck, CATALOGUE.tiles)
        shown |= {name for name in listed if is_creature(name)}
    return shown


def _half_seen_exchanges(now: Position, shown: set[str]) -> Iterator[Exchange]:
    """Two tiles discarded out of a hand that is not known: the upper one is seen."""
    player = now.player(now.mover)
    if isinstance(player.hand, tuple):
        return
    for name in sorted(shown):
        for stack in range(1, STACKS + 1):
            if can_draw(player, stack):
                yield Exchange((UNKNOWN, name), stack)


def begun(now: Position, fanned: Sequence[str], face_down: bool) -> Iterator[Move]:
    """What tiles beside the area may mean before they resolve: a face-down one a Battle, a fanned stack its first tile.

    Who added what, and the targets, have to be told.
    """
    for move in conceivable(_holding(now, set(fanned[:1]))):
        if face_down and isinstance(move, Battle) and move.tile in (UNKNOWN, *known_hand(now.player(now.mover))):
            yield move
        if not face_down and isinstance(move, Stack) and move.first.at is None and [move.first.tile] == [*fanned[:1]]:
            yield move


def _holding(now: Position, shown: set[str]) -> Position:
    """The position in which the mover held what came to light, whether or not that was known."""
    player = now.player(now.mover)
    hand = player.hand if isinstance(player.hand, tuple) else (UNKNOWN,) * (in_hand(player.hand) or 0)
    return _with_hand(now, now.mover, tuple(sorted((*hand, *(shown - set(hand))))))


def _may_explain(now: Position, move: Move, differs: set[Where]) -> bool:
    in_area = {place for place in differs if is_cell(place)}
    match move:
        case Place():
            return bool(differs)
        case Exchange():
            return not in_area
        case Take():
            return {place_of(cell) for cell in move.cells} == in_area
        case Stack():
            return _may_have_moved(now, move, differs)
    return True


def _may_have_moved(now: Position, move: Stack, differs: set[Where]) -> bool:
    """Whether a tile told to move can be where it is not seen: taken in a square, burst, or like what lay there."""
    targets = move.first.targets
    if not targets or len(targets[0].path) < 2:
        return True
    left = {place_of(part.path[0]) for part in targets}
    gone = {place for place in differs - left if is_cell(place) and cell_of(place) in now.area}
    if gone or f"{move.first.by}:points" in differs or any(counts_as_empty(tile) for tile in now.area.values()):
        return True
    return all(place_of(part.path[-1]) in differs | left for part in targets)


def questions(now: Position, seen: Layout) -> tuple[str, ...]:
    """What to ask where a tile faces another player than the one known to control it (6); nothing changes by itself."""
    asked = []
    for cell, tile in sorted(now.area.items()):
        piece = seen.get(place_of(cell))
        faces = tile.by if piece is None or piece.tile != tile.tile else _faced(piece, tile.by)
        if faces != tile.by:
            where = f"{title(tile.tile)} on {place_of(cell)}"
            asked.append(f"{where} faces {faces.title()} and is {tile.by.title()}'s: who controls it?")
    return tuple(asked)


def _faced(piece: Piece, known: str) -> str:
    """The player whom a tile is seen to face; where its direction is not seen, whoever is thought to own it."""
    return SEATS[piece.facing] if piece.facing is not None else piece.owner or known


def amend(now: Position, place: Where, piece: Piece | None) -> Position:
    """What lies there is so: a tile that comes is one of the hand's, a tile that goes returns there."""
    if not is_cell(place):
        return _amend_pile(now, place, piece)
    cell = cell_of(place)
    old = now.at(cell)
    if old is not None and piece is not None and old.tile == piece.tile:
        by = piece.owner if piece.owner in now.seats else old.by
        return replace(now, area={**now.area, cell: replace(old, by=by)})
    if old is not None:
        now = _with_hand(leave(now, cell), old.of, give_to_hand(now.player(old.of).hand, old.tile))
    if piece is None:
        return now
    by = piece.owner if piece.owner in now.seats else now.mover
    of = started_with(now.players, piece.tile, by)
    now = _with_hand(now, of, take_from_hand(now.player(of).hand, piece.tile)[0])
    return replace(now, area={**now.area, cell: Lying(piece.tile, by, of)}, begun=True)


def _amend_pile(now: Position, place: Where, piece: Piece | None) -> Position:
    seat, _, which = place.partition(":")
    player = now.player(seat)
    pile = player.points if which == "points" else player.discard
    if piece is not None:
        player = replace(player, hand=take_from_hand(player.hand, piece.tile)[0])
        pile = pile.with_tile(piece.tile)
    elif pile.top is not None:
        player = replace(player, hand=give_to_hand(player.hand, pile.top.partition(":")[0]))
        pile = pile.without(pile.top)
    if which == "points":
        return now.with_player(seat, replace(player, points=pile))
    return now.with_player(seat, replace(player, discard=pile))


def _with_hand(now: Position, seat: str, hand: Hand) -> Position:
    return now.with_player(seat, replace(now.player(seat), hand=hand))


def seen_by(now: Position, viewer: str | None) -> Position:
    """Hands are private, and nobody knows what the stacks hold."""
    players = {}
    for seat, player in now.players.items():
        stacks = player.stacks and tuple(stack if isinstance(stack, int) else len(stack) for stack in player.stacks)
        hand = player.hand if seat == viewer else in_hand(player.hand)
        players[seat] = replace(player, hand=hand, stacks=stacks)
    return replace(now, players=players)


def held(now: Position, viewer: str) -> tuple[str, ...]:
    """The tiles of a hand, as far as they are known."""
    hand = now.players[viewer].hand
    return () if hand is None or isinstance(hand, int) else tuple(tile for tile in hand if tile != UNKNOWN)


def counted(now: Position, player: str) -> int | None:
    return in_hand(now.players[player].hand)


def hold(now: Position, player: str, tiles: tuple[str, ...]) -> Position:
    """The tiles that a player told; those not named stay unknown."""
    unnamed = max(0, (counted(now, player) or 0) - len(tiles))
    return _with_hand(now, player, tuple(sorted((*tiles, *(UNKNOWN,) * unnamed))))


def tiles_in_all(now: Position) -> int | None:
    """How many tiles all zones hold together; nothing where a hand or stack is not known at all."""
    count = len(now.area) + sum(len(tile.attached) for tile in now.area.values()) + len(now.gone)
    for player in now.players.values():
        held, left = in_hand(player.hand), left_to_draw(player.stacks)
        if held is None or left is None:
            return None
        count += held + left + len(player.points.tiles) + len(player.discard.tiles)
    return count
