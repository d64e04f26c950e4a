"""ZhiZhu: a point for each captured piece, seven of which win."""

from companion.games.zhizhu.rules import COLOURS, PIECES, Web
from companion.scoring import Item, Scoresheet


def score(web: Web) -> Scoresheet:
    items = []
    for colour, player in enumerate(COLOURS):
        captured = PIECES - web.left(1 - colour)
        if captured:
            items.append(
                Item(player, captured, "3.2", f"{captured} of {COLOURS[1 - colour].title()}'s pieces captured")
            )
    return Scoresheet(COLOURS, tuple(items))
