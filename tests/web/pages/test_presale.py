"""Pages while an event sells to invited fans alone: what is said, and the way in with a code, without scripts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from tests.ledger.on_sale import fan_no
from tests.web import fans
from tests.web.fans import KEY, Service, token
from tests.web.pages.browsing import Browser

from frontrow.adapters.postgres.pool import Database
from frontrow.core.access_codes import AccessCodes, CodeNumber
from frontrow.core.catalogue import Event
from frontrow.web import access

ADA, BOB = fan_no(1), fan_no(2)


@pytest.fixture
async def service(database: Database, database_url: str, valkey_url: str) -> AsyncIterator[Service]:
    async with fans.service(database, database_url, valkey_url) as service:
        await database.pool.execute(
            "INSERT INTO fan (fan_id, email, met_at, signed_in_at) "
            "VALUES ($1, 'ada@example.org', now(), now()), ($2, 'bob@example.org', now(), now())",
            ADA, BOB,
        )  # fmt: skip
        yield service


@pytest.fixture
async def event(service: Service) -> Event:
    return await invited(service)


async def invited(service: Service, **terms: object) -> Event:
    event = await service.sell(**terms)
    await service.database.access_codes.set_presale(event.event_id, datetime.now(UTC) + timedelta(hours=1))
    return event


def code_of(event: Event, number: int = 7) -> str:
    return AccessCodes([KEY.encode()]).code(event.event_id, CodeNumber(number))


def signed_in(service: Service, number: int) -> Browser:
    return Browser(service.app, {"frontrow-fan": token(fan_no(number))})


async def test_whoever_has_a_code_goes_in_and_holds_seats(service: Service, event: Event):
    ada = signed_in(service, 1)
    await ada.open(f"/events/{event.event_id}")
    assert "this sale is for invited fans" in ada.text
    await ada.open(f"/events/{event.event_id}/seats")
    assert "invited fans" in ada.text
    assert [button.words for button in ada.page.all("button") if button.words.startswith("Hold")] == []
    await ada.follow("Use your code")
    await ada.press("Go in", {"code": code_of(event).lower()})
    assert ada.address == f"/events/{event.event_id}/seats"
    await ada.press("Hold the best 2 together")
    assert (ada.status, ada.address.startswith("/holds/")) == (200, True)
    assert "Held for you" in ada.text or "held for you" in ada.text


async def test_whoever_comes_back_needs_not_type_it_again(service: Service, event: Event):
    ada = signed_in(service, 1)
    await ada.open(f"/events/{event.event_id}/code")
    await ada.press("Go in", {"code": code_of(event)})
    del ada.cookies[f"frontrow-session-{event.event_id}"]  # it has ended
    await ada.open(f"/events/{event.event_id}/code")
    assert ada.address == f"/events/{event.event_id}/seats"
    assert f"frontrow-session-{event.event_id}" in ada.cookies


async def test_before_a_waiting_room_it_leads_to_the_line_and_no_further(service: Service):
    event = await invited(service, waiting_room=True)
    ada = signed_in(service, 1)
    await ada.open(f"/events/{event.event_id}/seats")
    assert "invited fans" in ada.text
    await ada.follow("Use your code")
    await ada.press("Go in", {"code": code_of(event)})
    assert "This event has a waiting room." in ada.text
    assert f"frontrow-session-{event.event_id}" not in ada.cookies


async def test_a_wrong_code_is_said_beside_the_field_and_stays_in_it(service: Service, event: Event):
    ada, bob = signed_in(service, 1), signed_in(service, 2)
    await ada.open(f"/events/{event.event_id}/code")
    await ada.press("Go in", {"code": "<b>nonsense</b>"})
    assert (ada.status, "This is no code of ours for this event." in ada.text) == (403, True)
    assert "<b>nonsense</b>" in ada.page.values("value")
    await ada.press("Go in", {"code": code_of(event)})
    await bob.open(f"/events/{event.event_id}/code")
    await bob.press("Go in", {"code": code_of(event)})
    assert (bob.status, "Another fan has used this code" in bob.text) == (403, True)


async def test_whoever_tries_many_is_told_to_wait(service: Service, event: Event):
    ada = signed_in(service, 1)
    await ada.open(f"/events/{event.event_id}/code")
    for _ in range(access.FAN_AT_ONCE + 1):
        await ada.press("Go in", {"code": "nonsense"})
    assert (ada.status, "You tried many codes." in ada.text) == (429, True)


async def test_whoever_is_nameless_signs_in_first(service: Service, event: Event):
    for stranger in (Browser(service.app), signed_in(service, 3)):
        await stranger.open(f"/events/{event.event_id}/code")
        way = f"/sign-in?way=/events/{event.event_id}/code"
        assert way in {link.attributes["href"] for link in stranger.page.all("a") if link.words == "Sign in"}
        answer = await stranger.post(f"/events/{event.event_id}/code", [("code", code_of(event))])
        assert (answer.status, dict(answer.header_list)["location"]) == (303, way)


async def test_a_form_of_another_site_uses_nothing(service: Service, event: Event):
    ada = signed_in(service, 1)
    answer = await ada.post(
        f"/events/{event.event_id}/code", [("code", code_of(event))], headers=[("origin", "https://elsewhere.example")]
    )
    assert answer.status == 403
    assert await service.database.pool.fetchval("SELECT count(*) FROM access_code") == 0


async def test_where_nobody_asks_for_one_the_page_leads_on(service: Service):
    event = await service.sell()
    ada = signed_in(service, 1)
    await ada.open(f"/events/{event.event_id}/code")
    assert ada.address == f"/events/{event.event_id}/seats"
    assert (await ada.open("/events/99999/code")).status == 404


async def test_a_session_that_has_ended_is_said_with_the_way_back_in(service: Service, event: Event):
    ada = signed_in(service, 1)
    await ada.open(f"/events/{event.event_id}/code")
    await ada.press("Go in", {"code": code_of(event)})
    method, address, written = ada.form("Hold the best 2 together")
    assert method == "post"
    del ada.cookies[f"frontrow-session-{event.event_id}"]
    refused = await ada.post(address, written)
    assert "For invited fans at the moment" in refused.text
