"""Cameras in the network, on this machine: MJPEG and single pictures over HTTP, with the faults that phones have."""

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np


class Phone(ThreadingHTTPServer):
    """A phone with a camera app: the grey of a picture counts the pictures."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Answer)
        self.taken = 0
        self.stalled = threading.Event()
        self.off = threading.Event()
        self.cut = threading.Event()

    def address(self, path, who=""):
        return f"http://{who}127.0.0.1:{self.server_port}{path}"

    def jpeg(self):
        self.taken += 1
        picture = np.full((120, 160, 3), 10 * (self.taken % 20), np.uint8)
        image = cv2.imencode(".jpg", picture)[1].tobytes()
        return image[: len(image) // 2] if self.cut.is_set() else image


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        match self.path:
            case "/video":
                self._stream()
            case "/shot.jpg":
                self._send("image/jpeg", self.server.jpeg())
            case "/private.jpg" if self.headers["Authorization"] == "Basic c2VhdDpwQHNz":  # seat, p@ss
                self._send("image/jpeg", self.server.jpeg())
            case "/private.jpg":
                self.send_error(401)
            case "/":
                self._send("text/html", b"<h1>IP camera</h1>")
            case _:
                self.send_error(404)

    def _send(self, kind, body):
        while self.server.stalled.is_set():
            time.sleep(0.05)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=part")
        self.end_headers()
        try:
            while not self.server.off.is_set():
                image = self.server.jpeg()
                head = f"--part\r\nContent-Type: image/jpeg\r\nContent-Length: {len(image)}\r\n\r\n"
                self.wfile.write(head.encode() + image + b"\r\n")
                time.sleep(0.04)
                while self.server.stalled.is_set():
                    time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


@contextmanager
def phone():
    with Phone() as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        serving.start()
        try:
            yield server
        finally:
            server.off.set()
            server.stalled.clear()
            server.shutdown()
