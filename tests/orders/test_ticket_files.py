"""Tickets as files over HTTP: for their fan alone, and only while they are good."""

import pytest
from tests.orders.shopping import Shop, pay
from tests.tickets.test_qr import read, seen
from tests.web.fans import Fan

from frontrow.core.catalogue import Event
from frontrow.core.ticket_qr import qr


@pytest.fixture
async def fan(open_shop: Shop, event: Event) -> Fan:
    """Who has two tickets."""
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0, 1)
    assert (await pay(fan, "a")).status == 200
    return fan


async def tickets(fan: Fan) -> list[dict[str, str]]:
    return (await fan.ask("GET", "/api/v1/orders/order-a")).json()["tickets"]


async def test_a_ticket_to_print(fan: Fan):
    first, second = await tickets(fan)
    answer = await fan.ask("GET", first["pdf_url"])
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.body.startswith(b"%PDF-")
    assert answer.body != (await fan.ask("GET", second["pdf_url"])).body
    assert answer.body == (await fan.ask("GET", first["pdf_url"])).body


async def test_its_code_alone(fan: Fan):
    for ticket in await tickets(fan):
        answer = await fan.ask("GET", ticket["pdf_url"].replace(".pdf", ".svg"))
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert answer.text == qr(ticket["code"]).svg
        assert read(seen(qr(ticket["code"]))) == ticket["code"]


async def test_others_have_no_ticket(fan: Fan, open_shop: Shop, event: Event):
    [ticket, _] = await tickets(fan)
    for path in (ticket["pdf_url"], ticket["pdf_url"].replace(".pdf", ".svg")):
        assert (await open_shop.service.fan(2, event).ask("GET", path)).problem() == "not-found"
        assert (await open_shop.service.ask("GET", path)).problem() == "sign-in-needed"


async def test_a_cancelled_one_has_no_file_and_its_neighbour_has(fan: Fan, open_shop: Shop):
    first, second = await tickets(fan)
    await open_shop.rows("UPDATE ticket SET state = 'cancelled' WHERE ticket_id = $1::text::uuid", first["ticket_id"])
    assert (await fan.ask("GET", first["pdf_url"])).problem() == "not-found"
    assert (await fan.ask("GET", first["pdf_url"].replace(".pdf", ".svg"))).problem() == "not-found"
    assert (await fan.ask("GET", second["pdf_url"])).status == 200


@pytest.mark.parametrize(
    "file",
    [
        "{}",  # neither the one nor the other
        "{}.png",
        "{}.pdf.svg",
        "nothing.pdf",
        "00000000-0000-0000-0000-000000000007.pdf",  # an id that is nobody's
        "{{{}}}.pdf",  # the same ticket, written as we never write it
        ".pdf",
    ],
)
async def test_what_is_no_file(fan: Fan, file: str):
    [ticket, _] = await tickets(fan)
    answer = await fan.ask("GET", f"/api/v1/tickets/{file.format(ticket['ticket_id'])}")
    assert answer.problem() == "not-found"
