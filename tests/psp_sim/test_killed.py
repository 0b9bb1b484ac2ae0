"""`kill -9`, at the worst moments, and started again on the same folder."""

from collections.abc import Callable

import httpx
import pytest
from tests.psp_sim.program import Program

PAID = "amount=4500&currency=eur&confirm=true&capture_method=manual&payment_method=pm_ok&payment_method_types[]=card"


def create(program: Program, key: str) -> httpx.Response:
    return program.asked("POST", "/v1/payment_intents", content=PAID, headers={"idempotency-key": key})


def authorized(program: Program) -> list[int]:
    return [intent["money"]["authorized"] for intent in program.asked("GET", "/sim/ledger").json()["intents"]]


def until(is_so: Callable[[], object]) -> None:
    """Ask again and again: each time is a call to the program, which has other things to do meanwhile."""
    while not is_so():
        pass


@pytest.mark.slow
def test_killed_after_it_was_done_and_before_the_answer(program: Program):
    """The client has no answer, and the money is kept: the same key gets the answer that was stored with it."""
    program.asked("POST", "/sim/faults", json={"kind": "apply_then_hang", "times": 1})
    with program.unanswered("/v1/payment_intents", PAID, key="order-1"):
        until(lambda: authorized(program))
        program.kill()
    program.start()
    again = create(program, "order-1")
    assert (again.status_code, again.headers["idempotent-replayed"]) == (200, "true")
    assert authorized(program) == [4500]
    assert again.json()["id"] == program.asked("GET", "/sim/ledger").json()["intents"][0]["id"]


@pytest.mark.slow
def test_killed_while_a_key_is_worked_on(program: Program):
    """Nothing was done, and the key is free: it is not worked on for ever."""
    program.asked("POST", "/sim/faults", json={"kind": "hang_then_apply", "seconds": 3600, "times": 1})
    with program.unanswered("/v1/payment_intents", PAID, key="order-1"):
        until(lambda: not program.asked("GET", "/sim/faults").json()["faults"])  # it has struck
        assert create(program, "order-1").status_code == 409
        program.kill()
    program.start()
    assert authorized(program) == []
    answer = create(program, "order-1")
    assert (answer.status_code, "idempotent-replayed" in answer.headers) == (200, False)
    assert authorized(program) == [4500]


@pytest.mark.slow
def test_killed_again_and_again_between_calls(program: Program):
    """What was answered is there; what was not is done once, when it is asked for again."""
    for number in range(5):
        answers = [create(program, f"order-{order}") for order in range(number + 1)]
        assert {answer.status_code for answer in answers} == {200}
        program.kill()
        program.start()
    assert authorized(program) == [4500] * 5


@pytest.mark.slow
def test_a_call_that_is_broken_off_changes_nothing_and_a_second_program_is_told(program: Program):
    program.asked("POST", "/sim/faults", json={"kind": "drop_before_apply", "times": 1})
    with pytest.raises(httpx.RemoteProtocolError):
        create(program, "order-1")
    assert authorized(program) == []
    assert create(program, "order-1").status_code == 200
    assert "another psp-sim runs from" in program.says_second()
    assert authorized(program) == [4500], "and the first one goes on"
