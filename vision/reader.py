"""Reads a picture of a table: plane, tiles, places, names; every step with its odds kept to the end."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import compress
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board, cell, cell_of, is_cell
from companion.game import AnyGame
from companion.mats import MARKER_MM
from companion.registry import games
from companion.said import say
from companion.table import Odds, Piece, Place
from vision.classify import Embedder, Seen
from vision.crew import Crew
from vision.crops import FACE, cut, first_alike
from vision.frame import Frame, Pixels
from vision.gallery import Gallery, Name, Vectors, printed
from vision.locate import ENOUGH, Finder
from vision.markers import is_there
from vision.plane import NoPlane, Plane, Points, Rectified, refuse_unfit, too_bright
from vision.quarters import NEGLIGIBLE, combined, within_the_set
from vision.reading import SeenTile, TableRead
from vision.registration import find_table
from vision.snap import Found, Grid, apart, drift_of_places, drifting, fit_grid, middles

ASK_BELOW = 0.95
"""A tile less sure than this is asked about."""
_NEAR = 0.42
"""A found tile lies on a place when its middle is nearer than this share of the way to the next place."""
_AS_FAR = 0.75
"""No tile belongs to a place that it lies further from than this, in widths of a tile."""
_SIGNS = (-14.37, -0.52, 9.78, 1.82, 10.04, 4.67)
"""How much each of the `signs` of a tile counts, as `vision.studio.weighing` measured it."""
_LIGHTEST, _BURNT, _BURNT_TWICE = 253, 0.5, 0.25
"""A colour as light as this is burnt, and so much of the tiles may be; more where little of them is so in two of the
three colours: a red card has all its red in bright light, and is red still."""
_BESIDE, _BEYOND = 3, 10
"""So many tiles beyond the edge of the playing area are looked for; more where nothing else is beside it, or where
tiles lie at the edge of what is looked at."""
_AT_THE_EDGE = 1.5
"""A tile whose middle is nearer to it than this, in widths of a tile, lies at the edge."""
_STRAY = 0.995
"""A tile that lies on no place must be as sure as this."""
_CERTAIN_ENOUGH = 0.0067
"""What the network says of a tile counts no more beyond these odds, or their opposite."""
_RATHER = 0.2
"""What the finder found and is likelier than this to be a tile is one, to be asked about rather than passed over."""
_NAMED = 0.3
"""What is less likely than this to be the tile that it is likest to is asked about as a place, without a name."""
_DOUBTFUL = 0.4
"""What the network calls less likely than this a tile is looked at where it belongs as well."""
_LIKELY = 0.8
"""What is as likely as this to be a certain tile may be the first of those without a board, if tiles lie elsewhere."""
_CLEARLY = 0.5
"""What the finder is surer of than this is no illusion."""
_DIMLY, _FAINTLY = 0.15, 0.05
"""What it is less sure of may be anything; a cell where it sees not even that, beside a tile, is free."""
_THEREABOUTS = 0.6
"""So far from a cell, in pitches, it may see the tile that lies there: on a chequered cloth it errs by half of one."""
_SOMETHING = 0.7
"""What the network is surer of than this to be a tile is at least something."""
_HARDLY = 0.01
"""What was not found, and is less likely than this to be a tile, gets no name."""
_THERE = 0.6
"""Where there is surely no tile, and something else is no surer than this, nothing is asked: of a plain ground in noise
the network can hardly say whether it is a free place."""
_KNOWN, _NO_OTHER, _POSSIBLY, _ASKED = 0.6, 0.98, 0.2, 0.6
"""What is liker to a known face than the first, surer to be that one than the second, and by all signs likelier a tile
than the third, is at least as likely as the fourth, and asked about. On some 170 tables that were hard to read seven of
nine candidates that this raises were tiles; of five that were less likely, one."""
_PARTS_COUNT_LESS, _PARTS_PROVE_LESS = 0.12, 0.2
"""Any quarter of a tile is a little like some quarter, even of a base, and so is noise: likeness by parts counts so
much less for a name, and so much less for there being a tile."""
_NEAR_OTHERS = 3
"""Hardly a tile lies more steps than this from all others: captures leave gaps, but small ones."""
_OVER = 0.7
"""Two tiles are hardly nearer to each other than this, in widths."""
_FAMILIAR = 0.7
"""A crop that is as like a known face as this needs no second look."""
_HARDLY_FOUND = 0.3
"""What neither network is surer of than this needs no second look."""
_SURELY_FREE = 0.95
"""Nor does what the network is as sure of to be a free place: the finder takes printed outlines for tiles."""
_LOOKS = 12
"""So many of the strange ones are looked at again."""
_STEPS, _LIKER = 2, 0.05
"""So far is one followed to where it looks like a face, and by so much must it be liker to one there: of nine noisy
looks the best is always a little better."""
_AROUND = tuple((0.1 * x, 0.1 * y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
_WIDELY = tuple((2 * x, 2 * y) for x, y in _AROUND)
"""Where to look again, in widths of a tile."""
_HALF_OF_IT = 0.5
"""What is as likely as this to be neither a tile nor a free place may be half of a tile that lies beside its place."""
_UNSURE, _HOPELESS, _ASIDE = 0.995, 0.2, ((0.04, 0.0), (-0.04, 0.0), (0.0, 0.04), (0.0, -0.04))
"""Whose name is less sure than the first, and not as doubtful as the second, is looked at from so far beside as well,
in widths of a tile."""
_BELONGS, _FINDER_ERRS = 0.25, 0.15
"""How much the middle of its place counts for where a tile lies, if it was found so near it, in widths of a tile."""
_ON_A_MARKER = 0.7
"""What is found nearer than this to the middle of a marker is the marker, in widths of one."""
_TRUER = 0.5
"""A tile lies rather in the lattice than on a place when it is off by so much less."""
_FAR_TRUER, _WELL_BESIDE, _CARRIED, _STEPS_AWAY = 0.3, 0.25, 3, 5
"""One that lies alone does so when it is off by so much less, and off the place by more than the second, in widths of a
tile; so many others must show where the lattice is, the nearest not too many steps away."""
_ASKEW, _ASKEW_DEG = 0.2, 12.0
"""What lies so far from its cell, in widths of a tile, and is turned by so much, was not laid there as a tile."""
_ALTERNATIVES = 8
"""So many of what a tile may be are kept."""
_NEARLY_ALL = 0.8
"""A tile is read though so much less of its width and height is in the picture."""
_CARRY = 12
"""So many tiles carry a lattice well enough."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Where a tile may lie: a place, or where one was found between places."""

    place: Place | None
    x_mm: float
    y_mm: float
    turn_deg: float
    """How a tile that lies upright there is turned, with what the one that lies there is turned beside."""
    found: Found | None
    home_mm: tuple[float, float] | None = None
    """Where it would lie if it lay true, for one that was found on a place."""
    home_deg: float = 0.0
    """How it would be turned there, upright."""
    beside: bool = False
    """Whether a tile was clearly found in the cell beside it: tiles without a board are laid side by side."""
    on_its_head: bool = False
    """Whether a card lies there the other way up, by its face; it says nothing of the card in the game."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What the parts of a tile spell: how like they are to known parts, and the odds of whole names."""

    likeness: float
    odds: dict[str, float]


class Understood(NamedTuple):
    """What was made of the candidates, each step in their order."""

    candidates: list[Candidate]
    seen: Seen
    spelled: dict[int, Spelling]
    named: list[dict[Piece, float]]


class Reader:
    """Reads one game's tables, with the printed set or with a player's own."""

    def __init__(self, game: AnyGame, gallery: Gallery | None = None, threads: int = 2) -> None:
        self.game = game
        self.gallery = gallery or printed(game.name)
        # OpenCV's own threads wait by spinning, which takes the cores from these.
        cv2.setNumThreads(1)
        self._crew = Crew(threads)
        self._embedder, self._finder = Embedder(self._crew, game.catalogue.in_quarters), Finder(threads)
        self._size = game.catalogue.size_mm
        self._reaches = _reaches(game.board, _AS_FAR * min(self._size))

    def read(self, frame: Frame, plane: Plane | None = None, grid: Grid | None = None) -> TableRead:
        """All that lies on the table; raises `NoPlane` where the table is not to be found."""
        refuse_unfit(frame.pixels)
        plane = plane or self.register(frame)
        view = self.view(frame, plane)
        candidates, fitted = self.candidates(view, plane, grid)
        if self._is_outgrown(view, candidates):
            view = self.view(frame, plane, _BEYOND)
            candidates, fitted = self.candidates(view, plane, grid)
        candidates, seen, spelled, named = self.understand(view, candidates)
        if self.gallery.knows_free_places:
            # What players have shown of their own board says more than what the network knows of others.
            odds = self.gallery.states(seen.embedded)
        else:
            odds = weighed(seen.states, signs(candidates, seen, self.gallery, spelled, named))
        told = self._told(plane, candidates, named, odds, fitted)
        if self._is_burnt(view, told.tiles):
            raise too_bright()
        return told

    def _is_burnt(self, view: Rectified, tiles: Sequence[SeenTile]) -> bool:
        """Whether the light is too much for the colours of the tiles; that of the table, where there are none."""
        if not tiles:
            return bool((view.pixels[::8, ::8].min(axis=2) >= _LIGHTEST).mean() > _BURNT)
        half, (high, wide) = 0.3 * min(self._size) / view.mm_per_pixel, view.pixels.shape[:2]
        around = np.arange(-half, half, 3)
        x, y = view.to_pixels(np.array([tile.centre_mm for tile in tiles])).T[..., None] + around
        rows, columns = np.clip(y, 0, high - 1).astype(int), np.clip(x, 0, wide - 1).astype(int)
        colours = np.sort(view.pixels[rows[:, :, None], columns[:, None, :]], axis=3).reshape(-1, 3)
        return bool(((colours[:, 1:] >= _LIGHTEST).mean(axis=0) > (_BURNT_TWICE, _BURNT)).all())

    def register(self, frame: Frame) -> Plane:
        """The plane of this game's mat or cards, or of its board alone; made finer by the board's print."""
        refuse_unfit(frame.pixels)
        plane = find_table(frame, self.game)
        if plane.game not in (None, self.game.name):
            theirs, ours = games()[str(plane.game)].title, self.game.title
            raise NoPlane(
                say(
                    "this is the mat of {theirs}: read it as {game}, or lay the mat of {ours}",
                    theirs=theirs,
                    game=plane.game,
                    ours=ours,
                )
            )
        return plane

    def view(self, frame: Frame, plane: Plane, beyond: int = _BESIDE) -> Rectified:
        """The top view at the height of the tiles' faces, over everything that may hold a tile."""
        top = plane.lifted(self.game.catalogue.thickness_mm)
        return top.rectify(frame, self._box(top, beyond), min(self._size) / FACE, self._crew)

    def _is_outgrown(self, view: Rectified, candidates: Sequence[Candidate]) -> bool:
        """Whether tiles lie at the edge of a view that could be wider, so that more may lie beyond."""
        if self.game.board.lattice is None or not self.game.board.places:
            return False
        clear = [(spot.x_mm, spot.y_mm) for spot in candidates if spot.found and spot.found.score > _CLEARLY]
        at, far = view.to_pixels(np.array(clear).reshape(-1, 2)), np.array(view.pixels.shape[1::-1])
        return bool((np.minimum(at, far - at) < _AT_THE_EDGE * FACE).any())

    def candidates(self, view: Rectified, plane: Plane, grid: Grid | None) -> tuple[list[Candidate], Grid | None]:
        """Every place that can be looked at, then the tiles that lie on none."""
        enough = ENOUGH if self.game.board.lattice is None else _FAINTLY
        peaks = self._finder.find(view, self.game.catalogue.shape, self._size, enough)
        peaks = off_markers(peaks, plane, view.frame.pixels)
        found = [tile for tile in peaks if tile.score > ENOUGH]
        named = self._named(found)
        if self.game.board.lattice is None:
            return named + self._strays(found, named), None
        taken = {id(spot.found) for spot in named if spot.found is not None}
        free = [tile for tile in found if id(tile) not in taken]
        # A pattern of the table that looks like tiles would bend the lattice.
        sure = self._as_before(free, grid) or self._sure(view, free, ASK_BELOW if grid and grid.cells else _RATHER)
        grid = fit_grid(sure, self.game.board.lattice.pitch_mm, grid)
        if grid is None:
            return named + self._strays(free, []), None
        if grown := self._grown_beside(sure, named, grid):
            free += grown
            named = self._named([tile for tile in found if tile not in free])
        cells = self._cells(free, peaks, grid)
        return named + cells + self._strays(free, cells), grid

    def _grown_beside(self, sure: Sequence[Found], named: Sequence[Candidate], grid: Grid) -> list[Found]:
        """Tiles that were taken to lie on a place, and rather lie true in the lattice."""
        held = [(spot.found, spot.home_mm) for spot in named if spot.found and spot.home_mm]
        if not held:
            return []
        laid = drifting(grid, sure)
        area = {cell_of(place) for place in laid.places_of(sure) if place}
        rather: dict[tuple[int, int], Found] = {}
        alone = []
        for (tile, home), place in zip(held, laid.places_of([tile for tile, _ in held]), strict=True):
            if place is None:
                continue
            at = (tile.x_mm, tile.y_mm)
            off, off_place = math.dist(at, laid.spots([place])[0]), math.dist(at, home)
            column, row = cell_of(place)
            if off < _TRUER * off_place:
                rather[column, row] = tile
            near = any(abs(column - x) + abs(row - y) <= _STEPS_AWAY for x, y in area)
            well_beside = off < _FAR_TRUER * off_place and off_place > _WELL_BESIDE * min(self._size)
            if len(area) >= _CARRIED and near and well_beside:
                alone.append(tile)
        # Two side by side are not each a little beside a place of their own.
        area.update(rather)
        beside = (tile for (x, y), tile in rather.items() if area & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)})
        return [*alone, *(tile for tile in beside if tile not in alone)]

    def _as_before(self, found: Sequence[Found], grid: Grid | None) -> list[Found]:
        """Tiles that are clearly found where some were told of before, if these carry the lattice."""
        clear = [tile for tile in found if tile.score > _CLEARLY]
        if grid is None or not clear:
            return []
        before = [
            tile for tile, place in zip(clear, grid.places_at(middles(clear)), strict=True) if place in grid.cells
        ]
        return before if len(before) >= min(_CARRIED, len(grid.cells)) else []

    def _sure(self, view: Rectified, found: Sequence[Found], least: float) -> list[Found]:
        """Of the clearest those that are tiles for certain, by their looks; where none is, at a second look. What is
        less likely a tile than ``least`` carries no lattice: one that is known stays rather where it was."""
        found = found[:_CARRY]
        alone = [Candidate(None, tile.x_mm, tile.y_mm, self._turn(tile, 0.0), tile) for tile in found]
        seen = self.look_at(view, alone)
        return self._certain(found, alone, seen, least) or self._certain(found, *self.look(view, alone, seen), least)

    def _certain(self, found: Sequence[Found], alone: Sequence[Candidate], seen: Seen, least: float) -> list[Found]:
        spelled = self.spell(alone, seen)
        rows = signs(alone, seen, self.gallery, spelled, self.name(alone, seen, spelled))
        odds = weighed(seen.states, rows)
        enough = min(ASK_BELOW, odds[:, 0].max(initial=0.0))
        return [tile for tile, (is_tile, *_) in zip(found, odds, strict=True) if is_tile >= max(enough, least)]

    def understand(self, view: Rectified, candidates: Sequence[Candidate]) -> "Understood":
        """What the candidates look like, what their parts spell and what they may be; who is unsure looks again."""
        looked, seen = self.look(view, candidates)
        spelled = self.spell(looked, seen)
        named = self.name(looked, seen, spelled)
        sure = [max(odds.values(), default=0.0) for odds in named]
        worth_it = seen.states[:, 1] < _SURELY_FREE
        unsure = [i for i, spot in enumerate(looked) if spot.found and worth_it[i] and _HOPELESS < sure[i] < _UNSURE]
        if unsure := sorted(unsure, key=lambda i: -looked[i].found.score)[:_LOOKS]:
            closer = self._look_again(view, looked, seen, unsure)
            named = self.name(looked, closer, self.spell(looked, closer))
        return Understood(self._with_heads(looked, seen), seen, spelled, named)

    def _with_heads(self, spots: list[Candidate], seen: Seen) -> list[Candidate]:
        """The same with which end of a card is up: an outline tells how it is turned only to the half."""
        known = self.gallery.whole
        if self.game.catalogue.shape != "card" or not known.names:
            return spots
        nearest = (seen.embedded @ known.vectors.T).argmax(axis=1)
        return [replace(spot, on_its_head=known.names[i].turn == 2) for spot, i in zip(spots, nearest, strict=True)]

    def _look_again(self, view: Rectified, spots: Sequence[Candidate], seen: Seen, unsure: Sequence[int]) -> Seen:
        """The mean of what is seen there and a little beside on all sides: the network's own noise is less in it."""
        again = self.look_at(view, [one for i in unsure for one in self._around(spots[i], _ASIDE)])
        embedded, parts = seen.embedded.copy(), seen.parts.copy()
        for vectors, beside in ((embedded, again.embedded), (parts, again.parts)):
            vectors[unsure] += beside.reshape(len(unsure), len(_ASIDE), *vectors.shape[1:]).sum(axis=1)
            vectors[unsure] /= np.linalg.norm(vectors[unsure], axis=-1, keepdims=True)
        return Seen(embedded, seen.states, parts)

    def look(
        self, view: Rectified, candidates: Sequence[Candidate], seen: Seen | None = None
    ) -> tuple[list[Candidate], Seen]:
        """What the network says of the candidates; a found tile like none known is looked at from beside as well.

        The finder is off by a tenth of a tile now and then, where tiles touch or a cloth is chequered.
        """
        looked, seen = list(candidates), seen or self._look_over(view, candidates)
        if self.gallery.knows_free_places:
            # A free place that is cut where it is likest to a face is not like a free place any more.
            return looked, seen
        if self.game.catalogue.in_quarters:
            # What is read part by part is like all of its kind as a whole, wherever it is cut.
            return self._rather_at_home(view, looked, seen)
        alike = self._likeness(seen.embedded)
        # What was hardly found, and looks like no tile at first sight, is none from beside either.
        sure = np.maximum([spot.found.score if spot.found else 0.0 for spot in candidates], seen.states[:, 0])
        other = seen.states[:, 2] > _HALF_OF_IT
        astray = np.array([self._is_astray(*one) for one in zip(candidates, other, strict=True)], bool)
        worth_it = (sure > _HARDLY_FOUND) & (seen.states[:, 1] < _SURELY_FREE)
        strange = np.flatnonzero((worth_it | astray) & (alike < _FAMILIAR)).tolist()
        strange = sorted(strange, key=lambda i: (not candidates[i].beside, -seen.states[i, 0]))[:_LOOKS]
        for step in range(_STEPS):
            around = [one for i in strange for one in self._nearby(looked[i], step == 0 and bool(astray[i]))]
            if not around:
                break
            again = self.look_at(view, around)
            alike_again = self._likeness(again.embedded)
            # Liker to a face, and so much less like a tile that all in all it promises less, it is not there.
            promise = _promise(seen.states, alike)[strange]
            worse = _promise(again.states, alike_again) < np.repeat(promise, len(_AROUND) + 1)
            alike_again[worse] = -1.0
            best = alike_again.reshape(len(strange), -1).argmax(axis=1) + np.arange(len(strange)) * (len(_AROUND) + 1)
            liker = [(i, at) for i, at in zip(strange, best, strict=True) if alike_again[at] > alike[i] + _LIKER]
            for i, chosen in liker:
                looked[i], alike[i] = around[chosen], alike_again[chosen]
                for before, now in zip(seen, again, strict=True):
                    before[i] = now[chosen]
            strange = [i for i, _ in liker if alike[i] < _FAMILIAR]
        return looked, seen

    def _rather_at_home(self, view: Rectified, looked: list[Candidate], seen: Seen) -> tuple[list[Candidate], Seen]:
        """What is no tile where it was found, or half of two, may be one where it belongs: on a chequered cloth the
        finder errs, and tiles of like colours that touch look like others between them."""
        doubtful = [i for i, spot in enumerate(looked) if seen.states[i, 0] < _DOUBTFUL or self._lies_beside(spot)]
        doubtful = [i for i in doubtful if looked[i].home_mm is not None]
        again = self.look_at(view, [_at_home(looked[i]) for i in doubtful])
        likeness, likeness_again = self._likeness_of_parts(seen.parts[doubtful]), self._likeness_of_parts(again.parts)
        for at, i in enumerate(doubtful):
            if again.states[at, 0] > seen.states[i, 0] or likeness_again[at] > likeness[at] + _LIKER:
                looked[i] = _at_home(looked[i])
                for before, now in zip(seen, again, strict=True):
                    before[i] = now[at]
        return looked, seen

    def _lies_beside(self, spot: Candidate) -> bool:
        """Whether something was found well beside where it belongs."""
        if spot.home_mm is None:
            return False
        return math.dist((spot.x_mm, spot.y_mm), spot.home_mm) > _FINDER_ERRS * min(self._size)

    def _likeness_of_parts(self, parts: Vectors) -> NDArray[np.float32]:
        """How like the quarters of each are to known ones."""
        quarters = parts[:, :4].reshape(-1, parts.shape[-1])
        likeness = (quarters @ self.gallery.quarters.vectors.T).max(axis=1, initial=-1.0)
        return np.asarray(likeness.reshape(-1, 4).mean(axis=1))

    def _is_astray(self, spot: Candidate, other: bool) -> bool:
        """Whether something was found beside a place, and not clearly: on a chequered cloth a tile is found half beside
        where it lies, or a square of the cloth beside it instead; or, where nothing was found, something is there."""
        if spot.place not in self.game.board.places:
            return False
        if spot.found is None or spot.home_mm is None:
            return other
        return _DIMLY < spot.found.score < _CLEARLY and self._lies_beside(spot)

    def _likeness(self, embedded: Vectors) -> NDArray[np.float32]:
        return np.asarray((embedded @ self.gallery.whole.vectors.T).max(axis=1, initial=0.0))

    def _nearby(self, spot: Candidate, astray: bool) -> list[Candidate]:
        """Where else to look: around where it was found and at home, or more widely around home."""
        home = _at_home(spot)
        return [home, *(self._around(home, _WIDELY) if astray else self._around(spot, _AROUND))]

    def _around(self, spot: Candidate, steps: Iterable[tuple[float, float]]) -> Iterator[Candidate]:
        """The same a little beside, by so many widths of a tile."""
        cos, sin = math.cos(math.radians(spot.turn_deg)), math.sin(math.radians(spot.turn_deg))
        for right, down in steps:
            x, y = right * self._size[0], down * self._size[1]
            yield replace(spot, x_mm=spot.x_mm + x * cos - y * sin, y_mm=spot.y_mm + x * sin + y * cos)

    def _look_over(self, view: Rectified, candidates: Sequence[Candidate]) -> Seen:
        """What the network says of each candidate; of free places that show the same only the first is looked at."""
        crops = self._crew.map(partial(self.crops, view), _eights(candidates))
        cut_out = np.concatenate(crops or [self.crops(view, [])])
        empty = [i for i, spot in enumerate(candidates) if spot.found is None]
        first = {i: i for i in range(len(candidates))}
        first |= {i: empty[at] for i, at in zip(empty, first_alike(cut_out[empty]), strict=True)}
        looked = sorted(set(first.values()))
        seen = self.embed(cut_out[looked])
        free = {i for i, states in zip(looked, seen.states, strict=True) if states[1] > _SURELY_FREE}
        if rest := [i for i, one in first.items() if one != i and one not in free]:
            looked, first = looked + rest, first | {i: i for i in rest}
            seen = Seen(*map(np.concatenate, zip(seen, self.embed(cut_out[rest]), strict=True)))
        row = {i: at for at, i in enumerate(looked)}
        return Seen(*(column[[row[one] for one in first.values()]] for column in seen))

    def look_at(self, view: Rectified, candidates: Sequence[Candidate]) -> Seen:
        """What the network says of each candidate."""
        return self._embedder.at(candidates, partial(self.crops, view))

    def crops(self, view: Rectified, candidates: Sequence[Candidate]) -> Pixels:
        """One picture a candidate, upright."""
        return cut(view, *_where(candidates), self._size)

    def embed(self, crops: Pixels) -> Seen:
        """What the network says of each crop."""
        return self._embedder(crops)

    def spell(self, candidates: Sequence[Candidate], seen: Seen) -> dict[int, Spelling]:
        """For games whose tiles are read part by part, what the parts of each likely candidate spell."""
        if not self.game.catalogue.in_quarters:
            return {}
        likely = [
            i for i, spot in enumerate(candidates) if seen.states[i, 0] > 0.3 or (spot.found and spot.found.score > 0.3)
        ]
        spelled = self._spelled(seen.parts[likely]) if likely else []
        held = within_the_set([spelling.odds for spelling in spelled], self.game.catalogue)
        return {i: replace(one, odds=odds) for i, one, odds in zip(likely, spelled, held, strict=True)}

    def name(
        self, candidates: Sequence[Candidate], seen: Seen, spelled: Mapping[int, Spelling]
    ) -> list[dict[Piece, float]]:
        """For each candidate the odds of what it is, given that it is a tile; what is missing to one is unknown."""
        named: list[dict[Piece, float]] = [{} for _ in candidates]
        likely = [i for i, spot in enumerate(candidates) if spot.found is not None or seen.states[i, 0] > _HARDLY]
        by_parts = np.array([spelled[i].likeness - _PARTS_COUNT_LESS if i in spelled else -1.0 for i in likely])
        whole = self.gallery.whole
        _, odds = whole.odds(seen.embedded[likely], by_parts)
        for i, row, pieces in zip(likely, odds, self._likeliest(odds), strict=True):
            named[i] = pieces
            if i in spelled and whole.quartered is not None:
                share = float(row[whole.quartered])
                named[i] |= {Piece(name): share * part for name, part in spelled[i].odds.items()}
        return named

    def _spelled(self, parts: Vectors) -> list[Spelling]:
        known, known_icons = self.gallery.quarters, self.gallery.icons
        quarters = parts[:, :4].reshape(-1, parts.shape[-1])
        letters, quarter_odds = known.odds(quarters)
        icon_names, icon_odds = known_icons.odds(parts[:, 4])
        likeness = self._likeness_of_parts(parts)
        words, by_quarter = [name.tile for name in letters], quarter_odds.reshape(len(parts), 4, -1)
        spelled = [(words, by_quarter[:, place]) for place in range(4)]
        spelled.append(([name.tile for name in icon_names], icon_odds))
        whole = combined(spelled, self.game.catalogue)
        return [Spelling(alike, odds) for alike, odds in zip(likeness.tolist(), whole, strict=True)]

    def _likeliest(self, odds: NDArray[np.float64]) -> Iterator[dict[Piece, float]]:
        """For each row the likeliest pieces; a name seen in two turns that mean the same is one piece."""
        best = np.argsort(-odds[:, :-1], axis=1)[:, :_ALTERNATIVES]
        for columns, shares in zip(best.tolist(), np.take_along_axis(odds, best, axis=1).tolist(), strict=True):
            pieces: dict[Piece, float] = {}
            for i, share in zip(columns, shares, strict=True):
                if share > NEGLIGIBLE and i != self.gallery.whole.quartered:
                    piece = self._pieces[i]
                    pieces[piece] = pieces.get(piece, 0.0) + share
            yield pieces

    @cached_property
    def _pieces(self) -> list[Piece]:
        """What each name of the gallery means."""
        return [self._piece_of(name) for name in self.gallery.whole.each_name]

    def _piece_of(self, name: Name) -> Piece:
        catalogue = self.game.catalogue
        owner = catalogue.owner_by_turn[name.turn] if catalogue.owner_by_turn else name.owner
        turns = catalogue[name.tile].turns if name.tile in catalogue else 1
        says_turn = turns > 1 and catalogue.shape == "square" and not catalogue.in_quarters
        return Piece(name.tile, owner, name.turn % turns if says_turn else None)

    def _box(self, top: Plane, beyond: int) -> tuple[float, float, float, float]:
        """Everything that may hold a tile, in millimetres."""
        spots = [(spot.x_mm, spot.y_mm) for spot in self.game.board.places.values()]
        reach = 1.1 * max(self._size)
        low, high = np.min(spots or [(0, 0)], axis=0) - reach, np.max(spots or [(0, 0)], axis=0) + reach
        if self.game.board.lattice is not None:
            far = np.array(self.game.board.size_mm) / 2 + (beyond if spots else _BEYOND) * max(self._size)
            seen = np.clip(_border(top), -far, far)
            low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
        # Whole millimetres, so that a plane that hardly moved needs no new map.
        return tuple(float(math.floor(part)) for part in (*low, *high))  # type: ignore[return-value]

    def _named(self, found: Sequence[Found]) -> list[Candidate]:
        """The places with names, each with the tile that was found on it."""
        places = self.game.board.places
        if not places:
            return []
        spots = np.array([(spot.x_mm, spot.y_mm) for spot in places.values()])
        clear = np.array([(tile.x_mm, tile.y_mm) for tile in found if tile.score > _CLEARLY]).reshape(-1, 2)
        if self.game.board.lattice is None:
            spots += drift_of_places(spots, clear, min(self._reaches))
        nearest = [found[i] for i in apart(spots, middles(found)).argmin(axis=1)] if found else [None] * len(spots)
        return [
            self._candidate(place, spot, places[place].angle_deg, tile, reach)
            for place, spot, tile, reach in zip(places, spots.tolist(), nearest, self._reaches, strict=True)
        ]

    def _cells(self, found: Sequence[Found], peaks: Sequence[Found], grid: Grid) -> list[Candidate]:
        """The cells where tiles were found, now or before, and those beside them near any peak: the finder may err."""
        reach = _NEAR * grid.pitch_mm
        laid = drifting(grid, [tile for tile in found if tile.score > _CLEARLY])
        taken: dict[Place, list[Found]] = {}
        for tile, place in zip(found, laid.places_of(found), strict=True):
            if place is not None:
                taken.setdefault(place, []).append(tile)
        clear = [cell_of(place) for place, tiles in taken.items() if tiles[0].score > _CLEARLY]
        beside = {cell(x + i, y + j) for x, y in clear for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        cells = sorted({*grid.cells, *taken, *laid.those_near(sorted(beside), peaks, _THEREABOUTS)})
        spots = []
        for place, at in zip(cells, laid.spots(cells).tolist(), strict=True):
            tile = min(taken.get(place, ()), key=lambda tile: math.dist((tile.x_mm, tile.y_mm), at), default=None)
            spots.append(self._candidate(place, at, grid.angle_deg, tile, reach, place in beside))
        return spots

    def _candidate(
        self,
        place: Place,
        spot: Sequence[float],
        turn_deg: float,
        tile: Found | None,
        reach: float,
        beside: bool = False,
    ) -> Candidate:
        x, y = spot
        distance = math.dist((tile.x_mm, tile.y_mm), spot) if tile else math.inf
        if tile is None or distance > reach:
            return Candidate(place, x, y, turn_deg, None, beside=beside)
        # A tile that lies well beside its place was laid there, or all places are a little off.
        share = _BELONGS if distance < _FINDER_ERRS * min(self._size) else 0.0
        x_mm, y_mm = (1 - share) * tile.x_mm + share * x, (1 - share) * tile.y_mm + share * y
        return Candidate(place, x_mm, y_mm, self._turn(tile, turn_deg), tile, (x, y), turn_deg, beside)

    def _turn(self, tile: Found, upright_deg: float) -> float:
        """How a found tile is turned, to the nearest quarter or half of its place."""
        if self.game.catalogue.shape == "disc":
            return upright_deg
        step = 180.0 if self.game.catalogue.shape == "card" else 90.0
        return upright_deg + (tile.angle_deg - upright_deg + step / 2) % step - step / 2

    def _strays(self, found: Sequence[Found], candidates: Sequence[Candidate]) -> list[Candidate]:
        """Tiles that lie on no place; one that covers half of a printed outline is found less surely."""
        placed = {id(spot.found) for spot in candidates}
        free = [tile for tile in found if id(tile) not in placed and tile.score > _HARDLY_FOUND]
        return [Candidate(None, tile.x_mm, tile.y_mm, tile.angle_deg, tile) for tile in free]

    def _told(
        self,
        plane: Plane,
        candidates: Sequence[Candidate],
        named: Sequence[Mapping[Piece, float]],
        states: NDArray[np.float64],
        grid: Grid | None,
    ) -> TableRead:
        observation, seen, unclear = self._made_out(plane, candidates, named, states)
        likely = [tile for _, tile in seen if tile.piece is not None and tile.probability > 0.5]
        same = self.same_as_surer([tile for _, tile in seen], likely)
        tiles = [tile for spot, tile in seen if id(tile) not in same and self.is_told(spot, tile, likely)]
        says = "" if len(tiles) or not self.game.board.lattice else say("no tile is on the table")
        told = {tile.place for tile in tiles}
        if grid is not None:
            grid = replace(grid, cells=grid.cells | {place for place in told if place is not None and is_cell(place)})
        # What is rather a tile, and not told of, is something else that lies where a tile would.
        rather = {tile.place for _, tile in seen if tile.odds[None] < tile.probability} - told
        # Nor is a place free, or does it hold a tile of its own, under one that lies beside it.
        hidden = {place for place in rather if place is not None and is_cell(place)} | {
            tile.place for _, tile in seen if id(tile) in same
        }
        observation = {place: odds for place, odds in observation.items() if place not in hidden}
        unclear += [str(spot.place) for spot, _ in seen if spot.place is not None and self._is_worth_asking(spot)]
        asked = tuple(place for place in dict.fromkeys(unclear) if place not in told)
        return TableRead(plane, tuple(tiles), observation, grid, says, asked, _astray(candidates, states))

    def _made_out(
        self,
        plane: Plane,
        candidates: Sequence[Candidate],
        named: Sequence[Mapping[Piece, float]],
        states: NDArray[np.float64],
    ) -> tuple[dict[Place, Odds], list[tuple[Candidate, SeenTile]], list[Place]]:
        """Of what is in sight, the odds of each place that can be made out, what may be a tile, and where something is
        that cannot be made out."""
        observation: dict[Place, Odds] = {}
        seen: list[tuple[Candidate, SeenTile]] = []
        unclear: list[Place] = []
        outlines = self._outlines_px(plane, candidates)
        each = zip(candidates, named, states.tolist(), outlines.tolist(), strict=True)
        in_sight = compress(each, _in_sight(outlines, plane.size))
        for spot, pieces, (is_tile, is_empty, is_other), outline in in_sight:
            odds: dict[Piece | None, float] = {None: is_empty} | {p: is_tile * share for p, share in pieces.items()}
            clear = sum(odds.values())
            unknown = max(0.0, is_tile - clear + is_empty)
            hidden = is_other + unknown
            if spot.place is not None and max(odds.values()) > hidden:
                observation[spot.place] = {key: share / clear for key, share in odds.items()}
            elif spot.place is not None and self._is_worth_asking(spot) and (hidden > _THERE or is_tile > _HARDLY):
                unclear.append(spot.place)
            if is_tile > (_RATHER if spot.found is not None else max(is_empty, is_other)):
                tile = _seen(spot, odds, unknown, outline)
                # Between places, what has no name and is not even likelier a tile than not is nothing to ask about.
                if tile.piece is not None or is_tile > 0.5 or spot.place in self.game.board.places:
                    seen.append((spot, tile))
        return observation, seen, unclear

    def _is_worth_asking(self, spot: Candidate) -> bool:
        """Whether what lies there and cannot be made out is asked about: without a board nothing marks a free place, so
        there something must clearly have been found, on a pile or beside tiles."""
        clearly = spot.found is not None and spot.found.score > _HARDLY_FOUND
        expected = spot.beside or spot.place in self.game.board.places
        return self.game.board.lattice is None or (expected and clearly and not self._lies_askew(spot))

    def is_told(self, spot: Candidate, tile: SeenTile, likely: Sequence[SeenTile]) -> bool:
        """Whether to tell of what was seen, where no surer one lies in its place: it is surely a tile or may be one."""
        return _is_surely_a_tile(tile) or self._is_expected(spot, tile, likely)

    def same_as_surer(self, tiles: Sequence[SeenTile], likely: Sequence[SeenTile]) -> set[int]:
        """Those, by their identity, in whose place a surer one lies."""
        if not tiles or not likely:
            return set()
        near = apart(*(np.array([tile.centre_mm for tile in some]) for some in (tiles, likely))) < _OVER * min(
            self._size
        )
        sure = np.array([-1.0 if tile.piece is None else tile.probability for tile in tiles])
        surer = np.array([tile.probability for tile in likely]) > sure[:, None]
        return {id(tile) for tile, is_same in zip(tiles, (near & surer).any(axis=1), strict=True) if is_same}

    def _is_expected(self, spot: Candidate, tile: SeenTile, likely: Sequence[SeenTile]) -> bool:
        """Whether a thing that is not surely a tile may be one: on a place, and where there is no board near others."""
        # On a table without other tiles it must be likely.
        if spot.place is None or (tile.probability < _LIKELY and all(other is tile for other in likely)):
            return False
        if not is_cell(spot.place):
            return tile.piece is None or tile.probability > _NAMED
        if self._lies_askew(spot):
            return False
        # Tiles without a board are laid side by side; what lies apart from all of them is rather something else.
        column, row = cell_of(spot.place)
        others = [other.place for other in likely if other.place and other.place != spot.place]
        apart = [abs(column - x) + abs(row - y) for x, y in map(cell_of, filter(is_cell, others))]
        near = 1 if tile.piece is None else _NEAR_OTHERS
        if tile.piece is not None and tile.probability >= _LIKELY:
            return bool(others) and min(apart, default=0) <= near
        return tile.probability > _RATHER and min(apart, default=math.inf) <= near

    def _lies_askew(self, spot: Candidate) -> bool:
        """Whether something was found that lies neither on its cell nor square to it."""
        if spot.home_mm is None:
            return False
        off = math.dist((spot.x_mm, spot.y_mm), spot.home_mm)
        return off > _ASKEW * min(self._size) and abs(spot.turn_deg - spot.home_deg) > _ASKEW_DEG

    def _outlines_px(self, plane: Plane, spots: Sequence[Candidate]) -> Points:
        """The corners of each as they lie, and its middle, in the picture."""
        centres, turns_deg = _where(spots)
        turns = np.radians(turns_deg)
        cos, sin = np.cos(turns), np.sin(turns)
        turning = np.stack([cos, -sin, sin, cos], axis=1).reshape(-1, 2, 2)
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)]) * np.array(self._size) / 2
        points = corners @ turning.transpose(0, 2, 1) + np.array(centres).reshape(-1, 1, 2)
        pixels = plane.lifted(self.game.catalogue.thickness_mm).to_pixels(points.reshape(-1, 2))
        return pixels.reshape(-1, 5, 2)


def _in_sight(outlines_px: Points, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Of which the picture shows nearly all; what lies beyond its edge is hidden, not empty."""
    corners, middles = outlines_px[:, :4], outlines_px[:, 4:]
    nearly = middles + _NEARLY_ALL * (corners - middles)
    return np.asarray(((nearly >= 0) & (nearly < size)).all(axis=(1, 2)))


def _seen(spot: Candidate, odds: dict[Piece | None, float], unknown: float, outline: list[list[float]]) -> SeenTile:
    """The likeliest of what it may be."""
    ranked = dict(sorted(odds.items(), key=lambda entry: -entry[1]))
    piece, share = next(((piece, share) for piece, share in ranked.items() if piece is not None), (None, 0.0))
    if unknown > share:
        piece, share = None, unknown
    facing = piece.facing if piece is not None and piece.facing is not None else 2 * spot.on_its_head
    *corners, middle = ((x, y) for x, y in outline)
    return SeenTile(
        spot.place,
        piece,
        share,
        ranked,
        middle,
        # The first corner is the far left one of the tile as it is printed.
        tuple(corners[(i + facing) % 4] for i in range(4)),
        (spot.x_mm, spot.y_mm),
        (spot.turn_deg + 90 * facing) % 360,
    )


def _astray(candidates: Sequence[Candidate], states: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    """The middles of what is rather a tile than not and lies on no place, be it that nobody could say which it is."""
    rather = zip(candidates, states[:, 0] > 0.5, strict=True)
    return tuple((spot.x_mm, spot.y_mm) for spot, is_tile in rather if is_tile and spot.place is None)


def _is_surely_a_tile(tile: SeenTile) -> bool:
    """Though it may be another one; between places it must be surely the one."""
    if tile.piece is None or tile.place is None:
        return tile.piece is not None and tile.probability >= _STRAY
    is_tile = sum(share for piece, share in tile.odds.items() if piece is not None)
    return tile.probability > 0.5 and is_tile >= ASK_BELOW


def signs(
    candidates: Sequence[Candidate],
    seen: Seen,
    gallery: Gallery,
    spelled: Mapping[int, Spelling],
    named: Sequence[Mapping[Piece, float]],
) -> NDArray[np.float64]:
    """What speaks for a tile: one, log-odds, likeness to a known face and both together, for each of them errs by
    itself; the square of how surely it was found; and how sure its name is, since what is no tile is a little like
    several. What was not found is as what hardly was."""
    log_odds = _log_odds(seen.states)
    alike = (seen.embedded @ gallery.whole.vectors.T).max(axis=1, initial=0.0)
    for i, spelling in spelled.items():
        alike[i] = max(alike[i], spelling.likeness - _PARTS_PROVE_LESS)
    peak = np.array([spot.found.score if spot.found else ENOUGH for spot in candidates])
    sure = np.array([max(odds.values(), default=0.0) for odds in named])
    one = np.ones(len(candidates))
    return np.column_stack([one, log_odds, alike, log_odds * alike, peak**2, sure])


def _log_odds(states: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of being a tile, as the network has it, within bounds."""
    told = np.clip(states[:, 0].astype(float), _CERTAIN_ENOUGH, 1 - _CERTAIN_ENOUGH)
    return np.asarray(np.log(told / (1 - told)))


def _promise(states: NDArray[np.float32], alike: NDArray[np.float32]) -> NDArray[np.float64]:
    """How much looks alone speak for a tile: those `signs` that change with where one looks."""
    _, by_odds, by_likeness, by_both, *_ = _SIGNS
    log_odds = _log_odds(states)
    return by_odds * log_odds + by_likeness * alike + by_both * log_odds * alike


def weighed(states: NDArray[np.float32], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The odds of tile, free place and something else, when all signs of a tile are weighed."""
    is_tile = 1 / (1 + np.exp(-np.clip(rows @ np.array(_SIGNS), -30, 30)))
    _, _, alike, _, _, sure = rows.T
    is_known = (alike > _KNOWN) & (sure > _NO_OTHER) & (is_tile > _POSSIBLY)
    is_tile = np.where(is_known, np.maximum(is_tile, _ASKED), is_tile)
    # What the network rather calls a free place must be likelier a tile than not: in noise the finder sees many.
    is_free = (states[:, 1] > states[:, 0]) & (is_tile < 0.5)
    is_tile = np.where(is_free, np.minimum(is_tile, _RATHER), is_tile)
    rest = states[:, 1:].astype(float) + 1e-6
    # What the network takes for a tile, and is none by all signs, is something else and no free place.
    rest[:, 1] += np.where(states[:, 0] > _SOMETHING, states[:, 0], 0.0)
    return np.column_stack([is_tile, (1 - is_tile)[:, None] * rest / rest.sum(axis=1, keepdims=True)])


def _at_home(spot: Candidate) -> Candidate:
    """The same where it would lie if it lay true."""
    if spot.home_mm is None:
        return spot
    return replace(spot, x_mm=spot.home_mm[0], y_mm=spot.home_mm[1], turn_deg=spot.home_deg)


def _where(candidates: Sequence[Candidate]) -> tuple[list[tuple[float, float]], list[float]]:
    """Their middles, and how they are turned."""
    return [(spot.x_mm, spot.y_mm) for spot in candidates], [spot.turn_deg for spot in candidates]


def _reaches(board: Board, furthest_mm: float) -> list[float]:
    """For each named place how far from it a tile may lie that belongs to it: further where no other is near."""
    spots = np.array([(spot.x_mm, spot.y_mm) for spot in board.places.values()]).reshape(-1, 2)
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=-1) + np.eye(len(spots)) * 1e6
    nearest = apart.min(axis=1, initial=1e6)
    return [float(min(_NEAR * mm, max(furthest_mm, _NEAR * nearest.min()))) for mm in nearest]


def _eights(things: Sequence[Candidate]) -> Iterator[Sequence[Candidate]]:
    return (things[at : at + 8] for at in range(0, len(things), 8))


def off_markers(found: Sequence[Found], plane: Plane, pixels: Pixels) -> list[Found]:
    """What is not a marker of the mat or of a card: a marker is square and black and white, as tiles are."""
    markers = plane.markers
    if not markers:
        return list(found)
    spots = plane.to_mm(np.array([corners.mean(axis=0) for corners in markers.values()]))
    near = apart(middles(found), spots) <= _ON_A_MARKER * MARKER_MM
    # A tile may have been laid upon one since it was seen.
    there = [
        bool(some.any()) and is_there(pixels, corners, number)
        for some, (number, corners) in zip(near.T, markers.items(), strict=True)
    ]
    off = ~(near & there).any(axis=1)
    return [tile for tile, is_off in zip(found, off, strict=True) if is_off]


def _border(plane: Plane) -> Points:
    """Points of the table along the edge of the picture."""
    wide, high = plane.size
    steps = np.linspace(0, 1, 9)
    edge = [(x * wide, y * high) for x in steps for y in steps if x in (0, 1) or y in (0, 1)]
    return plane.to_mm(np.array(edge))
