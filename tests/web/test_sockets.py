"""The service behind the server that it runs on: what goes wrong only between real sockets."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

TOP: Final = Path(__file__).parents[2]
START_SECONDS_MAX: Final = 60.0  # a safety net
BETWEEN_SECONDS: Final = 0.05
HEAD: Final = b"Host: tickets.example\r\nConnection: close\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where a granian serves `served.py`."""
    port = _free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asginl", "--port", str(port), "tests.web.served:app"]
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_until_up(port, server)
            yield port
        finally:
            server.terminate()


def say(port: int, *pieces: bytes) -> bytes:
    """Send the pieces one by one; everything that comes back until the connection ends."""
    with socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS_MAX) as connection:
        for piece in pieces:
            with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was all said
                connection.sendall(piece)
        heard = b""
        with suppress(ConnectionResetError):
            while more := connection.recv(65536):
                heard += more
        return heard


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        ([b"POST /echo HTTP/1.1\r\n", HEAD, b"Content-Length: 5\r\n\r\n", b"he", b"llo"], 200),
        ([b"POST /echo HTTP/1.1\r\n", HEAD, b"Content-Length: 65\r\n\r\n"], 413),  # said; the body never comes
        ([b"POST /echo HTTP/1.1\r\n", HEAD, b"Content-Length: 50\r\n\r\n", b"half"], 408),  # and nothing more
        (
            [b"POST /echo HTTP/1.1\r\n", HEAD, b"Transfer-Encoding: chunked\r\n\r\n", b"41\r\n" + b"a" * 65 + b"\r\n"],
            413,
        ),
        ([b"GET /%00 HTTP/1.1\r\n", HEAD, b"\r\n"], 400),
        ([b"GET /%ff HTTP/1.1\r\n", HEAD, b"\r\n"], 400),  # no text
        ([b"GET /%zz HTTP/1.1\r\n", HEAD, b"\r\n"], 404),  # no escape: the path is what it says
        ([b"GET /a/%2e%2e/b HTTP/1.1\r\n", HEAD, b"\r\n"], 400),  # climbs once it is decoded
        ([b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\n", HEAD, b"\r\n"], 414),
        ([b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"], 400),  # no host
        ([b"GET http://evil.example/healthz HTTP/1.1\r\n", HEAD, b"\r\n"], 200),  # the form proxies use
        ([b"BREW /healthz HTTP/1.1\r\n", HEAD, b"\r\n"], 405),
        ([b"GET /healthz HTTP/1.1\r\n", HEAD, b"Accept: text/html\r\n" * 60, b"\r\n"], 200),
    ],
)
def test_what_is_sent_has_an_answer(port: int, pieces: list[bytes], status: int):
    heard = say(port, *pieces)
    assert _status(heard) == status
    assert re.search(rb"(?i)\r\nx-request-id: \S+\r\n", heard)
    assert re.search(rb"(?i)\r\nx-content-type-options: nosniff\r\n", heard)
    if status >= 400:
        assert b"application/problem+json" in heard


def test_no_byte_of_a_header_becomes_another_header(port: int):
    heard = say(port, b"GET /healthz HTTP/1.1\r\n", HEAD, b"X-Request-ID: abcdefgh\xff\xfe\r\n\r\n")
    assert _status(heard) == 200
    assert b"abcdefgh\xff" not in heard


def test_head_is_answered_without_a_body(port: int):
    heard = say(port, b"HEAD /healthz HTTP/1.1\r\n", HEAD, b"\r\n")
    assert _status(heard) == 200
    assert heard.endswith(b"\r\n\r\n")


def test_a_stream_arrives_whole(port: int):
    assert say(port, b"GET /updates HTTP/1.1\r\n", HEAD, b"\r\n").count(b"\nid: ") == 3


def test_a_client_that_goes_away_half_way_harms_nobody(port: int):
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"POST /echo HTTP/1.1\r\n" + HEAD + b"Content-Length: 50\r\n\r\nhalf")
    assert _status(say(port, b"GET /healthz HTTP/1.1\r\n", HEAD, b"\r\n")) == 200


def _status(heard: bytes) -> int:
    return int(heard.split(b" ", 2)[1])


def _free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port: int = chosen.getsockname()[1]
        return port


def _wait_until_up(port: int, server: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < ends:
        assert server.poll() is None, "granian ended by itself"
        with suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(BETWEEN_SECONDS)
    pytest.fail("granian does not listen")
