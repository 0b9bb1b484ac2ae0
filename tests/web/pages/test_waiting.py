"""The waiting page without scripts: joining, waiting, coming in, and every reason why not. It says what is true."""

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pytest
from tests.web.fans import Service
from tests.web.pages.browsing import Browser
from tests.web.pages.test_pages import check_whole

from frontrow.core.catalogue import Event, Publication
from frontrow.web.line import Eta
from frontrow.web.pages import words

LOOKS_MAX = 300  # a net: it takes four seconds


def line(event: Event) -> str:
    return f"/events/{event.event_id}/line"


async def gathering(service: Service, **terms: object) -> Event:
    return await service.sell(waiting_room=True, on_sale_at=datetime.now(UTC) + timedelta(minutes=10), **terms)


async def test_one_joins_and_the_place_is_kept(browser: Browser, service: Service):
    event = await gathering(service)
    await browser.open(line(event))
    check_whole(browser.page)
    assert "Join the line" in browser.text
    await browser.press("Join the line")
    check_whole(browser.page)
    assert (browser.status, browser.address) == (200, line(event))
    assert "You are in line." in browser.text
    assert "your place stays yours" in browser.text
    ticket = browser.cookies[f"frontrow-line-{event.event_id}"]
    await browser.open(line(event))
    assert browser.cookies[f"frontrow-line-{event.event_id}"] == ticket
    assert "Stalls" in browser.text, "what is left"


async def test_it_comes_back_by_itself_without_scripts(browser: Browser, service: Service):
    event = await gathering(service)
    await (await browser.open(line(event))).press("Join the line")
    [seconds] = re.findall(r'<noscript><meta http-equiv="refresh" content="(\d+)"></noscript>', browser.source)
    assert 2 <= int(seconds) <= 90


@pytest.mark.slow
async def test_one_comes_in_and_chooses(browser: Browser, service: Service):
    """With the real clock: the door opens, the line moves, and the page leads to the seats."""
    event = await service.sell(waiting_room=True)
    await (await browser.open(line(event))).press("Join the line")
    for _ in range(LOOKS_MAX):
        if (await browser.open(line(event))).address.endswith("/seats"):
            break
        await asyncio.sleep(0.1)
    assert f"frontrow-session-{event.event_id}" in browser.cookies
    await browser.press("Hold the best 2 together")
    assert "Held for you" in browser.text
    await browser.ask("POST", f"/events/{event.event_id}/leave")


@pytest.mark.parametrize(
    ("terms", "says"),
    [
        ({"on_sale_at": datetime.now(UTC) + timedelta(hours=3)}, "The waiting room opens in"),
        ({"publication": Publication.CANCELLED}, "This event does not take place."),
    ],
)
async def test_nobody_can_join(browser: Browser, service: Service, terms: dict[str, object], says: str):
    event = await service.sell(waiting_room=True, **terms)
    await browser.open(line(event))
    check_whole(browser.page)
    assert browser.status == 200
    assert says in browser.text
    assert "Join the line" not in browser.text


async def test_sold_out_is_told(browser: Browser, service: Service):
    event = await service.sell(waiting_room=True)
    await service.database.ledger.block_seats(event.event_id, [[*range(7)]])  # pyright: ignore[reportArgumentType] -- numbers
    await browser.open(line(event))
    assert "Every seat is sold." in browser.text


async def test_why_the_line_stands_still(browser: Browser, service: Service):
    event = await service.sell(waiting_room=True)
    async with service.database.pool.acquire() as connection:
        await connection.execute("UPDATE line SET paused = 'The bank is slow.' WHERE event_id = $1", event.event_id)
    await (await browser.open(line(event))).press("Join the line")
    assert "The bank is slow." in browser.text
    assert "Paused" in browser.text


async def test_an_event_without_a_line(browser: Browser, service: Service, event: Event):
    for address in (line(event), "/events/999999999/line", "/events/x/line"):
        await browser.open(address)
        assert browser.status == 404
    assert (await browser.ask("POST", f"/events/{event.event_id}/leave")).status == 404
    assert service


async def test_the_event_s_page_leads_to_it(browser: Browser, service: Service):
    event = await gathering(service)
    await browser.open(f"/events/{event.event_id}")
    await browser.follow("Go to the waiting room")
    assert browser.address == line(event)


@pytest.mark.parametrize(
    ("eta", "says"),
    [
        (None, "a while"),
        (Eta(1, 1), "about a minute"),
        (Eta(10, 15), "10 to 15 minutes"),
        (Eta(15, 15), "about 15 minutes"),
        (Eta(90, 180), "90 minutes to 3 hours"),
        (Eta(180, 480), "3 hours to 8 hours"),
    ],
)
def test_a_wait_in_words(eta: Eta | None, says: str):
    assert words.wait(eta) == says
