"""Browsing over HTTP: cities, productions, venues, events by date, and one event with all that fans must know of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, FastAPI
from pydantic import BeforeValidator, Field
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from frontrow.core.catalogue import (
    Category,
    CityId,
    Event,
    EventId,
    EventStatus,
    Listing,
    Production,
    ProductionId,
    VenueId,
)
from frontrow.core.cursors import Value, cursor, values_of
from frontrow.core.money import Money
from frontrow.core.search import CityFound, Position, ProductionsAsked, Sort, VenueInCity, VenuesAsked, Wish
from frontrow.flows.ports import Catalogue, Clock
from frontrow.flows.search import Search
from frontrow.web import reading
from frontrow.web.problems import Problem, problem
from frontrow.web.queries import Dated, Id, Paged, number_of, parameters, read, split

FOR_A_SECOND: Final = "public, max-age=1"  # a crowd that reloads is answered by caches
STALE_CURSOR: Final = "is `next` of an earlier page of this very list, and not older than an hour"


class MoneyShown(TypedDict):
    """An amount in minor units."""

    amount: int
    currency: str


class Named(TypedDict):
    """Something by its id and name."""

    id: str
    name: str


class CityShown(Named):
    """A city. Times at its venues are by its clock."""

    country: str
    time_zone: str


class EventShown(TypedDict):
    """An event as lists show it."""

    id: str
    name: str
    production: Named
    performers: Sequence[str]
    category: Category
    genre: str
    rating: Annotated[float | None, Field(description="0 to 5; null: not rated yet.")]
    starts_at: datetime
    ends_at: datetime
    on_sale_at: datetime
    status: EventStatus
    waiting_room: bool
    venue: Named
    hall: str
    city: CityShown
    price_from: Annotated[MoneyShown, Field(description="All-in, of the cheapest seat that is left.")]
    seats: int
    seats_left: int


class PriceLevelShown(TypedDict):
    """What a seat of one level costs."""

    level: Annotated[str, Field(description="As the seat map names it.")]
    name: str
    price: Annotated[MoneyShown, Field(description="All-in.")]
    fee: Annotated[MoneyShown, Field(description="How much of the price is ours.")]


class EventInFull(EventShown):
    """One event, with what is needed to choose seats of it."""

    about: str
    minutes: int
    seat_map_url: str
    hold_seconds: int
    seats_per_hold_max: int
    tickets_per_fan_max: int
    codes_until: Annotated[
        datetime | None, Field(description="Until then fans with an access code alone may enter; null: everybody may.")
    ]
    price_levels: list[PriceLevelShown]


class ProductionShown(TypedDict):
    """A production with something on."""

    id: str
    name: str
    category: Category
    genre: str
    performers: Sequence[str]
    minutes: int
    rating: float | None
    also_known_as: Sequence[str]


class CityOfVenue(Named):
    """Where a venue is."""

    country: str


class VenueShown(TypedDict):
    """A venue with something on."""

    id: str
    name: str
    street: str
    postal_code: str
    latitude: float
    longitude: float
    city: CityOfVenue


class CityWithEvents(Named):
    """A city where something is on."""

    country: str
    events: int


class Cities(TypedDict):
    cities: list[CityWithEvents]


class Productions(TypedDict):
    productions: list[ProductionShown]
    next: str | None


class Venues(TypedDict):
    venues: list[VenueShown]
    next: str | None


class Events(TypedDict):
    events: list[EventShown]
    next: str | None


class ProductionsQuery(Paged):
    """Which productions."""

    city: Id = Field(default=None, description="On there.")
    category: Annotated[
        Category | None, BeforeValidator(lambda value: value or None), Field(description="Of that kind.")
    ] = None


class VenuesQuery(Paged):
    """Which venues."""

    city: Id = Field(default=None, description="In that city.")
    production: Id = Field(default=None, description="Where it is on.")


class EventsQuery(Dated):
    """Which events."""

    production: Id = None
    venue: Id = None
    city: Id = None


def add_browsing(api: FastAPI, search: Search, catalogue: Catalogue, clock: Clock) -> None:
    """Add the calls to the API."""
    browsing = _Browsing(search, catalogue, clock)
    router = APIRouter(prefix="/api/v1", tags=["Browsing"])
    router.add_api_route(
        "/cities",
        browsing.cities,
        response_model=Cities,
        summary="Cities where something is on",
        operation_id="listCities",
    )
    router.add_api_route(
        "/productions",
        browsing.productions,
        openapi_extra=parameters(ProductionsQuery),
        response_model=Productions,
        summary="What is on, the most popular first",
        operation_id="listProductions",
    )
    router.add_api_route(
        "/venues",
        browsing.venues,
        openapi_extra=parameters(VenuesQuery),
        response_model=Venues,
        summary="Where something is on, by name",
        operation_id="listVenues",
    )
    router.add_api_route(
        "/events",
        browsing.events,
        openapi_extra=parameters(EventsQuery),
        response_model=Events,
        summary="Events, soonest first",
        operation_id="listEvents",
    )
    router.add_api_route(
        "/events/{event}",
        browsing.event,
        response_model=EventInFull,
        summary="One event, with its prices and limits",
        operation_id="getEvent",
    )
    api.include_router(router)


class _Browsing:
    def __init__(self, search: Search, catalogue: Catalogue, clock: Clock) -> None:
        self._search = search
        self._catalogue = catalogue
        self._clock = clock

    async def cities(self) -> Response:
        """Cities by name, with how many events are ahead in each."""
        found = await self._search.cities(now=self._clock())
        document: Cities = {"cities": [city_with_events(city, events) for city, events in found.items()]}
        return answered(document)

    async def productions(self, request: Request) -> Response:
        """Productions with an event ahead, in a city or anywhere."""
        query = read(ProductionsQuery, request)
        city = number_of(query.city)
        asked = ProductionsAsked(None if city is None else CityId(city), query.category)
        question = f"productions {asked}"
        match _position(query.cursor, question):
            case None:
                pass
            case [float(popularity), int(production_id)]:
                asked = ProductionsAsked(asked.city_id, asked.category, popularity, production_id)
            case _:
                return stale_cursor().answer()
        found = await self._search.productions(asked, now=self._clock(), limit=query.limit + 1)
        last = found[query.limit - 1] if len(found) > query.limit else None
        document: Productions = {
            "productions": [_production(production) for production in found[: query.limit]],
            "next": cursor([last.popularity, last.production_id], question=question) if last else None,
        }
        return answered(document)

    async def venues(self, request: Request) -> Response:
        """Venues with an event ahead, in a city or anywhere, of a production or of any."""
        query = read(VenuesQuery, request)
        city, production = number_of(query.city), number_of(query.production)
        asked = VenuesAsked(
            None if city is None else CityId(city), None if production is None else ProductionId(production)
        )
        question = f"venues {asked}"
        match _position(query.cursor, question):
            case None:
                pass
            case [str(name), int(venue_id)]:
                asked = VenuesAsked(asked.city_id, asked.production_id, name, venue_id)
            case _:
                return stale_cursor().answer()
        found = await self._search.venues(asked, now=self._clock(), limit=query.limit + 1)
        last = found[query.limit - 1].venue if len(found) > query.limit else None
        document: Venues = {
            "venues": [_venue(venue) for venue in found[: query.limit]],
            "next": cursor([last.name, last.venue_id], question=question) if last else None,
        }
        return answered(document)

    async def events(self, request: Request) -> Response:
        """Events that are not over. With `from` in the past, those that are over too."""
        query = read(EventsQuery, request)
        production, venue, city = number_of(query.production), number_of(query.venue), number_of(query.city)
        from_at, from_on = split(query.from_)
        to_at, to_on = split(query.to)
        wish = Wish(
            production_id=None if production is None else ProductionId(production),
            venue_id=None if venue is None else VenueId(venue),
            city_id=None if city is None else CityId(city),
            from_at=from_at,
            from_on=from_on,
            to_at=to_at,
            to_on=to_on,
            with_past=True,
        )
        now = self._clock()
        question = f"events {wish}"
        after = position(query.cursor, question, now=now)
        if after is None:
            return stale_cursor().answer()
        page = await self._search.find(wish, sort=Sort.DATE, after=after, limit=query.limit, counted=False)
        document: Events = {
            "events": [event_shown(found.listing, now) for found in page.found],
            "next": cursor(page.next.values(), question=question) if page.next else None,
        }
        return answered(document)

    async def event(self, event: str) -> Response:
        """One event. A draft is not there."""
        event_id = EventId(number_of(event) or 0)
        listing = await self._catalogue.listing(event_id)
        terms = await self._catalogue.event(event_id) if listing else None
        production = await self._catalogue.production(listing.production_id) if listing else None
        if listing is None or terms is None or production is None:
            return problem("not-found").answer()
        return answered(_in_full(listing, terms, production, self._clock()))


def answered(document: Mapping[str, object]) -> Response:
    """What is the same for everybody."""
    body = msgspec.json.encode(document)
    return Response(body, media_type="application/json", headers={"cache-control": FOR_A_SECOND})


def position(text: str | None, question: str, *, now: datetime) -> Position | None:
    """Where the page of a list of events begins, or None: that is no cursor of this list, or an old one."""
    values = _position(text, question)
    return Position.first(now) if values is None else Position.of(values, now=now)


def stale_cursor() -> Problem:
    return reading.invalid("query.cursor", STALE_CURSOR)


def _position(text: str | None, question: str) -> Sequence[Value] | None:
    """The values of a cursor; none of them where it is not one of this list. None: there is no cursor."""
    return None if text is None else values_of(text, question=question) or ()


def event_shown(listing: Listing, now: datetime) -> EventShown:
    return {
        "id": str(listing.event_id),
        "name": listing.name,
        "production": {"id": str(listing.production_id), "name": listing.production},
        "performers": listing.performers,
        "category": listing.category,
        "genre": listing.genre,
        "rating": listing.rating,
        "starts_at": listing.starts_at,
        "ends_at": listing.ends_at,
        "on_sale_at": listing.on_sale_at,
        "status": listing.status(now),
        "waiting_room": listing.waiting_room,
        "venue": {"id": str(listing.venue_id), "name": listing.venue},
        "hall": listing.hall,
        "city": {
            "id": str(listing.city_id),
            "name": listing.city,
            "country": listing.country,
            "time_zone": listing.time_zone,
        },
        "price_from": _money(listing.price_from),
        "seats": listing.seats,
        "seats_left": listing.seats_left,
    }


def _in_full(listing: Listing, event: Event, production: Production, now: datetime) -> EventInFull:
    return {
        **event_shown(listing, now),
        "about": production.about,
        "minutes": production.minutes,
        "seat_map_url": f"/api/v1/seat-maps/{event.seat_map}.json",
        "hold_seconds": event.hold_seconds,
        "seats_per_hold_max": event.seats_per_hold_max,
        "tickets_per_fan_max": event.tickets_per_fan_max,
        "codes_until": event.codes_until,
        "price_levels": [
            {"level": level.level, "name": level.name, "price": _money(level.all_in), "fee": _money(level.fee)}
            for level in event.price_levels
        ],
    }


def _production(production: Production) -> ProductionShown:
    return {
        "id": str(production.production_id),
        "name": production.name,
        "category": production.category,
        "genre": production.genre,
        "performers": production.performers,
        "minutes": production.minutes,
        "rating": production.rating,
        "also_known_as": production.also_known_as,
    }


def _venue(found: VenueInCity) -> VenueShown:
    venue, city = found.venue, found.city
    return {
        "id": str(venue.venue_id),
        "name": venue.name,
        "street": venue.street,
        "postal_code": venue.postal_code,
        "latitude": venue.place.latitude,
        "longitude": venue.place.longitude,
        "city": {"id": str(city.city_id), "name": city.name, "country": city.country},
    }


def city_with_events(city: CityFound, events: int) -> CityWithEvents:
    return {"id": str(city.city_id), "name": city.name, "country": city.country, "events": events}


def _money(money: Money) -> MoneyShown:
    return {"amount": money.amount, "currency": money.currency}
