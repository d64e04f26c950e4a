"""Whether the table is at rest: cheap change detection on a small grey picture, which gates everything else.

Light is taken out of what differs: in the logarithm of grey a brighter lamp is a constant, and what is smooth is taken
away. What is left are edges, and they stay where they are when somebody switches a lamp on.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels

Grey: TypeAlias = NDArray[np.float32]
"""A small picture in the logarithm of its light, or how two of them differ."""

_ACROSS = 206
"""The small picture is about so many pixels wide."""
_SMOOTH = 21
_CHANGED = 0.07
"""So much of the logarithm of grey is more than a little."""
_FAINT = 0.04
"""So much is enough where it need not be told from frame to frame: an arm that is nearly as bright as the table."""
_DEVIATIONS = 7.0
"""Whatever is less than so many times the noise there may be noise; it is strong where the table is dark."""
_NEAR = 9
"""The noise of a pixel is that of so many around it."""
_MORE_NOISE, _LEAST_NOISE = 1.25, 0.002
"""So many times more noise there may be after a second: what grows quicker is something that moves."""
_STIRS = 0.0012
"""The share of the picture that changes from frame to frame when something moves."""
_SPECK = 0.0001
"""The same where nobody looked for a while: a tile that changed, and no hand was seen."""
_RIM = 2
_HAND = 60
"""A change of so many small pixels that reaches the rim is an arm: hardly anything else comes from outside."""
_LITTLE = 0.015
"""What reaches in and is no larger than this share of the picture may be a tile near the rim."""
_REST_OF_HAND = 0.2
"""The same of what is left of a hand that was so much larger: two tiles and their shadows, if one of them was slid."""
_SIDES = 3
"""An arm does not come from so many sides at once; a bumped camera does."""
_SHIFT = 0.6
_SURE = 0.08
"""How many small pixels a picture must shift, and how clearly, to say that the camera was moved."""
_LOG = np.log(np.arange(256) + 16.0).astype(np.float32)


class State(StrEnum):
    """What the table is doing."""

    HAND = "hand"
    SETTLING = "settling"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class Windows:
    """How long things take, in milliseconds of the camera's clock, so that a slow camera behaves the same."""

    still_ms: float = 250.0
    """Nothing moved for so long: the table is at rest. Nought for photos, each of which stands for itself."""
    glimpse_ms: float = 100.0
    """A hand left and nothing moved for so long: what lies there is read once, in case the next hand comes at once."""
    patience_ms: float = 3000.0
    """What came from the rim and lies still for so long is no hand, or one that will stay."""
    little_ms: float = 500.0
    """The same of what reaches in no further than a tile that lies near the rim and its shadow do."""
    lying_ms: float = 1000.0
    """What lay still for so long and is found there again when a hand has come and gone was left there by somebody."""
    unsure_ms: float = 1500.0
    """The same until a hand was seen to leave: it may have been over the table already when the camera was started."""
    late_ms: float = 500.0
    """How the table looks at rest is learned so much later."""
    gap_ms: float = 700.0
    """Longer than this between two frames, and a hand may have come and gone unseen."""


@dataclass(frozen=True, slots=True)
class Stillness:
    """What one frame says about rest."""

    state: State
    still_ms: float
    """For how long nothing has moved."""
    stirred: bool
    """Whether something moved since the last frame, or may have."""
    shifted: bool = False
    """Whether the whole picture lies elsewhere than when the table was last at rest: the camera was moved."""


class Settling:
    """Follows the frames of one camera."""

    def __init__(self, windows: Windows = Windows()) -> None:
        self._windows = windows
        self._before: Grey | None = None
        self._rest: Grey | None = None
        """The table as it looked when it was last at rest."""
        self._fresh: Grey | None = None
        self._resting = False
        self._sure = False
        """Whether the table at rest was ever seen behind a hand that left."""
        self._hand = 0.0
        """The largest share of the picture that the hand which is there has taken; nought without one."""
        self._lying: Grey | None = None
        self._passed_ms: float | None = None
        """The table with something at its rim that has not moved for a while, and since when a hand was seen there."""
        self._noise: Grey | None = None
        """The deviation of the noise between two frames, pixel by pixel."""
        self._last_ms = self._moved_ms = self._fresh_ms = 0.0

    def take(self, frame: Frame) -> Stillness:
        """What the newest frame says; frames come in the order in which they were taken."""
        now_ms, grey = frame.taken * 1000, small_grey(frame.pixels)
        gap_ms = now_ms - self._last_ms
        slow = gap_ms > self._windows.gap_ms
        stirred = self._has_stirred(grey, _SPECK if slow else _STIRS, gap_ms)
        if stirred:
            # What changed while nobody looked may be still by now: photos, lost frames, a slow computer.
            self._moved_ms = now_ms - self._windows.still_ms if slow and self._rest is not None else now_ms
            self._resting = False
        elif gap_ms < 0:
            self._moved_ms += gap_ms
        self._before, self._last_ms = grey, now_ms
        still_ms = now_ms - self._moved_ms
        # Before it was at rest once nobody knows what in the picture is the table, and what is a hand.
        rest = grey if self._rest is None or (stirred and self._fresh is None) else self._rest
        if self._is_hand(grey, rest, stirred, still_ms):
            self._moved_ms = now_ms if stirred else self._moved_ms
            return Stillness(State.HAND, now_ms - self._moved_ms, stirred)
        if still_ms < self._windows.still_ms:
            self._rest = rest
            return Stillness(State.SETTLING, still_ms, stirred)
        shifted = not self._resting and has_shifted(rest, grey)
        self._remember(grey, now_ms)
        return Stillness(State.REST, still_ms, stirred, shifted)

    def _is_hand(self, grey: Grey, rest: Grey, stirred: bool, still_ms: float) -> bool:
        """Whether a hand is over the table; one that left shows that the table was known rightly."""
        patience_ms = self._windows.patience_ms if self._sure else self._windows.unsure_ms
        if self._noise is None or not (stirred or still_ms < patience_ms):
            self._hand = 0.0
            return False
        arm = arm_share(grey, rest, self._noise)
        little = max(_LITTLE, _REST_OF_HAND * self._hand)
        if 0 < arm < little and not stirred and still_ms >= self._windows.little_ms:
            self._hand = 0.0
            return False
        self._sure |= self._hand > 0 and not arm
        self._hand = max(self._hand, arm) if arm else 0.0
        # Asked in any case: a hand on one side and a cup on another may look like the whole picture moving.
        was_left = self._was_left(grey, self._noise, still_ms)
        return arm > 0 and not was_left

    def _was_left(self, grey: Grey, noise: Grey, still_ms: float) -> bool:
        """Whether what reaches the rim lay there before a hand came and went: a cup, a tile."""
        now_ms = self._last_ms
        if self._lying is None:
            self._passed_ms = None
        elif arm_share(grey, self._lying, noise):
            self._passed_ms = now_ms if self._passed_ms is None else self._passed_ms
        elif self._passed_ms is not None:
            return True
        # The first finger of a hand does not stir, and is not yet a thing that lies there.
        lies_ms = still_ms if self._passed_ms is None else min(still_ms, now_ms - self._passed_ms)
        if lies_ms >= self._windows.lying_ms:
            self._lying, self._passed_ms = grey, None
        return False

    def _remember(self, grey: Grey, now_ms: float) -> None:
        """Keep how the table looks at rest, a little late: the first finger of a hand that comes slowly is no table."""
        lain, self._lying = self._lying if self._passed_ms is None else None, None
        if not self._resting:
            self._resting, self._rest = True, grey if lain is None else lain
        elif now_ms - self._fresh_ms < self._windows.late_ms:
            return
        else:
            self._rest = self._fresh
        self._fresh, self._fresh_ms = grey, now_ms

    def _has_stirred(self, grey: Grey, share: float, gap_ms: float) -> bool:
        if self._before is None or self._before.shape != grey.shape:
            self._rest = self._noise = self._fresh = self._lying = None
            return True
        change = np.abs(_edges(grey - self._before))
        noise = _noise_in(change)
        if self._noise is not None:
            more = np.float32(_MORE_NOISE ** min(max(gap_ms, 0.0) / 1000, 2.0))
            noise = np.minimum(noise, np.maximum(self._noise * more, np.float32(_LEAST_NOISE)))
        self._noise = noise
        return bool(_is_more(change, _CHANGED, noise).mean() > share)


def small_grey(pixels: Pixels) -> Grey:
    """The small picture of a frame; of every few pixels one is looked at, since that is quick."""
    height, width = pixels.shape[:2]
    step = max(1, round(width / (2 * _ACROSS)))
    few = cv2.resize(pixels, (width // step, height // step), interpolation=cv2.INTER_NEAREST)
    grey = cv2.resize(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(np.asarray(cv2.LUT(grey, _LOG), np.float32), (3, 3), 0)


def arm_share(grey: Grey, rest: Grey, noise: Grey) -> float:
    """How much of the picture is what reaches into it and was not there at rest, but for the whole picture moving."""
    difference = grey - rest
    change = _widened(_is_more(np.abs(_edges(difference)), _FAINT, noise))
    _, labels, sizes, _ = cv2.connectedComponentsWithStats(change)
    large = sizes[:, cv2.CC_STAT_AREA] >= _HAND
    large[0] = False
    arm = large[labels]
    if not 0 < sum(bool(side.any()) for side in _sides(arm)) < _SIDES:
        return 0.0
    # Where light is taken out a tile near the rim has a halo, which may reach it; an arm is there itself.
    itself = _widened(_is_more(np.abs(difference - np.median(difference)), _FAINT, noise))
    inside = np.where(arm & (itself > 0), labels, 0)
    at_rim = np.concatenate([np.unique(side) for side in _sides(inside)])
    return float(np.isin(inside, at_rim[at_rim > 0]).mean())


def has_shifted(rest: Grey, grey: Grey) -> bool:
    """Whether the camera looks elsewhere: the same picture, but not in the same place."""
    (right, down), sure = cv2.phaseCorrelate(_edges(rest), _edges(grey), _window(rest.shape))
    return bool(max(abs(right), abs(down)) > _SHIFT and sure > _SURE)


def _edges(grey: Grey) -> Grey:
    """What is left of a picture, or of a difference, without its light."""
    return grey - cv2.blur(grey, (_SMOOTH, _SMOOTH))


def _widened(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)))


def _sides(mask: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], ...]:
    """What lies along the four sides of a picture."""
    return mask[:_RIM], mask[-_RIM:], mask[:, :_RIM], mask[:, -_RIM:]


def _noise_in(change: Grey) -> Grey:
    """The deviation of the noise around each pixel, if all change is noise: 0.8 of it is the mean."""
    return np.asarray(cv2.blur(change, (_NEAR, _NEAR)) / np.float32(0.8), np.float32)


def _is_more(change: Grey, enough: float, noise: Grey) -> NDArray[np.bool_]:
    return change > np.maximum(noise * np.float32(_DEVIATIONS), np.float32(enough))


@lru_cache(maxsize=2)
def _window(shape: tuple[int, int]) -> Grey:
    return np.asarray(cv2.createHanningWindow((shape[1], shape[0]), cv2.CV_32F))
