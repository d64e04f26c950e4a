"""The README is true: every command in its code blocks is run as it is written, and every other one it names exists."""

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.configuration import read_file
from companion.events import GameBegun
from companion.game import legal_moves, start
from companion.games.zu_tiles_hime.editing import EDITING
from companion.registry import game_named, games
from companion.store import Store
from companion.tiles import load_catalogue

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")

NOT_RUN = {
    "deploy/test": "it runs these very tests",
    "sudo ": "it changes the system; deploy/prove-service runs them in one of its own",
}
"""What cannot be run here, by how the command begins, and why."""

GOES_ON = ("serve", "watch", "demo")
"""Commands that go on until they are stopped."""

STATUS = {"judge": {1}, "doctor": {0, 1}}
"""Other exit statuses than 0: the README judges an illegal move, and a doctor may find something."""


def _blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def _commands():
    """Each command once, without the comment beside it."""
    lines = "\n".join(_blocks("sh")).replace("\\\n", " ").splitlines()
    return list(dict.fromkeys(filter(None, (re.sub(r"(^|\s+)#.*", "", line) for line in lines))))


def _reason(command):
    return next((why for beginning, why in NOT_RUN.items() if command.startswith(beginning)), None)


def _position(words, seed=1):
    """A position some moves into the game that the command names."""
    game = game_named(next((word for word in words if word in games()), "zhizhu"))
    state, rng = start(game), random.Random(seed)
    for _ in range(6):
        state = game.play(state, rng.choice(legal_moves(game, state)))
    return json.dumps({"game": game.name, **game.write_position(state)})


@pytest.fixture
def house(tmp_path):
    """A folder as the README has it, in which `deploy/run` and `companion` are this very code, with a game recorded."""
    for name, alone in (("deploy/run", "serve"), ("bin/companion", "--help")):
        (tmp_path / name).parent.mkdir()
        run = f'#!/bin/sh\n[ $# -gt 0 ] || set -- {alone}\nexec "{sys.executable}" -m companion "$@"\n'
        (tmp_path / name).write_text(run)
        (tmp_path / name).chmod(0o755)
    with Store(tmp_path / "state") as store:
        store.begin(GameBegun("zhizhu", game_named("zhizhu").write_position(start(game_named("zhizhu")))))
    return tmp_path


@pytest.fixture(scope="session")
def earlier():
    """The files that earlier commands left."""
    return {}


def _begin(command, house):
    environment = {
        **os.environ,
        "PATH": f"{house / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(TOP),
        "PYTHONUNBUFFERED": "1",
        "COMPANION_STATE": str(house / "state"),
        "COMPANION_PORT": "0",
        "CONFIGURATION_DIRECTORY": str(house),
    }
    return subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=house,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("command", [command for command in _commands() if not _reason(command)])
def test_a_command_of_the_readme_does_what_it_says(command, house, earlier):
    words = shlex.split(command)
    assert words[0] in ("deploy/run", "companion"), f"{command}: run it here, or say in NOT_RUN why not"
    verb = words[1] if len(words) > 1 else "serve"
    (house / "position.json").write_text(_position(words), encoding="utf-8")
    if "photo.jpg" in words and verb != "scene":
        _make("photo.jpg", "companion scene position.json --out photo.jpg --ground mat", house, earlier)
    if "game.mp4" in words and verb != "film":
        _make("game.mp4", "companion film zhizhu --out game.mp4 --seconds 4", house, earlier)
    running = _begin(command, house)
    if verb in GOES_ON and "--help" not in words:
        said = _stopped(running)
    else:
        said = running.communicate(timeout=120)[0]
        assert running.returncode in STATUS.get(verb, {0}), said
    assert said
    assert "Traceback" not in said


def _make(file, command, house, earlier):
    """What an earlier command of the README would have left; for the same position it is run once."""
    key = file, (house / "position.json").read_text(encoding="utf-8")
    if key not in earlier:
        making = _begin(command, house)
        said = making.communicate(timeout=60)[0]
        assert making.returncode == 0, said
        earlier[key] = (house / file).read_bytes()
    (house / file).write_bytes(earlier[key])


def _stopped(running):
    """What a command says that goes on: it must have something to say, and still be at it a moment later."""
    try:
        first = running.stdout.readline()
        time.sleep(0.5)
        assert running.poll() is None, first + running.stdout.read()
    finally:
        running.send_signal(signal.SIGTERM)
    return first + running.communicate(timeout=20)[0]


def test_what_is_not_run_is_known_by_its_reason():
    assert all(any(command.startswith(beginning) for command in _commands()) for beginning in NOT_RUN)
    assert len(_commands()) > 10


def test_every_option_of_the_installer_exists():
    told = subprocess.run(["bash", TOP / "deploy/install.sh", "--help"], capture_output=True, text=True, check=True)
    named = set(re.findall(r"deploy/install\.sh ((?:--[a-z-]+ ?)+)", README))
    assert {"--rollback", "--uninstall --purge"} <= set(map(str.strip, named))
    assert all(option in told.stdout for options in named for option in options.split())


@pytest.mark.parametrize("script", sorted(set(re.findall(r"deploy/[a-z][\w.-]*\w", README))))
def test_a_script_that_is_named_is_there(script):
    assert (TOP / script).exists()


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`((?:companion|deploy/run) [a-z][^`…]*)`", README))))
def test_a_command_that_is_named_in_passing_exists_with_its_options(command):
    done = CliRunner().invoke(main, [*shlex.split(command)[1:], "--help"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("module", sorted(set(re.findall(r"`python -m ([\w.]+)", README))))
def test_a_module_that_is_named_exists(module):
    assert find_spec(module)


def test_the_settings_that_are_shown_can_be_meant(tmp_path, monkeypatch):
    shown = _blocks("toml")
    assert shown
    for number, text in enumerate(shown):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        if "[[tile]]" in text:
            monkeypatch.setenv("COMPANION_TILES", str(path.parent))
            path.rename(path.with_stem("zu_tiles_hime"))
            own = load_catalogue(game_named("zu_tiles_hime").folder / "tiles.toml", EDITING)
            assert (own.own, own.faults) == ({"rat", "phoenix"}, ())
        else:
            assert read_file(path).says() == ""


@pytest.mark.parametrize("file", sorted(set(re.findall(r"\]\(([\w./-]+)\)", README))))
def test_a_file_that_is_shown_is_there(file):
    assert (TOP / file).exists()
