"""The page that every phone at the table shows."""

from collections.abc import Iterable
from datetime import timedelta

from flask import Flask
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from companion.config import Settings
from companion.draw import says_place
from companion.eyes import Eyes
from companion.live import Table
from companion.said import called
from web import border, roles, stream
from web.house import House, PrintSheets, house
from web.pages import (
    advice,
    ask,
    assets,
    camera,
    correct,
    facts,
    history,
    join,
    look,
    rules,
    sets,
    setup,
    table,
    tell,
    why,
)
from web.view import by_name
from web.words import is_english, languages, speaker, spoken

__all__ = ["create_app"]

_PAGES = (advice, ask, assets, camera, correct, facts, history, join, look, rules, sets, setup, table, tell, why)


def create_app(
    live: Table,
    settings: Settings,
    *,
    addresses: tuple[str, ...] = ("http://localhost/",),
    names: Iterable[str] = (),
    print_sheets: PrintSheets | None = None,
    advice_seconds: float = 1.0,
    demo: bool = False,
    language: str = "",
    broken_file: str = "",
    eyes: Eyes | None = None,
) -> Flask:
    """The app of one table; ``names`` are the host names it answers to beside addresses and localhost."""
    app = Flask(__name__, static_folder=None)
    app.config.update(
        BUILT=assets.built(),
        SECRET_KEY=settings.now.secret,
        SESSION_COOKIE_NAME=f"companion-{settings.now.secret[:6]}",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
    )
    app.extensions["house"] = House(
        live, settings, addresses, print_sheets, advice_seconds, demo, language, broken_file, eyes
    )
    app.extensions["kept"] = stream.Kept()
    app.extensions["learned"] = {}
    app.extensions["thoughts"] = advice.Thoughts()
    app.extensions["pin_limit"] = border.Limit(tries=5, seconds_each=12.0, together=30)
    border.guard(app, frozenset(names))
    app.context_processor(_common)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.finalize = app.jinja_env.filters["said"] = _said
    app.jinja_env.filters["lang"] = _lang
    app.jinja_env.filters["place"] = says_place
    for page in (*_PAGES, stream):
        app.register_blueprint(page.pages)
    return app


@pass_context
def _said(context: Context, anything: object) -> object:
    """Whatever a template shows of what the companion says is said in the language of who reads."""
    return spoken(anything, context["who"].language)


@pass_context
def _lang(context: Context, said: str) -> Markup:
    """The mark of an element whose words stay English, so that a screen reader pronounces them so."""
    return Markup(' lang="en"' if is_english(said, context["who"].language) else "")


def _common() -> dict[str, object]:
    """What every template may use."""
    who = roles.viewer()
    return {
        "who": who,
        "t": speaker(who.language),
        "called": called,
        "says_place": says_place,
        "by_name": by_name,
        "now": house().table.now,
        "Role": roles.Role,
        "languages": languages(),
        "table_name": house().settings.now.name,
        "broken_file": house().broken_file,
        "has_camera": house().has_camera,
        "reads_photos": house().eyes is not None,
    }
