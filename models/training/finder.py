"""Trains the network that finds tiles in a top view of the table; one command, repeatable by its seed.

``python -m vision.prints PRINTS`` and ``python -m vision.studio.lessons LESSONS`` first, then
``python -m models.training.finder --icons DIR --prints PRINTS --lessons LESSONS --photos DIR --cutouts DIR``,
and once more with ``--start models/finder.onnx --rate 5e-4`` on other lessons, to polish what the first run left.
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel

from models.training.augment import in_noise, veiled
from models.training.settled import take_up
from models.training.tables import SHAPES, SIDE, TILE_PX, Lying, Material, Scene, compose, load_material

STRIDE = 4
CHANNELS = ("right", "down", "cos4", "sin4", "cos2", "sin2")
NEW, OLD, RENDERED = 6, 4, 6
"""Scenes of a batch that were never seen, those that come again, turned or mirrored, and parts of rendered photos."""
HELD_SHARE = 0.08
"""The last photos of each game are kept to measure by."""
SURE, HIDDEN = 0.6, 0.25
"""A tile is to be found when so much of it is to be seen; between the two it may be found or not."""
KEPT, AHEAD = 9000, 240
HARDER = 4.0
"""A scene in which an earlier run misses tiles comes so much more often, for each unit of its loss."""
HELD = 10**9
"""Seeds from here on are never trained on."""


class Finder(nn.Module):
    """Deep at a sixteenth of the size, back to a quarter: for each cell how sure, where the middle is, how turned."""

    def __init__(self, settled: bool = False) -> None:
        """A settled network has no batches to norm by any more: what they did is in its weights."""
        super().__init__()
        spread = partial(Spread, settled=settled)
        # One wide look to a quarter of the size: full-size layers would take half of all the time.
        self.quarter = nn.Sequential(*_normed(nn.Conv2d(3, 32, 8, STRIDE, 2, bias=settled), settled), spread(32, 40, 3))
        self.eighth = nn.Sequential(spread(40, 80, stride=2), spread(80, 80), spread(80, 80))
        self.sixteenth = nn.Sequential(spread(80, 128, stride=2), *(spread(128, 128) for _ in range(4)))
        self.up_eighth = nn.Conv2d(128, 80, 1)
        self.middle = nn.Sequential(spread(80, 80), spread(80, 80))
        self.up_quarter = nn.Conv2d(80, 40, 1)
        self.last = nn.Sequential(spread(40, 40, 3), spread(40, 48, 3))
        self.heat = nn.Conv2d(48, len(SHAPES), 1)
        self.fields = nn.Conv2d(48, len(CHANNELS), 1)
        # Nearly nothing is a tile's middle: starting there saves the first thousand steps.
        nn.init.constant_(self.heat.bias, -4.0)

    def forward(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Views are blue, green, red from 0 to 1; gives logits and fields."""
        quarter = self.quarter((views - 0.45) * 4)
        eighth = self.eighth(quarter)
        deep = self.sixteenth(eighth)
        eighth = self.middle(eighth + functional.interpolate(self.up_eighth(deep), scale_factor=2.0))
        quarter = self.last(quarter + functional.interpolate(self.up_quarter(eighth), scale_factor=2.0))
        return self.heat(quarter), self.fields(quarter)


class Exported(nn.Module):
    """The network as it is used: a picture as it is in memory goes in, peaks of sureness come out."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, view: Tensor) -> tuple[Tensor, Tensor]:
        heat, fields = self.network(view.permute(2, 0, 1).unsqueeze(0).float() / 255)
        sure = torch.sigmoid(heat)
        peaks = sure * (sure == functional.max_pool2d(sure, 3, 1, 1))
        return peaks[0], fields[0]


class Spread(nn.Module):
    """Each channel by itself over so many pixels, then all together; with a way past it where nothing changes size."""

    def __init__(self, inside: int, outside: int, across: int = 5, stride: int = 1, settled: bool = False) -> None:
        super().__init__()
        self.past = inside == outside and stride == 1
        self.way = nn.Sequential(
            nn.Conv2d(inside, inside, across, stride, across // 2, groups=inside, bias=False),
            *_normed(nn.Conv2d(inside, outside, 1, bias=settled), settled),
        )

    def forward(self, seen: Tensor) -> Tensor:
        return seen + self.way(seen) if self.past else self.way(seen)


def _normed(convolution: nn.Conv2d, settled: bool) -> list[nn.Module]:
    norms = [] if settled else [nn.BatchNorm2d(convolution.out_channels)]
    return [convolution, *norms, nn.ReLU(inplace=True)]


def targets(scene: Scene) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Sureness, with -1 where it does not matter; and the fields of the cells around each middle, else not a number."""
    cells = SIDE // STRIDE
    heat = np.zeros((cells, cells), np.float32)
    fields = np.full((len(CHANNELS), cells, cells), np.nan, np.float32)
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for tile in scene.tiles:
        across, down = ((part + 0.5) / STRIDE - 0.5 for part in (tile.x, tile.y))
        column, row = round(across), round(down)
        if tile.visible < HIDDEN or not (0 <= column < cells and 0 <= row < cells):
            continue
        near = (slice(max(0, row - 4), row + 5), slice(max(0, column - 4), column + 5))
        right, below = across - x[near], down - y[near]
        far = right**2 + below**2
        if tile.visible < SURE:
            heat[near][far < 9] = -1
            continue
        heat[near] = np.maximum(heat[near], np.exp(-far / (2 * 1.2**2)))
        heat[row, column] = 1.0
        turn = np.radians(tile.angle_deg)
        told = (right, below, *(np.full_like(right, part) for part in _angles(float(turn), scene.shape)))
        fields[(slice(None), *near)][:, far < 2.9] = np.stack(told)[:, far < 2.9]
    return heat, fields


def _angles(turn: float, shape: int) -> tuple[float, ...]:
    nothing = float("nan")
    quarter = (np.cos(4 * turn), np.sin(4 * turn)) if shape != 2 else (nothing, nothing)
    half = (np.cos(2 * turn), np.sin(2 * turn)) if shape == 1 else (nothing, nothing)
    return (*quarter, *half)


def loss_of(heat: Tensor, fields: Tensor, wanted: Tensor, told: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor]:
    """A focal loss of the scene's own shape, and how far off the fields are where they are told."""
    logit = heat[torch.arange(len(heat)), shapes]
    sure = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    there, matters = wanted == 1, wanted >= 0
    hit = -torch.log(sure) * (1 - sure) ** 2 * there
    false = -torch.log(1 - sure) * sure**2 * (1 - wanted.clamp(min=0)) ** 4 * (matters & ~there)
    known = ~torch.isnan(told)
    off = functional.smooth_l1_loss(fields[known], told[known], beta=0.2)
    return (hit.sum() + false.sum()) / there.sum().clamp(min=8), off


def load_rendered(folder: Path) -> tuple[list[Scene], list[Scene]]:
    """Parts of rendered photos to learn from, and those to measure by."""
    learned: list[Scene] = []
    held: list[Scene] = []
    for file in sorted(folder.glob("*.npz")):
        told = np.load(file)
        shape = SHAPES.index(str(told["shape"]))
        views, tiles = told["views"], json.loads(str(told["tiles"]))
        scenes = [Scene(view, shape, tuple(Lying(*t) for t in some)) for view, some in zip(views, tiles, strict=True)]
        cut = int(len(scenes) * (1 - HELD_SHARE))
        learned, held = learned + scenes[:cut], held + scenes[cut:]
    return learned, held


def train(
    material: Material,
    rendered: list[Scene],
    kept: list[Scene],
    out: Path,
    steps: int,
    seed: int,
    start: Path | None,
    rate: float,
) -> None:
    """So many steps, progress printed, then the weights and what they reach on scenes never seen."""
    torch.manual_seed(seed)
    network = Finder(settled=start is not None).to(memory_format=torch.channels_last)
    if start:
        take_up(network, start)
    print(f"{sum(p.numel() for p in network.parameters())} parameters", flush=True)
    smooth = AveragedModel(network, avg_fn=_averaged, use_buffers=True)
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.08)
    held = [compose(material, HELD + number) for number in range(120)]
    often = hardness(network, rendered) if start else np.ones(len(rendered))
    rng, began, shown = torch.Generator().manual_seed(seed), time.monotonic(), np.zeros(2)
    for step, batch in enumerate(_batches(material, rendered, often, steps, seed), start=1):
        shown += _step(network, batch, optimiser, rng)
        schedule.step()
        smooth.update_parameters(network)
        if step % 50 == 0:
            left = (time.monotonic() - began) / step * (steps - step) / 60
            print(f"step {step} of {steps}  {shown / 50}  {left:.0f} min left", flush=True)
            shown[:] = 0
        if step % 500 == 0 or step == steps:
            reached = {**measure(smooth.module, held), **measure(smooth.module, kept, "rendered_")}
            print(f"  unseen scenes: {reached}", flush=True)
            export(smooth.module, out, {"steps": step, "seed": seed, **reached})


@torch.no_grad()
def hardness(network: nn.Module, scenes: list[Scene]) -> NDArray[np.float64]:
    """How much more often each scene comes than one in which an earlier run finds everything already."""
    network.eval()
    missed = []
    for scene in scenes:
        pixels, wanted, told, shapes = _as_batch([scene])
        views = pixels.permute(0, 3, 1, 2).float().div(255)
        missed.append(float(loss_of(*network(views), wanted, told, shapes)[0]))
    return 1 + HARDER * np.clip(missed, 0, 1.5)


def _averaged(mean: Tensor, latest: Tensor, count: Tensor | int) -> Tensor:
    """The latest few hundred steps; fewer at first, or the weights it began with would never be forgotten in time."""
    share = min(0.998, (1 + int(count)) / (10 + int(count)))
    return mean + (latest - mean) * (1 - share) if mean.is_floating_point() else latest


def _step(
    network: nn.Module, batch: tuple[Tensor, ...], optimiser: torch.optim.Optimizer, rng: torch.Generator
) -> NDArray[np.float64]:
    network.train()
    pixels, wanted, told, shapes = batch
    views = pixels.permute(0, 3, 1, 2).float().div(255)
    again = veiled(in_noise(views[NEW:], rng, 0.035, 0.7), rng).clamp(0, 1)
    views = torch.cat([views[:NEW], again]).contiguous(memory_format=torch.channels_last)
    sure, off = loss_of(*network(views), wanted, told, shapes)
    optimiser.zero_grad()
    (sure + 2 * off).backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimiser.step()
    return np.array([float(sure.detach()), float(off.detach())])


_shared: Material | None = None
"""What the composing processes inherit."""


def _composed(seed: int) -> Scene:
    assert _shared is not None
    return compose(_shared, seed)


def _batches(
    material: Material, rendered: list[Scene], often: NDArray[np.float64], steps: int, seed: int
) -> Iterator[tuple[Tensor, ...]]:
    """New scenes from a process beside this one, old and rendered ones turned; in the same order for the same seed."""
    global _shared
    _shared = material
    rng = np.random.default_rng(seed)
    kept: list[Scene] = []
    new: list[Scene] = []
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for number, scene in enumerate(_fresh(pool, steps * NEW, seed * 10_000_000)):
            if len(kept) < KEPT:
                kept.append(scene)
            else:
                kept[int(rng.integers(KEPT))] = scene
            new = [*(new if number % NEW else []), scene]
            if len(new) == NEW:
                old = [kept[int(rng.integers(len(kept)))] for _ in range(OLD)]
                old += [rendered[i] for i in rng.choice(len(rendered), RENDERED, p=often / often.sum())]
                yield _as_batch([*new, *(_turned(scene, rng) for scene in old)])


def _fresh(pool: Pool, count: int, first: int) -> Iterator[Scene]:
    """Scenes in the order of their seeds, one load of them ahead and no more."""
    loads = [range(first + start, first + min(start + AHEAD, count)) for start in range(0, count, AHEAD)]
    coming = pool.map_async(_composed, loads[0])
    for load in [*loads[1:], None]:
        ready = coming.get()
        if load is not None:
            coming = pool.map_async(_composed, load)
        yield from ready


def _turned(scene: Scene, rng: np.random.Generator) -> Scene:
    """The same scene after a quarter turn or more, and perhaps in a mirror."""
    pixels, tiles, last = scene.pixels, scene.tiles, SIDE - 1
    for _ in range(int(rng.integers(4))):
        pixels = np.rot90(pixels)
        tiles = tuple(Lying(t.y, last - t.x, t.angle_deg - 90, t.visible) for t in tiles)
    if rng.random() < 0.5:
        pixels = pixels[:, ::-1]
        tiles = tuple(Lying(last - t.x, t.y, -t.angle_deg, t.visible) for t in tiles)
    return Scene(np.ascontiguousarray(pixels), scene.shape, tiles)


def _as_batch(scenes: list[Scene]) -> tuple[Tensor, ...]:
    made = [targets(scene) for scene in scenes]
    return (
        torch.from_numpy(np.stack([scene.pixels for scene in scenes])),
        torch.from_numpy(np.stack([heat for heat, _ in made])),
        torch.from_numpy(np.stack([fields for _, fields in made])),
        torch.tensor([scene.shape for scene in scenes]),
    )


@torch.no_grad()
def measure(network: nn.Module, held: list[Scene], kind: str = "", enough: float = 0.35) -> dict[str, float]:
    """Recall and precision on scenes never seen, and how far off middles are in pixels."""
    network.eval()
    found = missed = false = 0
    off: list[float] = []
    for scene in held:
        peaks, fields = Exported(network)(torch.from_numpy(scene.pixels))
        rows, columns = np.nonzero(peaks[scene.shape].numpy() > enough)
        told = fields[:2, rows, columns].numpy()
        at = (np.column_stack([columns, rows]) + told.T + 0.5) * STRIDE - 0.5
        inside = [t for t in scene.tiles if 0 <= t.x < SIDE and 0 <= t.y < SIDE]
        middles = np.array([(t.x, t.y) for t in inside]).reshape(-1, 2)
        far = np.linalg.norm(middles[:, None] - at[None], axis=-1)
        near = far.min(axis=1, initial=99.0)
        sure = np.array([t.visible >= SURE for t in inside], bool)
        hit = near < TILE_PX / 4
        found, missed = found + int((hit & sure).sum()), missed + int((~hit & sure).sum())
        off += near[hit & sure].tolist()
        false += int((far.min(axis=0, initial=99.0) >= TILE_PX / 4).sum())
    recall, precision = found / max(1, found + missed), found / max(1, found + false)
    reached = {"recall": recall, "precision": precision, "off_px": float(np.mean(off or [0]))}
    return {kind + what: round(share, 4) for what, share in reached.items()}


def export(network: nn.Module, out: Path, card: dict[str, object]) -> None:
    """Write the weights as ONNX with all that is needed to use them."""
    import onnx

    network.eval()
    sides = {0: "high", 1: "wide"}
    torch.onnx.export(
        Exported(network), (torch.zeros(SIDE, SIDE, 3, dtype=torch.uint8),), str(out), input_names=["view"],
        output_names=["peaks", "fields"], opset_version=17, dynamo=False,
        dynamic_axes={"view": sides, "peaks": {1: "rows", 2: "columns"}, "fields": {1: "rows", 2: "columns"}},
    )  # fmt: skip
    model = onnx.load(out)
    told = {
        "tile_px": TILE_PX, "stride": STRIDE, "multiple": 16, "shapes": SHAPES, "channels": CHANNELS,
        "colour": "bgr", "range": "0..255", "layout": "high, wide, colour",
    }  # fmt: skip
    for key, value in {**told, **card}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, json.dumps(value)
    onnx.save(model, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--icons", type=Path, required=True)
    parser.add_argument("--prints", type=Path)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--cutouts", type=Path)
    parser.add_argument("--out", type=Path, default=Path("models/finder.onnx"))
    parser.add_argument("--faces", type=int, default=4000)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--start", type=Path, help="weights of an earlier run to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=2, help="one is quicker where others use the cores too")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    # A process that is forked inherits OpenCV's locks but not its threads, and would wait for them for ever.
    cv2.setNumThreads(0)
    stuff = load_material(given.icons, given.prints, given.photos, given.cutouts, given.faces, given.seed)
    train(stuff, *load_rendered(given.lessons), given.out, given.steps, given.seed, given.start, given.rate)
