"""A camera for tests: photographs a simulated table of ZhiZhu and really reads the photographs, by their colours."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from companion.eyes import CannotSee, Crop, Enrolled, View
from companion.live import Camera, Look
from companion.registry import game_named
from companion.table import Piece
from vision.frame import Frame
from vision.plane import NoPlane, plane_by_corners, register
from vision.studio.render import photograph

GAME = game_named("zhizhu")
WHITE, BLACK = Piece("piece", "white"), Piece("piece", "black")
SIZE = (820, 616)


class StudioEyes:
    """What lies on its table is ``lies``; ``ground`` is a mat with markers or a bare table without."""

    def __init__(self, lies=None, ground="mat", table=None):
        self.lies, self.ground, self.table = dict(lies or {}), ground, table
        self.plane, self._taken, self.learned, self.used = None, {}, {}, None

    def lay(self, *places):
        """What lies there now, the two sides in turn; nobody has shown the corners of the table yet."""
        sides = (WHITE, BLACK)
        self.lies = {place: sides[turn % 2] for turn, place in enumerate(places)}
        self.ground, self.plane = "mat", None

    def photo(self):
        """The table as JPEG, taken anew whenever something lies otherwise."""
        key = (self.ground, *sorted(self.lies.items()))
        if key not in self._taken:
            laid = replace(GAME, layout=lambda _: self.lies)
            pixels, _ = photograph(laid, None, 5, False, SIZE, ground_kind=self.ground, hands=0, clutter=0)
            self._taken[key] = cv2.imencode(".jpg", pixels)[1].tobytes()
        return self._taken[key]

    def picture(self):
        return self.photo()

    def view(self):
        try:
            plane = self._found()
        except NoPlane:
            return View("studio", None, "none", None, 0, None, "good", "good", "uncover the markers of the mat")
        half = np.array(GAME.board.size_mm) / 2
        corners = plane.to_pixels(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half) / SIZE
        kind = "corners" if plane.game is None else "markers"
        shares = tuple((float(x), float(y)) for x, y in corners)
        return View("studio", plane.game, kind, plane.residual_mm, len(plane.seen), shares, "good", "good", "good")

    def calibrate(self, corners=None):
        self.plane = None
        try:
            self.plane = _by_corners(corners) if corners else _registered(self.photo())
        except NoPlane as none:
            raise CannotSee(str(none)) from None
        return self.view()

    def look_again(self):
        try:
            return Look(_read(_pixels(self.photo()), self._found()))
        except NoPlane as none:
            raise CannotSee(str(none)) from None

    def crop(self, place):
        if place not in GAME.board.places:
            return None
        pixels = _cut(_pixels(self.photo()), self._found(), place)
        return Crop(cv2.imencode(".jpg", pixels)[1].tobytes(), _odds(pixels))

    def read_photo(self, image, game, corners=None):
        pixels = _pixels(image)
        try:
            return Look(_read(pixels, _by_corners(corners, pixels) if corners else _registered(image)))
        except NoPlane as none:
            raise CannotSee(str(none)) from None

    def sets(self, game):
        return {name: tuple(tiles.values()) for name, tiles in self.learned.items()}

    def enrol(self, game, set_name, piece, image=None):
        pixels = _pixels(image or self.photo())
        middle = cv2.resize(pixels[200:400, 300:500], (96, 96))
        held = self.learned.setdefault(set_name, {})
        before = held.get(piece)
        # Both colours are the same piece, so that here the second is always close to the first.
        close = ("piece",) if held.keys() - {piece} else ()
        held[piece] = Enrolled(piece.tile, piece.owner, before.pictures + 1 if before else 1, close)
        return Crop(cv2.imencode(".jpg", middle)[1].tobytes(), {piece: 1.0}), held[piece]

    def forget(self, game, set_name, tile=None):
        self.learned.pop(set_name, None)

    def use_set(self, game, set_name):
        self.used = set_name

    def pause(self, paused):
        self.table.show_camera(Camera.PAUSED if paused else Camera.WATCHING)

    def _found(self):
        return self.plane or _registered(self.photo())


@cache
def _registered(image):
    return register(_pixels(image))


def _pixels(image):
    return cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR)


def _by_corners(corners, pixels=None):
    width, height = SIZE if pixels is None else (pixels.shape[1], pixels.shape[0])
    return plane_by_corners([(x * width, y * height) for x, y in corners], GAME.board.size_mm, (width, height))


def _cut(pixels, plane, place):
    spot, half = GAME.board.spot(place), GAME.catalogue.size_mm[0] / 2
    box = (spot.x_mm - half, spot.y_mm - half, spot.x_mm + half, spot.y_mm + half)
    return plane.rectify(Frame(pixels, 0.0, 0), box, 2 * half / 96).pixels


def _odds(cut):
    """One side's pieces are dark, the other's have a red rim; paper is neither."""
    blue, green, red = (float(channel.mean()) for channel in cv2.split(cut))
    if green < 125:
        return {BLACK: 0.95, WHITE: 0.05}
    return {WHITE: 0.95, BLACK: 0.05} if red - blue > 22 else {None: 0.98, WHITE: 0.02}


def _read(pixels, plane):
    odds = {place: _odds(_cut(pixels, plane, place)) for place in GAME.board.places}
    best = {place: max(held, key=held.get) for place, held in odds.items()}
    return {place: piece for place, piece in best.items() if piece is not None}
