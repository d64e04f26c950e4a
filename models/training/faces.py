"""Thousands of different tile faces to learn from: icons, letters of many scripts and patterns, none of them ours.

The icons come from icon sets of the npm registry, the letters from the fonts that are installed; they serve as material
only, and nothing of them is committed. A face is a square picture of `SIDE` pixels with its ground, colours, frames and
signs drawn by lot from a seed, so the same seed makes the same faces of the same material.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 96
FAMILY = 8
"""So many faces in a row share ground, colours, frame and arrangement, as the tiles of one set do."""
FONTS = Path("/usr/share/fonts")
"""Where Debian's font packages put theirs: fonts-noto-core has most scripts, fonts-wqy-microhei Chinese ones."""
_GLYPHS = 4000
_A_FONT_S = 120
"""So many glyphs in all, and of one font at most: some have two hundred letters and some twenty thousand."""


def make_faces(material: Path, count: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """So many faces, family by family."""
    rng = np.random.default_rng(seed)
    icons = _icons(material) + _glyphs(FONTS, rng)
    for _ in range(count // FAMILY):
        style = _style(rng)
        recoloured = rng.random() < 0.25
        icon = int(rng.integers(len(icons)))
        for _ in range(FAMILY):
            if recoloured:
                # One sign in several colours, as sets that count by colour have it.
                style = {**style, "colours": _two_colours(rng)}
            yield _face(rng, icons, style, icon if recoloured else int(rng.integers(len(icons))))


def make_cloths(material: Path, count: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """So many grounds with signs strewn over them, half as large again as a face: a sign alone makes no tile."""
    rng = np.random.default_rng(seed)
    icons = _icons(material) + _glyphs(FONTS, rng)
    side = SIDE * 3 // 2
    for _ in range(count):
        ground, *inks = (_colour(rng) for _ in range(4))
        cloth = np.clip(rng.normal(ground, rng.uniform(0, 12), (side, side, 3)), 0, 255).astype(np.uint8)
        pitch, size = rng.uniform(0.35, 1.0), rng.uniform(0.1, 0.6)
        signs = [icons[int(i)] for i in rng.integers(len(icons), size=3)]
        for x in np.arange(rng.uniform(-0.5, 0), 1.3, pitch):
            for y in np.arange(rng.uniform(-0.5, 0), 1.3, pitch):
                which, middle = int(rng.integers(3)), (x + rng.normal(0, 0.05), y + rng.normal(0, 0.05))
                _draw_icon(cloth, signs[which], inks[which], size * rng.uniform(0.8, 1.2), middle)
        yield cloth


def _icons(material: Path) -> list[tuple[str, str]]:
    """The body and the box of every icon found below the folder."""
    found = []
    for file in sorted(material.rglob("icons.json")):
        read = json.loads(file.read_text(encoding="utf-8"))
        width, height = read.get("width", 16), read.get("height", 16)
        for icon in read["icons"].values():
            found.append((icon["body"], f"0 0 {icon.get('width', width)} {icon.get('height', height)}"))
    if not found:
        raise SystemExit(f"{material} holds no icon set: run `npm install @iconify-json/game-icons` there first")
    return found


def _glyphs(fonts: Path, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Letters and signs of fonts by lot, each as the body and the box of an icon."""
    files = sorted(file for file in fonts.rglob("*.[to]t[fc]"))
    if not files:
        raise SystemExit(f"{fonts} holds no font: install Debian's fonts-dejavu and fonts-noto-core first")
    drawn: list[tuple[str, str]] = []
    for file in rng.permutation(np.array(files, object)):
        drawn += _of_font(file, min(_A_FONT_S, _GLYPHS - len(drawn)), rng)
    return drawn


def _of_font(file: Path, count: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.ttLib import TTFont

    glyphs = TTFont(file, fontNumber=0, lazy=True).getGlyphSet()
    drawn = []
    for name in rng.permutation(sorted(glyphs.keys()))[:count]:
        bounds, path = BoundsPen(glyphs), SVGPathPen(glyphs)
        glyphs[name].draw(bounds)
        if bounds.bounds is None:
            continue
        glyphs[name].draw(path)
        left, bottom, right, top = bounds.bounds
        side = max(right - left, top - bottom, 1)
        x, y = (left + right - side) / 2, (bottom + top - side) / 2
        body = f'<path fill="currentColor" transform="matrix(1 0 0 -1 {-x} {y + side})" d="{path.getCommands()}"/>'
        drawn.append((body, f"0 0 {side} {side}"))
    return drawn


def _style(rng: np.random.Generator) -> dict[str, Any]:
    kinds, shares = ["one", "quarters", "corner", "letters", "pattern", "disc"], [0.38, 0.2, 0.2, 0.1, 0.09, 0.03]
    return {
        "colours": _two_colours(rng),
        "kind": str(rng.choice(kinds, p=shares)),
        "size": rng.uniform(0.45, 0.9),
        "middle": tuple(rng.uniform(0.4, 0.6, 2)),
        "frame": (int(rng.integers(1, 7)), _colour(rng), int(rng.integers(1, 5))) if rng.random() < 0.5 else None,
        "grounds": [_two_colours(rng) for _ in range(int(rng.integers(3, 13)))],
        "signs": [int(sign) for sign in rng.integers(0, 10**6, int(rng.integers(4, 13)))],
    }


def _face(
    rng: np.random.Generator, icons: list[tuple[str, str]], style: dict[str, Any], icon: int
) -> NDArray[np.uint8]:
    ground, sign = style["colours"]
    face = np.full((SIDE, SIDE, 3), ground, np.uint8)
    if style["kind"] == "quarters":
        _draw_quarters(face, rng, icons, style)
    elif style["kind"] == "pattern":
        _draw_pattern(face, rng, sign)
    elif style["kind"] == "letters":
        _draw_letters(face, rng, sign, (SIDE // 2, SIDE // 2), 1.0 + style["size"])
    elif style["kind"] == "disc":
        _draw_disc(face, rng, sign)
    else:
        corner = style["kind"] == "corner"
        _draw_icon(face, icons[icon], sign, style["size"] * (0.65 if corner else 1), style["middle"])
        for _ in range(int(rng.integers(1, 4)) if corner else 0):
            at = (int(rng.choice([0.16, 0.5, 0.84]) * SIDE), int(rng.choice([0.14, 0.86]) * SIDE))
            _draw_letters(face, rng, sign, at, rng.uniform(0.4, 0.9))
    if style["frame"]:
        inset, colour, width = style["frame"]
        cv2.rectangle(face, (inset, inset), (SIDE - 1 - inset, SIDE - 1 - inset), colour, width)
    return face


def _two_colours(rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]]:
    while True:
        ground, sign = _colour(rng), _colour(rng)
        if np.abs(np.subtract(ground, sign)).sum() > 160:
            return ground, sign


def _colour(rng: np.random.Generator) -> tuple[int, ...]:
    if rng.random() < 0.35:
        grey = int(rng.choice([rng.integers(0, 60), rng.integers(200, 256)]))
        return (grey, grey, grey)
    return tuple(int(part) for part in rng.integers(0, 256, 3))


def _draw_icon(
    face: NDArray[np.uint8], icon: tuple[str, str], colour: tuple[int, ...], size: float, middle: tuple[float, float]
) -> None:
    body, box = icon
    across = len(face)
    side = max(12, int(size * across))
    left, top = (int(middle[0] * across - side / 2), int(middle[1] * across - side / 2))
    x0, y0, x1, y1 = max(0, left), max(0, top), min(across, left + side), min(across, top + side)
    if x0 >= x1 or y0 >= y1:
        return
    alpha, painted = _rastered(body, box, side, colour)
    part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    a = alpha[part][..., None]
    face[y0:y1, x0:x1] = (painted[part] * a + face[y0:y1, x0:x1] * (1 - a)).astype(np.uint8)


def _rastered(
    body: str, box: str, side: int, colour: tuple[int, ...]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    import resvg_py

    ink = "#{:02x}{:02x}{:02x}".format(*colour[::-1])
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    svg = f'<svg {spaces} viewBox="{box}" color="{ink}">{body}</svg>'
    png = np.frombuffer(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=side, height=side)), np.uint8)
    rgba = cv2.imdecode(png, cv2.IMREAD_UNCHANGED)
    rgba = cv2.resize(rgba, (side, side), interpolation=cv2.INTER_AREA)
    return rgba[..., 3].astype(np.float32) / 255, rgba[..., :3].astype(np.float32)


def _draw_quarters(
    face: NDArray[np.uint8], rng: np.random.Generator, icons: list[tuple[str, str]], style: dict[str, Any]
) -> None:
    """Four signs out of a few, each with its own ground, so that faces of a family share most of them."""
    half = SIDE // 2
    for x in (0, 1):
        for y in (0, 1):
            which = int(rng.integers(len(style["signs"])))
            ground, sign = style["grounds"][which % len(style["grounds"])]
            face[y * half : (y + 1) * half, x * half : (x + 1) * half] = ground
            icon = icons[style["signs"][which] % len(icons)]
            _draw_icon(face, icon, sign, 0.4, (0.25 + 0.5 * x, 0.25 + 0.5 * y))


def _draw_letters(
    face: NDArray[np.uint8], rng: np.random.Generator, colour: tuple[int, ...], at: tuple[int, int], scale: float
) -> None:
    words = "".join(rng.choice(list("ABCDEFGHKLMNPRSTUVWXYZ0123456789"), rng.integers(1, 3)))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    (width, height), _ = cv2.getTextSize(words, font, scale, 3)
    cv2.putText(
        face, words, (at[0] - width // 2, at[1] + height // 2), font, scale, colour, int(1 + 2 * scale), cv2.LINE_AA
    )


def _draw_pattern(face: NDArray[np.uint8], rng: np.random.Generator, colour: tuple[int, ...]) -> None:
    cells = int(rng.integers(3, 6))
    step = SIDE * 0.8 / cells
    for x in range(cells):
        for y in range(cells):
            if rng.random() < 0.45:
                at = (int(SIDE * 0.1 + (x + 0.5) * step), int(SIDE * 0.1 + (y + 0.5) * step))
                reach = int(step * 0.4)
                if rng.random() < 0.5:
                    cv2.circle(face, at, reach, colour, -1, cv2.LINE_AA)
                else:
                    cv2.rectangle(face, (at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach), colour, -1)


def _draw_disc(face: NDArray[np.uint8], rng: np.random.Generator, colour: tuple[int, ...]) -> None:
    cv2.circle(face, (SIDE // 2, SIDE // 2), SIDE // 2 - 2, colour, -1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 3)):
        radius = int(SIDE / 2 * math.sqrt(rng.uniform(0.05, 0.8)))
        cv2.circle(face, (SIDE // 2, SIDE // 2), radius, _colour(rng), int(rng.integers(1, 6)), cv2.LINE_AA)
