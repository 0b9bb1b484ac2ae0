"""Taking a port, and what is said when that does not work."""

import socket

import pytest
from tests.processes.copies import free_port

from frontrow.halt import Halt
from frontrow.processes.listening import ensure_port_free, listen, url_of
from frontrow.settings import Settings


def test_one_listens_and_the_second_is_told() -> None:
    settings = Settings(port=free_port())
    with listen(settings), pytest.raises(Halt, match=rf"port {settings.port} is taken; .*FRONTROW_PORT="):
        listen(settings)
    listen(settings).close()  # the control: it is free again


def test_looking_leaves_the_port_free() -> None:
    settings = Settings(port=free_port())
    ensure_port_free(settings)
    listen(settings).close()


def test_a_port_with_connections_that_linger_can_be_taken_again() -> None:
    settings = Settings(port=free_port())
    with listen(settings) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        accepted.close()  # ours was the first to end, so it lingers on our side
    listen(settings).close()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104 -- everywhere is no address to go to
        ("::", "http://[::1]:8000"),  # the same, and in brackets
        ("tickets.example", "http://tickets.example:8000"),
    ],
)
def test_url(host: str, url: str) -> None:
    assert url_of(Settings(host=host, port=8000)) == url
