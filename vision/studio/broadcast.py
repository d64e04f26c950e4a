"""A simulated table under a camera in the network: its watchers come and go, and the table stays as it lies."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

import cv2

from vision.frame import Frame

_BETWEEN = "picture"
_WHILE_WAITING_SECONDS = 0.1


@contextmanager
def broadcast(frames: Iterable[Frame]) -> Iterator[str]:
    """The address at which frames are seen as a stream; nothing goes on at the table while nobody watches it."""
    with _Camera(frames) as camera:
        sending = Thread(target=camera.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        sending.start()
        try:
            yield f"http://127.0.0.1:{camera.server_port}/video"
        finally:
            camera.shutdown()


def when_ready(frames: Iterable[Frame], is_ready: Callable[[], bool]) -> Iterator[Frame]:
    """The first frame over and over until somebody is ready for the rest: people begin when they are followed."""
    rest = iter(frames)
    first = next(rest)
    while not is_ready():
        yield first
        time.sleep(_WHILE_WAITING_SECONDS)
    yield from rest


class _Camera(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, frames: Iterable[Frame]) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self._frames, self._one_at_a_time = iter(frames), Lock()

    def jpegs(self) -> Iterator[bytes]:
        while True:
            with self._one_at_a_time:
                frame = next(self._frames, None)
            if frame is None:
                return
            yield cv2.imencode(".jpg", frame.pixels)[1].tobytes()


class _Answer(BaseHTTPRequestHandler):
    server: _Camera

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={_BETWEEN}")
        self.end_headers()
        with suppress(OSError):  # whoever watched has gone
            for jpeg in self.server.jpegs():
                head = f"--{_BETWEEN}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass
