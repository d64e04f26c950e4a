"""Draws what was read over the picture it was read from."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table import Piece
from vision.frame import Pixels
from vision.reading import SeenTile, TableRead

_SURE, _ASKED, _UNKNOWN = (90, 200, 60), (0, 170, 255), (60, 60, 235)


def annotated(pixels: Pixels, read: TableRead, ask_below: float) -> Pixels:
    """The picture with every tile outlined and named: green where it is sure, amber where it would be asked about."""
    drawn = pixels.copy()
    width = max(2, pixels.shape[1] // 700)
    for tile in read.tiles:
        colour = _colour(tile, ask_below)
        outline = np.round(tile.corners_px).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(drawn, [outline], True, colour, width, cv2.LINE_AA)
        wide = float(np.ptp(outline[:, 0, 0]))
        _write(drawn, _words(tile), tile.centre_px, colour, wide)
    return np.asarray(drawn, np.uint8)


def captioned(pixels: Pixels, lines: Sequence[str]) -> Pixels:
    """The picture with sentences under it."""
    high = 26 * len(lines) + 12
    under = np.full((high, pixels.shape[1], 3), 24, np.uint8)
    for i, line in enumerate(lines):
        cv2.putText(under, line, (10, 26 * i + 26), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 1, cv2.LINE_AA)
    return np.vstack([pixels, under])


def short(piece: Piece) -> str:
    """A piece in a few letters: its name, whose, and an arrow's worth of turn."""
    parts = [piece.tile, (piece.owner or "")[:1], "" if piece.facing is None else str(piece.facing)]
    return " ".join(part for part in parts if part)


def _words(tile: SeenTile) -> str:
    name = "unknown" if tile.piece is None else short(tile.piece)
    return name if tile.piece is not None and tile.probability > 0.995 else f"{name} {tile.probability:.0%}"


def _colour(tile: SeenTile, ask_below: float) -> tuple[int, int, int]:
    if tile.piece is None:
        return _UNKNOWN
    return _SURE if tile.probability >= ask_below else _ASKED


def _write(drawn: Pixels, words: str, at: tuple[float, float], colour: tuple[int, int, int], wide: float) -> None:
    """Words on a dark ground, no wider than the tile, so that those of neighbours stay apart."""
    full, _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)
    size = min(0.9, max(0.28, 0.92 * wide / full[0]))
    (long, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, base = round(at[0] - long / 2), round(at[1] + high / 2)
    cv2.rectangle(drawn, (left - 2, base - high - 3), (left + long + 2, base + 3), (24, 24, 24), -1)
    cv2.putText(drawn, words, (left, base), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
