"""What else lies on a table: dice, coins, cards, a cup, pens, a phone, tiles of other games."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from vision.frame import Pixels
from vision.studio.blocks import Bgr, Block, Sprite, sprite
from vision.studio.camera import Camera, Points

PX_PER_MM = 3.0
LEARNED, JUDGED = range(6), range(6, 12)
"""Of each kind the things that networks learn from, and those that everybody else sees."""


def clutter_names() -> tuple[str, ...]:
    """Every kind of thing there is."""
    return tuple(_KINDS)


@lru_cache(maxsize=256)
def thing(name: str, variant: int) -> Block:
    """One thing, at the origin; the same variant is the same thing."""
    return _KINDS[name](random.Random(f"{name} {variant}"), name)


def any_clutter(
    dice: random.Random, keep_clear_mm: Points, camera: Camera, count: int, variants: range = JUDGED
) -> tuple[Block, ...]:
    """Things by chance, in the picture but beside the game and beside each other."""
    laid: list[Block] = []
    for _ in range(count):
        block = thing(dice.choice(clutter_names()), dice.choice(variants))
        block = replace(block, angle_deg=dice.uniform(0, 360))
        for _ in range(12):
            pixel = (dice.uniform(-0.02, 1.02) * camera.size[0], dice.uniform(-0.02, 1.02) * camera.size[1])
            x, y = camera.on_table([pixel])[0]
            moved = replace(block, x_mm=float(x), y_mm=float(y))
            if _is_clear(moved, keep_clear_mm, laid):
                laid.append(moved)
                break
    return tuple(laid)


def _is_clear(block: Block, points_mm: Points, others: list[Block]) -> bool:
    here = np.array([block.x_mm, block.y_mm])
    # A tall thing hides what stands behind it, so it keeps farther away.
    reach = math.hypot(*block.size_mm) / 2 + block.height_mm * 0.6 + 28
    if len(points_mm) and np.linalg.norm(points_mm - here, axis=1).min() < reach:
        return False
    return all(
        math.hypot(other.x_mm - here[0], other.y_mm - here[1])
        > (math.hypot(*block.size_mm) + math.hypot(*other.size_mm)) / 2
        for other in others
    )


def _page(width_mm: float, height_mm: float, colour: Bgr) -> Pixels:
    page = np.empty((round(height_mm * PX_PER_MM), round(width_mm * PX_PER_MM), 3), np.uint8)
    page[:] = np.array(colour)
    return page


def _px(*lengths_mm: float) -> tuple[int, ...]:
    return tuple(round(length * PX_PER_MM) for length in lengths_mm)


def _dot(page: Pixels, x_mm: float, y_mm: float, radius_mm: float, colour: Bgr) -> None:
    at = (round(x_mm * PX_PER_MM * 16), round(y_mm * PX_PER_MM * 16))
    cv2.circle(page, at, round(radius_mm * PX_PER_MM * 16), colour, -1, cv2.LINE_AA, 4)


def _write(page: Pixels, words: str, at_mm: tuple[float, float], size: float, colour: Bgr) -> None:
    at = (round(at_mm[0] * PX_PER_MM), round(at_mm[1] * PX_PER_MM))
    cv2.putText(page, words, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, round(1.5 + size), cv2.LINE_AA)


def _colour(dice: random.Random, low: float = 20, high: float = 230) -> Bgr:
    return dice.uniform(low, high), dice.uniform(low, high), dice.uniform(low, high)


def _disc(page: Pixels) -> Sprite:
    """Only the round part of a square picture."""
    side = page.shape[0]
    cover = np.zeros(page.shape[:2], np.uint8)
    cv2.circle(cover, (side * 8 - 8, side * 8 - 8), side * 8 - 8, 255, -1, cv2.LINE_AA, 4)
    return sprite(page, cover)


_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _pips(page: Pixels, count: int, x_mm: float, y_mm: float, step_mm: float, colour: Bgr) -> None:
    for x, y in _PIPS.get(count, ()):
        _dot(page, x_mm + x * step_mm, y_mm + y * step_mm, step_mm * 0.38, colour)


def _die(dice: random.Random, name: str) -> Block:
    side = dice.uniform(12, 18)
    bodies = ((228, 232, 236), (30, 30, 32)), ((40, 36, 170), (240, 240, 240)), ((36, 34, 34), (235, 235, 235))
    body, pip = dice.choice(bodies)
    faces = []
    for count in dice.sample(range(1, 7), 5):
        page = _page(side, side, body)
        _pips(page, count, side / 2, side / 2, side * 0.26, pip)
        faces.append(sprite(page))
    dark = tuple(Sprite((face.pixels * np.array([0.8, 0.8, 0.8, 1])).astype(np.uint8)) for face in faces[1:])
    return Block(name, faces[0], (side, side), side, 0, 0, side=body, sides=dark, gloss=0.08, rough=0.08)


def _coin(dice: random.Random, name: str) -> Block:
    side = dice.uniform(17, 26)
    metal = dice.choice(((96, 150, 178), (60, 98, 148), (176, 180, 184), (110, 176, 202)))
    page = _page(side, side, metal)
    edge = tuple(part * 0.82 for part in metal)
    middle, pale = side / 2, tuple(min(250.0, part * 1.15) for part in metal)
    _dot(page, middle, middle, side * 0.5, (edge[0], edge[1], edge[2]))
    _dot(page, middle, middle, side * 0.45, metal)
    outline = [
        (middle + side * r * math.cos(turn), middle + side * r * math.sin(turn))
        for turn, r in ((i * math.tau / 11, dice.uniform(0.15, 0.32)) for i in range(11))
    ]
    cv2.fillPoly(page, [np.array([_px(*point) for point in outline], np.int32)], pale, cv2.LINE_AA)
    soft = cv2.GaussianBlur(page, (0, 0), 0.8)
    face = _disc(np.asarray(soft, np.uint8))
    return Block(name, face, (side, side), 2.0, 0, 0, round=True, side=metal, gloss=0.3, rough=0.12)


def _card(dice: random.Random, name: str) -> Block:
    page = _page(63, 88, (236, 238, 240))
    ink: Bgr = dice.choice(((30, 26, 180), (30, 28, 28)))
    if dice.random() < 0.4:
        cv2.rectangle(page, _px(4, 4), _px(59, 84), _colour(dice, 40, 170), -1)
        for step in range(-88, 88, 6):
            cv2.line(page, _px(4, 4 + step), _px(59, 59 + step), (225, 225, 225), 1, cv2.LINE_AA)
    else:
        _write(page, dice.choice("A2345678"), (4, 15), 1.2, ink)
        for row in range(dice.randint(1, 4)):
            for x in (20, 43):
                _dot(page, x, 20 + row * 16, 5, ink)
    return Block(name, sprite(page), (63, 88), 0.4, 0, 0, corner_mm=3.0, gloss=0.06, rough=0.1)


def _note(dice: random.Random, name: str) -> Block:
    wide, tall = dice.choice(((76.0, 76.0), (105.0, 148.0), (74.0, 105.0)))
    page = _page(wide, tall, dice.choice(((150, 240, 250), (238, 240, 242), (200, 236, 214), (236, 222, 205))))
    for row in range(int(tall / 9) - 1):
        x, y = 8.0, 12 + row * 9.0
        points = []
        while x < wide - dice.uniform(8, 30):
            points.append(_px(x, y + dice.uniform(-2.4, 1.2)))
            x += dice.uniform(0.8, 2.2)
        if points and dice.random() < 0.8:
            cv2.polylines(page, [np.array(points, np.int32)], False, (110, 60, 40), 1, cv2.LINE_AA)
    return Block(name, sprite(page), (wide, tall), 0.2, 0, 0, gloss=0.01)


def _pen(dice: random.Random, name: str) -> Block:
    long, thick = dice.uniform(125, 175), dice.uniform(7, 11)
    body = np.array(_colour(dice), np.float32)
    rows = np.linspace(-1, 1, round(thick * PX_PER_MM))[:, None]
    round_light = np.sqrt(np.clip(1 - rows**2, 0, 1)) * 0.75 + 0.3 + 0.5 * np.exp(-(((rows + 0.35) / 0.16) ** 2))
    page = np.repeat((body * round_light)[:, None], round(long * PX_PER_MM), axis=1)
    cap, tip = round(page.shape[1] * 0.36), round(page.shape[1] * 0.93)
    page[:, :cap] *= dice.uniform(0.5, 0.9)
    page[:, tip:] = np.array([170, 176, 180]) * round_light[:, None]
    pixels = np.clip(page, 0, 255).astype(np.uint8)
    cover = np.zeros(pixels.shape[:2], np.uint8)
    high, wide = pixels.shape[:2]
    outline = [[0, 1], [tip, 0], [wide - 1, high * 0.38], [wide - 1, high * 0.62], [tip, high - 1], [0, high - 2]]
    cv2.fillPoly(cover, [np.array(outline, np.int32)], 255, cv2.LINE_AA)
    side = (float(body[0]) * 0.5, float(body[1]) * 0.5, float(body[2]) * 0.5)
    return Block(name, sprite(pixels, cover), (long, thick), thick * 0.6, 0, 0, side=side, gloss=0.05)


def _phone(dice: random.Random, name: str) -> Block:
    wide, tall = dice.uniform(68, 78), dice.uniform(140, 165)
    page = _page(wide, tall, (24, 24, 26))
    cv2.rectangle(page, _px(3, 5), _px(wide - 3, tall - 5), (14, 13, 13), -1)
    if dice.random() < 0.4:
        glow = np.linspace(0.5, 1, page.shape[0])[:, None, None] * np.array(_colour(dice, 60, 200))
        inner = (slice(15, page.shape[0] - 15), slice(9, page.shape[1] - 9))
        page[inner] = np.broadcast_to(glow, page.shape)[inner].astype(np.uint8)
        for row in range(3):
            for column in range(4):
                box = _px(8 + column * 16, 40 + row * 20), _px(18 + column * 16, 50 + row * 20)
                cv2.rectangle(page, box[0], box[1], _colour(dice, 60, 240), -1)
    return Block(name, sprite(page), (wide, tall), 8.0, 0, 0, corner_mm=8.0, side=(60, 58, 56), gloss=0.16, rough=0.02)


def _cup(dice: random.Random, name: str) -> Block:
    side, tall = dice.uniform(72, 92), dice.uniform(60, 105)
    ware = dice.choice(((232, 234, 236), (120, 70, 40), (60, 64, 150), (70, 110, 90), (46, 46, 48)))
    page = _page(side, side, ware)
    middle = side / 2
    dim = tuple(part * 0.62 for part in ware)
    _dot(page, middle, middle, side * 0.455, (dim[0], dim[1], dim[2]))
    drink = dice.choice(((18, 30, 52), (60, 110, 170), (70, 140, 150), (210, 212, 214)))
    _dot(page, middle, middle + side * 0.03, side * 0.41, drink)
    soft = cv2.GaussianBlur(page, (0, 0), 1.2)
    brim = _disc(np.asarray(soft, np.uint8))
    return Block(name, brim, (side, side), tall, 0, 0, round=True, side=ware, gloss=0.05, rough=0.06)


def _domino(dice: random.Random, name: str) -> Block:
    body, pip = dice.choice((((34, 32, 30), (236, 236, 236)), ((222, 232, 238), (30, 28, 26))))
    page = _page(24, 48, body)
    for half in (0, 1):
        _pips(page, dice.randint(0, 6), 12, 12 + 24 * half, 6, pip)
    cv2.line(page, _px(3, 24), _px(21, 24), pip, 2)
    return Block(name, sprite(page), (24, 48), 7.0, 0, 0, corner_mm=1.5, side=body, gloss=0.08, rough=0.08)


def _letter(dice: random.Random, name: str) -> Block:
    page = _page(19, 19, (168, 214, 234))
    _write(page, dice.choice("AEIRSTNLOD"), (4, 15), 1.3, (40, 40, 44))
    return Block(name, sprite(page), (19, 19), 4.0, 0, 0, corner_mm=1.0, side=(140, 186, 208), gloss=0.05)


def _figure(dice: random.Random, name: str) -> Block:
    """A tile of some other game: a coloured figure on dark or light wood."""
    side = dice.uniform(22, 40)
    page = _page(side, side, dice.choice(((36, 34, 32), (206, 222, 230), (150, 190, 215))))
    ink, corners = _colour(dice, 20, 240), dice.choice((3, 4, 5, 8, 12, 24))
    turns = [(math.tau * i / corners, side * (0.36 if i % 2 else dice.choice((0.18, 0.36)))) for i in range(corners)]
    outline = [_px(side / 2 + r * math.sin(turn), side / 2 - r * math.cos(turn)) for turn, r in turns]
    cv2.fillPoly(page, [np.array(outline, np.int32)], ink, cv2.LINE_AA)
    thick = dice.uniform(2, 10)
    return Block(name, sprite(page), (side, side), thick, 0, 0, corner_mm=1.5, side=(110, 150, 180), gloss=0.05)


def _book(dice: random.Random, name: str) -> Block:
    wide, tall = dice.uniform(110, 160), dice.uniform(160, 220)
    cover = _colour(dice, 40, 200)
    page = _page(wide, tall, cover)
    cv2.rectangle(page, _px(12, 18), _px(wide - 12, 50), (230, 232, 234), -1)
    _write(page, dice.choice(("RULES", "NOTES", "ATLAS")), (16, 42), 2.0, cover)
    _dot(page, wide / 2, tall * 0.62, wide * 0.26, _colour(dice))
    thick = dice.uniform(3, 11)
    return Block(name, sprite(page), (wide, tall), thick, 0, 0, side=(206, 216, 222), gloss=0.06, rough=0.06)


def _cloth_bag(dice: random.Random, name: str) -> Block:
    """A pouch that tiles are drawn from, seen as a crumpled round thing."""
    side = dice.uniform(80, 120)
    tone = np.array(_colour(dice, 30, 150), np.float32)
    count = round(side * PX_PER_MM)
    y, x = (np.mgrid[0:count, 0:count].astype(np.float32) / count - 0.5) * 2
    turn, far = np.arctan2(y, x), np.hypot(x, y)
    bunch = np.sin(turn * dice.randint(5, 9) + 2 * np.sin(turn * 3 + far * 4) + 3 * far)
    folds = 0.85 + 0.13 * bunch * far * (1 - far**4) - 0.25 * np.exp(-((far / 0.18) ** 2)) + 0.1 * (1 - far)
    page = np.clip(tone * folds[..., None], 0, 255).astype(np.uint8)
    side_colour = (float(tone[0]) * 0.7, float(tone[1]) * 0.7, float(tone[2]) * 0.7)
    return Block(name, _disc(page), (side, side), dice.uniform(15, 35), 0, 0, round=True, side=side_colour, gloss=0.0)


_KINDS: dict[str, Callable[[random.Random, str], Block]] = {
    "die": _die,
    "coin": _coin,
    "card": _card,
    "note": _note,
    "pen": _pen,
    "phone": _phone,
    "cup": _cup,
    "domino": _domino,
    "letter": _letter,
    "figure": _figure,
    "book": _book,
    "bag": _cloth_bag,
}
