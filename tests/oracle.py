"""A read that knows the simulated table's truth, with the doubts of a camera: for tests of everything after reading."""

import math
import random

from companion.board import cell, cell_of, is_cell
from vision.reading import SeenTile, TableRead
from vision.snap import Grid


class Oracle:
    """Reads a simulated table; ``slips`` is how often a place is read as something else in one picture."""

    def __init__(self, simulated, seed=0, certainty=0.97, slips=0.0):
        self.simulated, self.certainty, self.slips = simulated, certainty, slips
        self.dice = random.Random(seed)
        self.reads = 0

    def __call__(self, frame, plane, grid):
        self.reads += 1
        game, tiles = self.simulated.game, self.simulated.stage.tiles
        lying = {place: one.piece for place, one in tiles.items() if not self._is_beside(place, one)}
        pieces = sorted({one.piece for one in tiles.values()}, key=repr)
        seen = {place: self._odds(lying.get(place), pieces) for place in (*game.board.places, *self._cells(lying))}
        lattice = game.board.lattice
        strays = tuple(_stray(one) for place, one in tiles.items() if place not in lying)
        return TableRead(plane, strays, seen, lattice and Grid(0.0, 0.0, 0.0, lattice.pitch_mm), "")

    def _is_beside(self, place, one):
        spot = self.simulated.game.board.spot(place)
        reach = 0.42 * max(self.simulated.game.catalogue.size_mm)
        return math.hypot(one.block.x_mm - spot.x_mm, one.block.y_mm - spot.y_mm) > reach

    def _cells(self, lying):
        if self.simulated.game.board.lattice is None:
            return set()
        cells = [cell_of(place) for place in lying if is_cell(place)] or [(0, 0)]
        return {cell(c + x, r + y) for c, r in cells for x in (-1, 0, 1) for y in (-1, 0, 1)}

    def _odds(self, piece, pieces):
        others = [each for each in (None, *pieces) if each != piece]
        if others and self.dice.random() < self.slips:
            wrong = self.dice.choice(others)
            return {wrong: 0.7, piece: 0.25, None: 0.05} if wrong else {None: 0.7, piece: 0.3}
        odds = {piece: self.certainty}
        for each in self.dice.sample(others, min(2, len(others))):
            odds[each] = (1 - self.certainty) / 2 * self.dice.uniform(0.2, 1.0)
        return odds


def _stray(one):
    at = (one.block.x_mm, one.block.y_mm)
    return SeenTile(None, one.piece, 1.0, {one.piece: 1.0}, (0.0, 0.0), (), at, one.block.angle_deg)
