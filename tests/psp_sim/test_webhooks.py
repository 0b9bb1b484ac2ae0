"""Webhooks: signed so that Stripe's own client believes them, told at least once, and wrong on purpose when asked."""

import json
from typing import Any

import pytest
import stripe
from hypothesis import given
from hypothesis import strategies as st
from tests.psp_sim.stage import CARD, Json, Stage

from frontrow.psp_sim.faults import Kind
from frontrow.psp_sim.service import WEBHOOK_SECRET as SECRET
from frontrow.psp_sim.webhooks import GIVEN_UP_SECONDS, next_due, signature

PAID: dict[str, Any] = {**CARD, "amount": 4500, "confirm": True, "payment_method": "pm_ok", "capture_method": "manual"}
NOW = 1_800_000_000


def believed(body: bytes, header: str, secret: str = SECRET) -> bool:
    """Whether Stripe's own client does. Its clock is the wall's, so how old the signature is, is left out."""
    try:
        stripe.Webhook.construct_event(body, header, secret, tolerance=0)
    except (stripe.SignatureVerificationError, UnicodeDecodeError):
        return False
    return True


@given(st.text(), st.binary(min_size=1, max_size=1), st.data())
def test_any_changed_byte_is_refused(text: str, byte: bytes, data: st.DataObject):
    body = json.dumps({"id": "evt_1", "object": "event", "text": text}).encode()
    header = signature(body, [SECRET], at=NOW)
    assert believed(body, header)
    place = data.draw(st.integers(0, len(body) - 1))
    changed = body[:place] + byte + body[place + 1 :]
    assert believed(changed, header) is (changed == body)


@given(st.data())
def test_any_changed_character_of_what_is_good_in_the_signature_is_refused(data: st.DataObject):
    body = b'{"id": "evt_1", "object": "event"}'
    header = signature(body, [SECRET], at=NOW)
    good = header.index(",v0=")
    place = data.draw(st.integers(0, good - 1))
    character = data.draw(st.sampled_from("0123456789abcdef,=tv"))
    changed = header[:place] + character + header[place + 1 :]
    assert believed(body, changed) is (changed == header)


def test_it_is_signed_as_stripe_signs():
    body = b'{"id": "evt_1"}'
    generate: Json = stripe.WebhookSignature  # one of its parameters has no type
    theirs = generate.generate_signature_header(body.decode(), SECRET, timestamp=NOW)
    assert signature(body, [SECRET], at=NOW).startswith(theirs)


def test_both_secrets_are_good_while_one_takes_over():
    body = b'{"id": "evt_1", "object": "event"}'
    header = signature(body, ["whsec_new", "whsec_old"], at=NOW)
    assert [believed(body, header, secret) for secret in ("whsec_new", "whsec_old", "whsec_other")] == [
        True,
        True,
        False,
    ]


async def test_events_of_a_life(stage: Stage):
    client = stage.client()
    intent = await client.v1.payment_intents.create_async({**PAID})
    await client.v1.payment_intents.capture_async(intent.id)
    await client.v1.refunds.create_async({"payment_intent": intent.id})
    await stage.tell()
    assert stage.shop.types == [
        "payment_intent.created",
        "payment_intent.amount_capturable_updated",
        "payment_intent.succeeded",
        "refund.created",
        "charge.refunded",
    ]
    for body, headers in stage.shop.told:
        event = stripe.Webhook.construct_event(body, headers["Stripe-Signature"], SECRET, tolerance=0)
        assert event.to_dict() == (await client.v1.events.retrieve_async(event.id)).to_dict()


@pytest.mark.parametrize(
    ("method", "types"),
    [
        ("pm_declined", ["payment_intent.payment_failed"]),
        ("pm_challenge", ["payment_intent.requires_action"]),
        ("pm_late", ["payment_intent.processing"]),
    ],
)
async def test_events_of_what_does_not_pay_at_once(stage: Stage, method: str, types: list[str]):
    await stage.http.post("/v1/payment_intents", content=_form(method))
    await stage.tell()
    assert stage.shop.types == ["payment_intent.created", *types]


async def test_a_shop_that_is_away_is_told_later(stage: Stage):
    stage.shop.status = None
    await stage.client().v1.payment_intents.create_async({**CARD, "amount": 4500})
    await stage.tell()
    stage.restarted()
    await stage.tell(after=9.0)
    assert len(stage.shop.told) == 1, "ten seconds are not over"
    stage.shop.status = 500
    await stage.tell(after=1.0)
    stage.shop.status = 200
    for _ in range(3):
        await stage.tell(after=30.0)
    assert len(stage.shop.told) == 3
    assert len({body for body, _ in stage.shop.told}) == 1


def test_it_is_given_up_after_three_days_and_not_before():
    now, attempts = 0.0, 0
    while True:
        attempts += 1
        due = next_due(began=0.0, attempts=attempts, now=now)
        if due is None:
            break
        assert due > now
        now = due
    assert GIVEN_UP_SECONDS - 5 * 3600 < now <= GIVEN_UP_SECONDS
    assert 20 < attempts < 40


async def test_nobody_is_told_where_nobody_wants_to_hear(tmp_path_factory: pytest.TempPathFactory):
    stage = Stage(tmp_path_factory.mktemp("psp"), webhook_types=frozenset({"payment_intent.succeeded"}))
    await stage.client().v1.payment_intents.create_async({**PAID, "capture_method": "automatic"})
    await stage.tell()
    assert stage.shop.types == ["payment_intent.succeeded"]
    stage.close()


@pytest.mark.parametrize(
    ("kind", "turned", "told", "listed"),
    [
        (Kind.WEBHOOK_DUPLICATE, {"copies": 2}, [3, 3], 1),
        (Kind.WEBHOOK_DELAY, {"seconds": 60.0}, [0, 1], 1),
        (Kind.WEBHOOK_DROP, {}, [0, 0], 1),
        (Kind.WEBHOOK_NEVER, {}, [0, 0], 0),  # the worst: no list has it either
    ],
)
async def test_each_fault(stage: Stage, kind: Kind, turned: dict[str, Any], told: list[int], listed: int):
    stage.fault(kind, call="payment_intent.created", **turned)
    client = stage.client()
    await client.v1.payment_intents.create_async({**CARD, "amount": 4500})
    counts: list[int] = []
    for after in (0.0, 61.0):
        await stage.tell(after=after)
        counts.append(len(stage.shop.told))
    assert counts == told
    assert len((await client.v1.events.list_async()).data) == listed


async def test_shuffled(stage: Stage):
    stage.fault(Kind.WEBHOOK_SHUFFLE, seconds=3600.0)
    intents = stage.client().v1.payment_intents
    made = [(await intents.create_async({**CARD, "amount": 4500})).id for _ in range(20)]
    for _ in range(3600):
        await stage.tell(after=1.0)
    told = [json.loads(body)["data"]["object"]["id"] for body, _ in stage.shop.told]
    assert sorted(told) == sorted(made)
    assert told != made


def _form(method: str) -> str:
    return f"amount=4500&currency=eur&confirm=true&payment_method={method}&payment_method_types[]=card"
