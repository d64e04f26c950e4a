"""A sixth game is added by adding a folder: found, ruled and tested without touching another file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The house with one more folder in it."""
    copy = tmp_path_factory.mktemp("house")
    waste = shutil.ignore_patterns("__pycache__")
    shutil.copytree(TOP / "companion", copy / "companion", ignore=waste)
    shutil.copytree(TOP / "tests" / "contract", copy / "tests" / "contract", ignore=waste)
    shutil.copytree(TOP / "tests" / "noughts", copy / "companion" / "games" / "noughts", ignore=waste)
    return copy


def _run(tree, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=tree, capture_output=True, text=True, check=False, **more
    )


def test_the_folder_is_found(tree):
    assert "Noughts and crosses" in _run(tree, "companion", "games").stdout


def test_its_moves_are_ruled_on(tree):
    asked = '{"do": "judge", "position": {"game": "noughts", "filled": ["a1"]}, "move": "a1"}\n'
    said = _run(tree, "companion", "rules", input=asked).stdout
    assert '"rule": "1"' in said
    assert "O" in _run(tree, "companion", "show", "noughts", "-", input='{"filled": ["a1"]}').stdout


def test_it_is_tested_by_being_there(tree):
    written = _run(
        tree,
        "companion",
        "playthrough",
        "noughts",
        "--seed",
        "2",
        "--out",
        "companion/games/noughts/playthroughs/random-2.txt",
    )
    assert written.returncode == 0, written.stderr
    done = _run(tree, "pytest", "-q", "-p", "no:cacheprovider", "tests/contract", "-k", "noughts")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
    assert "failed" not in done.stdout


def test_a_defect_of_it_is_caught(tree):
    file = tree / "companion" / "games" / "noughts" / "__init__.py"
    sound = file.read_text(encoding="utf-8")
    file.write_text(sound.replace("if square in grid.filled else None", "if not square else None"), encoding="utf-8")
    try:
        done = _run(tree, "pytest", "-q", "-p", "no:cacheprovider", "tests/contract", "-k", "noughts")
    finally:
        file.write_text(sound, encoding="utf-8")
    assert done.returncode == 1, done.stdout
