"""The players' own sets as a watched table uses them: learned from what lies there, and read with at once."""

from collections.abc import Mapping
from pathlib import Path

from companion.eyes import Crop, Enrolled
from companion.game import AnyGame
from companion.table import Piece
from vision.enrol import close_names, enrolled_gallery, gallery_of, learn_alone
from vision.frame import Frame
from vision.pictures import encoded
from vision.plane import Plane
from vision.reader import Reader
from vision.sets import Sets, listed
from vision.watching import Read


class PlayersSets:
    """All sets of one folder of state."""

    def __init__(self, state: Path) -> None:
        self._sets = Sets(state)
        self._readers: dict[str, Reader] = {}

    def listed(self, game: AnyGame) -> Mapping[str, tuple[Enrolled, ...]]:
        """Each set with its tiles; what is damaged is left out."""
        return {name: listed(self._sets.load(game.name, name)[0]) for name in self._sets.names(game.name)}

    def enrol(
        self, game: AnyGame, set_name: str, piece: Piece, frame: Frame, plane: Plane | None
    ) -> tuple[Crop, Enrolled]:
        """Learn the tile in the middle of the table; raises `NoPlane` or `Unreadable` with what to do."""
        reader = self._printed(game)
        learned = learn_alone(reader, frame, plane or reader.register(frame), piece)
        self._sets.add(game.name, set_name, learned)
        references, _ = self._sets.load(game.name, set_name)
        close = close_names(gallery_of(references, game.catalogue, reader.embed))
        told = next(one for one in listed(references, close) if (one.tile, one.owner) == (piece.tile, learned[0].owner))
        return Crop(encoded(learned[0].crop), {piece: 1.0}), told

    def forget(self, game: AnyGame, set_name: str, tile: str | None) -> None:
        self._sets.forget(game.name, set_name, tile)

    def reader(self, game: AnyGame, set_name: str | None) -> Read:
        """What reads with a set; ``None`` for the printed one."""
        if set_name is None:
            return Reader(game).read
        gallery, _ = enrolled_gallery(self._sets, game, set_name, self._printed(game).embed)
        return Reader(game, gallery).read

    def _printed(self, game: AnyGame) -> Reader:
        """The networks take a moment to load, so each game's reader is kept."""
        if game.name not in self._readers:
            self._readers[game.name] = Reader(game)
        return self._readers[game.name]
