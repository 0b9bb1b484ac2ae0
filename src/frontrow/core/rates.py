"""How often somebody may do something: so many times at once, then one every so many seconds (GCRA).

One number for each key says when all that was used up is there again. A request may have several keys, a fan's and an
address's for one: either it counts for all of them, or it is refused and costs nothing. A limit may also be soft: what
is beyond it is let through, and told.

What is here is counted in the memory of one process, and is the rule that `adapters/valkey` counts by for all of them.
Times are whole microseconds of any clock that does not go back, and arrive as arguments: whole, so that both agree.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

SECOND_US: Final = 1_000_000
KEYS_MAX: Final = 100_000  # 20 MB; beyond it all begin anew, and nobody is refused who should not be


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, then one every so many microseconds."""

    at_once: int
    again_us: int

    def __post_init__(self) -> None:
        assert self.at_once >= 1, "whoever rests may do it once"
        assert self.again_us >= 1, "a rate has a limit"

    @property
    def ahead_us_max(self) -> int:
        """How far ahead of the clock one may be, and still go on."""
        return (self.at_once - 1) * self.again_us


def rate(*, at_once: int, again_seconds: float) -> Rate:
    return Rate(at_once, round(again_seconds * SECOND_US))


@dataclass(frozen=True, slots=True)
class Limit:
    """A rate, and whom it is for."""

    key: str
    rate: Rate
    is_soft: bool = False  # beyond it one goes on, and it is told


@dataclass(frozen=True, slots=True)
class Taken:
    """What the limits say."""

    wait_us: int  # 0: go on, and it is counted
    over: tuple[str, ...] = ()  # keys of the soft limits that it is beyond of

    @property
    def wait_seconds(self) -> int:
        """As `Retry-After` says it: whoever waits so long is let through."""
        return -(-self.wait_us // SECOND_US)


class Rates:
    """What was used up, by key."""

    def __init__(self, *, keys_max: int = KEYS_MAX) -> None:
        self._rested_at: dict[Hashable, int] = {}
        self._keys_max = keys_max

    def take(self, limits: Sequence[Limit], *, now_us: int) -> Taken:
        """Count it for all keys, or for none of them."""
        if wait_us := self.look(limits, now_us=now_us):
            return Taken(wait_us)
        over = tuple(limit.key for limit in limits if limit.is_soft and self._beyond_us(limit, now_us) > 0)
        for limit in limits:
            if limit.key not in over:
                self._count(limit, now_us)
        return Taken(0, over)

    def look(self, limits: Sequence[Limit], *, now_us: int) -> int:
        """How long to wait, without counting."""
        return max(0, *(self._beyond_us(limit, now_us) for limit in limits if not limit.is_soft), 0)

    def wait_us(self, key: Hashable, rate: Rate, *, now_us: int) -> int:
        """The same for one key: how long to wait; 0: go on, and it is counted."""
        rested_at = self._rested_at.get(key, 0)
        ahead_us = rested_at - now_us
        if ahead_us > rate.ahead_us_max:
            return ahead_us - rate.ahead_us_max
        self._keep(key, max(rested_at, now_us) + rate.again_us, now_us)
        return 0

    def _beyond_us(self, limit: Limit, now_us: int) -> int:
        return self._rested_at.get(limit.key, 0) - now_us - limit.rate.ahead_us_max

    def _count(self, limit: Limit, now_us: int) -> None:
        rested_at = max(self._rested_at.get(limit.key, 0), now_us)
        self._keep(limit.key, rested_at + limit.rate.again_us, now_us)

    def _keep(self, key: Hashable, rested_at: int, now_us: int) -> None:
        if len(self._rested_at) >= self._keys_max and key not in self._rested_at:
            self._forget(now_us)
        self._rested_at[key] = rested_at

    def _forget(self, now_us: int) -> None:
        """Those who rested; and where that are too few, everybody."""
        self._rested_at = {key: at for key, at in self._rested_at.items() if at > now_us}
        if len(self._rested_at) >= self._keys_max:
            self._rested_at.clear()
