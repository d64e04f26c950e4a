"""How the pages look: on small and on huge screens, in light and in dark, and to axe-core."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

PAGES = (
    "/",
    "/ask",
    "/ask?at=a1&move=a1",
    "/ask?move=nonsense",
    "/advice",
    "/history",
    "/games",
    "/sheet/1",
    "/why",
    "/why/move/5",
    "/correct",
    "/correct?place=a1",
    "/correct?place=a1&nothing=1",
    "/undo",
    "/tell",
    "/rules",
    "/join",
    "/setup?game=zhizhu",
    "/more",
    "/tv",
)
PRESSED = (
    "button, .button, .row, a.chip, .tabs a, input:not([type=hidden], [type=file]), select, summary, "
    ".menu a, .offers a, .tap"
)
SMALL = (
    """(pressed) => [...document.querySelectorAll(pressed)]
        .filter((each) => getComputedStyle(each).pointerEvents !== "none")
        .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
        .map(([html, box]) => [html, box.width, box.height])""",
    PRESSED,
)
AXE = os.environ.get("COMPANION_AXE", "")


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (3840, 2160)])
def test_no_page_is_wider_than_the_screen(owner, width, height):
    owner.page.set_viewport_size({"width": width, "height": height})
    for path in PAGES:
        page = owner.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_everything_to_press_is_at_least_44_pixels_high(owner):
    for path in PAGES[:-1]:
        page = owner.go(path)
        assert page.evaluate(*SMALL) == [], path


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (3840, 2160)])
def test_a_tv_shows_everything_at_once_and_large(visit, server, owners_cookies, width, height):
    page = visit(server, width, height).go("/tv")
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.locator("a, button, input").count() == 0
    for shown in (".points", ".board svg", ".qr svg", ".turn"):
        box = page.locator(shown).first.bounding_box()
        assert box["y"] + box["height"] <= height
        assert box["x"] + box["width"] <= width
    assert page.locator(".points").first.bounding_box()["height"] > height / 9
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll(".tv-grid *")]
            .filter((each) => each.checkVisibility() && !each.closest("svg, .hidden"))
            .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
            .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
    )
    assert smallest >= height / 55


@pytest.mark.skipif(not Path(AXE).is_file(), reason="axe-core is not here (deploy/test fetches it where npm is)")
@pytest.mark.parametrize(
    ("scheme", "only"), [("light", None), ("dark", "color-contrast")], ids=["light", "dark, its colours"]
)
def test_axe_finds_nothing(owner, scheme, only):
    owner.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for path in PAGES:
        page = owner.go(path)
        expect(page.locator("html")).to_have_attribute("data-number", re.compile(r"\d"))
        assert violations(page, only) == [], path


def violations(page, only=None):
    """What axe-core finds, where it is here; by the browser's own debugger, for the page's policy lets no script in."""
    if not Path(AXE).is_file():
        return []
    page.evaluate(Path(AXE).read_text())
    wanted = {"resultTypes": ["violations"]} | ({"runOnly": [only]} if only else {})
    found = page.evaluate("(wanted) => axe.run(document, wanted)", wanted)["violations"]
    return [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found]
