"""The faces of tiles as small pictures: from the game's own drawings, printed, cut and a little worn."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art import Area, Drawing, Line, Point, Shape, Words, drawing
from companion.game import AnyGame
from companion.table import Piece
from vision.frame import Pixels
from vision.raster import raster
from vision.studio.blocks import PAD, Bgr, Block, Sprite, sprite


@dataclass(frozen=True, slots=True)
class Finish:
    """How one set was made: its paper and ink, its edges and how it shines."""

    white: Bgr
    black: float
    side: Bgr
    rim: float
    """How much of the side's colour shows along the cut edge."""
    gloss: float
    rough: float
    corner_mm: float


_SIDES: tuple[Bgr, ...] = (
    (150, 190, 215),
    (110, 150, 180),
    (200, 210, 214),
    (225, 228, 230),
    (60, 60, 62),
    (140, 146, 150),
    (70, 100, 130),
)


def any_finish(dice: random.Random, hard: bool) -> Finish:
    """A set by chance: printed on card, glued on wood, laminated."""
    paper = dice.uniform(205, 236) if hard else dice.uniform(220, 238)
    tint = dice.uniform(0, 22 if hard else 10)
    return Finish(
        white=(paper - tint, paper - tint * 0.4, paper),
        black=dice.uniform(14, 70 if hard else 44),
        side=dice.choice(_SIDES),
        rim=dice.uniform(0.1, 0.6),
        gloss=dice.choice((0.01, 0.03, 0.06, 0.12 if hard else 0.06)),
        rough=dice.uniform(0.05, 0.2),
        corner_mm=dice.choice((0.3, 0.8, 1.5)),
    )


_drawn: dict[tuple[str, Any, str, str | None, float], Pixels] = {}
"""Faces already drawn; drawing takes longer than all else about a tile."""


def face(game: AnyGame, tile: str, owner: str | None, px_per_mm: float) -> Pixels:
    """The upright face of a tile at about this scale."""
    scale = step_scale(px_per_mm)
    # The function itself, not its id: an id is given again once the function is gone.
    key = (game.name, game.face, tile, owner, scale)
    if key not in _drawn:
        picture = drawing(game.face(tile, owner)) if game.face is not None else plain_face(game, tile, owner)
        _drawn[key] = np.asarray(raster(picture, scale), np.uint8)
    return _drawn[key]


def step_scale(px_per_mm: float) -> float:
    """The next larger of a few scales, so that pictures can be kept."""
    return round(1.25 ** math.ceil(math.log(max(px_per_mm, 0.8), 1.25) - 0.35), 4)


def plain_face(game: AnyGame, tile: str, owner: str | None) -> Drawing:
    """For a game without drawings: the tile's letter on the colour of its owner."""
    width, height = game.catalogue.size_mm
    ground = _OWNERS.get(owner or "", "#e8dfc8")
    ink = "#f2ead8" if sum(int(ground[i : i + 2], 16) for i in (1, 3, 5)) < 330 else "#26262b"
    box: tuple[Point, ...] = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    shapes: list[Shape] = [Area((box,), ground)]
    if game.catalogue.shape == "disc":
        ring = tuple(
            (width / 2 + 0.36 * width * math.cos(turn), height / 2 + 0.36 * height * math.sin(turn))
            for turn in np.linspace(0, math.tau, 49)
        )
        return Drawing(width, height, (*shapes, Line(ring, width * 0.05, ink)))
    letter = game.catalogue[tile].letter if tile in game.catalogue else tile
    frame = tuple((width / 2 + (x - width / 2) * 0.88, height / 2 + (y - height / 2) * 0.88) for x, y in (*box, box[0]))
    size = min(height * 0.5, width * 1.2 / max(1, len(letter)))
    shapes += [
        Line(frame, width * 0.03, _TONES[sum(map(ord, tile)) % len(_TONES)]),
        Words((width / 2, height / 2 + size * 0.36), letter, size, ink, "middle", True),
    ]
    return Drawing(width, height, tuple(shapes))


_OWNERS: Mapping[str, str] = {
    "white": "#f7f0df",
    "black": "#26262b",
    "south": "#e9cdb8",
    "west": "#c3dcd4",
    "north": "#c4d2ea",
    "east": "#dccae4",
}
_TONES = ("#b5532a", "#2f7d6b", "#355f9e", "#8a5a9e", "#c49a22", "#4d4d4d")


def printed(pixels: Pixels, finish: Finish, shape: str, px_per_mm: float) -> Sprite:
    """A drawn face as ink on this set's paper, cut out."""
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    ink = finish.black + levels * (np.array(finish.white, np.float32) - finish.black)
    inked = cv2.LUT(pixels, np.clip(ink, 0, 255).astype(np.uint8).reshape(1, 256, 3))
    cover = _cut(pixels.shape[1], pixels.shape[0], shape, finish.corner_mm * px_per_mm)
    inner = cv2.erode(cover, np.ones((3, 3), np.uint8), borderValue=0)
    rim = ((255 - inner).astype(np.float32) / 255 * finish.rim)[..., None]
    worn = inked * (1 - rim) + np.array(finish.side, np.float32) * rim
    return sprite(worn.astype(np.uint8), cover)


def _cut(width: int, height: int, shape: str, corner_px: float) -> NDArray[np.uint8]:
    cover = np.zeros((height, width), np.uint8)
    if shape == "disc":
        # The circle's edge lies on the picture's, in sixteenths of a pixel.
        axes = (round(width * 8), round(height * 8))
        cv2.ellipse(cover, (width * 8 - 8, height * 8 - 8), axes, 0, 0, 360, 255, -1, cv2.LINE_AA, 4)
        return cover
    r = max(0, min(round(corner_px), width // 4))
    cv2.rectangle(cover, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(cover, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x, y in ((r, r), (width - 1 - r, r), (r, height - 1 - r), (width - 1 - r, height - 1 - r)):
        cv2.circle(cover, (x, y), r, 255, -1, cv2.LINE_AA)
    return cover


class FaceTray:
    """The faces of one set in one photo, each made once."""

    def __init__(self, game: AnyGame, finish: Finish, px_per_mm: float) -> None:
        self.game = game
        self.finish = finish
        self.px_per_mm = px_per_mm
        self._made: dict[tuple[str, str | None], Sprite] = {}

    def block(self, piece: Piece, x_mm: float, y_mm: float, angle_deg: float, **more: Any) -> Block:
        """A tile of this set, lying there."""
        catalogue, finish = self.game.catalogue, self.finish
        return Block(
            "tile",
            self._face(piece.tile, piece.owner),
            catalogue.size_mm,
            catalogue.thickness_mm,
            x_mm,
            y_mm,
            angle_deg,
            round=catalogue.shape == "disc",
            corner_mm=0.0 if catalogue.shape == "disc" else finish.corner_mm,
            side=self._side(piece),
            gloss=finish.gloss,
            rough=finish.rough,
            **more,
        )

    def _face(self, tile: str, owner: str | None) -> Sprite:
        key = (tile, owner)
        if key not in self._made:
            pixels = face(self.game, tile, owner, self.px_per_mm)
            self._made[key] = printed(pixels, self.finish, self.game.catalogue.shape, step_scale(self.px_per_mm))
        return self._made[key]

    def _side(self, piece: Piece) -> Bgr:
        """Discs are turned from one stuff, so their sides have the colour of their faces' rims."""
        if self.game.catalogue.shape != "disc":
            return self.finish.side
        pixels = self._face(piece.tile, piece.owner).pixels
        blue, green, red = pixels[pixels.shape[0] // 2, PAD + pixels.shape[1] // 12, :3].astype(float)
        return float(blue), float(green), float(red)
