"""How the companion is set up to run: flags over the environment over ``companion.toml`` over the defaults."""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from platformdirs import user_config_path, user_state_path
from pydantic import AfterValidator, Field, ValidationError

from companion.border import Shape, read_shape
from companion.game import Unreadable
from companion.registry import game_named

PROGRAM = "tile-table-companion"
FILE = "companion.toml"


def default_state() -> Path:
    """The folder that the system gives to a program's state."""
    return user_state_path(PROGRAM, appauthor=False)


def file_path() -> Path:
    """Where the file is looked for: a service is told by systemd, everybody else has a place by custom."""
    told = os.environ.get("CONFIGURATION_DIRECTORY", "").split(":")[0]
    return (Path(told) if told else user_config_path(PROGRAM, appauthor=False)) / FILE


def _known_game(name: str) -> str:
    return game_named(name).name


def _known_language(code: str) -> str:
    from web.words import languages

    if code not in languages():
        raise Unreadable(f"no words are written in {code!r}; there are: {', '.join(languages())}")
    return code


def _size(written: str) -> str:
    if not re.fullmatch(r"[1-9]\d{1,4}x[1-9]\d{1,4}", written):
        raise Unreadable(f"{written!r} is no size; write width and height as in 1640x1232")
    return written


PLAYERS = (1, 8)
"""So few and so many may be said to play; a game that does not seat so many is begun for the fewest that it seats."""


class Configuration(Shape):
    """All that can be set; the keys of the file are these names."""

    source: str = Field(
        "sim:zhizhu", min_length=1, description="What brings the moves: a camera, sim:GAME, demo or none."
    )
    game: Annotated[str, AfterValidator(_known_game)] | None = Field(None, description="Which game is played.")
    players: int | None = Field(None, ge=PLAYERS[0], le=PLAYERS[1], description="How many play, until a phone says so.")
    set: str | None = Field(None, min_length=1, description="The enrolled set of tiles that lies on the table.")
    host: str = Field("0.0.0.0", min_length=1, description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="The port to listen on.")
    names: list[str] = Field([], description="Other names by which phones call this machine.")
    state: Annotated[Path, Field(strict=False), AfterValidator(Path.expanduser)] = Field(
        default_factory=default_state, description="The folder that holds the record."
    )
    language: Annotated[str, AfterValidator(_known_language)] | None = Field(
        None, description="The page's language where a phone chose none; its browser's by default."
    )
    evidence_mb: int = Field(200, ge=0, le=1_000_000, description="Disk for pictures of moves, in megabytes.")
    camera_size: Annotated[str, AfterValidator(_size)] | None = Field(
        None, description="Pixels of a picture, such as 1640x1232."
    )
    camera_rate: float | None = Field(None, gt=0, le=120, description="Pictures a second for watching.")
    threads: int = Field(2, ge=1, le=64, description="Processor threads for reading a picture.")


KEYS = tuple(Configuration.model_fields)


def camera_source(wanted: Configuration) -> str:
    """The source with the camera's size and rate behind it, as `vision.sources` reads them; what stands there holds."""
    kind, told = wanted.source.partition(":")[0], {"rate": wanted.camera_rate and f"{wanted.camera_rate:g}"}
    sign = "#" if kind in ("http", "https", "rtsp") else "?"
    if kind == "picamera":
        told["picture"] = wanted.camera_size
    elif kind == "v4l2":
        told["size"] = wanted.camera_size
    elif sign == "?":
        return wanted.source
    what, _, settings = wanted.source.partition(sign)
    given = {**{word: value for word, value in told.items() if value}, **dict(parse_qsl(settings))}
    return what + (sign + urlencode(given, safe="/") if given else "")


def flag(key: str) -> str:
    return "--name" if key == "names" else f"--{key.replace('_', '-')}"


def variable(key: str) -> str:
    return f"COMPANION_{key.upper()}"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the file that cannot be meant."""

    says: str
    line: int | None = None

    def __str__(self) -> str:
        return self.says if self.line is None else f"line {self.line}: {self.says}"


@dataclass(frozen=True, slots=True)
class File:
    """What the file says, as far as it can be understood, and what is wrong with the rest."""

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int | None] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def says(self) -> str:
        """The faults as one sentence for people; empty when there are none."""
        return f"{self.path}: {'; '.join(map(str, self.faults))}" if self.faults else ""


@dataclass(frozen=True, slots=True)
class Settled:
    """Every setting, who told it, and the file it may come from."""

    configuration: Configuration
    origins: Mapping[str, str]
    file: File

    def refuse(self, key: str, says: str) -> "Settled":
        """A value proved to be of no use: a fault of the file that told it, or an error for who gave it today."""
        if self.origins[key] != _in_file(self.file, key):
            raise Unreadable(f"{self.origins[key]}: {says}")
        faults = (*self.file.faults, Fault(f"{key}: {says}", self.file.lines[key]))
        return replace(self, file=replace(self.file, faults=faults))


def read_file(path: Path) -> File:
    """Read the file, if there is one; never raises."""
    try:
        return _read_text(path, path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return File(path)
    except OSError as error:
        return File(path, faults=(Fault(f"cannot be read: {error.strerror}"),))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return File(path, faults=(Fault("is not UTF-8; save it as UTF-8", line),))


def settle(file: File, environment: Mapping[str, str], flags: Mapping[str, str | Sequence[str]]) -> Settled:
    """Lay flags over the environment over the file over the defaults; raises `Unreadable` for what cannot be meant."""
    told: dict[str, Any] = dict(file.values)
    origins = {key: _in_file(file, key) if key in told else "default" for key in KEYS}
    for key in KEYS:
        if flags.get(key):
            told[key], origins[key] = _read_words(key, flag(key), flags[key]), f"flag {flag(key)}"
        elif words := environment.get(variable(key)):
            given = words.replace(",", " ").split() if key == "names" else words
            told[key], origins[key] = _read_words(key, variable(key), given), f"environment {variable(key)}"
    return Settled(Configuration.model_validate(told), origins, file)


def _in_file(file: File, key: str) -> str:
    line = file.lines.get(key)
    return f"{FILE}, line {line}" if line else FILE


def _read_text(path: Path, text: str) -> File:
    faults: list[Fault] = []
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        faults.append(_syntax_fault(str(error), text))
        told = _salvaged(text)
    values, lines = {}, {key: _line_of(key, text) for key in told}
    for key, value in told.items():
        if fault := _wrong_with(key, value):
            faults.append(Fault(fault, lines[key]))
        else:
            values[key] = value
    return File(path, values, lines, tuple(faults))


def _syntax_fault(says: str, text: str) -> Fault:
    found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", says)
    line = int(found[1]) if found and found[1] else text.count("\n") + 1
    return Fault(f'{says[: found.start()] if found else says}; a line is written: port = 8000 or game = "zhizhu"', line)


def _salvaged(text: str) -> dict[str, Any]:
    """The lines of a broken file that can be read alone, so that the page comes up where phones look for it."""
    told: dict[str, Any] = {}
    for line in text.splitlines():
        try:
            told = tomllib.loads(line) | told
        except tomllib.TOMLDecodeError:
            continue
    return told


def _line_of(key: str, text: str) -> int | None:
    written = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
    return next((number for number, line in enumerate(text.splitlines(), 1) if written.match(line)), None)


def _wrong_with(key: str, value: Any) -> str | None:
    if key not in KEYS:
        near = get_close_matches(key, KEYS, 1, 0.5)
        return f"unknown key {key!r}; " + (f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(KEYS)}")
    try:
        read_shape(Configuration, {key: value})
    except Unreadable as refused:
        return refused.says.replace("value error, ", "")
    return None


def _read_words(key: str, name: str, words: str | Sequence[str]) -> Any:
    """A setting as it is typed: everything is text there."""
    if not isinstance(words, str):
        return list(words)
    try:
        return getattr(Configuration.model_validate_strings({key: words}), key)
    except ValidationError as error:
        says = error.errors(include_url=False, include_context=False)[0]["msg"].removeprefix("Value error, ")
        raise Unreadable(f"{name} {words}: {says[:1].lower()}{says[1:]}") from None
