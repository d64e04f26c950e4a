"""Tiles of four pictures and an icon, read part by part."""

import numpy as np
import pytest

from companion.registry import game_named
from vision.quarters import combined, is_quartered, parts_of, turned, within_the_set

LETTERS = list("PNRZpnrzKDMH")
ICONS = ["", "o", "s", "e"]
TILES = game_named("pirates_ninjas_robots_zombies").catalogue


def parts(name: str, sure: float = 0.97) -> list[tuple[list[str], np.ndarray]]:
    """The odds of a reading that sees this name, so sure of each part."""
    seen = [name[0], name[1], name[4], name[3], name[5:]]
    return [
        (LETTERS if i < 4 else ICONS, odds_of(letter, LETTERS if i < 4 else ICONS, sure)[None])
        for i, letter in enumerate(seen)
    ]


def odds_of(letter: str, among: list[str], sure: float) -> np.ndarray:
    rest = (1 - sure) / len(among)
    return np.array([sure if one == letter else rest for one in among] + [rest])


@pytest.mark.parametrize("name", ["PP/Ppo", "Pn/DP", "NZ/ZN", "Nn/nNe"])
def test_a_tile_of_the_catalogue_is_spelled_as_it_lies(name: str) -> None:
    for turn in range(4):
        lying = turned(name, turn)
        (odds,) = combined(parts(lying), TILES)
        assert max(odds, key=odds.__getitem__) == lying
        assert odds[lying] > 0.95


def test_a_combination_that_no_tile_has_is_read_all_the_same() -> None:
    (odds,) = combined(parts("KD/pZs", sure=0.99), TILES)
    assert max(odds, key=odds.__getitem__) == "KD/pZs"


def test_where_a_part_is_in_doubt_the_catalogue_decides() -> None:
    seen = parts("PP/Ppo")
    seen[2] = (LETTERS, (0.5 * odds_of("p", LETTERS, 0.94) + 0.5 * odds_of("z", LETTERS, 0.96))[None])
    (odds,) = combined(seen, TILES)
    assert max(odds, key=odds.__getitem__) == "PP/Ppo"


def test_the_parts_of_a_tile_go_round_with_it() -> None:
    assert parts_of("PN/zKo") == ["quarter P", "quarter N", "quarter K", "quarter z", "icon o"]
    assert parts_of(turned("PN/zK", 1)) == ["quarter z", "quarter P", "quarter N", "quarter K", "icon "]
    assert [name for name in ("PN/zKo", "P!", "back", "12") if is_quartered(name)] == ["PN/zKo"]


def test_four_quarter_turns_lead_back() -> None:
    assert turned("PN/zKo", 1) == "zP/KNo"
    assert turned("PN/zKo", 4) == "PN/zKo"


def test_a_tile_printed_once_that_surely_lies_elsewhere_is_doubtful_in_a_second_place() -> None:
    sure, torn = {"PP/Ppo": 0.99, "Pp/pPe": 0.01}, {"PP/pPo": 0.8, "Pp/pPe": 0.2}
    held = within_the_set([sure, torn], TILES)
    assert held[0] == pytest.approx(sure)
    assert max(held[1], key=held[1].__getitem__) == "Pp/pPe"


def test_a_second_copy_that_is_beyond_doubt_stays_what_it_is() -> None:
    sure = {"PP/Ppo": 0.99999, "Pp/pPe": 0.00001}
    for held in within_the_set([sure, sure], TILES):
        assert held["PP/Ppo"] > 0.99


def test_a_combination_that_was_never_printed_may_lie_twice() -> None:
    sure = {"KD/pZs": 0.95, "PP/PP": 0.05}
    assert within_the_set([sure, sure], TILES) == [pytest.approx(sure)] * 2
