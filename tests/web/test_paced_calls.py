"""Calls that cost us something, asked too often: who is slowed down, and who is not.

The pace of signing in is tested with it, in tests/fans.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from tests.ledger.on_sale import fan_no
from tests.web import fans
from tests.web.asking import BROWSER, HOST, Answer, ask
from tests.web.fans import Fan, Service, session

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event
from frontrow.web import holds, search

Opened = Callable[..., AbstractAsyncContextManager[Service]]

SOMEBODY, NEIGHBOUR = "203.0.113.7", "203.0.113.8"


@pytest.fixture
async def behind_proxy(
    database: Database, database_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Service]:
    """The service behind a proxy on this machine, with small limits."""
    monkeypatch.setattr(holds, "FAN_AT_ONCE", 3)
    monkeypatch.setattr(holds, "FAN_AGAIN_SECONDS", 60.0)
    for module in (holds, search):
        monkeypatch.setattr(module, "CLIENT_AT_ONCE", 3)
        monkeypatch.setattr(module, "CLIENT_AGAIN_SECONDS", 60.0)
    async with fans.service(database, database_url, valkey_url, behind_tls=True) as service:
        yield service


async def hold(service: Service, event: Event, fan: int, address: str, **more: Any) -> Answer:  # noqa: ANN401 -- of ask
    headers = [session(event.event_id, fan_no(fan)), ("x-forwarded-for", f"6.6.6.6, {address}")]
    return await Fan(service, fan_no(fan), headers).hold(event, f"{fan}-{address}", 0, **more)


def told(answer: Answer) -> tuple[int, str, str]:
    return answer.status, answer.problem(), answer.headers["retry-after"]


async def test_one_fan_who_holds_too_often_is_slowed_down_wherever_they_ask_from(behind_proxy: Service):
    event = await behind_proxy.sell()
    for address in ("198.51.100.1", "192.0.2.1", "2001:db8::1"):
        assert (await hold(behind_proxy, event, 1, address)).status in {201, 409}
    before = await behind_proxy.stored()
    assert told(await hold(behind_proxy, event, 1, SOMEBODY)) == (429, "slow-down", "60")
    assert await behind_proxy.stored() == before
    assert (await hold(behind_proxy, event, 2, SOMEBODY)).status == 409  # nobody else is


async def test_many_fans_of_one_address_are_slowed_down_and_their_neighbours_are_not(behind_proxy: Service):
    event = await behind_proxy.sell()
    answers = [await hold(behind_proxy, event, fan, SOMEBODY) for fan in range(3)]
    assert [answer.status for answer in answers] == [201, 409, 409]
    assert told(await hold(behind_proxy, event, 4, SOMEBODY)) == (429, "slow-down", "60")
    assert (await hold(behind_proxy, event, 4, NEIGHBOUR)).status == 409


async def test_control_what_a_client_writes_itself_makes_it_nobody_else(
    database: Database, database_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
):
    """Without a proxy the header is the client's own. Everybody is here then, and no limit of addresses holds."""
    monkeypatch.setattr(holds, "CLIENT_AT_ONCE", 1)
    async with fans.service(database, database_url, valkey_url) as service:
        event = await service.sell()
        answers = [await hold(service, event, fan, SOMEBODY) for fan in range(3)]
    assert [answer.status for answer in answers] == [201, 409, 409]


@pytest.mark.parametrize("path", ["/api/v1/search", "/api/v1/search/suggest"])
async def test_one_address_that_searches_too_often_is_slowed_down(behind_proxy: Service, path: str):
    async def search_from(address: str) -> Answer:
        return await behind_proxy.ask("GET", path, query="q=x", headers=[("x-forwarded-for", address)])

    assert [(await search_from(SOMEBODY)).status for _ in range(3)] == [200, 200, 200]
    assert told(await search_from(SOMEBODY)) == (429, "slow-down", "60")
    assert (await search_from(NEIGHBOUR)).status == 200


async def test_pages_and_calls_of_searching_share_a_pace(behind_proxy: Service):
    """Whoever is slowed down in the one is in the other; as a page, where it is a page."""

    async def from_somebody(path: str, *more: tuple[str, str]) -> Answer:
        return await ask(behind_proxy.app, path, query="q=x", headers=[HOST, ("x-forwarded-for", SOMEBODY), *more])

    calls = ("/search", "/api/v1/search", "/search")
    assert [(await from_somebody(path, BROWSER)).status for path in calls] == [200, 200, 200]
    assert told(await from_somebody("/api/v1/search")) == (429, "slow-down", "60")
    page = await from_somebody("/search", BROWSER)
    assert (page.status, page.headers["retry-after"]) == (429, "60")
    assert "A little too fast" in page.text
