import dataclasses
import hashlib
import itertools
import json
import random
import time

import cv2
import numpy as np
import pytest

from companion.game import Unreadable, is_legal, start
from companion.registry import game_named, games
from companion.table import Piece
from vision.sources import full_picture, open_source
from vision.studio.clutter import thing
from vision.studio.film import film, page
from vision.studio.sim import MISCHIEF, SimulatedTable, Wishes
from vision.studio.stage import Step, steps_between

SMALL = Wishes(size=(160, 120), pace=6.0, rate=5.0)


def _watch(table, until, most=4000):
    """Frames until something is so, or the test fails."""
    for frame in itertools.islice(table, most):
        yield frame
        if until(table):
            return
    raise AssertionError([event["kind"] for event in table.truth])


def _told(table, kind, **more):
    return [
        event
        for event in table.truth
        if event["kind"] == kind and all(event.get(key) == value for key, value in more.items())
    ]


def test_the_same_seed_gives_the_same_frames_and_the_same_truth():
    seen = []
    for _ in range(2):
        source = open_source("sim:zhizhu?seed=7&size=160x120&pace=4&rate=5&mischief=all")
        frames = [hashlib.sha256(frame.pixels.tobytes()).hexdigest() for frame in itertools.islice(source, 150)]
        seen.append((frames, source.truth))
        source.close()
    assert seen[0] == seen[1]
    assert len(set(seen[0][0])) == 150


def test_frames_come_at_a_steady_rate_and_are_numbered():
    table = SimulatedTable(game_named("zhizhu"), SMALL)
    frames = list(itertools.islice(table, 20))
    assert [frame.number for frame in frames] == list(range(1, 21))
    assert np.allclose(np.diff([frame.taken for frame in frames]), 0.2)
    assert frames[0].pixels.shape == (120, 160, 3)


def test_light_and_noise_change_from_frame_to_frame_though_nothing_moves():
    table = SimulatedTable(game_named("zhizhu"), SMALL)
    first, second = (frame.pixels.astype(int) for frame in itertools.islice(table, 2))
    assert 0 < np.abs(first - second).mean() < 6


def _drawn_both_ways(table):
    """This moment's table without hands, with them drawn where they are, and with all of it drawn anew."""
    studio, held, arms = table._watching.studio, table.stage.held(), table.stage.arms()
    laid = studio.laid(table.stage.shot())
    still = studio.finished(laid, ())
    return still, studio.with_hands(still, laid, held, arms), studio.finished(studio.added(laid, held), arms)


def test_a_table_is_watched_with_small_pictures_and_read_from_full_ones_of_the_same_moment():
    table = SimulatedTable(game_named("zhizhu"), Wishes(size=(820, 616), rate=4.0, seed=2, stills=True))
    for frame in _watch(table, lambda table: _told(table, "move")):
        full = full_picture(table, frame)
        assert (full.number, full.taken) == (frame.number, frame.taken)
        small = cv2.resize(full.pixels, (410, 308), interpolation=cv2.INTER_AREA).astype(int)
        assert frame.pixels.shape == small.shape
        blurred = (cv2.blur(picture.astype(np.float32), (9, 9)) for picture in (small, frame.pixels))
        assert np.abs(np.subtract(*blurred)).mean() < 3


@pytest.mark.parametrize(("name", "hard"), [("tu_tzi", False), ("pirates_ninjas_robots_zombies", True)])
def test_a_frame_of_which_only_the_hands_are_drawn_is_the_frame_drawn_whole(name, hard):
    wishes = Wishes(size=(820, 616), rate=4.0, seed=2, hard=hard)
    table, covered = SimulatedTable(game_named(name), wishes), 0
    for _ in _watch(table, lambda table: _told(table, "hand out")):
        if table.stage.arms():
            still, part, whole = (picture.astype(int) for picture in _drawn_both_ways(table))
            assert np.abs(part - whole).max() <= 8
            assert np.abs(part - whole).mean() < 0.3
            covered += np.abs(part - still).mean() > 1
    assert covered > 3


def test_moves_of_the_truth_are_legal_and_replay_to_the_layouts_it_tells():
    for game in games().values():
        table = SimulatedTable(game, dataclasses.replace(SMALL, seed=3))
        for _ in _watch(table, lambda table: len(_told(table, "move")) >= 8):
            pass
        state = game.read_position(_told(table, "begun")[0]["position"])
        for event in _told(table, "move"):
            move = game.read_move(event["move"], state)
            assert is_legal(game, state, move)
            assert event["legal"]
            state = game.play(state, move)
            told = {place: Piece(*piece) for place, piece in event["layout"].items()}
            assert told == dict(game.layout(state))


def test_a_move_of_the_truth_is_seen_in_the_picture():
    game = game_named("zhizhu")

    def face(tile, owner):
        colour = "#00e000" if owner == "white" else "#e000e0"
        box = f'<rect width="22" height="22" fill="{colour}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22">{box}</svg>'

    table = SimulatedTable(dataclasses.replace(game, face=face), Wishes(size=(640, 480), pace=6.0, rate=5.0, seed=2))
    checked = 0
    for frame in _watch(table, lambda table: len(_told(table, "move")) >= 6):
        if table.stage.arms():
            continue
        for tile in table.truth_of_frame()["tiles"]:
            x, y = np.round(tile["centre"]).astype(int)
            blue, green, red = frame.pixels[y - 2 : y + 3, x - 2 : x + 3].mean(axis=(0, 1))
            assert (green > red) == (tile["owner"] == "white")
            assert min(abs(green - red), abs(green - blue)) > 20
            checked += 1
    assert checked > 30


def test_a_hand_hides_tiles_and_the_truth_says_so():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=5, pace=1.0))
    shares = []
    for _ in _watch(table, lambda table: len(_told(table, "hand out")) >= 4):
        if table.stage.arms():
            shares += [tile["visible"] for tile in table.truth_of_frame()["tiles"]]
    assert min(shares) < 0.5
    assert max(shares) == 1.0


@pytest.mark.parametrize("kind", MISCHIEF)
def test_each_mischief_happens_and_is_told(kind):
    wishes = dataclasses.replace(SMALL, seed=4, mischief=(kind,))
    table = SimulatedTable(game_named("zhizhu"), wishes)
    numbers = [frame.number for frame in _watch(table, lambda table: _told(table, "mischief", what=kind))]
    (event,) = _told(table, "mischief", what=kind)
    assert event["at"] > 0
    if kind != "lost":
        assert numbers == list(range(1, len(numbers) + 1))


def test_an_illegal_move_is_told_with_its_rule_and_taken_back():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=1, mischief=("illegal",)))
    for _ in _watch(table, lambda table: _told(table, "taken back")):
        pass
    (breach,) = _told(table, "move", legal=False)
    assert breach["rule"] in table.game.rulebook
    before = [event for event in table.truth if "layout" in event and event["at"] < breach["at"]][-1]
    assert _told(table, "taken back")[0]["layout"] == before["layout"]


def test_a_move_before_its_turn_is_told_with_the_rule_of_turns_and_taken_back():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=1, mischief=("early",)))
    for _ in _watch(table, lambda table: _told(table, "taken back")):
        pass
    *_, last, early = _told(table, "move")
    assert (early["player"], early["legal"], early["rule"]) == (last["player"], False, "2.1")
    assert _told(table, "taken back")[0]["layout"] == last["layout"]


def test_a_breach_that_looks_like_two_legal_moves_of_the_same_player_is_not_made():
    """29 covers 5, which has its animal, and looks exchanged for it; 10 may be laid, and 2 completes nothing."""
    game = game_named("tu_tzi")
    position = {
        "game": "tu_tzi",
        "players": ["south", "north"],
        "to_move": "south",
        "phase": "build",
        "formations": {"south": [1, 4, 5, 7, 9], "north": []},
        "hands": {"south": [2, 10, 29], "north": 7},
        "stock": 20,
        "discards": [33],
    }
    state = game.read_position(position)
    table = SimulatedTable(game, SMALL, state)
    made = {
        move: table._looks_legal(table._left_by(state, game.read_move(move, state))) for move in ("+10,29", "+2,29")
    }
    assert not any(is_legal(game, state, game.read_move(move, state)) for move in made)
    assert made == {"+10,29": True, "+2,29": False}


def test_a_breach_that_is_legal_after_a_move_that_looks_like_the_last_is_not_made():
    """Who lays Revive away with another tile seems to have played it, and may not exchange a second time."""
    game = game_named("zu_tiles_hime")
    position = game.write_position(game.seen_by(start(game), None))
    position["players"]["south"]["hand"] = ["rat", "revive", "ox", "ox", "monkey"]
    state = game.read_position(position)
    table = SimulatedTable(game, SMALL, state)
    table._go_on(state, game.play(state, game.read_move("~rat,revive:1", state)))
    second = game.read_move("~ox,ox:2", table.state)
    assert not is_legal(game, table.state, second)
    after = table._left_by(table.state, second)
    assert table._looks_legal(after)
    table._lately = ()
    assert not table._looks_legal(after)


def test_a_breach_that_is_legal_after_moves_that_look_like_the_last_is_not_made():
    """Revive may have been played instead of laid away, so that a later discard was the exchange."""
    game = game_named("zu_tiles_hime")
    state = game.seen_by(start(game), None)
    table = SimulatedTable(game, SMALL, game.play(state, game.read_move("rat@0,0", state)))
    for move in (".1", "~?,revive:1", "snake@0,1", "0,1>0,0*time-alone"):
        table._go_on(table.state, game.play(table.state, game.read_move(move, table.state)))
    second = game.read_move("~?,reversal-of-fortune:2", table.state)
    assert not is_legal(game, table.state, second)
    after = table._left_by(table.state, second)
    assert table._looks_legal(after)
    table._lately = table._lately[-1:]
    assert not table._looks_legal(after)


@pytest.mark.parametrize("kind", ["nudge", "turn"])
def test_a_tile_lies_off_its_place_or_turned_until_it_is_put_right(kind):
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=6, mischief=(kind,)))
    laid = {}
    for _ in _watch(table, lambda table: _told(table, "put right")):
        if not laid and (told := _told(table, "mischief", what=kind)):
            laid["wrong"] = table.stage.tiles[told[0]["place"]].block
    (told,) = _told(table, "mischief", what=kind)
    right, wrong = table.stage.tiles[told["place"]].block, laid["wrong"]
    spot = table.game.board.spot(told["place"])
    assert np.hypot(right.x_mm - spot.x_mm, right.y_mm - spot.y_mm) < 4
    assert (wrong.x_mm - right.x_mm, wrong.y_mm - right.y_mm) == pytest.approx(told["by_mm"], abs=0.1)
    assert wrong.angle_deg - right.angle_deg == pytest.approx(told["by_deg"])
    assert np.hypot(*told["by_mm"]) == pytest.approx(11.0 if kind == "nudge" else 0.0, abs=0.1)
    assert (told["by_deg"] != 0) == (kind == "turn")


def test_lost_frames_leave_a_gap_in_the_numbers():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=4, mischief=("lost",)))
    numbers = [frame.number for frame in itertools.islice(table, 160)]
    lost = _told(table, "mischief", what="lost")
    assert lost
    assert max(np.diff(numbers)) == max(event["frames"] for event in lost) + 1


def test_a_lamp_changes_the_light_and_a_bump_the_camera():
    lamp = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=4, mischief=("lamp",)))
    before = lamp.setting.lighting
    for _ in _watch(lamp, lambda table: _told(table, "mischief", what="lamp")):
        pass
    assert lamp.setting.lighting != before
    bump = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=4, mischief=("bump",)))
    stood = bump.setting.camera.project([(100.0, 100.0)])
    for _ in _watch(bump, lambda table: _told(table, "mischief", what="bump")):
        pass
    assert np.abs(bump.setting.camera.project([(100.0, 100.0)]) - stood).max() > 0.3


def _made_good(table):
    return _told(table, "move", move=_told(table, "mischief", what="forgotten")[0]["move"])


def test_a_forgotten_capture_is_made_good_later():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=2, mischief=("forgotten",)))
    for _ in _watch(table, lambda table: _told(table, "mischief", what="forgotten") and _made_good(table)):
        pass
    forgotten = _told(table, "mischief", what="forgotten")[0]
    made_good = _made_good(table)[0]
    assert set(forgotten["places"]) <= forgotten["layout"].keys()
    assert forgotten["layout"].keys() - made_good["layout"].keys() == set(forgotten["places"])


def test_a_cup_stays_beside_the_places_of_the_game():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=4, mischief=("cup",)))
    for _ in _watch(table, lambda table: _told(table, "mischief", what="cup")):
        pass
    (cup,) = table.stage.clutter
    spots = np.array([(spot.x_mm, spot.y_mm) for spot in table.game.board.places.values()])
    assert np.linalg.norm(spots - (cup.x_mm, cup.y_mm), axis=1).min() > cup.size_mm[0] / 2


@pytest.mark.parametrize("seed", [14, 18])
def test_no_tile_is_laid_where_a_cup_stands(seed):
    """The other mischief leaves it standing while the game grows."""
    mischief = ("cup", "lamp", "nudge", "lift", "turn")
    table = SimulatedTable(
        game_named("pirates_ninjas_robots_zombies"), dataclasses.replace(SMALL, seed=seed, mischief=mischief)
    )
    cups = 0
    for _ in table.moments():
        lying = np.array([(tile.block.x_mm, tile.block.y_mm) for tile in table.stage.tiles.values()]).reshape(-1, 2)
        for cup in (other for other in table.stage.clutter if other.kind == "cup"):
            cups += 1
            assert np.linalg.norm(lying - (cup.x_mm, cup.y_mm), axis=1).min(initial=1e6) > cup.size_mm[0] / 2
        if len(_told(table, "move")) == 14:
            break
    assert cups


def test_no_tile_is_pushed_under_a_cup():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=1))
    for _ in _watch(table, lambda table: _told(table, "move")):
        pass
    (tile,) = table.stage.tiles.values()
    cup = thing("cup", 1)
    touching = cup.size_mm[0] / 2 + tile.block.size_mm[0] / 2
    beside = touching + 8.0
    table.stage.clutter = [dataclasses.replace(cup, x_mm=tile.block.x_mm + beside, y_mm=tile.block.y_mm)]
    for _ in range(8):
        for _ in table._nudge():
            pass
    pushes = [event["by_mm"] for event in _told(table, "mischief", what="nudge")]
    assert len(pushes) == 8
    assert min(np.hypot(beside - right, down) for right, down in pushes) > touching


def test_the_truth_is_written_line_by_line(tmp_path):
    file = tmp_path / "truth.jsonl"
    source = open_source(f"sim:zhizhu?seed=1&size=160x120&pace=6&rate=5&truth={file}")
    for _ in itertools.islice(source, 60):
        pass
    source.close()
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines == json.loads(json.dumps(source.truth))
    assert {"begun", "hand in", "move", "hand out"} <= {line["kind"] for line in lines}


def test_a_live_table_keeps_time():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, live=True, rate=20.0))
    began = time.monotonic()
    frames = list(itertools.islice(table, 10))
    assert time.monotonic() - began >= frames[-1].taken - 0.02


def test_advised_games_are_the_same_each_time_too_and_one_is_not_like_another():
    told = []
    for seed in (1, 1, 2):
        table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=seed, advised=True))
        for _ in _watch(table, lambda table: len(_told(table, "move")) >= 3):
            pass
        told.append([event["move"] for event in _told(table, "move")])
    assert told[0] == told[1] != told[2]


def test_after_the_games_that_were_wished_for_there_are_no_more_frames():
    table = SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, seed=52, games=1))
    assert sum(1 for _ in table.moments()) > 100
    assert [event["kind"] for event in table.truth if event["kind"] in ("begun", "over")] == ["begun", "over"]


@pytest.mark.parametrize(
    ("spec", "at"),
    [
        ("zhizhu", "source"),
        ("usb:0", "source"),
        ("sim:chess", "game"),
        ("sim:zhizhu?speed=3", "speed"),
        ("sim:zhizhu?pace=fast", "pace"),
        ("sim:zhizhu?pace=nan", "pace"),
        ("sim:zhizhu?size=9x9", "size"),
        ("sim:zhizhu?mischief=murder", "mischief"),
        ("sim:zhizhu?players=7", "players"),
        ("sim:zhizhu?ground=lava", "ground"),
    ],
)
def test_a_source_that_cannot_be_is_refused_with_a_reason(spec, at):
    with pytest.raises(Unreadable, match=r"\w") as refused:
        open_source(spec)
    assert refused.value.at == at


def test_a_tile_that_lies_elsewhere_is_carried_and_one_that_is_gone_is_taken_last():
    piece, enemy = Piece("piece", "white"), Piece("piece", "black")
    steps = steps_between({"a1": piece, "b1": enemy}, {"a2": piece})
    assert steps == [Step(piece, "a1", "a2"), Step(enemy, "b1", None)]


def test_a_turned_tile_is_turned_in_place_and_a_covered_one_covered():
    north, east = Piece("bow", "white", 0), Piece("bow", "white", 1)
    assert steps_between({"a1": north}, {"a1": east}) == [Step(east, "a1", "a1")]
    low, high = Piece("3"), Piece("9")
    assert steps_between({"pile": low}, {"pile": high}) == [Step(high, None, "pile")]


def test_of_two_tiles_alike_the_covered_one_stays():
    ox, cover = Piece("ox", "south"), Piece("mosey-on", "south")
    steps = steps_between({"discard": ox, "0,0": ox}, {"discard": cover, "0,1": ox})
    assert steps == [Step(ox, "0,0", "0,1"), Step(cover, None, "discard")]


def test_two_tiles_change_places_by_way_of_a_hand():
    one, other = Piece("rat"), Piece("ox")
    steps = steps_between({"0,0": one, "1,0": other}, {"0,0": other, "1,0": one})
    assert (
        sorted((step.start, step.end) for step in steps if step.start and step.end) == [("1,0", "0,0")]
        or len(steps) == 3
    )
    lying = {"0,0": one, "1,0": other}
    for step in steps:
        if step.start:
            del lying[step.start]
        if step.end:
            assert step.end not in lying
            lying[step.end] = step.piece
    assert lying == {"0,0": other, "1,0": one}


def test_a_tile_that_is_put_where_another_lay_stays_there():
    one, other, turned = Piece("PP/PP"), Piece("ZM/rZ"), Piece("Zr/ZM")
    steps = steps_between({"0,0": one, "1,0": other}, {"0,0": turned, "1,0": one})
    assert steps == [Step(one, "0,0", "1,0"), Step(turned, None, "0,0")]


def test_a_film_is_written(tmp_path):
    file = tmp_path / "game.mp4"
    assert film(game_named("zhizhu"), file, 3.0, SMALL) == 15
    assert file.stat().st_size > 1000


def test_the_truth_beside_a_film_keeps_the_clock_of_the_film(tmp_path):
    """Frames that are lost leave no gap in a film."""
    web, wishes = game_named("zhizhu"), dataclasses.replace(SMALL, mischief=("lost",))
    frames, table = film(web, tmp_path / "game.mp4", 12.0, wishes), SimulatedTable(web, wishes)
    happened = [len(table.truth) for _ in itertools.islice(table.moments(), frames)]
    assert table.now > frames / SMALL.rate + 1
    times = [json.loads(line)["at"] for line in (tmp_path / "game.truth.jsonl").read_text().splitlines()]
    assert [sum(at < number / SMALL.rate for at in times) for number in range(frames)] == happened


def test_a_page_has_a_row_for_each_game():
    positions = [(game, start(game)) for game in games().values()]
    assert page(positions, width=160).shape == (120 * len(positions), 640, 3)


def test_a_breach_that_looks_like_a_legal_move_is_no_mischief_that_can_be_seen():
    """Whether a tile that was brought to f4 was thought to be laid on d5 first no camera can tell."""
    game = games()["paiko"]
    white = {"board": [], "hand": "IL", "reserve": "SSSBBBEEEFFFWWWIILLAAA", "lost": ""}
    black = {"board": [], "hand": "L", "reserve": "SSSBBBEEEFFFWWWIIILLAAA", "lost": ""}
    position = {"game": "paiko", "to_move": "white", "white": white, "black": black, "owed": 0}
    state = game.read_position(position)
    table = SimulatedTable(game, Wishes(size=(410, 308)), state)
    for move, looks_legal in (("Id5W-f4W", True), ("Bf4W", False)):
        breach = game.read_move(move, state)
        assert not is_legal(game, state, breach)
        assert table._looks_legal(table._left_by(state, breach)) is looks_legal


def test_a_breach_that_goes_on_with_the_last_move_to_a_legal_one_is_no_mischief_that_can_be_seen():
    """Who has laid three cards and lays two more has laid five, as far as anybody can see."""
    game = games()["tu_tzi"]
    position = {
        "game": "tu_tzi",
        "players": ["a", "b"],
        "to_move": "a",
        "phase": "build",
        "formations": {"a": [1, 5, 9], "b": []},
        "hands": {"a": [2, 4, 6, 7, 10, 13, 40], "b": 7},
        "stock": 20,
        "discards": [33],
    }
    state = game.read_position(position)
    table = SimulatedTable(game, Wishes(size=(410, 308)), state)
    breach = game.read_move("+4,7", state)
    assert not table._looks_legal(table._left_by(state, breach))
    table._go_on(state, game.play(state, game.read_move("+2,6,10", state)))
    assert not is_legal(game, table.state, breach)
    assert table._looks_legal(table._left_by(table.state, breach))


def test_who_moves_out_of_turn_back_to_where_a_piece_came_from_seems_to_take_the_move_back():
    game = games()["zhizhu"]
    sides = {"white": ["a1", "d2", "f3"], "black": ["c1", "e2", "g3"], "hand": {"white": 0, "black": 0}}
    state = game.read_position({"game": "zhizhu", "to_move": "white", **sides})
    table = SimulatedTable(game, Wishes(size=(410, 308)), state)
    before = game.layout(state)
    table._go_on(state, game.play(state, game.read_move("a1-b1", state)))
    assert table._looks_legal(before)
    elsewhere = {place: piece for place, piece in before.items() if place != "a1"} | {"b2": before["a1"]}
    assert not table._looks_legal(elsewhere)


def test_nobody_builds_out_of_the_picture():
    table = SimulatedTable(games()["pirates_ninjas_robots_zombies"], Wishes(size=(410, 308)))
    for move, stays in (("PP/PH@0,0", True), ("PP/PH@0,9", False)):
        assert table._stays_in_view(table.game.read_move(move, table.state)) is stays


def test_nobody_builds_over_a_pile_of_those_who_play():
    game = games()["zu_tiles_hime"]
    state = start(game, game.seats[2], rng=random.Random(1))
    table = SimulatedTable(game, Wishes(size=(410, 308)), state)
    for move, is_over in (("ox@0,6", False), ("ox@0,7", True), ("ox@-5,-7", True), ("ox@-7,0", False)):
        assert table._is_over_a_pile(table._left_by(state, game.read_move(move, state))) is is_over
    assert table._stays_in_view(game.read_move("ox@0,0", state))
    assert not table._stays_in_view(game.read_move("ox@0,7", state))
