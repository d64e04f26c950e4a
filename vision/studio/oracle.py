"""Looks at a simulated table without a picture: its truth, read without a fault or with the slips of a camera."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.board import cell, cell_of
from companion.game import AnyGame
from companion.table import Odds, Piece, Place
from vision.frame import Frame
from vision.plane import STRAIGHT, Plane
from vision.reading import TableRead
from vision.settle import State, Stillness, Windows
from vision.snap import Grid
from vision.studio.sim import SimulatedTable
from vision.studio.strew import Lying
from vision.watching import Read, Watching, without_strays

_NO_PIXELS = np.zeros((1, 1, 3), np.uint8)
_NEAR = 0.42
"""A tile lies on a place when it is nearer to it than this share of its size."""


@dataclass(frozen=True, slots=True)
class Slips:
    """How often a camera errs: as often as `companion evaluate` counts on hard photographs, and a little more."""

    misread: float = 0.003
    """A tile is taken for another one, or for nothing."""
    invented: float = 0.0003
    """Something is seen on an empty place."""
    lasting: float = 0.5
    """The share of slips that stay as long as the tile lies there; the others are gone when somebody has moved."""
    doubted: float = 0.03
    """A tile is seen rightly, but with less than the usual certainty."""
    hidden: float = 0.1
    """Glare or a sleeve hides some places while the table rests."""
    unnoticed: float = 0.05
    """A hand as bright as the table is not seen: the table is read in the middle of a turn."""


EYES: dict[str, Slips] = {"perfect": Slips(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), "noisy": Slips()}


class Oracle:
    """Reads a simulated table by its truth."""

    def __init__(self, simulated: SimulatedTable, slips: Slips = EYES["perfect"]) -> None:
        self._simulated, self._slips = simulated, slips
        self._cells = {"0,0"} if simulated.game.board.lattice else set[Place]()
        """Where tiles lay at any time: what is empty now is seen to be empty."""
        self.rest = 0
        """Counts the times that the table came to rest: what is misread may be read rightly in the next."""

    def __call__(self, frame: Frame, plane: Plane, grid: Grid | None) -> TableRead:
        game, tiles = self._simulated.game, self._simulated.stage.tiles
        lying = {place: one for place, one in tiles.items() if not _is_beside(game, place, one)}
        pieces = sorted({one.piece for one in tiles.values()}, key=repr)
        self._cells |= {place for place in lying if place not in game.board.places}
        places = [*dict.fromkeys((*game.board.places, *sorted(self._cells), *_around(self._cells)))]
        hidden = self._hidden(places)
        seen = {place: self._odds(place, lying.get(place), pieces) for place in places if place not in hidden}
        lattice = game.board.lattice
        grid = lattice and Grid(0.0, 0.0, 0.0, lattice.pitch_mm)
        astray = tuple((one.block.x_mm, one.block.y_mm) for place, one in tiles.items() if place not in lying)
        return TableRead(plane, (), seen, grid, "", astray=astray)

    def _hidden(self, places: Sequence[Place]) -> set[Place]:
        dice = self._dice("hidden", self.rest)
        if dice.random() >= self._slips.hidden:
            return set()
        return set(dice.sample(places, min(len(places), dice.randint(1, 3))))

    def _odds(self, place: Place, lying: Lying | None, pieces: Sequence[Piece]) -> Odds:
        slips, piece = self._slips, lying.piece if lying else None
        share = slips.invented if piece is None else slips.misread
        where = place if lying is None else f"{place} {lying.block.x_mm} {lying.block.y_mm}"
        for dice, chance in (
            (self._dice("lasting", where), share * slips.lasting),
            (self._dice(self.rest, where), share * (1 - slips.lasting)),
        ):
            if dice.random() < chance:
                return _mistaken(piece, pieces, dice)
        dice = self._dice("doubt", self.rest, where)
        sure = dice.uniform(0.5, 0.9) if dice.random() < slips.doubted else 0.97
        others = [each for each in (None, *pieces) if each != piece]
        doubts = dice.sample(others, min(2, len(others)))
        return {piece: sure, **{each: (1 - sure) / 2 * dice.uniform(0.2, 1.0) for each in doubts}}

    def _dice(self, *about: object) -> random.Random:
        return random.Random(repr((self._simulated.wishes.seed, *about)))


class TrueSight(Watching):
    """Knows when the table rests and what lies there, without a pixel."""

    def __init__(self, simulated: SimulatedTable, slips: Slips) -> None:
        super().__init__(Plane(np.eye(3), STRAIGHT, simulated.wishes.size, 0.0, simulated.game.name, "mat"))
        self._simulated, self._slips, self._windows = simulated, slips, Windows()
        self.oracle = Oracle(simulated, slips)
        self._dice = random.Random(f"hands {simulated.wishes.seed}")
        self._was: object = None
        self._inside = self._unnoticed = False
        self._moved_ms = self._last_ms = 0.0

    def frames(self) -> Iterator[Frame]:
        """The moments of the table, each a frame that shows nothing."""
        for number in self._simulated.moments():
            yield Frame(_NO_PIXELS, self._simulated.now, number)

    def take(self, frame: Frame) -> Stillness:
        self.frame, now_ms = frame, frame.taken * 1000
        hand = self._has_hand()
        looks = (self._simulated.stage.changes, self._simulated.setting, hand)
        stirred, self._was = hand or looks != self._was, looks
        if stirred:
            late = now_ms - self._last_ms > self._windows.gap_ms
            self._moved_ms = now_ms - self._windows.still_ms if late and not hand else now_ms
            self.oracle.rest += 1
        self._last_ms, still_ms = now_ms, now_ms - self._moved_ms
        if hand:
            return Stillness(State.HAND, still_ms, stirred)
        return Stillness(State.SETTLING if still_ms < self._windows.still_ms else State.REST, still_ms, stirred)

    def read(self, read: Read, game: AnyGame) -> TableRead:
        assert self.frame is not None
        assert self.plane is not None
        self.last = without_strays(read(self.frame, self.plane, self.grid), game)
        self.read_frame, self.grid = self.frame, self.last.grid
        return self.last

    def _has_hand(self) -> bool:
        """Whether a hand is over the table and stands out from it."""
        inside = self._simulated.stage.has_hand_in_view
        if inside and not self._inside:
            self._unnoticed = self._dice.random() < self._slips.unnoticed
        self._inside = inside
        return inside and not self._unnoticed


def _is_beside(game: AnyGame, place: Place, one: Lying) -> bool:
    spot = game.board.spot(place)
    return math.hypot(one.block.x_mm - spot.x_mm, one.block.y_mm - spot.y_mm) > _NEAR * max(game.catalogue.size_mm)


def _around(cells: set[Place]) -> Iterator[Place]:
    """The cells of a lattice on which a tile may lie next."""
    for column, row in sorted(map(cell_of, cells)):
        yield from (cell(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1))


def _mistaken(piece: Piece | None, pieces: Sequence[Piece], dice: random.Random) -> Odds:
    """A tile taken for itself turned otherwise, for another or for nothing; the truth is among the odds."""
    turned = [replace(piece, facing=turns) for turns in range(4)] if piece and piece.facing is not None else []
    others = [each for each in (None, dice.choice(pieces or [None]), *turned) if each != piece]
    sure = dice.uniform(0.5, 0.95)
    return {dice.choice(others): sure, piece: (1 - sure) * dice.uniform(0.3, 0.9)} if others else {piece: 1.0}
