"""A key has one answer, whatever it was, and however often and at once it is asked for."""

import asyncio
from collections import Counter
from typing import Any

import pytest
import stripe
from tests.psp_sim.stage import CARD, Stage, answered, create_request

from frontrow.psp_sim.faults import Kind
from frontrow.psp_sim.store import ANSWERS_KEPT_SECONDS

PAID: dict[str, Any] = {**CARD, "amount": 4500, "confirm": True, "payment_method": "pm_ok", "capture_method": "manual"}


async def test_a_key_gets_the_same_answer_again(stage: Stage):
    intents = stage.client().v1.payment_intents
    first, again = [await intents.create_async({**PAID}, {"idempotency_key": "order-1"}) for _ in range(2)]
    assert first.to_dict() == again.to_dict()
    headers = [intent.last_response.headers for intent in (first, again)]
    assert [headers.get("idempotent-replayed") for headers in headers] == [None, "true"]
    assert len(stage.intents) == 1


async def test_control_another_key_is_another_payment(stage: Stage):
    intents = stage.client().v1.payment_intents
    for key in ("order-1", "order-2"):
        await intents.create_async({**PAID}, {"idempotency_key": key})
    assert len(stage.intents) == 2


@pytest.mark.parametrize("delay", [0.0, 1.0])
async def test_fifty_at_once_pay_once(stage: Stage, delay: float):
    if delay:
        stage.fault(Kind.SLOW, seconds=delay)  # all of them are there before the first is done
    asked = [stage.service.app.desk.answer(create_request("order-1")) for _ in range(50)]
    answers = [answered(answer) for answer in await asyncio.gather(*asked)]
    assert Counter(answer.status for answer in answers) == ({200: 1, 409: 49} if delay else {200: 50})
    assert [intent.money.authorized for intent in stage.intents] == [4500]
    assert answered(await stage.service.app.desk.answer(create_request("order-1"))).status == 200


async def test_control_fifty_without_a_key_pay_fifty_times(stage: Stage):
    await asyncio.gather(*(stage.service.app.desk.answer(create_request(None)) for _ in range(50)))
    assert len(stage.intents) == 50


async def test_stripes_client_waits_for_the_first_one(stage: Stage):
    stage.fault(Kind.SLOW, seconds=1.0, times=1)
    intents = stage.client(retries=2).v1.payment_intents
    asked = [intents.create_async({**PAID}, {"idempotency_key": "order-1"}) for _ in range(2)]
    assert len({intent.id for intent in await asyncio.gather(*asked)}) == 1


async def test_the_same_key_for_something_else_is_refused(stage: Stage):
    intents = stage.client().v1.payment_intents
    await intents.create_async({**PAID}, {"idempotency_key": "order-1"})
    with pytest.raises(stripe.IdempotencyError, match="same parameters"):
        await intents.create_async({**PAID, "amount": 4600}, {"idempotency_key": "order-1"})
    assert [intent.amount for intent in stage.intents] == [4500]


async def test_the_order_of_parameters_is_no_difference(stage: Stage):
    intents = stage.client().v1.payment_intents
    turned = dict(reversed(PAID.items()))
    first = await intents.create_async({**PAID}, {"idempotency_key": "order-1"})
    assert (await intents.create_async(turned, {"idempotency_key": "order-1"})).id == first.id


async def test_a_refused_card_is_an_answer(stage: Stage):
    intents = stage.client().v1.payment_intents
    refused: list[stripe.CardError] = []
    for _ in range(2):
        with pytest.raises(stripe.CardError) as error:
            await intents.create_async({**PAID, "payment_method": "pm_declined"}, {"idempotency_key": "order-1"})
        refused.append(error.value)
    assert refused[0].json_body == refused[1].json_body
    assert len(stage.intents) == 1


async def test_a_500_is_an_answer_too(stage: Stage):
    stage.fault(Kind.SERVER_ERROR, times=1)
    intents = stage.client(retries=2).v1.payment_intents
    with pytest.raises(stripe.APIError) as error:
        await intents.create_async({**PAID}, {"idempotency_key": "order-1"})
    assert error.value.http_status == 500
    assert stage.intents == []
    assert (await intents.create_async({**PAID}, {"idempotency_key": "order-2"})).status == "requires_capture"


async def test_what_makes_no_sense_is_not_stored(stage: Stage):
    intents = stage.client().v1.payment_intents
    with pytest.raises(stripe.InvalidRequestError):
        await intents.create_async({**PAID, "amount": -1}, {"idempotency_key": "order-1"})
    assert (await intents.create_async({**PAID}, {"idempotency_key": "order-1"})).amount == 4500


async def test_what_came_too_late_is_stored(stage: Stage):
    """The answer says what was so when it was asked; it does not change with what becomes of the payment."""
    intents = stage.client().v1.payment_intents
    intent = await intents.create_async({**CARD, "amount": 4500, "capture_method": "manual"})
    for _ in range(2):
        with pytest.raises(stripe.InvalidRequestError) as error:
            await intents.capture_async(intent.id, {}, {"idempotency_key": "capture-1"})
        assert error.value.code == "payment_intent_unexpected_state"
        await intents.confirm_async(intent.id, {"payment_method": "pm_ok"}, {"idempotency_key": "confirm-1"})
    assert (await intents.capture_async(intent.id, {}, {"idempotency_key": "capture-2"})).status == "succeeded"


async def test_it_survives_a_restart(stage: Stage):
    first = await stage.client().v1.payment_intents.create_async({**PAID}, {"idempotency_key": "order-1"})
    stage.restarted()
    again = await stage.client().v1.payment_intents.create_async({**PAID}, {"idempotency_key": "order-1"})
    assert again.to_dict() == first.to_dict()


async def test_it_is_forgotten_after_a_day(stage: Stage):
    intents = stage.client().v1.payment_intents
    first = await intents.create_async({**PAID}, {"idempotency_key": "order-1"})
    for seconds, is_known in ((ANSWERS_KEPT_SECONDS, True), (1, False)):
        stage.time.at += seconds
        with stage.service.store.whole():
            stage.service.store.prune(stage.time.at)
        again = await intents.create_async({**PAID}, {"idempotency_key": "order-1"})
        assert (again.id == first.id) is is_known


@pytest.mark.parametrize(("length", "is_taken"), [(1, True), (255, True), (256, False)])
async def test_a_key_has_a_length(stage: Stage, length: int, *, is_taken: bool):
    answer = answered(await stage.service.app.desk.answer(create_request("k" * length)))
    assert answer.status == (200 if is_taken else 400)
