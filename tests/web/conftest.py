"""A table with a page in front of it, and phones that ask it things."""

import json
from itertools import count

import pytest

from companion.config import Settings
from companion.live import Table
from companion.store import Store
from web import create_app

HOST = "192.168.1.20:8000"


class Phone:
    """A browser with a cookie of its own."""

    def __init__(self, app, ids):
        self.client, self._ids = app.test_client(), ids

    def get(self, path, **headers):
        return self.client.get(path, headers={"Host": HOST, **headers})

    def page(self, path):
        answer = self.get(path)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)

    def post(self, path, body=None, *, raw=None, **headers):
        sent = raw if raw is not None else json.dumps(body if body is not None else {})
        usual = {"Host": HOST, "Origin": f"http://{HOST}", "X-Companion": "1", "Content-Type": "application/json"}
        return self.client.post(
            path, data=sent, headers={k: v for k, v in {**usual, **headers}.items() if v is not None}
        )

    def photo(self, path, image, kind="image/jpeg"):
        return self.post(path, raw=image, **{"Content-Type": kind})

    def change(self, path, **body):
        return self.post(path, {**body, "request": f"request-{next(self._ids)}"})


class House:
    def __init__(self, folder, eyes=None):
        self.folder, self.ids, self.eyes = folder, count(1), eyes
        self.store = Store(folder)
        self.table, self.settings = Table(self.store), Settings(folder)
        self.app = create_app(
            self.table,
            self.settings,
            addresses=(f"http://{HOST}/",),
            names=("den.local",),
            advice_seconds=0.05,
            eyes=eyes,
        )

    def spectator(self):
        return Phone(self.app, self.ids)

    def player(self, seat=None):
        phone = self.spectator()
        assert phone.post("/api/pin", {"pin": self.settings.now.pin}).status_code == 200
        if seat:
            assert phone.post("/api/sit", {"seat": seat}).status_code == 200
        return phone

    def owner(self):
        phone = self.spectator()
        self.settings.renew_owner_link()
        assert phone.post("/api/claim", {"link": self.settings.now.owner_link}).status_code == 200
        return phone

    def begin(self, *moves):
        self.table.begin("zhizhu", ("white", "black"), {}, {"white": "Window side"}, f"begin-{next(self.ids)}-----")
        phone = self.player()
        for move in moves:
            player = self.table.now.standing.game.to_move(self.table.now.standing.state)
            assert phone.change("/api/move", move=move, player=player).status_code == 200
        return phone

    def close(self):
        self.table.close()
        self.store.close()


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    house.close()
