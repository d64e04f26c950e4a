"""What the pages stand on: the table, its settings and what the command line gave them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from flask import current_app

from companion.config import Settings
from companion.eyes import Eyes
from companion.live import Camera, Table

PrintSheets: TypeAlias = Callable[[str, str, str, Callable[[str], str]], bytes]
"""One bundle of a game's printable sheets (tiles, board, corners) on a paper, as PDF."""


@dataclass(frozen=True, slots=True)
class House:
    """Everything that a page may use."""

    table: Table
    settings: Settings
    addresses: tuple[str, ...]
    """Where phones find the table; the first one goes into the QR code."""
    print_sheets: PrintSheets | None = None
    advice_seconds: float = 1.0
    demo: bool = False
    """A program plays."""
    language: str = ""
    """The language for phones that chose none; empty for that of their browser."""
    broken_file: str = ""
    """What is wrong with the configuration, if something is: the page runs in safe mode then."""
    eyes: Eyes | None = None
    """What reads pictures, if anything does: of the camera above the table, or photos from phones alone."""

    @property
    def has_camera(self) -> bool:
        return self.eyes is not None and self.table.now.camera != Camera.MANUAL


def house() -> House:
    held = current_app.extensions["house"]
    assert isinstance(held, House)
    return held
