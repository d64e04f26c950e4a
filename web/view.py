"""What a viewer may see of the table, in the shapes that the templates show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from companion.draw import Overlay, board_svg, says_piece, says_place
from companion.events import fact_json
from companion.game import AnyGame
from companion.inks import INKS
from companion.live import Now, Question
from companion.rules import Ruling
from companion.said import Said, called, sentence
from companion.session import PlayedMove, Standing
from companion.table import Piece, Place
from web.books import book
from web.roles import Viewer, in_own_words

SEAT_INKS = 6
_SIDES = ("white", "black")


@dataclass(frozen=True, slots=True)
class Card:
    """A player as the scoreboard shows them."""

    player: str
    called: str
    points: int
    ink: str
    """The name of a style: ``white``, ``black``, or a number for games whose seats have no colour of their own."""
    to_move: bool
    won: bool
    mine: bool

    @property
    def seat(self) -> str:
        """The seat in words, where neither the name nor the colour of the token says it."""
        named = called(self.player)
        return "" if self.ink in _SIDES or named == self.called else named


@dataclass(frozen=True, slots=True)
class Line:
    """One move as a list shows it."""

    number: int
    count: int
    """The how-manieth move of the game it is."""
    card: Card | None
    move: str
    ruling: Ruling
    gains: tuple[tuple[Card, int], ...]
    cards: tuple[Card, ...]

    @property
    def verdict(self) -> str:
        return "legal" if self.ruling.legal else "silent" if self.ruling.silent else "illegal"

    @property
    def judged(self) -> str:
        """The key of the verdict in words; the players may forbid what no rule does."""
        return "verdict.decided" if self.verdict == "illegal" and not self.ruling.rule else f"verdict.{self.verdict}"

    @property
    def told(self) -> str:
        """What happened in a sentence, with people's names."""
        return by_name(self.ruling.says, self.cards)


@dataclass(frozen=True, slots=True)
class TopOfPile:
    """A pile beside tiles that are laid without a board, and what lies uppermost."""

    pile: str
    whose: str | None
    title: str
    face: str


def by_name(says: str, cards: Iterable[Card]) -> str:
    """A sentence that speaks of seats speaks of who sits there."""
    if not isinstance(says, Said):
        return says
    return sentence(says.with_names({called(card.player): card.called for card in cards}))


def seen_state(standing: Standing, seat: str | None) -> Any:
    return standing.game.seen_by(standing.state, seat)


def cards(standing: Standing, seat: str | None = None) -> tuple[Card, ...]:
    """All players in the order of play."""
    points, turn = standing.score.points, standing.game.to_move(standing.state)
    over = standing.outcome.over
    return tuple(
        Card(
            player,
            standing.called(player),
            points.get(player, 0),
            ink_of(player, order),
            player == turn and not over,
            player == standing.outcome.winner,
            player == seat,
        )
        for order, player in enumerate(standing.game.players(standing.state))
    )


def ink_of(player: str, order: int) -> str:
    return player if player in _SIDES and player in INKS else str(order % SEAT_INKS)


def lines(standing: Standing) -> tuple[Line, ...]:
    """All moves, the last one first."""
    by_player = {card.player: card for card in cards(standing)}
    found, before = [], dict.fromkeys(by_player, 0)
    for count, move in enumerate(standing.moves, 1):
        gains = [(by_player[p], n - before.get(p, 0)) for p, n in move.points.items() if n != before.get(p, 0)]
        card = by_player.get(move.player or "")
        found.append(Line(move.number, count, card, move.move, move.ruling, tuple(gains), tuple(by_player.values())))
        before = move.points
    return tuple(reversed(found))


def last_places(standing: Standing) -> tuple[Place, ...]:
    return standing.moves[-1].ruling.places if standing.moves else ()


def board(game: AnyGame, state: Any, *, lit: Sequence[Place] = (), overlay: Overlay | None = None) -> Markup:
    """A board for a page: it names its faces instead of bringing them along."""
    over = overlay or Overlay()
    named = replace(over, area_only=True, face_at=_face_at(game), speak=in_own_words)
    return Markup(board_svg(game, state, lit, overlay=named))


def zones(standing: Standing) -> dict[str, str]:
    """Whose each part of the board is, where it has a part ``p1``, ``p2`` and so on a player."""
    named = ((f"p{n}", player) for n, player in enumerate(standing.game.players(standing.state), 1))
    return {zone: standing.called(player) for zone, player in named if f"{zone}:a1" in standing.game.board.places}


def beside(standing: Standing, state: Any) -> tuple[TopOfPile, ...]:
    """The piles beside tiles that are laid without a board."""
    game = standing.game
    if game.board.lattice is None:
        return ()
    return tuple(
        _top(standing, place, piece) for place, piece in game.layout(state).items() if place in game.board.places
    )


def _top(standing: Standing, place: Place, piece: Piece) -> TopOfPile:
    """A pile of a seat is named ``seat:pile``, one of everybody's just so."""
    game, (seat, _, pile) = standing.game, place.partition(":")
    title = game.catalogue[piece.tile].title if piece.tile in game.catalogue else piece.tile
    whose = standing.called(seat) if pile in ("points", "discard") and seat in game.players(standing.state) else None
    return TopOfPile(pile if whose else place, whose, title, face_address(game, piece.tile, piece.owner))


def text_board(game: AnyGame, state: Any) -> tuple[tuple[Place, str], ...]:
    """The same table in words, place by place."""
    return tuple((says_place(place), says_piece(game, piece)) for place, piece in sorted(game.layout(state).items()))


def move_of(standing: Standing, number: int) -> PlayedMove | None:
    return next((move for move in standing.moves if move.number == number), None)


def face_address(game: AnyGame, tile: str, owner: str | None) -> str:
    return f"/faces/{game.name}?{urlencode({'tile': tile, 'owner': owner or ''})}"


def hides_something(standing: Standing) -> bool:
    """Whether a bystander may know less than the companion does."""
    return bool(standing.game.seen_by(standing.state, None) != standing.state)


def parts_key(now: Now, who: Viewer, tv: bool) -> tuple[object, ...]:
    """All that the live parts of a page depend on."""
    return now.version, who.seat, who.role, who.language, tv


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option of a game with what holds now, and the words for each of its choices."""

    name: str
    rule: str
    says: str
    holds: str
    choices: tuple[tuple[str, str], ...]


def house_rules(game: AnyGame, language: str, chosen: Mapping[str, str]) -> tuple[HouseRule, ...]:
    """What the players may settle, in the language of who reads."""
    own = book(game, language)
    return tuple(
        HouseRule(
            each.name,
            each.rule,
            own.settles(each),
            chosen.get(each.name, each.default),
            tuple((choice, own.chooses(choice)) for choice in each.choices),
        )
        for each in game.options
    )


def asked(questions: Sequence[Question]) -> tuple[tuple[Question, tuple[tuple[str, dict[str, Any]], ...]], ...]:
    """Questions with their answers, each as what it says and the body of the change that it makes."""
    return tuple(
        (
            each,
            tuple((a.says, {"question": each.name, "facts": [fact_json(f) for f in a.facts]}) for a in each.answers),
        )
        for each in questions
    )


def _face_at(game: AnyGame) -> Any:
    return lambda tile, owner: face_address(game, tile, owner)
