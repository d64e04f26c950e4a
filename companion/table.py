"""What lies on a table: the words that seeing and reasoning share, without a pixel in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = str
"""A word of the board for somewhere a tile can lie: ``c2``, ``0,-1``, ``south:discard``."""


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """A tile as it lies: which one, whose, and turned how."""

    tile: str
    owner: str | None = None
    facing: int | None = None
    """Quarter turns clockwise from upright; ``None`` where turning it changes nothing."""


FACE_DOWN = "face-down"
"""The name of a tile that shows its back."""

Layout: TypeAlias = Mapping[Place, Piece]
"""How the table must look: what lies uppermost on each place; a place without a piece is empty."""

Odds: TypeAlias = Mapping[Piece | None, float]
"""How likely each piece is to lie somewhere; ``None`` stands for nothing there."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing that was seen, in millimetres on the table, with the odds of what it is."""

    x_mm: float
    y_mm: float
    angle_deg: float
    odds: Mapping[str, float]


Observation: TypeAlias = Mapping[Place, Odds]
"""Sightings in the words of the board. An absent place was hidden by a hand or by glare: hidden is not empty."""
