"""Judges reading by tables that training never saw: renders them, reads them, and counts what went wrong."""

import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import cv2

from companion.game import AnyGame, each_legal, start
from companion.registry import game_named
from companion.table import Layout, Piece, Place
from vision.frame import Frame
from vision.plane import NoPlane
from vision.reader import ASK_BELOW, Reader
from vision.reading import SeenTile
from vision.studio.render import photograph

GROUNDS = ("mat", "cards")
_LONGEST = 60
"""So many moves at most before a table is photographed."""


@dataclass(slots=True)
class Tally:
    """How reading one game's tables went."""

    layouts: int = 0
    exact: int = 0
    tiles: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    turned: int = 0
    """Tiles whose name is right and whose turn, or the owner that it tells, is wrong; they count among the wrong."""
    silent: int = 0
    """Errors that nobody would be asked about: surer than the asking threshold."""
    asked: int = 0
    unread: int = 0
    """Photos that were refused with a sentence; they count as layouts that are not exact."""
    times_ms: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_json(self) -> dict[str, Any]:
        counts = ("layouts", "exact", "tiles", "wrong", "missed", "invented", "turned", "silent", "asked", "unread")
        return {**{name: getattr(self, name) for name in counts}, "ms": round(self.median_ms, 1)}

    @property
    def median_ms(self) -> float:
        return sorted(self.times_ms)[len(self.times_ms) // 2] if self.times_ms else 0.0


def judge_reading(name: str, seeds: Sequence[int], hard: bool, processes: int, bare: bool = False) -> Iterator[Tally]:
    """A tally for each scene, in order; ``bare`` tables have clutter and no tiles at all."""
    jobs = ((name, seed, hard, bare) for seed in seeds)
    if processes == 1:
        yield from map(_judged, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(processes, _alone) as pool:
        yield from pool.imap(_judged, jobs, 4)


def any_position(game: AnyGame, seed: int) -> Any:
    """A game under way, by lot."""
    dice = random.Random(f"judged {game.name} {seed}")
    players = game.seats[dice.choice(sorted(game.seats))]
    state = start(game, players, rng=dice)
    for _ in range(dice.randint(2, _LONGEST)):
        moves = list(islice(each_legal(game, state), 150))
        if not moves:
            break
        state = game.play(state, dice.choice(moves))
    return state


_readers: dict[str, Reader] = {}


def _alone() -> None:
    cv2.setNumThreads(1)


def _judged(job: tuple[str, int, bool, bool]) -> Tally:
    name, seed, hard, bare = job
    game = game_named(name)
    if name not in _readers:
        _readers[name] = Reader(game, threads=1)
    state = start(game) if bare else any_position(game, seed)
    layout: Layout = {} if bare else game.layout(state)
    shown = _without_tiles(game) if bare else game
    # A hand over the table is waited for, so what is judged is a table at rest.
    things = 3 + seed % 5 if bare else None
    pixels, truth = photograph(shown, state, seed, hard, ground_kind=GROUNDS[seed % 2], hands=0, clutter=things)
    hidden = {tile["place"] for tile in truth["tiles"] if tile["visible"] < 0.5}
    tally = Tally(layouts=1, tiles=len(layout))
    began = time.perf_counter()
    try:
        read = _readers[name].read(Frame(pixels, 0.0, 0))
    except NoPlane as refused:
        tally.unread = 1
        tally.failures.append(f"{name} {seed}: {refused}")
        return tally
    tally.times_ms.append((time.perf_counter() - began) * 1000)
    compare(tally, layout, hidden, read.tiles)
    if not tally.exact:
        camera = truth["camera"]
        tally.failures.append(f"{name} {seed} ({camera['px_per_mm']} px/mm): {_what(layout, read.tiles)}")
    return tally


def _without_tiles(game: AnyGame) -> AnyGame:
    from dataclasses import replace

    return replace(game, layout=lambda state: {})


def compare(tally: Tally, layout: Layout, hidden: Set[Place], tiles: Sequence[SeenTile]) -> None:
    """Count what was read against what lies there; a tile of which half is hidden need not be seen or named."""
    read = {tile.place: tile for tile in tiles if tile.place is not None}
    wrong = [p for p, piece in layout.items() if p in read and not _is_right(read[p], piece, p in hidden)]
    invented = [tile for tile in tiles if tile.place not in layout]
    tally.wrong, tally.invented = len(wrong), len(invented)
    tally.missed = sum(place not in read for place in layout if place not in hidden)
    tally.turned = sum(_name(read[place].piece) == layout[place].tile for place in wrong)
    sure = [tile for tile in (*(read[place] for place in wrong), *invented) if tile.probability >= ASK_BELOW]
    tally.silent = sum(tile.piece is not None for tile in sure) + tally.missed
    tally.asked = sum(tile.probability < ASK_BELOW or tile.piece is None for tile in tiles)
    tally.exact = int(not (tally.wrong or tally.invented or tally.missed))


def _is_right(tile: SeenTile, piece: Piece, hidden: bool) -> bool:
    return tile.piece == piece or (hidden and tile.piece is None)


def _name(piece: Piece | None) -> str | None:
    return piece.tile if piece else None


def _what(layout: Layout, tiles: Sequence[SeenTile]) -> str:
    read: dict[Place | None, SeenTile] = {tile.place: tile for tile in tiles}
    said = [f"beside the places, read {_short(tile.piece)} {tile.probability:.0%}" for tile in tiles if not tile.place]
    for place in sorted({*layout, *(p for p in read if p)}):
        seen = read.get(place)
        there, got = layout.get(place), seen.piece if seen else None
        if seen is None or there != got:
            sure = f" {seen.probability:.0%}" if seen else ""
            said.append(f"{place} is {_short(there)}, read {_short(got) if seen else 'empty'}{sure}")
    return "; ".join(said[:4])


def _short(piece: Piece | None) -> str:
    if piece is None:
        return "nothing known"
    return "/".join(str(part) for part in (piece.tile, piece.owner, piece.facing) if part is not None)
