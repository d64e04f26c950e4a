"""Every tile that does something has its scenes: it works, it cannot be done, it meets another rule."""

import pytest
from zu_drawn import GAME

from companion.games.zu_tiles_hime.catalogue import DECKS, is_creature, title
from companion.scenes import scenes

PLAIN = {"rat", "ox", "monkey", "dragon", "snake", "rooster"}
NAMED = sorted((DECKS["ROM"].keys() | DECKS["DSR"].keys()) - PLAIN)


def scenes_of(tile):
    return [scene for scene in scenes(GAME) if scene.name.partition(": ")[2].startswith(title(tile))]


def test_there_are_29_tiles_beyond_the_plain_creatures():
    assert len(NAMED) == 29
    assert {tile for tile in NAMED if is_creature(tile)} == {"happy-rooster", "upset-whelp"}


@pytest.mark.parametrize("tile", NAMED)
def test_an_effect_has_at_least_three_scenes(tile):
    assert len({scene.name for scene in scenes_of(tile)}) >= 3


@pytest.mark.parametrize("tile", NAMED)
def test_an_effect_has_a_scene_in_which_it_works_and_one_in_which_it_fails(tile):
    said = " ".join(scene.name for scene in scenes_of(tile))
    assert "works" in said
    assert any(word in said for word in ("cannot", "does nothing", "saves no"))
