"""Measures how sure the names of printed tiles may be said: the sharpness at which probabilities mean what they say.

``python -m models.training.calibrate --lessons LESSONS`` prints, on crops never trained on, the sharpness with the
least surprise, how often a crop said to be so sure is right, and how near tiles and things that are none come.
"""

import argparse
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.training.embedder import HELD_SHARE, shown_by


def calibrate(lessons: Path, model: Path) -> None:
    network = onnxruntime.InferenceSession(str(model))
    kept = np.load(model.with_name("printed.npz"))
    names, vectors = [str(label) for label in kept["labels"]], kept["vectors"].astype(np.float32)
    known, strange = _compared(lessons, network, names, vectors)
    for kind, crops in known.items():
        _tell(kind, [near for near, _ in crops], [right for _, right in crops])
    print("nearest reference of other things, percentiles 50 90 99:", np.percentile(strange, [50, 90, 99]).round(3))


def _tell(kind: str, near: list[NDArray[np.float32]], right: list[int]) -> None:
    best = min(np.arange(6.0, 40.0), key=lambda sharp: _surprise(near, right, sharp))
    print(f"{kind}: sharpness {best:.0f} has the least surprise, {_surprise(near, right, best):.4f}")
    sure, is_right = _sureness(near, right, best)
    for low, high in ((0.0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 1.01)):
        some = (sure >= low) & (sure < high)
        if some.any():
            share, rightly = some.mean(), is_right[some].mean()
            print(f"  said {low:.2f} to {min(1, high):.2f}: {share:7.2%} of crops, right {rightly:.4f}")
    tops = np.array([row.max() for row in near])
    print("  nearest reference, percentiles 0.1 1 5 50:", np.percentile(tops, [0.1, 1, 5, 50]).round(3))


def _compared(
    lessons: Path, network: onnxruntime.InferenceSession, names: list[str], vectors: NDArray[np.float32]
) -> tuple[dict[str, list[tuple[NDArray[np.float32], int]]], list[float]]:
    """By kind, for each crop of a tile its cosines to all references of its game and which is right; and for others."""
    known: dict[str, list[tuple[NDArray[np.float32], int]]] = {}
    strange = []
    for file in sorted(lessons.glob("*.npz")):
        told = np.load(file)
        cut = int(len(told["labels"]) * (1 - HELD_SHARE))
        words = [str(label) for label in told["labels"][cut:]]
        own = [i for i, name in enumerate(names) if name.startswith(f"{file.stem}|")]
        parts = {word: [i for i in own if _kind(names[i]) == word] for word in {_kind(names[i]) for i in own}}
        for crop, word in zip(_embedded(network, told["crops"][cut:]), words, strict=True):
            for vector, name in zip(crop, shown_by(word), strict=False):
                among = parts[_kind(name)]
                known.setdefault(_kind(name), []).append((vectors[among] @ vector, among.index(names.index(name))))
            if word == "other":
                strange.append(float((vectors[own] @ crop[0]).max()))
    return known, strange


def _kind(label: str) -> str:
    tile = label.split("|")[1]
    return tile.split(" ")[0] if tile.startswith(("quarter ", "icon ")) else "whole"


def _embedded(network: onnxruntime.InferenceSession, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """For each crop its own embedding, then those of its parts."""
    seen = [network.run(["embedding", "parts"], {"crops": some}) for some in np.array_split(crops, 40)]
    return np.concatenate([np.concatenate([whole[:, None], parts], axis=1) for whole, parts in seen])


def _surprise(near: list[NDArray[np.float32]], right: list[int], sharp: float) -> float:
    lost = [
        np.log(np.exp(sharp * (row - row.max())).sum()) - sharp * (row[i] - row.max())
        for row, i in zip(near, right, strict=True)
    ]
    return float(np.mean(lost))


def _sureness(
    near: list[NDArray[np.float32]], right: list[int], sharp: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    odds = [np.exp(sharp * (row - row.max())) for row in near]
    sure = np.array([1 / one.sum() for one in odds])
    return sure, np.array([int(row.argmax()) == i for row, i in zip(near, right, strict=True)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=Path("models/embedder.onnx"))
    given = parser.parse_args()
    calibrate(given.lessons, given.model)
