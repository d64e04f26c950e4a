"""What happened: the points by move, every move, any moment again, past games, statistics and the ways out."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, render_template

from companion.draw import Overlay
from companion.events import Event
from companion.game import Unreadable
from companion.record import export_json, moves_csv
from companion.session import Standing, fold
from companion.store import KeptGame
from web import view
from web.asked import asked_number
from web.house import house
from web.roles import Role, in_own_words, open_to, viewer

pages = Blueprint("history", __name__)


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game of the record with how it ended."""

    kept: KeptGame
    title: str
    standing: Standing

    @property
    def winner(self) -> str | None:
        won = self.standing.outcome.winner
        return self.standing.called(won) if won else None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a person played and won."""

    person: str
    games: int
    wins: int
    best: int


@pages.get("/history")
@open_to(Role.SPECTATOR)
def history() -> str:
    number = house().table.now.game
    return _shown(number) if number is not None else render_template("history.html", page="history", game=None)


@pages.get("/history/<int:game>")
@open_to(Role.SPECTATOR)
def past(game: int) -> str:
    return _shown(game)


@pages.get("/games")
@open_to(Role.SPECTATOR)
def games() -> str:
    """All games of the record, and the people who played them."""
    found = _past_games()
    return render_template("games.html", page="history", games=found[::-1], tallies=tallies(found))


@pages.get("/sheet/<int:game>")
@open_to(Role.SPECTATOR)
def sheet(game: int) -> str:
    """A score sheet for printing."""
    standing = fold(record_of(game))
    kept = house().table.store.game(game)
    lines = view.lines(standing)[::-1]
    return render_template("sheet.html", standing=standing, kept=kept, cards=view.cards(standing), lines=lines)


@pages.get("/export/<int:game>.json")
@open_to(Role.SPECTATOR)
def as_json(game: int) -> Response:
    """The whole record; not while hands are secret."""
    standing = fold(record_of(game))
    if view.hides_something(standing) and not standing.outcome.over:
        abort(403)
    return _download(export_json(house().table.store, game), "application/json", f"game-{game}.json")


@pages.get("/export/<int:game>.csv")
@open_to(Role.SPECTATOR)
def as_csv(game: int) -> Response:
    return _download(moves_csv(fold(record_of(game)), in_own_words), "text/csv", f"game-{game}.csv")


@pages.get("/export/<int:game>-pictures.zip")
@open_to(Role.SPECTATOR)
def pictures(game: int) -> Response:
    """Every photograph of a game, named by the move after which it was taken."""
    kept = {event.number: house().table.picture(game, event.number) for event in record_of(game)}
    if not any(kept.values()):
        abort(404)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for number, picture in kept.items():
            if picture is not None:
                archive.writestr(f"game-{game}/{number:05}.jpg", picture)
    headers = {"Content-Disposition": f'attachment; filename="game-{game}-pictures.zip"'}
    return Response(packed.getvalue(), mimetype="application/zip", headers=headers)


def tallies(found: Sequence[PastGame]) -> tuple[Tally, ...]:
    """Statistics of everybody who was named, who won most first; unfinished games count as played."""
    played: dict[str, list[tuple[bool, int]]] = {}
    for game in found:
        for player, person in game.standing.people.items():
            won = game.standing.outcome.winner == player
            played.setdefault(person, []).append((won, game.standing.score.points.get(player, 0)))
    counted = (
        Tally(person, len(games), sum(won for won, _ in games), max(points for _, points in games))
        for person, games in played.items()
    )
    return tuple(sorted(counted, key=lambda tally: (-tally.wins, tally.person)))


def chart(standing: Standing, at: int | None) -> dict[str, Any]:
    """The points after each move as lines for a drawing 100 wide and 40 high."""
    series = {card: [0, *(move.points.get(card.player, 0) for move in standing.moves)] for card in view.cards(standing)}
    low = min((min(points) for points in series.values()), default=0)
    high = max((max(points) for points in series.values()), default=0)
    steps, span = max(1, len(standing.moves)), max(1, high - low)

    def spot(step: int, points: int) -> tuple[float, float]:
        return round(100 * step / steps, 2), round(38 - 36 * (points - low) / span, 2)

    drawn = []
    for card, points in series.items():
        spots = [spot(step, held) for step, held in enumerate(points)]
        drawn.append((card, " ".join(f"{x},{y}" for x, y in spots), spots[-1]))
    here = next((i for i, move in enumerate(standing.moves, 1) if move.number == at), None)
    return {"series": drawn, "low": low, "high": high, "here": None if here is None else spot(here, 0)[0]}


def _shown(game: int) -> str:
    """A game, at its end or at the event that was asked for."""
    record, who = record_of(game), viewer()
    whole = fold(record)
    at = asked_number("at")
    moment = whole if at is None else fold(event for event in record if event.number <= max(1, at))
    seat = who.seat if game == house().table.now.game else None
    board = view.board(whole.game, view.seen_state(moment, seat), overlay=Overlay(last=view.last_places(moment)))
    return render_template(
        "history.html",
        page="history",
        game=game,
        current=game == house().table.now.game,
        standing=whole,
        moment=moment,
        cards=view.cards(moment),
        lines=view.lines(whole)[::-1],
        at=at if at is not None else record[-1].number,
        steps=[1, *(move.number for move in whole.moves)],
        board=board,
        chart=chart(whole, moment.moves[-1].number if moment.moves else None),
        pictures={n for n in (move.number for move in whole.moves) if house().table.picture(game, n) is not None},
        secret=view.hides_something(whole) and not whole.outcome.over,
    )


def record_of(game: int) -> tuple[Event, ...]:
    """The events of the game that is played, or of a past one."""
    now = house().table.now
    if game == now.game:
        return now.record
    try:
        return house().table.store.events(game)
    except (Unreadable, OverflowError):
        abort(404)


def _past_games() -> list[PastGame]:
    found = []
    for kept in house().table.store.games():
        standing = fold(record_of(kept.number))
        found.append(PastGame(kept, standing.game.title, standing))
    return found


def _download(text: str, mimetype: str, name: str) -> Response:
    return Response(text, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{name}"'})
