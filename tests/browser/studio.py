"""The page in front of a camera, served within the test itself, so that what lies on the table can be changed."""

import time
from itertools import count
from random import Random
from threading import Thread

from waitress.server import create_server

from companion.config import Settings
from companion.events import MovePlayed
from companion.game import legal_moves
from companion.images import MOST_BYTES
from companion.live import Camera, Table
from companion.registry import game_named
from companion.store import Store
from tests.studio_eyes import StudioEyes
from web import create_app

PEOPLE = ("Window side", "Door side", "Kitchen", "Garden", "Stove")


class StudioServer:
    """Answers as the program does; ``eyes.lies`` is what lies on its table."""

    def __init__(self, state, eyes=True):
        self._store, self._ids = Store(state), count(10_000_000)
        self.table, self._settings = Table(self._store), Settings(state)
        self.eyes = StudioEyes(table=self.table) if eyes else None
        if eyes:
            self.eyes.view()  # the first photograph takes longest
            self.table.show_camera(Camera.WATCHING)
        self.app = create_app(self.table, self._settings, eyes=self.eyes, advice_seconds=0.1)
        self._server = create_server(
            self.app, host="127.0.0.1", port=0, threads=24, max_request_body_size=MOST_BYTES + 1, ident=None
        )
        self.address = f"http://127.0.0.1:{self._server.effective_port}"
        self._thread = Thread(target=self._server.run, daemon=True)
        self._thread.start()

    @property
    def settings(self):
        return {"owner_link": self._settings.now.owner_link, "pin": self._settings.now.pin}

    def begin(self, *moves, name="zhizhu", seats=2):
        """Another game, so far as these moves."""
        players = game_named(name).seats[seats]
        people = dict(zip(players, PEOPLE, strict=False))
        self.table.begin(name, players, {}, people, f"begin-{next(self._ids)}", dealt=True)
        self.play(*moves)

    def play(self, *moves):
        """Whoever is to move plays; answers the number of the last event."""
        for move in moves:
            standing = self.table.now.standing
            self.table.tell(MovePlayed(standing.game.to_move(standing.state), move, "phone"))
        return self.table.now.number

    def play_by_lot(self, moves, seed=3):
        rng = Random(seed)
        for _ in range(moves):
            standing = self.table.now.standing
            found = legal_moves(standing.game, standing.state)
            self.play(standing.game.write_move(rng.choice(found), standing.state))

    def stop(self):
        self.table.close()
        time.sleep(0.1)
        self._server.close()
        self._store.close()
