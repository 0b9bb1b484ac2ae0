"""What queries of the catalogue bring: the types of their values, and what is said of one that makes no sense.

A value that is empty is none: that is what a form sends for a field that was left alone. An id that nothing can have is
as good as any other that nothing has: it finds nothing.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, LiteralString, TypeAlias, TypeVar, cast

from fastapi.exceptions import RequestValidationError
from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError
from starlette.requests import Request

from frontrow.core.cursors import CURSOR_CHARS_MAX

LIMIT: Final = 20  # what a screen has room for
LIMIT_MAX: Final = 100
WORDS_CHARS_MAX: Final = 200  # no name is longer
PRICE_MINOR_MAX: Final = 2**53  # what every JSON reader reads exactly
ID_DIGITS_MAX: Final = 18  # any such number fits into PostgreSQL's bigint

Query = TypeVar("Query", bound=BaseModel)

_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?([Zz]|[ +-][0-9]{2}:[0-9]{2})"
)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MIDDLE_OF_OFFSET: Final = re.compile(r" (?=[0-9]{2}:[0-9]{2}$)")  # a plus in an address is a blank


def nonsense(what: LiteralString) -> PydanticCustomError:
    """What is wrong with a value, for who sent it."""
    return PydanticCustomError("nonsense", what)


def number_of(text: str | None) -> int | None:
    """The number that an id of ours is. No id: None; one that is none of ours: 0, which nothing has."""
    if text is None:
        return None
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= ID_DIGITS_MAX else 0


def _none_if_empty(value: Any) -> Any:  # noqa: ANN401 -- whatever a query brings
    return None if value == "" else value


def _without_controls(value: Any) -> Any:  # noqa: ANN401 -- the same
    """Text as people type it: what no key types is a blank, and blanks at the ends are nothing."""
    if not isinstance(value, str):
        return value
    typed = "".join(letter if letter.isprintable() else " " for letter in value)
    return " ".join(typed.split()) or None


def _moment(value: Any) -> Any:  # noqa: ANN401 -- the same
    """A day, or a time with its zone."""
    if not isinstance(value, str) or value == "":
        return _none_if_empty(value)
    with suppress(ValueError, OverflowError):  # no such day, or none in this calendar
        if _DAY.fullmatch(value):
            return date.fromisoformat(value)
        if _MOMENT.fullmatch(value):
            return datetime.fromisoformat(_MIDDLE_OF_OFFSET.sub("+", value)).astimezone(UTC)
    raise nonsense("is a day (2027-03-01) or a time with its zone (2027-03-01T20:00:00Z)")


Id: TypeAlias = Annotated[Annotated[str, StringConstraints(max_length=64)] | None, BeforeValidator(_none_if_empty)]
Text: TypeAlias = Annotated[
    Annotated[str, StringConstraints(max_length=WORDS_CHARS_MAX)] | None, BeforeValidator(_without_controls)
]
Moment: TypeAlias = Annotated[datetime | date | None, BeforeValidator(_moment)]
Price: TypeAlias = Annotated[Annotated[int, Field(ge=0, le=PRICE_MINOR_MAX)] | None, BeforeValidator(_none_if_empty)]
Flag: TypeAlias = Annotated[bool | None, BeforeValidator(_none_if_empty)]
Cursor: TypeAlias = Annotated[
    Annotated[str, StringConstraints(max_length=CURSOR_CHARS_MAX)] | None, BeforeValidator(_none_if_empty)
]
Limit: TypeAlias = Annotated[
    int, BeforeValidator(lambda value: LIMIT if value == "" else value), Field(ge=1, le=LIMIT_MAX)
]


class Paged(BaseModel):
    """A list that comes in pages."""

    limit: Limit = Field(default=LIMIT, description="How many of them at most.")
    cursor: Cursor = Field(default=None, description="`next` of the page before.")


class Dated(Paged):
    """A list of events in a span of time."""

    from_: Moment = Field(
        default=None, alias="from", description="Starts then or later. A day is one of the venue's calendar."
    )
    to: Moment = Field(default=None, description="Starts then or earlier. A day counts with all its hours.")

    @field_validator("to")
    @classmethod
    def _after_from(cls, value: datetime | date | None, info: ValidationInfo) -> datetime | date | None:
        begin: datetime | date | None = info.data.get("from_")
        if value is not None and begin is not None and _day(value) < _day(begin):
            raise nonsense("is not before `from`")
        if isinstance(value, datetime) and isinstance(begin, datetime) and value < begin:
            raise nonsense("is not before `from`")
        return value


def _day(moment: datetime | date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def split(moment: datetime | date | None) -> tuple[datetime | None, date | None]:
    """As a time, and as a day: it is one of them."""
    return (moment, None) if isinstance(moment, datetime) else (None, moment)


def read(model: type[Query], request: Request) -> Query:
    """The query of a request, or the refusal that names what is wrong with it. Of values of one name the last counts.

    FastAPI would do the same, and look at every type of the model anew each time.
    """
    try:
        return model.model_validate(dict(request.query_params))
    except ValidationError as error:
        raise RequestValidationError([{**wrong, "loc": ("query", *wrong["loc"])} for wrong in error.errors()]) from None


def parameters(model: type[BaseModel]) -> dict[str, Any]:
    """What the OpenAPI document says of a query."""
    schema = model.model_json_schema()
    return {
        "parameters": [
            {
                "name": name,
                "in": "query",
                "description": about.pop("description", ""),
                "schema": _whole(about, schema.get("$defs", {})),
            }
            for name, about in schema["properties"].items()
        ]
    }


def _whole(schema: Any, defs: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON of any form
    """A schema with what it refers to in its place, and without the titles that pydantic makes up."""
    if isinstance(schema, list):
        return [_whole(part, defs) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    found = cast("dict[str, Any]", schema)
    if "$ref" in found:
        return _whole(defs[found["$ref"].rpartition("/")[2]], defs)
    return {name: _whole(part, defs) for name, part in found.items() if name != "title"}
