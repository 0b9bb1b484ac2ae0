"""From held seats to tickets over HTTP: paid, declined, challenged; and paid once, however often it is asked for."""

import asyncio
from typing import Any

import pytest
from tests.orders.shopping import Attempts, Shop, make_order, pay, read
from tests.web.asking import Answer

from frontrow.core.catalogue import Event
from frontrow.core.tickets import CodeRefused, read_code
from frontrow.processes.signing_keys import ticket_signer


def paid(answer: Answer) -> list[Any]:
    assert answer.status == 200, answer.text
    assert answer.json()["state"] == "paid"
    return answer.json()["tickets"]


async def attempts(shop: Shop) -> list[Any]:
    return [row["state"] for row in await shop.rows("SELECT state FROM payment_attempt ORDER BY made_at")]


async def test_paid_with_tickets(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    before = open_shop.money().get("ours", 0)
    made = await open_shop.order(fan, event, "a", 0, 1)
    assert made.status == 201
    assert made.json()["state"] == "open"
    assert made.json()["payment"]["provider"] == "psp-sim"
    total = made.json()["total"]["amount"]
    tickets = paid(await pay(fan, "a"))
    assert [ticket["seat"] for ticket in tickets] == [0, 1]
    assert open_shop.money()["ours"] - before == total == sum(seat["price"]["amount"] for seat in made.json()["seats"])
    order = (await read(fan, "a")).json()
    assert (order["state"], order["tickets"]) == ("paid", tickets)
    assert (await fan.ask("GET", "/api/v1/orders")).json()["orders"][0]["tickets"] == tickets
    assert (await fan.read("hold-a")).json()["state"] == "sold"
    keys = ticket_signer(open_shop.settings).public_keys
    for ticket in tickets:
        facts = read_code(ticket["code"], keys)
        assert not isinstance(facts, CodeRefused)
        assert (facts.event_id, facts.seat_no) == (event.event_id, ticket["seat"])
    assert await attempts(open_shop) == ["captured"]
    assert await open_shop.violations() == []


async def test_declined_and_then_paid_another_way(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    for attempt, method, reason in (
        ("1", "pm_declined", "generic_decline"),
        ("2", "pm_insufficient", "insufficient_funds"),
    ):
        refused = await pay(fan, "a", method, attempt)
        assert (refused.status, refused.problem(), refused.json()["reason"]) == (402, "declined", reason)
        again = await pay(fan, "a", method, attempt)
        assert (again.status, again.json()["reason"]) == (402, reason)
    assert (await fan.read("hold-a")).json()["state"] == "checkout"
    assert len(paid(await pay(fan, "a", "pm_ok", "3"))) == 1
    assert await open_shop.violations() == []


async def test_a_double_click_is_one_payment(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    total = (await open_shop.order(fan, event, "a", 0, 1)).json()["total"]["amount"]
    before = open_shop.money().get("ours", 0)
    answers = await asyncio.gather(*(pay(fan, "a") for _ in range(200)))
    first, *others = map(paid, answers)
    assert all(other == first for other in others)
    assert open_shop.money()["ours"] - before == total
    assert await attempts(open_shop) == ["captured"]
    assert await open_shop.violations() == []


async def test_two_tabs_are_one_payment(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    total = (await open_shop.order(fan, event, "a", 0, 1)).json()["total"]["amount"]
    before = open_shop.money().get("ours", 0)
    answers = await asyncio.gather(*(pay(fan, "a", attempt=str(tab)) for tab in range(200)))
    assert {answer.status for answer in answers} <= {200, 202}
    paid(await pay(fan, "a", attempt="later"))
    assert open_shop.money()["ours"] - before == total
    assert await attempts(open_shop) == ["captured"]
    assert await open_shop.violations() == []


async def test_control_without_the_rule_two_tabs_pay_twice(open_shop: Shop, event: Event):
    """The index and the function's own look at attempts that are under way are the rule."""
    fan = open_shop.service.fan(1, event)
    pool = open_shop.service.database.pool
    await pool.execute("DROP INDEX payment_attempt_live")
    body: str = await pool.fetchval("SELECT pg_get_functiondef('begin_attempts_v1'::regproc)")
    await pool.execute(body.replace("live.state IN ('created',", "live.state IN ("))
    await open_shop.order(fan, event, "a", 0, 1)
    answers = await asyncio.gather(*(pay(fan, "a", attempt=str(tab)) for tab in range(3)))
    assert {answer.status for answer in answers} <= {200, 202, 409, 410}
    assert len(await attempts(open_shop)) > 1


async def test_a_challenge_is_met_at_the_bank(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    wanted = await pay(fan, "a", "pm_challenge")
    assert (wanted.status, wanted.json()["state"]) == (202, "processing")
    assert wanted.json()["next_action"]["type"] == "redirect"
    url = wanted.json()["next_action"]["url"]
    assert (await pay(fan, "a", "pm_challenge")).json()["next_action"]["url"] == url
    open_shop.psp.asked("POST", url.removeprefix(open_shop.psp.url), data={"answer": "approve"})
    assert len(paid(await pay(fan, "a", "pm_challenge"))) == 1
    assert await open_shop.violations() == []


async def test_a_challenge_gives_way_to_another_try(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    assert (await pay(fan, "a", "pm_challenge")).status == 202
    paid(await pay(fan, "a", "pm_ok", "2"))
    assert await attempts(open_shop) == ["voiding", "captured"]
    jobs = await open_shop.rows("SELECT kind FROM job WHERE kind NOT LIKE '%-mail'")
    assert [job["kind"] for job in jobs] == ["void-payment"]
    assert await open_shop.violations() == []


async def test_the_order_again_is_the_same_order(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    made = (await open_shop.order(fan, event, "a", 0)).json()
    again = await make_order(fan, "a")
    assert (again.status, again.json()) == (201, made)
    other = await make_order(fan, "b", hold="a")
    assert (other.status, other.problem()) == (409, "order-exists")
    assert (await fan.ask("GET", f"/api/v1/orders/{other.json()['order_id']}")).json()["hold_id"] == made["hold_id"]
    await fan.ask(
        "POST", f"/api/v1/orders/{other.json()['order_id']}/pay", json={"attempt_id": "1", "payment_method": "pm_ok"}
    )
    assert (await make_order(fan, "a")).json()["state"] == "paid"


async def test_strangers_find_nothing(open_shop: Shop, event: Event):
    fan, stranger = open_shop.service.fan(1, event), open_shop.service.fan(2, event)
    await open_shop.order(fan, event, "a", 0)
    assert (await make_order(stranger, "b", hold="a")).status == 404
    assert (await pay(stranger, "a")).status == 404
    assert (await read(stranger, "a")).status == 404
    assert (await stranger.ask("GET", "/api/v1/orders")).json() == {"orders": []}
    await stranger.hold(event, "hold-a", 1)
    taken = await make_order(stranger, "a", hold="c")
    assert taken.status == 404
    await stranger.hold(event, "hold-c", 1)
    taken = await make_order(stranger, "a", hold="c")
    assert (taken.status, taken.json()["order_id"]) == (409, None)
    nobody = open_shop.service
    assert (await nobody.ask("GET", "/api/v1/orders")).status == 401
    assert (
        await nobody.ask("POST", "/api/v1/orders/order-a/pay", json={"attempt_id": "1", "payment_method": "pm_ok"})
    ).status == 401


async def test_prices_are_those_of_the_order(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    made = (await open_shop.order(fan, event, "a", 0)).json()
    await open_shop.service.database.pool.execute("UPDATE price_level SET amount_minor = amount_minor + 1000")
    before = open_shop.money().get("ours", 0)
    paid(await pay(fan, "a"))
    assert open_shop.money()["ours"] - before == made["total"]["amount"]
    assert (await read(fan, "a")).json()["total"] == made["total"]


async def test_what_is_free_is_not_charged(open_shop: Shop, event: Event):
    await open_shop.service.database.pool.execute("UPDATE price_level SET amount_minor = 0, fee_minor = 0")
    fan, before = open_shop.service.fan(1, event), len(open_shop.intents())
    assert (await open_shop.order(fan, event, "a", 0)).json()["total"]["amount"] == 0
    assert len(paid(await pay(fan, "a"))) == 1
    assert len(open_shop.intents()) == before
    assert await open_shop.violations() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/orders", {"order_id": "o", "hold_id": "h"}),
        ("/api/v1/orders", {"order_id": "o", "hold_id": "h", "email": "nobody"}),
        ("/api/v1/orders", {"order_id": "", "hold_id": "h", "email": "a@example.org"}),
        ("/api/v1/orders", {"order_id": "o/p", "hold_id": "h", "email": "a@example.org"}),
        ("/api/v1/orders", {"order_id": 7, "hold_id": "h", "email": "a@example.org"}),
        ("/api/v1/orders/order-a/pay", {"attempt_id": "1"}),
        ("/api/v1/orders/order-a/pay", {"attempt_id": "1", "payment_method": "pm ok"}),
        ("/api/v1/orders/order-a/pay", {"attempt_id": "1", "payment_method": "x" * 256}),
    ],
)
async def test_bad_input(open_shop: Shop, event: Event, path: str, body: object):
    fan = open_shop.service.fan(1, event)
    refused = await fan.ask("POST", path, json=body)
    assert (refused.status, refused.problem()) == (422, "invalid")
    assert await open_shop.rows("SELECT * FROM fan_order") == []


async def test_a_method_that_nobody_knows_is_declined(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    refused = await pay(fan, "a", "pm_nobody")
    assert (refused.status, refused.json()["reason"]) == (402, "resource_missing")
    assert await open_shop.violations() == []


async def test_amounts_that_a_client_sends_are_not_looked_at(open_shop: Shop, event: Event):
    fan, before = open_shop.service.fan(1, event), open_shop.money().get("ours", 0)
    total = (await open_shop.order(fan, event, "a", 0)).json()["total"]["amount"]
    body = {"attempt_id": Attempts.named("1"), "payment_method": "pm_ok", "amount": 50, "currency": "JPY", "seats": [5]}
    assert (await fan.ask("POST", "/api/v1/orders/order-a/pay", json=body)).status == 200
    assert open_shop.money()["ours"] - before == total
