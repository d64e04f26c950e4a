"""What part of the table an evidence picture shows."""

import pytest

from companion.framing import Framing, framed, framing, framing_of
from companion.registry import game_named
from companion.table import Piece

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00rest\xff\xd9"


def test_a_picture_keeps_what_it_shows_and_stays_a_jpeg():
    shown = Framing(-150.5, -20, 150.5, 80)
    kept = framed(JPEG, shown)
    assert framing_of(kept) == shown
    assert kept.startswith(b"\xff\xd8\xff")
    assert kept.endswith(JPEG[2:])


@pytest.mark.parametrize(
    "jpeg",
    [
        JPEG,
        b"",
        b"\xff\xd8\xff\xfe\x00\x05abc",
        framed(JPEG, Framing(3, 3, 1, 1)),
        framed(JPEG, Framing(0, 0, 1, 1))[:20],
    ],
)
def test_a_picture_that_says_nothing_readable_shows_no_known_part(jpeg):
    assert framing_of(jpeg) is None


def test_a_board_is_shown_with_a_tile_around_it():
    shown = framing(game_named("zhizhu"), {})
    assert shown == Framing(-162, -162, 162, 162)
    assert shown.share(0, 162) == (0.5, 1.0)


def test_of_a_lattice_the_cells_in_play_are_shown_and_no_piles():
    game = game_named("zu_tiles_hime")
    layout = {"0,0": Piece("rat"), "2,1": Piece("ox"), "south:points": Piece("ox")}
    shown = framing(game, layout)
    assert shown == Framing(-60, -101, 142, 60)
    assert framing(game, {}) == Framing(-60, -60, 60, 60)
