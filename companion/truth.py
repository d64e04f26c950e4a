"""What was recorded of a simulated game, held against the truth about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from companion.events import Event, MovePlayed
from companion.live import Camera
from companion.session import Standing, fold
from companion.table import Layout, Piece

_GAP_SECONDS = 0.6
"""Longer than this between two frames, and the camera saw nothing."""
_ALONE_SECONDS = 1.0
"""A hand that is followed by the next within this has not left the table to be seen."""
_LATE_MS = 1000
"""A move told later than this after the hand left is late."""
_GRACE_SECONDS = 2.0
"""So long after a mischief was put right the camera may still speak of it."""

Happened = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """One event of the record, when it came on the simulated clock, and how the table looked by it."""

    at: float
    event: Event
    layout: Layout


@dataclass(slots=True)
class Account:
    """All that was recorded of one simulated game, and what the camera asked meanwhile."""

    heard: list[Heard] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    points: Mapping[str, int] = field(default_factory=dict)
    blind: list[tuple[float, float]] = field(default_factory=list)
    """From when to when there were no frames."""
    _was: Camera = Camera.WATCHING
    _seen: float = 0.0

    def listen(self, at: float, record: Sequence[Event], camera: Camera) -> None:
        """Take in what is new; called for every frame."""
        if at - self._seen > _GAP_SECONDS:
            self.blind.append((self._seen, at))
        self._seen = at
        for event in record[len(self.heard) :]:
            standing = fold(record[: event.number])
            self.heard.append(Heard(at, event, standing.game.layout(standing.state)))
        if camera is Camera.NEEDS_YOU is not self._was:
            self.asked.append(at)
        self._was = camera


@dataclass(slots=True)
class Tally:
    """How well simulated games were followed."""

    games: int = 0
    moves: int = 0
    """Legal moves that a camera can see; a phone tells the others."""
    exact: int = 0
    """Recorded for the same player and with the same table after it; no camera tells two such moves apart."""
    phantom: int = 0
    """Moves that stand in the record and never were."""
    illegal_injected: int = 0
    illegal_reported: int = 0
    false_alarms: int = 0
    """Breaches reported and questions asked without a reason."""
    scores_exact: int = 0
    delays_ms: list[float] = field(default_factory=list)
    """From the hand leaving the table alone, where the camera can see it, to the event."""

    def add(self, other: "Tally") -> None:
        for name in ("games", "moves", "exact", "phantom", "illegal_injected", "illegal_reported", "false_alarms"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.scores_exact += other.scores_exact
        self.delays_ms += other.delays_ms

    @property
    def errors(self) -> int:
        """All that went wrong: missed, invented, passed over or alarmed for nothing."""
        unreported = self.illegal_injected - self.illegal_reported
        return self.moves - self.exact + self.phantom + unreported + self.false_alarms

    @property
    def trouble(self) -> str:
        """What went wrong, in a few words; none where nothing did."""
        counts = {
            "moves missed": self.moves - self.exact,
            "phantoms": self.phantom,
            "breaches passed over": self.illegal_injected - self.illegal_reported,
            "false alarms": self.false_alarms,
            "scores off": self.games - self.scores_exact,
            "moves told late": sum(delay > _LATE_MS for delay in self.delays_ms),
        }
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count)

    def as_json(self) -> dict[str, Any]:
        told = asdict(self)
        delays = sorted(told.pop("delays_ms"))
        return {**told, "delay_ms_p95": round(delays[int(len(delays) * 0.95)]) if delays else None}


def score(truth: Sequence[Happened], account: Account) -> Tally:
    """Hold the account of one game against its truth."""
    tally = Tally(games=1)
    played = [happened for happened in truth if happened["kind"] == "move" and happened["legal"]]
    tally.scores_exact = int(bool(played) and dict(account.points) == dict(played[-1]["points"]))
    if not account.heard:
        tally.moves = sum(not happened["unseen"] for happened in played)
        return tally
    standing = fold([heard.event for heard in account.heard])
    kept = [account.heard[move.number - 1] for move in standing.moves if move.ruling.legal]
    pairs = dict(_aligned([_look(each) for each in played], [_seen_look(each) for each in kept]))
    for i, happened in enumerate(played):
        if happened["unseen"]:
            continue
        tally.moves += 1
        if i in pairs:
            tally.exact += 1
            left = _left_alone(truth, happened["at"], account.blind)
            if left is not None:
                tally.delays_ms.append(max(0.0, (_first_told(account, happened) - left) * 1000))
    tally.phantom = sum(j not in pairs.values() and _by_camera(each.event) for j, each in enumerate(kept))
    _score_breaches(tally, truth, account)
    return tally


def _first_told(account: Account, happened: Happened) -> float:
    """When a move was first told; one that looked like another may be told anew when what follows says which it was."""
    at, look = happened["at"], _look(happened)
    return min((heard.at for heard in account.heard if heard.at >= at and _seen_look(heard) == look), default=at)


def _left_alone(truth: Sequence[Happened], at: float, blind: Sequence[tuple[float, float]]) -> float | None:
    """When hands first left the table alone after a moment and there were frames to see it."""
    ins = [happened["at"] for happened in truth if happened["kind"] == "hand in"]
    outs = (happened["at"] for happened in truth if happened["kind"] == "hand out" and happened["at"] >= at)
    left = next((out for out in outs if not any(out <= each < out + _ALONE_SECONDS for each in ins)), None)
    return left if left is None else max((end for start, end in blind if start <= left < end), default=left)


def _score_breaches(tally: Tally, truth: Sequence[Happened], account: Account) -> None:
    reported = list(_reported(account))
    for begin, end, look in _breaches(truth):
        tally.illegal_injected += 1
        tally.illegal_reported += any(begin <= each.at <= end and _lying(each.layout) == look for each in reported)
    excused = list(_excuses(truth))
    for at in (*(each.at for each in reported), *account.asked):
        tally.false_alarms += not any(begin <= at <= end for begin, end in excused)


def _reported(account: Account) -> Iterator[Heard]:
    """The events that were ruled illegal in their turn."""
    for each in account.heard:
        if _by_camera(each.event):
            ruled: Standing = fold([heard.event for heard in account.heard[: each.event.number]])
            if ruled.moves and ruled.moves[-1].number == each.event.number and not ruled.moves[-1].ruling.legal:
                yield each


def _breaches(truth: Sequence[Happened]) -> Iterator[tuple[float, float, object]]:
    """For each illegal move when it was made, when it was gone, and how the table looked."""
    made: Happened | None = None
    for happened in truth:
        if happened["kind"] == "move" and not happened["legal"]:
            made = happened
        elif happened["kind"] == "taken back" and made is not None:
            yield made["at"], happened["at"] + _GRACE_SECONDS, _look(made)[1]
            made = None


_WRONG = ("illegal", "early", "nudge", "turn", "forgotten", "lift")
"""Mischief that leaves the table otherwise than it should be."""


def _excuses(truth: Sequence[Happened]) -> Iterator[tuple[float, float]]:
    """When something was wrong with the table, so that the camera did well to say so."""
    begun: float | None = None
    for happened in truth:
        if happened["kind"] == "mischief" and happened["what"] in _WRONG:
            begun = happened["at"]
        elif begun is not None and happened["kind"] in ("taken back", "put right", "move"):
            if happened["kind"] == "move" and not happened["legal"]:
                continue
            yield begun, happened["at"] + _GRACE_SECONDS
            begun = None
    if begun is not None:
        yield begun, float("inf")


def _by_camera(event: Event) -> bool:
    return isinstance(event.fact, MovePlayed) and event.fact.told_by == "camera"


def _look(happened: Happened) -> tuple[object, object]:
    return happened["player"], tuple((place, *piece) for place, piece in sorted(happened["layout"].items()))


def _seen_look(heard: Heard) -> tuple[object, object]:
    fact = heard.event.fact
    return fact.player if isinstance(fact, MovePlayed) else None, _lying(heard.layout)


def _lying(layout: Mapping[str, Piece]) -> object:
    return tuple((place, piece.tile, piece.owner, piece.facing) for place, piece in sorted(layout.items()))


def _aligned(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[int, int]]:
    """The longest common subsequence, as pairs of places."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            same = one[i] == other[j]
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if same else max(lengths[i + 1][j], lengths[i][j + 1])
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
