"""Where the companion keeps what must last: the record, its pictures and what was calibrated."""

from pathlib import Path

import click
from platformdirs import user_state_path


def default_state() -> Path:
    """The folder that the system gives to a program's state."""
    return user_state_path("tile-table-companion", appauthor=False)


state_option = click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=default_state,
    show_default="the system's place for state",
    envvar="COMPANION_STATE",
    help="The folder that holds the record.",
)
