"""The installer, run for real into a staged root: install, upgrade, rollback, uninstall, and what it refuses."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.events import GameBegun
from companion.store import Store

TOP = Path(__file__).parent.parent
BEGUN = GameBegun("zhizhu", {"game": "zhizhu", "to_move": "white", "white": [], "black": []})
NAME = "tile-table-companion"


def _pretend(folder, **tools):
    """Programs of the system that answer what they are told to."""
    folder.mkdir(exist_ok=True)
    for name, answer in tools.items():
        (folder / name).write_text(f"#!/bin/sh\n{answer}\n")
        (folder / name).chmod(0o755)
    return folder


def _install(*arguments, tools=None):
    """What the installer said, and its exit status; the libraries are those of the tests, so nothing is fetched."""
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    environment = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}" if tools else os.environ["PATH"],
        "PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(libraries),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_COMPILE": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    command = ["bash", TOP / "deploy/install.sh", *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """As `deploy/release` makes it; the tests' own environment has no tool for it, so pip fetches hatchling."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, TOP]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the wheel could not be built here: {done.stderr[-300:]}")
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory, wheel):
    """A root with two versions side by side and a game; what the installer said both times."""
    root = tmp_path_factory.mktemp("machine") / "root"
    first = _install("--root", root, "--wheel", wheel)
    assert first[0] == 0, first[1]
    with Store(root / "var/lib" / NAME) as store:
        store.begin(BEGUN)
    second = _install("--root", root, "--wheel", wheel)
    assert second[0] == 0, second[1]
    return root, first[1], second[1]


@pytest.fixture
def root(upgraded, tmp_path):
    """A copy of that root, to be spoiled."""
    return Path(shutil.copytree(upgraded[0], tmp_path / "root", symlinks=True))


def _games(root):
    with closing(sqlite3.connect(root / "var/lib" / NAME / "record.db")) as record:
        return record.execute("SELECT count(*) FROM games").fetchone()[0]


def _version(root, link):
    return os.readlink(root / "opt" / NAME / link)


def test_the_first_time_it_shows_the_address_a_code_and_the_owners_link(upgraded):
    root, said, _ = upgraded
    settings = json.loads((root / "var/lib" / NAME / "table.json").read_text())
    assert "http://" in said
    assert "█" in said
    assert f"/owner/{settings['owner_link']}" in said
    assert f"PIN for players: {settings['pin']}" in said


def test_everything_is_in_its_place(upgraded):
    root, *_ = upgraded
    assert (root / "etc/systemd/system/companion.service").read_text() == (TOP / "deploy/companion.service").read_text()
    assert f"{NAME}.service" in os.listdir(root / "etc/avahi/services")
    assert 'source = "none"' in (root / "etc" / NAME / "companion.toml").read_text()
    assert os.access(root / "usr/local/bin/companion", os.X_OK)
    assert (root / "opt" / NAME / "current/bin/companion").exists()
    assert (root / "var/lib" / NAME).stat().st_mode & 0o007 == 0


def test_an_upgrade_keeps_the_games_a_backup_and_the_version_before(upgraded):
    root, _, said = upgraded
    assert _version(root, "current") == "versions/2-0.1.0"
    assert _version(root, "previous") == "versions/1-0.1.0"
    assert "1-0.1.0 was replaced by 2-0.1.0" in said
    assert _games(root) == 1
    with closing(sqlite3.connect(root / "var/lib" / NAME / "backups/before-2-0.1.0.db")) as backup:
        assert backup.execute("SELECT count(*) FROM games").fetchone() == (1,)


def test_a_rollback_goes_to_the_version_before_and_again_forward(root):
    for current in ("versions/1-0.1.0", "versions/2-0.1.0"):
        status, said = _install("--root", root, "--rollback")
        assert status == 0, said
        assert _version(root, "current") == current
        assert _games(root) == 1


def test_a_record_the_old_version_cannot_read_is_kept_and_the_backup_takes_its_place(root):
    state = root / "var/lib" / NAME
    with Store(state) as store:
        store.begin(BEGUN)
    with closing(sqlite3.connect(state / "record.db")) as record:
        record.execute("PRAGMA user_version=99")
    status, said = _install("--root", root, "--rollback")
    assert status == 0, said
    assert "what it wrote is kept as" in said
    assert _games(root) == 1
    with closing(sqlite3.connect(state / "backups/written-by-2-0.1.0.db")) as kept:
        assert kept.execute("SELECT count(*) FROM games").fetchone() == (2,)


def test_without_a_backup_a_rollback_changes_nothing(root):
    state = root / "var/lib" / NAME
    shutil.rmtree(state / "backups")
    with closing(sqlite3.connect(state / "record.db")) as record:
        record.execute("PRAGMA user_version=99")
    status, said = _install("--root", root, "--rollback")
    assert status == 1
    assert "Nothing was changed" in said
    assert _version(root, "current") == "versions/2-0.1.0"


def test_an_upgrade_that_cannot_take_the_record_over_leaves_everything_as_it_was(root, wheel):
    with closing(sqlite3.connect(root / "var/lib" / NAME / "record.db")) as record:
        record.execute("PRAGMA user_version=99")
    status, said = _install("--root", root, "--wheel", wheel)
    assert status == 1
    assert "was written by a newer companion" in said
    assert "What was there before is unchanged" in said
    assert _version(root, "current") == "versions/2-0.1.0"
    assert sorted(os.listdir(root / "opt" / NAME / "versions")) == ["1-0.1.0", "2-0.1.0"]


def test_uninstalling_leaves_the_games_unless_told_otherwise(root):
    state, settings = root / "var/lib" / NAME, root / "etc" / NAME
    status, said = _install("--root", root, "--uninstall")
    assert (status, _games(root)) == (0, 1), said
    left = {path for path in root.rglob("*") if path.is_file()}
    assert all(state in path.parents or settings in path.parents for path in left)
    assert "not installed" in _install("--root", root, "--uninstall")[1]
    status, said = _install("--root", root, "--uninstall", "--purge")
    assert status == 0, said
    assert not [path for path in root.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("tools", "says"),
    [
        (
            {"dpkg": "echo armhf", "uname": "echo aarch64"},
            "This system is 32-bit (armhf, on a kernel that says aarch64)",
        ),
        ({"dpkg": "exit 127", "uname": "echo armv7l"}, "Raspberry Pi OS (64-bit)"),
        ({"dpkg": "echo riscv64"}, "no packages for riscv64"),
        ({"df": "echo; echo disk 9 9 204800 1% /"}, "There are 200 MB free"),
        ({"getconf": "[ $1 = PAGE_SIZE ] && echo 4096 || echo 131072"}, "This machine has 512 MB of memory"),
    ],
)
def test_a_machine_that_will_not_do_is_told_why_before_anything_is_changed(tmp_path, tools, says):
    status, said = _install("--root", tmp_path / "root", tools=_pretend(tmp_path / "tools", **tools))
    assert status == 1
    assert says in said
    assert not (tmp_path / "root").exists()


def test_an_old_python_is_refused(tmp_path):
    old = _pretend(tmp_path / "tools", python3='[ "$1" = --version ] && echo Python 3.9.2; exit 1') / "python3"
    environment = {**os.environ, "PYTHON": str(old)}
    command = ["bash", TOP / "deploy/install.sh", "--root", tmp_path / "root"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "too old: Python 3.9.2" in done.stderr


def test_without_root_nothing_is_installed(tmp_path):
    status, said = _install(tools=_pretend(tmp_path / "tools", id="echo 1000"))
    assert status == 1
    assert "run sudo" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--purge"], "--purge goes with --uninstall."),
        (["--upgrade"], "There is no option --upgrade; --help lists them."),
        (["--root"], "--root wants a path"),
        (["--wheel", "nowhere.whl"], "There is no wheel"),
        (["--root", "/nowhere/at/all", "--rollback"], "There is no earlier version"),
    ],
)
def test_what_cannot_be_meant_gets_a_sentence(arguments, says):
    status, said = _install(*arguments)
    assert status == 1
    assert says in said


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_the_scripts_are_clean():
    scripts = [TOP / "deploy" / name for name in ("install.sh", "release", "prove-arm64", "prove-service")]
    done = subprocess.run(["shellcheck", "-x", *scripts], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
