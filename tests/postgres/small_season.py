"""One of each thing that the catalogue has: the smallest season there is, for tests to read and to break."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import Connection
from frontrow.core.catalogue import (
    Category,
    City,
    Event,
    Hall,
    Organizer,
    Place,
    PriceLevel,
    Production,
    Publication,
    SeatMapSha,
    Venue,
)
from frontrow.core.money import Money
from frontrow.core.seat_maps import MapDocument, canonical, identity

NOW: Final = datetime(2027, 3, 1, 12, tzinfo=UTC)
SEATS: Final = 7


@dataclass(frozen=True)
class SmallSeason:
    """What was planted."""

    city: City
    venue: Venue
    hall: Hall
    seat_map: SeatMapSha
    organizer: Organizer
    production: Production
    event: Event


async def plant(connection: Connection) -> SmallSeason:
    """Add one of each. The caller opened the SQL transaction."""
    writing = CatalogueWriting(connection)
    city = await _city(writing)
    venue, hall = await _hall(writing, city)
    seat_map = await add_map(writing, hall)
    organizer, production = await _production(writing)
    [event_id] = await writing.event_ids(1)
    event = Event(
        event_id=event_id,
        production_id=production.production_id,
        hall_id=hall.hall_id,
        seat_map=seat_map,
        name="Twelve Moons, first night",
        publication=Publication.ANNOUNCED,
        on_sale_at=NOW - timedelta(days=1),
        starts_at=NOW + timedelta(days=7),
        ends_at=NOW + timedelta(days=7, hours=3),
        price_levels=(
            PriceLevel("A", "Stalls", Money(4500, "EUR"), Money(300, "EUR")),
            PriceLevel("B", "Floor", Money(2500, "EUR"), Money(200, "EUR")),
        ),
        waiting_room=True,
        hold_seconds=300,
        seats_per_hold_max=6,
        tickets_per_fan_max=8,
    )
    await writing.add_events([event])
    return SmallSeason(city, venue, hall, seat_map, organizer, production, event)


def map_document(name: str = "Small hall") -> MapDocument:
    """A map of SEATS seats: a row of four and a floor for three."""
    return {
        "format": "frontrow-seat-map/1",
        "name": name,
        "price_levels": ["A", "B"],
        "stage": {"name": "Stage", "outline": [0, 0, 600, 0, 600, 200, 0, 200], "focus": [300, 100]},
        "sections": [
            {
                "label": "Stalls",
                "outline": [0, 300, 600, 300, 600, 500, 0, 500],
                "price_level": "A",
                "rows": [{"label": "1", "seats": 4, "curve": [100, 400, 300, 400, 500, 400]}],
            },
            {"label": "Floor", "outline": [0, 600, 600, 600, 600, 900, 0, 900], "price_level": "B", "capacity": 3},
        ],
    }


async def add_map(writing: CatalogueWriting, hall: Hall, name: str = "Small hall") -> SeatMapSha:
    """Add the map of that name, and give it to the hall."""
    document = canonical(map_document(name))
    seat_map = identity(document)
    await writing.add_seat_map(seat_map, name=name, seats=SEATS, document=document)
    await writing.give_hall(hall.hall_id, seat_map)
    return seat_map


async def _city(writing: CatalogueWriting) -> City:
    [city_id] = await writing.city_ids(1)
    city = City(city_id, "Zürich", "CH", "Europe/Zurich", Place(47.3769, 8.5417))
    await writing.add_cities([city])
    return city


async def _hall(writing: CatalogueWriting, city: City) -> tuple[Venue, Hall]:
    [venue_id], [hall_id] = await writing.venue_ids(1), await writing.hall_ids(1)
    venue = Venue(venue_id, city.city_id, "Kleines Haus", "Rämistrasse 1", "8001", Place(47.3702, 8.5482))
    hall = Hall(hall_id, venue_id, "Saal")
    await writing.add_venues([venue])
    await writing.add_halls([hall])
    return venue, hall


async def _production(writing: CatalogueWriting) -> tuple[Organizer, Production]:
    [organizer_id], [production_id] = await writing.organizer_ids(1), await writing.production_ids(1)
    organizer = Organizer(organizer_id, "Limmat Concerts", "office@limmat.example")
    production = Production(
        production_id,
        organizer_id,
        "Twelve Moons",
        ("Odessa Quill", "The Bellhops"),
        Category.CONCERT,
        "folk",
        "An evening of old songs.",
        minutes=150,
        popularity=0.5,
        rating=None,
    )
    await writing.add_organizers([organizer])
    await writing.add_productions([production])
    return organizer, production
