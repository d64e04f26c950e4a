"""Paiko against a second engine written slowly from the rules, and through whole random games."""

import collections
import itertools
import random
import time
from dataclasses import replace

import pytest

from companion.game import Unreadable, explanations, is_legal, judge, legal_moves, perft, start
from companion.games.paiko.field import COLOURS, Botched, Field, Side, house
from companion.games.paiko.patterns import LETTERS, PLACES, STANDING_AS, counted
from companion.registry import game_named
from companion.table import FACE_DOWN, Piece

GAME = game_named("paiko")


def position(white=(), black=(), hand="", **more):
    """A position with White to move, from the tiles on the board and White's hand; all others are in reserve."""
    sides = {"white": {"board": list(white), "hand": hand}, "black": {"board": list(black)}}
    return GAME.read_position({"game": "paiko", "to_move": "white", **sides, **more})


def written(state):
    return sorted(GAME.write_move(move, state) for move in legal_moves(GAME, state))


def ruled(state, notation):
    return judge(GAME, state, GAME.read_move(notation, state))


# --- the second engine: squares are pairs, a tile is (letter, (x, y), facing) ---

NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
STRAIGHT = [(0, -1), (1, 0), (0, 1), (-1, 0)]
THREAT = {
    "S": NEIGHBOURS,
    "B": [(0, -2), (0, -3), (0, -4)],
    "E": [(1, 0), (2, 0), (-1, 0), (-2, 0), (0, 1), (0, 2), (0, -1), (0, -2)],
    "F": [(0, 0), (-1, -1), (0, -1), (1, -1), (-2, -2), (-1, -2), (0, -2), (1, -2), (2, -2)],
    "W": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "I": [(0, -1)],
    "L": [],
    "A": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
}
COVER = {"W": STRAIGHT, "I": [(-1, 0), (1, 0)], "L": [(0, 0), *NEIGHBOURS]}
STEPS = dict(zip("SBEFWILA", (2, 2, 1, 2, 2, 2, 0, 0), strict=True))
BLACK_SQUARES = {(5, 5), (7, 6), (6, 7), (8, 8)}
SQUARES = [(x, y) for x in range(14) for y in range(14) if 6 <= x + y <= 20 and abs(x - y) <= 7]


def word(square):
    return "abcdefghijklmn"[square[0]] + str(14 - square[1])


def reach(tile, pattern):
    letter, (x, y), facing = tile
    for dx, dy in pattern.get(letter, []):
        for _ in range("NESW".index(facing or "N")):
            dx, dy = -dy, dx
        yield x + dx, y + dy


def at_home(player, square):
    x, y = square
    return (x <= 6 and y >= 7) if player == "white" else (x >= 7 and y <= 6)


def threat(square, own, enemy):
    return sum(square in reach(t, THREAT) for t in enemy) + sum(square in reach(t, THREAT) for t in own if t[0] == "F")


def is_covered(player, square, own):
    return at_home(player, square) or any(square in reach(tile, COVER) for tile in own)


def falls(player, tile, own, enemy):
    return threat(tile[1], own, enemy) >= (3 if is_covered(player, tile[1], own) else 2)


def gives_away(player, own, enemy):
    return any(falls(player, tile, own, enemy) for tile in own)


def facings(letter):
    return "NESW" if letter in "BFI" else [""]


def slow_actions(player, own, enemy, hand, reserve):
    """Every legal action of a turn, in notation, by the plainest reading of sections 5 and 6."""
    taken = {tile[1] for tile in own + enemy}
    threatened = {square for tile in own for square in reach(tile, THREAT)}

    def landing(square):
        return (
            square in SQUARES
            and square not in taken
            and square not in BLACK_SQUARES
            and (at_home(player, square) or square in threatened)
            and threat(square, own, enemy) == 0
        )

    def ends(tile, others):
        letter, begin, _ = tile
        found, edge = {begin}, {begin}
        busy = {other[1] for other in others + enemy}
        for _ in range(STEPS[letter]):
            edge = {(x + dx, y + dy) for x, y in edge for dx, dy in STRAIGHT}
            edge = {s for s in edge if s in SQUARES and s not in busy and s not in BLACK_SQUARES and passes(s)}
            found |= edge
        return found

    for letter in sorted(set(hand)):
        for square in SQUARES:
            for facing in facings(letter):
                tile = (letter, square, facing)
                lasting = letter == "L" and square not in taken and threat(square, own, enemy) < 3
                if (lasting if letter == "L" else landing(square)) and not gives_away(player, [*own, tile], enemy):
                    yield letter + word(square) + facing
        if letter == "I":

            def passes(s):
                return not falls(player, ("I", s, "N"), own, enemy)

            for square in filter(landing, SQUARES):
                for end in ends(("I", square, "N"), own) - {square}:
                    for facing in "NESW":
                        if not gives_away(player, [*own, ("I", end, facing)], enemy):
                            yield f"I{word(square)}{facing}-{word(end)}{facing}"
    for tile in own:
        letter, begin, before = tile
        others = [other for other in own if other is not tile]

        def passes(s, letter=letter, others=others):
            count = threat(s, others, enemy) + (letter == "F")
            return count < (3 if is_covered(player, s, others) else 2)

        if STEPS[letter]:
            for end in ends(tile, others):
                for facing in facings(letter):
                    idle = end == begin and facing == before and letter in "BFI"
                    if not idle and not gives_away(player, [*others, (letter, end, facing)], enemy):
                        yield f"{word(begin)}-{word(end)}{facing}"
        if letter == "W":
            for square in filter(landing, SQUARES):
                if not gives_away(player, [*others, ("W", square, "")], enemy):
                    yield f"{word(begin)}@{word(square)}"
    if reserve and not gives_away(player, own, enemy):
        for drawn in set(itertools.combinations(sorted(reserve, key=LETTERS.index), min(3, len(reserve)))):
            yield "+" + "".join(drawn)


def slow_captures(player, own, enemy):
    """What the player loses in the capture phase."""
    left = list(own)
    while lost := [t for t in left if t[0] != "F" and falls(player, t, left, enemy)]:
        left = [t for t in left if t not in lost]
    left = [t for t in left if not falls(player, t, left, enemy)]
    return sorted(set(own) - set(left))


def as_pairs(side):
    return [(t.text[0], (t.square % 16, t.square // 16), t.text[-1] if t.text[0] in "BFI" else "") for t in side.board]


def crowded(rng):
    """A random position with many tiles close to each other and nothing that could be captured already."""
    while True:
        squares = rng.sample([s for s in SQUARES if s not in BLACK_SQUARES], rng.randint(4, 24))
        sides = []
        for part in (squares[::2], squares[1::2]):
            bag = rng.sample(list(LETTERS * 3), 24)
            board = [letter + word(s) + rng.choice(facings(letter)) for letter, s in zip(bag, part, strict=False)]
            rest = bag[len(part) :]
            cut = rng.randint(0, min(6, len(rest)))
            tiles = tuple(sorted((STANDING_AS[text] for text in board), key=lambda tile: tile.text))
            sides.append(Side(tiles, counted(rest[:cut]), counted(rest[cut:])))
        state = Field(rng.randrange(2), (sides[0], sides[1]))
        pairs = [as_pairs(side) for side in sides]
        quiet = not any(gives_away(COLOURS[i], pairs[i], pairs[1 - i]) for i in (0, 1))
        if quiet and not GAME.outcome(state).over:
            return state


def test_a_second_engine_finds_the_same_actions_and_captures():
    rng = random.Random(20)
    for _ in range(25):
        state = crowded(rng)
        player, mine, enemy = COLOURS[state.mover], as_pairs(state.mine), as_pairs(state.enemy)
        hand, reserve = GAME.write_position(state)[player]["hand"], GAME.write_position(state)[player]["reserve"]
        found = written(state)
        assert found == sorted(slow_actions(player, mine, enemy, hand, reserve)), GAME.write_position(state)
        for notation in rng.sample(found, min(30, len(found))):
            after = GAME.play(state, GAME.read_move(notation, state))
            pairs = as_pairs(after.sides[state.mover])
            gone = sorted(set(enemy) - set(as_pairs(after.sides[1 - state.mover])))
            assert gone == slow_captures(COLOURS[1 - state.mover], enemy, pairs), notation


def test_ten_thousand_random_moves_keep_every_promise():
    rng, moves, endings = random.Random(5), 0, collections.Counter()
    while moves < 10_000:
        state = start(GAME, rng=rng)
        for _ in range(500):
            legal = legal_moves(GAME, state)
            if not legal:
                break
            move = rng.choice(legal)
            assert is_legal(GAME, state, move), GAME.write_move(move, state)
            state = GAME.play(state, move)
            moves += 1
            for side in state.sides:
                on_board = counted(tile.text[0] for tile in side.board)
                assert [sum(n) for n in zip(on_board, side.hand, side.reserve, side.lost, strict=True)] == [3] * 8
            sheet = GAME.score(state)
            assert sum(sheet.points.values()) == sum(item.points for item in sheet.items)
        endings[GAME.outcome(state).rule] += 1
    assert endings["7.1"] > 5


def some_notation(rng):
    """Something that looks like a move, sensible or not."""
    square = lambda: rng.choice("abcdefghijklmn") + str(rng.randint(1, 14))  # noqa: E731
    facing = lambda: rng.choice(["", *"NESW"])  # noqa: E731
    letter = lambda: rng.choice(LETTERS)  # noqa: E731
    action = rng.choice(
        [
            lambda: letter() + square() + facing(),
            lambda: letter() + square() + facing() + "-" + square() + facing(),
            lambda: square() + "-" + square() + facing(),
            lambda: square() + "@" + square(),
            lambda: "+" + "".join(letter() for _ in range(rng.randint(1, 10))),
            lambda: "?" + letter(),
            lambda: "pass",
        ]
    )()
    return action + rng.choice(["", "", "", "=" + square(), "x" + square(), "~" + square() + facing()])


def test_whatever_can_be_read_can_be_ruled_on_and_pictured():
    rng, read = random.Random(6), 0
    states = [start(GAME), *(crowded(rng) for _ in range(20))]
    states += [replace(state, owed=1) for state in states[1:5]]
    legal = {state: set(legal_moves(GAME, state)) for state in states}
    while read < 3000:
        state, text = rng.choice(states), some_notation(rng)
        try:
            move = GAME.read_move(text, state)
        except Unreadable:
            continue
        read += 1
        ruling = judge(GAME, state, move)
        assert ruling.says
        assert set(ruling.places) <= set(GAME.board.places)
        after = GAME.play(state, move)
        assert GAME.read_position(GAME.write_position(after)) == after
        assert GAME.read_move(GAME.write_move(move, state), state) == move
        assert ruling.legal == (move in legal[state])


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.name)
def test_with_every_option_legal_is_conceivable_without_a_breach(option):
    rng = random.Random(3)
    state = start(GAME, chosen={option.name: option.choices[1]}, rng=rng)
    for ply in range(111):
        legal = legal_moves(GAME, state)
        if not legal:
            break
        assert GAME.read_position(GAME.write_position(state)) == state
        if ply in (50, 110):
            slow = sorted(GAME.write_move(m, state) for m in GAME.conceivable(state) if is_legal(GAME, state, m))
            assert written(state) == slow
        state = GAME.play(state, rng.choice(legal))


def test_sequences_of_moves_are_counted_without_a_short_cut_and_with_one():
    assert perft(GAME, start(GAME), 2) == 2472 * 5328
    state = position(["Sg6"], ["Eh9", "Bi10S"], hand="E")
    assert perft(GAME, state, 2) == perft(replace(GAME, quick_perft=None), state, 2)


def test_conceivable_moves_come_once_each():
    rng = random.Random(8)
    state = crowded(rng)
    notations = collections.Counter(GAME.write_move(move, state) for move in GAME.conceivable(state))
    assert max(notations.values()) == 1


@pytest.mark.parametrize("seed", range(9, 17))
def test_a_picture_is_explained_by_the_conceivable_moves_that_make_it_and_by_no_other(seed):
    rng = random.Random(seed)
    state = crowded(rng)
    pictures = collections.defaultdict(list)
    for move in GAME.conceivable(state):
        pictures[tuple(side.board for side in GAME.play(state, move).sides)].append(move)
    ambiguous = [made for made in pictures.values() if len(made) > 1]
    for made in rng.sample([*pictures.values()], 30) + rng.sample(ambiguous, min(30, len(ambiguous))):
        found = explanations(GAME, state, GAME.layout(GAME.play(state, made[0])))
        assert sorted(GAME.write_move(move, state) for move in found) == sorted(
            GAME.write_move(move, state) for move in made
        )


def test_a_turned_tile_may_be_all_that_shows_of_a_shift_in_place():
    state = position(["Sg6"], ["Bj9S"])
    seen = GAME.layout(state) | {"j9": Piece("bow", "black", 3)}
    assert [GAME.write_move(move, state) for move in explanations(GAME, state, seen)] == ["j9-j9W", "g6-g6~j9W"]


def test_an_enemy_tile_that_was_turned_and_fell_by_it_is_among_the_explanations():
    state = position(["Se8", "Fh7W"], ["Fe9W", "Lf8"])
    turned = GAME.read_move("e9-e9E", state)
    seen = GAME.layout(GAME.play(state, turned))
    assert seen.keys() == {"e8", "h7"}
    assert turned in explanations(GAME, state, seen)


def test_a_pick_takes_no_tile_along_that_was_left_standing():
    state = position(["Sc8", "Sd8"], ["Wc9"], owed=1)
    before = GAME.layout(state)
    after = {place: piece for place, piece in before.items() if place != "c9"}
    seen = [{GAME.write_move(move, state) for move in explanations(GAME, state, table)} for table in (before, after)]
    made = [set(), set()]
    for move in GAME.conceivable(state):
        table = GAME.layout(GAME.play(state, move))
        if table in (before, after):
            made[table == after].add(GAME.write_move(move, state))
    assert seen == made
    assert "?S" in made[0]
    assert "pass" in made[1]


def test_a_forgotten_capture_is_read_from_the_table_and_named():
    state = position(["Sc8", "Sd7"], ["Wc9", "Ad9"])
    seen = dict(GAME.layout(state))
    seen["d8"] = seen.pop("d7")
    del seen["c9"]
    (move,) = explanations(GAME, state, seen)
    assert move == GAME.read_move("d7-d8=d9", state)
    ruling = judge(GAME, state, move)
    assert (ruling.legal, ruling.rule) == (False, "6.2")
    assert "Air on d9" in ruling.says


def test_a_table_that_no_pair_of_hands_makes_in_one_turn_has_no_explanation():
    state = position(["Sc8", "Sd7"], ["Wc9", "Ad9"])
    assert list(explanations(GAME, state, {})) == []
    assert list(explanations(GAME, state, {"zz": Piece("sword", "white")})) == []
    assert list(explanations(GAME, state, {"c8": Piece("teapot", "white")})) == []


def test_a_ruling_counts_the_threat_and_lights_the_tiles_that_make_it():
    state = position(["Se7"], ["Be12S", "Sd9"])
    ruling = ruled(state, "e7-e8")
    assert "threat 2" in ruling.says
    assert set(ruling.places) == {"e7", "e8", "e12", "d9"}


def test_a_capture_is_told_with_its_reason():
    told = ruled(position(["Sc8", "Sd7"], ["Wc9", "Ad9"]), "d7-d8").says
    assert "captures Water on c9 (threat 2" in told
    assert "then Air on d9" in told
    assert "its cover gone" in told


def test_marks_show_threat_and_cover_and_what_captures_a_tile():
    marks = {(mark.place, mark.ink): mark.label for mark in GAME.marks(position(["Sc8", "Sd8"], ["Wc9", "Ad9"]))}
    assert marks["c9", "threat-black"] == "2/2"
    assert marks["d9", "threat-black"] == "2/3"
    assert ("d9", "cover-black") in marks
    assert marks["b9", "threat-black"] == "1"
    assert ("g6", "cover-white") not in marks


def test_a_correction_takes_the_tile_from_the_hand_and_gives_the_other_back():
    state = position(["Sg6"], hand="B")
    amended = GAME.amend(state, "g6", Piece("bow", "white", 1))
    assert GAME.write_position(amended)["white"]["board"] == ["Bg6E"]
    assert GAME.write_position(amended)["white"]["hand"] == "S"
    assert GAME.amend(GAME.amend(state, "g6", None), "g6", Piece("sword", "white")) == state


@pytest.mark.parametrize(
    ("place", "piece"),
    [
        ("a14", None),
        ("zz", None),
        ("g6", Piece("sword", None)),
        ("g6", Piece("teapot", "white")),
        ("g6", Piece("bow", "white", None)),
        ("c5", Piece("sword", "white")),
    ],
)
def test_an_impossible_correction_is_refused(place, piece):
    with pytest.raises(Unreadable):
        GAME.amend(position(["Sg6", "Sg5", "Sg4"]), place, piece)


def test_a_tile_that_shows_its_back_is_to_be_turned_over():
    with pytest.raises(Unreadable, match=r"the tile on c5 shows its back.*: turn it over"):
        GAME.amend(position(["Sg6"]), "c5", Piece(FACE_DOWN, "black"))


@pytest.mark.parametrize(
    ("broken", "at"),
    [
        ({"white": {"board": ["Sg6", "Bg6N"]}}, "white.board.1"),
        ({"white": {"board": ["Sa14"]}}, "white.board.0"),
        ({"white": {"board": ["Sg6N"]}}, "white.board.0"),
        ({"white": {"board": ["Bg6"]}}, "white.board.0"),
        ({"white": {"board": ["sg6"]}}, "white.board.0"),
        ({"white": {"hand": "SSSS"}}, "white"),
        ({"white": {"hand": "X"}}, "white.hand"),
        ({"white": {"reserve": "S"}}, "white"),
        ({"white": {"board": ["Sg6"]}, "black": {"board": ["Sg6"]}}, "black.board"),
        ({"white": {"bord": []}}, "white.bord"),
        ({"owed": -1}, "owed"),
        ({"owed": 25}, "owed"),
        ({"owed": "1"}, "owed"),
        ({"to_move": "red"}, "to_move"),
        ({"game": "chess"}, "game"),
        ({"options": {"fires": "never"}}, "options.fires"),
        ({"options": {"water": "wet"}}, "options.water"),
        ({"in_a_row": {"white": {"tile": "g6", "turns": 1}}}, "in_a_row.white.tile"),
    ],
)
def test_an_impossible_position_is_refused_with_the_place(broken, at):
    sound = {"game": "paiko", "to_move": "white", "white": {}, "black": {}}
    with pytest.raises(Unreadable) as refused:
        GAME.read_position(sound | broken)
    assert refused.value.at == at


@pytest.mark.parametrize(
    "text",
    ["Sg6N", "Bg6", "Bg6N-h7", "g6-h7E", "g6=c8", "g6-g5=c9", "g6-g5xa8", "g6-g5~g6N", "+", "+X", "??S", "Pass", "Xg6"],
)
def test_what_is_no_move_is_refused(text):
    with pytest.raises(Unreadable):
        GAME.read_move(text, position(["Sg6"], ["Sc9"]))


def test_notation_is_read_kindly_where_only_one_thing_can_be_meant():
    state = position(["Bg6N"], hand="I")
    assert GAME.write_move(GAME.read_move("g6-g5", state), state) == "g6-g5N"
    assert GAME.write_move(GAME.read_move("+BSS", state), state) == "+SSB"
    assert GAME.write_move(GAME.read_move("Ie5N-e6W", state), state) == "Ie5W-e6W"
    assert GAME.write_move(GAME.read_move("Ie5N-e5W", state), state) == "Ie5W"


def test_a_position_is_written_in_the_order_of_the_notation():
    state = position(["Sg6", "Bg5N", "Ed9"], ["Wc8", "Ac7"], hand="ABS", owed=0)
    after = GAME.play(state, GAME.read_move("g6-h6", state))
    assert list(GAME.write_position(after)) == ["game", "to_move", "white", "black", "owed"]
    assert list(GAME.write_position(after)["white"]) == ["board", "hand", "reserve", "lost"]
    assert GAME.write_position(after)["white"]["board"] == ["Bg5N", "Ed9", "Sh6"]
    assert GAME.write_position(after)["white"]["hand"] == "SBA"


def test_a_sai_and_its_run_stand_once_for_each_end_in_the_list():
    state = position(hand="I")
    runs = [notation for notation in written(state) if "-" in notation]
    assert len(runs) == len(set(runs))
    assert all(run[-1] == run.split("-")[0][-1] for run in runs)
    assert sum(run.startswith("Ie5") for run in runs) == 48


def test_four_shifts_in_a_row_are_counted_over_the_turns_and_ended_by_any_other_action():
    state = position(["Se5"], ["Sj9"], options={"fourth-shift-in-a-row": "forbidden"})
    for there, back in (("e5-e6", "j9-j10"), ("e6-e5", "j10-j9"), ("e5-e6", "j9-j10")):
        for notation in (there, back):
            assert ruled(state, notation).legal
            state = GAME.play(state, GAME.read_move(notation, state))
    assert ruled(state, "e6-e5").rule == "8.5"
    drawn = GAME.play(state, GAME.read_move("+SBE", state))
    assert ruled(drawn, "j10-j9").rule == "8.5"
    rested = GAME.play(drawn, GAME.read_move("+SBE", drawn))
    assert ruled(rested, "e6-e5").legal


def test_a_pick_is_owed_by_who_was_to_move_and_not_by_who_moves_instead():
    state = position(["Sg6"], ["Sj9"], owed=1)
    assert ruled(state, "g6-g5").rule == "6.3"
    assert ruled(GAME.give_turn(state, "black"), "j9-j10").legal


def test_every_breach_that_hands_can_make_is_pictured():
    state = position(["Sg5", "Bd5N"], ["Bj9S", "Sc8"], hand="S")
    moves = {GAME.write_move(move, state) for move in GAME.conceivable(state)}
    black_square, third_step, into_threat = "Sg7", "g5-g8", "Sd7"
    enemy_moved, wrong_capture, wrong_facing = "j9-j10S", "g5-g6xc8", "g5-g6~j9W"
    assert {black_square, third_step, into_threat, enemy_moved, wrong_capture, wrong_facing} <= moves


def test_the_options_are_told_apart_by_their_names():
    for i, option in enumerate(GAME.options):
        chosen = start(GAME, chosen={option.name: option.choices[1]}).options
        assert [n for n, on in enumerate(house(chosen)) if on] == [i]


def test_a_botched_move_says_what_was_botched():
    state = position(["Sc8", "Sd7"], ["Wc9", "Ad9"])
    move = GAME.read_move("d7-d8=c9=d9", state)
    assert isinstance(move, Botched)
    assert {PLACES[i] for i in range(224) if move.left >> i & 1} == {"c9", "d9"}
    assert replace(move, left=0) != move


def best_move(state, seconds=0.05):
    return GAME.advise(state, seconds, time.process_time)[0]


def test_advice_takes_the_win_and_says_so():
    state = position(["Aj9", "Bk9N", "El10", "Sh10"], ["Sb8"], hand="A")
    best = best_move(state)
    assert GAME.outcome(GAME.play(state, best.move)).winner == "white"
    assert "wins the game" in best.because


def test_advice_names_the_points_and_the_captures():
    state = position(["Ae5", "Ee7", "Sc8"], ["Sd9"], hand="EA")
    best = best_move(state)
    assert GAME.write_move(best.move, state) in ("Eb9", "Ab8")
    assert "wins 1 point" in best.because
    assert "captures Sword on d9, which costs Black 1 point" in best.because


def test_advice_says_which_tile_it_saves():
    state = position(["Si4"], ["Sj5", "Sg4"])
    reasons = [advice.because for advice in GAME.advise(state, 0.1, time.process_time)]
    assert any("saves the Sword on i4" in because for because in reasons), reasons


def test_advice_keeps_to_its_time():
    state = crowded(random.Random(4))
    begun = time.process_time()
    GAME.advise(state, 0.3, time.process_time)
    assert time.process_time() - begun < 0.6


def plays_greedily(state, rng):
    """The move that leaves the best difference of points, a coin among equals."""
    player, other = COLOURS[state.mover], COLOURS[1 - state.mover]
    valued = []
    for move in legal_moves(GAME, state):
        points = GAME.score(GAME.play(state, move)).points
        valued.append((points[player] - points[other], move))
    best = max(value for value, _ in valued)
    return rng.choice([move for value, move in valued if value == best])


def plays_randomly(state, rng):
    return rng.choice(legal_moves(GAME, state))


@pytest.mark.parametrize("opponent", [plays_randomly, plays_greedily])
def test_advice_beats_an_opponent_that_does_not_look_ahead(opponent):
    for seed, advised in enumerate((0, 1, 0, 1)):
        rng = random.Random(seed)
        state = start(GAME, rng=rng)
        for _ in range(200):
            if GAME.to_move(state) is None:
                break
            move = best_move(state, 0.03).move if state.mover == advised else opponent(state, rng)
            state = GAME.play(state, move)
        assert GAME.outcome(state).winner == COLOURS[advised]
