"""How much memory that reads give back the C library may keep for the next ones."""

import ctypes
from contextlib import suppress

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""The numbers by which glibc's `mallopt` knows them."""
_LARGE = 16 << 20


def keep_little() -> None:
    """Left to itself glibc keeps ever larger pieces, up to 64 MB in every thread's own store; other systems do not."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_TRIM_THRESHOLD, 2 * _LARGE)


def give_back() -> None:
    """Give back what reads have left over, 70 MB and more, which lies in pieces between what is still used.

    It takes 2 ms, and the next read some 15 more: this is for when the table is understood, not between two reads.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
