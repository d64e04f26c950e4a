"""ZU Tiles and the camera: how the table must look, what a look at it may mean, and what has to be asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, takewhile

from companion.board import cell_of, is_cell
from companion.games.zu_tiles_hime.catalogue import (
    CATALOGUE,
    DECKS,
    UNKNOWN,
    is_creature,
    kind,
    reacts,
    title,
    too_many,
)
from companion.games.zu_tiles_hime.rules.area import counts_as_empty, spaces
from companion.games.zu_tiles_hime.rules.checks import CHECKS
from companion.games.zu_tiles_hime.rules.conceivable import conceivable, known_hand, quick_legal
from companion.games.zu_tiles_hime.rules.moves import Battle, EndTurn, Exchange, Move, Part, Place, Played, Stack, Take
from companion.games.zu_tiles_hime.rules.piles import leave
from companion.games.zu_tiles_hime.rules.position import (
    SEATS,
    STACKS,
    Cell,
    Hand,
    Lying,
    Pile,
    Player,
    Position,
    can_draw,
    give_to_hand,
    in_hand,
    left_to_draw,
    place_of,
    started_with,
    take_from_hand,
)
from companion.games.zu_tiles_hime.rules.turn import carry_out, play
from companion.said import called, say
from companion.table import FACE_DOWN, Layout, Piece
from companion.table import Place as Where

FACING = {seat: turns for turns, seat in enumerate(SEATS)}
"""Quarter turns clockwise of a tile that faces each player: its foot points to them."""
_HELD = ("creature", "A", "R", "AR", "I", "O")
"""The types of tiles that a hand can hold."""


def layout(now: Position) -> Layout:
    """The tiles of the area, each facing its controller, and the tops of the piles."""
    look = _look_of(now.area)
    for place, pile in _piles(now):
        if pile.top is not None and pile.top != UNKNOWN:
            look[place] = _top(place, pile.top)
    return look


def _look_of(area: Mapping[Cell, Lying]) -> dict[Where, Piece]:
    return {place_of(cell): Piece(tile.tile, tile.by, FACING[tile.by]) for cell, tile in area.items()}


def _piles(now: Position) -> Iterator[tuple[Where, Pile]]:
    for seat in now.seats:
        yield f"{seat}:points", now.player(seat).points
        yield f"{seat}:discard", now.player(seat).discard


def _top(place: Where, name: str) -> Piece:
    seat = place.partition(":")[0]
    return Piece(name.partition(":")[0], seat, FACING[seat])


def counts_as(place: Where, piece: Piece) -> Piece:
    """On a pile a tile is its player's, however it is turned."""
    return piece if is_cell(place) or piece.tile == FACE_DOWN else _top(place, piece.tile)


def unseen(now: Position, move: Move) -> bool:
    return layout(play(now, move)) == layout(now)


def explain(now: Position, seen: Layout) -> Iterator[Move]:
    """The conceivable moves after which the table looks just so; the cheap tests come before playing them."""
    before = layout(now)
    differs = {place for place in before.keys() | seen.keys() if before.get(place) != seen.get(place)}
    shown = _come_to_light(now, seen, differs)
    held = _holding(now, shown)
    in_area = {cell_of(place) for place in differs if is_cell(place)}
    for move in chain(
        (move for move in conceivable(held) if not isinstance(move, Battle)),
        _half_seen_exchanges(now, ((UNKNOWN, name) for name in sorted(shown))),
        # A battle that changes nothing uses up the turn's own; an exchange that looks alike leaves it open.
        (move for move in conceivable(held) if isinstance(move, Battle)),
        _shown_discards(now, seen),
        _gone_with_a_square(held, seen, differs),
        _covered(now, seen, differs),
    ):
        # Where nothing differs the cheap tests have nothing to go by.
        if (not differs or _may_explain(now, move, seen, differs, in_area)) and layout(play(now, move)) == seen:
            yield move


def _come_to_light(now: Position, seen: Layout, differs: set[Where]) -> set[str]:
    """The tiles that the mover may have played, as far as a look can tell."""
    shown = {seen[place].tile for place in differs if place in seen and kind(seen[place].tile) in _HELD}
    if top := seen.get(f"{now.mover}:discard"):
        # A tile like the one that lay on top before leaves the pile as it looked.
        shown.add(top.tile)
    return shown


def _gone_with_a_square(now: Position, seen: Layout, differs: set[Where]) -> Iterator[Place]:
    """The tiles that may have completed a square and gone with it, unseen and not known to be held."""
    emptied = [place for place in differs if is_cell(place) and place not in seen]
    if len(emptied) > 1 or (emptied and f"{now.mover}:points" in differs):
        listed = DECKS.get(now.player(now.mover).deck, CATALOGUE.tiles)
        for name in sorted(set(listed) - set(known_hand(now.player(now.mover)))):
            if is_creature(name):
                yield from (Place(name, cell) for cell in spaces(now))


def _covered(now: Position, seen: Layout, differs: set[Where]) -> Iterator[Move]:
    """What may have come out of a hand that is not known and lie under a tile that it cost the mover, be it one of the
    area or one that was attached there."""
    top = seen.get(f"{now.mover}:discard")
    gone = {now.area[cell_of(place)].tile for place in differs if is_cell(place) and place not in seen}
    loose = {part.tile for tile in now.area.values() for part in tile.attached if part.by == now.mover}
    if top is None or top.tile not in gone | loose or _is_known(now):
        return
    player = now.player(now.mover)
    listed = set(DECKS.get(player.deck, CATALOGUE.tiles)) - set(known_hand(player))
    played = {name for name in listed if kind(name) in ("A", "AR")}
    stacks = (move for move in conceivable(_holding(now, played)) if isinstance(move, Stack))
    yield from (move for move in stacks if move.first.at is None and move.first.tile in played)
    eggs = [cell for cell, tile in now.area.items() if counts_as_empty(tile)]
    yield from (Place(name, cell) for name in sorted(listed) if is_creature(name) for cell in eggs)
    if len(now.seats) > 2:
        yield from _fatal(now, listed)


def _fatal(now: Position, listed: set[str]) -> Iterator[Battle | Exchange]:
    """What a third player loses by, and all tiles in play with it: discards of which too many lie in the piles then."""
    player = now.player(now.mover)
    lain = (*player.points.names, *player.discard.names)
    one, two = ({name for name in listed if too_many((*lain, *(name,) * n))} for n in (1, 2))
    yield from _half_seen_exchanges(now, ((UNKNOWN if name in one else name, name) for name in sorted(two)))
    battles = (move for move in conceivable(_holding(now, one)) if isinstance(move, Battle))
    yield from (move for move in battles if move.tile in one)


def _half_seen_exchanges(now: Position, pairs: Iterable[tuple[str, str]]) -> Iterator[Exchange]:
    """Two tiles discarded out of a hand that is not known: the upper one is seen."""
    player = now.player(now.mover)
    if isinstance(player.hand, tuple):
        return
    # Nobody sees which stack is drawn from; of the highest it is the likeliest, and it is not soon thought empty.
    stacks = sorted((stack for stack in range(1, STACKS + 1) if can_draw(player, stack)), key=_height(player))
    for pair in pairs:
        yield from (Exchange(pair, stack) for stack in stacks)


def _height(player: Player) -> Callable[[int], int]:
    """Sorts stacks by what is left of them, the highest first."""
    heights = [stack if isinstance(stack, int) else len(stack) for stack in player.stacks or (0,) * STACKS]
    return lambda stack: -heights[stack - 1]


def _shown_discards(now: Position, seen: Layout) -> Iterator[Stack]:
    """Constrict on hands that are not known: the last tile that an opponent discarded is seen, be it one like the tile
    that lay there before."""
    snakes = len(now.controlled(now.mover, "snake"))
    for seat in (seat for seat in now.seats if seat != now.mover):
        held, top = in_hand(now.player(seat).hand), seen.get(f"{seat}:discard")
        count = snakes if held is None else min(snakes, held)
        if top is not None and count:
            told = [f"{seat}={UNKNOWN}"] * (count - 1) + [f"{seat}={top.tile}"]
            yield Stack(Played("constrict", now.mover, tuple(Part(then=each) for each in told)))


def hindsight(now: Position, move: Move, later: Layout) -> Iterator[Move]:
    """Who takes the upper of two discarded tiles back shows the lower one: the other of an exchange, or the tile of a
    Battle that lay under the attacker it cost."""
    top = later.get(f"{now.mover}:discard")
    if top is None:
        return
    if isinstance(move, Exchange) and move.tiles[0] == UNKNOWN:
        yield replace(move, tiles=(top.tile, move.tiles[1]))
    if isinstance(move, Battle) and move.tile != top.tile:
        fought = replace(move, tile=top.tile)
        if layout(play(now, fought)) == layout(play(now, move)):
            yield fought


def stages(now: Position, move: Move, seen: Layout) -> Iterator[Layout]:
    """Pictures before the last: a square that still lies there, tiles that a pile covers since, a stack laid aside."""
    before, then = layout(now), carry_out(now, move)
    for area in then.passed:
        yield {place: piece for place, piece in before.items() if not is_cell(place)} | _look_of(area)
    for (place, was), (_, will) in zip(_piles(now), _piles(then), strict=True):
        for name in _tops_between(was.names, will.names):
            yield {**before, place: _top(place, name)}
    if aside := _laid_aside(now, move, seen):
        yield {**before, **aside}


def _tops_between(was: Sequence[str], will: Sequence[str]) -> tuple[str, ...]:
    """What lies uppermost for a moment when a pile loses the one and gains the other."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, will, strict=False)))
    return tuple(name for name in (*was[max(0, same - 1) : -1], *will[same:-1]) if name != UNKNOWN)


def _laid_aside(now: Position, move: Move, seen: Layout) -> dict[Where, Piece]:
    """The tiles that wait beside the area until a Battle or a stack resolves: what it starts with, and reactions."""
    aside = _aside(now, seen)
    tiles = [piece.tile for piece in aside.values()]
    match move:
        case Battle():
            start = FACE_DOWN
        case Stack():
            start = move.first.tile if move.first.at is None else "action-placeholder"
        case _:
            return {}
    if start not in tiles:
        return {}
    tiles.remove(start)
    return aside if all(reacts(tile) or tile == "reaction-placeholder" for tile in tiles) else {}


def _aside(now: Position, seen: Layout) -> dict[Where, Piece]:
    """The tiles that only a stack or a Battle brings to the table, where nothing lay before."""
    return {
        place: piece
        for place, piece in seen.items()
        if (piece.tile == FACE_DOWN or kind(piece.tile) in ("A", "R", "AR", "placeholder"))
        and is_cell(place)
        and cell_of(place) not in now.area
    }


def suspects(now: Position, seen: Layout) -> Iterator[Move]:
    """What the mover may be about: the legal moves with what came to light, then breaches that lie aside half done."""
    before = layout(now)
    differs = {place for place in before.keys() | seen.keys() if before.get(place) != seen.get(place)}
    held = now if _is_known(now) else _holding(now, _come_to_light(now, seen, differs))
    aside = _aside(now, seen)
    in_area = {cell_of(place) for place in differs - aside.keys() if is_cell(place)}
    unseen_ones = () if held is now else _gone_with_a_square(held, seen, differs)
    for move in chain(quick_legal(held), unseen_ones):
        if _may_have_a_part(now, move, in_area, f"{now.mover}:discard" in differs) and (
            held is now or not any(check(now, move) for check in CHECKS)
        ):
            yield move
    if aside:
        yield from (move for move in conceivable(held) if _laid_aside(now, move, seen))
        # A tile of which nothing comes may be played all the same (5.1).
        yield from (Stack(Played(piece.tile, now.mover)) for piece in aside.values() if kind(piece.tile) in _HELD)


def _may_have_a_part(now: Position, move: Move, in_area: set[Cell], discarded: bool) -> bool:
    """Whether a move can touch the cells that differ, as far as can be told without playing it."""
    match move:
        case Place():
            return move.at in in_area or _is_near(now, move.at, in_area)
        case Exchange():
            return discarded
        case EndTurn():
            return bool(now.pending) or len(now.seats) > 2
        case Battle():
            return move.defender in in_area or _is_near(now, move.defender, in_area)
        case Stack(Played(targets=(Part(path=(start, *_, end)), *_))):
            return start in in_area or end in in_area or _is_near(now, end, in_area)
    return True


def _is_near(now: Position, cell: Cell, others: set[Cell]) -> bool:
    """Whether what happens on a cell can reach all of the others: a square, or the tiles beside a tile beside it.

    A third player who loses takes tiles from anywhere along, and so does what changes STR.
    """
    if len(now.seats) > 2 or any(tile.load for tile in now.area.values()):
        return True
    return all(abs(x - cell[0]) <= 2 and abs(y - cell[1]) <= 2 for x, y in others)


def _is_known(now: Position) -> bool:
    hand = now.player(now.mover).hand
    return isinstance(hand, tuple) and UNKNOWN not in hand


def _holding(now: Position, shown: set[str]) -> Position:
    """The position in which the mover held what came to light, whether or not that was known."""
    player = now.player(now.mover)
    hand = player.hand if isinstance(player.hand, tuple) else (UNKNOWN,) * (in_hand(player.hand) or 0)
    return _with_hand(now, now.mover, tuple(sorted((*hand, *(shown - set(hand))))))


def _may_explain(now: Position, move: Move, seen: Layout, differs: set[Where], in_area: set[Cell]) -> bool:
    match move:
        case Place():
            shown = seen.get(place_of(move.at))
            return _is_near(now, move.at, in_area) and (
                move.at not in in_area or shown is None or shown.tile == move.tile
            )
        case Exchange():
            top = seen.get(f"{now.mover}:discard")
            if in_area:
                # A third player who loses by it takes tiles along, and they lie on those of the hand.
                return len(now.seats) > 2
            return move.tiles[1] == UNKNOWN or (top is not None and top.tile == move.tiles[1])
        case EndTurn():
            return bool(now.pending) or len(now.seats) > 2
        case Battle():
            return _is_near(now, move.defender, in_area)
        case Take():
            return set(move.cells) == in_area
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
            where = say("{tile} on {place}", tile=title(tile.tile), place=place_of(cell))
            asked.append(
                say(
                    "{tile} faces {seat} and is {player}'s: who controls it?",
                    tile=where,
                    seat=called(faces),
                    player=called(tile.by),
                )
            )
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
    pile = {"points": player.points, "discard": player.discard}[which]
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


def at_a_glance(now: Position) -> Position:
    """Neither hands nor stacks are counted by a look."""
    unseen = {seat: replace(player, hand=None, stacks=None) for seat, player in now.players.items()}
    return replace(now, players=unseen)


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
