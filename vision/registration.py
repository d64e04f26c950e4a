"""Where the table lies in a picture, by whatever shows it best: markers, the board's own print, tapped corners."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from companion.game import AnyGame
from companion.mats import mat
from companion.registry import games
from vision.frame import Frame
from vision.outline import plane_by_outline, refined
from vision.plane import NoPlane, Plane, plane_by_corners, register


def find_table(frame: Frame, game: AnyGame | None = None) -> Plane:
    """By the mat or cards in the picture, whichever game's; without them by the board of this game alone.

    Raises `NoPlane` with what to do.
    """
    try:
        plane = register(frame.pixels, game.name if game else None)
    except NoPlane:
        if game is not None and game.board.strokes:
            with suppress(NoPlane):
                return replace(plane_by_outline(frame.pixels, game.board), kind="board")
        # What is wrong with the markers is a better sentence than that there is no board.
        raise
    # A mat's markers lie where it says. Cards are laid by hand, so what the board itself shows is better.
    return plane if plane.kind == "mat" else refined(plane, frame, games()[str(plane.game)].board)


def table_by_corners(frame: Frame, corners_px: Sequence[tuple[float, float]], game: AnyGame) -> Plane:
    """By four corners of `tapped_area_mm`, made finer by the board's print."""
    high, wide = frame.pixels.shape[:2]
    return refined(plane_by_corners(corners_px, tapped_area_mm(game), (wide, high)), frame, game.board)


def tapped_area_mm(game: AnyGame) -> tuple[float, float]:
    """Whose corners people tap: the board's, or without one the mat's playing area."""
    return game.board.size_mm if game.board.strokes else mat(game).area_mm
