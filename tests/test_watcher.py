import random

import pytest

from companion.events import DrawAgreed, MovePlayed, MoveVoided, TileCorrected
from companion.game import start
from companion.live import Camera, Table
from companion.registry import games
from companion.store import Store
from companion.table import Piece
from companion.watcher import Patience, Watcher, as_layout, fuse

WEB = games()["zhizhu"]
WHITE, BLACK = Piece("piece", "white"), Piece("piece", "black")
SLOW = 5000.0


@pytest.fixture
def table(tmp_path):
    with Store(tmp_path) as store:
        held = Table(store, camera=Camera.WATCHING)
        yield held
        held.close()


@pytest.fixture
def watcher(table):
    return Watcher(table, WEB)


def seen(layout, **more):
    """What a good camera says of a table."""
    odds = {place: {layout.get(place): 0.98, None: 0.01, WHITE: 0.005} for place in WEB.board.places}
    return {place: {**each, layout.get(place): 0.98} for place, each in odds.items()} | more


def look(watcher, layout, still_ms=1000.0, reads=2, **more):
    watcher.stir()
    return [watcher.sees(seen(layout, **more), still_ms) for _ in range(reads)][-1]


def look_without(watcher, place, layout):
    """The same while a place is hidden."""
    watcher.stir()
    shown = {each: odds for each, odds in seen(layout).items() if each != place}
    return [watcher.sees(shown, 1000.0) for _ in range(2)][-1]


def begin(watcher, **position):
    watcher._table.begin_from(
        "zhizhu", {"game": "zhizhu", "to_move": "white", "hand": {"white": 0, "black": 0}, **position}, "a request"
    )
    layout = WEB.layout(watcher._table.now.standing.state)
    look(watcher, layout)
    return dict(layout)


def told(table):
    return [event.fact for event in table.now.record[1:]]


def test_a_game_begins_when_the_table_looks_like_it(table, watcher):
    assert look(watcher, {})
    assert table.now.standing.game is WEB
    assert table.now.camera is Camera.WATCHING


def test_a_game_begins_for_as_many_as_usually_play(table):
    crew = games()["pirates_ninjas_robots_zombies"]
    watcher = Watcher(table, crew, players=4)
    assert [watcher.sees({}, 1000.0) for _ in range(2)] == [False, True]
    assert crew.players(table.now.standing.state) == crew.seats[4]


def test_the_next_game_is_played_by_the_same_people(table, watcher):
    table.begin("zhizhu", WEB.seats[2], {"chains": "every"}, {"white": "Window side"}, "a request")
    table.tell(MovePlayed("white", "a1"))
    table.tell(DrawAgreed())
    assert look(watcher, {})
    assert (len(table.store.games()), table.now.standing.moves) == (2, ())
    assert table.now.standing.called("white") == "Window side"
    assert WEB.write_position(table.now.standing.state)["options"] == {"chains": "every"}


def test_a_table_in_the_midst_of_a_game_is_asked_about(table, watcher):
    assert look(watcher, {"a1": WHITE, "b1": BLACK})
    assert table.now.standing is None
    assert table.now.camera is Camera.NEEDS_YOU
    assert "beginning of ZhiZhu" in table.now.camera_says


def test_a_game_whose_first_move_was_made_before_anybody_looked_begins_with_it(table, watcher):
    first = {"a1": WHITE}
    assert not look(watcher, first)
    assert table.now.standing is None
    assert look(watcher, first, still_ms=SLOW)
    assert told(table) == [MovePlayed("white", "a1", "camera")]
    look(watcher, {**first, "b1": BLACK})
    assert [(move.move, move.ruling.legal) for move in table.now.standing.moves] == [("a1", True), ("b1", True)]


def test_a_piece_that_an_ended_game_has_left_begins_no_game(table, watcher):
    begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1"], to_move="white")
    table.tell(MovePlayed("white", "c1-d1", "phone"))
    ended = table.now.number
    assert table.now.standing.outcome.over
    look(watcher, {"f1": BLACK}, still_ms=SLOW)
    assert table.now.number == ended


def test_a_legal_move_is_told_once(table, watcher):
    look(watcher, {})
    assert look(watcher, {"a1": WHITE})
    assert look(watcher, {"a1": WHITE})
    assert told(table) == [MovePlayed("white", "a1", "camera")]


def test_a_piece_that_was_doubted_is_told_when_it_is_clearly_seen(table, watcher):
    look(watcher, {})
    look(watcher, {"a1": WHITE}, h2={BLACK: 0.6, None: 0.2, WHITE: 0.2})
    assert told(table) == [MovePlayed("white", "a1", "camera")]
    for _ in range(2):
        watcher.notices_hand()
        look(watcher, {"a1": WHITE, "h2": BLACK, "d2": WHITE})
    assert [fact.move for fact in told(table)] == ["a1", "h2", "d2"]


def test_what_is_hardly_likelier_than_nothing_is_no_move_until_it_is_clearly_seen(table, watcher):
    look(watcher, {})
    for _ in range(2):
        watcher.notices_hand()
        look(watcher, {}, a1={WHITE: 0.7, None: 0.25, BLACK: 0.05})
    assert told(table) == []
    watcher.notices_hand()
    look(watcher, {"a1": WHITE})
    assert told(table) == [MovePlayed("white", "a1", "camera")]


def test_a_turn_that_was_hidden_is_told_when_it_comes_to_light(table, watcher):
    look(watcher, {})
    look(watcher, {"a1": WHITE})
    for layout in ({"a1": WHITE}, {"a1": WHITE, "h2": BLACK, "d2": WHITE}):
        watcher.notices_hand()
        look(watcher, layout)
    assert [fact.move for fact in told(table)] == ["a1", "h2", "d2"]


def test_a_place_that_is_doubted_again_has_not_changed(table, watcher):
    look(watcher, {})
    doubted = {BLACK: 0.6, None: 0.2, WHITE: 0.2}
    look(watcher, {"a1": WHITE}, h2=doubted)
    look(watcher, {"a1": WHITE, "b2": BLACK}, h2=doubted)
    assert [fact.move for fact in told(table)] == ["a1", "b2"]


def test_one_read_is_not_enough(table, watcher):
    look(watcher, {})
    assert not look(watcher, {"a1": WHITE}, reads=1)
    assert told(table) == []


def test_reads_that_disagree_are_taken_again(table, watcher):
    look(watcher, {})
    watcher.stir()
    answers = [watcher.sees(seen(layout), 1000.0) for layout in ({"a1": WHITE}, {"a2": WHITE}, {"a2": WHITE})]
    assert answers[:2] == [False, False]
    assert MovePlayed("white", "a1", "camera") not in told(table)


def test_nothing_is_told_before_the_table_was_still_long_enough(table, watcher):
    look(watcher, {})
    assert not look(watcher, {"a1": WHITE}, still_ms=300.0, reads=3)
    assert told(table) == []


def test_a_breach_is_reported_with_its_rule_and_voided_when_it_is_taken_back(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    look(watcher, {**{p: x for p, x in before.items() if p != "a1"}, "a3": WHITE})
    (move,) = table.now.standing.moves
    assert (move.move, move.ruling.legal, move.ruling.rule) == ("a1-a3", False, "2.3")
    assert "2.3" in table.now.camera_says
    look(watcher, before)
    assert told(table)[-1] == MoveVoided(2)
    assert table.now.standing.moves == ()
    assert table.now.camera_says == ""


def test_who_moves_out_of_turn_breaks_the_rule_of_turns_unless_it_is_put_right_at_once(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    early = {**{p: x for p, x in before.items() if p != "e1"}, "e2": BLACK}
    look(watcher, early)
    look(watcher, before)
    assert told(table) == []
    look(watcher, early)
    watcher.rests(SLOW)
    assert told(table) == [MovePlayed("black", "e1-e2", "camera", out_of_turn=True)]
    (move,) = table.now.standing.moves
    assert (move.player, move.ruling.legal, move.ruling.rule) == ("black", False, "2.1")
    assert table.now.camera_says == "e1-e2 breaks 2.1: it is not Black's turn."
    assert WEB.to_move(table.now.standing.state) == "white"
    look(watcher, before)
    assert told(table)[1:] == [MoveVoided(2)]


def test_the_first_piece_tells_who_begins(table, watcher):
    look(watcher, {})
    look(watcher, {"a1": BLACK})
    look(watcher, {"a1": BLACK, "b2": WHITE})
    moves = [(move.player, move.move, move.ruling.legal) for move in table.now.standing.moves]
    assert moves == [("black", "a1", True), ("white", "b2", True)]


@pytest.mark.parametrize("is_glimpsed", [False, True])
def test_a_capture_out_of_turn_is_not_two_turns_that_one_hand_made(table, watcher, is_glimpsed):
    """Unless it was seen that Black moved first: then White took that piece where it had gone."""
    before = begin(watcher, to_move="black", white=["b1", "b2", "c3", "e3"], black=["h1", "d1", "e2", "f3"])
    slid = {**{p: x for p, x in before.items() if p != "h1"}, "g1": BLACK}
    captured = {**{p: x for p, x in before.items() if p not in ("h1", "c3")}, "b3": WHITE}
    watcher.stir()
    watcher.notices_hand()
    if is_glimpsed:
        watcher.glimpses(seen(slid))
    look(watcher, captured)
    watcher.rests(SLOW)
    early = MovePlayed("white", "c3-b3xh1", "camera", out_of_turn=True)
    both = [MovePlayed("black", "h1-g1", "camera"), MovePlayed("white", "c3-b3xg1", "camera")]
    assert told(table) == (both if is_glimpsed else [early])


def test_who_moves_out_of_turn_may_be_played_on_from(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    early = {**{p: x for p, x in before.items() if p != "e1"}, "e2": BLACK}
    look(watcher, early)
    watcher.rests(SLOW)
    look(watcher, {**{p: x for p, x in early.items() if p != "a1"}, "a2": WHITE})
    assert [(move.move, move.ruling.legal) for move in table.now.standing.moves] == [("e1-e2", False), ("a1-a2", True)]


def test_a_move_out_of_turn_is_not_told_while_a_place_is_hidden(table, watcher):
    """There the turn that is missing may lie."""
    look(watcher, {})
    look(watcher, {"a1": WHITE})
    look_without(watcher, "h2", {"a1": WHITE, "d2": WHITE})
    watcher.rests(SLOW)
    assert told(table) == [MovePlayed("white", "a1", "camera")]


def test_where_turns_pass_unseen_a_move_out_of_turn_is_asked_about(table):
    game = games()["paiko"]
    watcher = Watcher(table, game)
    sides = {"white": {"board": ["Sg6"], "hand": "W"}, "black": {"board": ["Sh8"], "hand": "W"}}
    table.begin_from("paiko", {"game": "paiko", "to_move": "black", **sides}, "a request")
    before = game.layout(table.now.standing.state)
    early = {**before, "f5": Piece("water", "white")}
    sees(watcher, game, early, before)
    watcher.rests(SLOW)
    assert moves_of(table) == []
    assert table.now.camera is Camera.NEEDS_YOU
    assert table.now.camera_says == "It is Black's turn, and this looks like Wf5 of White. What did Black do?"
    table.tell(MovePlayed("black", "+SSB", "phone"))
    sees(watcher, game, early, before)
    assert moves_of(table) == [("+SSB", True), ("Wf5", True)]


def test_a_legal_move_that_is_taken_back_is_voided(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    look(watcher, {**{p: x for p, x in before.items() if p != "a1"}, "a2": WHITE})
    look(watcher, before)
    assert told(table) == [MovePlayed("white", "a1-a2", "camera"), MoveVoided(2)]


def test_moves_are_not_taken_back_together_by_what_is_hidden(table, watcher):
    for layout in ({}, {"a1": WHITE}, {"a1": WHITE, "c3": BLACK}):
        look(watcher, layout)
    look_without(watcher, "c3", {})
    assert told(table) == [MovePlayed("white", "a1", "camera"), MovePlayed("black", "c3", "camera")]
    look(watcher, {})
    assert table.now.standing.moves == ()


def test_a_breach_that_is_put_right_is_not_the_next_player_s_move(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    pushed = {**{p: x for p, x in before.items() if p != "e1"}, "e2": BLACK}
    look_without(watcher, "h3", pushed)
    (move,) = table.now.standing.moves
    assert (move.player, move.ruling.legal) == ("white", False)
    look(watcher, before)
    assert told(table)[-1] == MoveVoided(2)
    assert table.now.standing.moves == ()


def test_a_turn_is_told_when_all_of_it_that_is_not_hidden_is_done(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["e1", "f1", "g1"])
    chain = {**{p: x for p, x in before.items() if p != "b3"}, "a3": WHITE}
    assert look_without(watcher, "f1", chain)
    assert told(table) == [MovePlayed("white", "b3-a3xf1", "camera")]


def test_a_turn_that_was_told_though_part_of_it_was_hidden_is_told_anew_when_that_comes_to_light(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["c1", "e1", "f1", "g2"])
    chain = {**{p: x for p, x in before.items() if p != "b3"}, "a3": WHITE}
    watcher.stir()
    for _ in range(2):
        watcher.sees({place: odds for place, odds in seen(chain).items() if place != "f1"}, 1000.0)
    watcher.notices_hand()
    look(watcher, {place: piece for place, piece in chain.items() if place != "c1"})
    assert told(table) == [
        MovePlayed("white", "b3-a3xf1", "camera"),
        MoveVoided(2),
        MovePlayed("white", "b3-a3xc1", "camera"),
    ]


def test_a_move_that_was_misread_as_a_breach_is_made_good_by_what_follows(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["e1", "f1", "g1", "h1"])
    chain = {**{p: x for p, x in before.items() if p != "b3"}, "a3": WHITE}
    look(watcher, chain)
    watcher.rests(SLOW)
    assert not table.now.standing.moves[-1].ruling.legal
    answered = {**{p: x for p, x in chain.items() if p not in ("e1", "h1")}, "h2": BLACK}
    look(watcher, answered)
    assert [(move.move, move.ruling.legal) for move in table.now.standing.moves] == [
        ("b3-a3xe1", True),
        ("h1-h2", True),
    ]


def test_a_breach_that_seemed_to_end_the_game_can_be_taken_back(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["e1", "f1", "g1"])
    over = {p: x for p, x in before.items() if p not in ("b3", "e1", "f1", "g1")}
    look(watcher, {**over, "a3": WHITE})
    assert table.now.standing.outcome.over
    assert not table.now.standing.moves[-1].ruling.legal
    look(watcher, before)
    assert told(table)[-1] == MoveVoided(2)
    assert table.now.camera is Camera.WATCHING


def test_a_turn_under_way_is_waited_for(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["e1", "f1", "g1"])
    chain = {**{p: x for p, x in before.items() if p != "b3"}, "a3": WHITE}
    assert look(watcher, chain)
    assert "under way" in table.now.camera_says
    assert told(table) == []
    look(watcher, {place: piece for place, piece in chain.items() if place != "e1"})
    assert told(table) == [MovePlayed("white", "b3-a3xe1", "camera")]


def test_a_turn_that_is_not_finished_is_ruled_on_and_may_still_be_put_right(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["e1", "f1", "g1"])
    chain = {**{p: x for p, x in before.items() if p != "b3"}, "a3": WHITE}
    look(watcher, chain)
    watcher.rests(SLOW)
    (move,) = table.now.standing.moves
    assert (move.move, move.ruling.legal) == ("b3-a3", False)
    look(watcher, {place: piece for place, piece in chain.items() if place != "e1"})
    assert [(each.move, each.ruling.legal) for each in table.now.standing.moves] == [("b3-a3xe1", True)]


def test_two_turns_that_were_not_seen_apart_are_both_told(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    kept = {place: piece for place, piece in before.items() if place not in ("a1", "e1")}
    look(watcher, {**kept, "a2": WHITE, "e2": BLACK})
    assert told(table) == [MovePlayed("white", "a1-a2", "camera"), MovePlayed("black", "e1-e2", "camera")]


def test_a_breach_after_a_turn_that_nobody_saw_is_waited_for(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    kept = {place: piece for place, piece in before.items() if place not in ("a1", "e1")}
    odd = {**kept, "a2": WHITE, "h3": BLACK}
    assert not look(watcher, odd, still_ms=1000.0)
    assert told(table) == []
    assert look(watcher, odd, still_ms=2600.0)
    assert [move.ruling.legal for move in table.now.standing.moves] == [True, False]


def test_a_move_that_was_glimpsed_counts_when_the_next_undid_it(table, watcher):
    before = begin(watcher, white=["a1", "a2", "b3"], black=["e1", "f1", "g1"], to_move="black")
    glimpsed = {**{p: x for p, x in before.items() if p != "e1"}, "e2": BLACK}
    look(watcher, glimpsed, still_ms=400.0, reads=3)
    assert told(table) == []
    look(watcher, {**{p: x for p, x in glimpsed.items() if p not in ("b3", "e2")}, "a3": WHITE})
    assert told(table) == [MovePlayed("black", "e1-e2", "camera"), MovePlayed("white", "b3-a3xe2", "camera")]


def clearly(game, layout, *others):
    """What a good camera says of a table, on all places that are named or on which a tile lies sometime."""
    places = {place for each in (game.board.places, layout, *others) for place in each}
    return {place: {None: 0.02, layout.get(place): 0.98} for place in sorted(places)}


def glimpse(watcher, game, layout, *others):
    """What a table shows for a moment between two hands."""
    watcher.stir()
    watcher.glimpses(clearly(game, layout, *others))


@pytest.fixture
def cards(table):
    """A match of Tu Tzi in which one player has laid three cards, with the pile on top of which 33 lies."""
    game = games()["tu_tzi"]
    watcher = Watcher(table, game)
    position = {
        "game": "tu_tzi",
        "players": ["a", "b"],
        "to_move": "a",
        "phase": "build",
        "formations": {"a": [1, 5, 9], "b": []},
        "hands": {"a": 7, "b": 7},
        "stock": 20,
        "discards": [33],
    }
    table.begin_from("tu_tzi", position, "a request")
    return game, watcher


def shown(game, table, *moves):
    state = table.now.standing.state
    for move in moves:
        state = game.play(state, game.read_move(move, state))
    return game.layout(state)


def zu_after(table, *told):
    """A game of ZU, and some moves that a phone told."""
    game = games()["zu_tiles_hime"]
    table.begin_from(game.name, game.write_position(game.seen_by(start(game), None)), "a request")
    for move in told:
        table.tell(MovePlayed(None, move, "phone"))
    return game, Watcher(table, game)


def sees(watcher, game, layout, *others):
    watcher.stir()
    for _ in range(2):
        watcher.sees(clearly(game, layout, *others), 1000.0)


def sees_for_long(watcher, game, layout, *others):
    """A table that is left alone, and of which no place is doubted."""
    places = {place for each in (game.board.places, layout, *others) for place in each}
    watcher.stir()
    for _ in range(2):
        watcher.sees({place: {layout.get(place): 1.0} for place in sorted(places)}, SLOW)


def moves_of(table):
    return [(move.move, move.ruling.legal) for move in table.now.standing.moves]


def test_of_two_moves_that_could_be_either_way_round_the_glimpsed_one_was_first(table, cards):
    game, watcher = cards
    first, second = "5<>17", "9<>21"
    for told_first, told_second in ((first, second), (second, first)):
        glimpse(watcher, game, shown(game, table, told_first))
        sees(watcher, game, shown(game, table, told_first, told_second))
        assert moves_of(table)[-2:] == [(told_first, True), (told_second, True)]
        for move in table.now.standing.moves:
            table.tell(MoveVoided(move.number))


def test_what_was_told_as_two_moves_of_one_hand_is_taken_back_by_one_hand(table, cards):
    game, watcher = cards
    before = shown(game, table)
    glimpse(watcher, game, shown(game, table, "5<>17"))
    sees(watcher, game, shown(game, table, "5<>17", "9<>21"))
    assert len(moves_of(table)) == 2
    watcher.notices_hand()
    sees(watcher, game, before)
    assert moves_of(table) == []
    assert table.now.camera is Camera.WATCHING


@pytest.mark.parametrize("goes", [1, 2])
def test_a_breach_that_was_laid_in_two_goes_is_taken_back_in_one_or_two(table, cards, goes):
    """The first cards look like a legal build of their own."""
    game, watcher = cards
    before, first = shown(game, table), shown(game, table, "+2,6,10")
    both = shown(game, table, "+2,6,10", "+3")
    for layout in (first, both):
        watcher.notices_hand()
        sees_for_long(watcher, game, layout)
    assert moves_of(table) == [("+2,6,10", True), ("+3", False)]
    for layout in (first, before)[-goes:]:
        watcher.notices_hand()
        sees(watcher, game, layout)
    assert moves_of(table) == []
    assert (table.now.camera, table.now.standing.state.mover) == (Camera.WATCHING, 0)


def test_who_goes_on_with_a_breach_has_made_one_breach(table, watcher):
    """White moves too far, and then takes two pieces too: that is nobody else's turn."""
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    far = {**{place: piece for place, piece in before.items() if place != "a1"}, "a3": WHITE}
    for layout in (far, {place: piece for place, piece in far.items() if place not in ("e1", "f1")}):
        watcher.notices_hand()
        look(watcher, layout)
    (move,) = table.now.standing.moves
    assert (move.player, move.move, move.ruling.legal) == ("white", "a1-a3xe1xf1", False)
    look(watcher, before)
    assert (table.now.standing.moves, WEB.to_move(table.now.standing.state)) == ((), "white")


def test_two_moves_that_look_like_one_are_two_when_the_first_was_glimpsed(table, cards):
    game, watcher = cards
    glimpse(watcher, game, shown(game, table, "5<>17"))
    sees(watcher, game, shown(game, table, "5<>17", "17<>41"))
    assert moves_of(table) == [("5<>17", True), ("17<>41", True)]


def test_without_a_glimpse_what_looks_like_one_move_is_one(table, cards):
    game, watcher = cards
    sees(watcher, game, shown(game, table, "5<>17", "17<>41"))
    assert moves_of(table) == [("5<>41", True)]


def test_a_card_that_was_taken_and_laid_down_again_between_two_looks_was_two_moves(table, cards):
    game, watcher = cards
    sees(watcher, game, shown(game, table, ">40"))
    glimpse(watcher, game, shown(game, table, "<40"))
    sees(watcher, game, shown(game, table, "<40", ">40"))
    assert moves_of(table) == [(">40", True), ("<40", True), (">40", True)]


def test_a_tile_that_somebody_turns_where_it_was_laid_is_not_another_move(table):
    game = games()["pirates_ninjas_robots_zombies"]
    watcher = Watcher(table, game)
    position = {"game": game.name, "teams": {"south": ["P", "N"], "north": ["R", "Z"]}, "area": [], "to_move": "south"}
    table.begin_from(game.name, position | {"stack": 48, "hands": {"south": 3, "north": 3}}, "a request")
    laid = shown(game, table, "MP/PP@0,0")
    for layout in ({}, laid, {"0,0": Piece("PP/PM")}, laid):
        watcher.notices_hand()
        watcher.stir()
        for _ in range(2):
            watcher.sees({"0,0": {layout.get("0,0"): 1.0}}, 2500.0)
    assert told(table) == [MovePlayed("south", "MP/PP@0,0", "camera")]


@pytest.fixture
def duel(table):
    """A game of Paiko with one tile each on the board, in which Black has a lotus to lay."""
    game = games()["paiko"]
    white = {"board": ["Ig3S"], "hand": "", "reserve": "SSSBBBEEEFFFWWWIILLLAAA", "lost": ""}
    black = {"board": ["Bj12N"], "hand": "L", "reserve": "SSSBBEEEFFFWWWIIILLAAA", "lost": ""}
    position = {"game": "paiko", "to_move": "black", "white": white, "black": black, "owed": 0}
    table.begin_from("paiko", position, "a request")
    return game, Watcher(table, game)


def test_who_goes_on_with_a_legal_move_to_a_breach_has_made_the_breach(table, duel):
    game, watcher = duel
    turned = shown(game, table, "j12-j12E")
    for layout in (turned, {**turned, "c5": Piece("lotus", "black")}):
        watcher.stir()
        for _ in range(2):
            watcher.sees({place: {layout.get(place): 1.0} for place in game.board.places}, 2500.0)
    assert told(table)[0] == MovePlayed("black", "j12-j12E", "camera")
    assert moves_of(table) == [("Lc5~j12E", False)]


@pytest.mark.parametrize(
    ("hand", "told"),
    [(True, [("Lc5~g3E", False)]), (False, [("Lc5", True), ("g3-g3E", True)])],
    ids=["hand", "no hand"],
)
def test_a_breach_by_one_hand_is_not_two_turns_by_two_players(table, duel, hand, told):
    """Who lays a tile and turns an enemy's breaks a rule; had it been two turns, a hand would have left between."""
    game, watcher = duel
    if hand:
        watcher.notices_hand()
    sees(watcher, game, shown(game, table, "Lc5~g3E"))
    assert moves_of(table) == told


def test_a_breach_that_is_gone_on_with_is_not_two_turns_the_other_way_round(table, duel):
    """White's tile is turned before Black lays one: so it was not White who turned it, after Black's turn."""
    game, watcher = duel
    for layout in [shown(game, table, move) for move in ("g3-g3E", "Lc5~g3E")]:
        watcher.notices_hand()
        sees_for_long(watcher, game, layout)
    assert moves_of(table) == [("Lc5~g3E", False)]


def test_moves_that_go_with_each_other_are_taken_back_at_once(table, duel):
    """Without the first of them the last would be no move at all."""
    game, watcher = duel
    before = shown(game, table)
    for player, move in (("black", "Lc5"), ("white", "passxg3"), ("black", "passxc5")):
        table.tell(MovePlayed(player, move, "camera"))
    watcher.notices_hand()
    sees(watcher, game, before)
    assert moves_of(table) == []


def test_a_move_that_was_the_beginning_of_another_becomes_it(table, cards):
    """Who exchanges a card and forgets to take the old one up has built one more; taking it up is not the next turn."""
    game, watcher = cards
    sees(watcher, game, shown(game, table, "5<>16"))
    before, exchanged = table.now.number, shown(game, table, "1<>17")
    sees(watcher, game, shown(game, table, "+17"))
    sees(watcher, game, exchanged)
    assert moves_of(table) == [("5<>16", True), ("1<>17", True)]
    assert told(table)[before - 1 :] == [
        MovePlayed("a", "+17", "camera"),
        MoveVoided(before + 1),
        MovePlayed("a", "1<>17", "camera"),
    ]


@pytest.mark.parametrize(("build", "is_legal"), [("+2,6,10", True), ("+2,6", False)])
def test_a_card_that_was_lifted_and_put_back_was_no_turn_when_the_same_player_goes_on(table, cards, build, is_legal):
    """Without a hand that was seen it looks drawn and discarded, and then the other player seems to draw it."""
    game, watcher = cards
    table.begin_from("tu_tzi", {**game.write_position(table.now.standing.state), "phase": "recruit"}, "another request")
    lying, drawn = shown(game, table), shown(game, table, "<33")
    built = shown(game, table, "<33", build)
    for layout in (drawn, lying, drawn):
        sees(watcher, game, layout)
    assert [move.player for move in table.now.standing.moves] == ["a", "a", "b"]
    sees_for_long(watcher, game, built)
    assert moves_of(table) == [("<33", True), (build, is_legal)]
    assert [move.player for move in table.now.standing.moves] == ["a", "a"]


def test_a_glimpse_that_may_be_a_slip_counts_for_nothing(table, cards):
    game, watcher = cards
    table.tell(MovePlayed("a", ">40", "camera"))
    layout = shown(game, table)
    (pile,) = (place for place in layout if "discard" in place)
    watcher.stir()
    watcher.glimpses({**clearly(game, layout), pile: {None: 0.8, layout[pile]: 0.2}})
    sees(watcher, game, layout)
    assert moves_of(table) == [(">40", True)]


def test_what_is_glimpsed_within_the_second_turn_does_not_replace_the_first(table):
    """The second turn changes two tiles' places: first the one of the turn before goes, then the new one comes."""
    game = games()["pirates_ninjas_robots_zombies"]
    watcher = Watcher(table, game)
    state = game.setup(game.seats[2], _options(game), random.Random(1))
    for move in ("P!@0,0", "PP/PH@0,1"):
        state = game.play(state, game.read_move(move, state))
    table.begin_from(game.name, game.write_position(game.seen_by(state, None)), "a request")
    first, second = "ZZ/ZK@0,2", "RR/RRs@1,1 s0,2~1,1:0,0"
    laid, done = shown(game, table, first), shown(game, table, first, second)
    lifted = {**{place: piece for place, piece in laid.items() if place != "0,2"}, "1,1": done["1,1"]}
    watcher.notices_hand()
    for between in (laid, lifted):
        glimpse(watcher, game, between, done)
    sees(watcher, game, done, laid)
    assert moves_of(table) == [(first, True), (second, True)]


def test_of_many_pairs_of_turns_the_one_that_was_glimpsed_is_told(table):
    """Either of two tiles may have swapped the ones, and the other the others; and one was not seen between."""
    game = games()["pirates_ninjas_robots_zombies"]
    watcher = Watcher(table, game)
    state = game.setup(game.seats[2], _options(game), random.Random(1))
    for move in ("Rr/rRe@0,0", "Pp/pPe@0,-1 e0,0=Z!", "P!@-1,-1"):
        state = game.play(state, game.read_move(move, state))
    table.begin_from(game.name, game.write_position(game.seen_by(state, None)), "a request")
    first, second = "RR/RRs@1,0 s-1,-1~0,-1:0,0", "NN/NNs@-1,0 s0,-1~0,0:0,0"
    laid, done = shown(game, table, first), shown(game, table, first, second)
    watcher.notices_hand()
    glimpse(watcher, game, {place: piece for place, piece in laid.items() if place != "0,-1"}, done)
    sees(watcher, game, done, laid)
    assert moves_of(table) == [(first, True), (second, True)]


def before_an_exchange(table, first="NZ/RP@0,0", second="zZ/Zze@0,1 e0,0=Rr/RRo"):
    """A game of Pirates begins with a tile; the next move changes it and lays another beside it."""
    game = games()["pirates_ninjas_robots_zombies"]
    watcher = Watcher(table, game)
    table.begin_from(game.name, game.write_position(game.seen_by(start(game), None)), "a request")
    return game, watcher, (first, second), (shown(game, table, first), shown(game, table, first, second))


@pytest.mark.parametrize("away", [True, False])
def test_two_turns_between_which_nobody_glimpsed_the_table_are_believed_if_there_was_nothing_to_see(
    away, table, watcher
):
    look(watcher, {})
    watcher.notices_hand()
    if away:
        watcher.looks_away()
    look(watcher, {"a1": WHITE, "b2": BLACK}, still_ms=700.0)
    assert [fact.move for fact in told(table)] == (["a1", "b2"] if away else [])


def test_what_was_glimpsed_on_a_place_is_known_of_it_while_it_is_hidden(table):
    """A tile is replaced, then the one that may do so is laid, and a sleeve lies over the first."""
    game, watcher, (first, second), (laid, done) = before_an_exchange(table)
    sees(watcher, game, laid, done)
    watcher.notices_hand()
    glimpse(watcher, game, {**laid, "0,0": done["0,0"]}, done)
    watcher.notices_hand()
    watcher.stir()
    for _ in range(2):
        watcher.sees({place: odds for place, odds in clearly(game, done).items() if place != "0,0"}, 1000.0)
    assert moves_of(table) == [(first, True), (second, True)]


def test_a_tile_that_stands_where_another_was_glimpsed_is_waited_for(table):
    """A first tile is hardly seen before the next player replaces it, and only then lays the one that may do so."""
    game, watcher, (first, second), (laid, done) = before_an_exchange(table, "ZZ/DZ@0,0", "Zz/zZe@0,-1 e0,0=NR/NR")
    watcher.notices_hand()
    glimpse(watcher, game, laid, done)
    watcher.notices_hand()
    watcher.stir()
    replaced = clearly(game, {"0,0": done["0,0"]}, done)
    assert [watcher.sees(replaced, 700.0) for _ in range(3)] == [False] * 3
    watcher.notices_hand()
    sees(watcher, game, done, laid)
    assert moves_of(table) == [(first, True), (second, True)]


def test_a_tile_that_stands_where_another_was_glimpsed_makes_no_other_of_the_move_before(table):
    game, watcher, moves, (laid, both) = before_an_exchange(table, "PP/Ppo@0,0", "RP/NZ@1,0")
    moves += ("pP/Ppe@2,0 e1,0=Zr/MZ",)
    done = shown(game, table, *moves)
    sees(watcher, game, laid, done)
    watcher.stir()
    watcher.notices_hand()
    glimpse(watcher, game, both, done)
    watcher.stir()
    watcher.notices_hand()
    replaced = {**both, "1,0": done["1,0"]}
    assert [watcher.sees(clearly(game, replaced, done), 700.0) for _ in range(3)] == [False] * 3
    watcher.notices_hand()
    sees(watcher, game, done)
    assert moves_of(table) == [(move, True) for move in moves]
    assert not any(isinstance(fact, MoveVoided) for fact in told(table))


def test_a_tile_in_the_hand_that_comes_is_not_known_of_the_cell_that_it_passed_over(table):
    game, watcher, moves, (first, both) = before_an_exchange(table, "RP/RP@0,0", "NZ/RP@0,1")
    watcher.notices_hand()
    glimpse(watcher, game, first)
    watcher.sees(clearly(game, first), 300.0)
    watcher.sees(clearly(game, {**first, "1,9": Piece("NZ/RP")}), 400.0)
    watcher.notices_hand()
    sees(watcher, game, both)
    assert moves_of(table) == [(move, True) for move in moves]


@pytest.mark.parametrize("more", [(), ("RP/RP@1,1",)])
def test_what_a_move_changed_where_nobody_saw_is_known_when_that_place_comes_to_light(table, more):
    """A tile is laid that turns another, which is hidden; be it before or with the next move that it is seen."""
    moves = ("NZ/RP@0,0", "PP/Ppo@0,1 o0,0:90", *more)
    game, watcher, _, (before, turned) = before_an_exchange(table, *moves[:2])
    sees(watcher, game, before, turned)
    watcher.stir()
    watcher.notices_hand()
    hidden = {place: odds for place, odds in clearly(game, turned).items() if place != "0,0"}
    assert [watcher.sees(hidden, 1000.0) for _ in range(2)][-1]
    assert moves_of(table) == [("NZ/RP@0,0", True), ("PP/Ppo@0,1", True)]
    watcher.notices_hand()
    sees(watcher, game, shown(game, table, *moves), turned)
    assert moves_of(table) == [(move, True) for move in moves]


def test_what_is_changed_after_its_place_was_seen_again_was_not_changed_while_it_was_hidden(table):
    game, watcher, moves, (before, _) = before_an_exchange(table, "NZ/RP@0,0", "PP/Ppo@0,1 o0,0:90")
    moves = (moves[0], "PP/Ppo@0,1")
    laid = shown(game, table, *moves)
    sees(watcher, game, before, laid)
    watcher.stir()
    watcher.notices_hand()
    hidden = {place: odds for place, odds in clearly(game, laid).items() if place != "0,0"}
    assert [watcher.sees(hidden, 1000.0) for _ in range(2)][-1]
    watcher.notices_hand()
    sees(watcher, game, laid)
    watcher.notices_hand()
    turned = {**laid, "0,0": Piece("RN/PZ"), "1,1": Piece("RP/RP")}
    sees_for_long(watcher, game, turned)
    assert moves_of(table)[:2] == [(move, True) for move in moves]
    assert not any(isinstance(fact, MoveVoided) for fact in told(table))


def test_what_was_added_to_a_move_may_be_undone(table):
    """A tile is turned after one with the icon for it was laid, as if by that one, and turned back."""
    game, watcher, moves, (before, laid) = before_an_exchange(table, "NZ/RP@0,0", "PP/Ppo@0,1")
    sees(watcher, game, before)
    sees(watcher, game, laid, before)
    assert moves_of(table) == [(move, True) for move in moves]
    turned = {**laid, "0,0": Piece("RN/PZ")}
    sees(watcher, game, turned)
    assert moves_of(table) == [(moves[0], True), ("PP/Ppo@0,1 o0,0:90", True)]
    sees(watcher, game, laid)
    assert moves_of(table) == [(move, True) for move in moves]


def test_a_tile_on_a_pile_may_be_turned(table):
    game = games()["zu_tiles_hime"]
    watcher = Watcher(table, game)
    state = game.amend(game.seen_by(start(game), None), "south:discard", Piece("mosey-on", "south", 0))
    table.begin_from(game.name, game.write_position(state), "a request")
    sees(watcher, game, game.layout(state))
    for turned in (Piece("mosey-on", "west", 1), Piece("mosey-on", "south", 0)):
        watcher.notices_hand()
        sees(watcher, game, {"south:discard": turned})
        assert moves_of(table) == []
        assert table.now.camera is Camera.WATCHING


def test_a_breach_is_not_explained_by_the_last_two_turns_the_other_way_round(table):
    """The base that South may not lay North might have laid, had North's tile been South's."""
    game = games()["pirates_ninjas_robots_zombies"]
    watcher = Watcher(table, game)
    state = game.setup(game.seats[2], _options(game), random.Random(1))
    table.begin_from(game.name, game.write_position(game.seen_by(state, None)), "a request")
    moves = ("PP/DP@0,0", "pR/RK@0,1", "PP/RR@1,0", "NZ/RP@2,0", "R!@-1,1")
    after = [shown(game, table, *moves[: i + 1]) for i in range(len(moves))]
    for layout in after:
        watcher.notices_hand()
        sees(watcher, game, layout, after[-1])
    assert moves_of(table) == [*((move, True) for move in moves[:-1]), (moves[-1], False)]


def test_a_build_out_of_a_hand_that_nobody_knows_is_waited_for(table, cards):
    game, watcher = cards
    for begun in ({"2"}, {"2", "6", "3"}):
        placed = shown(game, table, "+2,3,6,7,10,11")
        before = game.layout(table.now.standing.state)
        half = {place: piece for place, piece in placed.items() if place in before or piece.tile in begun}
        sees(watcher, game, half)
        assert moves_of(table) == []
        assert "under way" in table.now.camera_says
    sees(watcher, game, shown(game, table, "+2,3,6,7,10,11"))
    assert moves_of(table) == [("+2,3,6,7,10,11", True)]


def test_half_a_turn_that_would_be_a_turn_is_not_told_apart_from_the_rest(table, cards):
    game, watcher = cards
    glimpse(watcher, game, shown(game, table, "+2,6,10"))
    sees(watcher, game, shown(game, table, "+2,3,6,7,10,11"))
    assert moves_of(table) == [("+2,3,6,7,10,11", True)]


def test_what_nothing_explains_is_asked_and_nothing_is_invented(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    odd = {**before, "h3": WHITE, "h2": WHITE, "a1": BLACK}
    look(watcher, odd)
    watcher.rests(SLOW)
    assert table.now.camera is Camera.NEEDS_YOU
    assert "h3 shows White Piece instead of nothing" in table.now.camera_says
    assert told(table) == []
    look(watcher, before)
    assert table.now.camera is Camera.WATCHING


def test_what_was_asked_stays_open_until_it_is_put_right(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    odd = {**before, "h3": WHITE, "h2": WHITE, "a1": BLACK}
    look(watcher, odd)
    assert watcher.unanswered == ()
    watcher.rests(SLOW)
    asked = table.now.questions
    look(watcher, odd)
    assert table.now.questions == ()
    assert watcher.unanswered == asked != ()
    look(watcher, before)
    assert watcher.unanswered == ()


def test_what_nothing_explains_is_asked_though_nobody_lets_the_table_rest_for_long(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    odd = {**before, "h3": WHITE, "h2": WHITE, "a1": BLACK}
    for _ in range(3):
        look(watcher, odd)
        assert table.now.camera is Camera.WATCHING
    look(watcher, odd, still_ms=700.0)
    assert table.now.camera is Camera.NEEDS_YOU
    assert "h3 shows White Piece instead of nothing" in table.now.camera_says
    assert told(table) == []


def test_who_changes_a_tile_before_laying_the_one_that_may_has_not_made_another_move_of_the_last(table):
    game, watcher, (first, second), (laid, done) = before_an_exchange(table)
    sees(watcher, game, laid, done)
    half = {place: piece for place, piece in done.items() if place in laid}
    assert half != laid
    sees(watcher, game, half, done)
    assert moves_of(table) == [(first, True)]
    sees(watcher, game, done)
    assert moves_of(table) == [(first, True), (second, True)]


def test_a_move_is_not_taken_back_beside_something_that_would_be_a_slip(table):
    """A creature that swings away is neither taken back nor seen by mistake where it lands: its action is still due."""
    game, watcher = zu_after(table)
    first, second = "monkey@0,0", "!monkey-swing(0,0>0,3)"
    laid, done = shown(game, table, first), shown(game, table, first, second)
    sees(watcher, game, laid, done)
    half = {place: piece for place, piece in done.items() if piece.tile == "monkey"}
    sees(watcher, game, half, laid, done)
    assert moves_of(table) == [(first, True)]
    sees(watcher, game, done, laid)
    assert moves_of(table) == [(first, True), (second, True)]


def test_a_move_that_looked_like_another_is_told_anew_though_a_phone_has_told_one_since(table):
    """Revive that is laid away looks like Revive that is played, until it would be a third stack of the turn."""
    game, watcher = zu_after(table)
    sees(watcher, game, shown(game, table, "!revive"))
    sees(watcher, game, shown(game, table, "rat@0,0"))
    table.tell(MovePlayed("south", "!leader-of-the-pack(0,0)", "phone"))
    assert moves_of(table) == [("!revive", True), ("rat@0,0", True), ("!leader-of-the-pack(0,0)", True)]
    before = game.layout(table.now.standing.state)
    sees(watcher, game, shown(game, table, "!leader-of-the-pack@0,0(0,0>-1,0)"), before)
    first, *rest = table.now.standing.moves
    assert (first.move[0], "revive" in first.move) == ("~", True)
    assert [(move.move, move.ruling.legal) for move in rest] == [
        ("rat@0,0", True),
        ("!leader-of-the-pack(0,0)", True),
        ("!leader-of-the-pack@0,0(0,0>-1,0)", True),
    ]
    tellers = [table.now.record[move.number - 1].fact.told_by for move in rest]
    assert tellers == ["camera", "phone", "camera"]


def test_what_a_battle_took_onto_a_pile_after_a_rest_is_no_second_move(table):
    """The tile that was played in it lay on the pile for a while, as if it had been laid away."""
    told = ("sapphire-monkey-totem@0,0", ".3", "dragon@0,-1", ".1", "monkey@-1,-1")
    game, watcher = zu_after(table, *told)
    before, fought = game.layout(table.now.standing.state), shown(game, table, "-1,-1>0,-1*rat")
    sees(watcher, game, {**before, "south:discard": fought["south:discard"]}, fought)
    assert moves_of(table)[5:] == [("~?,rat:1", True)]
    sees(watcher, game, fought, before)
    assert moves_of(table)[5:] == [("-1,-1>0,-1*rat", True)]


def test_rather_than_to_lose_at_once_somebody_made_another_move_that_looked_like_the_last(table):
    """Rooster was no discard but fought, and Revive brings it back; a second Revive in the pile would lose the game."""
    told = ("sewer-system@0,0", ".1", "upset-whelp@0,-1", "!wingspan(0,-1)", "!revive")
    game, watcher = zu_after(table, *told)
    battle, end = "0,-1>0,0*rooster", ". revive(rooster)"
    fought, revived = shown(game, table, battle), shown(game, table, battle, end)
    sees(watcher, game, fought)
    assert moves_of(table)[5:] == [("~?,rooster:1", True)]
    sees(watcher, game, revived, fought)
    assert moves_of(table)[5:] == [(battle, True), (end, True)]


def test_a_tile_that_was_forgotten_and_is_taken_later_is_no_second_turn(table):
    """A discarded action looks like an exchange until what it takes is gone."""
    game = games()["zu_tiles_hime"]
    watcher = Watcher(table, game)
    position = game.write_position(game.seen_by(start(game), None))
    table.begin_from(game.name, {**position, "to_move": "north"}, "a request")
    laid, done = shown(game, table, "dragon@0,0"), shown(game, table, "dragon@0,0", "!time-alone(0,0)")
    sees(watcher, game, laid, done)
    sees(watcher, game, {**laid, **done}, done)
    assert moves_of(table) == [("dragon@0,0", True), ("~?,time-alone:1", True)]
    sees(watcher, game, done, laid)
    assert moves_of(table) == [("dragon@0,0", True), ("!time-alone(0,0)", True)]


def test_a_second_exchange_after_a_battle_is_no_other_battle(table):
    laid = ("ox@0,0", ".1", "snake@-1,0", "~?,time-alone:1")
    game, watcher = zu_after(table, *laid)
    before, moves = game.layout(table.now.standing.state), ("-1,0>0,0*upset-whelp", "~?,rooster:2")
    for layout in (shown(game, table, moves[0]), shown(game, table, *moves)):
        sees(watcher, game, layout, before)
    assert moves_of(table)[len(laid) :] == [(moves[0], True), (moves[1], False)]


def test_a_discard_that_follows_a_battle_is_not_the_battle_s_tile(table):
    """The tile that fought is like the one that lay on the pile before."""
    laid = ("~?,rat:1", "ox@0,0", ".1", "rooster@1,0", ".2", "rat@2,0")
    game, watcher = zu_after(table, *laid)
    before, moves = game.layout(table.now.standing.state), ("0,0>1,0+2,0*rat", "~?,leader-of-the-pack:2")
    for layout in (shown(game, table, moves[0]), shown(game, table, *moves)):
        sees(watcher, game, layout, before)
    assert moves_of(table)[len(laid) :] == [(move, True) for move in moves]


def test_the_lower_of_two_tiles_that_were_laid_away_is_known_when_the_upper_is_taken_back(table):
    game, watcher = zu_after(table)
    moves = ("rat@0,0", "!revive", "~ox,rat:3", ". revive(rat)")
    tables = [shown(game, table, *moves[: i + 1]) for i in range(len(moves))]
    for layout in tables[:3]:
        sees(watcher, game, layout, *tables)
    assert moves_of(table)[2] == ("~?,rat:1", True)
    sees(watcher, game, tables[3], *tables)
    assert moves_of(table)[2:] == [("~ox,rat:1", True), (". revive(rat)", True)]


def test_the_tile_of_a_battle_is_known_when_the_attacker_that_it_cost_is_taken_back(table):
    laid = ("sewer-system@0,0", ".1", "upset-whelp@0,-1", ".1", "rat@0,1", ".2", "snake@1,-1", ".2")
    game, watcher = zu_after(table, *laid, "~?,ox:3", "!revive")
    moves = ("0,1>0,0-0,-1*pull", ". revive(rat)")
    before = game.layout(table.now.standing.state)
    fought, revived = shown(game, table, moves[0]), shown(game, table, *moves)
    sees(watcher, game, fought, before)
    assert moves_of(table)[10:] == [("0,1>0,0-0,-1*rat", True)]
    sees(watcher, game, revived, before)
    assert moves_of(table)[10:] == [(move, True) for move in moves]


def test_a_breach_of_the_next_player_tells_that_the_last_move_ended_the_turn(table):
    """Who takes the upper of two tiles back seems to have played the lower one, and to be still to move."""
    game = games()["zu_tiles_hime"]
    watcher = Watcher(table, game)
    position = game.write_position(game.seen_by(start(game), None))
    table.begin_from(game.name, {**position, "to_move": "north"}, "a request")
    moves = ("dragon@0,0", "!revive", "~constrict,rooster:1", ". revive(rooster)", "pull@0,1")
    tables = [shown(game, table, *moves[: i + 1]) for i in range(len(moves))]
    for layout in tables[:-1]:
        sees(watcher, game, layout, *tables)
    assert moves_of(table)[2:] == [("~?,rooster:1", True), ("!constrict", True)]
    sees_for_long(watcher, game, tables[-1], *tables)
    assert moves_of(table) == [*((move, True) for move in moves[:-1]), (moves[-1], False)]


def test_a_place_that_is_read_wrong_all_along_is_no_move(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    wrong = {"g1": {WHITE: 0.9, BLACK: 0.1}}
    look(watcher, before, **wrong)
    watcher.rests(SLOW)
    look(watcher, {**{p: x for p, x in before.items() if p != "a1"}, "a2": WHITE}, **wrong)
    assert told(table) == [MovePlayed("white", "a1-a2", "camera")]


def test_a_place_that_is_read_otherwise_is_asked_about_when_it_still_is_after_the_next_move(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    wrong = {"g1": {WHITE: 0.98, BLACK: 0.02}}
    moved = {**{p: x for p, x in before.items() if p != "a1"}, "a2": WHITE}
    answered = {**{p: x for p, x in moved.items() if p != "e1"}, "e2": BLACK}
    look(watcher, moved, **wrong)
    watcher.rests(SLOW)
    assert (told(table), table.now.camera) == ([MovePlayed("white", "a1-a2", "camera")], Camera.WATCHING)
    look(watcher, answered, **wrong)
    assert told(table)[1:] == [MovePlayed("black", "e1-e2", "camera")]
    assert table.now.camera is Camera.NEEDS_YOU
    assert "g1 shows White Piece instead of Black Piece" in table.now.camera_says


def test_a_place_that_was_read_otherwise_once_is_forgotten(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    look(watcher, before, g1={WHITE: 0.98, BLACK: 0.02})
    look(watcher, before)
    look(watcher, before, g1={WHITE: 0.98, BLACK: 0.02})
    assert (told(table), table.now.camera) == ([], Camera.WATCHING)


def test_what_a_phone_corrects_is_believed(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    table.tell(TileCorrected("g1", None))
    assert watcher.is_told
    look(watcher, {place: piece for place, piece in before.items() if place != "g1"})
    assert len(told(table)) == 1
    assert not watcher.is_told


def test_a_hidden_place_is_as_it_was(table, watcher):
    before = begin(watcher, white=["a1", "b1", "c1"], black=["e1", "f1", "g1"])
    hidden = {place: odds for place, odds in seen(before).items() if place != "a1"}
    watcher.stir()
    assert [watcher.sees(hidden, 1000.0) for _ in range(2)][-1]
    assert told(table) == []


def test_reads_of_one_rest_are_worth_one_and_a_half_that_share_nothing():
    one, other = {"a1": {WHITE: 0.6, BLACK: 0.4}}, {"a1": {WHITE: 0.3, BLACK: 0.7}, "a2": {None: 1.0}}
    together = fuse([one, other])
    white, black = 0.18**0.75, 0.28**0.75
    assert together["a1"][WHITE] == pytest.approx(white / (white + black))
    assert fuse([one] * 2)["a1"] == pytest.approx(fuse([one] * 6)["a1"])
    assert as_layout(together) == {"a1": BLACK}


def test_a_first_discard_is_the_one_that_lies_there(tmp_path):
    game = games()["tu_tzi"]
    with Store(tmp_path) as store:
        table = Table(store, camera=Camera.WATCHING)
        watcher = Watcher(table, game, patience=Patience(reads=1))
        place = next(iter(game.layout(game.setup(game.seats[2], _options(game), random.Random(1)))))
        empty = {each: {None: 1.0} for each in game.board.places}
        assert watcher.sees({**empty, place: {Piece("33"): 1.0}}, 1000.0)
        standing = table.now.standing
        assert standing.game.layout(standing.state) == {place: Piece("33")}
        assert all(not game.held(standing.state, player) for player in game.players(standing.state))
        table.close()


def _options(game):
    from companion.game import choose_options

    return choose_options(game.options, {})
