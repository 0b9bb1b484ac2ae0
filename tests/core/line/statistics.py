"""How far a sample is from the law it should follow."""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final

KS_AT_ONE_IN_A_THOUSAND: Final = 1.949  # over the root of the sample's size


def distance(sample: Sequence[float], law: Callable[[float], float]) -> float:
    """Kolmogorov and Smirnov's: the largest gap between the sample's shares and the law's."""
    ordered = sorted(sample)
    size = len(ordered)
    return max(
        max(law(value) - number / size, (number + 1) / size - law(value)) for number, value in enumerate(ordered)
    )


def follows(sample: Sequence[float], law: Callable[[float], float]) -> bool:
    """Whether a sample is as close to the law as 999 of 1,000 samples are."""
    return distance(sample, law) < KS_AT_ONE_IN_A_THOUSAND / sqrt(len(sample))


def evenly(value: float) -> float:
    """The law of luck: evenly from 0 to 1."""
    return min(max(value, 0.0), 1.0)
