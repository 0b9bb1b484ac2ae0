"""Telling fans how long it will take, and finding out how wrong that was.

A few places in line are asked about again and again, as fans would ask. When the frontier has passed one of them, it is
known how long it really took, and what is told from then on is the better for it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from frontrow.core.line.crowd import Ranks
from frontrow.core.line.waits import Calibration, Pace, Wait

ASK_EVERY_SECONDS: Final = 15.0
ASKED_MAX: Final = 20  # places at a time
TABLE_MAX: Final = 48  # places whose guesses are told; between two of them a straight line does

Guesses = Sequence[tuple[float, float]]  # keys in order, and the seconds that are guessed for each


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What there is room for."""

    places: float  # sessions that the shop is to hold
    free: float  # of them
    absent: float  # the share of those who are called that does not come
    reach: float  # so many fans in line can still be served at all


@dataclass(frozen=True, slots=True)
class _Asked:
    key: float
    at: float
    wait: Wait
    guessed: float


class Estimates:
    """What is guessed for a line, and what has come of earlier guesses."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._calibration = Calibration()
        self._asked: list[_Asked] = []
        self._asked_at = -ASK_EVERY_SECONDS

    @property
    def factors(self) -> tuple[float, float]:
        """What a guess is multiplied with: for the time that half wait less than, and nine of ten."""
        return self._calibration.factors

    def look(self, *, active: float, ended: float, seconds: float) -> None:
        """In so many seconds, with so many inside, so many left."""
        self._pace.look(active=active, ended=ended, seconds=seconds)

    def learn(self, frontier: float, *, now: float) -> Sequence[tuple[Wait, float]]:
        """Look which places the frontier has passed: for each what had been told, and how long it took."""
        still: list[_Asked] = []
        found: list[tuple[Wait, float]] = []
        for asked in self._asked:
            if asked.key > frontier:
                still.append(asked)
                continue
            waited = now - asked.at
            self._calibration.learn(guessed=asked.guessed, waited=waited)
            found.append((asked.wait, waited))
        self._asked = still
        return found

    def is_due(self, now: float) -> bool:
        return now - self._asked_at >= ASK_EVERY_SECONDS

    def ask(self, ranks: Ranks, room: Room, shares: Sequence[float], *, now: float) -> None:
        """Ask for some places in line: the shares say how far back, from 0 for the first to 1 for the last."""
        self._asked_at = now
        reach = min(ranks.waiting, room.reach)
        for share in shares:
            ahead = share * reach
            guessed = self.guess(ahead, room)
            if guessed:
                self._asked.append(_Asked(ranks.key_at(ahead), now, self._calibration.range(guessed), guessed))

    def guess(self, ahead: float, room: Room) -> float | None:
        """Seconds until so many have been called; None where nobody knows."""
        if ahead * (1 - room.absent) <= room.free:
            return 0.0
        return self._pace.guess(ahead, places=room.places, free=room.free, absent=room.absent)

    def table(self, ranks: Ranks, room: Room) -> Guesses:
        """Guesses for places all along the line, closer together where it begins; nothing where nobody knows."""
        found: list[tuple[float, float]] = []
        for step in range(TABLE_MAX):
            ahead = ranks.waiting * (step / (TABLE_MAX - 1)) ** 2
            guessed = self.guess(ahead, room)
            if guessed is None:
                return ()
            found.append((ranks.key_at(ahead), guessed))
        return found


def guess_at(guesses: Guesses, key: float) -> float | None:
    """The guess for a key; beyond the last place, that of the last."""
    if not guesses:
        return None
    at = bisect_left(guesses, key, key=lambda guess: guess[0])
    if at == len(guesses):
        return guesses[-1][1]
    after = guesses[at]
    before = guesses[at - 1] if at else after
    if after[0] == before[0]:
        return after[1]
    share = (key - before[0]) / (after[0] - before[0])
    return before[1] + share * (after[1] - before[1])
