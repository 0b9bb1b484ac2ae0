"""The demo's season in a real catalogue: whole, once, and by one planter at a time."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from frontrow.adapters.postgres.connection import Connection
from frontrow.adapters.postgres.pool import Database
from frontrow.core import catalogue
from frontrow.core.catalogue import EventStatus, Listing
from frontrow.core.seat_maps import SeatMap, read
from frontrow.demo import productions
from frontrow.demo.places import MERIDIAN_STADIUM
from frontrow.demo.planting import DemoPlanting
from frontrow.demo.season import Event, season
from frontrow.flows.plant_season import plant_season

NOW: Final = datetime(2027, 3, 23, 16, 0, tzinfo=UTC)  # a Tuesday, in the week that ends with summer time
EVENTS_MAX: Final = 1_000


async def test_plants_everything_that_is_on(database: Database):
    assert await plant_season(database, DemoPlanting(now=NOW))
    planted = [_told(listing) for listing in await _upcoming(database)]
    assert Counter(planted) == Counter(
        (e.production.name, e.hall.venue.name, e.hall.name, e.hall.venue.city.name, e.starts_at) for e in season(NOW)
    )


async def test_leaves_nothing_that_an_audit_finds(database: Database):
    await plant_season(database, DemoPlanting(now=NOW))
    assert await database.pool.fetch("SELECT invariant, violation FROM violations_v1(20)") == []


async def test_events_are_as_the_season_says(database: Database):
    await plant_season(database, DemoPlanting(now=NOW))
    [match] = await _listings(database, productions.ATHLETIC_V_ROVERS.name)
    assert (match.seats, match.venue, match.price_from.currency) == (100_000, MERIDIAN_STADIUM.name, "GBP")
    assert match.status(NOW) is EventStatus.ON_SALE

    [homecoming] = await _listings(database, productions.BACK_TO_THE_RIVER.name)
    assert homecoming.waiting_room
    assert homecoming.status(NOW) is EventStatus.ANNOUNCED
    assert homecoming.status(NOW + timedelta(minutes=2)) is EventStatus.ON_SALE
    event = await _event(database, homecoming)
    assert (event.tickets_per_fan_max, event.seats_per_hold_max) == (4, 4)


async def test_prices_are_those_of_the_map_that_is_stored(database: Database):
    await plant_season(database, DemoPlanting(now=NOW))
    for production in (productions.BACK_TO_THE_RIVER, productions.TIDAL_ROOMS, productions.LAMPLIGHTER):
        for listing in await _listings(database, production.name):
            event = await _event(database, listing)
            document = await database.catalogue.seat_map(event.seat_map)
            assert document is not None
            seat_map = read(document)
            assert isinstance(seat_map, SeatMap)
            assert seat_map.seats == listing.seats
            assert {level.level for level in event.price_levels} == set(seat_map.price_levels)


async def test_arena_keeps_both_its_maps(database: Database):
    await plant_season(database, DemoPlanting(now=NOW))
    [tour] = [one for one in await _listings(database, productions.TIDAL_ROOMS.name) if one.city == "London"]
    [homecoming] = await _listings(database, productions.BACK_TO_THE_RIVER.name)
    assert tour.venue == homecoming.venue
    assert (await _event(database, tour)).seat_map != (await _event(database, homecoming)).seat_map


@pytest.mark.parametrize(
    ("later", "organizers"),
    [
        (timedelta(0), set[str]()),  # a second start
        (timedelta(days=3), set[str]()),  # days later, with films still ahead
        (timedelta(days=8), {"Lumen Cinemas"}),  # the week of films is over
        (timedelta(days=30), {"Lumen Cinemas", "Three Rivers Stage"}),  # so are the plays; the match is this evening
        (timedelta(days=33), {"Lumen Cinemas", "Three Rivers Stage", "Meridian Athletic"}),
        (timedelta(days=200), {"Lumen Cinemas", "Three Rivers Stage", "Meridian Athletic", "Longwave Concerts"}),
    ],
    ids=lambda value: f"{value.days} days later" if isinstance(value, timedelta) else f"{len(value)} new",
)
async def test_next_start_plants_what_is_over(database: Database, later: timedelta, organizers: set[str]):
    await plant_season(database, DemoPlanting(now=NOW))
    before, now = await _ids(database), NOW + later
    assert await plant_season(database, DemoPlanting(now=now)) is bool(organizers)
    assert await _organizers_of_new(database, before) == organizers
    assert before <= await _ids(database)  # what was there stays
    assert await database.pool.fetch("SELECT invariant, violation FROM violations_v1(20)") == []


async def test_later_season_uses_the_places_and_productions_that_are_there(database: Database):
    await plant_season(database, DemoPlanting(now=NOW))
    before = await _counts(database)
    await plant_season(database, DemoPlanting(now=NOW + timedelta(days=200)))
    assert await _counts(database) == before


class Abreast(DemoPlanting):
    """A planter that asks for its turn only when the other one does too: both have found the season missing."""

    def __init__(self, both: asyncio.Barrier) -> None:
        super().__init__(now=NOW)
        self._both = both

    async def take_turn(self, connection: Connection) -> None:
        await self._both.wait()
        await super().take_turn(connection)


class Heedless(Abreast):
    """The same without the turn; each has looked what is missing before the other adds it."""

    async def missing(self, connection: Connection) -> Sequence[Event]:
        missing = await super().missing(connection)
        await self._both.wait()
        return missing

    async def take_turn(self, connection: Connection) -> None:
        pass


async def test_two_planters_at_once_plant_once(database: Database):
    assert await _plant_twice_at_once(database, Abreast) == {True, False}
    assert len(await _upcoming(database)) == len(season(NOW))


@pytest.mark.slow
async def test_two_planters_at_once_without_their_turn_plant_twice(database: Database):
    assert await _plant_twice_at_once(database, Heedless) == {True}
    assert len(await _upcoming(database)) == 2 * len(season(NOW))


async def _plant_twice_at_once(database: Database, kind: type[Abreast]) -> set[bool]:
    both = asyncio.Barrier(2)
    async with asyncio.timeout(60):  # a safety net
        return set(await asyncio.gather(*(plant_season(database, kind(both)) for _ in range(2))))


async def _upcoming(database: Database) -> Sequence[Listing]:
    return await database.catalogue.upcoming(now=NOW, limit=EVENTS_MAX)


async def _listings(database: Database, production: str) -> Sequence[Listing]:
    return [listing for listing in await _upcoming(database) if listing.production == production]


async def _event(database: Database, listing: Listing) -> catalogue.Event:
    event = await database.catalogue.event(listing.event_id)
    assert event is not None
    return event


def _told(listing: Listing) -> tuple[object, ...]:
    return listing.production, listing.venue, listing.hall, listing.city, listing.starts_at


async def _ids(database: Database) -> set[int]:
    return {row["event_id"] for row in await database.pool.fetch("SELECT event_id FROM event")}


async def _organizers_of_new(database: Database, before: set[int]) -> set[str]:
    rows = await database.pool.fetch(
        "SELECT event_id, organizer.name FROM organizer"
        " JOIN production USING (organizer_id) JOIN event USING (production_id)"
    )
    return {row["name"] for row in rows if row["event_id"] not in before}


async def _counts(database: Database) -> dict[str, int]:
    tables = ("city", "venue", "hall", "organizer", "production", "seat_map", "hall_seat_map")
    return {table: await database.pool.fetchval(f"SELECT count(*) FROM {table}") for table in tables}  # noqa: S608 -- the names above
