"""What was read from one picture of a table: its tiles with their odds, and what that says of every place."""

from dataclasses import dataclass

from companion.table import Observation, Odds, Piece, Place
from vision.plane import Plane
from vision.snap import Grid


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile as it lies in the picture and on the table."""

    place: Place | None
    """``None`` for a tile that lies on no place."""
    piece: Piece | None
    """What it most likely is; ``None`` for one that is like nothing known."""
    probability: float
    odds: Odds
    centre_px: tuple[float, float]
    corners_px: tuple[tuple[float, float], ...]
    centre_mm: tuple[float, float]
    angle_deg: float


@dataclass(frozen=True, slots=True)
class TableRead:
    """One picture, read."""

    plane: Plane
    tiles: tuple[SeenTile, ...]
    observation: Observation
    """Every place that could be seen, empty ones too; a hidden one is absent."""
    grid: Grid | None
    """Where the lattice lies, for games without a board; hand it to the next read so that cells keep their names."""
    says: str
    """What a person should know about this read; empty when all is well."""
    unclear: tuple[Place, ...] = ()
    """Where something may lie that could not be made out, and nothing is told of: these are asked about."""
    astray: tuple[tuple[float, float], ...] = ()
    """The middles of tiles that lie on no place, in millimetres; some are too doubtful to be told of."""
