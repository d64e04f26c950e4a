"""Kill -9: a process that plays is killed at any moment, again and again, and the game goes on where it was."""

import multiprocessing
import random
import time
import traceback
from dataclasses import dataclass, field

from companion.events import GameBegun
from companion.registry import games
from companion.store import Reader, Store

from .game import is_to_be_continued, play_on

_processes = multiprocessing.get_context("forkserver")


@dataclass
class Tally:
    kills: int = 0
    acknowledged: dict = field(default_factory=dict)
    """What must be there from now on: what was answered, and what was found without an answer."""
    unanswered: int = 0
    """Events that were committed when the kill came before the answer."""
    lost: list = field(default_factory=list)
    said: list = field(default_factory=list)


def kill_many(folder, times, seed=1, patience=None):
    """Start a player, kill it, look, so many times; with little patience it is killed while it opens the record."""
    # Each player is a process of its own, forked from a server that has read the code already.
    _processes.set_forkserver_preload(
        ["companion.record", "companion.session", *(f"companion.games.{name}" for name in games())]
    )
    rng, tally = random.Random(seed), Tally()
    for _ in range(times):
        _kill_once(folder, rng, tally, patience)
        _look(folder, tally)
    return tally


def _kill_once(folder, rng, tally, patience):
    here, there = _processes.Pipe(duplex=False)
    player = _processes.Process(target=_player, args=(folder, there))
    player.start()
    there.close()
    if patience is None and rng.random() < 0.8 and here.poll(60):  # the others are killed while they open the record
        _hear(here, tally)
    time.sleep(rng.random() * (patience or 0.12))
    player.kill()
    player.join()
    while _hear(here, tally):
        pass
    tally.kills += 1


def _hear(here, tally):
    """One word of the player; a word that the kill cut short was not said."""
    try:
        word, *told = here.recv()
    except (EOFError, OSError):
        return False
    if word == "failed":
        raise AssertionError(told[0])
    if word == "opened":
        tally.said += told[0]
    else:
        game, event = told
        expected = event.number == 1 or (game, event.number - 1) in tally.acknowledged
        assert expected, f"event {event.number} of game {game} came before its time"
        tally.acknowledged[game, event.number] = event
    return True


def _look(folder, tally):
    """Read as a bystander would; an event that was written but not answered for is found and counts from now on."""
    if not (folder / "record.db").exists():
        tally.lost += list(tally.acknowledged)
        return
    with Reader(folder) as reader:
        tally.lost += is_to_be_continued(reader, tally.acknowledged)
        for kept in reader.games():
            for event in reader.events(kept.number):
                if (kept.number, event.number) not in tally.acknowledged:
                    tally.acknowledged[kept.number, event.number] = event
                    tally.unanswered += 1


def _player(folder, there):
    try:
        with Store(folder) as store:
            there.send(("opened", store.said))
            _ask_again(store)
            for game, event in play_on(store):
                there.send(("committed", game, event))
    except BaseException:
        there.send(("failed", traceback.format_exc()))


def _ask_again(store):
    """A client that heard no answer asks again: nothing happens twice, and the answer is the event's number."""
    kept = store.games()
    if not kept:
        return
    game, events = kept[-1].number, store.events(kept[-1].number)
    last = events[-1]
    if isinstance(last.fact, GameBegun):
        assert store.begin(last.fact, f"game {game}") == game
    else:
        assert store.append(game, last.fact, f"{game}-{last.number}") == last
    assert store.events(game) == events
