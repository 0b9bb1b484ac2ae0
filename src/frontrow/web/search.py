"""Searching over HTTP: events by words, place, time and price, with how they are spread; names while they are typed."""

import asyncio
import re
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationInfo, field_validator
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from frontrow.core.catalogue import Category, CityId, Place
from frontrow.core.cursors import cursor
from frontrow.core.search import Found, NameKind, Near, Sort, Spread, Suggestion, Wish
from frontrow.flows.ports import Clock
from frontrow.flows.search import Search
from frontrow.web import reading
from frontrow.web.catalogue import (
    CityWithEvents,
    EventShown,
    answered,
    city_with_events,
    event_shown,
    position,
    stale_cursor,
)
from frontrow.web.clients import Clients
from frontrow.web.openapi import PROBLEM_SCHEMA
from frontrow.web.pace import Pace
from frontrow.web.problems import KINDS, MEDIA_TYPE, Problem
from frontrow.web.queries import Dated, Flag, Id, Price, Text, nonsense, number_of, parameters, read, split

RADIUS_KM: Final = 50.0  # an evening's drive there and back
RADIUS_KM_MAX: Final = 1_000.0
SUGGESTIONS_MAX: Final = 8  # more than these nobody reads while typing
SPREAD_MAX: Final = 30  # of cities and of genres; who wants the hundredth, types its name
METRES_PER_KM: Final = 1_000

CLIENT_AT_ONCE: Final = 200  # an office behind one address, typing
CLIENT_AGAIN_SECONDS: Final = 0.05  # twenty a second: four people who type without a pause

_NEAR: Final = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,15})?),\s?(-?[0-9]{1,3}(?:\.[0-9]{1,15})?)")
_LATITUDE_MAX: Final = 90
_LONGITUDE_MAX: Final = 180


TOO_FAST: Final[dict[str, Any]] = {
    "description": KINDS["slow-down"].title,
    "content": {MEDIA_TYPE: {"schema": PROBLEM_SCHEMA}},
    "headers": {"Retry-After": {"description": "Seconds after which to ask again.", "schema": {"type": "string"}}},
}


class EventFound(EventShown):
    """An event that was found."""

    distance_km: Annotated[float | None, Field(description="From where it was asked for; null: from nowhere.")]


class CategoryFacet(TypedDict):
    category: Category
    events: int


class GenreFacet(TypedDict):
    genre: str
    events: int


class MonthFacet(TypedDict):
    month: Annotated[str, Field(description="2027-03, by the venue's calendar.")]
    events: int


class Facets(TypedDict):
    """How all events that were found are spread; the most first, months in order."""

    events: int
    categories: list[CategoryFacet]
    genres: list[GenreFacet]
    cities: list[CityWithEvents]
    months: list[MonthFacet]


class Answer(TypedDict):
    events: list[EventFound]
    facets: Facets
    next: str | None


class NameSuggested(TypedDict):
    """A name that may be meant. The id is that of its production, venue or city; an artist's is the artist's own."""

    text: str
    kind: NameKind
    id: str


class Suggestions(TypedDict):
    suggestions: list[NameSuggested]


class SuggestQuery(BaseModel):
    """What was typed so far."""

    q: Text = None


class SearchQuery(Dated):
    """What is searched for, and in which order."""

    q: Text = Field(
        default=None, description="Names of productions, artists, venues and cities, however they are spelt."
    )
    city: Id = None
    near: Annotated[
        Annotated[str, StringConstraints(pattern=f"^{_NEAR.pattern}$")] | None,
        BeforeValidator(lambda value: value or None),
    ] = Field(default=None, description="LATITUDE,LONGITUDE in degrees.")
    radius_km: Annotated[
        Annotated[float, Field(gt=0, le=RADIUS_KM_MAX, allow_inf_nan=False)] | None,
        BeforeValidator(lambda value: None if value == "" else value),
    ] = Field(default=None, description=f"How far from there at most; {RADIUS_KM:.0f} where it is not said.")
    postal_code: Annotated[
        Annotated[str, StringConstraints(max_length=20)] | None, BeforeValidator(lambda value: value or None)
    ] = Field(default=None, description="Instead of `near`.")
    country: Annotated[
        Annotated[str, StringConstraints(pattern="^[A-Za-z]{2}$", to_upper=True)] | None,
        BeforeValidator(lambda value: value or None),
    ] = Field(default=None, description="Whose postal code it is, where several countries have it.")
    category: Annotated[Category | None, BeforeValidator(lambda value: value or None)] = None
    genre: Text = None
    price_min: Price = Field(default=None, description="All-in, in minor units of the event's currency.")
    price_max: Price = Field(default=None, description="The same.")
    currency: Annotated[
        Annotated[str, StringConstraints(pattern="^[A-Za-z]{3}$", to_upper=True)] | None,
        BeforeValidator(lambda value: value or None),
    ] = None
    available: Flag = Field(default=None, description="Only events with seats left.")
    sort: Annotated[Sort | None, BeforeValidator(lambda value: value or None)] = Field(
        default=None, description="What comes first; `relevance` where words are given, else `date`."
    )

    @field_validator("near")
    @classmethod
    def _on_earth(cls, value: str | None) -> str | None:
        if value is not None:
            latitude, longitude = map(float, value.split(","))
            if abs(latitude) > _LATITUDE_MAX or abs(longitude) > _LONGITUDE_MAX:
                raise nonsense("is a latitude from -90 to 90 and a longitude from -180 to 180")
        return value

    @field_validator("postal_code")
    @classmethod
    def _instead(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and info.data.get("near") is not None:
            raise nonsense("stands in place of `near`, not beside it")
        return value

    @field_validator("price_max")
    @classmethod
    def _above(cls, value: int | None, info: ValidationInfo) -> int | None:
        least: int | None = info.data.get("price_min")
        if value is not None and least is not None and value < least:
            raise nonsense("is not below `price_min`")
        return value

    @field_validator("sort")
    @classmethod
    def _from_somewhere(cls, value: Sort | None, info: ValidationInfo) -> Sort | None:
        if value is Sort.DISTANCE and info.data.get("near") is None and info.data.get("postal_code") is None:
            raise nonsense("by distance needs `near` or `postal_code`")
        return value

    @property
    def place(self) -> Place | None:
        """The place that `near` names."""
        if self.near is None:
            return None
        latitude, longitude = map(float, self.near.split(","))
        return Place(latitude, longitude)

    def wish(self, place: Place | None) -> Wish:
        city = number_of(self.city)
        from_at, from_on = split(self.from_)
        to_at, to_on = split(self.to)
        metres = round((self.radius_km or RADIUS_KM) * METRES_PER_KM)
        return Wish(
            words=self.q or "",
            near=Near(place, metres) if place else None,
            city_id=None if city is None else CityId(city),
            category=self.category,
            genre=self.genre,
            from_at=from_at,
            from_on=from_on,
            to_at=to_at,
            to_on=to_on,
            price_min=self.price_min,
            price_max=self.price_max,
            currency=self.currency,
            with_seats=bool(self.available),
        )


class SearchPace:
    """How fast one client may search, on pages and by calls together."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._pace = Pace(at_once=CLIENT_AT_ONCE, again_seconds=CLIENT_AGAIN_SECONDS)

    def too_fast(self, request: Request) -> Problem | None:
        """Whoever asks from this machine is its operator, or everybody, by way of a proxy that tells us nothing."""
        client = self._clients.of(request.scope)
        return None if client.is_here else self._pace.too_fast(client.address, now=asyncio.get_running_loop().time())


def add_searching(api: FastAPI, search: Search, clock: Clock, pace: SearchPace) -> None:
    """Add the calls to the API."""
    searching = _Searching(search, clock, pace)
    router = APIRouter(prefix="/api/v1/search", tags=["Searching"], responses={429: TOO_FAST})
    router.add_api_route(
        "",
        searching.search,
        openapi_extra=parameters(SearchQuery),
        response_model=Answer,
        summary="Find events",
        operation_id="searchEvents",
    )
    router.add_api_route(
        "/suggest",
        searching.suggest,
        openapi_extra=parameters(SuggestQuery),
        response_model=Suggestions,
        summary="Names that somebody may be typing",
        operation_id="suggestNames",
    )
    api.include_router(router)


@dataclass(frozen=True, slots=True)
class _Searching:
    _search: Search
    _clock: Clock
    _pace: SearchPace

    async def search(self, request: Request) -> Response:
        """Events that are not over, by all that a fan may say of them. Words may be spelt wrong, or half typed."""
        if refused := self._pace.too_fast(request):
            return refused.answer()
        query = read(SearchQuery, request)
        place = await self._place(query)
        if isinstance(place, Problem):
            return place.answer()
        wish = query.wish(place)
        sort = query.sort or (Sort.RELEVANCE if wish.words else Sort.DATE)
        now = self._clock()
        question = f"search {sort} {wish}"
        after = position(query.cursor, question, now=now)
        if after is None:
            return stale_cursor().answer()
        page = await self._search.find(wish, sort=sort, after=after, limit=query.limit)
        document: Answer = {
            "events": [_found(found, now) for found in page.found],
            "facets": _facets(page.spread),
            "next": cursor(page.next.values(), question=question) if page.next else None,
        }
        return answered(document)

    async def suggest(self, request: Request) -> Response:
        """Names of productions, artists, venues and cities, the likeliest first."""
        if refused := self._pace.too_fast(request):
            return refused.answer()
        typed = read(SuggestQuery, request).q
        found = await self._search.suggest(typed, now=self._clock(), limit=SUGGESTIONS_MAX) if typed else ()
        document: Suggestions = {"suggestions": [_suggested(suggestion) for suggestion in found]}
        return answered(document)

    async def _place(self, query: SearchQuery) -> Place | Problem | None:
        if query.postal_code is None:
            return query.place
        place = await self._search.place_of_postal_code(query.postal_code, query.country)
        return place or reading.invalid("query.postal_code", "is not known here; `near` takes a latitude and longitude")


def _found(found: Found, now: datetime) -> EventFound:
    distance = None if found.metres is None else round(found.metres / METRES_PER_KM, 1)
    return {**event_shown(found.listing, now), "distance_km": distance}


def _facets(spread: Spread) -> Facets:
    genres, cities = list(spread.genres.items()), list(spread.cities.items())
    return {
        "events": spread.events,
        "categories": [{"category": category, "events": events} for category, events in spread.categories.items()],
        "genres": [{"genre": genre, "events": events} for genre, events in genres[:SPREAD_MAX]],
        "cities": [city_with_events(city, events) for city, events in cities[:SPREAD_MAX]],
        "months": [{"month": month, "events": events} for month, events in spread.months.items()],
    }


def _suggested(suggestion: Suggestion) -> NameSuggested:
    """Artists have no row of their own: their name is what they are known by."""
    of_id = str(suggestion.of_id)
    if suggestion.kind is NameKind.ARTIST:
        of_id = sha256(suggestion.text.casefold().encode()).hexdigest()[:16]
    return {"text": suggestion.text, "kind": suggestion.kind, "id": of_id}
