"""From bytes to JSON values, without trusting the bytes.

Python's parser takes more than a seat map may hold: floats, NaN, numbers of any length, a field given twice. Each
becomes a `Strange` here, so that the reader can say where it stands. What a seat map *means* is in reading.py.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from frontrow.core.seat_maps.flaws import MapFlaw, quoted
from frontrow.core.seat_maps.limits import DIGITS_MAX, DOCUMENT_BYTES_MAX

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Strange:
    """A value that is JSON to Python's parser, and nothing to a seat map."""

    problem: str


def parse(document: bytes) -> object | MapFlaw:
    """The JSON value in the document, with a `Strange` wherever a seat map cannot have what is there."""
    if len(document) > DOCUMENT_BYTES_MAX:
        return _flaw(f"the file has {len(document)} bytes; expected at most {DOCUMENT_BYTES_MAX}")
    if document.startswith(BYTE_ORDER_MARK):
        return _flaw("the file begins with a byte order mark; expected plain UTF-8")
    try:
        text = document.decode("utf-8")
    except UnicodeDecodeError as error:
        return _flaw(f"the file is not UTF-8 (byte {error.start})")
    return _parse_text(text)


def _parse_text(text: str) -> object | MapFlaw:
    try:
        return cast(
            "object",
            json.loads(
                text, object_pairs_hook=_members, parse_int=_whole, parse_float=_broken, parse_constant=_no_number
            ),
        )
    except json.JSONDecodeError as error:
        return _flaw(f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}")
    except RecursionError:
        return _flaw("lists or objects are nested deeper than in any seat map")


def describe(value: object) -> str:
    """What was found where something else was expected."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return quoted(value)
        case list():
            return "a list"
        case _:
            return "an object"


def first_repeated(texts: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            return text
        seen.add(text)
    return None


def _flaw(problem: str) -> MapFlaw:
    return MapFlaw("", "", problem)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object] | Strange:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    return Strange(f"the field {quoted(first_repeated(name for name, _ in pairs) or '')} is given twice")


def _whole(digits: str) -> int | Strange:
    if len(digits) > DIGITS_MAX:
        return Strange(f"a number of {len(digits)} digits; expected at most {DIGITS_MAX}")
    return int(digits)


def _broken(number: str) -> Strange:
    return Strange(f"{number[:DIGITS_MAX]} is not a whole number")


def _no_number(name: str) -> Strange:
    return Strange(f"{name} is not a number in JSON")
