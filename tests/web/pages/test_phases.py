"""What an order is to its fan: one phase for each state of it and of the newest try to pay it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.web.pages.listings import NOW

from frontrow.core.catalogue import EventId
from frontrow.core.fans import EmailAddress
from frontrow.core.holds import FanId, HoldId
from frontrow.core.money import Money
from frontrow.core.orders import LastTry, Order, OrderId, OrderState
from frontrow.core.payments import AttemptState
from frontrow.web.pages.orders import TITLES, Phase, phase_of

PAY_BY = NOW + timedelta(minutes=5)
URL = "https://bank.example/3ds"


def order(state: OrderState = OrderState.OPEN, tried: LastTry | None = None) -> Order:
    nobody = UUID(int=7)
    words: dict[str, Any] = {"paid_at": None, "tickets": (), "seats": (), "last_try": tried}
    return Order(
        order_id=OrderId(nobody),
        event_id=EventId(1),
        hold_id=HoldId(nobody),
        fan_id=FanId(nobody),
        email=EmailAddress("ada@example.org"),
        state=state,
        total=Money(9_700, "EUR"),
        made_at=NOW,
        pay_by=PAY_BY,
        **words,
    )


def tried(state: AttemptState, url: str | None = None) -> LastTry:
    return LastTry(state, "generic_decline" if state is AttemptState.DECLINED else None, url)


@pytest.mark.parametrize("state", [state for state in OrderState if state is not OrderState.OPEN])
def test_what_is_decided_is_said_as_it_is(state: OrderState):
    assert phase_of(order(state, tried(AttemptState.CHALLENGED, URL)), now=NOW).value == state.value


@pytest.mark.parametrize(
    ("last_try", "phase", "late"),
    [
        (None, Phase.OPEN, Phase.LAPSED),
        (tried(AttemptState.DECLINED), Phase.DECLINED, Phase.LAPSED),
        (tried(AttemptState.VOIDED), Phase.OPEN, Phase.LAPSED),
        (tried(AttemptState.VOIDING), Phase.OPEN, Phase.LAPSED),
        (tried(AttemptState.CREATED), Phase.PROCESSING, Phase.PROCESSING),  # what began in time may end later
        (tried(AttemptState.PENDING), Phase.PROCESSING, Phase.PROCESSING),
        (tried(AttemptState.UNKNOWN), Phase.DELAYED, Phase.DELAYED),
        (tried(AttemptState.CHALLENGED, URL), Phase.CHALLENGED, Phase.CHALLENGED),
    ],
)
def test_an_open_order_is_what_its_newest_try_is(last_try: LastTry | None, phase: Phase, late: Phase):
    assert phase_of(order(tried=last_try), now=NOW) is phase
    assert phase_of(order(tried=last_try), now=PAY_BY - timedelta(seconds=1)) is phase
    assert phase_of(order(tried=last_try), now=PAY_BY) is late


def test_back_from_the_bank_its_answer_is_waited_for():
    challenged = order(tried=tried(AttemptState.CHALLENGED, URL))
    assert phase_of(challenged, now=NOW, is_back=True) is Phase.PROCESSING
    assert phase_of(order(tried=tried(AttemptState.DECLINED)), now=NOW, is_back=True) is Phase.DECLINED


@pytest.mark.parametrize("state", list(AttemptState))
def test_every_state_of_an_attempt_has_a_phase(state: AttemptState):
    assert phase_of(order(tried=tried(state, URL)), now=NOW) in TITLES


def test_every_phase_has_a_title():
    assert set(TITLES) == set(Phase)
