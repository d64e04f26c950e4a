"""ZU Tiles: the JSON of a position, key by key; the engine's own keys stand beside those of the notation."""

from typing import Literal

from pydantic import Field

from companion.border import PositionShape, Shape

Seat = Literal["south", "west", "north", "east"]


class AttachedShape(Shape):
    tile: str
    by: Seat
    tie: list[int] | None = None


class TileShape(Shape):
    tile: str
    at: list[int]
    by: Seat
    under: list[str] = Field(default_factory=list)
    of: Seat | None = None


class LoadShape(Shape):
    """More of a tile of the area: who played what lies under it, what changes it, and whether its ability was used."""

    at: list[int]
    attached: list[AttachedShape] | None = None
    changes: list[str] = Field(default_factory=list)
    used: bool = False


class PlayerShape(Shape):
    deck: Literal["ROM", "DSR", "custom"] = "custom"
    points: int | list[str] = Field(default_factory=list)
    discard: int | list[str] = Field(default_factory=list)
    hand: int | list[str] | None = None
    stacks: list[int | list[str]] | None = None


class PilesShape(Shape):
    """A player's piles from the bottom, each tile with how it came there."""

    points: list[list[str]] | None = None
    discard: list[list[str]] | None = None


class GoneShape(Shape):
    tile: str
    by: Seat
    of: Seat | None = None


class LeftShape(Shape):
    tile: str
    by: Seat
    of: Seat
    to: str


class PendingShape(Shape):
    what: str
    by: Seat
    at: list[int] | None = None
    fresh: bool = False
    left: LeftShape | None = None


class ZuPositionShape(PositionShape):
    to_move: Seat
    area: list[TileShape] = Field(default_factory=list)
    players: dict[Seat, PlayerShape]
    gone: list[GoneShape] = Field(default_factory=list)
    done: list[Literal["place", "stack", "battle", "discard", "judged"]] = Field(default_factory=list)
    again: int = 0
    pending: list[PendingShape] = Field(default_factory=list)
    begun: bool = False
    loads: list[LoadShape] = Field(default_factory=list)
    piles: dict[Seat, PilesShape] = Field(default_factory=dict)
    lost: dict[Seat, Literal["5.7", "5.8"]] = Field(default_factory=dict)
