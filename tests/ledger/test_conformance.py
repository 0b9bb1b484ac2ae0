"""PostgreSQL and the core are asked the same, whatever it is: they answer the same and are in the same state then.

What they must answer in the cases that matter is in scenarios.py; that a difference would be seen, in test_mutants.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import servers
from tests.ledger import stage
from tests.ledger.commands import Command, HoldSeats, commands
from tests.ledger.on_sale import wish
from tests.ledger.stage import HOLD_SECONDS, Pass, Step, Theatre

from frontrow.core.ledger import EventLedger


@pytest.fixture(scope="module")
def theatre(databases: servers.Databases) -> Iterator[Theatre]:
    with stage.opened(databases) as theatre:
        yield theatre


passes = st.builds(Pass, st.sampled_from([40, HOLD_SECONDS]))  # 40: then checkout is what gives more time


@given(steps=st.lists(st.one_of(commands, commands, passes), max_size=12))
def test_one_after_the_other(theatre: Theatre, steps: Sequence[Step]):
    theatre.play(theatre.stage(), steps)
    assert theatre.violations() == []


@given(acts=st.lists(st.lists(commands, min_size=2, max_size=6), max_size=3))
def test_at_the_same_time(theatre: Theatre, acts: Sequence[Sequence[Command]]):
    theatre.play_at_once(theatre.stage(), acts)
    assert theatre.violations() == []


def test_control_a_core_with_other_terms_does_not_agree(theatre: Theatre):
    agreed = theatre.stage()
    core = EventLedger(replace(agreed.core.terms, tickets_per_fan_max=1))
    with pytest.raises(AssertionError):
        theatre.play(replace(agreed, core=core), [HoldSeats([wish(0, 0, 0, 1)])])
