"""Photographs that phones send: which routes take them, and what may be decoded."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import request

from companion.images import MOST_BYTES, check_photo

KINDS = ("image/jpeg", "image/png")

V = TypeVar("V", bound=Callable[..., Any])


def takes_a_photo(view: V) -> V:
    """Mark a route whose body is a photograph instead of JSON."""
    view.most_bytes = MOST_BYTES  # type: ignore[attr-defined]
    return view


def read_photo() -> bytes:
    """The body as a photograph that may be decoded; raises `Unreadable` for any other."""
    image = request.get_data(cache=False)
    check_photo(image)
    return image
