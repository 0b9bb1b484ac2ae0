"""The pages one walks through without searching: what is on anywhere, in a city, at a venue; a production; films.

What belongs to one event is in site.py, what is typed into a field in searching.py. Lists come in pages, as those of
the API do.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from frontrow.core.catalogue import Category, City, CityId, EventStatus, Listing, ProductionId, VenueId
from frontrow.core.cursors import cursor
from frontrow.core.search import CityFound, FoundPage, Position, ProductionsAsked, Sort, VenuesAsked, Wish
from frontrow.core.wording import zone
from frontrow.flows.ports import Catalogue, Clock
from frontrow.flows.search import Search
from frontrow.web.catalogue import position
from frontrow.web.pages import words
from frontrow.web.pages.drawing import draw
from frontrow.web.pages.ids import id_in
from frontrow.web.pages.programme import Entry, Programme, arrange
from frontrow.web.pages.searching import FOR_A_MOMENT, PAGE, Choice, parts_of

PRODUCTIONS_MAX: Final = 60  # of a home page: the most popular; the others are found by searching
DATES_OF_EACH: Final = 24  # so that a film that runs all day has today in every city
CITIES_MAX: Final = 8  # beside each other on top of a page; all of them have a page of their own
VENUES_MAX: Final = 60  # of a city
DATES_PER_PAGE: Final = 120
SHOWINGS_MAX: Final = 600  # of one day in one city: forty cinemas
DAYS: Final = 8  # that one can choose between: a week, and the same weekday again


@dataclass(frozen=True, slots=True)
class Day:
    """A day that one can look at."""

    words: str
    link: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Film:
    """A film on one day in one city, cinema by cinema."""

    entries: Sequence[Entry]  # one for each cinema, by name

    @property
    def first(self) -> Listing:
        return self.entries[0].first

    @property
    def listings(self) -> Sequence[Listing]:
        return [listing for entry in self.entries for listing in entry.listings]


class Browsing:
    """The pages."""

    def __init__(self, catalogue: Catalogue, search: Search, clock: Clock) -> None:
        self._catalogue = catalogue
        self._search = search
        self._clock = clock

    def routes(self) -> Sequence[Route]:
        return [
            Route("/", self.home),
            Route("/cities", self.cities),
            Route("/cities/{city_id}", self.city),
            Route("/cities/{city_id}/films", self.films),
            Route("/productions/{production_id}", self.production),
            Route("/venues/{venue_id}", self.venue),
        ]

    async def home(self, _: Request) -> Response:
        return await self._programme(None)

    async def cities(self, _: Request) -> Response:
        now = self._clock()
        return _page("cities.html", cities=await self._search.cities(now=now), now=now)

    async def city(self, request: Request) -> Response:
        return await self._programme(await self._city(request.path_params["city_id"]))

    async def films(self, request: Request) -> Response:
        """Films and when they are on, in all cinemas of a city, on one day."""
        now = self._clock()
        city = await self._city(request.path_params["city_id"])
        on = _day_in(request, city.time_zone, now)
        wish = Wish(city_id=city.city_id, category=Category.FILM, from_on=on, to_on=on)
        first = Position.first(now)
        page = await self._search.find(wish, sort=Sort.DATE, after=first, limit=SHOWINGS_MAX, counted=False)
        return _page(
            "films.html",
            now=now,
            city=city,
            day=on,
            days=list(_days(f"/cities/{city.city_id}/films", on, city.time_zone, now)),
            films=_films([found.listing for found in page.found]),
            is_whole=page.next is None,
        )

    async def production(self, request: Request) -> Response:
        """What it is, and where and when it is on."""
        now = self._clock()
        production_id = ProductionId(id_in(request.path_params["production_id"]) or 0)
        production = await self._catalogue.production(production_id)
        if production is None:
            raise HTTPException(404)
        city_id = id_in(request.query_params.get("city", ""))
        wish = Wish(production_id=production_id, city_id=None if city_id is None else CityId(city_id))
        page, more = await self._dates(request, wish, now)
        everywhere = await self._search.find(
            Wish(production_id=production_id), sort=Sort.DATE, after=Position.first(now), limit=1
        )
        address = f"/productions/{production_id}"
        spread = everywhere.spread.cities
        return _page(
            "production.html",
            now=now,
            production=production,
            dates=Entry(tuple(found.listing for found in page.found)) if page.found else None,
            next_sale=_next_sale([found.listing for found in [*everywhere.found, *page.found]], now),
            cities=_cities_of(spread, address, city_id) if len(spread) > 1 else (),
            more=more,
        )

    async def venue(self, request: Request) -> Response:
        """Where it is, and what is on there, day by day; or on one day."""
        now = self._clock()
        venue = await self._catalogue.venue(VenueId(id_in(request.path_params["venue_id"]) or 0))
        city = await self._catalogue.city(venue.city_id) if venue else None
        if venue is None or city is None:
            raise HTTPException(404)
        on = _day_in(request, city.time_zone, now) if request.query_params.get("day") else None
        page, more = await self._dates(request, Wish(venue_id=venue.venue_id, from_on=on, to_on=on), now)
        return _page(
            "venue.html",
            now=now,
            venue=venue,
            city=city,
            day=on,
            days=list(_days(f"/venues/{venue.venue_id}", on, city.time_zone, now)),
            parts=parts_of(page.found, by_day=True),
            more=more,
        )

    async def _programme(self, city: City | None) -> Response:
        now = self._clock()
        city_id = city.city_id if city else None
        cities, programme, everything, venues = await asyncio.gather(
            self._search.cities(now=now),
            self._arranged(city_id, now),
            self._search.find(Wish(city_id=city_id), sort=Sort.DATE, after=Position.first(now), limit=1),
            self._venues(city_id, now),
        )
        largest = sorted(cities, key=lambda found: -cities[found])[:CITIES_MAX]
        return _page(
            "home.html",
            now=now,
            city=city,
            programme=programme,
            kinds=list(_kinds(everything, city_id)),
            venues=venues,
            cities=sorted(largest, key=lambda found: found.name),
            has_more_cities=len(cities) > CITIES_MAX,
            several_zones=city is None and len(cities) > 1,
        )

    async def _arranged(self, city_id: CityId | None, now: datetime) -> Programme:
        asked = ProductionsAsked(city_id, None)
        productions = await self._search.productions(asked, now=now, limit=PRODUCTIONS_MAX)
        listings = await self._catalogue.listings_of_productions(
            [production.production_id for production in productions], city_id=city_id, now=now, of_each=DATES_OF_EACH
        )
        return arrange(listings, now=now)

    async def _venues(self, city_id: CityId | None, now: datetime) -> Sequence[Choice]:
        if city_id is None:
            return ()
        found = await self._search.venues(VenuesAsked(city_id, None), now=now, limit=VENUES_MAX)
        return [Choice(one.venue.name, f"/venues/{one.venue.venue_id}") for one in found]

    async def _city(self, text: str) -> City:
        city_id = id_in(text)
        city = await self._catalogue.city(CityId(city_id)) if city_id else None
        if city is None:
            raise HTTPException(404)
        return city

    async def _dates(self, request: Request, wish: Wish, now: datetime) -> tuple[FoundPage, str | None]:
        """One page of dates, and the address of the next. A cursor that is none of ours leads to the first page."""
        question = f"dates {wish}"
        after = position(request.query_params.get("cursor"), question, now=now) or Position.first(now)
        page = await self._search.find(wish, sort=Sort.DATE, after=after, limit=DATES_PER_PAGE, counted=False)
        if page.next is None:
            return page, None
        said = {name: value for name, value in request.query_params.items() if name in {"city", "day"}}
        said["cursor"] = cursor(page.next.values(), question=question)
        return page, f"{request.url.path}?{urlencode(said)}#dates"


def _films(listings: Sequence[Listing]) -> Sequence[Film]:
    """Films by name, in each the cinemas by name."""
    of: dict[ProductionId, dict[str, list[Listing]]] = {}
    for listing in listings:
        of.setdefault(listing.production_id, {}).setdefault(f"{listing.venue} {listing.venue_id}", []).append(listing)
    films = [Film([Entry(tuple(theirs)) for _, theirs in sorted(cinemas.items())]) for cinemas in of.values()]
    return sorted(films, key=lambda film: (film.first.production.casefold(), film.first.production_id))


def _day_in(request: Request, time_zone: str, now: datetime) -> date:
    """The day that an address names; today, where it names none that there is."""
    try:
        return date.fromisoformat(request.query_params.get("day", ""))
    except ValueError:
        return now.astimezone(zone(time_zone)).date()


def _days(address: str, on: date | None, time_zone: str, now: datetime) -> Iterator[Day]:
    """Today and a week from it; and the one that is looked at, if it is another."""
    today = now.astimezone(zone(time_zone)).date()
    days = {today + timedelta(days=ahead) for ahead in range(DAYS)}
    for day in sorted(days | ({on} if on else set())):
        said = "Today" if day == today else f"{day:%a} {day.day} {day:%b}"
        yield Day(said, f"{address}?day={day.isoformat()}", day == on)


def _kinds(everything: FoundPage, city_id: CityId | None) -> Iterator[Choice]:
    for kind, events in everything.spread.categories.items():
        said = {"category": kind.value} | ({"city": city_id} if city_id else {})
        yield Choice(words.CATEGORIES[kind], f"{PAGE}?{urlencode(said)}", events)


def _cities_of(spread: Mapping[CityFound, int], address: str, city_id: int | None) -> Sequence[Choice]:
    """The cities where a production is on, each of which can be looked at alone."""
    anywhere = Choice("All cities", f"{address}#dates", is_on=city_id is None)
    by_name = sorted(spread, key=lambda city: city.name)
    return [
        anywhere,
        *(
            Choice(city.name, f"{address}?city={city.city_id}#dates", spread[city], city.city_id == city_id)
            for city in by_name
        ),
    ]


def _next_sale(listings: Sequence[Listing], now: datetime) -> Listing | None:
    """The event whose sale begins next."""
    ahead = [listing for listing in listings if listing.status(now) is EventStatus.ANNOUNCED]
    return min(ahead, key=lambda listing: (listing.on_sale_at, listing.event_id), default=None)


def _page(template: str, **about: object) -> Response:
    return HTMLResponse(draw(template, **about), headers={"cache-control": FOR_A_MOMENT})
