"""The trained networks and their cards."""

import io
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

CHECKSUMS = "SHA256SUMS"
"""Beside the networks, as `sha256sum *.onnx *.npz` writes it and `sha256sum -c` reads it."""


def weights(name: str) -> bytes:
    """The weights of a network, for an ``InferenceSession``."""
    return (files("models") / f"{name}.onnx").read_bytes()


@lru_cache(maxsize=1)
def printed_references() -> tuple[list[str], Any]:
    """For every face of the printed sets, ``game|tile|owner|turn``, the embedding that training left for it."""
    import numpy as np

    with np.load(io.BytesIO((files("models") / "printed.npz").read_bytes())) as kept:
        return [str(label) for label in kept["labels"]], kept["vectors"]


def intact() -> dict[str, bool]:
    """Each file that was shipped, and whether it is here as it was."""
    lines = (files("models") / CHECKSUMS).read_text(encoding="ascii").splitlines()
    return {name: _sum(name) == checksum for checksum, name in (line.split() for line in lines)}


def _sum(name: str) -> str | None:
    file = files("models") / name
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else None
