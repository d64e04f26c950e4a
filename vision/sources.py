"""Where frames come from: one interface for every camera, real or simulated."""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Thread
from typing import Protocol, runtime_checkable
from urllib.parse import parse_qsl

from companion.eyes import CannotSee
from companion.game import Unreadable
from vision.cameras import open_picamera, open_stream, open_v4l2
from vision.frame import Frame, Lost
from vision.live import LiveCamera
from vision.waiting import WaitingCamera, open_waiting

log = logging.getLogger(__name__)


class Source(Protocol):
    """A camera: gives frames until it is closed, and says so at least once a second while it has none to give.

    A file ends; a live camera does not. A live camera's clock is `time.monotonic`.
    """

    def __iter__(self) -> Iterator[Frame | Lost]: ...

    def close(self) -> None: ...


@runtime_checkable
class TakesStills(Protocol):
    """A camera that may watch with small pictures and take a full one when it is asked to."""

    stills: bool

    def still(self) -> Frame | Lost: ...


Opener = Callable[[str, Mapping[str, str]], Source]
"""Opens what stands after the colon, with the settings after the question mark."""


def open_source(spec: str) -> Source:
    """Open ``kind:what?setting=value&...`` or an address; raises `Unreadable` for what cannot be.

    A live camera that is not there is no error: it may be plugged in later, and says that it is `Lost` until then.
    """
    kind, _, rest = spec.partition(":")
    if kind in _ADDRESSES:
        return open_stream(spec)
    kind = _ALSO.get(kind, kind)
    if kind not in _KINDS:
        raise Unreadable(
            f"a source begins with one of {', '.join(f'{name}:' for name in (*_KINDS, *_ADDRESSES))}, not {kind!r}",
            "source",
        )
    what, _, settings = rest.partition("?")
    return _KINDS[kind](what, dict(parse_qsl(settings, keep_blank_values=True)))


def gives_photos(source: Source) -> bool:
    """Whether its frames are photos, each of which stands for itself, and not a film."""
    return isinstance(source, WaitingCamera) and source.photos


def full_picture(source: Source, frame: Frame) -> Frame | Lost:
    """The picture to read the table from: a full one taken now where the camera watches with a small one."""
    return source.still() if isinstance(source, TakesStills) and source.stills else frame


def lock(source: Source) -> tuple[str, ...]:
    """Focus on the table, then hold focus, exposure and white balance; sentences tell what a person must do instead."""
    says = {}
    for do in ("unlock", "focus", "lock") if isinstance(source, LiveCamera) else ():
        try:
            source.ask(do)
        except CannotSee as error:
            says[str(error)] = do
    return tuple(says)


def lock_meanwhile(source: Source) -> None:
    """The same while frames go on: a lens may sweep for half a minute, and the source itself says that it does."""
    Thread(target=lambda: [log.info("%s", says) for says in lock(source)], name="locking", daemon=True).start()


_ALSO = {"picamera2": "picamera"}
_ADDRESSES = ("http", "https", "rtsp")
_KINDS: dict[str, Opener] = {
    "picamera": open_picamera,
    "v4l2": open_v4l2,
    "video": partial(open_waiting, "video"),
    "photos": partial(open_waiting, "photos"),
    "photo": partial(open_waiting, "photo"),
    "sim": partial(open_waiting, "sim"),
}
