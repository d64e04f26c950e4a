"""Gives commands their settings: a flag for each, laid over the environment and the file."""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

import click

from companion.cli.configuration import Configuration, file_path, flag, read_file, settle, variable

Command: TypeAlias = Callable[..., Any]


def configured(*keys: str) -> Callable[[Command], Command]:
    """Give a command a flag for each of these settings, and hand it all settings as its first argument, `Settled`."""

    def wrap(command: Command) -> Command:
        @wraps(command)
        def run(*given: Any, **named: Any) -> Any:
            flags = {key: named.pop(key) for key in keys}
            return command(settle(read_file(file_path()), os.environ, flags), *given, **named)

        wrapped: Command = run
        for key in reversed(keys):
            wrapped = _option(key)(wrapped)
        return wrapped

    return wrap


def written(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _option(key: str) -> Callable[[Command], Command]:
    """Everything is text here: flags are read just as the environment is, when all is laid over each other."""
    says, default = Configuration.model_fields[key].description, written(Configuration.model_fields[key].default)
    shown = f"  [{variable(key)}; default: {default}]" if key != "state" and default else f"  [{variable(key)}]"
    return click.option(flag(key), key, multiple=key == "names", default=None, metavar="VALUE", help=f"{says}{shown}")
