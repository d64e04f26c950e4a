"""The players' own sets for a camera's eyes: learned a tile at a time, listed with what is too alike, read with."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from companion.eyes import CannotSee, Crop, Enrolled
from companion.game import AnyGame
from companion.table import Piece
from vision.enrol import gallery_of, learn, learn_face, too_close
from vision.frame import Frame, Pixels
from vision.names import EMPTY
from vision.pictures import encoded
from vision.plane import NoPlane, Plane
from vision.reader import Candidate, Reader
from vision.sets import Reference, Sets, listed
from vision.watching import Read


class EnrolledSets:
    """The sets in a folder of state."""

    def __init__(self, state: Path) -> None:
        self._sets = Sets(state)

    def listed(self, game: AnyGame) -> Mapping[str, tuple[Enrolled, ...]]:
        reader = Reader(game)
        return {name: self._listed(reader, name) for name in self._sets.names(game.name)}

    def enrol(
        self, game: AnyGame, set_name: str, piece: Piece, frame: Frame, plane: Plane | None
    ) -> tuple[Crop, Enrolled]:
        """Learn the tile that lies nearest the middle of the table, or that fills a photo without a table."""
        reader = Reader(game)
        learned = self._learned(reader, piece, frame, plane)
        new = set_name not in self._sets.names(game.name)
        self._sets.add(game.name, set_name, [each for each in learned if new or each.tile != EMPTY])
        shown = next(each.crop for each in learned if each.tile == piece.tile)
        known = self._listed(reader, set_name)
        enrolled = next(each for each in known if (each.tile, each.owner) == (piece.tile, piece.owner))
        return Crop(encoded(shown), {piece: 1.0}), enrolled

    def forget(self, game: AnyGame, set_name: str, tile: str | None) -> None:
        self._sets.forget(game.name, set_name, tile)

    def reader(self, game: AnyGame, set_name: str | None) -> Read:
        if set_name is None:
            return Reader(game).read
        references, _ = self._sets.load(game.name, set_name)
        return Reader(game, gallery_of(references, game.catalogue, Reader(game).embed)).read

    def _learned(self, reader: Reader, piece: Piece, frame: Frame, plane: Plane | None) -> list[Reference]:
        try:
            plane = plane or reader.register(frame)
        except NoPlane:
            return [learn_face(_middle(frame.pixels), piece)]
        view = reader.view(frame, plane)
        found = [spot for spot in reader.candidates(view, plane, None)[0] if spot.found is not None]
        if not found:
            raise CannotSee("No tile is to be seen: lay it alone in the middle of the table.")
        spot = min(found, key=_from_the_middle)
        if spot.place in reader.game.board.places:
            return learn(reader, frame, plane, {str(spot.place): piece})
        return [Reference(piece.tile, piece.owner, reader.crops(view, [spot])[0])]

    def _listed(self, reader: Reader, set_name: str) -> tuple[Enrolled, ...]:
        references, _ = self._sets.load(reader.game.name, set_name)
        close: dict[str, tuple[str, ...]] = defaultdict(tuple)
        if references:
            for _, one, two in too_close(gallery_of(references, reader.game.catalogue, reader.embed)):
                for name, other in ((one, two), (two, one)):
                    close[f"{name.owner} {name.tile}" if name.owner else name.tile] += (other.tile,)
        return listed(references, dict(close))


def _from_the_middle(spot: Candidate) -> float:
    return spot.x_mm**2 + spot.y_mm**2


def _middle(pixels: Pixels) -> Pixels:
    """The largest square in the middle of a photo."""
    high, wide = pixels.shape[:2]
    side = min(high, wide)
    top, left = (high - side) // 2, (wide - side) // 2
    return pixels[top : top + side, left : left + side]
