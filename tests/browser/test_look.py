"""How the pages look: on small and on huge screens, in light and in dark, and to axe-core."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.registry import games
from tests.browser.studio import StudioServer

PAGES = {
    "/": ("/",),
    "/ask": ("/ask", "/ask?at=a1&move=a1", "/ask?at=c2&move=c2", "/ask?move=nonsense"),
    "/advice": ("/advice",),
    "/history": ("/history",),
    "/history/<int:game>": ("/history/1?at=1",),
    "/history/<int:game>/move/<int:number>": ("/history/1/move/4",),
    "/games": ("/games",),
    "/sheet/<int:game>": ("/sheet/1",),
    "/why": ("/why", "/why?item=0"),
    "/why/move/<int:number>": ("/why/move/4", "/why/move/10"),
    "/correct": ("/correct", "/correct?place=a1", "/correct?place=a1&nothing=1"),
    "/undo": ("/undo",),
    "/tell": ("/tell",),
    "/rules": ("/rules", "/rules?words=neighbour"),
    "/join": ("/join",),
    "/owner/<link>": ("/owner/used",),
    "/setup": ("/setup", "/setup?game=zu_tiles_hime&players=4"),
    "/more": ("/more",),
    "/tv": ("/tv",),
    "/camera": ("/camera",),
    "/camera/check": ("/camera/check?lot=3", "/camera/check?lot=3&look=1"),
    "/sets": ("/sets", "/sets?game=paiko&set=Ours"),
    "/photo": ("/photo",),
    "/look": ("/look",),
    "/hand": (),
}
"""Every page with what can be asked of it; hands are told in other games than the one that is open here."""
NO_PAGES = {
    "/advice/moves",
    "/camera/picture.jpg",
    "/evidence/<int:game>/<int:number>.jpg",
    "/export/<int:game>-pictures.zip",
    "/export/<int:game>.csv",
    "/export/<int:game>.json",
    "/faces/<game>",
    "/favicon.ico",
    "/manifest.webmanifest",
    "/print/<game>-<any(tiles, board, corners):bundle>-<any(a4, letter):paper>.pdf",
    "/static/<built>/<name>",
    "/stream",
}
WITHOUT_A_GAME = ("/", "/ask", "/history", "/games", "/join", "/setup", "/more", "/rules", "/tv", "/nowhere")
IN_OTHER_GAMES = ("/", "/ask", "/tell", "/hand", "/history", "/tv")
SCREENS = ((3840, 2160), (820, 1180), (390, 844), (320, 568))
PRESSED = (
    "button, .button, .row, a.chip, .tabs a, input:not([type=hidden], [type=file]), select, summary, "
    ".menu a, .offers a, .games a, .links a, .tap"
)
SMALL = (
    """(pressed) => [...document.querySelectorAll(pressed)]
        .filter((each) => getComputedStyle(each).pointerEvents !== "none")
        .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
        .map(([html, box]) => [html, box.width, box.height])""",
    PRESSED,
)
AXE = Path(os.environ.get("COMPANION_AXE", ""))


def test_no_page_is_forgotten_here(server):
    answered = {rule.rule for rule in server.app.url_map.iter_rules() if "GET" in rule.methods}
    assert answered == PAGES.keys() | NO_PAGES


def test_every_page_fits_every_screen_and_axe_finds_nothing(owner, server):
    server.play("a3xb1", "c1", "a1")
    assert not server.table.now.standing.moves[-1].ruling.legal
    for path in (path for paths in PAGES.values() for path in paths):
        look(owner, path)


@pytest.mark.parametrize("name", [name for name in games() if name != "zhizhu"])
def test_the_pages_of_every_game_fit_every_screen_and_axe_finds_nothing(owner, server, name):
    server.begin(name=name, seats=max(games()[name].seats))
    server.play_by_lot(8)
    standing = server.table.now.standing
    owner.go("/more")
    assert owner.send("/api/sit", {"seat": standing.game.to_move(standing.state)})[0] == 200
    try:
        for path in IN_OTHER_GAMES:
            if path != "/hand" or standing.game.hold is not None:
                look(owner, path)
    finally:
        server.begin()
        owner.send("/api/sit", {"seat": "white"})


def test_pages_without_a_game_fit_every_screen_and_axe_finds_nothing(visit, tmp_path):
    server = StudioServer(tmp_path, eyes=False)
    try:
        owner = visit(server, allowed="404").own()
        assert server.table.now.standing is None
        for path in WITHOUT_A_GAME:
            look(owner, path)
    finally:
        server.stop()


@pytest.mark.parametrize("name", games())
def test_a_tv_shows_everything_at_once_and_large(visit, server, name):
    server.begin(name=name, seats=max(games()[name].seats))
    server.play_by_lot(6)
    page = visit(server).go("/tv")
    for width, height in ((1920, 1080), (3840, 2160)):
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        assert page.locator("a, button, input").count() == 0
        for shown in (".points", ".board svg", ".qr svg", ".turn", ".moves .row"):
            box = page.locator(shown).first.bounding_box()
            assert box["y"] + box["height"] <= height
            assert box["x"] + box["width"] <= width
        assert page.locator(".points").first.bounding_box()["height"] > height / 13
        smallest = page.evaluate(
            """() => Math.min(...[...document.querySelectorAll(".tv-grid *")]
                .filter((each) => each.checkVisibility() && !each.closest("svg, .hidden, .token"))
                .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
                .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
        )
        assert smallest >= height / 55


def look(phone, path):
    """Nothing is wider than a screen or too small for a finger, and axe finds nothing, in light and in dark."""
    page = phone.go(path)
    expect(page.locator("html")).to_have_attribute("data-number", re.compile(r"\d"))
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    for width, height in SCREENS:
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
    assert path == "/tv" or page.evaluate(*SMALL) == [], path
    for scheme, only in (("light", None), ("dark", "color-contrast")):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert violations(page, only) == [], (path, scheme)


def resize(page, width, height):
    """Another screen; what is fitted to it is fitted a frame later."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


_without_axe = []


@pytest.fixture(autouse=True)
def told_if_axe_was_missing():
    """A test that could not ask axe-core says so: it counts as skipped, whatever else it has found."""
    _without_axe.clear()
    yield
    if _without_axe:
        pytest.skip("axe-core is not here: deploy/test fetches it")


def violations(page, only=None):
    """What axe-core finds, where it is here; by the browser's own debugger, for the page's policy lets no script in."""
    if not AXE.is_file():
        _without_axe.append(page.url)
        return []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    wanted = {"resultTypes": ["violations"]} | ({"runOnly": [only]} if only else {})
    found = page.evaluate("(wanted) => axe.run(document, wanted)", wanted)["violations"]
    return [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found]
