"""One play for psp-sim and for Stripe: what the one answers, the other answers.

It is played to the real program always, and to Stripe's test mode where FRONTROW_TEST_STRIPE_KEY names a key of it.
A difference is a mistake of psp-sim. What psp-sim has beyond Stripe (pm_late, faults, its ledger) is not in here.
"""

import os
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final
from uuid import uuid4

import aiohttp
import pytest
import stripe
from tests.psp_sim.program import Program
from tests.psp_sim.stage import Client

STRIPE_KEY: Final = os.environ.get("FRONTROW_TEST_STRIPE_KEY", "")  # before the tests forget the developer's settings
NO_REDIRECTS: Final = {"enabled": True, "allow_redirects": "never"}
PAID: Final[dict[str, Any]] = {
    "amount": 4500,
    "currency": "eur",
    "confirm": True,
    "capture_method": "manual",
    "payment_method": "pm_card_visa",
    "automatic_payment_methods": NO_REDIRECTS,
}


@pytest.fixture(scope="module", params=["psp-sim", "stripe"] if STRIPE_KEY else ["psp-sim"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program | None]:
    """psp-sim, or None for Stripe itself."""
    if request.param == "stripe":
        assert STRIPE_KEY.startswith(("sk_test_", "rk_test_")), "never with a key that moves money"
        yield None
        return
    program = Program(tmp_path_factory.mktemp("psp-sim"))
    program.start()
    yield program
    program.end()


@pytest.fixture
async def client(program: Program | None) -> AsyncIterator[Client]:
    async with aiohttp.ClientSession() as session:
        way = stripe.AIOHTTPClient(session=session)
        yield program.client(session) if program else stripe.StripeClient(STRIPE_KEY, http_client=way)


def said(intent: stripe.PaymentIntent) -> tuple[str, int, int]:
    return intent.status, intent.amount_capturable or 0, intent.amount_received or 0


async def test_authorize_then_capture(client: Client):
    intents = client.v1.payment_intents
    intent = await intents.create_async({**PAID, "metadata": {"order": "1"}, "description": "Two seats"})
    assert said(intent) == ("requires_capture", 4500, 0)
    assert (intent.object, intent.livemode, intent.currency, intent.capture_method) == (
        "payment_intent",
        False,
        "eur",
        "manual",
    )
    assert intent.metadata.to_dict() == {"order": "1"}
    assert isinstance(intent.latest_charge, str)
    assert (intent.next_action, intent.last_payment_error, intent.canceled_at) == (None, None, None)
    intent = await intents.capture_async(intent.id)
    assert said(intent) == ("succeeded", 0, 4500)
    assert said(await intents.retrieve_async(intent.id)) == ("succeeded", 0, 4500)


async def test_capture_less(client: Client):
    intent = await client.v1.payment_intents.create_async({**PAID})
    intent = await client.v1.payment_intents.capture_async(intent.id, {"amount_to_capture": 1500})
    assert said(intent) == ("succeeded", 0, 1500)


async def test_charge_at_once(client: Client):
    intent = await client.v1.payment_intents.create_async({**PAID, "capture_method": "automatic"})
    assert said(intent) == ("succeeded", 0, 4500)


async def test_step_by_step(client: Client):
    intents = client.v1.payment_intents
    steps: Any = {"amount": 4500, "currency": "EUR", "automatic_payment_methods": NO_REDIRECTS}
    intent = await intents.create_async(steps)
    assert (intent.status, intent.currency, intent.payment_method) == ("requires_payment_method", "eur", None)
    intent = await intents.create_async({**steps, "payment_method": "pm_card_visa"})
    assert intent.status == "requires_confirmation"
    intent = await intents.confirm_async(intent.id)
    assert said(intent) == ("succeeded", 0, 4500)


async def test_let_go(client: Client):
    intents = client.v1.payment_intents
    intent = await intents.create_async({**PAID})
    intent = await intents.cancel_async(intent.id, {"cancellation_reason": "abandoned"})
    assert said(intent) == ("canceled", 0, 0)
    assert intent.cancellation_reason == "abandoned"
    assert intent.canceled_at is not None


@pytest.mark.parametrize(
    ("method", "decline_code"),
    [
        ("pm_card_visa_chargeDeclined", "generic_decline"),
        ("pm_card_visa_chargeDeclinedInsufficientFunds", "insufficient_funds"),
    ],
)
async def test_declined_and_then_paid(client: Client, method: str, decline_code: str):
    intents = client.v1.payment_intents
    with pytest.raises(stripe.CardError) as refused:
        await intents.create_async({**PAID, "payment_method": method})
    error: Any = refused.value.error
    assert (refused.value.http_status, error.code, error.decline_code) == (402, "card_declined", decline_code)
    intent = await intents.retrieve_async(error.payment_intent.id)
    assert (intent.status, intent.payment_method) == ("requires_payment_method", None)
    assert intent.last_payment_error.decline_code == decline_code
    intent = await intents.confirm_async(intent.id, {"payment_method": "pm_card_visa"})
    assert (said(intent), intent.last_payment_error) == (("requires_capture", 4500, 0), None)


async def test_a_challenge(client: Client):
    back = "https://shop.test/back"
    methods: Any = {"automatic_payment_methods": {"enabled": True}, "return_url": back}
    intent = await client.v1.payment_intents.create_async(
        {**PAID, **methods, "payment_method": "pm_card_authenticationRequired"}
    )
    assert said(intent) == ("requires_action", 0, 0)
    assert intent.next_action.type == "redirect_to_url"
    assert intent.next_action.redirect_to_url.return_url == back
    assert intent.next_action.redirect_to_url.url.startswith("http")
    assert said(await client.v1.payment_intents.cancel_async(intent.id)) == ("canceled", 0, 0)


async def test_what_comes_too_late(client: Client):
    intents = client.v1.payment_intents
    intent = await intents.create_async({**PAID})
    await intents.capture_async(intent.id)
    for asked in (intents.capture_async(intent.id), intents.cancel_async(intent.id), intents.confirm_async(intent.id)):
        with pytest.raises(stripe.InvalidRequestError) as refused:
            await asked
        assert (refused.value.http_status, refused.value.code) == (400, "payment_intent_unexpected_state")


async def test_capture_more_than_there_is(client: Client):
    intent = await client.v1.payment_intents.create_async({**PAID})
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await client.v1.payment_intents.capture_async(intent.id, {"amount_to_capture": 4501})
    assert refused.value.code == "amount_too_large"


async def test_refunds(client: Client):
    intent = await client.v1.payment_intents.create_async({**PAID, "capture_method": "automatic"})
    part = await client.v1.refunds.create_async(
        {"payment_intent": intent.id, "amount": 1000, "reason": "requested_by_customer", "metadata": {"ticket": "1"}}
    )
    assert (part.object, part.status, part.amount, part.payment_intent) == ("refund", "succeeded", 1000, intent.id)
    assert part.charge == intent.latest_charge
    with pytest.raises(stripe.InvalidRequestError):
        await client.v1.refunds.create_async({"payment_intent": intent.id, "amount": 3501})
    rest = await client.v1.refunds.create_async({"payment_intent": intent.id})
    assert rest.amount == 3500
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await client.v1.refunds.create_async({"payment_intent": intent.id})
    assert refused.value.code == "charge_already_refunded"
    listed = await client.v1.refunds.list_async({"payment_intent": intent.id})
    assert [refund.id for refund in listed.data] == [rest.id, part.id]
    part = await client.v1.refunds.retrieve_async(part.id)
    assert part.metadata.to_dict() == {"ticket": "1"}


async def test_lists_by_time_and_page(client: Client):
    intents = client.v1.payment_intents
    made = [(await intents.create_async({**PAID})).id for _ in range(3)]
    listed = await intents.list_async({"limit": 2, "created": {"gte": int(time.time()) - 3600}})
    assert (listed.object, listed.has_more, [intent.id for intent in listed.data]) == ("list", True, made[:0:-1])
    onwards = await intents.list_async({"limit": 1, "starting_after": made[1]})
    assert [intent.id for intent in onwards.data] == made[:1]
    assert (await intents.list_async({"created": {"gt": int(time.time()) + 3600}})).data == []
    found = [intent.id async for intent in listed.auto_paging_iter() if intent.id in made]
    assert found == made[::-1]


async def test_one_key_one_payment(client: Client):
    key: Any = {"idempotency_key": uuid4().hex}
    first, again = [await client.v1.payment_intents.create_async({**PAID}, key) for _ in range(2)]
    assert first.id == again.id
    assert again.last_response.headers["idempotent-replayed"] == "true"
    with pytest.raises(stripe.IdempotencyError):
        await client.v1.payment_intents.create_async({**PAID, "amount": 4600}, key)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"amount": 1}, "amount_too_small"),
        ({"amount": "many"}, "parameter_invalid_integer"),
        ({"payment_method": "pm_nobody"}, "resource_missing"),
        ({"ammount": 4500}, "parameter_unknown"),
        ({"currency": ""}, None),
    ],
)
async def test_parameters(client: Client, wrong: dict[str, Any], code: str | None):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await client.v1.payment_intents.create_async({**PAID, **wrong})
    assert refused.value.http_status == 400
    assert code is None or refused.value.code == code


async def test_nothing_of_that_name(client: Client):
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await client.v1.payment_intents.retrieve_async("pi_none")
    assert (refused.value.http_status, refused.value.code) == (404, "resource_missing")
