"""Measures how much each sign of a tile counts: the network's word, the likeness to a known face, the finder's peak.

``python -m vision.studio.weighing --photos 40`` prints the weights that `vision.reader` uses, fitted by logistic
regression to rendered tables that neither training nor judging sees.
"""

import argparse
import random

import numpy as np
from numpy.typing import NDArray

from companion.registry import game_named, games
from vision.frame import Frame
from vision.plane import NoPlane
from vision.reader import Reader, signs
from vision.studio.lessons import any_layout, shown
from vision.studio.render import photograph

FIRST_SEED = 450_000_000


def gathered(name: str, photos: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The signs at every candidate of so many tables, and whether a tile was there."""
    game, reader = shown(name), Reader(game_named(name), threads=1)
    rows, there = [], []
    for number in range(photos):
        layout = any_layout(game, random.Random(f"weighing {name} {number}"))
        kind = ("mat", "cards")[number % 2]
        pixels, truth = photograph(game, layout, FIRST_SEED + number, True, ground_kind=kind, hands=0)
        frame = Frame(pixels, 0.0, 0)
        try:
            plane = reader.register(frame)
        except NoPlane:
            continue
        view = reader.view(frame, plane)
        candidates, _ = reader.candidates(view, plane, None)
        candidates, seen = reader.look(view, candidates)
        top = plane.lifted(game.catalogue.thickness_mm)
        tiles = np.array([tile["centre"] for tile in truth["tiles"]]).reshape(-1, 2)
        tiles_mm = top.to_mm(tiles) if len(tiles) else tiles
        visible = np.array([tile["visible"] for tile in truth["tiles"]])
        near_mm = 0.35 * min(game.catalogue.size_mm)
        spelled = reader.spell(candidates, seen)
        told_by = signs(candidates, seen, reader.gallery, spelled, reader.name(candidates, seen, spelled))
        for spot, row in zip(candidates, told_by, strict=True):
            far = np.hypot(*(tiles_mm - (spot.x_mm, spot.y_mm)).T) if len(tiles) else np.empty(0)
            if len(far) and far.min() < 2 * near_mm and (far.min() > near_mm or visible[far.argmin()] < 0.8):
                continue
            rows.append(row)
            there.append(float(len(far) > 0 and far.min() <= near_mm))
    return np.array(rows), np.array(there)


def fitted(rows: NDArray[np.float64], there: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, held back a little from certainty."""
    weights = np.zeros(rows.shape[1])
    for _ in range(40):
        odds = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (odds - there) + 0.02 * weights
        bend = (rows * (odds * (1 - odds))[:, None]).T @ rows + 0.02 * np.eye(len(weights))
        weights = weights - np.linalg.solve(bend, slope)
    return weights


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=40, help="of each game")
    given = parser.parse_args()
    told = [gathered(name, given.photos) for name in games()]
    all_rows, all_there = np.concatenate([rows for rows, _ in told]), np.concatenate([there for _, there in told])
    found = fitted(all_rows, all_there)
    print("weights:", ", ".join(f"{weight:.2f}" for weight in found))
    for name, (some, truly) in zip(games(), told, strict=True):
        said = some @ found > 0
        wrong = (said & (truly < 0.5)).sum(), (~said & (truly > 0.5)).sum()
        print(f"{name}: {len(some)} candidates, {int(truly.sum())} tiles, invented {wrong[0]}, missed {wrong[1]}")
