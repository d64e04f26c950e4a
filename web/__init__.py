"""The page that every phone at the table shows."""

from collections.abc import Iterable
from datetime import timedelta

from flask import Flask

from companion.config import Settings
from companion.eyes import Eyes
from companion.live import Table
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
from web.words import languages, speaker

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
    for page in (*_PAGES, stream):
        app.register_blueprint(page.pages)
    return app


def _common() -> dict[str, object]:
    """What every template may use."""
    who = roles.viewer()
    return {
        "who": who,
        "t": speaker(who.language),
        "now": house().table.now,
        "Role": roles.Role,
        "languages": languages(),
        "table_name": house().settings.now.name,
        "broken_file": house().broken_file,
        "has_camera": house().eyes is not None,
    }
