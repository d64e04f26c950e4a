import time

import cv2
import numpy as np
import pytest

from vision.frame import Frame
from vision.settle import Settling, State, Windows

SIZE = (616, 820)


def table(seed=1):
    """A table with something on it: smooth ground, tiles, a print."""
    rng = np.random.default_rng(seed)
    picture = np.full((*SIZE, 3), 120, np.uint8)
    for _ in range(60):
        x, y = int(rng.integers(60, 720)), int(rng.integers(60, 520))
        cv2.rectangle(picture, (x, y), (x + 40, y + 40), tuple(int(c) for c in rng.integers(20, 235, 3)), -1)
    return picture


def with_arm(picture, reach, colour=(50, 70, 120)):
    """An arm from the near edge."""
    shown = picture.copy()
    cv2.rectangle(shown, (380, SIZE[0] - reach), (440, SIZE[0]), colour, -1)
    return shown


def piece_with_shadow(picture, centre, radius=36):
    """A round piece, which darkens what lies below it on the near left."""
    shown, (x, y) = picture.copy(), centre
    cv2.circle(shown, (x - 24, y + 34), radius, (85, 85, 85), -1)
    cv2.circle(shown, centre, radius, (160, 90, 30), -1)
    return shown


def noisy(picture, seed):
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def states(pictures, rate=10.0, settling=None):
    settling = settling or Settling()
    return [settling.take(Frame(noisy(one, i), (i + 1) / rate, i)) for i, one in enumerate(pictures)]


def test_a_table_that_nobody_touches_is_at_rest():
    seen = states([table()] * 8)
    assert [one.state for one in seen[4:]] == [State.REST] * 4
    assert not any(one.stirred for one in seen[1:])


def test_light_switched_on_is_no_movement():
    dim = (table() * 0.6).astype(np.uint8)
    bright = np.clip(dim * np.linspace(1.1, 1.5, SIZE[1])[None, :, None], 0, 255).astype(np.uint8)
    seen = states([dim] * 6 + [bright] * 6)
    assert all(one.state is not State.HAND for one in seen)
    assert seen[-1].state is State.REST
    assert not any(one.shifted for one in seen)


def test_a_hand_is_over_the_table_while_it_moves_and_while_it_stays():
    moving = [with_arm(table(), reach) for reach in range(60, 300, 60)]
    seen = states([table()] * 6 + moving + [moving[-1]] * 10 + [table()] * 6)
    assert all(one.state is State.HAND for one in seen[6:20])
    assert seen[20].state is State.SETTLING
    assert seen[-1].state is State.REST


def test_a_hand_as_bright_as_the_table_is_seen_while_it_stays():
    arm = with_arm(table(), 240, (90, 130, 190))
    seen = states([table()] * 6 + [arm] * 10)
    assert all(one.state is State.HAND for one in seen[7:16])


def test_a_dark_and_noisy_table_comes_to_rest_and_a_hand_over_it_is_seen():
    dark, arm = (table() * 0.25).astype(np.uint8), (with_arm(table(), 240, (255, 255, 255)) * 0.25).astype(np.uint8)
    coarse = [noisy(cv2.resize(one, (206, 154)), 50 + i) for i, one in enumerate([dark] * 12 + [arm] * 6)]
    seen = states([cv2.resize(one, SIZE[::-1]) for one in coarse])
    assert [one.state for one in seen[6:12]] == [State.REST] * 6
    assert [one.state for one in seen[12:]] == [State.HAND] * 6


def test_a_bright_mat_on_a_dark_table_comes_to_rest_though_the_dark_is_noisy():
    picture = np.full((154, 206, 3), 8, np.uint8)
    picture[20:-20, 30:-30] = 210
    coarse = [noisy(picture, 80 + i) for i in range(12)]
    seen = states([cv2.resize(one, SIZE[::-1]) for one in coarse])
    assert [one.state for one in seen[4:]] == [State.REST] * 8


def test_a_tile_laid_near_the_rim_whose_shadow_reaches_it_is_no_hand():
    laid = table()
    laid[560:] = 120
    shadowed = laid.copy()
    cv2.rectangle(shadowed, (385, 585), (425, SIZE[0]), (95, 95, 95), -1)
    cv2.circle(shadowed, (400, 580), 20, (40, 60, 200), -1)
    coming = [with_arm(laid, reach) for reach in (60, 120, 60)]
    seen = states([laid] * 6 + coming + [shadowed] * 12 + [with_arm(shadowed, 120)] * 8)
    assert [one.state for one in seen[9:18]] == [*[State.HAND] * 5, *[State.REST] * 4]
    assert all(one.state is State.HAND for one in seen[21:])


def test_a_piece_that_was_slid_to_the_rim_is_no_arm_though_it_and_its_place_are_large():
    bare = table()
    bare[440:] = 120
    away, near = ((380, y) for y in (480, 560))
    slid_from, slid_to = (piece_with_shadow(bare, at) for at in (away, near))
    hand = slid_from.copy()
    hand[260:, 120:600] = (50, 70, 120)
    seen = states([*[slid_from] * 6, *[hand] * 3, *[slid_from] * 6, *[hand] * 3, *[slid_to] * 12])[18:]
    assert [one.state for one in seen] == [*[State.HAND] * 5, *[State.REST] * 7]


def test_what_a_hand_that_drew_back_left_in_the_picture_is_a_hand_while_it_is_more_than_tiles():
    arm = [with_arm(table(), reach) for reach in (400, 200)]
    seen = states([*[table()] * 6, *[arm[0]] * 3, *[table()] * 6, *[arm[0]] * 3, *[arm[1]] * 12])[15:]
    assert all(one.state is State.HAND for one in seen)


def test_what_stays_at_the_rim_becomes_part_of_the_table():
    seen = states([table()] * 6 + [with_arm(table(), 200)] * 40)
    assert seen[20].state is State.HAND
    assert seen[-1].state is State.REST


@pytest.mark.parametrize("far", [False, True])
def test_what_was_left_at_the_rim_is_no_hand_when_the_next_hand_has_come_and_gone(far):
    """A cup stands in a corner, so with a hand from the far side something reaches over three sides of the picture."""
    cup = table()
    cv2.circle(cup, (60, 560), 55, (230, 230, 240), -1)
    known = [*[table()] * 6, *[with_arm(table(), 200)] * 3, *[table()] * 6]
    passing = [with_arm(cup[::-1], reach)[::-1] if far else with_arm(cup, reach) for reach in (80, 140, 200, 260)]
    seen = states([*known, *[cup] * 20, *passing, *[cup] * 6])[len(known) :]
    assert all(one.state is State.HAND for one in seen[:20])
    assert [one.state for one in seen[24:]] == [*[State.SETTLING] * 3, *[State.REST] * 3]


@pytest.mark.parametrize("waits", [20, 30])
def test_the_shadow_of_a_hand_that_comes_is_not_what_was_left_at_the_rim(waits):
    """Be it that it comes when what lies there was just taken for a part of the table."""
    cup = table()
    cv2.circle(cup, (60, 560), 55, (230, 230, 240), -1)
    shadow = cup.copy()
    shadow[-30:, 380:440] = (shadow[-30:, 380:440] * 0.9).astype(np.uint8)
    known = [*[table()] * 6, *[with_arm(table(), 200)] * 3, *[table()] * 6]
    seen = states([*known, *[cup] * waits, shadow, *[with_arm(cup, 200)] * 4, *[cup] * 6])[len(known) :]
    assert (seen[waits].stirred, seen[waits].state) == (False, State.REST if waits == 30 else State.HAND)
    assert [one.state for one in seen[waits + 5 :]] == [*[State.SETTLING] * 3, *[State.REST] * 3]


@pytest.mark.parametrize("gap", [20, 32])
@pytest.mark.parametrize("light", [1.0, 1.05])
def test_a_tile_laid_near_the_rim_is_no_arm(gap, light):
    laid = table()
    cv2.rectangle(laid, (300, SIZE[0] - gap - 80), (380, SIZE[0] - gap), (250, 250, 250), -1)
    laid = np.clip(laid * light, 0, 255).astype(np.uint8)
    seen = states([*[table()] * 6, *[with_arm(table(), 200)] * 3, *[laid] * 4])
    assert [one.state for one in seen[9:]] == [*[State.SETTLING] * 3, State.REST]


def test_an_arm_that_lies_still_is_a_hand_while_its_fingers_move():
    arm = with_arm(table(), 240)
    fingers = arm.copy()
    cv2.rectangle(fingers, (380, 340), (440, 376), (50, 70, 120), -1)
    known = [*[table()] * 6, *[arm] * 3, *[table()] * 6]
    seen = states([*known, *[arm] * 20, *[fingers, arm] * 4])[len(known) :]
    assert all(one.state is State.HAND for one in seen)


def test_a_hand_that_was_there_before_the_camera_is_not_taken_for_the_table():
    leaving = [with_arm(table(), reach) for reach in range(300, 60, -60)]
    coming = [with_arm(table(), reach) for reach in range(60, 300, 60)]
    seen = states([*leaving, *[table()] * 5, *coming, *[coming[-1]] * 5, *leaving, *[table()] * 5])
    assert [one.state for one in seen[4:9]] == [*[State.SETTLING] * 3, *[State.REST] * 2]
    assert all(one.state is State.HAND for one in seen[9:22])
    assert seen[-1].state is State.REST


def test_a_hand_that_lay_still_before_the_camera_was_started_is_forgotten_soon():
    seen = states([with_arm(table(), 200)] * 6 + [table()] * 20)
    assert [one.state for one in seen[6:20]] == [State.HAND] * 14
    assert [one.state for one in seen[22:]] == [State.REST] * 4


@pytest.mark.parametrize("rate", [4.0, 10.0, 30.0])
def test_windows_are_milliseconds_and_not_frames(rate):
    count = round(rate)
    moving = [with_arm(table(), 100 + 150 * i // count) for i in range(count)]
    seen = states([table()] * count + moving + [table()] * count, rate)
    first = next(i for i, one in enumerate(seen) if i >= 2 * count and one.state is State.REST)
    assert 250 <= (first - 2 * count) * 1000 / rate <= 250 + 2 * 1000 / rate


def test_a_bumped_camera_is_noticed():
    shifted = np.roll(table(), (14, 20), axis=(0, 1))
    seen = states([table()] * 6 + [shifted] * 6)
    assert [one.shifted for one in seen].count(True) == 1
    assert all(one.state is not State.HAND for one in seen)


def test_a_tile_that_is_laid_is_no_bump():
    laid = table()
    cv2.rectangle(laid, (300, 300), (340, 340), (255, 255, 255), -1)
    seen = states([table()] * 6 + [with_arm(table(), 300)] * 3 + [laid] * 6)
    assert not any(one.shifted for one in seen)
    assert seen[-1].state is State.REST


def test_what_changed_between_slow_pictures_is_read_at_once():
    laid = table()
    cv2.rectangle(laid, (300, 300), (340, 340), (255, 255, 255), -1)
    seen = states([table(), table(), laid, laid], rate=0.5)
    assert [one.state for one in seen[1:]] == [State.REST] * 3
    assert [one.stirred for one in seen] == [True, False, True, False]


def test_what_changed_while_frames_were_lost_may_have_changed_just_now():
    laid = table()
    cv2.rectangle(laid, (300, 300), (340, 340), (255, 255, 255), -1)
    settling = Settling()
    states([table()] * 6, settling=settling)
    first = settling.take(Frame(noisy(laid, 7), 3.0, 7))
    later = settling.take(Frame(noisy(laid, 8), 3.5, 8))
    assert (first.state, first.still_ms) == (State.REST, pytest.approx(Windows().still_ms))
    assert later.still_ms == pytest.approx(Windows().still_ms + 500)


def test_a_clock_that_jumps_back_does_not_stop_the_watching():
    settling = Settling()
    states([table()] * 6, settling=settling)
    seen = [settling.take(Frame(noisy(table(), i), -500 + i / 10, i)) for i in range(6)]
    assert seen[-1].state is State.REST


def test_pictures_of_another_size_begin_anew():
    settling = Settling(Windows())
    states([table()] * 6, settling=settling)
    other = settling.take(Frame(np.zeros((308, 410, 3), np.uint8), 0.8, 8))
    assert other.state is State.SETTLING


def test_an_idle_frame_costs_less_than_to_unpack_it():
    """Eight milliseconds are allowed, some as many as a JPEG of this size takes; `companion bench watching` tells."""
    large = cv2.resize(table(), (1640, 1232))
    packed, settling = cv2.imencode(".jpg", large)[1], Settling()
    idle = [seconds_of(lambda i=i: settling.take(Frame(large, i / 10, i))) for i in range(40)]
    assert min(idle[5:]) < min(seconds_of(lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR)) for _ in range(20))


def seconds_of(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
