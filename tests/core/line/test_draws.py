"""Luck is even, depends on nothing but the promised seed and the fan, and can be checked afterwards."""

from uuid import UUID

import pytest
from tests.core.line.statistics import evenly, follows

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line import commitment, draw, is_promised, seed_of_tranche

SEED = bytes(range(32))
EVENT = EventId(1)
FANS = 20_000


def fan(number: int) -> FanId:
    return FanId(UUID(int=number))


def test_luck_is_even():
    assert follows([draw(SEED, EVENT, fan(number)) for number in range(FANS)], evenly)


def test_the_measure_tells_a_draw_that_is_not_even():
    assert not follows([draw(SEED, EVENT, fan(number)) ** 1.1 for number in range(FANS)], evenly)


def test_luck_at_one_event_says_nothing_of_the_next():
    """Among the lucky tenth of one event, luck at another is as even as anybody's."""
    lucky = [number for number in range(10 * FANS) if draw(SEED, EVENT, fan(number)) < 0.1]
    assert follows([draw(SEED, EventId(2), fan(number)) for number in lucky], evenly)
    other = seed_of_tranche(SEED, 1)
    assert follows([draw(other, EVENT, fan(number)) for number in lucky], evenly)


def test_luck_is_the_same_each_time_and_below_one():
    drawn = [draw(SEED, EVENT, fan(number)) for number in range(FANS)]
    assert drawn == [draw(SEED, EVENT, fan(number)) for number in range(FANS)]
    assert all(0 <= luck < 1 for luck in drawn)


def test_a_seed_is_the_promised_one_or_not():
    promised = commitment(SEED)
    assert is_promised(SEED, promised)
    assert not is_promised(SEED[::-1], promised)
    assert not is_promised(SEED[:-1], promised)
    assert SEED not in promised


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_a_fault(size: int):
    with pytest.raises(AssertionError):
        commitment(bytes(size))
