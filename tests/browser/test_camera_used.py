"""The pages with a camera, used as a person would, in front of a simulated table that is really photographed."""

import re

import pytest
from playwright.sync_api import expect

from companion.asking import questions
from companion.live import Camera, Look
from tests.browser.test_look import SMALL, resize
from tests.studio_eyes import WHITE


def _photo(server, ground):
    server.eyes.ground, before = ground, server.eyes.ground
    taken = server.eyes.photo()
    server.eyes.ground = before
    return {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": taken}


def test_corners_are_dragged_by_mouse_and_by_keyboard(owner, server):
    page = owner.go("/camera")
    expect(page.get_by_text("found by 4 of 4 markers")).to_be_visible()
    corner = page.get_by_role("button", name="Far left corner")
    before = corner.bounding_box()
    page.mouse.move(before["x"] + 24, before["y"] + 24)
    page.mouse.down()
    page.mouse.move(before["x"] + 64, before["y"] + 54, steps=3)
    page.mouse.up()
    dragged = corner.bounding_box()
    assert dragged["x"] == pytest.approx(before["x"] + 40, abs=2)
    assert dragged["y"] == pytest.approx(before["y"] + 30, abs=2)
    page.keyboard.press("Shift+ArrowLeft")
    assert corner.bounding_box()["x"] < dragged["x"] - 5
    page.get_by_role("button", name="Use these corners").click()
    expect(page.get_by_text("set by hand")).to_be_visible()
    assert server.eyes.plane is not None
    page.get_by_role("button", name="Find the table").click()
    expect(page.get_by_text("found by 4 of 4 markers")).to_be_visible()


def test_a_photo_is_read_shown_and_confirmed(owner, server):
    server.eyes.lies["c1"] = WHITE
    page = owner.go("/photo")
    page.locator("[data-photo]").first.set_input_files(_photo(server, "mat"))
    page.get_by_role("button", name="Window side played c1").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".moves .move").first).to_have_text("c1")


def test_a_photo_without_markers_is_read_once_its_corners_are_shown(owner, server):
    page = owner.go("/photo")
    page.locator("[data-photo]").first.set_input_files(_photo(server, "bare"))
    expect(page.get_by_text("no marker of a mat")).to_be_visible()
    page.get_by_role("button", name="Near right corner").press("ArrowUp")
    page.get_by_role("button", name="Read it with these corners").click()
    expect(page.get_by_text("As seen now")).to_be_visible()
    expect(page.locator("#by-corners")).to_be_hidden()


def test_a_tile_is_learned_from_the_table_and_its_crop_is_shown(owner):
    page = owner.go("/sets?game=zhizhu")
    page.get_by_label("Learn another set").fill("Ours")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Learn it from the table").click()
    expect(page.get_by_alt_text("White Piece as the camera saw it")).to_be_visible()
    page.get_by_role("link", name="Next tile").click()
    expect(page.get_by_role("heading", name="Lay Black Piece alone")).to_be_visible()


def test_a_question_is_answered_with_one_tap(owner, server):
    page = owner.go("/")
    asked = questions(server.table.now.standing, Look({**server.eyes.lies, "c1": WHITE}))
    server.table.show_camera(Camera.NEEDS_YOU, "", asked)
    page.get_by_role("button", name="Window side played c1").click()
    expect(page.locator(".question")).to_have_count(0)
    expect(page.locator(".moves .move").first).to_have_text("c1")


def test_watching_is_paused_from_its_page_and_goes_on_from_the_table(owner):
    page = owner.go("/camera")
    page.get_by_role("switch").click()
    expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "false")
    owner.go("/").get_by_role("button", name="Go on watching").click()
    expect(page.locator(".camera-watching")).to_be_visible()


def test_on_a_board_of_many_squares_a_finger_meets_one(owner, server):
    server.begin(name="paiko")
    server.play_by_lot(6)
    page = owner.go("/")
    resize(page, 320, 640)
    assert page.evaluate(*SMALL) == []
    page.locator(".board.small").click(position={"x": 200, "y": 150})
    page.wait_for_url("**/ask?near=*")
    assert page.evaluate(*SMALL) == []
    (place, _) = next(iter(server.table.now.standing.game.layout(server.table.now.standing.state).items()))
    page = owner.go("/correct")
    page.locator(f'[data-tap="{place}"]').click()
    page.get_by_role("link", name="nothing").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(f'[data-tap="{place}"]')).to_have_attribute("aria-label", f"{place}: empty")
