"""A real server and a real browser; any error in a page's console fails the test."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from companion.live import Camera
from tests.browser.studio import StudioServer

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
TOP = Path(__file__).parent.parent.parent

# A busy machine reads a photo slowly; what is expected still has to come.
expect.set_options(timeout=30_000)


def pytest_collection_modifyitems(items):
    if CHROMIUM is None:
        reason = "there is no Chromium on this machine (on Debian: apt install chromium)"
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=reason))


class Server:
    """The program as people start it, on a port of its own."""

    def __init__(self, state, *options):
        self.state, self.options = Path(state), options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--state", str(self.state), *self.options],
            cwd=TOP,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(1200):
            try:
                urllib.request.urlopen(f"{self.address}/favicon.ico").close()
                return
            except (urllib.error.URLError, ConnectionError):
                assert self.process.poll() is None, self.process.stderr.read().decode()
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        said = self.process.stderr.read().decode()
        self.process.stderr.close()
        assert "Traceback" not in said, said

    @property
    def settings(self):
        folder = self.state / "demo" if "demo" in self.options else self.state
        return json.loads((folder / "table.json").read_text())


class Phone:
    """A page in a browser of its own, and the errors that it is allowed to have."""

    def __init__(self, browser, server, width, height, allowed=None, **how):
        self.context = browser.new_context(viewport={"width": width, "height": height}, **how)
        self.page, self.server, self.errors = self.context.new_page(), server, []
        self._allowed = re.compile(allowed or r"(?!)")
        self.page.on("console", lambda said: said.type == "error" and self._hear(f"{said.text} {said.location}"))
        self.page.on("pageerror", lambda error: self._hear(str(error)))

    def _hear(self, error):
        if not self._allowed.search(error):
            self.errors.append(error)

    def go(self, path):
        self.page.goto(self.server.address + path)
        return self.page

    def send(self, path, body):
        """A change as the page itself would send it; answers the status and the body."""
        return self.page.evaluate(
            """async ([path, body]) => {
                const answer = await fetch(path, { method: "POST", body: JSON.stringify(body),
                    headers: { "Content-Type": "application/json", "X-Companion": "1" } });
                return [answer.status, await answer.json()];
            }""",
            [path, body],
        )

    def own(self):
        """Become the owner by the one-time link."""
        self.go(f"/owner/{self.server.settings['owner_link']}")
        self.page.get_by_role("button", name="Yes, it is mine").click()
        self.page.wait_for_url("**/setup")
        return self


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # A root user, as in a container, has no sandbox to give.
        arguments = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One page for all tests, within this process: each begins a game of its own."""
    server = StudioServer(tmp_path_factory.mktemp("studio"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def owners_cookies(browser, server):
    """The owner's browser, signed in and seated once for all tests."""
    server.begin("a1", "b1")
    phone = Phone(browser, server, 390, 844).own()
    status, said = phone.send("/api/sit", {"seat": "white"})
    assert status == 200, said
    cookies = phone.context.storage_state()
    assert phone.errors == []
    phone.context.close()
    return cookies


@pytest.fixture
def game(server):
    """A game of four moves under way, and the camera above it sees just that."""
    server.begin("a1", "b1", "a2", "b2")
    server.eyes.lay("a1", "b1", "a2", "b2")
    server.table.show_camera(Camera.WATCHING)


@pytest.fixture
def owner(visit, server, owners_cookies, game):
    return visit(server, storage_state=owners_cookies, allowed="409")


@pytest.fixture
def visit(browser):
    """Opens phones; at the end none of them may have complained."""
    opened = []

    def open_phone(server, width=390, height=844, **how):
        phone = Phone(browser, server, width, height, **how)
        opened.append(phone)
        return phone

    yield open_phone
    for phone in opened:
        phone.context.close()
    assert [error for phone in opened for error in phone.errors] == []
