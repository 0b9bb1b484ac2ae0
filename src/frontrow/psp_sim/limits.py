"""How many calls in a second: all together, and of each endpoint. One too many is answered with 429.

Buckets that fill with time; time arrives as an argument.
"""

from typing import Final

import msgspec

GLOBAL_REASON: Final = "global-rate"
ENDPOINT_REASON: Final = "endpoint-rate"


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """Calls a second; None is as many as you like."""

    overall: float | None = None
    each: float | None = None


class _Bucket:
    """Holds as many calls as come in one second, and fills at that rate."""

    def __init__(self, rate: float, now: float) -> None:
        self.rate = rate
        self.left = rate
        self.at = now

    def fill(self, now: float) -> None:
        self.left = min(self.rate, self.left + max(0.0, now - self.at) * self.rate)
        self.at = max(self.at, now)


class Limits:
    """One account's."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._buckets: dict[str, _Bucket] = {}  # of endpoints, which are few, and of all

    def exceeded(self, endpoint: str, now: float) -> str | None:
        """Take one of each bucket, or say which is empty and take none."""
        overall = self._bucket("", self._rates.overall, now)
        each = self._bucket(endpoint, self._rates.each, now)
        if overall is not None and overall.left < 1:
            return GLOBAL_REASON
        if each is not None and each.left < 1:
            return ENDPOINT_REASON
        for bucket in (overall, each):
            if bucket is not None:
                bucket.left -= 1
        return None

    def _bucket(self, name: str, rate: float | None, now: float) -> _Bucket | None:
        if rate is None:
            return None
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = _Bucket(max(1.0, rate), now)
        bucket.fill(now)
        return bucket
