"""What makes no sense is refused clearly, in Stripe's own shape, and changes nothing."""

import base64
from contextlib import suppress
from typing import Any

import pytest
import stripe
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.psp_sim.stage import API_KEY, CARD, Json, Stage, answered

from frontrow.psp_sim.calls import CALLS
from frontrow.psp_sim.desk import Request
from frontrow.psp_sim.forms import fields_of
from frontrow.psp_sim.intents import ApiError
from frontrow.psp_sim.reading import BODY_BYTES_MAX

GOOD: dict[str, Any] = {**CARD, "amount": 4500}


@pytest.mark.parametrize(
    ("wrong", "param", "code"),
    [
        ({"amount": 0}, "amount", "amount_too_small"),
        ({"amount": 49}, "amount", "amount_too_small"),
        ({"amount": -4500}, "amount", "amount_too_small"),
        ({"amount": 100_000_000}, "amount", "parameter_invalid_integer"),
        ({"amount": 10**30}, "amount", "parameter_invalid_integer"),
        ({"amount": "45.00"}, "amount", "parameter_invalid_integer"),
        ({"amount": "४५००"}, "amount", "parameter_invalid_integer"),  # digits, and none of ours
        ({"amount": ""}, "amount", "parameter_missing"),
        ({"amount": [4500]}, "amount", None),
        ({"amount": {"gte": 1}}, "amount", None),
        ({"currency": "xxx"}, "currency", None),
        ({"currency": ""}, "currency", "parameter_missing"),
        ({"confirm": "yes"}, "confirm", None),
        ({"confirm": True}, "payment_method", "parameter_missing"),
        ({"capture_method": "later"}, "capture_method", None),
        ({"payment_method": "pm_nobody"}, "payment_method", "resource_missing"),
        ({"return_url": "https://shop.test/back"}, "return_url", None),  # only with confirm
        (
            {"return_url": "javascript:alert(1)", "confirm": True, "payment_method": "pm_ok"},
            "return_url",
            "url_invalid",
        ),
        ({"metadata": "order"}, "metadata", None),
        ({"metadata": {"k" * 41: "v"}}, "metadata", None),
        ({"metadata": {"k": "v" * 501}}, "metadata[k]", None),
        ({"metadata": {f"k{n}": "v" for n in range(51)}}, "metadata", None),
        ({"description": "d" * 1001}, "description", "parameter_invalid_string"),
        ({"ammount": 1}, "ammount", "parameter_unknown"),
        ({"automatic_payment_methods": {"enabled": "maybe"}}, "automatic_payment_methods[enabled]", None),
        ({"automatic_payment_methods": {"other": 1}}, "automatic_payment_methods[other]", "parameter_unknown"),
        ({"payment_method_types": ["cash"]}, "payment_method_types", None),
    ],
)
async def test_parameters(stage: Stage, wrong: dict[str, Any], param: str, code: str | None):
    with pytest.raises(stripe.InvalidRequestError) as error:
        await stage.client().v1.payment_intents.create_async({**GOOD, **wrong})
    refused: Json = error.value  # its param has no type
    assert (refused.http_status, refused.param, refused.code) == (400, param, code)
    assert stage.intents == []


async def test_control_the_same_without_the_mistake_is_taken(stage: Stage):
    metadata = {f"k{n}": "v" * 500 for n in range(50)}
    made = await stage.client().v1.payment_intents.create_async({**GOOD, "metadata": metadata})
    assert made.metadata.to_dict() == metadata


async def test_a_buyer_needs_a_way_back_from_the_bank(stage: Stage):
    intents = stage.client().v1.payment_intents
    said: Any = {"amount": 4500, "currency": "eur", "confirm": True, "payment_method": "pm_ok"}
    with pytest.raises(stripe.InvalidRequestError, match="provide a `return_url`"):
        await intents.create_async(said)
    for more in (
        {"return_url": "http://shop.test/"},
        {"automatic_payment_methods": {"enabled": True, "allow_redirects": "never"}},
    ):
        assert (await intents.create_async({**said, **more})).status == "succeeded"


@pytest.mark.parametrize("key", ["", "sk_test_other", "sk_test_frontrow2", "sk_live_frontrow"])
async def test_wrong_keys(stage: Stage, key: str):
    answer = answered(
        await stage.service.app.desk.answer(Request("GET", "/v1/events", b"", f"Bearer {key}".encode(), None))
    )
    assert answer.status == 401
    assert key.encode() not in answer.body or not key


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (b"Basic " + base64.b64encode(API_KEY.encode() + b":"), 200),
        (b"bearer " + API_KEY.encode(), 200),
        (b"Basic " + base64.b64encode(b":" + API_KEY.encode()), 401),
        (b"Basic ***", 401),
        (b"Digest " + API_KEY.encode(), 401),
        (b"", 401),
        (b"Bearer \xff\xfe", 401),
    ],
)
async def test_ways_to_say_a_key(stage: Stage, authorization: bytes, status: int):
    answer = await stage.service.app.desk.answer(Request("GET", "/v1/events", b"", authorization, None))
    assert answered(answer).status == status


async def test_the_client_says_so(stage: Stage):
    with pytest.raises(stripe.AuthenticationError):
        await stage.client("sk_test_other").v1.payment_intents.list_async()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/payment_intents/pi_none"),
        ("POST", "/v1/payment_intents/pi_none/confirm"),
        ("POST", "/v1/payment_intents/pi_none/capture"),
        ("POST", "/v1/payment_intents/pi_none/cancel"),
        ("GET", "/v1/refunds/re_none"),
        ("GET", "/v1/events/evt_none"),
        ("GET", "/v1/nothing"),
        ("DELETE", "/v1/payment_intents"),
        ("PUT", "/v1/payment_intents/pi_none"),
        ("GET", "/v1/payment_intents/"),
        ("GET", "/sim/nothing"),
        ("GET", "/v1/" + "x" * 5000),
        ("GET", "/bank/challenges/pi_none"),
        ("POST", "/bank/challenges/pi_none"),
        ("GET", "/nothing"),
    ],
)
async def test_what_is_not_there(stage: Stage, method: str, path: str):
    answer = await stage.http.request(method, path)
    assert answer.status_code == 404
    assert len(answer.content) < 3000


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=ten",
        "starting_after=pi_none",
        "created[around]=1",
        "created=now",
        "customer=cus_1",
    ],
)
async def test_lists(stage: Stage, query: str):
    assert (await stage.http.get(f"/v1/payment_intents?{query}")).status_code == 400


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=1e3", "other=1", "after=" + "9" * 40])
async def test_the_ledger(stage: Stage, query: str):
    assert (await stage.http.get(f"/sim/ledger?{query}")).status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"amount=4500&currency=eur&description=" + b"x" * BODY_BYTES_MAX, 413),
        (b"&".join(b"metadata[k%d]=v" % n for n in range(300)), 400),
        (b"amount=4500&currency=eur&description=%ff", 400),
        (b"amount=4500&currency=eur&description=a%00b", 400),
        (b"amount=4500&amount=4600&currency=eur", 400),
        (b"amount=4500&currency=eur&metadata[a][b]=c", 400),
        (b'{"amount": 4500, "currency": "eur"}', 400),
        (b"\xff\xfe", 400),
        (b"=", 400),
        (b"", 400),
    ],
)
async def test_bodies(stage: Stage, body: bytes, status: int):
    answer = await stage.http.post("/v1/payment_intents", content=body)
    assert (answer.status_code, answer.json()["error"]["type"]) == (status, "invalid_request_error")
    assert stage.intents == []


@given(st.sampled_from(sorted(CALLS)), st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@settings(max_examples=300)
def test_no_form_breaks_the_reading(call: tuple[str, str], body: bytes):
    with suppress(ApiError):  # nearly all of them are refused
        fields_of(body, CALLS[call].readers, required=CALLS[call].required)


@pytest.mark.parametrize(
    ("refund", "code"),
    [
        ({"amount": 4501}, "amount_too_large"),
        ({"amount": 0}, "parameter_invalid_integer"),
        ({"amount": -1}, "parameter_invalid_integer"),
        ({"charge": "ch_1"}, "parameter_unknown"),
        ({"payment_intent": "pi_none"}, "resource_missing"),
        ({"payment_intent": ""}, "parameter_missing"),
        ({"reason": "mood"}, None),
    ],
)
async def test_refunds(stage: Stage, refund: dict[str, Any], code: str | None):
    client = stage.client()
    intent = await client.v1.payment_intents.create_async({**GOOD, "confirm": True, "payment_method": "pm_ok"})
    said: Any = {"payment_intent": intent.id, **refund}
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await client.v1.refunds.create_async(said)
    assert refused.value.code == code
    assert stage.money().refunded == 0
    await client.v1.refunds.create_async({"payment_intent": intent.id})
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await client.v1.refunds.create_async({"payment_intent": intent.id})
    assert refused.value.code == "charge_already_refunded"
