"""Figures of a measurement: how many a second, and the time that a share of all stays below."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Self

MS: Final = 1_000  # in a second
US: Final = 1_000_000


def at_share(ordered: Sequence[float], share: float) -> float:
    """The least value that this share of all does not exceed; 0 where nothing was measured."""
    return ordered[max(ceil(len(ordered) * share) - 1, 0)] if ordered else 0.0


def median(values: Sequence[float]) -> float:
    """The middle one, the lower of the two in the middle."""
    return at_share(sorted(values), 0.5)


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers took, in milliseconds."""

    p50_ms: float
    p99_ms: float
    p999_ms: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Self:
        ordered = sorted(seconds)
        return cls(*(round(at_share(ordered, share) * MS, 1) for share in (0.5, 0.99, 0.999)))


def per_second(count: int, seconds: float) -> float:
    """A rate; 0 where no time has passed, since then nothing was measured."""
    return round(count / seconds, 1) if seconds > 0 else 0.0


def ratio(ours: float, theirs: float) -> float:
    """How many times theirs ours is; 0 where theirs was not measured."""
    return round(ours / theirs, 2) if theirs > 0 else 0.0
