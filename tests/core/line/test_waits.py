"""A told wait is a range that is kept as often as it says."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.line import Calibration, Pace, Wait
from frontrow.core.line.waits import TOLD_SECONDS


def test_a_range_is_kept_as_often_as_it_says():
    """Guesses that are wrong by a factor nobody knows, which changes half way, and by luck beside."""
    chance, calibration = Random(3), Calibration()  # noqa: S311 -- the same sample each time
    within = {"likely": 0, "at_most": 0}
    told = 20_000
    for number in range(told):
        truth = 300 * (1.7 if number < told / 2 else 0.6) * chance.lognormvariate(0, 0.4)
        wait = calibration.range(300)
        within["likely"] += truth <= wait.likely
        within["at_most"] += truth <= wait.at_most
        calibration.learn(guessed=300, waited=truth)
    assert 0.45 < within["likely"] / told < 0.55
    assert 0.87 < within["at_most"] / told < 0.93


def test_the_pace_is_known_while_the_shop_still_fills():
    """2,000 come in at once for visits of 300 s; after one minute 15 of 16 are still inside."""
    pace, inside = Pace(), 2_000.0
    for _ in range(60):
        ended = inside / 300
        pace.look(active=inside, ended=ended, seconds=1)
        inside -= ended
    guessed = pace.guess(1_000, places=2_000, free=0, absent=0.25)
    assert guessed == pytest.approx(750 / (2_000 / 300), rel=0.01)


def test_free_places_are_taken_at_once_and_who_does_not_come_takes_none():
    pace = Pace()
    pace.look(active=1_000, ended=100, seconds=10)
    assert pace.guess(400, places=1_000, free=300, absent=0.25) == 0
    assert pace.guess(400, places=1_000, free=200, absent=0.25) == pytest.approx(10)


def test_nobody_knows_before_visits_have_ended():
    pace = Pace()
    pace.look(active=5_000, ended=3, seconds=1)
    assert pace.guess(100, places=5_000, free=0, absent=0) is None


@pytest.mark.parametrize(
    ("wait", "told"),
    [
        (Wait(1, 20), (1, 1)),
        (Wait(400, 800), (7, 15)),
        (Wait(600, 600), (10, 10)),
        (Wait(10_000, 99_999_999), (180, 480)),  # beyond what is told, the last
    ],
)
def test_it_is_told_coarsely(wait: Wait, told: tuple[int, int]):
    assert wait.told() == told


@given(likely=st.floats(0, TOLD_SECONDS[-1]), more=st.floats(0, 1e6))
def test_it_is_never_told_shorter_than_it_is(likely: float, more: float):
    lower, upper = Wait(likely, likely + more).told()
    assert lower <= upper
    assert lower * 60 >= min(likely, TOLD_SECONDS[-1])
    assert upper * 60 >= min(likely + more, TOLD_SECONDS[-1])
