"""Setting up: which game, who plays, which house rules, the table's name, its PIN and its seats."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

from flask import Blueprint, Response, abort, jsonify, render_template
from pydantic import Field, StringConstraints

from companion.border import Shape
from companion.company import company
from companion.config import new_pin
from companion.eyes import CannotSee
from companion.game import AnyGame
from companion.registry import game_named, games
from web import view
from web.asked import asked_number, asked_word
from web.border import Change, read_body
from web.house import house
from web.pages.join import Person
from web.roles import Role, in_own_words, open_to, viewer

pages = Blueprint("setup", __name__)

Word = Annotated[str, StringConstraints(max_length=40)]


class _Begin(Change):
    game: Word
    players: list[Word] = Field(min_length=1, max_length=8)
    people: dict[Word, Person] = Field(default_factory=dict, max_length=8)
    options: dict[Word, Word] = Field(default_factory=dict, max_length=40)
    first: Word | None = None
    dealt: bool = False


class _TableName(Shape):
    name: Person


@pages.get("/setup")
@open_to(Role.OWNER)
def setup() -> str:
    """The games to choose from; once one is chosen, its seats and house rules."""
    name, seen = asked_word("game"), _on_the_mat()
    game = game_named(name) if name else seen
    who = company(game, house().table.now.standing, said=asked_number("players")) if game else None
    return render_template(
        "setup.html",
        page="more",
        games=games(),
        game=game,
        on_the_mat=seen,
        seats=[(seat, view.ink_of(seat, order), who.people.get(seat, "")) for order, seat in enumerate(who.seats)]
        if who
        else [],
        options=view.house_rules(game, viewer().language, who.options) if game and who else (),
        config_now=house().settings.now,
        can_print=house().print_sheets is not None,
        demo=house().demo,
        spans=_spans,
    )


@pages.post("/api/begin")
@open_to(Role.OWNER)
def begin() -> Response:
    wanted = read_body(_Begin)
    event = house().table.begin(
        wanted.game,
        wanted.players,
        wanted.options,
        wanted.people,
        wanted.request,
        first=wanted.first,
        dealt=wanted.dealt,
    )
    return jsonify(number=event.number)


@pages.post("/api/table")
@open_to(Role.OWNER)
def name_table() -> Response:
    wanted = read_body(_TableName)
    house().settings.change(lambda config: replace(config, name=wanted.name))
    return jsonify(name=wanted.name)


@pages.post("/api/new-pin")
@open_to(Role.OWNER)
def change_pin() -> Response:
    """Another PIN for who joins from now on; who has a seat keeps it."""
    read_body(Shape)
    house().settings.change(lambda config: replace(config, pin=new_pin()))
    return jsonify(changed=True)


@pages.get("/print/<game>-<any(tiles, board, corners):bundle>-<any(a4, letter):paper>.pdf")
@open_to(Role.OWNER)
def sheets(game: str, bundle: str, paper: str) -> Response:
    """The tiles, the board or the corner cards of a game, to be printed."""
    make = house().print_sheets
    if make is None or game not in games():
        abort(404)
    name = f'attachment; filename="{game}-{bundle}-{paper}.pdf"'
    headers = {"Content-Disposition": name}
    return Response(make(game, bundle, paper, in_own_words), mimetype="application/pdf", headers=headers)


def _spans(numbers: Iterable[int]) -> str:
    """How many may play, such as 2 or 2–5; no game of ours has a gap."""
    fewest, most = min(numbers := tuple(numbers)), max(numbers)
    return str(most) if fewest == most else f"{fewest}–{most}"


def _on_the_mat() -> AnyGame | None:
    """The game whose mat the camera sees."""
    eyes = house().eyes
    try:
        return games().get(eyes.view().game or "") if eyes else None
    except CannotSee:
        return None
