import numpy as np

from companion.art import drawing
from vision.raster import raster


def _raster(inside, px_per_mm=10.0, box="0 0 10 10"):
    return raster(drawing(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{inside}</svg>'), px_per_mm)


def _ink(picture):
    """Rows and columns from the first to the last that are not plain paper."""
    rows, columns = np.nonzero(picture.min(axis=2) < 128)
    return rows.min(), rows.max(), columns.min(), columns.max()


def test_a_drawing_fills_its_picture_to_the_last_pixel():
    picture = _raster('<rect width="10.2" height="5.1" fill="#102030"/>', 2.2, "0 0 10.2 5.1")
    assert picture.shape == (11, 22, 3)
    assert (picture == (0x30, 0x20, 0x10)).all()


def test_an_outline_within_an_outline_is_a_hole():
    picture = _raster('<path d="M0 0h10v10h-10zM3 3h4v4h-4z" fill="#000000"/>')
    assert picture[5, 5].sum() == 0
    assert (picture[50, 50] == 255).all()


def test_what_looks_the_same_from_four_sides_does_so_in_pixels():
    picture = _raster('<circle cx="5" cy="5" r="3.3" fill="#804020"/>', 5.7).astype(int)
    assert np.abs(picture - np.rot90(picture)).max() <= 20


def test_words_stand_on_their_baseline_and_hang_from_their_anchor():
    middle = _ink(_raster('<text x="5" y="6" font-size="4" text-anchor="middle">H</text>', 20))
    assert middle[1] == 119
    assert abs(middle[2] + middle[3] - 199) <= 8
    assert _ink(_raster('<text x="5" y="6" font-size="4">H</text>', 20))[2] >= 100
    assert _ink(_raster('<text x="5" y="6" font-size="4" text-anchor="end">H</text>', 20))[3] <= 100


def test_words_turn_with_their_group():
    upright = _ink(_raster('<text x="5" y="5" font-size="4">I</text>', 20))
    lying = _ink(_raster('<text x="5" y="5" font-size="4" transform="rotate(90 5 5)">I</text>', 20))
    assert abs((upright[1] - upright[0]) - (lying[3] - lying[2])) <= 2
    assert lying[2] >= 98


def test_words_beyond_the_edge_are_cut_off_there():
    assert _ink(_raster('<text x="8" y="6" font-size="4">WWW</text>'))[3] == 99
    assert (_raster('<text x="30" y="6" font-size="4">WWW</text>') == 255).all()
