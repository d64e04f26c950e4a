"""Stands in for the parts of libcamera's Python module that the Pi's worker names."""

from enum import Enum, IntEnum


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

    class AfTriggerEnum(Enum):
        Start = 0
        Cancel = 1

    class AfStateEnum(IntEnum):  # as numbers in the metadata, which its enumeration is equal to
        Idle = 0
        Scanning = 1
        Focused = 2
        Failed = 3
