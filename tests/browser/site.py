"""The running demo as tests see it: its events by hall, each given away once, and its database to look into."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from tests.processes.copies import Copy, processes_of, wait_for

from frontrow.adapters.postgres.pool import Database
from frontrow.flows.ports import Catalogue

# The demo's halls, by how many there are places for.
CINEMA: Final = 200
THEATRE: Final = 1_800
ARENA: Final = 20_000
STADIUM: Final = 100_000


# The demo has one event in its stadium and few in its theatres; here are a dozen more of each size.
MORE: Final = """
WITH model AS (
    SELECT DISTINCT ON (seat_map.seats) event.*
      FROM event
      JOIN seat_map ON seat_map.sha256 = event.seat_map
     WHERE NOT waiting_room AND on_sale_at < now() AND publication = 'announced'
     ORDER BY seat_map.seats, starts_at DESC
), added AS (
    INSERT INTO event (production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
                       waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
    SELECT production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
           waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max
      FROM model, generate_series(1, 12)
    RETURNING event_id, seat_map
), lanes AS (
    INSERT INTO lane (event_id) SELECT event_id FROM added
)
INSERT INTO price_level (event_id, level, name, amount_minor, fee_minor)
SELECT added.event_id, price_level.level, price_level.name, amount_minor, fee_minor
  FROM added
  JOIN model USING (seat_map)
  JOIN price_level ON price_level.event_id = model.event_id
"""


@dataclass
class Site:
    """One copy of Frontrow."""

    copy: Copy
    database: Database
    events: dict[int, Iterator[int]]  # by the size of their halls
    gathering: int  # the event with a waiting room, whose sale has not begun

    @property
    def catalogue(self) -> Catalogue:
        return self.database.catalogue

    @classmethod
    async def of(cls, copy: Copy, database: Database) -> Self:
        await database.pool.execute(MORE)
        rows = await database.pool.fetch(
            """
            SELECT seat_map.seats, array_agg(event_id ORDER BY event_id) AS event_ids
              FROM event
              JOIN seat_map ON seat_map.sha256 = event.seat_map
              JOIN lane USING (event_id)
             WHERE NOT waiting_room AND on_sale_at < now() AND lane.held + lane.sold + lane.blocked = 0
             GROUP BY seat_map.seats
            """
        )
        gathering = await database.pool.fetchval("SELECT event_id FROM event WHERE waiting_room")
        return cls(copy, database, {row["seats"]: iter(row["event_ids"]) for row in rows}, gathering)

    @property
    def url(self) -> str:
        return self.copy.url

    def api_pid(self) -> int:
        """The process that answers."""
        [pid] = [pid for pid, command in processes_of(self.copy).items() if " api " in f"{command} "]
        return pid

    async def until_answers(self) -> None:
        await asyncio.to_thread(wait_for, lambda: self.copy.status("/healthz") == 200)

    def event(self, hall: int = CINEMA) -> int:
        """An event that no test has touched."""
        return next(self.events[hall])

    async def change(self, event_id: int, terms: str) -> None:
        await self.database.pool.execute(f"UPDATE event SET {terms} WHERE event_id = $1", event_id)  # noqa: S608 -- a test's words

    async def held(self, event_id: int) -> Sequence[list[int]]:
        """The seats of all holds that are held."""
        rows: list[Any] = await self.database.pool.fetch(
            "SELECT seats FROM hold WHERE event_id = $1 AND state = 'held' AND expires_at > now() ORDER BY placed_at",
            event_id,
        )
        return [list(row["seats"]) for row in rows]
