import json
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.game import legal_moves, start
from companion.registry import games


@pytest.fixture
def companion():
    def run(*arguments, given=None):
        return CliRunner().invoke(main, [str(a) for a in arguments], input=given, catch_exceptions=False)

    return run


def test_the_games_are_listed_with_their_options(companion):
    shown = companion("games").output
    assert all(name in shown for name in games())
    assert [game["name"] for game in json.loads(companion("games", "--json").output)] == list(games())


def test_a_breach_is_explained_with_the_wording_of_the_rule(companion):
    done = companion("judge", "zhizhu", "start", "a1-a2")
    assert done.exit_code == 1
    assert "illegal by 2.2" in done.output
    assert games()["zhizhu"].rulebook["2.2"].says.split(",")[0] in done.output


def test_a_position_comes_from_a_file_or_from_standard_input(companion, tmp_path):
    position = json.dumps(games()["zhizhu"].write_position(start(games()["zhizhu"])))
    file = tmp_path / "position.json"
    file.write_text(position, encoding="utf-8")
    assert (
        companion("legal", "zhizhu", file).output.split()
        == companion("legal", "zhizhu", "-", given=position).output.split()
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("legal", "chess", "start"), "there is no game 'chess'"),
        (("legal", "zhizhu", "no-such-file"), "Name a file"),
        (("judge", "zhizhu", "start", "e4"), "is no move"),
        (("rulebook", "zhizhu", "9.9"), "has no rule 9.9"),
        (("rulebook", "zhizhu", "--search", "elephant"), "elephant"),
    ],
)
def test_bad_input_gets_a_sentence_not_a_traceback(companion, arguments, says):
    done = companion(*arguments)
    assert done.exit_code != 0
    assert says in done.output
    assert "Traceback" not in done.output


def test_what_is_no_json_is_refused(companion):
    assert "is not JSON" in companion("score", "zhizhu", "-", given="{").output


@pytest.mark.parametrize("name", games())
def test_every_game_is_drawn_in_the_terminal_and_as_svg(companion, name):
    assert companion("show", name, "start").output.strip()
    game = games()[name]
    state = start(game, rng=random.Random(1))
    for _ in range(30):
        state = game.play(state, min(legal_moves(game, state), key=lambda move: game.write_move(move, state)))
    position = json.dumps(game.write_position(state))
    assert len(companion("show", name, "-", given=position).output.splitlines()) > 5
    drawn = ElementTree.fromstring(companion("show", name, "-", "--svg", given=position).output)
    assert len(drawn.findall(".//*[@data-place]")) == len(game.layout(state))


@pytest.mark.parametrize("name", games())
def test_every_game_has_a_rule_book_to_read_and_search(companion, name):
    book = games()[name].rulebook
    assert all(clause.number in companion("rulebook", name).output for clause in book)
    word = next(iter(book)).says.split()[1]
    assert word.casefold() in companion("rulebook", name, "--search", word).output.casefold()


def test_a_demonstration_rules_on_every_move(companion):
    shown = companion("demo", "--moves", 6, "--pause", 0, "--seconds", 0.01, "--seed", 1).output
    assert shown.count("legal.") == 6


def test_a_playthrough_is_written_as_the_committed_ones_were(companion, tmp_path):
    file = tmp_path / "game.txt"
    companion("playthrough", "zhizhu", "--seed", 1, "--out", file)
    committed = games()["zhizhu"].folder / "playthroughs" / "random-1.txt"
    assert file.read_text(encoding="utf-8") == committed.read_text(encoding="utf-8")


def test_the_speed_of_the_rules_is_measured(companion):
    measured = json.loads(companion("bench", "rules", "--seconds", 0.1, "--json").output)
    assert {line["name"] for line in measured} >= set(games())
    assert all(line["per_second"] > 0 for line in measured)


def test_the_strength_of_the_advice_is_measured(companion):
    shown = companion("bench", "advice", "--game", "zhizhu", "--games", 2, "--seconds", 0.02).output
    assert "random" in shown
    assert "greedy" in shown


def test_sheets_are_printed_where_they_are_asked_for(companion, tmp_path):
    done = companion("print", "zhizhu", "--paper", "letter", "--out", tmp_path, "--only", "tiles")
    assert [file.name for file in tmp_path.iterdir()] == ["zhizhu-tiles-letter.pdf"]
    assert "zhizhu-tiles-letter.pdf" in done.output


def test_a_position_is_photographed_with_the_truth_beside_it(companion, tmp_path):
    position = json.dumps(games()["zhizhu"].write_position(start(games()["zhizhu"])) | {"white": ["a1", "c2"]})
    position = position.replace('"white": 9', '"white": 7')
    photo = tmp_path / "table.jpg"
    said = companion("scene", "-", "--out", photo, "--seed", 3, "--size", "640x480", given=position).output
    truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    assert photo.read_bytes().startswith(b"\xff\xd8")
    assert {tile["place"] for tile in truth["tiles"]} == {"a1", "c2"}
    assert "2 tiles" in said
    assert "no size" in companion("scene", "-", "--out", photo, "--size", "big", given=position).output


def test_a_photo_is_not_taken_where_its_truth_would_be_written_over_the_position(companion, tmp_path):
    position = tmp_path / "table.json"
    position.write_text(companion("rules", given='{"do": "start", "game": "zhizhu", "seed": 1}').output)
    before = position.read_bytes()
    done = companion("scene", position, "--out", tmp_path / "table.jpg", "--size", "640x480")
    assert (done.exit_code, "give the photo another name" in done.output) == (1, True)
    assert position.read_bytes() == before
    assert not (tmp_path / "table.jpg").exists()


def test_numbers_are_multiplied_by_no_threads_of_their_own_which_would_take_a_core_from_reading():
    program = """
import os
from companion.cli import main
main(["games", "--json"], standalone_mode=False)
import numpy
numpy.ones((500, 500)) @ numpy.ones((500, 500))
print(len(os.listdir("/proc/self/task")))
"""
    around = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", program], env=around, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "1"
