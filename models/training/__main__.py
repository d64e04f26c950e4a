"""Trains both networks, within an hour on two cores.

``python -m models.training WORK --icons ICONS --tables TABLES --hands HANDS`` renders what they learn from into WORK,
trains them side by side, one core each, leaves the weights beside their cards, and prints the measures that
`vision.gallery` uses; ``python -m vision.studio.weighing`` then measures those of `vision.reader`. It goes on from the
weights that are there, and dwells on what they still get wrong; with ``--anew`` it begins from nothing.
"""

import argparse
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

MODELS = Path("models")
FIRST_SEED = 700_000_000
"""Photos to learn from have seeds from 500,000,000 on, those to judge by smaller ones."""


def train(given: argparse.Namespace) -> None:
    prints, lessons = given.work / "prints", given.work / "lessons"
    _finish(_begin("vision.prints", prints))
    trial = ("--photos", given.photos) if given.photos else ()
    _finish(_begin("vision.studio.lessons", lessons, "--first", given.first, "--patterned", 0.4, *trial))
    finder = _begin(
        "models.training.finder", "--icons", given.icons, "--prints", prints, "--lessons", lessons, "--photos",
        given.tables, "--cutouts", given.hands, "--faces", 1600, "--threads", 1, "--seed", given.seed,
        *_steps(given, MODELS / "finder.onnx", 2300, (1500, 1.5e-3)),
    )  # fmt: skip
    embedder = _begin(
        "models.training.embedder", "--material", given.icons, "--lessons", lessons, "--threads", 1, "--seed",
        given.seed, *_steps(given, MODELS / "embedder.onnx", 2400, (1500, 1.5e-3)),
    )  # fmt: skip
    _finish(finder, embedder)
    files = sorted([*MODELS.glob("*.onnx"), *MODELS.glob("*.npz")])
    sums = (f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (MODELS / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
    _finish(_begin("models.training.calibrate", "--lessons", lessons))


def _steps(given: argparse.Namespace, weights: Path, anew: int, further: tuple[int, float]) -> tuple[object, ...]:
    """How many steps from nothing, or how many more and how fast from the weights that are there."""
    if given.anew:
        return "--steps", given.steps or anew
    steps, rate = further
    return "--start", weights, "--rate", rate, "--steps", given.steps or steps


Begun: TypeAlias = "tuple[str, subprocess.Popen[bytes]]"


def _begin(module: str, *words: object) -> Begun:
    print(f"{module} ...", flush=True)
    return module, subprocess.Popen([sys.executable, "-m", module, *map(str, words)])


def _finish(*begun: Begun) -> None:
    for module, running in begun:
        if running.wait():
            raise SystemExit(f"{module} failed: what it said stands above")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="an empty folder with room for 4 GB")
    parser.add_argument("--icons", type=Path, required=True, help="icon sets of the npm registry")
    parser.add_argument("--tables", type=Path, required=True, help="photos of table tops")
    parser.add_argument("--hands", type=Path, required=True, help="cut-out hands")
    parser.add_argument("--photos", type=int, help="for a trial: so many tables of each game are rendered")
    parser.add_argument(
        "--first", type=int, default=FIRST_SEED, help="the seed of the first: others teach other tables"
    )
    parser.add_argument("--seed", type=int, default=21, help="of the order in which all is learned")
    parser.add_argument("--anew", action="store_true", help="from nothing, not from the weights that are there")
    parser.add_argument("--steps", type=int, help="for a trial: so many of each network")
    train(parser.parse_args())
