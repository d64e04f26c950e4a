"""What counts as an error when reading is judged."""

from pathlib import Path

import pytest

from companion.table import Layout, Piece
from vision.judging import Scene, Tally, compare, judge_reading
from vision.reader import Reader
from vision.reading import SeenTile, TableRead

SWORD, LOTUS = Piece("sword", "white", 0), Piece("lotus", "white", 0)
LYING: Layout = {"a1": SWORD, "b1": LOTUS}


def seen(place: str | None, piece: Piece | None, probability: float = 0.99) -> SeenTile:
    return SeenTile(place, piece, probability, {piece: probability}, (0.0, 0.0), (), (0.0, 0.0), 0.0)


def judged(*tiles: SeenTile, hidden: frozenset[str] = frozenset()) -> Tally:
    tally = Tally(layouts=1)
    compare(tally, LYING, hidden, tiles)
    return tally


def test_a_table_read_as_it_lies_is_exact() -> None:
    tally = judged(seen("a1", SWORD), seen("b1", LOTUS))
    assert (tally.exact, tally.silent, tally.asked) == (1, 0, 0)


@pytest.mark.parametrize("read", [[seen("b1", LOTUS)], [seen("b1", None)], []])
def test_a_hidden_tile_may_be_read_rightly_or_left_unknown_or_not_be_seen(read: list[SeenTile]) -> None:
    tally = judged(seen("a1", SWORD), *read, hidden=frozenset({"b1"}))
    assert (tally.exact, tally.invented, tally.silent) == (1, 0, 0)


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


def test_only_a_misread_table_leaves_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene("zhizhu", 9_103, hard=False, failures=tmp_path)
    assert [tally.exact for tally in judge_reading([scene], 1)] == [1]
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(Reader, "read", lambda reader, frame: TableRead(reader.register(frame), (), {}, None, ""))
    blind = next(judge_reading([scene], 1))
    assert blind.missed == blind.tiles
    assert [file.name for file in tmp_path.iterdir()] == ["zhizhu-9103.jpg"]
