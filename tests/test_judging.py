"""What counts as an error when reading is judged."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.table import Table

import companion
from companion.cli import main
from companion.cli.evaluate import _by_game, _by_weight
from companion.registry import games
from companion.table import Layout, Piece
from companion.truth import Tally as Followed
from vision.judging import Scene, Tally, compare, judge_reading
from vision.reader import Reader
from vision.reading import SeenTile, TableRead

SWORD, LOTUS = Piece("sword", "white", 0), Piece("lotus", "white", 0)
LYING: Layout = {"a1": SWORD, "b1": LOTUS}


def seen(place: str | None, piece: Piece | None, probability: float = 0.99) -> SeenTile:
    return SeenTile(place, piece, probability, {piece: probability}, (0.0, 0.0), (), (0.0, 0.0), 0.0)


def judged(*tiles: SeenTile, hidden: frozenset[str] = frozenset(), unclear: tuple[str, ...] = ()) -> Tally:
    tally = Tally(layouts=1)
    compare(tally, LYING, hidden, tiles, unclear)
    return tally


def test_a_table_read_as_it_lies_is_exact() -> None:
    tally = judged(seen("a1", SWORD), seen("b1", LOTUS))
    assert (tally.exact, tally.silent, tally.asked) == (1, 0, 0)


@pytest.mark.parametrize("read", [[seen("b1", LOTUS)], [seen("b1", None)], []])
def test_a_hidden_tile_may_be_read_rightly_or_left_unknown_or_not_be_seen(read: list[SeenTile]) -> None:
    tally = judged(seen("a1", SWORD), *read, hidden=frozenset({"b1"}))
    assert (tally.exact, tally.invented, tally.silent) == (1, 0, 0)


def test_a_tile_missed_where_the_players_are_asked_is_no_silent_error() -> None:
    tally = judged(seen("a1", SWORD), unclear=("b1", "c1"))
    assert (tally.exact, tally.missed, tally.silent, tally.asked) == (0, 1, 0, 2)
    tally = judged(seen("a1", SWORD), unclear=("c1",))
    assert (tally.missed, tally.silent, tally.asked) == (1, 1, 1)


def test_a_hidden_tile_that_is_wrongly_named_is_an_error() -> None:
    tally = judged(seen("a1", SWORD), seen("b1", SWORD), hidden=frozenset({"b1"}))
    assert (tally.exact, tally.wrong, tally.silent) == (0, 1, 1)


def test_a_tile_in_sight_must_be_seen_and_named() -> None:
    assert judged(seen("a1", SWORD)).missed == 1
    assert judged(seen("a1", SWORD), seen("b1", None)).wrong == 1


def test_a_tile_where_none_lies_is_invented() -> None:
    tally = judged(seen("a1", SWORD), seen("b1", LOTUS), seen("c1", LOTUS), seen(None, SWORD, 0.5))
    assert (tally.exact, tally.invented, tally.silent, tally.asked) == (0, 2, 1, 1)


def test_a_wrong_turn_is_an_error_that_is_told_apart() -> None:
    tally = judged(seen("a1", Piece("sword", "white", 1)), seen("b1", LOTUS))
    assert (tally.wrong, tally.turned) == (1, 1)


def shown(table: Table) -> str:
    console = Console(width=80, highlight=False)
    with console.capture() as captured:
        console.print(table)
    return captured.get()


def test_every_word_of_the_tables_can_be_read_in_a_terminal_of_80_columns() -> None:
    counts = {"illegal_injected": 12, "scores_exact": 600, "delay_ms_p95": 1250}
    by_game = {name: {**Tally(layouts=300, tiles=20_850, asked=32).as_json(), **counts} for name in games()}
    words = {word for row in by_game.values() for key in row for word in key.split("_")}
    words |= {word for game in games().values() for word in game.title.split()}
    assert words <= set(shown(_by_game(by_game)).split())
    weights = {"misread 12.5": {"errors": 1, **Followed(games=40, moves=2_129, exact=2_129).as_json()}}
    assert {"misread", "injected", "reported", "alarms", "p95", "2129"} <= set(shown(_by_weight(weights)).split())


def test_the_share_of_tiles_that_are_asked_about_is_said() -> None:
    assert "32 (0.15%)" in shown(_by_game({"paiko": Tally(tiles=20_850, asked=32).as_json()}))
    assert "0 (" not in shown(_by_game({"paiko": Tally(layouts=9).as_json()})), "of an empty table nothing is asked"


def test_only_a_misread_table_leaves_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene("zhizhu", 9_103, hard=False, failures=tmp_path)
    assert [tally.exact for tally in judge_reading([scene], 1)] == [1]
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(Reader, "read", lambda reader, frame: TableRead(reader.register(frame), (), {}, None, ""))
    blind = next(judge_reading([scene], 1))
    assert blind.missed == blind.tiles
    assert [file.name for file in tmp_path.iterdir()] == ["zhizhu-9103.jpg"]


def test_real_photographs_are_judged_from_wherever_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "markers").mkdir()
    cv2.imwrite(str(tmp_path / "markers" / "nothing.jpg"), np.full((120, 160, 3), 127, np.uint8))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["evaluate", "--real", ".", "--json"], catch_exceptions=False)
    assert json.loads(done.stdout)["markers"]["layouts"] == 1
    monkeypatch.setattr(companion, "__file__", str(tmp_path / "companion" / "__init__.py"))
    done = CliRunner().invoke(main, ["evaluate", "--real", ".", "--json"], catch_exceptions=False)
    assert done.exit_code == 1
    assert "name their folder with --boards, or use a clone" in done.output
