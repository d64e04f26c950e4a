"""A rule is a small function with its number on it; a ruling says which one decided."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.table import Place

S = TypeVar("S")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Breach:
    """The fact that breaks a rule, and the places to light up; the wording of the rule is in the rule book."""

    says: str
    at: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a move does, in a sentence, and the places it touches."""

    says: str
    at: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether a move is legal and the number of the rule that forbids it."""

    legal: bool
    rule: str | None
    says: str
    places: tuple[Place, ...] = ()
    silent: bool = False
    """The rule book says nothing about it: ``rule`` is our restatement, and the players may decide otherwise."""


@dataclass(frozen=True, slots=True)
class Check(Generic[S, M]):
    """A numbered rule that a move can break."""

    number: str
    find_breach: Callable[[S, M], Breach | None]

    def __call__(self, state: S, move: M) -> Breach | None:
        return self.find_breach(state, move)

    @property
    def name(self) -> str:
        return self.find_breach.__name__


def rule(number: str) -> Callable[[Callable[[S, M], Breach | None]], Check[S, M]]:
    """Put a rule's number on the function that finds its breach."""

    def numbered(find_breach: Callable[[S, M], Breach | None]) -> Check[S, M]:
        return Check(number, find_breach)

    return numbered
