"""How long a fan will wait, as an honest range: half of all wait less than its lower end, nine of ten than its upper.

A place in line and the pace of the line give a guess. How far off such guesses were, for those who have been admitted
since, makes it a range. It is told coarsely: nobody is helped by seconds that are not true. The place is not told.
"""

from bisect import bisect_left
from dataclasses import dataclass
from math import exp
from typing import Final

LEVELS: Final = (0.5, 0.9)
LEARNING: Final = 0.02  # how much one admitted fan moves what is expected of the next
ERROR_MIN: Final = 0.05  # guesses are never off by more than this factor, either way
ERROR_MAX: Final = 20.0

PACE_SECONDS: Final = 600.0  # visits of this long ago count a third
ENDED_MIN: Final = 20.0  # so many visits must have ended before anything is said of their length

_MINUTE: Final = 60.0
TOLD_SECONDS: Final = tuple(
    _MINUTE * minutes for minutes in (1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 480)
)


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds: half of all wait no longer than the first, nine of ten no longer than the second."""

    likely: float
    at_most: float

    def told(self) -> tuple[int, int]:
        """The range in minutes as people are told it, never shorter than it is: (10, 15)."""
        upper = _rounded_up(self.at_most)
        lower = min(_rounded_up(self.likely), upper)
        return int(lower / _MINUTE), int(upper / _MINUTE)


class Pace:
    """How fast the line will move: the length of a visit, from the time spent inside and the visits that ended.

    That is right from the first minutes on, when most who are inside have not left yet. How many were admitted lately
    is not: while the shop fills, it is far more than it will be.
    """

    def __init__(self) -> None:
        self._spent = 0.0  # seconds inside, of all sessions together
        self._ended = 0.0

    def look(self, *, active: float, ended: float, seconds: float) -> None:
        """In so many seconds, with so many inside, so many left."""
        kept = exp(-seconds / PACE_SECONDS)
        self._spent = self._spent * kept + active * seconds
        self._ended = self._ended * kept + ended

    def guess(self, ahead: float, *, places: float, free: float, absent: float) -> float | None:
        """Seconds until so many in line have been called: `free` of the shop's places now, the rest as people leave.

        None: nobody knows yet how long a visit takes.
        """
        if self._ended < ENDED_MIN:
            return None
        per_second = places * self._ended / self._spent
        return max(ahead * (1 - absent) - free, 0.0) / per_second


class Calibration:
    """How far off guesses were: the factors that half, and nine of ten, of true waits stayed below."""

    def __init__(self) -> None:
        self._factors = [1.0, 1.25]

    @property
    def factors(self) -> tuple[float, float]:
        likely, at_most = self._factors
        return likely, max(likely, at_most)

    def range(self, guessed: float) -> Wait:
        """What is told where so many seconds are guessed."""
        likely, at_most = self.factors
        return Wait(guessed * likely, guessed * at_most)

    def learn(self, *, guessed: float, waited: float) -> None:
        """A fan for whom so many seconds were guessed has waited so long."""
        if guessed <= 0:
            return
        error = waited / guessed
        for at, level in enumerate(LEVELS):
            is_beyond = error > self._factors[at]
            step = level if is_beyond else level - 1.0
            self._factors[at] = min(max(self._factors[at] * (1.0 + LEARNING * step), ERROR_MIN), ERROR_MAX)


def _rounded_up(seconds: float) -> float:
    """The next value that is told; beyond the last one, that."""
    return TOLD_SECONDS[min(bisect_left(TOLD_SECONDS, seconds), len(TOLD_SECONDS) - 1)]
