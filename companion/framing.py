"""What part of the table an evidence picture shows: written into the JPEG itself, so that places are found on it."""

from dataclasses import dataclass

from companion.board import is_cell
from companion.game import AnyGame
from companion.table import Layout, Place

_COMMENT = b"\xff\xfe"
_SAYS = b"board-mm "


@dataclass(frozen=True, slots=True)
class Framing:
    """A top view: the part of the board, or of the lattice, that a picture covers, in its millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size_mm(self) -> tuple[float, float]:
        return self.right - self.left, self.bottom - self.top

    def share(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where a point lies in the picture, as shares of its width and height."""
        width, height = self.size_mm
        return (x_mm - self.left) / width, (y_mm - self.top) / height


def framing(game: AnyGame, layout: Layout) -> Framing:
    """What a picture of a table should show: the board, or the cells in play, and a tile's length around."""
    rim = max(game.catalogue.size_mm)
    if game.board.lattice is None:
        half_x, half_y = (side / 2 for side in game.board.size_mm)
        return Framing(-half_x - rim, -half_y - rim, half_x + rim, half_y + rim)
    spots = [game.board.spot(place) for place in _cells(layout) or ["0,0"]]
    reach = 1.5 * rim
    xs, ys = [spot.x_mm for spot in spots], [spot.y_mm for spot in spots]
    return Framing(min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)


def framed(jpeg: bytes, shown: Framing) -> bytes:
    """The same picture with what it shows as a comment in its head."""
    says = _SAYS + f"{shown.left:.1f} {shown.top:.1f} {shown.right:.1f} {shown.bottom:.1f}".encode()
    return jpeg[:2] + _COMMENT + (len(says) + 2).to_bytes(2) + says + jpeg[2:]


def framing_of(jpeg: bytes) -> Framing | None:
    """What a picture says that it shows; ``None`` for one that says nothing."""
    if jpeg[2:4] != _COMMENT:
        return None
    says = jpeg[6 : 4 + int.from_bytes(jpeg[4:6])]
    try:
        left, top, right, bottom = map(float, says.removeprefix(_SAYS).split())
    except ValueError:
        return None
    return Framing(left, top, right, bottom) if left < right and top < bottom else None


def _cells(layout: Layout) -> list[Place]:
    return [place for place in layout if is_cell(place)]
