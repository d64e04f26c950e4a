"""Finding the plane of the table, on photographs whose truth is known."""

import cv2
import numpy as np
import pytest

from companion.game import start
from companion.mats import cards, mat
from companion.registry import game_named
from vision.frame import Frame
from vision.judging import any_position
from vision.markers import find_markers
from vision.plane import NoPlane, plane_by_corners, refuse_unfit, register, still_holds
from vision.studio.render import photograph

WEB = game_named("zhizhu")
STATE = start(WEB)


def photo(seed, kind="mat", hard=False, game=WEB, **more):
    return photograph(game, start(game), seed, hard, ground_kind=kind, hands=0, clutter=0, **more)


def covered(pixels, told, corner):
    """The photo with something lying on one of its markers."""
    x, y = np.array(told["markers"][corner]["corners"]).mean(axis=0).astype(int)
    return cv2.circle(pixels.copy(), (int(x), int(y)), 90, (60, 70, 80), -1)


def off_mm(plane, told):
    """How far the plane's millimetres are from the truth at the markers' corners, root mean square."""
    laid = {marker.number: marker for marker in (mat if plane.kind == "mat" else cards)(game_named(plane.game)).markers}
    seen = np.concatenate([np.array(marker["corners"]) for marker in told["markers"]])
    true = np.concatenate([np.array(laid[marker["id"]].corners_mm) for marker in told["markers"]])
    return np.sqrt(((plane.to_mm(seen) - true) ** 2).sum(axis=1).mean())


@pytest.mark.parametrize("seed", range(4))
def test_a_mat_gives_the_plane_to_a_fraction_of_a_millimetre(seed):
    pixels, told = photo(seed)
    plane = register(pixels)
    assert (plane.game, plane.kind) == ("zhizhu", "mat")
    assert plane.residual_mm < 0.5
    assert off_mm(plane, told) < 0.5


@pytest.mark.parametrize("name", ["zhizhu", "paiko", "tu_tzi", "zu_tiles_hime", "pirates_ninjas_robots_zombies"])
def test_the_game_is_told_by_its_mat_and_by_its_cards(name):
    for kind in ("mat", "cards"):
        pixels, _ = photo(1, kind, game=game_named(name))
        plane = register(pixels)
        assert (plane.game, plane.kind) == (name, kind)


@pytest.mark.parametrize("corner", range(4))
def test_one_covered_marker_does_no_harm(corner):
    pixels, told = photo(2)
    plane = register(covered(pixels, told, corner))
    assert len(plane.seen) == 3
    assert off_mm(plane, told) < 1.5


def test_cards_laid_by_hand_still_give_the_scale():
    for seed in range(4):
        pixels, told = photo(seed, "cards")
        plane = register(pixels)
        for marker in told["markers"]:
            assert plane.seen[marker["id"]] == pytest.approx(np.mean(marker["corners"], axis=0), abs=0.5)
            corners = plane.to_mm(np.array(marker["corners"]))
            sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
            assert np.abs(sides - 30.0).max() < 0.8


def test_too_few_markers_say_which_to_uncover():
    pixels, told = photo(2)
    with pytest.raises(NoPlane, match=r"only two of four.*far left.*near left"):
        register(covered(covered(pixels, told, 0), told, 3))


@pytest.mark.parametrize(
    ("pixels", "says"),
    [
        (np.zeros((480, 640, 3), np.uint8), "too dark"),
        (np.full((480, 640, 3), 255, np.uint8), "too bright"),
        (np.full((480, 640, 3), 120, np.uint8), "too blurred"),
        (np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), "no marker"),
    ],
)
def test_a_picture_without_markers_says_what_to_do(pixels, says):
    with pytest.raises(NoPlane, match=says):
        register(pixels)


def test_a_few_light_things_on_a_black_cloth_are_no_dark_picture():
    pixels = np.random.default_rng(1).integers(0, 25, (1232, 1640, 3), np.uint8)
    for x, y in ((500, 420), (1040, 400), (1080, 800), (500, 830)):
        pixels[y : y + 52, x : x + 52] = 130
    refuse_unfit(pixels)
    with pytest.raises(NoPlane, match="too dark"):
        refuse_unfit(pixels // 5)


def seen_from_the_side(laid, rise):
    """Where the corners of a mat's markers are in a picture taken from 40 degrees beside; ``rise`` bends the paper."""
    far, tilt = 1.3 * max(laid.area_mm), np.radians(40)
    seen = {}
    for marker in laid.markers:
        x, y = np.array(marker.corners_mm).T
        up = rise(x, y)
        deep = far - y * np.sin(tilt) - up * np.cos(tilt)
        high = y * np.cos(tilt) - up * np.sin(tilt)
        seen[marker.number] = np.array([820, 616]) + 1312 * np.stack([x, high], axis=1) / deep[:, None]
    return seen


def as_markers(monkeypatch, seen):
    monkeypatch.setattr("vision.plane.find_markers", lambda pixels, game: seen)
    return np.full((1232, 1640, 3), 120, np.uint8)


@pytest.mark.parametrize("name", ["zhizhu", "paiko", "tu_tzi", "zu_tiles_hime", "pirates_ninjas_robots_zombies"])
def test_a_mat_whose_corner_stands_up_still_gives_the_plane(monkeypatch, name):
    laid = mat(game_named(name))

    def rise(x, y):
        off = np.hypot(x - laid.area_mm[0] / 2, y - laid.area_mm[1] / 2)
        return 10 * np.clip(1 - off / 150, 0, 1) ** 2

    plane = register(as_markers(monkeypatch, seen_from_the_side(laid, rise)))
    assert len(plane.seen) == 4
    assert plane.residual_mm > 0.2


def test_somebody_elses_markers_with_the_numbers_of_a_mat_are_not_taken_for_it(monkeypatch):
    """Larger ones, at the corners of a board of about the same size."""
    seen = seen_from_the_side(mat(WEB), lambda x, y: 0 * x)
    larger = {number: quad.mean(axis=0) + 1.3 * (quad - quad.mean(axis=0)) for number, quad in seen.items()}
    assert register(as_markers(monkeypatch, seen)).residual_mm < 0.1
    with pytest.raises(NoPlane, match="do not lie as those of ZhiZhu"):
        register(as_markers(monkeypatch, larger))


@pytest.mark.parametrize("kind", ["mat", "cards"])
def test_a_bumped_camera_is_noticed_and_healed(kind):
    pixels, _ = photo(1, kind)
    plane = register(pixels)
    assert still_holds(plane, pixels) is True
    bumped = cv2.warpAffine(pixels, np.float32([[1, 0.01, 12], [-0.01, 1, 7]]), (1640, 1232))
    assert still_holds(plane, bumped) is False
    assert still_holds(register(bumped), bumped) is True
    assert still_holds(plane, np.zeros_like(pixels)) is None


def test_four_tapped_corners_serve_without_markers():
    plane = plane_by_corners([(100, 50), (500, 60), (520, 400), (80, 390)], (280.0, 280.0), (640, 480))
    assert np.allclose(plane.to_mm(np.array([[100, 50], [520, 400]])), [[-140, -140], [140, 140]], atol=1e-3)
    with pytest.raises(NoPlane, match="far left, far right"):
        plane_by_corners([(100, 50), (500, 400), (520, 60), (80, 390)], (280.0, 280.0), (640, 480))


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ([(9000, 9000), (9900, 9000), (9900, 9900), (9000, 9900)], "far outside of the picture"),
        ([(100, 50), (500, 60), (520, 400), (-400, 390)], "far outside of the picture"),
        ([(300, 200), (304, 200), (304, 204), (300, 204)], "enclose next to nothing"),
        ([(0, 200), (640, 200), (640, 220), (0, 220)], "enclose next to nothing"),
        ([(float("nan"), 50), (500, 60), (520, 400), (80, 390)], "corners"),
    ],
)
def test_corners_that_can_be_those_of_no_board_are_refused(corners, says):
    with pytest.raises(NoPlane, match=says):
        plane_by_corners(corners, (280.0, 280.0), (640, 480))


def test_a_board_of_which_a_corner_is_cut_off_or_which_is_seen_far_from_the_side_has_corners():
    cut = [(-150, 60), (500, 60), (520, 400), (80, 390)]
    flat = [(200, 300), (440, 300), (560, 420), (80, 420)]
    for corners in (cut, flat):
        plane = plane_by_corners(corners, (560.0, 480.0), (640, 480))
        assert np.allclose(plane.to_mm(np.array(corners[:1])), [[-280, -240]], atol=1e-3)


def test_millimetres_and_pixels_lead_back_to_each_other():
    pixels, _ = photo(3, hard=True)
    plane = register(pixels)
    points = np.random.default_rng(2).uniform(-140, 140, (50, 2))
    assert np.abs(plane.to_mm(plane.to_pixels(points)) - points).max() < 1e-3


def test_the_top_view_shows_markers_where_the_mat_has_them():
    pixels, _ = photo(0)
    plane = register(pixels)
    top = plane.rectify(Frame(pixels, 0.0, 0), (-140.0, -140.0, 140.0, 140.0), 0.4)
    assert top.pixels.shape == (700, 700, 3)
    found = find_markers(top.pixels)
    for marker in mat(WEB).markers:
        assert np.abs(top.to_mm(found[marker.number]) - np.array(marker.corners_mm)).max() < 1.0


def test_a_wide_lens_that_bends_back_at_its_rim_is_straightened():
    """One of four markers covered, the table seen from the side through a lens of 100 degrees."""
    game = game_named("pirates_ninjas_robots_zombies")
    pixels, told = photograph(game, any_position(game, 14_000_044), 14_000_044, True, ground_kind="mat", hands=0)
    top = register(pixels, game.name).lifted(game.catalogue.thickness_mm)
    off = top.to_mm(np.array([tile["centre"] for tile in told["tiles"]])) - [
        tile["centre_mm"] for tile in told["tiles"]
    ]
    assert np.abs(off).max() < 12  # millimetres; without the second coefficient it is 30
