"""A client of an ASGI application that streams, message by message: it reads when the test says so, or never."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Final

from starlette.types import ASGIApp, Scope
from starlette.types import Message as AsgiMessage
from tests.feed.messages import Message, Reader
from tests.web.asking import GONE, HOST, Answer, Header, answer_of, scope_of

OK: Final = 200
PATIENCE_SECONDS: Final = 20.0  # a net below the tests, not a promise


class Stream:
    """One request, and what has come of it."""

    def __init__(self, app: ASGIApp, path: str, query: str, headers: Iterable[Header], *, reads: bool) -> None:
        self.sent: list[AsgiMessage] = []
        self._reads = asyncio.Event()
        if reads:
            self._reads.set()
        self._leaves = asyncio.Event()
        self._has_begun = asyncio.Event()
        self._news: asyncio.Queue[Message] = asyncio.Queue()
        self._reader = Reader()
        self._is_asked = False
        scope = scope_of(path, query=query, headers=headers)
        self.serving = asyncio.create_task(self._serve(app, scope))

    @property
    def answer(self) -> Answer:
        return answer_of(self.sent)

    async def next(self) -> Message:
        """The next message that is no word on its age and no hint for browsers."""
        while (message := await self.next_of_any()).name == "age" or message.retry:
            pass
        return message

    async def next_of_any(self) -> Message:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self._news.get()

    def waiting(self) -> Iterator[Message]:
        """What has come and was not looked at."""
        while not self._news.empty():
            yield self._news.get_nowait()

    async def begun(self) -> None:
        """It has its place, or was refused."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._has_begun.wait()

    def leave(self) -> None:
        self._leaves.set()

    async def cancelled(self) -> None:
        """The server gives it up."""
        self.serving.cancel()
        await asyncio.wait({self.serving})

    async def ended(self) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.serving

    async def _serve(self, app: ASGIApp, scope: Scope) -> None:
        await app(scope, self._receive, self._send)

    async def _receive(self) -> AsgiMessage:
        if not self._is_asked:
            self._is_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._leaves.wait()
        return GONE

    async def _send(self, message: AsgiMessage) -> None:
        if message["type"] == "http.response.body" and message.get("more_body"):
            await self._reads.wait()  # as the server waits when nobody reads
        self.sent.append(message)
        self._has_begun.set()
        if self.sent[0]["status"] == OK:
            for each in self._reader.read(message.get("body", b"")):
                self._news.put_nowait(each)


@asynccontextmanager
async def streaming(
    app: ASGIApp, path: str, *, query: str = "", headers: Iterable[Header] = (), reads: bool = True
) -> AsyncGenerator[Stream]:
    """A stream, until the end of the block."""
    stream = Stream(app, path, query, [HOST, *headers], reads=reads)
    try:
        await stream.begun()
        yield stream
    finally:
        stream.leave()
        if not stream.serving.cancelled():
            await stream.ended()
