"""All faces of a game on one picture, as a maker shows a set."""

import math
import sys

import cv2
import numpy as np

from companion.art import Area, Drawing, Shape, Words, drawing
from companion.game import AnyGame
from companion.registry import games
from companion.tiles import Catalogue, Tile
from vision.raster import Pixels, raster

_CLOTH, _INK, _FAINT = "#ebe4d6", "#1e2230", "#6f6a60"
_MARGIN, _GAP, _HEAD, _LABEL = 7.0, 4.0, 13.0, 5.0
"""Millimetres round the sheet, between tiles, for the heading and for a tile's title."""

_LARGEST, _WIDEST_PX = 7.0, 1180
"""Pixels a millimetre where there is room, and pixels across where there is not."""


def contact_sheet(game: AnyGame) -> Pixels:
    """Every face once with its title, owner by owner, each with the back."""
    shown = [part for owner in _owners(game.catalogue) for part in _set_of(game, owner)]
    return _laid_out(game.title, game.catalogue, shown)


def _set_of(game: AnyGame, owner: str | None) -> list[tuple[str, Drawing]]:
    """The faces of one owner and, where it looks different, the back."""
    assert game.face is not None
    owned = [tile for tile in game.catalogue if owner in (tile.owners or (None,))]
    faces = [_captioned(tile, owner, drawing(game.face(tile.name, owner))) for tile in owned]
    back = drawing(game.back(owner)) if game.back is not None else faces[0][1]
    return faces if back in [face for _, face in faces] else [*faces, ("back", back)]


def _owners(catalogue: Catalogue) -> list[str | None]:
    return list(dict.fromkeys(owner for tile in catalogue for owner in (tile.owners or (None,))))


def _captioned(tile: Tile, owner: str | None, face: Drawing) -> tuple[str, Drawing]:
    """A face with what stands below it: nothing where the title is printed on it, the name where the title is long."""
    printed = " ".join(shape.words for shape in face.shapes if isinstance(shape, Words))
    title = tile.title if len(tile.title) <= 22 else tile.name
    caption = "" if tile.title in printed else f"{owner} {title.lower()}" if owner else title
    return caption, face


def _laid_out(title: str, catalogue: Catalogue, shown: list[tuple[str, Drawing]]) -> Pixels:
    width, height = catalogue.size_mm
    room = height + _GAP + (_LABEL if sum(bool(caption) for caption, _ in shown) > 2 else 0.0)
    across = _columns(len(shown), len(_owners(catalogue)), width + _GAP, room)
    down = math.ceil(len(shown) / across)
    places = [(_MARGIN + i % across * (width + _GAP), _MARGIN + _HEAD + i // across * room) for i in range(len(shown))]
    page = (2 * _MARGIN + across * (width + _GAP) - _GAP, 2 * _MARGIN + _HEAD + down * room - _GAP)
    labels = [
        Words((x + width / 2, y + height + 3.6), caption, min(2.9, 1.6 * width / len(caption)), _FAINT, "middle")
        for (x, y), (caption, _) in zip(places, shown, strict=True)
        if caption and room > height + _GAP
    ]
    box = ((0.0, 0.0), (page[0], 0.0), page, (0.0, page[1]))
    heading = Words((_MARGIN, _MARGIN + 6.5), title, 7.5, _INK, "start", True)
    shapes: list[Shape] = [Area((box,), _CLOTH), heading, *labels]
    px_per_mm = min(_LARGEST, _WIDEST_PX / page[0])
    sheet = raster(Drawing(*page, tuple(shapes)), px_per_mm)
    for (x, y), (_, face) in zip(places, shown, strict=True):
        _lay(sheet, raster(face, px_per_mm), round(x * px_per_mm), round(y * px_per_mm), catalogue.shape, px_per_mm)
    # Few levels pack far better into a file, and no eye tells.
    return np.minimum(np.round(sheet / 8.5) * 8.5, 255).astype(np.uint8)


def _columns(faces: int, owners: int, width: float, height: float) -> int:
    """A row an owner; else so many that the sheet is half as wide again as high, without a nearly empty last row."""
    if owners > 1:
        return max(2, faces // owners)
    wanted = max(2, round(math.sqrt(1.5 * faces * height / width)))
    return min(range(max(2, wanted - 1), wanted + 2), key=lambda across: -faces % across)


def _lay(sheet: Pixels, face: Pixels, x: int, y: int, shape: str, px_per_mm: float) -> None:
    """A face with rounded corners on its shadow."""
    height, width = face.shape[:2]
    pad = round(2 * px_per_mm)
    cut = np.zeros((height + 2 * pad, width + 2 * pad), np.float32)
    cut[pad : pad + height, pad : pad + width] = _cover(width, height, shape, 1.6 * px_per_mm)
    shadow = cv2.GaussianBlur(np.roll(cut, round(0.6 * px_per_mm), axis=0), (0, 0), 0.6 * px_per_mm)[..., None]
    under = sheet[y - pad : y + height + pad, x - pad : x + width + pad]
    under[:] = under * (1 - 0.3 * shadow)
    laid, cover = under[pad : pad + height, pad : pad + width], cut[pad : pad + height, pad : pad + width, None]
    laid[:] = np.round(laid * (1 - cover) + face * cover)


def _cover(width: int, height: int, shape: str, corner: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Which part of each pixel belongs to the tile."""
    ys, xs = np.mgrid[0:height, 0:width] + 0.5
    radius = width / 2 if shape == "disc" else corner
    dx = np.maximum(np.abs(xs - width / 2) - width / 2 + radius, 0)
    dy = np.maximum(np.abs(ys - height / 2) - height / 2 + radius, 0)
    covered: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = np.clip(radius + 0.5 - np.hypot(dx, dy), 0, 1)
    return covered.astype(np.float32)


_PACKED = [cv2.IMWRITE_PNG_COMPRESSION, 9, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE]


def main() -> None:
    """Write the sheets of all games, or of those named, into their folders of art."""
    for name in sys.argv[1:] or list(games()):
        game = games()[name]
        if game.face is not None:
            file = game.folder / "art" / "contact-sheet.png"
            cv2.imwrite(str(file), contact_sheet(game), _PACKED)
            print(f"{file.name} of {game.title}: {file.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
