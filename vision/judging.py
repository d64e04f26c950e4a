"""Judges reading by tables that training never saw: renders them, reads them, and counts what went wrong."""

import multiprocessing
import random
import time
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2

from companion.game import AnyGame, each_legal, start
from companion.registry import game_named
from companion.table import Layout, Piece, Place
from vision.annotate import annotated, captioned
from vision.frame import Frame, Pixels
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
        counts = ("layouts", "exact", "tiles", "wrong", "missed", "invented", "turned", "silent", "asked")
        return {**{name: getattr(self, name) for name in counts}, "ms": round(self.median_ms, 1)}

    @property
    def median_ms(self) -> float:
        return sorted(self.times_ms)[len(self.times_ms) // 2] if self.times_ms else 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """A table to judge by: hard or plain, ``bare`` with clutter and no tiles at all."""

    name: str
    seed: int
    hard: bool
    bare: bool = False
    failures: Path | None = None
    """Where to leave a picture of what went wrong."""


def judge_reading(scenes: Sequence[Scene], processes: int) -> Iterator[Tally]:
    """A tally for each scene, in order."""
    if processes == 1:
        yield from map(_judged, scenes)
        return
    with multiprocessing.get_context("spawn").Pool(processes, _alone) as pool:
        yield from pool.imap(_judged, scenes, 4)


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


def _judged(scene: Scene) -> Tally:
    if scene.name not in _readers:
        _readers[scene.name] = Reader(game_named(scene.name), threads=1)
    pixels, layout, truth = _photographed(scene)
    tally = Tally(layouts=1, tiles=len(layout))
    began = time.perf_counter()
    try:
        read = _readers[scene.name].read(Frame(pixels, 0.0, 0))
    except NoPlane as refused:
        tally.unread = 1
        tally.failures.append(f"{scene.name} {scene.seed}: {refused}")
        _keep(scene, pixels)
        return tally
    tally.times_ms.append((time.perf_counter() - began) * 1000)
    hidden = {tile["place"] for tile in truth["tiles"] if tile["visible"] < 0.5}
    compare(tally, layout, hidden, read.tiles, read.unclear)
    if not tally.exact:
        said = _what(layout, hidden, read.tiles)
        tally.failures.append(f"{scene.name} {scene.seed} ({truth['camera']['px_per_mm']} px/mm): {'; '.join(said)}")
        _keep(scene, captioned(annotated(pixels, read, ASK_BELOW), said))
    return tally


def _photographed(scene: Scene) -> tuple[Pixels, Layout, dict[str, Any]]:
    """A picture of the table, what lies there, and all that is true about it."""
    game, seed = game_named(scene.name), scene.seed
    state = start(game) if scene.bare else any_position(game, seed)
    shown = _without_tiles(game) if scene.bare else game
    # A hand over the table is waited for, so what is judged is a table at rest.
    things = 3 + seed % 5 if scene.bare else None
    pixels, truth = photograph(shown, state, seed, scene.hard, ground_kind=GROUNDS[seed % 2], hands=0, clutter=things)
    return pixels, shown.layout(state), truth


def _keep(scene: Scene, picture: Pixels) -> None:
    if scene.failures is not None:
        cv2.imwrite(str(scene.failures / f"{scene.name}-{scene.seed}.jpg"), picture)


def _without_tiles(game: AnyGame) -> AnyGame:
    return replace(game, layout=lambda state: {})


def compare(
    tally: Tally, layout: Layout, hidden: Set[Place], tiles: Sequence[SeenTile], unclear: Collection[Place] = ()
) -> None:
    """Count what was read against what lies there; a tile of which half is hidden need not be seen or named, and of one
    that is missed on a place that is asked about nobody was told that it is free."""
    read = {tile.place: tile for tile in tiles if tile.place is not None}
    wrong = [p for p, piece in layout.items() if p in read and not _is_right(read[p], piece, p in hidden)]
    invented = [tile for tile in tiles if tile.place not in layout]
    tally.wrong, tally.invented = len(wrong), len(invented)
    missed = {place for place in layout if place not in hidden and place not in read}
    tally.missed = len(missed)
    tally.turned = sum(_name(read[place].piece) == layout[place].tile for place in wrong)
    sure = [tile for tile in (*(read[place] for place in wrong), *invented) if tile.probability >= ASK_BELOW]
    tally.silent = sum(tile.piece is not None for tile in sure) + len(missed.difference(unclear))
    tally.asked = sum(tile.probability < ASK_BELOW or tile.piece is None for tile in tiles) + len(unclear)
    tally.exact = int(not (tally.wrong or tally.invented or tally.missed))


def _is_right(tile: SeenTile, piece: Piece, hidden: bool) -> bool:
    return tile.piece == piece or (hidden and tile.piece is None)


def _name(piece: Piece | None) -> str | None:
    return piece.tile if piece else None


def _what(layout: Layout, hidden: Set[Place], tiles: Sequence[SeenTile]) -> list[str]:
    read: dict[Place | None, SeenTile] = {tile.place: tile for tile in tiles}
    said = [f"beside the places, read {_short(tile.piece)} {tile.probability:.0%}" for tile in tiles if not tile.place]
    for place in sorted({*layout, *(p for p in read if p)}):
        seen, there = read.get(place), layout.get(place)
        if place in hidden and (seen is None or (there and _is_right(seen, there, True))):
            continue
        if seen is None or there is None or there != seen.piece:
            read_as = f"{_short(seen.piece)} {seen.probability:.0%}" if seen else "empty"
            said.append(f"{place} is {_short(there) if there else 'empty'}, read {read_as}")
    return said[:4]


def _short(piece: Piece | None) -> str:
    if piece is None:
        return "unknown"
    return "/".join(str(part) for part in (piece.tile, piece.owner, piece.facing) if part is not None)
