"""How phones find the page: the address, the name and the port."""

import errno
import socket
import sys
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

from companion.doctor.finding import Finding, answer, broken, good, look

_RESOLVE = "import socket, sys; print(socket.gethostbyname(sys.argv[1]))"


def resolve(name: str) -> str | None:
    """The address behind a name; asked in a process of its own, for the system may take very long to say no."""
    return answer([sys.executable, "-c", _RESOLVE, name], 6)


def address(found: str) -> Finding:
    """Whether this machine is on a network that phones can be on."""
    if found.startswith("127."):
        return broken("address", "this machine is on no network", "plug in a cable, or: sudo nmtui")
    return good("address", f"phones reach {found}")


def name(local: str, root: Path = Path("/"), resolved: Callable[[str], str | None] = resolve) -> Finding:
    """Whether phones can call this machine by its name."""
    if not (root / "run/avahi-daemon").exists():
        do = "sudo apt install avahi-daemon; the address works all the same"
        return look("name", f"nobody answers for {local}: Avahi does not run", do)
    if found := resolved(local):
        return good("name", f"{local} is {found}")
    return look(
        "name", f"{local} does not resolve here", "sudo apt install libnss-mdns; the address works all the same"
    )


def refused(host: str, number: int) -> OSError | None:
    """Why nobody can listen there now; ``None`` if somebody can."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            line.bind((host, number))
        except OSError as error:
            return error
    return None


def port(host: str, number: int) -> Finding:
    """Whether the page can be served there, or is already."""
    error = refused(host, number)
    return good("port", f"{number} is free") if error is None else _not_free(host, number, error)


def _not_free(host: str, number: int, error: OSError) -> Finding:
    if error.errno == errno.EACCES:
        return broken("port", f"{number} is for the system alone", "set `port` to 1024 or more, such as 8000")
    if error.errno != errno.EADDRINUSE:
        return broken("port", f"{host}: {error.strerror}", "set `host` to 0.0.0.0 or to an address of this machine")
    if _is_companion("127.0.0.1" if host in ("0.0.0.0", "") else host, number):
        return good("port", f"a companion answers on {number} already")
    return broken("port", f"{number} is taken by another program", "set another `port`, or stop that program")


def _is_companion(host: str, number: int) -> bool:
    asked = f"http://{f'[{host}]' if ':' in host else host}:{number}/manifest.webmanifest"
    try:
        # Straight to this machine: a proxy from the environment has no business here.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(asked, timeout=3) as answered:
            return b'"Companion"' in answered.read(4096)
    except (OSError, HTTPException):
        return False
