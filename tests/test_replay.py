"""A game that was filmed or photographed is followed as if it were played now: the report is the same."""

import json
import shlex
from dataclasses import replace

import cv2
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.watch import following_of, open_table
from companion.evidence import Evidence
from companion.game import start
from companion.live import Camera, Table
from companion.registry import game_named
from companion.store import Store
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
    *report, apart = live.partition("\n")[2].splitlines()
    assert report == told.splitlines()
    _, list_it = apart.split("companion ")
    assert "zhizhu" in run(*shlex.split(list_it))


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


@pytest.mark.parametrize(("seed", "every", "last"), [(43, 2, 22), (42, 3, 21)])
def test_photos_tell_every_move_though_hands_are_in_some_and_others_came_unseen(tmp_path, seed, every, last):
    table, hands = SimulatedTable(game_named("zhizhu"), replace(WISHES, seed=seed)), 0
    for number in table.moments():
        if number % (10 * every) == 0:
            cv2.imwrite(str(tmp_path / f"{number:03}.jpg"), table.picture())
            hands += bool(table.stage.arms())
        if number == 10 * last:
            break
    told = json.loads(run("replay", tmp_path, "--fast", "--interval", "0.1", "--json"))
    assert [move["move"] for move in told["moves"]] == [each["move"] for each in table.truth if each["kind"] == "move"]
    assert hands


@pytest.fixture
def riddle(tmp_path):
    """A photo of the beginning, and two of a table to which no turns lead."""
    web, folder = game_named("zhizhu"), tmp_path / "riddle"
    folder.mkdir()
    laid = {"white": [], "black": ["a1", "c2", "e3", "g2"], "hand": {"white": 9, "black": 5}}
    riddle = web.read_position({"game": "zhizhu", "to_move": "white", **laid})
    for number, state in enumerate((start(web), riddle, riddle)):
        cv2.imwrite(str(folder / f"{number}.jpg"), SimulatedTable(web, WISHES, state).picture())
    return folder


def test_what_a_photo_shows_and_nothing_explains_is_asked_and_not_waited_for(riddle, tmp_path):
    (riddle / "2.jpg").unlink()
    with Store(tmp_path / "record") as store:
        table = Table(store, camera=Camera.SETTLING)
        frames, _ = open_table(f"photos:{riddle}?pace=fast", table)
        following = following_of(table, frames, None, None, Evidence(tmp_path / "evidence"), threads=1)
        for frame in frames:
            following.take(frame)
        table.close()
    assert table.now.camera is Camera.NEEDS_YOU
    assert table.now.questions[0].places == ("a1", "c2", "e3", "g2")
    assert table.now.standing.moves == ()


def test_what_nothing_explains_is_printed_once_as_a_difference_and_asked_again_at_the_end(riddle, tmp_path):
    told = run("replay", riddle, "--fast")
    shows = "a1 shows Black Piece instead of nothing"
    asked = [line for line in told.splitlines() if shows in line]
    assert asked[0].startswith(shows)
    assert asked[1].startswith(f"Still to be answered: {shows}")
    assert len(asked) == 2
    assert run("watch", "--source", f"photos:{riddle}?pace=fast", "--state", tmp_path).partition("\n")[2] == told


def test_what_nothing_explains_is_told_to_programs_with_the_answers_there_are(riddle, replayed):
    assert replayed["questions"] == []
    (question,) = json.loads(run("replay", riddle, "--fast", "--json"))["questions"]
    assert question["places"] == ["a1", "c2", "e3", "g2"]
    assert "a1 shows Black Piece instead of nothing" in question["says"]
    corrected = next(answer["facts"] for answer in question["answers"] if answer["facts"])
    assert {fact["kind"] for fact in corrected} == {"tile_corrected"}
    assert [fact["place"] for fact in corrected] == question["places"]


@pytest.mark.parametrize(("megabytes", "kept"), [("0", False), ("1", True)])
def test_pictures_of_moves_are_kept_within_the_budget_that_is_set(album, tmp_path, monkeypatch, megabytes, kept):
    monkeypatch.setenv("COMPANION_EVIDENCE_MB", megabytes)
    run("watch", "--source", f"photos:{album[0]}?pace=fast&interval=3", "--state", tmp_path)
    assert any(tmp_path.glob("evidence/*/*.jpg")) == kept


def test_where_no_game_was_seen_the_camera_says_why(riddle):
    for photo in ("0.jpg", "1.jpg"):
        (riddle / photo).unlink()
    assert "No game was seen. This does not look like the beginning of ZhiZhu" in run("replay", riddle, "--fast")
    (riddle / "2.jpg").write_bytes((riddle / "2.jpg").read_bytes()[:-200])
    assert "No game was seen. 2.jpg: the photo is cut off in the middle" in run("replay", riddle, "--fast")


def test_every_replay_is_a_game_of_its_own_in_the_record(album, tmp_path):
    once, again = (run("replay", album[0], "--fast", "--interval", "3", "--state", tmp_path) for _ in range(2))
    assert once == again
    with Store(tmp_path) as store:
        first, second = ([event.fact for event in store.events(game.number)] for game in store.games())
    assert first == second
    assert len(first) == 1 + len(album[1])


def test_what_no_camera_sees_is_told_of_a_film_by_the_truth_beside_it(tmp_path):
    film, truth = tmp_path / "game.mp4", tmp_path / "game.truth.jsonl"
    run("film", "paiko", "--out", film, "--seconds", "13", "--seed", "10")
    happened = [json.loads(line) for line in truth.read_text().splitlines()]
    moves = [each for each in happened if each["kind"] == "move"]
    told = json.loads(run("replay", film, "--fast", "--json"))
    assert [move["move"] for move in told["moves"]] == [each["move"] for each in moves]
    assert {each["unseen"] for each in moves} == {True, False}
    truth.unlink()
    alone = json.loads(run("replay", film, "--fast", "--json"))
    assert [move["ruling"]["rule"] for move in alone["moves"]] == ["4.1"]
    truth.write_text("{")
    assert "game.truth.jsonl cannot be read" in run("replay", film, "--fast")
