"""Pictures of moves: within their budget, the oldest games first to go, and never in the way of the record."""

import os

import pytest

from companion.evidence import LARGEST_BYTES, Evidence

OLD, MIDDLE, NEW = "a" * 32, "b" * 32, "0" * 32


def picture(size=1000, ink=b"x"):
    return b"\xff\xd8\xff" + ink * (size - 5) + b"\xff\xd9"


@pytest.fixture
def pictures(tmp_path):
    return Evidence(tmp_path / "evidence", budget_bytes=5000, spare_bytes=0)


def held(pictures, *games):
    return [[n for n in range(1, 12) if pictures.path(game, n)] for game in games]


def test_a_picture_is_found_by_its_game_and_move(pictures):
    assert pictures.keep(OLD, 3, picture(ink=b"y"))
    assert pictures.path(OLD, 3).read_bytes() == picture(ink=b"y")
    assert pictures.path(OLD, 4) is None
    assert pictures.path(NEW, 3) is None


def test_the_oldest_game_goes_first_whatever_the_clock_says(pictures):
    for game in (OLD, MIDDLE, NEW):
        for number in (2, 3):
            pictures.keep(game, number, picture())
    for path in pictures._folder.glob("*/*.jpg"):
        os.utime(path, (0, 0) if NEW in str(path) else (9e9, 9e9))
    assert held(pictures, OLD, MIDDLE, NEW) == [[3], [2, 3], [2, 3]]
    pictures.keep(NEW, 4, picture(2500))
    assert held(pictures, OLD, MIDDLE, NEW) == [[], [], [2, 3, 4]]
    assert pictures.used_bytes <= 5000


def test_a_long_game_gives_up_its_own_oldest_pictures(pictures):
    for number in range(1, 10):
        assert pictures.keep(NEW, number, picture())
    assert held(pictures, NEW) == [[5, 6, 7, 8, 9]]


def test_the_budget_and_the_order_hold_after_a_restart(tmp_path, pictures):
    for game in (OLD, MIDDLE):
        pictures.keep(game, 1, picture(2000))
    again = Evidence(tmp_path / "evidence", budget_bytes=5000, spare_bytes=0)
    assert again.used_bytes == 4000
    again.keep(NEW, 1, picture(2000))
    assert held(again, OLD, MIDDLE, NEW) == [[], [1], [1]]


def test_a_picture_taken_again_replaces_the_first(pictures):
    pictures.keep(OLD, 1, picture())
    pictures.keep(OLD, 1, picture(2000))
    assert pictures.used_bytes == 2000


@pytest.mark.parametrize("bad", [b"", b"GIF89a", picture()[:-2], picture(LARGEST_BYTES + 1)])
def test_what_is_no_small_jpeg_is_not_kept(tmp_path, bad):
    assert not Evidence(tmp_path, spare_bytes=0).keep(OLD, 1, bad)


def test_a_picture_that_a_power_cut_tore_is_not_shown(pictures):
    pictures.keep(OLD, 1, picture())
    path = pictures.path(OLD, 1)
    for torn in (b"", picture()[:300], bytes(1000)):
        path.write_bytes(torn)
        assert pictures.path(OLD, 1) is None


def test_who_is_killed_while_writing_leaves_nothing_for_long(tmp_path, pictures):
    half = tmp_path / "evidence" / "picture.part"
    for clean in (lambda: pictures.keep(OLD, 2, picture()), lambda: pictures.forget(OLD)):
        pictures.keep(OLD, 1, picture())
        half.write_bytes(picture()[:300])
        clean()
        assert not half.exists()


def test_the_last_room_on_the_disk_is_left_to_the_events(tmp_path):
    assert not Evidence(tmp_path, spare_bytes=1 << 60).keep(OLD, 1, picture())


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path):
    (tmp_path / "evidence").write_text("in the way")
    assert not Evidence(tmp_path / "evidence", spare_bytes=0).keep(OLD, 1, picture())


def test_a_game_is_never_a_way_out_of_the_folder(pictures):
    with pytest.raises(ValueError, match="no game"):
        pictures.keep("../../somewhere", 1, picture())


def test_strange_files_are_left_alone(tmp_path, pictures):
    pictures.keep(OLD, 1, picture())
    stranger = tmp_path / "evidence" / "holiday" / "beach.jpg"
    stranger.parent.mkdir()
    stranger.write_bytes(picture(4000))
    again = Evidence(tmp_path / "evidence", budget_bytes=5000, spare_bytes=0)
    again.keep(NEW, 1, picture(4500))
    assert stranger.exists()
