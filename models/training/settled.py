"""Takes up the weights of an earlier run to train them on, without norms over batches, as the network in use is."""

from pathlib import Path

import onnx
import torch
from onnx.numpy_helper import to_array
from torch import nn


def take_up(network: nn.Module, file: Path) -> None:
    """Fill a network without norms, layer by layer in the order of the exported graph.

    Layers that the earlier network did not have come last, and stay as they are.
    """
    graph = onnx.load(file).graph
    kept = {entry.name: torch.from_numpy(to_array(entry).copy()) for entry in graph.initializer}
    with torch.no_grad():
        for kind, word in ((nn.Conv2d, "Conv"), (nn.Linear, "Gemm")):
            layers = (layer for layer in network.modules() if isinstance(layer, kind))
            nodes = (node for node in graph.node if node.op_type == word)
            for layer, node in zip(layers, nodes, strict=False):
                layer.weight.copy_(kept[node.input[1]])
                if layer.bias is not None:
                    layer.bias.copy_(kept[node.input[2]])
