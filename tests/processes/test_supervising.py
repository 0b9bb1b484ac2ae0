"""A process that ends is started again, each time after a longer wait; one that was steady begins anew."""

import os

import pytest
from tests.processes.copies import wait_for

from frontrow.processes.supervising import AGAIN_SECONDS_MAX, STEADY_SECONDS, Role, kept


class Watch:
    """A clock that a test turns, and what was said."""

    def __init__(self) -> None:
        self.now = 0.0
        self.said: list[str] = []

    def role(self, *words: str) -> Role:
        return Role("a role", words, environment=dict(os.environ), say=self.said.append, clock=lambda: self.now)

    def wait_of(self, role: Role) -> float:
        """How long it waits once the role has ended."""
        wait_for(role.ended)
        role.look_after()
        return float(self.said[-1].split()[-2])


@pytest.mark.slow
def test_waits_longer_each_time_up_to_a_limit() -> None:
    watch = Watch()
    role = watch.role("--version")
    waits: list[float] = []
    with kept([role], stop_seconds_max=1):
        for _ in range(3):
            waits.append(watch.wait_of(role))
            watch.now += waits[-1]
            role.look_after()  # starts it
    assert waits == [0.5, 1.0, 2.0]
    assert watch.said[0] == "a role ended (exit code 0); starting it again in 0.5 s\n"


@pytest.mark.slow
def test_is_not_started_before_its_time() -> None:
    watch = Watch()
    role = watch.role("--version")
    with kept([role], stop_seconds_max=1):
        wait = watch.wait_of(role)
        watch.now += wait / 2
        role.look_after()
        assert role.ended()
        assert len(watch.said) == 1, "an end is said once"


@pytest.mark.slow
def test_one_that_was_steady_is_started_soon() -> None:
    watch = Watch()
    role = watch.role("--version")
    with kept([role], stop_seconds_max=1):
        watch.now += watch.wait_of(role)
        role.look_after()
        watch.now += STEADY_SECONDS
        assert watch.wait_of(role) == 0.5


def test_the_limit() -> None:
    assert AGAIN_SECONDS_MAX <= STEADY_SECONDS, "a role that fails at once must never look steady"
