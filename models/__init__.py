"""The trained networks and their cards."""

from importlib.resources import files


def weights(name: str) -> bytes:
    """The weights of a network, for an ``InferenceSession``."""
    return (files("models") / f"{name}.onnx").read_bytes()
