"""The api service as it is started in production, a process of its own, with an event on sale."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import asyncpg
from tests import servers
from tests.ledger.on_sale import fan_no, hold_no, plant, put_on_sale
from tests.processes.copies import new_copy
from tests.web.fans import KEY, TERMS

from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import Event
from frontrow.core.holds import HoldRequest
from frontrow.core.seats import SeatNo


@dataclass(frozen=True)
class Started:
    """Where it answers, and an event whose first seat is held: hold 0 of fan 0."""

    port: int
    url: str
    database_url: str
    event: Event


@contextmanager
def started(databases: servers.Databases, valkey_url: str, **settings: str) -> Generator[Started]:
    """It ends as it should, and nothing broke meanwhile."""
    with databases.migrated() as database_url, new_copy() as copy:
        event = asyncio.run(_planted(database_url))
        own = {"FRONTROW_DATABASE_URL": database_url, "FRONTROW_VALKEY_URL": valkey_url}
        process = copy.start("api", FRONTROW_SIGNING_KEYS=KEY, **own, **settings).until_says("service.started")
        try:
            yield Started(copy.port, copy.url, database_url, event)
        finally:
            assert process.stop() == 0
            assert "Traceback" not in process.said


async def _planted(database_url: str) -> Event:
    connection = await asyncpg.connect(database_url)
    event = await put_on_sale(connection, await plant(connection), **TERMS)
    await connection.close()
    async with asyncpg.create_pool(database_url, min_size=1, max_size=1) as pool:
        await PostgresLedger(pool).hold_seats(event.event_id, [HoldRequest(hold_no(0), fan_no(0), (SeatNo(0),))])
    return event
