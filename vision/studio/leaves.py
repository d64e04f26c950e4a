"""Paper on the table: a game's mat, board or corner cards as pictures, and where their markers came to lie."""

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from companion.art import Drawing
from companion.board import Board
from companion.game import AnyGame
from companion.mats import Leaf, Mat, cards, mat, moved, stroke_shapes
from vision.frame import Pixels
from vision.raster import raster
from vision.studio.blocks import Bgr
from vision.studio.camera import Points
from vision.studio.faces import step_scale


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """One leaf as it lies: its picture, and the matrix (2 x 3) from the table's millimetres to the picture's pixels."""

    pixels: Pixels
    matrix: Points
    outline_mm: Points
    white: Bgr
    black: float
    gloss: float
    rough: float
    wave: tuple[float, float, float, float]
    """How deep its light and dark are, how they run along x and y, and where they begin."""


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """A marker on the table: its number and its corners, far left first, then clockwise."""

    number: int
    corners_mm: Points


GROUNDS = ("mat", "cards", "bare")


def lay(
    game: AnyGame, ground: str, px_per_mm: float, dice: random.Random, hard: bool
) -> tuple[tuple[Paper, ...], tuple[Marked, ...]]:
    """The papers of a game for a kind of ground: its mat, its board among corner cards, or its board alone."""
    stock = _any_stock(dice, hard)
    papers, markers = [], []
    if ground != "mat":
        papers += [_paper(leaf, game, name, px_per_mm, (0.0, 0.0, 0.0), stock) for name, leaf in _board(game)]
    if ground != "bare":
        laid = _mat(game, ground)
        offs = [_off(laid, dice, hard) for _ in laid.leaves]
        for i, (leaf, off) in enumerate(zip(laid.leaves, offs, strict=True)):
            papers.append(_paper(leaf, game, f"{laid.kind} {i}", px_per_mm, off, stock))
        markers = [_marked(laid, i, offs[i if len(offs) > 1 else 0]) for i in range(len(laid.markers))]
    return tuple(papers), tuple(markers)


def area_mm(game: AnyGame, ground: str) -> tuple[float, float]:
    """The width and height that a camera must see."""
    if ground == "bare":
        return game.board.size_mm
    if ground == "mat":
        return _mat(game, "mat").area_mm
    width, height = game.board.size_mm
    return width + 2 * 60.0, height + 2 * 60.0


@dataclass(frozen=True, slots=True)
class _Stock:
    """The paper that everything was printed on."""

    white: Bgr
    black: float
    gloss: float
    rough: float
    wave: tuple[float, float, float, float]


def _any_stock(dice: random.Random, hard: bool) -> _Stock:
    paper = dice.uniform(200, 236) if hard else dice.uniform(218, 236)
    tint = dice.uniform(0, 24 if hard else 8)
    black = dice.uniform(18, 84 if hard else 50)
    gloss = dice.choice((0.005, 0.02, 0.05, 0.1 if hard else 0.03))
    turn, long = dice.uniform(0, math.tau), dice.uniform(90, 400)
    deep = dice.uniform(0, 0.12 if hard else 0.04)
    wave = (deep, math.cos(turn) * math.tau / long, math.sin(turn) * math.tau / long, dice.uniform(0, math.tau))
    white = (paper - tint, paper - tint * 0.4, paper)
    return _Stock(white, black, gloss, dice.uniform(0.06, 0.25), wave)


def _board(game: AnyGame) -> list[tuple[str, Leaf]]:
    if not game.board.strokes:
        return []
    width, height = game.board.size_mm
    shapes = tuple(moved(shape, width / 2, height / 2) for shape in stroke_shapes(game.board))
    return [("board", Leaf(-width / 2, -height / 2, Drawing(width, height, shapes)))]


def _off(laid: Mat, dice: random.Random, hard: bool) -> tuple[float, float, float]:
    """Cards are laid by hand; a mat defines where everything is."""
    if laid.is_exact:
        return 0.0, 0.0, 0.0
    spread = 6.0 if hard else 2.0
    return dice.gauss(0, spread), dice.gauss(0, spread), dice.gauss(0, spread)


def _paper(
    leaf: Leaf, game: AnyGame, name: str, px_per_mm: float, off: tuple[float, float, float], stock: _Stock
) -> Paper:
    scale = step_scale(px_per_mm)
    pixels = _picture(game, name, scale, leaf.drawing)
    there = _placing(leaf, off)
    back = cv2.invertAffineTransform(there)
    width, height = leaf.drawing.width, leaf.drawing.height
    # The drawing fills its picture to the last pixel, so the scale is not quite the one asked for.
    right, down = pixels.shape[1] / width, pixels.shape[0] / height
    to_pixels = np.array([[right, 0, -0.5], [0, down, -0.5], [0, 0, 1]]) @ np.vstack([back, [0, 0, 1]])
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ there[:, :2].T + there[:, 2]
    return Paper(pixels, to_pixels[:2], outline, stock.white, stock.black, stock.gloss, stock.rough, stock.wave)


def _placing(leaf: Leaf, off: tuple[float, float, float]) -> Points:
    """From millimetres of the leaf to those of the table: turned about its middle, then moved."""
    x, y, degrees = off
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    half = np.array([leaf.drawing.width / 2, leaf.drawing.height / 2])
    turn = np.array([[cos, -sin], [sin, cos]])
    at = np.array([leaf.left_mm + x, leaf.top_mm + y]) + half - turn @ half
    return np.column_stack([turn, at])


def _marked(laid: Mat, number: int, off: tuple[float, float, float]) -> Marked:
    marker = laid.markers[number]
    leaf = laid.leaves[number if len(laid.leaves) > 1 else 0]
    there = _placing(leaf, off)
    inside = np.array(marker.corners_mm) - (leaf.left_mm, leaf.top_mm)
    return Marked(marker.number, inside @ there[:, :2].T + there[:, 2])


_pictures: dict[tuple[str, str, float], tuple[Board, Pixels]] = {}
_laid: dict[tuple[str, str], tuple[Board, Mat]] = {}
"""Each with the board it was drawn for, since another board may come under the same name."""


def _picture(game: AnyGame, name: str, scale: float, picture: Drawing) -> Pixels:
    key = (game.name, name, scale)
    if key not in _pictures or _pictures[key][0] is not game.board:
        _pictures[key] = (game.board, np.asarray(raster(picture, scale), np.uint8))
    return _pictures[key][1]


def _mat(game: AnyGame, kind: str) -> Mat:
    key = (game.name, kind)
    if key not in _laid or _laid[key][0] is not game.board:
        _laid[key] = (game.board, mat(game) if kind == "mat" else cards(game))
    return _laid[key][1]
