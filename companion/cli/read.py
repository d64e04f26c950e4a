"""Reading photographs: what lies where, how sure it is, and what it is worth."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from companion.cli import paper
from companion.cli.state import state_option, threads_option
from companion.described import known_or_described
from companion.draw import says_piece, says_place
from companion.game import AnyGame, Unreadable
from companion.photographed import is_counted_alike, state_of
from companion.protocol import written_score
from companion.said import counted, listed
from companion.table import FACE_DOWN, Layout, Piece, Place

if TYPE_CHECKING:
    from vision.plane import Plane
    from vision.reader import Reader
    from vision.reading import SeenTile, TableRead

Corners = list[tuple[float, float]]

_NAMED = 4
"""So many places are named in a sentence, and the others counted."""
_LIKELY_TOO = 0.02
"""What is less likely than this is not worth naming beside what is likelier."""


def _corners(ctx: click.Context, option: click.Parameter, given: str | None) -> Corners | None:
    if given is None:
        return None
    try:
        numbers = [float(number) for number in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise click.BadParameter("four corners are eight numbers: x,y,x,y,x,y,x,y")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


corners_option = click.option(
    "--corners",
    callback=_corners,
    metavar="x,y,...",
    help="The four corners of the board in the photo, far left first, clockwise.",
)


@click.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PHOTO...")
@click.option("--game", "game_name", required=True, metavar="GAME", help="Which game is on the table.")
@click.option("--set", "set_name", default=None, metavar="NAME", help="A set of your own, enrolled before.")
@corners_option
@click.option("--json", "as_json", is_flag=True, help="A JSON line a photo.")
@click.option("--score", "scored", is_flag=True, help="Count the points of the photographed table.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Draw what was read over the photo.")
@threads_option
@state_option
@click.pass_context
def read(
    ctx: click.Context,
    photos: tuple[Path, ...],
    game_name: str,
    set_name: str | None,
    corners: Corners | None,
    as_json: bool,
    scored: bool,
    out: Path | None,
    threads: int,
    state: Path,
) -> None:
    """Read the table in each PHOTO. Exit status 1 if one of them cannot be read."""
    from vision.reader import Reader

    if out is not None and len(photos) == 1 and out.suffix.lower() not in (".jpg", ".jpeg", ".png"):
        raise _no_picture(out)
    game = known_or_described(game_name)
    reader = Reader(game, threads=threads)
    if set_name is not None:
        _read_with(reader, state, set_name)
    failed = False
    for photo in photos:
        told, seen = _told(reader, photo, corners, scored)
        failed |= seen is None
        if seen is not None and out is not None:
            _draw(photo, seen, out if len(photos) == 1 else out / f"{photo.stem}.png")
        if as_json:
            click.echo(json.dumps(told))
        else:
            _show(game, photo, told, seen, scored)
    ctx.exit(int(failed))


def _read_with(reader: "Reader", state: Path, set_name: str) -> None:
    from vision.enrol import enrolled_gallery
    from vision.sets import Sets

    reader.gallery, said = enrolled_gallery(Sets(state), reader.game, set_name, reader.embed)
    for sentence in said:
        click.echo(sentence, err=True)


def _told(reader: "Reader", photo: Path, tapped: Corners | None, scored: bool) -> tuple[dict[str, Any], Any]:
    """What is said about one photo, and what was read; a photo that cannot be read says why."""
    from vision.frame import Frame
    from vision.photo import read_photo
    from vision.plane import NoPlane
    from vision.registration import table_by_corners

    nothing: dict[str, Any] = {"photo": str(photo), "plane": None, "tiles": [], "position": None}
    try:
        frame = Frame(read_photo(photo), 0.0, 0)
        seen = reader.read(frame, table_by_corners(frame, tapped, reader.game) if tapped else None)
    except (NoPlane, Unreadable) as refused:
        score = {"score": None} if scored else {}
        return {**nothing, **score, "says": getattr(refused, "says", str(refused))}, None
    return {**nothing, **_table(reader.game, seen, scored)}, seen


def _table(game: AnyGame, seen: "TableRead", scored: bool) -> dict[str, Any]:
    """What was read, its position and its points where there are any, and what should be known about them."""
    position, cannot = _position(game, seen)
    says = [seen.says, cannot, _beside_places(seen), _doubts(game, seen), _unclear(game, seen)]
    told = {"plane": _plane(seen.plane), "tiles": [_tile(tile) for tile in seen.tiles], "position": position}
    if scored:
        told["score"] = position and written_score(game.score(game.read_position(position)))
    if scored and position is not None:
        says += _uncounted(game, layout_of(seen))
    return {**told, "says": "; ".join(filter(None, says))}


def layout_of(seen: "TableRead") -> Layout:
    """What lies on places, each as it most likely is; what is like nothing known is left out."""
    return {tile.place: tile.piece for tile in seen.tiles if tile.place is not None and tile.piece is not None}


def _position(game: AnyGame, seen: "TableRead") -> tuple[dict[str, Any] | None, str]:
    """The position, or why there is none."""
    if why := "; ".join(_why_not(game, seen)):
        return None, why
    try:
        return game.write_position(state_of(game, layout_of(seen))), ""
    except Unreadable as cannot:
        return None, cannot.says


def _why_not(game: AnyGame, seen: "TableRead") -> Iterator[str]:
    """What keeps a table from being a position, and what to do about it."""
    outside = _outside(game, seen)
    if covered := [place for place in _hidden(game, seen) if place not in outside]:
        yield f"something covers {_a_few(covered)}: take it away and take the photo again"
    if outside:
        yield f"the picture leaves out {_a_few(outside)}: move the camera until the whole board is in it"
    if unknown := [tile.place for tile in seen.tiles if tile.piece is None and tile.place is not None]:
        yield f"what lies on {_a_few(unknown)} is like no tile of this set: enrol it, or look closer"


def _hidden(game: AnyGame, seen: "TableRead") -> list[Place]:
    """The places of a board that could not be looked at; hidden is not empty."""
    if game.board.lattice is not None:
        # Beside tiles without a board nothing marks a free place: it cannot be told from something that covers it.
        return []
    told = {tile.place for tile in seen.tiles}
    visible = seen.observation.keys() - _outside(game, seen)
    return [place for place in game.board.places if place not in visible and place not in told]


def _outside(game: AnyGame, seen: "TableRead") -> list[Place]:
    """The places of a board that lie beyond the edge of the picture."""
    import numpy as np

    if game.board.lattice is not None:
        return []
    told, (wide, high) = {tile.place for tile in seen.tiles}, seen.plane.size
    places = {place: (spot.x_mm, spot.y_mm) for place, spot in game.board.places.items() if place not in told}
    spots = seen.plane.to_pixels(np.array(list(places.values())).reshape(-1, 2))
    return [place for place, (x, y) in zip(places, spots, strict=True) if not (0 <= x < wide and 0 <= y < high)]


def _a_few(places: Sequence[Place]) -> str:
    """The first of them by name, and how many more there are."""
    named = [says_place(place) for place in places[:_NAMED]]
    return listed([*named, f"{len(places) - _NAMED} more"] if len(places) > _NAMED else named)


def _beside_places(seen: "TableRead") -> str:
    """What to do about tiles that the position leaves out."""
    strays = sum(tile.place is None for tile in seen.tiles)
    lying = "a tile lies" if strays == 1 else f"{strays} tiles lie"
    return f"{lying} between places: push {'it' if strays == 1 else 'each'} onto its place" if strays else ""


def _doubts(game: AnyGame, seen: "TableRead") -> str:
    """What a table would ask about: the tiles that are not sure, the most doubtful first."""
    from vision.reader import ASK_BELOW

    asked = [tile for tile in seen.tiles if tile.piece is not None and tile.probability < ASK_BELOW]
    asked.sort(key=lambda tile: tile.probability)
    says = [f"the tile {_where(tile)} may be {_may_be(game, tile)}" for tile in asked[:_NAMED]]
    if more := len(asked[_NAMED:]):
        says.append("one more is not sure" if more == 1 else f"{more} more are not sure")
    return f"{', '.join(says)}: look there" if asked else ""


def _unclear(game: AnyGame, seen: "TableRead") -> str:
    """Where tiles without a board may have another beside them; what covers a place of a board keeps it from being one
    with a position."""
    if game.board.lattice is None or not seen.unclear:
        return ""
    return f"what lies on {_a_few(seen.unclear)} cannot be made out: if it is a tile, take the photo from nearer"


def _where(tile: "SeenTile") -> str:
    return "between places" if tile.place is None else f"on {says_place(tile.place)}"


def _may_be(game: AnyGame, tile: "SeenTile") -> str:
    """``Rat (39 %) or Ox``: the likeliest, and what else it may well be."""
    piece = tile.piece
    assert piece is not None
    other, share = next(((one, share) for one, share in tile.odds.items() if one != piece), (None, 0.0))
    # How a tile is turned, and whose it is, is said where that is the doubt.
    alike = other is not None and other.tile == piece.tile
    told = f"{_called(game, piece, alike)} ({100 * tile.probability:.0f} %)"
    return f"{told} or {'nothing' if other is None else _called(game, other, alike)}" if share > _LIKELY_TOO else told


def _called(game: AnyGame, piece: Piece, closely: bool) -> str:
    return says_piece(game, piece if closely else replace(piece, owner=None, facing=None))


def _uncounted(game: AnyGame, layout: Layout) -> list[str]:
    """Why the points may not be the whole score: what a look at the table does not show."""
    if is_counted_alike(game, layout):
        return [game.uncounted]
    players = len(game.players(state_of(game, layout)))
    return [game.uncounted, f"counted as for {players} players: the table does not show how many play"]


def _plane(plane: "Plane") -> dict[str, Any]:
    import numpy as np

    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 100.0
    return {
        "by": plane.kind,
        "game": plane.game,
        "markers": list(plane.seen),
        # Four tapped corners fit exactly, wherever they are: that says nothing.
        "residual_mm": round(plane.residual_mm, 3) if plane.residual_mm else None,
        "homography": [[round(float(number), 9) for number in row] for row in plane.homography],
        "distortion": [round(bend, 5) for bend in plane.lens],
        "px_per_mm": round(plane.pixels_per_mm(), 3),
        "square_200mm_px": [[round(float(x), 1), round(float(y), 1)] for x, y in plane.to_pixels(half)],
    }


def _tile(tile: "SeenTile") -> dict[str, Any]:
    piece = tile.piece
    return {
        "place": tile.place,
        "name": piece.tile if piece else "unknown",
        "owner": piece.owner if piece else None,
        "facing": piece.facing if piece else None,
        "centre_px": [round(part, 2) for part in tile.centre_px],
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in tile.corners_px],
        "centre_mm": [round(part, 2) for part in tile.centre_mm],
        "angle_deg": round(tile.angle_deg, 2),
        "probability": round(tile.probability, 5),
        "alternatives": [
            {"name": other.tile if other else None, "owner": other.owner if other else None,
             "facing": other.facing if other else None, "probability": round(share, 5)}
            for other, share in tile.odds.items()
            if other != piece and share > 1e-5
        ][:5],
    }  # fmt: skip


def _show(game: AnyGame, photo: Path, told: dict[str, Any], seen: Any, scored: bool) -> None:
    paper.console.print(f"[bold]{photo}[/bold]")
    if told["position"] is not None:
        state = game.read_position(told["position"])
        paper.console.print(paper.board(game, state))
        if scored:
            paper.console.print(paper.score(game.score(state)))
    elif seen is not None:
        paper.console.print(_tiles_alone(game, seen))
    if seen is not None:
        tiles = counted(len(seen.tiles), "1 tile", "{n} tiles")
        sure = f", the least sure {min(tile.probability for tile in seen.tiles):.1%}" if seen.tiles else ""
        paper.console.print(f"{tiles}{sure}", style="dim")
    if told["says"]:
        paper.console.print(told["says"], style="yellow")


def _tiles_alone(game: AnyGame, seen: "TableRead") -> Text:
    """What was read, drawn where it lies although it is no position.

    A ``?`` is like no tile, a ``#`` shows its back, and ``▒▒`` could not be seen.
    """
    lying = {place: Piece("#") if piece.tile == FACE_DOWN else piece for place, piece in layout_of(seen).items()}
    lying |= {tile.place: Piece("?") for tile in seen.tiles if tile.place is not None and tile.piece is None}
    lying |= {place: Piece("▒▒") for place in _hidden(game, seen)}
    return paper.board(replace(game, layout=lambda state: lying, marks=lambda state: ()), None)


def _draw(photo: Path, seen: "TableRead", out: Path) -> None:
    import cv2

    from vision.annotate import annotated
    from vision.photo import read_photo
    from vision.reader import ASK_BELOW

    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise _no_picture(out) from None
    if not cv2.imwrite(str(out), annotated(read_photo(photo), seen, ASK_BELOW)):
        raise _no_picture(out)


def _no_picture(out: Path) -> click.ClickException:
    return click.ClickException(f"{out}: a picture is a .jpg or .png in a folder that can be written.")


COMMANDS = (read,)
