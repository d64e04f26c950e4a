"""All words in one catalogue a language: a language is added by adding a file to ``web/words``.

A file holds the words of the pages by their keys, ``[section] word``. Any language but English holds besides what the
companion says, from its English patterns to its own with the same gaps, in sections of ``[sentences]``; and the rule
books, game by game, in ``[books]``. What a file leaves out is said in English.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any

from werkzeug.datastructures import LanguageAccept

from companion.said import Said, in_words

FOLDER = Path(__file__).parent / "words"
DEFAULT = "en"


class _WithComma(float):
    """A number whose decimals follow a comma."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace(".", ",")


@dataclass(frozen=True, slots=True)
class Language:
    """All that one file holds."""

    words: Mapping[str, str]
    """The words of the pages by their keys, ``section.word``."""
    sentences: Mapping[str, str]
    """The patterns of what the companion says, by its own."""
    books: Mapping[str, Mapping[str, Mapping[str, str]]]
    """For each game the ``chapters``, ``rules``, ``options`` and ``choices`` of its rule book."""

    def pattern(self, said: str) -> str:
        return self.sentences.get(said, said)

    def number(self, number: float) -> object:
        return _WithComma(number) if self.words.get("app.decimal") == "," else number

    def speaks(self, said: str) -> bool:
        """Whether all of something that was said can be said in this language."""
        if not isinstance(said, Said):
            return True
        known = said.pattern in self.sentences or is_wordless(said.pattern)
        return known and all(self.speaks(gap) for gap in said.gaps.values() if isinstance(gap, Said))


@cache
def languages() -> Mapping[str, Language]:
    return MappingProxyType({file.stem: _read(file) for file in sorted(FOLDER.glob("*.toml"))})


def speaker(language: str) -> Callable[..., str]:
    """A function from a key, and what goes into its gaps, to words; a key that nobody translated is in English."""
    own, fallback = languages()[language], languages()[DEFAULT]

    def say(key: str, **gaps: object) -> str:
        words = own.words.get(key, fallback.words[key])
        return words.format(**{name: in_words(gap, own) for name, gap in gaps.items()})

    return say


def spoken(said: Any, language: str) -> Any:
    """What the companion said in a language; anything else as it is."""
    return in_words(said, languages()[language])


def is_english(said: str, language: str) -> bool:
    """Whether some of it stays English in a language, because its file does not hold it."""
    return language != DEFAULT and not languages()[language].speaks(said)


def is_wordless(pattern: str) -> bool:
    """Whether a pattern is nothing but gaps and signs, which are the same in every language."""
    return not any(sign.isalpha() for text, *_ in Formatter().parse(pattern) for sign in text)


def best_language(wished: str, accepted: LanguageAccept) -> str:
    if wished in languages():
        return wished
    return accepted.best_match([DEFAULT, *languages()], DEFAULT) or DEFAULT


def _read(file: Path) -> Language:
    sections = tomllib.loads(file.read_text(encoding="utf-8"))
    sentences, books = sections.pop("sentences", {}), sections.pop("books", {})
    return Language(
        MappingProxyType(
            {f"{section}.{key}": said for section, held in sections.items() for key, said in held.items()}
        ),
        MappingProxyType({pattern: said for held in sentences.values() for pattern, said in held.items()}),
        MappingProxyType(books),
    )
