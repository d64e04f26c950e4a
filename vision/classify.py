"""What a crop shows: its embedding, and the odds that it is a tile, a free place or something else."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from vision.crops import AT_ONCE
from vision.frame import Pixels
from vision.gallery import Vectors
from vision.locate import session, told


class Embedder:
    """The network that all games share."""

    def __init__(self, crew: Executor) -> None:
        # Threads that take whole crops need not wait for each other after every layer.
        self._crew, self._network = crew, session("embedder", 1)
        self.states: list[str] = list(told(self._network)["states"])  # type: ignore[call-overload]

    def __call__(self, crops: Pixels | Iterable[Pixels]) -> tuple[Vectors, NDArray[np.float32]]:
        """For each crop its embedding, and the odds of being a tile, a free place, something else.

        Crops may come a few at a time: then the first are embedded while the next are cut.
        """
        seen = list(self._crew.map(self._run, _few(crops) if isinstance(crops, np.ndarray) else crops))
        if not seen:
            return np.empty((0, 64), np.float32), np.empty((0, len(self.states)), np.float32)
        return np.concatenate([embedded for embedded, _ in seen]), np.concatenate([states for _, states in seen])

    def _run(self, crops: Pixels) -> tuple[Vectors, NDArray[np.float32]]:
        embedded, states = self._network.run(None, {"crops": crops})
        return embedded, states


def _few(crops: Pixels) -> Iterator[Pixels]:
    return (crops[at : at + AT_ONCE] for at in range(0, len(crops), AT_ONCE))
