"""The page that finds events: words, filters, facets to narrow it by, an order, and one page of the answer at a time.

It asks what `web/search.py` asks, with the same parameters, so an address of this page is a question to the API too.
What makes no sense is left out of the question, named beside the form, and the rest is still answered.
"""

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from frontrow.core.catalogue import Category, Listing, Place
from frontrow.core.cursors import cursor
from frontrow.core.search import CityFound, Found, FoundPage, Position, Sort, Spread
from frontrow.core.wording import zone
from frontrow.flows.ports import Clock
from frontrow.flows.search import Search
from frontrow.web.catalogue import position
from frontrow.web.pages import words
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.refusals import answer as answer_problem
from frontrow.web.search import SearchPace, SearchQuery

PAGE: Final = "/search"
EVENTS_PER_PAGE: Final = 40  # a screen or three, as the same production on the same day is one entry
FACETS_MAX: Final = 12  # of one kind; who wants the next, types its name
VALUE_CHARS_MAX: Final = 500  # of what an address brings; longer than all that can be typed
PRICES: Final = (1_500, 3_000, 5_000, 8_000, 12_000)  # steps to choose from, in minor units of any currency
RADII_KM: Final = (5, 10, 25, 50, 100)
FOR_A_MOMENT: Final = "public, max-age=5"  # a crowd that reloads is answered by caches; nobody notices five seconds
WHERE_I_AM: Final = "camera=(), geolocation=(self), microphone=(), payment=(self), usb=()"  # this page may ask

# The filters in the order in which an address has them. What is not among them is nothing to us.
FIELDS: Final = (
    "q",
    "city",
    "category",
    "genre",
    "from",
    "to",
    "price_min",
    "price_max",
    "currency",
    "available",
    "near",
    "postal_code",
    "country",
    "radius_km",
    "sort",
)
_OF_PLACE: Final = ("near", "postal_code", "country", "radius_km")
_OF_DAYS: Final = ("from", "to")

_STALE: Final = "The page you came from had grown old, so this is the list anew, from its beginning."

# What is said of a value that makes no sense.
_WRONG: Final[Mapping[str, str]] = MappingProxyType(
    {
        "q": "Those are more words than any name has. We searched without them.",
        "from": "The first day is no day of the calendar. It was left out.",
        "to": "The last day is no day of the calendar, or lies before the first. It was left out.",
        "price_min": "The lowest price is no amount. It was left out.",
        "price_max": "The highest price is no amount, or lies below the lowest. It was left out.",
        "near": "The place is no latitude and longitude. It was left out.",
        "postal_code": "The postal code is too long, or stands beside another place. It was left out.",
        "radius_km": "The distance is not between 0 and 1,000 km. It was left out.",
        "cursor": _STALE,
        "sort": "There is no such order, or it needs a place to measure from. The list has its own.",
    }
)
_WRONG_ELSE: Final = "A part of the address is not what this page understands. It was left out."
_UNKNOWN_CODE: Final = "We do not know this postal code. Choose a city, or type its name above."

_SORTS: Final[Mapping[Sort, str]] = MappingProxyType(
    {
        Sort.RELEVANCE: "Best match",
        Sort.DATE: "Soonest",
        Sort.PRICE: "Lowest price",
        Sort.RATING: "Best rated",
        Sort.DISTANCE: "Nearest",
    }
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks, as it was typed: empty where it does not say."""

    fields: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name, "")

    def link(self, changes: Mapping[str, object]) -> str:
        """The address of the same question with some of it changed; None takes a field away."""
        changed = {**self.fields, **changes}
        said = {name: changed[name] for name in FIELDS if changed.get(name) not in {None, ""}}
        if cursor_ := changes.get("cursor"):
            said["cursor"] = cursor_
        return f"{PAGE}?{urlencode(said)}" if said else PAGE

    def without(self, *names: str) -> str:
        return self.link(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Choice:
    """One way on: what it says, where it leads, and how many events are there."""

    words: str
    link: str
    events: int | None = None
    is_on: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """Ways to narrow an answer, of one kind."""

    name: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """One production at one venue, with those of its events that were found."""

    found: tuple[Found, ...]  # in the order of the answer, never empty

    @property
    def first(self) -> Listing:
        return self.found[0].listing

    @property
    def listings(self) -> Sequence[Listing]:
        return [found.listing for found in self.found]

    @property
    def distance(self) -> str | None:
        metres = self.found[0].metres
        return None if metres is None else words.distance(metres)


@dataclass(frozen=True, slots=True)
class _Read:
    """A question that makes sense, what was typed of it, and what was wrong with the rest."""

    query: SearchQuery
    asked: Asked
    wrong: Sequence[str]


class SearchPage:
    """`GET /search`."""

    def __init__(self, search: Search, clock: Clock, pace: SearchPace) -> None:
        self._search = search
        self._clock = clock
        self._pace = pace

    async def answer(self, request: Request) -> Response:
        if refused := self._pace.too_fast(request):
            return answer_problem(refused, request.scope, draw_problem)
        now = self._clock()
        read = _read(request)
        place, unknown = await self._place(read.query)
        asked, notes = read.asked, [*read.wrong, *unknown]
        sort = _sort(read.query, place)
        wish = read.query.wish(place)
        question = f"search {sort} {wish}"
        after = position(read.query.cursor, question, now=now)
        if after is None:
            notes.append(_STALE)
        page = await self._search.find(wish, sort=sort, after=after or Position.first(now), limit=EVENTS_PER_PAGE)
        cities = await self._search.cities(now=now)
        body = draw(
            "search.html",
            now=now,
            asked=asked,
            notes=notes,
            page=page,
            parts=parts_of(page.found, by_day=sort is Sort.DATE),
            facets=list(_facets(page.spread, asked)),
            chosen=list(_chosen(asked, read.query, cities)),
            sorts=list(_sorts(asked, sort, has_place=place is not None)),
            cities=list(cities),
            prices=_prices(read.query.price_max),
            radii=RADII_KM,
            is_first=after is None or after.event_id == 0,
            more=_more(page, asked, question),
        )
        headers = {"cache-control": FOR_A_MOMENT, "permissions-policy": WHERE_I_AM}
        return HTMLResponse(body, status_code=422 if read.wrong or unknown else 200, headers=headers)

    async def _place(self, query: SearchQuery) -> tuple[Place | None, Sequence[str]]:
        """Where it is to be near, and what to say if nobody knows where that is."""
        if query.postal_code is None:
            return query.place, ()
        place = await self._search.place_of_postal_code(query.postal_code, query.country)
        return place, () if place else (_UNKNOWN_CODE,)


def parts_of(found: Sequence[Found], *, by_day: bool) -> Sequence[tuple[Listing | None, Sequence[FoundEntry]]]:
    """Entries in the order in which they come up; under the first event of each day where days are the order."""
    if not by_day:
        return [(None, _entries(found))] if found else []
    days = [list(group) for _, group in groupby(found, key=_day)]
    return [(day[0].listing, _entries(day)) for day in days]


def _entries(found: Iterable[Found]) -> Sequence[FoundEntry]:
    of: dict[tuple[int, int], list[Found]] = {}
    for one in found:
        of.setdefault((one.listing.production_id, one.listing.venue_id), []).append(one)
    return [FoundEntry(tuple(theirs)) for theirs in of.values()]


def _day(found: Found) -> date:
    return found.listing.starts_at.astimezone(zone(found.listing.time_zone)).date()


def _read(request: Request) -> _Read:
    """What an address asks. Fields that make no sense are left out, one after the other, until the rest does."""
    typed = {name: value for name, value in request.query_params.items() if value.strip()}
    kept = {name: value for name, value in typed.items() if name in FIELDS or name == "cursor"}
    wrong: dict[str, str] = {}
    while True:
        try:
            query = SearchQuery.model_validate(kept)
        except ValidationError as error:
            for name in {str(problem["loc"][0]) for problem in error.errors()}:
                del kept[name]
                wrong[name] = _WRONG.get(name, _WRONG_ELSE)
        else:
            shown = {name: value[:VALUE_CHARS_MAX] for name, value in kept.items() if name != "cursor"}
            return _Read(query, Asked(shown), list(dict.fromkeys(wrong.values())))


def _sort(query: SearchQuery, place: Place | None) -> Sort:
    if query.sort is Sort.DISTANCE and place is None:
        return Sort.DATE
    return query.sort or (Sort.RELEVANCE if query.q else Sort.DATE)


def _sorts(asked: Asked, sort: Sort, *, has_place: bool) -> Iterator[Choice]:
    for one, name in _SORTS.items():
        if (one is not Sort.RELEVANCE or asked["q"]) and (one is not Sort.DISTANCE or has_place):
            yield Choice(name, asked.link({"sort": one.value}), is_on=one is sort)


def _facets(spread: Spread, asked: Asked) -> Iterator[Facet]:
    """Ways to narrow the answer further. One that leaves all of it as it is, is none."""
    kinds = (
        ("category", "What", [(words.CATEGORIES[kind], kind.value, n) for kind, n in spread.categories.items()]),
        ("genre", "Genre", [(genre, genre, n) for genre, n in spread.genres.items() if genre]),
        ("city", "City", [(city.name, str(city.city_id), n) for city, n in spread.cities.items()]),
    )
    for field, name, counted in kinds:
        if not asked[field] and len(counted) > 1:
            narrow = [Choice(said, asked.link({field: value}), n) for said, value, n in counted[:FACETS_MAX]]
            yield Facet(name, narrow)
    if not (asked["from"] or asked["to"]) and len(spread.months) > 1:
        yield Facet("When", [_month(asked, month, n) for month, n in list(spread.months.items())[:FACETS_MAX]])


def _month(asked: Asked, month: str, events: int) -> Choice:
    first = date.fromisoformat(f"{month}-01")
    last = first.replace(day=monthrange(first.year, first.month)[1])
    return Choice(f"{first:%B %Y}", asked.link({"from": first.isoformat(), "to": last.isoformat()}), events)


def _chosen(asked: Asked, query: SearchQuery, cities: Mapping[CityFound, int]) -> Iterator[Choice]:
    """What the answer is narrowed by already; each leads to the answer without it."""
    if asked["category"]:
        yield Choice(words.CATEGORIES[Category(asked["category"])], asked.without("category"))
    if asked["genre"]:
        yield Choice(asked["genre"], asked.without("genre"))
    if asked["city"]:
        yield Choice(_city_name(asked["city"], cities), asked.without("city"))
    if asked["from"] or asked["to"]:
        yield Choice(words.days(query.from_, query.to), asked.without(*_OF_DAYS))
    if query.price_max is not None:
        yield Choice(f"up to {words.plain_amount(query.price_max)} each", asked.without("price_max"))
    if query.price_min is not None:
        yield Choice(f"from {words.plain_amount(query.price_min)} each", asked.without("price_min"))
    if query.currency:
        yield Choice(f"paid in {query.currency}", asked.without("currency"))
    if query.available:
        yield Choice("with seats left", asked.without("available"))
    if asked["near"] or asked["postal_code"]:
        where = f"near {asked['postal_code']}" if asked["postal_code"] else "near you"
        of_place = (*_OF_PLACE, "sort") if asked["sort"] == Sort.DISTANCE else _OF_PLACE
        yield Choice(where, asked.without(*of_place))


def _city_name(city_id: str, cities: Mapping[CityFound, int]) -> str:
    return next((city.name for city in cities if str(city.city_id) == city_id), "a city where nothing is on")


def _prices(chosen: int | None) -> Sequence[tuple[int, str]]:
    """The steps, and what was asked for in between."""
    steps = sorted(set(PRICES) if chosen is None else {*PRICES, chosen})
    return [(step, words.plain_amount(step)) for step in steps]


def _more(page: FoundPage, asked: Asked, question: str) -> str | None:
    return asked.link({"cursor": cursor(page.next.values(), question=question)}) if page.next else None
