"""Counting keys in bins, and moving the frontier by so many fans, against counting each of them."""

from bisect import bisect_right
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.line import Bins, Crowd, LineRules, Policy, bins_of
from frontrow.core.line.crowd import BINS

FANS = 50_000


@pytest.mark.parametrize("policy", Policy)
@given(key=st.floats(0, 1e7))
def test_a_key_is_found_where_it_was_put(policy: Policy, key: float):
    bins = bins_of(LineRules(policy=policy))
    place = bins.place(key)
    assert 0 <= place <= BINS
    if place < BINS:
        assert bins.key(place) == pytest.approx(key, rel=1e-9, abs=1e-9)
    assert 0 <= bins.number(key) < BINS


@given(keys=st.lists(st.floats(0, 1e6), min_size=2, max_size=2))
def test_keys_stay_in_order(keys: list[float]):
    bins = Bins(head=30.0, tail_step=1.0)
    low, high = sorted(keys)
    assert bins.place(low) <= bins.place(high)


def crowd_of(keys: list[float]) -> Crowd:
    crowd = Crowd(bins_of(LineRules(policy=Policy.LOTTERY)))
    for key in keys:
        crowd.add(key)
    return crowd


def test_the_frontier_lets_in_as_many_as_it_should():
    chance = Random(1)  # noqa: S311 -- the same sample each time
    keys = sorted([chance.random() for _ in range(FANS)] + [1 + chance.random() * 600 for _ in range(FANS)])
    crowd, frontier, admitted = crowd_of(keys), 0.0, 0
    for _ in range(200):
        frontier = crowd.frontier_after(frontier, 500)
        now = bisect_right(keys, frontier)
        assert abs(now - admitted - 500) < 60, "bins are even inside, so a batch is off by no more than its luck"
        admitted = now
    assert admitted == pytest.approx(2 * FANS, rel=0.001)


def test_it_goes_no_further_than_the_last_who_waits():
    crowd = crowd_of([0.25])
    frontier = crowd.frontier_after(0.0, 1000)
    assert 0.25 < frontier < 0.2501
    assert crowd.frontier_after(frontier, 1000) == frontier, "nobody waits beyond"


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("late", [10.0, 40_000.0, 3e6, 3e8])
def test_it_gets_past_everybody_however_late(policy: Policy, late: float):
    """A sale is open for months: a frontier that ended somewhere would keep out whoever joins beyond."""
    crowd = Crowd(bins_of(LineRules(policy=policy)))
    crowd.add(late)
    assert crowd.frontier_after(0.0, 1) >= late


@pytest.mark.slow
@given(
    keys=st.lists(st.floats(0, 40_000), max_size=30),
    moves=st.lists(st.floats(0, 20), max_size=10),
)
def test_it_never_goes_back(keys: list[float], moves: list[float]):
    crowd, frontier = crowd_of(keys), 0.0
    for fans in moves:
        after = crowd.frontier_after(frontier, fans)
        assert after >= frontier
        frontier = after


@given(keys=st.lists(st.floats(0, 2000), max_size=50), frontier=st.floats(0, 2000), key=st.floats(0, 2000))
def test_how_many_are_ahead_is_the_same_both_ways(keys: list[float], frontier: float, key: float):
    crowd = crowd_of(keys)
    ranks = crowd.ranks(frontier)
    assert ranks.ahead(key) == pytest.approx(crowd.between(frontier, key), abs=1e-6)
    assert ranks.waiting == pytest.approx(crowd.beyond(frontier), abs=1e-6)


@given(keys=st.lists(st.floats(0, 2000), min_size=1, max_size=50), frontier=st.floats(0, 2000), share=st.floats(0, 1))
def test_the_key_that_so_many_come_before(keys: list[float], frontier: float, share: float):
    ranks = crowd_of(keys).ranks(frontier)
    ahead = share * ranks.waiting
    assert ranks.ahead(ranks.key_at(ahead)) == pytest.approx(ahead, abs=1e-6)
