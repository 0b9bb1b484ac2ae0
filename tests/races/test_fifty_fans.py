"""Fifty connections that want the same at the same time.

The first has not committed when the others come; see meeting.py.
"""

from collections import Counter
from typing import Final

import pytest
from tests.ledger.on_sale import wish
from tests.ledger.scenarios import holds
from tests.races.conftest import RIVALS
from tests.races.guards import GUARDS
from tests.races.meeting import Call, Meeting, at_an_event, in_words

ONE_SEAT: Final = [Call(0, holds(wish(number, number, 1))) for number in range(RIVALS)]
ONE_FAN: Final = [Call(0, holds(wish(number, 0, number % 7))) for number in range(RIVALS)]
ONE_HOLD: Final = [Call(0, holds(wish(0, 0, 1))) for _ in range(RIVALS)]


@pytest.mark.slow
async def test_one_of_fifty_fans_has_the_seat(crowd: Meeting):
    told = in_words(await crowd.meet(*ONE_SEAT))
    assert Counter(told) == {"placed": 1, "seats-taken": RIVALS - 1}
    assert await crowd.states() == {1: "held"}
    assert await crowd.violations() == []


@pytest.mark.slow
async def test_control_without_the_lane_the_key_stops_the_others_with_all_who_are_in_their_batches(crowd: Meeting):
    await crowd.do_without(GUARDS["lane"])
    assert Counter(in_words(await crowd.meet(*ONE_SEAT))) == {"placed": 1, "fault": RIVALS - 1}


async def test_control_without_the_lane_and_the_key_the_seat_is_held_fifty_times(crowd: Meeting):
    await crowd.do_without(GUARDS["lane"], GUARDS["key"])
    assert Counter(in_words(await crowd.meet(*ONE_SEAT))) == {"placed": RIVALS}
    assert await crowd.states() == {1: ", ".join(["held"] * RIVALS)}
    assert "inv_claim_twice" in await crowd.violations()


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["repeatable read", "serializable"])
async def test_it_is_one_whatever_isolation_a_server_prefers(database_url: str, isolation: str):
    """Those who come too late are then stopped, not told of the first; so our processes say what they want."""
    async with at_an_event(database_url, rivals=RIVALS, default_transaction_isolation=isolation) as crowd:
        assert Counter(in_words(await crowd.meet(*ONE_SEAT))) == {"placed": 1, "fault": RIVALS - 1}
        assert await crowd.violations() == []


@pytest.mark.slow
async def test_one_fan_has_one_hold_of_fifty(crowd: Meeting):
    assert Counter(in_words(await crowd.meet(*ONE_FAN))) == {"placed": 1, "hold-exists": RIVALS - 1}
    assert await crowd.violations() == []


@pytest.mark.slow
async def test_control_without_lane_and_index_a_fan_has_a_hold_for_every_seat(crowd: Meeting):
    await crowd.do_without(GUARDS["lane"], GUARDS["one live hold"])
    told = Counter(in_words(await crowd.meet(*ONE_FAN)))
    assert told == {"placed": 7, "fault": RIVALS - 7}
    assert "inv_fan_with_two_holds" in await crowd.violations()


@pytest.mark.slow
async def test_fifty_times_the_same_request_is_one_hold(crowd: Meeting):
    assert Counter(in_words(await crowd.meet(*ONE_HOLD))) == {"placed": 1, "known held": RIVALS - 1}
    assert await crowd.updates() == 1
