import itertools
import json
import random

import pytest

from companion.game import Unreadable, explanations, is_legal, judge, legal_moves, start
from companion.games.tu_tzi.cards import ANIMAL, CARD, DECK, ELEMENT, GRID, card_of_year, known
from companion.games.tu_tzi.formations import best_formation, can_make, checkered
from companion.games.tu_tzi.match import BlindSwitch, Build, Discard, Recruit
from companion.games.tu_tzi.prospects import prospects
from companion.games.tu_tzi.score import CHURCH, FENG_SHUI, place, points_of, special_hand
from companion.registry import game_named
from companion.table import Piece

GAME = game_named("tu_tzi")


def read(**keys):
    return GAME.read_position({"game": "tu_tzi", **keys})


def still():
    return 0.0


def shown(grid):
    rows = zip(GRID, grid, strict=True)
    return dict(cell for animals, elements in rows for cell in zip(animals, elements, strict=True))


def test_the_cards_are_those_of_the_rule_book():
    assert [CARD[0, element] for element in range(5)] == [1, 13, 25, 37, 49]
    assert (ANIMAL[2], ELEMENT[2]) == (1, 0)
    assert (ANIMAL[60], ELEMENT[60]) == (11, 4)
    assert len(CARD) == 60
    assert [GAME.catalogue[str(card)].title for card in (1, 25, 60)] == ["Wood Rat", "Earth Rat", "Water Pig"]
    assert card_of_year(1984) == 1
    assert card_of_year(2008) == 25


def test_special_hands_are_as_many_as_the_rules_count_among_all_ways_to_give_elements():
    # Rows are all Unity, all Diversity, or all alike with Unity columns: nothing else is a special hand (6.4). Naming
    # the elements anew changes no points, so the first diverse row stands for all sixty.
    unity = (tuple((element,) * 3 for element in elements) for elements in itertools.product(range(5), repeat=4))
    alike = ((row,) * 4 for row in itertools.product(range(5), repeat=3) if len(set(row)) == 2)
    rows = list(itertools.permutations(range(5), 3))
    diverse = (((0, 1, 2), *rest) for rest in itertools.product(rows, repeat=3) if columns_agree(((0, 1, 2), *rest)))
    counts = {}
    for grids, weight in ((unity, 1), (alike, 1), (diverse, 60)):
        for grid in grids:
            if hand := special_hand(shown(grid)):
                counts[hand.name] = counts.get(hand.name, 0) + weight
    assert counts == {
        "Feng Shui": 118_080,
        "Coup D'Etat": 3_000,
        "Triumverate": 420,
        "Church & State": 200,
        "Elemental Imperium": 5,
    }


def columns_agree(grid):
    return {len(set(column)) for column in zip(*grid, strict=True)} in ({1}, {4})


def test_sixty_checkerboards_are_church_and_state_by_agreement_only():
    grids = {checkered(*board) for board in itertools.product(range(3), range(5), range(5)) if board[1] != board[2]}
    assert len(grids) == 60
    assert {special_hand(shown(grid), checkerboard=True) for grid in grids} == {CHURCH}
    assert {special_hand(shown(grid)) for grid in grids} == {None}


def test_every_complete_group_is_an_item_that_names_its_number_and_quality():
    sheet = GAME.score(read(formations={"south": [25, 5, 45, 22, 26, 30, 43, 35, 3, 28, 56, 60]}))
    assert [(item.points, item.rule, item.says.split(":")[0]) for item in sheet.items] == [
        (30, "6.1", "trine 1, Unity"),
        (10, "6.1", "trine 2, Diversity"),
        (0, "6.1", "trine 3, Basic"),
        (10, "6.1", "trine 4, Diversity"),
        (20, "6.2", "square 1, Diversity"),
        (50, "6.2", "square 2, Unity"),
        (0, "6.2", "square 3, Basic"),
    ]
    assert sheet.items[0].places == ("p1:a1", "p1:b1", "p1:c1")
    special = GAME.score(read(formations={"south": [25, 53, 57, 10, 2, 6, 43, 59, 51, 28, 56, 60]}))
    assert [(item.points, item.rule) for item in special.items] == [(180, "6.4")]
    assert special.items[0].says.startswith("Feng Shui")


@pytest.mark.parametrize("seed", range(40))
def test_the_best_formation_is_the_best_of_all_that_the_cards_allow(seed):
    rng = random.Random(seed)
    cards = rng.sample(DECK, rng.randint(3, 22))
    held = {}
    for card in cards:
        held.setdefault(ANIMAL[card], []).append(card)
    if seed % 2:
        held.update({animal: [CARD[animal, rng.randrange(2)]] for animal in range(12)})
    cards = [card for choices in held.values() for card in choices]
    every = [points_of(chosen) for chosen in itertools.islice(itertools.product(*held.values()), 5000)]
    best = best_formation(cards)
    assert best.points == points_of(best.cards)
    assert set(best.cards) <= set(cards)
    assert best.points >= max(every)
    if len(every) < 5000:
        assert best.points == max(every)


def test_the_best_formation_of_the_whole_deck_is_found_at_once():
    assert best_formation(DECK).points == 360
    assert best_formation(()).points == 0


def test_ten_thousand_random_moves_lose_no_card_and_break_no_rule():
    rng = random.Random(7)
    played = 0
    players = itertools.cycle((2, 3, 4, 5))
    chosen = itertools.cycle(({}, {"open-hand": "on"}, {"tie": "another-round", "blind-double": "again"}))
    while played < 10_000:
        state = start(GAME, GAME.seats[next(players)], next(chosen), rng)
        for ply in range(1_500):
            moves = legal_moves(GAME, state)
            if not moves:
                assert GAME.outcome(state).over
                break
            move = rng.choice(moves)
            assert is_legal(GAME, state, move)
            if ply % 25 == 0:
                check_closely(state, moves)
            state = GAME.play(state, move)
            assert every_card(state) == list(DECK)
            played += 1


def every_card(state):
    piles = (*state.formations, *state.hands, state.stock, *state.piles)
    return sorted(card for cards in piles for card in cards)


def check_closely(state, moves):
    sheet = GAME.score(state)
    assert sum(sheet.points.values()) == sum(item.points for item in sheet.items)
    assert GAME.read_position(json.loads(json.dumps(GAME.write_position(state)))) == state
    conceived = set(GAME.conceivable(state))
    assert set(moves) <= conceived
    assert all(not is_legal(GAME, state, move) for move in conceived - set(moves))
    assert len(moves) == len(set(moves))
    points = [known(formation) for formation in state.formations]
    assert all(len({ANIMAL[card] for card in cards}) == len(cards) for cards in points)


def with_other_secrets(state, player, rng):
    """The same table with the cards that the player cannot see shuffled among hands and stock."""
    position = GAME.write_position(state)
    others = [other for other in state.players if other != player]
    hidden = [card for other in others for card in position["hands"][other]] + position["order"]
    rng.shuffle(hidden)
    for other in others:
        count = len(position["hands"][other])
        position["hands"][other], hidden = sorted(hidden[:count]), hidden[count:]
    return GAME.read_position(position | {"order": hidden, "seed": rng.getrandbits(32)})


@pytest.mark.parametrize("number", [2, 3, 5])
def test_nothing_a_player_is_told_depends_on_what_others_hold(number):
    rng = random.Random(number)
    state = start(GAME, GAME.seats[number], rng=rng)
    for ply in range(200):
        moves = legal_moves(GAME, state)
        if state.stock and all(state.hands) and ply % 8 == 0:
            player = GAME.to_move(state)
            other = with_other_secrets(state, player, rng)
            assert GAME.seen_by(other, player) == GAME.seen_by(state, player)
            assert legal_moves(GAME, other) == moves
            assert all(judge(GAME, other, move) == judge(GAME, state, move) for move in GAME.conceivable(state))
            assert GAME.advise(other, 0.01, still) == GAME.advise(state, 0.01, still)
            assert prospects(other, player, samples=5) == prospects(state, player, samples=5)
            assert GAME.layout(other) == GAME.layout(state)
            assert GAME.score(other) == GAME.score(state)
        state = GAME.play(state, rng.choice(moves))


def test_a_bystander_sees_neither_hands_nor_stock_nor_what_deals_come_from():
    state = start(GAME, ("a", "b", "c"), rng=random.Random(1))
    seen = GAME.write_position(GAME.seen_by(state, None))
    assert seen["hands"] == {"a": 7, "b": 7, "c": 7}
    assert seen["stock"] == 38
    assert "seed" not in seen
    own = GAME.write_position(GAME.seen_by(state, "b"))
    assert own["hands"] == {"a": 7, "b": list(state.hands[1]), "c": 7}
    opened = start(GAME, ("a", "b"), {"open-hand": "on"}, random.Random(1))
    assert GAME.seen_by(opened, "a").hands == opened.hands


def test_what_a_player_may_see_is_a_position_that_plays_on():
    rng = random.Random(3)
    state = GAME.seen_by(start(GAME, ("a", "b"), rng=rng), "a")
    for _ in range(30):
        moves = legal_moves(GAME, state)
        assert set(moves) <= set(GAME.conceivable(state))
        state = GAME.play(state, rng.choice(moves))
        assert GAME.read_position(GAME.write_position(state)) == state


def test_a_ruling_on_one_hand_tells_nothing_of_another_that_is_known():
    known_to_b = {"hands": {"a": 5, "b": [13, 17]}, "formations": {"a": [], "b": []}, "stock": 20, "discards": [14]}
    state = read(players=["a", "b"], to_move="a", phase="build", **known_to_b)
    assert judge(GAME, state, GAME.read_move(">13", state)).legal
    after = GAME.play(state, GAME.read_move(">13", state))
    assert GAME.write_position(after)["hands"] == {"a": 4, "b": [17, None]}


@pytest.mark.parametrize("seed", range(20))
def test_the_first_dealer_is_the_first_who_is_dealt_a_rat(seed):
    number = 2 + seed % 4
    rng = random.Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    first_rat = next(i for i, card in enumerate(deck) if card in (1, 13, 25, 37, 49))
    state = start(GAME, GAME.seats[number], rng=random.Random(seed))
    assert state.dealer == first_rat % number
    assert GAME.to_move(state) == state.players[(state.dealer + 1) % number]
    assert [len(hand) for hand in state.hands] == [7] * number
    assert len(state.stock) == 60 - 7 * number - 1
    assert len(state.tops) == 1


def test_the_deal_passes_to_the_left_and_five_rounds_end_the_match():
    rng = random.Random(11)
    state = start(GAME, GAME.seats[3], rng=rng)
    dealers = [state.dealer]
    while moves := legal_moves(GAME, state):
        before, state = state, GAME.play(state, rng.choice(moves))
        if state.round != before.round:
            dealers.append(state.dealer)
            assert (state.formations, state.totals) == (((), (), ()), before.totals)
    assert dealers == [(dealers[0] + i) % 3 for i in range(5)]
    assert GAME.outcome(state).rule == "7.1"
    assert GAME.write_position(state)["rounds"] == 5


def test_the_same_seed_deals_the_same_cards():
    assert start(GAME, rng=random.Random(5)) == start(GAME, rng=random.Random(5))
    assert start(GAME, rng=random.Random(5)) != start(GAME, rng=random.Random(6))


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ({"formations": {"south": [61]}}, "formations.south"),
        ({"formations": {"south": [0]}}, "formations.south"),
        ({"formations": {"south": [1, 1]}}, "formations.south"),
        ({"formations": {"south": [1, 13]}}, "formations.south.1"),
        ({"formations": {"south": [1]}, "hands": {"south": [1]}}, "hands.south"),
        ({"hands": {"south": [1]}, "stock": 1, "order": [1]}, "stock"),
        ({"stock": 2, "order": [1]}, "order"),
        ({"stock": [1]}, "stock"),
        ({"discards": [14], "hands": {"south": [14]}}, "discards.0"),
        ({"discards": [14, 15, 16]}, "discards"),
        ({"players": ["a", "b", "c"], "discards": [14, 15]}, "discards"),
        ({"hands": {"south": 30}, "stock": 31}, "stock"),
        ({"hands": {"south": -1}}, "hands"),
        ({"stock": -1}, "stock"),
        ({"stock": True}, "stock"),
        ({"players": ["a", "a"]}, "players"),
        ({"players": ["a", "b", "c", "d", "e", "f"]}, "players"),
        ({"players": ["a", "b"], "to_move": "c"}, "to_move"),
        ({"players": ["a", "b"], "dealer": "c"}, "dealer"),
        ({"players": ["a", "b"], "totals": {"c": 1}}, "totals.c"),
        ({"phase": "deal"}, "phase"),
        ({"round": 0}, "round"),
        ({"layout": [[1, 1]]}, "layout"),
        ({"layout": [["x"]]}, "layout.0.0"),
        ({"earned": {"south": ["t5"]}, "hands": {"south": 1}}, "earned.south"),
        ({"options": {"open-hand": "maybe"}}, "options.open-hand"),
    ],
)
def test_an_impossible_position_is_refused_and_the_place_is_named(keys, at):
    with pytest.raises(Unreadable) as refused:
        read(**keys)
    assert refused.value.at.startswith(at)


@pytest.mark.parametrize(
    "text", ["<0", "<61", "<007", "+", "+1,", "+1,1", "5<>", "5<>west?", ">9:3", ">", "layout", "deal:0"]
)
def test_what_is_no_move_is_refused(text):
    with pytest.raises(Unreadable):
        GAME.read_move(text, read(players=["south", "north"], to_move="south", phase="build"))


def test_a_move_needs_a_player_but_a_layout_does_not():
    state = read(layout=[[25, 5, 45]])
    assert judge(GAME, state, GAME.read_move("layout", state)).legal
    with pytest.raises(Unreadable, match="whose turn"):
        GAME.read_move("pass", state)


def test_cards_of_a_build_may_be_named_in_any_order():
    state = read(players=["a", "b"], to_move="a", phase="build", hands={"a": [1, 5, 9, 10]})
    assert GAME.write_move(GAME.read_move("+9,1,5", state), state) == "+1,5,9"


def test_a_build_from_an_unknown_hand_is_found_from_its_picture():
    state = read(
        players=["a", "b"],
        to_move="b",
        phase="build",
        formations={"a": [], "b": []},
        hands={"a": [2], "b": 6},
        stock=9,
        discards=[14],
    )
    for build in (Build((1, 5, 9)), Build((1, 2, 5, 6, 9, 10))):
        assert build in list(explanations(GAME, state, GAME.layout(GAME.play(state, build))))
    discard = Discard(33)
    assert discard in list(explanations(GAME, state, GAME.layout(GAME.play(state, discard))))


def test_a_card_that_a_switch_brought_is_read_from_the_picture():
    state = read(
        players=["a", "b"], to_move="a", phase="tu tzi", formations={"a": [25, 5]}, hands={"b": 3}, stock=4, discards=[]
    )
    switch = BlindSwitch(5, 1, 17)
    assert switch in list(explanations(GAME, state, GAME.layout(GAME.play(state, switch))))


def test_the_open_game_needs_nothing_typed():
    state = read(
        players=["a", "b"],
        to_move="a",
        phase="recruit",
        hands={"a": [2], "b": [3]},
        stock=9,
        discards=[14],
        options={"open-hand": "on"},
    )
    drawn = Recruit(None, 33)
    assert not GAME.unseen(state, drawn)
    assert list(explanations(GAME, state, GAME.layout(GAME.play(state, drawn)))) == [drawn]


def test_a_correction_puts_a_card_where_it_lies():
    state = read(
        players=["a", "b"],
        to_move="a",
        phase="build",
        formations={"a": [1, 5], "b": [9]},
        hands={"a": [13]},
        discards=[14],
    )
    assert GAME.amend(state, "p1:a1", Piece("13")).formations[0] == (5, 13)
    assert GAME.amend(state, "p1:a1", Piece("13")).hands[0] == (None,)
    assert GAME.amend(state, "p2:c1", None).formations[1] == ()
    assert GAME.amend(state, "discard:1", Piece("15")).tops == (15,)
    assert GAME.amend(state, "discard:1", None).tops == ()


def test_prospects_name_what_is_missing_and_how_likely_it_is():
    feng_shui = [25, 53, 57, 10, 2, 6, 43, 59, 51, 28, 56, 60]
    lacking = [card for card in feng_shui if card not in (25, 60)]
    state = read(
        players=["a", "b"],
        to_move="a",
        phase="recruit",
        formations={"a": [], "b": []},
        hands={"a": lacking, "b": 2},
        stock=1,
        discards=[14],
    )
    found = {prospect.hand: prospect for prospect in prospects(state, "a")}[FENG_SHUI]
    assert len(found.missing) == 2
    assert found.chance == 0
    nearly = read(
        players=["a", "b"],
        to_move="a",
        phase="recruit",
        formations={"a": [], "b": []},
        hands={"a": [*lacking, 25], "b": 2},
        stock=1,
        discards=[14],
    )
    found = {prospect.hand: prospect for prospect in prospects(nearly, "a")}[FENG_SHUI]
    held = known(nearly.hands[0])
    completing = [card for card in DECK if card not in (*held, 14) and can_make((*held, card), FENG_SHUI)]
    assert len(found.missing) == 1
    assert found.chance == pytest.approx(len(completing) / (60 - len(held) - 1))


def test_a_hand_whose_cards_lie_elsewhere_is_out_of_reach():
    rats = {"b": [25], "c": [13], "d": [1], "e": [37]}
    state = read(
        players=["a", "b", "c", "d", "e"],
        to_move="a",
        phase="recruit",
        formations={"a": [], **rats},
        hands={"a": [49]},
        stock=10,
        discards=[14],
    )
    gone = {p.hand.name: p.missing for p in prospects(state, "a", samples=5)}
    assert gone["Elemental Imperium"] is not None
    buried = read(
        players=["a", "b"],
        to_move="a",
        phase="recruit",
        formations={"a": []},
        hands={"a": [2]},
        stock=10,
        discards=[14],
        below=[[1, 13, 25, 37, 49]],
    )
    assert all(p.missing is None and p.chance == 0 for p in prospects(buried, "a", samples=5))


def test_advice_beats_random_play_by_far():
    rng = random.Random(4)
    points = {"a": 0, "b": 0}
    for _ in range(2):
        state = start(GAME, ("a", "b"), rng=rng)
        while state.phase != "over":
            if GAME.to_move(state) == "a":
                move = GAME.advise(state, 0.02, still)[0].move
            else:
                move = rng.choice(legal_moves(GAME, state))
            state = GAME.play(state, move)
        points = {player: points[player] + earned for player, earned in GAME.score(state).points.items()}
    assert points["a"] >= 3 * points["b"] + 100


def test_advice_tells_which_special_hand_is_in_reach():
    state = start(GAME, ("a", "b"), rng=random.Random(2))
    best = GAME.advise(state, 0.3, still)[0]
    assert "points to expect" in best.because
    assert "of all stocks" in best.because or "special hand" in best.because


@pytest.mark.parametrize("where", ["formation", "discard:1"])
def test_a_card_that_is_put_right_in_a_game_under_way_is_still_one_of_sixty(where):
    for seed in range(30):
        rng = random.Random(seed)
        state = start(GAME, GAME.seats[rng.choice(sorted(GAME.seats))], rng=rng)
        card = rng.choice(DECK)
        amended = GAME.amend(state, place(0, card) if where == "formation" else where, Piece(str(card)))
        read_back = GAME.read_position(GAME.write_position(amended))
        assert card in (read_back.formation(0) if where == "formation" else read_back.tops)
