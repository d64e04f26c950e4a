"""The rule book with search, and the house rules of this game."""

from flask import Blueprint, render_template

from companion.registry import game_named, games
from companion.rulebook import Clause, Rulebook
from companion.session import Standing
from web import view
from web.asked import asked_word
from web.books import book
from web.house import house
from web.roles import Role, open_to, viewer

pages = Blueprint("rules", __name__)


@pages.get("/rules")
@open_to(Role.SPECTATOR)
def rules() -> str:
    standing = house().table.now.standing
    wished = asked_word("game")
    game = game_named(wished) if wished else standing.game if standing else next(iter(games().values()))
    words = asked_word("words").strip()
    own = book(game, viewer().language).rules
    found = own.search(words) if words else tuple(own)
    return render_template(
        "rules.html",
        page="more",
        game=game,
        games=games(),
        words=words,
        chapters=_by_chapter(own, found),
        found=len(found),
        options=_house_rules(standing) if standing and standing.game is game else (),
    )


def _by_chapter(own: Rulebook, clauses: tuple[Clause, ...]) -> list[tuple[str, list[Clause]]]:
    chapters: dict[str, list[Clause]] = {}
    for clause in clauses:
        chapters.setdefault(own.chapters.get(clause.number.split(".")[0], ""), []).append(clause)
    return list(chapters.items())


def _house_rules(standing: Standing) -> tuple[view.HouseRule, ...]:
    chosen = standing.game.write_position(standing.state).get("options", {})
    return view.house_rules(standing.game, viewer().language, chosen)
