"""Why: the tiles and the rule behind every point, and the rule, the facts and the photographs behind every ruling."""

from dataclasses import dataclass

from flask import Blueprint, Response, abort, render_template

from companion.draw import Overlay, is_place
from companion.events import MovePlayed
from companion.framing import Framing, framing, framing_of
from companion.game import AnyGame
from companion.rulebook import Clause
from companion.session import PlayedMove, Standing, fold
from web import view
from web.asked import asked_number, standing_now
from web.books import book
from web.house import house
from web.pages.history import record_of
from web.roles import Role, open_to, viewer

pages = Blueprint("why", __name__)


@dataclass(frozen=True, slots=True)
class Photo:
    """An evidence picture, what it shows of the board in millimetres, and what to ring on it."""

    when: str
    address: str
    shown: Framing | None
    rings: tuple[tuple[float, float], ...]
    radius_mm: float


@pages.get("/why")
@open_to(Role.SPECTATOR)
def score() -> str:
    """Every point, item by item; the one that was tapped lights its tiles."""
    standing, who = standing_now(), viewer()
    items, chosen = standing.score.items, asked_number("item")
    item = items[chosen] if chosen is not None and chosen < len(items) else None
    lit = item.places if item else ()
    return render_template(
        "why.html",
        page="table",
        standing=standing,
        cards=view.cards(standing, who.seat),
        items=[(number, each) for number, each in enumerate(items)],
        chosen=item,
        number=chosen,
        clause_held=_clause(standing, item.rule if item else None),
        board=view.board(standing.game, view.seen_state(standing, who.seat), lit=lit),
    )


@pages.get("/why/move/<int:number>")
@open_to(Role.SPECTATOR)
def ruling(number: int) -> str:
    """One move of the game that is played: the verdict, the clause, the facts, and the table before and after it."""
    standing_now()
    return _ruling(house().table.now.game or 0, number)


@pages.get("/history/<int:game>/move/<int:number>")
@open_to(Role.SPECTATOR)
def past_ruling(game: int, number: int) -> str:
    """The same of any game of the record."""
    return _ruling(game, number)


@pages.get("/evidence/<int:game>/<int:number>.jpg")
@open_to(Role.SPECTATOR)
def evidence(game: int, number: int) -> Response:
    """The photograph taken after a move."""
    picture = house().table.picture(game, number)
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=86400"})


def _ruling(game: int, number: int) -> str:
    record, current = record_of(game), game == house().table.now.game
    if not any(event.number == number and isinstance(event.fact, MovePlayed) for event in record):
        abort(404)
    standing, seat = fold(record), viewer().seat if current else None
    after = fold(event for event in record if event.number <= number)
    before = fold(event for event in record if event.number < number)
    counts = view.move_of(standing, number)
    played = counts or after.moves[-1]
    line = next(line for line in view.lines(standing if counts else after) if line.number == number)
    return render_template(
        "ruling.html",
        page="table" if current else "history",
        game=game,
        current=current,
        standing=standing,
        line=line,
        clause_held=_clause(standing, played.ruling.rule),
        before=_board(before, seat, ()),
        after=_board(after, seat, played.ruling.places),
        photos=_photos(game, standing, played),
        counts=counts is not None,
        last=bool(standing.moves) and standing.moves[-1].number == number,
    )


def _clause(standing: Standing, rule: str | None) -> Clause | None:
    return book(standing.game, viewer().language).rules.clauses.get(rule or "")


def _board(standing: Standing, seat: str | None, lit: tuple[str, ...]) -> str:
    return view.board(standing.game, view.seen_state(standing, seat), lit=lit, overlay=Overlay())


def _photos(game: int, standing: Standing, played: PlayedMove) -> tuple[Photo, ...]:
    """The photographs before and after a move, where there are any, with the ruling's places ringed on the later."""
    earlier = [move.number for move in standing.moves if move.number < played.number]
    wanted = (("before", earlier[-1] if earlier else 1, ()), ("after", played.number, played.ruling.places))
    found = [(when, number, house().table.picture(game, number), lit) for when, number, lit in wanted]
    return tuple(
        Photo(when, f"/evidence/{game}/{number}.jpg", *_rings(standing.game, framing_of(jpeg), lit))
        for when, number, jpeg, lit in found
        if jpeg is not None
    )


def _rings(
    game: AnyGame, shown: Framing | None, lit: tuple[str, ...]
) -> tuple[Framing | None, tuple[tuple[float, float], ...], float]:
    """Where the places lie on a picture: as it says itself, or as pictures of a board are taken."""
    if shown is None and game.board.lattice is not None:
        return None, (), 0.0
    shown = shown or framing(game, {})
    spots = [game.board.spot(place) for place in lit if is_place(game.board, place)]
    return shown, tuple((spot.x_mm, spot.y_mm) for spot in spots), max(game.catalogue.size_mm) * 0.62
