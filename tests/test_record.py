"""Whole games of the record: what may be added, what corrections changed, and the way out and in again."""

import csv
import io
import json
import random
import shlex
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.configuration import default_state
from companion.events import (
    DrawAgreed,
    Event,
    GameBegun,
    MovePlayed,
    MoveVoided,
    OptionSwitched,
    PlayerNamed,
    RulingGiven,
    ScoreAdjusted,
    TileCorrected,
)
from companion.evidence import Evidence
from companion.game import Unreadable, start
from companion.record import add, corrections, export_json, import_json, moves_csv, steps
from companion.registry import game_named, games
from companion.session import changes, fold
from companion.store import Entry, Store

GAME = game_named("zhizhu")
BEGUN = GameBegun("zhizhu", GAME.write_position(start(GAME)))
TOLD = (
    MovePlayed("white", "a1"),
    MovePlayed("black", "c1"),
    MovePlayed("white", "c1", "phone"),
    MovePlayed("black", "d1"),
    MoveVoided(3),
    TileCorrected("h3", None),
    ScoreAdjusted("black", 2, "late"),
    RulingGiven(2, False, "house rule"),
    OptionSwitched("chains", "every"),
)


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def store(state):
    with Store(state, clock=lambda: 1_800_000_000.0) as opened:
        yield opened


@pytest.fixture
def game(store):
    number = store.begin(BEGUN)
    for fact in TOLD:
        add(store, number, fact)
    return number


@pytest.fixture
def companion(state):
    def run(*arguments, given=None):
        arguments = ["record", *map(str, arguments), "--state", str(state)]
        return CliRunner().invoke(main, arguments, input=given, catch_exceptions=False)

    return run


def test_what_is_added_is_ruled_on(store):
    game = store.begin(BEGUN)
    assert add(store, game, MovePlayed("white", "a1")).standing.moves[-1].ruling.legal
    added = add(store, game, MovePlayed("black", "a1"))
    assert (added.event.number, added.standing.moves[-1].ruling.rule) == (3, "2.2")
    assert added.standing == fold(store.events(game))


def test_what_a_record_cannot_hold_is_refused_and_not_written(store, game):
    before = store.events(game)
    for fact in (
        MovePlayed("white", "castle"),
        MoveVoided(99),
        RulingGiven(1, True),
        ScoreAdjusted("red", 1),
        OptionSwitched("flying", "yes"),
        TileCorrected("z9", None),
    ):
        with pytest.raises(Unreadable):
            add(store, game, fact)
    assert store.events(game) == before


def test_a_correction_lists_what_it_changed(store):
    game = store.begin(BEGUN)
    for move in ("a1", "c1", "c1"):
        add(store, game, MovePlayed(None, move), move if move == "a1" else None)
    assert add(store, game, MoveVoided(3)).changed[0] == "move 4, c1, is now legal"


def test_a_request_made_again_is_answered_as_the_first_time(store):
    game = store.begin(BEGUN)
    add(store, game, MovePlayed("white", "a1"))
    first = add(store, game, MoveVoided(2), "phone 1")
    last = add(store, game, MovePlayed("white", "a2"))
    again = add(store, game, MoveVoided(2), "phone 1")
    assert (again.event, again.changed, again.standing) == (first.event, first.changed, last.standing)
    assert len(store.events(game)) == 4


def test_the_steps_tell_each_move_as_it_was_ruled_on_in_its_turn(store, game):
    told = list(steps(store.events(game)))
    assert [step.event for step in told] == list(store.events(game))
    ruled = {step.event.number: step.played.ruling.rule for step in told if step.played}
    assert ruled == {2: None, 3: None, 4: "2.2", 5: None}
    assert {move.number: move.ruling.rule for move in fold(store.events(game)).moves} == {2: None, 4: None, 5: None}
    assert "move 4, c1, is now legal" in told[5].changed


def test_the_steps_are_those_of_one_fold_after_another(store, game):
    events = store.events(game)
    for step in steps(events):
        if step.played:
            assert step.played == fold(events[: step.event.number]).moves[-1]
        elif step.event.number > 1:
            assert step.changed == changes(fold(events[: step.event.number - 1]), fold(events[: step.event.number]))


def test_corrections_are_what_is_no_move(store, game):
    assert [step.event.number for step in corrections(store.events(game))] == [6, 7, 8, 9, 10]


@pytest.mark.parametrize("name", games())
def test_a_game_of_every_kind_goes_out_and_comes_in(name, tmp_path):
    kind = game_named(name)
    head, *rest = next((kind.folder / "playthroughs").glob("*.txt")).read_text(encoding="utf-8").splitlines()
    moves = [line.split("  ")[1] for line in rest if line[0].isdigit()][:40]
    with Store(tmp_path / "here") as here, Store(tmp_path / "there") as there:
        game = here.begin(GameBegun(name, json.loads(head)))
        for move in moves:
            here.append(game, MovePlayed(None, move))
        taken = import_json(there, export_json(here, game))
        assert there.events(taken) == here.events(game)
        assert fold(there.events(taken)) == fold(here.events(game))


def test_an_export_comes_in_as_it_went_out(store, game, tmp_path):
    with Store(tmp_path / "other") as other:
        other.begin(BEGUN)
        taken = import_json(other, export_json(store, game))
        assert taken == 2
        assert other.entries(taken) == store.entries(game)
        assert other.game(taken).identity == store.game(game).identity
        assert export_json(other, taken) == export_json(store, game)


def test_a_game_comes_in_once(store, game):
    with pytest.raises(Unreadable, match=f"it is game {game}"):
        import_json(store, export_json(store, game))
    assert len(store.games()) == 1


def test_a_damaged_export_is_refused_and_changes_nothing(store, game, tmp_path):
    rng, whole = random.Random(1), export_json(store, game)
    with Store(tmp_path / "other") as other:
        for _ in range(150):
            at = rng.randrange(len(whole))
            text = whole[:at] + rng.choice(("", "7", "x", '"', "\x00", "{")) + whole[at + rng.randint(1, 3) :]
            if _parsed(text) != json.loads(whole):
                with pytest.raises(Unreadable):
                    import_json(other, text)
        for cut in range(0, len(whole) - 2, 97):
            with pytest.raises(Unreadable):
                import_json(other, whole[:cut])
        assert other.games() == ()


def _parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("changed", "at"),
    [
        ({"version": 2}, "version"),
        ({"format": "pgn"}, "format"),
        ({"identity": "../../etc"}, "identity"),
        ({"events": []}, "events"),
        ({"note": "hello"}, "note"),
        ({"sha256": "0" * 64}, "sha256"),
    ],
)
def test_what_is_no_export_is_refused_where_it_is_wrong(store, game, tmp_path, changed, at):
    export = json.loads(export_json(store, game)) | changed
    with Store(tmp_path / "other") as other, pytest.raises(Unreadable) as refused:
        import_json(other, json.dumps(export))
    assert refused.value.at == at


def test_an_export_with_a_move_that_is_none_is_refused_though_its_sum_is_right(store, tmp_path):
    game = store.begin(BEGUN)
    store.append(game, MovePlayed("white", "castle"))
    with Store(tmp_path / "other") as other:
        with pytest.raises(Unreadable) as refused:
            import_json(other, export_json(store, game))
        assert refused.value.at == "event 2"
        assert other.games() == ()


def test_the_table_of_moves_has_rulings_and_points(store, game):
    rows = list(csv.DictReader(io.StringIO(moves_csv(fold(store.events(game))))))
    assert [(row["number"], row["move"], row["verdict"]) for row in rows] == [
        ("2", "a1", "illegal"),
        ("4", "c1", "legal"),
        ("5", "d1", "legal"),
        ("end", "", ""),
    ]
    assert (rows[-1]["white"], rows[-1]["black"]) == ("0", "2")


def test_games_are_listed(companion, store, game):
    store.append(store.begin(BEGUN), DrawAgreed("late"))
    shown = companion("list").output
    assert "2027-01-15" in shown
    assert "zhizhu" in shown
    first, second = json.loads(companion("list", "--json").output)
    assert (first["number"], first["moves"], first["points"], first["over"]) == (1, 4, {"white": 0, "black": 2}, False)
    assert (second["over"], second["says"]) == (True, "late")
    assert [row["number"] for row in json.loads(companion("list", "--json", "--last", 1).output)] == [2]


def test_a_game_that_no_longer_folds_is_still_listed_and_exported(companion, store, game):
    broken = store.begin(BEGUN)
    store.append(broken, MovePlayed("white", "castle"))
    shown = json.loads(companion("list", "--json").output)
    assert [row["number"] for row in shown] == [game, broken]
    assert "event 2" in shown[1]["says"]
    assert "castle" in companion("export", broken).output
    assert companion("show", broken).exit_code == 1


def test_a_game_is_shown_with_what_corrections_changed(companion, store, game, state):
    Evidence(state / "evidence", spare_bytes=0).keep(store.game(game).identity, 4, b"\xff\xd8\xff picture \xff\xd9")
    shown = companion("show", game).output
    for words in ("move voided move number 3", "move 4, c1, is now legal", "Black: 0 → 2 points", "house rule"):
        assert words in shown
    told = json.loads(companion("show", game, "--json").output)
    assert [move["number"] for move in told["moves"]] == [2, 4, 5]
    assert told["corrections"][0]["changed"] == ["move 4, c1, is now legal", "White: 1 → 0 points"]
    assert told["points"] == {"white": 0, "black": 2}
    assert told["position"] == GAME.write_position(fold(store.events(game)).state)
    assert list(told["pictures"]) == ["4"]


def test_a_game_is_shown_with_where_its_pictures_are(companion, store, game, state):
    assert "pictures are in" not in companion("show", game).output
    identity = store.game(game).identity
    Evidence(state / "evidence", spare_bytes=0).keep(identity, 4, b"\xff\xd8\xff picture \xff\xd9")
    shown = companion("show", game).output
    (path,) = state.rglob("*.jpg")
    assert f"The pictures are in {path.parent}.\n" in shown
    assert [path.name in line for line in shown.splitlines() if " c1 " in line] == [True]


def test_a_game_is_replayed_with_its_rulings(companion, store, game):
    shown = companion("replay", game).output
    assert "4. white c1  illegal by 2.2" in shown
    assert "move 4, c1, is now legal" in shown
    drawn = companion("replay", game, "--boards").output
    assert drawn.count("\n") > shown.count("\n") + 10 * len(TOLD)


def test_a_game_is_carried_to_another_companion_by_a_file(companion, store, game, tmp_path):
    file = tmp_path / "game.json"
    assert companion("export", game, "--out", file).output == ""
    other = ["--state", str(tmp_path / "other")]
    done = CliRunner().invoke(main, ["record", "import", str(file), "--json", *other])
    assert json.loads(done.output) == {"games": [1], "refused": []}
    assert CliRunner().invoke(main, ["record", "export", "1", *other]).output == file.read_text(encoding="utf-8")
    assert companion("export", game, "--csv").output == moves_csv(fold(store.events(game)))


def test_importing_says_what_is_wrong_in_a_sentence(companion, store, game, tmp_path):
    text = export_json(store, game)
    assert "Another companion writes" in companion("import", "-", given=text).output
    store.close()
    for given, says in (
        (text, "here already"),
        (text[:-40], "not JSON"),
        (text.replace("late", "early"), "not those that were exported"),
        (b"\xff\xfe", "not UTF-8"),
    ):
        done = companion("import", "-", given=given)
        assert done.exit_code == 1
        assert says in done.output


def test_the_whole_games_of_a_record_kept_aside_come_back(companion, store, game, state):
    spoilt = store.begin(BEGUN)
    add(store, spoilt, ScoreAdjusted("white", 1, "words to be spoilt"))
    whole = store.begin(BEGUN)
    before = {number: store.events(number) for number in (game, whole)}
    store.close()
    file = state / "record.db"
    file.write_bytes(file.read_bytes().replace(b"words to be spoilt", b"swords to be split"))
    with Store(state) as begun:
        assert begun.games() == ()
    (aside,) = state.glob("record-damaged-*.db")
    done = companion("import", aside)
    assert done.exit_code == 1
    assert f"game {spoilt}: " in done.output
    with Store(state) as healed:
        assert [healed.events(kept.number) for kept in healed.games()] == list(before.values())
    assert "here already" in companion("import", aside).output


PAGE_BYTES = 1024


def many_games(state):
    """A closed record of a dozen games on many pages, and what each holds."""
    held = {}
    with Store(state) as store:
        for game in range(1, 13):
            facts = (BEGUN, *(ScoreAdjusted("white", n, f"note {n} of game {game}") for n in range(40)))
            entries = tuple(Entry(Event(n, fact), 5.0) for n, fact in enumerate(facts, 1))
            store.adopt(f"{game:032x}", entries)
            held[f"{game:032x}"] = entries
    return held


def zero_page(file, page):
    written = bytearray(file.read_bytes())
    written[page * PAGE_BYTES : (page + 1) * PAGE_BYTES] = bytes(PAGE_BYTES)
    file.write_bytes(written)


def root_page(file, name):
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return page - 1


def salvaged(state):
    """What the command that is offered says, and the games that are there then."""
    with Store(state) as begun:
        _, remedy = begun.said
        assert begun.games() == ()
    command = shlex.split(remedy.split("`")[1])
    assert command[-2:] == ["--state", str(state)]
    done = CliRunner().invoke(main, command[1:])
    with Store(state) as healed:
        return remedy, done, {kept.identity: healed.entries(kept.number) for kept in healed.games()}


def test_every_game_on_sound_pages_comes_back_from_a_damaged_record(state):
    held, file = many_games(state), state / "record.db"
    zero_page(file, file.stat().st_size // PAGE_BYTES // 2)
    remedy, done, back = salvaged(state)
    assert 8 <= len(back) < 12
    assert back.items() < held.items()
    assert f"{len(back)} games" in remedy
    assert f"{len(back)} of 12 games are taken in." in done.output
    lost = [number for number in range(1, 13) if f"{number:032x}" not in back]
    assert all(f"game {number}: " in done.output for number in lost)
    assert done.exit_code == 1


def test_games_come_back_from_a_record_that_was_cut_short(state):
    held, file = many_games(state), state / "record.db"
    with file.open("r+b") as cut:
        cut.truncate(file.stat().st_size - 4 * PAGE_BYTES)
    _, done, back = salvaged(state)
    assert 8 <= len(back) < 12
    assert back.items() < held.items()
    assert f"{len(back)} of 12 games are taken in." in done.output


@pytest.mark.parametrize("root", ["games", "sqlite_autoindex_games_1"])
def test_games_come_back_where_the_list_of_them_is_damaged(state, root):
    held, file = many_games(state), state / "record.db"
    zero_page(file, root_page(file, root))
    _, done, back = salvaged(state)
    assert (done.exit_code, back) == (0, held)


def test_games_that_lost_their_name_come_back_under_one_of_their_own_and_once(companion, state):
    held, file = many_games(state), state / "record.db"
    for page in [root_page(file, root) for root in ("games", "sqlite_autoindex_games_1")]:
        zero_page(file, page)
    _, done, back = salvaged(state)
    assert (done.exit_code, list(back.values())) == (0, list(held.values()))
    (aside,) = state.glob("record-damaged-*.db")
    assert companion("import", aside).output.count("here already") == 12


def test_nothing_is_offered_where_nothing_can_be_read(companion, state):
    for spoil in (lambda file: zero_page(file, root_page(file, "events")), lambda file: file.write_bytes(b"")):
        many_games(state)
        spoil(state / "record.db")
        with Store(state) as begun:
            assert len(begun.said) == 1
        *_, aside = sorted(state.glob("record-damaged-*.db"))
        assert companion("import", aside).exit_code == 1
        (state / "record.db").unlink()


def test_importing_into_a_damaged_record_says_that_it_was_kept_aside(companion, store, game, state):
    text = export_json(store, game)
    store.close()
    (state / "record.db").write_text("no database")
    done = companion("import", "-", given=text)
    assert "is kept as record-damaged-" in done.stderr
    assert "This is game 1 now." in done.stdout


def test_a_game_that_is_forgotten_leaves_no_byte_and_no_picture(companion, store, state):
    kept, gone, last = (store.begin(BEGUN) for _ in range(3))
    add(store, gone, PlayerNamed("white", "Whoever Sat By The Window"))
    before = {number: store.events(number) for number in (kept, last)}
    pictures = Evidence(state / "evidence")
    for number in (kept, gone):
        assert pictures.keep(store.game(number).identity, 1, b"\xff\xd8\xff picture \xff\xd9")
    assert "Another companion writes the record" in companion("forget", gone, "--yes").output
    store.close()
    assert companion("forget", gone, given="n\n").exit_code == 1
    assert len(list(state.rglob("*.jpg"))) == 2
    assert companion("forget", gone, given="y\n").exit_code == 0
    assert not any(b"By The Window" in path.read_bytes() for path in state.rglob("*") if path.is_file())
    assert len(list(state.rglob("*.jpg"))) == 1
    with Store(state) as opened:
        assert opened.said == ()
        assert {number: opened.events(number) for number in (kept, last)} == before
        assert [game.number for game in opened.games()] == [kept, last]
    assert "no game 2" in companion("forget", gone, "--yes").output


def test_a_record_that_forgot_a_game_still_lets_no_event_go(companion, store, state):
    kept, gone = store.begin(BEGUN), store.begin(BEGUN)
    store.forget(gone)
    for wanted in ("DELETE FROM events", "DELETE FROM games", "UPDATE events SET kind = ''"):
        with pytest.raises(sqlite3.IntegrityError):
            store._connection.execute(wanted)
    assert store.events(kept)


@pytest.mark.parametrize("arguments", [("list",), ("show", 1), ("replay", 1), ("export", 1), ("forget", 1)])
def test_where_nothing_is_recorded_a_sentence_says_so(companion, state, arguments):
    done = companion(*arguments)
    assert done.exit_code == 1
    assert "nothing is recorded" in done.output
    assert not state.exists()


def test_a_day_no_calendar_knows_is_shown_as_unknown(companion, state):
    with Store(state, clock=lambda: 1e300) as store:
        store.begin(BEGUN)
    assert "?" in companion("list").output


def test_the_place_of_the_record_is_the_systems_own_or_the_one_that_is_named(monkeypatch, tmp_path):
    assert default_state().name == "tile-table-companion"
    with Store(tmp_path) as store:
        store.begin(BEGUN)
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    assert len(json.loads(CliRunner().invoke(main, ["record", "list", "--json"]).output)) == 1


def test_a_record_is_backed_up_while_it_is_written_and_comes_back(companion, store, game, tmp_path):
    copy = tmp_path / "copy" / "record.db"
    assert "cannot be backed up" in companion("backup", copy).output
    copy.parent.mkdir()
    assert companion("backup", copy).output == f"1 games are copied to {copy}.\n"
    assert "is there already" in companion("backup", copy).output
    with Store(copy.parent) as other:
        assert other.entries(game) == store.entries(game)


def test_a_record_is_brought_to_the_shape_of_this_version(companion, store, game):
    assert "Another companion writes" in companion("upgrade").output
    store.close()
    assert companion("upgrade").output == "The record is sound and holds 1 games.\n"
