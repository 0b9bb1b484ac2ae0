"""The laws of the published designs, to the letter, and that nobody gains by anything but luck or time."""

from math import exp, sqrt
from random import Random
from uuid import UUID

import pytest
from tests.core.line.statistics import evenly, follows

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line import Joined, LineRules, Policy, draw, key

SEED = bytes(range(32))
GATHERED = Joined(0.0)
FANS = 20_000
LUCK = [draw(SEED, EventId(1), FanId(UUID(int=number))) for number in range(FANS)]


def rules(policy: Policy, **other: float) -> LineRules:
    return LineRules(policy=policy, **other)


def test_lottery_is_even_among_those_who_gathered_and_late_ones_follow_in_their_order():
    lottery = rules(Policy.LOTTERY)
    assert follows([key(lottery, GATHERED, luck) for luck in LUCK], evenly)
    late = [key(lottery, Joined(0.001 * number + 0.001), luck) for number, luck in enumerate(LUCK)]
    assert late == sorted(late)
    assert min(late) > max(key(lottery, GATHERED, luck) for luck in LUCK)


def test_tranches_come_one_after_the_other_and_chance_decides_inside():
    five_seconds = rules(Policy.TRANCHES, tranche_seconds=5.0)
    joined = [Joined(number * 20 / FANS + 1e-9) for number in range(FANS)]
    keys = [key(five_seconds, each, luck) for each, luck in zip(joined, LUCK, strict=True)]
    for tranche in range(4):
        inside = [k for k, each in zip(keys, joined, strict=True) if 5 * tranche <= each.seconds < 5 * tranche + 5]
        assert all(tranche + 1 <= k < tranche + 2 for k in inside)
        assert follows([k - tranche - 1 for k in inside], evenly)
    assert all(0 <= key(five_seconds, GATHERED, luck) < 1 for luck in LUCK), "who gathered is before all of them"


@pytest.mark.parametrize("later", [0.0, 0.2, 0.5, 0.9])
def test_jitter_lets_the_later_one_be_first_as_often_as_it_says(later: float):
    """P(who is d later is first) = (1 - d/J)^2 / 2."""
    jitter = rules(Policy.JITTER, jitter_seconds=30.0)
    chance = Random(1)  # noqa: S311 -- the same sample each time
    tries = 40_000
    first = sum(
        key(jitter, Joined(100 + later * 30.0), chance.random()) < key(jitter, Joined(100), chance.random())
        for _ in range(tries)
    )
    expected = (1 - later) ** 2 / 2
    assert abs(first / tries - expected) < 4 * sqrt(expected * (1 - expected) / tries)


def test_a_wait_without_memory_follows_its_law():
    """P(wait <= t) = 1 - exp(-t/tau), the wait counted by how far the frontier moves."""
    tau = 600.0
    memoryless = rules(Policy.PROBABILISTIC, tau_seconds=tau)
    waits = [key(memoryless, Joined(3.0, frontier=250.0), luck) - 250.0 for luck in LUCK]
    assert follows(waits, lambda wait: 1 - exp(-max(wait, 0.0) / tau))


def test_asking_more_often_changes_no_wait():
    """The published law asks for a draw at each poll; then whoever polls ten times as often waits a third as long.

    Here one draw counts. This is the control: with a draw at each poll, the same measure shows the gain.
    """
    tau, chance = 600.0, Random(2)  # noqa: S311 -- the same sample each time

    def waits_with_a_draw_at_each_poll(every: float) -> float:
        waited = 0.0
        while chance.random() > 1 - exp(-waited / tau):
            waited += every
        return waited

    mean = {every: sum(waits_with_a_draw_at_each_poll(every) for _ in range(500)) / 500 for every in (1.0, 10.0)}
    assert mean[10.0] > 2 * mean[1.0]
    memoryless = rules(Policy.PROBABILISTIC, tau_seconds=tau)
    drawn_once = key(memoryless, Joined(1.0), LUCK[0])
    assert {key(memoryless, Joined(1.0), LUCK[0]) for _ in range(10)} == {drawn_once}


def test_first_come_is_time_alone():
    strict = rules(Policy.FIRST_COME)
    assert {key(strict, Joined(12.5), luck) for luck in LUCK[:100]} == {12.5}


@pytest.mark.parametrize("policy", Policy)
def test_joining_again_later_is_never_better(policy: Policy):
    """The same fan has the same luck: whoever throws a ticket away and joins anew comes no sooner."""
    of = rules(policy)
    for luck in LUCK[:2_000]:
        moments = [GATHERED, Joined(0.5), Joined(4.9, frontier=3.0), Joined(60.0, frontier=55.0)]
        keys = [key(of, joined, luck) for joined in moments if policy is not Policy.TRANCHES]
        assert keys == sorted(keys)
    if policy is Policy.TRANCHES:  # a later tranche has luck of its own, and is later whatever that is
        assert max(LUCK) < key(of, Joined(0.001), min(LUCK))
