"""A simulated table: a program plays, hands move the tiles, a camera looks on; and the truth about it all is kept."""

import itertools
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from companion.game import (
    AnyGame,
    Unreadable,
    explanations,
    in_turn_of,
    is_legal,
    judge,
    judge_taken,
    legal_moves,
    start,
)
from companion.registry import game_named
from companion.rules import Ruling
from companion.table import Layout
from vision.frame import Frame, Pixels
from vision.plane import Points
from vision.reel import Moment, Reel
from vision.settings import between, read_settings
from vision.studio.blocks import Block
from vision.studio.clutter import JUDGED, thing
from vision.studio.leaves import GROUNDS
from vision.studio.light import Lamp, colour_of
from vision.studio.render import Shot, clear_of, truth
from vision.studio.sensor import developed, shaken
from vision.studio.setting import FULL, Setting, any_setting, is_in_view
from vision.studio.stage import Hand, Stage, Step, Ticks, as_json, steps_between
from vision.studio.view import View


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the simulated table shall be."""

    seed: int = 0
    pace: float = 1.0
    """How many times faster than people everybody moves."""
    rate: float = 10.0
    """Frames a second."""
    size: tuple[int, int] = FULL
    stills: bool = False
    """Whether frames are half as large, and a full picture is only taken to read from it, as with a Pi's camera."""
    mischief: tuple[str, ...] = ()
    hard: bool = False
    live: bool = False
    """Whether frames come no sooner than a real camera's would; where drawing them takes longer, hands are slower."""
    ground: str = "mat"
    players: int = 0
    """How many play; 0 for the fewest that can."""
    advised: bool = False
    """Whether moves are among the best that are advised; otherwise they are drawn by lot, and games may be endless."""
    games: int = 0
    """After so many games the camera is switched off; 0 for games without end."""
    truth: Path | None = None
    """A file for the truth, a line of JSON for everything that happens."""


def open_simulated(name: str, settings: Mapping[str, str], position: Mapping[str, Any] | None = None) -> Reel:
    """A simulated table from the words of a source; raises `Unreadable` for words it does not know.

    ``position`` is where the first game goes on, instead of its beginning.
    """
    game = game_named(name)
    table = SimulatedTable(game, read_wishes(settings), None if position is None else game.read_position(position))
    still = table.still if table.stills else None
    return Reel(table.to_be_drawn, table.wishes.live, hurries=False, truth=table.truth, still=still)


def read_wishes(settings: Mapping[str, str]) -> Wishes:
    """Wishes from words; raises `Unreadable` where a word or its value is unknown."""
    return Wishes(**read_settings("a simulated table", settings, _WISHES))


def _size(value: str) -> tuple[int, int]:
    width, _, height = value.partition("x")
    size = (int(width), int(height))
    if not (160 <= size[0] <= FULL[0] and 120 <= size[1] <= FULL[1]):
        raise ValueError(f"it is from 160x120 to {FULL[0]}x{FULL[1]}")
    return size


def _kinds(value: str) -> tuple[str, ...]:
    kinds = MISCHIEF if value == "all" else tuple(filter(None, value.split(",")))
    if unknown := set(kinds) - set(MISCHIEF):
        raise ValueError(f"there is no {', '.join(sorted(unknown))}; there are all, {', '.join(MISCHIEF)}")
    return kinds


def _ground(value: str) -> str:
    if value not in GROUNDS:
        raise ValueError(f"it is one of {', '.join(GROUNDS)}")
    return value


def _yes(value: str) -> bool:
    if value not in ("", "yes", "no", "1", "0"):
        raise ValueError("it is yes or no")
    return value in ("", "yes", "1")


MISCHIEF = ("illegal", "early", "nudge", "turn", "forgotten", "double", "lift", "lamp", "bump", "cup", "lost")
"""An illegal move, one before its turn, a tile pushed half a place, a tile turned, a capture forgotten, two moves at
once, a tile lifted and put back, a lamp switched on, the camera bumped, a cup left on the table, frames lost."""

_BESIDE_CUP_MM = 22.0
"""So far from a cup is the middle of the nearest tile."""
_MOST_DRAWN = 20
"""So many moves are drawn to find one within the picture."""
_BEST = 3
"""One of so many advised moves is played, so that no two games are the same."""
_LATELY = 3
"""So many of the last moves may have been others that look the same."""
_MOST_ALIKE = 200
"""So many moves that leave the same table are thought of."""
_DARKEST = 0.95
"""Light flickers, and never gets darker than this."""

_WISHES: dict[str, Callable[[str], Any]] = {
    "seed": int,
    "pace": between(0.05, 120),
    "rate": between(0.05, 120),
    "size": _size,
    "stills": _yes,
    "mischief": _kinds,
    "hard": _yes,
    "live": _yes,
    "ground": _ground,
    "players": int,
    "advised": _yes,
    "games": int,
    "truth": Path,
}


class SimulatedTable:
    """A camera above a table at which a program plays. The same wishes give the same frames."""

    def __init__(
        self,
        game: AnyGame,
        wishes: Wishes = Wishes(),
        state: Any = None,
    ) -> None:
        """``state`` is a position from which the first game goes on, instead of its beginning."""
        self.game = game
        self.wishes = wishes
        self.truth: list[dict[str, Any]] = []
        """Everything that happened: seconds, kind, and what belongs to it; the first frame after that time shows it."""
        self.now = 0.0
        self._number = 0
        self._dice = random.Random(f"sim {wishes.seed}")
        self._noise = np.random.default_rng(wishes.seed)
        self._noise_of_stills = np.random.default_rng(wishes.seed)
        self._shakes = random.Random(wishes.seed)
        self.state = self._begin() if state is None else state
        self._lately: tuple[Any, ...] = ()
        """The states before each of the last moves, while all of them could be seen; the newest last."""
        layout = game.layout(self.state)
        setting = any_setting(game, self._widest(layout), self._dice, wishes.hard, wishes.size, wishes.ground)
        # A stand holds the camera still; frames come from the sensor, not from files.
        sensor = replace(setting.sensor, shake_px=(0.0, 0.0), jpeg=None)
        self.setting: Setting = replace(setting, sensor=sensor)
        self.stage = Stage(game, self.setting, layout, self._dice, wishes.rate, wishes.pace, wishes.hard)
        self._reading, self._watching = self._views()
        self._brighter = 1.0
        self._shaking = 0
        self._losing = 0
        self._closed = False
        self._file: TextIO | None = wishes.truth.open("w", encoding="utf-8") if wishes.truth else None
        self._waiting = _shuffled(wishes.mischief, self._dice)

    def __iter__(self) -> Iterator[Frame]:
        began = time.monotonic()
        for moment in self.to_be_drawn():
            frame = Frame(moment.look(), moment.taken, moment.number)
            late = time.monotonic() - began - self.now
            if self.wishes.live and late < 0:
                time.sleep(-late)
            began += max(0.0, late)
            yield frame

    def moments(self) -> Iterator[int]:
        """The numbers of the frames, each when its moment has come and before it is drawn; some are lost."""
        for number, _ in enumerate(self._script(), start=1):
            if self._closed:
                return
            self.now = number / self.wishes.rate
            self._shaking = max(0, self._shaking - 1)
            self._losing = max(0, self._losing - 1)
            if not self._losing:
                yield number

    def to_be_drawn(self) -> Iterator[Moment]:
        """Each moment when it has come, drawn only if somebody looks."""
        for number in self.moments():
            self._number = number
            yield Moment(number, self.now, self.picture)

    @property
    def stills(self) -> bool:
        return self.wishes.stills

    def close(self) -> None:
        self._closed = True
        if self._file is not None:
            self._file.close()
            self._file = None

    def picture(self) -> Pixels:
        """The frame of this moment."""
        return self._taken(self._watching, self._noise)

    def still(self) -> Frame:
        """The full picture of this moment."""
        return Frame(self._taken(self._reading, self._noise_of_stills), self.now, self._number)

    def shot(self) -> Shot:
        """All there is to see at this moment, for the truth of one frame."""
        return replace(self.stage.shot(), arms=self.stage.arms())

    def truth_of_frame(self) -> dict[str, Any]:
        """Where every tile is in the newest frame, as `vision.studio.render.truth` tells it of a photo."""
        return {"game": self.game.name, "at": self.now, **truth(self.setting, self.shot())}

    def _taken(self, view: View, noise: np.random.Generator) -> Pixels:
        drawn = view.drawn(self.stage, self._brighter * _DARKEST)
        if self._shaking:
            drawn = shaken(drawn, (self._shakes.uniform(-9, 9), self._shakes.uniform(-9, 9)))
        # Pixels hold the root of light. What the darkest moment burns out is burnt out in all others too.
        return developed(drawn, view.setting.sensor, noise, math.sqrt(self._flicker() / _DARKEST))

    def _flicker(self) -> float:
        """Clouds, mains and an automatic exposure: light is never quite still."""
        slow = 0.03 * math.sin(self.now / 11 + self.wishes.seed) + 0.012 * math.sin(self.now / 2.3)
        return 1 + slow + 0.004 * math.sin(self.now * 37)

    def _happened(self, kind: str, **more: Any) -> None:
        told = {"at": round(self.now, 3), "kind": kind, **more}
        self.truth.append(told)
        if self._file is not None:
            self._file.write(json.dumps(told, ensure_ascii=False) + "\n")
            self._file.flush()

    def _looks(self) -> dict[str, Any]:
        return {"layout": as_json(self.stage.layout)}

    def _begin(self) -> Any:
        seats = self.game.seats[self.wishes.players or min(self.game.seats)] if self._seatable() else None
        return start(self.game, seats, rng=self._dice)

    def _seatable(self) -> bool:
        if self.wishes.players and self.wishes.players not in self.game.seats:
            numbers = " or ".join(str(number) for number in sorted(self.game.seats))
            raise Unreadable(f"{self.game.title} is for {numbers} players, not {self.wishes.players}", "players")
        return True

    def _widest(self, layout: Layout) -> Layout:
        """What the camera must see: on a lattice also the room that the game will grow into."""
        if self.game.board.lattice is None or not layout:
            return layout
        piece = next(iter(layout.values()))
        return {**layout, **{f"{column},{row}": piece for column in (-3, 3) for row in (-2, 2)}}

    def _script(self) -> Ticks:
        """Games one after the other; every tick is a frame."""
        for game in itertools.count(1):
            self._happened("begun", game=self.game.name, position=self.game.write_position(self.state), **self._looks())
            yield from self.stage.rest(2.0)
            while legal_moves(self.game, self.state):
                yield from self._mischief()
                if legal_moves(self.game, self.state):
                    yield from self._turn()
            outcome = self.game.outcome(self.state)
            points = self.game.score(self.state).points
            self._happened("over", winner=outcome.winner, draw=outcome.draw, rule=outcome.rule, points=points)
            yield from self.stage.rest(5.0)
            if game == self.wishes.games:
                return
            self.state, self._lately = self._begin(), ()
            yield from self._change(self.game.layout(self.state), self._seat(), 4.0)

    def _turn(self) -> Ticks:
        """One legal move, seen or unseen."""
        move = self._choose()
        yield from self._make(move)
        yield from self.stage.rest(self._dice.uniform(2.0, 4.5))

    def _make(self, move: Any, ruling: Ruling | None = None) -> Ticks:
        """A move by hand; it is true when its last tile lies, though the hand is still there."""
        before, seat = self.state, self._seat()
        after = self.game.play(before, move)
        ruling = ruling or judge(self.game, before, move)
        told = {
            "player": self.game.to_move(before),
            "move": self.game.write_move(move, before),
            "legal": ruling.legal,
            "rule": ruling.rule,
            "unseen": self.game.unseen(before, move),
            "points": self.game.score(after).points,
        }
        yield from self._change(
            self.game.layout(after), seat, 1.0, lambda: self._happened("move", **told, **self._looks())
        )
        self._go_on(before, after)

    def _go_on(self, before: Any, after: Any) -> None:
        is_seen = self.game.layout(before) != self.game.layout(after)
        self._lately = (*self._lately[1 - _LATELY :], before) if is_seen else ()
        self.state = after

    def _change(
        self, layout: Layout, seat: str | None, hurry: float = 1.0, done: Callable[[], None] = lambda: None
    ) -> Ticks:
        """Make the table look so; ``done`` is called when it does."""
        steps = steps_between(self.stage.layout, layout)
        if not steps:
            done()
            return
        yield from self._with_hand(seat, steps, hurry, done)

    def _with_hand(self, seat: str | None, steps: list[Step], hurry: float, done: Callable[[], None]) -> Ticks:
        hand = self._hand(seat)
        self._happened("hand in", seat=seat)
        told, goal = False, _after(self.stage.layout, steps)
        for _ in self.stage.perform(hand, steps, hurry):
            if not told and self.stage.layout == goal:
                told = True
                done()
            yield
        if not told:
            done()
        self._happened("hand out", seat=seat)

    def _seat(self) -> str | None:
        return self.game.to_move(self.state)

    def _hand(self, seat: str | None) -> Hand:
        players = self.game.players(self.state)
        name = seat or players[0]
        return self.stage.hand(name, players.index(name) if name in players else 0)

    def _choose(self) -> Any:
        """A legal move by lot, rather one that can be seen; or one of the advised, found in steps and not in time."""
        if self.wishes.advised:
            advice = self.game.advise(self.state, 0.5, counting_clock())[:_BEST]
            if good := [each.move for each in advice if self._stays_in_view(each.move)]:
                return self._dice.choice(good)
        moves = legal_moves(self.game, self.state)
        seen = [move for move in moves if not self.game.unseen(self.state, move)]
        some = seen if seen and self._dice.random() < 0.9 else moves
        drawn = [self._dice.choice(some)]
        while not self._stays_in_view(drawn[-1]) and len(drawn) < _MOST_DRAWN:
            drawn.append(self._dice.choice(some))
        return drawn[-1]

    def _stays_in_view(self, move: Any) -> bool:
        """Whether all tiles lie where the camera sees them: nobody who plays under it builds out of its picture, and
        nobody at all where a cup stands or a pile lies."""
        layout = self.game.layout(self.game.play(self.state, move))
        if self.game.board.lattice is None:
            return True
        spots = [(spot.x_mm, spot.y_mm) for spot in map(self.game.board.spot, layout)]
        is_free = not self._is_under_a_cup(spots) and not self._is_over_a_pile(layout)
        return is_free and is_in_view(self.setting.camera, self.game, layout)

    def _is_over_a_pile(self, layout: Layout) -> bool:
        places, seats, reach = self.game.board.places, self.game.players(self.state), min(self.game.catalogue.size_mm)
        area = [self.game.board.spot(place) for place in layout if place not in places]
        piles = [spot for place, spot in places.items() if place.partition(":")[0] in seats]
        return any(max(abs(a.x_mm - b.x_mm), abs(a.y_mm - b.y_mm)) < reach for a in area for b in piles)

    def _is_under_a_cup(self, spots_mm: Sequence[tuple[float, float]]) -> bool:
        spots = np.array(spots_mm).reshape(-1, 2)
        cups = [thing for thing in self.stage.clutter if thing.kind == "cup"]
        return any(self._far_from(cup, spots) < cup.size_mm[0] / 2 + _BESIDE_CUP_MM for cup in cups)

    def _far_from(self, cup: Block, spots: Points) -> float:
        """How far the nearest of some spots is from where a cup stands, or from what its rim hides behind it."""
        camera, at = self.setting.camera, (cup.x_mm, cup.y_mm)
        behind = camera.on_table(camera.project([(*at, cup.height_mm)]))[0]
        return float(min(np.linalg.norm(spots - hidden, axis=1).min(initial=np.inf) for hidden in (at, behind)))

    def _mischief(self) -> Ticks:
        """Sometimes something else happens first; each kind in its turn, when the table allows it."""
        if not self._waiting or self._dice.random() < 0.25:
            return
        for kind in list(self._waiting):
            doing = _DOINGS[kind](self)
            if doing is None:
                continue
            self._waiting.remove(kind)
            self._waiting = self._waiting or _shuffled(self.wishes.mischief, self._dice)
            yield from doing
            yield from self.stage.rest(self._dice.uniform(2.0, 3.5))
            return

    def _illegal(self) -> Ticks | None:
        tries = itertools.islice(self.game.conceivable(self.state), 20000)
        wrong = [move for move in _sampled(tries, 400, self._dice) if self._is_visible_breach(move)]
        self._dice.shuffle(wrong)
        seen = next((move for move in wrong if not self._looks_legal(self._left_by(self.state, move))), None)
        return None if seen is None else self._breach("illegal", self.state, seen)

    def _is_visible_breach(self, move: Any) -> bool:
        state = self.state
        return (
            not is_legal(self.game, state, move)
            and not self.game.unseen(state, move)
            and self._stays_in_view(move)
            and 0 < len(steps_between(self.game.layout(state), self._left_by(state, move))) < 4
        )

    def _left_by(self, state: Any, move: Any) -> Layout:
        """The table after a move."""
        return self.game.layout(self.game.play(state, move))

    def _early(self) -> Ticks | None:
        """Only where nobody could have made a move unseen is one before its turn surely a breach."""
        if not self.game.turns or not self.stage.layout:
            return None
        other = self._dice.choice([player for player in self.game.players(self.state) if player != self._seat()])
        turn = in_turn_of(self.game, self.state, other)
        moves = [] if turn is None else legal_moves(self.game, turn)
        seen = [move for move in moves if not self._looks_legal(self._left_by(turn, move))]
        return self._breach("early", turn, self._dice.choice(seen)) if seen else None

    def _looks_legal(self, table: Layout) -> bool:
        """Whether a legal move would leave such a table, be it after other last moves that looked the same, or the
        last move if somebody only went on with it, or two of the same player, tile by tile as the hand lays them, or
        whether the last moves seem to be taken back: then nobody who only looks on could know."""
        before = self._lately[-1] if self._lately else self.state
        now, last = self.game.layout(self.state), self.game.layout(before)
        done = [place for place in {**last, **now} if last.get(place) != now.get(place)]
        goes_on = bool(done) and all(table.get(place) == now.get(place) for place in done)
        return (
            any(table == self.game.layout(state) for state in self._lately)
            or any(self._way_to(state, table) is not None for state in (self.state, *self._alike(now)))
            or (goes_on and self._way_to(before, table) is not None)
            or self._looks_like_two(now, table)
        )

    def _looks_like_two(self, now: Layout, table: Layout) -> bool:
        steps = steps_between(now, table)
        for first in (self._way_to(self.state, _after(now, steps[:count])) for count in range(1, len(steps))):
            then = None if first is None else self.game.play(self.game.seen_by(self.state, None), first)
            if then is not None and self.game.to_move(then) == self._seat() and self._way_to(then, table) is not None:
                return True
        return False

    def _alike(self, now: Layout) -> Iterator[Any]:
        """What may have become of the game by moves that look like the last ones."""
        tables = [*map(self.game.layout, self._lately[1:]), now]
        for count, first in enumerate(self._lately):
            states = [self.game.seen_by(first, None)]
            for table in tables[count:]:
                then = (self.game.play(state, move) for state in states for move in self._ways(state, table))
                states = list(itertools.islice(then, _MOST_ALIKE))
            yield from states

    def _way_to(self, state: Any, table: Layout) -> Any:
        """A legal move that leaves such a table, as far as somebody who looks on knows."""
        return next(self._ways(self.game.seen_by(state, None), table), None)

    def _ways(self, state: Any, table: Layout) -> Iterator[Any]:
        """The legal moves that leave such a table."""
        alike = itertools.islice(explanations(self.game, state, table), _MOST_ALIKE)
        return (move for move in alike if is_legal(self.game, state, move))

    def _breach(self, what: str, turn: Any, move: Any) -> Ticks:
        """The move is made, seen, disputed and taken back; in a turn that may be another's."""
        earlier, before = self._lately, self.state
        self._happened("mischief", what=what, move=self.game.write_move(move, turn))
        self.state, seat = turn, self.game.to_move(turn)
        yield from self._make(move, judge_taken(self.game, before, turn, move))
        yield from self.stage.rest(4.0)
        self._lately, self.state = earlier, before
        back = lambda: self._happened("taken back", **self._looks())  # noqa: E731
        yield from self._change(self.game.layout(before), seat, 1.0, back)

    def _nudge(self) -> Ticks | None:
        if not self.stage.tiles:
            return None
        place = self._dice.choice(sorted(self.stage.tiles))
        block, size = self.stage.tiles[place].block, max(self.game.catalogue.size_mm) * 0.5
        for _ in range(_MOST_DRAWN):
            along = self._dice.uniform(0, math.tau)
            x_mm, y_mm = size * math.cos(along), size * math.sin(along)
            if not self._is_under_a_cup([(block.x_mm + x_mm, block.y_mm + y_mm)]):
                return self._shift(place, "nudge", x_mm, y_mm, 0.0)
        return None

    def _turned(self) -> Ticks | None:
        if not self.stage.tiles:
            return None
        return self._shift(
            self._dice.choice(sorted(self.stage.tiles)), "turn", 0.0, 0.0, self._dice.choice((90.0, 180.0))
        )

    def _shift(self, place: str, what: str, x_mm: float, y_mm: float, degrees: float) -> Ticks:
        """A hand shifts a tile, and after a while puts it right."""
        block, seat = self.stage.tiles[place].block, self._seat()
        moved = replace(block, x_mm=block.x_mm + x_mm, y_mm=block.y_mm + y_mm, angle_deg=block.angle_deg + degrees)
        told = {"what": what, "place": place, "by_mm": [round(x_mm, 1), round(y_mm, 1)], "by_deg": degrees}
        yield from self._slide(place, moved, lambda: self._happened("mischief", **told))
        yield from self.stage.rest(4.0)
        yield from self._slide(place, block, lambda: self._happened("put right", place=place, seat=seat))

    def _slide(self, place: str, block: Block, done: Callable[[], None]) -> Ticks:
        """A finger pushes a tile over the table."""
        hand, seat = self._hand(self._seat()), self._seat()
        self._happened("hand in", seat=seat)
        yield from self.stage.push(hand, place, block)
        done()
        yield from self.stage.leave(hand)
        self._happened("hand out", seat=seat)

    def _forgotten(self) -> Ticks | None:
        for move in _sampled(legal_moves(self.game, self.state), 300, self._dice):
            after = self.game.play(self.state, move)
            goal = self.game.layout(after)
            steps = steps_between(self.stage.layout, goal)
            # Of two tiles that change places one is taken up too, but to be put down again.
            taken = [step for step in steps if step.end is None and step.start not in goal]
            if taken and len(taken) < len(steps) < 6:
                return self._forget(move, after, [step for step in steps if step not in taken], taken)
        return None

    def _forget(self, move: Any, after: Any, done: list[Step], taken: list[Step]) -> Ticks:
        """The move is made but what it takes stays, until somebody says so."""
        before, seat = self.state, self._seat()
        forgotten = [step.start for step in taken]
        written = self.game.write_move(move, before)
        told = lambda: self._happened(  # noqa: E731
            "mischief", what="forgotten", move=written, places=forgotten, player=seat, **self._looks()
        )
        yield from self._with_hand(seat, done, 1.0, told)
        yield from self.stage.rest(4.0)
        points = self.game.score(after).points
        right = {"player": seat, "move": written, "legal": True, "rule": None, "unseen": False, "points": points}
        yield from self._with_hand(seat, taken, 1.0, lambda: self._happened("move", **right, **self._looks()))
        self._go_on(before, after)

    def _double(self) -> Ticks | None:
        return self._two() if legal_moves(self.game, self.state) else None

    def _two(self) -> Ticks:
        """Two moves with no quiet moment between them."""
        self._happened("mischief", what="double")
        for _ in range(2):
            if legal_moves(self.game, self.state):
                yield from self._make(self._choose())

    def _lift(self) -> Ticks | None:
        if not self.stage.tiles:
            return None
        return self._lifted(self._dice.choice(sorted(self.stage.tiles)))

    def _lifted(self, place: str) -> Ticks:
        piece, hand = self.stage.tiles[place].piece, self._hand(self._seat())
        self._happened("hand in", seat=self._seat())
        yield from self.stage.pick(hand, place)
        self._happened("mischief", what="lift", place=place)
        yield from self.stage.rest(1.2)
        yield from self.stage.put(hand, Step(piece, place, place))
        self._happened("put right", place=place)
        yield from self.stage.leave(hand)
        self._happened("hand out", seat=self._seat())

    def _lamp(self) -> Ticks | None:
        return self._switched() if len(self.setting.lighting.lamps) < 3 else self._switched_off()

    def _switched(self) -> Ticks:
        away, dice = self._dice.uniform(0, math.tau), self._dice
        lamp = Lamp(math.cos(away) * 500, math.sin(away) * 500, 800.0, colour_of(dice.uniform(2600, 5000)), 0.9, 60.0)
        yield from self._relit((*self.setting.lighting.lamps, lamp), "on")

    def _switched_off(self) -> Ticks:
        yield from self._relit(self.setting.lighting.lamps[:1], "off")

    def _relit(self, lamps: tuple[Lamp, ...], switched: str) -> Ticks:
        """The light changes at once; the camera gets used to it within a second."""
        lighting = self.setting.lighting
        before, after = (lighting.ambient + sum(lamp.power for lamp in some) for some in (lighting.lamps, lamps))
        self._set(replace(self.setting, lighting=replace(lighting, lamps=lamps)))
        self._happened("mischief", what="lamp", switched=switched)
        goal = self._brighter * before / after
        for _ in self.stage.rest(1.0):
            self._brighter += (goal - self._brighter) * 0.35
            yield
        self._brighter = goal

    def _bump(self) -> Ticks | None:
        return self._bumped()

    def _bumped(self) -> Ticks:
        camera, dice = self.setting.camera, self._dice
        x, y, z = (part + dice.choice((-1, 1)) * dice.uniform(0.006, 0.02) for part in camera.turn)
        right, down, away = (part + dice.choice((-1, 1)) * dice.uniform(2.0, 9.0) for part in camera.shift)
        self._set(replace(self.setting, camera=replace(camera, turn=(x, y, z), shift=(right, down, away))))
        self._shaking = 1 + round(0.4 * self.wishes.rate)
        self._happened("mischief", what="bump", camera=self.setting.camera.described())
        yield from self.stage.rest(1.0)

    def _cup(self) -> Ticks | None:
        """A cup needs room beside the places of the game, and nobody sets one where the next tile is to lie."""
        cup, lattice = thing("cup", self._dice.choice(JUDGED)), self.game.board.lattice
        room = cup.size_mm[0] / 2 + _BESIDE_CUP_MM + (lattice.pitch_mm if lattice else 0.0)
        # Where there is no board the first tile lies in the middle.
        middle = [(0.0, 0.0)] if lattice else []
        taken = np.array([*clear_of(self.game, tuple(self.stage.tiles.values()), self.setting), *middle])
        for _ in range(200):
            pixel = [self._dice.uniform(0.04, 0.96) * self.wishes.size[i] for i in (0, 1)]
            x, y = self.setting.camera.on_table([pixel])[0]
            cup = replace(cup, x_mm=float(x), y_mm=float(y))
            if self._far_from(cup, taken.reshape(-1, 2)) > room:
                return self._left(cup)
        return None

    def _left(self, cup: Block) -> Ticks:
        hand = self._hand(self._seat())
        self.stage.clutter = [other for other in self.stage.clutter if other.kind != "cup"]
        self.stage.changes += 1
        self._happened("hand in", seat=self._seat())
        hand.holds.append(cup)
        yield from self.stage.travel(hand, (cup.x_mm, cup.y_mm, 2.0))
        hand.holds.clear()
        self.stage.clutter.append(cup)
        self.stage.changes += 1
        self._happened("mischief", what="cup", at_mm=[round(cup.x_mm, 1), round(cup.y_mm, 1)])
        yield from self.stage.leave(hand)
        self._happened("hand out", seat=self._seat())

    def _lost(self) -> Ticks | None:
        return self._lose() if legal_moves(self.game, self.state) else None

    def _lose(self) -> Ticks:
        """Frames are lost in the midst of a move."""
        second = self.wishes.rate / self.wishes.pace
        count = self._dice.randint(max(2, round(second)), max(3, round(2.5 * second)))
        wait = round(0.5 * second)
        for tick, _ in enumerate(self._make(self._choose())):
            if tick == wait:
                self._losing = count
                self._happened("mischief", what="lost", frames=count - 1)
            yield

    def _set(self, setting: Setting) -> None:
        self.setting = setting
        self.stage.setting = setting
        self._reading, self._watching = self._views()

    def _views(self) -> tuple[View, View]:
        """What the table is read from, and what it is watched with."""
        reading = View(self.setting)
        return reading, View(self.setting, 0.5) if self.wishes.stills else reading


_DOINGS: dict[str, Callable[[SimulatedTable], Ticks | None]] = {
    "illegal": SimulatedTable._illegal,
    "early": SimulatedTable._early,
    "nudge": SimulatedTable._nudge,
    "turn": SimulatedTable._turned,
    "forgotten": SimulatedTable._forgotten,
    "double": SimulatedTable._double,
    "lift": SimulatedTable._lift,
    "lamp": SimulatedTable._lamp,
    "bump": SimulatedTable._bump,
    "cup": SimulatedTable._cup,
    "lost": SimulatedTable._lost,
}
"""For each kind what happens, or ``None`` when the table does not allow it now."""


def counting_clock() -> Callable[[], float]:
    """A clock that goes on by a little whenever somebody looks, so that thinking takes the same time everywhere."""
    ticks = itertools.count()
    return lambda: next(ticks) * 0.0005


def _after(layout: Layout, steps: list[Step]) -> dict[str, Any]:
    goal = dict(layout)
    for step in steps:
        if step.start is not None:
            goal.pop(step.start, None)
        if step.end is not None:
            goal[step.end] = step.piece
    return goal


def _shuffled(kinds: tuple[str, ...], dice: random.Random) -> list[str]:
    return dice.sample(kinds, len(kinds))


def _sampled(moves: Any, count: int, dice: random.Random) -> list[Any]:
    found = list(moves)
    return dice.sample(found, min(count, len(found)))
