"""Commands about settings: what holds, where it comes from, and what is wrong with it."""

import json
import sys

import click
from rich.table import Column, Table
from rich.text import Text

from companion.cli import paper
from companion.cli.configuration import KEYS, Settled, file_path, read_file, settle
from companion.cli.configured import configured, written
from companion.doctor.bundle import leave_out


@click.group()
def config() -> None:
    """Look at the settings of companion.toml, the environment and the flags."""


@config.command("show")
@configured(*KEYS)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(told: Settled, as_json: bool) -> None:
    """Show each setting and where it comes from, with the flags of `companion serve` on top."""
    values = told.configuration.model_dump(mode="json")
    # The address of a camera may hold a password, and settings are shown to whoever helps.
    values["source"] = leave_out(values["source"], ())
    if as_json:
        settings = {key: {"value": values[key], "from": told.origins[key]} for key in KEYS}
        faults = [str(fault) for fault in told.file.faults]
        click.echo(json.dumps({"file": str(told.file.path), "faults": faults, "settings": settings}))
    else:
        table = Table("setting", Column("value", overflow="fold"), "from", box=None, pad_edge=False)
        for key in KEYS:
            table.add_row(key, Text(written(values[key])), told.origins[key])
        paper.console.print(table)
    _tell_faults(told)


@config.command("check")
def check() -> None:
    """Check companion.toml; exit status 1 if something in it cannot be meant."""
    file = read_file(file_path())
    _tell_faults(settle(file, {}, {}))
    click.echo(f"{file.path} is sound." if file.path.exists() else f"There is no {file.path}; the defaults hold.")


COMMANDS = (config,)


def _tell_faults(told: Settled) -> None:
    if told.file.faults:
        for fault in told.file.faults:
            click.echo(f"{told.file.path}: {fault}", err=True)
        sys.exit(1)
