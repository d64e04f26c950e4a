"""A worker that gives the next picture whenever it is asked for one: films, folders of photos, single photos."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from companion.game import Unreadable
from vision.recorded import open_photo, open_photos, open_video
from vision.reel import Moment, Reel
from vision.workers.wire import Gone, Owner, owner_from_arguments, rows_of, serve


class Waiting:
    """One recording from its beginning to its end."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._moments: Iterator[Moment] = iter(())
        self._said = 0.0

    def start(self, command: dict[str, Any]) -> dict[str, Any]:
        # Names are meant as they were told: from where the owner is.
        os.chdir(command["folder"])
        try:
            reel = _KINDS[command["kind"]](*command["words"])
        except Unreadable as error:
            self._owner.say(refused=error.says, at=error.at)
            raise Gone(error.says) from None
        self._moments = reel.moments()
        return {"live": reel.live, "photos": reel.photos}

    def next(self, command: dict[str, Any]) -> dict[str, Any]:
        for moment in self._moments:
            if moment.number > command["after"]:
                self._show(moment)
                return {}
            self._pass_over()
        self._owner.say(end=True)
        raise EOFError

    def _show(self, moment: Moment) -> None:
        try:
            pixels = np.ascontiguousarray(moment.look())
        except Unreadable as error:
            self._owner.say(frame=moment.number, unreadable=error.says, taken=moment.taken)
        else:
            self._owner.show(rows_of(pixels, moment.number, moment.taken))

    def _pass_over(self) -> None:
        """Whoever was started again comes to where the last one was, and says that it takes a while."""
        if (now := time.monotonic()) > self._said + 1.0:
            self._said = now
            self._owner.say(busy="What was shown before is passed over.")


_KINDS: dict[str, Callable[[str, Mapping[str, str]], Reel]] = {
    "video": open_video,
    "photos": open_photos,
    "photo": open_photo,
}


def main() -> None:
    # A damaged video is read as far as it goes; its decoder would say so hundreds of times, in words of its own.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    owner = owner_from_arguments()
    waiting = Waiting(owner)
    serve(owner, {"start": waiting.start, "next": waiting.next})


if __name__ == "__main__":
    main()
