"""Where the companion keeps what must last: the record, its pictures and what was calibrated."""

import os
from pathlib import Path

import click

from companion.cli.configuration import file_path, read_file, settle
from companion.game import Unreadable


def configured_state() -> Path:
    """The folder that the file names, or the system's place for state."""
    told = settle(read_file(file_path()), os.environ, {})
    if told.file.faults:
        raise Unreadable(told.file.says())
    return told.configuration.state


state_option = click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=configured_state,
    show_default="as in companion.toml, or the system's place for state",
    envvar="COMPANION_STATE",
    help="The folder that holds the record.",
)
