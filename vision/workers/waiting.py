"""A worker that gives the next picture whenever it is asked for one: films, photos, and the simulated table."""

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from companion.game import Unreadable
from vision.recorded import open_photo, open_photos, open_video
from vision.reel import Moment, Reel
from vision.workers.wire import Gone, Owner, Refused, owner_from_arguments, rows_of, serve


class Waiting:
    """One reel from its beginning to its end."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._reel = Reel(lambda: iter(()), live=False)
        self._moments = self._reel.moments()
        self._told = 0
        """How much of the truth the owner knows."""
        self._said = 0.0

    def start(self, command: dict[str, Any]) -> dict[str, Any]:
        # Names are meant as they were told: from where the owner is.
        os.chdir(command["folder"])
        try:
            self._reel = reel = _KINDS[command["kind"]](*command["words"])
        except Unreadable as error:
            self._owner.say(refused=error.says, at=error.at)
            raise Gone(error.says) from None
        self._moments = reel.moments()
        return {"live": reel.live, "hurries": reel.hurries, "photos": reel.photos, "stills": reel.still is not None}

    def next(self, command: dict[str, Any]) -> dict[str, Any]:
        for moment in self._moments:
            if moment.number > command["after"]:
                self._show(moment)
                return {}
            self._pass_over()
        self._owner.say(end=True)
        raise EOFError

    def still(self, command: dict[str, Any]) -> dict[str, Any]:
        if self._reel.still is None:
            raise Refused("These pictures are full ones already.")
        frame = self._reel.still()
        self._owner.still.put(rows_of(np.ascontiguousarray(frame.pixels), frame.number, frame.taken))
        return {"still": frame.number}

    def _show(self, moment: Moment) -> None:
        try:
            pixels = np.ascontiguousarray(moment.look())
        except Unreadable as error:
            self._owner.say(frame=moment.number, unreadable=error.says, taken=moment.taken)
        else:
            truth, self._told = self._reel.truth[self._told :], len(self._reel.truth)
            self._owner.show(rows_of(pixels, moment.number, moment.taken), truth=truth)

    def _pass_over(self) -> None:
        """Whoever was started again comes to where the last one was, and says that it takes a while."""
        self._told = len(self._reel.truth)
        if (now := time.monotonic()) > self._said + 1.0:
            self._said = now
            self._owner.say(busy="What was shown before is passed over.")


def _simulated(*words: Any) -> Reel:
    # Drawing pictures takes far more modules than unpacking them does.
    from vision.studio.sim import open_simulated

    return open_simulated(*words)


_KINDS: dict[str, Callable[..., Reel]] = {
    "video": open_video,
    "photos": open_photos,
    "photo": open_photo,
    "sim": _simulated,
}


def main() -> None:
    # A damaged video is read as far as it goes; its decoder would say so hundreds of times, in words of its own.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    owner = owner_from_arguments()
    waiting = Waiting(owner)
    serve(owner, {"start": waiting.start, "next": waiting.next, "still": waiting.still})


if __name__ == "__main__":
    main()
