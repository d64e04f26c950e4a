"""Lays the tiles of a position on the table as people do: not quite on their places and not quite straight."""

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.game import AnyGame
from companion.table import Layout, Piece, Place
from vision.studio.blocks import Block
from vision.studio.camera import Points
from vision.studio.faces import FaceTray


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A tile of the game on the table."""

    place: Place
    piece: Piece
    block: Block


def strewn(game: AnyGame, layout: Layout, tray: FaceTray, dice: random.Random, hard: bool) -> tuple[Lying, ...]:
    """The tiles of a layout as people lay them, never one through another."""
    places = list(layout)
    spots = [game.board.spot(place) for place in places]
    room = room_mm(game)
    spread = min(2.2 if hard else 1.0, 0.35 * room + 0.25)
    at = np.array([[spot.x_mm + dice.gauss(0, spread), spot.y_mm + dice.gauss(0, spread)] for spot in spots])
    turns = [_turn(game, layout[place], dice) for place in places]
    tilt = (5.0 if hard else 2.2) * min(1.0, 0.4 + 0.2 * room)
    angles = [spot.angle_deg + turn + dice.gauss(0, tilt) for spot, turn in zip(spots, turns, strict=True)]
    at = _apart(at.reshape(-1, 2), np.array(angles), game)
    lean = 0.02 if hard else 0.008
    return tuple(
        Lying(
            place,
            layout[place],
            tray.block(layout[place], float(x), float(y), angle, lean=(dice.gauss(0, lean), dice.gauss(0, lean))),
        )
        for place, (x, y), angle in zip(places, at, angles, strict=True)
    )


def _turn(game: AnyGame, piece: Piece, dice: random.Random) -> float:
    """Where its turn says nothing a tile lies as it likes; one that is named as it lies is not turned further."""
    if piece.facing is not None:
        return 90.0 * piece.facing
    if game.catalogue.shape == "disc":
        return dice.uniform(0, 360)
    if game.catalogue.shape == "card":
        return dice.choice((0.0, 0.0, 180.0))
    turns = game.catalogue[piece.tile].turns if piece.tile in game.catalogue else 4
    return float(dice.choice(range(0, 360, 360 // (4 // turns)))) if turns < 4 else 0.0


def room_mm(game: AnyGame) -> float:
    """The gap between tiles on neighbouring places."""
    if game.board.lattice is not None:
        return max(0.0, game.board.lattice.pitch_mm - max(game.catalogue.size_mm))
    spots = np.array([(spot.x_mm, spot.y_mm) for spot in game.board.places.values()])
    if len(spots) < 2:
        return 3.0
    gaps = np.linalg.norm(spots[:, None] - spots[None], axis=-1) + np.eye(len(spots)) * 1e6
    return float(max(0.0, gaps.min() - min(game.catalogue.size_mm)))


def _apart(at: Points, angles: NDArray[np.float64], game: AnyGame) -> Points:
    """Push tiles that overlap apart, along the shorter way, until none does."""
    width, height = game.catalogue.size_mm
    quarter = np.radians(angles)
    wide = np.abs(width * np.cos(quarter)) + np.abs(height * np.sin(quarter)) * (game.catalogue.shape != "disc")
    high = np.abs(height * np.cos(quarter)) + np.abs(width * np.sin(quarter)) * (game.catalogue.shape != "disc")
    if game.catalogue.shape == "disc":
        return at
    moved = at.copy()
    for _ in range(12):
        apart = moved[:, None] - moved[None]
        over_x = (wide[:, None] + wide[None]) / 2 - np.abs(apart[..., 0])
        over_y = (high[:, None] + high[None]) / 2 - np.abs(apart[..., 1])
        hit = (over_x > 0) & (over_y > 0) & ~np.eye(len(at), dtype=bool)
        if not hit.any():
            break
        along_x = hit & (over_x <= over_y)
        along_y = hit & ~along_x
        push_x = np.where(along_x, np.sign(apart[..., 0]) * over_x / 2, 0).sum(axis=1)
        push_y = np.where(along_y, np.sign(apart[..., 1]) * over_y / 2, 0).sum(axis=1)
        moved += np.clip(np.column_stack([push_x, push_y]) * 0.6, -1.5, 1.5)
    return moved
