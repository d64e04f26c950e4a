"""The plane of the table: from camera pixels to the board's millimetres and back, by the markers of a mat or by hand.

A camera above a table is modelled as a homography and one coefficient of lens distortion, fitted together to the
corners of all markers seen. Corner cards are laid by hand, so where each of them lies is fitted too: what is sure of a
card is that its marker is a square of known size.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.mats import CORNERS, KINDS, Mat, marker_bits, mat_of, meaning
from companion.registry import games
from companion.said import joined, say
from vision.frame import Frame, Pixels

Points: TypeAlias = NDArray[np.float64]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom in millimetres."""

_CARD_SLACK_MM = 25.0
_CARD_SLACK_RAD = 0.15
_BEND_SLACK = 0.15
"""How far a card is laid from where it should be, and how much a lens bends: the spread of what is usual."""


_SLIGHT = np.array([[1e-2, 1e-2, 1.0], [1e-2, 1e-2, 1.0], [1e-5, 1e-5, 1.0]])
"""A small change of each entry of a homography from millimetres to pixels."""


_STRIPS = 8
"""Into so many a top view is divided for those who make it."""


_ASTRAY_MM = 5.0
"""Markers that were all seen rightly lie nearer than this to where they should, however hard the picture is."""
_SMALLEST_PX, _FLAT, _BURNT = 240, 30.0, 0.45
"""Pixels of the shorter side, levels from dark to light, and the share that is white throughout: beyond these no
picture of a table can be read. Hard ones have 60 levels, and up to a third of them burnt."""


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
    bend: float
    size: tuple[int, int]
    """Width and height of the pictures it holds for."""
    residual_mm: float
    """How far the markers' corners lie from where they should be, root mean square."""
    game: str | None = None
    kind: str = "corners"
    seen: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """The markers that were seen, by their numbers, and where in the picture."""

    def to_pixels(self, points_mm: Points) -> Points:
        return _bent(_mapped(self.homography, np.asarray(points_mm, float)), self.bend, self.size)

    def to_mm(self, points_px: Points) -> Points:
        straight = _unbent(np.asarray(points_px, float), self.bend, self.size)
        return _mapped(np.linalg.inv(self.homography), straight)

    def rectify(self, frame: Frame, box_mm: Box, mm_per_pixel: float, crew: Executor | None = None) -> Rectified:
        """The top view of a part of the table; a crew does it strip by strip."""
        whole, parts = _maps(self.homography.tobytes(), self.bend, self.size, box_mm, mm_per_pixel)
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


def find_markers(pixels: Pixels, game: str | None = None) -> dict[int, Points]:
    """The corners of every marker by its number, to a part of a pixel.

    Small or faint ones get a closer look; one too blurred to be read by itself is known by its likeness to a marker
    that should be there, given the game or the other markers of the same mat.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    found, _ = _detect(grey, 1.0)
    if _whole_mats(found):
        return found
    closer, squares = _detect(grey, 2.0)
    found = {**closer, **found}
    if _whole_mats(found):
        return found
    _, softer = _detect(cv2.GaussianBlur(grey, (0, 0), _SOFT_PX), 2.0)
    squares = [*squares, *softer]
    found = {**_likenesses(grey, squares, _missing(found, game), found, _ALIKE), **found}
    for number in _missing(found, game):
        found = {**_likenesses(grey, _near(squares, number, found), [number], found, _RATHER_ALIKE), **found}
    return {**_expected(grey, found), **found}


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
        if plane.residual_mm < _ASTRAY_MM:
            return plane
        # Something was taken for a marker: without it the others agree best.
        fewer = [{number: seen[number] for number in seen if number != gone} for gone in seen]
        seen = min(fewer, key=lambda some: fit_plane(laid, some, size).residual_mm)
    raise NoPlane(_too_few(laid, list(seen)))


def refuse_unfit(pixels: Pixels) -> None:
    """Raise `NoPlane` for a picture from which nothing can be read, whatever it shows."""
    if min(pixels.shape[:2]) < _SMALLEST_PX:
        raise NoPlane(say("the picture is too small to be read: send it as it was taken"))
    few = np.ascontiguousarray(pixels[::16, ::16])
    dark, middle, light = np.percentile(few.max(axis=2), (1, 50, 99))
    if light - dark < _FLAT and middle < 128:
        raise NoPlane(say("the picture is too dark to be read: turn on a light"))
    if (few.min(axis=2) > 250).mean() > _BURNT:
        raise NoPlane(say("the picture is too bright to be read: dim the lamp or close the curtain"))


def fit_plane(laid: Mat, seen: Mapping[int, Points], size: tuple[int, int]) -> Plane:
    """Fit homography, lens and, for cards, where they lie to the corners seen."""
    markers = [marker for marker in laid.markers if marker.number in seen]
    nominal = [np.array(marker.corners_mm) for marker in markers]
    corners = np.concatenate([seen[marker.number] for marker in markers])
    first, _ = cv2.findHomography(np.concatenate(nominal), corners)
    free = 0 if laid.is_exact else 3 * len(markers)

    def misfit(unknown: Points) -> Points:
        homography, bend, moves = _unpacked(unknown, first)
        placed = np.concatenate([_moved(square, move) for square, move in zip(nominal, moves, strict=False)])
        off = _bent(_mapped(homography, placed), bend, size) - corners
        prior = (moves / [_CARD_SLACK_MM, _CARD_SLACK_MM, _CARD_SLACK_RAD]).ravel()[:free]
        return np.concatenate([off.ravel(), prior, [bend / _BEND_SLACK]])

    best = _least_squares(misfit, np.zeros(9 + free))
    homography, bend, moves = _unpacked(best, first)
    placed = np.concatenate([_moved(square, move) for square, move in zip(nominal, moves, strict=False)])
    middles = {number: tuple(seen[number].mean(axis=0).tolist()) for number in sorted(seen)}
    plane = Plane(homography, bend, size, 0.0, laid.game, laid.kind, middles)
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
    homography = cv2.getPerspectiveTransform(corners_mm, tapped)
    return Plane(np.asarray(homography, float), 0.0, size, 0.0)


def still_holds(plane: Plane, pixels: Pixels, tolerance_px: float = 3.0) -> bool | None:
    """Whether the markers are where the plane has them; ``None`` when none can be seen, so nothing can be said."""
    if plane.game is None:
        return None
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    offsets = []
    for marker in mat_of(plane.game, plane.kind).markers:
        expected = plane.to_pixels(np.array(marker.corners_mm))
        reach = np.linalg.norm(expected[0] - expected[2])
        left, top = np.floor(expected.min(axis=0) - reach).astype(int).clip(0)
        right, bottom = np.ceil(expected.max(axis=0) + reach).astype(int)
        seen = _detect(grey[top:bottom, left:right], 1.0)[0] if right > 0 and bottom > 0 else {}
        if marker.number in seen:
            offsets.append(np.abs(seen[marker.number] + (left, top) - expected).max())
    return bool(np.median(offsets) <= tolerance_px) if offsets else None


def _detect(grey: Pixels, scale: float) -> tuple[dict[int, Points], list[Points]]:
    """The markers that can be read, and the other squares, which may be markers that cannot."""
    if min(grey.shape) < 16:
        return {}, []
    looked = grey if scale == 1.0 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    corners, numbers, squares = _detector().detectMarkers(looked)
    # Pixel centres, not edges, keep their place under scaling.
    back = lambda quad: (quad.reshape(4, 2).astype(float) + 0.5) / scale - 0.5  # noqa: E731
    read = {} if numbers is None else {int(n): back(quad) for n, quad in zip(numbers.ravel(), corners, strict=True)}
    return read, [back(quad) for quad in squares]


_ALIKE, _RATHER_ALIKE = 0.7, 0.65
"""How well a blurred square must go with a marker's pattern, as a correlation, to be taken for it; the second where two
others of its mat say that it lies."""
_ABOUT = 0.2
"""How far from there it may lie, against how far apart they are: a camera at the side sees the table out of shape."""
_SOFT_PX = 1.2
"""Noise hides the edges of a square; blurred by so much it does not."""
_FARTHER = 1.7
"""By so much at most the sides of one mat's markers differ in a picture."""


def _missing(found: Mapping[int, Points], game: str | None) -> list[int]:
    """The numbers that should be in the picture too: of mats and cards of which some is seen, or of the game's."""
    seen = Counter(number // 4 for number in found if meaning(number) is not None)
    # One marker each of several mats are more likely somebody's own markers than several mats.
    groups = {group for group, count in seen.items() if count > 1 or len(seen) == 1}
    if not groups and game in games():
        groups = {mat_of(game, kind).markers[0].number // 4 for kind in KINDS}
    return [4 * group + corner for group in sorted(groups) for corner in range(4) if 4 * group + corner not in found]


def _likenesses(
    grey: Pixels, squares: Sequence[Points], missing: Sequence[int], found: Mapping[int, Points], enough: float
) -> dict[int, Points]:
    """For each missing marker the square that is most like it, where one is like it enough."""
    taken = [quad.mean(axis=0) for quad in found.values()]
    upright = sum((quad[1] - quad[0] for quad in found.values()), np.zeros(2))
    usual = float(np.median([_side(quad) for quad in found.values()])) if found else 0.0
    best: dict[int, tuple[float, Points]] = {}
    for quad in squares:
        side = _side(quad)
        if side < 9 or any(np.linalg.norm(quad.mean(axis=0) - at) < side for at in taken):
            continue
        # All markers are printed in one size, and a camera at the side makes the far ones smaller by so much at most.
        if usual and not usual / _FARTHER < side < usual * _FARTHER:
            continue
        cells = _cells(grey, quad)
        for number in missing:
            for turn in range(4):
                turned = np.roll(quad, -turn, axis=0)
                # All markers of a mat stand the same way up, as far as a camera at the side can see it.
                if upright @ (turned[1] - turned[0]) < 0.5 * np.linalg.norm(upright) * np.linalg.norm(
                    turned[1] - turned[0]
                ):
                    continue
                alike = float(np.corrcoef(np.rot90(cells, turn).ravel(), _pattern(number).ravel())[0, 1])
                if alike > best.get(number, (enough,))[0]:
                    best[number] = (alike, turned)
    return {number: quad for number, (_, quad) in best.items()}


def _side(quad: Points) -> float:
    return math.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))


def _near(squares: Sequence[Points], number: int, found: Mapping[int, Points]) -> list[Points]:
    """The squares that lie about where a marker should, as two or more others of its mat or cards have it."""
    said = meaning(number)
    markers = mat_of(said.game, said.kind).markers if said else ()
    known = [marker for marker in markers if marker.number in found]
    if len(known) < 2:
        return []
    corners = np.concatenate([np.array(marker.corners_mm) for marker in known])
    turning, _ = cv2.estimateAffinePartial2D(corners, np.concatenate([found[marker.number] for marker in known]))
    if turning is None:
        return []
    at = np.mean([marker.corners_mm for marker in markers if marker.number == number], axis=(0, 1))
    middles = np.array([found[marker.number].mean(axis=0) for marker in known])
    reach = _ABOUT * np.linalg.norm(np.ptp(middles, axis=0))
    return [quad for quad in squares if np.linalg.norm(quad.mean(axis=0) - turning @ (*at, 1.0)) < reach]


_MODULE_PX = 6
_SEARCHED = 3
"""A marker is looked for within so many of its modules of where the others say it is."""


def _expected(grey: Pixels, found: Mapping[int, Points]) -> dict[int, Points]:
    """Markers found by their pattern alone, where the others of the same mat or cards say that they must be."""
    added: dict[int, Points] = {}
    for said in {said.game + said.kind: said for number in found if (said := meaning(number))}.values():
        markers = mat_of(said.game, said.kind).markers
        for marker in markers:
            seen = {m.number: {**found, **added}[m.number] for m in markers if m.number in {**found, **added}}
            if marker.number in seen or len(seen) < 2:
                continue
            corners = np.concatenate([np.array(m.corners_mm) for m in markers if m.number in seen])
            there, _ = cv2.findHomography(
                corners, np.concatenate([seen[m.number] for m in markers if m.number in seen])
            )
            quad = _matched(grey, _mapped(there, np.array(marker.corners_mm)), marker.number)
            if quad is not None:
                added[marker.number] = quad
    return added


def _matched(grey: Pixels, quad: Points, number: int) -> Points | None:
    """The quad moved to where the picture is most like the marker; ``None`` where it is hardly like it anywhere."""
    side, margin = 6 * _MODULE_PX, _SEARCHED * _MODULE_PX
    flat = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) + margin - 0.5
    there = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    around = cv2.warpPerspective(grey, there, (side + 2 * margin, side + 2 * margin), borderMode=cv2.BORDER_REPLICATE)
    pattern = cv2.resize(_pattern(number) * 255, (side, side), interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    alike = cv2.matchTemplate(around, cv2.GaussianBlur(pattern, (0, 0), _MODULE_PX / 3), cv2.TM_CCOEFF_NORMED)
    _, best, _, (right, down) = cv2.minMaxLoc(alike)
    if best < _ALIKE:
        return None
    moved = flat.astype(float) + np.array([right - margin, down - margin])
    return _mapped(np.linalg.inv(there), moved)


def _cells(grey: Pixels, quad: Points) -> Points:
    """A square of the picture as the 6 by 6 modules of a marker."""
    flat = np.array([(0, 0), (48, 0), (48, 48), (0, 48)], np.float32) - 0.5
    there = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    cells = cv2.resize(cv2.warpPerspective(grey, there, (48, 48)), (6, 6), interpolation=cv2.INTER_AREA).astype(float)
    # A square of one grey is like nothing, and has no correlation.
    return cells + np.eye(6) * 1e-3


@lru_cache(maxsize=64)
def _pattern(number: int) -> Points:
    inner = np.array([[int(bit) for bit in row] for row in marker_bits()[number]], float)
    return np.pad(inner, 1)


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 5
    settings.relativeCornerRefinmentWinSize = 0.25
    settings.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def _whole_mats(found: Mapping[int, Points]) -> bool:
    groups = [number // 4 for number in found]
    return any(groups.count(group) == 4 for group in set(groups))


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


def _unpacked(unknown: Points, first: Points) -> tuple[Points, float, Points]:
    """The unknowns as homography, bend and the moves of cards (none for a mat)."""
    change = np.concatenate([unknown[:8], [0.0]]).reshape(3, 3)
    scale = np.abs(first) + _SLIGHT
    moves = unknown[9:].reshape(-1, 3) if len(unknown) > 9 else np.zeros((4, 3))
    return first + change * scale, float(unknown[8]), moves


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


def _bent(points: Points, bend: float, size: tuple[int, int]) -> Points:
    middle, half = np.array(size) / 2, max(size) / 2
    from_middle = (points - middle) / half
    return middle + (points - middle) * (1 + bend * (from_middle**2).sum(axis=1, keepdims=True))


def _unbent(points: Points, bend: float, size: tuple[int, int]) -> Points:
    middle, half = np.array(size) / 2, max(size) / 2
    straight = points
    for _ in range(8):
        from_middle = (straight - middle) / half
        straight = middle + (points - middle) / (1 + bend * (from_middle**2).sum(axis=1, keepdims=True))
    return straight


_STEP = 16
"""Maps are worked out at every so many pixels and drawn out between; the error stays below a tenth of a pixel."""


@lru_cache(maxsize=8)
def _maps(
    homography: bytes, bend: float, size: tuple[int, int], box_mm: Box, mm_per_pixel: float
) -> tuple[Pixels, Pixels]:
    """By the numbers of a plane, not by the plane: every frame of a camera that stays put has one of its own."""
    left, top, right, bottom = box_mm
    wide, high = (math.ceil((far - near) / mm_per_pixel) for near, far in ((left, right), (top, bottom)))
    # One node more on each side, so that nothing has to be guessed beyond the last one.
    columns, rows = (np.arange(-1, many // _STEP + 2) * _STEP + _STEP / 2 for many in (wide, high))
    grid = np.stack(np.meshgrid(left + columns * mm_per_pixel, top + rows * mm_per_pixel), axis=-1)
    plane = Plane(np.frombuffer(homography).reshape(3, 3), bend, size, 0.0)
    nodes = plane.to_pixels(grid.reshape(-1, 2)).reshape(len(rows), len(columns), 2).astype(np.float32)
    drawn = cv2.resize(nodes, (len(columns) * _STEP, len(rows) * _STEP), interpolation=cv2.INTER_LINEAR)
    pixels = drawn[_STEP : _STEP + high, _STEP : _STEP + wide]
    return cv2.convertMaps(np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1]), cv2.CV_16SC2)
