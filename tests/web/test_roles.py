"""Roles: every route names its own, and nobody does what only another may."""

import pytest

from web.roles import Role

OPEN_TO = {
    "/": "spectator",
    "/tv": "spectator",
    "/more": "spectator",
    "/why": "spectator",
    "/why/move/<int:number>": "spectator",
    "/evidence/<int:game>/<int:number>.jpg": "spectator",
    "/ask": "spectator",
    "/advice": "spectator",
    "/advice/moves": "seat",
    "/api/advice": "seat",
    "/correct": "seat",
    "/undo": "seat",
    "/tell": "seat",
    "/rules": "spectator",
    "/history": "spectator",
    "/history/<int:game>": "spectator",
    "/history/<int:game>/move/<int:number>": "spectator",
    "/games": "spectator",
    "/sheet/<int:game>": "spectator",
    "/export/<int:game>.json": "spectator",
    "/export/<int:game>.csv": "spectator",
    "/export/<int:game>-pictures.zip": "spectator",
    "/look": "seat",
    "/photo": "seat",
    "/api/photo": "seat",
    "/api/answer": "seat",
    "/camera": "seat",
    "/camera/picture.jpg": "seat",
    "/camera/check": "seat",
    "/api/camera/find": "owner",
    "/api/camera/pause": "seat",
    "/sets": "owner",
    "/api/sets/use": "owner",
    "/api/sets/forget": "owner",
    "/api/sets/learn": "owner",
    "/api/sets/photo": "owner",
    "/join": "spectator",
    "/owner/<link>": "spectator",
    "/setup": "owner",
    "/print/<game>-<any(tiles, board, corners):bundle>-<any(a4, letter):paper>.pdf": "owner",
    "/stream": "spectator",
    "/static/<built>/<name>": "spectator",
    "/faces/<game>": "spectator",
    "/favicon.ico": "spectator",
    "/manifest.webmanifest": "spectator",
    "/api/claim": "spectator",
    "/api/pin": "spectator",
    "/api/language": "spectator",
    "/api/sit": "seat",
    "/api/stand": "seat",
    "/api/name": "seat",
    "/api/free": "owner",
    "/api/begin": "owner",
    "/api/table": "owner",
    "/api/new-pin": "owner",
    "/api/move": "seat",
    "/api/undo": "seat",
    "/api/tile": "seat",
    "/api/ruling": "seat",
    "/api/option": "seat",
    "/api/points": "seat",
    "/api/draw": "seat",
    "/hand": "seat",
    "/api/hand": "seat",
}


def test_every_route_names_its_role_and_it_is_the_one_written_here(house):
    named = {
        rule.rule: house.app.view_functions[rule.endpoint].role.name.lower() for rule in house.app.url_map.iter_rules()
    }
    assert named == OPEN_TO


def test_nobody_gets_in_where_a_greater_role_is_named(house):
    house.begin("a1")
    phones = {Role.SPECTATOR: house.spectator(), Role.SEAT: house.player("white")}
    for rule in house.app.url_map.iter_rules():
        needed = house.app.view_functions[rule.endpoint].role
        for role, phone in phones.items():
            if role < needed:
                path = "/print/zhizhu-tiles-a4.pdf" if "print" in rule.rule else rule.rule
                kind = "image/jpeg" if path.endswith("photo") else "application/json"
                answer = phone.post(path, **{"Content-Type": kind}) if "POST" in rule.methods else phone.get(path)
                assert answer.status_code == 403, (rule.rule, role)


def test_a_spectator_changes_nothing(house):
    house.begin("a1")
    before = house.table.now
    phone = house.spectator()
    assert phone.change("/api/move", move="b1", player="black").status_code == 403
    assert phone.change("/api/undo", number=3).status_code == 403
    assert phone.post("/api/sit", {"seat": "white"}).status_code == 403
    assert house.table.now is before


def test_the_owners_link_works_once(house):
    link = house.settings.now.owner_link
    first, second = house.spectator(), house.spectator()
    assert "works once" in first.page(f"/owner/{link}")
    assert first.post("/api/claim", {"link": link}).status_code == 200
    assert second.post("/api/claim", {"link": link}).status_code == 403
    assert first.get("/setup").status_code == 200
    assert second.get("/setup").status_code == 403
    assert "was used" in second.page(f"/owner/{link}")


def test_a_seat_is_held_by_one_phone_until_it_is_left_or_freed(house):
    house.begin()
    window_side, ben, owner = house.player("white"), house.player(), house.owner()
    assert ben.post("/api/sit", {"seat": "white"}).status_code == 409
    assert ben.post("/api/free", {"seat": "white"}).status_code == 403
    assert owner.post("/api/free", {"seat": "white"}).status_code == 200
    assert ben.post("/api/sit", {"seat": "white"}).status_code == 200
    assert window_side.post("/api/sit", {"seat": "black"}).status_code == 200
    assert window_side.post("/api/stand").status_code == 200
    assert house.settings.now.seats.keys() == {"white"}


def test_a_player_names_only_the_own_seat_and_the_owner_any(house):
    house.begin()
    window_side = house.player("white")
    assert window_side.change("/api/name", player="white", person="Window side").status_code == 200
    assert window_side.change("/api/name", player="black", person="Fool").status_code == 403
    assert house.owner().change("/api/name", player="black", person="Door side").status_code == 200


def test_who_joined_is_known_after_a_restart(tmp_path):
    from tests.web.conftest import House

    house = House(tmp_path)
    house.begin()
    phone = house.player("white")
    cookies = phone.client
    house.close()
    again = House(tmp_path)
    try:
        moved = again.spectator()
        moved.client = again.app.test_client()
        for cookie in cookies._cookies.values():
            moved.client.set_cookie(cookie.key, cookie.value, domain="192.168.1.20")
        assert "you</span>" in moved.page("/")
    finally:
        again.close()


@pytest.mark.parametrize("forged", ["", "x", "eyJvd25lciI6dHJ1ZX0.aaaa.bbbb"])
def test_a_forged_cookie_is_a_spectators(house, forged):
    phone = house.spectator()
    phone.client.set_cookie(house.app.config["SESSION_COOKIE_NAME"], forged, domain="192.168.1.20")
    assert phone.get("/setup").status_code == 403
