"""Settings: where each comes from, what is wrong with a file, and a page that comes up in spite of it."""

import json
import os
import socket
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.configuration import KEYS, Configuration, camera_source, file_path, read_file, settle, variable
from companion.cli.serve import _within_reach
from companion.cli.watch import reader_of
from companion.game import Unreadable
from companion.registry import game_named
from companion.store import Store
from tests.serving import served
from vision.own_sets import PlayersSets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for key in KEYS:
        monkeypatch.delenv(variable(key), raising=False)
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    return tmp_path


@pytest.fixture
def write(folder):
    def write(text):
        (folder / "companion.toml").write_text(text, encoding="utf-8")
        return read_file(file_path())

    return write


def config(*arguments, **environment):
    done = CliRunner().invoke(main, ["config", *arguments], env=environment, catch_exceptions=False)
    return done.exit_code, done.output


def test_a_file_that_is_not_there_leaves_the_defaults(folder):
    told = settle(read_file(file_path()), {}, {})
    assert told.configuration == Configuration()
    assert set(told.origins.values()) == {"default"}
    assert config("check")[0] == 0


def test_a_flag_goes_over_the_environment_over_the_file_over_the_default(write):
    file = write('port = 81\ngame = "paiko"\nthreads = 3\nnames = ["den.local"]\n')
    told = settle(file, {"COMPANION_PORT": "82", "COMPANION_GAME": "zhizhu"}, {"port": "83"})
    chosen = told.configuration
    assert (chosen.port, chosen.game, chosen.threads, chosen.host) == (83, "zhizhu", 3, "0.0.0.0")
    assert chosen.names == ["den.local"]
    assert told.origins["port"] == "flag --port"
    assert told.origins["game"] == "environment COMPANION_GAME"
    assert told.origins["threads"] == "companion.toml, line 3"
    assert told.origins["host"] == "default"


def test_every_setting_can_be_told_in_every_way(folder, write):
    words = {
        "source": "none",
        "game": "tu_tzi",
        "players": "4",
        "set": "wooden",
        "host": "127.0.0.1",
        "port": "8100",
        "names": "den.local,attic.local",
        "state": str(folder),
        "language": "de",
        "evidence_mb": "50",
        "camera_size": "1640x1232",
        "camera_rate": "12.5",
        "threads": "4",
    }
    assert words.keys() == set(KEYS)
    by_environment = settle(read_file(file_path()), {variable(key): said for key, said in words.items()}, {})
    by_flags = settle(read_file(file_path()), {}, {**words, "names": words["names"].split(",")})
    values = by_flags.configuration.model_dump(mode="json")
    file = write("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))
    assert file.faults == ()
    assert by_environment.configuration == by_flags.configuration == settle(file, {}, {}).configuration
    assert by_flags.configuration.camera_rate == 12.5


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('game = "zhizhu"\nprot = 80\n', 2, "unknown key 'prot'; did you mean 'port'?"),
        ("[camera]\nsize = 3\n", 1, "unknown key 'camera'; did you mean 'camera_size'?"),
        ("\n\nzzz = 1\n", 3, "unknown key 'zzz'; the keys are source, game"),
        ('port = "80"\n', 1, "port: input should be a valid integer"),
        ("port = 65536\n", 1, "port: input should be less than or equal to 65535"),
        ('names = "den.local"\n', 1, "names: input should be a valid list"),
        ('# ours\ngame = "chess"\n', 2, "game: there is no game 'chess'; there are: paiko"),
        ('language = "xx"\n', 1, "language: no words are written in 'xx'; there are: de, en"),
        ('camera_size = "big"\n', 1, "camera_size: 'big' is no size; write width and height as in 1640x1232"),
        ('port = 81\ngame = zhizhu\nhost = "127.0.0.1"\n', 2, "Invalid value"),
        ("port = 81\nport = 82\n", 2, "Cannot overwrite a value"),
        ("names = [", 1, "Invalid value"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_to_do(write, text, line, says):
    (fault,) = write(text).faults
    assert fault.line == line
    assert says in fault.says
    status, said = config("check")
    assert (status, f"line {line}: " in said) == (1, True)


def test_a_file_that_is_no_text_or_no_file_is_a_fault_and_no_crash(folder):
    (folder / "companion.toml").write_bytes(b"port = 80\nset = '\xff'\n")
    (fault,) = read_file(file_path()).faults
    assert fault.line == 2
    assert "UTF-8" in fault.says
    (folder / "companion.toml").unlink()
    (folder / "companion.toml").mkdir()
    assert "cannot be read" in read_file(file_path()).says()


@pytest.mark.parametrize(
    ("source", "camera"),
    [
        ("picamera:", "picamera:?rate=5&picture=1640x1232"),
        ("picamera:1?rate=8", "picamera:1?rate=8&picture=1640x1232"),
        ("v4l2:/dev/video0", "v4l2:/dev/video0?rate=5&size=1640x1232"),
        ("http://phone:8080/video?a=b", "http://phone:8080/video?a=b#rate=5"),
        ("sim:zhizhu?seed=3", "sim:zhizhu?seed=3"),
        ("demo", "demo"),
    ],
)
def test_size_and_rate_go_to_the_cameras_that_have_them(source, camera):
    assert camera_source(Configuration(source=source, camera_size="1640x1232", camera_rate=5.0)) == camera
    assert camera_source(Configuration(source=source)) == source


def test_what_can_be_understood_of_a_broken_file_still_holds(write, folder):
    file = write(f"port = 8765\nstate = '{folder}'\ngame = \n")
    assert file.faults
    assert file.values == {"port": 8765, "state": str(folder)}


def test_a_flag_or_a_variable_that_cannot_be_meant_is_refused_by_its_name(write):
    file = write("")
    with pytest.raises(Unreadable, match=r"^--port eighty: input should be a valid integer"):
        settle(file, {}, {"port": "eighty"})
    with pytest.raises(Unreadable, match=r"^COMPANION_GAME chess: there is no game"):
        settle(file, {"COMPANION_GAME": "chess"}, {})


def test_a_value_that_proves_useless_is_the_files_fault_or_an_error_for_who_gave_it(write):
    told = settle(write('port = 1\nsource = "periscope"\n'), {}, {})
    refused = told.refuse("source", "there is no such camera")
    assert [str(fault) for fault in refused.file.faults] == ["line 2: source: there is no such camera"]
    with pytest.raises(Unreadable, match="flag --source: there is no such camera"):
        settle(told.file, {}, {"source": "periscope"}).refuse("source", "there is no such camera")


def test_show_tells_every_value_and_where_it_comes_from(write, tmp_path):
    write("port = 81\nthreads = 3\n")
    status, said = config("show", "--json", "--threads", "4", COMPANION_STATE=str(tmp_path))
    shown = json.loads(said)
    assert (status, shown["file"], shown["faults"]) == (0, str(file_path()), [])
    assert shown["settings"]["port"] == {"value": 81, "from": "companion.toml, line 1"}
    assert shown["settings"]["threads"] == {"value": 4, "from": "flag --threads"}
    assert shown["settings"]["state"] == {"value": str(tmp_path), "from": "environment COMPANION_STATE"}
    assert shown["settings"]["game"] == {"value": None, "from": "default"}
    assert all(key in config("show")[1] for key in KEYS)


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_show_leaves_out_the_password_of_a_camera(words):
    status, said = config("show", *words, COMPANION_SOURCE="rtsp://me:secret@192.168.0.9:554/video")
    assert status == 0
    assert "192.168.0.9" in said
    assert "secret" not in said


def test_the_file_is_in_the_platforms_place_unless_systemd_names_another(monkeypatch, tmp_path):
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", f"{tmp_path}:/somewhere/else")
    assert file_path() == tmp_path / "companion.toml"
    monkeypatch.delenv("CONFIGURATION_DIRECTORY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert file_path() == tmp_path / "tile-table-companion" / "companion.toml"


def test_other_commands_take_the_folder_from_the_file_and_refuse_a_broken_one(write, tmp_path):
    write(f'state = "{tmp_path}/kept"\n')
    assert f"nothing is recorded in {tmp_path}/kept" in CliRunner().invoke(main, ["record", "list"]).output
    write("stat = 1\n")
    assert "did you mean 'state'?" in CliRunner().invoke(main, ["record", "list"]).output


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ("prot = 8000", "line 1: unknown key &#39;prot&#39;; did you mean &#39;port&#39;?"),
        ('source = "rtps://keeper:hunter2@camera/"', "line 1: source: a source begins with one of"),
        ('set = "wood"\ngame = "zhizhu"\nsource = "none"', "line 1: set: there is no set &#39;wood&#39; for zhizhu"),
    ],
)
def test_a_broken_file_starts_the_page_in_safe_mode_and_the_page_says_why(write, tmp_path, first, says):
    write(f'{first}\nport = 0\nhost = "127.0.0.1"\nstate = "{tmp_path}/kept"\n')
    with served(os.environ) as (address, said):
        for path in ("", "tv", "more"):
            page = urllib.request.urlopen(address + path, timeout=10).read().decode()
            assert "Safe mode" in page
            assert says in page
            assert "hunter2" not in page
        assert 'class="camera camera-manual"' in urllib.request.urlopen(address, timeout=10).read().decode()
    assert "Safe mode, without a camera" in said[0]
    assert Path(tmp_path / "kept" / "record.db").exists()


def test_an_address_that_is_not_this_machines_is_the_files_fault_and_the_page_is_at_every_other(write):
    told = _within_reach(settle(write('host = "192.0.2.77"\n'), {}, {}))
    assert told.configuration.host == "0.0.0.0"
    assert "line 1: host: Cannot assign requested address" in told.file.says()
    with pytest.raises(Unreadable, match="flag --host: "):
        _within_reach(settle(write(""), {}, {"host": "192.0.2.77"}))


def test_a_page_that_cannot_be_served_says_so_in_a_sentence(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        started = ["serve", "--host", "127.0.0.1", "--source", "none", "--state", str(folder)]
        done = CliRunner().invoke(main, [*started, "--port", port], catch_exceptions=False)
        assert (done.exit_code, f"Port {port}: Address already in use" in done.output) == (1, True)
    with Store(folder):
        done = CliRunner().invoke(main, [*started, "--port", "0"], catch_exceptions=False)
        assert "Another companion writes the record" in done.output


def test_a_source_nobody_knows_is_refused(folder):
    done = CliRunner().invoke(main, ["serve", "--source", "periscope", "--state", str(folder)], catch_exceptions=False)
    assert (done.exit_code, "flag --source: a source begins with" in done.output) == (1, True)


@pytest.mark.parametrize(
    ("given", "used"),
    [((), 3), (("--threads", "4"), 4)],
    ids=["as the file says", "unless a flag says otherwise"],
)
def test_pictures_are_read_with_as_many_threads_as_the_settings_say(write, monkeypatch, tmp_path, given, used):
    asked = []
    monkeypatch.setattr("vision.reader.Crew", asked.append)
    write("threads = 3\n")
    CliRunner().invoke(main, ["read", str(tmp_path / "none.jpg"), "--game", "zhizhu", *given], catch_exceptions=False)
    players = PlayersSets(tmp_path, threads=5)
    players.reader(game_named("zhizhu"), None)
    reader_of(game_named("zhizhu"), threads=6)
    assert asked == [used, 5, 6]
