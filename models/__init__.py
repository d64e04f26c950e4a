"""The trained networks and their cards."""

import io
from functools import lru_cache
from importlib.resources import files
from typing import Any


def weights(name: str) -> bytes:
    """The weights of a network, for an ``InferenceSession``."""
    return (files("models") / f"{name}.onnx").read_bytes()


@lru_cache(maxsize=1)
def printed_references() -> tuple[list[str], Any]:
    """For every face of the printed sets, ``game|tile|owner|turn``, the embedding that training left for it."""
    import numpy as np

    with np.load(io.BytesIO((files("models") / "printed.npz").read_bytes())) as kept:
        return [str(label) for label in kept["labels"]], kept["vectors"]
