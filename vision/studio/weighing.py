"""Measures how much each sign of a tile counts: the network's word, the likeness to a known face, the finder's peak.

``python -m vision.studio.weighing`` prints the weights that `vision.reader` uses, fitted by logistic regression to
rendered tables that neither training nor judging sees: some five minutes on two cores.
"""

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.registry import game_named, games
from vision.frame import Frame
from vision.plane import NoPlane
from vision.reader import Reader, signs
from vision.studio.lessons import any_layout, shown
from vision.studio.render import photograph

FIRST_SEED = 450_000_000
TABLES = {"paiko": 200, "pirates_ninjas_robots_zombies": 160, "tu_tzi": 50, "zhizhu": 50, "zu_tiles_hime": 260}
"""How many of each game: more where tiles are small, or have no board to lie on."""


@cache
def _reader(name: str) -> Reader:
    return Reader(game_named(name), threads=1)


def gathered(name: str, number: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The signs at every candidate of a table, and whether a tile was there."""
    game, reader = shown(name), _reader(name)
    layout = any_layout(game, random.Random(f"weighing {name} {number}"))
    kind = ("mat", "cards")[number % 2]
    pixels, truth = photograph(game, layout, FIRST_SEED + number, True, ground_kind=kind, hands=0)
    frame = Frame(pixels, 0.0, 0)
    try:
        plane = reader.register(frame)
    except NoPlane:
        return np.empty((0, 6)), np.empty(0)
    view = reader.view(frame, plane)
    candidates, _ = reader.candidates(view, plane, None)
    candidates, seen, spelled, named = reader.understand(view, candidates)
    top = plane.lifted(game.catalogue.thickness_mm)
    tiles = np.array([tile["centre"] for tile in truth["tiles"]]).reshape(-1, 2)
    tiles_mm = top.to_mm(tiles) if len(tiles) else np.empty((0, 2))
    visible = np.array([tile["visible"] for tile in truth["tiles"]])
    rows = signs(candidates, seen, reader.gallery, spelled, named)
    at = np.array([(spot.x_mm, spot.y_mm) for spot in candidates]).reshape(-1, 2)
    far = np.linalg.norm(at[:, None] - tiles_mm[None], axis=-1) / min(game.catalogue.size_mm)
    nearest = far.min(axis=1, initial=np.inf)
    hidden = visible[far.argmin(axis=1)] < 0.8 if len(tiles) else np.zeros(len(at), bool)
    # What lies half beside a tile, or on one that is hardly to be seen, is neither a tile nor none.
    unclear = (nearest < 0.7) & ((nearest > 0.35) | hidden)
    return rows[~unclear], (nearest[~unclear] <= 0.35).astype(float)


def fitted(rows: NDArray[np.float64], there: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, held back a little from certainty."""
    weights = np.zeros(rows.shape[1])
    for _ in range(40):
        odds = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (odds - there) + 0.02 * weights
        bend = (rows * (odds * (1 - odds))[:, None]).T @ rows + 0.02 * np.eye(len(weights))
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def weigh(photos: int | None) -> None:
    """Print the weights, and how often they err in each game."""
    told = {}
    with ProcessPoolExecutor(2) as pool:
        for name in games():
            many = photos or TABLES[name]
            each = list(pool.map(gathered, [name] * many, range(many), chunksize=10))
            told[name] = [np.concatenate(parts) for parts in zip(*each, strict=True)]
            print(f"{name}: {many} tables, {len(told[name][0])} candidates", flush=True)
    found = fitted(*(np.concatenate(parts) for parts in zip(*told.values(), strict=True)))
    print("weights:", ", ".join(f"{weight:.2f}" for weight in found))
    for name, (rows, there) in told.items():
        said = rows @ found > 0
        print(f"{name}: invented {(said & (there < 0.5)).sum()}, missed {(~said & (there > 0.5)).sum()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, help="of each game, for a trial")
    weigh(parser.parse_args().photos)
