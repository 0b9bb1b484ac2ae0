"""How much one request may take: bytes of body, bytes of address, seconds.

A body is read here, whole and in time, before the application sees the request. It is small by its limit, so nobody
streams uploads to us, and what is too large is refused before any of it is looked at.
"""

from collections.abc import Awaitable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontrow.web.deadlines import Deadline, Deadlines
from frontrow.web.problems import Problem, problem
from frontrow.web.refusals import DrawProblem, refuse

ADDRESS_BYTES_MAX: Final = 4096  # path and query; a search with every filter needs about 500
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
_EMPTY: Final[Message] = {"type": "http.request", "body": b"", "more_body": False}


def with_limits(app: ASGIApp, *, bytes_max: int, seconds_max: float, draw: DrawProblem | None = None) -> ASGIApp:
    """Refuse a body above `bytes_max`, whether it says so or only goes on and on, and one that drips.

    Answer 503 when the application then takes longer. A stream is exempt once it has begun: it is meant to last.
    """
    deadlines = Deadlines(seconds_max)

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        body: Message | Problem | None = None
        started = False
        limit = Deadline(deadlines)

        def watched(message: Message) -> Awaitable[None]:
            nonlocal started
            if not started and _is_stream(message):
                limit.lift()
            started = True
            return send(message)

        try:
            with limit:
                if scope["method"] not in _WITH_BODY and not _announces_body(scope):
                    body = _EMPTY
                elif _content_length(scope) > bytes_max:
                    body = problem("too-large", bytes_max=bytes_max)
                else:
                    body = await _gather(receive, bytes_max)
                    limit.begin_anew()
                if isinstance(body, Problem):
                    await refuse(body, scope, receive, watched, draw)
                else:
                    await app(scope, _once(body, receive), watched)
        except TimeoutError:
            if started or not limit.is_over:
                raise
            await refuse(_late(seconds_max, is_read=body is not None), scope, receive, send, draw)

    return limited


def _late(seconds_max: float, *, is_read: bool) -> Problem:
    if is_read:
        return problem("timed-out", headers={"retry-after": "1"}, seconds_max=seconds_max)
    return problem("too-slow", seconds_max=seconds_max)


def _announces_body(scope: Scope) -> bool:
    return any(name in {b"content-length", b"transfer-encoding"} for name, _ in scope["headers"])


def _content_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0


async def _gather(receive: Receive, bytes_max: int) -> Message | Problem:
    """The whole body as one message, or what is wrong with it, as soon as it is."""
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return problem("bad-request", detail="The body broke off.")  # the client went away: this is for our numbers
        piece: bytes = message.get("body", b"")
        size += len(piece)
        if size > bytes_max:
            return problem("too-large", bytes_max=bytes_max)
        pieces.append(piece)
        if not message.get("more_body", False):
            return {"type": "http.request", "body": b"".join(pieces), "more_body": False}


def _once(message: Message, receive: Receive) -> Receive:
    """This message first, then whatever else comes: the word that the client went away."""
    first: Message | None = message

    async def replayed() -> Message:
        nonlocal first
        if first is None:
            return await receive()
        message, first = first, None
        return message

    return replayed


def _is_stream(message: Message) -> bool:
    if message["type"] != "http.response.start":
        return False
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in message["headers"])
