"""Events on sale for measuring: as many as wanted, in one of the demo's halls, in a database with Frontrow's schema."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import Connection
from frontrow.adapters.postgres.seasons import Seasons
from frontrow.core.catalogue import (
    Category,
    City,
    Event,
    EventId,
    Hall,
    HallId,
    Organizer,
    Place,
    PriceLevel,
    Production,
    ProductionId,
    Publication,
    Venue,
)
from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatMap
from frontrow.demo.plans.arena import arena
from frontrow.demo.plans.cinema import cinema
from frontrow.demo.plans.stadium import stadium
from frontrow.demo.plans.theatre import theatre
from frontrow.processes import preparing


class HallName(StrEnum):
    """The demo's halls, from 200 seats to 100,000."""

    CINEMA = "cinema"
    THEATRE = "theatre"
    ARENA = "arena"
    STADIUM = "stadium"


HALLS: Final[Mapping[str, Callable[[], SeatMap]]] = MappingProxyType(
    {
        HallName.CINEMA: cinema,
        HallName.THEATRE: theatre,
        HallName.ARENA: arena,
        HallName.STADIUM: stadium,
    }
)

ON_SALE_AT: Final = datetime(2000, 1, 1, tzinfo=UTC)  # whatever the clock says, they are on sale
STARTS_AT: Final = datetime(2100, 1, 1, tzinfo=UTC)
ENDS_AT: Final = STARTS_AT + timedelta(hours=3)
PLACE: Final = Place(52.52, 13.405)
DEAREST_MINOR: Final = 12_000
CHEAPER_MINOR: Final = 1_500  # each price level than the one before
FEE: Final = Money(500, "EUR")


async def put_on_sale(database_url: str, seat_map: SeatMap, events: int) -> Sequence[EventId]:
    """So many events more."""
    nights = _Nights(seat_map, events)
    await preparing.plant(database_url, nights)
    return nights.events


class _Nights:
    """So many nights in one hall. Satisfies `flows.plant_season.Planting`; a season that is never there already."""

    def __init__(self, seat_map: SeatMap, nights: int) -> None:
        self._seat_map = seat_map
        self._nights = nights
        self.events: Sequence[EventId] = ()  # once they are planted

    async def missing(self, connection: Connection) -> int:  # noqa: ARG002 -- of the protocol
        return self._nights

    def prepare(self, missing: int) -> None:
        """Nothing takes long."""

    async def take_turn(self, connection: Connection) -> None:
        await Seasons(connection).take_turn()

    async def add(self, connection: Connection, missing: int) -> None:
        writing = CatalogueWriting(connection)
        hall_id = await _add_hall(writing, self._seat_map)
        production_id = await _add_production(writing)
        self.events = await writing.event_ids(missing)
        await writing.add_events([_event(event_id, production_id, hall_id, self._seat_map) for event_id in self.events])


async def _add_hall(writing: CatalogueWriting, seat_map: SeatMap) -> HallId:
    [city_id], [venue_id], [hall_id] = (
        await writing.city_ids(1),
        await writing.venue_ids(1),
        await writing.hall_ids(1),
    )
    await writing.add_cities([City(city_id, "Berlin", "DE", "Europe/Berlin", PLACE)])
    await writing.add_venues([Venue(venue_id, city_id, seat_map.name, "Am Ring 1", "10115", PLACE)])
    await writing.add_halls([Hall(hall_id, venue_id, "Hall")])
    await writing.add_seat_map(
        seat_map.sha, name=seat_map.name, seats=seat_map.seats, document=seat_map.canonical
    )  # the same one again changes nothing
    await writing.give_hall(hall_id, seat_map.sha)
    return hall_id


async def _add_production(writing: CatalogueWriting) -> ProductionId:
    [organizer_id], [production_id] = await writing.organizer_ids(1), await writing.production_ids(1)
    await writing.add_organizers([Organizer(organizer_id, "The promoter", f"{organizer_id}@promoter.example")])
    production = Production(
        production_id,
        organizer_id,
        "The on-sale",
        (),
        Category.CONCERT,
        "loud",
        "Everybody wants to go.",
        minutes=180,
        popularity=1.0,
        rating=None,
    )
    await writing.add_productions([production])
    return production_id


def _event(event_id: EventId, production_id: ProductionId, hall_id: HallId, seat_map: SeatMap) -> Event:
    return Event(
        event_id=event_id,
        production_id=production_id,
        hall_id=hall_id,
        seat_map=seat_map.sha,
        name="The on-sale",
        publication=Publication.ANNOUNCED,
        on_sale_at=ON_SALE_AT,
        starts_at=STARTS_AT,
        ends_at=ENDS_AT,
        price_levels=tuple(
            PriceLevel(level, level, Money(DEAREST_MINOR - place * CHEAPER_MINOR, "EUR"), FEE)
            for place, level in enumerate(seat_map.price_levels)
        ),
    )
