"""A client that does not read, on a real socket: it is let go, its connection ends, and all others go on."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
from tests.chaos.on_sale import open_sale
from tests.feed.follower import converged, following
from tests.feed.services import Showing, showing
from tests.ledger.on_sale import fan_no, hold_no, wish
from tests.postgres.watching import PATIENCE_SECONDS

from frontrow.adapters.postgres import pool
from frontrow.core.catalogue import EventId
from frontrow.processes import listening
from frontrow.settings import Settings

SEATS = 40_000
PARTY = 8
ROUNDS_MAX = 200
ENDS_SECONDS_MAX = 120.0  # a net; the kernel closes such a connection after half a minute


def test_every_connection_has_its_bounds():
    """What is set on the listening socket, the kernel gives to each connection."""
    with listening.listen(Settings(port=_free_port())) as door, socket.create_connection(door.getsockname()) as _:
        connection, _ = door.accept()
        with connection:
            unread = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            unsent = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT)
            assert (unread, unsent) == (listening.UNREAD_MS_MAX, listening.UNSENT_BYTES_MAX)


@pytest.mark.slow
async def test_who_does_not_read_is_let_go_and_nobody_waits(database_url: str):
    event_id = await open_sale(database_url, seats=SEATS, seats_per_hold_max=PARTY, tickets_per_fan_max=PARTY)
    with showing("feed", database_url) as feed:
        await feed.start()
        async with following([feed.url], event_id, seats=SEATS) as followers, _not_reading(feed, event_id) as silent:
            rounds = await _change_until_let_go(database_url, event_id, feed)
            assert rounds < ROUNDS_MAX, "it was never let go"
            await converged(followers, database_url, event_id)
            assert all(follower.streams == 1 for follower in followers), "they have lost nothing"
            assert await _has_ended(silent), "the connection stays for ever"


@asynccontextmanager
async def _not_reading(feed: Showing, event_id: EventId) -> AsyncGenerator[socket.socket]:
    with socket.socket() as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        silent.setblocking(False)  # noqa: FBT003 -- its name
        loop = asyncio.get_running_loop()
        await loop.sock_connect(silent, ("127.0.0.1", feed.copy.port))
        request = f"GET /api/v1/events/{event_id}/updates?after=0 HTTP/1.1\r\nHost: test\r\n\r\n"
        await loop.sock_sendall(silent, request.encode())
        yield silent


async def _change_until_let_go(database_url: str, event_id: EventId, feed: Showing) -> int:
    """Thousands of seats change at a time, so that frames are large."""
    database = await pool.connect(database_url, connections_max=2)
    async with httpx.AsyncClient(base_url=feed.url) as client:
        try:
            for number in range(ROUNDS_MAX):
                fans = range(number * 500, number * 500 + 500)
                wishes = [wish(fan, fan, *_seats(fan % 500)) for fan in fans]
                await database.ledger.hold_seats(event_id, wishes)
                await asyncio.sleep(0.3)  # a frame of its own for each
                await database.ledger.release_holds(event_id, [(hold_no(fan), fan_no(fan)) for fan in fans])
                await asyncio.sleep(0.3)
                if 'frontrow_map_streams_ended_total{why="slow"} 1.0' in (await client.get("/metrics")).text:
                    return number
            return ROUNDS_MAX
        finally:
            await database.close()


def _seats(party: int) -> range:
    """Far enough apart that each seat takes two bytes."""
    return range(party, SEATS - 500, (SEATS - 500) // PARTY + 1)


async def _has_ended(silent: socket.socket) -> bool:
    """The server, or the kernel for it, closes the connection. What lies in our own buffer can still be read."""
    loop = asyncio.get_running_loop()
    with suppress(ConnectionResetError):
        async with asyncio.timeout(ENDS_SECONDS_MAX):
            await asyncio.sleep(listening.UNREAD_MS_MAX / 1_000 + PATIENCE_SECONDS)
            while await loop.sock_recv(silent, 65_536):
                pass
    return True


def _free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port: int = chosen.getsockname()[1]
        return port
