"""The doctor: each fault is made for real where this machine allows it, and in a pretended root where it does not."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections import namedtuple
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

import models
from companion.cli import doctor as command
from companion.cli import main
from companion.config import Settings
from companion.doctor import bundle, camera, kept, machine, network
from companion.doctor.finding import State
from companion.events import GameBegun, PlayerNamed
from companion.evidence import SPARE_BYTES, Evidence
from companion.game import start
from companion.registry import game_named
from companion.store import Store

GOOD, LOOK, BROKEN, ABSENT = State


@pytest.fixture
def root(tmp_path):
    """A pretended root of a file system, written as a Pi would."""

    def put(path, text=""):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
        return tmp_path

    put("dev/null")
    return put


@pytest.fixture
def state(tmp_path):
    """A table that was played at: two people, a name, a picture."""
    folder = tmp_path / "state"
    game = game_named("zhizhu")
    with Store(folder) as store:
        number = store.begin(GameBegun("zhizhu", game.write_position(start(game))), "the-first-request")
        store.append(number, PlayerNamed("white", "Window Side"), None)
        store.append(number, PlayerNamed("black", "Lamp Side"), None)
        identity = store.game(number).identity
    Settings(folder).change(lambda kept: _named(kept))
    assert Evidence(folder / "evidence").keep(identity, 2, b"\xff\xd8\xff a face \xff\xd9")
    return folder


def _named(kept):
    return type(kept)("The Attic", kept.pin, kept.owner_link, kept.secret, {"white": "phone-of-window-side"})


def test_a_32_bit_system_is_told_what_to_install():
    assert machine.architecture("aarch64", 64).state is GOOD
    assert machine.architecture("x86_64", 64).state is GOOD
    for name, bits in (("armv7l", 32), ("aarch64", 32), ("riscv64", 64)):
        found = machine.architecture(name, bits)
        assert (found.state, "64-bit" in found.do) == (BROKEN, True)
    assert "Raspberry Pi OS" in machine.architecture("armv7l", 32).do


def test_an_old_python_is_broken():
    assert machine.python().state is GOOD
    assert machine.python((3, 9, 2)).state is BROKEN


def test_packages_are_held_against_our_bounds():
    wanted = ["flask<4,>=3.1", 'numpy<3,>=2.2; extra == "vision"', 'torch==2.13.0; extra == "train"']
    have = {"flask": "3.1.3", "numpy": "2.4.6"}
    assert machine.packages(wanted, ("vision",), have.get).state is GOOD
    old = machine.packages(wanted, ("vision",), {**have, "numpy": "1.24.2"}.get)
    assert (old.state, old.says) == (BROKEN, "numpy 1.24.2 (wanted <3,>=2.2)")
    new = machine.packages(wanted, ("vision",), {**have, "flask": "4.0"}.get)
    assert "flask 4.0" in new.says
    assert machine.packages(wanted, ("vision",), {"flask": "3.1"}.get).says == "numpy is missing"


def test_the_packages_of_this_environment_are_within_bounds():
    assert machine.packages(command.requires(command.PROGRAM), command.EXTRAS).state is GOOD


@pytest.mark.parametrize(
    ("bits", "state", "says"),
    [
        ("0", GOOD, "enough"),
        ("50000", LOOK, "since the start it happened that the voltage is too low and the processor is throttled"),
        ("50005", BROKEN, "now the voltage is too low and the processor is throttled"),
        ("80008", BROKEN, "limit of heat"),
    ],
)
def test_too_little_power_is_read_from_the_firmware(root, bits, state, says):
    found = machine.power(root("sys/devices/platform/soc/soc:firmware/get_throttled", f"{bits}\n"))
    assert found.state is state
    assert says in found.says


def test_power_is_asked_of_vcgencmd_where_the_file_is_not(tmp_path, monkeypatch):
    tool = tmp_path / "vcgencmd"
    tool.write_text("#!/bin/sh\necho throttled=0x50005\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert machine.power().state is BROKEN


def test_a_machine_that_is_no_pi_tells_nothing_of_power(root):
    assert machine.power(root("proc/meminfo")).state is ABSENT


@contextmanager
def _small_disk(path, size):
    path.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", path], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield path
    finally:
        subprocess.run(["umount", path], check=True)


def test_a_full_disk_is_broken(tmp_path):
    with _small_disk(tmp_path / "small", "1m") as small:
        found = machine.disk(small / "state" / "not yet made", 0)
        assert found.state is BROKEN
        assert "1 MB free" in found.says


def test_a_disk_is_judged_by_what_pictures_may_take(tmp_path, monkeypatch):
    for free, state in ((SPARE_BYTES - 1, BROKEN), (SPARE_BYTES + 99, LOOK), (SPARE_BYTES + 100, GOOD)):
        usage = namedtuple("usage", "total used free")(10**12, 0, free)
        monkeypatch.setattr(shutil, "disk_usage", lambda place, usage=usage: usage)
        assert machine.disk(tmp_path, 100).state is state


def test_little_memory_is_worth_a_look(root):
    assert machine.memory(root("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 5000000 kB\n")).state is GOOD
    assert machine.memory(root("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 100000 kB\n")).state is LOOK
    assert machine.memory(root("proc/meminfo", "MemTotal: 480000 kB\nMemAvailable: 300000 kB\n")).state is LOOK
    assert machine.memory(root("proc/meminfo", "")).state is ABSENT


def test_a_clock_that_lags_behind_its_own_program_is_worth_a_look(root):
    here = root("run/systemd/timesync/synchronized")
    assert machine.clock(1_000_000.0, here, 1_500_000.0).state is GOOD
    wrong = machine.clock(1_700_000_000.0, here, 0.0)
    assert (wrong.state, "in the past" in wrong.says) == (LOOK, True)


def test_a_camera_is_told_from_the_pis_decoders(root):
    root("dev/video10")
    here = root("sys/class/video4linux/video10/name", "bcm2835-codec-decode\n")
    assert camera.seen("picamera:", here).state is BROKEN
    assert camera.seen("none", here).state is ABSENT
    root("dev/video0")
    root("sys/class/video4linux/video0/name", "HD Webcam\n")
    assert camera.seen("v4l2:0", here).says == "HD Webcam (video0)"


def test_a_device_that_is_closed_names_the_group_to_join(root):
    here = root("dev/video0")
    root("dev/dma_heap/system")
    assert camera.permission("none", here).state is GOOD
    closed = camera.permission("picamera:", here, may=lambda device, mode: device.name != "system")
    assert (closed.state, closed.says) == (BROKEN, "closed to this user: system")
    assert f"usermod -aG {(here / 'dev/dma_heap/system').group()} " in closed.do
    assert camera.permission("none", here / "nowhere").state is ABSENT


@pytest.fixture
def system_python(tmp_path):
    """A Python beside ours that has a picamera2 with just what is written."""

    def make(module):
        folder = tmp_path / "system"
        folder.mkdir(exist_ok=True)
        if module is not None:
            (folder / "picamera2.py").write_text(module)
        script = folder / "python3"
        script.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
        script.chmod(0o755)
        return str(script)

    return make


_LISTS = "class Picamera2:\n    @staticmethod\n    def global_camera_info():\n        return {}\n"


@pytest.mark.parametrize(
    ("module", "state", "says"),
    [
        (_LISTS.format([{"Model": "imx708", "Num": 0}]), GOOD, "lists imx708"),
        (_LISTS.format([]), BROKEN, "lists no camera"),
        (None, BROKEN, "is not installed"),
        ("raise RuntimeError('numpy was built for another version')", BROKEN, "does not answer"),
        ("import time\ntime.sleep(60)", BROKEN, "does not answer"),
    ],
)
def test_picamera2_is_asked_under_the_systems_python(system_python, root, module, state, says):
    found = camera.picamera2("picamera:", root("proc/x"), system_python(module), seconds=3)
    assert (found.state, found.says) == (state, says)
    assert bool(found.do) == (state is BROKEN)


def test_picamera2_is_not_missed_where_nobody_asks_for_it(root, system_python):
    assert camera.picamera2("none", root("proc/x"), system_python(None)).state is ABSENT
    assert (
        camera.picamera2("none", root("proc/device-tree/model", "Raspberry Pi 5"), system_python(None)).state is ABSENT
    )


def test_a_machine_without_a_network_is_broken():
    assert network.address("127.0.0.1").state is BROKEN
    assert network.address("192.168.1.20").state is GOOD


def test_a_name_that_nobody_answers_for_is_worth_a_look(root):
    here = root("proc/x")
    assert "Avahi does not run" in network.name("den.local", here).says
    root("run/avahi-daemon/pid", "1")
    assert network.name("localhost", here).says == "localhost is 127.0.0.1"
    assert network.name("den.local", here, resolved=lambda name: None).state is LOOK


def test_a_taken_port_is_broken_unless_it_is_ours():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number = taken.getsockname()[1]
        taken.listen()
        found = network.port("127.0.0.1", number)
        assert (found.state, "another program" in found.says) == (BROKEN, True)
    assert network.port("127.0.0.1", number).state is GOOD
    assert "address of this machine" in network.port("192.0.2.77", 8000).do


@pytest.mark.parametrize(("answer", "state"), [(b'{"short_name": "Companion"}', GOOD), (b"{}", BROKEN)])
def test_a_port_on_which_a_companion_answers_is_good(answer, state):
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *said):
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert network.port("127.0.0.1", server.server_port).state is state
        server.shutdown()


def _traces(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_sound_record_is_looked_at_without_leaving_a_trace(state):
    before = _traces(state)
    assert kept.record(state).state is GOOD
    assert kept.table(state).state is GOOD
    assert _traces(state) == before


def test_a_record_in_use_is_looked_at_too(state):
    with Store(state) as store:
        store.begin(GameBegun("zhizhu", game_named("zhizhu").write_position(start(game_named("zhizhu")))), None)
        assert kept.record(state).state is GOOD


def test_a_damaged_record_is_broken_and_stays_where_it_is(state):
    path = state / "record.db"
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER events_stay_as_they_are")
        connection.execute("UPDATE events SET fact = '{}' WHERE number = 2")
    connection.close()
    before = _traces(state)
    found = kept.record(state)
    assert (found.state, "event 2 of game 1" in found.says) == (BROKEN, True)
    assert _traces(state) == before
    path.write_bytes(path.read_bytes()[:5000])
    assert kept.record(state).state is BROKEN
    path.write_bytes(b"no database at all" * 100)
    assert kept.record(state).state is BROKEN


def test_a_record_that_was_kept_aside_is_worth_a_look(state):
    (state / "record-damaged-20260101T000000Z-1.db").write_bytes(b"")
    assert kept.record(state).state is LOOK


def test_a_damaged_file_of_the_table_is_broken(state):
    (state / "table.json").write_text("{")
    found = kept.table(state)
    assert (found.state, "table.json away" in found.do) == (BROKEN, True)


def test_every_network_is_listed_with_its_checksum_and_intact():
    here = Path(models.__file__).parent
    assert models.intact().keys() == {file.name for kind in ("*.onnx", "*.npz") for file in here.glob(kind)}
    assert all(models.intact().values())


def test_a_changed_or_missing_network_is_broken(tmp_path, monkeypatch):
    (tmp_path / "finder.onnx").write_bytes(b"weights")
    listed = f"{sha256(b'weights').hexdigest()}  finder.onnx\n"
    (tmp_path / models.CHECKSUMS).write_text(listed)
    monkeypatch.setattr(models, "files", lambda package: tmp_path)
    assert command.networks().state is GOOD
    (tmp_path / "finder.onnx").write_bytes(b"weightz")
    assert command.networks().state is BROKEN
    (tmp_path / "finder.onnx").unlink()
    assert "finder.onnx" in command.networks().says


def test_the_speed_of_a_read_is_measured_where_there_are_networks():
    found = command.speed(2)
    assert found.state is ABSENT if not models.intact() else "ms by 2 threads" in found.says


def _doctor(*arguments):
    return CliRunner().invoke(main, ["doctor", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def quick(monkeypatch, tmp_path):
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(command, "speed", lambda threads: command.absent("speed", "not now"))


def test_the_doctor_shows_all_and_its_status_tells_whether_something_is_broken(quick, state):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number = taken.getsockname()[1]
        given = ("--state", state, "--host", "127.0.0.1", "--port", number)
        found = {each["name"]: each for each in json.loads(_doctor(*given, "--json").stdout)}
        assert {"architecture", "packages", "camera", "power", "disk", "clock", "name", "networks"} <= found.keys()
        taken.listen()
        done = _doctor(*given)
        assert done.exit_code == 1
        assert "Do: set another `port`" in done.output


def test_a_broken_file_of_settings_is_a_finding(quick, state, tmp_path):
    (tmp_path / "companion.toml").write_text("prot = 1\n")
    done = _doctor("--state", state, "--json")
    (found,) = (each for each in json.loads(done.stdout) if each["name"] == "settings")
    assert (done.exit_code, found["state"]) == (1, "broken")
    assert "did you mean 'port'?" in found["says"]


def test_the_archive_holds_no_secret_no_name_and_no_picture(quick, state, tmp_path, monkeypatch):
    settings = Settings(state).now
    log = (
        f"PIN for players: \x1b[1m{settings.pin}\x1b[0m\nOwner's link: http://192.0.2.1/owner/{settings.owner_link}\n"
        f"http://192.0.2.1/owner/an-older_link and PIN for players: 123456\nlamp side moved; {settings.secret}\n"
        "rtsp://keeper:hun@ter/hunter2@192.0.2.9/stream was lost\n"
    )
    monkeypatch.setattr(bundle, "_journal", lambda: log)
    archive = tmp_path / "support.zip"
    source = "http://keeper:hunter2@192.0.2.9/shot.jpg?pwd=hunter2"
    _doctor("--state", state, "--source", source, "--bundle", archive, "--port", 0)
    with zipfile.ZipFile(archive) as opened:
        held = {name: opened.read(name) for name in opened.namelist()}
    assert held.keys() == {"findings.json", "settings.json", "system.txt", "record.json", "log.txt"}
    private = [settings.pin, settings.owner_link, settings.secret, settings.name, "phone-of-window-side"]
    private += ["Window Side", "Lamp Side", "older_link", "123456", "hunter2", "a face", str(Path.home())]
    for secret in private:
        for name, content in held.items():
            assert secret.casefold().encode() not in content.lower(), (secret, name)
    assert not any(b"\xff\xd8\xff" in content or b"SQLite" in content for content in held.values())
    assert json.loads(held["record.json"])["events"] == {"game_begun": 1, "player_named": 2}
    assert b"was lost" in held["log.txt"]
    assert json.loads(held["settings.json"])["state"]["value"]


def test_a_log_whose_names_nobody_knows_is_left_out(state, tmp_path):
    (state / "record.db").write_bytes(b"no database" * 100)
    bundle.write_bundle(tmp_path / "support.zip", (), {}, state, log="Lamp Side moved")
    with zipfile.ZipFile(tmp_path / "support.zip") as opened:
        assert b"Lamp Side" not in opened.read("log.txt")
