"""The border: which hosts, origins, bodies and tries are let in."""

import json
from itertools import product

import pytest

from web.border import Limit, is_known_host

NAMES = frozenset({"den.local", "localhost"})


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.7",
        "10.0.0.7:8000",
        "[fe80::1]",
        "[::1]:8000",
        "localhost:80",
        "LOCALHOST",
        "Den.Local:8000",
        "den.local.",
    ],
)
def test_an_address_or_an_own_name_is_known_whatever_its_case_and_port(host):
    assert is_known_host(host, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "den.local.evil.example",
        "10.0.0.7.evil.example",
        "localhost@evil",
        "[::1",
        "a:b:c",
        "0x7f.1",
    ],
)
def test_any_other_name_is_not(host):
    assert not is_known_host(host, NAMES)


def test_a_request_for_a_foreign_host_is_refused(house):
    phone = house.spectator()
    assert phone.get("/", Host="rebound.example").status_code == 421
    assert phone.post("/api/pin", {"pin": "000000"}, Host="rebound.example").status_code == 421
    assert phone.get("/", Host="den.local:8000").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": None}, 403),
        ({"Origin": "http://192.168.1.20"}, 403),
        ({"Origin": "http://192.168.1.20:8001"}, 403),
        ({"Origin": "https://192.168.1.20:8000"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"X-Companion": None}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": None}, 415),
        ({}, 200),
    ],
    ids=str,
)
def test_a_change_needs_the_right_origin_the_header_and_json(house, headers, status):
    body = {"pin": house.settings.now.pin}
    assert house.spectator().post("/api/pin", body, **headers).status_code == status


def test_only_get_and_post_are_answered(house):
    phone = house.owner()
    for method in ("put", "patch", "delete", "options"):
        answer = getattr(phone.client, method)("/api/pin", headers={"Host": "10.0.0.1", "X-Companion": "1"})
        assert answer.status_code == 405


def test_get_changes_nothing(house):
    house.begin("a1", "b1")
    before = (house.table.now, house.settings.now)
    phone = house.owner()
    before = (house.table.now, house.settings.now)
    for rule in house.app.url_map.iter_rules():
        if "GET" in rule.methods and rule.endpoint != "stream.stream":
            given = {name: {"game": 1, "number": 3}.get(name, "zhizhu") for name in rule.arguments}
            with house.app.test_request_context():
                path = house.app.url_map.bind("").build(rule.endpoint, {**given, "bundle": "tiles", "paper": "a4"})
            assert phone.get(path.replace("//", "/")).status_code < 500
    assert (house.table.now, house.settings.now) == before


def test_every_answer_is_sealed(house):
    for path in ("/", "/rules", "/nowhere", "/faces/zhizhu?tile=piece&owner=white"):
        headers = house.spectator().get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


MALFORMED = [
    b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b'{"pin": "123456"', b"{} {}", b"{'pin': 1}", b'{"pin": NaN}',
    b'{"request": "\\ud800aaaaaaaa"}', b"[" * 5000, b'{"a":' * 3000, b'{"request": "short"}', b'{"request": null}',
    b'{"request": "12345678", "extra": 1}', b'{"request": "12345678", "move": 1, "player": []}', b"\x00" * 100,
    b'{"request": "12345678", "number": 1e400}', b'{"request": "12345678", "number": 99999999999999999999999}',
    b'{"request": "12345678", "place": "\\u0000", "tile": "\\u0000"}',
]  # fmt: skip


@pytest.mark.parametrize("raw", MALFORMED, ids=repr)
def test_a_malformed_body_is_refused_in_a_sentence_by_every_route(house, raw):
    house.begin("a1")
    phone = house.owner()
    before = house.table.now.record
    for rule in house.app.url_map.iter_rules():
        if "POST" in rule.methods:
            answer = phone.post(rule.rule, raw=raw)
            assert 400 <= answer.status_code < 500, (rule.rule, answer.status_code)
            assert json.loads(answer.get_data())["says"]
    assert house.table.now.record == before


def test_a_body_that_is_too_large_is_refused(house):
    assert house.spectator().post("/api/pin", {"pin": "1" * 70_000}).status_code == 413


def test_names_are_text_and_never_markup(house):
    house.begin()
    phone = house.owner()
    name = '<img src=x onerror="1">'
    assert phone.change("/api/name", player="white", person=name).status_code == 200
    for path in ("/", "/join", "/why", "/history", "/sheet/1", "/games", "/tv", "/ask"):
        shown = phone.page(path)
        assert "<img src=x" not in shown
    assert "&lt;img src=x" in phone.page("/")


@pytest.mark.parametrize("person", ["", "   ", "x" * 25, "a\x00b", "a\nb"])
def test_a_name_is_short_and_plain(house, person):
    house.begin()
    assert house.owner().change("/api/name", player="white", person=person).status_code == 400


def test_wrong_pins_are_slowed_down_and_nobody_is_banned(house):
    now = [0.0]
    house.app.extensions["pin_limit"] = Limit(tries=3, seconds_each=10.0, together=30, clock=lambda: now[0])
    wrong = {"pin": f"{(int(house.settings.now.pin) + 1) % 1_000_000:06}"}
    right = {"pin": house.settings.now.pin}
    phone = house.spectator()
    assert [phone.post("/api/pin", wrong).status_code for _ in range(4)] == [403, 403, 403, 429]
    slowed = phone.post("/api/pin", right)
    assert slowed.status_code == 429
    assert int(slowed.headers["Retry-After"]) > 0
    now[0] += 10.5
    assert phone.post("/api/pin", right).status_code == 200


def test_many_addresses_together_are_slowed_down_too():
    now = [0.0]
    limit = Limit(tries=3, seconds_each=10.0, together=6, clock=lambda: now[0])
    for address, _ in product("abc", range(2)):
        limit.spend(address)
    assert limit.wait("d") > 0
    now[0] += 11
    assert limit.wait("d") == 0


def test_the_same_request_is_done_once_and_answers_the_same_number(house):
    phone = house.begin()
    body = {"request": "retry-0001", "move": "a1", "player": "white"}
    numbers = {phone.post("/api/move", body).get_json()["number"] for _ in range(3)}
    assert len(numbers) == 1
    assert len(house.table.now.standing.moves) == 1
    assert phone.post("/api/move", body | {"move": "a2"}).status_code == 400


def test_a_first_load_is_at_most_100_kb_compressed(house):
    house.begin("a1", "b1", "a2", "b2")
    phone, loaded = house.spectator(), 0
    page = phone.get("/", **{"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    built = house.app.config["BUILT"]
    files = ("style.css", "main.js", "live.js", "swap.js", "board.js", "send.js", "icons.svg", "icon-192.png")
    faces = ["/faces/zhizhu?tile=piece&owner=white", "/faces/zhizhu?tile=piece&owner=black", "/manifest.webmanifest"]
    for path in (*(f"/static/{built}/{file}" for file in files), *faces):
        answer = phone.get(path, **{"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, path
        loaded += len(answer.get_data())
    assert loaded + len(page.get_data()) < 100_000
