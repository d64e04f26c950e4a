"""ZU Tiles' positions as JSON."""

from companion.games.zu_tiles_hime.record.reading import read_position
from companion.games.zu_tiles_hime.record.writing import write_position

__all__ = ["read_position", "write_position"]
