"""One picture of the table, and when it was taken."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Pixels: TypeAlias = NDArray[np.uint8]
"""Rows, columns, and the channels blue, green and red."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What the sensor saw, in seconds of the source's own clock; numbers have gaps where frames were lost."""

    pixels: Pixels
    taken: float
    number: int


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no camera just now: what is wrong and what is done about it, and since when on the source's clock."""

    says: str
    since: float
