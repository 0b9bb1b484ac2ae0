"""The load: every request is sent once, every answer is that of its request, and what goes wrong is not counted."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from frontrow.bench.http_load import (
    NO_ANSWER,
    Address,
    NotHttpError,
    answer_bytes,
    closed_load,
    connected,
    open_load,
)

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

REQUESTS = [b"GET /%d HTTP/1.1\r\nhost: x\r\n\r\n" % number for number in range(50)]


@asynccontextmanager
async def served(talk: Talk) -> AsyncGenerator[Address]:
    """A server that talks like this on each connection."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(one, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers with the path, in two pieces."""
    while not reader.at_eof():
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1]
        writer.write(b"HTTP/1.1 200 OK\r\nConTent-Length: %d\r\n\r\n" % len(path))
        await writer.drain()
        await asyncio.sleep(0)
        writer.write(path)


@pytest.mark.parametrize(
    ("received", "missing"),
    [
        (b"", True),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n", True),  # the head has not ended
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na", True),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab", False),
        (b"HTTP/1.1 200 OK\r\nCONTENT-LENGTH: 2\r\n\r\nab", False),
        (b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n", False),
    ],
)
def test_an_answer_is_whole_when_all_of_its_length_is_there(received: bytes, *, missing: bool):
    assert (len(received) < answer_bytes(received)) is missing


def test_an_answer_without_a_length_is_none_of_ours():
    with pytest.raises(NotHttpError):
        answer_bytes(b"HTTP/1.1 200 OK\r\n\r\n")


@pytest.mark.parametrize("connections", [1, 7, 64])
async def test_each_request_is_answered_once_with_its_own_answer(connections: int):
    async with served(echo) as address, connected(address, connections) as opened:
        answers = await closed_load(opened, REQUESTS, seconds=30)
    assert [answers.body(number) for number in range(len(REQUESTS))] == [b"/%d" % n for n in range(len(REQUESTS))]
    assert all(answers.status(number) == 200 for number in range(len(REQUESTS)))
    assert all(answers.seconds(number) > 0 for number in range(len(REQUESTS)))


async def test_a_closed_load_ends_with_its_time():
    async with served(echo) as address, connected(address, 1) as opened:
        answers = await closed_load(opened, REQUESTS * 1_000, seconds=0.05)
    sent = [answers.is_sent(number) for number in range(len(REQUESTS) * 1_000)]
    assert any(sent)
    assert not all(sent)
    assert sent == sorted(sent, reverse=True), "the first so many"


async def test_an_open_load_counts_from_when_a_request_was_due():
    due_after = [0.001 * number for number in range(len(REQUESTS))]
    async with served(echo) as address, connected(address, 4) as opened:
        answers = await open_load(opened, REQUESTS, due_after)
    for number, after in enumerate(due_after):
        assert answers.due[number] == pytest.approx(answers.began + after)
        assert answers.status(number) == 200


async def test_what_was_under_way_when_a_connection_ended_has_no_answer():
    async def hang_up_on_seven(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            head = await reader.readuntil(b"\r\n\r\n")
            if b"/7 " in head:
                return
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")

    async with served(hang_up_on_seven) as address, connected(address, 2) as opened:
        answers = await closed_load(opened, REQUESTS, seconds=30)
    assert [number for number in range(len(REQUESTS)) if answers.status(number) == NO_ANSWER] == [7]


async def test_a_server_that_talks_otherwise_is_a_fault():
    async def mutter(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(1)

    async with served(mutter) as address, connected(address, 1) as opened:
        with pytest.raises(NotHttpError):
            await closed_load(opened, REQUESTS, seconds=5)


async def test_a_server_that_hangs_up_on_all_is_a_fault():
    async def hang_up(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read(1)

    async with served(hang_up) as address, connected(address, 3) as opened:
        with pytest.raises(ConnectionResetError):
            await closed_load(opened, REQUESTS, seconds=5)
