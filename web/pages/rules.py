"""The rule book with search, and the house rules of this game."""

from flask import Blueprint, render_template

from companion.game import AnyGame
from companion.registry import game_named, games
from companion.rulebook import Clause
from web import view
from web.asked import asked_word
from web.house import house
from web.roles import Role, open_to

pages = Blueprint("rules", __name__)


@pages.get("/rules")
@open_to(Role.SPECTATOR)
def rules() -> str:
    standing = house().table.now.standing
    wished = asked_word("game")
    game = game_named(wished) if wished else standing.game if standing else next(iter(games().values()))
    words = asked_word("words").strip()
    found = game.rulebook.search(words) if words else tuple(game.rulebook)
    return render_template(
        "rules.html",
        page="more",
        game=game,
        games=games(),
        words=words,
        chapters=_by_chapter(game, found),
        found=len(found),
        options=_house_rules(game) if standing and standing.game is game else (),
    )


def _by_chapter(game: AnyGame, clauses: tuple[Clause, ...]) -> list[tuple[str, list[Clause]]]:
    chapters: dict[str, list[Clause]] = {}
    for clause in clauses:
        chapters.setdefault(game.rulebook.chapters.get(clause.number.split(".")[0], ""), []).append(clause)
    return list(chapters.items())


def _house_rules(game: AnyGame) -> tuple[tuple[str, str, tuple[str, ...], str, str], ...]:
    standing = house().table.now.standing
    assert standing is not None
    return view.settled(game.write_position(standing.state).get("options", {}), game)
