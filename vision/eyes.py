"""The camera above the table as the page and the commands ask for it: pictures and words, never a pixel."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import cv2
import numpy as np

from companion.eyes import CannotSee, Corner, Crop, Enrolled, View
from companion.game import AnyGame, Unreadable
from companion.images import check_photo
from companion.live import Look
from companion.mats import CORNERS
from companion.registry import game_named
from companion.said import full_sentence, joined, say
from companion.table import Piece, Place
from vision.frame import Frame, Pixels
from vision.markers import find_markers
from vision.outline import ways_up
from vision.pictures import encoded
from vision.plane import NoPlane, Plane
from vision.reading import TableRead
from vision.registration import find_table, table_by_corners, tapped_area_mm
from vision.waiting import photo_sent
from vision.watching import Read, Watching, without_strays

_BLURRED = 12.0
_DARK, _BRIGHT = 45.0, 215.0
_BURNT = 0.06
"""Below so much of an edge a picture is blurred; its median is between dark and bright, and no more is burnt out."""
_CROP_MM = 1.3
"""How much of the table a crop shows, in widths of a tile."""
_CROP_PX = 160


class OwnSets(Protocol):
    """The players' own sets, as far as a camera has to do with them."""

    def listed(self, game: AnyGame) -> Mapping[str, tuple[Enrolled, ...]]: ...

    def enrol(
        self, game: AnyGame, set_name: str, piece: Piece, frame: Frame, plane: Plane | None
    ) -> tuple[Crop, Enrolled]: ...

    def forget(self, game: AnyGame, set_name: str, tile: str | None) -> None: ...

    def reader(self, game: AnyGame, set_name: str | None) -> Read:
        """What reads with a set; ``None`` for the printed one."""


class Camera(Protocol):
    """What follows the table, as far as the eyes steer it."""

    watching: Watching

    @property
    def lock(self) -> AbstractContextManager[object]: ...

    @property
    def game(self) -> AnyGame | None: ...

    def pause(self, paused: bool) -> None: ...

    def calibrate(self, plane: Plane) -> None: ...

    def look_again(self) -> None: ...

    def read_with(self, game: AnyGame, read: Read) -> None: ...


class TableEyes:
    """The eyes of one camera."""

    def __init__(
        self, source: str, camera: Camera, reader_of: Callable[[AnyGame], Read], sets: OwnSets | None = None
    ) -> None:
        self._source, self._camera, self._reader_of, self._sets = source, camera, reader_of, sets
        self._readers: dict[str, Read] = {}
        """What reads each game now: its printed set, or the one that the players chose."""

    def picture(self) -> bytes:
        return encoded(self._frame().pixels)

    def view(self) -> View:
        return self._view(self._frame())

    def calibrate(self, corners: Sequence[Corner] | None = None) -> View:
        frame = self._frame()
        try:
            plane = (
                find_table(frame, self._camera.game) if corners is None else _by_corners(frame, corners, self._game())
            )
        except NoPlane as why:
            raise CannotSee(full_sentence(why.says)) from None
        self._camera.calibrate(plane)
        return self._view(frame)

    def look_again(self) -> Look:
        game = self._game()
        try:
            with self._camera.lock:
                read = self._camera.watching.read(self._reader(game), game)
        except NoPlane as why:
            raise CannotSee(full_sentence(why.says)) from None
        self._camera.look_again()
        return _look(read, game)

    def crop(self, place: Place) -> Crop | None:
        with self._camera.lock:
            read, frame, game = self._camera.watching.last, self._camera.watching.read_frame, self._camera.game
        if read is None or frame is None or game is None or place not in read.observation:
            return None
        odds = dict(sorted(read.observation[place].items(), key=lambda entry: -entry[1]))
        return Crop(encoded(_around(read, frame, game, place)), odds)

    def read_photo(self, image: bytes, game: str, corners: Sequence[Corner] | None = None) -> Look:
        try:
            check_photo(image)
            frame, played = photo_sent(image), game_named(game)
            plane = find_table(frame, played) if corners is None else _by_corners(frame, corners, played)
            if plane.kind == "board" and len(ways_up(played.board)) > 1:
                raise NoPlane(
                    say("without a mat it cannot be seen which side of the board is near: tap its four corners")
                )
            if plane.game not in (None, played.name):
                theirs = game_named(str(plane.game)).title
                raise NoPlane(say("this is the mat of {theirs}, not of {ours}", theirs=theirs, ours=played.title))
            return _look(without_strays(self._reader(played)(frame, plane, None), played), played)
        except (NoPlane, Unreadable) as why:
            raise CannotSee(full_sentence(why.says)) from None

    def sets(self, game: str) -> Mapping[str, tuple[Enrolled, ...]]:
        return self._own_sets().listed(game_named(game))

    def enrol(self, game: str, set_name: str, piece: Piece, image: bytes | None = None) -> tuple[Crop, Enrolled]:
        if image is None:
            frame, plane = self._frame(), self._camera.watching.plane
        else:
            check_photo(image)
            frame, plane = photo_sent(image), None
        try:
            return self._own_sets().enrol(game_named(game), set_name, piece, frame, plane)
        except NoPlane as why:
            raise CannotSee(full_sentence(why.says)) from None

    def forget(self, game: str, set_name: str, tile: str | None = None) -> None:
        self._own_sets().forget(game_named(game), set_name, tile)

    def use_set(self, game: str, set_name: str | None) -> None:
        played = game_named(game)
        self._readers[game] = self._own_sets().reader(played, set_name)
        self._camera.read_with(played, self._readers[game])

    def pause(self, paused: bool) -> None:
        self._camera.pause(paused)

    def _frame(self) -> Frame:
        frame = self._camera.watching.frame
        if frame is None:
            raise CannotSee(say("There is no picture yet: wait a moment, or see to the camera."))
        return frame

    def _game(self) -> AnyGame:
        if self._camera.game is None:
            raise CannotSee(say("No mat says which game is played: put its mat or corner cards under the camera."))
        return self._camera.game

    def _reader(self, game: AnyGame) -> Read:
        if game.name not in self._readers:
            self._readers[game.name] = self._reader_of(game)
        return self._readers[game.name]

    def _own_sets(self) -> OwnSets:
        if self._sets is None:
            raise CannotSee(say("This camera reads printed sets only."))
        return self._sets

    def _view(self, frame: Frame) -> View:
        plane, game = self._camera.watching.plane, self._camera.game
        corners = None if plane is None or game is None else _corners(plane, game)
        return View(
            source=self._source,
            game=plane.game if plane is not None else None,
            plane="none" if plane is None else plane.kind if plane.game is None else "markers",
            residual_mm=plane.residual_mm if plane is not None and plane.kind != "corners" else None,
            markers=min(4, len(find_markers(frame.pixels))),
            corners=corners,
            focus=focus(frame.pixels),
            exposure=exposure(frame.pixels),
            coverage=coverage(corners)
            if corners
            else full_sentence(self._camera.watching.says or say("no table was found yet")),
        )


def focus(pixels: Pixels) -> str:
    """Whether edges are sharp, in words."""
    grey = cv2.cvtColor(pixels[::2, ::2], cv2.COLOR_BGR2GRAY)
    sharp = float(np.percentile(np.abs(cv2.Laplacian(grey, cv2.CV_32F)), 99))
    if sharp > _BLURRED:
        return "good"
    return say("The picture is blurred: focus the camera, clean its lens, and fix its stand.")


def exposure(pixels: Pixels) -> str:
    """Whether there is enough light and not too much, in words."""
    small = pixels[::4, ::4]
    middle, burnt = float(np.median(small)), float((small.min(axis=2) > 250).mean())
    if middle < _DARK:
        return say("The picture is too dark: turn on a light.")
    if middle > _BRIGHT or burnt > _BURNT:
        return say("Parts of the table are too bright to be read: move the lamp aside or draw the curtain.")
    return "good"


def coverage(corners: Sequence[Corner]) -> str:
    """Whether the whole playing area is in the picture, in words."""
    outside = [name for name, (x, y) in zip(CORNERS, corners, strict=True) if not (0 <= x <= 1 and 0 <= y <= 1)]
    if not outside:
        return "good"
    return say(
        "The {corners} corner is out of the picture: move the camera until all four are in it.",
        corners=joined(outside, "{some} and the {more}"),
    )


def _by_corners(frame: Frame, corners: Sequence[Corner], game: AnyGame) -> Plane:
    high, wide = frame.pixels.shape[:2]
    return table_by_corners(frame, [(x * wide, y * high) for x, y in corners], game)


def _corners(plane: Plane, game: AnyGame) -> tuple[Corner, Corner, Corner, Corner]:
    width, height = tapped_area_mm(game)
    corners_mm = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    far_left, far_right, near_right, near_left = plane.to_pixels(corners_mm) / plane.size
    return _pair(far_left), _pair(far_right), _pair(near_right), _pair(near_left)


def _pair(point: Sequence[float]) -> Corner:
    return float(point[0]), float(point[1])


def _around(read: TableRead, frame: Frame, game: AnyGame, place: Place) -> Pixels:
    named = game.board.places.get(place)
    x, y = (named.x_mm, named.y_mm) if named or read.grid is None else read.grid.spot(place)  # type: ignore[union-attr]
    half = _CROP_MM * max(game.catalogue.size_mm) / 2
    return read.plane.rectify(frame, (x - half, y - half, x + half, y + half), 2 * half / _CROP_PX).pixels


def _look(read: TableRead, game: AnyGame) -> Look:
    likely = {place: max(odds, key=lambda piece: odds[piece]) for place, odds in read.observation.items()}
    seen = {place: piece for place, piece in likely.items() if piece is not None}
    return Look(seen, frozenset(game.board.places.keys() - read.observation.keys()))
