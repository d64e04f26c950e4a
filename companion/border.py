"""Where JSON comes in: strict shapes, and errors that name the place."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.game import Unreadable


class Shape(BaseModel):
    """A JSON object that may hold just what is declared, in just the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class PositionShape(Shape):
    """What every game's position holds beside the game's own keys."""

    game: str
    options: dict[str, str] = Field(default_factory=dict)


T = TypeVar("T", bound=BaseModel)


def read_shape(shape: type[T], given: Any) -> T:
    """Check parsed JSON against a shape; the first thing wrong raises `Unreadable` with where it stands."""
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        at = ".".join(str(part) for part in first["loc"])
        raise Unreadable(_in_words(first["type"], first["msg"], at), at) from None


def _in_words(kind: str, message: str, at: str) -> str:
    name = at.rsplit(".", 1)[-1]
    match kind:
        case "extra_forbidden":
            return f"unknown key {name!r}"
        case "missing":
            return f"the key {name!r} is missing"
        case _:
            return f"{at}: {message[:1].lower()}{message[1:]}" if at else f"{message[:1].lower()}{message[1:]}"
