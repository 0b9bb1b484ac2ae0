"""A request, from what ASGI says of it: bounded, and no more of it than is needed."""

from typing import Final
from urllib.parse import urlsplit

from starlette.types import Receive, Scope

from frontrow.psp_sim.intents import invalid

BODY_BYTES_MAX: Final = 65_536  # 50 keys of metadata with 500 characters each, encoded, are just below


class Gone(Exception):  # noqa: N818 -- nobody waits for an answer, so there is nothing to tell
    """The client left before it had said everything."""


async def body_of(receive: Receive) -> bytes:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise Gone
    body: bytes = message.get("body", b"")
    while message.get("more_body", False):
        if len(body) > BODY_BYTES_MAX:
            break
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
    if len(body) > BODY_BYTES_MAX:
        raise invalid(f"The request's body is larger than {BODY_BYTES_MAX} bytes.", status=413)
    return body


def header(scope: Scope, name: bytes) -> bytes:
    """The first one of that name, or nothing."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    for found, value in headers:
        if found == name:
            return value
    return b""


def is_from_elsewhere(scope: Scope) -> bool:
    """Whether a browser sends this form from a page that is not ours."""
    origin = header(scope, b"origin").decode("latin-1")
    return bool(origin) and urlsplit(origin).netloc != header(scope, b"host").decode("latin-1")
