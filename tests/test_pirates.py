"""Pirates, Ninjas, Robots & Zombies: the set, the turns, what a picture shows, the points and the advice."""

import itertools
import json
import random
import time
from collections import Counter

import pytest

from companion.board import cell
from companion.events import Event, GameBegun, MovePlayed, OptionSwitched, TileCorrected
from companion.game import Unreadable, explanations, is_legal, judge, legal_moves, perft, start
from companion.games.pirates_ninjas_robots_zombies import GAME, design, rules, turns
from companion.games.pirates_ninjas_robots_zombies.advice import ranked
from companion.games.pirates_ninjas_robots_zombies.ground import Ground
from companion.games.pirates_ninjas_robots_zombies.quarters import (
    ANGLES,
    ENEMIES,
    TEAMS,
    icon_of,
    kind,
    looks,
    quarters_of,
    turned,
)
from companion.games.pirates_ninjas_robots_zombies.rules import Replace, Rotate, Swap, Turn
from companion.games.pirates_ninjas_robots_zombies.sections import best_sections, quarters_on, team_points
from companion.session import fold
from companion.table import Piece
from tests.counting import calls_of

TWO = {"south": ["P", "N"], "north": ["R", "Z"]}
CORNER = [("PN/zK", (0, 0)), ("RR/RM", (1, 0)), ("ZZ/Np", (0, 1))]


def position(area=CORNER, to_move="south", hand=3, other=3, **more):
    """A position of two players whose stack makes the tiles 54."""
    laid = [{"tile": tile, "at": list(at)} for tile, at in area]
    count = sum("!" not in tile for tile, _ in area)
    mine, theirs = (len(held) if isinstance(held, list) else held for held in (hand, other))
    hands = {to_move: hand, next(player for player in TWO if player != to_move): other}
    return {
        "game": GAME.name,
        "teams": TWO,
        "area": laid,
        "to_move": to_move,
        "stack": 54 - count - mine - theirs,
        "hands": hands,
    } | more


def table(*given, **more):
    return GAME.read_position(position(*given, **more))


def ruling(state, move):
    return judge(GAME, state, GAME.read_move(move, state))


def verdict(state, move):
    return ruling(state, move).rule or "legal"


def random_turn(state, rng):
    """A legal turn, drawn without listing all of them."""
    turn = rng.choice(list(turns.placements(state)))
    acting = list(turns.actions(state, turn))
    return turn._replace(action=rng.choice(acting)) if acting and rng.random() < 0.8 else turn


def random_states(seed, games, every=1):
    """Each state of random games of two, three and four players with the turn played from it."""
    rng = random.Random(seed)
    for game in range(games):
        state = start(GAME, GAME.seats[2 + game % 3], rng=rng)
        for ply in itertools.count():
            if GAME.to_move(state) is None:
                break
            turn = random_turn(state, rng)
            if ply % every == 0:
                yield state, turn
            state = GAME.play(state, turn)


# The set


def test_the_committed_catalogue_is_what_the_command_writes():
    assert (GAME.folder / "tiles.toml").read_text(encoding="utf-8") == design.catalogue()


def test_the_set_has_54_different_play_tiles_and_four_bases():
    assert len({kind(tile) for tile in design.design()}) == len(design.design()) == 54
    assert len(list(GAME.catalogue)) == 58
    assert all(tile.turns == len(looks(tile.name)) for tile in GAME.catalogue)


def test_whichever_teams_trade_their_pictures_it_stays_the_same_set():
    tiles = Counter(map(kind, design.design()))
    for teams in itertools.permutations(TEAMS):
        assert Counter(kind(design.trade(tile, teams)) for tile in design.design()) == tiles


def test_each_team_has_as_much_of_everything():
    shown = Counter(letter for tile in design.design() for letter in quarters_of(tile))
    for team in TEAMS:
        assert (shown[team], shown[team.lower()], shown[ENEMIES[team]]) == (42, 6, 6)
    icons = Counter((icon_of(tile), tile[0]) for tile in design.design() if icon_of(tile))
    assert icons == {(icon, team): 1 for icon in "ose" for team in TEAMS}


def test_no_item_of_the_set_is_negated_on_its_own_tile():
    for tile in design.design():
        for section in best_sections(quarters_on({(0, 0): tile}), True).values():
            assert not section.negated


# Turning


def test_a_quarter_turn_is_clockwise_and_four_of_them_are_none():
    assert turned("PN/zK", 90) == "zP/KN"
    assert turned("PN/zKo", 180) == "Kz/NPo"
    assert turned(turned("PN/zK", 270), 90) == "PN/zK"
    assert turned("P!", 90) == "P!"
    assert [len(looks(tile)) for tile in ("PP/PP", "PN/NP", "PP/NN", "P!")] == [1, 2, 4, 1]


# Turns


@pytest.mark.parametrize(("players", "turns_played"), [(2, 50), (3, 48), (4, 46)])
def test_without_base_moves_a_game_has_50_48_or_46_turns(players, turns_played):
    rng = random.Random(players)
    state = start(GAME, GAME.seats[players], rng=rng)
    played = 0
    while GAME.to_move(state) is not None:
        state = GAME.play(state, rng.choice([turn for turn in turns.placements(state) if turn.start is None]))
        played += 1
    assert played == turns_played
    assert GAME.write_position(state)["turns_left"] == 0
    assert legal_moves(GAME, state) == []


def test_ten_thousand_random_turns_break_nothing():
    moves = 0
    for state, turn in random_states(seed=1, games=210):
        moves += 1
        assert judge(GAME, state, turn).legal, GAME.write_move(turn, state)
        after = GAME.play(state, turn)
        assert rules.count_play_tiles(after) == 54
        sheet = GAME.score(after)
        assert set(sheet.points) == set(GAME.players(after))
        assert sum(sheet.points.values()) == sum(item.points for item in sheet.items)
        if moves % 4 == 0:
            assert GAME.read_position(json.loads(json.dumps(GAME.write_position(after)))) == after
            assert GAME.read_move(GAME.write_move(turn, state), state) == turn
    assert moves >= 10_000


def every_thinkable_turn(state):
    """All of a small table: every tile on every near cell, every base anywhere, every action with every angle."""
    near = {(column + right, row + up) for column, row in state.area for right in range(-2, 3) for up in range(-2, 3)}
    held = state.hand if isinstance(state.hand, tuple) else ()
    faces = {look for tile in held for _, look in looks(tile)} | {f"{team}!" for team in TEAMS}
    for face, to in itertools.product(faces, near | {(0, 0)}):
        yield Turn(face, to)
        there = [*state.area, to]
        for at in there:
            yield from (Turn(face, to, None, Rotate(at, angle)) for angle in ANGLES)
            yield from (Turn(face, to, None, Replace(at, other)) for other in faces)
        for first, second in itertools.combinations(sorted(there), 2):
            for angles in itertools.product(ANGLES, ANGLES):
                yield Turn(face, to, None, Swap(first, second, *angles))
        if face.endswith("!"):
            yield from (Turn(face, to, start) for start in state.area)


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        (["PN/NPs", "PP/RRo"], {}),
        (["NN/rKe", "PP/PP"], {}),
        (["PN/NPs"], {"bases": "owner"}),
        (["ZZ/ZZe", "PN/zK"], {"split": "may-not", "bases": "owner"}),
    ],
)
def test_legal_lists_every_turn_that_breaks_no_rule_once_for_each_look(hand, options):
    area = [("PN/zK", (0, 0)), ("R!", (1, 0)), ("P!", (0, 1)), ("NN/NN", (0, 2))]
    state = table(area, hand=hand, options=options)
    listed = legal_moves(GAME, state)
    assert len(set(listed)) == len(listed)
    lawful = [turn for turn in every_thinkable_turn(state) if is_legal(GAME, state, turn)]
    assert set(listed) <= set(lawful)
    led_to = {outcome_of(state, turn) for turn in listed}
    assert {outcome_of(state, turn) for turn in lawful} == led_to
    assert {turn._replace(action=None) for turn in lawful} <= set(listed)


def outcome_of(state, turn):
    """Where a turn leads: what lies where, and what is in the hand."""
    after = GAME.play(state, turn)
    return frozenset(after.area.items()), after.hands


def test_an_action_that_shows_nothing_is_not_listed_beside_the_plain_turn():
    state = table([("PP/PP", (0, 0)), ("PP/PP", (1, 0))], hand=["KK/KKs", "HH/HHo"])
    acting = {GAME.write_move(turn, state) for turn in legal_moves(GAME, state) if turn.action}
    assert acting == {
        f"KK/KKs@{to} s{min(at, new)[0]},{min(at, new)[1]}~{max(at, new)[0]},{max(at, new)[1]}:0,0"
        for new in turns.open_cells(state)
        for to in [cell(*new)]
        for at in ((0, 0), (1, 0))
    }


def test_of_a_hand_that_is_only_a_number_the_known_turns_are_listed_and_any_tile_is_lawful():
    state = table([*CORNER, ("P!", (2, 0))], hand=4)
    assert {turn.face for turn in legal_moves(GAME, state)} == {"P!", "N!"}
    assert verdict(state, "KM/DHs@1,1 s0,0~1,1:90,90") == "legal"
    assert perft(GAME, state, 1) == len(legal_moves(GAME, state))


def test_a_drawn_tile_that_nobody_named_makes_a_hand_a_number():
    after = GAME.play(state := table(hand=["PP/PP", "NN/NN", "ZZ/ZZ"]), GAME.read_move("PP/PP@1,1", state))
    assert after.hands == (3, 3)


def test_a_tile_from_a_known_stack_is_known_in_the_hand():
    given = position(hand=["PP/PP", "NN/NN", "ZZ/ZZ"]) | {"stack": 45, "order": ["KK/KK", *["DD/DD"] * 44]}
    after = GAME.play(state := GAME.read_position(given), GAME.read_move("PP/PP@1,1", state))
    assert after.hands[0] == ("KK/KK", "NN/NN", "ZZ/ZZ")
    assert after.stack == ("DD/DD",) * 44


# What a picture shows


def explained(state, changes):
    """What explains the layout with some cells changed, each turn with its ruling; ``None`` takes a tile away."""
    layout = dict(GAME.layout(state))
    for place, tile in changes.items():
        if tile is None:
            del layout[place]
        else:
            layout[place] = Piece(tile)
    found = list(explanations(GAME, state, layout))
    assert all(GAME.layout(GAME.play(state, turn)) == layout for turn in found)
    return [(GAME.write_move(turn, state), judge(GAME, state, turn).rule or "legal") for turn in found]


def test_a_new_tile_and_an_old_one_turned_is_one_turn_only_with_the_icon():
    state = table()
    assert explained(state, {"1,1": "PP/PPo", "0,0": "zP/KN"}) == [("PP/PPo@1,1 o0,0:90", "legal")]
    assert explained(state, {"1,1": "PP/PP", "0,0": "zP/KN"}) == [("PP/PP@1,1 o0,0:90", "2.4")]


def test_a_new_tile_and_two_old_ones_swapped_is_one_turn_only_with_the_icon():
    state = table()
    assert explained(state, {"1,1": "PP/PPs", "0,0": "RR/RM", "1,0": "Kz/NP"}) == [
        ("PP/PPs@1,1 s0,0~1,0:180,0", "legal")
    ]
    assert explained(state, {"1,1": "PP/PP", "0,0": "RR/RM", "1,0": "Kz/NP"}) == [("PP/PP@1,1 s0,0~1,0:180,0", "2.4")]


def test_a_new_tile_that_was_swapped_at_once_is_found_on_the_old_place():
    state = table()
    found = explained(state, {"1,1": "PN/zK", "0,0": "PP/PPs"})
    assert found[0] == ("PP/PPs@1,1 s0,0~1,1:0,0", "legal")
    assert ("PN/zK@1,1 e0,0=PP/PPs", "2.4") in found


def test_a_new_tile_and_another_in_an_old_place_is_one_turn_only_with_the_icon():
    state = table()
    assert explained(state, {"1,1": "PP/PPe", "0,0": "KK/KK"}) == [("PP/PPe@1,1 e0,0=KK/KK", "legal")]
    assert explained(state, {"1,1": "PP/PP", "0,0": "KK/KK"}) == [("PP/PP@1,1 e0,0=KK/KK", "2.4")]
    assert explained(state, {"1,1": "PP/PPe", "0,0": "N!"}) == [("PP/PPe@1,1 e0,0=N!", "legal")]


def test_a_breach_is_ruled_on_not_explained_away():
    state = table([*CORNER, ("R!", (2, 0)), ("N!", (3, 0))], hand=["PP/PP"], other=4)
    assert explained(state, {"2,1": "PP/PP"}) == [("PP/PP@2,1", "legal")]
    assert explained(state, {"5,1": "PP/PP"}) == [("PP/PP@5,1", "2.2")]
    assert explained(state, {"2,1": "PP/PN"}) == [("PP/PN@2,1", "2.3")]
    assert explained(state, {"2,0": None, "1,1": "R!"}) == [("R!2,0>1,1", "2.3")]
    assert explained(state, {"3,0": None, "1,1": "N!"}) == [("N!3,0>1,1", "legal")]
    assert explained(state, {"3,0": None, "4,0": "N!"}) == [("N!3,0>4,0", "2.5")]


def test_what_no_turn_shows_is_not_explained():
    state = table()
    assert explained(state, {}) == []
    assert explained(state, {"1,1": "PP/PP", "2,0": "PP/PP"}) == []
    assert explained(state, {"0,0": "zP/KN"}) == []
    assert explained(state, {"0,0": None, "1,1": "PN/zK"}) == []
    assert explained(state, {"1,1": "PP/PPs", "0,0": "KK/KK", "1,0": "HH/HH", "0,1": "DD/DD"}) == []
    assert explained(state, {"1,1": "no tile"}) == []


def test_no_conceivable_turn_is_missed_in_its_picture():
    for state, _ in random_states(seed=5, games=6, every=13):
        for turn in itertools.islice(turns.conceivable(state), 0, None, 199):
            layout = GAME.layout(GAME.play(state, turn))
            assert turn in set(explanations(GAME, state, layout)), GAME.write_move(turn, state)


def test_twins_in_an_own_set_are_explained_too():
    state = table([("PN/zK", (0, 0)), ("zP/KN", (1, 0)), ("PP/PP", (0, 1))], hand=["PN/zKs", "PN/zKe", "PN/zK"])
    for turn in turns.conceivable(state):
        layout = GAME.layout(GAME.play(state, turn))
        assert turn in set(explanations(GAME, state, layout)), GAME.write_move(turn, state)


# Points


def test_an_item_of_the_score_names_what_counts_and_what_is_negated():
    state = GAME.read_position({"game": GAME.name, "grid": "11PPK/11pZH/NNrRR"})
    says = {item.player: item.says for item in GAME.score(state).items}
    assert says["P"] == "Pirate section: 1 character + 1 treasure chest + the base; 1 negated by the Kraken on 1,0 ne"
    assert says["Z"] == "Zombie section: nothing that counts; 1 negated by the Hunter on 1,0 se"
    assert says["R"] == "Robot section: 2 characters + 1 battery"


def test_every_section_and_every_negated_quarter_is_drawn():
    state = table([("PP/NK", (0, 0)), ("KN/NP", (1, 0))])
    drawn = {(mark.place, mark.ink, " ".join(mark.quarters)) for mark in GAME.marks(state)}
    assert drawn == {
        ("0,0", "pirate", "nw ne"),
        ("1,0", "pirate-lesser", "se"),
        ("0,0", "ninja", "sw"),
        ("1,0", "ninja-lesser", "ne"),
        ("1,0", "ninja-lesser", "sw"),
        ("0,0", "negated", "ne"),
    }


def test_one_more_tile_is_counted_as_if_everything_were_counted_anew():
    for connect in (True, False):
        for state, _ in random_states(seed=6, games=6, every=5):
            ground = Ground(state.area, connect)
            assert ground.points == team_points(quarters_on(state.area), connect)
            for turn in itertools.islice(turns.placements(state), 0, None, 13):
                if turn.start is None:
                    whole = team_points(quarters_on(rules.area_after(state, turn)), connect)
                    assert ground.points_with(turn.face, turn.to) == whole


def test_points_alone_are_the_points_of_the_best_sections():
    for connect in (True, False):
        for state, _ in random_states(seed=7, games=6, every=7):
            shown = quarters_on(state.area)
            best = best_sections(shown, connect)
            expected = {team: best[team].points if team in best else 0 for team in TEAMS}
            assert team_points(shown, connect) == expected


def test_a_table_of_58_tiles_is_scored_in_few_steps():
    """Five milliseconds are allowed, in which some 6,000 functions are called."""
    rng = random.Random(8)
    faces = [*(turned(tile, rng.choice(ANGLES)) for tile in design.design()), *(f"{team}!" for team in TEAMS)]
    rng.shuffle(faces)
    state = rules.Table({divmod(i, 8): face for i, face in enumerate(faces)})
    _, calls = calls_of(lambda: GAME.score(state))
    assert calls < 4_000


# The border


@pytest.mark.parametrize(
    ("wrong", "says", "at"),
    [
        ({"stack": 40}, "49 play tiles", "stack"),
        ({"stack": -1}, "not -1", "stack"),
        ({"order": ["PP/PP"]}, "order is that of 1 tiles", "order"),
        ({"stack": 0}, "last tile is drawn", "turns_left"),
        ({"turns_left": 2}, "only when the last tile", "turns_left"),
        ({"turns_left": 3, "stack": 0, "hands": {"south": 25, "north": 26}}, "one more turn", "turns_left"),
        ({"to_move": "west"}, "'west' does not play", "to_move"),
        ({"hands": {"south": 3, "west": 3}}, "'west' does not play", "hands.west"),
        ({"hands": {"south": ["P!"], "north": 3}}, "is a base", "hands.south.0"),
        ({"hands": {"south": ["PP"], "north": 3}}, "is no tile", "hands.south.0"),
        ({"teams": {"south": ["P"], "north": ["R"]}}, "each has 2 teams", "teams.south"),
        ({"teams": {"south": ["P", "N"], "north": ["R", "P"]}}, "taken twice", "teams.north"),
        ({"teams": {"south": ["P", "X"], "north": ["R", "Z"]}}, "no team", "teams.south"),
        ({"teams": {"south": ["P", "N"]}}, "two, three or four", "teams"),
        ({"area": [{"tile": "PQ/PP", "at": [0, 0]}]}, "is no tile", "area.0.tile"),
        ({"area": [{"tile": "PP/PP", "at": [0]}]}, "is .column, row.", "area.0.at"),
        ({"area": [{"tile": "PP/PP", "at": [0, 0]}] * 2}, "two tiles lie on 0,0", "area.1.at"),
        ({"area": [{"tile": "P!", "at": [i, 0]} for i in (0, 1)]}, "lies twice", "area.1.tile"),
        ({"options": {"split": "perhaps"}}, "split is one of", "options.split"),
        ({"grid": "PP/PP"}, "stands alone", "area"),
    ],
)
def test_an_impossible_position_is_an_error_that_names_it(wrong, says, at):
    with pytest.raises(Unreadable, match=says) as error:
        GAME.read_position(position() | wrong)
    assert error.value.at == at


@pytest.mark.parametrize("grid", ["", "PP/P", "PP//PP", "QQ", "33333"])
def test_a_grid_is_a_rectangle_of_quarters(grid):
    with pytest.raises(Unreadable):
        GAME.read_position({"game": GAME.name, "grid": grid})


def test_a_fourth_base_stays_out_when_three_play():
    given = {"teams": {"south": ["P"], "north": ["R"], "west": ["Z"]}, "area": [{"tile": "N!", "at": [0, 0]}]}
    with pytest.raises(Unreadable, match="nobody plays"):
        GAME.read_position({"game": GAME.name} | given)


@pytest.mark.parametrize(
    "move",
    [
        "PP/PP",
        "PP/PP@1",
        "PP/PP@01,0",
        "PP@1,0",
        "P!1,0",
        "PP/PP1,0>2,0",
        "PP/PP@1,0 o",
        "PP/PP@1,0 o0,0",
        "PP/PP@1,0  o0,0:90",
        "PP/PP@1,0 o0,0:90 o0,0:90",
        "PP/PPx@1,0",
        "X!@0,0",
        "P!@1000,0",
        "P!@0,0 e1,0=XX",
    ],
)
def test_what_is_no_move_is_unreadable(move):
    with pytest.raises(Unreadable):
        GAME.read_move(move, table())


def test_a_base_may_be_spelled_out():
    state = table()
    assert GAME.write_move(GAME.read_move("PPPP!@1,1", state), state) == "P!@1,1"


def test_a_position_without_a_mover_is_scored_but_has_no_turns():
    state = GAME.read_position({"game": GAME.name, "grid": "PP/PP"})
    assert legal_moves(GAME, state) == list(turns.conceivable(state)) == []
    assert GAME.to_move(state) is None
    assert not GAME.outcome(state).over
    assert GAME.advise(state, 0.1, time.monotonic) == ()
    with pytest.raises(Unreadable, match="whose turn"):
        GAME.read_move("PP/PP@0,0", state)


def test_when_the_game_is_over_nobody_need_be_to_move():
    given = position(hand=25, other=26) | {"stack": 0, "turns_left": 0, "to_move": None}
    state = GAME.read_position(given)
    assert verdict(state, "PP/PP@1,1") == "2.6"
    assert verdict(state, "P!@1,1") == "2.6"
    assert GAME.write_position(state)["to_move"] is None


def test_every_option_of_the_rule_book_is_offered_with_its_default():
    assert {(option.rule, option.default) for option in GAME.options} == {
        ("2.5", "anyone"),
        ("2.5", "may"),
        ("3.3", "connects"),
        ("3.4", "shared"),
    }


# The record


def test_others_see_neither_the_stack_nor_the_hand():
    state = start(GAME, rng=random.Random(1))
    shown = GAME.write_position(GAME.seen_by(state, "south"))
    assert shown["stack"] == 48
    assert shown["hands"] == {"south": list(state.hands[0]), "north": 3}
    assert GAME.write_position(GAME.seen_by(state, None))["hands"] == {"south": 3, "north": 3}


def test_a_correction_keeps_54_tiles():
    state = table([*CORNER, ("P!", (2, 0))])
    for place, piece in [("1,1", Piece("PP/PP")), ("0,0", None), ("0,0", Piece("KK/KK")), ("1,1", Piece("P!"))]:
        after = GAME.amend(state, place, piece)
        assert GAME.layout(after).get(place) == piece
        assert GAME.read_position(GAME.write_position(after)) == after
    assert "2,0" not in GAME.layout(GAME.amend(state, "1,1", Piece("P!")))
    for place, tile in [("1,1", "nothing known"), ("north:hand", "PP/PP")]:
        with pytest.raises(Unreadable):
            GAME.amend(state, place, Piece(tile))


def test_a_base_put_back_where_it_lay_cannot_be_seen():
    state = table([*CORNER, ("P!", (2, 0))])
    assert GAME.unseen(state, GAME.read_move("P!2,0>2,0", state))
    assert not GAME.unseen(state, GAME.read_move("P!2,0>1,1", state))


@pytest.mark.parametrize("more", [{}, {"stack": 0, "turns_left": 2, "hands": {"south": 0, "north": 51}}])
@pytest.mark.parametrize("move", ["PP/PP@0,0", "PP/PP@5,5", "R!@1,1", "PP/PP@1,1 e0,0=NN/NN", "PP/PP@1,1 e9,9=NN/NN"])
def test_after_a_breach_the_table_can_still_be_written_and_read(move, more):
    state = GAME.read_position(position() | more)
    assert not ruling(state, move).legal
    after = GAME.play(state, GAME.read_move(move, state))
    assert GAME.read_position(GAME.write_position(after)) == after


def test_a_base_played_twice_lies_only_where_it_came_last():
    state = table([*CORNER, ("P!", (2, 0))])
    for move in ("P!@1,1", "P!0,0>1,1", "PP/PPe@1,1 e0,1=P!"):
        after = GAME.play(state, GAME.read_move(move, state))
        assert list(after.area.values()).count("P!") == 1
        assert GAME.read_position(GAME.write_position(after)) == after


def test_a_record_folds_with_a_breach_a_correction_and_a_house_rule():
    facts = [
        GameBegun(GAME.name, position()),
        MovePlayed("south", "PP/PP@1,1 o0,0:90"),
        TileCorrected("0,0", Piece("PN/zK")),
        OptionSwitched("negated", "breaks"),
        MovePlayed("north", "R!@2,0"),
    ]
    standing = fold(Event(number, fact) for number, fact in enumerate(facts, 1))
    assert [move.ruling.rule for move in standing.moves] == ["2.4", None]
    assert standing.score.points["north"] == 8


# Advice


def best(state, seconds=0.5):
    return GAME.advise(state, seconds, time.monotonic)[0]


def test_advice_joins_two_sections_and_says_so():
    area = [("PP/PP", (-1, 0)), ("KD/MH", (0, 1)), ("PP/PP", (1, 0)), ("ZZ/ZZ", (2, 0))]
    state = table(area, hand=["PP/Pp", "HH/HH", "RN/RN"], other=[])
    found = best(state)
    assert GAME.write_move(found.move, state).endswith("@0,0")
    assert "brings Pirate from 4 to" in found.because


def test_advice_uses_the_action_that_wins_more():
    area = [("PP/PP", (0, 0)), ("Dp/Dp", (1, 0)), ("P!", (-1, 0)), ("N!", (0, -1))]
    more = {"stack": 0, "turns_left": 1, "hands": {"south": ["HH/HHo"], "north": 51}}
    state = GAME.read_position(position(area) | more)
    found = best(state)
    assert isinstance(found.move.action, Rotate)
    assert found.move.action.cell == (1, 0)
    assert (found.gain, found.because) == (6, "brings Pirate from 9 to 15 with 1,0 rotated")


def test_advice_thinks_of_the_answer():
    """A base is worth five anywhere; between the Robots it keeps them apart as well."""
    area = [("RR/RR", (-1, 0)), ("RR/RR", (1, 0)), ("MM/HH", (0, -1)), ("PP/PP", (-2, 0)), ("PP/PP", (2, 0))]
    state = table(area, hand=["DD/DD"], other=["RR/RR"])
    assert len({idea.turn.to for idea in ranked(state) if idea.gain == 5}) > 5
    assert best(state).move.to == (0, 0)


def test_advice_keeps_to_its_time_and_never_peeks():
    state = start(GAME, rng=random.Random(3))
    for _ in range(30):
        state = GAME.play(state, ranked(state)[0].turn)
    begun = time.process_time()
    advice = GAME.advise(GAME.seen_by(state, GAME.to_move(state)), 0.3, time.process_time)
    assert time.process_time() - begun < 0.6
    assert all(is_legal(GAME, state, one.move) for one in advice)
    assert sorted((one.gain for one in advice), reverse=True) == [one.gain for one in advice]


def test_advice_beats_random_play():
    for seed in range(3):
        rng = random.Random(seed)
        state = start(GAME, rng=rng)
        while (player := GAME.to_move(state)) is not None:
            if player == "south":
                turn = GAME.advise(GAME.seen_by(state, player), 0.02, time.process_time)[0].move
            else:
                turn = random_turn(state, rng)
            state = GAME.play(state, turn)
        assert GAME.outcome(state).winner == "south"
