"""Whatever is asked, in whatever order: at most one success, no amount exceeded, and books that balance.

Random calls are played to the real thing, on its real storage. What must come of them is counted here once more, from
the answers alone, in a way that has nothing of the program's in it.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule
from tests.psp_sim.stage import Json, Stage, answered, create_request

from frontrow.psp_sim import ledger
from frontrow.psp_sim.desk import Request
from frontrow.psp_sim.faults import Kind
from frontrow.psp_sim.intents import METHODS, Intent
from frontrow.psp_sim.ledger import Move, Unbalanced, Why
from frontrow.psp_sim.service import API_KEY

AMOUNTS: Final = st.integers(50, 10_000)
SHARES: Final = st.none() | st.integers(1, 12_000)
OURS: Final = sorted(name for name in METHODS if "card" not in name)


class Payments(RuleBasedStateMachine):
    """One provider, many payments, every call in every state."""

    intents = Bundle("intents")

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix="frontrow-psp-")
        self._loop = asyncio.Runner()
        self.stage = Stage(Path(self._folder.name))
        self.amounts: dict[str, int] = {}
        self.captured: dict[str, int] = {}
        self.returned: dict[str, int] = {}

    def teardown(self) -> None:
        self.stage.close()
        self._loop.close()
        self._folder.cleanup()

    @rule(
        target=intents,
        amount=AMOUNTS,
        method=st.none() | st.sampled_from(OURS),
        capture=st.sampled_from(["manual", "automatic"]),
        confirm=st.booleans(),
    )
    def create(self, amount: int, method: str | None, capture: str, *, confirm: bool) -> str:
        confirm = confirm and method is not None
        said: dict[str, Any] = {"amount": amount, "capture_method": capture, "confirm": str(confirm).lower()}
        if method:
            said["payment_method"] = method
        status, body = self.say("/v1/payment_intents", currency="eur", **{"payment_method_types[]": "card"}, **said)
        assert status in {200, 402, 0}
        if status == 0:  # lost on its way: the list has it
            body = self.ask("/v1/payment_intents")["data"][0]
        intent = body["error"]["payment_intent"] if status == 402 else body
        self.amounts[intent["id"]] = amount
        self.look(intent["id"])
        return intent["id"]

    @rule(intent=intents, method=st.none() | st.sampled_from(OURS))
    def confirm(self, intent: str, method: str | None) -> None:
        self.say(f"/v1/payment_intents/{intent}/confirm", **({"payment_method": method} if method else {}))
        self.look(intent)

    @rule(intent=intents, amount=SHARES)
    def capture(self, intent: str, amount: int | None) -> None:
        before = self.ask(f"/v1/payment_intents/{intent}")
        said = {} if amount is None else {"amount_to_capture": amount}
        status, _ = self.say(f"/v1/payment_intents/{intent}/capture", **said)
        may = before["status"] == "requires_capture" and (amount or 0) <= before["amount"]
        assert (status == 200) is may
        self.look(intent)

    @rule(intent=intents)
    def cancel(self, intent: str) -> None:
        before = self.ask(f"/v1/payment_intents/{intent}")["status"]
        status, _ = self.say(f"/v1/payment_intents/{intent}/cancel")
        assert (status == 200) is (before not in {"succeeded", "canceled", "processing"})
        self.look(intent)

    @rule(intent=intents, amount=SHARES, fate=st.sampled_from([None, Kind.REFUND_PENDING, Kind.REFUND_FAILED]))
    def refund(self, intent: str, amount: int | None, fate: Kind | None) -> None:
        if fate is not None:
            self.stage.fault(fate, times=1, seconds=10.0)
        left = self.captured.get(intent, 0) - self.returned.get(intent, 0)
        said = {} if amount is None else {"amount": amount}
        status, body = self.say("/v1/refunds", payment_intent=intent, **said)
        assert (status == 200) is (0 < (amount or left) <= left)
        if status == 200:
            self.returned[intent] = self.returned.get(intent, 0) + body["amount"]
        with self.stage.service.store.whole():
            self.stage.service.books.faults.switch_off(None)

    @rule(intent=intents, answer=st.sampled_from(["approve", "refuse"]))
    def at_the_bank(self, intent: str, answer: str) -> None:
        self.run(self.stage.http.post(f"/bank/challenges/{intent}", data={"answer": answer}))
        self.look(intent)

    @rule(seconds=st.sampled_from([1.0, 20.0, 800.0]))
    def time_passes(self, seconds: float) -> None:
        self.run(self.stage.tell(after=seconds))
        for refund in self.ask("/v1/refunds?limit=100")["data"]:
            assert refund["status"] != "pending" or seconds < 10.0
        for intent in self.amounts:
            refunds = self.ask(f"/v1/refunds?payment_intent={intent}&limit=100")["data"]
            self.returned[intent] = sum(refund["amount"] for refund in refunds if refund["status"] != "failed")
            self.look(intent)

    @rule()
    def restart(self) -> None:
        self.stage.restarted()

    @invariant()
    def the_ledger_is_what_the_answers_were(self) -> None:
        for intent in self.stage.intents:
            money = intent.money
            assert money.captured == self.captured.get(intent.id, 0)
            assert money.refunded == self.returned.get(intent.id, 0)
            assert 0 <= money.refunded <= money.captured <= money.authorized <= intent.amount
            assert money.authorized == money.captured + money.voided + money.kept
            assert (money.kept > 0) is (intent.status == "requires_capture")

    def look(self, intent: str) -> None:
        """What has been taken is never given up again, nor taken twice: it is read once, and stays."""
        received = self.ask(f"/v1/payment_intents/{intent}")["amount_received"]
        if intent in self.captured:
            assert received == self.captured[intent]
        elif received:
            assert received <= self.amounts[intent]
            self.captured[intent] = received

    def say(self, path: str, **said: Json) -> tuple[int, Json]:
        body = "&".join(f"{name}={value}" for name, value in said.items()).encode()
        answer = self.run(self.stage.service.app.desk.answer(_request("POST", path, body)))
        return (answer.status, json.loads(answer.body)) if hasattr(answer, "status") else (0, None)

    def ask(self, path: str) -> Json:
        path, _, query = path.partition("?")
        answer = self.run(self.stage.service.app.desk.answer(_request("GET", path, query.encode())))
        return json.loads(answered(answer).body)

    def run(self, work: Json) -> Json:
        return self._loop.run(work)


Payments.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
TestPayments = Payments.TestCase


def _request(method: str, path: str, body: bytes) -> Request:
    return Request(method, path, body, f"Bearer {API_KEY}".encode(), None)


@pytest.mark.parametrize("forgotten", [Why.AUTHORIZED, Why.CAPTURED, Why.VOIDED])
async def test_control_a_forgotten_move_is_seen_and_nothing_is_kept(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, forgotten: Why
):
    rightly = ledger.moves_of_intent

    def wrongly(before: Intent | None, after: Intent) -> list[Move]:
        return [move for move in rightly(before, after) if move.why is not forgotten]

    async def authorize_and_capture() -> None:
        await stage.service.app.desk.answer(create_request("order-1"))
        path = f"/v1/payment_intents/{stage.intents[0].id}/capture"
        await stage.service.app.desk.answer(_request("POST", path, b"amount_to_capture=100"))

    monkeypatch.setattr(ledger, "moves_of_intent", wrongly)
    with pytest.raises(Unbalanced):
        await authorize_and_capture()
    assert [intent.status for intent in stage.intents] == ([] if forgotten is Why.AUTHORIZED else ["requires_capture"])


async def test_a_fault_of_the_program_is_told_and_the_key_is_free(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "moves_of_intent", _no_moves)
        assert (await _create(stage)).status_code == 500
    assert (await _create(stage)).status_code == 200


def _no_moves(_before: Intent | None, _after: Intent) -> list[Move]:
    return []


async def _create(stage: Stage) -> httpx.Response:
    request = create_request("order-1")
    return await stage.http.post(request.path, content=request.body, headers={"idempotency-key": "order-1"})


async def test_late_money_comes_and_cannot_be_let_go_before(stage: Stage):
    desk = stage.service.app.desk
    await desk.answer(create_request("order-1", "pm_late"))
    (intent,) = stage.intents
    refused = answered(await desk.answer(_request("POST", f"/v1/payment_intents/{intent.id}/cancel", b"")))
    assert refused.status == 400
    for after, status in ((719.0, "processing"), (1.0, "requires_capture")):
        await stage.tell(after=after)
        assert stage.intents[0].status == status
    assert stage.money().kept == 4500


async def test_less_may_be_captured_and_the_rest_is_let_go(stage: Stage):
    intents = stage.client().v1.payment_intents
    await stage.service.app.desk.answer(create_request("order-1"))
    intent = await intents.capture_async(stage.intents[0].id, {"amount_to_capture": 1500})
    assert (intent.status, intent.amount_received, intent.amount_capturable) == ("succeeded", 1500, 0)
    money = stage.money()
    assert (money.authorized, money.captured, money.voided, money.ours) == (4500, 1500, 3000, 1500)
