"""Asking an ASGI application as a server does, message by message: also what no HTTP client would send."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontrow.web.app import Limits, build
from frontrow.web.health import Readiness
from frontrow.web.hot import Hot
from frontrow.web.metrics import Metrics
from frontrow.web.refusals import DrawProblem

Header = tuple[str, str]

HOST: Final[Header] = ("host", "tickets.example")
BROWSER: Final[Header] = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
GONE: Final[Message] = {"type": "http.disconnect"}
LIMITS: Final = Limits(body_bytes_max=64, request_seconds_max=5)


@dataclass(frozen=True)
class Answer:
    """What the application sent."""

    status: int
    header_list: Sequence[tuple[str, str]]
    body: bytes
    messages: Sequence[Message]

    @property
    def headers(self) -> dict[str, str]:
        """A header that is there twice is a fault of its own; only cookies may be several."""
        names = [name for name, _ in self.header_list if name != "set-cookie"]
        assert len(set(names)) == len(names), names
        return dict(self.header_list)

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:  # noqa: ANN401 -- whatever it says
        return json.loads(self.body)

    def problem(self) -> str:
        """The slug, of an answer that is a problem from head to toe."""
        assert self.headers["content-type"] == "application/problem+json"
        assert self.headers["cache-control"] == "no-store"
        said = self.json()
        assert said["status"] == self.status
        assert said["title"]
        assert said["detail"]
        return str(said["type"]).removeprefix("/problems/")


async def ask(
    app: ASGIApp,
    path: str = "/",
    *,
    method: str = "GET",
    query: str = "",
    headers: Iterable[Header] = (HOST,),
    body: Iterable[bytes] = (b"",),
) -> Answer:
    """One request and its whole answer. `body`: the pieces in which it arrives."""
    scope = scope_of(path, method=method, query=query, headers=headers)
    pieces = list(body)
    heard: list[Message] = [
        {"type": "http.request", "body": piece, "more_body": number < len(pieces)}
        for number, piece in enumerate(pieces, start=1)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return heard.pop(0) if heard else GONE

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return answer_of(sent)


def scope_of(path: str, *, method: str = "GET", query: str = "", headers: Iterable[Header] = (HOST,)) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(errors="surrogateescape"),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }


def answer_of(sent: Sequence[Message]) -> Answer:
    starts = [message for message in sent if message["type"] == "http.response.start"]
    assert len(starts) == 1, "an answer begins once"
    headers = [(name.decode(), value.decode()) for name, value in starts[0]["headers"]]
    body = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    return Answer(starts[0]["status"], headers, body, sent)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the body of the request."""
    await PlainTextResponse(await Request(scope, receive).body())(scope, receive, send)


async def broken(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise RuntimeError("the secret of the house")


def service(
    *,
    api: ASGIApp | None = None,
    pages: ASGIApp | None = None,
    hot: Sequence[Hot] = (),
    readiness: Readiness | None = None,
    metrics: Metrics | None = None,
    limits: Limits = LIMITS,
    draw: DrawProblem | None = None,
) -> ASGIApp:
    """The whole application with all its guards."""
    return build(
        api=api,
        pages=pages,
        hot=hot,
        readiness=readiness or Readiness(needed=()),
        metrics=metrics or Metrics(),
        limits=limits,
        draw=draw,
    )
