"""No test reaches out, by whatever way; and every way to this machine stays open."""

import asyncio
import socket
from pathlib import Path

import pytest
from tests.network_guard import is_here

AWAY = "192.0.2.1"  # RFC 5737: an address that is nobody's
away = pytest.raises(pytest.fail.Exception, match="tests reach this machine only")


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),  # all of 127/8
        ("::1", True),
        ("localhost", True),
        (b"localhost", True),  # getaddrinfo takes bytes too
        (None, True),  # its word for this machine
        ("", True),  # bind's
        ("0.0.0.0", False),  # noqa: S104 -- every address of this machine, those that others reach among them
        (AWAY, False),
        ("::ffff:192.0.2.1", False),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
        (b"\xff", False),
    ],
)
def test_what_is_here(host: object, here: bool):  # noqa: FBT001 -- a column of the table above
    assert is_here(host) == here


def test_connecting_away_fails():
    with socket.socket() as asking, away:
        asking.connect((AWAY, 80))


def test_connecting_away_without_waiting_fails():
    with socket.socket() as asking, away:
        asking.settimeout(0)
        asking.connect_ex((AWAY, 80))


def test_sending_a_datagram_away_fails():
    with socket.socket(type=socket.SOCK_DGRAM) as asking, away:
        asking.sendto(b"hello", (AWAY, 53))


def test_looking_up_a_name_fails():
    with away:
        socket.getaddrinfo("frontrow.example", 443)


def test_an_older_way_to_look_up_a_name_fails():
    with away:
        socket.gethostbyname("frontrow.example")


async def test_asyncio_fails():
    with away:
        await asyncio.open_connection(AWAY, 80)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_reached(host: str):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection((host, server.getsockname()[1])).close()


def test_a_unix_socket_is_reached(tmp_path: Path):
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as asking:
        server.bind(str(tmp_path / "s"))
        server.listen()
        asking.connect(str(tmp_path / "s"))


def test_a_connected_socket_may_send_without_an_address():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendmsg([b"hello"])
        assert theirs.recv(5) == b"hello"
