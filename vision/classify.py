"""What a crop shows: its embedding, and the odds that it is a tile, a free place or something else."""

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.gallery import Vectors
from vision.locate import session, told


class Embedder:
    """The network that all games share."""

    def __init__(self, threads: int = 2) -> None:
        self._network = session("embedder", threads)
        self.states: list[str] = list(told(self._network)["states"])  # type: ignore[call-overload]

    def __call__(self, crops: Pixels) -> tuple[Vectors, NDArray[np.float32]]:
        """For each crop its embedding, and the odds of being a tile, a free place, something else."""
        if not len(crops):
            return np.empty((0, 64), np.float32), np.empty((0, len(self.states)), np.float32)
        embedded, states = self._network.run(None, {"crops": crops})
        return embedded, states
