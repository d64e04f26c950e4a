"""The table of a simulated game: what lies where, and hands that pick up, carry, turn and leave, tick by tick."""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from companion.game import AnyGame
from companion.table import Layout, Piece, Place
from vision.studio.blocks import Block
from vision.studio.camera import Camera, ground
from vision.studio.faces import FaceTray
from vision.studio.hands import PEOPLE, Arm, reach
from vision.studio.render import Shot
from vision.studio.setting import Setting
from vision.studio.strew import Lying, room_mm, strewn

Ticks: TypeAlias = Iterator[None]
"""Something that takes time: each step is one picture."""

_HIGH_MM = 42.0
_BEYOND_MM = 130.0
"""How far outside the picture a hand waits."""
_SHUTTER = 0.012
"""Seconds that the shutter is open, which smears what moves."""
_COMPASS = {"south": 0.0, "east": 90.0, "north": 180.0, "west": 270.0}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a hand does: from a place, or from outside, to a place, or away; the piece as it lies after it."""

    piece: Piece
    start: Place | None
    end: Place | None


@dataclass(slots=True, eq=False)
class Hand:
    """One player's hand, wherever it is."""

    outward: tuple[float, float]
    person: int
    left: bool
    tip: tuple[float, float, float]
    pose: str = "open"
    speed: tuple[float, float] = (0.0, 0.0)
    holds: list[Block] = field(default_factory=list)
    inside: bool = False


def steps_between(before: Layout, after: Layout) -> list[Step]:
    """What hands must do so that the one layout becomes the other: moves first, then new tiles, then what is taken.

    A tile that lies elsewhere afterwards is carried there; a place that shows another tile, while neither is to be
    found anywhere else, is covered with the new one.
    """
    gone = {place: piece for place, piece in before.items() if after.get(place) != piece}
    come = {place: piece for place, piece in after.items() if before.get(place) != piece}
    steps = [Step(piece, place, place) for place, piece in come.items() if _same_tile(gone.get(place), piece)]
    for step in steps:
        del gone[step.start or ""], come[step.end or ""]
    moves = []
    for place, piece in list(come.items()):
        # Of two such tiles the one is carried whose place is empty afterwards; the other one is covered.
        starts = sorted(
            (start for start, old in gone.items() if _same_tile(old, piece)), key=lambda start: start in after
        )
        found = starts[0] if starts else None
        if found is not None:
            moves.append(Step(piece, found, place))
            del gone[found], come[place]
    new = [Step(piece, None, place) for place, piece in come.items()]
    covered = {*come, *(step.end for step in moves)}
    taken = [Step(piece, place, None) for place, piece in gone.items() if place not in covered]
    return [*steps, *_unblocked(moves, {step.end for step in moves}), *new, *taken]


def _same_tile(one: Piece | None, other: Piece) -> bool:
    return one is not None and (one.tile, one.owner) == (other.tile, other.owner)


def _unblocked(moves: list[Step], ends: set[Place | None]) -> list[Step]:
    """Moves in an order in which each finds its end free; of two that change places one waits outside."""
    ordered: list[Step] = []
    waiting = list(moves)
    while waiting:
        starts = {step.start for step in waiting}
        free = [step for step in waiting if step.end not in starts]
        if free:
            ordered.append(free[0])
            waiting.remove(free[0])
            continue
        first = waiting.pop(0)
        ordered.append(Step(first.piece, first.start, None))
        waiting.append(Step(first.piece, None, first.end))
    return ordered


class Stage:
    """What there is to see now; hands change it tick by tick."""

    def __init__(
        self, game: AnyGame, setting: Setting, layout: Layout, dice: random.Random, rate: float, pace: float, hard: bool
    ) -> None:
        self.game = game
        self.setting = setting
        self.dice = dice
        self.rate = rate
        self.pace = pace
        self.hard = hard
        self.tray = FaceTray(game, setting.finish, setting.camera.px_per_mm)
        self.tiles: dict[Place, Lying] = {tile.place: tile for tile in strewn(game, layout, self.tray, dice, hard)}
        self.clutter: list[Block] = []
        self.hands: dict[str, Hand] = {}
        self.room_mm = room_mm(game)
        self.changes = 0
        """Grows whenever what lies on the table changes."""

    @property
    def layout(self) -> dict[Place, Piece]:
        return {place: lying.piece for place, lying in self.tiles.items()}

    def shot(self) -> Shot:
        """What lies on the table; what hands hold is not among it."""
        return Shot(tuple(self.tiles.values()), tuple(self.clutter))

    def held(self) -> list[Block]:
        return [block for hand in self.hands.values() for block in hand.holds]

    @property
    def has_hand_in_view(self) -> bool:
        """Whether any hand is where the camera may see it."""
        return any(self._is_in_view(hand) for hand in self.hands.values())

    def arms(self) -> tuple[Arm, ...]:
        return tuple(self._arm(hand) for hand in self.hands.values() if hand.inside)

    def hand(self, seat: str, number: int) -> Hand:
        """The hand of a seat; seats that are no point of the compass sit opposite each other."""
        if seat not in self.hands:
            degrees = _COMPASS.get(seat, 180.0 * (number % 2)) + self.dice.gauss(0, 12)
            outward = (math.sin(math.radians(degrees)), math.cos(math.radians(degrees)))
            person = self.dice.randrange(PEOPLE)
            self.hands[seat] = Hand(outward, person, self.dice.random() < 0.2, (0.0, 0.0, _HIGH_MM))
            self.hands[seat].tip = (*self._outside(self.hands[seat]), _HIGH_MM)
        return self.hands[seat]

    def rest(self, seconds: float) -> Ticks:
        for _ in range(max(1, round(seconds / self.pace * self.rate))):
            yield

    def perform(self, hand: Hand, steps: list[Step], hurry: float = 1.0) -> Ticks:
        """Do the steps one after the other and leave."""
        for step in steps:
            quick = hurry * (1.0 if len(steps) < 6 else 2.5)
            if step.start is None:
                yield from self.leave(hand, quick)
                hand.holds.append(self._block(step.piece, (*hand.tip[:2],), self._angle(step)))
                hand.pose = "pinch"
            else:
                yield from self.pick(hand, step.start, quick)
            if step.end is not None:
                yield from self.put(hand, step, quick)
        yield from self.leave(hand, hurry)

    def pick(self, hand: Hand, place: Place, hurry: float = 1.0) -> Ticks:
        """Go to a place and take up what lies there."""
        lying = self.tiles[place]
        x, y = lying.block.x_mm, lying.block.y_mm
        yield from self.travel(hand, (x, y, _HIGH_MM), hurry=hurry)
        yield from self.travel(hand, (x, y, 2.0), hurry=hurry)
        hand.pose = "pinch"
        del self.tiles[place]
        self.changes += 1
        hand.holds.append(lying.block)
        yield from self.travel(hand, (x, y, _HIGH_MM), hurry=hurry)

    def push(self, hand: Hand, place: Place, to: Block) -> Ticks:
        """Push what lies on a place over the table."""
        lying = self.tiles[place]
        hand.pose = "point"
        yield from self.travel(hand, (lying.block.x_mm, lying.block.y_mm, 3.0))
        del self.tiles[place]
        self.changes += 1
        hand.holds.append(lying.block)
        yield from self.travel(hand, (to.x_mm, to.y_mm, 3.0), to.angle_deg)
        hand.holds.clear()
        self.lay(place, lying.piece, to)

    def put(self, hand: Hand, step: Step, hurry: float = 1.0) -> Ticks:
        """Carry what was taken up last to its place and lay it down."""
        place, angle = step.end or "", self._angle(step)
        aim = self._aim(place)
        yield from self.travel(hand, (*aim, _HIGH_MM), angle, hurry)
        yield from self.travel(hand, (*aim, 2.0), angle, hurry)
        self.drop(hand, place, step.piece)
        yield from self.travel(hand, (*aim, _HIGH_MM), hurry=hurry)

    def drop(self, hand: Hand, place: Place, piece: Piece) -> None:
        """Lay down what was taken up last, over whatever lies there."""
        block = hand.holds.pop()
        lean = 0.02 if self.hard else 0.008
        laid = replace(block, base_mm=0.0, lean=(self.dice.gauss(0, lean), self.dice.gauss(0, lean)))
        self.lay(place, piece, laid)
        hand.pose = "pinch" if hand.holds else "open"

    def lay(self, place: Place, piece: Piece, block: Block) -> None:
        self.tiles[place] = Lying(place, piece, block)
        self.changes += 1

    def leave(self, hand: Hand, hurry: float = 1.0) -> Ticks:
        """Go out of the picture and drop there what is held."""
        if hand.inside:
            yield from self.travel(hand, (*self._outside(hand), _HIGH_MM + 20), hurry=hurry)
        hand.holds.clear()
        hand.inside = False
        hand.pose = "open"

    def travel(
        self, hand: Hand, to: tuple[float, float, float], angle_deg: float | None = None, hurry: float = 1.0
    ) -> Ticks:
        """Move the tip of the fingers, slowly at both ends, and turn what is held on the way."""
        start, hand.inside = hand.tip, True
        seconds = (0.12 + math.dist(start, to) / 850) / hurry / self.pace
        ticks = max(1, round(seconds * self.rate))
        turns = [_shortest(block.angle_deg, angle_deg) for block in hand.holds]
        begun = [block.angle_deg for block in hand.holds]
        for tick in range(1, ticks + 1):
            share = tick / ticks
            eased = share**3 * (10 - 15 * share + 6 * share**2)
            before = hand.tip
            x, y, z = (a + (b - a) * eased for a, b in zip(start, to, strict=True))
            hand.tip = (x, y, z)
            hand.speed = ((x - before[0]) * self.rate, (y - before[1]) * self.rate)
            for i, block in enumerate(hand.holds):
                angle = begun[i] + turns[i] * eased
                hand.holds[i] = replace(block, x_mm=x + 3 * i, y_mm=y + 2 * i, base_mm=max(0.0, z - 2), angle_deg=angle)
            yield
        hand.speed = (0.0, 0.0)

    def _arm(self, hand: Hand) -> Arm:
        arm = reach(hand.person, hand.pose, hand.tip[:2], hand.outward, hand.tip[2], hand.left, self.setting.lighting)
        scale = self.setting.camera.px_per_mm * _SHUTTER
        longest = max(1.0, math.hypot(*hand.speed) * scale / 24)
        return replace(arm, smear_px=(hand.speed[0] * scale / longest, hand.speed[1] * scale / longest))

    def _block(self, piece: Piece, at: tuple[float, float], angle: float) -> Block:
        return replace(self.tray.block(piece, at[0], at[1], angle), base_mm=_HIGH_MM)

    def _aim(self, place: Place) -> tuple[float, float]:
        spot = self.game.board.spot(place)
        # Where tiles lie side by side people are careful, or the neighbours would not stay where they are.
        spread = min(1.2 if self.hard else 0.6, 0.3 * self.room_mm + 0.1)
        return spot.x_mm + self.dice.gauss(0, spread), spot.y_mm + self.dice.gauss(0, spread)

    def _angle(self, step: Step) -> float:
        spot = self.game.board.spot(step.end or step.start or "")
        tilt = self.dice.gauss(0, 3.0 if self.hard else 1.5)
        if step.piece.facing is not None:
            return spot.angle_deg + 90.0 * step.piece.facing + tilt
        straight = self.dice.uniform(0, 360) if self.game.catalogue.shape == "disc" else 0.0
        return spot.angle_deg + straight + tilt

    def _outside(self, hand: Hand) -> tuple[float, float]:
        """A point of the table, on the hand's side, from which nothing of it is seen."""
        far = _rim_mm(self.setting.camera, hand.outward) + _BEYOND_MM
        return hand.outward[0] * far, hand.outward[1] * far

    def _is_in_view(self, hand: Hand) -> bool:
        out_mm = hand.tip[0] * hand.outward[0] + hand.tip[1] * hand.outward[1]
        return hand.inside and out_mm < _rim_mm(self.setting.camera, hand.outward)


@lru_cache(maxsize=16)
def _rim_mm(camera: Camera, outward: tuple[float, float]) -> float:
    """How far a camera sees on one side, from the middle of the table."""
    nodes = ground(camera).nodes_mm.reshape(-1, 2)
    return float(np.clip(nodes @ np.array(outward), -900, 900).max())


def _shortest(start_deg: float, end_deg: float | None) -> float:
    return 0.0 if end_deg is None else (end_deg - start_deg + 180) % 360 - 180


def as_json(layout: Mapping[Place, Piece]) -> dict[str, list[object]]:
    """A layout for the truth: tile, owner and facing by place."""
    return {place: [piece.tile, piece.owner, piece.facing] for place, piece in sorted(layout.items())}
