"""Ending holds whose time is over, promptly: within a second of it, seats are seen to be free again.

That a hold has ended needs none of this: PostgreSQL takes a hold past its time for ended whenever somebody wants its
seats. This is for everybody who only looks. The index on the end of holds is the order of what is due, and it is on
disk: whatever a stopped or killed sweeper missed is what the next look finds. Two sweepers at once are harmless, since
each event's lane lets one batch through at a time, and the second one finds nothing left.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import HoldId
from frontrow.flows.ports import Journal, Ledger

LOOK_SECONDS: Final = 0.25  # a look costs one short read of an index
HOLDS_FOUND_MAX: Final = 20_000  # in one look: two seconds of the fastest sale; the next one finds the others
HOLDS_AT_ONCE: Final = 500  # of one event in one batch; fans' batches get their turns in between

_log = structlog.stdlib.get_logger(__name__)


class ExpireHolds:
    """The sweep, for as long as a process lives."""

    def __init__(self, ledger: Ledger, journal: Journal) -> None:
        self._ledger = ledger
        self._journal = journal
        self._under_way: dict[EventId, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Look for ever. An event whose lane is taken for long keeps none of the others waiting."""
        try:
            while True:
                await self.look()
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            await self.finish()

    async def look(self) -> None:
        """Begin to sweep every event that needs it, but for those that are being swept."""
        try:
            over = await self._journal.holds_over(apart_from=self._under_way, limit=HOLDS_FOUND_MAX)
        except (UnavailableError, OutcomeUnknownError) as error:
            _log.warning("sweep.missed", why=str(error))
            return
        for event_id, holds in over.items():
            task = asyncio.create_task(self._sweep(event_id, holds))
            self._under_way[event_id] = task
            task.add_done_callback(lambda _, event_id=event_id: self._under_way.pop(event_id))

    async def finish(self) -> None:
        """Wait for what has begun."""
        if self._under_way:
            await asyncio.wait(self._under_way.values())

    async def _sweep(self, event_id: EventId, holds: Sequence[HoldId]) -> None:
        """One event, batch by batch. Whatever comes in between, the next look finds what is left."""
        with suppress(UnavailableError, OutcomeUnknownError):
            for first in range(0, len(holds), HOLDS_AT_ONCE):
                batch = await self._ledger.expire_holds(event_id, holds[first : first + HOLDS_AT_ONCE])
                if seats := len(batch.update.seats):
                    _log.info("holds.expired", event_id=event_id, seats=seats, update_no=batch.update.update_no)
