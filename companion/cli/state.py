"""What commands ask the file of settings for: where all that must last is kept, how much, and how pictures are read."""

import os
from pathlib import Path

import click

from companion.cli.configuration import PLAYERS, Configuration, file_path, read_file, settle
from companion.game import Unreadable


def configured_state() -> Path:
    """The folder that the file names, or the system's place for state."""
    return _settled().state


def configured_players() -> int | None:
    """How many play, by the file."""
    return _settled().players


def configured_threads() -> int:
    """How many threads the file gives to reading."""
    return _settled().threads


def configured_evidence_mb() -> int:
    """How much disk the file gives to pictures of moves."""
    return _settled().evidence_mb


def _settled() -> Configuration:
    told = settle(read_file(file_path()), os.environ, {})
    if told.file.faults:
        raise Unreadable(told.file.says())
    return told.configuration


state_option = click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    default=configured_state,
    show_default="as in companion.toml, or the system's place for state",
    envvar="COMPANION_STATE",
    help="The folder that holds the record.",
)

players_option = click.option(
    "--players",
    type=click.IntRange(*PLAYERS),
    default=configured_players,
    show_default="as in companion.toml, or the fewest",
    envvar="COMPANION_PLAYERS",
    help="How many play, until a phone says so.",
)

threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=configured_threads,
    show_default="as in companion.toml, or 2",
    envvar="COMPANION_THREADS",
    help="Processor threads for reading a picture.",
)

evidence_option = click.option(
    "--evidence-mb",
    type=click.IntRange(0, 1_000_000),
    default=configured_evidence_mb,
    show_default="as in companion.toml, or 200",
    envvar="COMPANION_EVIDENCE_MB",
    help="Disk for pictures of moves, in megabytes.",
)
