"""What players wrote of their own tiles: it is played and printed with, and a slip in it is told, not guessed at."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from html import unescape
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games.pirates_ninjas_robots_zombies import editing as pirates
from companion.games.zu_tiles_hime import editing as zu
from companion.own_tiles import edited
from companion.registry import game_named
from companion.sheets import PAPERS, tile_sheets
from companion.tiles import load_catalogue
from tests.serving import served

ZU, PIRATES = "zu_tiles_hime", "pirates_ninjas_robots_zombies"
RAT = '[[tile]]\nname = "rat"\nstr = 3\n'
PHOENIX = """
[[tile]]
name = "phoenix"
type = "creature"
class = "rooster"
str = 6
int = 6
icons = ["all"]
rom = 1
"""
OTHER_PIRATES = '[[tile]]\nname = "PN/PNe"\n\n[[tile]]\nname = "PP/PPs"\ncopies = 0\n'
PLAYERS = {seat: {"deck": deck, "hand": 5, "stacks": [7] * 5} for seat, deck in (("south", "ROM"), ("north", "DSR"))}
RAT_AND_RABBIT = {
    "game": ZU,
    "to_move": "south",
    "area": [{"tile": "rat", "at": [0, 0], "by": "south"}, {"tile": "rabbit", "at": [1, 0], "by": "north"}],
    "players": PLAYERS,
}


@pytest.fixture
def companion(tmp_path):
    """The command of an installation whose settings are in a folder of its own."""
    environment = {word: value for word, value in os.environ.items() if word != "COMPANION_TILES"}
    environment |= {
        "CONFIGURATION_DIRECTORY": str(tmp_path),
        "COMPANION_STATE": str(tmp_path / "state"),
        "COLUMNS": "200",
    }

    def run(*words, given="", status=0):
        command = [sys.executable, "-m", "companion", *words]
        done = subprocess.run(command, env=environment, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    run.environment = environment
    return run


@pytest.fixture
def write(tmp_path):
    def write(game, text):
        (tmp_path / "tiles").mkdir(exist_ok=True)
        file = tmp_path / "tiles" / f"{game}.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def ask(companion, **question):
    return json.loads(companion("rules", given=json.dumps(question)))


def test_a_battle_is_won_by_what_stands_on_the_players_own_tile(companion, write):
    def captured():
        after = ask(companion, do="apply", position=RAT_AND_RABBIT, move="0,0>1,0*?")["position"]
        return after["players"]["south"]["points"]

    assert captured() == []
    write(ZU, RAT)
    assert captured() == ["rabbit"]


def test_a_tile_that_no_deck_has_is_listed_and_placed(companion, write):
    write(ZU, PHOENIX)
    told = json.loads(companion("tiles", ZU, "--json"))
    assert next(tile for tile in told["tiles"] if tile["name"] == "phoenix")["str"] == 6
    assert len(told["tiles"]) == len(list(game_named(ZU).catalogue)) + 1
    position = {
        **RAT_AND_RABBIT,
        "players": {**PLAYERS, "south": {"deck": "ROM", "hand": ["phoenix"], "stacks": [7] * 5}},
    }
    assert "phoenix@0,1" in ask(companion, do="legal", position=position)["moves"]


@pytest.mark.skipif(find_spec("fpdf") is None, reason="printing is an extra")
def test_as_many_tiles_are_printed_as_were_written(companion, write, tmp_path):
    write(ZU, f"{PHOENIX}copies = 40\n")
    companion("print", ZU, "--only", "tiles", "--out", str(tmp_path / "out"))
    (pdf,) = (tmp_path / "out").glob("*.pdf")
    pages = len(re.findall(rb"/Type /Page\b", pdf.read_bytes()))
    assert pages > len(tile_sheets(game_named(ZU), PAPERS["a4"]).sheets)


def test_pirates_with_another_tile_have_it_in_the_stack_and_play_it(companion, write):
    write(PIRATES, OTHER_PIRATES)
    told = {tile["name"]: tile for tile in json.loads(companion("tiles", PIRATES, "--json"))["tiles"]}
    assert told["PN/PNe"] == {
        "name": "PN/PNe",
        "title": "Pirate Ninja / Pirate Ninja, replace",
        "letter": "PN/PNe",
        "copies": 1,
        "icon": "replace",
    }
    position = ask(companion, do="start", game=PIRATES, players=["south", "north"], seed=1)["position"]
    assert "PN/PNe" in [*position["order"], *position["hands"]["south"], *position["hands"]["north"]]
    assert "PP/PPs" not in json.dumps(position)
    held = {**position, "hands": {"south": ["PN/PNe", "PP/NN", "PN/NP"], "north": 3}}
    del held["order"]
    assert any("PN/PNe" in move for move in ask(companion, do="legal", position=held)["moves"])


def test_a_list_of_ones_own_has_no_other_tiles_and_still_the_bases(companion, write):
    write(PIRATES, 'only = true\n[[tile]]\nname = "PP/NN"\ncopies = 30\n[[tile]]\nname = "RZ/RZo"\ncopies = 24\n')
    told = json.loads(companion("tiles", PIRATES, "--json"))["tiles"]
    assert {tile["name"]: tile["copies"] for tile in told if tile["copies"]} == {
        **{"PP/NN": 30, "RZ/RZo": 24},
        **dict.fromkeys(("P!", "N!", "R!", "Z!"), 1),
    }


def tiles(*words):
    done = CliRunner().invoke(main, ["tiles", *words], catch_exceptions=False)
    return done.exit_code, done.output


def test_the_file_to_begin_with_changes_nothing_and_is_never_written_over(companion, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_TILES", str(tmp_path / "tiles"))
    file = tmp_path / "tiles" / f"{ZU}.toml"
    before, starter = json.loads(tiles(ZU, "--json")[1]), tiles(ZU, "--toml")[1]
    assert str(file) in tiles(ZU, "--write")[1]
    assert file.read_text(encoding="utf-8") == starter
    assert json.loads(companion("tiles", ZU, "--json")) == before
    status, said = tiles(ZU, "--write")
    assert (status, "is there already" in said) == (1, True)
    # With every sign of a comment gone, each value that stands there may be written.
    file.write_text(re.sub("^# ", "", starter[starter.index("# [[tile]]") :], flags=re.MULTILINE), encoding="utf-8")
    assert companion("tiles", ZU).count("*") == len(before["tiles"])


def test_where_the_rules_know_every_tile_nothing_is_edited(companion, write):
    says = "nothing that is printed on one can be changed"
    assert says in tiles("paiko")[1]
    status, said = tiles("paiko", "--write")
    assert (status, says in said) == (1, True)
    write("paiko", '[[tile]]\nname = "sword"\ncopies = 4\n')
    assert says in companion("games", status=1)


@pytest.mark.parametrize(
    ("game", "text", "says"),
    [
        (ZU, "[[tile]]\nname = rat\n", "(at line 2, column 8)"),
        (
            ZU,
            '\n[[tile]]\nname = "rat"\nstr = "three"\n',
            "line 2: rat: str is a whole number from 0 to 999, not 'three'",
        ),
        (ZU, '[[tile]]\nname = "rat"\nstr = true\n', "line 1: rat: str is a whole number from 0 to 999, not True"),
        (ZU, '[[tile]]\nname = "rat"\nint = -1\n', "rat: int is a whole number"),
        (ZU, '[[tile]]\nname = "rat"\nicon = ["ox"]\n', "rat: 'icon' cannot be written here; did you mean 'icons'?"),
        (ZU, '[[tile]]\nname = "rat"\nicons = ["cow"]\n', "rat: icons is a list of rat, ox,"),
        (ZU, '[[tile]]\nname = "rat"\ntype = "O"\n', "rat: 'type' cannot be written here"),
        (ZU, '[[tile]]\nname = "rta"\nstr = 3\n', "there is no tile 'rta'; did you mean 'rat'?"),
        (ZU, f"{RAT}{RAT}", "line 4: rat is written twice"),
        (ZU, '[[tile]]\nname = "gale"\ntype = "A"\n', "gale: type is one of creature, I, O, not 'A'"),
        (ZU, '[[tile]]\nname = "gale"\ntype = "O"\n', "gale: on a tile of the type O stands also str"),
        (ZU, '[[tile]]\nname = "Gale"\ntype = "O"\nstr = 1\n', "Gale: a name is small letters"),
        (ZU, '[[tile]]\nname = "pull"\nstr = 1\n', "pull: on a tile of the type A stands no str"),
        (ZU, "only = true\n", "'only' cannot be written here"),
        (ZU, '[tile]\nname = "rat"\n', "a tile is written: [[tile]]"),
        (ZU, "[[tile]]\nstr = 1\n", "line 1: the tile has no name"),
        (ZU, 'tile = [{name = "rat", str = []}]\n', "tile 1: rat: str is"),
        (PIRATES, '[[tile]]\nname = "PN/Kz"\n', "a set has 54 play tiles (1.3), not 55"),
        (PIRATES, '[[tile]]\nname = "PQ/PN"\n', "'PQ/PN' is no tile"),
        (PIRATES, '[[tile]]\nname = "NN/PP"\n', "NN/PP is PP/NN, turned"),
        (PIRATES, 'only = "yes"\n', "only is true or false, not 'yes'"),
        (PIRATES, "only = true\n", "a set has 54 play tiles (1.3), not 0"),
    ],
)
def test_what_cannot_be_meant_is_told_and_what_is_printed_holds(game, text, says, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    printed = [{"name": tile.name, "copies": tile.copies, **tile.values} for tile in game_named(game).catalogue]
    told = edited(printed, file, {ZU: zu, PIRATES: pirates}[game].EDITING)
    assert any(says in fault for fault in told.faults), told.faults
    assert (told.entries, told.own) == (printed, frozenset())
    assert all(str(file) in fault for fault in told.faults)


@pytest.mark.parametrize("content", [b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_is_told(content, tmp_path):
    file = tmp_path / "own.toml"
    file.write_bytes(content) if content else file.mkdir()
    assert edited([], file, zu.EDITING).faults


def test_without_a_folder_that_is_named_nothing_is_looked_for(tmp_path, monkeypatch):
    file = game_named(ZU).folder / "tiles.toml"
    monkeypatch.delenv("COMPANION_TILES", raising=False)
    assert load_catalogue(file, zu.EDITING)["rat"].values["str"] == 1
    (tmp_path / f"{ZU}.toml").write_text(RAT, encoding="utf-8")
    monkeypatch.setenv("COMPANION_TILES", str(tmp_path))
    own = load_catalogue(file, zu.EDITING)
    assert (own["rat"].values["str"], own["rat"].values["int"], own.own) == (3, 5, {"rat"})


def test_no_answer_is_given_by_a_broken_file_and_the_page_comes_up_in_safe_mode(companion, write, tmp_path):
    write(ZU, RAT.replace("3", '"3"'))
    says = "line 1: rat: str is a whole number from 0 to 999, not '3'"
    assert says in companion("legal", ZU, "start", status=1)
    assert says in companion("tiles", ZU, status=1)
    how = ("--source", "none", "--port", "0", "--host", "127.0.0.1")
    with served(companion.environment, *how) as (address, said):
        page = unescape(urllib.request.urlopen(address, timeout=10).read().decode())
        assert "Safe mode" in page
        assert says in page
    assert f"Safe mode, without a camera: {tmp_path}/tiles/{ZU}.toml: {says}" in said[0]


def test_a_file_of_no_game_is_told_with_the_name_that_was_meant(companion, write):
    write("zu_tiles", RAT)
    assert "there is no game 'zu_tiles'; did you mean 'zu_tiles_hime'?" in companion("games", status=1)
