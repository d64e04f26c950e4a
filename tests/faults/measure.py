"""What an event costs: bytes written, and how many a second the disk takes."""

import random
import tempfile
import time
from pathlib import Path

from companion.events import Event, MovePlayed
from companion.store import Store

from .cuts import record_play
from .game import begin


def bytes_an_event(events=400):
    """By what SQLite hands to the disk, log and database together, with a request's number on each event."""
    _, log = record_play(random.Random(1), events=events, checkpoint_pages=1000)
    written = [(op[1], len(op[2])) for op in log if op[0] == "write"]
    to_log = sum(size for name, size in written if name.endswith("-wal"))
    syncs = sum(op[0] == "sync" for op in log)
    return {
        "events": events,
        "bytes_an_event": sum(size for _, size in written) / events,
        "of_these_to_the_log": to_log / events,
        "syncs_an_event": syncs / events,
    }


def events_a_second(events=1000, folder=None):
    with tempfile.TemporaryDirectory(dir=folder) as name, Store(Path(name)) as store:
        game = begin(store)
        began = time.perf_counter()
        for i in range(events):
            store.append(game, MovePlayed("white", "a1"), f"request {i}")
        return {"events": events, "events_a_second": events / (time.perf_counter() - began)}


def opening(events=100_000):
    """How long a large record takes to be checked and opened; it is filled in one go, past the public way."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store(folder) as store:
            game = begin(store)
            with store._writing():
                for number in range(2, events + 1):
                    store._add(game, Event(number, MovePlayed("white", "a1")), f"request {number}", 0.0)
        size = (folder / "record.db").stat().st_size
        began = time.perf_counter()
        Store(folder).close()
        return {"events": events, "bytes": size, "seconds_to_open": time.perf_counter() - began}
