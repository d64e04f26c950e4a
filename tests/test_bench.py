"""The measure of the rules' speed."""

import dataclasses
import re

import pytest
from click.testing import CliRunner

from companion.bench import measure_chess, measure_game, measure_rules
from companion.bench_reading import measure_game_readings
from companion.cli import main
from companion.game import perft, start
from companion.registry import game_named, games
from tests.counting import calls_of

GAME = game_named("zhizhu")


def test_a_game_is_measured_at_its_beginning_and_in_the_middle():
    speeds = list(measure_game(GAME, 0.1))
    assert [speed.position for speed in speeds] == ["first", "after 24 moves"]
    assert all(speed.way == "quick" and speed.per_second > 0 for speed in speeds)


def test_a_game_without_a_perft_of_its_own_is_walked_for_its_time():
    walked = list(measure_game(dataclasses.replace(GAME, quick_perft=None), 0.1))
    assert [speed.way for speed in walked] == ["generic", "generic"]
    assert all(speed.seconds > 0.04 and speed.nodes > 0 for speed in walked)


def test_the_quick_count_takes_fewer_steps_to_the_same_number():
    slow = dataclasses.replace(GAME, quick_perft=None)
    (quick, few), (walked, many) = (calls_of(lambda game=game: perft(game, start(game), 2)) for game in (GAME, slow))
    assert quick == walked
    assert many > 2 * few


def test_every_game_is_measured_and_chess_beside_them_where_it_is_installed():
    measured = {speed.name for speed in measure_rules(0.05)}
    chess = measure_chess(0.05)
    assert measured == {*games(), *(["chess"] if chess else [])}
    assert chess is None or chess.nodes in (20, 400, 8902, 197281, 4865609)


def test_readings_are_measured_by_the_kind_of_table():
    took = list(measure_game_readings(GAME, 4, seed=1))
    assert {"half a turn", "illegal turn", "legal turn", "two turns", "unexplained"} >= {each.kind for each in took}
    assert all(0 < each.median_ms <= each.worst_ms for each in took)


def test_what_a_day_of_play_writes_is_counted_and_within_what_a_card_stands():
    done = CliRunner().invoke(main, ["bench", "writing", "--moves", "30", "--picture", "20"])
    if "in memory" in done.output or "Only Linux" in done.output:
        pytest.skip(done.output)
    assert done.exit_code == 0, done.output
    assert re.search(r"24 hours of a move every 30 s: \d+ MB \(allowed: 250\)", done.output)


def test_the_program_that_watches_keeps_within_its_memory():
    done = CliRunner().invoke(main, ["bench", "memory", "--moves", "1"])
    assert done.exit_code == 0, done.output
    program, camera = map(int, re.findall(r"(\d+) MB", done.output))
    assert 50 < program <= 300
    assert 20 < camera <= 300
