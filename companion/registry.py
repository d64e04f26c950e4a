"""Finds the games: every folder below `companion.games` that holds a ``GAME``."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import companion.games
from companion.game import AnyGame, Unreadable


@cache
def games() -> Mapping[str, AnyGame]:
    """All games by the name of their folder."""
    folders = sorted(entry.name for entry in pkgutil.iter_modules(companion.games.__path__) if entry.ispkg)
    return MappingProxyType({name: importlib.import_module(f"companion.games.{name}").GAME for name in folders})


def game_named(name: str) -> AnyGame:
    """One game; raises `Unreadable` for a name that no folder has."""
    if name not in games():
        raise Unreadable(f"there is no game {name!r}; there are: {', '.join(games())}", "game")
    return games()[name]
