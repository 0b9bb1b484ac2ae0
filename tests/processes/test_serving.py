"""HTTP as the outside sees it: both versions, limits of a connection, and what a stop does to requests under way."""

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest
from tests.processes import slow_service
from tests.processes.copies import SECONDS_MAX, wait_for

HTTP_2: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"  # the preface, and empty settings
SETTINGS_FRAME: Final = 4


@contextmanager
def service(log: Path, **settings: str) -> Generator[tuple[subprocess.Popen[bytes], int]]:
    """The slow service and its port. Who connects before it is there waits in the backlog."""
    with socket.create_server(("127.0.0.1", 0)) as listening, log.open("wb") as said:
        port: int = listening.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, slow_service.__file__, str(listening.fileno())],
            env=dict(os.environ) | settings,
            pass_fds=[listening.fileno()],
            stdout=said,
            stderr=said,
        )
    try:
        yield process, port
    finally:
        process.terminate()
        process.wait(SECONDS_MAX)


def raw(port: int, sent: bytes) -> bytes:
    """The first bytes that come back."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS_MAX) as connection:
        connection.sendall(sent)
        return connection.recv(65_536)


def is_refused(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Generator[int]:
    with service(tmp_path_factory.mktemp("serving") / "log") as (_, port):
        yield port


def test_http_1(port: int) -> None:
    assert raw(port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").startswith(b"HTTP/1.1 200 OK\r\n")


def test_http_2_without_tls(port: int) -> None:
    assert raw(port, HTTP_2)[3] == SETTINGS_FRAME


@pytest.mark.parametrize(
    ("size", "status"),
    [
        (8_000, b"200"),  # more than any browser sends
        (200_000, b"431"),  # an attack, or a program gone wrong
    ],
)
def test_the_head_of_a_request_has_a_limit(port: int, size: int, status: bytes) -> None:
    head = b"GET / HTTP/1.1\r\nHost: here\r\nCookie: " + b"c" * size + b"\r\n\r\n"
    assert raw(port, head).split()[1] == status


def test_no_head_no_service(port: int) -> None:
    assert raw(port, b"hello\r\n\r\n").split()[1] == b"400"


def test_a_request_under_way_gets_its_whole_answer(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        service(log) as (process, port),
        httpx.stream("GET", f"http://127.0.0.1:{port}/waits", timeout=SECONDS_MAX) as waiting,
    ):
        process.send_signal(signal.SIGTERM)
        wait_for(lambda: is_refused(port))
        process.send_signal(signal.SIGUSR1)
        assert waiting.read() == b"begun done"
        assert process.wait(SECONDS_MAX) == 0
    assert "closed" in log.read_text()


@pytest.mark.slow
def test_a_stream_is_cut_when_its_time_is_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        service(log, FRONTROW_STOP_SECONDS_MAX="1") as (process, port),
        httpx.stream("GET", f"http://127.0.0.1:{port}/stream", timeout=SECONDS_MAX) as stream,
    ):
        pieces = stream.iter_bytes()
        next(pieces)
        process.send_signal(signal.SIGTERM)
        with pytest.raises(httpx.RemoteProtocolError):
            list(pieces)
        assert process.wait(SECONDS_MAX) == 0
    said = log.read_text()
    assert "closed" in said
    assert "Traceback" not in said, "to cut it was our wish"
