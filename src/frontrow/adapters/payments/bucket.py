"""A token bucket before a provider: so many calls a second; whoever is beyond that waits a moment, or is told."""

import asyncio
from typing import Final

from frontrow.core.faults import UnavailableError

BURST_SECONDS: Final = 0.5  # so much of a second's calls may come at once
WAIT_SECONDS_MAX: Final = 2.0  # whoever would wait longer is told at once, while it is true that nothing was asked


class Bucket:
    """Turns, in the order in which they were asked for."""

    def __init__(self, per_second: float) -> None:
        self._seconds_each = 1 / per_second
        self._next_at = 0.0

    async def turn(self) -> None:
        """Wait for one. UnavailableError: there are too many before."""
        now = asyncio.get_running_loop().time()
        turn_at = max(self._next_at, now - BURST_SECONDS)
        if turn_at - now > WAIT_SECONDS_MAX:
            raise UnavailableError("more payments at once than the provider takes")
        self._next_at = turn_at + self._seconds_each
        if turn_at > now:
            await asyncio.sleep(turn_at - now)
