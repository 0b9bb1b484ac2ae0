"""The catalogue comes back as it was written, and shows the public what is public."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import asyncpg
import pytest
from tests.postgres import small_season
from tests.postgres.small_season import NOW, SEATS, SmallSeason
from tests.postgres.watching import until_waiting

from frontrow.adapters.postgres.catalogue import PostgresCatalogue
from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import sql_transaction
from frontrow.core.catalogue import Event, EventId, Hall, Listing, ProductionId, Publication, SeatMapSha, VenueId
from frontrow.core.money import Money
from frontrow.core.seat_maps import canonical

LARGEST_ID: Final = 2**63 - 1


async def add(connection: asyncpg.Connection, like: Event, **changes: object) -> Event:
    """Add one more event, like another but for the changes."""
    async with sql_transaction(connection):
        writing = CatalogueWriting(connection)
        [event_id] = await writing.event_ids(1)
        event = replace(like, event_id=event_id, **changes)
        await writing.add_events([event])
    return event


@pytest.fixture
def catalogue(connection: asyncpg.Connection) -> PostgresCatalogue:
    return PostgresCatalogue(connection)


class TestRoundTrip:
    async def test_an_event(self, catalogue: PostgresCatalogue, season: SmallSeason):
        assert await catalogue.event(season.event.event_id) == season.event

    async def test_a_production(self, catalogue: PostgresCatalogue, season: SmallSeason):
        assert await catalogue.production(season.production.production_id) == season.production

    async def test_a_venue(self, catalogue: PostgresCatalogue, season: SmallSeason):
        assert await catalogue.venue(season.venue.venue_id) == season.venue

    async def test_a_seat_map_byte_for_byte(self, catalogue: PostgresCatalogue, season: SmallSeason):
        assert await catalogue.seat_map(season.seat_map) == canonical(small_season.map_document())

    async def test_a_listing_joins_all_that_lists_show(self, catalogue: PostgresCatalogue, season: SmallSeason):
        assert await catalogue.listing(season.event.event_id) == Listing(
            event_id=season.event.event_id,
            name=season.event.name,
            production_id=season.production.production_id,
            production=season.production.name,
            performers=season.production.performers,
            category=season.production.category,
            genre=season.production.genre,
            venue_id=season.venue.venue_id,
            venue=season.venue.name,
            hall=season.hall.name,
            city_id=season.city.city_id,
            city=season.city.name,
            country=season.city.country,
            time_zone=season.city.time_zone,
            publication=Publication.ANNOUNCED,
            on_sale_at=season.event.on_sale_at,
            starts_at=season.event.starts_at,
            ends_at=season.event.ends_at,
            waiting_room=True,
            price_from=Money(2700, "EUR"),  # all-in, and of the cheapest level
            seats=SEATS,
            seats_left=SEATS,
        )

    async def test_what_is_not_there(self, catalogue: PostgresCatalogue):
        assert await catalogue.listing(EventId(LARGEST_ID)) is None
        assert await catalogue.event(EventId(0)) is None
        assert await catalogue.production(ProductionId(-1)) is None
        assert await catalogue.venue(VenueId(LARGEST_ID)) is None
        assert await catalogue.seat_map(SeatMapSha("0" * 64)) is None


class TestUpcoming:
    @pytest.mark.parametrize(
        ("changes", "listed"),
        [
            ({}, True),
            ({"publication": Publication.CANCELLED}, True),  # people want to know
            ({"publication": Publication.DRAFT}, False),  # a secret yet
            ({"starts_at": NOW - timedelta(hours=2), "ends_at": NOW + timedelta(seconds=1)}, True),  # it goes on
            ({"starts_at": NOW - timedelta(hours=2), "ends_at": NOW}, False),  # it ends at its end
            ({"starts_at": NOW - timedelta(days=30), "ends_at": NOW + timedelta(hours=1)}, True),  # a long festival
            ({"on_sale_at": NOW + timedelta(days=3)}, True),  # people plan
        ],
    )
    async def test_what_is_listed(
        self,
        connection: asyncpg.Connection,
        catalogue: PostgresCatalogue,
        season: SmallSeason,
        changes: dict[str, object],
        listed: bool,  # noqa: FBT001 -- a column of the table above
    ):
        event = await add(connection, season.event, **{"on_sale_at": NOW - timedelta(days=60), **changes})
        upcoming = await catalogue.upcoming(now=NOW, limit=100)
        assert (event.event_id in {listing.event_id for listing in upcoming}) == listed

    async def test_the_soonest_come_first_and_the_limit_holds(
        self, connection: asyncpg.Connection, catalogue: PostgresCatalogue, season: SmallSeason
    ):
        def at(hours: int) -> dict[str, datetime]:
            starts_at = season.event.starts_at + timedelta(hours=hours)
            return {"starts_at": starts_at, "ends_at": starts_at + timedelta(hours=1)}

        late, early, twin = [await add(connection, season.event, **at(hours)) for hours in (9, -9, -9)]
        upcoming = await catalogue.upcoming(now=NOW, limit=3)
        assert [listing.event_id for listing in upcoming] == [early.event_id, twin.event_id, season.event.event_id]
        assert [e.event_id for e in await catalogue.upcoming(now=NOW, limit=100)][-1] == late.event_id

    async def test_those_of_one_production(
        self, connection: asyncpg.Connection, catalogue: PostgresCatalogue, season: SmallSeason
    ):
        async with sql_transaction(connection):
            writing = CatalogueWriting(connection)
            [other] = await writing.production_ids(1)
            await writing.add_productions([replace(season.production, production_id=other)])
        theirs = await add(connection, season.event, production_id=other)
        await add(connection, theirs, publication=Publication.DRAFT)
        found = await catalogue.listings_of(other, now=NOW, limit=10)
        assert [listing.event_id for listing in found] == [theirs.event_id]

    async def test_a_production_of_drafts_alone_is_not_there(
        self, connection: asyncpg.Connection, catalogue: PostgresCatalogue, season: SmallSeason
    ):
        await connection.execute("UPDATE event SET publication = 'draft'")
        assert await catalogue.production(season.production.production_id) is None
        assert await catalogue.event(season.event.event_id) is None
        assert await catalogue.listing(season.event.event_id) is None


class TestWriting:
    async def test_ids_are_drawn_once(self, connection: asyncpg.Connection):
        writing = CatalogueWriting(connection)
        first, second = await writing.event_ids(3), await writing.event_ids(2)
        assert len({*first, *second}) == 5
        assert await writing.city_ids(0) == []

    async def test_a_fault_leaves_nothing(self, connection: asyncpg.Connection, season: SmallSeason):
        with pytest.raises(asyncpg.CheckViolationError):
            await add(connection, season.event, name="")
        assert await connection.fetchval("SELECT count(*) FROM event") == 1

    async def test_an_event_in_two_currencies_is_a_fault(self, connection: asyncpg.Connection, season: SmallSeason):
        stalls, floor = season.event.price_levels
        francs = replace(floor, price=Money(2500, "CHF"), fee=Money(200, "CHF"))
        with pytest.raises(AssertionError, match="one currency"):
            await add(connection, season.event, price_levels=(stalls, francs))

    async def test_the_same_map_again_changes_nothing(self, connection: asyncpg.Connection, season: SmallSeason):
        async with sql_transaction(connection):
            assert await small_season.add_map(CatalogueWriting(connection), season.hall) == season.seat_map
        assert await connection.fetchval("SELECT count(*) FROM seat_map") == 1
        assert await connection.fetchval("SELECT count(*) FROM hall_seat_map") == 1

    async def test_maps_of_a_hall_are_numbered(self, connection: asyncpg.Connection, season: SmallSeason):
        async with sql_transaction(connection):
            writing = CatalogueWriting(connection)
            newer = await small_season.add_map(writing, season.hall, "Small hall, rebuilt")
            assert await writing.give_hall(season.hall.hall_id, newer) == 2
            assert await writing.give_hall(season.hall.hall_id, season.seat_map) == 1  # it keeps its number

    async def test_two_who_change_a_hall_number_one_after_the_other(
        self, database_url: str, connection: asyncpg.Connection, season: SmallSeason
    ):
        other = await asyncpg.connect(database_url)
        async with sql_transaction(connection):
            await small_season.add_map(CatalogueWriting(connection), season.hall, "One")
            second = asyncio.create_task(_add_map(other, season.hall, "Two"))
            await until_waiting(connection, 1)
        await second
        versions = await connection.fetch("SELECT version FROM hall_seat_map ORDER BY version")
        assert [row["version"] for row in versions] == [1, 2, 3]
        await other.close()


async def _add_map(connection: asyncpg.Connection, hall: Hall, name: str) -> None:
    async with sql_transaction(connection):
        await small_season.add_map(CatalogueWriting(connection), hall, name)
