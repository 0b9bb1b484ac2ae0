"""One id for each request: on the answer, in every log line and in every problem, so that they can be found together.

A proxy in front may bring its own id as `X-Request-ID`; it is kept when it is plainly an id and nothing else, since it
is written to logs and headers.
"""

import re
import secrets
from collections.abc import Awaitable, Iterator
from contextvars import ContextVar
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = b"x-request-id"
_SANE: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")  # long enough to be unique, short enough for a log line

_LIFE_BYTES: Final = 6  # enough that no two lives of any worker meet; a number within the life makes the id whole

_current: Final[ContextVar[str]] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """The id of the request this task answers; empty outside of one."""
    return _current.get()


def with_request_id(app: ASGIApp) -> ASGIApp:
    """Give each request its id before anything else sees it."""
    made = _made()

    def identified(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        request_id = _brought(scope) or next(made)
        header = (HEADER, request_id.encode())
        _current.set(request_id)

        def send_with_id(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), header]
            return send(message)

        return app(scope, receive, send_with_id)

    return identified


def _brought(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == HEADER:
            return value.decode() if _SANE.fullmatch(value) else None
    return None


def _made() -> Iterator[str]:
    """Ids of one life of one worker. They name requests and guard nothing, so the next one may be guessed."""
    life = secrets.token_hex(_LIFE_BYTES)
    number = 0
    while True:
        number += 1
        yield f"{life}-{number:x}"
