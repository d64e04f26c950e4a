"""Compares the embedder as it is with one in whole numbers of eight bits: names right, milliseconds, megabytes.

``python -m models.training.int8 --lessons LESSONS --model models/embedder.onnx``
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.training.embedder import HELD_SHARE, shown_by


class _Crops(CalibrationDataReader):
    def __init__(self, crops: NDArray[np.uint8]) -> None:
        self._left: Iterator[NDArray[np.uint8]] = iter(np.array_split(crops, 16))

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        return next(({"crops": some} for some in self._left), None)


def compare(lessons: Path, model: Path, threads: int) -> None:
    """Prints a line for each."""
    crops, labels, seen = _held(lessons)
    with tempfile.TemporaryDirectory() as folder:
        ready, small = Path(folder) / "ready.onnx", Path(folder) / "int8.onnx"
        quant_pre_process(str(model), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready), str(small), _Crops(seen), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
        for what, file in (("float", model), ("int8", small)):
            right, ms = _measured(file, model.with_name("printed.npz"), crops, labels, threads)
            print(f"{what:6} {right:.4f} right  {ms:.1f} ms for 100 crops  {file.stat().st_size / 1e6:.2f} MB")


def _held(lessons: Path) -> tuple[NDArray[np.uint8], list[str], NDArray[np.uint8]]:
    """Crops that training never saw with their labels, and some that it did, to measure ranges by."""
    crops, labels, seen = [], [], []
    for file in sorted(lessons.glob("*.npz")):
        told = np.load(file)
        words, cut = [str(label) for label in told["labels"]], int(len(told["labels"]) * (1 - HELD_SHARE))
        named = [i for i in range(cut, len(words)) if "|" in words[i]]
        crops.append(told["crops"][named])
        labels += [shown_by(words[i])[0] for i in named]
        seen.append(told["crops"][:cut:200])
    return np.concatenate(crops), labels, np.concatenate(seen)


def _measured(
    file: Path, references: Path, crops: NDArray[np.uint8], labels: list[str], threads: int
) -> tuple[float, float]:
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    network = onnxruntime.InferenceSession(str(file), settings)
    kept = np.load(references)
    names, vectors = [str(label) for label in kept["labels"]], kept["vectors"].astype(np.float32)
    embedded = np.concatenate([network.run(None, {"crops": some})[0] for some in np.array_split(crops, 60)])
    right = np.mean(
        [names[best] == label for best, label in zip((embedded @ vectors.T).argmax(1), labels, strict=True)]
    )
    began = time.perf_counter()
    for _ in range(10):
        network.run(None, {"crops": crops[:100]})
    return float(right), (time.perf_counter() - began) * 100


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=Path("models/embedder.onnx"))
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    compare(given.lessons, given.model, given.threads)
