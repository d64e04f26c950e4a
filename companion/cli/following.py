"""Seeing and reasoning wired together: a camera's frames go in, and the table is told what came to pass."""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event as Flag
from threading import RLock, Thread

from companion import notify
from companion.evidence import Evidence
from companion.game import AnyGame
from companion.live import Camera, Question, Table
from companion.registry import game_named
from companion.said import full_sentence, say
from companion.store import NotRecorded
from companion.watcher import Patience, Watcher
from vision.frame import Frame, Lost
from vision.memory import give_back
from vision.pictures import evidence_picture
from vision.plane import NoPlane, Plane
from vision.settle import State, Windows
from vision.sources import Source
from vision.watching import Full, Read, Watching

log = logging.getLogger(__name__)

ReaderOf = Callable[[AnyGame], Read]
"""Makes what reads the tables of a game."""

_NO_GAME = say(
    "No mat says which game is played: name it with --game, or put its mat or corner cards under the camera."
)

_FAILED = say("The watching failed: start the companion again, and tell moves by hand until then.")
_AT_ONCE = Patience(reads=1, still_ms=0.0, reading_ms=0.0, doubt_ms=0.0, under_way_ms=0.0, beginning_ms=0.0)
"""For a photo: there is no second one of the same moment to agree with it, or to show that it rests."""
_AGAIN_SECONDS = 5.0
"""How long after the record refused an event the table is read afresh."""


class Following:
    """Follows whatever game lies under a camera."""

    def __init__(
        self,
        table: Table,
        reader_of: ReaderOf,
        *,
        game: AnyGame | None = None,
        players: int | None = None,
        evidence: Evidence | None = None,
        full: Full = lambda frame: frame,
        calibrated: Callable[[], None] = lambda: None,
        photos: bool = False,
    ) -> None:
        """``players`` is how many usually play; ``calibrated`` is called when it is known where the table lies, so that
        the camera can be locked; ``photos`` says that each frame stands for itself."""
        windows = Windows(still_ms=0.0) if photos else Windows()
        self.table, self.watching = table, Watching(full=full, windows=windows)
        self.read: Read | None = None
        self.watcher: Watcher | None = None
        self.paused = False
        self._sets: dict[str, Read] = {}
        self._reader_of, self._players, self._evidence = reader_of, players, evidence
        self._photos, self._patience = photos, _AT_ONCE if photos else Patience()
        self._calibrated = calibrated
        self._puzzled = True
        """Whether the table as it lies now is still to be understood."""
        self._hand_left = False
        """Whether a hand was over the table and nobody has looked at it since."""
        self._glimpse_ms, self._gap_s = windows.glimpse_ms, windows.gap_ms / 1000
        self._again = 0.0
        """Not before this second of the camera's clock is anything taken down again."""
        self._left_off = table.now.game
        """The game that was on when the camera came: which one is followed now may have been said since."""
        self.lock = RLock()
        if game is not None:
            self._follow(game)

    def take(self, frame: Frame | Lost) -> None:
        """Take in what a camera gives."""
        with self.lock:
            if isinstance(frame, Lost):
                self._lose(frame)
            elif self.paused or 0 < self._again - frame.taken <= _AGAIN_SECONDS:
                # The page still shows what the camera sees.
                self.watching.frame = frame
            else:
                self._take(frame)

    @property
    def game(self) -> AnyGame | None:
        """The game that is followed, once it is known."""
        return self.watcher.game if self.watcher is not None else None

    @property
    def unanswered(self) -> tuple[Question, ...]:
        """What the players were asked and nothing has explained since."""
        return self.watcher.unanswered if self.watcher is not None else ()

    def pause(self, paused: bool) -> None:
        """Look away for a while, or back again."""
        with self.lock:
            self.paused = paused
            self._look_away()
            self._show(Camera.PAUSED if paused else Camera.SETTLING)

    def calibrate(self, plane: Plane) -> None:
        """The table lies here: somebody said so."""
        with self.lock:
            self.watching.use(plane)
            self._calibrated()
            self._stir()

    def read_with(self, game: AnyGame, read: Read) -> None:
        """Read a game with another set from now on."""
        with self.lock:
            self._sets[game.name] = read
            if self.game is game:
                self.read = read
            self._stir()

    def look_again(self) -> None:
        """Forget what was understood, so that the table is read afresh."""
        with self.lock:
            self._stir()

    def _take(self, frame: Frame) -> None:
        try:
            self._look(frame)
        except NotRecorded as refused:
            # There may be room on the disk again soon; until then everybody is told.
            self._again = frame.taken + _AGAIN_SECONDS
            self._stir()
            self._show(Camera.NEEDS_YOU, refused.says)

    def _lose(self, lost: Lost) -> None:
        self.watching.forget()
        self._look_away()
        self._show(Camera.LOST, lost.says)

    def _look(self, frame: Frame) -> None:
        plane, before = self.watching.plane, self.watching.frame
        stillness = self.watching.take(frame)
        if self.watcher is not None and before is not None and frame.taken - before.taken > self._gap_s:
            self.watcher.looks_away()
        if stillness.stirred or self._photos or self.watching.plane is not plane:
            self._stir()
        if plane is None and self.watching.plane is not None:
            self._calibrated()
        if stillness.state is State.HAND:
            self._hand_left = True
            # Between two photos hands come that nobody sees, so one that is seen does not stand for a single turn.
            if self.watcher is not None and not self._photos:
                self.watcher.notices_hand()
            self._show(Camera.HAND)
        elif stillness.state is State.SETTLING:
            self._show(Camera.SETTLING)
            self._glimpse(stillness.still_ms)
        elif self._is_found() and self.watcher is not None:
            looks, is_due = self._puzzled or self.watcher.is_told, self.watcher.is_due(stillness.still_ms)
            if not is_due:
                # What was taken for a hand until now may leave the table at rest at once.
                self._glimpse(stillness.still_ms)
            elif looks:
                self._hand_left = False
                self._read(stillness.still_ms)
            # A photo is not followed by another frame of the same table.
            if not looks or (self._photos and not self._puzzled):
                self.watcher.rests(stillness.still_ms)

    def _look_away(self) -> None:
        self._stir()
        if self.watcher is not None:
            self.watcher.looks_away()

    def _stir(self) -> None:
        self._puzzled = True
        if self.watcher is not None:
            self.watcher.stir()

    def _is_found(self) -> bool:
        """Whether there is a table and a game to follow; where the mat says another game, that one is followed."""
        plane, begun = self.watching.plane, self.table.now.standing
        says = plane.game if plane is not None else None
        if says is None and begun is not None and (self.watcher is None or self.table.now.game != self._left_off):
            # Nothing under the camera says what is played, but somebody did.
            says = begun.game.name
        if says is not None and (self.watcher is None or self.watcher.game.name != says):
            self._follow(game_named(says))
        if plane is None:
            self._show(Camera.NEEDS_YOU, full_sentence(self.watching.says))
            return False
        if self.watcher is None:
            self._show(Camera.NEEDS_YOU, _NO_GAME)
        return self.watcher is not None

    def _follow(self, game: AnyGame) -> None:
        self.read, self.watching.game = self._sets.get(game.name) or self._reader_of(game), game
        self.watcher = Watcher(
            self.table, game, players=self._players, keep_picture=self._keep, patience=self._patience
        )

    def _glimpse(self, still_ms: float) -> None:
        """Read the table once between two hands, of which the second may come at once."""
        is_time = self._hand_left and still_ms >= self._glimpse_ms
        if is_time and self.read is not None and self.watcher is not None and self.watching.plane is not None:
            self._hand_left = False
            with suppress(NoPlane):
                self.watcher.glimpses(self.watching.read(self.read, self.watcher.game).observation)

    def _read(self, still_ms: float) -> None:
        assert self.read is not None
        assert self.watcher is not None
        if self._puzzled:
            self._show(Camera.READING)
        try:
            read = self.watching.read(self.read, self.watcher.game)
        except NoPlane as why:
            self._show(Camera.NEEDS_YOU, full_sentence(why.says))
            return
        self._puzzled = not self.watcher.sees(read.observation, still_ms)
        if not self._puzzled:
            give_back()
        now = self.table.now
        if not self._puzzled and now.camera is Camera.WATCHING and not now.camera_says:
            self._show(Camera.WATCHING, full_sentence(read.says or self.watching.says))
            self.watching.says = ""

    def _keep(self, game: int, number: int) -> None:
        """Keep the picture of a move; the record stands without it."""
        frame, read = self.watching.read_frame, self.watching.last
        if self._evidence is None or frame is None or read is None or self.watcher is None:
            return
        jpeg = evidence_picture(frame, read, self.watcher.game)
        self._evidence.keep(self.table.store.game(game).identity, number, jpeg)

    def _show(self, camera: Camera, says: str = "") -> None:
        if (camera, says) != (self.table.now.camera, self.table.now.camera_says):
            self.table.show_camera(camera, says)


class FollowingThread:
    """Follows a source in the background until it is stopped."""

    def __init__(self, following: Following, source: Source, tell: Callable[[float], None] = lambda now: None) -> None:
        self._following, self._source, self._tell = following, source, tell
        self._stopped = Flag()
        self._thread = Thread(target=self._run, name="watching", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._source.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            for frame in _until(self._stopped, self._source):
                notify.progress()
                if isinstance(frame, Frame):
                    self._tell(frame.taken)
                self._following.take(frame)
        except NotRecorded as refused:
            log.warning("%s", refused)
        except Exception:
            # The watchdog, where there is one, misses the progress and starts the companion again.
            log.exception("the watching failed")
            self._following.table.show_camera(Camera.LOST, _FAILED)
            return
        notify.at_rest()


def _until(stopped: Flag, frames: Iterable[Frame | Lost]) -> Iterable[Frame | Lost]:
    for frame in frames:
        if stopped.is_set():
            return
        yield frame
