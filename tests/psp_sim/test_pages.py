"""The pages: for people, without a script, and of no use to other sites."""

from typing import Any

import httpx
import pytest
from tests.psp_sim.stage import CARD, HERE, Stage

from frontrow.psp_sim.faults import Kind
from frontrow.psp_sim.intents import METHODS

BACK = "https://shop.test/orders/1?step=2#top"
CHALLENGED: dict[str, Any] = {
    "amount": 123456,
    "currency": "eur",
    "confirm": True,
    "capture_method": "manual",
    "payment_method": "pm_challenge",
    "return_url": BACK,
}


def stranger(stage: Stage) -> httpx.AsyncClient:
    """A browser: it has no key."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(stage.service.app), base_url=HERE)


async def test_the_overview_says_what_there_is(stage: Stage):
    browser = stranger(stage)
    assert "Nobody has paid yet" in (await browser.get("/")).text
    intents = stage.client().v1.payment_intents
    intent = await intents.create_async({**CHALLENGED, "metadata": {"order": "<b>1</b>"}})
    await intents.create_async({**CARD, "amount": 4500, "confirm": True, "payment_method": "pm_ok"})
    stage.fault(Kind.DECLINED, call="payment_intents.confirm", times=3)
    page = (await browser.get("/")).text
    for said in ("No money moves", "1,234.56 EUR", "45.00 EUR", intent.id, "payment_intents.confirm, 3 more times"):
        assert said in page
    assert "<b>1" not in page
    assert "&lt;b&gt;1" in page
    assert "<script" not in page


async def test_every_method_of_ours_is_told(stage: Stage):
    page = (await stranger(stage).get("/")).text
    assert [name for name in METHODS if "card" not in name and name not in page] == []


@pytest.mark.parametrize(
    ("answer", "status", "redirect_status"),
    [("approve", "requires_capture", "succeeded"), ("refuse", "requires_payment_method", "failed")],
)
async def test_a_challenge_is_met_once(stage: Stage, answer: str, status: str, redirect_status: str):
    intents = stage.client().v1.payment_intents
    intent = await intents.create_async({**CHALLENGED})
    url = intent.next_action.redirect_to_url.url
    browser = stranger(stage)
    page = await browser.get(url)
    assert "1,234.56 EUR" in page.text
    assert "form-action 'self' https://shop.test;" in page.headers["content-security-policy"]
    way = await browser.post(url, data={"answer": answer})
    expected = f"https://shop.test/orders/1?step=2&payment_intent={intent.id}&payment_intent_client_secret="
    assert (way.status_code, way.headers["location"].startswith(expected)) == (303, True)
    assert way.headers["location"].endswith(f"&redirect_status={redirect_status}#top")
    again = await browser.post(url, data={"answer": "refuse" if answer == "approve" else "approve"})
    assert again.headers["location"] == way.headers["location"], "the first answer stands"
    assert (await intents.retrieve_async(intent.id)).status == status
    assert "answered already" in (await browser.get(url)).text
    await stage.tell()
    told = "amount_capturable_updated" if answer == "approve" else "payment_failed"
    assert stage.shop.types[-1] == f"payment_intent.{told}"


async def test_the_bank_takes_two_answers_only(stage: Stage):
    intent = await stage.client().v1.payment_intents.create_async({**CHALLENGED})
    browser = stranger(stage)
    for answer in ("", "maybe"):
        assert (await browser.post(f"/bank/challenges/{intent.id}", data={"answer": answer})).status_code == 404
    assert stage.intents[0].status == "requires_action"


async def test_faults_are_turned_by_form(stage: Stage):
    browser = stranger(stage)
    await browser.post("/faults", data={"kind": "slow", "call": "*", "times": "", "seconds": "2.5"})
    (fault,) = stage.service.books.faults.on()
    assert (fault.kind, fault.times, fault.seconds) == (Kind.SLOW, None, 2.5)
    await browser.post("/faults", data={"off": fault.id})
    assert stage.service.books.faults.on() == []
    assert (await browser.post("/faults", data={"kind": "nothing"})).status_code == 400


@pytest.mark.parametrize(
    ("origin", "status"), [("https://elsewhere.test", 403), (HERE, 303), ("null", 403), (None, 303)]
)
async def test_forms_of_other_sites_are_refused(stage: Stage, origin: str | None, status: int):
    headers = {} if origin is None else {"origin": origin}
    answer = await stranger(stage).post("/faults", data={"kind": "slow"}, headers=headers)
    assert answer.status_code == status
    assert bool(stage.service.books.faults.on()) is (status == 303)


async def test_the_style_is_there(stage: Stage):
    answer = await stranger(stage).get("/psp-sim.css")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert (await stranger(stage).get("/nothing")).status_code == 404
