"""A simulated game followed from its first frame to its last, as fast as frames are drawn, and scored."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from companion.cli.following import Following, ReaderOf
from companion.live import Camera, Table
from companion.phones import Phones
from companion.reconcile import WEIGHTS, Weights
from companion.registry import game_named
from companion.store import Store
from companion.truth import Account, Tally, score
from companion.watcher import Watcher
from vision.frame import Frame
from vision.reader import Reader
from vision.sources import full_picture
from vision.studio.oracle import EYES, TrueSight
from vision.studio.sim import SimulatedTable, Wishes

_AFTER_SECONDS = 3.0
"""So long the last move of a game may take to be recorded."""
_LONGEST_SECONDS = 7200.0
_HURRY_SECONDS = 2.0
CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class Match:
    """One game to be followed; ``moves`` is where a long one is cut."""

    game: str
    wishes: Wishes
    moves: int
    eyes: str = CAMERA
    """The camera's pictures, or one of `EYES`: the table's truth, with or without slips, and nothing drawn."""
    weights: Weights = WEIGHTS


def follow(match: Match, reader_of: ReaderOf) -> Tally:
    """Play one game, follow it, and hold the record against the truth. The clock is that of the frames alone."""
    game = game_named(match.game)
    simulated = SimulatedTable(game, match.wishes)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        table = Table(store, camera=Camera.SETTLING)
        following = Following(table, reader_of, game=game, full=partial(full_picture, simulated))
        following.watcher = Watcher(table, game, weights=match.weights)
        account = Account()
        frames: Iterable[Frame] = simulated
        if match.eyes != CAMERA:
            sight = TrueSight(simulated, EYES[match.eyes])
            following.watching, frames = sight, sight.frames()
            following.read_with(game, sight.oracle)
        phones = Phones(table, game, simulated.truth)
        for frame in frames:
            phones.tell(frame.taken)
            following.take(frame)
            account.listen(frame.taken, table.now.record, table.now.camera)
            if _is_over(simulated, match.moves):
                break
        standing = table.now.standing
        account.points = standing.score.points if standing else {}
        table.close()
    return score(simulated.truth, account)


def follow_all(matches: Sequence[Match], processes: int) -> Iterator[Tally]:
    """Follow many games, several at once, with the readers of the printed sets."""
    if processes == 1:
        yield from map(_follow_printed, matches)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(_follow_printed, matches)


LADDERS: dict[str, tuple[float, ...]] = {
    "illegal": (2.0, 3.5, 5.0, 7.0, 10.0),
    "missed": (1.0, 2.5, 4.0, 6.0, 9.0),
    "misread": (5.0, 7.0, 9.0, 12.0, 16.0),
}
"""The values that each weight is tried with while the others are as they are set."""
TROUBLE = ("illegal", "forgotten", "double", "lift", "lost")
"""The mischief that weights decide about."""


def weigh(names: Sequence[str], seeds: Sequence[int], moves: int, processes: int) -> Iterator[tuple[str, float, Tally]]:
    """Follow the same games, with slips and mischief, by one weight after the other."""
    wishes = [Wishes(seed=seed, rate=8.0, mischief=TROUBLE) for seed in seeds]
    tallies: dict[Weights, Tally] = {}
    for weight, ladder in LADDERS.items():
        for value in ladder:
            weights = replace(WEIGHTS, **{weight: value})
            if weights not in tallies:
                tallies[weights] = Tally()
                matches = [Match(name, wished, moves, "noisy", weights) for name in names for wished in wishes]
                for one in follow_all(matches, processes):
                    tallies[weights].add(one)
            yield weight, value, tallies[weights]


def _follow_printed(match: Match) -> Tally:
    return follow(match, lambda game: Reader(game, threads=1).read)


def _is_hurried_on(truth: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the next hand came before anybody could see what the first of these had done."""
    return any(h["kind"] == "hand in" and h["at"] < truth[0]["at"] + _HURRY_SECONDS for h in truth)


def _is_over(simulated: SimulatedTable, moves: int) -> bool:
    """Whether the game ended or was long enough, and there was time to record its last move."""
    truth = simulated.truth
    if simulated.now > _LONGEST_SECONDS:
        return True
    counted = [i for i, happened in enumerate(truth) if happened["kind"] == "move" and happened["legal"]]
    over = [i for i, happened in enumerate(truth) if happened["kind"] == "over"]
    enough = (i for i in counted[moves - 1 :] if not _is_hurried_on(truth[i:]))
    last = over[0] if over else next(enough, None)
    if last is None:
        return False
    # The next hand ends the wait, for what it does belongs to nobody's count.
    later = [happened["kind"] for happened in truth[last + 1 :]]
    return simulated.now > truth[last]["at"] + _AFTER_SECONDS or "hand in" in later or "begun" in later
