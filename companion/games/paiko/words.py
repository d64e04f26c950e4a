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
from companion.games.paiko.patterns import FACED, FACING_WORDS, NAMES, PLACES, Counts, Standing, covered, threatening
from companion.rules import Told
from companion.table import Place


def tell(field: Field, move: Move) -> Told:
    action = action_of(move)
    says, at = _done(field, action)
    if isinstance(action, Pick) or picks_due(field):
        return Told(f"{mover_of(field)} {says}", at)
    boards = arranged(field, action)
    captured = list(_capture_words(field, boards))
    fallen = tuple(tile for wave in waves(1 - field.mover, boards, house(field.options)) for tile in wave)
    says = f"{mover_of(field)} {says}"
    if captured:
        says += f" and captures {', then '.join(captured)}"
    points = points_of(field.mover, boards[field.mover])
    if points != points_of(field.mover, field.mine.board):
        says += f"; {mover_of(field)} now has {points} {'point' if points == 1 else 'points'}"
    return Told(says, _once(at, places_of(fallen)))


def why_it_falls(tile: Standing, colour: int, own: Iterable[Standing], enemy: Iterable[Standing]) -> str:
    return f"{tile.name} on {tile.place} ({_odds(tile, colour, own, enemy)})"


def why_it_stands(tile: Standing, colour: int, boards: Boards) -> str:
    odds = _odds(tile, colour, boards[colour], boards[1 - colour])
    return f"{COLOURS[colour].title()}'s {tile.name} on {tile.place} stands at {odds}"


def mover_of(field: Field) -> str:
    return COLOURS[field.mover].title()


def title_of(kind: int) -> str:
    return NAMES[kind].title()


def with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AE' else 'a'} {name}"


def how_many(number: int) -> str:
    return "1 tile" if number == 1 else f"{number} tiles"


def places_of(tiles: Iterable[Standing]) -> tuple[Place, ...]:
    return tuple(sorted(tile.place for tile in tiles))


def _odds(tile: Standing, colour: int, own: Iterable[Standing], enemy: Iterable[Standing]) -> str:
    threat = len(threatening(tile.square, own, enemy))
    if covered(colour, own) & tile.bit:
        return f"threat {threat}, covered, falls at 3"
    return f"threat {threat}, not covered, falls at 2"


def _capture_words(field: Field, boards: Boards) -> Iterator[str]:
    """What falls and why, one phrase for each wave of the capture phase."""
    loser = 1 - field.mover
    own, cover = list(boards[loser]), covered(loser, boards[loser])
    for wave in waves(loser, boards, house(field.options)):
        now = covered(loser, own)
        yield " and ".join(
            why_it_falls(tile, loser, own, boards[field.mover])
            + (", its cover gone" if tile.bit & cover & ~now else "")
            for tile in wave
        )
        own = [tile for tile in own if tile not in wave]


def _done(field: Field, action: Action) -> tuple[str, tuple[Place, ...]]:
    match action:
        case Deploy(tile, None):
            return f"deploys {with_article(tile.name)} on {tile.place}{_faces(tile)}", (tile.place,)
        case Deploy(tile, then) if then:
            words = f"deploys {with_article(tile.name)} on {tile.place} and shifts it to {then.place}{_faces(then)}"
            return words, (tile.place, then.place)
        case Shift(start, end, _):
            return _shift_words(field, action), _once((PLACES[start], PLACES[end]))
        case Redeploy(start, end):
            at = (PLACES[start], PLACES[end])
            return f"takes the Water from {at[0]} and deploys it on {at[1]}", at
        case Draw(tiles):
            return f"draws {_listed(tiles)}", ()
        case Pick(kind):
            return f"picks {with_article(title_of(kind))} for {COLOURS[1 - field.mover].title()}'s hand", ()
        case _:
            return "passes", ()


def _shift_words(field: Field, action: Shift) -> str:
    found = field.tile_on(action.start)
    tile = found[1] if found else None
    facing = action.facing if tile and tile.kind in FACED else None
    faces = f", facing {FACING_WORDS[facing]}" if facing is not None else ""
    name = tile.name if tile else "tile"
    if action.start == action.end:
        return f"turns the {name} on {PLACES[action.start]}{faces}"
    return f"shifts the {name} from {PLACES[action.start]} to {PLACES[action.end]}{faces}"


def _faces(tile: Standing) -> str:
    return f", facing {FACING_WORDS[tile.facing]}" if tile.kind in FACED else ""


def _once(*groups: tuple[Place, ...]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place for group in groups for place in group))


def _listed(tiles: Counts) -> str:
    named = [f"{number} {title_of(kind)}" for kind, number in enumerate(tiles) if number]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
