"""ZU Tiles: a tile of another set is data and one function, in a copy of the house that nothing else was changed in."""

import shutil
import subprocess
import sys
from pathlib import Path

import companion

PHOENIX = """
[[tile]]
name = "phoenix"
type = "creature"
class = "rooster"
str = 6
int = 6
icons = ["rooster"]

[[tile]]
name = "gust"
type = "A"
targets = "cell"
does = "Any tile of yours goes back to your discard pile."

[[tile]]
name = "old-phoenix"
type = "creature"
class = "rooster"
str = 7
int = 7
icons = ["rooster"]
replaces = ["phoenix"]
"""

GUST = '''"""A tile of another set."""

from companion.games.zu_tiles_hime.registry import ON_STACK, tile
from companion.games.zu_tiles_hime.rules.verbs import discard
from companion.rules import Breach


@tile(ON_STACK, "gust")
def blow(now, play):
    cell = play.targets[0].path[0]
    return discard(now, cell) if cell in now.area else Breach("nothing there")
'''

GAME = """
import json
from companion.game import judge, legal_moves
from companion.registry import game_named
game = game_named("zu_tiles_hime")
position = {"game": game.name, "to_move": "south", "area": [
    {"tile": "phoenix", "at": [0, 0], "by": "south", "under": ["contagion"]},
    {"tile": "phoenix", "at": [1, 0], "by": "north"}],
    "players": {"south": {"hand": ["gust", "old-phoenix", "pig"]}, "north": {}}}
state = game.read_position(position)
legal = {game.write_move(move, state) for move in legal_moves(game, state)}
assert {"!gust(0,0)", "!gust(1,0)"} <= legal, legal
then = game.play(state, game.read_move("!gust(0,0)", state))
assert then.player("south").discard.names == ("phoenix", "gust"), then
verdict = lambda move: judge(game, state, game.read_move(move, state)).rule or "legal"
assert verdict("old-phoenix@0,0") == "legal"
assert verdict("old-phoenix@1,0") == "2"
assert verdict("pig@0,0") == "4.2"
assert verdict("old-phoenix@0,1") == "2"
assert {move for move in legal if move.startswith("old")} == {"old-phoenix@0,0"}
swapped = game.play(state, game.read_move("old-phoenix@0,0", state))
assert [part.tile for part in swapped.area[0, 0].attached] == ["contagion"]
print("done")
"""


def test_a_tile_of_another_set_is_data_and_one_function(tmp_path):
    house = tmp_path / "companion"
    shutil.copytree(Path(companion.__file__).parent, house, ignore=shutil.ignore_patterns("__pycache__"))
    folder = house / "games" / "zu_tiles_hime"
    with (folder / "tiles.toml").open("a", encoding="utf-8") as tiles:
        tiles.write(PHOENIX)
    (folder / "effects" / "another_set.py").write_text(GUST, encoding="utf-8")
    told = subprocess.run([sys.executable, "-c", GAME], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.stdout == "done\n", told.stderr
