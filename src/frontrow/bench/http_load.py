"""A load of HTTP/1.1 requests from one process: closed, or open with a time at which each request is due.

It shares the machine with what it measures, so a request costs it a few microseconds: it is encoded before the clock
starts, its answer is only cut out of the stream, and whatever the answer says is read when the load is over.

Connections are kept open, and a request is sent on one only after the answer to the last: no browser does otherwise.
What the requests ask for, and which answers are good, is not in here.
"""

import asyncio
from array import array
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Final, cast

from frontrow.bench.quiet import undisturbed

Address = tuple[str, int]

TICK_SECONDS: Final = 0.001  # how often an open load looks what is due: as fine as the loop's clock
ANSWER_SECONDS_MAX: Final = 20.0  # after the last request; the service itself gives up after 15 s
NO_ANSWER: Final = 0  # the status of a request that was not answered, or not sent

_HEAD_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"
_STATUS: Final = slice(9, 12)  # of `HTTP/1.1 201 Created`


class NotHttpError(Exception):
    """What came is not one answer with its length."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What came of a load. Times are of time.perf_counter; 0 where nothing happened.

    `due` is when a request was sent, or in an open load when it should have been: a late answer to one request makes
    no other one look quick.
    """

    due: Sequence[float]
    answered: Sequence[float]
    raw: Sequence[bytes]  # head and body
    began: float
    cpu_seconds: float  # processor time of the load itself

    def status(self, request: int) -> int:
        raw = self.raw[request]
        return int(raw[_STATUS]) if raw else NO_ANSWER

    def body(self, request: int) -> bytes:
        return self.raw[request].partition(_HEAD_END)[2]

    def is_sent(self, request: int) -> bool:
        return self.due[request] > 0

    def seconds(self, request: int) -> float:
        """How long it took."""
        return self.answered[request] - self.due[request]


@asynccontextmanager
async def connected(address: Address, count: int) -> "AsyncGenerator[Sequence[Connection]]":
    """So many connections, open until the end of the block."""
    loop = asyncio.get_running_loop()
    connections: list[Connection] = []
    try:
        for _ in range(count):
            _, connection = await loop.create_connection(Connection, *address)
            connections.append(connection)
        yield connections
    finally:
        for connection in connections:
            connection.close()


async def closed_load(connections: "Sequence[Connection]", requests: Sequence[bytes], *, seconds: float) -> Answers:
    """Each connection sends its next request when the last is answered, for so long or until none is left.

    This finds out how much a service can do. How quick it seems from this is another matter: a service that halts is
    asked less.
    """
    return await _Load(connections, requests, None, seconds).run()


async def open_load(
    connections: "Sequence[Connection]", requests: Sequence[bytes], due_after: Sequence[float]
) -> Answers:
    """Request i is due `due_after[i]` seconds after the start, however the ones before it fare.

    It is sent then if a connection is free, and as soon as one is otherwise; how long it takes counts from when it was
    due. The times are in order.
    """
    assert len(due_after) == len(requests), "each request is due at a time"
    return await _Load(connections, requests, due_after, due_after[-1]).run()


class Connection(asyncio.Protocol):
    """One connection, with at most one request under way."""

    def __init__(self) -> None:
        self.is_open = False
        self._transport: asyncio.WriteTransport | None = None
        self._load: _Load | None = None
        self._request = -1  # under way; -1: none
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)  # uvloop's are, and do not say so
        self._write = self._transport.write
        self.is_open = True

    def send(self, load: "_Load", request: int, encoded: bytes) -> None:
        self._load = load
        self._request = request
        self._write(encoded)

    def data_received(self, data: bytes) -> None:
        if self._received:
            data = self._received + data
        load = self._load
        if load is None or self._request < 0:
            return self._fail(NotHttpError("an answer that nobody asked for"))
        try:
            is_whole = len(data) >= answer_bytes(data)
        except NotHttpError as error:
            return self._fail(error)
        if is_whole:
            request, self._request, self._received = self._request, -1, b""
            load.take(self, request, data)
        else:
            self._received = data
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self._load is not None:
            under_way, self._request = self._request, -1
            self._load.lose(under_way, exc)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _fail(self, error: NotHttpError) -> None:
        if self._load is not None:
            self._load.fault = error
        self.close()


def answer_bytes(received: bytes) -> int:
    """How long the answer is that begins here; more than has been received while its head is incomplete."""
    head_end = received.find(_HEAD_END)
    if head_end < 0:
        return len(received) + 1
    at = received.find(_LENGTH, 0, head_end)
    if at < 0:
        at = received[:head_end].lower().find(_LENGTH)
        if at < 0:
            raise NotHttpError("an answer without a length")
    at += len(_LENGTH)
    return head_end + len(_HEAD_END) + int(received[at : received.index(b"\r", at)])


class _Load:
    """Requests on their way: which is next, what has come, when it is over."""

    def __init__(
        self,
        connections: Sequence[Connection],
        requests: Sequence[bytes],
        due_after: Sequence[float] | None,
        seconds: float,
    ) -> None:
        self.fault: Exception | None = None
        self._requests = requests
        self._due_after = due_after  # None: whenever a connection is free
        self._seconds = seconds
        self._open = len(connections)
        self._idle = list(connections)
        self._due = array("d", bytes(8 * len(requests)))
        self._answered = array("d", bytes(8 * len(requests)))
        self._raw = [b""] * len(requests)
        self._next = 0
        self._under_way = 0
        self._began = 0.0
        self._is_sent = False  # all of it, or the time was over
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = self._loop.create_future()

    async def run(self) -> Answers:
        """Begin, and wait for the last answer; not for ever."""
        giving_up = self._loop.call_later(self._seconds + ANSWER_SECONDS_MAX, self._end)
        with undisturbed():
            cpu_before = process_time()
            self._began = perf_counter()
            self._tick()
            try:
                await self._over
            finally:
                giving_up.cancel()
                self._end()
            cpu_seconds = process_time() - cpu_before
        if self.fault is not None:
            raise self.fault
        return Answers(self._due, self._answered, self._raw, self._began, cpu_seconds)

    def take(self, connection: Connection, request: int, raw: bytes) -> None:
        """An answer has come."""
        now = perf_counter()
        self._answered[request] = now
        self._raw[request] = raw
        self._under_way -= 1
        if self._is_due(now):
            self._send(connection, now)
        else:
            self._idle.append(connection)

    def lose(self, request: int, cause: Exception | None) -> None:
        """A connection has ended, perhaps while a request was under way."""
        self._open -= 1
        if request >= 0:
            self._under_way -= 1
        if not self._open:
            self.fault = self.fault or cause or ConnectionResetError("every connection was closed")
            self._end()

    def _tick(self) -> None:
        """Send what is due as far as connections are free, and look again in a moment."""
        now = perf_counter()
        while self._is_due(now) and self._idle:
            connection = self._idle.pop()
            if connection.is_open:
                self._send(connection, now)
        if not self._over.done():
            self._loop.call_later(TICK_SECONDS, self._tick)

    def _is_due(self, now: float) -> bool:
        """Whether there is a request to be sent now. Where there will be none any more, the load may be over."""
        if not self._is_sent and self._next < len(self._requests):
            if self._due_after is not None:
                return self._began + self._due_after[self._next] <= now
            if now < self._began + self._seconds:
                return True
        self._is_sent = True
        if not self._under_way:
            self._end()
        return False

    def _send(self, connection: Connection, now: float) -> None:
        request = self._next
        self._next = request + 1
        self._under_way += 1
        self._due[request] = now if self._due_after is None else self._began + self._due_after[request]
        connection.send(self, request, self._requests[request])

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)
