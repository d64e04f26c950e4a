"""The plane by what is printed on the board itself: found without any marker, and made finer where it is known roughly.

A board's drawing is compared with the picture along short lines across its printed edges: each says how far the print
lies beside where the plane has it. Tiles and hands hide many of these; the fit leaves out what does not agree.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art import Drawing
from companion.board import Board
from companion.mats import Marker, mat_of, moved, stroke_shapes
from companion.registry import games
from vision.frame import Frame, Pixels
from vision.markers import find_markers
from vision.plane import NoPlane, Plane, Points, plane_by_corners
from vision.raster import raster

_STEP_MM = 0.5
"""How finely the picture is looked at across an edge."""
_ACROSS_MM = 4.0
"""How far to each side of an edge the drawing is compared."""
_PROBES = 260
_FIELDS, _BESIDE_LINE_MM = 3000, 3.0
"""At how many points colours are compared, and how far from lines."""
_REACHES_MM = ((12.0, 3), (6.0, 2), (2.5, 1), (1.5, 1))
"""How far beside its place print is looked for: widely at first and by every third probe, then closer by all."""
_CLEAR = 0.6
"""Print that correlates less with the drawing than this is not what was looked for."""
_NOISE = 3.0
"""Grey levels of spread that mean nothing."""
_PX_PER_MM = 2.0
"""How finely the board is drawn to compare with."""
_LOOKED_PX, _FRAMED = 640, 0.6
"""How large the picture is in which outlines are looked for, and how much a shape and its frame must share."""
_BESIDE_MM = 12.0
"""How far off the next try begins where the print does not fit well: cards are laid by hand."""
_RATHER_BESIDE = 0.1
"""By so much the print must fit better there: markers are mostly right about which line is which."""
_AS_GOOD = 0.02
"""By less than this print and colours do not tell one way up from another. On 66 hard tables of Paiko print alone was
for a wrong one 25 times, both together never."""
_SURE, _CERTAIN, _GAIN, _SAME = 0.5, 0.7, 0.01, 0.1
"""How well print and drawing must correlate on the whole for a board to be there, to look no further, and
for a change to be one; how little a turned drawing may differ, in parts of its contrast, to look the same."""
_SEEN, _SEEN_EACH_WAY, _IN_PLACE = 0.58, 0.52, 0.77
"""How well they must correlate where nobody said that a board is there: on the whole, and in each direction that its
lines have; and how much of what is clearly print must lie in its place. Of 275 fits that were right the worst had 0.60,
0.54 and 0.82, but for one of 0.49; of 590 others, on wrong boards, tables and cut pictures, none had all three."""
_PLAY_MM = 1.0
"""What paper gives."""
_MARKED_MM = {"mat": 15.0, "cards": 60.0}
"""So near to where a plane has it a marker is seen: a mat's corner may stand up, and cards are laid by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class _Probes:
    """Short lines across the printed edges of a board: middles, directions, and how dark the drawing is along them."""

    at_mm: Points
    across: Points
    drawn: NDArray[np.float32]

    def every(self, nth: int) -> "_Probes":
        return _Probes(self.at_mm[::nth], self.across[::nth], self.drawn[::nth])


@dataclass(frozen=True, slots=True, eq=False)
class _Fields:
    """Points of a board away from all lines: where, and how light and how yellow it is drawn there."""

    at_mm: Points
    drawn: Points


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """What is printed on a board, as it is compared with pictures."""

    probes: _Probes
    fields: _Fields
    ways_up: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    plane: Plane
    score: float


def refined(plane: Plane, frame: Frame, board: Board) -> Plane:
    """The plane moved so that the board's print lies where the picture has it; the same one where nothing is gained."""
    if not board.strokes:
        return plane
    grey = cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2GRAY)
    probes = _print_of(board).probes
    before, fit = _score(plane, grey, probes), _fitted(plane, grey, probes)
    if before + _GAIN < fit.score < _SURE:
        # Cards laid far off leave the print at the end of the reach: nearer, but not there yet.
        fit = _fitted(fit.plane, grey, probes)
    if fit.score < _CERTAIN:
        # A line may have been taken for its neighbour.
        steps = ((_BESIDE_MM, 0), (-_BESIDE_MM, 0), (0, _BESIDE_MM), (0, -_BESIDE_MM))
        beside = max((_fitted(_shifted(plane, *step), grey, probes) for step in steps), key=lambda one: one.score)
        fit = beside if beside.score > fit.score + _RATHER_BESIDE else fit
    return fit.plane if fit.score > max(_SURE, before + _GAIN) else plane


def plane_by_outline(pixels: Pixels, board: Board) -> Plane:
    """The plane by the board's outline and print alone; raises `NoPlane` with what to do.

    Which way is up is told by markers, print and colours. Where it looks alike from several sides (`ways_up`), or
    nearly so in this picture, the side that is lowest in it is taken for the near one.
    """
    if not board.strokes:
        raise NoPlane("this game has no printed board to find: use its mat or corner cards, or tap the four corners")
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    best = _best_fit(pixels, grey, board)
    marked = _as_marked(_turns_of(best, grey, board), pixels, board) if best is not None else []
    if not marked:
        raise NoPlane(
            "the board's outline is not to be seen: move the camera until the whole board is in the picture, "
            "or tap its four corners"
        )
    return _nearest_upright(_as_coloured(marked, pixels, board), board)


def ways_up(board: Board) -> tuple[int, ...]:
    """The quarter turns after which the print looks the same: any but the first leaves a choice to the players."""
    return _print_of(board).ways_up


def turned_like(plane: Plane, before: Plane, board: Board) -> Plane:
    """The plane, turned so that a board which looks alike from several sides lies as it did before."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(board.size_mm) / 2
    there = before.to_pixels(corners)
    ways = [_turned(plane, turn) for turn in ways_up(board)]
    return min(ways, key=lambda way: float(np.linalg.norm(way.to_pixels(corners) - there, axis=1).sum()))


def _best_fit(pixels: Pixels, grey: Pixels, board: Board) -> _Fit | None:
    """The best of those that are surely this board."""
    best: _Fit | None = None
    probes, size = _print_of(board).probes, (pixels.shape[1], pixels.shape[0])
    for corners in _quads(pixels):
        for plane in _each_way_up(corners, board, size):
            fit = _fitted(plane, grey, probes)
            if (best is None or fit.score > best.score) and _is_this_board(fit, grey, probes):
                best = fit
        if best is not None and best.score > _CERTAIN:
            break
    return best


def _turns_of(best: _Fit, grey: Pixels, board: Board) -> list[_Fit]:
    """The best one in every way up that a board of this shape may lie."""
    turns = (0, 1, 2, 3) if board.size_mm[0] == board.size_mm[1] else (0, 2)
    return [_fit_turned(best, turn, grey, board) for turn in turns]


def _fit_turned(best: _Fit, turn: int, grey: Pixels, board: Board) -> _Fit:
    turned = _turned(best.plane, turn)
    # Where the print looks the same it fits as well: fitted once more it may be a little better or worse.
    return _Fit(turned, best.score) if turn in ways_up(board) else _fitted(turned, grey, _print_of(board).probes)


def _as_coloured(fits: Sequence[_Fit], pixels: Pixels, board: Board) -> list[Plane]:
    """Those that go with print and colours about as well as the best of them does."""
    goes = [fit.score + _coloured(fit.plane, pixels, _print_of(board).fields) for fit in fits]
    return [fit.plane for fit, well in zip(fits, goes, strict=True) if well > max(goes) - _AS_GOOD]


def _coloured(plane: Plane, pixels: Pixels, fields: _Fields) -> float:
    """How well the colours of a board correlate with those in the picture; nothing for one in black and white.

    How red a board is says little: it is what lamps change most.
    """
    where = plane.to_pixels(fields.at_mm).astype(np.float32)[:, None]
    seen = cv2.remap(pixels, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(seen, cv2.COLOR_BGR2LAB)[:, 0, ::2].astype(float)
    return sum(_correlation(*both) for both in zip(lab.T, fields.drawn.T, strict=True)) / 2


def _correlation(seen: Points, drawn: Points) -> float:
    # Glare and deep shadow are as light as paper gets, and as dark as print does.
    least, most = np.percentile(seen, (5, 95))
    seen, drawn = (part - part.mean() for part in (seen.clip(least, most), drawn))
    return float(seen @ drawn / max(np.linalg.norm(seen) * np.linalg.norm(drawn), 1e-6))


def _each_way_up(corners: Points, board: Board, size: tuple[int, int]) -> Iterator[Plane]:
    """The planes of a board that lies with its corners there; none where they can be those of no board."""
    with suppress(NoPlane):
        for turn in range(4 // len(ways_up(board))):
            yield plane_by_corners(np.roll(corners, turn, axis=0), board.size_mm, size)


def _is_this_board(fit: _Fit, grey: Pixels, probes: _Probes) -> bool:
    """Whether its print is seen: on the whole, in each of its directions, and hardly any of it beside its place.

    Other boards and the grain of wood have lines too, but not in all directions, and where they are not looked for.
    """
    if fit.score < _SEEN:
        return False
    _, alike = _aside(fit.plane, grey, probes, _PLAY_MM)
    each_way = [alike[lines].clip(0).mean() for lines in _by_direction(probes)]
    aside, around = _aside(fit.plane, grey, probes, _ACROSS_MM)
    in_place = np.abs(aside[around > _CERTAIN]) <= 1.5 * _PLAY_MM
    return min(each_way, default=fit.score) >= _SEEN_EACH_WAY and in_place.sum() >= _IN_PLACE * in_place.size


def _by_direction(probes: _Probes) -> list[NDArray[np.bool_]]:
    """Those across lines that run right, down and aslant, as far as a board has a dozen of them."""
    eighths = np.round(np.arctan2(*probes.across.T) / (math.pi / 4)) % 4
    return [lines for lines in (eighths == eighth for eighth in range(4)) if lines.sum() >= 12]


def _as_marked(fits: Sequence[_Fit], pixels: Pixels, board: Board) -> list[_Fit]:
    """Those that agree with every marker of this board's mat or cards that is to be seen."""
    game = next((game.name for game in games().values() if game.board is board), None)
    if game is None:
        return list(fits)
    found = find_markers(pixels)
    for kind, near_mm in _MARKED_MM.items():
        for marker in mat_of(game, kind).markers:
            if (quad := found.get(marker.number)) is not None:
                fits = [fit for fit in fits if _off_mm(fit.plane, quad, marker) < near_mm]
    return list(fits)


def _off_mm(plane: Plane, quad: Points, marker: Marker) -> float:
    """How far a marker is from where it should be."""
    x, y = plane.to_mm(quad).mean(axis=0)
    return math.hypot(x - marker.x_mm, y - marker.y_mm)


def _nearest_upright(planes: Sequence[Plane], board: Board) -> Plane:
    """Of planes that the print cannot tell apart, the one whose near side is lowest in the picture."""
    edges = np.array([(0.0, -1.0), (0.0, 1.0)]) * board.size_mm[1] / 4

    def lowness(plane: Plane) -> float:
        far, near = plane.to_pixels(edges)
        return float((near - far)[1] / np.linalg.norm(near - far))

    return max(planes, key=lowness)


def _turned(plane: Plane, quarters: int) -> Plane:
    """The same place in the picture for a board that is laid with so many quarter turns."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters]
    return replace(plane, homography=plane.homography @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]]))


def _shifted(plane: Plane, right_mm: float, down_mm: float) -> Plane:
    return replace(plane, homography=plane.homography @ np.array([[1, 0, right_mm], [0, 1, down_mm], [0, 0, 1.0]]))


def _fitted(plane: Plane, grey: Pixels, probes: _Probes) -> _Fit:
    """Plane and lens, moved step by step to where the print is."""
    for reach, some in _REACHES_MM:
        fewer = probes.every(some)
        aside, alike = _aside(plane, grey, fewer, reach)
        plane = _moved(plane, fewer, aside, alike > _CLEAR, reach)
    return _Fit(plane, _score(plane, grey, probes))


def _score(plane: Plane, grey: Pixels, probes: _Probes) -> float:
    """How well drawing and picture correlate where the plane has them, with the play that paper has."""
    _, alike = _aside(plane, grey, probes, _PLAY_MM)
    return float(alike.clip(0).mean())


def _aside(plane: Plane, grey: Pixels, probes: _Probes, reach_mm: float) -> tuple[Points, Points]:
    """For each probe how far beside its place the print lies, and how well it then correlates with the drawing."""
    half = _ACROSS_MM + reach_mm
    steps = np.arange(-half, half + 1e-6, _STEP_MM)
    points = probes.at_mm[:, None] + probes.across[:, None] * steps[None, :, None]
    where = plane.to_pixels(points.reshape(-1, 2)).reshape(*points.shape).astype(np.float32)
    seen = cv2.remap(grey, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    width = probes.drawn.shape[1]
    windows = np.lib.stride_tricks.sliding_window_view(seen, width, axis=1)
    dots = np.matmul(windows, probes.drawn[:, :, None])[..., 0]
    mean, square = (cv2.boxFilter(part, -1, (width, 1))[:, width // 2 : -(width // 2)] for part in (seen, seen**2))
    # A profile that is only noise correlates by chance; some grey levels of spread are asked for.
    alike = dots / (width * np.sqrt(np.maximum(square - mean**2, _NOISE**2)))
    best = alike.argmax(axis=1)
    return (best - (alike.shape[1] - 1) / 2) * _STEP_MM, alike[np.arange(len(best)), best]


def _moved(plane: Plane, probes: _Probes, aside: Points, clear: NDArray[np.bool_], reach_mm: float) -> Plane:
    """The plane that puts the probes where their print was seen, as far as they agree."""
    if clear.sum() < 12:
        return plane
    ways = _ways(plane, probes)
    slack = np.array([20.0, 20, 20, 20, 20, 20, 8, 8, 0.1])
    change = np.zeros(9)
    off = aside
    for spread in (reach_mm, reach_mm / 2, reach_mm / 4, reach_mm / 4):
        weight = clear * np.maximum(0, 1 - (off / (2 * spread)) ** 2)
        rows = np.vstack([ways * weight[:, None], np.diag(0.5 / slack)])
        change = np.linalg.lstsq(rows, np.r_[aside * weight, np.zeros(9)], rcond=None)[0]
        off = aside - ways @ change
    agree = clear & (np.abs(off) < reach_mm / 2)
    residual = float(np.sqrt((off[agree] ** 2).mean())) if agree.any() else plane.residual_mm
    return replace(
        plane,
        homography=plane.homography @ _slight(change[:8], _half(probes)),
        lens=(float(np.clip(plane.lens[0] + change[8], -0.3, 0.3)), plane.lens[1]),
        residual_mm=residual,
    )


def _half(probes: _Probes) -> float:
    return float(np.abs(probes.at_mm).max())


def _ways(plane: Plane, probes: _Probes) -> Points:
    """How far each probe moves across its edge for a change of each unknown: eight of a homography, one of the lens."""
    half = _half(probes)
    x, y = (probes.at_mm / half).T
    one, none = np.ones(len(x)), np.zeros(len(x))
    right = np.stack([x, y, one, none, none, none, -x * x, -x * y], axis=1)
    down = np.stack([none, none, none, x, y, one, -x * y, -y * y], axis=1)
    bent = replace(plane, lens=(plane.lens[0] + 1e-3, plane.lens[1]))
    lens = (plane.to_mm(bent.to_pixels(probes.at_mm)) - probes.at_mm) / 1e-3
    moves = np.stack([np.c_[right, lens[:, 0]], np.c_[down, lens[:, 1]]])
    return np.einsum("dnk,nd->nk", moves, probes.across)


def _slight(change: Points, half: float) -> Points:
    """The homography on the table, in millimetres, that a change of the eight unknowns stands for."""
    scale = np.diag([1 / half, 1 / half, 1.0])
    step = np.array([[*change[0:2], change[2]], [*change[3:5], change[5]], [*change[6:8], 0.0]]) / half
    return np.linalg.inv(scale) @ (np.eye(3) + step) @ scale


_known: dict[int, tuple[Board, _Print]] = {}
"""What is printed on each board, with the board, since another may come to lie at the same number."""


def _print_of(board: Board) -> _Print:
    if id(board) not in _known or _known[id(board)][0] is not board:
        drawn = _drawn(board)
        grey = cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY)
        _known[id(board)] = (board, _Print(_make_probes(board, grey), _make_fields(board, drawn), _ways_up(grey)))
    return _known[id(board)][1]


def _ways_up(grey: Pixels) -> tuple[int, ...]:
    drawn = cv2.GaussianBlur(grey, (0, 0), 2 * _PX_PER_MM).astype(float)
    turns = (0, 1, 2, 3) if drawn.shape[0] == drawn.shape[1] else (0, 2)
    return tuple(turn for turn in turns if np.abs(drawn - np.rot90(drawn, turn)).max() < _SAME * np.ptp(drawn))


def _make_probes(board: Board, grey: Pixels) -> _Probes:
    """Probes spread evenly over all printed edges."""
    soft = cv2.GaussianBlur(grey, (0, 0), 0.5 * _PX_PER_MM)
    right, down = (cv2.Sobel(soft.astype(np.float32), cv2.CV_32F, x, 1 - x) for x in (1, 0))
    rows, columns = np.nonzero(cv2.Canny(soft, 20, 50))
    inside = (np.hypot(right, down)[rows, columns] > 1) & _within(rows, columns, grey.shape)
    rows, columns = rows[inside], columns[inside]
    order = np.random.default_rng(0).permutation(len(rows))
    area = board.size_mm[0] * board.size_mm[1]
    cells = np.c_[columns, rows] // max(1, int(_PX_PER_MM * math.sqrt(area / _PROBES) / 2))
    _, first = np.unique(cells[order], axis=0, return_index=True)
    chosen = order[np.sort(first)][:_PROBES]
    rows, columns = rows[chosen], columns[chosen]
    across = np.c_[right[rows, columns], down[rows, columns]].astype(float)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    at_px = np.c_[columns, rows].astype(float)
    steps = np.arange(-_ACROSS_MM, _ACROSS_MM + 1e-6, _STEP_MM) * _PX_PER_MM
    where = (at_px[:, None] + across[:, None] * steps[None, :, None]).astype(np.float32)
    drawn = cv2.remap(soft, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    drawn -= drawn.mean(axis=1, keepdims=True)
    drawn /= np.maximum(drawn.std(axis=1, keepdims=True), 1e-3)
    at_mm = (at_px + 0.5) / _PX_PER_MM - np.array(board.size_mm) / 2
    return _Probes(at_mm, across, drawn)


def _make_fields(board: Board, drawn: Pixels) -> _Fields:
    """Points all over the board, a little away from its lines."""
    beside = np.ones((round(_BESIDE_LINE_MM * _PX_PER_MM) * 2 + 1,) * 2, np.uint8)
    lines = cv2.dilate(cv2.Canny(cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY), 20, 50), beside)
    rows, columns = np.random.default_rng(0).permutation(np.argwhere(lines == 0))[:_FIELDS].T
    at_mm = (np.c_[columns, rows] + 0.5) / _PX_PER_MM - np.array(board.size_mm) / 2
    return _Fields(at_mm, cv2.cvtColor(drawn, cv2.COLOR_BGR2LAB)[rows, columns, ::2].astype(float))


def _within(rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    rim = int(_ACROSS_MM * _PX_PER_MM / 2)
    return (rows > rim) & (columns > rim) & (rows < shape[0] - rim) & (columns < shape[1] - rim)


def _drawn(board: Board) -> Pixels:
    width, height = board.size_mm
    shapes = tuple(moved(shape, width / 2, height / 2) for shape in stroke_shapes(board))
    return raster(Drawing(width, height, shapes), _PX_PER_MM)


def _quads(pixels: Pixels) -> Iterator[Points]:
    """Large four-sided shapes in the picture, the far left corner first, then clockwise; likely ones first."""
    scale = _LOOKED_PX / max(pixels.shape[:2])
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found: list[Points] = []
    for mask in _masks(small):
        for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            corners = _four_corners(outline, small.shape[0] * small.shape[1])
            if corners is not None and all(np.abs(corners - other).max() > 6 for other in found):
                found.append(corners)
                yield (corners + 0.5) / scale - 0.5


def _masks(small: Pixels) -> Iterator[Pixels]:
    """What may be the board against the table: unlike the rim of the picture, or on one side of a threshold."""
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB)
    rim = np.concatenate([lab[:6].reshape(-1, 3), lab[-6:].reshape(-1, 3), *(lab[:, x] for x in (0, 5, -5, -1))])
    unlike = np.sqrt((((lab - np.median(rim, axis=0)) / (rim.std(axis=0) + 4)) ** 2).sum(axis=2))
    kernel = np.ones((7, 7), np.uint8)
    for channel in (np.clip(unlike * 20, 0, 255).astype(np.uint8), *cv2.split(lab)):
        middle, _ = cv2.threshold(channel, 0, 255, cv2.THRESH_OTSU)
        upper, _ = cv2.threshold(channel[channel > middle].reshape(1, -1), 0, 255, cv2.THRESH_OTSU)
        lower, _ = cv2.threshold(channel[channel <= middle].reshape(1, -1), 0, 255, cv2.THRESH_OTSU)
        for level in (middle, upper, lower):
            for kind in (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV):
                mask = cv2.threshold(channel, level, 255, kind)[1]
                # Print is closed over first, then thin bridges to what lies beside the board are cut.
                closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
                yield cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)


def _four_corners(outline: Pixels, picture_area: float) -> Points | None:
    """The four straight sides that frame a shape best, crossed; a hand on its rim only hides a part of them."""
    area = cv2.contourArea(outline)
    if not 0.05 * picture_area < area < 0.95 * picture_area:
        return None
    best, most = None, _FRAMED
    sides = _sides(outline)
    crossings = _crossings(sides)
    for four in combinations(range(len(sides)), 4):
        corners = _framed(crossings, four)
        if corners is None or not 0.6 * area < cv2.contourArea(corners) < 1.7 * area:
            continue
        shared = _overlap(outline, corners)
        if shared > most:
            best, most = corners, shared
    return None if best is None else best.astype(float)


def _sides(outline: Pixels) -> list[Points]:
    """The longest straight parts of an outline, each as a line through two points, in the order of their directions.

    Parts of one line count once.
    """
    bends = cv2.approxPolyDP(outline, 3.0, True).reshape(-1, 2).astype(float)
    parts = [np.stack([start, end]) for start, end in zip(bends, np.roll(bends, -1, axis=0), strict=True)]
    parts.sort(key=lambda part: -float(np.linalg.norm(part[1] - part[0])))
    sides: list[Points] = []
    for part in parts[:14]:
        if not any(_on_line(part, side) for side in sides):
            sides.append(part)
    return sorted(sides[:8], key=lambda side: math.atan2(*(side[1] - side[0])[::-1]))


def _on_line(part: Points, side: Points) -> bool:
    along = (side[1] - side[0]) / np.linalg.norm(side[1] - side[0])
    return bool(np.abs((part - side[0]) @ (-along[1], along[0])).max() < 6)


def _crossings(sides: Sequence[Points]) -> Points:
    """Where each side meets each other one; not a number where they run side by side."""
    ends = np.array(sides).reshape(-1, 2, 2)
    lines = np.cross(*(np.c_[ends[:, i], np.ones(len(ends))] for i in (0, 1)))
    meet = np.cross(lines[:, None], lines[None])
    parallel = np.abs(meet[..., 2:]) < 1e-6
    return np.where(parallel, np.nan, meet[..., :2] / np.where(parallel, 1.0, meet[..., 2:]))


def _framed(crossings: Points, four: tuple[int, ...]) -> NDArray[np.float32] | None:
    """The convex shape that four sides make."""
    points = crossings[four, four[1:] + four[:1]].astype(np.float32)
    if np.isnan(points).any() or not cv2.isContourConvex(points.reshape(-1, 1, 2)):
        return None
    return _upright(points)


def _overlap(outline: Pixels, corners: NDArray[np.float32]) -> float:
    """How much of both a shape and the frame around it share."""
    hull = cv2.convexHull(outline).astype(np.float32)
    both, _ = cv2.intersectConvexConvex(hull, corners)
    return float(both / (cv2.contourArea(hull) + cv2.contourArea(corners) - both))


def _upright(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Clockwise from the far left."""
    middle = corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
    return np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0)
