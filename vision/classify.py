"""What a crop shows: its embedding, and the odds that it is a tile, a free place or something else."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.gallery import Vectors
from vision.locate import session, told

_AT_ONCE = 16
"""So many crops go through the network together: what it makes of more does not stay in a core's own memory."""


class Embedder:
    """The network that all games share."""

    def __init__(self, threads: int = 2) -> None:
        # Threads that take whole crops need not wait for each other after every layer.
        self._network = session("embedder", 1)
        self._threads, self._crew = threads, ThreadPoolExecutor(threads, "embedder")
        self.states: list[str] = list(told(self._network)["states"])  # type: ignore[call-overload]

    def __call__(self, crops: Pixels) -> tuple[Vectors, NDArray[np.float32]]:
        """For each crop its embedding, and the odds of being a tile, a free place, something else."""
        if not len(crops):
            return np.empty((0, 64), np.float32), np.empty((0, len(self.states)), np.float32)
        shares = self._threads * math.ceil(len(crops) / self._threads / _AT_ONCE)
        seen = list(self._crew.map(self._run, np.array_split(crops, min(shares, len(crops)))))
        return np.concatenate([embedded for embedded, _ in seen]), np.concatenate([states for _, states in seen])

    def _run(self, crops: Pixels) -> tuple[Vectors, NDArray[np.float32]]:
        embedded, states = self._network.run(None, {"crops": crops})
        return embedded, states
