"""Writes a short film of a simulated game, with what happens written below."""

from itertools import islice
from pathlib import Path

import cv2

from companion.game import AnyGame
from vision.frame import Pixels
from vision.sim import SimulatedTable, Wishes


def film(game: AnyGame, file: Path, seconds: float = 30.0, wishes: Wishes | None = None, words: bool = True) -> int:
    """Film a simulated game into an ``.mp4`` and return how many frames it has."""
    table = SimulatedTable(game, wishes or Wishes(size=(820, 616)))
    rate, size = table.wishes.rate, table.wishes.size
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
    if not writer.isOpened():
        raise OSError(f"no film can be written to {file}")
    count = 0
    try:
        for frame in islice(table, round(seconds * rate)):
            writer.write(subtitled(frame.pixels, _newest(table)) if words else frame.pixels)
            count += 1
    finally:
        writer.release()
        table.close()
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
