"""The rule books in the language of who reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from companion.game import AnyGame, Option
from companion.registry import games
from companion.rulebook import Rulebook
from web.words import languages


@dataclass(frozen=True, slots=True)
class Book:
    """A rule book in one language, with the words of the house rules; what nobody translated is as the game says it."""

    rules: Rulebook
    options: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)

    def settles(self, option: Option) -> str:
        return self.options.get(option.name, option.says)

    def chooses(self, choice: str) -> str:
        return self.choices.get(choice, choice.replace("-", " "))


def book(game: AnyGame, language: str) -> Book:
    """A game's rule book for somebody who reads a language."""
    return _read(game.name, language) if games().get(game.name) is game else Book(game.rulebook)


@cache
def _read(name: str, language: str) -> Book:
    game = games()[name]
    own = languages()[language].books.get(name, {})
    wording = own.get("rules", {})
    clauses = {clause.number: replace(clause, says=wording.get(clause.number, clause.says)) for clause in game.rulebook}
    chapters = {**game.rulebook.chapters, **own.get("chapters", {})}
    rules = replace(game.rulebook, chapters=MappingProxyType(chapters), clauses=MappingProxyType(clauses))
    return Book(rules, own.get("options", {}), own.get("choices", {}))
