"""Figures: the value that a share stays below, rates and ratios, and what is not measured."""

from collections.abc import Sequence

import pytest

from frontrow.bench.figures import Latency, at_share, median, per_second, ratio


@pytest.mark.parametrize(
    ("values", "share", "value"),
    [
        ([], 0.99, 0.0),  # nothing was measured
        ([7], 0.5, 7),
        ([7], 0.999, 7),
        ([1, 2], 0.5, 1),  # one of two does not exceed it
        ([1, 2], 0.51, 2),
        (range(1, 101), 0.99, 99),
        (range(1, 101), 0.999, 100),
        (range(1, 1001), 0.999, 999),
    ],
)
def test_a_share_of_all_does_not_exceed_it(values: Sequence[float], share: float, value: float):
    assert at_share(values, share) == value


def test_a_median_does_not_need_an_order():
    assert median([3, 1, 2]) == 2
    assert median([4, 3, 1, 2]) == 2


def test_a_latency_is_in_milliseconds_whatever_the_order():
    assert Latency.of([0.002, 0.001, 0.003]) == Latency(p50_ms=2.0, p99_ms=3.0, p999_ms=3.0)
    assert Latency.of([]) == Latency(0.0, 0.0, 0.0)


def test_what_took_no_time_or_was_not_measured_has_no_rate():
    assert per_second(10, 4) == 2.5
    assert per_second(10, 0) == 0.0
    assert ratio(10, 4) == 2.5
    assert ratio(10, 0) == 0.0
