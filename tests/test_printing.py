"""What comes out of the printer: pages, sizes, margins, faces and backs, and boards that fit together again."""

import math
import re
from collections import Counter
from dataclasses import replace

import pytest
from fpdf import FPDF

from companion.art import Area, Line, Words
from companion.game import Unreadable
from companion.mats import mat
from companion.printing import latin, print_sheets
from companion.registry import games
from companion.sheets import BLEED_MM, OVERLAP_MM, PAPERS, RULER_MM, bundles, face_of, mat_sheets, tile_sheets
from web.words import is_english, languages, spoken

GAMES = list(games().values())
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
every_paper = pytest.mark.parametrize("paper", PAPERS)
home_paper = pytest.mark.parametrize("paper", ["a4", "letter"])

_PEN = FPDF(unit="mm")


def reach(shape):
    """Left, top, right, bottom of what a shape inks."""
    match shape:
        case Area():
            points, rim = [point for outline in shape.outlines for point in outline], 0.0
        case Line():
            points, rim = shape.points, shape.width / 2
        case Words():
            points, rim = words_corners(shape), 0.0
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - rim, min(ys) - rim, max(xs) + rim, max(ys) + rim


def words_corners(words):
    _PEN.set_font("Helvetica", "B" if words.bold else "", words.size * 72 / 25.4)
    width = _PEN.get_string_width(latin(words.words))
    left = -width * {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    cos, sin = math.cos(math.radians(words.angle_deg)), math.sin(math.radians(words.angle_deg))
    box = [(x, y) for x in (left, left + width) for y in (-0.75 * words.size, 0.22 * words.size)]
    return [(words.at[0] + x * cos - y * sin, words.at[1] + x * sin + y * cos) for x, y in box]


def inside(box, room):
    slack = 0.1  # half of a hair line on the very edge
    return (
        box[0] >= room[0] - slack
        and box[1] >= room[1] - slack
        and box[2] <= room[2] + slack
        and box[3] <= room[3] + slack
    )


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def all_sheets(game, paper):
    return [sheet for bundle in bundles(game, PAPERS[paper]) for sheet in bundle.sheets]


def tiles_of(game):
    return Counter({(tile.name, owner): tile.copies for tile in game.catalogue for owner in tile.owners or ("",)})


@every_game
@every_paper
def test_the_files_have_as_many_pages_as_sheets_in_the_papers_size(game, paper, tmp_path):
    told = []
    planned = bundles(game, PAPERS[paper])
    if paper in ("a3", "a2"):  # large sheets are for boards; the tiles would only be the same again
        planned = planned[1:]
    only = [bundle.name for bundle in planned]
    written = print_sheets(game, paper, tmp_path / "out", only=only, progress=lambda *done: told.append(done))
    assert [path.name for path in written] == [f"{game.name}-{bundle.name}-{paper}.pdf" for bundle in planned]
    for path, bundle in zip(written, planned, strict=True):
        pdf = path.read_bytes()
        (box,) = set(re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf))
        size = tuple(float(points) * 25.4 / 72 for points in box)
        assert len(re.findall(rb"/Type /Page\b", pdf)) == len(bundle.sheets)
        for sheet in bundle.sheets:
            assert size == pytest.approx((sheet.paper.width_mm, sheet.paper.height_mm), abs=0.01)
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
    assert len(told) == sum(len(bundle.sheets) for bundle in planned)


def test_the_file_asks_the_viewer_for_true_scale_and_for_the_long_edge(tmp_path):
    tiles, board, _ = print_sheets(games()["zhizhu"], "a4", tmp_path)
    assert b"/PrintScaling /None" in tiles.read_bytes()
    assert b"/Duplex /DuplexFlipLongEdge" in tiles.read_bytes()
    assert b"/Duplex /Simplex" in board.read_bytes()


@every_game
@home_paper
@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_what_is_written_around_the_things_is_translated_and_still_fits(game, paper, language):
    for sheet in (sheet for bundle in bundles(game, PAPERS[paper]) for sheet in bundle.sheets):
        for words in (shape for shape in sheet.shapes if isinstance(shape, Words)):
            assert not is_english(words.words, language)
            left, top, right, bottom = reach(replace(words, words=latin(spoken(words.words, language))))
            assert min(left, top) >= sheet.paper.margin_mm - 0.5
            assert right <= sheet.paper.width_mm - sheet.paper.margin_mm + 0.5
            assert bottom <= sheet.paper.height_mm


def test_a_sheet_says_how_to_print_it_in_the_language_asked_for(tmp_path):
    asked = []

    def speak(said):
        asked.append(said)
        return spoken(said, "de")

    (path,) = print_sheets(games()["zhizhu"], "a4", tmp_path, only=["corners"], speak=speak)
    assert {"print at 100 %", "playing area"} <= set(asked)
    assert path.read_bytes() != print_sheets(games()["zhizhu"], "a4", tmp_path, only=["corners"])[0].read_bytes()


def test_only_what_is_asked_for_is_written(tmp_path):
    (path,) = print_sheets(games()["zhizhu"], "a4", tmp_path, only=["corners"])
    assert path.name == "zhizhu-corners-a4.pdf"
    with pytest.raises(Unreadable, match="has no dice"):
        print_sheets(games()["zhizhu"], "a4", tmp_path, only=["dice"])
    with pytest.raises(Unreadable, match="no paper 'b5'"):
        print_sheets(games()["zhizhu"], "b5", tmp_path)


@every_game
@every_paper
def test_nothing_is_drawn_on_the_margin(game, paper):
    for sheet in all_sheets(game, paper):
        margin = sheet.paper.margin_mm
        room = margin, margin, sheet.paper.width_mm - margin, sheet.paper.height_mm - margin
        for picture in sheet.pictures:
            assert inside(picture.window, room), picture.what
        for shape in sheet.shapes:
            assert inside(reach(shape), room), shape


@every_game
@every_paper
def test_pictures_keep_clear_of_the_head_the_foot_and_each_other(game, paper):
    for sheet in all_sheets(game, paper):
        windows = [picture.window for picture in sheet.pictures]
        assert all(inside(window, sheet.paper.body) for window in windows)
        for i, window in enumerate(windows):
            smaller = window[0] + 0.01, window[1] + 0.01, window[2] - 0.01, window[3] - 0.01
            assert not any(overlap(smaller, other) for other in windows[i + 1 :])


@every_game
@every_paper
def test_words_of_the_head_and_the_foot_do_not_run_into_each_other(game, paper):
    for sheet in all_sheets(game, paper):
        top, bottom = sheet.paper.body[1], sheet.paper.body[3]
        words = [reach(shape) for shape in sheet.shapes if isinstance(shape, Words) and not top < shape.at[1] < bottom]
        for i, box in enumerate(words):
            assert not any(overlap(box, other) for other in words[i + 1 :])


@every_game
@every_paper
def test_every_sheet_has_its_number_a_ruler_and_the_line_about_scale(game, paper):
    for bundle in bundles(game, PAPERS[paper]):
        count = len(bundle.sheets) // (2 if bundle.two_sided else 1)
        for i, sheet in enumerate(bundle.sheets):
            words = [shape.words for shape in sheet.shapes if isinstance(shape, Words)]
            number = i // 2 + 1 if bundle.two_sided else i + 1
            assert game.title in words
            assert "print at 100 %" in words
            assert any(f"sheet {number} of {count}" in line for line in words)
            rulers = [reach(shape) for shape in sheet.shapes if isinstance(shape, Line) and len(shape.points) > 100]
            assert any(right - left == pytest.approx(RULER_MM, abs=0.2) for left, _, right, _ in rulers)


@every_game
@home_paper
def test_every_tile_is_printed_as_often_as_the_game_has_it(game, paper):
    faces = Counter()
    for sheet in tile_sheets(game, PAPERS[paper]).sheets[::2]:
        for picture in sheet.pictures:
            _, name, *owner = picture.what.split(" ")
            faces[name, "".join(owner)] += 1
    assert faces == tiles_of(game)


@every_game
@every_paper
def test_a_back_lies_behind_its_own_face_when_the_paper_turns_over_its_long_edge(game, paper):
    sheets = tile_sheets(game, PAPERS[paper]).sheets
    for front, behind in zip(sheets[::2], sheets[1::2], strict=True):
        assert front.paper.height_mm > front.paper.width_mm, "the long edge is upright"
        turned = {}
        for back in behind.pictures:
            left, top, right, bottom = back.frame
            frame = front.paper.width_mm - right, top, front.paper.width_mm - left, bottom
            turned[tuple(round(side, 6) for side in frame)] = back.what
        for face in front.pictures:
            key = tuple(round(side, 6) for side in face.frame)
            assert turned[key] == face.what.replace("face", "back", 1)


@every_game
def test_a_face_is_printed_in_its_own_size(game):
    for tile in game.catalogue:
        for owner in tile.owners or (None,):
            face = face_of(game, tile, owner)
            assert (face.width, face.height) == pytest.approx(game.catalogue.size_mm)


@every_game
def test_all_words_on_tiles_can_be_printed(game):
    for tile in game.catalogue:
        for owner in tile.owners or (None,):
            for shape in face_of(game, tile, owner).shapes:
                if isinstance(shape, Words):
                    assert latin(shape.words).encode("latin-1")


@every_game
@every_paper
def test_the_parts_of_a_board_fit_together_again(game, paper):
    (leaf,) = mat(game).leaves
    sheets = mat_sheets(game, PAPERS[paper]).sheets
    places = {}
    for sheet in sheets:
        (picture,) = sheet.pictures
        places[picture.what.removeprefix("part ")] = picture.window
    columns, rows = len({part[0] for part in places}), len({part[1:] for part in places})
    width, height = (places["A1"][2] - places["A1"][0], places["A1"][3] - places["A1"][1])
    assert columns * (width - OVERLAP_MM) + OVERLAP_MM == pytest.approx(leaf.drawing.width)
    assert rows * (height - OVERLAP_MM) + OVERLAP_MM == pytest.approx(leaf.drawing.height)
    assert len(places) == columns * rows == len(sheets)


@every_game
@home_paper
def test_a_part_shows_its_piece_of_the_board(game, paper):
    (leaf,) = mat(game).leaves
    for sheet in mat_sheets(game, PAPERS[paper]).sheets:
        (picture,) = sheet.pictures
        column, row = ord(picture.what[5]) - ord("A"), int(picture.what[6:]) - 1
        left, top, right, bottom = picture.window
        x, y = column * (right - left - OVERLAP_MM), row * (bottom - top - OVERLAP_MM)
        assert picture.at == pytest.approx((left - x, top - y))
        part = (x, y, x + right - left, y + bottom - top)
        left_out = set(leaf.drawing.shapes) - set(picture.shapes)
        assert set(picture.shapes) <= set(leaf.drawing.shapes)
        assert not any(overlap(reach(shape), part) for shape in left_out)


@pytest.mark.parametrize(("name", "paper"), [("zhizhu", "a3"), ("zhizhu", "a2"), ("paiko", "a2")])
def test_a_board_fits_on_one_large_sheet(name, paper):
    assert len(mat_sheets(games()[name], PAPERS[paper]).sheets) == 1


def test_a_game_without_pictures_gets_lettered_tiles():
    plain = replace(games()["zhizhu"], face=None, back=None)
    face = face_of(plain, plain.catalogue["piece"], "black")
    assert "Piece" in [shape.words for shape in face.shapes if isinstance(shape, Words)]


def test_a_face_that_fills_its_tile_goes_on_beyond_the_cut():
    game = replace(
        games()["zhizhu"],
        face=lambda tile, owner: '<svg viewBox="0 0 22 22"><circle cx="11" cy="11" r="11" fill="#123456"/></svg>',
    )
    picture = tile_sheets(game, PAPERS["a4"]).sheets[0].pictures[0]
    under, face = picture.shapes
    assert under.colour == face.colour
    assert picture.at[0] + reach(under)[0] == pytest.approx(picture.window[0])
    assert picture.window[0] == pytest.approx(picture.frame[0] - BLEED_MM)


def test_where_both_sides_of_a_tile_count_its_face_is_printed_behind_it_too():
    game = games()["zhizhu"]
    piece = replace(game.catalogue["piece"], values={"both_sides": True})
    game = replace(game, catalogue=replace(game.catalogue, tiles={"piece": piece}))
    front, behind = tile_sheets(game, PAPERS["a4"]).sheets
    assert Counter(type(shape) for picture in front.pictures for shape in picture.shapes) == Counter(
        type(shape) for picture in behind.pictures for shape in picture.shapes
    )


def test_words_are_put_in_letters_every_printer_has():
    assert latin("Dragon’s Hoard – 8×9") == "Dragon's Hoard - 8×9"
    with pytest.raises(ValueError, match="cannot be printed"):
        latin("知")
