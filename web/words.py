"""All words of the pages in one catalogue a language: a language is added by adding a file to ``web/words``."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from werkzeug.datastructures import LanguageAccept

FOLDER = Path(__file__).parent / "words"
DEFAULT = "en"


@cache
def languages() -> Mapping[str, Mapping[str, str]]:
    """Each language's words by their keys, ``section.word``."""
    return MappingProxyType({file.stem: _read(file) for file in sorted(FOLDER.glob("*.toml"))})


def speaker(language: str) -> Callable[..., str]:
    """A function from a key, and what goes into its gaps, to words; a key that nobody translated is in English."""
    own, fallback = languages()[language], languages()[DEFAULT]

    def say(key: str, **gaps: object) -> str:
        return own.get(key, fallback[key]).format(**gaps)

    return say


def best_language(wished: str, accepted: LanguageAccept) -> str:
    if wished in languages():
        return wished
    return accepted.best_match([DEFAULT, *languages()], DEFAULT) or DEFAULT


def _read(file: Path) -> Mapping[str, str]:
    sections = tomllib.loads(file.read_text(encoding="utf-8"))
    words = {f"{section}.{key}": said for section, held in sections.items() for key, said in held.items()}
    return MappingProxyType(words)
