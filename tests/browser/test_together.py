"""Several screens at once: everybody sees the same, soon, and again after the server was away."""

import json
import statistics
import time
import urllib.request

from playwright.sync_api import expect

from tests.browser.conftest import Server

PATIENT = 180_000
"""Milliseconds for what a busy machine needs long for: starting the program, and reading photographs."""


NOTE_WHAT_IS_SHOWN = """
    window.shown = { moves: {}, points: {}, cameras: [] };
    const note = () => {
        const texts = (part) => [...document.querySelectorAll(part)].map((each) => each.textContent);
        const moves = texts(".moves .move"), counts = texts(".moves .count");
        counts.forEach((count, i) => { shown.moves[count] = moves[i]; });
        if (counts.length) shown.points[counts[0]] = texts(".points").map(Number);
        const camera = document.querySelector(".camera")?.className.match(/camera-(.*)/)[1];
        if (camera && !shown.cameras.includes(camera)) shown.cameras.push(camera);
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true });
"""


def test_a_whole_simulated_game_is_recognised_and_watched_at_phone_size(visit, tmp_path):
    """From its first move to its last by the simulated camera, with real reading, quicker than people play."""
    source = f"sim:zhizhu?seed=41&rate=8&stills=yes&live=no&games=1&truth={tmp_path / 'truth'}"
    server = Server(tmp_path, "--source", source)
    try:
        phone = visit(server, 360, 740)
        phone.page.add_init_script(NOTE_WHAT_IS_SHOWN)
        page = phone.go("/")
        expect(page.locator(".outcome")).to_contain_text("The game is over", timeout=PATIENT)
        page.screenshot(path=tmp_path / "over.png", full_page=True)
        _shows_the_game_as_it_was_played(page, tmp_path / "truth")
        record = json.load(urllib.request.urlopen(f"{server.address}/export/1.json"))
        assert {e["told_by"] for e in record["events"] if e["kind"] == "move_played"} == {"camera"}
        page.locator(".moves .row").first.click()
        photograph = page.get_by_alt_text("Photograph after the move")
        expect(photograph).to_be_visible()
        assert photograph.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
        page.goto("about:blank")
    finally:
        server.stop()


def _shows_the_game_as_it_was_played(page, truth):
    """Every move that was made at the table and no other, the score after each, its end, and what the camera did."""
    # The page may know that the game is over before the last hand has left the table.
    while '"kind": "over"' not in truth.read_text():
        page.wait_for_timeout(100)
    *happened, over = (json.loads(line) for line in truth.read_text().splitlines())
    moves = {str(i): each for i, each in enumerate((e for e in happened if e["kind"] == "move"), start=1)}
    shown = page.evaluate("shown")
    assert shown["moves"] == {count: move["move"] for count, move in moves.items()}
    assert shown["points"] == {count: list(moves[count]["points"].values()) for count in shown["points"]}
    assert shown["points"][str(len(moves))] == list(over["points"].values())
    assert {"watching", "hand", "settling", "reading"} <= set(shown["cameras"])
    assert page.locator(".moves .verdict.legal").count() == page.locator(".moves .row").count()
    expect(page.locator(".won .called")).to_have_text(over["winner"].capitalize())
    expect(page.locator("#say")).to_contain_text("The game is over.")
    drawn = set(page.eval_on_selector_all("[data-place]", "all => all.map(one => one.dataset.place)"))
    assert drawn == happened[-2]["layout"].keys()


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
