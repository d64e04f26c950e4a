"""The plane of the table: from camera pixels to the board's millimetres and back, by the markers of a mat or by hand.

A camera above a table is modelled as a homography and two coefficients of lens distortion, fitted together to the
corners of all markers seen. Corner cards are laid by hand, so where each of them lies is fitted too: what is sure of a
card is that its marker is a square of known size.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.mats import CORNERS, Mat, mat_of, meaning
from companion.registry import games
from companion.said import joined, say
from vision.crew import Crew
from vision.frame import Frame, Pixels
from vision.markers import find_markers, read_markers

Points: TypeAlias = NDArray[np.float64]
Lens: TypeAlias = tuple[float, float]
"""How a lens bends: with the square of the distance from the middle, in halves of the longer side, and with the fourth
power of it, by which wide lenses take some of it back at the rim."""
STRAIGHT: Lens = (0.0, 0.0)
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom in millimetres."""

_CARD_SLACK_MM = 25.0
_CARD_SLACK_RAD = 0.15
_BEND_SLACK, _RIM_SLACK = 0.15, 0.06
"""How far a card is laid from where it should be, and how much a lens bends: the spread of what is usual."""
_TAKEN_BACK = 0.2
"""The share of its bend that a usual lens takes back at the rim."""


_SLIGHT = np.array([[1e-2, 1e-2, 1.0], [1e-2, 1e-2, 1.0], [1e-5, 1e-5, 1.0]])
"""A small change of each entry of a homography from millimetres to pixels."""


_STRIPS = 8
"""Into so many a top view is divided for those who make it."""
_ROUNDS, _FURTHEST = 8, 3.0
"""So many times the way back through a lens is tried, and the square of the distance beyond which none is known."""


_ASTRAY_MM = {"mat": 2.5, "cards": 5.0}
"""Markers that were all seen rightly lie nearer than this to where they should, however hard the picture is. Those of a
flat mat are off by 0.4 mm at most, of one whose corner stands up by 10 mm by 1.4 and by 20 mm mostly by less than 2.5;
somebody else's, which happen to have the same numbers, by 4.4."""
_SMALLEST_PX, _FLAT, _BURNT = 240, 30.0, 0.95
"""Pixels of the shorter side, levels from dark to light, and the share that is white throughout: beyond these no
picture of a table can be read. Hard ones have 60 levels, and where the table is white half of them burnt."""
_BEYOND = 0.5
"""So far outside of the picture, in parts of it, a corner may be tapped or be reckoned to lie."""
_COARSEST_PX_PER_MM, _NARROW = 0.2, 0.08
"""Corners that enclose less than this, a tile of six pixels, or so thin a strip, in squares of its longest side, are
those of no board: hard tables have four times as many pixels, and a camera far at the side sees twice as much."""


class NoPlane(ValueError):
    """The plane cannot be found; the message says what to do about it."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


@dataclass(frozen=True, slots=True)
class Rectified:
    """A top view of the table, or of a part of it."""

    pixels: Pixels
    mm_per_pixel: float
    origin_mm: tuple[float, float]
    """The far left corner of the picture on the table."""
    frame: Frame

    def to_mm(self, points_px: Points) -> Points:
        return (np.asarray(points_px, float) + 0.5) * self.mm_per_pixel + self.origin_mm

    def to_pixels(self, points_mm: Points) -> Points:
        return (np.asarray(points_mm, float) - self.origin_mm) / self.mm_per_pixel - 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Where the table lies in the picture."""

    homography: Points
    """From millimetres to the pixels of a lens without distortion."""
    lens: Lens
    size: tuple[int, int]
    """Width and height of the pictures it holds for."""
    residual_mm: float
    """How far the markers' corners lie from where they should be, root mean square."""
    game: str | None = None
    kind: str = "corners"
    seen: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """The markers that were seen, by their numbers, and where in the picture."""

    def to_pixels(self, points_mm: Points) -> Points:
        return _bent(_mapped(self.homography, np.asarray(points_mm, float)), self.lens, self.size)

    def to_mm(self, points_px: Points) -> Points:
        straight = _unbent(np.asarray(points_px, float), self.lens, self.size)
        return _mapped(np.linalg.inv(self.homography), straight)

    @property
    def markers(self) -> dict[int, Points]:
        """The corners of the markers in the picture: of those seen about where they were, as cards are laid by hand."""
        if self.game is None:
            return {}
        corners = {marker.number: np.array(marker.corners_mm) for marker in mat_of(self.game, self.kind).markers}
        as_drawn = {number: self.to_pixels(square) for number, square in corners.items()}
        middles = {number: self.seen.get(number, square.mean(axis=0)) for number, square in as_drawn.items()}
        return {number: square - square.mean(axis=0) + middles[number] for number, square in as_drawn.items()}

    def rectify(self, frame: Frame, box_mm: Box, mm_per_pixel: float, crew: Crew | None = None) -> Rectified:
        """The top view of a part of the table; a crew does it strip by strip."""
        whole, parts = _maps(self.homography.tobytes(), self.lens, self.size, box_mm, mm_per_pixel)
        pixels = np.empty((*whole.shape[:2], 3), np.uint8)

        def fill(rows: slice) -> None:
            cv2.remap(frame.pixels, whole[rows], parts[rows], cv2.INTER_LINEAR, pixels[rows])

        strip = math.ceil(len(whole) / _STRIPS)
        list((crew.map if crew else map)(fill, [slice(top, top + strip) for top in range(0, len(whole), strip)]))
        return Rectified(pixels, mm_per_pixel, box_mm[:2], frame)

    def lifted(self, height_mm: float) -> "Plane":
        """The plane so far above the table: the upper faces of tiles, which a camera at the side sees shifted."""
        centre = np.array([[1, 0, -self.size[0] / 2], [0, 1, -self.size[1] / 2], [0, 0, 1]])
        across, down, _ = (centre @ self.homography).T
        focal = _focal(across, down, max(self.size))
        right, near = across / (focal, focal, 1), down / (focal, focal, 1)
        scale = math.sqrt(np.linalg.norm(right) * np.linalg.norm(near))
        below = np.cross(right, near) / scale
        shifted = self.homography.copy()
        shifted[:, 2] -= height_mm * np.linalg.inv(centre) @ (below * (focal, focal, 1))
        return replace(self, homography=shifted)

    def pixels_per_mm(self) -> float:
        """The scale in the middle of the table."""
        step = self.to_pixels(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return float(np.sqrt(abs(np.cross(np.r_[step[1] - step[0], 0], np.r_[step[2] - step[0], 0])[2])))


def register(pixels: Pixels, game_name: str | None = None) -> Plane:
    """The plane by the mat or cards in the picture, most likely this game's; raises `NoPlane` with what to do."""
    found = find_markers(pixels, game_name)
    by_mat: dict[tuple[str, str], list[int]] = {}
    for number in found:
        if said := meaning(number):
            by_mat.setdefault((said.game, said.kind), []).append(number)
    if not by_mat:
        raise NoPlane(_nothing_seen(pixels))
    (game, kind), numbers = max(by_mat.items(), key=lambda entry: len(entry[1]))
    laid, size = mat_of(game, kind), (pixels.shape[1], pixels.shape[0])
    seen = {number: found[number] for number in numbers}
    while len(seen) >= 3:
        plane = fit_plane(laid, seen, size)
        if plane.residual_mm < _ASTRAY_MM[kind]:
            return plane
        # Something was taken for a marker: without it the others agree best.
        fewer = [{number: seen[number] for number in seen if number != gone} for gone in seen]
        seen = min(fewer, key=lambda some: fit_plane(laid, some, size).residual_mm)
    raise NoPlane(_too_few(laid, list(seen)) if len(numbers) < 4 else _not_so_laid(laid))


def refuse_unfit(pixels: Pixels) -> None:
    """Raise `NoPlane` for a picture from which nothing can be read, whatever it shows."""
    if min(pixels.shape[:2]) < _SMALLEST_PX:
        raise NoPlane(say("the picture is too small to be read: send it as it was taken"))
    # Noise is averaged away: what is left of light and dark in a dark picture is a table under a black cloth.
    coarse = cv2.resize(pixels[::4, ::4], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    blue, green, red = np.moveaxis(coarse, 2, 0)
    dark, middle, light = np.percentile(np.maximum(np.maximum(blue, green), red), (1, 50, 99.5))
    if light - dark < _FLAT and middle < 128:
        raise NoPlane(say("the picture is too dark to be read: turn on a light"))
    if (np.minimum(np.minimum(blue, green), red) > 250).mean() > _BURNT:
        raise too_bright()


def too_bright() -> NoPlane:
    return NoPlane(say("the picture is too bright to be read: dim the lamp or close the curtain"))


def fit_plane(laid: Mat, seen: Mapping[int, Points], size: tuple[int, int]) -> Plane:
    """Fit homography, lens and, for cards, where they lie to the corners seen."""
    markers = [marker for marker in laid.markers if marker.number in seen]
    nominal = [np.array(marker.corners_mm) for marker in markers]
    corners = np.concatenate([seen[marker.number] for marker in markers])
    first, _ = cv2.findHomography(np.concatenate(nominal), corners)
    free = 0 if laid.is_exact else 3 * len(markers)

    def misfit(unknown: Points) -> Points:
        homography, lens, moves = _unpacked(unknown, first)
        placed = np.concatenate([_moved(square, move) for square, move in zip(nominal, moves, strict=False)])
        off = _bent(_mapped(homography, placed), lens, size) - corners
        prior = (moves / [_CARD_SLACK_MM, _CARD_SLACK_MM, _CARD_SLACK_RAD]).ravel()[:free]
        return np.concatenate([off.ravel(), prior, _unlikely(lens)])

    best = _least_squares(misfit, np.zeros(10 + free))
    homography, lens, moves = _unpacked(best, first)
    placed = np.concatenate([_moved(square, move) for square, move in zip(nominal, moves, strict=False)])
    middles = {number: tuple(seen[number].mean(axis=0).tolist()) for number in sorted(seen)}
    plane = Plane(homography, lens, size, 0.0, laid.game, laid.kind, middles)
    off = plane.to_mm(corners) - placed
    return replace(plane, residual_mm=float(np.sqrt((off**2).sum(axis=1).mean())))


def plane_by_corners(
    corners_px: Sequence[tuple[float, float]], area_mm: tuple[float, float], size: tuple[int, int]
) -> Plane:
    """The plane by four corners of the playing area that a person tapped: far left first, then clockwise."""
    width, height = area_mm
    corners_mm = np.array([(-width, -height), (width, -height), (width, height), (-width, height)], np.float32) / 2
    tapped = np.array(corners_px, np.float32)
    if tapped.shape != (4, 2) or not cv2.isContourConvex(tapped.reshape(-1, 1, 2)):
        raise NoPlane(say("the four corners do not enclose a table: tap far left, far right, near right, near left"))
    _refuse_beyond(tapped, size)
    _refuse_slight(tapped, area_mm)
    homography = cv2.getPerspectiveTransform(corners_mm, tapped)
    return Plane(np.asarray(homography, float), STRAIGHT, size, 0.0)


def _refuse_beyond(tapped: NDArray[np.float32], size: tuple[int, int]) -> None:
    """Corners may lie a little outside of the picture, where a part of the table is cut off."""
    beyond = np.maximum(-tapped, tapped - size) / size
    if not (beyond <= _BEYOND).all():
        raise NoPlane(say("the corners lie far outside of the picture: tap them in it, or give them in its pixels"))


def _refuse_slight(tapped: NDArray[np.float32], area_mm: tuple[float, float]) -> None:
    enclosed = cv2.contourArea(tapped)
    longest = np.linalg.norm(tapped - np.roll(tapped, 1, axis=0), axis=1).max()
    if not enclosed > max(_COARSEST_PX_PER_MM**2 * math.prod(area_mm), _NARROW * longest**2):
        raise NoPlane(say("the four corners enclose next to nothing: tap those of the whole board, or go nearer to it"))


def still_holds(plane: Plane, pixels: Pixels, tolerance_px: float = 3.0) -> bool | None:
    """Whether the markers are where the plane has them; ``None`` when none can be seen, so nothing can be said."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    offsets = []
    for number, expected in plane.markers.items():
        reach = np.linalg.norm(expected[0] - expected[2])
        left, top = np.floor(expected.min(axis=0) - reach).astype(int).clip(0)
        right, bottom = np.ceil(expected.max(axis=0) + reach).astype(int)
        seen = read_markers(grey[top:bottom, left:right]) if right > 0 and bottom > 0 else {}
        if number in seen:
            offsets.append(np.abs((seen[number] + (left, top) - expected).mean(axis=0)).max())
    return bool(np.median(offsets) <= tolerance_px) if offsets else None


_SHARP = 5.0
"""Below this a picture has no edges in some direction; hard ones have three times as much."""


def _nothing_seen(pixels: Pixels) -> str:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    bright = float(np.median(grey))
    small = cv2.resize(grey, (640, 480)).astype(float)
    # A shaken camera blurs in one direction only.
    sharp = min(np.diff(small, 2, axis).var() for axis in (0, 1))
    if bright < 25:
        return say("the picture is too dark to see a marker: turn on a light")
    if bright > 240:
        return say("the picture is too bright to see a marker: dim the lamp or close the curtain")
    if sharp < _SHARP:
        return say("the picture is too blurred to see a marker: focus the camera and hold it still")
    return say(
        "no marker of a mat or corner card is in the picture: put the mat under the camera, or tap the four corners"
    )


def _too_few(laid: Mat, numbers: Sequence[int]) -> str:
    hidden = [CORNERS[i] for i, marker in enumerate(laid.markers) if marker.number not in numbers]
    few = say(
        "only one of four corner markers is visible"
        if len(numbers) == 1
        else "only two of four corner markers are visible"
    )
    return say(
        "{few}: uncover the {corners} one, or move the camera until all are in the picture",
        few=few,
        corners=joined(hidden, "{some} and the {more}"),
    )


def _not_so_laid(laid: Mat) -> str:
    return say(
        "the markers do not lie as those of {game}: lay its mat flat, or its cards at the corners of the table",
        game=games()[laid.game].title,
    )


def _unpacked(unknown: Points, first: Points) -> tuple[Points, Lens, Points]:
    """The unknowns as homography, lens and the moves of cards (none for a mat)."""
    change = np.concatenate([unknown[:8], [0.0]]).reshape(3, 3)
    scale = np.abs(first) + _SLIGHT
    moves = unknown[10:].reshape(-1, 3) if len(unknown) > 10 else np.zeros((4, 3))
    return first + change * scale, (float(unknown[8]), float(unknown[9])), moves


def _unlikely(lens: Lens) -> Points:
    """How unusual a lens is."""
    bend, rim = lens
    return np.array([bend / _BEND_SLACK, (rim + _TAKEN_BACK * bend) / _RIM_SLACK])


def _moved(square: Points, move: Points) -> Points:
    middle = square.mean(axis=0)
    turn = np.array([[np.cos(move[2]), -np.sin(move[2])], [np.sin(move[2]), np.cos(move[2])]])
    return (square - middle) @ turn.T + middle + move[:2]


def _least_squares(misfit: Callable[[Points], Points], start: Points, rounds: int = 25) -> Points:
    """Levenberg and Marquardt's method with numeric derivatives; the unknowns are few and about one in size."""
    best, damping = start, 1e-3
    off = misfit(best)
    for _ in range(rounds):
        slope = np.stack([(misfit(best + step) - off) / 1e-6 for step in np.eye(len(best)) * 1e-6], axis=1)
        normal, toward = slope.T @ slope, slope.T @ off
        tried = best - np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), toward)
        new = misfit(tried)
        gain = off @ off - new @ new
        if gain > 0:
            best, off, damping = tried, new, damping / 5
            if gain < 1e-9 * (off @ off):
                break
        else:
            damping *= 10
    return best


_FOCAL = 0.8
"""Of the picture's width: a lens that sees 64 degrees, as most cameras for a table do."""


def _focal(across: Points, down: Points, width: int) -> float:
    """The focal length in pixels that makes both axes of the table as long as each other and square to each other.

    Seen from straight above a table says nothing about it, so a usual lens is taken for likely.
    """
    long = math.sqrt(np.linalg.norm(across[:2]) * np.linalg.norm(down[:2]))
    (ax, ay, az), (bx, by, bz) = (axis / long * (1, 1, width) for axis in (across, down))
    rows = np.array([az * bz, az**2 - bz**2])
    wanted = np.array([-(ax * bx + ay * by), bx**2 + by**2 - ax**2 - ay**2])
    trust = 0.02**2
    square = (rows @ wanted + trust * _FOCAL**2) / (rows @ rows + trust)
    return width * math.sqrt(min(max(square, 0.4**2), 1.8**2))


def _mapped(homography: Points, points: Points) -> Points:
    spread = points @ homography[:, :2].T + homography[:, 2]
    return spread[:, :2] / spread[:, 2:]


def _bent(points: Points, lens: Lens, size: tuple[int, int]) -> Points:
    middle = np.array(size) / 2
    return middle + (points - middle) * _stretch(points - middle, lens, size)


def _unbent(points: Points, lens: Lens, size: tuple[int, int]) -> Points:
    middle = np.array(size) / 2
    straight = points
    for _ in range(_ROUNDS):
        straight = middle + (points - middle) / _stretch(straight - middle, lens, size)
    return straight


def _stretch(off: Points, lens: Lens, size: tuple[int, int]) -> Points:
    """By how much the lens moves points away from the middle; beyond any picture as at its rim."""
    square = np.minimum(((off / (max(size) / 2)) ** 2).sum(axis=1, keepdims=True), _FURTHEST)
    return 1 + lens[0] * square + lens[1] * square**2


_STEP = 16
"""Maps are worked out at every so many pixels and drawn out between; the error stays below a tenth of a pixel."""


@lru_cache(maxsize=8)
def _maps(
    homography: bytes, lens: Lens, size: tuple[int, int], box_mm: Box, mm_per_pixel: float
) -> tuple[Pixels, Pixels]:
    """By the numbers of a plane, not by the plane: every frame of a camera that stays put has one of its own."""
    left, top, right, bottom = box_mm
    wide, high = (math.ceil((far - near) / mm_per_pixel) for near, far in ((left, right), (top, bottom)))
    # One node more on each side, so that nothing has to be guessed beyond the last one.
    columns, rows = (np.arange(-1, many // _STEP + 2) * _STEP + _STEP / 2 for many in (wide, high))
    grid = np.stack(np.meshgrid(left + columns * mm_per_pixel, top + rows * mm_per_pixel), axis=-1)
    plane = Plane(np.frombuffer(homography).reshape(3, 3), lens, size, 0.0)
    nodes = plane.to_pixels(grid.reshape(-1, 2)).reshape(len(rows), len(columns), 2).astype(np.float32)
    drawn = cv2.resize(nodes, (len(columns) * _STEP, len(rows) * _STEP), interpolation=cv2.INTER_LINEAR)
    pixels = drawn[_STEP : _STEP + high, _STEP : _STEP + wide]
    return cv2.convertMaps(np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1]), cv2.CV_16SC2)
