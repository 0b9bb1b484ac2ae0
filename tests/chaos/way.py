"""The way between a process of ours and PostgreSQL, on which a test can stop what goes by.

It is a relay on loopback that reads the messages of PostgreSQL's protocol as they pass: enough of them to know when a
named statement is sent, and when its transaction has ended. Nothing of the program under test knows of it.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qs, urlsplit

_LENGTH_BYTES: Final = 4
_STARTUP: Final = b""  # the first message of a client has no letter
_PARSE, _BIND = b"P", b"B"  # what a client sends: this is a statement, by that name; run the one of that name
_READY: Final = b"Z"  # what the server sends once a transaction has ended

_Look = Callable[[bytes, bytes], Awaitable[None]]


class Stop(StrEnum):
    """Where what goes by may be stopped."""

    UNCONNECTED = "unconnected"  # nobody gets to PostgreSQL
    UNSENT = "unsent"  # the statement does not get there
    UNANSWERED = "unanswered"  # PostgreSQL has committed it, and is not heard


class Way:
    """A relay that passes everything on, until it is told to stop at some point or to fall silent."""

    def __init__(self, url: str) -> None:
        """`url`: of the database behind it."""
        self.port = 0
        self._url = urlsplit(url)
        self._stop: Stop | None = None
        self._statement = b""
        self._reached = asyncio.Event()
        self._may_go = asyncio.Event()
        self._is_open = _set_event()
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The same database, by this way."""
        return f"postgresql://{self._url.username}@127.0.0.1:{self.port}{self._url.path}?sslmode=disable"

    def stop_at(self, stop: Stop, statement: str = "") -> None:
        """From now on nothing passes that point. `statement`: as queries/*.sql name it."""
        self._stop, self._statement = stop, f"/* {statement} */".encode()
        self._reached, self._may_go = asyncio.Event(), asyncio.Event()

    async def reached(self) -> None:
        """Return once something has been stopped there."""
        await self._reached.wait()

    def go_on(self) -> None:
        """Let everything pass, and what was stopped."""
        self._stop = None
        self._may_go.set()

    def fall_silent(self) -> None:
        """Nothing passes and nobody is told, as when a cable is pulled out."""
        self._is_open.clear()

    def speak_to_others(self) -> None:
        """Those who connect from now on are heard. The others never are again."""
        self._is_open = _set_event()

    async def cut(self) -> None:
        """End every connection there is, as the kernel does for a process that has ended."""
        for connection in self._connections:
            connection.cancel()
        if self._connections:
            await asyncio.wait(self._connections)

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side ends it."""
        task = asyncio.current_task()
        assert task is not None, "the server makes one"
        self._connections.add(task)
        try:
            await self._join(reader, writer)
        except asyncio.CancelledError:
            pass  # it was cut
        finally:
            writer.transport.abort()
            self._connections.discard(task)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._stop is Stop.UNCONNECTED:
            await self._halt()
        onward, back = await self._connect()
        connection = _Connection(self._is_open)
        directions = [
            asyncio.create_task(connection.carry(reader, back, self._sees_sent, letter=_STARTUP)),
            asyncio.create_task(connection.carry(onward, writer, self._sees_answer)),
        ]
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for direction in directions:
                direction.cancel()
            back.transport.abort()

    async def _sees_sent(self, connection: "_Connection", letter: bytes, body: bytes) -> None:
        """A statement is its name, a zero, its text; to run one is to name a portal, and then the statement."""
        if letter == _PARSE:
            name, text, *_ = body.split(b"\0")
            connection.statements[name] = text
        elif letter == _BIND:
            _, name, *_ = body.split(b"\0", 2)
            connection.asked = connection.statements[name]
            if self._stop is Stop.UNSENT and self._statement in connection.asked:
                await self._halt()

    async def _sees_answer(self, connection: "_Connection", letter: bytes, _body: bytes) -> None:
        if letter == _READY:
            if self._stop is Stop.UNANSWERED and self._statement in connection.asked:
                await self._halt()
            connection.asked = b""

    async def _halt(self) -> None:
        self._reached.set()
        await self._may_go.wait()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        words = parse_qs(self._url.query)
        if "host" in words:
            return await asyncio.open_unix_connection(f"{words['host'][0]}/.s.PGSQL.{words['port'][0]}")
        return await asyncio.open_connection(self._url.hostname, self._url.port)


class _Connection:
    """What is known of one connection that goes by this way."""

    def __init__(self, is_open: asyncio.Event) -> None:
        self.statements: dict[bytes, bytes] = {}  # by the names that the client gave them
        self.asked = b""  # the one that runs
        self._is_open = is_open

    async def carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        sees: Callable[["_Connection", bytes, bytes], Awaitable[None]],
        *,
        letter: bytes | None = None,
    ) -> None:
        """Carry messages one way until it ends. `letter`: of the first message, where it has another than its own."""
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                letter = await reader.readexactly(1) if letter is None else letter
                length = await reader.readexactly(_LENGTH_BYTES)
                body = await reader.readexactly(int.from_bytes(length) - _LENGTH_BYTES)
                await sees(self, letter, body)
                await self._is_open.wait()
                writer.write(letter + length + body)
                await writer.drain()
                letter = None


@asynccontextmanager
async def way_to(url: str) -> AsyncGenerator[Way]:
    """A way to this database, until the end of the block."""
    way = Way(url)
    server = await asyncio.start_server(way.relay, "127.0.0.1", 0)
    way.port = server.sockets[0].getsockname()[1]
    try:
        yield way
    finally:
        server.close()
        await way.cut()


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event
