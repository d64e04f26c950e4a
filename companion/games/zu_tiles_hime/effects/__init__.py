"""ZU Tiles: the effects, one small function a tile, in a file a creature."""

from companion.games.zu_tiles_hime.effects import dragon, monkey, ox, rat, rooster, shared, snake

__all__ = ["dragon", "monkey", "ox", "rat", "rooster", "shared", "snake"]
