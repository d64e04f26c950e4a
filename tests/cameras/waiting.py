"""Waits for what a camera is to give, within a limit of time."""

import time

from vision.frame import Frame, Lost


def all_until(source, wanted, seconds=10.0):
    """Everything a source gives up to the first that is wanted, each with the time at which it came."""
    seen, limit = [], time.monotonic() + seconds
    for given in source:
        seen.append((time.monotonic(), given))
        if wanted(given):
            return seen
        assert time.monotonic() < limit, [given for _, given in seen if isinstance(given, Lost)]
    raise AssertionError("the source has ended")


def until(source, wanted, seconds=20.0):
    """The first that is wanted."""
    return all_until(source, wanted, seconds)[-1][1]


def is_frame(given):
    return isinstance(given, Frame)
