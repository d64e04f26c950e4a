"""Several screens at once: everybody sees the same, soon, and again after the server was away."""

import json
import random
import statistics
import time
import urllib.request

from playwright.sync_api import expect

from companion.events import MovePlayed
from companion.game import legal_moves, start
from companion.live import Table
from companion.registry import game_named
from companion.store import Store
from tests.browser.conftest import Server

PATIENT = 180_000
"""Milliseconds for what a busy machine needs long for: starting the program, and reading photographs."""


def test_a_whole_game_is_watched_at_phone_size(visit, server):
    server.begin()
    page = visit(server, 360, 740).go("/")
    game, rng = game_named("zhizhu"), random.Random(4)
    state = start(game)
    while game.to_move(state) is not None:
        move = _greedy(game, state, rng)
        server.play(game.write_move(move, state))
        state = game.play(state, move)
    expect(page.locator(".outcome")).to_contain_text("The game is over")
    expect(page.locator(".won")).to_have_count(1)
    points = game.score(state).points
    assert [int(each) for each in page.locator(".points").all_text_contents()] == list(points.values())
    drawn = set(page.eval_on_selector_all("[data-place]", "all => all.map(one => one.dataset.place)"))
    assert drawn == set(game.layout(state))


def test_a_simulated_game_is_recognised_and_watched_to_its_end_at_phone_size(visit, tmp_path):
    """The program on the simulated camera, with real reading; all but the last three moves were played before."""
    _record_of_a_game(tmp_path / "simulated", seed=6, moves=24)
    server = Server(tmp_path, "--source", "sim:zhizhu?advised=yes&pace=3&size=820x616&rate=8&seed=2")
    try:
        phone = visit(server, 360, 740, allowed="net::ERR_")
        page = phone.go("/")
        expect(page.locator(".moves .count").first).to_have_text("24")
        for seen in (".camera-hand", ".camera-reading"):
            expect(page.locator(seen).first).to_be_visible(timeout=PATIENT)
        expect(page.locator(".outcome")).to_contain_text("The game is over", timeout=PATIENT)
        expect(page.locator(".moves .count").first).to_have_text("27")
        assert page.locator(".moves .verdict.legal").count() == page.locator(".moves .row").count()
        record = json.load(urllib.request.urlopen(f"{server.address}/export/1.json"))
        told = [event for event in record["events"] if event["kind"] == "move_played"]
        assert [event["told_by"] for event in told[-3:]] == ["camera"] * 3
        page.locator(".moves .row").first.click()
        photograph = page.get_by_alt_text("Photograph after the move")
        expect(photograph).to_be_visible()
        assert photograph.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    finally:
        server.stop()


def test_two_phones_and_a_tv_see_every_move_within_300_ms(visit, server):
    server.begin()
    screens = [visit(server).go("/"), visit(server, 320, 568).go("/"), visit(server, 1920, 1080).go("/tv")]
    for screen in screens:
        expect(screen.locator(".scores")).to_contain_text("Window side")
        expect(screen.locator("html")).to_have_attribute("data-number", str(server.table.now.number))
        screen.evaluate(
            """() => { window.seen = {}; new MutationObserver(() => {
                const move = document.querySelector(".moves .move")?.textContent;
                if (move) window.seen[move] ??= Date.now();
            }).observe(document.body, { childList: true, subtree: true }); }"""
        )
    sent = {}
    for move in ("a1", "b1", "c1", "d1", "e1", "f1"):
        sent[move] = time.time() * 1000
        server.play(move)
        for screen in screens:
            expect(screen.locator(".moves .move").first).to_have_text(move)
    delays = [screen.evaluate("window.seen")[move] - when for screen in screens for move, when in sent.items()]
    assert statistics.median(delays) < 300, delays


def test_a_page_about_the_last_game_goes_to_the_table_when_another_begins(visit, server):
    server.begin("a1")
    page = visit(server).go("/why/move/4")
    expect(page.locator("html")).to_have_attribute("data-number", "4")
    server.begin()
    expect(page).to_have_url(f"{server.address}/")
    expect(page.locator(".moves")).to_have_count(0)


def test_a_newcomer_sees_a_game_is_told_when_the_page_is_stale_and_is_right_again_after_a_restart(visit, tmp_path):
    server = Server(tmp_path, "--source", "demo", "--pause", "0.3")
    try:
        page = visit(server, 360, 740, allowed="net::ERR_").go("/")
        expect(page.locator(".moves .row").nth(3)).to_be_visible()
        expect(page.locator(".scores")).to_contain_text("White")
        server.stop()
        expect(page.locator("#stale")).to_be_visible()
        before = int(page.locator(".moves .count").first.text_content())
        server.start()
        expect(page.locator("#stale")).to_be_hidden()
        page.wait_for_function(
            "before => +document.querySelector('.moves .count').textContent > before + 1", arg=before
        )
        shown = page.locator(".moves .count").all_text_contents()
        assert [int(count) for count in shown] == list(range(int(shown[0]), int(shown[0]) - len(shown), -1))
    finally:
        server.stop()


def _greedy(game, state, rng):
    found = legal_moves(game, state)
    return max(rng.sample(found, min(9, len(found))), key=lambda move: move.taken)


def _record_of_a_game(folder, seed, moves):
    """The beginning of a game as the program left it."""
    game, rng = game_named("zhizhu"), random.Random(seed)
    with Store(folder) as store:
        table, state = Table(store), start(game)
        table.begin("zhizhu", ("white", "black"), {}, {}, "begin-before")
        for _ in range(moves):
            move = _greedy(game, state, rng)
            table.tell(MovePlayed(game.to_move(state), game.write_move(move, state), "camera"))
            state = game.play(state, move)
        table.close()
