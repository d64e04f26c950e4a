"""The companion as a service: what systemd hears, how it stops, and how it is fenced in."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import notify
from companion.cli import main

DEPLOY = Path(__file__).parent.parent / "deploy"


@pytest.fixture
def heard(tmp_path, monkeypatch):
    """What is said to systemd."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield lambda: line.recv(4096).decode().splitlines()


@contextmanager
def _serving(tmp_path, *arguments, **environment):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(port)]
    child = subprocess.Popen(
        [*command, "--state", tmp_path / "state", *arguments],
        cwd=DEPLOY.parent,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield child, port
    finally:
        child.kill()
        child.communicate()


def _own_seconds(pid):
    """Processor time, whatever else the machine is doing."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, after_name[11:13])) / os.sysconf("SC_CLK_TCK")


def _until(heard, wanted):
    while wanted not in (lines := heard()):
        pass
    return lines


def test_the_service_says_when_it_is_ready_and_beats_while_it_works(tmp_path, heard):
    with _serving(tmp_path, "--source", "none", WATCHDOG_USEC="800000") as (child, port):
        ready = _until(heard, "READY=1")
        assert _own_seconds(child.pid) < 10
        assert f"STATUS=The page is at http://127.0.0.1:{port}/" in ready
        socket.create_connection(("127.0.0.1", port), 2).close()
        for _ in range(4):
            _until(heard, "WATCHDOG=1")
        assert child.poll() is None


def test_a_stopped_service_leaves_at_once_with_its_record_sound(tmp_path, heard):
    with _serving(tmp_path, "--source", "demo", "--pause", "0", WATCHDOG_USEC="800000") as (child, _):
        _until(heard, "READY=1")
        time.sleep(1)
        began = time.monotonic()
        child.send_signal(signal.SIGTERM)
        _until(heard, "STOPPING=1")
        assert child.wait(10) == 0
        assert time.monotonic() - began < 5
        assert child.stderr.read() == ""
    with sqlite3.connect(tmp_path / "state/demo/record.db") as record:
        assert record.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert record.execute("SELECT count(*) FROM events").fetchone()[0] > 1
    record.close()


def test_a_part_that_hangs_does_not_keep_the_service_from_leaving():
    hanging = """
import os, signal, time
from types import SimpleNamespace
from companion.cli import serve
serve.LONGEST_LEAVE_SECONDS = 0.5
serve._leave_on_signals(SimpleNamespace(close=lambda: time.sleep(600)), SimpleNamespace(stop=lambda: None))
os.kill(os.getpid(), signal.SIGTERM)
"""
    assert subprocess.run([sys.executable, "-c", hanging], cwd=DEPLOY.parent, timeout=60, check=False).returncode == 0


def test_the_journal_hears_the_address_and_no_secret(tmp_path, heard):
    with open(tmp_path / "journal", "w+") as journal:
        made = os.fstat(journal.fileno())
        environment = {**os.environ, "JOURNAL_STREAM": f"{made.st_dev}:{made.st_ino}", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "companion", "serve", "--source", "none", "--port", "0"]
        child = subprocess.Popen(
            [*command, "--state", tmp_path], cwd=DEPLOY.parent, env=environment, stdout=journal, stderr=journal
        )
        _until(heard, "READY=1")
        child.terminate()
        assert child.wait(10) == 0
        journal.seek(0)
        (line,) = journal.read().splitlines()
    assert line.startswith("The page is at http://")


def test_the_address_is_shown_with_the_owners_link_until_it_was_used(tmp_path):
    def shown(*more):
        return CliRunner().invoke(main, ["address", *more, "--state", str(tmp_path)]).output

    first, again, renewed = shown(), shown(), shown("--owner")
    assert first == again
    assert first.count("/owner/") == renewed.count("/owner/") == 1
    assert first != renewed


def test_the_pulse_stops_when_a_part_no_longer_gets_on(heard, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "40000")
    monkeypatch.setattr(notify, "_lately", {})
    pulse = notify.Pulse(lambda: None)
    notify.progress()
    pulse.start()
    assert heard() == ["WATCHDOG=1"]
    notify._lately["watcher"] -= notify.PART_SECONDS + 1
    assert _until(heard, "STATUS=No progress: watcher.")
    notify.at_rest()
    assert _until(heard, "WATCHDOG=1")
    pulse.stop()


def test_nobody_is_told_where_no_systemd_listens(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify.tell("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    notify.tell("READY=1")
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert notify._watchdog_seconds() == 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_is_sound_and_exposes_little():
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", DEPLOY / "companion.service"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    exposure = re.search(r"exposure level for companion\.service: ([\d.]+)", said)
    assert exposure is not None, said
    assert float(exposure[1]) <= 2.0, said
