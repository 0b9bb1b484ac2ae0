"""How often one client may ask: at once, then one after the other, each client by itself."""

import pytest

from frontrow.web import pace
from frontrow.web.pace import Pace, client_of

AT_ONCE, AGAIN = 3, 10.0


def test_so_many_at_once_then_one_each_so_many_seconds():
    paced = Pace(at_once=AT_ONCE, again_seconds=AGAIN)
    assert [paced.wait("a", now=100.0) for _ in range(5)] == [0, 0, 0, 10, 10]  # refused ones cost nothing
    assert paced.wait("a", now=109.5) == 1
    assert [paced.wait("a", now=110.0) for _ in range(2)] == [0, 10]
    assert [paced.wait("a", now=1_000.0) for _ in range(4)] == [0, 0, 0, 10]  # rested


def test_each_client_by_itself():
    paced = Pace(at_once=1, again_seconds=AGAIN)
    assert [paced.wait(client, now=0.0) for client in "abab"] == [0, 0, 10, 10]


def test_those_who_rested_are_forgotten_before_the_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "CLIENTS_MAX", 2)
    paced = Pace(at_once=1, again_seconds=AGAIN)
    assert paced.wait("rested", now=0.0) == 0
    assert paced.wait("busy", now=8.0) == 0
    assert paced.wait("new", now=11.0) == 0
    assert paced.wait("busy", now=11.0) == 7


def test_a_flood_of_clients_takes_no_more_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pace, "CLIENTS_MAX", 2)
    paced = Pace(at_once=1, again_seconds=AGAIN)
    assert [paced.wait(str(number), now=0.0) for number in range(100)] == [0] * 100


@pytest.mark.parametrize(
    ("client", "forwarded", "behind_tls", "who"),
    [
        ("203.0.113.7", None, False, "203.0.113.7"),
        ("203.0.113.7", b"198.51.100.1", False, "203.0.113.7"),  # whatever a client likes to say
        ("127.0.0.1", b"10.9.9.9, 198.51.100.1", True, "198.51.100.1"),  # what the proxy has added
        ("127.0.0.1", b"198.51.100.1, garbage", True, "127.0.0.1"),
        ("127.0.0.1", None, True, "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", None, False, "2001:db8:1:2::/64"),  # one customer has so many
        ("2001:db8:1:2:ffff::1", None, False, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", None, False, "203.0.113.7"),
        (None, None, False, "nobody"),
    ],
)
def test_who_a_client_is(client: str | None, forwarded: bytes | None, *, behind_tls: bool, who: str):
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded)]
    scope = {"headers": headers, "client": (client, 1) if client else None}
    assert client_of(scope, behind_tls=behind_tls) == who
