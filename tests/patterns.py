"""Every pattern that the companion can say, as its source has it."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import companion.registry
from companion.said import joined

ROOT = Path(companion.registry.__file__).parent.parent
SAYING = {"say": (0,), "joined": (1,), "counted": (1, 2), "Gone": (0,), "Refused": (0,)}
"""Where each function takes its patterns."""


def patterns() -> dict[str, str]:
    """Every pattern with the file that says it, the names of seats and tiles and what is printed on boards."""
    found = {said: file for file in _files() for said in _said(file)}
    found[inspect.signature(joined).parameters["pattern"].default] = "companion/said.py"
    for game in companion.registry.games().values():
        for seats in game.seats.values():
            found |= {seat.title(): game.name for seat in seats}
        found |= {str(tile.title): game.name for tile in game.catalogue}
        found |= {str(stroke.words): game.name for stroke in game.board.strokes}
    return found


def _files() -> list[str]:
    folders = ("companion", "vision")
    return sorted(str(file.relative_to(ROOT)) for folder in folders for file in (ROOT / folder).rglob("*.py"))


def _said(file: str) -> Iterator[str]:
    calls = (node for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))) if isinstance(node, ast.Call))
    for call in calls:
        name = getattr(call.func, "id", "")
        for at in SAYING.get(name, ()):
            yield from (said for given in call.args[at : at + 1] for said in _literals(given))
        yield from (said for word in call.keywords if word.arg == "busy" for said in _literals(word.value))


def _literals(node: ast.expr) -> list[str]:
    """A literal, or both of ``one if so else other``."""
    if isinstance(node, ast.IfExp):
        return _literals(node.body) + _literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
