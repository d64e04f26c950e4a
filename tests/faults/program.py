"""Kill -9 of the whole program while it watches: the table stays as it lies, and the game goes on where it was."""

import random
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from companion.registry import game_named
from companion.session import fold
from companion.store import Reader
from vision.studio.broadcast import broadcast, when_ready
from vision.studio.sim import SimulatedTable, Wishes

from .game import is_to_be_continued

TOP = Path(__file__).parent.parent.parent
PEOPLE = Wishes(size=(820, 616), live=True)
LONGEST_AFTER_SECONDS = 5.0
"""A kill comes at any moment of the next move: a hand is there, the table settles, it is read, or written down."""


def kill_program(folder, times, seed=1, patience_seconds=300.0):
    """Start the program, kill it after an event or two, look, so many times; what was to be read once must stay."""
    rng, held, lost, pids, slowest = random.Random(seed), {}, [], [], 0.0
    table, state = SimulatedTable(game_named("zhizhu"), replace(PEOPLE, seed=seed)), folder / "state"
    with broadcast(when_ready(table, lambda: bool(held))) as address:
        for _ in range(times):
            began = time.monotonic()
            with _watching(folder, address) as serving:
                pids.append(serving.pid)
                _wait_for(state, held, len(held) + 1, serving, began + patience_seconds)
                time.sleep(rng.random() * LONGEST_AFTER_SECONDS)
            with Reader(state) as reader:
                lost += is_to_be_continued(reader, held)
            _look(state, held)
            slowest = max(slowest, time.monotonic() - began)
    return {
        "kills": times,
        "events": len(held),
        "lost": len(lost),
        **_against(table.truth, state),
        "cameras_left_behind": len(_cameras_of(pids)),
        "slowest_round_seconds": round(slowest, 1),
    }


@contextmanager
def _watching(folder, address):
    """The program as people start it, killed at the end."""
    command = [sys.executable, "-m", "companion", "serve", "--source", address, "--host", "127.0.0.1", "--port", "0"]
    with (folder / "said").open("ab") as said:
        serving = subprocess.Popen([*command, "--state", str(folder / "state")], cwd=TOP, stdout=said, stderr=said)
        try:
            yield serving
        finally:
            serving.kill()
            serving.wait()


def _wait_for(state, held, number, serving, end):
    while len(held) < number:
        assert serving.poll() is None, f"the program ended by itself with status {serving.returncode}"
        assert time.monotonic() < end, f"only {len(held)} of {number} events were recorded in time"
        time.sleep(0.05)
        _look(state, held)


def _look(state, held):
    """Read as a bystander would: what is to be read is committed."""
    if not (state / "record.db").exists():
        return
    with Reader(state) as reader:
        for game in reader.games():
            for event in reader.events(game.number):
                held.setdefault((game.number, event.number), event)


def _against(truth, state):
    """How many moves the record holds, and which games went otherwise than at the table."""
    played = _games_of(truth)
    with Reader(state) as reader:
        recorded = [[move.move for move in fold(reader.events(game.number)).moves] for game in reader.games()]
    astray = [game for game, true in zip(recorded[:-1], played, strict=False) if game != true]
    # What was done last may not have been seen before the last kill.
    astray += [game for game in recorded[-1:] if game != played[len(recorded) - 1][: len(game)]]
    return {"moves": sum(map(len, recorded)), "games": len(recorded), "games_astray": len(astray)}


def _games_of(truth):
    games = []
    for happened in truth:
        if happened["kind"] == "begun":
            games.append([])
        elif happened["kind"] == "move":
            games[-1].append(happened["move"])
    return games


def _cameras_of(pids, patience_seconds=10.0):
    """The camera programs that still run a while after the program that started them was killed."""
    end = time.monotonic() + patience_seconds
    while (left := _started_by(pids)) and time.monotonic() < end:
        time.sleep(0.2)
    return left


def _started_by(pids):
    last_words = [line.split(b"\0")[-2:-1] for line in _command_lines()]
    return [words for words in last_words if words and words[0].decode(errors="replace") in map(str, pids)]


def _command_lines():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        # A process may end between being listed and being asked.
        with suppress(OSError):
            yield path.read_bytes()
