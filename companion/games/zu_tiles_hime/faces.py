"""What is printed on ZU's tiles: picture, name, values and effect; on creatures also whom they get on with."""

from pathlib import Path
from typing import Any

from companion.animals import ORDER, outline
from companion.games.zu_tiles_hime.catalogue import CATALOGUE
from companion.style import (
    CORNER,
    INK,
    PAPER,
    RIM,
    WHITE,
    area,
    badge,
    block,
    disc,
    fitted,
    joined,
    mixed,
    page,
    part,
    placed,
    ring,
    stroke,
    turned,
    words,
    wrapped,
)
from companion.tiles import Tile

_ART = Path(__file__).parent / "art"
_SIDE = 40.0

_ACTION, _REACTION, _ITEM, _OBSTACLE = "#e2711f", "#16847f", "#b07a12", "#5f6874"
_STR, _INT = "#cf3222", "#2459b0"

_TONES = {
    "rat": {"body": "#8d8fa8", "warm": "#f2a5a0"},
    "ox": {"body": "#8f5a3a", "light": "#fff1d6", "warm": "#e3ab8c"},
    "tiger": {"body": "#f08a2c", "light": "#fff4e0"},
    "rabbit": {"body": "#e3d3c8", "warm": "#f2959c", "light": "#ffffff"},
    "dragon": {"body": "#3f9b5a", "light": "#f8e6b0", "warm": "#e2572f"},
    "snake": {"body": "#74ae3c", "light": "#f8f0b8", "warm": "#d9402f"},
    "horse": {"body": "#b56c3c", "light": "#f6dfc2", "warm": "#5b3322"},
    "ram": {"body": "#d9c4a4", "light": "#fffaf0", "warm": "#b9803f"},
    "monkey": {"body": "#8b5a38", "warm": "#f3c79b"},
    "rooster": {"body": "#f7efe0", "light": "#f5b83a", "warm": "#d9402f"},
    "dog": {"body": "#dca45c", "warm": "#ef7f87"},
    "pig": {"body": "#f4a6ae", "warm": "#e27c8a"},
}
_GROUND = {
    "rat": "#f2c94c",
    "ox": "#7fb8a4",
    "tiger": "#2f7f86",
    "rabbit": "#5d8fcb",
    "dragon": "#f4a23a",
    "snake": "#b9567a",
    "horse": "#8fc1d9",
    "ram": "#5f8f4a",
    "monkey": "#a5cf7c",
    "rooster": "#3f78b8",
    "dog": "#7a5fa8",
    "pig": "#3d6f63",
}


def face(tile: str, owner: str | None) -> str:
    """The face of a tile, upright for the player whom it faces."""
    entry = CATALOGUE[tile]
    return _creature(entry) if entry.values["type"] == "creature" else _deed(entry)


def back(owner: str | None) -> str:
    """The same for all tiles, so that a stack gives nothing away."""
    heads = (placed(_muted(name, "#5a6aa8", "#2a3358"), 20, 6.2, 6.4) for name in ORDER)
    circle = (turned(head, 30 * i, 20, 20) for i, head in enumerate(heads))
    star = ring(12, area("M20 11L21.8 20L18.2 20Z", "#e8b23a"), 20, 20)
    ground = block(0, 0, _SIDE, _SIDE, "#20284a") + disc(20, 20, 18.2, "#2a3358") + disc(20, 20, 9.6, "#20284a")
    return page(_SIDE, _SIDE, ground, *circle, star, disc(20, 20, 4.2, PAPER, RIM), words(20, 21.5, 3.9, "ZU", INK))


def _creature(entry: Tile) -> str:
    kind, does = entry.values["class"], entry.values.get("does", "")
    ground = _GROUND[kind] if entry.name == kind else mixed(_GROUND[kind], WHITE, 0.6)
    picture = placed(outline(kind, **_TONES[kind]), 20, 16.6, 24.5) if not does else _small_creature(entry)
    return page(
        _SIDE,
        _SIDE,
        block(0, 0, _SIDE, _SIDE, ground),
        area("M8.2 31V15.5A11.8 13.2 0 0 1 31.8 15.5V31Z", mixed(ground, WHITE, 0.35)),
        picture,
        _slots(entry),
        _strip(entry),
    )


def _small_creature(entry: Tile) -> str:
    """A creature that does something leaves room for the words, and shows its mood."""
    picture = placed(outline(entry.values["class"], **_TONES[entry.values["class"]]), 17.9, 10.4, 16.5)
    text = _text(entry.values["does"], 8.6, 19.4, 22.8, 11.6, 2.6)
    return picture + _mood(entry.name) + block(8.0, 19.2, 24.0, 12.2, PAPER, 1.4) + text + _maximum(entry, 29.5, 4.8)


def _mood(name: str) -> str:
    file = _ART / f"{name}.svg"
    return placed(part(file), 17.9, 10.4, 16.5) if file.exists() else ""


def _slots(entry: Tile) -> str:
    """Twelve places for the twelve classes in two columns; those that fit are lit."""
    icons = entry.values["icons"]
    lit = ORDER if "all" in icons else icons
    columns = (
        block(1.3, 1.6, 5.9, 29.9, INK, CORNER),
        block(32.8, 1.6, 5.9, 29.9, INK, CORNER),
    )
    return joined([*columns, *(_slot(name, name in lit, i) for i, name in enumerate(ORDER))])


def _slot(name: str, lit: bool, place: int) -> str:
    x, y = (4.25 if place < 6 else 35.75), 4.2 + 4.92 * (place % 6)
    if lit:
        return disc(x, y, 2.4, WHITE) + placed(outline(name, **_TONES[name]), x, y, 4.2)
    return disc(x, y, 1.5, "#2c3246") + placed(_muted(name, "#4a5270", "#2c3246"), x, y, 3.0)


def _muted(name: str, body: str, dark: str) -> str:
    return outline(name, body=body, warm=body, light=body, dark=dark)


def _strip(entry: Tile) -> str:
    """The name between STR and INT."""
    name = entry.title.split() if len(entry.title) > 8 else [entry.title]
    size = min(fitted(line, 17.6, 4.6 if len(name) == 1 else 3.2) for line in name)
    first = 37.0 if len(name) == 1 else 35.4
    lines = (words(20, first + i * 3.2, size, line, WHITE) for i, line in enumerate(name))
    values = _value(6.2, 35.4, _STR, entry.values["str"], 3.9) + _value(33.8, 35.4, _INT, entry.values["int"], 3.9)
    return block(0, 32.0, _SIDE, 8.0, INK) + joined(lines) + values


def _value(x: float, y: float, colour: str, number: Any, radius: float) -> str:
    """STR on a square, INT on a disc: they differ in grey too."""
    ground = disc(x, y, radius, colour, RIM, PAPER)
    if colour == _STR:
        ground = block(x - radius, y - radius, 2 * radius, 2 * radius, PAPER, 1.5)
        ground += block(x - radius + 0.5, y - radius + 0.5, 2 * radius - 1, 2 * radius - 1, colour, 1.2)
    said = str(number)
    size = radius * (1.55 if len(said) == 1 else 1.25)
    return ground + words(x, y + 0.36 * size, size, said, WHITE)


def _deed(entry: Tile) -> str:
    """Action, reaction, item, obstacle: picture above, name across, effect below."""
    kind = _kind(entry)
    left, right = _COLOURS[kind]
    return page(
        _SIDE,
        _SIDE,
        block(0, 0, _SIDE / 2, _SIDE, left),
        block(_SIDE / 2, 0, _SIDE / 2, _SIDE, right),
        block(1.4, 1.4, 37.2, 37.2, PAPER, CORNER),
        _sky(left, right),
        placed(_picture(entry), 20, 12.4, 20.6),
        _values(entry),
        block(0, 23.2, _SIDE / 2, 5.2, left),
        block(_SIDE / 2, 23.2, _SIDE / 2, 5.2, right),
        words(20, 26.95, fitted(entry.title, 36.6, 3.9), entry.title, WHITE),
        _text(entry.values.get("does", ""), 2.4, 28.9, 35.2, 9.5, 2.7),
        _sign(kind, left, right),
        _maximum(entry, 34.9, 5.1),
    )


_COLOURS = {
    "A": (_ACTION, _ACTION),
    "R": (_REACTION, _REACTION),
    "AR": (_ACTION, _REACTION),
    "I": (_ITEM, _ITEM),
    "O": (_OBSTACLE, _OBSTACLE),
}


def _kind(entry: Tile) -> str:
    if entry.values["type"] == "placeholder":
        return "A" if entry.name.startswith("action") else "R"
    return str(entry.values["type"])


def _picture(entry: Tile) -> str:
    """A tile that a player added to the catalogue has a star until its picture is drawn."""
    file = _ART / f"{entry.name}.svg"
    return part(file if file.exists() else _ART / "star.svg")


def _sky(left: str, right: str) -> str:
    """The ground of the picture, a tint of the type's colour, split where a tile is both action and reaction."""
    corner = "M3.8 1.4H20V24H1.4V3.8Q1.4 1.4 3.8 1.4Z"
    other = "M36.2 1.4H20V24H38.6V3.8Q38.6 1.4 36.2 1.4Z"
    return area(corner, mixed(left, WHITE, 0.5)) + area(other, mixed(right, WHITE, 0.5)) + disc(20, 12.3, 10.6, PAPER)


def _values(entry: Tile) -> str:
    if "str" not in entry.values:
        return ""
    number = entry.values.get("int", "X")
    return _value(5.6, 18.4, _STR, entry.values["str"], 3.4) + _value(34.4, 18.4, _INT, number, 3.4)


def _sign(kind: str, left: str, right: str) -> str:
    """The type in the corner: a disc for A, R and both, a square for what is placed."""
    if kind in ("I", "O"):
        return block(1.9, 1.9, 6.6, 6.6, left, 1.4, RIM) + words(5.2, 7.0, 5.0, kind, WHITE)
    if kind == "AR":
        half = area("M5.4 1.7A3.7 3.7 0 0 0 5.4 9.1Z", left) + area("M5.4 1.7A3.7 3.7 0 0 1 5.4 9.1Z", right)
        rim = stroke("M1.7 5.4A3.7 3.7 0 1 1 9.1 5.4A3.7 3.7 0 1 1 1.7 5.4Z", RIM, INK)
        return half + rim + words(5.4, 6.75, 3.8, "AR", WHITE)
    return badge(5.4, 5.4, 3.7, left, kind)


def _maximum(entry: Tile, x: float, y: float) -> str:
    """How many may lie in the piles; nothing where there is no such number."""
    if "max" not in entry.values:
        return ""
    number = str(entry.values["max"])
    return (
        block(x - 2.7, y - 3.0, 5.4, 6.4, INK, 1.2)
        + words(x, y - 1.0, 1.7, "max", PAPER)
        + words(x, y + 2.6, 3.9, number, PAPER)
    )


def _text(said: str, x: float, y: float, width: float, height: float, largest: float) -> str:
    """Words as large as they fit into a box, in its middle."""
    size = next((size for size in _sizes(largest) if _height(said, size, width) <= height), _SMALLEST)
    top = y + (height - _height(said, size, width)) / 2
    baselines = (top + size * (0.86 + _LEADING * i) for i in range(99))
    lines = zip(baselines, wrapped(said, size, width), strict=False)
    return joined(words(x + width / 2, baseline, size, line, INK, bold=False) for baseline, line in lines)


_LEADING = 1.14
_SMALLEST = 1.5


def _sizes(largest: float) -> list[float]:
    return [largest - step / 20 for step in range(int((largest - _SMALLEST) * 20))]


def _height(said: str, size: float, width: float) -> float:
    return len(wrapped(said, size, width)) * size * _LEADING
