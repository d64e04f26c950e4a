"""What is drawn over a picture that was read: beside the tiles, not upon them."""

from dataclasses import replace

import numpy as np

from companion.registry import game_named
from companion.table import Piece
from vision.annotate import annotated
from vision.plane import plane_by_corners
from vision.reading import SeenTile, TableRead

WEB = game_named("zhizhu")
GREY = np.full((800, 1000, 3), 120, np.uint8)
PLANE = plane_by_corners([(220, 120), (780, 120), (780, 680), (220, 680)], WEB.board.size_mm, (1000, 800))
EMPTY = TableRead(PLANE, (), {place: {None: 1.0} for place in WEB.board.places}, None, "")
MAN = Piece("piece", "white")


def tile(x, y, piece=MAN, probability=1.0, half=30):
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return SeenTile(None, piece, probability, {piece: probability}, (x, y), corners, (0.0, 0.0), 0.0)


def drawn(*tiles, read=EMPTY):
    """Where the overlay has changed the picture, and the overlay."""
    over = annotated(GREY, replace(read, tiles=tiles), 0.95)
    return (over != GREY).any(axis=2), over


def has(over, colour):
    return bool((np.abs(over.astype(int) - colour).max(axis=2) < 8).any())


def test_a_label_stands_beside_the_face_it_names():
    changed, _ = drawn(tile(500, 400))
    assert not changed[382:418, 482:518].any()
    assert changed[434:444, 490:510].all(), "the plate below it"


def test_labels_of_tiles_that_lie_close_together_cover_no_face():
    tiles = [tile(400 + 62 * column, 300 + 62 * row) for row in range(2) for column in range(4)]
    changed, _ = drawn(*tiles)
    for one in tiles:
        x, y = one.centre_px
        assert not changed[y - 18 : y + 18, x - 18 : x + 18].any()


def test_a_label_at_the_rim_stays_in_the_picture():
    changed, _ = drawn(tile(500, 765))
    assert changed[721:731, 490:510].all(), "the plate above it"


def test_what_is_asked_about_has_another_colour_and_what_is_unknown_a_third():
    shown = (tile(500, 400), tile(500, 400, probability=0.8), tile(500, 400, None))
    sure, asked, unknown = (drawn(one)[1] for one in shown)
    green, amber, red = (90, 205, 60), (0, 165, 255), (70, 70, 240)
    assert [has(sure, colour) for colour in (green, amber, red)] == [True, False, False]
    assert [has(asked, colour) for colour in (green, amber, red)] == [False, True, False]
    assert [has(unknown, colour) for colour in (green, amber, red)] == [False, False, True]


def test_the_turn_of_a_tile_is_a_tip_on_its_upper_edge():
    plain, _ = drawn(tile(500, 400))
    for facing, (x, y) in enumerate([(500, 376), (524, 400), (500, 424), (476, 400)]):
        upright = tile(500, 400, Piece("piece", "white", facing))
        turned = replace(upright, corners_px=tuple(np.roll(upright.corners_px, -facing, axis=0)))
        changed, _ = drawn(turned)
        assert changed[y, x]
        assert not plain[y, x]


def test_the_playing_area_its_markers_and_hidden_places_are_shown():
    changed, _ = drawn()
    assert changed[120, 300:700].all(), "the far edge"
    assert not changed[130:670, 230:770].any()
    spot = WEB.board.spot("c2")
    seen = {place: odds for place, odds in EMPTY.observation.items() if place != "c2"}
    x, y = PLANE.to_pixels(np.array([(spot.x_mm, spot.y_mm)]))[0].round().astype(int)
    hidden, _ = drawn(read=replace(EMPTY, observation=seen))
    assert hidden[y - 14 : y + 15, x - 14 : x + 15].any()
    marked = replace(PLANE, game="zhizhu", kind="mat", seen={0: (250.0, 150.0)})
    around, _ = drawn(read=replace(EMPTY, plane=marked))
    assert around[150 - 30, 250]
    assert around[150, 250 - 30]
