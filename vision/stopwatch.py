"""How long each step of reading a picture takes."""

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from companion.registry import game_named
from vision.frame import Frame
from vision.judging import any_position
from vision.reader import Reader
from vision.studio.render import photograph

STAGES = ("register", "view", "find", "cut", "embed", "spell", "name", "read")
"""All but the first happen in every read; the plane is found once, then kept."""


def stage_times_ms(name: str, threads: int, rounds: int) -> dict[str, float]:
    """The median of each stage on one full-size photo of a game under way."""
    game = game_named(name)
    pixels, _ = photograph(game, any_position(game, 7), 7, ground_kind="mat", hands=0)
    frame, reader = Frame(pixels, 0.0, 0), Reader(game, threads=threads)
    plane = reader.register(frame)
    view = reader.view(frame, plane)
    # As when a game is followed: what was read before says where the lattice lies.
    grid = reader.read(frame, plane).grid
    candidates, _ = reader.candidates(view, plane, grid)
    crops = reader.crops(view, candidates)
    seen = reader.embed(crops)
    spelled = reader.spell(candidates, seen)
    doings: dict[str, Callable[[], Any]] = {
        "register": lambda: reader.register(frame),
        "view": lambda: reader.view(frame, plane),
        "find": lambda: reader.candidates(view, plane, grid),
        "cut": lambda: reader.crops(view, candidates),
        "embed": lambda: reader.embed(crops),
        "spell": lambda: reader.spell(candidates, seen),
        "name": lambda: reader.name(candidates, seen, spelled),
        "read": lambda: reader.read(frame, plane, grid),
    }
    return {stage: _median_ms(doings[stage], rounds) for stage in STAGES}


def _median_ms(doing: Callable[[], Any], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        doing()
        times.append((time.perf_counter() - began) * 1000)
    return median(times)
