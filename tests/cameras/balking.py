"""The worker for recordings with a decoder that fails: ``python -m tests.cameras.balking HOW WHERE RING STILL OWNER``.

``WHERE`` is the number of a picture, or 0 for opening the film or the photo.
"""

import os
import signal
import sys
import time
from dataclasses import replace

from vision.recorded import open_video
from vision.workers import waiting


def main(how, where):
    def look_at(moment):
        if moment.number == where:
            balk(how)
        return moment

    def opened(what, settings):
        if where == 0:
            balk(how)
        film = open_video(what, settings)
        return replace(film, moments=lambda: map(look_at, film.moments()))

    waiting._KINDS["video"] = waiting._KINDS["photo"] = opened
    waiting.main()


def balk(how):
    if how == "hangs":
        time.sleep(60)
    os.kill(os.getpid(), {"crashes": signal.SIGSEGV, "stops": signal.SIGSTOP}[how])


if __name__ == "__main__":
    _, how, where, *handles = sys.argv
    sys.argv[1:] = handles
    main(how, int(where))
