"""The command line: wires the parts of the house together."""

import click


@click.group()
def main() -> None:
    """The table companion: rulings, scores and suggestions for five tile games."""
