import json
import re
import time

from companion.game import is_legal, judge, legal_moves
from companion.playthrough import replay_playthrough
from companion.scenes import scenes


def test_a_scene_is_ruled_scored_and_advised_as_it_says(game, scene):
    state = game.read_position(scene.position)
    for notation, verdict in scene.judge.items():
        ruling = judge(game, state, game.read_move(notation, state))
        assert (notation, ruling.rule or "legal", ruling.says) == (notation, verdict, ruling.says)
    for notation, places in scene.places.items():
        assert sorted(judge(game, state, game.read_move(notation, state)).places) == sorted(places)
    if scene.legal is not None:
        assert sorted(game.write_move(move, state) for move in legal_moves(game, state)) == sorted(scene.legal)
    if scene.legal_count is not None:
        assert len(legal_moves(game, state)) == scene.legal_count
    for notation, after in scene.apply.items():
        assert game.write_position(game.play(state, game.read_move(notation, state))) == after
    if scene.score is not None:
        assert game.score(state).points == scene.score
    if scene.outcome is not None:
        outcome = game.outcome(state)
        found = {"winner": outcome.winner, "draw": outcome.draw, "rule": outcome.rule}
        assert {key: found[key] for key in scene.outcome} == scene.outcome
    if scene.advise is not None:
        best = game.advise(state, scene.seconds, time.monotonic)[0]
        assert game.write_move(best.move, state) in scene.advise
        assert is_legal(game, state, best.move)


def test_every_game_has_scenes_and_playthroughs(game):
    assert any(True for _ in scenes(game))
    assert list((game.folder / "playthroughs").glob("*.txt"))


def test_every_check_is_broken_by_some_scene(game):
    broken = {verdict for scene in scenes(game) for verdict in scene.judge.values()}
    assert {check.number for check in game.checks} <= broken


def test_every_cited_rule_exists(game):
    cited = {check.number for check in game.checks} | {option.rule for option in game.options}
    for scene in scenes(game):
        state = game.read_position(scene.position)
        cited |= {item.rule for item in game.score(state).items}
        cited |= {rule for rule in [game.outcome(state).rule] if rule}
    assert {number for number in cited if number not in game.rulebook} == set()


def test_every_clause_belongs_to_a_chapter(game):
    assert {re.split(r"\.", clause.number)[0] for clause in game.rulebook} <= game.rulebook.chapters.keys()


def test_playthroughs_replay_to_the_letter(game):
    for file in (game.folder / "playthroughs").glob("*.txt"):
        text = file.read_text(encoding="utf-8")
        assert replay_playthrough(game, text) == text, file.name


def test_a_position_of_a_scene_is_written_as_it_reads(game):
    for scene in scenes(game):
        state = game.read_position(scene.position)
        written = game.write_position(state)
        assert game.read_position(json.loads(json.dumps(written))) == state, scene.name
