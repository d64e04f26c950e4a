"""Kill -9 of the whole program while it watches a simulated table: the game goes on where it was."""

import random
import subprocess
import sys
import time
from pathlib import Path

from companion.events import MovePlayed
from companion.store import Reader

from .game import is_to_be_continued

TOP = Path(__file__).parent.parent.parent
SOURCE = "sim:zhizhu?size=820x616&live=no"


def kill_program(folder, times, seed=1, patience_seconds=120.0):
    """Start the program, kill it after some moves, look, so many times; what was to be read once must stay."""
    rng, held, lost = random.Random(seed), {}, []
    kept = folder / "simulated"
    command = [sys.executable, "-m", "companion", "serve", "--source", SOURCE, "--host", "127.0.0.1", "--port", "0"]
    for _ in range(times):
        before = len(held)
        serving = subprocess.Popen(
            [*command, "--state", str(folder)], cwd=TOP, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _wait_for(kept, held, before + rng.randint(1, 4), patience_seconds)
            time.sleep(rng.random() * 0.3)
        finally:
            serving.kill()
            serving.wait()
        with Reader(kept) as reader:
            lost += is_to_be_continued(reader, held)
        _look(kept, held)
    return {
        "kills": times,
        "events": len(held),
        "moves": sum(isinstance(event.fact, MovePlayed) for event in held.values()),
        "games": len({game for game, _ in held}),
        "lost": len(lost),
    }


def _wait_for(kept, held, number, seconds):
    end = time.monotonic() + seconds
    while len(held) < number:
        if time.monotonic() > end:
            raise AssertionError(f"nothing was recorded in {seconds:g} s")
        time.sleep(0.05)
        _look(kept, held)


def _look(kept, held):
    """Read as a bystander would: what is to be read is committed."""
    if not (kept / "record.db").exists():
        return
    with Reader(kept) as reader:
        for game in reader.games():
            for event in reader.events(game.number):
                held.setdefault((game.number, event.number), event)
