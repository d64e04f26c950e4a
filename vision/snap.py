"""The place each found tile lies on: a named place of a board, or a cell of a lattice that is fitted to the tiles."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.board import cell, cell_of
from companion.table import Place
from vision.plane import Points

Numbers = TypeVar("Numbers", float, Points)
"""One, or many at once."""
_OFF, _OFF_ALONE = 0.75, 0.35
"""So much of a step a tile may lie off its cell and tell where the lattice is; less where no other lies beside it and
the lattice is known by several: that one was pushed."""


@dataclass(frozen=True, slots=True)
class Found:
    """A tile on the table, as far as it can be told without knowing which: a square's turn is told within a quarter."""

    x_mm: float
    y_mm: float
    angle_deg: float
    score: float


@dataclass(frozen=True, slots=True)
class Grid:
    """A lattice as it lies on the table: where the cell ``0,0`` is, how it is turned, how far apart its cells are."""

    x_mm: float
    y_mm: float
    angle_deg: float
    pitch_mm: float
    cells: frozenset[Place] = frozenset()
    """Where tiles were seen before; these are looked at again, for only so is an empty one seen to be empty."""

    def spot(self, place: Place) -> tuple[float, float]:
        """The middle of a cell; columns run to the right and rows away from the viewer."""
        return self._spot(*cell_of(place))

    def places_at(self, points_mm: Points) -> list[Place | None]:
        """The cells that tiles with these middles lie on; none for one between cells."""
        cells = np.round(self._to_cells(points_mm))
        off = np.hypot(*(points_mm - self._to_table(cells)).T)
        return [
            cell(column, row) if mm <= 0.42 * self.pitch_mm else None
            for (column, row), mm in zip(cells.astype(int).tolist(), off.tolist(), strict=True)
        ]

    def _spot(self, column: Numbers, row: Numbers) -> tuple[Numbers, Numbers]:
        right, down = self._step()
        return self.x_mm + column * right + row * down, self.y_mm + column * down - row * right

    def _cell(self, x_mm: Numbers, y_mm: Numbers) -> tuple[Numbers, Numbers]:
        """Columns and rows, with the part of the way to the next one."""
        right, down = (part / self.pitch_mm**2 for part in self._step())
        x, y = x_mm - self.x_mm, y_mm - self.y_mm
        return x * right + y * down, x * down - y * right

    def _step(self) -> tuple[float, float]:
        """How far the next column is to the right and down."""
        turn = math.radians(self.angle_deg)
        return self.pitch_mm * math.cos(turn), self.pitch_mm * math.sin(turn)

    def _to_table(self, cells: Points) -> Points:
        return np.column_stack(self._spot(*cells.T))

    def _to_cells(self, points_mm: Points) -> Points:
        return np.column_stack(self._cell(*points_mm.T))


@dataclass(frozen=True, slots=True, eq=False)
class Drifting:
    """A lattice as the tiles upon it show it: where the plane is not quite right, far rows drift away from it."""

    grid: Grid
    at: Points
    drift: Points
    """Where tiles clearly lie, and how far from their cells."""

    def spots(self, places: Sequence[Place]) -> Points:
        """Where tiles on these cells would lie, as those beside them do, whatever was found there."""
        spots = self.grid._to_table(np.array([cell_of(place) for place in places]).reshape(-1, 2))
        far = apart(spots, self.at - self.drift)
        return spots + self._drift_of_nearest(np.where(far < self.grid.pitch_mm / 2, np.inf, far))

    def those_near(self, places: Sequence[Place], tiles: Sequence[Found], pitches: float) -> list[Place]:
        """The cells whose middle one of the tiles is near, be it that it lies on another."""
        far = apart(self.spots(places), middles(tiles)).min(axis=1, initial=np.inf)
        return [place for place, mm in zip(places, far, strict=True) if mm < pitches * self.grid.pitch_mm]

    def places_of(self, tiles: Sequence[Found]) -> list[Place | None]:
        """The cell that each tile lies on."""
        at = middles(tiles)
        return self.grid.places_at(at - self._drift_of_nearest(apart(at, self.at)))

    def _drift_of_nearest(self, far: Points) -> Points:
        """For each row the drift of the tile that is least far; none where none is near."""
        if not len(self.at):
            return np.zeros((len(far), 2))
        near = far.min(axis=1) <= _BESIDE * self.grid.pitch_mm
        return np.where(near[:, None], self.drift[far.argmin(axis=1)], 0.0)


def middles(tiles: Sequence[Found]) -> Points:
    """Where they lie."""
    return np.array([(tile.x_mm, tile.y_mm) for tile in tiles]).reshape(-1, 2)


def apart(some: Points, others: Points) -> Points:
    """How far each of some is from each of the others."""
    return np.hypot(*np.moveaxis(some[:, None] - others[None], -1, 0))


_BESIDE, _TOGETHER = 1.6, 0.25
"""Tiles so near each other, in pitches, drift together but for so much."""


def drifting(grid: Grid, clear: Sequence[Found]) -> Drifting:
    """The lattice bent to the tiles that clearly lie upon it, counted from neighbour to neighbour.

    What drifts otherwise than most of those around it bends nothing: two alike are found as one between them.
    """
    at = middles(clear)
    cells, _ = _counted(at, grid)
    drift = at - grid._to_table(cells)
    votes = np.where(apart(drift, drift) < _TOGETHER * grid.pitch_mm, 1, -1)
    with_most = np.where(apart(at, at) < _BESIDE * grid.pitch_mm, votes, 0).sum(axis=1) >= 0
    return Drifting(grid, at[with_most], drift[with_most])


_SHOWN_BY = 6
"""So many tiles must show how places drift."""
_HELD_BACK = (0.6, 0.6, 0.6, 1.0, 1.0, 1.0)
"""How much speaks against a shift, a stretch either way and a bend, in tiles."""


def drift_of_places(spots: Points, at: Points, reach: float) -> Points:
    """How far each place of a board lies from where the plane has it, as most of the tiles upon them show it: in the
    noise of a camera far at the side the plane may be off by half a place at the rim."""
    change, terms, shown = np.zeros((6, 2)), _smooth_terms(spots, spots), _smooth_terms(at, spots)
    for _ in range(4):
        off = at[:, None] - (spots + terms @ change)[None]
        nearest = np.linalg.norm(off, axis=-1).argmin(axis=1)
        far = np.linalg.norm(off[np.arange(len(at)), nearest], axis=1)
        if (far <= reach).sum() < _SHOWN_BY:
            return np.zeros_like(spots)
        weight = np.clip(1 - (far / reach) ** 2, 0, None)[:, None]
        bend = (shown * weight).T @ shown + np.diag(_HELD_BACK)
        change = np.linalg.solve(bend, (shown * weight).T @ (at - spots[nearest]))
    return terms @ change


def _smooth_terms(points: Points, spots: Points) -> Points:
    x, y = (points / np.abs(spots).max()).T
    return np.column_stack([np.ones(len(points)), x, y, x * x, x * y, y * y])


def fit_grid(found: Sequence[Found], pitch_mm: float, former: Grid | None = None) -> Grid | None:
    """The lattice of tiles that lie edge to edge; ``None`` where there is no tile and was no lattice.

    Cells are counted from neighbour to neighbour, so that rows may drift. The former lattice, where there is one, keeps
    every cell's name and counts as much as a few tiles; without one the cell nearest the table's middle is ``0,0``.
    """
    if not found:
        return former
    at = np.array([(tile.x_mm, tile.y_mm) for tile in found])
    if former is not None and len(former.cells) == len(found) == 1:
        # The only tile there is takes its lattice along, unless it is moved by nearly a whole step.
        right, down = at[0] - former.spot(*former.cells)
        if math.hypot(right, down) < _OFF * pitch_mm:
            return replace(former, x_mm=former.x_mm + float(right), y_mm=former.y_mm + float(down))
    grid = former or _first_grid(found, at, pitch_mm)
    alone = _OFF_ALONE if former is not None and len(former.cells) > 1 else _OFF
    before = None
    for _ in range(3):
        cells, sure = _counted(at, grid, alone)
        if former is not None and before is not None and all(map(np.array_equal, before, (cells, sure))):
            break
        grid, before = _fitted(at[sure], cells[sure], former or _untied(grid, pitch_mm)), (cells, sure)
    return replace(grid, cells=former.cells) if former is not None else _centred(grid)


def _first_grid(found: Sequence[Found], at: Points, pitch_mm: float) -> Grid:
    """Turned as most tiles are, and through the tile that has the most neighbours."""
    turns = np.radians([4 * tile.angle_deg for tile in found])
    weight = np.array([tile.score for tile in found])
    angle = math.degrees(math.atan2(float(weight @ np.sin(turns)), float(weight @ np.cos(turns)))) / 4
    apart = np.linalg.norm(at[:, None] - at[None], axis=-1)
    middle = int(np.argmax((apart < 1.2 * pitch_mm).sum(axis=1)))
    return Grid(float(at[middle, 0]), float(at[middle, 1]), angle, pitch_mm)


def _counted(at: Points, grid: Grid, alone: float = _OFF) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The cell of each tile: counted from a neighbour where there is one, from the lattice where there is none; and
    which of them lie near enough to their cells to say where the lattice is, those without a neighbour ``alone``."""
    where = grid._to_cells(at)
    cells = np.round(where).astype(np.int64)
    if np.abs(where - cells).max(initial=0.0) < 0.25:
        # Two of them are off by less than half a step together, so a neighbour would count the same.
        return cells, np.ones(len(cells), bool)
    apart_by = where[None] - where[:, None]
    steps = np.round(apart_by).astype(np.int64)
    beside = (np.abs(steps).sum(axis=2) == 1) & (np.abs(apart_by - steps).max(axis=2) < 0.3)
    neighbours: list[list[tuple[int, tuple[int, int]]]] = [[] for _ in where]
    for (i, other), (right, away) in zip(np.argwhere(beside).tolist(), steps[beside].tolist(), strict=True):
        neighbours[i].append((other, (right, away)))
    counted: dict[int, tuple[int, int]] = {}
    for start in np.argsort(np.abs(where - cells).max(axis=1), kind="stable").tolist():
        if start not in counted:
            counted[start] = (int(cells[start, 0]), int(cells[start, 1]))
            _count_on(start, neighbours, counted)
    cells = np.array([counted[i] for i in range(len(where))], np.int64).reshape(-1, 2)
    return cells, np.abs(where - cells).max(axis=1) < np.where([bool(some) for some in neighbours], _OFF, alone)


def _count_on(
    start: int, neighbours: Sequence[Sequence[tuple[int, tuple[int, int]]]], counted: dict[int, tuple[int, int]]
) -> None:
    """From a tile whose cell is known to all that hang together with it."""
    waiting = [start]
    for here in waiting:
        column, row = counted[here]
        for other, (right, away) in neighbours[here]:
            if other not in counted:
                counted[other] = (column + right, row + away)
                waiting.append(other)


def _untied(grid: Grid, pitch_mm: float) -> Grid:
    return Grid(grid.x_mm, grid.y_mm, grid.angle_deg, pitch_mm)


def _fitted(at: Points, cells: NDArray[np.int64], prior: Grid) -> Grid:
    """Origin, turn and pitch by least squares; the prior stands for four tiles around the middle of those seen."""
    if not len(at):
        return prior
    middle = cells.mean(axis=0)
    ties = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)]) * 2.0 + np.round(middle)
    spots = np.vstack([at, prior._to_table(ties)])
    column, row = np.vstack([cells, ties]).T
    one, none = np.ones(len(spots)), np.zeros(len(spots))
    # x = a column + b row + x0 and y = b column - a row + y0: a turn and one pitch, no shear.
    rows = np.vstack([np.column_stack([column, row, one, none]), np.column_stack([-row, column, none, one])])
    weight = np.tile(np.r_[np.ones(len(at)), np.full(len(ties), 0.5)], 2)
    wanted = np.concatenate([spots[:, 0], spots[:, 1]])
    (a, b, x, y), *_ = np.linalg.lstsq(rows * weight[:, None], wanted * weight, rcond=None)
    return Grid(float(x), float(y), math.degrees(math.atan2(b, a)), math.hypot(a, b))


def _centred(grid: Grid) -> Grid:
    """The same lattice with the cell nearest the middle of the table as its first, upright for the near edge."""
    angle = (grid.angle_deg + 45) % 90 - 45
    upright = Grid(grid.x_mm, grid.y_mm, angle, grid.pitch_mm)
    nearest = np.round(upright._to_cells(np.zeros((1, 2))))
    x, y = upright._to_table(nearest)[0]
    return Grid(float(x), float(y), angle, grid.pitch_mm)
