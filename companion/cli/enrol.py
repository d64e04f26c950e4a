"""Players' own sets: enrolling them from photos, listing, showing and removing them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.read import Corners, corners_option
from companion.cli.state import state_option, threads_option
from companion.described import known_or_described, piece_of, word_of
from companion.game import AnyGame, Unreadable
from companion.table import Piece, Place

if TYPE_CHECKING:
    from vision.gallery import Name
    from vision.reader import Reader
    from vision.sets import Reference, Sets


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("photos", nargs=-1, type=click.Path(path_type=Path), metavar="[PHOTO]...")
@click.option("--set", "set_name", required=True, metavar="NAME", help="The set that is learned, or added to.")
@click.option(
    "--names",
    multiple=True,
    metavar="TILE,...",
    help="What lies in each PHOTO in turn: tile, tile@owner or place=tile with commas between.",
)
@click.option(
    "--faces",
    is_flag=True,
    help="Each PHOTO is a clean picture of one face: a file named as its tile, or by --names in their order.",
)
@corners_option
@threads_option
@state_option
def enrol(
    game_name: str,
    photos: tuple[Path, ...],
    set_name: str,
    names: tuple[str, ...],
    faces: bool,
    corners: Corners | None,
    threads: int,
    state: Path,
) -> None:
    """Learn a set of your own for GAME from photos; without a PHOTO, say how to lay the tiles.

    GAME may be a folder that describes a board. Tiles lie in the order of the catalogue, or of --names.
    """
    from vision.enrol import pieces_of
    from vision.reader import Reader
    from vision.sets import Sets, listed

    game = known_or_described(game_name)
    if not photos:
        _ask(game, [_pieces(game, words) for words in names] or [pieces_of(game.catalogue)])
        return
    reader = Reader(game, threads=threads)
    references = _faces(game, photos, names) if faces else _learned(reader, photos, names, corners)
    sets = Sets(state)
    sets.add(game.name, set_name, references)
    tiles = listed(references)
    click.echo(f"{sum(tile.pictures for tile in tiles)} pictures of {len(tiles)} tiles were added to {set_name}")
    _warn(reader, sets, set_name)


def _learned(
    reader: "Reader", photos: Sequence[Path], names: Sequence[str], corners: Corners | None
) -> list["Reference"]:
    """The references of all photos; tiles that one photo has no place for are expected in the next."""
    from vision.enrol import laid_in_order, learn, learn_in_order, pieces_of
    from vision.frame import Frame
    from vision.photo import read_photo
    from vision.plane import NoPlane
    from vision.registration import table_by_corners
    from vision.sets import listed

    game, references = reader.game, []
    if names and len(names) != len(photos):
        raise Unreadable(f"there are {len(photos)} photos and {len(names)} times --names: one for each", "names")
    rest: list[Piece] = []
    for i, photo in enumerate(photos):
        frame = Frame(read_photo(photo), 0.0, 0)
        try:
            plane = table_by_corners(frame, corners, game) if corners else reader.register(frame)
        except NoPlane as cannot:
            raise Unreadable(
                f"{photo}: {cannot}. A clean picture of one face is enrolled with --faces", "photo"
            ) from None
        # When all tiles have been shown, another photo shows them once more.
        pieces = _pieces(game, names[i]) if names else rest or pieces_of(game.catalogue)
        if placed := _placed(game, names[i]) if names else {}:
            learned = learn(reader, frame, plane, placed)
        elif game.board.lattice is None:
            learned = learn(reader, frame, plane, laid_in_order(game, pieces))
        else:
            learned = learn_in_order(reader, frame, plane, pieces, more=not names and i + 1 < len(photos))
        rest = pieces[sum(tile.pictures for tile in listed(learned)) :]
        references += learned
    return references


def _placed(game: AnyGame, names: str) -> dict[Place, Piece]:
    """The tiles that are named with their places."""
    pairs = (word.split("=", 1) for word in _words(names) if "=" in word)
    return {place: _piece(game, word) for place, word in pairs}


def _faces(game: AnyGame, photos: Sequence[Path], names: Sequence[str]) -> list["Reference"]:
    """The references of clean pictures, by the names of their files or, in their order, by those given."""
    from vision.enrol import learn_face
    from vision.photo import read_photo

    pieces = [piece for words in names for piece in _pieces(game, words)] or [_named_as(game, one) for one in photos]
    if len(pieces) != len(photos):
        pictures = "is 1 picture" if len(photos) == 1 else f"are {len(photos)} pictures"
        raise Unreadable(f"there {pictures} and {len(pieces)} names: one for each", "names")
    shown = zip(photos, pieces, strict=True)
    return [one for photo, piece in shown for one in learn_face(game, read_photo(photo), piece)]


def _named_as(game: AnyGame, photo: Path) -> Piece:
    # A name that spells its quarters holds a slash, which a file's cannot.
    word = photo.stem.replace("_", "/") if game.catalogue.in_quarters else photo.stem
    try:
        return _piece(game, word)
    except Unreadable as cannot:
        raise Unreadable(f"{photo}: {cannot.says} Name what the pictures show with --names", "names") from None


def _ask(game: AnyGame, photos: Sequence[Sequence[Piece]]) -> None:
    """Say how the tiles are to be laid."""
    from vision.enrol import laid_in_order

    for pieces in photos:
        if game.board.lattice is None:
            click.echo("Lay these tiles face up, upright for the near edge, and take a photo from above:")
            for place, piece in laid_in_order(game, pieces).items():
                click.echo(f"  {place}  {word_of(piece)}")
        else:
            click.echo("Lay these tiles face up in straight rows, from the far left, and take a photo from above:")
            click.echo(f"  {', '.join(word_of(piece) for piece in pieces)}")
    click.echo("If not all have room, name those in each photo with --names.")


def _warn(reader: "Reader", sets: "Sets", set_name: str) -> None:
    """Say which tiles of the set cannot be told apart, and write both pictures side by side."""
    import cv2

    from vision.enrol import gallery_of, side_by_side, too_close

    references, said = sets.load(reader.game.name, set_name)
    for sentence in said:
        click.echo(sentence, err=True)
    gallery = gallery_of(references, reader.game.catalogue, reader.embed)
    for number, (_, one, other) in enumerate(too_close(gallery)[:12], start=1):
        picture = sets.folder(reader.game.name, set_name) / f"close-{number}.png"
        cv2.imwrite(str(picture), side_by_side(references, (one, other)))
        click.echo(
            f"{_shown(one)} and {_shown(other)} look too much alike to tell apart: {picture} shows both", err=True
        )


def _shown(name: "Name") -> str:
    turned = ("", " (turned a quarter)", " (upside down)", " (turned three quarters)")[name.turn]
    return word_of(Piece(name.tile, name.owner)) + turned


@click.group()
def sets() -> None:
    """The sets of their own that players have enrolled."""


@sets.command("list")
@click.argument("game_name", metavar="[GAME]", required=False)
@state_option
def list_sets(game_name: str | None, state: Path) -> None:
    """What is enrolled, for GAME or for all games."""
    from vision.sets import Sets, listed

    kept = Sets(state)
    for name in [known_or_described(game_name).name] if game_name else kept.games():
        for set_name in kept.names(name):
            references, said = kept.load(name, set_name)
            tiles = listed(references)
            pictures = sum(tile.pictures for tile in tiles)
            click.echo(f"{name}  {set_name}  {len(tiles)} tiles  {pictures} pictures")
            for sentence in said:
                click.echo(f"  {sentence}", err=True)


@sets.command("show")
@click.argument("game_name", metavar="GAME")
@click.argument("set_name", metavar="NAME")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A .png with every picture of the set.")
@state_option
def show_set(game_name: str, set_name: str, out: Path, state: Path) -> None:
    """List the tiles of a set, and draw all its pictures on one sheet."""
    import cv2

    from vision.enrol import sheet
    from vision.sets import Sets, listed

    references, said = Sets(state).load(known_or_described(game_name).name, set_name)
    for sentence in said:
        click.echo(sentence, err=True)
    if not references:
        raise click.ClickException("no picture of this set can be used: enrol it again.")
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.suffix.lower() != ".png" or not cv2.imwrite(str(out), sheet([one.crop for one in references])):
        raise click.ClickException(f"{out}: a sheet is a .png in a folder that can be written.")
    for tile in listed(references):
        click.echo(f"{word_of(Piece(tile.tile, tile.owner))}  {tile.pictures}")


@sets.command("remove")
@click.argument("game_name", metavar="GAME")
@click.argument("set_name", metavar="NAME")
@click.option("--tile", default=None, help="Only this tile of it.")
@state_option
def remove_set(game_name: str, set_name: str, tile: str | None, state: Path) -> None:
    """Remove a set, or one tile of it."""
    from vision.sets import Sets

    gone = Sets(state).forget(known_or_described(game_name).name, set_name, tile)
    click.echo(f"{gone} pictures are removed")


def _words(names: str) -> list[str]:
    return [word.strip() for word in names.split(",") if word.strip()]


def _pieces(game: AnyGame, names: str) -> list[Piece]:
    return [_piece(game, word.partition("=")[2] or word) for word in _words(names)]


def _piece(game: AnyGame, word: str) -> Piece:
    """A piece of the game; one whose name spells what it shows need not be in the catalogue."""
    piece = piece_of(word)
    spelled = game.catalogue.in_quarters and piece.tile[2:3] == "/"
    if piece.tile not in game.catalogue and piece.tile != "face-down" and not spelled:
        some = ", ".join(tile.name for tile in list(game.catalogue)[:8])
        raise Unreadable(f"there is no tile {piece.tile!r} in {game.title}; there are: {some} ...", "names")
    owners = game.catalogue[piece.tile].owners if piece.tile in game.catalogue else ()
    if owners and not game.catalogue.owner_by_turn and piece.owner not in owners:
        raise Unreadable(f"{piece.tile} belongs to {' or '.join(owners)}: write {piece.tile}@{owners[0]}", "names")
    return piece


COMMANDS = (enrol, sets)
