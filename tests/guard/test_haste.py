"""Who polls too often is found, and in a crowd nobody else is taken for them."""

import random
from itertools import repeat

import pytest

from frontrow.core.haste import WINDOW_SECONDS, Haste, polls_max


def test_each_is_counted_and_begins_anew():
    haste = Haste()
    assert [haste.polled("a", now=100.0) for _ in range(3)] == [1, 2, 3]
    assert haste.polled("b", now=100.0) == 1
    assert haste.polled("a", now=100.0 + WINDOW_SECONDS - 0.1) == 4
    assert haste.polled("a", now=100.0 + WINDOW_SECONDS) == 1


def test_a_clock_that_jumps_is_no_matter():
    haste = Haste()
    assert [haste.polled("a", now=now) for now in (100.0, 50.0, 1e9, 0.0)] == [1, 1, 1, 1]


def test_in_a_crowd_the_hasty_one_is_found_and_nobody_else():
    """As many polls as one process answers in a window, and a program among them."""
    haste, chance = Haste(), random.Random(1)  # noqa: S311 -- a crowd, the same each time
    crowd = [*range(140_000), *repeat("program", 20)]
    chance.shuffle(crowd)
    counted = {fan: haste.polled(fan, now=100.0) for fan in crowd}
    assert counted.pop("program") >= 20
    assert max(counted.values()) <= polls_max(60.0)


@pytest.mark.parametrize(("told", "most"), [(1.0, 20), (2.0, 13), (10.0, 7), (60.0, 6), (0.0, 20)])
def test_how_often_is_too_often(told: float, most: int):
    assert polls_max(told) == most


def test_counting_has_an_end():
    haste = Haste()
    assert max(haste.polled("a", now=1.0) for _ in range(70_000)) == 65_535
