"""The command line: wires the parts of the house together."""

import os
from importlib.metadata import version

import click

from companion.cli import (
    bench,
    config,
    doctor,
    endurance,
    enrol,
    evaluate,
    load,
    pictures,
    play,
    read,
    record,
    rules,
    serve,
    tiles,
    watch,
    writing,
)
from companion.game import Unreadable
from companion.store import NotRecorded


class _Companion(click.Group):
    """Turns what cannot be read, or not be written, into a plain sentence instead of a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Unreadable as unreadable:
            at = f" (at {unreadable.at})" if unreadable.at else ""
            raise click.ClickException(f"{unreadable.says}{at}") from None
        except NotRecorded as refused:
            raise click.ClickException(refused.says) from None


@click.group(cls=_Companion)
@click.version_option(version("tile-table-companion"))
@click.pass_context
def main(ctx: click.Context) -> None:
    """Rulings, scores and suggestions for tile games on a real table."""
    # Else numpy's own threads wait by spinning after every product, which takes a core from whoever reads a picture.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    tiles.know_own_tiles()
    if ctx.invoked_subcommand not in tiles.IN_SPITE:
        tiles.refuse_faults()


_PARTS = (rules, tiles, play, bench, evaluate, pictures, read, enrol, record, serve, watch, config, doctor)

for command in (command for part in _PARTS for command in part.COMMANDS):
    main.add_command(command)
for measured in (*load.BENCHES, *endurance.BENCHES, writing.bench_writing):
    bench.bench.add_command(measured)
