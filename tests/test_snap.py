"""Which place a found tile lies on."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import cell
from vision.snap import Found, Grid, drift_of_places, drifting, fit_grid, middles


def _area(rng, many):
    """Cells that hang together."""
    cells = [(0, 0)]
    while len(cells) < many:
        x, y = rng.choice(cells)
        step = rng.choice([(1, 0), (0, 1), (-1, 0), (0, -1)])
        if (x + step[0], y + step[1]) not in cells:
            cells.append((x + step[0], y + step[1]))
    return cells


def _laid(cells, rng, *, at=(0.0, 0.0), turn=0.0, pitch=41.0, loose=0.8):
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [
        Found(
            at[0] + pitch * (x * cos + y * sin) + rng.gauss(0, loose),
            at[1] + pitch * (x * sin - y * cos) + rng.gauss(0, loose),
            turn + rng.gauss(0, 1.5),
            1.0,
        )
        for x, y in cells
    ]


def _names(cells):
    return [cell(x, y) for x, y in cells]


@given(
    st.integers(0, 10**6),
    st.integers(1, 40),
    st.floats(-20, 20),
    st.floats(40, 42.5),
    st.floats(-15, 15),
    st.floats(-15, 15),
)
@settings(max_examples=60, deadline=None)
def test_the_lattice_is_fitted_to_tiles_wherever_they_lie(seed, many, turn, pitch, x, y):
    rng = random.Random(seed)
    cells = _area(rng, many)
    found = _laid(cells, rng, at=(x, y), turn=turn, pitch=pitch)
    grid = fit_grid(found, 41.0)
    where = grid.places_at(middles(found))
    assert None not in where
    first = [int(part) for part in where[0].split(",")]
    moved = [(int(p.split(",")[0]) - first[0], int(p.split(",")[1]) - first[1]) for p in where]
    assert moved == cells


def test_a_lattice_near_the_middle_of_the_table_has_its_first_cell_there():
    cells = [(0, 0), (1, 0), (1, 1), (2, 1), (-1, 0)]
    grid = fit_grid(_laid(cells, random.Random(1), at=(6, -9), turn=4), 41.0)
    assert grid.places_at(middles(_laid(cells, random.Random(2), at=(6, -9), turn=4))) == _names(cells)


@pytest.mark.parametrize("seed", range(6))
def test_cells_keep_their_names_as_the_area_grows(seed):
    rng = random.Random(seed)
    cells = _area(rng, 40)
    found = _laid(cells, rng, at=(3, 5), turn=-6, pitch=40.4)
    grid = fit_grid(found[:1], 41.0)
    assert grid.places_at(middles(found[:1])) == ["0,0"]
    for many in range(2, len(cells) + 1):
        grid = fit_grid(found[:many], 41.0, grid)
        assert grid.places_at(middles(found[:many])) == _names(cells[:many])


def test_a_row_that_drifts_is_counted_from_neighbour_to_neighbour():
    found = [Found(i * 39.2, -0.12 * i * i, -i * 0.4, 1.0) for i in range(12)]
    grid = fit_grid(found, 41.0)
    assert grid.places_at(middles(found)) == _names([(i, 0) for i in range(12)])


def test_a_far_tile_belongs_to_the_cell_that_its_neighbours_count_to():
    """A plane that is out of shape stretches the far columns more than the near ones."""
    cells = [(x, 0) for x in range(-2, 13)]
    found = [Found(41.0 * x + 0.19 * x * abs(x), 0.0, 0.0, 1.0) for x, _ in cells]
    laid = drifting(Grid(0.0, 0.0, 0.0, 41.0), found)
    assert laid.grid.places_at(middles(found[-1:])) == ["13,0"]
    assert laid.places_of(found) == _names(cells)
    assert laid.spots(["12,1"])[0] == pytest.approx((found[-1].x_mm, -41.0))
    stretched = Found(found[-1].x_mm + 51.0, 0.0, 0.0, 1.0)
    assert drifting(laid.grid, [*found, stretched]).places_of([stretched]) == ["13,0"]
    assert laid.spots(["12,9"])[0] == pytest.approx(laid.grid.spot("12,9"))
    assert drifting(laid.grid, []).places_of([found[2]]) == ["0,0"]


def test_a_lattice_stays_when_all_tiles_are_hidden():
    grid = Grid(1.0, 2.0, 3.0, 41.0)
    assert fit_grid([], 41.0, grid) == grid
    assert fit_grid([], 41.0) is None
    assert grid.places_at(np.array([grid.spot("3,-2"), (20.0, 20.0)])) == ["3,-2", None]


def test_the_only_tile_takes_its_lattice_along_unless_it_is_moved_by_a_step() -> None:
    grid = Grid(1.0, 2.0, 3.0, 40.0, frozenset({"0,0"}))
    pushed = fit_grid([Found(-9.0, -21.0, 3.0, 0.9)], 40.0, grid)
    assert pushed == Grid(-9.0, -21.0, 3.0, 40.0, frozenset({"0,0"}))
    assert fit_grid([Found(1.0, 2.0, 3.0, 0.9)], 40.0, pushed) == grid
    moved = fit_grid([Found(41.0, 4.0, 3.0, 0.9)], 40.0, grid)
    assert moved is not None
    assert moved.places_at(np.array([(41.0, 4.0)])) == ["1,0"]


def test_where_a_tile_of_the_lattice_would_lie_is_told_by_those_beside_it_not_by_what_was_found_there() -> None:
    grid = Grid(0.0, 0.0, 0.0, 40.0)
    neighbours = [Found(1.0, 0.0, 0.0, 1.0), Found(81.0, 0.0, 0.0, 1.0)]
    laid = drifting(grid, [*neighbours, Found(48.0, 7.0, 0.0, 0.6)])
    assert laid.spots(["1,0"])[0] == pytest.approx((41.0, 0.0))


def test_one_thing_found_between_two_cells_does_not_shift_those_beside_it():
    grid = Grid(0.0, 0.0, 0.0, 40.0)
    tiles = [Found(40.0 * x + 1.0, -40.0 * y, 0.0, 0.9) for x, y in ((0, 0), (0, 1), (1, 0), (2, 0), (2, 1))]
    # Of two like tiles that touch, one is found between them.
    laid = drifting(grid, [Found(36.0, -59.0, 0.0, 0.7), *tiles])
    np.testing.assert_allclose(laid.spots(["0,1", "2,1"]), [(1.0, -40.0), (81.0, -40.0)], atol=0.1)
    assert laid.places_of(tiles) == ["0,0", "0,1", "1,0", "2,0", "2,1"]


def test_a_cell_is_near_what_lies_half_beside_it_and_not_near_its_neighbour() -> None:
    laid = drifting(Grid(0.0, 0.0, 0.0, 40.0), [Found(0.0, 0.0, 0.0, 1.0)])
    assert laid.those_near(["1,0", "0,1", "-1,0"], [Found(0, 0, 0, 1), Found(60, 0, 0, 0.1)], 0.6) == ["1,0"]
    assert laid.those_near(["1,0"], [], 0.6) == []


PLACES = np.array([(29.0 * x, 29.0 * y) for x in range(-5, 6) for y in range(-5, 6)])


def test_places_drift_with_the_tiles_upon_them_to_the_rim_of_the_board() -> None:
    dice = np.random.default_rng(4)
    bent = np.column_stack([-0.0005 * (PLACES[:, 0] - 145) ** 2 / 4 + 0.02 * PLACES[:, 0], 0.02 * PLACES[:, 1]])
    held = dice.choice(len(PLACES), 24, replace=False)
    drift = drift_of_places(PLACES, (PLACES + bent)[held] + dice.normal(0, 1.0, (24, 2)), 12.0)
    reach = 12.0
    assert np.linalg.norm(bent, axis=1).max() > reach
    assert np.linalg.norm(bent - drift, axis=1).max() < reach / 2


def test_a_tile_pushed_off_its_place_moves_no_places_and_few_tiles_none() -> None:
    lying = PLACES[[3, 20, 37, 54, 71, 88, 105]] + 0.0
    lying[2] += (9.0, 0.0)
    assert np.abs(drift_of_places(PLACES, lying, 12.0)).max() < 2.5
    assert not drift_of_places(PLACES, PLACES[:5] + 6.0, 12.0).any()
