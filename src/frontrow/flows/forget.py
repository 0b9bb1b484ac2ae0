"""Forgetting what nobody needs any more: a little at a time, for as long as a process lives.

What is kept no longer than it is of use cannot be lost, stolen or asked about.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from frontrow.core.faults import OutcomeUnknownError, UnavailableError

LOOK_SECONDS: Final = 60.0
ROWS_AT_ONCE: Final = 500  # in one statement: none may keep others waiting

_log = structlog.stdlib.get_logger(__name__)

Forgetting = Callable[[int], Awaitable[int]]  # forgets at most so many, and answers how many it were


class Forget:
    """Forgets by each of several ways."""

    def __init__(self, ways: Sequence[Forgetting]) -> None:
        self._ways = ways

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Forget all that is old by now."""
        try:
            for forget in self._ways:
                while await forget(ROWS_AT_ONCE) == ROWS_AT_ONCE:
                    pass
        except (UnavailableError, OutcomeUnknownError) as error:
            _log.warning("forgetting.missed", why=str(error))  # the next look comes
