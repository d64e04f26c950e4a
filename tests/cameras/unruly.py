"""A worker that misbehaves in the ways that cameras do: ``python -m tests.cameras.unruly HOW RING STILL OWNER``."""

import os
import signal
import sys
import time
from pathlib import Path

from vision.workers.wire import Gone, Owner, Picture, Refused, serve

SIZE = (64, 48)


def main(how, ring, still, process):
    owner = Owner(int(ring), int(still), int(process))
    if how == "dies at once":
        os._exit(3)
    shown = iter(range(1, 1 << 60))
    settings = {}

    def start(command):
        settings.update(command)
        if how == "cannot be opened":
            raise Gone("There is no camera here: plug one in.")
        return {}

    def picture():
        number = next(shown)
        time.sleep(0.02)
        _misbehave(owner, how, number)
        width, height = SIZE if how != "grows" else (64 + 2 * number, 48)
        pixels = bytes([number % 256]) * (width * height * 3)
        return Picture(number, time.monotonic(), width, height, 3 * width, "BGR", pixels)

    def lock(_):
        owner.say(busy="The camera is being locked.")
        time.sleep(0.3)
        return {"locked": {"ExposureTime": 9000}}

    def status(_):
        return {"settings": settings, "process": os.getpid()}

    def large(_):
        owner.still.put(Picture(1, time.monotonic(), 640, 480, 1920, "BGR", bytes(640 * 480 * 3)))
        return {"still": 1}

    def refuse(_):
        raise Refused("This camera has no lens to move.")

    commands = {"start": start, "lock": lock, "status": status, "still": large, "focus": refuse}
    serve(owner, commands, picture)
    if how == "never ends":
        time.sleep(60)


def _misbehave(owner, how, number):
    if how == "crashes" and number == 10:
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "hangs" and number == 10:
        time.sleep(60)
    elif how == "stops" and number == 10:
        os.kill(os.getpid(), signal.SIGSTOP)
    elif how == "never delivers":
        time.sleep(60)
    elif how == "fails" and number == 10:
        raise Gone("The cable is loose: push it in.")
    elif how == "is faulty":
        raise KeyError("model")
    elif how == "babbles" and number == 3:
        print("from a library")
        os.write(owner._words, b"[7]\n")
    elif how.startswith("waits for "):
        while not Path(how.removeprefix("waits for ")).exists():
            time.sleep(0.01)


if __name__ == "__main__":
    main(*sys.argv[1:])
