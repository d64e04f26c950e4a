"""Trains both networks from the beginning, within an hour on two cores.

``python -m models.training WORK --icons ICONS --tables TABLES --hands HANDS`` renders what they learn from into WORK,
trains them side by side, one core each, leaves the weights beside their cards, and prints the measures that
`vision.gallery` and `vision.reader` use.
"""

import argparse
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

MODELS = Path("models")


def train(given: argparse.Namespace) -> None:
    prints, lessons = given.work / "prints", given.work / "lessons"
    _finish(_begin("vision.prints", prints))
    _finish(_begin("vision.studio.lessons", lessons, "--photos", given.photos))
    finder = _begin(
        "models.training.finder", "--icons", given.icons, "--prints", prints, "--lessons", lessons, "--photos",
        given.tables, "--cutouts", given.hands, "--steps", given.finder_steps, "--threads", 1,
    )  # fmt: skip
    embedder = _begin(
        "models.training.embedder", "--material", given.icons, "--lessons", lessons, "--steps", given.embedder_steps,
        "--threads", 1,
    )  # fmt: skip
    _finish(finder, embedder)
    files = sorted([*MODELS.glob("*.onnx"), *MODELS.glob("*.npz")])
    sums = (f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (MODELS / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
    _finish(_begin("models.training.calibrate", "--lessons", lessons))
    _finish(_begin("vision.studio.weighing"))


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
    parser.add_argument("--photos", type=int, default=300, help="how many tables of each game are rendered")
    parser.add_argument("--finder-steps", type=int, default=2300)
    parser.add_argument("--embedder-steps", type=int, default=2400)
    train(parser.parse_args())
