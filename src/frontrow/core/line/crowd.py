"""How many wait with which keys: a histogram of fixed size, however many fans there are.

It is an estimate, and may be: whoever is admitted by it is counted once more, exactly, at the door. It is made of what
waiting fans say while they wait: those who gave up fade from it, and one that was lost is whole again in a minute.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import expm1, log1p
from typing import Final

HEAD_BINS: Final = 32_768
TAIL_BINS: Final = 32_768  # late fans: finely in the first hours, by the quarter of an hour after a month
BINS: Final = HEAD_BINS + TAIL_BINS
TAIL_STEPS_FINE: Final = 3_600.0  # from here on bins grow with how late it is
TAIL_STEPS_MAX: Final = 4e9  # a sale is open for months, and the frontier has to get past everybody who ever joins
NOBODY: Final = 0.001  # so little of a fan is left only of one who is not there any more

_BINS_PER_LOG: Final = TAIL_BINS / log1p(TAIL_STEPS_MAX / TAIL_STEPS_FINE)


@dataclass(frozen=True, slots=True)
class Bins:
    """Where keys are counted: from 0 to `head` in equal parts, and beyond it in parts that grow."""

    head: float
    tail_step: float

    def place(self, key: float) -> float:
        """A key as bins and parts of one, from 0 to BINS."""
        if key < self.head:
            return max(key, 0.0) / self.head * HEAD_BINS
        steps = (key - self.head) / self.tail_step
        return min(HEAD_BINS + log1p(steps / TAIL_STEPS_FINE) * _BINS_PER_LOG, float(BINS))

    def key(self, place: float) -> float:
        """The way back."""
        if place < HEAD_BINS:
            return place / HEAD_BINS * self.head
        return self.head + expm1((place - HEAD_BINS) / _BINS_PER_LOG) * TAIL_STEPS_FINE * self.tail_step

    def number(self, key: float) -> int:
        """The bin that counts a key."""
        return min(int(self.place(key)), BINS - 1)


class Crowd:
    """Who waits. Inside a bin keys are taken to lie evenly, as draws do."""

    def __init__(self, bins: Bins, weights: Iterable[float] = ()) -> None:
        """`weights`: how many fans are in each bin; none without it."""
        self.bins = bins
        self._weights = array("d", weights) or array("d", bytes(8 * BINS))
        assert len(self._weights) == BINS, f"there are {BINS} bins"

    def add(self, key: float, fans: float = 1.0) -> None:
        self._weights[self.bins.number(key)] += fans

    def add_all(self, fans: Iterable[tuple[int, float]]) -> None:
        """Add to bins by their numbers."""
        for number, more in fans:
            self._weights[number] += more

    def fade(self, share: float) -> None:
        """Leave such a share of everybody: who is still there is soon heard of again."""
        self._weights = array("d", [weight * share if weight > NOBODY else 0.0 for weight in self._weights])

    @property
    def is_empty(self) -> bool:
        return not any(self._weights)

    @property
    def weights(self) -> Sequence[float]:
        """How many fans are in each bin."""
        return self._weights

    def beyond(self, frontier: float) -> float:
        """How many wait."""
        return self.between(frontier, self.bins.key(BINS))

    def between(self, frontier: float, key: float) -> float:
        """How many wait with a key above the frontier and below this one."""
        first, last = self.bins.place(frontier), self.bins.place(key)
        if last <= first:
            return 0.0
        low, high = int(first), min(int(last), BINS - 1)
        whole = sum(self._weights[low:high])
        return whole - (first - low) * self._weights[low] + (last - high) * self._weights[high]

    def frontier_after(self, frontier: float, fans: float) -> float:
        """Where the frontier stands when so many more are admitted: never behind where it stands.

        Where fewer wait it goes no further than the last of them, so that nobody who comes later is before anybody.
        """
        first = self.bins.place(frontier)
        last = first
        for number in range(int(first), BINS):
            begin = max(first, float(number))
            here = self._weights[number] * (number + 1 - begin)
            if here > 0:
                if here >= fans:
                    last = begin + (number + 1 - begin) * (fans / here)
                    break
                fans -= here
                last = float(number + 1)
        return max(frontier, self.bins.key(last))

    def ranks(self, frontier: float) -> "Ranks":
        """Every bin's place in line, for who has many keys to ask about."""
        first = self.bins.place(frontier)
        low = int(first)
        weights = self._weights[low:] if low < BINS else array("d")
        if weights:
            weights[0] *= low + 1 - first
        return Ranks(self.bins, first, tuple(accumulate(weights, initial=0.0)))


@dataclass(frozen=True, slots=True)
class Ranks:
    """How many are before each bin, counted from the frontier."""

    bins: Bins
    first: float  # the frontier's place
    before: Sequence[float]

    def ahead(self, key: float) -> float:
        """How many come before this key; 0 where it is not beyond the frontier."""
        place, low = self.bins.place(key), int(self.first)
        if place <= self.first:
            return 0.0
        number = self.bins.number(key)
        begin = max(self.first, float(number))  # the frontier may stand inside a bin: then only the rest of it counts
        inside = (place - begin) / (number + 1 - begin)
        at = number - low
        return self.before[at] + inside * (self.before[at + 1] - self.before[at])

    @property
    def waiting(self) -> float:
        return self.before[-1]

    def key_at(self, ahead: float) -> float:
        """The key that so many come before: the way back from `ahead`, as long as so many wait."""
        at = min(max(bisect_right(self.before, ahead) - 1, 0), len(self.before) - 2)
        begin, end = max(self.first, float(int(self.first) + at)), float(int(self.first) + at + 1)
        here = self.before[at + 1] - self.before[at]
        inside = min((ahead - self.before[at]) / here, 1.0) if here else 0.0
        return self.bins.key(begin + inside * (end - begin))
