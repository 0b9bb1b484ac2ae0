"""What requests bring on hot paths: ids, headers, bodies.

Ids are opaque strings to everybody else. One that is a UUID is itself; any other is hashed to one, so that both sort
and store alike.
"""

import re
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from starlette.types import Receive, Scope

from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldId
from frontrow.web.problems import Problem, problem

ID_CHARS_MAX: Final = 64

# What can be a segment of a path. (To Python, `$` is also the place before a last line feed.)
IN_A_PATH: Final = r"^(?!\.\.?$)[^\x00-\x1f\x7f/\\\ufffd]+$(?!\n)"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_EVENT_DIGITS_MAX: Final = 18  # any such number fits into PostgreSQL's bigint
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Body = TypeVar("Body")


def event_id(scope: Scope) -> EventId | None:
    """The event in the path, or None when no event can have this id."""
    text: str = scope["path_params"]["event"]
    return EventId(int(text)) if text.isdecimal() and text.isascii() and len(text) <= _EVENT_DIGITS_MAX else None


def hold_id(text: str) -> HoldId:
    """A client's id as we store it."""
    return HoldId(UUID(text) if _UUID.fullmatch(text) else UUID(bytes=sha256(text.encode()).digest()[:16]))


def header(scope: Scope, name: bytes) -> bytes | None:
    """The first header of this name, in lower case."""
    for key, value in scope["headers"]:
        if key == name:
            return value
    return None


def is_foreign(scope: Scope) -> bool:
    """A page that is not ours has sent this. What is no browser says nothing of it, and has no cookie to abuse."""
    origin = header(scope, b"origin")
    if origin is not None:
        return origin.partition(b"://")[2] != header(scope, b"host")
    return header(scope, b"sec-fetch-site") not in {None, b"same-origin", b"none"}


def cookie(scope: Scope, name: str) -> str | None:
    """The value of a cookie. What is no list of cookies holds none. HTTP/2 may bring each in a header of its own.

    A browser brings cookies whoever asks it to. So they count for nothing where a page that is not ours wants something
    done; that they are kept from other sites (SameSite) does not keep them from other ports and subdomains of ours.
    """
    if scope["method"] not in _SAFE and is_foreign(scope):
        return None
    sent = b"; ".join(value for key, value in scope["headers"] if key == b"cookie")
    try:
        found = SimpleCookie(sent.decode("latin-1")).get(name)
    except CookieError:
        return None
    return found.value if found else None


async def body(receive: Receive, decoder: msgspec.json.Decoder[Body], *, empty: bytes = b"") -> Body | Problem:
    """The body in the shape that is expected, or what is wrong with it. It is whole: the guards have read it.

    `empty`: what no body at all means.
    """
    try:
        return decoder.decode((await receive()).get("body") or empty)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        return invalid("body" + place.rstrip("`"), what)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return problem("bad-request", detail="The body is not JSON.")


def invalid(where: str, what: str) -> Problem:
    """One thing that is not right: its place and the rule, and never the value."""
    return problem("invalid", errors=[{"where": where, "what": what}])
