"""Each knob does what it says, to the calls it is for, as often as it says."""

import asyncio
from typing import Any

import httpx
import pytest
import stripe
from tests.psp_sim.stage import CARD, Stage, answered, create_request, rates

from frontrow.psp_sim.desk import Silence
from frontrow.psp_sim.faults import FAULTS_MAX, Kind

PAID: dict[str, Any] = {**CARD, "amount": 4500, "confirm": True, "payment_method": "pm_ok", "capture_method": "manual"}


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (Kind.CHALLENGE, "requires_action"),
        (Kind.LATE, "processing"),
    ],
)
async def test_the_bank_does_something_else(stage: Stage, kind: Kind, status: str):
    stage.fault(kind, times=1)
    intents = stage.client().v1.payment_intents
    assert (await intents.create_async({**PAID})).status == status
    assert (await intents.create_async({**PAID})).status == "requires_capture"


@pytest.mark.parametrize(
    ("kind", "code"),
    [(Kind.DECLINED, "generic_decline"), (Kind.INSUFFICIENT, "insufficient_funds")],
)
async def test_the_bank_says_no(stage: Stage, kind: Kind, code: str):
    stage.fault(kind, call="payment_intents.confirm")
    intents = stage.client().v1.payment_intents
    intent = await intents.create_async({**PAID, "confirm": False})
    with pytest.raises(stripe.CardError) as refused:
        await intents.confirm_async(intent.id)
    error: Any = refused.value.error
    assert (error.code, error.decline_code, error.payment_intent.id) == ("card_declined", code, intent.id)
    assert (await intents.create_async({**PAID})).status == "requires_capture", "it is for confirm alone"


@pytest.mark.parametrize(
    ("kind", "silence", "is_done"),
    [
        (Kind.APPLY_THEN_HANG, Silence(is_open=True), True),
        (Kind.HANG_THEN_APPLY, Silence(is_open=True), True),
        (Kind.DROP_BEFORE_APPLY, Silence(is_open=False), False),
    ],
)
async def test_no_answer(stage: Stage, kind: Kind, silence: Silence, *, is_done: bool):
    stage.fault(kind, times=1, seconds=3.0)
    desk = stage.service.app.desk
    assert await desk.answer(create_request("order-1")) == silence
    assert bool(stage.intents) is is_done
    assert stage.time.waited == ([3.0] if kind is Kind.HANG_THEN_APPLY else [])
    assert answered(await desk.answer(create_request("order-1"))).status == 200, "the key gets its answer, once done"
    assert [intent.money.authorized for intent in stage.intents] == [4500]


async def test_who_hangs_up_does_not_keep_it_from_being_done(stage: Stage):
    stage.fault(Kind.APPLY_THEN_HANG, times=1)
    request = create_request("order-1")
    asked = asyncio.ensure_future(stage.http.post(request.path, content=request.body))
    while not stage.intents:  # noqa: ASYNC110 -- there is nobody who could set an event
        await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert [intent.status for intent in stage.intents] == ["requires_capture"]


async def test_a_method_that_is_lost_is_paid(stage: Stage):
    assert await stage.service.app.desk.answer(create_request("order-1", "pm_lost")) == Silence(is_open=True)
    assert [intent.status for intent in stage.intents] == ["requires_capture"]


async def test_a_method_that_is_slow_takes_five_seconds(stage: Stage):
    assert answered(await stage.service.app.desk.answer(create_request("order-1", "pm_slow"))).status == 200
    assert stage.time.waited == [5.0]


@pytest.mark.parametrize(
    ("kind", "status", "is_done"),
    [
        (Kind.RATE_LIMITED, 429, False),
        (Kind.CONFLICT, 409, False),
        (Kind.SERVER_ERROR, 500, False),
        (Kind.APPLY_THEN_ERROR, 500, True),
        (Kind.SLOW, 200, True),
    ],
)
async def test_another_answer(stage: Stage, kind: Kind, status: int, *, is_done: bool):
    stage.fault(kind, times=1)
    desk = stage.service.app.desk
    assert answered(await desk.answer(create_request("order-1"))).status == status
    assert bool(stage.intents) is is_done
    is_stored = status == 500
    assert (answered(await desk.answer(create_request("order-1"))).status == 500) is is_stored


@pytest.mark.parametrize(
    ("kind", "status", "ours"),
    [(Kind.REFUND_PENDING, "succeeded", 0), (Kind.REFUND_FAILED, "failed", 4500)],
)
async def test_refunds_that_take_their_time(stage: Stage, kind: Kind, status: str, ours: int):
    stage.fault(kind, seconds=60.0, times=1)
    client = stage.client()
    intent = await client.v1.payment_intents.create_async({**PAID, "capture_method": "automatic"})
    refund = await client.v1.refunds.create_async({"payment_intent": intent.id})
    assert (refund.status, stage.money().ours, stage.money().refund_pending) == ("pending", 0, 4500)
    stage.restarted()
    await stage.tell(after=60.0)
    assert (await stage.client().v1.refunds.retrieve_async(refund.id)).status == status
    assert (stage.money().ours, stage.money().refund_pending) == (ours, 0)
    assert ("refund.failed" in stage.shop.types) is (status == "failed")


async def test_a_share_is_drawn_from_the_seed(tmp_path_factory: pytest.TempPathFactory):
    async def struck(seed: int) -> list[int]:
        stage = Stage(tmp_path_factory.mktemp("psp"), seed=seed)
        stage.fault(Kind.RATE_LIMITED, share=0.3)
        answers = [answered(await stage.service.app.desk.answer(create_request(None))) for _ in range(60)]
        stage.close()
        return [answer.status for answer in answers]

    first = await struck(1)
    assert first == await struck(1)
    assert first != await struck(2)
    assert 5 < first.count(429) < 35


async def test_limits_of_an_account(tmp_path_factory: pytest.TempPathFactory):
    stage = Stage(tmp_path_factory.mktemp("psp"), rates=rates(overall=100, each=25))

    async def answers(count: int) -> list[int]:
        desk = stage.service.app.desk
        return [answered(await desk.answer(create_request(None))).status for _ in range(count)]

    assert (await answers(30)).count(429) == 5
    stage.time.at += 0.2
    assert (await answers(30)).count(200) == 5
    stage.close()


async def test_latency_is_of_every_call(tmp_path_factory: pytest.TempPathFactory):
    stage = Stage(tmp_path_factory.mktemp("psp"), latency_seconds=0.05)
    await stage.client().v1.payment_intents.list_async()
    assert stage.time.waited == [0.05]
    stage.close()


# Turning the knobs over HTTP


async def test_on_listed_and_off(stage: Stage):
    http = stage.http
    made = (await http.post("/sim/faults", json={"kind": "declined", "times": 2})).json()
    assert made | {"kind": "declined", "times": 2, "struck": 0} == made
    stage.restarted()
    http = stage.http
    assert (await http.get("/sim/faults")).json() == {"faults": [made]}
    assert (await http.delete(f"/sim/faults/{made['id']}")).json() == {"faults": [made]}
    assert (await http.delete(f"/sim/faults/{made['id']}")).status_code == 404
    for kind in ("declined", "slow"):
        await http.post("/sim/faults", json={"kind": kind})
    assert len((await http.delete("/sim/faults")).json()["faults"]) == 2
    assert (await http.get("/sim/faults")).json() == {"faults": []}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"kind": "nothing"}',
        b'{"kind": "slow", "seconds": -1}',
        b'{"kind": "slow", "seconds": "5"}',
        b'{"kind": "slow", "times": 0}',
        b'{"kind": "slow", "share": 0}',
        b'{"kind": "slow", "unknown": 1}',
        b'{"kind": "slow", "call": ""}',
        b"\xff",
    ],
)
async def test_what_is_no_fault_is_refused(stage: Stage, body: bytes):
    assert (await stage.http.post("/sim/faults", content=body)).status_code == 400
    assert stage.service.books.faults.on() == []


async def test_there_is_an_end_to_faults(stage: Stage):
    statuses = [
        (await stage.http.post("/sim/faults", json={"kind": "slow"})).status_code for _ in range(FAULTS_MAX + 1)
    ]
    assert statuses == [201] * FAULTS_MAX + [400]


@pytest.mark.parametrize(("method", "path"), [("GET", "/sim/faults"), ("POST", "/sim/faults"), ("GET", "/sim/ledger")])
async def test_strangers_turn_nothing(stage: Stage, method: str, path: str):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stage.service.app), base_url="http://psp.test") as http:
        assert (await http.request(method, path, json={"kind": "slow"})).status_code == 401
    assert stage.service.books.faults.on() == []
