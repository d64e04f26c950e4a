"""The whole way from frames to the record, on a small simulated table whose reads are true."""

import dataclasses
import io
import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from faults.program import kill_program
from rich.console import Console

from companion import notify
from companion.cli import main
from companion.cli.following import Following, FollowingThread
from companion.cli.simulated import Match, follow
from companion.cli.watch import _page
from companion.events import MovePlayed
from companion.evidence import Evidence
from companion.eyes import CannotSee
from companion.game import is_legal
from companion.live import Camera, Table
from companion.registry import game_named, games
from companion.store import NotRecorded, Store
from companion.truth import Account, Tally, _left_alone
from vision.eyes import TableEyes, coverage, exposure, focus
from vision.frame import Frame, Lost
from vision.settle import State, Stillness
from vision.studio import sim
from vision.studio.oracle import EYES, Oracle, TrueSight

SMALL = sim.Wishes(seed=3, size=(410, 308), rate=6.0)


@pytest.fixture
def simulated(monkeypatch):
    """Every simulated table that is made, so that the oracle knows the newest."""
    made = []
    begin = sim.SimulatedTable.__init__
    monkeypatch.setattr(
        sim.SimulatedTable, "__init__", lambda self, *given, **more: (begin(self, *given, **more), made.append(self))[0]
    )
    return made


@pytest.fixture
def table(tmp_path):
    with Store(tmp_path / "record") as store:
        held = Table(store, camera=Camera.SETTLING)
        yield held
        held.close()


def watch(table, wishes, seconds, evidence=None):
    simulated = sim.SimulatedTable(game_named("zhizhu"), wishes)
    following = Following(table, lambda game: Oracle(simulated), evidence=evidence)
    frames = []
    for frame in simulated:
        following.take(frame)
        frames.append(frame)
        if frame.taken > seconds:
            break
    return simulated, following, frames


def test_a_simulated_game_is_followed_to_the_letter(simulated):
    tally = follow(Match("zhizhu", SMALL, 4), lambda game: Oracle(simulated[-1]))
    told = tally.as_json()
    assert (told["moves"], told["exact"], told["phantom"], told["false_alarms"], told["scores_exact"]) == (
        4,
        4,
        0,
        0,
        1,
    )
    assert told["delay_ms_p95"] <= 1000


@pytest.mark.parametrize(("name", "seed"), [(name, 102) for name in games()])
def test_every_game_is_followed_by_the_truth_of_its_table(name, seed):
    """In this game of ZU an exchange and a Battle look alike until the second of them is seen."""
    tally = follow(Match(name, sim.Wishes(seed=seed, rate=8.0), 10, "perfect"), lambda game: None)
    assert tally.moves == tally.exact > 0
    assert (tally.errors, tally.scores_exact) == (0, 1)


class Scripted(TrueSight):
    """Says of each frame what it was told to say, and counts how often the table is read."""

    says_next: Stillness
    looks = 0

    def take(self, frame):
        self.frame = frame
        return self.says_next

    def read(self, read, game):
        self.looks += 1
        return super().read(read, game)


def test_a_table_that_was_taken_for_a_hand_until_it_rests_is_glimpsed_there_once(table):
    simulated = sim.SimulatedTable(game_named("zhizhu"), SMALL)
    sight = Scripted(simulated, EYES["perfect"])
    following = Following(table, lambda game: sight.oracle, game=game_named("zhizhu"))
    following.watching, looks = sight, []
    hand, rest = State.HAND, State.REST
    script = [(hand, 0), (hand, 125), (rest, 250), (rest, 375), (hand, 0), (rest, 500), (rest, 625)]
    for number, (state, still_ms) in enumerate(script):
        sight.says_next = Stillness(state, still_ms, stirred=still_ms == 0)
        following.take(Frame(np.zeros((1, 1, 3), np.uint8), number / 8, number))
        looks.append(sight.looks)
    assert looks == [0, 0, 1, 1, 1, 2, 3], "a table that has rested long enough is read instead"


@pytest.mark.parametrize("name", ["pirates_ninjas_robots_zombies", "zu_tiles_hime"])
def test_a_game_of_three_is_followed_as_one_of_two_is(name):
    how = ["evaluate", "watching", "--game", name, "--games", "1", "--moves", "6", "--players", "3", "--seed", "161000"]
    done = CliRunner().invoke(main, [*how, "--eyes", "perfect", "--processes", "1", "--json"])
    told = json.loads(done.output)[name]
    assert told["moves"] == told["exact"] > 2
    assert (told["phantom"], told["false_alarms"], told["scores_exact"]) == (0, 0, 1)


def test_a_whole_game_of_players_who_seek_to_win_is_followed_to_its_end():
    how = ["evaluate", "watching", "--game", "paiko", "--games", "1", "--seed", "140000", "--moves", "400"]
    done = CliRunner().invoke(main, [*how, "--advised", "--eyes", "perfect", "--processes", "1", "--json"])
    told = json.loads(done.output)["paiko"]
    assert 10 < told["moves"] == told["exact"] < 100
    assert (told["phantom"], told["false_alarms"], told["scores_exact"]) == (0, 0, 1)


@pytest.mark.parametrize(
    ("name", "seed", "moves"),
    [("paiko", 8305, 8), ("pirates_ninjas_robots_zombies", 8418, 5), ("tu_tzi", 502, 6), ("zu_tiles_hime", 8519, 12)],
)
def test_mischief_is_told_from_moves(name, seed, moves):
    """Two moves at once, which look like a breach, like one move or like two others; a breach that looks like two."""
    wishes = sim.Wishes(seed=seed, rate=8.0, mischief=sim.MISCHIEF)
    tally = follow(Match(name, wishes, moves, "perfect"), lambda game: None)
    assert tally.moves >= moves - 4
    assert (tally.errors, tally.scores_exact) == (0, 1)


def test_a_camera_s_slips_are_seen_through():
    tally = follow(Match("zhizhu", sim.Wishes(seed=400, rate=8.0), 16, "noisy"), lambda game: None)
    assert (tally.moves, tally.errors) == (16, 0)


def test_a_move_of_which_nothing_could_be_seen_is_late_from_when_it_could():
    account = Account()
    hands = [{"kind": "hand out", "at": 2.0}, {"kind": "hand in", "at": 2.5}, {"kind": "hand out", "at": 4.0}]
    assert _left_alone(hands, 1.0, account.blind) == 4.0
    for at in (3.8, 5.0):
        account.listen(at, (), Camera.WATCHING)
    assert _left_alone(hands, 1.0, account.blind) == 5.0


def test_weights_are_measured_by_a_command(monkeypatch):
    monkeypatch.setattr("companion.cli.simulated.LADDERS", {"illegal": (5.0,)})
    how = ["evaluate", "weights", "--game", "zhizhu", "--games", "1", "--moves", "2", "--processes", "1", "--json"]
    rows = json.loads(CliRunner().invoke(main, how).output)
    assert rows["illegal 5"]["moves"] >= 2


def test_what_went_wrong_in_a_game_is_told_in_words():
    fine = Tally(games=1, moves=3, exact=3, scores_exact=1, delays_ms=[500.0])
    poor = Tally(games=1, moves=3, exact=1, phantom=1, illegal_injected=1, delays_ms=[500.0, 2500.0])
    assert fine.trouble == ""
    assert poor.trouble == "2 moves missed, 1 phantoms, 1 breaches passed over, 1 scores off, 1 moves told late"


def test_a_breach_is_reported_and_a_bump_is_no_move(simulated):
    wishes = dataclasses.replace(SMALL, seed=1, mischief=("bump", "illegal"))
    tally = follow(Match("zhizhu", wishes, 3), lambda game: Oracle(simulated[-1]))
    assert tally.illegal_injected == tally.illegal_reported > 0
    assert (tally.exact, tally.phantom, tally.false_alarms) == (3, 0, 0)


@pytest.mark.parametrize(("ground", "kind"), [("cards", "cards"), ("bare", "board")])
def test_a_table_without_a_mat_is_found_by_cards_or_board_and_again_after_a_bump(table, ground, kind):
    wishes = dataclasses.replace(SMALL, size=(820, 616), ground=ground, mischief=("bump",))
    simulated = sim.SimulatedTable(game_named("zhizhu"), wishes)
    following = Following(table, lambda game: Oracle(simulated), game=game_named("zhizhu"))
    said, off_mm = [], []
    spots = np.array([(0.0, 0.0), (80.0, 0.0), (0.0, 80.0)])
    for frame in simulated:
        following.take(frame)
        bumped = any(each["kind"] == "mischief" for each in simulated.truth)
        if not said or table.now.camera_says != said[-1][1]:
            said.append((bumped, table.now.camera_says))
        if table.now.camera is Camera.WATCHING and (plane := following.watching.plane):
            off_mm.append(np.abs(plane.to_mm(simulated.setting.camera.project(spots)) - spots).max())
        if frame.taken > 30.0:
            break
    assert following.watching.plane.kind == kind
    assert all(after_it for after_it, says in said if "was moved" in says)
    assert any("was moved" in says for _, says in said)
    assert np.median(off_mm) < 2
    assert off_mm[-1] < 2


def test_a_bare_board_is_followed_once_somebody_says_what_is_played(table):
    simulated = sim.SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, size=(820, 616), ground="bare"))
    following = Following(table, lambda game: Oracle(simulated))
    for frame in simulated:
        following.take(frame)
        if frame.taken > 1.5 and table.now.standing is None:
            assert "put the mat under the camera" in table.now.camera_says
            table.begin("zhizhu", ("white", "black"), {}, {}, "a request")
        if frame.taken > 14.0:
            break
    played = [each["move"] for each in simulated.truth if each["kind"] == "move"]
    assert [move.move for move in table.now.standing.moves][:2] == played[:2]


def test_what_was_played_before_does_not_say_what_is_played_now(table):
    table.begin("paiko", ("white", "black"), {}, {}, "a request")
    simulated = sim.SimulatedTable(game_named("zhizhu"), dataclasses.replace(SMALL, size=(820, 616), ground="bare"))
    following = Following(table, lambda game: Oracle(simulated), game=game_named("zhizhu"))
    for frame in simulated:
        following.take(frame)
        if frame.taken > 3.0:
            break
    assert following.game.name == "zhizhu"
    assert following.watching.plane.kind == "board"


def test_moves_leave_pictures_and_a_lost_camera_invents_nothing(table, tmp_path):
    evidence = Evidence(tmp_path / "evidence")
    simulated, following, frames = watch(table, SMALL, 6.0, evidence)
    assert [move.move for move in table.now.standing.moves] == [
        each["move"] for each in simulated.truth if each["kind"] == "move"
    ][:1]
    identity = table.store.game(1).identity
    assert evidence.path(identity, 2).stat().st_size < 100_000
    following.take(Lost("the camera is unplugged", 9.0))
    assert (table.now.camera, table.now.camera_says) == (Camera.LOST, "the camera is unplugged")
    told = table.now.number
    following.take(Frame(np.zeros_like(frames[0].pixels), 9.5, 99))
    assert table.now.number == told


def test_the_camera_is_locked_when_the_table_was_found_and_again_when_somebody_says_where_it_lies(table):
    simulated, planes = sim.SimulatedTable(game_named("zhizhu"), SMALL), []
    following = Following(
        table, lambda game: Oracle(simulated), calibrated=lambda: planes.append(following.watching.plane)
    )
    for frame in itertools.islice(simulated, 20):
        following.take(frame)
    assert planes == [following.watching.plane]
    TableEyes("sim:zhizhu", following, lambda game: Oracle(simulated)).calibrate()
    assert planes[1:] == [following.watching.plane]


def test_what_finds_no_room_on_the_disk_is_said_and_taken_down_when_there_is_room(table, monkeypatch):
    simulated = sim.SimulatedTable(game_named("zhizhu"), SMALL)
    following = Following(table, lambda game: Oracle(simulated))
    said, room, append = [], 8.0, table.store.append

    def append_if_there_is_room(*given):
        if simulated.now < room:
            raise NotRecorded("The disk is full.")
        return append(*given)

    monkeypatch.setattr(table.store, "append", append_if_there_is_room)
    for frame in simulated:
        following.take(frame)
        said.append((table.now.camera, table.now.camera_says))
        if table.now.standing and table.now.standing.moves:
            break
    assert said.count((Camera.NEEDS_YOU, "The disk is full.")) > 10
    assert room <= simulated.now < room + 6.0
    assert [move.move for move in table.now.standing.moves] == [
        each["move"] for each in simulated.truth if each["kind"] == "move"
    ][: len(table.now.standing.moves)]


def test_a_watching_that_fails_is_said_and_missed_by_the_watchdog(table, monkeypatch):
    following = Following(table, lambda game: None)
    monkeypatch.setattr(following, "take", lambda frame: 1 / 0)
    thread = FollowingThread(following, sim.SimulatedTable(game_named("zhizhu"), SMALL))
    thread.start()
    lost = next(now for now in table.listen() if now and now.camera is Camera.LOST)
    thread.stop()
    assert "start the companion again" in lost.camera_says
    assert notify.stuck(0.0) == ("watcher",)
    notify.at_rest()


def test_the_eyes_see_what_the_camera_sees(table):
    simulated, following, frames = watch(table, SMALL, 5.0)
    eyes = TableEyes("sim:zhizhu", following, lambda game: Oracle(simulated))
    assert eyes.picture().startswith(b"\xff\xd8")
    view = eyes.view()
    assert (view.game, view.plane, view.coverage) == ("zhizhu", "markers", "good")
    assert len(eyes.look_again().seen) == len(simulated.stage.layout)
    place = next(iter(simulated.stage.layout))
    assert next(iter(eyes.crop(place).odds)) == simulated.stage.layout[place]
    assert eyes.crop("nowhere") is None
    with pytest.raises(CannotSee, match="no JPEG"):
        eyes.read_photo(b"GIF89a", "zhizhu")
    with pytest.raises(CannotSee, match="printed sets"):
        eyes.sets("zhizhu")
    corners = view.corners
    assert eyes.calibrate(corners).plane == "corners"
    assert eyes.calibrate().plane == "markers"
    eyes.pause(True)
    following.take(frames[-1])
    assert table.now.camera is Camera.PAUSED
    eyes.pause(False)
    assert table.now.camera is Camera.SETTLING


@pytest.mark.parametrize("name", list(games()))
def test_a_small_terminal_shows_what_the_camera_does_the_points_and_the_last_move(table, name):
    table.begin(name, game_named(name).seats[min(game_named(name).seats)], {}, {}, "a request")
    for _ in range(8):
        standing = table.now.standing
        game, state = standing.game, standing.state
        breach = min(itertools.islice(game.conceivable(state), 200), key=lambda move: is_legal(game, state, move))
        table.tell(MovePlayed(game.to_move(state), game.write_move(breach, state)))
    console = Console(width=80, height=24, file=io.StringIO())
    console.print(_page(table.now))
    shown = console.file.getvalue().splitlines()[:23]
    assert shown[0].startswith("the table settles")
    points = [f"{standing.called(player)} {points}" for player, points in table.now.standing.score.points.items()]
    assert all(each in shown[1] for each in points)
    assert any(line.startswith("8. ") for line in shown)


def test_eyes_without_a_picture_say_so(table):
    eyes = TableEyes("v4l2:0", Following(table, lambda game: None), lambda game: None)
    with pytest.raises(CannotSee, match="no picture yet"):
        eyes.picture()


def test_words_for_a_picture_say_what_to_do():
    assert "light" in exposure(np.full((300, 400, 3), 12, np.uint8))
    assert "bright" in exposure(np.full((300, 400, 3), 254, np.uint8))
    assert "focus" in focus(np.full((300, 400, 3), 120, np.uint8))
    assert "far left" in coverage([(-0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])


def test_the_program_goes_on_where_it_was_killed(tmp_path):
    told = kill_program(tmp_path, 3)
    assert (told["lost"], told["games"], told["games_astray"], told["cameras_left_behind"]) == (0, 1, 0, 0)
    assert told["moves"] >= 2
