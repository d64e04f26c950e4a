from pathlib import Path
from resource import getpagesize

import numpy as np

from vision.memory import give_back


def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize() / 1e6


def test_what_lies_in_pieces_between_what_is_used_is_given_back():
    pieces = [np.ones(100_000, np.uint8) for _ in range(1000)]
    used = pieces[::10]
    del pieces
    before = resident_mb()
    give_back()
    assert resident_mb() < before - 50
    assert all(one.all() for one in used)
