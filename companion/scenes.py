"""Positions with what the companion must say of them, kept as data in each game's ``scenes/``."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import AnyGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One position and the answers expected; what is left out is not asked."""

    name: str
    position: dict[str, Any]
    judge: Mapping[str, str] = field(default_factory=dict)
    """For each move ``legal`` or the number of the rule it breaks, or of the silence that applies."""
    places: Mapping[str, list[str]] = field(default_factory=dict)
    """For some of those moves the places that the ruling lights up."""
    legal: list[str] | None = None
    legal_count: int | None = None
    apply: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """For each move the whole position after it."""
    score: Mapping[str, int] | None = None
    outcome: Mapping[str, Any] | None = None
    advise: list[str] | None = None
    """The best advice is one of these."""
    seconds: float = 1.0


def scenes(game: AnyGame) -> Iterator[Scene]:
    """All scenes of a game, file by file; positions are written as JSON, since TOML has no null."""
    for file in sorted((game.folder / "scenes").glob("*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["scene"]:
            position = {"game": game.name, **json.loads(entry.pop("position"))}
            after = {move: {"game": game.name, **json.loads(then)} for move, then in entry.pop("apply", {}).items()}
            yield Scene(position=position, apply=after, **{**entry, "name": f"{file.stem}: {entry['name']}"})
