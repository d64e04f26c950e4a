"""The markers of mats and corner cards in a picture, to a part of a pixel.

OpenCV reads a marker that is sharp, and is off by a pixel or three where it is blurred. So the pattern of each one is
laid upon the picture and moved until it fits; and by how well it fits a square that OpenCV cannot read is known too.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.mats import KINDS, marker_bits, mat_of, meaning
from companion.registry import games
from vision.frame import Pixels

Quad: TypeAlias = NDArray[np.float64]
"""The corners of a marker in a picture: far left first as it is printed, then clockwise."""

_ALIKE, _RATHER_ALIKE = 0.92, 0.83
"""How well the inside of a square must go with a marker's pattern, as a correlation, to be taken for it; the second
where others of its mat say that it lies. Of 2,200 squares that are no markers none had 0.89."""
_MAY_BE = 0.3
"""The same before the pattern was moved; what is less like it is not worth trying."""
_FITS = 0.75
"""A pattern that goes no better than this with the picture, border and all, was moved astray."""
_MODULE_PX = 6
_BLURS_PX = (2, 3, 4, 5)
"""How many pixels a module of the pattern has, and how many of them a camera out of focus may spread."""
_ABOUT = 0.2
"""How far a marker may lie from where others say, against how far these are apart: a camera at the side sees the table
out of shape, and cards are laid by hand."""
_ASKEW_DEG = (-12, -6, 0, 6, 12)
"""How far a card may be turned against the others."""
_SMALLEST_PX = 9
_FARTHER = 3.5
"""By so much at most the sides of one mat's markers differ in a picture."""
_SOFT_PX = 1.2
"""Noise hides the edges of a square; blurred by so much it does not."""


def find_markers(pixels: Pixels, game: str | None = None) -> dict[int, Quad]:
    """The corners of every marker by its number.

    Small or faint ones get a closer look; one too blurred to be read by itself is known by its likeness to a marker
    that should be there, given the game or the other markers of the same mat.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    found, _ = _detect(grey, 1.0)
    if not _whole_mats(found):
        closer, squares = _detect(grey, 2.0)
        found = {**closer, **found}
    if not _whole_mats(found):
        _, softer = _detect(cv2.GaussianBlur(grey, (0, 0), _SOFT_PX), 2.0)
        squares = [*squares, *softer]
        found = {**_likenesses(grey, squares, _missing(found, game), found, _ALIKE), **found}
    if not _whole_mats(found):
        for number in _missing(found, game):
            found = {**_where_others_say(grey, squares, number, found), **found}
    return {number: _laid_upon(grey, quad, number)[1] for number, quad in found.items()}


def read_markers(grey: Pixels) -> dict[int, Quad]:
    """Those that can be read at a glance."""
    return {number: _laid_upon(grey, quad, number)[1] for number, quad in _detect(grey, 1.0)[0].items()}


def is_there(pixels: Pixels, quad: Quad, number: int) -> bool:
    """Whether a marker is to be seen where it should be; nothing lies upon more than a corner of it."""
    left, top = np.floor(quad.min(axis=0) - _side(quad)).astype(int).clip(0)
    right, bottom = np.ceil(quad.max(axis=0) + _side(quad)).astype(int).clip(0)
    around, quad = pixels[top:bottom, left:right], quad - (left, top)
    if not around.size:
        return False
    grey = cv2.cvtColor(around, cv2.COLOR_BGR2GRAY)
    return _likeness(grey, quad, number) > _RATHER_ALIKE or _laid_upon(grey, quad, number)[0] > _RATHER_ALIKE


def _detect(grey: Pixels, scale: float) -> tuple[dict[int, Quad], list[Quad]]:
    """The markers that can be read, and the other squares, which may be markers that cannot."""
    if min(grey.shape) < 16:
        return {}, []
    looked = grey if scale == 1.0 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    corners, numbers, squares = _detector().detectMarkers(looked)
    named = () if numbers is None else zip(numbers.ravel(), corners, strict=True)
    return {int(n): _scaled_back(quad, scale) for n, quad in named}, [_scaled_back(quad, scale) for quad in squares]


def _scaled_back(quad: NDArray[np.float32], scale: float) -> Quad:
    """Pixel centres, not edges, keep their place under scaling."""
    return (quad.reshape(4, 2).astype(float) + 0.5) / scale - 0.5


def _missing(found: Mapping[int, Quad], game: str | None) -> list[int]:
    """The numbers that should be in the picture too: of mats and cards of which some is seen, or of the game's."""
    seen = Counter(number // 4 for number in found if meaning(number) is not None)
    # One marker each of several mats are more likely somebody's own markers than several mats.
    groups = {group for group, count in seen.items() if count > 1 or len(seen) == 1}
    if not groups and game in games():
        groups = {mat_of(game, kind).markers[0].number // 4 for kind in KINDS}
    return [4 * group + corner for group in sorted(groups) for corner in range(4) if 4 * group + corner not in found]


def _likenesses(
    grey: Pixels, squares: Sequence[Quad], missing: Sequence[int], found: Mapping[int, Quad], enough: float
) -> dict[int, Quad]:
    """For each missing marker the square that is most like it, where one is like it enough."""
    best: dict[int, tuple[float, Quad]] = {}
    for quad in (square for square in squares if _may_be_one_more(square, found)):
        for number in missing:
            turned = max(_turns(quad, found), key=lambda turn: _likeness(grey, turn, number), default=None)
            if turned is None or _likeness(grey, turned, number) < _MAY_BE:
                continue
            alike, laid = _laid_upon(grey, turned, number)
            if alike > best.get(number, (enough,))[0]:
                best[number] = (alike, laid)
    return {number: quad for number, (_, quad) in best.items()}


def _may_be_one_more(quad: Quad, found: Mapping[int, Quad]) -> bool:
    """Whether a square is as large as the markers found, and none of these."""
    side = _side(quad)
    if side < _SMALLEST_PX or any(np.linalg.norm((quad - other).mean(axis=0)) < side for other in found.values()):
        return False
    # All markers are printed in one size, and a camera at the side makes the far ones smaller by so much at most.
    usual = float(np.median([_side(other) for other in found.values()])) if found else side
    return usual / _FARTHER < side < usual * _FARTHER


def _turns(quad: Quad, found: Mapping[int, Quad]) -> list[Quad]:
    """The ways up that a square may be a marker: as the others stand, as far as a camera at the side can see it."""
    upright = sum((other[1] - other[0] for other in found.values()), np.zeros(2))
    turned = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    aligned = [upright @ (one[1] - one[0]) / np.linalg.norm(one[1] - one[0]) for one in turned]
    return [one for one, along in zip(turned, aligned, strict=True) if along >= 0.5 * np.linalg.norm(upright)]


def _where_others_say(grey: Pixels, squares: Sequence[Quad], number: int, found: Mapping[int, Quad]) -> dict[int, Quad]:
    """A marker where two or more others of its mat or cards have it: a square that is rather like it, or its pattern in
    the picture where no square is to be seen."""
    said = meaning(number)
    markers = mat_of(said.game, said.kind).markers if said else ()
    known = [marker for marker in markers if marker.number in found]
    if len(known) < 2:
        return {}
    corners = np.concatenate([np.array(marker.corners_mm) for marker in known])
    turning, _ = cv2.estimateAffinePartial2D(corners, np.concatenate([found[marker.number] for marker in known]))
    if turning is None:
        return {}
    there = next(np.array(marker.corners_mm) for marker in markers if marker.number == number)
    expected = there @ turning[:, :2].T + turning[:, 2]
    reach = _ABOUT * np.linalg.norm(np.ptp([found[marker.number].mean(axis=0) for marker in known], axis=0))
    near = [quad for quad in squares if np.linalg.norm((quad - expected).mean(axis=0)) < reach]
    like = _likenesses(grey, near, [number], found, _RATHER_ALIKE)
    return like or _likenesses(grey, _searched(grey, expected, number, float(reach)), [number], found, _ALIKE)


def _searched(grey: Pixels, expected: Quad, number: int, reach: float) -> list[Quad]:
    """For every way that a card may be turned where the picture is most like the marker."""
    margin = reach * 6 * _MODULE_PX / _side(expected)
    size = round(6 * _MODULE_PX + 2 * margin)
    middle, found = expected.mean(axis=0), []
    for askew in _ASKEW_DEG:
        turn = cv2.getRotationMatrix2D((0, 0), askew, 1.0)[:, :2]
        quad = (expected - middle) @ turn.T + middle
        there = cv2.getPerspectiveTransform(quad.astype(np.float32), _flat(margin))
        around = cv2.warpPerspective(grey, there, (size, size), borderMode=cv2.BORDER_REPLICATE)
        alike = cv2.matchTemplate(around, _patterns(number)[1].astype(np.uint8), cv2.TM_CCOEFF_NORMED)
        *_, at = cv2.minMaxLoc(alike)
        found.append(cv2.perspectiveTransform((_flat(_MODULE_PX) + at)[None], np.linalg.inv(there))[0])
    return found


def _laid_upon(grey: Pixels, quad: Quad, number: int) -> tuple[float, Quad]:
    """How like the picture is to the inside of the marker, laid where it fits best; a quad is nearly there."""
    margin, half = _side(quad), _MODULE_PX // 2
    left, top = np.floor(quad.min(axis=0) - margin).astype(int).clip(0)
    right, bottom = np.ceil(quad.max(axis=0) + margin).astype(int)
    around = grey[top:bottom, left:right]
    there = cv2.getPerspectiveTransform(_flat(half), (quad - (left, top)).astype(np.float32))
    # Half a module of the white around it, for the edge of the black is what says most about where it lies.
    pattern = _sharp(number)[half:-half, half:-half]
    try:
        fit, there = cv2.findTransformECC(
            pattern, around, there.astype(np.float32), cv2.MOTION_HOMOGRAPHY, _PATIENCE, None, 1
        )
    except cv2.error:  # there is nothing there that it could be moved to
        return 0.0, quad
    laid = cv2.perspectiveTransform(_flat(half)[None].astype(float), there.astype(float))[0] + (left, top)
    if fit < _FITS or np.linalg.norm(laid - quad, axis=1).max() > _side(quad) / 2:
        return 0.0, quad
    return _likeness(grey, laid, number), laid


_PATIENCE = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-3)


def _likeness(grey: Pixels, quad: Quad, number: int) -> float:
    """How well the inside of a quad goes with that of a marker, if it is as blurred as fits best."""
    wide, inside = 8 * _MODULE_PX, slice(3 * _MODULE_PX // 2, -3 * _MODULE_PX // 2)
    there = cv2.getPerspectiveTransform(quad.astype(np.float32), _flat(_MODULE_PX))
    seen = cv2.warpPerspective(grey, there, (wide, wide))[inside, inside].ravel().astype(float)
    if seen.std() < 1:
        return 0.0
    return max(float(np.corrcoef(seen, pattern[inside, inside].ravel())[0, 1]) for pattern in _patterns(number))


def _flat(margin_px: float) -> NDArray[np.float32]:
    """The corners of a marker in its pattern, with so much around it."""
    side = 6 * _MODULE_PX
    return np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) + np.float32(margin_px - 0.5)


@lru_cache(maxsize=64)
def _sharp(number: int) -> Pixels:
    """The pattern of a marker with one module of white around it."""
    inner = np.array([[int(bit) for bit in row] for row in marker_bits()[number]], np.uint8)
    modules = np.pad(np.pad(inner, 1), 1, constant_values=1)
    return np.asarray(np.kron(modules * 255, np.ones((_MODULE_PX, _MODULE_PX))), np.uint8)


@lru_cache(maxsize=64)
def _patterns(number: int) -> list[NDArray[np.float32]]:
    """The same, more and more blurred."""
    return [cv2.GaussianBlur(_sharp(number).astype(np.float32), (0, 0), blur) for blur in _BLURS_PX]


def _side(quad: Quad) -> float:
    return math.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 5
    settings.relativeCornerRefinmentWinSize = 0.25
    settings.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def _whole_mats(found: Mapping[int, Quad]) -> bool:
    groups = [number // 4 for number in found]
    return any(groups.count(group) == 4 for group in set(groups))
