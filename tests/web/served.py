"""A small service for granian to serve: it echoes, it streams, and it has every guard."""

from dataclasses import replace
from typing import Final

from starlette.types import Receive, Scope, Send
from tests.web.asking import LIMITS, echo, service

from frontrow.web.api import empty_api
from frontrow.web.hot import Hot


async def updates(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Three updates."""
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for number in range(3):
        await send({"type": "http.response.body", "body": b"id: %d\n\n" % number, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


app: Final = service(
    api=empty_api("1.2.3"),
    hot=[Hot("POST", "/echo", echo), Hot("GET", "/updates", updates)],
    limits=replace(LIMITS, request_seconds_max=1),
)
