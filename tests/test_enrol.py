"""Sets of a player's own: learned from photos and from pictures of faces, kept, shown, removed, and read with."""

import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.art import drawing
from companion.cli import main
from companion.described import described
from companion.game import Unreadable
from companion.registry import game_named
from companion.table import Piece
from vision.enrol import close_names, gallery_of, laid_in_order, learn, learn_face, learn_in_order, pieces_of, too_close
from vision.frame import Frame
from vision.own_sets import PlayersSets
from vision.raster import raster
from vision.reader import Reader
from vision.sets import Reference, Sets, listed
from vision.studio.render import photograph

BOARDS = Path(__file__).parent / "boards"


def photographed(game, layout, seed):
    """A photo of tiles that lie just so, whether the rules allow it or not."""
    free = replace(game, layout=lambda layout: layout)
    pixels, _ = photograph(free, layout, seed, ground_kind="mat", hands=0, clutter=0)
    return Frame(pixels, 0.0, 0)


def read(reader, frame):
    return {tile.place: tile.piece for tile in reader.read(frame).tiles}


@pytest.fixture(scope="module")
def paiko():
    return Reader(game_named("paiko"))


@pytest.fixture
def sets(tmp_path):
    return Sets(tmp_path)


def some_crop(shade=0):
    return np.full((64, 64, 3), shade, np.uint8)


def test_a_set_learned_from_one_photo_is_read_in_another(paiko):
    game = paiko.game
    pieces = pieces_of(game.catalogue)
    laid = laid_in_order(game, pieces)
    frame = photographed(game, laid, 1)
    references = learn(paiko, frame, paiko.register(frame), laid)
    assert {(one.tile, one.owner) for one in references} >= {(piece.tile, piece.owner) for piece in pieces}
    own = Reader(game, gallery_of(references, game.catalogue, paiko.embed))
    elsewhere = dict(zip(reversed(list(game.board.places)), pieces, strict=False))
    seen = read(own, photographed(game, elsewhere, 2))
    right = sum(seen.get(place) is not None and seen[place].tile == piece.tile for place, piece in elsewhere.items())
    assert right >= 0.95 * len(elsewhere)
    assert set(seen) <= set(elsewhere)


def test_tiles_without_a_board_are_named_row_by_row():
    reader = Reader(game_named("zu_tiles_hime"))
    game = reader.game
    pieces = [Piece(tile.name) for tile in list(game.catalogue)[:8]]
    laid = {f"{i % 4 - 2},{1 - i // 4}": replace(piece, owner="south", facing=0) for i, piece in enumerate(pieces)}
    frame = photographed(game, laid, 3)
    references = learn_in_order(reader, frame, reader.register(frame), pieces)
    assert [one.tile for one in references] == [piece.tile for piece in pieces]
    with pytest.raises(Unreadable, match="8 tiles are to be seen and 5 are named"):
        learn_in_order(reader, frame, reader.register(frame), pieces[:5])


def test_clean_pictures_of_faces_are_references_too(paiko):
    game = paiko.game
    pieces = pieces_of(game.catalogue)
    scans = {piece: raster(drawing(game.face(piece.tile, piece.owner)), 8.0) for piece in pieces}
    references = [one for piece, scan in scans.items() for one in learn_face(game, scan, piece)]
    own = Reader(game, gallery_of(references, game.catalogue, paiko.embed))
    laid = laid_in_order(game, pieces)
    seen = {place: (one.tile, one.owner) for place, one in read(own, photographed(game, laid, 4)).items() if one}
    assert sum(seen.get(place) == (piece.tile, piece.owner) for place, piece in laid.items()) >= 0.9 * len(laid)


def test_two_tiles_that_look_alike_are_said(paiko):
    face = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    references = [
        Reference("sword", "white", face),
        Reference("bow", "white", face),
        Reference("fire", None, some_crop()),
    ]
    gallery = gallery_of(references, paiko.game.catalogue, paiko.embed)
    assert [(one.tile, other.tile) for _, one, other in too_close(gallery)] == [("bow", "sword")]
    assert close_names(gallery) == {"bow": ("sword",), "sword": ("bow",)}


def test_tiles_that_look_alike_are_said_with_whose_they_are_and_how_they_are_turned(tmp_path):
    face = np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8)
    shown = {"sword@white": face, "sword@black": face, "bow@white": np.rot90(face), "fire@white": face}
    for word, picture in shown.items():
        cv2.imwrite(str(tmp_path / f"{word}.png"), picture)
    told = CliRunner().invoke(
        main, ["enrol", "paiko", "--set", "x", "--faces", *map(str, tmp_path.glob("*.png")), "--state", str(tmp_path)]
    )
    assert "sword@black and sword@white look too much alike" in told.output
    assert "bow@white and fire@white (turned three quarters) look too much alike" in told.output
    assert "bow@white and sword@white look too much alike" in told.output, "how a sword is turned says nothing"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--faces"], "IMG_1.png: there is no tile 'IMG_1' in Paiko.*--names"),
        (["--faces", "--names", "bow@white,sword@white"], "there is 1 picture and 2 names"),
        ([], "IMG_1.png: .*--faces"),
    ],
)
def test_a_scan_whose_name_says_nothing_is_not_enrolled_but_told_how(tmp_path, arguments, says):
    cv2.imwrite(str(tmp_path / "IMG_1.png"), np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8))
    command = ["enrol", "paiko", "--set", "x", *arguments, str(tmp_path / "IMG_1.png"), "--state", str(tmp_path)]
    told = CliRunner().invoke(main, command)
    assert told.exit_code == 1
    assert re.search(says, told.output)


def test_scans_are_named_in_their_order(tmp_path):
    game, words = game_named("paiko"), ["sword@white", "sword@black", "bow@white"]
    scans = [tmp_path / f"IMG_{i}.png" for i in range(3)]
    for scan, word in zip(scans, words, strict=True):
        cv2.imwrite(str(scan), raster(drawing(game.face(*word.split("@"))), 8.0))
    named = ["--names", ",".join(words[:2]), "--names", words[2]]
    told = CliRunner().invoke(
        main, ["enrol", "paiko", "--set", "x", "--faces", *named, *map(str, scans), "--state", str(tmp_path)]
    )
    assert told.exit_code == 0, told.output
    references, _ = Sets(tmp_path).load("paiko", "x")
    assert {f"{one.tile}@{one.owner}" for one in references} == set(words)


def test_a_set_is_kept_listed_and_removed(sets):
    sets.add("paiko", "my set", [Reference("sword", "white", some_crop()), Reference("sword", "white", some_crop(9))])
    sets.add("paiko", "my set", [Reference("bow", "white", some_crop(7))])
    references, said = sets.load("paiko", "my set")
    assert said == []
    assert [one.crop[0, 0, 0] for one in references] == [0, 9, 7]
    assert [(one.tile, one.owner, one.pictures) for one in listed(references)] == [
        ("sword", "white", 2),
        ("bow", "white", 1),
    ]
    assert sets.forget("paiko", "my set", "sword") == 2
    assert [one.tile for one in sets.load("paiko", "my set")[0]] == ["bow"]
    assert (sets.games(), sets.names("paiko")) == (["paiko"], ["my set"])
    sets.forget("paiko", "my set")
    with pytest.raises(Unreadable, match="there are: none"):
        sets.load("paiko", "my set")


@pytest.mark.parametrize("damage", [b"", b"\x89PNG not a picture", b"x" * 100_000])
def test_a_damaged_reference_is_said_and_left_out(sets, damage):
    sets.add("paiko", "mine", [Reference("sword", "white", some_crop()), Reference("bow", "white", some_crop())])
    (sets.folder("paiko", "mine") / "1.png").write_bytes(damage)
    references, said = sets.load("paiko", "mine")
    assert [one.tile for one in references] == ["bow"]
    assert len(said) == 1
    assert "1.png is damaged" in said[0]


@pytest.mark.parametrize("about", [b"", b"{", b"[]", b'{"tile": 3}', b'{"tile": "bow", "owner": 1}', b"\xff\xfe"])
def test_a_reference_with_a_damaged_name_is_left_out(sets, about):
    sets.add("paiko", "mine", [Reference("sword", "white", some_crop())])
    (sets.folder("paiko", "mine") / "1.json").write_bytes(about)
    assert len(sets.load("paiko", "mine")[1]) == 1


def test_of_a_set_that_still_keeps_parts_alone_only_whole_tiles_are_used(sets):
    sets.add("pirates_ninjas_robots_zombies", "mine", [Reference("PP/Ppo", None, some_crop()) for _ in range(3)])
    for number, part in ((1, "quarters"), (2, "quarter P"), (3, "icon o")):
        about = b'{"tile": "PP/Ppo", "owner": null, "part": "%s"}' % part.encode()
        (sets.folder("pirates_ninjas_robots_zombies", "mine") / f"{number}.json").write_bytes(about)
    references, said = sets.load("pirates_ninjas_robots_zombies", "mine")
    assert [one.tile for one in references] == ["PP/Ppo"]
    assert said == []


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "x" * 41, "-", "."])
def test_a_sets_name_is_a_plain_word(sets, name):
    with pytest.raises(Unreadable, match="a set's name"):
        sets.add("paiko", name, [])


def test_a_watched_table_learns_the_tile_in_its_middle(tmp_path):
    game, players = game_named("paiko"), PlayersSets(tmp_path)
    frame = photographed(game, {"g8": Piece("sword", "white", 0)}, 6)
    crop, enrolled = players.enrol(game, "mine", Piece("sword", "white"), frame, None)
    assert crop.jpeg.startswith(b"\xff\xd8")
    assert (enrolled.tile, enrolled.owner, enrolled.pictures) == ("sword", "white", 1)
    assert players.listed(game) == {"mine": (enrolled,)}
    read = players.reader(game, "mine")(frame, Reader(game).register(frame), None)
    assert [(tile.place, tile.piece.tile) for tile in read.tiles] == [("g8", "sword")]
    players.forget(game, "mine", None)
    assert players.listed(game) == {}


def test_a_photo_is_enrolled_shown_and_read_with_by_commands(tmp_path):
    game = game_named("zhizhu")
    laid = laid_in_order(game, pieces_of(game.catalogue))
    photo, sheet, state = tmp_path / "photo.png", tmp_path / "sheet.png", ["--state", str(tmp_path)]
    cv2.imwrite(str(photo), photographed(game, laid, 5).pixels)
    run = CliRunner().invoke
    asked = run(main, ["enrol", "zhizhu", "--set", "mine"])
    assert "Lay these tiles face up" in asked.output
    told = run(main, ["enrol", "zhizhu", "--set", "mine", str(photo), *state])
    assert told.exit_code == 0, told.output
    assert f"{len(laid)} pictures of {len(laid)} tiles" in told.output
    assert f"zhizhu  mine  {len(laid)} tiles" in run(main, ["sets", "list", *state]).output
    assert run(main, ["sets", "show", "zhizhu", "mine", "--out", str(sheet), *state]).exit_code == 0
    assert cv2.imread(str(sheet)) is not None
    assert run(main, ["read", str(photo), "--game", "zhizhu", "--set", "mine", *state]).exit_code == 0
    assert run(main, ["sets", "remove", "zhizhu", "mine", *state]).exit_code == 0
    gone = run(main, ["read", str(photo), "--game", "zhizhu", "--set", "mine", *state])
    assert "there is no set 'mine'" in gone.output


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("a1=nothing", "there is no tile 'nothing'"),
        ("a1=spider@white", "no tile is to be seen on a1: lay it there, or say what lies in each photo with --names"),
        ("zz=spider@white", "has no place zz"),
    ],
)
def test_what_cannot_be_enrolled_is_said(tmp_path, names, says):
    game = game_named("zhizhu")
    names = names.replace("spider", next(iter(game.catalogue)).name)
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), photographed(game, {}, 5).pixels)
    told = CliRunner().invoke(
        main, ["enrol", "zhizhu", "--set", "mine", "--names", names, str(photo), "--state", str(tmp_path)]
    )
    assert told.exit_code == 1
    assert says in told.output


@pytest.mark.parametrize("name", ["qwirkle", "morris"])
def test_a_board_is_added_by_data_alone(name):
    game = described(BOARDS / name)
    assert game.board.strokes
    assert len(game.board.places) == {"qwirkle": 256, "morris": 24}[name]
    position = {"game": name, "tiles": {next(iter(game.board.places)): "man@black" if name == "morris" else "6R"}}
    assert game.write_position(game.read_position(position)) == position


def test_a_folder_that_describes_no_game_is_refused(tmp_path):
    with pytest.raises(Unreadable, match=r"no board\.toml"):
        described(tmp_path)


def test_a_set_read_quarter_by_quarter_is_learned_from_a_photo_that_shows_every_quarter():
    """Pirates with other pictures: those of the next team, and of the next icon, stand for each."""
    printed = game_named("pirates_ninjas_robots_zombies")
    letters, icons = str.maketrans("PNRZpnrzKDMH", "NRZPnrzpDMHK"), str.maketrans("ose", "seo")

    def face(tile, owner):
        return printed.face(tile[:5].translate(letters) + tile[5:].translate(icons), owner)

    def in_rows(words):
        return {f"{i % 4 - 2},{1 - i // 4}": Piece(word) for i, word in enumerate(words.split(","))}

    ours, reader = replace(printed, face=face), Reader(printed)
    shown = in_rows("PP/Ppo,NN/NNs,Rr/rRe,ZZ/Zzo,PP/PD,NN/NK,RR/RH,ZZ/ZM,Nn/nNe,P!,N!,R!")
    frame = photographed(ours, shown, 11)
    references = learn_in_order(reader, frame, reader.register(frame), list(shown.values()))
    own = Reader(printed, gallery_of(references, printed.catalogue, reader.embed))
    others = in_rows("PP/NN,NZ/ZN,Zn/DZ,RR/RK,Pz/HP,PN/RZ,Pr/MP,Np/KN,RR/RRs,P!,PR/ZN,PZ/RN")
    table = photographed(ours, others, 12)
    assert read(own, table) == others
    assert read(reader, table) != others
