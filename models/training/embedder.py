"""Trains the network that turns the picture of a tile into an embedding; one command, repeatable by its seed.

``python -m models.training.embedder --material DIR --out models/embedder.onnx``
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.augment import views
from models.training.faces import FAMILY, make_faces

SIDE = 64
LENGTH = 64
TEMPERATURE = 0.07
RATE = 4e-3


class Embedder(nn.Module):
    """A small convolutional network: 64 pixels in, 64 numbers of length one out."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = _block(3, 24, 2)
        self.body = nn.Sequential(
            _separable(24, 32, 1), _separable(32, 64, 2), _separable(64, 64, 1),
            _separable(64, 112, 2), _separable(112, 112, 1), _separable(112, 160, 2), _separable(160, 160, 1),
        )  # fmt: skip
        self.narrow = nn.Conv2d(160, 48, 1)
        self.last = nn.Linear(48 * 16, LENGTH)

    def forward(self, crops: Tensor) -> Tensor:
        """Crops are blue, green, red from 0 to 1."""
        seen = self.body(self.stem((crops - 0.5) * 4))
        return functional.normalize(self.last(self.narrow(seen).flatten(1)), dim=1)


def _block(inside: int, outside: int, stride: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


def _separable(inside: int, outside: int, stride: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inside, inside, 3, stride, 1, groups=inside, bias=False),
        nn.BatchNorm2d(inside),
        nn.ReLU(inplace=True),
        nn.Conv2d(inside, outside, 1, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


def contrast(embedded: Tensor, labels: Tensor, alike: Tensor) -> Tensor:
    """Pulls views of one face in one turn together, pushes all else apart; look-alikes are left alone."""
    near = embedded @ embedded.T / TEMPERATURE
    same = labels[:, None] == labels[None, :]
    near = near.masked_fill(torch.eye(len(labels), dtype=torch.bool) | (alike & ~same), -1e4)
    towards = functional.log_softmax(near, dim=1)
    pairs = same & ~torch.eye(len(labels), dtype=torch.bool)
    return -(towards * pairs).sum(1).div(pairs.sum(1)).mean()


def train(material: Path, out: Path, faces: int, steps: int, seed: int) -> None:
    """So many steps on so many faces, progress printed, then the weights and what they reach on faces never seen."""
    torch.manual_seed(seed)
    bank, held = _bank(material, faces, seed), _bank(material, 400, seed + 1)
    network = Embedder().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=0.05)
    rng, began = torch.Generator().manual_seed(seed), time.monotonic()
    for step in range(1, steps + 1):
        loss = _step(network, bank, optimiser, rng)
        schedule.step()
        if step % 100 == 0:
            left = (time.monotonic() - began) / step * (steps - step) / 60
            print(f"step {step} of {steps}  loss {loss:.3f}  {left:.0f} min left", flush=True)
        if step % 1000 == 0 or step == steps:
            measured = measure(network, held)
            print(f"  unseen faces right: {measured:.4f}", flush=True)
            export(network, out, {"steps": step, "faces": faces, "seed": seed, "unseen_right": round(measured, 4)})


def _step(network: nn.Module, bank: Tensor, optimiser: torch.optim.Optimizer, rng: torch.Generator) -> float:
    network.train()
    families = torch.randint(len(bank) // FAMILY, (6,), generator=rng)
    chosen = (families[:, None] * FAMILY + torch.arange(FAMILY)).flatten()
    turned = torch.cat([torch.rot90(bank[chosen], k, (2, 3)) for k in torch.randperm(4, generator=rng)[:2].tolist()])
    labels = torch.arange(len(turned))
    crops = torch.cat([views(turned, SIDE, rng), views(turned, SIDE, rng)])
    small = functional.interpolate(turned, size=16, mode="area").flatten(1)
    alike = torch.cdist(small, small).div(small.shape[1] ** 0.5) < 0.03
    loss = contrast(network(crops.to(memory_format=torch.channels_last)), labels.repeat(2), alike.repeat(2, 2))
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return float(loss.detach())


@torch.no_grad()
def measure(network: nn.Module, held: Tensor, shots: int = 3) -> float:
    """The share of views of unseen faces, in any turn, that are nearest to a reference of the same face and turn."""
    network.eval()
    rng = torch.Generator().manual_seed(99)
    turned = torch.cat([torch.rot90(held, k, (2, 3)) for k in range(4)])
    references = functional.normalize(sum(network(views(turned, SIDE, rng, easy=True)) for _ in range(shots)), dim=1)
    small = functional.interpolate(turned, size=16, mode="area").flatten(1)
    alike = torch.cdist(small, small).div(small.shape[1] ** 0.5) < 0.03
    right = []
    for _ in range(2):
        nearest = (network(views(turned, SIDE, rng)) @ references.T).argmax(1)
        right.append(alike[torch.arange(len(turned)), nearest])
    return float(torch.cat(right).float().mean())


def export(network: nn.Module, out: Path, card: dict[str, object]) -> None:
    """Write the weights as ONNX with all that is needed to use them."""
    import onnx

    network.eval()
    torch.onnx.export(
        network, (torch.zeros(1, 3, SIDE, SIDE),), str(out), input_names=["crops"], output_names=["embedding"],
        dynamic_axes={"crops": {0: "n"}, "embedding": {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(out)
    for key, value in {"side": SIDE, "length": LENGTH, "colour": "bgr", "range": "0..1", **card}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, json.dumps(value)
    onnx.save(model, out)


def _bank(material: Path, count: int, seed: int) -> Tensor:
    pictures = np.stack(list(make_faces(material, count, seed)))
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float().div(255)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--material", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("models/embedder.onnx"))
    parser.add_argument("--faces", type=int, default=8000)
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2, help="One on a busy machine: waiting threads burn the time.")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    train(given.material, given.out, given.faces, given.steps, given.seed)
