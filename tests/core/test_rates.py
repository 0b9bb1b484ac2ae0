"""Rates: so many at once, then one every so often; all keys of a request, or none."""

import copy
from itertools import accumulate, combinations

from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.rates import SECOND_US, Limit, Rate, Rates, Taken, rate

THREE = rate(at_once=3, again_seconds=10)
ONE = rate(at_once=1, again_seconds=10)


def take(rates: Rates, *limits: Limit, now: float = 0) -> Taken:
    return rates.take(limits, now_us=int(now * SECOND_US))


class TestSeveralKeys:
    def test_it_counts_for_all_or_for_none(self):
        rates = Rates()
        fan, address = Limit("fan", THREE), Limit("address", ONE)
        assert take(rates, fan, address).wait_us == 0
        assert [take(rates, fan, address).wait_seconds for _ in range(5)] == [10] * 5  # the address has to wait
        assert [take(rates, fan).wait_seconds for _ in range(3)] == [0, 0, 10]  # and the fan has not paid for it

    def test_the_longest_wait_is_told_and_enough(self):
        rates = Rates()
        limits = Limit("a", ONE), Limit("b", rate(at_once=1, again_seconds=25))
        assert take(rates, *limits).wait_us == 0
        assert take(rates, *limits, now=1).wait_seconds == 24
        assert take(rates, *limits, now=24).wait_seconds == 1
        assert take(rates, *limits, now=25).wait_us == 0

    def test_no_limits_let_everybody_go_on(self):
        assert take(Rates()) == Taken(0)


class TestSoftLimits:
    def test_beyond_one_it_goes_on_and_is_told(self):
        rates = Rates()
        soft = Limit("calm", ONE, is_soft=True)
        assert [take(rates, soft).over for _ in range(3)] == [(), ("calm",), ("calm",)]
        assert take(rates, soft, now=10).over == ()  # what was over did not count

    def test_what_is_refused_counts_for_none(self):
        rates = Rates()
        soft, hard = Limit("calm", THREE, is_soft=True), Limit("fan", ONE)
        take(rates, hard, soft)
        assert [take(rates, hard, soft) for _ in range(4)] == [Taken(10 * SECOND_US)] * 4
        assert [take(rates, soft).over for _ in range(3)] == [(), (), ("calm",)]


@given(
    at_once=st.integers(1, 5),
    again_us=st.integers(1, 50),
    gaps=st.lists(st.integers(0, 120), min_size=1, max_size=60),
)
def test_in_no_stretch_of_time_it_is_more(at_once: int, again_us: int, gaps: list[int]):
    """And whoever waits as long as they are told to is let through, and no sooner."""
    rates, kept = Rates(), Rate(at_once, again_us)
    let: list[int] = []
    for now_us in accumulate(gaps, initial=1_000):
        wait_us = rates.wait_us("key", kept, now_us=now_us)
        if wait_us == 0:
            let.append(now_us)
        else:
            assert copy.deepcopy(rates).wait_us("key", kept, now_us=now_us + wait_us - 1) == 1
            assert copy.deepcopy(rates).wait_us("key", kept, now_us=now_us + wait_us) == 0
    for first, last in combinations(range(len(let)), 2):
        assert last - first + 1 <= at_once + (let[last] - let[first]) // again_us


@given(requests=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), max_size=60))
def test_one_key_and_several_are_the_same_rule(requests: list[tuple[str, int]]):
    one, several = Rates(), Rates()
    now_us = 0
    for key, gap in requests:
        now_us += gap
        kept = Rate(2, 20)
        assert one.wait_us(key, kept, now_us=now_us) == several.take([Limit(key, kept)], now_us=now_us).wait_us
