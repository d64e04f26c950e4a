"""The players' own sets as a watched table uses them: learned from what lies there, and read with at once."""

from collections.abc import Mapping
from pathlib import Path

from companion.eyes import Crop, Enrolled
from companion.game import AnyGame
from companion.table import Piece
from vision.enrol import close_names, enrolled_gallery, gallery_of, learn_alone, learn_face
from vision.frame import Frame, Pixels
from vision.pictures import encoded
from vision.plane import NoPlane, Plane
from vision.reader import Reader
from vision.sets import Sets, listed
from vision.watching import Read


class PlayersSets:
    """All sets of one folder of state."""

    def __init__(self, state: Path, threads: int = 2) -> None:
        self._sets, self._threads = Sets(state), threads
        self._readers: dict[str, Reader] = {}

    def listed(self, game: AnyGame) -> Mapping[str, tuple[Enrolled, ...]]:
        """Each set with its tiles and what they are too close to; what is damaged is left out."""
        return {name: self._listed(game, name) for name in self._sets.names(game.name)}

    def enrol(
        self, game: AnyGame, set_name: str, piece: Piece, frame: Frame, plane: Plane | None
    ) -> tuple[Crop, Enrolled]:
        """Learn the tile in the middle of the table, or that fills a photo without one; raises `Unreadable`."""
        reader = self._printed(game)
        try:
            learned = [learn_alone(reader, frame, plane or reader.register(frame), piece)]
        except NoPlane:
            learned = learn_face(game, _middle(frame.pixels, game.catalogue.size_mm), piece)
        self._sets.add(game.name, set_name, learned)
        same = (piece.tile, learned[0].owner)
        told = next(one for one in self._listed(game, set_name) if (one.tile, one.owner) == same)
        return Crop(encoded(learned[0].crop), {piece: 1.0}), told

    def forget(self, game: AnyGame, set_name: str, tile: str | None) -> None:
        self._sets.forget(game.name, set_name, tile)

    def reader(self, game: AnyGame, set_name: str | None) -> Read:
        """What reads with a set; ``None`` for the printed one."""
        if set_name is None:
            return Reader(game, threads=self._threads).read
        gallery, _ = enrolled_gallery(self._sets, game, set_name, self._printed(game).embed)
        return Reader(game, gallery, self._threads).read

    def _listed(self, game: AnyGame, set_name: str) -> tuple[Enrolled, ...]:
        references, _ = self._sets.load(game.name, set_name)
        if not references:
            return ()
        return listed(references, close_names(gallery_of(references, game.catalogue, self._printed(game).embed)))

    def _printed(self, game: AnyGame) -> Reader:
        """The networks take a moment to load, so each game's reader is kept."""
        if game.name not in self._readers:
            self._readers[game.name] = Reader(game, threads=self._threads)
        return self._readers[game.name]


def _middle(pixels: Pixels, size_mm: tuple[float, float]) -> Pixels:
    """The largest part in the middle of a photo that has the shape of a tile."""
    high, wide = pixels.shape[:2]
    scale = min(wide / size_mm[0], high / size_mm[1])
    width, height = round(scale * size_mm[0]), round(scale * size_mm[1])
    top, left = (high - height) // 2, (wide - width) // 2
    return pixels[top : top + height, left : left + width]
