"""Payments whose end nobody saw: the answer was lost, the provider was away, the money came late."""

import json
import time
from typing import Any

import pytest
import stripe
from tests.orders.shopping import Shop, make_order, pay, read
from tests.web.asking import Answer

from frontrow.adapters.payments import stripe_api
from frontrow.core.catalogue import Event
from frontrow.psp_sim.service import WEBHOOK_SECRET


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what does not come for as long as a fan would."""
    monkeypatch.setattr(stripe_api, "ANSWER_SECONDS_MAX", 0.3)


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on every answer comes, however busy this machine is."""
    monkeypatch.setattr(stripe_api, "ANSWER_SECONDS_MAX", 30.0)


async def states(shop: Shop) -> list[str]:
    return [row["state"] for row in await shop.rows("SELECT state FROM payment_attempt ORDER BY made_at")]


def fault(shop: Shop, kind: str, **turned: object) -> None:
    assert shop.psp.asked("POST", "/sim/faults", json={"kind": kind, **turned}).status_code == 201


async def test_an_answer_that_is_lost_is_found(open_shop: Shop, event: Event, monkeypatch: pytest.MonkeyPatch):
    fan, before = open_shop.service.fan(1, event), open_shop.money().get("ours", 0)
    total = (await open_shop.order(fan, event, "a", 0)).json()["total"]["amount"]
    delayed = await pay(fan, "a", "pm_lost")
    assert (delayed.status, delayed.problem()) == (503, "payment-delayed")
    assert delayed.headers["retry-after"] == "10"
    assert await states(open_shop) == ["unknown"]
    assert await open_shop.violations() == []
    be_patient(monkeypatch)
    await open_shop.due()
    await open_shop.sweep()
    assert (await read(fan, "a")).json()["state"] == "paid"
    assert (await pay(fan, "a", "pm_lost")).status == 200
    assert open_shop.money()["ours"] - before == total
    assert await open_shop.violations() == []


async def test_while_it_is_unknown_the_order_has_longer(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await open_shop.service.database.pool.execute("UPDATE fan_order SET pay_by = now() + interval '1 minute'")
    await open_shop.service.database.pool.execute("UPDATE fan_order SET lapse_at = pay_by")
    assert (await pay(fan, "a", "pm_lost")).status == 503
    [order] = await open_shop.rows("SELECT lapse_at - pay_by > interval '4 minutes' AS longer FROM fan_order")
    assert order["longer"]


async def test_a_webhook_has_it_found_at_once(open_shop: Shop, event: Event, monkeypatch: pytest.MonkeyPatch):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a", "pm_lost")
    [attempt] = await open_shop.rows("SELECT attempt_id, ask_at FROM payment_attempt")
    told = await tell(open_shop, "pi_unknown", attempt_id=str(attempt["attempt_id"]))
    assert (told.status, told.json()) == (200, {"received": True})
    be_patient(monkeypatch)
    await open_shop.sweep()
    assert (await read(fan, "a")).json()["state"] == "paid"
    assert await open_shop.violations() == []


async def test_the_provider_breaks_and_yet_it_was_done(open_shop: Shop, event: Event):
    """Their 500 is the answer to this key for ever: the payment is found in the list."""
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    fault(open_shop, "apply_then_error", call="payment_intents.create", times=1)
    assert (await pay(fan, "a")).status == 503
    await open_shop.due()
    await open_shop.sweep()
    assert (await read(fan, "a")).json()["state"] == "paid"
    assert await open_shop.violations() == []


async def test_the_provider_breaks_and_nothing_was_done(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    fault(open_shop, "server_error", call="payment_intents.create", times=1)
    assert (await pay(fan, "a")).status == 503
    await open_shop.due()
    await open_shop.sweep()
    assert await states(open_shop) == ["declined"]
    assert (await pay(fan, "a", attempt="2")).status == 200
    assert await open_shop.violations() == []


@pytest.mark.parametrize("kind", ["drop_before_apply", "apply_then_hang", "server_error", "apply_then_error"])
async def test_what_is_sold_is_paid_even_if_taking_the_money_fails_first(open_shop: Shop, event: Event, kind: str):
    fan, before = open_shop.service.fan(1, event), open_shop.money().get("ours", 0)
    total = (await open_shop.order(fan, event, "a", 0)).json()["total"]["amount"]
    fault(open_shop, kind, call="payment_intents.capture", times=1)
    assert (await pay(fan, "a")).status == 200
    assert await open_shop.violations() == []
    await open_shop.due()
    await open_shop.sweep()
    assert await states(open_shop) == ["captured"]
    assert open_shop.money()["ours"] - before == total
    assert await open_shop.violations() == []


async def test_an_order_that_is_not_paid_lapses(open_shop: Shop, event: Event):
    fan, other = open_shop.service.fan(1, event), open_shop.service.fan(2, event)
    await open_shop.order(fan, event, "a", 0)
    await open_shop.sweep()
    assert (await read(fan, "a")).json()["state"] == "open"
    await open_shop.over()
    refused = await pay(fan, "a")
    assert (refused.status, refused.problem()) == (410, "order-lapsed")
    await open_shop.sweep()
    assert (await read(fan, "a")).json()["state"] == "lapsed"
    assert (await pay(fan, "a")).status == 410
    assert (await make_order(fan, "a")).problem() == "order-lapsed"
    assert (await fan.read("hold-a")).json()["state"] == "expired"
    await open_shop.held(other, event, "b", 0)
    assert await open_shop.violations() == []


async def test_late_money_buys_the_same_seats_if_they_are_free(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0, 1)
    assert (await pay(fan, "a", "pm_late")).json()["state"] == "processing"
    await open_shop.over()
    await open_shop.sweep()
    assert (await read(fan, "a")).json()["state"] == "lapsed"
    await open_shop.sweep_until(fan, "a", "paid")
    assert len((await read(fan, "a")).json()["tickets"]) == 2
    assert await states(open_shop) == ["captured"]
    assert await open_shop.violations() == []


async def test_late_money_goes_back_if_one_is_taken(open_shop: Shop, event: Event):
    fan, other = open_shop.service.fan(1, event), open_shop.service.fan(2, event)
    before = open_shop.money()
    await open_shop.order(fan, event, "a", 0, 1)
    await pay(fan, "a", "pm_late")
    await open_shop.over()
    await open_shop.sweep()
    await open_shop.order(other, event, "b", 1)
    for _ in range(200):
        await open_shop.due()
        await open_shop.sweep()
        if await states(open_shop) == ["voided"]:
            break
    assert await states(open_shop) == ["voided"]
    assert (await read(fan, "a")).json()["state"] == "lapsed"
    assert (await read(fan, "a")).json()["tickets"] == []
    after = open_shop.money()
    assert (after.get("ours", 0), after.get("kept", 0)) == (before.get("ours", 0), before.get("kept", 0))
    assert await open_shop.violations() == []


async def test_a_provider_that_is_away_is_let_be(open_shop: Shop, event: Event):
    """What was wanted meanwhile is asked for when it is back."""
    fault(open_shop, "drop_before_apply")
    fans = [open_shop.service.fan(number, event) for number in range(1, 7)]
    for number, fan in enumerate(fans):
        await open_shop.order(fan, event, f"{number}", number)
        assert (await pay(fan, f"{number}")).problem() == "payment-delayed"
    asked = len(open_shop.intents())
    open_shop.psp.asked("DELETE", "/sim/faults")
    assert (await pay(fans[0], "0")).status == 503
    assert len(open_shop.intents()) == asked
    await open_shop.due()
    await open_shop.sweep()
    assert {(await read(fan, f"{number}")).json()["state"] for number, fan in enumerate(fans)} == {"paid"}
    assert await open_shop.violations() == []


async def tell(shop: Shop, ref: str, *, attempt_id: str = "", secret: str = WEBHOOK_SECRET, **odd: Any) -> Answer:  # noqa: ANN401 -- words of a request
    """A webhook, signed as Stripe signs. `odd`: what is not as it should be."""
    data = {"object": {"id": ref, "object": "payment_intent", "metadata": {"attempt_id": attempt_id}}}
    body = odd.get("body", json.dumps({"id": "evt_1", "type": "payment_intent.succeeded", "data": data}))
    sign: Any = getattr(stripe.WebhookSignature, "generate_signature_header")  # noqa: B009 -- it has no types
    header = odd.get("header", sign(body, secret, timestamp=int(time.time() + odd.get("ahead", 0))))
    path = f"/webhooks/payments/{odd.get('provider', 'psp-sim')}"
    sent = odd.get("sent", body).encode()
    return await shop.service.ask("POST", path, headers=[("stripe-signature", header)], body=sent)


@pytest.mark.parametrize(
    ("odd", "status"),
    [
        ({}, 200),
        ({"ahead": -290}, 200),
        ({"ahead": 290}, 200),
        ({"ahead": -310}, 400),  # a replay
        ({"ahead": 310}, 400),  # for later
        ({"secret": "whsec_other"}, 400),  # forged
        ({"header": ""}, 400),
        ({"header": "t=,v1="}, 400),
        ({"header": "t=1e9,v1=00"}, 400),
        ({"sent": '{"id": "evt_2"}'}, 400),  # another body than was signed
        ({"body": "[]"}, 400),
        ({"body": "no JSON"}, 400),
        ({"body": '{"id": "' + "x" * 200 + '", "type": "t", "data": {"object": {"id": "i", "object": "o"}}}'}, 400),
        ({"provider": "stripe"}, 404),
        ({"sent": "x" * 70_000}, 413),
    ],
)
async def test_webhooks_are_stored_or_refused(open_shop: Shop, odd: dict[str, Any], status: int):
    assert (await tell(open_shop, "pi_1", **odd)).status == status
    assert len(await open_shop.rows("SELECT * FROM job")) == (1 if status == 200 else 0)


async def test_a_webhook_that_comes_often_is_one(open_shop: Shop):
    for _ in range(5):
        assert (await tell(open_shop, "pi_1", attempt_id="somebody else's")).status == 200
    await open_shop.sweep()
    assert [job["state"] for job in await open_shop.rows("SELECT state FROM job")] == ["done"]
    assert (await tell(open_shop, "pi_1")).status == 200
    assert [job["state"] for job in await open_shop.rows("SELECT state FROM job")] == ["done"]
