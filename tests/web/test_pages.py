"""The pages, asked as a person would ask them."""

import io
import json
import re
import zipfile

import pytest

from web import create_app
from web.choosing import choices
from web.words import FOLDER, languages, speaker


@pytest.fixture
def phone(house):
    return house.begin("a1", "b1", "a2", "b2")


def test_without_a_game_the_table_says_what_to_do(house):
    assert "No game yet" in house.spectator().page("/")
    assert "/setup" in house.owner().page("/")
    assert "No game yet" in house.spectator().page("/tv")
    assert "No game yet" in house.spectator().page("/history")
    for path in ("/why", "/ask", "/advice"):
        answer = house.spectator().get(path)
        assert answer.status_code == 404
        assert "No game yet" in answer.get_data(as_text=True)


def test_the_table_shows_points_turn_board_camera_and_moves(house, phone):
    page = phone.page("/")
    for held in ("Window side", "To move", "By hand", 'data-tap="a1"', "Window side places on a1", "White Piece"):
        assert held in page


def test_a_move_is_asked_about_by_tapping_without_changing_anything(house, phone):
    before = house.table.now
    page = phone.page("/ask?at=a3")
    assert "a3xb1" in page
    page = phone.page("/ask?at=a3&at=b1&move=a3xb1")
    assert "Legal" in page
    assert "Play this move" in page
    assert house.table.now is before


def test_an_illegal_move_is_answered_with_its_clause_and_what_is_legal_instead(house, phone):
    page = phone.page("/ask?at=a1&move=a1")
    assert "Illegal by 2.2" in page
    assert "put one on any empty point" in page
    assert "Legal instead" in page
    assert "It was played anyway" in page
    assert "It was played anyway" not in house.spectator().page("/ask?at=a1&move=a1")


def test_what_is_no_move_is_answered_kindly(phone):
    assert "That is no move" in phone.page("/ask?move=castle")


def test_illegal_moves_can_be_tapped_too(house, phone):
    standing = house.table.now.standing
    found, legal = choices(standing.game, standing.state, ("c1", "b1"))
    assert any(choice.move == "c1xb1" and not choice.legal for choice in found)
    assert legal == 0


def test_a_move_entered_by_hand_is_played_and_ruled_on(house, phone):
    assert phone.change("/api/move", move="a3xb1", player="white").get_json() == {"number": house.table.now.number}
    assert house.table.now.standing.score.points["white"] == 1


def test_every_point_is_explained_by_its_rule_and_tiles(house, phone):
    phone.change("/api/move", move="a3xb1", player="white")
    page = phone.page("/why?item=0")
    assert "+1" in page
    assert "3.2" in page
    assert "removes one enemy piece" in page


def test_a_ruling_shows_the_rule_the_facts_and_both_boards(house, phone):
    phone.change("/api/move", move="b1", player="white")
    number = house.table.now.number
    page = phone.page(f"/why/move/{number}")
    assert "Illegal by 2.2" in page
    assert page.count("<svg xmlns") == 2
    assert "data-lit" in page
    assert phone.get("/why/move/999").status_code == 404


def test_the_table_decides_with_a_note(house, phone):
    phone.change("/api/move", move="b1", player="white")
    number = house.table.now.number
    assert phone.change("/api/ruling", number=number, legal=True, note="as at home").status_code == 200
    assert "as at home" in phone.page(f"/why/move/{number}")


def test_what_the_table_forbids_though_no_rule_does_is_called_so(house, phone):
    number = house.table.now.number
    assert phone.change("/api/ruling", number=number, legal=False).status_code == 200
    for path in ("/", f"/why/move/{number}", "/sheet/1"):
        assert "Forbidden by the table" in phone.page(path)
        assert "Illegal by <" not in phone.page(path)


def test_a_move_taken_back_is_undone_and_can_still_be_looked_at(house, phone):
    number = house.table.now.number
    assert "Take this move back" in phone.page("/undo")
    assert phone.change("/api/undo", number=number).status_code == 200
    assert len(house.table.now.standing.moves) == 3
    assert "taken back" in phone.page(f"/why/move/{number}")


def test_a_tile_is_corrected_in_three_taps_and_the_change_is_shown_before(house, phone):
    offers = phone.page("/correct?place=a1")
    assert "Black Piece" in offers
    assert "nothing" in offers
    shown = phone.page("/correct?place=a1&nothing=1")
    assert "This changes" in shown
    body = json.loads(re.search(r"data-send=\"/api/tile\"[^>]*data-body=\"([^\"]*)\"", shown)[1].replace("&#34;", '"'))
    assert phone.change("/api/tile", **body).status_code == 200
    assert "a1" not in house.table.now.standing.game.layout(house.table.now.standing.state)


def test_what_cannot_lie_there_is_said_before_it_is_confirmed(phone):
    page = phone.page("/correct?place=z9&nothing=1")
    assert "z9" in page
    assert "/api/tile" not in page


def test_a_face_that_is_none_is_not_there(house):
    phone = house.spectator()
    for wrong in ("", "../piece", "piece.svg", "a" * 50, "%00", "../../../../etc/passwd"):
        assert phone.get(f"/faces/zhizhu?tile={wrong}&owner=white").status_code == 404
    assert phone.get("/faces/chess?tile=piece").status_code == 404
    assert phone.get("/faces/zhizhu?tile=piece&owner=red").status_code == 404
    assert phone.get("/faces/zhizhu?tile=piece&owner=white").mimetype == "image/svg+xml"


def test_points_and_a_draw_can_be_agreed(house, phone):
    assert phone.change("/api/points", player="black", points=2, note="handicap").status_code == 200
    assert "handicap" in phone.page("/why")
    assert phone.change("/api/draw", note="late").status_code == 200
    assert "The game is over" in phone.page("/")
    assert house.table.now.standing.outcome.draw


def test_a_house_rule_is_switched_for_this_game(house, phone):
    assert phone.change("/api/option", option="chains", choice="every").status_code == 200
    assert house.table.now.standing.game.write_position(house.table.now.standing.state)["options"] == {
        "chains": "every"
    }
    assert phone.change("/api/option", option="chains", choice="none").status_code == 400


def test_advice_is_off_until_a_seat_wishes_it_and_goes_to_that_seat_only(house, phone):
    white, black = house.player("white"), house.player("black")
    assert white.page("/advice/moves") == ""
    assert "Advice is off" in white.page("/advice")
    assert white.post("/api/advice", {"on": True}).status_code == 200
    page = white.page("/advice/moves")
    assert "data-arrow" in page
    assert "a3" in page
    assert black.page("/advice/moves") == ""
    black.post("/api/advice", {"on": True})
    assert "not your turn" in black.page("/advice")
    assert house.spectator().get("/advice/moves").status_code == 403
    assert phone.post("/api/advice", {"on": True}).status_code == 409


def test_any_moment_of_the_game_can_be_seen_again(house, phone):
    assert "After 4 of 4 moves" in phone.page("/history")
    assert "After 1 of 4 moves" in phone.page("/history?at=3")
    assert "After 0 of 4 moves" in phone.page("/history?at=0")
    for nonsense in ("-1", "x", "99999999999", "٣"):
        assert "After" in phone.page(f"/history?at={nonsense}")


def test_a_game_can_be_taken_home(house, phone):
    taken = json.loads(phone.get("/export/1.json").get_data())
    assert taken["format"] == "companion-record"
    assert "White places on a1" in phone.get("/export/1.csv").get_data(as_text=True)
    assert "Window side places on a1" in phone.page("/sheet/1")
    assert phone.get("/export/99.json").status_code == 404
    assert phone.get(f"/history/{10**30}").status_code == 404


def test_past_games_and_their_players_are_listed(house, phone):
    house.begin()
    page = phone.page("/games")
    assert "Window side" in page
    assert "/history/1" in page
    assert "After 4 of 4 moves" in phone.page("/history/1")


def test_the_photographs_before_and_after_a_move_of_a_past_game_are_shown(house, phone):
    moves = [move.number for move in house.table.now.standing.moves]
    house.begin("c1")
    house.table.picture = lambda game, event: b"\xff\xd8\xff\xd9" if game == 1 else None
    assert f"/history/1/move/{moves[2]}" in phone.page("/history/1")
    page = phone.page(f"/history/1/move/{moves[2]}")
    assert "Window side places on a2" in page
    assert f'src="/evidence/1/{moves[1]}.jpg"' in page
    assert f'src="/evidence/1/{moves[2]}.jpg"' in page
    assert "The table decides" not in page
    assert phone.get("/history/1/move/1").status_code == 404
    assert phone.get("/history/9/move/3").status_code == 404


def test_rules_are_found_by_their_words(phone):
    page = phone.page("/rules?words=neighbour")
    assert "1.2" in page
    assert "4.1" not in page
    assert "No rule holds these words" in phone.page("/rules?words=xyzzy")
    assert phone.get("/rules?game=chess").status_code == 400


def test_the_owner_sets_up_a_game_with_people_and_house_rules(house):
    owner = house.owner()
    assert "Begin ZhiZhu" in owner.page("/setup?game=zhizhu")
    begun = owner.change(
        "/api/begin", game="zhizhu", players=["white", "black"], people={"white": "Window"}, options={"chains": "every"}
    )
    assert begun.status_code == 200
    assert house.table.now.standing.called("white") == "Window"
    again = owner.page("/setup?game=zhizhu")
    assert 'data-person="white" value="Window"' in again
    assert '<option value="every" selected>' in again
    for wrong in ({"players": ["white"]}, {"game": "chess"}, {"options": {"x": "y"}}, {"people": {"red": "R"}}):
        body = {"game": "zhizhu", "players": ["white", "black"], **wrong}
        assert owner.change("/api/begin", **body).status_code == 400
    assert owner.post("/api/table", {"name": "Kitchen"}).status_code == 200
    assert "Kitchen" in owner.page("/")
    pin = house.settings.now.pin
    assert owner.post("/api/new-pin").status_code == 200
    assert house.settings.now.pin != pin or len(pin) == 6


def test_without_a_camera_there_is_no_dead_control(house, phone):
    assert "Look again" not in phone.page("/ask")
    assert "No camera is connected" in house.owner().page("/setup")


def test_photographs_are_shown_where_there_are_any(house, phone):
    number = house.table.now.number
    house.table.picture = lambda game, event: b"\xff\xd8\xff\xd9" if event == number else None
    assert f"/evidence/1/{number}.jpg" in phone.page(f"/why/move/{number}")
    assert phone.get(f"/evidence/1/{number}.jpg").mimetype == "image/jpeg"
    assert phone.get("/evidence/1/1.jpg").status_code == 404


def test_a_missing_page_is_an_error_in_words(house):
    answer = house.spectator().get("/nowhere")
    assert answer.status_code == 404
    assert "That is not here" in answer.get_data(as_text=True)


def test_every_page_speaks_german(house, phone):
    phone.post("/api/language", {"language": "de"})
    for path, word in {"/": "Am Zug", "/ask": "Ist das erlaubt?", "/more": "Regelbuch", "/history": "Verlauf"}.items():
        assert word in phone.page(path)
    assert 'lang="de"' in phone.page("/")
    assert "Am Zug" in house.spectator().get("/", **{"Accept-Language": "de-AT,de;q=0.9"}).get_data(as_text=True)
    assert phone.post("/api/language", {"language": "tlh"}).status_code == 400


def test_rules_and_house_rules_are_read_in_german(house, phone):
    phone.post("/api/language", {"language": "de"})
    phone.change("/api/move", move="b1", player="white")
    assert "setzt du in deinem Zug einen auf einen beliebigen leeren Punkt" in phone.page(
        f"/why/move/{house.table.now.number}"
    )
    assert "Verboten nach 2.2" in phone.page("/ask?move=b1")
    assert "beliebigen leeren Punkt" in phone.page("/ask?move=b1")
    assert "Die Mitte ist kein Punkt" in phone.page("/rules?words=mitte")
    assert "drei und fünf" in phone.page("/rules")
    assert "Mehrere Ketten" in phone.page("/rules")


def test_every_word_that_a_template_says_is_in_the_catalogue():
    templates = FOLDER.parent / "templates"
    used = {
        key
        for file in templates.rglob("*.html")
        for key in re.findall(r"\bt\(['\"]([a-z.-]+[a-z])['\"]", file.read_text())
    }
    assert used - languages()["en"].words.keys() == set()
    assert speaker("de")("nav.table") == "Tisch"


def test_without_a_camera_nobody_looks_again(phone):
    for path in ("/look", "/photo", "/camera", "/camera/picture.jpg", "/camera/check"):
        assert phone.get(path).status_code == 404


def test_photographs_are_taken_home_as_one_archive(house, phone):
    assert phone.get("/export/1-pictures.zip").status_code == 404
    house.table.picture = lambda game, event: b"\xff\xd8\xff\xd9" if event > 4 else None
    packed = zipfile.ZipFile(io.BytesIO(phone.get("/export/1-pictures.zip").get_data()))
    assert packed.namelist() == ["game-1/00005.jpg", "game-1/00006.jpg"]
    assert "Photographs (ZIP)" in phone.page("/history")


def test_a_phone_that_chose_no_language_gets_the_tables_own(house):
    app = create_app(house.table, house.settings, names=("den.local",), language="de", addresses=("http://den.local/",))
    asked = app.test_client().get("/", headers={"Host": "den.local", "Accept-Language": "en"})
    assert '<html lang="de"' in asked.get_data(as_text=True)
    assert "safe-mode" not in asked.get_data(as_text=True)
