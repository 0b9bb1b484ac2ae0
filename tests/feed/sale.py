"""Seats that change all the time, by somebody else's hand: some are held, some given back."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import Random
from typing import Final

from tests.ledger.on_sale import fan_no, hold_no, wish

from frontrow.adapters.postgres import pool
from frontrow.core.catalogue import EventId
from frontrow.core.holds import Placed

BATCH: Final = 5  # fans who come in one batch
PAUSE_SECONDS: Final = 0.02


class Sale:
    """Goes on until it is stopped."""

    def __init__(self, database: pool.Database, event_id: EventId, seats: int) -> None:
        self.batches = 0
        self._database = database
        self._event_id = event_id
        self._seats = seats
        self._chance = Random(0)  # noqa: S311 -- the same sale each time
        self._holding: list[int] = []
        self._fans = 0
        self._goes_on = True

    async def go_on(self) -> None:
        while self._goes_on:
            await self.change()
            await asyncio.sleep(PAUSE_SECONDS)

    def stop(self) -> None:
        self._goes_on = False

    async def change(self) -> None:
        """One batch of holds, and every now and then one of releases."""
        fans = range(self._fans, self._fans + BATCH)
        self._fans += BATCH
        wishes = [wish(fan, fan, self._chance.randrange(self._seats)) for fan in fans]
        batch = await self._database.ledger.hold_seats(self._event_id, wishes)
        self._holding += [fan for fan, told in zip(fans, batch.answers, strict=True) if isinstance(told, Placed)]
        if len(self._holding) > self._seats // 2:
            leaving, self._holding = self._holding[:BATCH], self._holding[BATCH:]
            asked = [(hold_no(fan), fan_no(fan)) for fan in leaving]
            await self._database.ledger.release_holds(self._event_id, asked)
        self.batches += 1


@asynccontextmanager
async def selling(database_url: str, event_id: EventId, *, seats: int) -> AsyncGenerator[Sale]:
    """Seats change as long as the block lasts."""
    database = await pool.connect(database_url, connections_max=2)
    sale = Sale(database, event_id, seats)
    going_on = asyncio.create_task(sale.go_on())
    try:
        yield sale
    finally:
        sale.stop()
        await going_on
        await database.close()
