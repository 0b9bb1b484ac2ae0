"""Planting the demo's season in the catalogue: what `flows/plant_season.py` asks of whoever has a season.

An organizer with dates ahead has nothing missing, so a second start plants nothing; when the last date is over, the
next start plants what is on from then. Cities, venues, halls, organizers and productions are known by their names:
those that are there stay as they are. An event that is to be sold out is planted like any other, with all its seats
to be had: seats are sold in the ledger, which is not in the catalogue.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import TypeVar

from frontrow.adapters.postgres import postal_codes
from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import Connection
from frontrow.adapters.postgres.seasons import Seasons
from frontrow.core import catalogue
from frontrow.core.catalogue import CityId, EventId, HallId, OrganizerId, ProductionId, Publication, VenueId
from frontrow.core.postal_codes import PostalCode, postal_code
from frontrow.core.seat_maps import SeatMap
from frontrow.demo.places import City, Hall, Plan, Venue
from frontrow.demo.productions import Organizer, Production
from frontrow.demo.season import SEASONS, Event, season

Thing = TypeVar("Thing")
Key = TypeVar("Key")
Id = TypeVar("Id")

Maps = dict[Plan, SeatMap]


class DemoPlanting:
    """The season as seen from `now`. Satisfies `flows.plant_season.Planting`."""

    def __init__(self, *, now: datetime) -> None:
        self._now = now
        self._maps: Maps = {}

    async def missing(self, connection: Connection) -> Sequence[Event]:
        emails = [organizer.email for organizer in SEASONS]
        with_dates = await Seasons(connection).organizers_with_dates_ahead(emails, now=self._now)
        return [event for event in season(self._now) if event.production.organizer.email not in with_dates]

    def prepare(self, missing: Sequence[Event]) -> None:
        for event in missing:
            self._map(event.plan)

    async def take_turn(self, connection: Connection) -> None:
        await Seasons(connection).take_turn()

    async def add(self, connection: Connection, missing: Sequence[Event]) -> None:
        """Add the events and what they need; and the postal codes around them, which people search near."""
        await postal_codes.keep(connection, _postal_codes())
        halls = await _halls(connection, _each(event.hall for event in missing))
        productions = await _productions(connection, _each(event.production for event in missing))
        writing = CatalogueWriting(connection)
        await self._add_maps(writing, halls, missing)
        event_ids = await writing.event_ids(len(missing))
        await writing.add_events(
            [
                self._event(event_id, event, productions[event.production], halls[event.hall])
                for event_id, event in zip(event_ids, missing, strict=True)
            ]
        )

    async def _add_maps(self, writing: CatalogueWriting, halls: Mapping[Hall, HallId], events: Sequence[Event]) -> None:
        for plan in _each(event.plan for event in events):
            seat_map = self._map(plan)
            await writing.add_seat_map(
                seat_map.sha, name=seat_map.name, seats=seat_map.seats, document=seat_map.canonical
            )
        for hall, plan in _each((event.hall, event.plan) for event in events):
            await writing.give_hall(halls[hall], self._map(plan).sha)

    def _event(self, event_id: EventId, event: Event, production_id: ProductionId, hall_id: HallId) -> catalogue.Event:
        price_levels = tuple(event.tariff.price_levels(event.hall.venue.city.currency))
        seat_map = self._map(event.plan)
        assert tuple(level.level for level in price_levels) == seat_map.price_levels, event
        return catalogue.Event(
            event_id=event_id,
            production_id=production_id,
            hall_id=hall_id,
            seat_map=seat_map.sha,
            name=event.production.name,
            publication=Publication.ANNOUNCED,
            on_sale_at=event.on_sale_at,
            starts_at=event.starts_at,
            ends_at=event.ends_at,
            price_levels=price_levels,
            waiting_room=event.waiting_room,
            seats_per_hold_max=event.seats_per_hold_max,
            tickets_per_fan_max=event.tickets_per_fan_max,
        )

    def _map(self, plan: Plan) -> SeatMap:
        if plan not in self._maps:
            self._maps[plan] = plan()
        return self._maps[plan]


def _postal_codes() -> Sequence[PostalCode]:
    lines = (files("frontrow.demo") / "postal_codes.tsv").read_text("utf-8").splitlines()
    return [code for line in lines if isinstance(code := postal_code(line), PostalCode)]


async def _halls(connection: Connection, halls: Sequence[Hall]) -> Mapping[Hall, HallId]:
    venues = await _venues(connection, _each(hall.venue for hall in halls))
    there = await Seasons(connection).halls(venues.values())
    writing = CatalogueWriting(connection)
    return await _with_new(
        _known(halls, there, lambda hall: (venues[hall.venue], hall.name)),
        halls,
        draw=writing.hall_ids,
        add=lambda new: writing.add_halls(
            catalogue.Hall(hall_id, venues[hall.venue], hall.name) for hall, hall_id in new.items()
        ),
    )


async def _venues(connection: Connection, venues: Sequence[Venue]) -> Mapping[Venue, VenueId]:
    cities = await _cities(connection, _each(venue.city for venue in venues))
    there = await Seasons(connection).venues(cities.values())
    writing = CatalogueWriting(connection)
    return await _with_new(
        _known(venues, there, lambda venue: (cities[venue.city], venue.name)),
        venues,
        draw=writing.venue_ids,
        add=lambda new: writing.add_venues(
            catalogue.Venue(venue_id, cities[venue.city], venue.name, venue.street, venue.postal_code, venue.place)
            for venue, venue_id in new.items()
        ),
    )


async def _cities(connection: Connection, cities: Sequence[City]) -> Mapping[City, CityId]:
    there = await Seasons(connection).cities([city.name for city in cities])
    writing = CatalogueWriting(connection)
    return await _with_new(
        _known(cities, there, lambda city: (city.country, city.name)),
        cities,
        draw=writing.city_ids,
        add=lambda new: writing.add_cities(
            catalogue.City(city_id, city.name, city.country, city.time_zone, city.place, city.also_known_as)
            for city, city_id in new.items()
        ),
    )


async def _productions(connection: Connection, productions: Sequence[Production]) -> Mapping[Production, ProductionId]:
    organizers = await _organizers(connection, _each(production.organizer for production in productions))
    there = await Seasons(connection).productions(organizers.values())
    writing = CatalogueWriting(connection)
    return await _with_new(
        _known(productions, there, lambda production: (organizers[production.organizer], production.name)),
        productions,
        draw=writing.production_ids,
        add=lambda new: writing.add_productions(
            _production(production, production_id, organizers[production.organizer])
            for production, production_id in new.items()
        ),
    )


async def _organizers(connection: Connection, organizers: Sequence[Organizer]) -> Mapping[Organizer, OrganizerId]:
    there = await Seasons(connection).organizers([organizer.email for organizer in organizers])
    writing = CatalogueWriting(connection)
    return await _with_new(
        _known(organizers, there, lambda organizer: organizer.email),
        organizers,
        draw=writing.organizer_ids,
        add=lambda new: writing.add_organizers(
            catalogue.Organizer(organizer_id, organizer.name, organizer.email)
            for organizer, organizer_id in new.items()
        ),
    )


def _production(production: Production, production_id: ProductionId, organizer_id: OrganizerId) -> catalogue.Production:
    return catalogue.Production(
        production_id=production_id,
        organizer_id=organizer_id,
        name=production.name,
        performers=production.performers,
        category=production.category,
        genre=production.genre,
        about=production.about,
        minutes=production.minutes,
        popularity=production.popularity,
        rating=production.rating,
        also_known_as=production.also_known_as,
    )


def _known(things: Iterable[Thing], there: Mapping[Key, Id], key: Callable[[Thing], Key]) -> dict[Thing, Id]:
    """The ids of those things that are there already."""
    return {thing: there[key(thing)] for thing in things if key(thing) in there}


async def _with_new(
    known: Mapping[Thing, Id],
    things: Iterable[Thing],
    *,
    draw: Callable[[int], Awaitable[Sequence[Id]]],
    add: Callable[[Mapping[Thing, Id]], Awaitable[None]],
) -> Mapping[Thing, Id]:
    """The ids of all things, after those that are not known were added."""
    unknown = [thing for thing in things if thing not in known]
    new = dict(zip(unknown, await draw(len(unknown)), strict=True))
    await add(new)
    return {**known, **new}


def _each(things: Iterable[Thing]) -> Sequence[Thing]:
    """Each thing once, in the order in which they first come."""
    return list(dict.fromkeys(things))
