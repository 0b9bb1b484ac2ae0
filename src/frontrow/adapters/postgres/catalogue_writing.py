"""Adding to the catalogue: the demo and the organizers' pages do it. Reading has its own file.

Every method works inside the SQL transaction that its caller opened, and takes many at once: a season is a few calls.
Draw the ids first, make the things, then add them, each after what it belongs to:

    async with database.transaction() as connection:
        writing = CatalogueWriting(connection)
        [city_id] = await writing.city_ids(1)
        await writing.add_cities([City(city_id, "Berlin", ...)])

What the database refuses here (a hall without that seat map, a price out of range) is a fault of the caller: the flows
check what people type before.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, LiteralString

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection
from frontrow.core.catalogue import (
    City,
    CityId,
    Event,
    EventId,
    Hall,
    HallId,
    Organizer,
    OrganizerId,
    Production,
    ProductionId,
    SeatMapSha,
    Venue,
    VenueId,
)

WRITING_SECONDS_MAX: Final = 120.0  # a city's whole season, a few hundred thousand rows, on a slow disk

_SQL: Final = sql.statements("catalogue_writing")


class CatalogueWriting:
    """One piece of writing, inside one SQL transaction of the caller."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def city_ids(self, count: int) -> list[CityId]:
        return [CityId(n) for n in await self._draw("city", "city_id", count)]

    async def venue_ids(self, count: int) -> list[VenueId]:
        return [VenueId(n) for n in await self._draw("venue", "venue_id", count)]

    async def hall_ids(self, count: int) -> list[HallId]:
        return [HallId(n) for n in await self._draw("hall", "hall_id", count)]

    async def organizer_ids(self, count: int) -> list[OrganizerId]:
        return [OrganizerId(n) for n in await self._draw("organizer", "organizer_id", count)]

    async def production_ids(self, count: int) -> list[ProductionId]:
        return [ProductionId(n) for n in await self._draw("production", "production_id", count)]

    async def event_ids(self, count: int) -> list[EventId]:
        return [EventId(n) for n in await self._draw("event", "event_id", count)]

    async def add_cities(self, cities: Iterable[City]) -> None:
        await self._add(
            _SQL["add_city"],
            [
                (c.city_id, c.name, c.country, c.time_zone, c.place.latitude, c.place.longitude, c.also_known_as)
                for c in cities
            ],
        )

    async def add_venues(self, venues: Iterable[Venue]) -> None:
        await self._add(
            _SQL["add_venue"],
            [
                (v.venue_id, v.city_id, v.name, v.street, v.postal_code, v.place.latitude, v.place.longitude)
                for v in venues
            ],
        )

    async def add_halls(self, halls: Iterable[Hall]) -> None:
        await self._add(_SQL["add_hall"], [(h.hall_id, h.venue_id, h.name) for h in halls])

    async def add_seat_map(self, seat_map: SeatMapSha, *, name: str, seats: int, document: bytes) -> None:
        """Store a seat map's canonical form. Idempotent: the map is named by the hash of its content."""
        await self._connection.execute(_SQL["add_seat_map"], seat_map, name, seats, document)

    async def give_hall(self, hall_id: HallId, seat_map: SeatMapSha) -> int:
        """Make the seat map the hall's newest version, unless the hall has it already. Answers its version."""
        await self._connection.execute(_SQL["take_hall"], hall_id)
        version: int = await self._connection.fetchval(_SQL["give_hall_seat_map"], hall_id, seat_map)
        return version

    async def add_organizers(self, organizers: Iterable[Organizer]) -> None:
        await self._add(_SQL["add_organizer"], [(o.organizer_id, o.name, o.email) for o in organizers])

    async def add_productions(self, productions: Iterable[Production]) -> None:
        await self._add(_SQL["add_production"], [_production(production) for production in productions])

    async def add_events(self, events: Sequence[Event]) -> None:
        """Events with their price levels."""
        if events:
            await self._connection.fetch(_SQL["add_events"], *_columns(map(_event, events)))
            await self._connection.fetch(_SQL["add_price_levels"], *_columns(_levels(events)))

    async def _draw(self, table: str, column: str, count: int) -> list[int]:
        return [row["id"] for row in await self._connection.fetch(_SQL["draw_ids"], table, column, count)]

    async def _add(self, statement: LiteralString, rows: Sequence[Sequence[object]]) -> None:
        await self._connection.executemany(statement, rows, timeout=WRITING_SECONDS_MAX)


def _columns(rows: Iterable[Sequence[object]]) -> Iterable[list[object]]:
    """Rows as columns, for a statement that takes an array of each."""
    return map(list, zip(*rows, strict=True))


def _levels(events: Iterable[Event]) -> Iterator[tuple[object, ...]]:
    for event in events:
        for level in event.price_levels:
            yield event.event_id, level.level, level.name, level.price.amount, level.fee.amount


def _production(production: Production) -> tuple[object, ...]:
    return (
        production.production_id,
        production.organizer_id,
        production.name,
        production.performers,
        production.category.value,
        production.genre,
        production.about,
        production.minutes,
        production.popularity,
        production.rating,
        production.also_known_as,
    )


def _event(event: Event) -> tuple[object, ...]:
    currencies = {money.currency for level in event.price_levels for money in (level.price, level.fee)}
    assert len(currencies) == 1, f"an event has one currency, not {sorted(currencies)}"
    return (
        event.event_id,
        event.production_id,
        event.hall_id,
        event.seat_map,
        event.name,
        event.publication.value,
        event.on_sale_at,
        event.starts_at,
        event.ends_at,
        *currencies,
        event.waiting_room,
        event.hold_seconds,
        event.seats_per_hold_max,
        event.tickets_per_fan_max,
    )
