"""Finding markers, on photographs whose truth is known."""

import cv2
import numpy as np
import pytest

from companion.registry import game_named
from vision.frame import Frame
from vision.judging import any_position
from vision.markers import find_markers
from vision.plane import register
from vision.reader import Reader
from vision.studio.render import photograph

AREA = game_named("pirates_ninjas_robots_zombies")


def hard_photo(seed, kind="cards", game=AREA):
    return photograph(game, any_position(game, seed), seed, True, ground_kind=kind, hands=0)


def off_px(found, told):
    """How far each corner of the markers is from the truth."""
    return np.concatenate([np.linalg.norm(found[one["id"]] - one["corners"], axis=1) for one in told["markers"]])


def test_markers_of_somebody_elses_are_not_completed_to_mats():
    page = np.full((900, 1200), 235, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)

    def lay(number: int, x: int, y: int, blur: float = 0.0) -> None:
        drawn = cv2.copyMakeBorder(
            dictionary.generateImageMarker(number, 60), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=235
        )
        page[y : y + 100, x : x + 100] = cv2.GaussianBlur(drawn, (0, 0), blur) if blur else drawn

    lay(25, 100, 100)
    lay(26, 500, 400, blur=5)
    assert {25, 26} <= set(find_markers(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR)))
    lay(4, 900, 100)
    lay(14, 900, 700)
    assert set(find_markers(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR))) == {4, 14, 25}


@pytest.mark.parametrize(("seed", "kind"), [(12_000_001, "cards"), (12_000_010, "mat"), (12_000_018, "mat")])
def test_corners_are_known_to_half_a_pixel_even_where_the_picture_is_blurred(seed, kind):
    pixels, told = hard_photo(seed, kind)
    assert np.sqrt((off_px(find_markers(pixels, AREA.name), told) ** 2).mean()) < 0.5


@pytest.mark.parametrize("seed", [13_000_041, 14_000_251])
def test_markers_in_which_noise_hides_even_the_square_are_found(seed):
    pixels, told = hard_photo(seed)
    found = find_markers(pixels, AREA.name)
    assert found.keys() == {marker["id"] for marker in told["markers"]}
    assert off_px(found, told).max() < 1.5


def test_a_wide_lens_at_the_side_sees_the_far_markers_at_less_than_half_the_size_of_the_near_ones():
    pixels, told = hard_photo(21_000_056, "mat", game_named("paiko"))
    found = find_markers(pixels, "paiko")
    assert found.keys() == {marker["id"] for marker in told["markers"]}
    assert off_px(found, told).max() < 1.5


def test_far_markers_are_found_that_are_little_more_than_half_as_large_as_the_near_ones():
    game = game_named("zu_tiles_hime")
    pixels, told = hard_photo(16_000_026, "mat", game)
    assert find_markers(pixels, game.name).keys() == {marker["id"] for marker in told["markers"]}


def test_a_white_table_in_bright_light_is_not_too_bright():
    pixels, _ = hard_photo(16_000_237)
    assert len(Reader(AREA).register(Frame(pixels, 0.0, 0)).seen) == 4


def test_a_quarter_of_a_tile_is_not_taken_for_the_marker_that_the_tile_covers():
    pixels, told = hard_photo(13_000_159)
    assert len(told["markers"]) == 4
    assert len(register(pixels, AREA.name).seen) == 3


def test_markers_too_blurred_to_be_read_are_known_by_where_the_others_lie():
    """Four corner cards at the far end of what can be read: 35 pixels each, in poor light."""
    pixels, told = hard_photo(9_500_013)
    found = find_markers(pixels, AREA.name)
    assert found.keys() == {marker["id"] for marker in told["markers"]}
    assert off_px(found, told).max() < 1.5
