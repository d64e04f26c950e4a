"""Counts the steps of a piece of work, where a clock would measure what else the machine is doing."""

import sys
from collections import Counter


def calls_of(work):
    """What some work returns, and how many functions of Python were called for it."""
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        done = work()
    finally:
        sys.setprofile(None)
    return done, calls["call"]
