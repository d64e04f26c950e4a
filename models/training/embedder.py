"""Trains the network that tells what a crop shows: an embedding, and whether it is a tile at all.

``python -m models.training.embedder --material ICONS --lessons LESSONS --out models/embedder.onnx``, and once more with
``--start models/embedder.onnx --rate 1.5e-3`` on other lessons, to polish what the first run left.

It learns two things at once: to tell thousands of faces apart that are not ours, family by family, so that a set never
seen is told apart after enrolment; and the five printed sets as the rendered lessons show them. For these it leaves one
reference for each face and turn beside the weights. A tile may be four pictures and an icon: these have embeddings of
their own, from the same look at the tile.
"""

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.augment import grounds, shaken, views
from models.training.faces import FAMILY, make_cloths, make_faces
from models.training.settled import take_up

SIDE = 64
LENGTH = 64
TEMPERATURE = 0.07
FAMILIES, CLOTHS, RENDERED = 4, 24, 160
"""In a step so many families of faces, each face in two turns and two views, so many grounds with signs on them, and
so many crops of rendered tables."""
STATES = ("tile", "empty", "other")
HELD_SHARE = 0.08
"""The last photos of each game are kept to measure by."""
SHARES = {"paiko": 2.0, "zu_tiles_hime": 1.2, "pirates_ninjas_robots_zombies": 2.2}
"""How often a game's crops come, against the others: quarters of tiles, and small tiles in noise, are learned late."""
HARDER = 4.0
"""A crop that surprises the network an earlier run left comes so much more often, for each unit of surprise."""
PARTS = ("quarter", "quarter", "quarter", "quarter", "icon")
"""The parts of a tile: its quarters clockwise from far left, each as it would be seen there, and its middle."""
_FEW = 16
"""So many features of each spot tell what its part shows."""


class Embedder(nn.Module):
    """A small convolutional network: 64 pixels in, 64 numbers of length one out, and as many for each part."""

    def __init__(self, settled: bool = False) -> None:
        """A settled network has no batches to norm by any more: what they did is in its weights."""
        super().__init__()
        self.stem = nn.Sequential(*_layers(3, 24, 3, 2, settled=settled))
        self.near = nn.Sequential(
            *(_separable(*size, settled) for size in ((24, 32, 1), (32, 64, 2), (64, 64, 1))),
            *(Again(64, settled) for _ in range(2)),
            *(_separable(*size, settled) for size in ((64, 112, 2), (112, 112, 1))),
            *(Again(112, settled) for _ in range(2)),
        )
        self.far = nn.Sequential(*(_separable(*size, settled) for size in ((112, 160, 2), (160, 160, 1))))
        self.narrow = nn.Conv2d(160, 48, 1)
        self.last = nn.Linear(48 * 16, LENGTH)
        self.state = nn.Linear(48 * 16, len(STATES))
        self.fine = nn.Sequential(_separable(112, 128, 1, settled), nn.Conv2d(128, _FEW, 1))
        self.parts = nn.ModuleList(nn.Linear(_FEW * 16, LENGTH) for _ in PARTS)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Crops are blue, green, red from 0 to 1; gives embeddings, the logits of the states, embeddings of parts."""
        near = self.near(self.stem((crops - 0.5) * 4))
        seen = self.narrow(self.far(near)).flatten(1)
        embedded, state = self.last(seen), self.state(functional.relu(seen))
        fine = self.fine(near)
        corners = (fine[:, :, :4, :4], fine[:, :, :4, 4:], fine[:, :, 4:, 4:], fine[:, :, 4:, :4], fine[:, :, 2:6, 2:6])
        parts = [part(corner.flatten(1)) for part, corner in zip(self.parts, corners, strict=True)]
        return functional.normalize(embedded, dim=1), state, functional.normalize(torch.stack(parts, dim=1), dim=2)


class Again(nn.Module):
    """A further look at the same features, added to what was seen before."""

    def __init__(self, width: int, settled: bool) -> None:
        super().__init__()
        self.way = nn.Sequential(*_layers(width, width, 3, 1, width, settled), nn.Conv2d(width, width, 1))

    def forward(self, seen: Tensor) -> Tensor:
        return functional.relu(seen + self.way(seen))


class Exported(nn.Module):
    """The network as it is used: crops as they are in memory go in, states come out as odds."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        embedded, states, parts = self.network(crops.permute(0, 3, 1, 2).float() / 255)
        return embedded, torch.softmax(states, dim=1), parts


@dataclass(frozen=True, slots=True)
class Lessons:
    """Crops of rendered tables: their pictures, which of all labels each shows (-1 for none), and their states."""

    crops: Tensor
    labels: Tensor
    parts: Tensor
    """Which labels its parts show, for a tile that is read part by part."""
    states: Tensor
    games: Tensor


def _layers(
    inside: int, outside: int, across: int, stride: int = 1, groups: int = 1, settled: bool = False
) -> list[nn.Module]:
    convolution = nn.Conv2d(inside, outside, across, stride, across // 2, groups=groups, bias=settled)
    return [convolution, *([] if settled else [nn.BatchNorm2d(outside)]), nn.ReLU(inplace=True)]


def _separable(inside: int, outside: int, stride: int, settled: bool) -> nn.Module:
    """Each channel by itself, then all together."""
    apart = _layers(inside, inside, 3, stride, inside, settled)
    return nn.Sequential(*apart, *_layers(inside, outside, 1, settled=settled))


def settled_from(file: Path, names: list[str]) -> tuple[Embedder, Tensor]:
    """A network and its references as an earlier run wrote them; a new name starts anywhere."""
    network = Embedder(settled=True)
    take_up(network, file)
    earlier = np.load(file.with_name("printed.npz"))
    known = {str(label): vector for label, vector in zip(earlier["labels"], earlier["vectors"], strict=True)}
    anywhere = np.random.default_rng(0).normal(size=(len(names), LENGTH))
    vectors = np.stack([known.get(name, anywhere[i]) for i, name in enumerate(names)]).astype(np.float32)
    return network, functional.normalize(torch.from_numpy(vectors), dim=1)


def contrast(embedded: Tensor, labels: Tensor, alike: Tensor) -> Tensor:
    """Pulls views of one face in one turn together, pushes all else apart; look-alikes are left alone."""
    near = embedded @ embedded.T / TEMPERATURE
    same = labels[:, None] == labels[None, :]
    near = near.masked_fill(torch.eye(len(labels), dtype=torch.bool) | (alike & ~same), -1e4)
    towards = functional.log_softmax(near, dim=1)
    pairs = same & ~torch.eye(len(labels), dtype=torch.bool)
    return -(towards * pairs).sum(1).div(pairs.sum(1)).mean()


def load_lessons(folder: Path) -> tuple[Lessons, Lessons, list[str], Tensor]:
    """What to learn from, what to measure by, all labels, and how often each crop to learn from comes."""
    files = sorted(folder.glob("*.npz"))
    told = [np.load(file) for file in files]
    names = sorted({name for some in told for label in some["labels"] for name in shown_by(str(label))})
    number = {name: i for i, name in enumerate(names)}
    learned, held, weights = [], [], []
    for game, (file, some) in enumerate(zip(files, told, strict=True)):
        words = [str(label) for label in some["labels"]]
        shown = [[number[name] for name in shown_by(word)] for word in words]
        labels, parts = (np.array([(row + [-1] * 6)[at] for row in shown]) for at in (slice(0, 1), slice(1, 6)))
        states = np.array([STATES.index(word) if word in STATES else 0 for word in words])
        whole = (some["crops"], labels[:, 0], parts, states, np.full(len(words), game))
        cut = int(len(words) * (1 - HELD_SHARE))
        learned.append([part[:cut] for part in whole])
        held.append([part[cut:] for part in whole])
        weights.append(np.full(cut, SHARES.get(file.stem, 1.0) / cut))
    return _joined(learned), _joined(held), names, torch.from_numpy(np.concatenate(weights))


def _joined(parts: Sequence[Sequence[np.ndarray]]) -> Lessons:
    return Lessons(*(torch.from_numpy(np.concatenate([part[i] for part in parts])) for i in range(5)))


def shown_by(label: str) -> list[str]:
    """The names of what a crop with this label shows: a tile, or four quarters and an icon and that it has such."""
    if "|" not in label:
        return []
    game, tile, _, _ = label.split("|")
    if tile[2:3] != "/":
        return [label]
    letters = (tile[0], tile[1], tile[4], tile[3], tile[5:])
    return [f"{game}|quarters||0", *(f"{game}|{part} {letter}||0" for part, letter in zip(PARTS, letters, strict=True))]


def train(
    material: Path, lessons: Path, out: Path, faces: int, steps: int, seed: int, start: Path | None, rate: float
) -> None:
    """So many steps, progress printed, then the weights and what they reach on faces and tables never seen."""
    torch.manual_seed(seed)
    taught, kept, names, weights = load_lessons(lessons)
    bank, held = _bank(make_faces(material, faces, seed)), _bank(make_faces(material, 400, seed + 1))
    cloths = _bank(make_cloths(material, faces // 2, seed))
    anywhere = functional.normalize(torch.randn(len(names), LENGTH), dim=1)
    network, first = settled_from(start, names) if start else (Embedder(), anywhere)
    network, references = network.to(memory_format=torch.channels_last), nn.Parameter(first)
    if start:
        weights = weights * hardness(network, references, taught)
    print(f"{sum(p.numel() for p in network.parameters())} parameters, {len(names)} labels, {len(taught.crops)} crops")
    optimiser = torch.optim.AdamW([*network.parameters(), references], rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.06)
    rng, began, shown = torch.Generator().manual_seed(seed), time.monotonic(), np.zeros(5)
    for step in range(1, steps + 1):
        network.train()
        chosen = torch.multinomial(weights, RENDERED, generator=rng)
        some = cloths[torch.randint(len(cloths), (CLOTHS,), generator=rng)].float().div(255)
        losses = _losses(network, references, _families(bank, rng), some, taught, chosen, rng)
        optimiser.zero_grad()
        sum(losses).backward()
        optimiser.step()
        schedule.step()
        shown += [float(loss.detach()) for loss in losses]
        if step % 50 == 0:
            left = (time.monotonic() - began) / step * (steps - step) / 60
            print(f"step {step} of {steps}  {shown / 50}  {left:.0f} min left", flush=True)
            shown[:] = 0
        if step % 400 == 0 or step == steps:
            reached = {"unseen_faces": measure(network, held), **measure_lessons(network, references, kept)}
            print(f"  {reached}", flush=True)
            export(network, references, names, out, {"steps": step, "faces": faces, "seed": seed, **reached})


@torch.no_grad()
def hardness(network: nn.Module, references: Tensor, taught: Lessons) -> Tensor:
    """How much more often each crop comes than one that an earlier run has learned already."""
    network.eval()
    known = functional.normalize(references, dim=1)
    hard = []
    for some in torch.arange(len(taught.crops)).split(512):
        crops = taught.crops[some].permute(0, 3, 1, 2).float().div(255)
        embedded, states, parts = network(crops.contiguous(memory_format=torch.channels_last))
        surprise = functional.cross_entropy(states, taught.states[some], reduction="none")
        for seen, labels in ((embedded[:, None], taught.labels[some, None]), (parts, taught.parts[some])):
            near = (seen @ known.T / TEMPERATURE).flatten(0, 1)
            missed = functional.cross_entropy(near, labels.flatten(), reduction="none", ignore_index=-1)
            surprise = surprise + missed.view(labels.shape).sum(1)
        hard.append(1 + HARDER * surprise.clamp(max=1.5))
    return torch.cat(hard)


def _families(bank: Tensor, rng: torch.Generator) -> Tensor:
    """Some families of faces, each face in two of the four turns."""
    families = torch.randint(len(bank) // FAMILY, (FAMILIES,), generator=rng)
    chosen = bank[(families[:, None] * FAMILY + torch.arange(FAMILY)).flatten()].float().div(255)
    return torch.cat([torch.rot90(chosen, k, (2, 3)) for k in torch.randperm(4, generator=rng)[:2].tolist()])


def _losses(
    network: nn.Module,
    references: Tensor,
    turned: Tensor,
    cloths: Tensor,
    taught: Lessons,
    chosen: Tensor,
    rng: torch.Generator,
) -> tuple[Tensor, ...]:
    """Of telling faces apart, whole and as parts, of naming printed tiles and parts, and of knowing what is a tile."""
    rendered = shaken(taught.crops[chosen].permute(0, 3, 1, 2).float().div(255), rng)
    tiles = _of_four(turned)
    made_up = [views(some, SIDE, rng) for some in (turned, turned, tiles, tiles)]
    crops = torch.cat([*made_up, rendered, grounds(cloths, SIDE, rng)])
    embedded, states, parts = network(crops.contiguous(memory_format=torch.channels_last))
    embedded, parts = embedded[: -len(cloths)], parts[: -len(cloths)]
    many, made = 2 * len(turned), 2 * len(tiles)
    small = functional.interpolate(turned, size=16, mode="area").flatten(1)
    alike = (torch.cdist(small, small).div(small.shape[1] ** 0.5) < 0.03).repeat(2, 2)
    labels = torch.arange(len(turned)).repeat(2)
    apart = contrast(embedded[:many], labels, alike)
    parts_apart = contrast(parts[many : many + made, :4].flatten(0, 1), labels, alike)
    known = functional.normalize(references, dim=1)
    named = _naming(embedded[many + made :], known, taught.labels[chosen])
    parts_named = _naming(parts[many + made :], known, taught.parts[chosen])
    tile, empty = (STATES.index(state) for state in ("tile", "empty"))
    wanted = torch.cat([torch.full((many + made,), tile), taught.states[chosen], torch.full((len(cloths),), empty)])
    return apart, parts_apart, named, parts_named, functional.cross_entropy(states, wanted)


def _of_four(faces: Tensor) -> Tensor:
    """Tiles of four faces each, every one turned towards its corner; half of the tiles have another in their middle."""
    small = functional.interpolate(faces, size=SIDE // 2, mode="area").unflatten(0, (-1, 4))
    first, second, third, fourth = (torch.rot90(small[:, i], -i, (2, 3)) for i in range(4))
    tiles = torch.cat([torch.cat([first, second], dim=3), torch.cat([fourth, third], dim=3)], dim=2)
    some, side = len(tiles) // 2, round(0.4 * SIDE)
    at = slice((SIDE - side) // 2, (SIDE + side) // 2)
    tiles[:some, :, at, at] = functional.interpolate(faces[-some:], size=side, mode="area")
    return tiles


def _naming(embedded: Tensor, references: Tensor, labels: Tensor) -> Tensor:
    known = labels >= 0
    return functional.cross_entropy(embedded[known] @ references.T / TEMPERATURE, labels[known])


@torch.no_grad()
def measure(network: nn.Module, held: Tensor, shots: int = 3) -> float:
    """The share of views of unseen faces, in any turn, that are nearest to a reference of the same face and turn."""
    network.eval()
    rng = torch.Generator().manual_seed(99)
    turned = torch.cat([torch.rot90(held.float().div(255), k, (2, 3)) for k in range(4)])
    references = functional.normalize(sum(network(views(turned, SIDE, rng, easy=True))[0] for _ in range(shots)), dim=1)
    small = functional.interpolate(turned, size=16, mode="area").flatten(1)
    alike = torch.cdist(small, small).div(small.shape[1] ** 0.5) < 0.03
    right = []
    for _ in range(2):
        nearest = (network(views(turned, SIDE, rng))[0] @ references.T).argmax(1)
        right.append(alike[torch.arange(len(turned)), nearest])
    return round(float(torch.cat(right).float().mean()), 4)


@torch.no_grad()
def measure_lessons(network: nn.Module, references: Tensor, kept: Lessons) -> dict[str, float]:
    """The shares of crops of unseen photos whose name, and whose state, is right."""
    network.eval()
    seen = [network(some.permute(0, 3, 1, 2).float().div(255)) for some in kept.crops.split(512)]
    embedded, states, parts = (torch.cat([one[i] for one in seen]) for i in range(3))
    known = functional.normalize(references, dim=1).T
    named = (embedded @ known).argmax(1) == kept.labels
    parts_named = (parts @ known).argmax(2) == kept.parts
    reached = {
        "states_right": states.argmax(1) == kept.states,
        "quarters": parts_named[:, :4][kept.parts[:, :4] >= 0],
        "icons": parts_named[:, 4][kept.parts[:, 4] >= 0],
        **{f"names_{int(g)}": named[(kept.labels >= 0) & (kept.games == g)] for g in kept.games.unique()},
    }
    return {what: round(float(right.float().mean()), 4) for what, right in reached.items()}


def export(network: nn.Module, references: Tensor, names: list[str], out: Path, card: dict[str, object]) -> None:
    """Write the weights as ONNX with all that is needed to use them, and the references of the printed sets."""
    import onnx

    network.eval()
    torch.onnx.export(
        Exported(network), (torch.zeros(1, SIDE, SIDE, 3, dtype=torch.uint8),), str(out), input_names=["crops"],
        output_names=["embedding", "state", "parts"], opset_version=17, dynamo=False,
        dynamic_axes={name: {0: "n"} for name in ("crops", "embedding", "state", "parts")},
    )  # fmt: skip
    model = onnx.load(out)
    told = {
        "side": SIDE, "length": LENGTH, "states": STATES, "temperature": TEMPERATURE,
        "colour": "bgr", "range": "0..255", "layout": "n, high, wide, colour",
    }  # fmt: skip
    for key, value in {**told, **card}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, json.dumps(value)
    onnx.save(model, out)
    vectors = functional.normalize(references.detach(), dim=1).numpy().astype(np.float16)
    np.savez_compressed(out.with_name("printed.npz"), labels=np.array(names), vectors=vectors)


def _bank(pictures: Iterable[NDArray[np.uint8]]) -> Tensor:
    return torch.from_numpy(np.stack(list(pictures))).permute(0, 3, 1, 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--material", type=Path, required=True, help="icon sets of the npm registry")
    parser.add_argument("--lessons", type=Path, required=True, help="as `python -m vision.studio.lessons` writes them")
    parser.add_argument("--out", type=Path, default=Path("models/embedder.onnx"))
    parser.add_argument("--faces", type=int, default=6000)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--start", type=Path, help="weights of an earlier run to go on from")
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--threads", type=int, default=2, help="One on a busy machine: waiting threads burn the time.")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    train(given.material, given.lessons, given.out, given.faces, given.steps, given.seed, given.start, given.rate)
