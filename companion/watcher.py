"""Follows a game by what is seen of its table: fuses the reads of a table at rest, asks what explains them, and tells
the table what came to pass; what nothing explains is asked, and nothing is ever invented."""

import logging
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple
from uuid import uuid4

from companion.asking import questions
from companion.company import Company, company
from companion.draw import says_piece, says_place
from companion.events import Event, Fact, MovePlayed, MoveVoided, TileCorrected
from companion.game import AnyGame, Unreadable, explanations, in_turn_of, is_legal, judge, judge_taken, start
from companion.glimpses import CLEAR, Glimpses, played
from companion.live import Camera, Look, Question, Table
from companion.reconcile import WEIGHTS, Reading, Weights, differences, is_on_the_way, likely_layouts, readings
from companion.said import joined, say
from companion.session import PlayedMove, Standing, fold
from companion.table import Layout, Observation, Odds, Piece, Place

log = logging.getLogger(__name__)

CAMERA = "camera"
"""Who tells what was seen."""
_BACK = 2.5
"""What it costs to believe that a legal move was taken back."""
_GONE_ON = 0.25
"""The last move was rather the beginning of a turn that is complete now than followed by half of another."""
_GLIMPSED = 0.5
_PUT_RIGHT = 2.0
_RETOLD = 1.0
"""What it costs to believe that moves which look alike were taken for each other."""
_RATHER = 0.5
"""So much rather somebody moves out of turn than another with the same tiles."""
_LOSES = 2.0
"""What it costs to believe that somebody made a move that loses the game at once: it rather was another."""
_LIKELIER = 10.0
"""A table has changed only if some place is seen to be so many times likelier otherwise: hands come for nothing too."""
_MOST_RETOLD = 4
_MOST_ALIKE = 60
"""So many moves back, and of each so many that look alike, are thought of again."""
_MOST_PUZZLES = 3
"""Hands that came and went over a table that nothing explains; the next time it is asked about as soon as it rests."""


@dataclass(frozen=True, slots=True)
class Story:
    """What the reads of one rest tell: a reading, and whether moves that were told were others, or none."""

    reading: Reading
    voids: tuple[int, ...] = ()
    """The numbers of moves that count no more."""

    overruled: int = 0
    """How many places are believed to be otherwise than they were clearly seen; a single one may be a slip."""

    remakes: bool = False
    """Whether a legal move that lay there is believed to have been made into quite another, or into a breach."""

    taker: str | None = None
    """Who took a turn that is another's."""

    is_doubted: bool = False
    """Whether the table was glimpsed otherwise: it may be half of a turn after one that was hardly seen."""

    @property
    def is_plain(self) -> bool:
        """Nothing or legal turns, and every place as it was seen."""
        reading = self.reading
        is_legal = reading.kind in ("turn", "turns") and _is_ruled_legal(reading)
        return not self.overruled and (is_legal or reading.kind == "nothing")

    @property
    def is_breach(self) -> bool:
        """Whoever is to move has broken a rule."""
        return self.reading.kind == "turn" and not self.voids and not _is_ruled_legal(self.reading)

    @property
    def is_puzzle(self) -> bool:
        """Something is seen that nothing explains, be it that the companion would rather not believe its eyes."""
        return self.overruled > 1 or self.reading.kind == "unexplained"

    @property
    def is_far_fetched(self) -> bool:
        """A breach after a turn that nobody saw, a move out of turn, one made into another, or taken back beside
        something else that would be a slip: rather somebody fetches the tile that explains it all."""
        taken_back = bool(self.voids) and self.overruled > 0
        after_unseen = self.reading.kind == "turns" and not self.is_plain
        is_early = self.taker is not None and not self.is_plain
        return self.remakes or taken_back or after_unseen or is_early


@dataclass(frozen=True, slots=True)
class Patience:
    """How sure the watcher wants to be before it speaks."""

    reads: int = 2
    """So many reads in a row must tell the same story."""
    most_reads: int = 6
    """When they have not agreed after so many, the players are asked."""
    still_ms: float = 650.0
    """A hand that fetches the next tile of a turn is away for less."""
    reading_ms: float = 450.0
    """Reading begins so much earlier that reads can agree by then."""
    doubt_ms: float = 950.0
    """A breach and a question wait a little longer: people put things right."""
    under_way_ms: float = 2500.0
    """A turn that is not finished by then is ruled on as it lies, and what nothing explains is asked."""
    beginning_ms: float = 900.0

    def wait_ms(self, story: Story) -> float:
        """How long a table must rest before a story is told."""
        if story.is_far_fetched:
            return self.under_way_ms
        return self.still_ms if story.is_plain and not story.is_doubted else self.doubt_ms


class Watcher:
    """One camera's account of one table; the record itself is the table's."""

    def __init__(
        self,
        table: Table,
        game: AnyGame,
        *,
        players: int | None = None,
        keep_picture: Callable[[int, int], None] = lambda game, number: None,
        patience: Patience = Patience(),
        weights: Weights = WEIGHTS,
    ) -> None:
        self.game = game
        self._table, self._keep, self._patience, self._weights = table, keep_picture, patience, weights
        self._players = players
        self._known: dict[Place, Piece | None] = {}
        """What each place was read as when the table was last understood, right or wrong."""
        self._reads: list[Observation] = []
        self._pending = False
        """Whether there are reads that were not yet understood."""
        self._unfinished: Story | None = None
        """What may yet become a turn, if the player goes on."""
        self._odd: dict[Place, Piece | None] = {}
        """What one place was clearly read as and not believed: if it still is after the next hand, it is asked."""
        self._asked: dict[Place, Piece | None] = {}
        """What the places that were last asked about were read as."""
        self._unsure: set[Place] = set()
        """Places that were read otherwise than believed, but not clearly: a clear read of one says something new."""
        self._glimpses = Glimpses()
        self._guessed: set[Place] = set()
        """Where the moves that were last told are said to have changed the table, and nobody saw it so."""
        self._unseen: dict[Place, int] = {}
        """Where something lay and nobody sees whether it still does, with the first event told meanwhile."""
        self._made_of: Layout | None = None
        """The table before the last move was made of another: whoever undoes what was added goes back to it."""
        self._puzzles = 0
        """How many rests on end ended in a puzzle."""
        self._heard = -1
        """The last event when the table was last understood."""

    @property
    def is_told(self) -> bool:
        """Whether a phone has told something since the table was last understood."""
        return self._table.now.number != self._heard

    @property
    def unanswered(self) -> tuple[Question, ...]:
        """What was asked and still lies there, as the table was last understood, and is still not believed."""
        standing = self._table.now.standing
        if standing is None or standing.game is not self.game:
            return ()
        still = {place: piece for place, piece in self._asked.items() if self._known.get(place) == piece}
        seen = {**standing.game.layout(standing.state), **still}
        return questions(standing, Look({place: piece for place, piece in seen.items() if piece is not None}))

    def is_due(self, still_ms: float) -> bool:
        """Whether a table that has been still for so long is worth reading."""
        return still_ms >= self._patience.reading_ms

    def stir(self) -> None:
        """Something moves: what was read before counts no more."""
        standing = self._table.now.standing
        if self._pending and standing is not None:
            # The last of several may show the tip of the hand that comes, and the tile in it.
            seen = fuse(self._reads[:-1] or self._reads)
            self._glimpses.take(standing.game.layout(standing.state), seen, self._weights)
        self._puzzles += self._unfinished is not None and self._unfinished.is_puzzle
        self._reads.clear()
        self._pending, self._unfinished = False, None

    def rests(self, still_ms: float) -> None:
        """Nothing has moved for so long: what looked like a turn under way is ruled on, or asked, as it lies."""
        standing, story = self._table.now.standing, self._unfinished
        if story is not None and standing is not None and still_ms >= self._patience.under_way_ms:
            self._unfinished = None
            if story.reading.kind == "part":
                return
            if story.is_puzzle:
                self._ask(standing)
            else:
                self._settle_on(standing, story)

    def notices_hand(self) -> None:
        """A hand is over the table."""
        self._glimpses.of_hand = True

    def looks_away(self) -> None:
        """For a while there is nothing to see."""
        self._glimpses.away = True

    def glimpses(self, seen: Observation) -> None:
        """Take in a read of a table that is free, if only for a moment: should the next hand come at once, it tells two
        moves apart."""
        self._reads.append(self._counted(seen))
        self._pending = True

    def sees(self, seen: Observation, still_ms: float) -> bool:
        """Take in one read of a table that has been still for so long; whether it is understood, for better or worse.

        Until it is, the same table should be read again.
        """
        seen = self._counted(seen)
        self._reads.append(seen)
        standing = self._table.now.standing
        if standing is None or standing.game is not self.game or self._is_over(standing, seen):
            return self._begin(still_ms)
        self._pending = True
        if still_ms < self._patience.still_ms or not self._is_agreed():
            return False
        story = self._story(standing)
        if story.is_puzzle and self._puzzles >= _MOST_PUZZLES:
            self._ask(standing)
        elif still_ms < self._patience.wait_ms(story):
            return False
        else:
            self._settle_on(standing, story)
        self._pending = False
        return True

    def _counted(self, seen: Observation) -> Observation:
        """What is seen, with each tile as what it stands for on its place."""
        return {place: _counted(odds, partial(self.game.counts_as, place)) for place, odds in seen.items()}

    def _is_agreed(self) -> bool:
        """Whether the last reads show the same table; those that go on to differ are fused all the same."""
        if len(self._reads) >= self._patience.most_reads:
            return True
        last, fused = self._reads[-self._patience.reads :], fuse(self._reads)
        return len(last) == self._patience.reads and all(
            likeliest(odds) == likeliest(fused[place]) for seen in last for place, odds in seen.items()
        )

    def _story(self, standing: Standing) -> Story:
        """The best explanation of what is seen; where that is a puzzle, of what has changed since it was none."""
        seen, layout = {**self._glimpses.places, **fuse(self._reads)}, standing.game.layout(standing.state)
        plain = self._best_story(standing, seen, layout)
        return plain if plain.is_plain else self._best_story(standing, self._as_remembered(seen, layout), layout)

    def _best_story(self, standing: Standing, seen: Observation, layout: Layout) -> Story:
        ranked = self._readings(standing, seen, layout)
        best = _weighed(Story(ranked[0]), seen)
        # Who puts a breach right may seem to make the next move.
        is_breached = bool(standing.moves) and not standing.moves[-1].ruling.legal
        is_simple = best.reading.kind == "nothing" or (best.reading.kind == "turn" and not is_breached)
        if best.is_plain and is_simple and not (self._doubt(standing, best.reading) or _overruled(best.reading, seen)):
            return next(self._gone_on(standing, best.reading), best)
        stories = [*map(Story, ranked), *self._revisions(standing, seen), *self._after_glimpsed(standing, seen)]
        if best.reading.kind != "nothing" or best.is_puzzle:
            stories += [*self._retellings(standing, seen), *self._breaches_of_others(standing, seen)]
        best = max((_weighed(story, seen) for story in stories), key=lambda one: (not one.is_puzzle, one.reading.fit))
        unglimpsed = best.reading.kind == "turns" and self._is_unlike_glimpses(standing, best)
        if best.overruled or best.is_puzzle or (standing.game.turns and (best.is_breach or unglimpsed)):
            best = max([best, *self._out_of_turn(standing, seen)], key=lambda one: one.reading.fit)
        as_it_lies = [one for one in ranked if one.kind == "turn" and one.layout == best.reading.layout]
        self._unfinished = Story(as_it_lies[0]) if as_it_lies and not (best.is_puzzle or best.taker) else best
        return replace(best, is_doubted=best.reading.kind == "turn" and self._is_unlike_glimpses(standing, best))

    def _is_unlike_glimpses(self, standing: Standing, story: Story) -> bool:
        return not story.voids and self._unlike_glimpses(standing.state, story.reading.moves) > 0

    def _readings(self, standing: Standing, seen: Observation, layout: Layout) -> list[Reading]:
        """Explanations of what is seen, less what was glimpsed against them, the best first."""
        if _shows(seen, layout):
            ranked = [Reading("nothing", layout, 0.0)]
        else:
            ranked = readings(standing.game, standing.state, seen, self._weights)
        doubted = [replace(one, fit=one.fit - self._doubt(standing, one)) for one in ranked]
        return sorted(doubted, key=lambda one: -one.fit)

    def _doubt(self, standing: Standing, reading: Reading) -> float:
        """What speaks against a reading beside the table as it lies."""
        loses = bool(reading.moves) and _is_lost_by(standing.game, standing.state, reading.moves)
        return self._unlike_glimpses(standing.state, reading.moves) + (_LOSES if loses else 0.0)

    def _unlike_glimpses(self, state: Any, moves: Sequence[Any]) -> float:
        """What glimpses speak against some moves from a state."""
        return self._glimpses.doubt(self.game, state, moves, self._weights)

    def _after_glimpsed(self, standing: Standing, seen: Observation) -> Iterator[Story]:
        """Moves that were glimpsed, and one after them."""
        game, state = standing.game, standing.state
        for line in self._glimpses.lines(game, state, self._weights):
            then = readings(game, played(game, state, line), seen, self._weights)[0]
            if then.kind == "turn":
                moves = (*line, *then.moves)
                fit = then.fit - _GLIMPSED - self._unlike_glimpses(state, moves)
                yield Story(Reading("turns", then.layout, fit, moves, then.ruling))

    def _revisions(self, standing: Standing, seen: Observation) -> list[Story]:
        """Stories in which the last moves do not count: they were taken back, or another was made of the last."""
        last = standing.moves[-1] if standing.moves else None
        if last is None or self._told_by(last.number) != CAMERA:
            return []
        record = self._table.now.record
        before = fold((*record, Event(len(record) + 1, MoveVoided(last.number))))
        was = before.game.layout(before.state)
        now = _as_on(self._guessed, was, standing.game.layout(standing.state))
        one = self._instead(before, now, seen)
        goes_on = one.kind == "nothing" or is_on_the_way(was, now, one.layout)
        is_fair = one.kind == "nothing" or (one.kind in ("turn", "turns") and _is_ruled_legal(one))
        to_a_breach = one.kind == "turn" and not is_fair and goes_on
        stories = list(self._taken_back_at_once(standing, seen))
        if is_fair or to_a_breach:
            goes_back = one.layout == self._made_of
            cost = _BACK if goes_back else self._cost_of_revising(last, one, goes_on)
            revised = replace(one, fit=one.fit - cost)
            remakes = last.ruling.legal and (to_a_breach or not (goes_on or goes_back))
            stories.append(Story(revised, (last.number,), remakes=remakes))
        return stories

    def _instead(self, before: Standing, lay: Layout, seen: Observation) -> Reading:
        """What best explains all that was done since a move that does not count; two moves in its place have a place
        for the table that lay there."""
        game, state, lain = before.game, before.state, Glimpses([lay])
        ranked = [
            replace(one, fit=one.fit - lain.doubt(game, state, one.moves, self._weights))
            if one.kind == "turns"
            else one
            for one in readings(game, state, seen, self._weights)
        ]
        return max(ranked, key=lambda one: one.fit)

    def _taken_back_at_once(self, standing: Standing, seen: Observation) -> Iterator[Story]:
        """What was told as several moves a hand may take back in one go, such as a breach that was laid in two."""
        for voids, state, told, _ in self._tables_since(standing):
            was = standing.game.layout(state)
            changed = differences(was, standing.game.layout(standing.state))
            is_seen = seen.keys() >= set(changed) and _shows(seen, was)
            if len(voids) > 1 and is_seen and not any(left.said for left in told):
                nothing = Reading("nothing", was, 0.0)
                cost = sum(self._cost_of_revising(move, nothing, True) for move in standing.moves[-len(voids) :])
                yield Story(replace(nothing, fit=-cost), voids)

    def _gone_on(self, standing: Standing, reading: Reading) -> Iterator[Story]:
        """Tiles that a player takes away after a turn, be it onto a pile, were rather forgotten in it, where one turn
        explains both."""
        game, last = standing.game, standing.moves[-1] if standing.moves else None
        if last is None or last.player != game.to_move(standing.state) or self._told_by(last.number) != CAMERA:
            return
        state = fold(_record_before(self._table.now.record, last.number)).state
        now, then = game.layout(standing.state), reading.layout
        piles = game.board.places if game.board.lattice is not None else ()
        changed = [place for place in differences(now, then) if place not in piles]
        if changed and not then.keys() & changed and is_on_the_way(game.layout(state), now, then):
            for line in islice(_legal_lines(game, state, [_Left(reading.layout)]), 1):
                ruling = judge(game, state, line[0])
                yield Story(Reading("turn", reading.layout, reading.fit, line, ruling), (last.number,))

    def _retellings(self, standing: Standing, seen: Observation) -> Iterator[Story]:
        """Stories in which the last moves were others that left the same tables: what followed tells them apart."""
        game, before = standing.game, standing.game.layout(standing.state)
        layout, fit = next(likely_layouts(before, seen, self._weights.misread))
        glimpsed = self._glimpses.lines(game, standing.state, self._weights)
        followed = [[*_tables(game, standing.state, line), _Left(layout)] for line in ((), *glimpsed)]
        for voids, state, told, cost in self._tables_since(standing):
            rows = [[*told, *tables] for tables in followed]
            if now_seen := self._as_now_seen(voids, told, layout):
                rows.append(now_seen if now_seen[-1].table == layout else [*now_seen, _Left(layout)])
            alike = chain.from_iterable(_legal_lines(game, state, tables) for tables in rows)
            lines = (line for line in islice(alike, _MOST_ALIKE) if not _is_lost_by(game, state, line))
            for line in islice(lines, 1):
                ruling = judge(game, played(game, state, line[:-1]), line[-1])
                cost += self._unlike_glimpses(played(game, state, line[: len(told)]), line[len(told) :])
                yield Story(Reading("turns", layout, fit - cost, line, ruling), voids)
                return

    def _breaches_of_others(self, standing: Standing, seen: Observation) -> Iterator[Story]:
        """A breach of somebody who would be to move, had the last moves been others that left the same tables."""
        game, mover = standing.game, standing.game.to_move(standing.state)
        layout, fit = next(likely_layouts(game.layout(standing.state), seen, self._weights.misread))
        for voids, state, told, cost in self._tables_since(standing):
            for line in _legal_lines(game, state, told):
                then = played(game, state, line)
                breaches = explanations(game, then, layout) if game.to_move(then) != mover else ()
                for breach in islice(breaches, 1):
                    cost += self._weights.illegal + self._unlike_glimpses(then, (breach,))
                    reading = Reading("turns", layout, fit - cost, (*line, breach), judge(game, then, breach))
                    yield Story(reading, voids)
                    return

    def _out_of_turn(self, standing: Standing, seen: Observation) -> Iterator[Story]:
        """A move of somebody whose turn it is not, rather than a breach with that player's tiles; where turns pass
        unseen, one may have passed, and that is asked."""
        game, state = standing.game, standing.state
        if not seen.keys() >= game.board.places.keys():
            # The turn that is missing may lie where nobody can see it.
            return
        layout, fit = next(likely_layouts(game.layout(state), seen, self._weights.misread))
        for turn, move in _early(game, state, layout):
            kind, ruling = "turn" if game.turns else "unexplained", judge_taken(game, state, turn, move)
            handicap = 0.0 if ruling.legal else self._weights.illegal - _RATHER
            yield Story(Reading(kind, layout, fit - handicap, (move,), ruling), taker=game.to_move(turn))

    def _tables_since(self, standing: Standing) -> Iterator[tuple[tuple[int, ...], Any, Sequence["_Left"], float]]:
        """The last moves, ever more of them: their numbers, the state before them, the tables that they left, and what
        it costs to believe that they were others; where the second undid the first, also without these two."""
        game, voids = standing.game, tuple[int, ...]()
        for last in reversed(standing.moves[-_MOST_RETOLD:]):
            voids = (last.number, *voids)
            if self._told_by(last.number) != CAMERA:
                continue
            state = fold(_record_before(self._table.now.record, last.number)).state
            told = list(self._tables_told(game, state, standing.moves[-len(voids) :]))
            yield voids, state, told, _RETOLD
            # Whoever lifts a tile and puts it back leaves these tables too.
            if len(told) > 1 and told[1] == _Left(game.layout(state)):
                yield voids, state, told[2:], _RETOLD + 2 * _BACK

    def _as_now_seen(self, voids: Sequence[int], told: Sequence["_Left"], now: Layout) -> list["_Left"]:
        """The tables that were told, but as it is now on places that nobody saw then; none where nothing changes."""
        numbers = voids[len(voids) - len(told) :]
        hidden = [{place for place, since in self._unseen.items() if since <= number} for number in numbers]
        tables = [
            left._replace(table=_as_on(places, now, left.table)) for places, left in zip(hidden, told, strict=True)
        ]
        return tables if tables != told else []

    def _tables_told(self, game: AnyGame, state: Any, moves: Sequence[PlayedMove]) -> Iterator["_Left"]:
        """What each of the moves that were told left; what a phone told stays as it was told."""
        for told in moves:
            turn = in_turn_of(game, state, told.player)
            state = state if turn is None else game.play(turn, game.read_move(told.move, turn))
            yield _Left(game.layout(state), None if self._told_by(told.number) == CAMERA else told.move)

    def _cost_of_revising(self, last: PlayedMove, one: Reading, goes_on: bool) -> float:
        """A breach is put right, or gone on with, more often than it is played on; a legal move is taken back, or gone
        on with, now and then to a breach, but seldom made into another: a tile that is turned where it lies is rather
        misread, or turned by somebody else, who is to put it right."""
        if one.kind == "turn" and goes_on and _is_ruled_legal(one) == last.ruling.legal:
            return -_GONE_ON
        if not last.ruling.legal:
            return -_PUT_RIGHT
        return _BACK if goes_on else self._weights.misread + _BACK

    def _told_by(self, number: int) -> str:
        fact = self._table.now.record[number - 1].fact
        return fact.told_by if isinstance(fact, MovePlayed) else ""

    def _as_remembered(self, seen: Observation, layout: Layout) -> Observation:
        """Where a place is read as it was when the table was understood nothing has changed, whatever that is."""
        return {
            place: {layout.get(place): 1.0} if self._is_as_it_was(place, odds, layout) else odds
            for place, odds in seen.items()
        }

    def _is_as_it_was(self, place: Place, odds: Odds, layout: Layout) -> bool:
        is_news = place in self._unsure and _speaks_against(odds, layout.get(place))
        return self._known.get(place, _UNREAD) == likeliest(odds) and not is_news

    def _settle_on(self, standing: Standing, story: Story) -> None:
        reading = story.reading
        self._heard = self._table.now.number
        if reading.kind == "part" or story.is_puzzle:
            mover = standing.called(standing.game.to_move(standing.state) or "")
            says = say("{mover}'s turn is under way", mover=mover)
            if reading.kind == "part":
                says = _owed(says, standing.game, standing.state, reading)
            self._table.show_camera(Camera.WATCHING, say("{says}.", says=says) if mover else "")
            return
        first = self._heard + 1
        # The last first: without the one before it, it may be no move at all.
        for number in reversed(story.voids):
            self._table.tell(MoveVoided(number))
        self._play(standing.game, story)
        seen = fuse(self._reads)
        remembered = self._as_remembered(seen, reading.layout)
        odd = _overruled(reading, remembered)
        unsure = {place for place, odds in remembered.items() if likeliest(odds) != reading.layout.get(place)}
        if odd.items() & self._odd.items() and self._table.now.standing is not None:
            self._ask(self._table.now.standing)
            return
        changed = differences(standing.game.layout(standing.state), reading.layout)
        if reading.kind != "nothing":
            looked_at = seen.keys() | self._glimpses.places.keys()
            self._guessed = {place for place in changed if place in odd or place not in looked_at}
            hidden = standing.game.layout(standing.state).keys() - looked_at
            self._unseen = {place: self._unseen.get(place, first) for place in hidden}
            self._made_of = standing.game.layout(standing.state) if story.voids else None
        # What was read of a place before is no news of it now, if it has changed since, seen or unseen.
        for place in (*odd, *changed):
            self._known.pop(place, None)
        self._understood({place: odds for place, odds in seen.items() if place not in odd}, reading.kind == "nothing")
        self._odd, self._unsure = odd, unsure - odd.keys()
        self._table.show_camera(Camera.WATCHING, self._remark())

    def _play(self, game: AnyGame, story: Story) -> None:
        anew = [self._table.now.record[number - 1].fact for number in story.voids]
        tellers = {fact.move: fact.told_by for fact in anew if isinstance(fact, MovePlayed)}
        for move in () if story.reading.kind == "nothing" else story.reading.moves:
            standing = self._table.now.standing
            assert standing is not None
            state = in_turn_of(game, standing.state, story.taker) or standing.state
            word = game.write_move(move, state)
            teller = tellers.get(word, CAMERA)
            event = self._tell(MovePlayed(game.to_move(state), word, teller, story.taker is not None))
            if event is not None and self._table.now.game is not None:
                self._keep(self._table.now.game, event.number)

    def _tell(self, fact: Fact) -> Event | None:
        try:
            return self._table.tell(fact)
        except Unreadable as refused:
            # A phone was quicker, and the fact no longer goes with what lies there; the next read will tell.
            log.warning("what was seen is not taken down: %s", refused)
            return None

    def _understood(self, seen: Observation, in_vain: bool = False) -> None:
        self._odd, self._unsure, self._puzzles = {}, set(), 0
        self._known.update((place, likeliest(odds)) for place, odds in seen.items())
        self._unseen = {place: since for place, since in self._unseen.items() if place not in seen}
        self._unfinished = None
        self._glimpses.clear(in_vain)
        self._heard = self._table.now.number

    def _remark(self) -> str:
        """What is wrong with the last move, while it stands."""
        standing = self._table.now.standing
        last = standing.moves[-1] if standing and standing.moves else None
        if last is None or last.ruling.legal:
            return ""
        return say("{move} breaks {rule}: {why}.", move=last.move, rule=last.ruling.rule, why=last.ruling.says)

    def _ask(self, standing: Standing) -> None:
        """Ask about what is seen, once: it is remembered as it lies."""
        game, state = standing.game, standing.state
        seen = as_layout({**{place: {piece: 1.0} for place, piece in game.layout(state).items()}, **fuse(self._reads)})
        asked = game.questions(state, seen) or (self._question(standing, seen),)
        self._understood(fuse(self._reads))
        self._asked = {place: seen.get(place) for place in differences(game.layout(state), seen)}
        self._table.show_camera(Camera.NEEDS_YOU, joined(asked, "{some} {more}"), questions(standing, Look(seen)))

    def _question(self, standing: Standing, seen: Layout) -> str:
        game, state = standing.game, standing.state
        for turn, move in islice(_early(game, state, seen), 1):
            return say(
                "It is {mover}'s turn, and this looks like {move} of {player}. What did {mover} do?",
                mover=standing.called(game.to_move(state) or ""),
                move=game.write_move(move, turn),
                player=standing.called(game.to_move(turn) or ""),
            )
        return say("{difference}. What happened?", difference=_difference(game, state, seen))

    def _is_over(self, standing: Standing, seen: Observation) -> bool:
        """Whether the game is over and its table was cleared: what is seen is neither how it ended, nor what lay there
        before somebody ended it against the rules."""
        if not standing.outcome.over or not differences(standing.game.layout(standing.state), as_layout(seen)):
            return False
        return standing.moves[-1].ruling.legal or not self._revisions(standing, seen)

    def _begin(self, still_ms: float) -> bool:
        """Begin a game when the table looks like the beginning of one, or as if only its first move was made."""
        if still_ms < self._patience.beginning_ms or not self._is_agreed():
            return False
        seen, company = fuse(self._reads), self._company()
        state = self.game.seen_by(start(self.game, company.seats, company.options), None)
        if as_layout(seen).keys() == self.game.layout(state).keys():
            self._set_up()
            self._lay_out(as_layout(seen))
            self._understood(seen)
            self._table.show_camera(Camera.WATCHING)
            return True
        first = self._first_move(state, seen)
        if first is None:
            self._table.show_camera(Camera.NEEDS_YOU, self._no_beginning())
            return True
        # Somebody may still clear away what an earlier game left.
        if still_ms < self._patience.under_way_ms:
            return False
        self._settle_on(self._set_up(), Story(first))
        return True

    def _company(self) -> Company:
        return company(self.game, self._table.now.standing, usual=self._players)

    def _set_up(self) -> Standing:
        who = self._company()
        self._table.begin(self.game.name, who.seats, who.options, who.people, f"camera-{uuid4().hex}")
        self._known.clear()
        standing = self._table.now.standing
        assert standing is not None
        return standing

    def _first_move(self, state: Any, seen: Observation) -> Reading | None:
        """The move that was made before anybody looked, where the table was empty before it and no game went before."""
        if self._table.now.standing is not None or self.game.layout(state):
            return None
        best = readings(self.game, state, seen, self._weights)[0]
        return best if best.kind == "turn" and _is_ruled_legal(best) else None

    def _lay_out(self, first: Layout) -> None:
        """The tiles that a beginning turns up are those that lie there, not those that a program would have drawn."""
        standing = self._table.now.standing
        assert standing is not None
        drawn = standing.game.layout(standing.state)
        for place in differences(drawn, first):
            self._tell(TileCorrected(place, first.get(place)))

    def _no_beginning(self) -> str:
        return say(
            "This does not look like the beginning of {game}: lay the table out for it, "
            "or begin the game on a phone and correct what lies there.",
            game=self.game.title,
        )


def _counted(odds: Odds, counts_as: Callable[[Piece], Piece]) -> Odds:
    """The odds of what pieces stand for; those that stand for the same are one."""
    counted: dict[Piece | None, float] = {}
    for piece, share in odds.items():
        stands_for = counts_as(piece) if piece is not None else None
        counted[stands_for] = counted.get(stands_for, 0.0) + share
    return counted


_UNREAD: Any = object()
"""What no place was ever read as."""


def _is_ruled_legal(reading: Reading) -> bool:
    return reading.ruling is not None and reading.ruling.legal


def _record_before(record: Sequence[Event], number: int) -> list[Event]:
    """What had happened before a move, as it counts now."""
    return [
        event
        for event in record
        if event.number < number or (isinstance(event.fact, MoveVoided) and event.fact.move_number < number)
    ]


class _Left(NamedTuple):
    """The table that a move left, and which one that was where a person has said so."""

    table: Layout
    said: str | None = None


def _tables(game: AnyGame, state: Any, moves: Sequence[Any]) -> Iterator[_Left]:
    """What each of some moves leaves."""
    for move in moves:
        state = game.play(state, move)
        yield _Left(game.layout(state))


def _legal_lines(game: AnyGame, state: Any, tables: Sequence[_Left]) -> Iterator[tuple[Any, ...]]:
    """Legal moves, one after the other, that leave these tables; of those that lead to one state the first."""
    if not tables:
        yield ()
        return
    tried: list[Any] = []
    for move in islice(_in_hindsight(game, state, tables), _MOST_ALIKE):
        then = game.play(state, move)
        if then not in tried and is_legal(game, state, move):
            tried.append(then)
            yield from ((move, *rest) for rest in _legal_lines(game, then, tables[1:]))


def _in_hindsight(game: AnyGame, state: Any, tables: Sequence[_Left]) -> Iterator[Any]:
    """The moves that leave the first of some tables, each also with what the last of them has brought to light."""
    if (said := tables[0].said) is not None:
        with suppress(Unreadable):
            yield game.read_move(said, state)
        return
    for move in explanations(game, state, tables[0].table):
        yield move
        yield from game.hindsight(state, move, tables[-1].table)


def _early(game: AnyGame, state: Any, table: Layout) -> Iterator[tuple[Any, Any]]:
    """For each player whose turn it is not, the state if it were and a move that would be legal then and leave such a
    table."""
    for player in game.players(state) if game.to_move(state) is not None else ():
        turn = in_turn_of(game, state, player)
        if turn is not None and turn is not state:
            alike = islice(explanations(game, turn, table), _MOST_ALIKE)
            yield from islice(((turn, move) for move in alike if is_legal(game, turn, move)), 1)


def _is_lost_by(game: AnyGame, state: Any, moves: Sequence[Any]) -> bool:
    """Whether the last of some moves loses the game for who makes it."""
    before = played(game, state, moves[:-1])
    outcome = game.outcome(game.play(before, moves[-1]))
    return outcome.over and outcome.winner not in (None, game.to_move(before))


def _as_on(places: Collection[Place], was: Layout, now: Layout) -> Layout:
    """A table, but on some places as it was."""
    kept = {place: piece for place, piece in now.items() if place not in places}
    return kept | {place: piece for place, piece in was.items() if place in places}


def _shows(seen: Observation, layout: Layout) -> bool:
    """Whether nothing that is seen is much likelier to be otherwise than a layout has it."""
    return not any(_speaks_against(odds, layout.get(place), _LIKELIER) for place, odds in seen.items())


def _weighed(story: Story, seen: Observation) -> Story:
    """The story, and how much of what was clearly seen it overrules."""
    return replace(story, overruled=len(_overruled(story.reading, seen)))


def _overruled(reading: Reading, seen: Observation) -> dict[Place, Piece | None]:
    """The places that are believed to be otherwise than they were clearly seen, and as what."""
    layout = reading.layout
    return {place: likeliest(odds) for place, odds in seen.items() if _speaks_against(odds, layout.get(place))}


def _speaks_against(odds: Odds, piece: Piece | None, so_much: float = CLEAR) -> bool:
    """Whether a place is clearly seen to be otherwise."""
    return max(odds.values(), default=1.0) > so_much * max(odds.get(piece, 0.0), 1e-9)


def fuse(reads: Sequence[Observation]) -> Observation:
    """What several reads of one rest say together, place by place: the mean of their log-odds, and a little more."""
    if len(reads) == 1:
        return reads[0]
    places = {place: None for seen in reads for place in seen}
    return {place: _fused([seen[place] for seen in reads if place in seen]) for place in places}


def likeliest(odds: Odds) -> Piece | None:
    return max(odds, key=lambda piece: odds[piece], default=None)


def as_layout(seen: Observation) -> dict[Place, Piece]:
    """What most likely lies on each place that was seen."""
    found = {place: likeliest(odds) for place, odds in seen.items()}
    return {place: piece for place, piece in found.items() if piece is not None}


_LEAST = 1e-3
"""A piece that a read does not name is still as likely as this: no single read decides alone."""


_TOGETHER = 1.5
"""Several reads of one rest share its light and its glare: they say no more than so many that share nothing."""


def _fused(several: Sequence[Odds]) -> Odds:
    pieces = {piece: None for odds in several for piece in odds}
    share = min(len(several), _TOGETHER) / len(several)
    logs = {piece: share * sum(math.log(max(odds.get(piece, 0.0), _LEAST)) for odds in several) for piece in pieces}
    top = max(logs.values(), default=0.0)
    weights = {piece: math.exp(log - top) for piece, log in logs.items()}
    return {piece: weight / sum(weights.values()) for piece, weight in weights.items()}


def _owed(says: str, game: AnyGame, state: Any, reading: Reading) -> str:
    """A sentence about a turn with what is still to be done in it."""
    goal, move = game.play(state, reading.moves[0]), game.write_move(reading.moves[0], state)
    left = _difference(game, goal, reading.layout)
    return say("{says}; for {move} there is left: {left}", says=says, move=move, left=left) if left else says


def _difference(game: AnyGame, state: Any, seen: Mapping[Place, Piece]) -> str:
    believed = game.layout(state)
    return joined(
        (
            say(
                "{place} shows {now} instead of {was}",
                place=says_place(place),
                now=_named(game, seen.get(place)),
                was=_named(game, believed.get(place)),
            )
            for place in differences(believed, seen)
        ),
        "{some}; {more}",
    )


def _named(game: AnyGame, piece: Piece | None) -> str:
    return says_piece(game, piece) if piece else say("nothing")
