"""The catalogue as pages read it. Satisfies `flows.ports.Catalogue`; writing has its own file."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.core.catalogue import (
    Category,
    City,
    CityId,
    Event,
    EventId,
    HallId,
    Listing,
    OrganizerId,
    Place,
    PriceLevel,
    Production,
    ProductionId,
    Publication,
    SeatMapSha,
    Venue,
    VenueId,
)
from frontrow.core.money import Money

_SQL: Final = sql.statements("catalogue")


class PostgresCatalogue:
    """Reads at once what is committed: no cache, no replica."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def upcoming(self, *, now: datetime, limit: int) -> Sequence[Listing]:
        """Announced and cancelled events that have not ended at `now`, soonest first."""
        return [listing_of(row) for row in await self._reading.fetch(_SQL["listings_upcoming"], now, limit)]

    async def listings_of_productions(
        self, productions: Sequence[ProductionId], *, city_id: CityId | None, now: datetime, of_each: int
    ) -> Sequence[Listing]:
        """The same, of each production the soonest ones, in a city or anywhere."""
        rows = await self._reading.fetch(_SQL["listings_of_productions"], productions, city_id, now, of_each)
        return [listing_of(row) for row in rows]

    async def listing(self, event_id: EventId) -> Listing | None:
        """One event, or None where the public knows of none."""
        row = await self._reading.fetchrow(_SQL["listing_of_event"], event_id)
        return listing_of(row) if row else None

    async def listings_of(self, production_id: ProductionId, *, now: datetime, limit: int) -> Sequence[Listing]:
        """The same as `upcoming`, of one production."""
        rows = await self._reading.fetch(_SQL["listings_of_production"], production_id, now, limit)
        return [listing_of(row) for row in rows]

    async def event(self, event_id: EventId) -> Event | None:
        """The event behind a listing: its prices, the dearest first, its seat map and its limits."""
        row = await self._reading.fetchrow(_SQL["event"], event_id)
        levels = await self._reading.fetch(_SQL["price_levels_of_event"], event_id)
        return _event(row, levels) if row and levels else None

    async def production(self, production_id: ProductionId) -> Production | None:
        """One production, or None where the public knows of no event of it."""
        row = await self._reading.fetchrow(_SQL["production"], production_id)
        return production_of(row) if row else None

    async def city(self, city_id: CityId) -> City | None:
        row = await self._reading.fetchrow(_SQL["city"], city_id)
        return _city(row) if row else None

    async def venue(self, venue_id: VenueId) -> Venue | None:
        row = await self._reading.fetchrow(_SQL["venue"], venue_id)
        return venue_of(row) if row else None

    async def seat_map(self, sha: SeatMapSha) -> bytes | None:
        """The canonical form of a seat map."""
        row = await self._reading.fetchrow(_SQL["seat_map"], sha)
        return row["document"] if row else None


def listing_of(row: asyncpg.Record) -> Listing:
    return Listing(
        event_id=EventId(row["event_id"]),
        name=row["name"],
        production_id=ProductionId(row["production_id"]),
        production=row["production"],
        performers=tuple(row["performers"]),
        category=Category(row["category"]),
        genre=row["genre"],
        venue_id=VenueId(row["venue_id"]),
        venue=row["venue"],
        hall=row["hall"],
        city_id=CityId(row["city_id"]),
        city=row["city"],
        country=row["country"],
        time_zone=row["time_zone"],
        publication=Publication(row["publication"]),
        on_sale_at=row["on_sale_at"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        waiting_room=row["waiting_room"],
        price_from=Money(row["price_from_minor"], row["currency"]),
        seats=row["seats"],
        seats_left=row["seats_left"],
        rating=row["rating"],
    )


def _city(row: asyncpg.Record) -> City:
    return City(
        city_id=CityId(row["city_id"]),
        name=row["name"],
        country=row["country"],
        time_zone=row["time_zone"],
        place=Place(row["latitude"], row["longitude"]),
        also_known_as=tuple(row["also_known_as"]),
    )


def _event(row: asyncpg.Record, levels: Sequence[asyncpg.Record]) -> Event:
    return Event(
        event_id=EventId(row["event_id"]),
        production_id=ProductionId(row["production_id"]),
        hall_id=HallId(row["hall_id"]),
        seat_map=SeatMapSha(row["seat_map"]),
        name=row["name"],
        publication=Publication(row["publication"]),
        on_sale_at=row["on_sale_at"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        price_levels=tuple(_price_level(level, row["currency"]) for level in levels),
        waiting_room=row["waiting_room"],
        hold_seconds=row["hold_seconds"],
        seats_per_hold_max=row["seats_per_hold_max"],
        tickets_per_fan_max=row["tickets_per_fan_max"],
        codes_until=row["codes_until"],
    )


def _price_level(row: asyncpg.Record, currency: str) -> PriceLevel:
    return PriceLevel(
        level=row["level"],
        name=row["name"],
        price=Money(row["amount_minor"], currency),
        fee=Money(row["fee_minor"], currency),
    )


def production_of(row: asyncpg.Record) -> Production:
    return Production(
        production_id=ProductionId(row["production_id"]),
        organizer_id=OrganizerId(row["organizer_id"]),
        name=row["name"],
        performers=tuple(row["performers"]),
        category=Category(row["category"]),
        genre=row["genre"],
        about=row["about"],
        minutes=row["minutes"],
        popularity=row["popularity"],
        rating=row["rating"],
        also_known_as=tuple(row["also_known_as"]),
    )


def venue_of(row: asyncpg.Record) -> Venue:
    return Venue(
        venue_id=VenueId(row["venue_id"]),
        city_id=CityId(row["city_id"]),
        name=row["name"],
        street=row["street"],
        postal_code=row["postal_code"],
        place=Place(row["latitude"], row["longitude"]),
    )
