"""Events on sale for tests of the ledger, with the seven seats of a small season."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg
from tests.postgres import small_season
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import Connection, sql_transaction
from frontrow.core.catalogue import Event, EventId, Publication
from frontrow.core.holds import FanId, HoldId, HoldRequest
from frontrow.core.ledger import Terms
from frontrow.core.seats import SeatNo

LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
FAR_AHEAD: Final = datetime(2100, 1, 1, tzinfo=UTC)
A_CENTURY: Final = {"on_sale_at": LONG_AGO, "starts_at": FAR_AHEAD, "ends_at": FAR_AHEAD + timedelta(hours=3)}


async def plant(connection: Connection) -> SmallSeason:
    """A season for events to be of, whose own event nobody here asks about."""
    async with sql_transaction(connection):
        return await small_season.plant(connection)


async def put_on_sale(connection: Connection, season: SmallSeason, **terms: Any) -> Event:  # noqa: ANN401 -- of Event
    """One more event of a season, on sale for a century. `terms` are fields of Event."""
    writing = CatalogueWriting(connection)
    [event_id] = await writing.event_ids(1)
    event = replace(season.event, event_id=EventId(event_id), **(A_CENTURY | terms))
    async with sql_transaction(connection):
        await writing.add_events([event])
    return event


def terms_of(event: Event) -> Terms:
    """The same terms as the core knows them."""
    return Terms(
        seats=small_season.SEATS,
        is_announced=event.publication is Publication.ANNOUNCED,
        on_sale_at=event.on_sale_at,
        ends_at=event.ends_at,
        hold_for=timedelta(seconds=event.hold_seconds),
        seats_per_hold_max=event.seats_per_hold_max,
        tickets_per_fan_max=event.tickets_per_fan_max,
    )


@asynccontextmanager
async def pooled(url: str, connections: int, **settings: str) -> AsyncGenerator[asyncpg.Pool]:
    """So many connections, without the limits of a process's own; `settings` are PostgreSQL's."""
    async with asyncpg.create_pool(url, min_size=connections, max_size=connections, server_settings=settings) as pool:
        yield pool


def hold_no(number: int) -> HoldId:
    """They differ at their beginning, which is what updates say of whose a seat is."""
    return HoldId(UUID(int=(number + 1) << 96))


def fan_no(number: int) -> FanId:
    return FanId(UUID(int=(number + 1) << 64))


def wish(hold: int, fan: int, *seats: int) -> HoldRequest:
    """A fan wants seats: the request of that many hold and fan."""
    return HoldRequest(hold_no(hold), fan_no(fan), tuple(map(SeatNo, seats)))
