"""Shows what the renderer and the simulated table can do: a page of photos, a short film."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.game import AnyGame
from vision.frame import Pixels
from vision.recorded import truth_beside
from vision.studio.render import photograph
from vision.studio.sim import SimulatedTable, Wishes


def page(positions: Sequence[tuple[AnyGame, Any]], seed: int = 0, width: int = 480) -> Pixels:
    """A page of photos: a row for each position, two plain ones on the left and two hard ones on the right."""
    rows = []
    for row, (game, state) in enumerate(positions):
        first = seed + 2 * row
        taken = [photograph(game, state, first + i, hard)[0] for hard in (False, True) for i in (0, 1)]
        size = (width, round(width * taken[0].shape[0] / taken[0].shape[1]))
        rows.append(np.hstack([cv2.resize(photo, size, interpolation=cv2.INTER_AREA) for photo in taken]))
    return np.asarray(np.vstack(rows), np.uint8)


def film(game: AnyGame, file: Path, seconds: float = 30.0, wishes: Wishes | None = None, words: bool = True) -> int:
    """Film a simulated game into an ``.mp4``, write the truth beside it, and return how many frames it has."""
    table = SimulatedTable(game, wishes or Wishes(size=(820, 616)))
    rate, size = table.wishes.rate, table.wishes.size
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
    if not writer.isOpened():
        raise OSError(f"no film can be written to {file}")
    count, happened = 0, list[dict[str, Any]]()
    try:
        for frame in islice(table, round(seconds * rate)):
            # Where frames were lost the film has no gap, so its clock is its own; it begins with the first frame.
            at = round((count - 1) / rate, 3)
            happened += [{**each, "at": at} for each in table.truth[len(happened) :]]
            writer.write(subtitled(frame.pixels, _newest(table)) if words else frame.pixels)
            count += 1
    finally:
        writer.release()
        table.close()
    lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in happened)
    truth_beside(file).write_text("".join(lines), encoding="utf-8")
    return count


def subtitled(pixels: Pixels, words: str) -> Pixels:
    """A line of words over the lower edge."""
    shown = pixels.copy()
    size = pixels.shape[1] / 1100
    at = (round(12 * size), pixels.shape[0] - round(14 * size))
    for colour, width in (((0, 0, 0), 5), ((255, 255, 255), 2)):
        cv2.putText(shown, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(width * size)), cv2.LINE_AA)
    return shown


def _newest(table: SimulatedTable) -> str:
    """What happened last, in a few words; hands that come and go are seen anyway."""
    told = [event for event in table.truth if event["kind"] in ("begun", "move", "mischief", "taken back", "over")]
    if not told:
        return ""
    last = told[-1]
    if last["kind"] == "move":
        return f"{last['player']}: {last['move']}" + ("" if last["legal"] else f"  illegal by {last['rule']}")
    return f"{last['kind']}: {last['what']}" if last["kind"] == "mischief" else str(last["kind"])
