import json
import random
import subprocess
import sys

import pytest

from companion.protocol import answer
from companion.registry import games


def ask(**request):
    return answer(json.dumps(request))


def begun(game, **more):
    return ask(do="start", game=game, seed=1, **more)["position"]


def test_a_game_can_be_played_by_answers_alone():
    position, rng = begun("zhizhu"), random.Random(3)
    for _ in range(2000):
        moves = ask(do="legal", position=position)["moves"]
        if not moves:
            break
        assert moves == sorted(moves)
        assert ask(do="judge", position=position, move=moves[0])["legal"] is True
        position = ask(do="apply", position=position, move=rng.choice(moves))["position"]
    assert ask(do="outcome", position=position)["winner"] in ("white", "black")
    assert set(ask(do="score", position=position)["points"]) == {"white", "black"}


def test_an_earlier_answer_may_be_handed_back_as_a_position():
    assert ask(do="legal", position=ask(do="start", game="zhizhu"))["moves"][0] == "a1"


def test_a_breach_names_its_rule_and_lights_the_places():
    said = ask(do="judge", position=begun("zhizhu"), move="a1-a2")
    assert (said["legal"], said["rule"], said["places"]) == (False, "2.2", ["a1", "a2"])
    assert said["says"]


def test_an_illegal_move_is_not_applied():
    said = ask(do="apply", position=begun("zhizhu"), move="a1-a2")
    assert said["at"] == "move"
    assert "2.2" in said["error"]


def test_perft_counts_sequences():
    assert [ask(do="perft", position=begun("zhizhu"), depth=n)["nodes"] for n in range(4)] == [1, 24, 552, 12144]


def test_advice_is_given_within_the_time_named():
    said = ask(do="advise", position=begun("zhizhu"), seconds=0.05)
    assert said["moves"]
    assert set(said["moves"][0]) == {"move", "gain", "because"}


def test_options_travel_in_the_position():
    position = begun("zhizhu", options={"chains": "every"})
    assert position["options"] == {"chains": "every"}
    after = ask(do="apply", position=position, move="a1")["position"]
    assert after["options"] == {"chains": "every"}


def test_the_same_seed_deals_the_same_cards():
    for game in games():
        assert begun(game) == begun(game)


GOOD = {
    "game": "zhizhu",
    "to_move": "white",
    "white": ["a1"],
    "black": ["b2", "c3"],
    "hand": {"white": 8, "black": 7},
    "barred": {"white": None, "black": "c3-c2"},
}


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"white": ["a1", "a1"]}, "a1"),
        ({"white": ["b2"]}, "b2"),
        ({"white": ["a9"]}, "a9"),
        ({"hand": {"white": 9, "black": 7}}, "white"),
        ({"hand": {"white": -1, "black": 7}}, "-1"),
        ({"hand": {"white": 8}}, "black"),
        ({"hand": {"white": True, "black": 7}}, "hand.white"),
        ({"colour": 1}, "colour"),
        ({"to_move": "red"}, "to_move"),
        ({"barred": {"black": "c3"}}, "c3"),
        ({"options": {"chain": "every"}}, "chain"),
        ({"options": {"chains": "some"}}, "some"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_an_impossible_position_is_refused_by_name(change, names):
    assert "moves" in ask(do="legal", position=GOOD)
    said = ask(do="legal", position=GOOD | change)
    assert names in said["error"] + said["at"]
    assert said["at"].startswith(("position", "game", "options"))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"do": "fly"}',
        b'{"do": ["legal"]}',
        b'{"do": "legal"}',
        b'{"do": "legal", "position": 3}',
        b'{"do": "legal", "position": {}}',
        b'{"do": "legal", "position": {"game": null}}',
        b'{"do": "perft", "position": {"game": "zhizhu"}, "depth": 1e999}',
        b'{"do": "start", "game": "zhizhu", "players": ["a", "b", "c"]}',
        b'{"do": "start", "game": "zhizhu", "players": ["white", "white"]}',
        b'{"do": "start", "do": "start", "game": "zhizhu"}',
        b'{"do": "advise", "position": {"game": "zhizhu"}, "seconds": NaN}',
        b"[" * 100000,
        b'{"do": ' + b"1" * 5000 + b"}",
        b'{"do": "\\ud800"}',
    ],
)
def test_an_unreadable_line_gets_an_error_that_says_what_is_wrong(line):
    said = answer(line)
    assert set(said) == {"error", "at"}
    assert said["error"]
    assert "companion failed" not in said["error"]


def _damaged(rng, line):
    """A request with something cut, doubled, swapped or replaced."""
    i, j = sorted(rng.randrange(len(line) + 1) for _ in range(2))
    return rng.choice(
        [
            line[:i] + line[j:],
            line[:i] + line[i:j] * 2 + line[j:],
            line[:i] + rng.choice('{}[]",:0aβ\\') + line[i + 1 :],
        ]
    )


def test_thousands_of_random_lines_good_and_bad_are_all_answered():
    rng = random.Random(5)
    lines = []
    for game in games():
        position = begun(game)
        for _ in range(40):
            moves = ask(do="legal", position=position)["moves"]
            if not moves:
                break
            move = rng.choice(moves)
            for do in ("judge", "apply", "score", "outcome"):
                asked = {"do": do, "position": position} | ({"move": move} if do in ("judge", "apply") else {})
                lines.append(json.dumps(asked, ensure_ascii=False))
            position = ask(do="apply", position=position, move=move)["position"]
    lines = [line if rng.random() < 0.5 else _damaged(rng, line) for line in lines for _ in range(5)]
    lines = [line.replace("\n", " ") for line in lines]
    done = subprocess.run(
        [sys.executable, "-m", "companion", "rules"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(lines)
    assert done.stderr == ""
    assert not [s for s in said if "companion failed" in s.get("error", "")]
    assert sum("error" in s for s in said) > len(said) / 5
    assert sum("error" not in s for s in said) > len(said) / 5
