import itertools
import random
from dataclasses import replace

import pytest

from companion.game import explanations, is_legal, judge, legal_moves, start, suspects
from companion.reconcile import differences, goals, is_on_the_way, likely_layouts, margin, readings
from companion.registry import games
from companion.table import Piece

WEB = games()["zhizhu"]


def sure(layout, places, certainty=0.98):
    """What a good camera would say of a table."""
    return {
        place: {layout.get(place): certainty, Piece("piece", "white"): 0.001, None: 0.001}
        | {layout.get(place): certainty}
        for place in places
    }


def position(**more):
    return WEB.read_position({"game": "zhizhu", "to_move": "white", "hand": {"white": 0, "black": 0}} | more)


def moved(state, notation):
    return WEB.play(state, WEB.read_move(notation, state))


def read(state, layout, **more):
    return readings(WEB, state, sure(layout, WEB.board.places, **more))


def test_a_table_at_rest_is_nothing():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    assert read(state, WEB.layout(state))[0].kind == "nothing"


def test_a_legal_turn_is_found():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    best = read(state, WEB.layout(moved(state, "a1-a2")))[0]
    assert (best.kind, WEB.write_move(best.moves[0], state), best.ruling.legal) == ("turn", "a1-a2", True)


def test_a_breach_is_ruled_on_not_explained_away():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    best = read(state, WEB.layout(moved(state, "a1-a3")))[0]
    assert (WEB.write_move(best.moves[0], state), best.ruling.rule) == ("a1-a3", "2.3")


def test_a_capture_still_owed_is_a_part_of_a_turn():
    state = position(white=["a1", "a2", "b3"], black=["e1", "f1", "g1"])
    ranked = read(state, WEB.layout(moved(state, "b3-a3")))
    assert ranked[0].kind == "part"
    assert "x" in WEB.write_move(ranked[0].moves[0], state)


def test_two_turns_between_two_looks_are_told_apart():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    after = moved(moved(state, "a1-a2"), "e1-e2")
    best = read(state, WEB.layout(after))[0]
    assert best.kind == "turns"
    assert [WEB.write_move(move, state) for move in best.moves] == ["a1-a2", "e1-e2"]


def test_what_nothing_explains_is_said():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    seen = {"h3": Piece("piece", "white"), "h2": Piece("piece", "white"), "a1": Piece("piece", "black")}
    assert read(state, seen)[0].kind == "unexplained"


def test_a_hidden_place_stays_as_it_was():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    seen = sure(WEB.layout(state), [place for place in WEB.board.places if place != "a1"])
    assert readings(WEB, state, seen)[0].kind == "nothing"


def test_a_doubtful_place_is_decided_by_the_rules():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    seen = sure(WEB.layout(moved(state, "a1-a2")), WEB.board.places)
    seen["a2"] = {Piece("piece", "black"): 0.55, Piece("piece", "white"): 0.45}
    best = readings(WEB, state, seen)[0]
    assert WEB.write_move(best.moves[0], state) == "a1-a2"


def test_layouts_come_in_the_order_of_their_likelihood():
    rng = random.Random(2)
    pieces = [None, Piece("piece", "white"), Piece("piece", "black")]
    seen = {place: dict(zip(pieces, (rng.random() for _ in pieces), strict=True)) for place in ("a1", "a2", "a3")}
    fits = [fit for _, fit in likely_layouts({}, seen, 9.0)]
    assert fits == sorted(fits, reverse=True)
    assert len(fits) == 27
    assert len({tuple(sorted(layout.items())) for layout, _ in likely_layouts({}, seen, 9.0)}) == 27


def test_on_the_way_means_as_it_was_or_will_be():
    tile, other = Piece("piece", "white"), Piece("piece", "black")
    assert is_on_the_way({"a1": tile}, {}, {"a2": tile})
    assert not is_on_the_way({"a1": tile}, {"a2": tile}, {"a2": tile})
    assert not is_on_the_way({"a1": tile}, {"a1": other}, {"a2": tile})


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_every_visible_legal_turn_of_a_random_game_is_read_back(game):
    rng = random.Random(6)
    state = start(game, rng=rng)
    for _ in range(40):
        moves = legal_moves(game, state)
        if not moves:
            break
        move = rng.choice(moves)
        after = game.play(state, move)
        if not game.unseen(state, move):
            layout = game.layout(after)
            seen = {place: {layout.get(place): 0.97} for place in {*game.layout(state), *layout}}
            best = readings(game, state, seen)[0]
            assert best.kind == "turn"
            assert best.ruling.legal
            assert game.layout(game.play(state, best.moves[0])) == layout
        state = after


def between(game, state, move, rng):
    """Tables between a move's first picture and its last: its stages, and some with places left behind or lifted."""
    before, goal = game.layout(state), game.layout(game.play(state, move))
    stages = list(game.stages(state, move, {}))
    yield from stages
    for _ in range(4):
        mixed = {
            place: rng.choice([None, *(picture.get(place) for picture in (before, goal, *stages))])
            for place in differences(before, goal) + tuple(place for stage in stages for place in stage)
            if any(picture.get(place) != before.get(place) for picture in (goal, *stages))
        }
        yield {place: piece for place, piece in {**before, **mixed}.items() if piece is not None}


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_half_of_a_legal_turn_is_read_as_a_part_of_it(game):
    rng = random.Random(8)
    state, parts = start(game, rng=rng), 0
    while parts < 24:
        moves = legal_moves(game, state)
        move = rng.choice([move for move in moves if not game.unseen(state, move)] or moves)
        after = game.play(state, move)
        for table in between(game, state, move, rng):
            if table in (game.layout(state), game.layout(after)):
                continue
            whole = any(judge(game, state, other).legal for other in explanations(game, state, table))
            seen = {place: {table.get(place): 0.97} for place in {*game.board.places, *game.layout(state), *table}}
            assert readings(game, state, seen)[0].kind == ("turn" if whole else "part"), game.write_move(move, state)
            assert move in goals(game, state, table), game.write_move(move, state)
            parts += 1
        state = after


def firsts(game, state, table):
    """The legal moves that change only what differs, so that another turn may have followed."""
    differs = {*differences(game.layout(state), table)}
    touched = {
        move: {*differences(game.layout(state), game.layout(game.play(state, move)))}
        for move in suspects(game, state, table)
        if is_legal(game, state, move)
    }
    return {move for move, places in touched.items() if places and places <= differs}


def disturbed(game, state, rng):
    """Tables that half a turn, two turns or somebody's sleeve left behind."""
    move = rng.choice(legal_moves(game, state))
    then = game.play(state, move)
    yield from itertools.islice(between(game, state, move, rng), 3)
    if following := legal_moves(game, then):
        yield game.layout(game.play(then, rng.choice(following)))
    swept = dict(game.layout(then))
    if len(swept) > 3:
        one, other, third = rng.sample(sorted(swept), 3)
        swept[one], swept[other] = swept[other], swept[one]
        yield {place: piece for place, piece in swept.items() if place != third}


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_looking_only_where_the_table_differs_misses_no_turn(game):
    rng, everywhere = random.Random(9), replace(game, suspects=None)
    state = start(game, rng=rng)
    for _ in range(6):
        for table in disturbed(game, state, rng):
            if table == game.layout(state):
                continue
            lawful = {move for move in goals(game, state, table) if is_legal(game, state, move)}
            assert lawful == {*goals(everywhere, state, table)}
            assert firsts(game, state, table) == firsts(everywhere, state, table)
        state = game.play(state, rng.choice(legal_moves(game, state)))


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_illegal_turns_of_a_random_game_are_reported(game):
    rng = random.Random(7)
    state = start(game, rng=rng)
    for _ in range(12):
        moves = legal_moves(game, state)
        if not moves:
            break
        before = game.layout(state)
        legal_layouts = [game.layout(game.play(state, move)) for move in moves]
        for wrong in itertools.islice(game.conceivable(state), rng.randrange(50), 6000, 997):
            layout = game.layout(game.play(state, wrong))
            if layout == before or any(layout == fine or is_on_the_way(before, layout, fine) for fine in legal_layouts):
                continue
            best = readings(game, state, {place: {layout.get(place): 0.97} for place in {*before, *layout}})[0]
            assert best.kind in ("turn", "turns"), game.write_move(wrong, state)
            if best.kind == "turn":
                assert not judge(game, state, best.moves[0]).legal
        state = game.play(state, rng.choice(moves))


def test_the_margin_is_small_where_two_stories_are_alike():
    state = position(white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    clear = read(state, WEB.layout(moved(state, "a1-a2")))
    doubtful = sure(WEB.layout(moved(state, "a1-a2")), WEB.board.places)
    doubtful["a2"] = {Piece("piece", "white"): 0.5, None: 0.5}
    doubtful["a1"] = {Piece("piece", "white"): 0.5, None: 0.5}
    assert margin(clear) > 3 > margin(readings(WEB, state, doubtful))
