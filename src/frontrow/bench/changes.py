"""Seats that change all the time, at an even pace: parties hold them, and give them back a while later.

Batches are decided by the real ledger, as an api process does it, and written down with the time at which each was
asked for: what a watcher sees of it cannot be younger than that.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Final
from uuid import uuid4

from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId, HoldId, HoldRequest
from frontrow.core.seats import SeatNo

BATCH: Final = 256
PARTY: Final = 5  # seats
SCATTER: Final = 7_919  # parties in a row sit far apart: a prime, so that all places come up
KEPT_MAX: Final = 200  # parties that hold seats of an event before the first gives them back
KEPT_SHARE: Final = 0.5  # of a small hall; whoever comes finds its place free


@dataclass(slots=True)
class Changes:
    """What was changed: of each event and update, when it was asked for (time.perf_counter)."""

    asked_at: dict[EventId, dict[int, float]] = field(default_factory=dict[EventId, dict[int, float]])
    seats: int = 0


class Changing:
    """Events whose seats change."""

    def __init__(self, ledger: PostgresLedger, events: Sequence[EventId], *, seats: int) -> None:
        """`seats`: the first so many of the hall change."""
        self.done = Changes({event_id: {} for event_id in events})
        self._ledger = ledger
        self._events = events
        self._places = seats // PARTY
        self._held: dict[EventId, deque[HoldRequest]] = {event_id: deque() for event_id in events}
        self._next = dict.fromkeys(events, 0)
        self._kept = min(KEPT_MAX, int(self._places * KEPT_SHARE))
        self._goes_on = True

    async def fill(self, event_id: EventId, seats: range) -> None:
        """Half of these seats are held before it begins, by couples that stay, wherever they like."""
        couples = [SeatNo(first) for first in seats[:-1:2]]
        Random(0).shuffle(couples)  # noqa: S311 -- the same crowd each time
        for start in range(0, len(couples) // 2, BATCH):
            some = couples[start : min(start + BATCH, len(couples) // 2)]
            wishes = [HoldRequest(HoldId(uuid4()), FanId(uuid4()), (seat, SeatNo(seat + 1))) for seat in some]
            await self._ledger.hold_seats(event_id, wishes)

    @asynccontextmanager
    async def at_a_pace(self, *, per_second: int, batches_per_second: int) -> AsyncGenerator[None]:
        """Seats change as long as the block lasts."""
        going_on = asyncio.create_task(self._go_on(per_second, batches_per_second))
        try:
            yield
        finally:
            self._goes_on = False
            await going_on

    async def _go_on(self, per_second: int, batches_per_second: int) -> None:
        began = perf_counter()
        batches = 0
        parties = max(round(per_second / batches_per_second / PARTY), 1)
        while self._goes_on:
            event_id = self._events[batches % len(self._events)]
            await self._batch(event_id, parties)
            batches += 1
            await asyncio.sleep(max(began + batches / batches_per_second - perf_counter(), 0))

    async def _batch(self, event_id: EventId, parties: int) -> None:
        held = self._held[event_id]
        asked_at = perf_counter()
        if len(held) >= self._kept:
            leaving = [held.popleft() for _ in range(parties)]
            batch = await self._ledger.release_holds(event_id, [(hold.hold_id, hold.fan_id) for hold in leaving])
        else:
            coming = [self._party(event_id) for _ in range(parties)]
            batch = await self._ledger.hold_seats(event_id, coming)
            held.extend(coming)
        if batch.update.seats:
            self.done.asked_at[event_id][batch.update.update_no] = asked_at
            self.done.seats += len(batch.update.seats)

    def _party(self, event_id: EventId) -> HoldRequest:
        first = self._next[event_id] * SCATTER % self._places * PARTY
        self._next[event_id] += 1
        return HoldRequest(HoldId(uuid4()), FanId(uuid4()), tuple(SeatNo(seat) for seat in range(first, first + PARTY)))
