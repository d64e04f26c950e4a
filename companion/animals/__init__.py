"""The twelve animals of the zodiac, drawn once for every game that shows them."""

from functools import cache
from importlib.resources import files

from companion.style import inside, recoloured

ORDER = ("rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "ram", "monkey", "rooster", "dog", "pig")
"""As the zodiac goes round."""

TONES = {"body": "#8a93a3", "dark": "#1e2230", "light": "#fff6e6", "warm": "#e0685a"}
"""The four colours every animal is drawn in; a game paints them over."""


def outline(name: str, **tones: str) -> str:
    """The shapes of an animal in a box of 100 by 100; its ``body``, ``dark``, ``light`` and ``warm`` may be given."""
    return recoloured(_drawn(name), {TONES[tone]: colour for tone, colour in tones.items()})


@cache
def _drawn(name: str) -> str:
    return inside((files(__name__) / f"{name}.svg").read_text(encoding="utf-8"))
