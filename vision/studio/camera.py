"""A camera above a table: where each millimetre of the table falls in the picture, and the other way round."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
"""One point a row."""
Part: TypeAlias = tuple[slice, slice]
"""Some rows and columns of a picture."""

_STEP = 16
"""Maps are exact at every so many pixels and drawn out between; the error stays below a tenth of a pixel."""

_WIDEST = 1.5
"""The tangent of the angle from the axis to the corner of the widest picture."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens and where it stands. The table is x to the right, y towards the near edge, heights upwards."""

    size: tuple[int, int]
    """Width and height of the picture in pixels."""
    focal_px: float
    bend: tuple[float, float, float, float]
    """The distortion of the lens as OpenCV counts it: k1, k2, p1, p2."""
    turn: tuple[float, float, float]
    """From the table's axes to the camera's, as a Rodrigues vector."""
    shift: tuple[float, float, float]
    axis_px: tuple[float, float] = (0.0, 0.0)
    """Where the lens points, from the middle of the picture: elsewhere only in a part that is cut out of one."""

    @property
    def middle(self) -> tuple[float, float]:
        """The pixel that the lens points at."""
        return (self.size[0] - 1) / 2 + self.axis_px[0], (self.size[1] - 1) / 2 + self.axis_px[1]

    @property
    def matrix(self) -> Points:
        return np.array([[self.focal_px, 0, self.middle[0]], [0, self.focal_px, self.middle[1]], [0, 0, 1]])

    def cut(self, part: Part) -> "Camera":
        """The same camera, of whose picture only a part is looked at."""
        rows, columns = part
        size = (columns.stop - columns.start, rows.stop - rows.start)
        middle = self.middle[0] - columns.start, self.middle[1] - rows.start
        axis = middle[0] - (size[0] - 1) / 2, middle[1] - (size[1] - 1) / 2
        return replace(self, size=size, axis_px=axis)

    @property
    def rotation(self) -> Points:
        return _rotation(self.turn)

    @property
    def stands_mm(self) -> Points:
        """Where the lens is: x, y and height above the table."""
        stands = -self.rotation.T @ np.array(self.shift)
        return np.array([stands[0], stands[1], -stands[2]])

    @property
    def px_per_mm(self) -> float:
        """The scale in the middle of the picture, across the line of sight."""
        height = self.stands_mm[2]
        return float(self.focal_px * abs(self.rotation[2, 2]) / height)

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks from straight down."""
        return math.degrees(math.acos(min(1.0, abs(self.rotation[2, 2]))))

    def project(self, points_mm: Any) -> Points:
        """Pixels of points of the table; a third column is the height above it."""
        points = np.asarray(points_mm, np.float64).reshape(-1, np.shape(points_mm)[-1])
        heights = points[:, 2] if points.shape[1] == 3 else np.zeros(len(points))
        # Shadows of what is held high reach far beyond the picture, where the lens would throw them anywhere.
        straight, _ = self.straight(np.column_stack([points[:, :2], heights]))
        return straight + self.bent_by(straight)

    def straight(self, points_mm: Points) -> tuple[Points, Points]:
        """Pixels of points, with heights, as a lens without distortion would show them, and how far off they are."""
        seen = self.rotation @ (points_mm * (1, 1, -1)).T + np.array(self.shift)[:, None]
        pixels = self.focal_px * (seen[:2] / np.where(np.abs(seen[2]) < 1, 1, seen[2])).T
        pixels += self.matrix[:2, 2]
        return pixels, seen[2]

    def bent_by(self, straight: Points) -> Points:
        """How far the lens moves each pixel from where one without distortion would show it.

        Beyond what any picture shows bending has no meaning: there it is what it is at the rim.
        """
        rays = (straight - self.middle) / self.focal_px
        rays /= np.maximum(np.linalg.norm(rays, axis=1, keepdims=True) / _WIDEST, 1.0)
        at = np.column_stack([rays, np.ones(len(rays))])
        bent = cv2.projectPoints(at, np.zeros(3), np.zeros(3), self.matrix, np.array(self.bend))[0].reshape(-1, 2)
        return np.asarray(bent - (rays * self.focal_px + self.middle), np.float64)

    def on_table(self, pixels: Any) -> Points:
        """Millimetres on the table under each pixel."""
        seen = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(seen, self.matrix, np.array(self.bend)).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        stands = self.stands_mm
        # Above the horizon there is no table; far away is near enough.
        reach = stands[2] / np.maximum(directions[:, 2], 1e-3)
        return np.asarray(stands[:2] + directions[:, :2] * reach[:, None], np.float64)

    def described(self) -> dict[str, Any]:
        """What the truth of a photo says of its camera."""
        return {
            "focal_px": round(self.focal_px, 2),
            "centre_px": list(self.middle),
            "distortion": [round(float(number), 6) for number in self.bend],
            "turn": [round(float(number), 6) for number in self.turn],
            "shift_mm": [round(float(number), 3) for number in self.shift],
            "stands_mm": [round(float(number), 1) for number in self.stands_mm],
            "tilt_deg": round(self.tilt_deg, 2),
            "px_per_mm": round(self.px_per_mm, 3),
        }


@lru_cache(maxsize=64)
def _rotation(turn: tuple[float, float, float]) -> Points:
    return np.asarray(cv2.Rodrigues(np.array(turn))[0], np.float64)


@dataclass(frozen=True, slots=True)
class Ground:
    """The table under the whole picture at every so many pixels, ready to be drawn out for each layer."""

    size: tuple[int, int]
    nodes_mm: NDArray[np.float64]

    def map(self, matrix: Points) -> NDArray[np.float32]:
        """For each pixel the point of a flat layer; the matrix (2 x 3) leads from millimetres to the layer's pixels."""
        nodes = self.nodes_mm @ matrix[:, :2].T + matrix[:, 2]
        return _drawn_out(nodes.astype(np.float32), self.size)

    def half(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """A field worked out at the nodes, drawn out to half the size of the picture."""
        return _drawn_out(values, ((self.size[0] + 1) // 2, (self.size[1] + 1) // 2), _STEP // 2)


def ground(camera: Camera) -> Ground:
    """The table as a camera sees it."""
    width, height = camera.size
    across = np.arange(-1, width // _STEP + 2) * _STEP + (_STEP - 1) / 2
    down = np.arange(-1, height // _STEP + 2) * _STEP + (_STEP - 1) / 2
    pixels = np.stack(np.meshgrid(across, down), axis=-1)
    return Ground(camera.size, camera.on_table(pixels).reshape(*pixels.shape))


def _drawn_out(nodes: NDArray[np.float32], size: tuple[int, int], finer: int = _STEP) -> NDArray[np.float32]:
    wide = cv2.resize(nodes, (nodes.shape[1] * finer, nodes.shape[0] * finer), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[finer : finer + size[1], finer : finer + size[0]], np.float32)


def looking_at(
    size: tuple[int, int],
    focal_px: float,
    bend: tuple[float, float, float, float],
    target_mm: tuple[float, float],
    distance_mm: float,
    tilt_deg: float,
    from_deg: float,
    roll_deg: float,
) -> Camera:
    """A camera that looks at a point of the table; ``from_deg`` 0 stands at the near edge, 90 at the right one."""
    tilt, side = math.radians(tilt_deg), math.radians(from_deg)
    away = np.array([math.sin(side) * math.sin(tilt), math.cos(side) * math.sin(tilt), -math.cos(tilt)])
    right = np.array([math.cos(side), -math.sin(side), 0.0])
    forward = -away
    axes = np.stack([right, np.cross(forward, right), forward])
    roll = math.radians(roll_deg)
    rolled = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]) @ axes
    stands = np.array([*target_mm, 0.0]) + away * distance_mm
    turn = cv2.Rodrigues(rolled)[0].ravel()
    x, y, z = (float(number) for number in turn)
    shift_x, shift_y, shift_z = (float(number) for number in -rolled @ stands)
    return Camera(size, focal_px, bend, (x, y, z), (shift_x, shift_y, shift_z))
