"""What a table keeps beside its record: its name, its secrets and who may do what; one small file."""

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from pydantic import TypeAdapter, ValidationError

from companion.game import Unreadable

FILE = "table.json"


def new_pin() -> str:
    """Six digits by lot."""
    return f"{secrets.randbelow(1_000_000):06}"


@dataclass(frozen=True, slots=True)
class Config:
    """The table's own settings; made once and kept."""

    name: str = ""
    pin: str = field(default_factory=new_pin)
    """Six digits that whoever sits at the table can read: they open a seat."""
    owner_link: str | None = field(default_factory=lambda: secrets.token_urlsafe(16))
    """The word in the link that makes a phone the owner's; ``None`` once it was used."""
    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    """Signs what phones remember."""
    seats: dict[str, str] = field(default_factory=dict)
    """Which phone holds which seat."""
    advised: tuple[str, ...] = ()
    """The seats that wish advice."""


_SHAPE = TypeAdapter(Config)


class Settings:
    """The file, and what it holds now."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = Lock()
        self.now = kept_in(folder) or Config()
        _write(self._path, self.now)

    def change(self, change: Callable[[Config], Config]) -> Config:
        """Replace the settings whole and keep them; what the change raises leaves them as they were."""
        with self._lock:
            changed = change(self.now)
            if changed != self.now:
                _write(self._path, changed)
                self.now = changed
            return changed

    def renew_owner_link(self) -> Config:
        """Make another one-time link, for an owner who lost the phone."""
        return self.change(lambda config: replace(config, owner_link=secrets.token_urlsafe(16)))


def kept_in(folder: Path) -> Config | None:
    """What a table keeps in a folder, if one does; raises `Unreadable` if it is damaged."""
    path = folder / FILE
    try:
        return _SHAPE.validate_json(path.read_bytes(), strict=True)
    except FileNotFoundError:
        return None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Unreadable(f"{path} is damaged: {first['msg']}; take it away and a new one is made") from None


def _write(path: Path, config: Config) -> None:
    """Whole or not at all, and for nobody else's eyes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    opened = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(json.dumps(_SHAPE.dump_python(config, mode="json"), indent=1).encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
