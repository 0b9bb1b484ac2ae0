"""Two ways to ask Valkey: by redis-py, as Frontrow itself does, and by one connection that many use at once.

redis-py takes a connection for each command under way, and several times the processor time. With the other way, what
is asked in one turn of the event loop leaves as one write: the quickest client that a strategy could have.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, cast
from urllib.parse import parse_qs, urlsplit

import hiredis
from redis.asyncio import BlockingConnectionPool, Redis

from frontrow.adapters.valkey.connection import SCHEMES
from frontrow.bench.strategies.strategy import Workbench

CONNECTIONS_MAX: Final = 2_048  # of redis-py, whose pool is unfair: with fewer than fans, some would wait for ever
PORT: Final = 6379
HOST: Final = "localhost"

Word = str | int | bytes
Ask = Callable[..., Awaitable[Any]]  # the words of one command; what it answers is of the command's own type


@asynccontextmanager
async def asking(bench: Workbench) -> AsyncGenerator[Ask]:
    """The way to Valkey of this workbench."""
    if bench.tuned:
        async with pipeline(bench.valkey_url) as opened:
            yield opened.ask
        return
    scheme, rest = bench.valkey_url.split("://", 1)
    pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] -- its settings have no types
        f"{SCHEMES.get(scheme, scheme)}://{rest}",
        max_connections=CONNECTIONS_MAX,
        timeout=None,  # a fan waits for a connection as long as it takes
    )
    client = Redis.from_pool(pool)
    try:
        yield cast("Ask", client.execute_command)  # pyright: ignore[reportUnknownMemberType] -- its options have no types
    finally:
        await client.aclose()


async def load(ask: Ask, script: str) -> bytes:
    """Store a Lua script. Its SHA is what EVALSHA wants."""
    sha: bytes = await ask("SCRIPT", "LOAD", script)
    return sha


class Pipeline(asyncio.Protocol):
    """A connection on which answers come in the order of the questions."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader()
        self._asked: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._transport: asyncio.WriteTransport | None = None

    def ask(self, *words: Word) -> Awaitable[Any]:
        """Ask one command."""
        assert self._transport is not None, "not connected"
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(_packed(words))
        answer: asyncio.Future[Any] = self._loop.create_future()
        self._asked.append(answer)
        return answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)  # uvloop's are, and do not say so

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (told := self._reader.gets()) is not False:
            answer = self._asked.popleft()
            if answer.done():
                continue  # whoever asked went away
            if isinstance(told, hiredis.ReplyError):
                answer.set_exception(told)
            else:
                answer.set_result(told)

    def connection_lost(self, exc: Exception | None) -> None:
        while self._asked:
            answer = self._asked.popleft()
            if not answer.done():
                answer.set_exception(exc or ConnectionResetError("Valkey closed the connection"))

    def _send(self) -> None:
        assert self._transport is not None, "asked before"
        self._transport.write(b"".join(self._unsent))
        self._unsent.clear()


@asynccontextmanager
async def pipeline(url: str) -> AsyncGenerator[Pipeline]:
    """A connection of one's own to a Valkey without a password, such as the embedded one."""
    parts = urlsplit(url)
    loop = asyncio.get_running_loop()
    named = parse_qs(parts.query).get("db")
    if SCHEMES.get(parts.scheme, parts.scheme) == "unix":
        _, opened = await loop.create_unix_connection(Pipeline, parts.path)
        database = named or ["0"]
    else:
        _, opened = await loop.create_connection(Pipeline, parts.hostname or HOST, parts.port or PORT)
        database = named or [parts.path.strip("/") or "0"]
    try:
        await opened.ask("SELECT", database[0])
        yield opened
    finally:
        opened.close()


def _packed(words: tuple[Word, ...]) -> bytes:
    return hiredis.pack_command(words)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportArgumentType] -- its stub says a tuple of one, and no result
