"""What the companion says: English sentences that remember what they were made of, so that a page says them anew."""

from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from typing import Protocol


class Tongue(Protocol):
    """Another language."""

    def pattern(self, said: str) -> str:
        """An English pattern in this language, with the same gaps."""

    def number(self, number: float) -> object:
        """A number that is formatted as this language writes it."""


class Said(str):
    """A sentence, or a part of one. It is its English text; ``pattern`` and ``gaps`` are what it was made of."""

    __slots__ = ("gaps", "pattern")
    pattern: str
    gaps: Mapping[str, object]

    def spoken(self, tongue: Tongue) -> str:
        """The same in another language, with what was said in its gaps; what is no word stays."""
        pattern = tongue.pattern(self.pattern)
        gaps = {name: in_words(gap, tongue) for name, gap in self.gaps.items()}
        return pattern.format(**gaps) if gaps else pattern

    def with_names(self, names: Mapping[str, str]) -> "Said":
        """The same with other words in its gaps, such as people's names where seats are spoken of."""
        gaps = {name: _renamed(gap, names) for name, gap in self.gaps.items()}
        return _made(type(self), self.pattern, gaps)


class Sentence(Said):
    """What begins with a capital letter in every language."""

    __slots__ = ()

    def spoken(self, tongue: Tongue) -> str:
        return _capital(super().spoken(tongue))


def say(pattern: str, /, **gaps: object) -> str:
    """A pattern with its gaps filled; one without gaps is a word or a sentence as it stands."""
    said = Said(pattern.format(**gaps) if gaps else pattern)
    said.pattern, said.gaps = pattern, gaps
    return said


@lru_cache(64)
def called(player: str) -> str:
    """What a seat is called where no person's name is known."""
    return say(player.replace("_", " ").title())


def counted(number: int, one: str, several: str) -> str:
    """A pattern for one and another for several, which has the gap ``n``."""
    return say(one) if number == 1 else say(several, n=number)


def joined(words: Iterable[str], pattern: str = "{some} and {more}") -> str:
    """Words one after the other, two by two."""
    several = tuple(words)
    return reduce(lambda some, more: say(pattern, some=some, more=more), several) if several else ""


def listed(words: Iterable[str]) -> str:
    """Words with commas, and the last after an "and"."""
    *most, last = words
    return joined((joined(most, "{some}, {more}"), last)) if most else last


def sentence(said: str) -> str:
    """The same, beginning with a capital letter."""
    return _made(Sentence, said.pattern, said.gaps) if isinstance(said, Said) else _capital(said)


def full_sentence(said: str) -> str:
    """The same with a capital letter and a full stop, where there is anything."""
    return sentence(said if not said or said.endswith((".", "?", "!")) else say("{said}.", said=said))


def in_words(anything: object, tongue: Tongue) -> object:
    """Something in another language; places, names and notation are the same in every one."""
    if isinstance(anything, Said):
        return anything.spoken(tongue)
    return tongue.number(anything) if isinstance(anything, float) else anything


def _made(kind: type[Said], pattern: str, gaps: Mapping[str, object]) -> Said:
    text = pattern.format(**gaps) if gaps else pattern
    said = kind(_capital(text) if kind is Sentence else text)
    said.pattern, said.gaps = pattern, gaps
    return said


def _renamed(gap: object, names: Mapping[str, str]) -> object:
    if not isinstance(gap, Said):
        return gap
    return names.get(gap, gap) if not gap.gaps else gap.with_names(names)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
