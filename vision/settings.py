"""The settings that stand behind a source, ``?word=value&word=value``, read and checked."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Unreadable

Known = Mapping[str, Callable[[str], Any]]
"""The words a source knows; each reads its value and raises `ValueError` with a reason."""


def read_settings(what: str, settings: Mapping[str, str], known: Known) -> dict[str, Any]:
    """The values of settings; raises `Unreadable` for a word or a value that cannot be."""
    values = {}
    for word, value in settings.items():
        if word not in known:
            has = f"{what} has the settings {', '.join(known)}" if known else f"{what} has no settings"
            raise Unreadable(f"{has}, not {word!r}", word)
        try:
            values[word] = known[word](value)
        except ValueError as error:
            raise Unreadable(f"{word} cannot be {value!r}: {error}", word) from None
    return values


def size(value: str) -> tuple[int, int]:
    """Width and height in pixels, as ``1920x1080``."""
    width, _, height = value.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(width) <= 8192 and 64 <= int(height) <= 8192):
        raise ValueError("it is a width and a height, such as 1920x1080")
    return int(width), int(height)


def between(least: float, most: float) -> Callable[[str], float]:
    """A number within bounds."""

    def read(value: str) -> float:
        number = float(value)
        if not least <= number <= most:
            raise ValueError(f"it is from {least:g} to {most:g}")
        return number

    return read


def one_of(*words: str) -> Callable[[str], str]:
    """One of some words."""

    def read(value: str) -> str:
        if value not in words:
            raise ValueError(f"it is one of {', '.join(words)}")
        return value

    return read
