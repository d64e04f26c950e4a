"""Measures how far apart the faces of a game look to the camera, whichever way they lie and in whatever light."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art import drawing
from companion.registry import games
from companion.tiles import Catalogue
from vision.raster import Pixels, raster

CAMERA_PX_PER_MM = 2.2
"""What a camera of 1640 by 1232 pixels sees from 80 cm."""

NEAR = 0.06
"""Two faces closer than this are too alike: noise, JPEG and half a pixel of shift move a face so far from itself."""

_SOFT_PX = 1.2
"""Blur of the lens and of a tile not quite straight."""

Floats: TypeAlias = NDArray[np.float32]
Light: TypeAlias = Callable[[Floats], Floats]


def _lamp(blue: float, green: float, red: float) -> Light:
    return lambda pictures: np.minimum(pictures * np.array([blue, green, red], np.float32), 1.0)


def _grey(pictures: Floats) -> Floats:
    luminance = pictures @ np.array([0.114, 0.587, 0.299], np.float32)
    return np.repeat(luminance[..., None], 3, axis=-1)


def _balanced(pictures: Floats) -> Floats:
    """As a camera's white balance leaves it that takes each picture to be grey on the whole."""
    means = pictures.mean(axis=(1, 2), keepdims=True)
    balanced: Floats = np.minimum(pictures * (0.5 / np.maximum(means, 0.05)), 1.5).astype(np.float32)
    return balanced


LIGHTS: Mapping[str, Light] = {
    "daylight": lambda pictures: pictures,
    "yellow lamp": _lamp(0.42, 0.80, 1.0),
    "cold lamp": _lamp(1.0, 0.90, 0.70),
    "grey": _grey,
    "balanced": _balanced,
}


def pictures(catalogue: Catalogue, face: Callable[[str, str | None], str]) -> dict[str, Pixels]:
    """Every face of a set as the camera sees it, by the tile's name, with its owner where it has one."""
    return {
        f"{owner} {tile.name}" if owner else tile.name: raster(drawing(face(tile.name, owner)), CAMERA_PX_PER_MM)
        for tile in catalogue
        for owner in (tile.owners or (None,))
    }


def distances(seen: Mapping[str, Pixels]) -> NDArray[np.float32]:
    """For every two faces the smallest distance over the turns of one and the lights on both, in parts of white."""
    stack = np.stack([_soft(picture) for picture in seen.values()])
    lit = (light(stack) for light in LIGHTS.values())
    nearest: Floats = np.min([_apart(under, turned) for under in lit for turned in _turns(under)], axis=0)
    return nearest


def closest(seen: Mapping[str, Pixels], pairs: int) -> list[tuple[float, str, str]]:
    """The pairs of faces that look most alike, the worst first."""
    names, apart = list(seen), distances(seen)
    found = [(float(apart[i, j]), names[i], names[j]) for i, j in combinations(range(len(names)), 2)]
    return sorted(found)[:pairs]


def turns_apart(picture: Pixels) -> float:
    """The smallest distance of a face from itself turned; nothing where it looks the same from all sides."""
    stack = _soft(picture)[None]
    lit = [light(stack) for light in LIGHTS.values()]
    return min(float(_apart(under, turned)[0, 0]) for under in lit for turned in list(_turns(under))[1:])


def _soft(picture: Pixels) -> Floats:
    """Blurred, and every other pixel left out, since the blur has taken their difference away."""
    blurred = cv2.GaussianBlur(picture, (0, 0), _SOFT_PX)
    half = (round(picture.shape[1] / 2), round(picture.shape[0] / 2))
    return np.asarray(cv2.resize(blurred, half, interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


def _turns(stack: Floats) -> Iterator[Floats]:
    """Four ways for a square, two for a card, whose shape gives the others away."""
    square = stack.shape[1] == stack.shape[2]
    for quarters in range(0, 4, 1 if square else 2):
        yield np.ascontiguousarray(np.rot90(stack, quarters, (1, 2)))


def _apart(ones: Floats, others: Floats) -> Floats:
    """Root mean square of all pixels, every one of the ones from every one of the others."""
    flat, against = ones.reshape(len(ones), -1), others.reshape(len(others), -1)
    squares = (flat**2).sum(axis=1)[:, None] + (against**2).sum(axis=1)[None, :] - 2 * flat @ against.T
    apart: Floats = np.sqrt(np.maximum(squares, 0) / flat.shape[1]).astype(np.float32)
    return apart


def main() -> None:
    for game in games().values():
        if game.face is not None:
            print(game.name)
            for apart, one, other in closest(pictures(game.catalogue, game.face), 6):
                print(f"  {apart:.3f}  {one} and {other}")


if __name__ == "__main__":
    main()
