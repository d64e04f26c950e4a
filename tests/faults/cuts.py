"""Power cuts: SQLite's writes are recorded, and at any moment those that were not synced survive only by luck."""

import random
import shutil
import tempfile
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import apsw

from companion.store import Store

from .game import is_to_be_continued, play_on

SECTOR = 512


@dataclass
class Tally:
    cuts: int = 0
    lost_something: int = 0
    damaged: int = 0
    events: int = 0
    """Acknowledged before a cut, over all cuts."""
    examples: list = field(default_factory=list)


class Recorder(apsw.VFS):
    """SQLite's own way to the disk, writing down what passes."""

    def __init__(self, name):
        self.log = []
        super().__init__(name, base="")

    def xOpen(self, name, flags):  # noqa: N802
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        if not path.exists():
            self.log.append(("create", path.name))
        return _File(self.log, path.name, name, flags)

    def xDelete(self, name, sync_folder):  # noqa: N802
        super().xDelete(name, sync_folder)
        self.log.append(("delete", Path(name).name, bool(sync_folder)))


class _File(apsw.VFSFile):
    def __init__(self, log, short, name, flags):
        self._log, self._short = log, short
        super().__init__("", name, flags)

    def xWrite(self, written, offset):  # noqa: N802
        super().xWrite(written, offset)
        self._log.append(("write", self._short, bytes(written), offset))

    def xTruncate(self, size):  # noqa: N802
        super().xTruncate(size)
        self._log.append(("truncate", self._short, size))

    def xSync(self, flags):  # noqa: N802
        super().xSync(flags)
        self._log.append(("sync", self._short))


class _Connection:
    """As much of sqlite3's connection as the store uses; ``synchronous`` may be lowered on the way."""

    def __init__(self, path, recorder, synchronous, checkpoint_pages):
        self._connection = apsw.Connection(str(path), vfs=recorder)
        self._connection.execute(f"PRAGMA wal_autocheckpoint={checkpoint_pages}")
        self._lowered, self.heard_full = synchronous, False

    def execute(self, statement, given=()):
        if statement == "PRAGMA synchronous=FULL":
            self.heard_full = True
            statement = f"PRAGMA synchronous={self._lowered}"
        return self._connection.execute(statement, given)

    def close(self):
        assert self.heard_full, "the store no longer asks for synchronous=FULL in the words that are lowered here"
        self._connection.close()


def cut_many(times, synchronous="FULL", seed=1, games=None):
    """Play games on a disk that is recorded, and cut the power at so many moments of them."""
    rng, tally = random.Random(seed), Tally()
    games = games or max(1, times // 25)
    for round_ in range(games):
        share = times // games + (round_ < times % games)
        before, log = record_play(rng, synchronous, events=rng.randint(25, 70))
        for _ in range(share):
            _cut_once(before, log, rng, tally)
    return tally


def record_play(rng, synchronous="FULL", events=50, checkpoint_pages=None):
    """The files as they were, and everything that was written, synced and acknowledged after; reopened half-way."""
    name = f"recorder-{rng.getrandbits(64):x}"
    recorder, pages = Recorder(name), checkpoint_pages or rng.choice((8, 30, 1000))
    with _quick_folder() as folder:
        Store(folder).close()
        before = {"record.db": (folder / "record.db").read_bytes()}
        for part in (events // 2, events - events // 2):
            with Store(folder, connect=lambda path: _Connection(path, name, synchronous, pages)) as store:
                for game, event in islice(play_on(store), part):
                    recorder.log.append(("acknowledged", game, event))
    recorder.unregister()
    return before, recorder.log


def _cut_once(before, log, rng, tally):
    moment = rng.randint(1, len(log))
    acknowledged = {(op[1], op[2].number): op[2] for op in log[:moment] if op[0] == "acknowledged"}
    with _quick_folder() as folder:
        for name, content in surviving(before, log[:moment], rng).items():
            (folder / name).write_bytes(content)
        with Store(folder) as store:
            lost = is_to_be_continued(store, acknowledged)
            tally.damaged += bool(store.said)
            list(islice(play_on(store), 2))
    tally.cuts += 1
    tally.events += len(acknowledged)
    tally.lost_something += bool(lost)
    if lost and len(tally.examples) < 3:
        tally.examples.append((moment, lost))


@dataclass
class _Inode:
    durable: bytearray = field(default_factory=bytearray)
    pending: list = field(default_factory=list)


def surviving(before, log, rng):
    """The files after a cut: what was synced, and of the rest whatever luck left, torn at the sectors."""
    now = {name: _Inode(bytearray(content)) for name, content in before.items()}
    folder, unsynced = dict(now), []
    for word, *told in log:
        match word, told:
            case "create", [name]:
                now[name] = _Inode()
                unsynced.append((name, now[name]))
            case "delete", [name, sync_folder]:
                now.pop(name, None)
                unsynced.append((name, None))
                if sync_folder:
                    _rename_all(folder, unsynced)
            case "write" | "truncate", [name, *change]:
                now[name].pending.append(change)
            case "sync", [name]:
                for change in now[name].pending:
                    _apply(now[name].durable, change)
                now[name].pending.clear()
                # A log that SQLite syncs for the first time has its folder synced with it.
                if any(inode is now[name] for _, inode in unsynced):
                    _rename_all(folder, unsynced)
    del unsynced[rng.randint(0, len(unsynced)) :]
    _rename_all(folder, unsynced)
    return {name: _by_luck(inode, rng) for name, inode in folder.items()}


def _rename_all(folder, unsynced):
    for name, inode in unsynced:
        if inode is None:
            folder.pop(name, None)
        else:
            folder[name] = inode
    unsynced.clear()


def _by_luck(inode, rng):
    content, chance = bytearray(inode.durable), rng.choice((0, 0.2, 0.5, 0.8, 1))
    torn = rng.random() < 0.5
    for change in inode.pending:
        if torn and len(change) == 2:
            written, offset = change
            for i in range(0, len(written), SECTOR):
                if rng.random() < chance:
                    _apply(content, (written[i : i + SECTOR], offset + i))
        elif rng.random() < chance:
            _apply(content, change)
    return bytes(content)


def _apply(content, change):
    if len(change) == 1:
        (size,) = change
        del content[size:]
        content.extend(bytes(size - len(content)))
        return
    written, offset = change
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(written)] = written


class _quick_folder:  # noqa: N801
    """A folder in memory where the system has one: what is synced here is only recorded."""

    def __enter__(self):
        memory = Path("/dev/shm")
        self._folder = Path(tempfile.mkdtemp(prefix="cuts-", dir=memory if memory.is_dir() else None))
        return self._folder

    def __exit__(self, *failure):
        shutil.rmtree(self._folder, ignore_errors=True)
