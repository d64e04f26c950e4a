"""ZhiZhu: the cases of its rules file, random games, and every answer against a second reading of the rules."""

import dataclasses
import random
import time
from itertools import pairwise

import pytest
import web_by_names as by_names
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import Unreadable, explanations, is_legal, judge, legal_moves, perft, start
from companion.games.zhizhu import advice as words
from companion.games.zhizhu.chains import BIT
from companion.match import play_match, plays_advised, plays_greedily, plays_randomly
from companion.registry import game_named
from companion.table import Piece

GAME = game_named("zhizhu")
PLAIN = dataclasses.replace(GAME, quick_perft=None)
OPTIONS = st.sampled_from([{}, {"chains": "every"}, {"repetition": "ignore"}])
CHOICES = st.lists(st.integers(0, 2**30), max_size=140)


def position(white, black, to_move="white", hand=(0, 0), barred=(None, None), **options):
    return {
        "game": "zhizhu",
        "to_move": to_move,
        "white": white.split(),
        "black": black.split(),
        "hand": {"white": hand[0], "black": hand[1]},
        "barred": {"white": barred[0], "black": barred[1]},
    } | ({"options": options} if options else {})


def web(*args, **kwargs):
    return GAME.read_position(position(*args, **kwargs))


def written(state):
    return sorted(GAME.write_move(move, state) for move in legal_moves(GAME, state))


def played(choices, options, fond_of_captures=True):
    """The states of the game that these numbers choose; every other turn captures if it can."""
    state = start(GAME, chosen=options)
    yield state
    for choice in choices:
        moves = sorted(legal_moves(GAME, state), key=lambda move: GAME.write_move(move, state))
        if not moves:
            return
        taking = [move for move in moves if move.taken]
        moves = taking if taking and choice % 2 and fond_of_captures else moves
        state = GAME.play(state, moves[choice // 2 % len(moves)])
        yield state


def a_random_position(rng):
    """Crowded circles and lines, so that chains, crossings and bars are common; some games are over."""
    points = rng.sample(by_names.POINTS, 24)
    if rng.random() < 0.7:
        points.sort(key=lambda point: (point[rng.choice((0, 1))], point) if rng.random() < 0.8 else ("z", point))
    white = [point for point in points if rng.random() < 0.5][: rng.randint(0, 9)]
    black = [point for point in points if point not in white][: rng.randint(0, 9)]
    placing = rng.random() < 0.4
    hand = [rng.randint(0, 9 - len(side)) if placing else 0 for side in (white, black)]
    options = {"chains": "every"} if rng.random() < 0.3 else {}
    mover = rng.choice(("white", "black"))
    bars = (a_bar(rng, white, hand[0]), a_bar(rng, black, hand[1]))
    return position(" ".join(sorted(white)), " ".join(sorted(black)), mover, hand, bars, **options)


def a_bar(rng, pieces, hand):
    if hand or not pieces or rng.random() < 0.3:
        return None
    piece = rng.choice(pieces)
    return f"{piece}-{rng.choice(sorted(by_names.neighbours(piece)))}"


def any_move(rng, at):
    """Something that can be written down, often near the truth."""
    start, to = rng.choice(by_names.POINTS), rng.choice(by_names.POINTS)
    if rng.random() < 0.7 and at[at["to_move"]]:
        start = rng.choice(at[at["to_move"]])
        to = rng.choice(sorted(by_names.neighbours(start)))
    taken = rng.sample(by_names.POINTS, rng.randint(0, 2))
    if rng.random() < 0.7:
        enemy = at[by_names.OTHER[at["to_move"]]]
        taken = rng.sample(enemy, min(len(enemy), rng.randint(0, 3)))
    bare = f"{start}-{to}" if rng.random() < 0.6 else to
    return bare + "".join(f"x{piece}" for piece in sorted(taken))


def test_two_first_placements_differ_and_the_rest_are_their_images():
    def images(point):
        line, circle = by_names.LINES.index(point[0]), int(point[1])
        for turn in range(8):
            for mirrored in (line, -line):
                for swapped in (circle, 4 - circle):
                    yield f"{by_names.LINES[(mirrored + turn) % 8]}{swapped}"

    moves = written(start(GAME))
    assert len(moves) == 24
    assert {frozenset(images(move)) for move in moves} == {
        frozenset(f"{line}{circle}" for line in by_names.LINES for circle in circles) for circles in ("13", "2")
    }


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate((1, 24, 552, 12144, 255024, 5120640))))
def test_placements_from_the_empty_board(depth, nodes):
    assert perft(GAME, start(GAME), depth) == nodes


def test_the_quick_count_is_the_plain_one():
    rng = random.Random(7)
    for _ in range(150):
        state = GAME.read_position(a_random_position(rng))
        assert perft(GAME, state, 1) == perft(PLAIN, state, 1)
        assert perft(GAME, state, 2) == perft(PLAIN, state, 2), GAME.write_position(state)


@pytest.mark.parametrize("chosen", [{}, {"chains": "every"}])
def test_the_quick_count_is_the_plain_one_over_three_turns_of_a_game(chosen):
    rng = random.Random(5)
    choices = [rng.getrandbits(30) for _ in range(70)]
    for state in list(played(choices, chosen))[14::8]:
        assert perft(GAME, state, 3) == perft(PLAIN, state, 3), GAME.write_position(state)


def test_every_answer_is_that_of_a_second_reading_of_the_rules():
    rng = random.Random(11)
    for _ in range(2500):
        at = a_random_position(rng)
        state = GAME.read_position(at)
        at = GAME.write_position(state)
        moves = by_names.legal(at)
        assert written(state) == moves, at
        outcome = GAME.outcome(state)
        assert (outcome.winner, outcome.rule) == by_names.outcome(at), at
        for move in rng.sample(moves, min(len(moves), 4)):
            after = GAME.write_position(GAME.play(state, GAME.read_move(move, state)))
            assert after == by_names.apply(at, move), (at, move)
        for move in (any_move(rng, at) for _ in range(6)):
            assert judge(GAME, state, GAME.read_move(move, state)).rule == by_names.first_breach(at, move), (at, move)


@settings(deadline=None, max_examples=25)
@given(CHOICES, OPTIONS)
def test_games_go_as_the_second_reading_says(choices, options):
    at = None
    for state in played(choices, options):
        if at is not None:
            moves = by_names.legal(at)
            after = GAME.write_position(state)
            assert after in [by_names.apply(at, move) for move in moves if by_names.read(move)[1] in made(at, after)]
        at = GAME.write_position(state)


def made(before, after):
    """Where the mover now stands and did not."""
    return set(after[before["to_move"]]) - set(before[before["to_move"]])


@settings(deadline=None, max_examples=50)
@given(CHOICES, OPTIONS)
def test_a_game_keeps_its_pieces(choices, options):
    for before, after in pairwise(played(choices, options)):
        assert after.mover != before.mover
        assert after.on[0] & after.on[1] == 0
        assert all(after.left(colour) <= before.left(colour) <= 9 for colour in (0, 1))
        assert after.left(before.mover) == before.left(before.mover)
        assert GAME.read_position(GAME.write_position(after)) == after
        points = GAME.score(after).points
        assert points == {"white": 9 - after.left(1), "black": 9 - after.left(0)}


@settings(deadline=None, max_examples=50)
@given(CHOICES, OPTIONS)
def test_a_bar_is_the_way_back_into_a_chain_just_left(choices, options):
    for before, after in pairwise(played(choices, options)):
        bar = after.barred[before.mover]
        if bar is None:
            continue
        assert bar.to & before.mine
        assert bar.start & after.on[before.mover]
        names = set(GAME.write_position(before)[by_names_of(before.mover)])
        assert by_names.in_a_chain(name_of(bar.to), names)


@settings(deadline=None, max_examples=50)
@given(CHOICES, OPTIONS)
def test_a_barred_slide_is_never_the_only_one(choices, options):
    for state in played(choices, options):
        if state.barred[state.mover] and GAME.outcome(state).rule != "4.1":
            assert legal_moves(GAME, state)


def by_names_of(colour):
    return ("white", "black")[colour]


def name_of(bit):
    return next(name for name, value in BIT.items() if value == bit)


@settings(deadline=None, max_examples=30)
@given(CHOICES, st.integers(0, 7), st.booleans(), st.booleans())
def test_the_rules_do_not_know_up_from_down(choices, turn, mirror, swap):
    def image(point):
        line = by_names.LINES.index(point[0])
        return by_names.LINES[(turn - line if mirror else turn + line) % 8] + (
            str(4 - int(point[1])) if swap else point[1]
        )

    def slid(bar):
        return bar and "-".join(image(point) for point in bar.split("-"))

    state = list(played(choices, {}))[-1]
    at = GAME.write_position(state)
    seen = at | {
        "white": [image(point) for point in at["white"]],
        "black": [image(point) for point in at["black"]],
        "barred": {player: slid(bar) for player, bar in at["barred"].items()},
    }
    there = GAME.read_position(seen)
    assert perft(GAME, there, 2) == perft(GAME, state, 2)
    assert GAME.outcome(there) == GAME.outcome(state)


def test_whatever_can_be_written_can_be_pictured():
    rng = random.Random(3)
    for _ in range(1500):
        at = a_random_position(rng)
        state = GAME.read_position(at)
        after = GAME.play(state, GAME.read_move(any_move(rng, at), state))
        assert GAME.read_position(GAME.write_position(after)) == after


def test_paying_every_chain_can_conceive_all_its_legal_moves():
    state = web("a3 b3 d3 e3 f3 c1 c2", "a1 a2 e1 g1 g3 h2", hand=(2, 2), chains="every")
    conceived = (move for move in GAME.conceivable(state) if is_legal(GAME, state, move))
    assert sorted(GAME.write_move(move, state) for move in conceived) == written(state)


def test_a_picture_is_explained_as_by_trying_everything():
    rng = random.Random(23)
    plain = dataclasses.replace(GAME, explain=None)
    for _ in range(12):
        at = a_random_position(rng)
        state = GAME.read_position(at | {"white": at["white"][:4], "black": at["black"][:4]})
        move = rng.choice(list(GAME.conceivable(state)))
        pictures = [GAME.layout(GAME.play(state, move)), GAME.layout(GAME.read_position(a_random_position(rng)))]
        for picture in pictures:
            assert set(explanations(GAME, state, picture)) == set(explanations(plain, state, picture))
        assert move in explanations(GAME, state, pictures[0])


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"white": ["a1", "a1"]}, "white.1"),
        ({"white": ["b2"]}, "black"),
        ({"white": ["a4"]}, "white.0"),
        ({"white": "a1"}, "white"),
        ({"white": by_names.POINTS[-10:]}, "white"),
        ({"hand": {"white": 9, "black": 7}}, "white"),
        ({"hand": {"white": -1, "black": 7}}, "hand.white"),
        ({"hand": {"white": True, "black": 7}}, "hand.white"),
        ({"hand": {"white": 1}}, "hand.black"),
        ({"to_move": "red"}, "to_move"),
        ({"to_move": None}, "to_move"),
        ({"barred": {"white": "a1", "black": None}}, "barred.white"),
        ({"barred": {"white": None, "black": "c3-a1"}}, "barred.black"),
        ({"barred": {"red": None}}, "barred.red"),
        ({"game": "paiko"}, "game"),
        ({"options": {"flying": "yes"}}, "options.flying"),
        ({"options": {"chains": "some"}}, "options.chains"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_an_impossible_position_is_refused_where_it_is_wrong(change, at):
    with pytest.raises(Unreadable) as refused:
        GAME.read_position(position("a1", "b2 c3", hand=(8, 7)) | change)
    assert refused.value.at == at


@pytest.mark.parametrize(
    "nonsense", ["", "i1", "a0", "a4", "A1", "a1-", "a1-a2-a3", "a1xb1xa1", "a1xb1xb1", "a1 xb1", "a1x", "a1\n", "а1"]
)
def test_what_is_no_move_is_refused(nonsense):
    with pytest.raises(Unreadable):
        GAME.read_move(nonsense, start(GAME))


def test_who_is_named_first_begins_and_others_are_not_seated():
    assert GAME.to_move(start(GAME, ["black", "white"])) == "black"
    with pytest.raises(Unreadable):
        start(GAME, ["red", "white"])


def test_a_corrected_piece_comes_from_the_hand_and_goes_back_to_it():
    placing = web("a1", "b2", hand=(8, 8))
    more = GAME.amend(placing, "c3", Piece("piece", "white"))
    assert GAME.write_position(more)["hand"] == {"white": 7, "black": 8}
    assert GAME.amend(more, "c3", None) == placing
    turned = GAME.amend(placing, "b2", Piece("piece", "white"))
    assert (turned.on[1], turned.hand) == (0, (7, 9))


def test_a_correction_that_cannot_be_is_refused():
    full = web("a1 a2 b1 b2 c1 c2 d1 d2 e1", "f1 f2 g3")
    for place, piece in (
        ("h3", Piece("piece", "white")),
        ("z9", None),
        ("h3", Piece("piece", None)),
        ("h3", Piece("lotus", "black")),
    ):
        with pytest.raises(Unreadable):
            GAME.amend(full, place, piece)


def advised(state, seconds=0.3):
    return GAME.advise(state, seconds, time.monotonic)


@pytest.mark.parametrize(
    ("at", "move", "says"),
    [
        (web("c1 c2 e1 e3", "e2 g1 h1", hand=(5, 5)), "c3xe2", "closes line c, takes the piece that blocks line e"),
        (web("a1 d3 f1", "e3 f3 g3 h3", hand=(5, 5)), "a3", "blocks Black's five on circle 3"),
        (web("a1 d1 f1", "e3 f3 g3 h3", hand=(5, 5)), "a3", "blocks one end of Black's five on circle 3"),
        (web("a1 a2 b3 e1", "c1 d2 f3"), "b3-a3xc1", "wins by leaving Black two pieces"),
        (web("a3 b3 c3 d3 e2", "a1 c1 f1"), "e2-e3xa1xc1", "wins by leaving Black one piece"),
        (web("a2 b1 c2 d1 e2 f2 h1", "a1 c1 e1"), "f2-f1", "wins by leaving Black no slide"),
        (web("a1 d2", "b1 c3", hand=(7, 7)), "a2", "threatens line a"),
        (web("a1 d2", "c1 c2", hand=(7, 7)), "a2", "threatens line a, though Black can close line c"),
        (web("a1 a2 a3 e1", "c1 d2 f3 g1"), "a3-b3", "opens line a to close it again later"),
        (web("a1 a2 a3 h3", "c1 d2 f3 g1"), "a3-b3", "opens line a to close it again next turn"),
        (web("a1 a2 b3 e1", "c1 c2 d3 g1"), "b3-a3xc1", "takes c1 out of Black's line c"),
    ],
)
def test_advice_says_why(at, move, says):
    assert says in words.because(at, GAME.read_move(move, at))


def test_advice_tells_what_it_gains():
    capture = advised(web("a1 a2", "c1 e2", hand=(7, 7)))[0]
    assert capture.gain == 1
    won = advised(web("a2 b3 c1 d2 d3 e3 h2", "b1 f2 f3 g3"))[0]
    assert won.gain == words.WON
    assert "wins by force in 2 turns" in won.because


def test_advice_comes_best_first_and_a_finished_game_has_none():
    gains = [advice.gain for advice in advised(web("a1 a2 b3 e1", "c1 d2 f3 g1"))]
    assert len(gains) > 1
    assert gains == sorted(gains, reverse=True)
    assert advised(web("a1 a2 a3", "c1 d2", to_move="black")) == ()


def test_advice_is_legal_however_little_time_there_is():
    rng = random.Random(13)
    for _ in range(60):
        state = GAME.read_position(a_random_position(rng))
        advice = advised(state, rng.choice((0, 0.002, 0.02)))
        assert bool(advice) == bool(legal_moves(GAME, state))
        assert all(is_legal(GAME, state, each.move) for each in advice)


def wins_within(state, plies):
    """Whether the mover forces a win in so many turns, by trying everything."""
    return any(loses_within(GAME.play(state, move), plies - 1) for move in legal_moves(GAME, state))


def loses_within(state, plies):
    if GAME.outcome(state).over:
        return GAME.outcome(state).winner != ("white", "black")[state.mover]
    if plies <= 0:
        return False
    return all(wins_within(GAME.play(state, move), plies - 1) for move in legal_moves(GAME, state))


def test_advice_finds_the_wins_that_trying_everything_finds():
    rng = random.Random(17)
    found = 0
    while found < 12:
        choices = [rng.getrandbits(30) for _ in range(140)]
        state = rng.choice(list(played(choices, {}))[-9:])
        if GAME.outcome(state).over or not wins_within(state, 3):
            continue
        found += 1
        best = advised(state, 1)[0]
        assert best.gain == words.WON, GAME.write_position(state)
        assert loses_within(GAME.play(state, best.move), 2), GAME.write_position(state)


@pytest.mark.parametrize("other", [plays_randomly, plays_greedily])
def test_advice_beats_those_who_do_not_look_ahead(other):
    tally = play_match(GAME, plays_advised(0.02), other, games=4)
    assert (tally.wins, tally.games) == (4, 4)
