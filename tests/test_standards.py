"""The habits of the house, checked by the tools that know them."""

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


def _run(*command):
    done = subprocess.run([sys.executable, "-m", *command], cwd=TOP, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy",),
    ],
    ids=" ".join,
)
def test_the_code_keeps_to(command):
    status, said = _run(*command)
    assert status == 0, said


def test_everybody_imports_only_whom_they_may():
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_happens_at_import():
    for package in ("companion", "companion.protocol", "companion.cli", "vision", "models", "web"):
        quiet = f"import {package}, threading; assert threading.active_count() == 1"
        done = subprocess.run([sys.executable, "-c", quiet], cwd=TOP, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
