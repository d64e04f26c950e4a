"""ZU Tiles: whole random games, with reactions now and then, in which no tile is ever made or lost."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zu_drawn import GAME

from companion.game import explanations, is_legal, legal_moves, start
from companion.games.zu_tiles_hime.catalogue import CATALOGUE, reacts
from companion.games.zu_tiles_hime.rules.conceivable import abilities, known_hand
from companion.games.zu_tiles_hime.rules.moves import Battle, Exchange, Played, Stack
from companion.games.zu_tiles_hime.rules.position import known_tiles
from companion.games.zu_tiles_hime.rules.setup import setup_custom
from companion.games.zu_tiles_hime.seen import tiles_in_all
from companion.games.zu_tiles_hime.targets import candidates


def every_tile(state):
    """All tiles with their owners' names off, wherever they lie."""
    return Counter(known_tiles(state))


def some_reaction(state, rng):
    """A reaction somebody could add: a tile held, or an ability, with targets that may or may not be fit."""
    seat = rng.choice(state.alive())
    plays = [Played(tile, seat, reaction=True) for tile in known_hand(state.player(seat)) if reacts(tile)]
    plays += abilities(state, seat, "R")
    if not plays:
        return None
    play = rng.choice(plays)
    aims = list(candidates(state, play))
    if not aims:
        return None
    return Played(play.tile, seat, rng.choice(aims), play.at, reaction=True)


def with_reactions(state, move, rng):
    if not isinstance(move, Stack | Battle):
        return move
    added = []
    while rng.random() < 0.5 and (reaction := some_reaction(state, rng)):
        added.append(reaction)
    kind = type(move)
    fields = {name: getattr(move, name) for name in move.__slots__}
    reacted = kind(**(fields | {"reactions": tuple(added)}))
    return reacted if is_legal(GAME, state, reacted) else move


def play_to_the_end(state, rng, most=3000):
    tiles = every_tile(state)
    for _ in range(most):
        moves = legal_moves(GAME, state)
        if not moves:
            break
        move = with_reactions(state, rng.choice(moves), rng)
        text = GAME.write_move(move, state)
        assert GAME.read_move(text, state) == move
        state = GAME.play(state, move)
        assert every_tile(state) == tiles, text
    outcome = GAME.outcome(state)
    assert outcome.over
    assert (outcome.winner is None) == outcome.draw
    assert GAME.read_position(GAME.write_position(state)) == state
    return state


@pytest.mark.parametrize("number", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_a_random_game_runs_to_an_end_and_keeps_every_tile(number, seed):
    rng = random.Random(100 * number + seed)
    assert GAME.outcome(play_to_the_end(start(GAME, GAME.seats[number], rng=rng), rng)).over


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), decks=st.sampled_from(["ROM-DSR", "DSR-DSR", "ROM-ROM"]), number=st.integers(2, 4))
def test_any_decks_and_any_number_of_players_run_to_an_end(seed, decks, number):
    rng = random.Random(seed)
    assert GAME.outcome(play_to_the_end(start(GAME, GAME.seats[number], {"decks": decks}, rng), rng)).over


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_custom_decks_of_anything_run_to_an_end(seed):
    rng = random.Random(seed)
    names = [tile.name for tile in CATALOGUE if tile.values["type"] != "placeholder"]
    decks = {seat: rng.choices(names, k=rng.randrange(5, 40)) for seat in GAME.seats[rng.choice([2, 3, 4])]}
    assert GAME.outcome(play_to_the_end(setup_custom(decks, rng), rng)).over


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_game_of_which_only_the_numbers_are_known_keeps_its_number_of_tiles(number):
    rng = random.Random(number)
    state = start(GAME, GAME.seats[number], rng=rng)
    count = 40 * number
    for _ in range(150):
        moves = legal_moves(GAME, state)
        if not moves:
            break
        move = GAME.write_move(rng.choice(moves), state)
        bystander = GAME.seen_by(state, None)
        told = GAME.read_move(move, bystander)
        assert is_legal(GAME, bystander, told), move
        assert tiles_in_all(GAME.play(bystander, told)) == count, move
        state = GAME.play(state, GAME.read_move(move, state))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_judged_legal_without_reactions_is_listed(seed):
    """Aims drawn anywhere near the tiles, not from the candidates: what the rules allow must be in the list."""
    rng = random.Random(seed)
    state = start(GAME, GAME.seats[rng.choice([2, 3])], rng=rng)
    tried = 0
    for _ in range(70):
        moves = legal_moves(GAME, state)
        if not moves:
            break
        listed = {GAME.write_move(move, state) for move in moves}
        for text in aims_at_random(state, rng, 40):
            move = GAME.read_move(text, state)
            tried += 1
            assert not is_legal(GAME, state, move) or GAME.write_move(move, state) in listed, text
        state = GAME.play(state, rng.choice(moves))
    assert tried > 500


@pytest.mark.parametrize("seed", range(3))
def test_no_explanation_is_missed_by_the_shorter_way(seed):
    rng = random.Random(seed)
    state = start(GAME, GAME.seats[2 + seed], rng=rng)
    for ply in range(60):
        moves = legal_moves(GAME, state)
        if not moves:
            break
        stacks = [move for move in moves if isinstance(move, Stack)]
        move = rng.choice(stacks or moves)
        if ply % 6 == 0:
            seen = GAME.layout(GAME.play(state, move))
            slow = {GAME.write_move(m, state) for m in moves if GAME.layout(GAME.play(state, m)) == seen}
            quick = {GAME.write_move(m, state) for m in explanations(GAME, state, seen)}
            assert GAME.write_move(move, state) in quick
            assert slow <= quick
        state = GAME.play(state, rng.choice(moves))


def kind_of(move):
    """Whether it is a Battle, a Place and so on; of a stack, what it is begun with."""
    return move.first.tile if isinstance(move, Stack) else type(move).__name__


@pytest.mark.parametrize("seed", [78, 138, 149, 220, 322])
def test_what_came_out_of_a_hand_that_nobody_knows_is_found_again_from_its_picture(seed):
    """Moves of every kind as often, and all exchanges by which somebody loses, with every tile in play."""
    rng = random.Random(seed)
    state = start(GAME, GAME.seats[rng.choice([2, 3, 4])], rng=rng)
    for _ in range(60):
        moves = legal_moves(GAME, state)
        if not moves:
            break
        kind = rng.choice(sorted({kind_of(move) for move in moves}))
        move = rng.choice([move for move in moves if kind_of(move) == kind])
        for each in (move, *(other for other in moves if loses_by_exchange(state, other))):
            bystander = GAME.seen_by(state, None)
            seen = GAME.layout(GAME.play(bystander, GAME.read_move(GAME.write_move(each, state), bystander)))
            found = explanations(GAME, bystander, seen) if seen != GAME.layout(bystander) else (each,)
            assert any(is_legal(GAME, bystander, other) for other in found), GAME.write_move(each, state)
        state = GAME.play(state, move)


def loses_by_exchange(state, move):
    return isinstance(move, Exchange) and move.stack == 1 and GAME.play(state, move).player(state.mover).lost


def aims_at_random(state, rng, number):
    cells = [(x + i, y + j) for x, y in state.area for i in (-1, 0, 1) for j in (-1, 0, 1)] or [(0, 0)]

    def cell():
        x, y = rng.choice(cells)
        return f"{x},{y}"

    forms = {
        "cell": lambda: cell(),
        "cells": lambda: ";".join(sorted({cell(), cell()})),
        "pair": lambda: f"{cell()}~{cell()}",
        "jump": lambda: f"{cell()}>{cell()}",
        "carry": lambda: f"{cell()}>{cell()}",
        "line": lambda: f"{cell()}>{cell()}{rng.choice(['', '+1', '+2'])}",
        "path": lambda: f"{cell()}>{cell()}{rng.choice(['', ':' + cell()])}",
        "paths": lambda: f"{cell()}>{cell()}",
        "heading": lambda: f"{cell()}>{rng.choice('enws')}",
    }
    held = known_hand(state.player(state.mover))
    stacks = [name for name in held if CATALOGUE[name].values.get("targets") in forms]
    for _ in range(number):
        kind = rng.choice(["place", "battle", "stack"])
        if kind == "place":
            yield f"{rng.choice(held)}@{cell()}" if held else ".1"
        elif kind == "battle":
            sides = "".join(rng.choice(["", "+" + cell(), "-" + cell()]) for _ in range(2))
            yield f"{cell()}>{cell()}{sides}*{rng.choice(held) if held else '?'}"
        elif stacks:
            name = rng.choice(stacks)
            form = CATALOGUE[name].values["targets"]
            aim = forms[form]()
            yield f"!{name}({aim})" if form != "cells" or ";" in aim else ".1"
