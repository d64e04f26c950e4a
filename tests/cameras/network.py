"""Cameras in the network, on this machine: pictures over HTTP and RTSP, with the faults that phones have."""

import socketserver
import struct
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


class Doorbell(socketserver.ThreadingTCPServer):
    """A network camera that speaks RTSP and sends JPEG by RTP (RFC 2435), all over one connection."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Session)
        self.taken = 0
        self.off = threading.Event()
        self.stalled = threading.Event()

    def address(self):
        return f"rtsp://127.0.0.1:{self.server_address[1]}/door"


class _Session(socketserver.StreamRequestHandler):
    def handle(self):
        while (request := self.rfile.readline().decode().split()) and request[0] != "TEARDOWN":
            heads = dict(line.split(": ", 1) for line in iter(lambda: self.rfile.readline().decode().strip(), ""))
            self._answer(heads["CSeq"], *_RTSP.get(request[0], ((), "")))
            if request[0] == "PLAY":
                self._play()
                return

    def _answer(self, number, heads, body):
        lines = ["RTSP/1.0 200 OK", f"CSeq: {number}", "Session: 1", *heads, f"Content-Length: {len(body)}", "", body]
        self.wfile.write("\r\n".join(lines).encode())

    def _play(self):
        try:
            while not self.server.off.is_set():
                self.server.taken += 1
                packet = _rtp(self.server.taken, np.full((120, 160, 3), 10 * (self.server.taken % 20), np.uint8))
                self.wfile.write(b"$\0" + struct.pack(">H", len(packet)) + packet)
                time.sleep(0.04)
                while self.server.stalled.is_set():
                    time.sleep(0.05)
        except OSError:
            return


_SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=door\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track\r\n"
_RTSP = {
    "OPTIONS": (("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN",), ""),
    "DESCRIBE": (("Content-Type: application/sdp",), _SDP),
    "SETUP": (("Transport: RTP/AVP/TCP;unicast;interleaved=0-1",), ""),
}


def _rtp(number, picture):
    """A small JPEG in one packet: its tables and its scan, with the sizes that the receiver makes the rest from."""
    image = cv2.imencode(".jpg", picture)[1].tobytes()
    tables, scan, at = b"", b"", 2
    while not scan:
        kind, length = image[at + 1], struct.unpack(">H", image[at + 2 : at + 4])[0]
        if kind == 0xDB:  # one table or two, each behind a byte that numbers it
            tables += b"".join(image[at + 5 + 65 * one : at + 69 + 65 * one] for one in range((length - 2) // 65))
        elif kind == 0xDA:
            scan = image[at + 2 + length : -2]
        at += 2 + length
    rtp = struct.pack(">BBHII", 0x80, 0x80 | 26, number & 0xFFFF, number * 3600, 1)
    jpeg = struct.pack(">IBBBB", 0, 1, 255, picture.shape[1] // 8, picture.shape[0] // 8)
    return rtp + jpeg + struct.pack(">BBH", 0, 0, len(tables)) + tables + scan


@contextmanager
def phone():
    with _serving(Phone()) as server:
        yield server


@contextmanager
def doorbell():
    with _serving(Doorbell()) as server:
        yield server


@contextmanager
def _serving(server):
    with server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        serving.start()
        try:
            yield server
        finally:
            server.off.set()
            server.stalled.clear()
            server.shutdown()
