"""References and the odds they give."""

import numpy as np

from vision.gallery import Gallery, Name, joined


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, np.float32)
    return vector / np.linalg.norm(vector)


GALLERY = Gallery(
    (Name("sword"), Name("bow"), Name("sword"), Name("quarter P"), Name("icon ")),
    np.stack([unit(1, 0, 0), unit(0, 1, 0), unit(0.6, 0, 0.8), unit(0, 0, 1), unit(0, 1, 1)]),
)


def test_of_several_references_of_one_name_the_nearest_counts() -> None:
    names, odds = GALLERY.whole.odds(np.stack([unit(0.6, 0, 0.8), unit(1, 0.1, 0)]))
    assert names == [Name("sword"), Name("bow")]
    assert (odds[:, 0] > 0.95).all()
    assert np.allclose(odds.sum(axis=1), 1)


def test_what_is_near_no_reference_is_none_of_them() -> None:
    _, odds = GALLERY.whole.odds(np.stack([unit(-1, -1, -1)]))
    assert odds[0, -1] > 0.99


def test_parts_go_by_the_rest_of_their_names() -> None:
    assert GALLERY.quarters.names == (Name("P"),)
    assert GALLERY.icons.names == (Name(""),)


def test_galleries_are_joined_and_an_empty_one_knows_nothing() -> None:
    assert len(joined([GALLERY, GALLERY]).names) == 10
    names, odds = joined([]).odds(np.zeros((2, 64), np.float32))
    assert names == []
    assert odds.tolist() == [[1.0], [1.0]]
