"""Clients that go away in the middle of a request, over real sockets: it is done once, or not at all."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager

import asyncpg
import httpx
import pytest
from tests import servers
from tests.ledger.on_sale import fan_no
from tests.postgres.watching import until, until_waiting
from tests.web.fans import session
from tests.web.started import Started, started


@pytest.fixture(scope="module")
def service(databases: servers.Databases, valkey_of_worker: str) -> Iterator[Started]:
    with started(databases, valkey_of_worker) as service:
        yield service


def request(service: Started, fan: int, seat: int) -> tuple[str, dict[str, str], bytes]:
    """Path, headers and body of a hold."""
    body = json.dumps({"hold_id": f"hold of fan {fan}", "seats": [seat]}).encode()
    return f"/api/v1/events/{service.event.event_id}/holds", dict([session(service.event.event_id, fan_no(fan))]), body


@contextmanager
def sent(service: Started, fan: int, seat: int, *, whole: bool = True) -> Generator[None]:
    """A client that sends its request, and hangs up at the end of the block."""
    path, headers, body = request(service, fan, seat)
    lines = [f"POST {path} HTTP/1.1", "Host: tickets.example", f"Content-Length: {len(body)}"]
    head = "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers.items())])
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n" + (body if whole else body[:10]))
        yield


def ask_again(service: Started, fan: int, seat: int) -> httpx.Response:
    path, headers, body = request(service, fan, seat)
    return httpx.post(service.url + path, headers=headers, content=body)


@pytest.fixture
async def watcher(service: Started) -> AsyncIterator[asyncpg.Connection]:
    watcher = await asyncpg.connect(service.database_url)
    yield watcher
    await watcher.close()


async def test_who_hung_up_while_it_was_decided_finds_it_by_asking_again(service: Started, watcher: asyncpg.Connection):
    async with watcher.transaction():
        await watcher.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", service.event.event_id)
        with sent(service, 1, 3):
            await until_waiting(watcher, 1)
    await until(lambda: watcher.fetchval("SELECT count(*) = 1 FROM claim WHERE seat_no = 3"))
    again = await asyncio.to_thread(ask_again, service, 1, 3)
    assert (again.status_code, again.json()["state"]) == (201, "held")
    assert await watcher.fetchval("SELECT count(*) FROM hold WHERE seats = '{3}'") == 1


async def test_who_hung_up_before_the_request_was_whole_asked_for_nothing(
    service: Started, watcher: asyncpg.Connection
):
    before = await watcher.fetchval("SELECT count(*) FROM hold")
    for fan in range(20):
        with sent(service, 100 + fan, 4, whole=False):
            pass
    assert (await asyncio.to_thread(httpx.get, f"{service.url}/healthz")).status_code == 200
    assert (await asyncio.to_thread(ask_again, service, 2, 4)).status_code == 201  # the seat is free
    assert await watcher.fetchval("SELECT count(*) FROM hold") == before + 1


async def test_of_a_crowd_that_hung_up_one_at_most_has_the_seat(service: Started, watcher: asyncpg.Connection):
    """Whoever asks after them is told the truth at once, whichever of them was heard."""
    for fan in range(50):
        with sent(service, 200 + fan, 5):
            pass
    answer = await asyncio.to_thread(ask_again, service, 3, 5)
    assert answer.status_code in {201, 409}
    assert await watcher.fetchval("SELECT count(*) FROM claim WHERE seat_no = 5") == 1
    assert await watcher.fetch("SELECT * FROM violations_v1(5)") == []
