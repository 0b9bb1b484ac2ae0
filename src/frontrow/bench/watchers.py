"""Fans who watch a map, thousands of them in one process: each an open stream, and of each message its time.

A message is only looked at for its number while the load runs; what it means is found out afterwards.
"""

import asyncio
from array import array
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Final, cast

from frontrow.bench.http_load import Address
from frontrow.core.catalogue import EventId
from frontrow.core.seat_codec import apply, frame_data, unpacked

CONNECTED_AT_ONCE: Final = 200  # more would not be quicker: the other side begins them one by one

_ID: Final = b"\nid: "
_OK: Final = b"HTTP/1.1 200"


class Watching(asyncio.Protocol):
    """One stream."""

    def __init__(self, event_id: EventId, after: int, *, keeps: bool) -> None:
        """`keeps`: what came is kept as well, to see whether it is right."""
        self.event_id = event_id
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()  # done: it is answered, or lost
        self.is_refused = False
        self.is_over = False
        self.times = array("d")
        self.update_nos = array("q", [after])  # one more than times: what was known before the first
        self.raw = bytearray()
        self._keeps = keeps

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)  # uvloop's are, and do not say so
        path = b"/api/v1/events/%d/updates?after=%d" % (self.event_id, self.update_nos[0])
        self._transport.write(b"GET %s HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n" % path)

    def data_received(self, data: bytes) -> None:
        if self._keeps:
            self.raw += data
        self._answered()
        at = data.rfind(_ID)
        if at >= 0:
            at += len(_ID)
            self.times.append(perf_counter())
            self.update_nos.append(int(data[at : data.index(b"\n", at)]))
        elif data.startswith(b"HTTP/") and not data.startswith(_OK):
            self.is_refused = True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 -- of the protocol
        self.is_over = True
        self._answered()

    def close(self) -> None:
        self._transport.close()

    def codes(self, snapshot: bytes, seats: int) -> bytearray:
        """Where what was kept leads to, from this snapshot on."""
        codes = unpacked(snapshot, seats)
        for line in _unchunked(bytes(self.raw)).split(b"\n"):
            if line.startswith(b"data: ") and not line.startswith(b"data: {"):
                apply(codes, frame_data(line[len(b"data: ") :].decode()))
        return codes

    def _answered(self) -> None:
        if not self.begun.done():
            self.begun.set_result(None)


@asynccontextmanager
async def watching(
    address: Address, events: Sequence[EventId], count: int, *, after: int, keeping: int
) -> AsyncGenerator[Sequence[Watching]]:
    """So many, evenly over the events; the first ones keep what comes."""
    loop = asyncio.get_running_loop()
    streams = [Watching(events[number % len(events)], after, keeps=number < keeping) for number in range(count)]
    try:
        for first in range(0, count, CONNECTED_AT_ONCE):
            some = streams[first : first + CONNECTED_AT_ONCE]
            await asyncio.gather(*(loop.create_connection(lambda stream=stream: stream, *address) for stream in some))
            await asyncio.gather(*(stream.begun for stream in some))
        yield streams
    finally:
        for stream in streams:
            stream.close()


def _unchunked(raw: bytes) -> bytes:
    """The body of an answer that came in chunks, as far as it came."""
    rest = raw.partition(b"\r\n\r\n")[2]
    body = bytearray()
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        body += rest[:length]
        rest = rest[length + 2 :]
    return bytes(body)
