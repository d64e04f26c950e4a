"""Finds the tiles in a top view: where their middles are and how they are turned, not yet which they are."""

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from models import weights
from vision.frame import Pixels
from vision.plane import Rectified
from vision.snap import Found, apart, middles

if TYPE_CHECKING:
    import onnxruntime

ENOUGH = 0.1
"""A peak as sure as this may be a tile: what it is not, its looks will tell."""
_ABOUT = 0.05
"""By so much tiles may be larger or smaller than the network knows them."""


def session(name: str, threads: int) -> "onnxruntime.InferenceSession":
    """A network ready to run."""
    # Nothing about a table leaves it, not even how often a library was used; this one asks while it is imported.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads, settings.inter_op_num_threads = threads, 1
    settings.log_severity_level = 3
    # An arena keeps the most that any read ever took, for good.
    settings.enable_cpu_mem_arena = False
    # A thread that waits by spinning takes the core that OpenCV needs next.
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(weights(name), settings, providers=["CPUExecutionProvider"])


def only_what_is_asked() -> "onnxruntime.RunOptions":
    """A way to run a network: what is not asked for is not worked out."""
    import onnxruntime

    options = onnxruntime.RunOptions()
    options.only_execute_path_to_fetches = True
    return options


def told(network: "onnxruntime.InferenceSession") -> dict[str, object]:
    """What a network says about itself."""
    return {key: json.loads(value) for key, value in network.get_modelmeta().custom_metadata_map.items()}


@dataclass(frozen=True, slots=True)
class _Told:
    tile_px: int
    stride: int
    multiple: int
    shapes: list[str]


class Finder:
    """The network that finds tiles; it wants to see them at about one size."""

    def __init__(self, threads: int) -> None:
        # Threads that share every layer wait for each other, but parts of a picture would overlap by more than that.
        self._network = session("finder", threads)
        about = told(self._network)
        self._told = _Told(**{key: about[key] for key in _Told.__dataclass_fields__})  # type: ignore[arg-type]

    def find(self, view: Rectified, shape: str, size_mm: tuple[float, float], enough: float = ENOUGH) -> list[Found]:
        """Every tile of this shape and size, the surest first, in the millimetres of the view."""
        small, scale = _smaller(view.pixels, self._told.tile_px / min(size_mm) * view.mm_per_pixel)
        peaks, fields = self._network.run(None, {"view": self._whole_cells(small)})
        sure = peaks[self._told.shapes.index(shape)]
        rows, columns = np.nonzero(sure > enough)
        right, down, *angles = fields[:, rows, columns]
        centres_px = (np.column_stack([columns + right, rows + down]) + 0.5) * self._told.stride - 0.5
        # A pixel of the smaller picture lies at the middle of those it was made from.
        centres_mm = view.to_mm((centres_px + 0.5) / scale - 0.5)
        turns = _turns_deg(np.array(angles), shape)
        found = [
            Found(x, y, turn, score)
            for (x, y), turn, score in zip(
                centres_mm.tolist(), turns.tolist(), sure[rows, columns].tolist(), strict=True
            )
        ]
        return _without_doubles(sorted(found, key=lambda tile: -tile.score), 0.6 * min(size_mm))

    def _whole_cells(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        high, wide = (-side % self._told.multiple for side in pixels.shape[:2])
        return np.asarray(cv2.copyMakeBorder(pixels, 0, high, 0, wide, cv2.BORDER_REPLICATE), np.uint8)


def _smaller(pixels: Pixels, scale: float) -> tuple[Pixels, float]:
    """The picture at about this scale, and at which one: a whole part of the size is had ten times as quickly."""
    parts = round(1 / scale)
    if parts > 1 and abs(parts * scale - 1) < _ABOUT:
        high, wide = (side - side % parts for side in pixels.shape[:2])
        pixels, scale = pixels[:high, :wide], 1 / parts
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _turns_deg(angles: NDArray[np.float32], shape: str) -> NDArray[np.float64]:
    """A square's turn is told within a quarter, a card's within a half, a disc's not at all."""
    cos4, sin4, cos2, sin2 = angles.astype(float)
    if shape == "disc":
        return np.zeros(len(cos4))
    if shape == "card":
        return np.degrees(np.arctan2(sin2, cos2)) / 2
    return np.degrees(np.arctan2(sin4, cos4)) / 4


def _without_doubles(found: list[Found], apart_mm: float) -> list[Found]:
    free = apart(middles(found), middles(found)) > apart_mm
    kept: list[int] = []
    for i, apart_from in enumerate(free):
        if apart_from[kept].all():
            kept.append(i)
    return [found[i] for i in kept]
