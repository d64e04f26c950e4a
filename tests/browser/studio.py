"""The page in front of a camera, served within the test itself, so that what lies on the table can be changed."""

import time
from threading import Thread

from waitress.server import create_server

from companion.config import Settings
from companion.images import MOST_BYTES
from companion.live import Camera, Table
from companion.store import Store
from tests.studio_eyes import StudioEyes
from web import create_app


class StudioServer:
    """Answers as the program does; ``eyes.lies`` is what lies on its table."""

    def __init__(self, state):
        self._store = Store(state)
        self.table, self._settings, self.eyes = Table(self._store), Settings(state), StudioEyes()
        self.eyes.table = self.table
        self.eyes.view()  # the first photograph takes longest
        self.table.show_camera(Camera.WATCHING)
        app = create_app(self.table, self._settings, eyes=self.eyes, advice_seconds=0.1)
        self._server = create_server(
            app, host="127.0.0.1", port=0, threads=24, max_request_body_size=MOST_BYTES + 1, ident=None
        )
        self.address = f"http://127.0.0.1:{self._server.effective_port}"
        self._thread = Thread(target=self._server.run, daemon=True)
        self._thread.start()

    @property
    def settings(self):
        return {"owner_link": self._settings.now.owner_link, "pin": self._settings.now.pin}

    def stop(self):
        self.table.close()
        time.sleep(0.1)
        self._server.close()
        self._store.close()
