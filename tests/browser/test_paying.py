"""From held seats to tickets, with psp-sim as the bank: paid at once, declined first, asked by the bank, in no time."""

import re
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import expect
from tests.browser.conftest import NewFan
from tests.browser.fans import PHONE, Fan
from tests.browser.site import THEATRE, Site
from tests.browser.test_everybody import violations
from tests.tickets.test_qr import read, seen

from frontrow.core.ticket_qr import Qr
from frontrow.core.tickets import TicketFacts, read_code
from frontrow.processes.signing_keys import ticket_signer
from frontrow.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

EMAIL = "ada@example.org"


async def to_checkout(fan: Fan, event_id: int) -> None:
    """Seats are held, and the page to pay is open. From the list: it is the same with and without scripts."""
    await fan.page.goto(f"/events/{event_id}/seats/list")
    await fan.page.get_by_role("button", name="Hold the best together").click()
    await fan.page.get_by_role("link", name="Go on and pay").click()
    await fan.page.wait_for_url("**/checkout")


async def pay(fan: Fan, method: str = "pm_ok") -> None:
    """Press the button of a method. The address is asked for once."""
    email = fan.page.get_by_label("Where do the tickets go?")
    if await email.count():
        await email.fill(EMAIL)
    if method != "pm_ok":
        await fan.page.locator("details.ways summary").click()
    await fan.page.locator(f"button[value={method}]").click()


async def is_paid(fan: Fan) -> None:
    await expect(fan.page.get_by_text("These are yours")).to_be_visible()


async def money(site: Site, event_id: int) -> list[dict[str, Any]]:
    """What lies with the provider for this event, as the books have it."""
    rows = await site.database.pool.fetch(
        "SELECT order_id, sum(amount_minor)::bigint AS minor FROM money_entry JOIN fan_order USING (order_id)"
        " WHERE event_id = $1 AND account = 'provider' GROUP BY order_id",
        event_id,
    )
    return [dict(row) for row in rows]


@pytest.mark.slow
async def test_from_the_event_to_a_ticket_that_opens_the_door(fan: Fan, site: Site):
    event_id = site.event()
    await fan.page.goto(f"/events/{event_id}")
    await fan.page.get_by_role("link", name="Choose your seats").click()
    await fan.ready()
    await fan.hold()
    [[first, second]] = await site.held(event_id)
    await fan.page.get_by_role("link", name="Go on and pay").click()
    await pay(fan)
    await is_paid(fan)
    facts = [await scanned(fan, site, number) for number in (0, 1)]
    assert [(each.event_id, each.seat_no) for each in facts] == [(event_id, first), (event_id, second)]
    assert facts[0].serial != facts[1].serial
    for name, kind in (("Tickets as PDF", "application/pdf"), ("PDF of this ticket", "application/pdf")):
        link = await fan.page.get_by_role("link", name=name).first.get_attribute("href")
        answer = await fan.context.request.get(link or "")
        assert (answer.status, answer.headers["content-type"]) == (200, kind)
    await fan.page.get_by_role("link", name="Your orders").first.click()
    await expect(fan.page.locator("article .status")).to_have_text("Paid")


async def scanned(fan: Fan, site: Site, number: int) -> TicketFacts:
    """What the door reads off the screen."""
    drawn = fan.page.locator(".paper svg.qr").nth(number)
    size = int((await drawn.get_attribute("viewBox") or "").split()[-1])
    code = read(seen(Qr(size, await drawn.locator("path").get_attribute("d") or "")))
    signer = ticket_signer(Settings(data_dir=site.copy.data_dir))
    facts = read_code(code or "", signer.public_keys)
    assert isinstance(facts, TicketFacts)
    return facts


@pytest.mark.slow
async def test_declined_and_then_paid(fan: Fan, site: Site):
    event_id = site.event()
    await to_checkout(fan, event_id)
    await pay(fan, "pm_insufficient")
    await expect(fan.page.get_by_role("alert")).to_contain_text("There is not enough on this card")
    assert await money(site, event_id) == []
    await pay(fan)
    await is_paid(fan)
    assert len(await money(site, event_id)) == 1


@pytest.mark.slow
async def test_to_the_bank_and_back(fan: Fan, site: Site):
    await to_checkout(fan, site.event())
    await pay(fan, "pm_challenge")
    await fan.page.get_by_role("link", name="Go to your bank").click()
    await fan.page.get_by_role("button", name="Approve").click()
    await is_paid(fan)
    assert "payment_intent" not in fan.page.url, "what the bank's way back told stays in no address"


@pytest.mark.slow
async def test_the_bank_is_told_that_it_was_somebody_else(fan: Fan, site: Site):
    event_id = site.event()
    await to_checkout(fan, event_id)
    await pay(fan, "pm_challenge")
    await fan.page.get_by_role("link", name="Go to your bank").click()
    await fan.page.get_by_role("button", name="Refuse").click()
    await expect(fan.page.get_by_role("alert")).to_contain_text("Nothing was charged")
    assert await money(site, event_id) == []
    await pay(fan)
    await is_paid(fan)


async def test_without_scripts(new_fan: NewFan, site: Site):
    """The whole way on a telephone, with a bank that asks; the page of what is under way reloads itself."""
    fan = await new_fan(java_script_enabled=False, **PHONE)
    await to_checkout(fan, site.event(THEATRE))
    await fan.page.get_by_label("Where do the tickets go?").fill("nobody")
    await fan.page.locator("p.pay button").click()
    await expect(fan.page.get_by_role("alert")).to_contain_text("no address that mail gets to")
    await pay(fan, "pm_challenge")
    await fan.page.get_by_role("link", name="Go to your bank").click()
    await fan.page.get_by_role("button", name="Approve").click()
    await is_paid(fan)
    await fan.page.get_by_role("button", name="Mail the tickets again").click()
    await expect(fan.page.get_by_text("On its way again")).to_be_visible()


@pytest.mark.slow
async def test_going_back_and_paying_again_pays_once(fan: Fan, site: Site):
    event_id = site.event()
    await to_checkout(fan, event_id)
    form = {name: await fan.page.locator(f"input[name={name}]").input_value() for name in ("order_id", "attempt_id")}
    address = fan.page.url
    await pay(fan)
    await is_paid(fan)
    order = fan.page.url
    again: dict[str, str | float | bool] = {**form, "email": EMAIL, "payment_method": "pm_ok"}
    for attempt in (again, again | {"attempt_id": "another"}, again | {"order_id": "another", "attempt_id": "third"}):
        answer = await fan.context.request.post(address, form=attempt)
        assert answer.url == order
    await fan.page.goto(address)
    assert fan.page.url == order, "there is nothing left to pay"
    assert len(await money(site, event_id)) == 1


@pytest.mark.slow
async def test_not_in_time_and_the_same_seats_again(fan: Fan, site: Site):
    event_id = site.event()
    await to_checkout(fan, event_id)
    await pay(fan, "pm_declined")
    await expect(fan.page.get_by_role("alert")).to_be_visible()
    await site.database.pool.execute(
        "UPDATE fan_order SET made_at = made_at - interval '1 hour', pay_by = pay_by - interval '1 hour',"
        " lapse_at = lapse_at - interval '1 hour' WHERE event_id = $1",
        event_id,
    )
    await fan.page.reload()
    await expect(fan.page.get_by_text("The time is over")).to_be_visible()
    while await site.database.pool.fetchval("SELECT state FROM fan_order WHERE event_id = $1", event_id) == "open":
        await fan.page.wait_for_timeout(50)  # the sweeper looks twice a second
    await fan.page.reload()
    await fan.page.get_by_role("button", name="Try the same seats again").click()
    await fan.arrive()


@pytest.mark.slow
async def test_others_have_no_way_to_it(new_fan: NewFan, site: Site):
    fan, stranger = await new_fan(), await new_fan()
    await to_checkout(fan, site.event())
    await pay(fan)
    await is_paid(fan)
    pdf = await fan.page.get_by_role("link", name="PDF of this ticket").first.get_attribute("href") or ""
    await stranger.page.goto(f"/events/{site.event()}/seats")  # they are somebody too
    addresses = [fan.page.url + path for path in ("", "/standing", "/tickets.pdf", "/calendar.ics")]
    for address in (*addresses, pdf, pdf.replace(".pdf", ".svg"), f"/api/v1/tickets/{UUID(int=7)}.pdf"):
        assert (await stranger.context.request.get(address)).status == 404, address
    for path in ("/pay", "/resend"):
        assert (await stranger.context.request.post(fan.page.url + path, form={})).status == 404
    assert (await fan.context.request.get(pdf)).status == 200


@pytest.mark.slow
async def test_the_tickets_come_by_mail_too(fan: Fan, site: Site):
    await to_checkout(fan, site.event(THEATRE))
    await pay(fan)
    await is_paid(fan)
    number = await fan.page.locator("dl.history dd").first.inner_text()
    async with fan.context.expect_page() as opened:
        await fan.page.evaluate("() => { open('/mails') }")
    mails = await opened.value
    mail = mails.locator("article", has_text=number)
    while not await mail.count():
        await mails.reload()
    await expect(mail).to_contain_text(f"tickets-{number}.pdf")
    await expect(mail).to_contain_text(re.compile(r"Stalls centre, row \w+, seats \d+ and \d+"))


@pytest.mark.slow
async def test_everybody_can_use_these_pages(new_fan: NewFan, site: Site):
    fan = await new_fan()
    await to_checkout(fan, site.event(THEATRE))
    found = {"checkout": await looked_at(fan)}
    await pay(fan, "pm_declined")
    await expect(fan.page.get_by_role("alert")).to_be_visible()
    found["declined"] = await looked_at(fan)
    await pay(fan, "pm_challenge")
    await expect(fan.page.get_by_role("link", name="Go to your bank")).to_be_visible()
    found["challenged"] = await looked_at(fan)
    await pay_instead(fan)
    await is_paid(fan)
    found["paid"] = await looked_at(fan)
    await fan.page.goto("/orders")
    found["orders"] = await looked_at(fan)
    assert {page: findings for page, findings in found.items() if findings} == {}


async def pay_instead(fan: Fan) -> None:
    await fan.page.locator("details.ways summary").click()
    await fan.page.locator("button[value=pm_ok]").click()


async def looked_at(fan: Fan) -> list[str]:
    """What axe has against the page in every size and scheme, and whether it runs over the edge."""
    found: list[str] = []
    for width in (360, 768, 1440):
        for scheme in ("light", "dark"):
            await fan.page.set_viewport_size({"width": width, "height": 800})
            await fan.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType] -- one of both
            found += await violations(fan)
        if await fan.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"runs over the edge at {width}")
    return found
