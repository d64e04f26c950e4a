"""Every page used as a person would, at the size of a phone."""

import re

from playwright.sync_api import expect


def test_a_move_is_chosen_by_tapping_judged_and_played(owner):
    page = owner.go("/ask")
    page.locator('[data-tap="a3"]').click()
    page.locator('[data-tap="b1"]').click()
    expect(page.locator('[data-tap="b1"]')).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="a3xb1", exact=True).click()
    expect(page.locator(".ruling")).to_contain_text("Legal")
    page.get_by_role("button", name="Play this move").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".score").first.locator(".points")).to_have_text("1")


def test_an_illegal_move_is_named_by_its_rule_and_what_is_legal_is_offered(owner):
    page = owner.go("/ask")
    page.get_by_label("In the notation of the game").fill("a1")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator(".ruling")).to_contain_text("Illegal by 2.2")
    expect(page.locator(".clause")).to_contain_text("put one on any empty point")
    expect(page.get_by_role("heading", name=re.compile("Legal instead"))).to_be_visible()


def test_a_board_is_used_by_keyboard(owner):
    page = owner.go("/ask")
    page.locator('[data-tap="a3"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-tap="a3"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-tap="a3"]')).to_be_focused()


def test_a_point_lights_its_tiles_and_shows_its_rule(owner, server):
    server.play("a3xb1")
    page = owner.go("/")
    page.get_by_role("link", name=re.compile("1 points of Window side")).click()
    page.get_by_role("link", name=re.compile("captured")).click()
    expect(page.locator(".lit-panel")).to_contain_text("removes one enemy piece")


def test_a_ruling_is_read_and_the_table_decides_otherwise(owner, server):
    server.play("b1")
    page = owner.go("/")
    page.locator(".moves .row").first.click()
    expect(page.locator(".big-verdict")).to_contain_text("Illegal by 2.2")
    page.get_by_label("Note").fill("we play it so")
    page.get_by_role("button", name="We allow it").click()
    expect(page.locator(".ruling")).to_contain_text("The table decided (we play it so)")


def test_a_tile_is_corrected_in_three_taps(owner):
    page = owner.go("/correct")
    page.locator('[data-tap="a1"]').click()
    page.get_by_role("link", name="nothing").click()
    expect(page.locator(".changes")).to_be_visible()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(re.compile(r"/correct$"))
    expect(page.locator('[data-tap="a1"]')).to_have_attribute("aria-label", "a1: empty")


def test_the_last_move_is_taken_back(owner):
    page = owner.go("/")
    page.get_by_role("link", name="Take back").click()
    page.get_by_role("button", name="Take this move back").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".moves .row")).to_have_count(3)


def test_advice_is_switched_on_and_drawn_as_arrows(owner):
    page = owner.go("/advice")
    if page.get_by_role("switch").get_attribute("aria-checked") == "false":
        page.get_by_role("switch").click()
    expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(page.locator("[data-arrow]").first).to_be_attached(timeout=10_000)
    expect(page.locator(".advice li")).to_have_count(3)
    page.locator(".advice .row").first.click()
    expect(page.locator(".advice .shown")).to_have_count(1)


def test_history_is_scrubbed_back_and_forth(owner):
    page = owner.go("/history")
    expect(page.get_by_text("After 4 of 4 moves")).to_be_visible()
    page.get_by_role("link", name="One move back").click()
    expect(page.get_by_text("After 3 of 4 moves")).to_be_visible()
    page.get_by_role("slider").fill("1")
    expect(page.get_by_text("After 1 of 4 moves")).to_be_visible()


def test_rules_are_searched_as_one_types(owner):
    page = owner.go("/rules")
    page.get_by_label("Search the rules").press_sequentially("neighbour")
    expect(page.locator(".clauses > div")).to_have_count(2)
    expect(page.get_by_label("Search the rules")).to_be_focused()


def test_what_no_camera_sees_is_told(owner):
    page = owner.go("/tell")
    page.get_by_label("Points", exact=True).fill("2")
    page.get_by_role("button", name="Give").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".score").first.locator(".points")).to_have_text("2")


def test_a_game_is_set_up_by_its_owner(owner):
    page = owner.go("/setup")
    page.get_by_role("link", name=re.compile("ZhiZhu")).click()
    page.wait_for_url(re.compile("game=zhizhu"))
    page.locator('[data-person="black"]').fill("Door <3")
    page.get_by_role("button", name="Begin ZhiZhu").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".scores")).to_contain_text("Door <3")


def test_names_that_were_typed_stay_when_more_players_come(owner):
    page = owner.go("/setup?game=tu_tzi")
    page.locator("[data-person]").first.fill("Early")
    page.get_by_role("link", name="3", exact=True).click()
    expect(page.locator("[data-person]")).to_have_count(3)
    expect(page.locator("[data-person]").first).to_have_value("Early")


def test_a_page_that_is_drawn_anew_takes_nobody_s_name_nor_the_field_it_is_typed_in(owner):
    page = owner.go("/setup?game=zhizhu")
    page.locator('[data-person="black"]').fill("Door <3")
    page.evaluate("""async () => {
        const main = document.querySelector("script[type=module]").src;
        const { swap } = await import(main.replace("main.js", "swap.js"));
        await swap("setup", location.href);
    }""")
    expect(page.locator('[data-person="black"]')).to_be_focused()
    expect(page.locator('[data-person="black"]')).to_have_value("Door <3")
    expect(page.locator('[data-person="white"]')).to_have_value("Window side")


def test_the_words_change_with_the_language(owner):
    page = owner.go("/more")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Mehr")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="More")).to_be_visible()


def test_a_phone_joins_by_the_pin_and_sits_down(visit, server, owner):
    guest = visit(server, allowed="403")
    page = guest.go("/join")
    page.get_by_label("PIN").fill("000000" if server.settings["pin"] != "000000" else "111111")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#toast")).to_have_text("That is not the PIN.")
    page.get_by_label("PIN").fill(server.settings["pin"])
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("button", name="Sit here").click()
    expect(page.locator(".seats .you")).to_have_count(1)
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".seats .you")).to_have_count(0)


def test_a_role_that_tries_what_it_may_not_is_told_so(visit, server):
    watching = visit(server, allowed="403")
    page = watching.go("/correct")
    expect(page.get_by_role("heading", name="That is for players at the table")).to_be_visible()
    status, _ = watching.send("/api/move", {"move": "c1", "player": "white", "request": "not-allowed"})
    assert status == 403
    expect(watching.go("/").get_by_role("link", name="Enter a move")).to_have_count(0)


def test_a_first_load_takes_at_most_100_kb_over_the_air(visit, server, game):
    page = visit(server).go("/")
    expect(page.locator("html")).to_have_attribute("data-number", str(server.table.now.number))
    page.wait_for_load_state("load")
    loaded = page.evaluate(
        """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter((each) => !each.name.endsWith("/stream")).map((each) => [each.name, each.transferSize])"""
    )
    assert len(loaded) > 8
    assert 0 < sum(size for _, size in loaded) < 100_000, loaded


def test_a_move_is_said_to_who_listens_instead_of_looking(owner, server):
    page = owner.go("/")
    expect(page.locator("html")).to_have_attribute("data-number", str(server.table.now.number))
    server.play("c1")
    expect(page.locator("#say")).to_have_text("Window side played c1. Legal. Window side places on c1.")
    page.locator("summary").click()
    expect(page.locator(".text-board")).to_contain_text("c1 White Piece")
