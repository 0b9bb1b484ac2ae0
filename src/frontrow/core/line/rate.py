"""How many fans come in next: as many as go out, and what is missing to the number that the shop is to hold.

What is measured is who leaves, so a slower checkout lets fewer in without anybody knowing how long a visit takes. The
number of sessions never passes the cap by this: the door counts again, exactly. This only keeps the shop full.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

TARGET_SHARE: Final = 0.985  # of the cap: what is over is for those who come in between two looks
FILL_SECONDS: Final = 15.0  # how long it takes to close a gap
ABSENT_MAX: Final = 0.9  # of ten who are called one comes: beyond that it is not those who wait who are missing
ABSENT_SMOOTHING: Final = 0.05  # how much one look counts
HALVED: Final = 0.5
MENDED_PER_SECOND: Final = 0.05
HEALTH_MIN: Final = 1 / 64  # never quite shut by health alone: somebody has to find out that it is well again


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """What the controller knows at one look."""

    cap: int  # sessions at once
    active: float  # sessions there are
    coming: float  # fans who have been called and will be here in a moment (see Called)
    outflow: float  # sessions that ended, a second, over the last minute
    arrival_seconds: float  # from being called to being here, in the mean
    buyers_max: float  # fans whom the seats that are left can still serve, those inside among them
    per_second_max: float  # what an operator, or the payment provider, allows
    health: float = 1.0  # what share of all that is well enough for (see Health)
    is_paused: bool = False


class Inflow:
    """Decides at each look how many are called. It remembers what share of those who were called came."""

    def __init__(self, absent: float = 0.0) -> None:
        """`absent`: what share did not come, as far as is known."""
        self.absent = absent

    def learn(self, *, called: float, came: float) -> None:
        """Of so many whose time to come in has passed, so many came."""
        if called > 0:
            missing = min(max(1 - came / called, 0.0), ABSENT_MAX)
            self.absent += ABSENT_SMOOTHING * (missing - self.absent)

    def next(self, shop: Shop, *, seconds: float) -> float:
        """How many more fans the frontier passes, for the time until the next look."""
        if shop.is_paused:
            return 0.0
        still_here = max(shop.active - shop.outflow * shop.arrival_seconds, 0.0)  # when those who are called now arrive
        gap = TARGET_SHARE * shop.cap - still_here - shop.coming
        per_second = min(shop.outflow + gap / FILL_SECONDS, shop.per_second_max) * shop.health
        left_to_serve = shop.buyers_max - shop.active - shop.coming
        come = min(per_second * seconds, max(gap, 0.0) + shop.outflow * seconds, left_to_serve)
        return max(come, 0.0) / (1 - self.absent)


class Called:
    """Who has been called and is not here yet. A waiting page looks once in so many seconds, at a moment of its own."""

    def __init__(self, *, looks_every: float) -> None:
        self._looks_every = looks_every
        self._called: deque[tuple[float, float]] = deque()

    def add(self, fans: float, *, now: float) -> None:
        if fans > 0:
            self._called.append((now, fans))

    def coming(self, *, now: float, absent: float) -> float:
        """How many of them will still come, if such a share never does."""
        while self._called and now - self._called[0][0] >= self._looks_every:
            self._called.popleft()
        yet_to_look = sum(fans * (1 - (now - at) / self._looks_every) for at, fans in self._called)
        return yet_to_look * (1 - absent)


class Health:
    """How much of what could come in is let in: halved at once when something is wrong, then back little by little."""

    def __init__(self) -> None:
        self.factor = 1.0

    def look(self, *, is_well: bool, seconds: float) -> float:
        if is_well:
            self.factor = min(1.0, self.factor + MENDED_PER_SECOND * seconds)
        else:
            self.factor = max(HEALTH_MIN, self.factor * HALVED)
        return self.factor
