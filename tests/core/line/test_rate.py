"""The controller keeps the shop full and never lets in more than it may."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.line import Called, Health, Inflow, Shop

EMPTY = Shop(cap=5_000, active=0, coming=0, outflow=0, arrival_seconds=2, buyers_max=1e9, per_second_max=1e9)


@given(
    active=st.floats(0, 6_000),
    coming=st.floats(0, 2_000),
    outflow=st.floats(0, 500),
    absent=st.floats(0, 0.9),
    seconds=st.floats(0.1, 2),
)
def test_it_calls_nobody_the_shop_has_no_room_for(
    active: float, coming: float, outflow: float, absent: float, seconds: float
):
    shop = replace(EMPTY, active=active, coming=coming, outflow=outflow)
    more = Inflow(absent).next(shop, seconds=seconds)
    assert more >= 0
    assert active + coming + more * (1 - absent) <= max(shop.cap, active + coming) + outflow * (seconds + 2) + 1e-6


@pytest.mark.parametrize(
    ("shop", "reason"),
    [
        (replace(EMPTY, is_paused=True), "an operator paused it"),
        (replace(EMPTY, active=6_000, outflow=1), "the shop is full"),
        (replace(EMPTY, buyers_max=0), "no seat is left"),
        (replace(EMPTY, active=300, buyers_max=300), "those inside want all that is left"),
        (replace(EMPTY, per_second_max=0), "the payment provider takes no more"),
    ],
)
def test_nobody_is_called(shop: Shop, reason: str):
    assert Inflow().next(shop, seconds=1) == 0, reason


def test_who_does_not_come_is_made_up_for():
    inflow = Inflow()
    for _ in range(200):
        inflow.learn(called=100, came=75)
    assert inflow.absent == pytest.approx(0.25, abs=0.01)
    assert inflow.next(EMPTY, seconds=1) == pytest.approx(Inflow().next(EMPTY, seconds=1) / 0.75, rel=0.02)


def test_who_was_called_is_expected_until_the_page_has_looked():
    called = Called(looks_every=30)
    called.add(100, now=0)
    called.add(100, now=15)
    assert called.coming(now=15, absent=0.2) == pytest.approx((50 + 100) * 0.8)
    assert called.coming(now=30, absent=0.2) == pytest.approx(50 * 0.8)
    assert called.coming(now=45, absent=0.2) == 0


def test_what_is_not_well_halves_at_once_and_comes_back_slowly():
    health = Health()
    assert health.look(is_well=False, seconds=1) == 0.5
    assert health.look(is_well=False, seconds=1) == 0.25
    assert 0.25 < health.look(is_well=True, seconds=1) < 0.5
    for _ in range(100):
        health.look(is_well=False, seconds=1)
    assert health.factor > 0, "somebody has to find out that it is well again"


def test_in_steady_demand_the_shop_is_full_and_never_overfull():
    """Visits of changing length, a quarter of those called do not come, the rest come within a few seconds."""
    chance, inflow, cap = Random(4), Inflow(), 2_000  # noqa: S311 -- the same sample each time
    ends: dict[int, int] = {}
    comes: dict[int, int] = {}
    active, called = 0, Called(looks_every=5)
    seen: list[int] = []
    left = [0] * 60
    for second in range(1_800):
        active -= (gone := ends.pop(second, 0))
        left[second % 60] = gone
        came = min(comes.pop(second, 0), cap - active)  # the door counts
        for _ in range(came):
            mean = 300 if second < 900 else 600
            end = second + 1 + int(chance.expovariate(1 / mean))
            ends[end] = ends.get(end, 0) + 1
        active += came
        coming = called.coming(now=second, absent=inflow.absent)
        shop = Shop(
            cap=cap,
            active=active,
            coming=coming,
            outflow=sum(left) / 60,
            arrival_seconds=2.5,
            buyers_max=1e9,
            per_second_max=1e9,
        )
        more = round(inflow.next(shop, seconds=1))
        called.add(more, now=second)
        who_come = sum(chance.random() > 0.25 for _ in range(more))
        inflow.learn(called=more, came=who_come)
        for _ in range(who_come):
            at = second + 1 + chance.randrange(5)
            comes[at] = comes.get(at, 0) + 1
        if second > 300:
            seen.append(active)
    assert max(seen) <= cap
    assert sum(seen) / len(seen) >= 0.95 * cap
