"""Who asks: the socket's other end, or whoever a proxy of ours has heard. What others write down counts for nothing."""

from collections.abc import Sequence
from ipaddress import ip_network

import pytest

from frontrow.web.clients import PRIVATE, Client, Clients, Network

NONE: Sequence[Network] = ()
OURS: Sequence[Network] = (ip_network("198.51.100.0/28"),)


def client(socket: str | None, *forwarded: bytes, proxies: Sequence[Network]) -> Client:
    headers = [(b"x-forwarded-for", each) for each in forwarded]
    return Clients(proxies).of({"headers": headers, "client": (socket, 1) if socket else None})


@pytest.mark.parametrize(
    ("socket", "forwarded", "proxies", "who"),
    [
        ("203.0.113.7", [], NONE, "203.0.113.7"),
        ("203.0.113.7", [b"192.0.2.1"], NONE, "203.0.113.7"),  # whatever a client likes to say
        ("203.0.113.7", [b"192.0.2.1"], PRIVATE, "203.0.113.7"),  # said by somebody who is no proxy of ours
        ("198.51.100.16", [b"192.0.2.1"], OURS, "198.51.100.16"),  # the address beside our proxies' network
        ("198.51.100.15", [b"192.0.2.1"], OURS, "192.0.2.1"),
        ("127.0.0.1", [b"10.9.9.9, 192.0.2.1"], PRIVATE, "192.0.2.1"),  # what the proxy has added, not what came
        ("127.0.0.1", [b"10.9.9.9", b"192.0.2.1"], PRIVATE, "192.0.2.1"),  # added as a header of its own
        ("127.0.0.1", [b"6.6.6.6, 192.0.2.1, 10.0.0.2,10.0.0.3"], PRIVATE, "192.0.2.1"),  # one behind the other
        ("127.0.0.1", [b"192.0.2.1, garbage"], PRIVATE, "127.0.0.1"),
        ("127.0.0.1", [b"192.0.2.1, garbage, 10.0.0.2"], PRIVATE, "10.0.0.2"),  # as far as it can be read
        ("127.0.0.1", [b"192.0.2.1," + b"10.0.0.2," * 100 + b"10.0.0.3"], PRIVATE, "10.0.0.2"),
        ("127.0.0.1", [b"\xff, ,"], PRIVATE, "127.0.0.1"),
        ("127.0.0.1", [], PRIVATE, "127.0.0.1"),
        ("127.0.0.1", [b"192.0.2.1"], NONE, "127.0.0.1"),
        ("::ffff:198.51.100.1", [b"::ffff:192.0.2.1"], OURS, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", [], NONE, "2001:db8:1:2::/64"),  # one customer has so many
        ("2001:db8:1:2:ffff::1", [], NONE, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", [], NONE, "203.0.113.7"),
        (None, [b"192.0.2.1"], PRIVATE, "nobody"),
    ],
)
def test_who_a_client_is(socket: str | None, forwarded: list[bytes], proxies: Sequence[Network], who: str):
    assert client(socket, *forwarded, proxies=proxies).address == who


@pytest.mark.parametrize(
    ("socket", "neighbours", "is_here"),
    [
        ("203.0.113.7", "203.0.113.0/24", False),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48", False),
        ("::ffff:203.0.113.7", "203.0.113.0/24", False),
        ("127.0.0.1", "127.0.0.0/24", True),
        ("::1", "::/48", True),
        ("10.0.0.1", "10.0.0.0/24", False),
    ],
)
def test_who_is_around_it(socket: str, neighbours: str, *, is_here: bool):
    found = client(socket, proxies=NONE)
    assert (found.neighbours, found.is_here) == (neighbours, is_here)


def test_behind_a_proxy_a_client_is_not_here():
    assert not client("127.0.0.1", b"203.0.113.7", proxies=PRIVATE).is_here
