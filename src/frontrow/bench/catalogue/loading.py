"""A large catalogue into a database, by COPY: seconds, not minutes. Its triggers do as they do for everybody."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

import asyncpg

from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.bench.catalogue.places import House
from frontrow.bench.catalogue.season import Season, season
from frontrow.bench.catalogue.works import MINUTES, Work
from frontrow.core.seat_maps import FORMAT, MapDocument, canonical, identity

EVENTS: Final = 50_000
CITIES: Final = 500
ORGANIZERS: Final = 40
SEATS: Final = {"cinema": 180, "theatre": 720, "club": 450, "arena": 12_000}
LEVELS: Final = ("A", "B", "C")  # the dearest first
DEARER: Final = {"A": 250, "B": 150, "C": 100}  # in hundredths of the cheapest
FEE_SHARE: Final = 0.08
CURRENCIES: Final[Mapping[str, str]] = {
    "GB": "GBP", "CH": "CHF", "CZ": "CZK", "PL": "PLN", "HU": "HUF", "DK": "DKK", "SE": "SEK", "NO": "NOK", "IS": "ISK",
}  # fmt: skip
ON_SALE_FOR: Final = timedelta(days=20)
LOADING_SECONDS_MAX: Final = 300.0

Row = tuple[object, ...]


async def load(database_url: str, *, today: date, events: int = EVENTS, cities: int = CITIES) -> Season:
    """All of it, into a database with our schema that is thrown away when this fails half way."""
    made = season(events=events, cities=cities, today=today)
    connection = await asyncpg.connect(database_url, command_timeout=LOADING_SECONDS_MAX)
    try:
        await _Loading(connection, made).run()
        await connection.execute("VACUUM (ANALYZE)")  # as a server does by itself after a while
    finally:
        await connection.close()
    return made


class _Loading:
    """One season on its way into the tables."""

    def __init__(self, connection: asyncpg.Connection, made: Season) -> None:
        self._connection = connection
        self._writing = CatalogueWriting(connection)
        self._made = made

    async def run(self) -> None:
        venues = await self._add_places()
        halls = await self._add_halls(venues)
        works = await self._add_works()
        await self._add_nights(halls, works)

    async def _add_places(self) -> Mapping[House, int]:
        made, writing = self._made, self._writing
        cities = dict(zip(made.towns, await writing.city_ids(len(made.towns)), strict=True))
        venues = dict(zip(made.houses, await writing.venue_ids(len(made.houses)), strict=True))
        await self._copy(
            "city",
            ("city_id", "name", "country", "time_zone", "latitude", "longitude", "also_known_as"),
            (
                (city, t.name, t.country, t.time_zone, t.place.latitude, t.place.longitude, t.also_known_as)
                for t, city in cities.items()
            ),
        )
        await self._copy(
            "venue",
            ("venue_id", "city_id", "name", "street", "postal_code", "latitude", "longitude"),
            (
                (venue, cities[h.town], h.name, "", "", h.place.latitude, h.place.longitude)
                for h, venue in venues.items()
            ),
        )
        return venues

    async def _add_halls(self, venues: Mapping[House, int]) -> Mapping[tuple[House, int], int]:
        rooms = [(house, number) for house in self._made.houses for number in range(house.halls)]
        halls = dict(zip(rooms, await self._writing.hall_ids(len(rooms)), strict=True))
        await self._copy(
            "hall",
            ("hall_id", "venue_id", "name"),
            ((hall, venues[house], f"Hall {number + 1}") for (house, number), hall in halls.items()),
        )
        for kind, seats in SEATS.items():
            document = canonical(_map(kind, seats))
            await self._writing.add_seat_map(identity(document), name=kind, seats=seats, document=document)
        await self._copy(
            "hall_seat_map",
            ("hall_id", "version", "seat_map"),
            ((hall, 1, _sha(house)) for (house, _), hall in halls.items()),
        )
        return halls

    async def _add_works(self) -> Mapping[Work, int]:
        organizers = await self._writing.organizer_ids(ORGANIZERS)
        await self._copy(
            "organizer",
            ("organizer_id", "name", "email"),
            ((organizer, f"Organizer {n}", f"office{n}@organizer.example") for n, organizer in enumerate(organizers)),
        )
        works = self._made.works
        ids = dict(zip(works, await self._writing.production_ids(len(works)), strict=True))
        await self._copy(
            "production",
            (
                "production_id",
                "organizer_id",
                "name",
                "performers",
                "category",
                "genre",
                "about",
                "minutes",
                "popularity",
                "rating",
                "also_known_as",
            ),
            (
                (
                    production,
                    organizers[production % ORGANIZERS],
                    work.name,
                    work.performers,
                    work.category.value,
                    work.genre,
                    "",
                    MINUTES[work.category],
                    work.popularity,
                    work.rating,
                    work.also_known_as,
                )
                for work, production in ids.items()
            ),
        )
        return ids

    async def _add_nights(self, halls: Mapping[tuple[House, int], int], works: Mapping[Work, int]) -> None:
        nights = self._made.nights
        ids = await self._writing.event_ids(len(nights))
        await self._copy("event", _EVENT, self._events(ids, halls, works))
        await self._copy("lane", ("event_id",), ((event,) for event in ids))
        await self._copy(
            "price_level",
            ("event_id", "level", "name", "amount_minor", "fee_minor"),
            (
                (event, level, f"Category {level}", price, round(price * FEE_SHARE))
                for event, night in zip(ids, nights, strict=True)
                for level in LEVELS
                for price in (night.price_minor * DEARER[level] // 100,)
            ),
        )

    def _events(
        self, ids: Sequence[int], halls: Mapping[tuple[House, int], int], works: Mapping[Work, int]
    ) -> Iterable[Row]:
        for event, night in zip(ids, self._made.nights, strict=True):
            ends_at = night.starts_at + timedelta(minutes=MINUTES[night.work.category])
            yield (
                event, works[night.work], halls[night.house, night.hall], _sha(night.house), night.work.name,
                night.publication, night.starts_at - ON_SALE_FOR, night.starts_at, ends_at,
                CURRENCIES.get(night.house.town.country, "EUR"), False, 480, 10, 10,
            )  # fmt: skip

    async def _copy(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        await self._connection.copy_records_to_table(table, columns=columns, records=rows)


_EVENT: Final = (
    "event_id", "production_id", "hall_id", "seat_map", "name", "publication", "on_sale_at", "starts_at", "ends_at",
    "currency", "waiting_room", "hold_seconds", "seats_per_hold_max", "tickets_per_fan_max",
)  # fmt: skip


def _map(kind: str, seats: int) -> MapDocument:
    """Three areas, one for each price level: nobody looks at it here."""
    return {
        "format": FORMAT,
        "name": kind,
        "price_levels": list(LEVELS),
        "stage": {"name": "Stage", "outline": [0, 0, 900, 0, 900, 200, 0, 200], "focus": [450, 100]},
        "sections": [
            {
                "label": level,
                "outline": [0, 300 + 400 * n, 900, 300 + 400 * n, 900, 600 + 400 * n, 0, 600 + 400 * n],
                "price_level": level,
                "capacity": seats // len(LEVELS),
            }
            for n, level in enumerate(LEVELS)
        ],
    }


_SHAS: Final = {kind: identity(canonical(_map(kind, seats))) for kind, seats in SEATS.items()}


def _sha(house: House) -> str:
    return _SHAS[house.kind]
