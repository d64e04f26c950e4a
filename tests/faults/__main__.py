"""`python -m tests.faults kills|program|cuts|full|measure`: whole counts as JSON; status 1 if something was lost."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

import click

from . import cuts, disk, kills, measure, program


@click.group()
def main():
    """Do faults to the record."""


@main.command("kills")
@click.option("--times", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
def do_kills(times, seed):
    """Kill a playing process with -9 so many times."""
    folder = Path(tempfile.mkdtemp())
    tally = kills.kill_many(folder, times, seed)
    shutil.rmtree(folder)
    answered = len(tally.acknowledged) - tally.unanswered
    told = {"kills": tally.kills, "acknowledged": answered, "committed_but_unanswered": tally.unanswered}
    _tell({**told, "lost": len(tally.lost), "said": tally.said}, not tally.lost and not tally.said)


@main.command("program")
@click.option("--times", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
def do_program(times, seed):
    """Kill the whole program with -9 so many times while it watches a simulated table; 40 minutes for 200."""
    folder = Path(tempfile.mkdtemp())
    told = program.kill_program(folder, times, seed)
    shutil.rmtree(folder)
    _tell(told, told["moves"] and not (told["lost"] or told["games_astray"] or told["cameras_left_behind"]))


@main.command("cuts")
@click.option("--times", default=1000, show_default=True)
@click.option("--synchronous", default="FULL", show_default=True, type=click.Choice(["FULL", "NORMAL", "OFF"]))
@click.option("--seed", default=1, show_default=True)
def do_cuts(times, synchronous, seed):
    """Cut the power so many times. With another --synchronous than FULL this must fail."""
    tally = cuts.cut_many(times, synchronous, seed)
    told = {"cuts": tally.cuts, "synchronous": synchronous, "acknowledged": tally.events}
    held = not tally.lost_something and not tally.damaged
    _tell({**told, "cuts_that_lost_events": tally.lost_something, "damaged": tally.damaged}, held)


@main.command("full")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--by-limit", is_flag=True, help="Limit the size of files instead of filling the disk of FOLDER.")
def do_full(folder, by_limit):
    """Append events until FOLDER is full."""
    told = disk.limit_files(folder) if by_limit else disk.fill_disk(folder)
    _tell(told, told["held_after"] == told["acknowledged"])


@main.command("measure")
def do_measure():
    """Measure what an event costs."""
    _tell({"written": measure.bytes_an_event(), "speed": measure.events_a_second(), "opening": measure.opening()}, True)


def _tell(told, held):
    click.echo(json.dumps(told))
    sys.exit(not held)


if __name__ == "__main__":
    main()
