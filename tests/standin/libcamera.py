"""Stands in for the parts of libcamera's Python module that the Pi's worker names."""

from enum import Enum


class ColorSpace:
    """A colour space by its name."""

    def __init__(self, name):
        self.name = name

    @classmethod
    def Smpte170m(cls):  # noqa: N802 - its name there
        return cls("SMPTE170M")


class controls:  # noqa: N801 - a module there
    class AfModeEnum(Enum):
        Manual = 0
        Auto = 1
        Continuous = 2
