"""Finding tiles by their outlines alone, without a network: kept as the yardstick that the network is measured by."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np

from companion.registry import game_named
from vision.frame import Frame
from vision.judging import any_position
from vision.locate import Finder
from vision.plane import NoPlane, Rectified
from vision.reader import Reader
from vision.snap import Found
from vision.studio.render import photograph

Find = Callable[[Rectified, str, tuple[float, float]], list[Found]]


def find_outlines(view: Rectified, shape: str, size_mm: tuple[float, float]) -> list[Found]:
    """Closed outlines of about a tile's size and shape, by edges at two strengths."""
    grey = cv2.GaussianBlur(cv2.cvtColor(view.pixels, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    wide, high = (side / view.mm_per_pixel for side in size_mm)
    fill = math.pi / 4 if shape == "disc" else 1.0
    found: list[Found] = []
    for low in (25, 60):
        edges = cv2.morphologyEx(cv2.Canny(grey, low, 2.5 * low), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            area = cv2.contourArea(cv2.convexHull(contour)) if len(contour) > 4 else 0.0
            (x, y), sides, turn = cv2.minAreaRect(contour)
            fits = abs(max(sides) / max(wide, high) - 1) < 0.2 and abs(min(sides) / min(wide, high) - 1) < 0.2
            if fits and abs(area / (wide * high * fill) - 1) < 0.3:
                (x_mm, y_mm), *_ = view.to_mm(np.array([(x, y)]))
                found.append(Found(float(x_mm), float(y_mm), float(turn), area / (wide * high * fill)))
    return _once(found, 0.5 * min(size_mm))


def _once(found: Sequence[Found], apart_mm: float) -> list[Found]:
    kept: list[Found] = []
    for tile in found:
        if all(math.hypot(tile.x_mm - other.x_mm, tile.y_mm - other.y_mm) > apart_mm for other in kept):
            kept.append(tile)
    return kept


@dataclass(frozen=True, slots=True)
class Finding:
    """How one way of finding did on the tables of a game."""

    game: str
    way: str
    recall: float
    precision: float
    off_mm: float
    ms: float


def compare_finding(name: str, photos: int, hard: bool) -> list[Finding]:
    """The network and the outlines on the same photos."""
    game = game_named(name)
    reader, network = Reader(game, threads=1), Finder(1)
    ways: dict[str, Find] = {"network": network.find, "outlines": find_outlines}
    counts = {way: [0, 0, 0] for way in ways}
    off: dict[str, list[float]] = {way: [] for way in ways}
    times: dict[str, list[float]] = {way: [] for way in ways}
    for seed in range(photos):
        pixels, truth = photograph(game, any_position(game, seed), seed, hard, ground_kind="mat", hands=0)
        frame = Frame(pixels, 0.0, 0)
        try:
            view = reader.view(frame, reader.register(frame))
        except NoPlane:
            continue
        tiles = np.array([t["centre_mm"] for t in truth["tiles"] if t["visible"] > 0.6]).reshape(-1, 2)
        for way, find in ways.items():
            began = time.perf_counter()
            found = find(view, game.catalogue.shape, game.catalogue.size_mm)
            times[way].append((time.perf_counter() - began) * 1000)
            at = np.array([(tile.x_mm, tile.y_mm) for tile in found]).reshape(-1, 2)
            near = np.linalg.norm(tiles[:, None] - at[None], axis=-1).min(axis=1, initial=999.0)
            hit = near < 0.3 * min(game.catalogue.size_mm)
            counts[way] = [a + b for a, b in zip(counts[way], (int(hit.sum()), len(tiles), len(found)), strict=True)]
            off[way] += near[hit].tolist()
    return [
        Finding(name, way, hit / max(1, there), hit / max(1, said), float(np.mean(off[way] or [0])), median(times[way]))
        for way, (hit, there, said) in counts.items()
    ]
