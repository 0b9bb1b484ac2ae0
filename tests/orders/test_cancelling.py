"""Cancelling over HTTP: orders that are not paid yet, tickets that are; and where the money and the seats go."""

import asyncio
from typing import Any

import pytest
from tests.orders.shopping import Attempts, Shop, pay, read
from tests.web.asking import Answer
from tests.web.fans import Fan

from frontrow.core.catalogue import Event


async def cancel(fan: Fan, name: str, wish: str = "1", *tickets: str) -> Answer:
    body: dict[str, Any] = {"cancel_id": Attempts.named(wish)} | ({"tickets": tickets} if tickets else {})
    return await fan.ask("POST", f"/api/v1/orders/order-{name}/cancel", json=body)


async def test_a_whole_order_comes_back(open_shop: Shop, event: Event):
    fan, other = open_shop.service.fan(1, event), open_shop.service.fan(2, event)
    before = open_shop.money().get("ours", 0)
    total = (await open_shop.order(fan, event, "a", 0, 1)).json()["total"]["amount"]
    await pay(fan, "a")
    cancelled = (await cancel(fan, "a")).json()
    assert (cancelled["state"], cancelled["refund"]["amount"], cancelled["refund"]["state"]) == (
        "refunded",
        total,
        "asked",
    )
    assert {ticket["state"] for ticket in cancelled["tickets"]} == {"cancelled"}
    assert await open_shop.violations() == []
    await open_shop.sweep()
    again = (await cancel(fan, "a")).json()
    assert again["refund"] == cancelled["refund"] | {"state": "arrived"}
    assert open_shop.money()["ours"] == before
    assert [row["state"] for row in await open_shop.rows("SELECT state FROM payment_attempt")] == ["refunded"]
    await open_shop.order(other, event, "b", 0, 1)
    assert (await pay(other, "b")).status == 200
    assert await open_shop.violations() == []


async def test_single_tickets_come_back(open_shop: Shop, event: Event):
    fan, before = open_shop.service.fan(1, event), open_shop.money().get("ours", 0)
    made = (await open_shop.order(fan, event, "a", 0, 1, 4)).json()
    prices = {seat["seat"]: seat["price"]["amount"] for seat in made["seats"]}
    tickets = {ticket["seat"]: ticket["ticket_id"] for ticket in (await pay(fan, "a")).json()["tickets"]}
    first = (await cancel(fan, "a", "1", tickets[1])).json()
    assert (first["state"], first["refund"]["amount"]) == ("paid", prices[1])
    assert {ticket["seat"]: ticket["state"] for ticket in first["tickets"]} == {0: "valid", 1: "cancelled", 4: "valid"}
    again = await cancel(fan, "a", "2", tickets[1])
    assert (again.status, again.problem()) == (422, "invalid")
    rest = (await cancel(fan, "a", "3")).json()
    assert (rest["state"], rest["refund"]["amount"]) == ("refunded", prices[0] + prices[4])
    await open_shop.sweep()
    assert open_shop.money()["ours"] == before
    assert await open_shop.violations() == []


async def test_one_wish_is_one_refund(open_shop: Shop, event: Event):
    fan, before = open_shop.service.fan(1, event), open_shop.money().get("ours", 0)
    await open_shop.order(fan, event, "a", 0, 1)
    tickets = [ticket["ticket_id"] for ticket in (await pay(fan, "a")).json()["tickets"]]
    answers = await asyncio.gather(*(cancel(fan, "a", "1", tickets[0]) for _ in range(10)))
    assert {answer.status for answer in answers} == {200}
    answers = await asyncio.gather(*(cancel(fan, "a", f"{wish}") for wish in range(2, 12)))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 9
    await open_shop.sweep()
    assert len(await open_shop.rows("SELECT * FROM refund")) == 2
    assert open_shop.money()["ours"] == before
    assert await open_shop.violations() == []


async def test_an_open_order_is_given_up(open_shop: Shop, event: Event):
    fan, other = open_shop.service.fan(1, event), open_shop.service.fan(2, event)
    await open_shop.order(fan, event, "a", 0)
    assert (await pay(fan, "a", "pm_challenge")).status == 202
    assert ((await cancel(fan, "a")).json()["state"], (await cancel(fan, "a")).json()["refund"]) == ("cancelled", None)
    assert (await pay(fan, "a", "pm_ok", "2")).problem() == "not-payable"
    assert (await fan.read("hold-a")).json()["state"] == "released"
    await open_shop.order(other, event, "b", 0)
    await open_shop.sweep()
    assert [row["state"] for row in await open_shop.rows("SELECT state FROM payment_attempt")] == ["voided"]
    assert await open_shop.violations() == []


async def test_what_is_being_paid_is_not_given_up(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    assert (await pay(fan, "a", "pm_late")).status == 202
    refused = await cancel(fan, "a")
    assert (refused.status, refused.problem()) == (409, "not-cancellable")
    await open_shop.sweep_until(fan, "a", "paid")
    assert (await cancel(fan, "a")).json()["state"] == "refunded"


async def test_money_that_comes_for_a_cancelled_order_goes_back(open_shop: Shop, event: Event):
    """The challenge is met after all, before the payment is void."""
    fan, kept = open_shop.service.fan(1, event), open_shop.money().get("kept", 0)
    await open_shop.order(fan, event, "a", 0)
    url = (await pay(fan, "a", "pm_challenge")).json()["next_action"]["url"]
    await cancel(fan, "a")
    open_shop.psp.asked("POST", url.removeprefix(open_shop.psp.url), data={"answer": "approve"})
    await open_shop.sweep()
    assert open_shop.money().get("kept", 0) == kept
    assert (await read(fan, "a")).json()["state"] == "cancelled"
    assert await open_shop.violations() == []


@pytest.mark.parametrize(("minutes", "status"), [(61, 200), (59, 409)])
async def test_until_an_hour_before_it_begins(open_shop: Shop, event: Event, minutes: int, status: int):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a")
    await open_shop.service.database.pool.execute(
        "UPDATE event SET starts_at = now() + make_interval(mins => $1), ends_at = now() + interval '1 day'"
        " WHERE event_id = $2",
        minutes,
        event.event_id,
    )
    assert (await cancel(fan, "a")).status == status


async def test_strangers_cancel_nothing(open_shop: Shop, event: Event):
    fan, stranger = open_shop.service.fan(1, event), open_shop.service.fan(2, event)
    await open_shop.order(fan, event, "a", 0)
    tickets = (await pay(fan, "a")).json()["tickets"]
    assert (await cancel(stranger, "a")).status == 404
    await open_shop.order(stranger, event, "b", 1)
    await pay(stranger, "b")
    assert (await cancel(stranger, "b", "1", tickets[0]["ticket_id"])).status == 422
    assert {row["state"] for row in await open_shop.rows("SELECT state FROM ticket")} == {"valid"}
    for tickets_ in ([], ["x", "x"], ["x"] * 11, "x"):
        body = {"cancel_id": "1", "tickets": tickets_}
        assert (await fan.ask("POST", "/api/v1/orders/order-a/cancel", json=body)).status == 422


@pytest.mark.parametrize("kind", ["apply_then_hang", "apply_then_error", "server_error", "drop_before_apply"])
async def test_a_refund_arrives_once_whatever_happens_on_the_way(
    open_shop: Shop, event: Event, kind: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("frontrow.adapters.payments.stripe_api.ANSWER_SECONDS_MAX", 0.3)
    fan, before = open_shop.service.fan(1, event), open_shop.money().get("ours", 0)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a")
    await cancel(fan, "a")
    fault = {"kind": kind, "call": "refunds.create", "times": 1}
    assert open_shop.psp.asked("POST", "/sim/faults", json=fault).status_code == 201
    for _ in range(5):
        await open_shop.sweep()
        await open_shop.due()
    assert open_shop.money()["ours"] == before
    assert (await cancel(fan, "a")).json()["refund"]["state"] == "arrived"
    assert await open_shop.violations() == []
