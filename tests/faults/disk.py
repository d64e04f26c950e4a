"""A full disk: events are appended until there is no room, and again when there is."""

import resource
from contextlib import suppress
from itertools import count

from companion.events import ScoreAdjusted
from companion.store import NotRecorded, Reader, Store

from .game import begin


def fill_disk(folder):
    """On a small disk of its own: a file takes the room, and later gives it back."""
    filler = folder / "filler"

    def make_full():
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        with filler.open("r+b") as file:
            file.truncate(max(0, filler.stat().st_size - 40_000))

    return _until_full(folder, make_full, filler.unlink)


def limit_files(folder):
    """On any disk: no file may grow past a size; SQLite hears another error than on a full disk."""
    held = resource.getrlimit(resource.RLIMIT_FSIZE)

    def make_full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, held[1]))

    return _until_full(folder, make_full, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, held))


def _until_full(folder, make_full, make_room):
    state, told = folder / "state", {}
    with Store(state) as store:
        game = begin(store)
        make_full()
        told["says"], acknowledged = append_until_refused(store, game)
        told["acknowledged"] = acknowledged
        told["refused_again"] = append_until_refused(store, game)[1] == acknowledged
        told["read_while_full"] = _held(state, game)
    told["opened_while_full"] = _opened(state)
    make_room()
    with Store(state) as store:
        told["said"] = store.said
        told["held_after"] = len(store.events(game))
        told["goes_on_with"] = store.append(game, ScoreAdjusted("white", 1)).number
    told["files"] = sorted(path.name for path in state.iterdir())
    return told


def append_until_refused(store, game):
    last = len(store.events(game))
    for i in count():
        try:
            last = store.append(game, ScoreAdjusted("white", i, "x" * 500)).number
        except NotRecorded as refused:
            return refused.says, last


def _held(state, game):
    with Reader(state) as reader:
        return len(reader.events(game))


def _opened(state):
    """A companion that starts on a full disk may be refused, but must not take a sound record for a damaged one."""
    try:
        with Store(state) as store:
            return list(store.said)
    except NotRecorded as refused:
        return refused.says
