"""How often one client may ask: at once, then one after the other, each client by itself."""

from frontrow.web.pace import Pace

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


def test_those_who_rested_are_forgotten_before_the_others():
    paced = Pace(at_once=1, again_seconds=AGAIN, clients_max=2)
    assert paced.wait("rested", now=0.0) == 0
    assert paced.wait("busy", now=8.0) == 0
    assert paced.wait("new", now=11.0) == 0
    assert paced.wait("busy", now=11.0) == 7


def test_a_flood_of_clients_takes_no_more_memory():
    paced = Pace(at_once=1, again_seconds=AGAIN, clients_max=2)
    assert [paced.wait(str(number), now=0.0) for number in range(100)] == [0] * 100


def test_the_answer_says_when_to_come_again():
    paced = Pace(at_once=1, again_seconds=AGAIN)
    assert paced.too_fast("a", now=0.0) is None
    refused = paced.too_fast("a", now=0.5)
    assert refused
    assert (refused.kind.slug, refused.headers) == ("slow-down", {"retry-after": "10"})
