"""What is kept: whether the record is sound and the table's own settings can be read; nothing is changed by looking."""

import sqlite3
from pathlib import Path

from companion import config, store
from companion.database import connect_leaving_no_trace, damage
from companion.doctor.finding import Finding, broken, good, look
from companion.game import Unreadable


def record(folder: Path) -> Finding:
    """Whether every page and every event of the record is what was written."""
    path = folder.resolve() / store.FILE
    try:
        wrong = damage(path, connect_leaving_no_trace)
    except (sqlite3.Error, OSError) as error:
        return broken("record", f"{path} cannot be read: {error}", "run this as the user that runs the companion")
    except Unreadable as newer:
        return broken("record", newer.says, "install that newer companion again")
    if wrong:
        do = "copy the folder away; the next start keeps the damaged file aside and begins a new one"
        return broken("record", f"{path} is damaged: {wrong}", do)
    if aside := sorted(folder.glob(f"{path.stem}-damaged-*{path.suffix}")):
        do = "`companion record import` takes whole games out of it; delete it when it is not missed"
        return look("record", f"sound, but a damaged one was kept aside: {aside[-1].name}", do)
    return good("record", f"{path} is sound" if path.exists() else f"nothing is recorded in {folder} yet")


def table(folder: Path) -> Finding:
    """Whether PIN, seats and keys of the table can be read."""
    try:
        kept = config.kept_in(folder)
    except (Unreadable, OSError) as error:
        return broken("table", str(error), f"take {folder / config.FILE} away: PIN and owner link are made anew")
    return good("table", "PIN, seats and keys can be read" if kept else "not set up yet; the first start does it")
