"""Holding seats as a process of the api does it, on a real PostgreSQL; and what a test may know or spoil of it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import asyncpg
from tests.ledger.on_sale import fan_no, hold_no, put_on_sale
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.connection import ReadingPool
from frontrow.adapters.postgres.journal import PostgresJournal
from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event, EventId
from frontrow.core.faults import OutcomeUnknownError
from frontrow.core.holds import Deferred, FanId, Hold, HoldAnswer, HoldId, HoldRequest, Refusal
from frontrow.core.seats import SeatNo
from frontrow.core.updates import Batch, Update
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.hold_seats import HoldSeats, Wish

# Who waits for somebody's lock goes first: it must not get what it waited for by the end of the other one.
BREAK_ALL = """
SELECT pg_terminate_backend(pid, 20000)
  FROM (SELECT pid FROM pg_stat_activity
         WHERE datname = $1 ORDER BY wait_event_type IS DISTINCT FROM 'Lock') AS theirs
"""
TERMS = {"waiting_room": False, "seats_per_hold_max": 4, "tickets_per_fan_max": 5}


class WatchedLedger(PostgresLedger):
    """The real ledger. What it is asked is noted, and some of its answers get lost after they have been stored."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        super().__init__(pool)
        self.asked: list[Sequence[HoldRequest]] = []
        self.answers_to_lose = 0

    async def hold_seats(self, event_id: EventId, requests: Sequence[HoldRequest]) -> Batch[HoldAnswer | Deferred]:
        self.asked.append(requests)
        batch = await super().hold_seats(event_id, requests)
        self._perhaps_lose()
        return batch

    async def release_holds(self, event_id: EventId, asked: Sequence[tuple[HoldId, FanId]]) -> Batch[Hold | Refusal]:
        batch = await super().release_holds(event_id, asked)
        self._perhaps_lose()
        return batch

    def _perhaps_lose(self) -> None:
        if self.answers_to_lose:
            self.answers_to_lose -= 1
            raise OutcomeUnknownError("the answer got lost on the way")


class WatchedJournal(PostgresJournal):
    """The real journal, and how often it was read on."""

    reads = 0

    async def updates_after(self, followed: Mapping[EventId, int], *, limit: int) -> Mapping[EventId, Sequence[Update]]:
        self.reads += 1
        return await super().updates_after(followed, limit=limit)


@dataclass(frozen=True)
class Process:
    """One process that holds seats. Several on one database know of each other by the journal alone."""

    database: Database
    ledger: WatchedLedger
    journal: WatchedJournal
    events: EventsAtHand
    hold_seats: HoldSeats

    async def at_hand(self, event: Event) -> EventAtHand:
        at_hand = await self.events.get(event.event_id)
        assert at_hand is not None
        return at_hand

    async def hold(self, event: Event, request: HoldRequest) -> HoldAnswer:
        return await self.hold_seats.hold(await self.at_hand(event), request)

    async def hold_best(self, event: Event, hold: int, fan: int, wish: Wish) -> HoldAnswer:
        return await self.hold_seats.hold_best(await self.at_hand(event), hold_no(hold), fan_no(fan), wish)

    async def release(self, event: Event, hold: int, fan: int) -> Hold | Refusal:
        return await self.hold_seats.release(event.event_id, hold_no(hold), fan_no(fan))


@asynccontextmanager
async def process(database: Database) -> AsyncGenerator[Process]:
    """Its part in the journal is read when the test says so: nothing follows it by itself."""
    ledger, journal = WatchedLedger(database.pool), WatchedJournal(ReadingPool(database.pool))
    events = EventsAtHand(database.catalogue, journal)
    hold_seats = HoldSeats(ledger, journal, events, chance=lambda: 0.0)
    yield Process(database, ledger, journal, events, hold_seats)
    await hold_seats.close()


async def sell(database: Database, season: SmallSeason, **terms: Any) -> Event:  # noqa: ANN401 -- of Event
    """One more event on sale."""
    async with database.pool.acquire() as connection:
        return await put_on_sale(connection, season, **(TERMS | terms))


async def claims(database: Database, event: Event) -> dict[SeatNo, HoldId | None]:
    """Who has which seat, as it is stored."""
    rows = await database.pool.fetch("SELECT seat_no, hold_id FROM claim WHERE event_id = $1", event.event_id)
    return {row["seat_no"]: row["hold_id"] for row in rows}


async def violations(database: Database) -> list[asyncpg.Record]:
    """The ledger is played by itself here: its holds are paid without orders."""
    told = await database.pool.fetch("SELECT * FROM violations_v1(5)")
    return [row for row in told if row["invariant"] != "inv_hold_without_order"]


@asynccontextmanager
async def away(database_url: str) -> AsyncGenerator[None]:
    """This database is away for everybody who works with it: connections break, and no new one is let in."""
    address = urlsplit(database_url)
    name = address.path.removeprefix("/")
    beside = await asyncpg.connect(address._replace(path="/postgres").geturl())
    try:
        await beside.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        await beside.execute(BREAK_ALL, name)
        yield
    finally:
        await beside.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        await beside.close()
