"""The numbered wording of a game's rules, read from its ``rules.toml``."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered rule."""

    number: str
    says: str
    silent: bool = False
    """The printed rule book does not say it: the players may decide otherwise."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules of a game, in the order of their numbers."""

    title: str
    chapters: Mapping[str, str]
    clauses: Mapping[str, Clause]

    def __getitem__(self, number: str) -> Clause:
        return self.clauses[number]

    def __contains__(self, number: str) -> bool:
        return number in self.clauses

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses.values())

    def search(self, words: str) -> tuple[Clause, ...]:
        """The clauses that hold every one of the words, whatever their case."""
        wanted = words.casefold().split()
        return tuple(clause for clause in self if all(word in clause.says.casefold() for word in wanted))


def load_rulebook(file: Path) -> Rulebook:
    """Read ``rules.toml``: ``title``, ``[chapters]``, then ``[rules]`` number to wording; ``silent`` lists numbers."""
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    silent = set(read.get("silent", ()))
    clauses = {number: Clause(number, says, number in silent) for number, says in read["rules"].items()}
    if unknown := silent - clauses.keys():
        raise ValueError(f"{file}: silent names no rule: {', '.join(sorted(unknown))}")
    return Rulebook(read["title"], MappingProxyType(read["chapters"]), MappingProxyType(clauses))
