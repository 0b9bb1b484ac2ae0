"""How much a process tells: down at once when it must, and up again on its own."""

import pytest

from frontrow.core.map_levels import (
    FITS_SECONDS,
    TOO_MUCH_SECONDS,
    Level,
    Load,
    Standing,
    after,
    level,
    poll_seconds,
)

POLLS_MAX = 10_000
HEAVY, LIGHT = Load(10_001, 0.0), Load(1_599, 0.0)  # 1,600 who poll counts every 10 s poll seats 8,000 times a second


def standing(*loads: Load) -> Standing:
    stands = Standing()
    for load in loads:
        stands = after(stands, load, polls_max=POLLS_MAX)
    return stands


@pytest.mark.parametrize(
    ("loads", "is_hidden"),
    [
        ([], False),
        ([HEAVY] * (TOO_MUCH_SECONDS - 1), False),  # a reload of many is over soon
        ([HEAVY] * TOO_MUCH_SECONDS, True),
        ([HEAVY, HEAVY, LIGHT] * 3, False),  # never long enough in a row
        ([Load(10_000, 0.0)] * 9, False),  # as much as is allowed
        ([Load(1_000, 0.3)] * TOO_MUCH_SECONDS, True),  # late, and polling is why
        ([Load(999, 9.0)] * 9, False),  # late, but not from polling
        ([Load(5_000, 0.25)] * 9, False),
        ([HEAVY] * TOO_MUCH_SECONDS + [LIGHT] * (FITS_SECONDS - 1), True),
        ([HEAVY] * TOO_MUCH_SECONDS + [LIGHT] * FITS_SECONDS, False),  # back on its own
        ([HEAVY] * TOO_MUCH_SECONDS + [Load(1_600, 0.0)] * 20, True),  # they would be too many again
        ([HEAVY] * TOO_MUCH_SECONDS + [Load(1, 0.3)] * 20, True),
        ([HEAVY] * TOO_MUCH_SECONDS + [LIGHT] * 4 + [HEAVY] + [LIGHT] * 4, True),
        ([HEAVY] * TOO_MUCH_SECONDS + [LIGHT] * FITS_SECONDS + [HEAVY] * TOO_MUCH_SECONDS, True),
    ],
)
def test_seats_are_hidden_and_shown_again(loads: list[Load], *, is_hidden: bool):
    assert standing(*loads).is_hidden is is_hidden


@pytest.mark.parametrize(
    ("is_hidden", "is_full", "expected", "seconds"),
    [
        (False, False, Level.PUSH, 2),
        (False, True, Level.POLL, 2),
        (True, False, Level.COUNTS, 10),
        (True, True, Level.COUNTS, 10),
    ],
)
def test_levels(expected: Level, seconds: int, *, is_hidden: bool, is_full: bool):
    at = level(Standing(is_hidden), streams_are_full=is_full)
    assert (at, poll_seconds(at)) == (expected, seconds)
