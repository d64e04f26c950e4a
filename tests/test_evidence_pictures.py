"""What an evidence picture shows lies where it says, on boards and where tiles lie without one."""

import numpy as np
import pytest

from companion.evidence import LARGEST_BYTES
from companion.framing import framing_of
from companion.registry import game_named
from vision.frame import Frame
from vision.photo import decode
from vision.pictures import evidence_picture
from vision.plane import STRAIGHT, Plane
from vision.reading import SeenTile, TableRead
from vision.snap import Grid

SIZE = (1200, 900)


def _read(place, at_mm, grid=None):
    """A table from straight above, a pixel a millimetre, with one bright spot on it."""
    plane = Plane(np.array([[1.0, 0, 600], [0, 1, 450], [0, 0, 1]]), STRAIGHT, SIZE, 0.0)
    pixels = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    x, y = round(at_mm[0] + 600), round(at_mm[1] + 450)
    pixels[y - 4 : y + 5, x - 4 : x + 5] = 255
    tile = SeenTile(place, None, 1.0, {}, (x, y), (), at_mm, 0.0)
    return Frame(pixels, 0.0, 1), TableRead(plane, (tile,), {}, grid, "")


@pytest.mark.parametrize(
    ("name", "place", "grid"),
    [
        ("zhizhu", "c2", None),
        ("zu_tiles_hime", "2,-1", Grid(60.0, -40.0, 25.0, 43.0)),
        ("pirates_ninjas_robots_zombies", "-3,2", Grid(10.0, 30.0, -80.0, 40.0)),
    ],
)
def test_a_place_is_found_on_its_evidence(name, place, grid):
    game = game_named(name)
    spot = game.board.spot(place)
    frame, read = _read(place, grid.spot(place) if grid else (spot.x_mm, spot.y_mm), grid)
    jpeg = evidence_picture(frame, read, game)
    pixels = decode(jpeg)
    across, down = framing_of(jpeg).share(spot.x_mm, spot.y_mm)
    bright = np.argwhere(pixels[..., 0] > 128).mean(axis=0)
    assert bright[1] == pytest.approx(across * pixels.shape[1], abs=4)
    assert bright[0] == pytest.approx(down * pixels.shape[0], abs=4)


@pytest.mark.parametrize("noise", [0, 12, 120])
def test_a_picture_keeps_its_bound_however_noisy_the_table_is(noise):
    game = game_named("zhizhu")
    frame, read = _read("c2", (0.0, 0.0))
    frame.pixels[...] = 128 + np.random.default_rng(1).integers(-noise, noise + 1, frame.pixels.shape)
    jpeg = evidence_picture(frame, read, game)
    assert len(jpeg) <= LARGEST_BYTES
    assert max(decode(jpeg).shape) >= 280
