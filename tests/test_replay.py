"""A game that was filmed or photographed is followed as if it were played now: the report is the same."""

import json

import cv2
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.registry import game_named
from vision.studio.sim import SimulatedTable, Wishes

SECONDS = 15
WISHES = Wishes(seed=41, size=(820, 616))


def run(*arguments):
    return CliRunner().invoke(main, [str(each) for each in arguments], catch_exceptions=False).output


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    file = tmp_path_factory.mktemp("film") / "game.mp4"
    assert "frames" in run("film", "zhizhu", "--out", file, "--seconds", SECONDS, "--seed", WISHES.seed)
    return file


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    """A photo of the table before each hand comes, and what was played in between."""
    folder, table = tmp_path_factory.mktemp("album"), SimulatedTable(game_named("zhizhu"), WISHES)
    for frame in table:
        if frame.taken > SECONDS:
            break
        hands = [event["kind"] for event in table.truth if event["kind"] == "hand in"]
        if not table.stage.arms():
            cv2.imwrite(str(folder / f"after {len(hands):03}.jpg"), frame.pixels)
    return folder, [event["move"] for event in table.truth if event["kind"] == "move"]


@pytest.fixture(scope="module")
def replayed(film):
    return json.loads(run("replay", film, "--fast", "--json"))


def test_a_film_is_replayed_move_by_move(album, replayed):
    assert [move["move"] for move in replayed["moves"]] == album[1]
    assert len(album[1]) >= 2
    assert all(move["ruling"]["legal"] for move in replayed["moves"])


def test_the_report_of_a_film_is_that_of_the_live_table(film, replayed, tmp_path):
    source = f"sim:zhizhu?seed={WISHES.seed}&size=820x616&live=no"
    live = run("watch", "--source", source, "--moves", len(replayed["moves"]), "--state", tmp_path)
    told = run("replay", film, "--fast")
    assert live.partition("\n")[2] == told


def test_photos_of_the_same_game_tell_the_same_moves(album, replayed):
    told = json.loads(run("replay", album[0], "--fast", "--interval", "3", "--json"))
    assert {key: told[key] for key in ("moves", "points", "outcome", "position")} == {
        key: replayed[key] for key in ("moves", "points", "outcome", "position")
    }


def test_watch_follows_a_folder_of_photos_as_replay_does(album, tmp_path):
    source = f"photos:{album[0]}?pace=fast&interval=3"
    watched = run("watch", "--source", source, "--state", tmp_path)
    assert watched.partition("\n")[2] == run("replay", album[0], "--fast", "--interval", "3")
    assert f"{len(album[1])}. " in watched


def test_one_photo_of_the_beginning_begins_a_game(album, tmp_path):
    first = min(album[0].iterdir())
    assert json.loads(run("replay", first, "--fast", "--json"))["moves"] == []
    assert "The game goes on." in run("watch", "--source", f"photo:{first}", "--state", tmp_path)
