"""ZhiZhu: a point for each captured piece, seven of which win."""

from companion.games.zhizhu.rules import COLOURS, PIECES, Web
from companion.said import called, say
from companion.scoring import Item, Scoresheet


def score(web: Web) -> Scoresheet:
    items = []
    for colour, player in enumerate(COLOURS):
        captured = PIECES - web.left(1 - colour)
        if captured:
            items.append(
                Item(
                    player,
                    captured,
                    "3.2",
                    say("{n} of {enemy}'s pieces captured", n=captured, enemy=called(COLOURS[1 - colour])),
                )
            )
    return Scoresheet(COLOURS, tuple(items))
