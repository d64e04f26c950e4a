"""Paiko in words: what an action does, and why a tile falls or stands."""

from collections.abc import Iterable, Iterator

from companion.games.paiko.field import (
    COLOURS,
    Action,
    Boards,
    Deploy,
    Draw,
    Field,
    Move,
    Pick,
    Redeploy,
    Shift,
    action_of,
    arranged,
    house,
    picks_due,
    points_of,
    waves,
)
from companion.games.paiko.patterns import (
    FACED,
    FACING_WORDS,
    PLACES,
    TITLES,
    Counts,
    Standing,
    covered,
    standing,
    threatening,
)
from companion.rules import Told
from companion.said import called, counted, joined, listed, say
from companion.table import Place


def tell(field: Field, move: Move) -> Told:
    action, mover = action_of(move), mover_of(field)
    done, at = _done(field, action)
    says = say("{mover} {does}", mover=mover, does=done)
    if isinstance(action, Pick) or picks_due(field):
        return Told(says, at)
    boards = arranged(field, action)
    captured = list(_capture_words(field, boards))
    fallen = tuple(tile for wave in waves(1 - field.mover, boards, house(field.options)) for tile in wave)
    if captured:
        says = say("{told} and captures {tiles}", told=says, tiles=joined(captured, "{some}, then {more}"))
    points = points_of(field.mover, boards[field.mover])
    if points != points_of(field.mover, field.mine.board):
        says = say("{told}; {mover} now has {points}", told=says, mover=mover, points=how_many_points(points))
    return Told(says, _once(at, places_of(fallen)))


def why_it_falls(tile: Standing, colour: int, own: Iterable[Standing], enemy: Iterable[Standing]) -> str:
    return say("{tile} on {place} ({odds})", tile=tile.title, place=tile.place, odds=_odds(tile, colour, own, enemy))


def why_it_stands(tile: Standing, colour: int, boards: Boards) -> str:
    odds = _odds(tile, colour, boards[colour], boards[1 - colour])
    return say(
        "{owner}'s {tile} on {place} stands at {odds}",
        owner=called(COLOURS[colour]),
        tile=tile.title,
        place=tile.place,
        odds=odds,
    )


def mover_of(field: Field) -> str:
    return called(COLOURS[field.mover])


def with_article(title: str) -> str:
    return say("an {tile}" if title[0] in "AE" else "a {tile}", tile=title)


def how_many(number: int) -> str:
    return counted(number, "1 tile", "{n} tiles")


def how_many_points(number: int) -> str:
    return counted(number, "1 point", "{n} points")


def counted_tiles(tiles: Counts) -> list[str]:
    return [say("{n} {tile}", n=number, tile=TITLES[kind]) for kind, number in enumerate(tiles) if number]


def places_of(tiles: Iterable[Standing]) -> tuple[Place, ...]:
    return tuple(sorted(tile.place for tile in tiles))


def _odds(tile: Standing, colour: int, own: Iterable[Standing], enemy: Iterable[Standing]) -> str:
    threat = len(threatening(tile.square, own, enemy))
    if covered(colour, own) & tile.bit:
        return say("threat {n}, covered, falls at 3", n=threat)
    return say("threat {n}, not covered, falls at 2", n=threat)


def _capture_words(field: Field, boards: Boards) -> Iterator[str]:
    """What falls and why, one phrase for each wave of the capture phase."""
    loser = 1 - field.mover
    own, cover = list(boards[loser]), covered(loser, boards[loser])
    for wave in waves(loser, boards, house(field.options)):
        now = covered(loser, own)
        yield joined(
            say("{tile}, its cover gone", tile=why) if tile.bit & cover & ~now else why
            for tile in wave
            for why in (why_it_falls(tile, loser, own, boards[field.mover]),)
        )
        own = [tile for tile in own if tile not in wave]


def _done(field: Field, action: Action) -> tuple[str, tuple[Place, ...]]:
    match action:
        case Deploy(tile, None):
            deployed = say("deploys {tile} on {place}", tile=with_article(tile.title), place=tile.place)
            return _facing(deployed, tile), (tile.place,)
        case Deploy(tile, then) if then:
            words = say(
                "deploys {tile} on {start} and shifts it to {end}",
                tile=with_article(tile.title),
                start=tile.place,
                end=then.place,
            )
            return _facing(words, then), (tile.place, then.place)
        case Shift(start, end, _):
            return _shift_words(field, action), _once((PLACES[start], PLACES[end]))
        case Redeploy(start, end):
            at = (PLACES[start], PLACES[end])
            return say("takes the Water from {start} and deploys it on {end}", start=at[0], end=at[1]), at
        case Draw(tiles):
            return say("draws {tiles}", tiles=listed(counted_tiles(tiles))), ()
        case Pick(kind):
            return say(
                "picks {tile} for {enemy}'s hand",
                tile=with_article(TITLES[kind]),
                enemy=called(COLOURS[1 - field.mover]),
            ), ()
        case _:
            return say("passes"), ()


def _shift_words(field: Field, action: Shift) -> str:
    found = field.tile_on(action.start)
    tile = found[1] if found else None
    title, start, end = tile.title if tile else say("tile"), PLACES[action.start], PLACES[action.end]
    says = say("shifts the {tile} from {start} to {end}", tile=title, start=start, end=end)
    if action.start == action.end:
        says = say("turns the {tile} on {place}", tile=title, place=start)
    return (
        says
        if tile is None or action.facing is None
        else _facing(says, standing(tile.kind, action.facing, tile.square))
    )


def _facing(does: str, tile: Standing) -> str:
    return say("{does}, facing {facing}", does=does, facing=FACING_WORDS[tile.facing]) if tile.kind in FACED else does


def _once(*groups: tuple[Place, ...]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place for group in groups for place in group))
