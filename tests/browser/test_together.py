"""Several screens at once: everybody sees the same, soon, and again after the server was away."""

import random
import statistics
import time

from playwright.sync_api import expect

from companion.game import legal_moves, start
from companion.registry import game_named
from tests.browser.conftest import Server


def test_a_whole_game_is_watched_at_phone_size(visit, server, owners_cookies):
    owner, watching = visit(server, storage_state=owners_cookies), visit(server)
    owner.go("/")
    owner.begin()
    page = watching.go("/")
    game, rng = game_named("zhizhu"), random.Random(4)
    state = start(game)
    while (player := game.to_move(state)) is not None:
        move = max(rng.sample(moves := legal_moves(game, state), min(9, len(moves))), key=lambda m: m.taken)
        told = {"move": game.write_move(move, state), "player": player, "request": f"whole-{time.time_ns()}"}
        status, said = owner.send("/api/move", told)
        assert status == 200, said
        state = game.play(state, move)
    expect(page.locator(".outcome")).to_contain_text("The game is over")
    expect(page.locator(".won")).to_have_count(1)
    points = game.score(state).points
    assert [int(each) for each in page.locator(".points").all_text_contents()] == list(points.values())
    drawn = set(page.eval_on_selector_all("[data-place]", "all => all.map(one => one.dataset.place)"))
    assert drawn == set(game.layout(state))


def test_two_phones_and_a_tv_see_every_move_within_300_ms(visit, server, owners_cookies):
    owner = visit(server, storage_state=owners_cookies)
    owner.go("/")
    owner.begin()
    phone, tv = visit(server), visit(server, 1920, 1080)
    screens = [phone.go("/"), tv.go("/tv")]
    for screen in screens:
        expect(screen.locator(".scores")).to_contain_text("Window side")
        screen.evaluate(
            """() => { window.seen = {}; new MutationObserver(() => {
                const move = document.querySelector(".moves .move")?.textContent;
                if (move) window.seen[move] ??= Date.now();
            }).observe(document.body, { childList: true, subtree: true }); }"""
        )
    sent = {}
    for move in ("a1", "b1", "c1", "d1", "e1", "f1"):
        sent[move] = time.time() * 1000
        owner.play(move)
    delays = []
    for screen in screens:
        expect(screen.locator(".moves .move").first).to_have_text("f1")
        seen = screen.evaluate("window.seen")
        delays += [seen[move] - when for move, when in sent.items()]
    assert statistics.median(delays) < 300, delays


def test_a_page_about_the_last_game_goes_to_the_table_when_another_begins(visit, server, owners_cookies):
    owner, watching = visit(server, storage_state=owners_cookies), visit(server)
    owner.go("/")
    owner.begin()
    owner.play("a1")
    page = watching.go("/why/move/4")
    expect(page.locator("html")).to_have_attribute("data-number", "4")
    owner.begin()
    expect(page).to_have_url(f"{server.address}/")
    expect(page.locator(".moves")).to_have_count(0)


def test_a_phone_says_that_it_is_stale_and_is_right_again_after_a_restart(visit, tmp_path):
    server = Server(tmp_path, "--source", "none")
    try:
        owner = visit(server, allowed="net::ERR_").own()
        owner.begin()
        owner.play("a1", "b1")
        page = owner.page
        server.stop()
        expect(page.locator("#stale")).to_be_visible()
        server.start()
        expect(page.locator("#stale")).to_be_hidden(timeout=15_000)
        owner.play("c1")
        expect(page.locator(".moves .move").first).to_have_text("c1")
        expect(page.locator(".moves .row")).to_have_count(3)
    finally:
        server.stop()


def test_a_newcomer_sees_a_game_being_played_within_seconds(visit, tmp_path):
    server = Server(tmp_path, "--source", "demo", "--pause", "0.05")
    try:
        page = visit(server, allowed="net::ERR_").go("/")
        expect(page.locator(".moves .row").nth(4)).to_be_visible(timeout=8_000)
        expect(page.locator(".scores")).to_contain_text("White")
    finally:
        server.stop()
