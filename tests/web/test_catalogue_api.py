"""Browsing and searching over HTTP: the shapes of the contract, what is refused, and nothing that breaks."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from starlette.types import ASGIApp
from tests.postgres import small_season
from tests.postgres.small_season import NOW, SmallSeason
from tests.web.asking import Answer, ask, service

from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.postgres.search import connected_for_search
from frontrow.flows.search import Search
from frontrow.web import catalogue as shapes
from frontrow.web import search as search_shapes
from frontrow.web.api import empty_api
from frontrow.web.catalogue import add_browsing
from frontrow.web.clients import Clients
from frontrow.web.search import SearchPace, add_searching

Get = Callable[..., Awaitable[Answer]]

SHAPES: Final[dict[str, TypeAdapter[Any]]] = {
    "cities": TypeAdapter(shapes.Cities),
    "productions": TypeAdapter(shapes.Productions),
    "venues": TypeAdapter(shapes.Venues),
    "events": TypeAdapter(shapes.Events),
    "events/1": TypeAdapter(shapes.EventInFull),
    "search": TypeAdapter(search_shapes.Answer),
    "search/suggest": TypeAdapter(search_shapes.Suggestions),
}
LISTS: Final = ["cities", "productions", "venues", "events", "search"]


@pytest.fixture
async def season(database: Database) -> SmallSeason:
    async with database.transaction() as connection:
        return await small_season.plant(connection)


@pytest.fixture
async def app(database: Database, database_url: str) -> AsyncIterator[ASGIApp]:
    async with connected_for_search(database_url) as index:
        api = empty_api("test")
        search = Search(index)
        add_browsing(api, search, database.catalogue, lambda: NOW)
        add_searching(api, search, lambda: NOW, SearchPace(Clients()))
        yield service(api=api)


@pytest.fixture
def get(app: ASGIApp) -> Get:
    async def get(path: str, /, raw: str | None = None, **query: object) -> Answer:
        return await ask(app, f"/api/v1/{path}", query=urlencode(query) if raw is None else raw)

    return get


class TestShapes:
    @pytest.mark.parametrize("path", SHAPES)
    async def test_an_answer_is_what_the_document_says(self, get: Get, season: SmallSeason, path: str):
        answer = await get(path.replace("/1", f"/{season.event.event_id}"), q="twelve")
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["cache-control"] == "public, max-age=1"
        SHAPES[path].validate_json(answer.body, strict=False, extra="forbid")

    async def test_an_event_of_a_list(self, get: Get, season: SmallSeason):
        [event] = (await get("events")).json()["events"]
        assert event["id"] == str(season.event.event_id)
        assert event["name"] == "Twelve Moons, first night"
        assert event["starts_at"] == "2027-03-08T12:00:00Z"
        assert event["on_sale_at"] == "2027-02-28T12:00:00Z"
        assert event["status"] == "on_sale"
        assert event["venue"] == {"id": str(season.venue.venue_id), "name": "Kleines Haus"}
        assert event["city"]["name"] == "Zürich"
        assert event["price_from"] == {"amount": 2700, "currency": "EUR"}
        assert event["seats_left"] == 7

    async def test_one_event_in_full(self, get: Get, season: SmallSeason):
        event = (await get(f"events/{season.event.event_id}")).json()
        assert event["seat_map_url"] == f"/api/v1/seat-maps/{season.seat_map}.json"
        assert (event["hold_seconds"], event["seats_per_hold_max"], event["tickets_per_fan_max"]) == (300, 6, 8)
        assert event["waiting_room"] is True
        assert event["price_levels"] == [
            {
                "level": "A",
                "name": "Stalls",
                "price": {"amount": 4800, "currency": "EUR"},
                "fee": {"amount": 300, "currency": "EUR"},
            },
            {
                "level": "B",
                "name": "Floor",
                "price": {"amount": 2700, "currency": "EUR"},
                "fee": {"amount": 200, "currency": "EUR"},
            },
        ]

    async def test_cities_with_their_events(self, get: Get, season: SmallSeason):
        assert (await get("cities")).json() == {
            "cities": [{"id": str(season.city.city_id), "name": "Zürich", "country": "CH", "events": 1}]
        }

    async def test_a_search_has_distances_and_facets(self, get: Get, season: SmallSeason):
        found = (await get("search", q="odesa qiull", near="47.37,8.54")).json()
        assert [event["distance_km"] for event in found["events"]] == [0.6]
        assert found["facets"] == {
            "events": 1,
            "categories": [{"category": "concert", "events": 1}],
            "genres": [{"genre": "folk", "events": 1}],
            "cities": [{"id": str(season.city.city_id), "name": "Zürich", "country": "CH", "events": 1}],
            "months": [{"month": "2027-03", "events": 1}],
        }
        assert found["next"] is None

    async def test_suggestions(self, get: Get, season: SmallSeason):
        found = (await get("search/suggest", q="odess")).json()["suggestions"]
        assert [(each["text"], each["kind"]) for each in found] == [("Odessa Quill", "artist")]
        assert (await get("search/suggest")).json() == {"suggestions": []}
        assert season.event.name


class TestFilters:
    @pytest.mark.parametrize(
        ("path", "query", "found"),
        [
            ("productions", {"category": "concert"}, 1),
            ("productions", {"category": "film"}, 0),
            ("productions", {"city": "999"}, 0),
            ("productions", {"city": "nowhere"}, 0),
            ("venues", {"production": "999"}, 0),
            ("events", {"from": "2027-03-08", "to": "2027-03-08"}, 1),
            ("events", {"from": "2027-03-09"}, 0),
            ("events", {"to": "2027-03-07"}, 0),
            ("events", {"from": "2027-03-08T12:00:00Z", "to": "2027-03-08T12:00:00Z"}, 1),
            ("events", {"from": "2027-03-08T13:00:00+01:00"}, 1),
            ("events", {"from": "2027-03-08T13:00:01+01:00"}, 0),
            ("events", {"venue": "9" * 40}, 0),
            ("search", {"price_max": 2700}, 1),
            ("search", {"price_max": 2699}, 0),
            ("search", {"currency": "chf"}, 0),
            ("search", {"available": "true"}, 1),
            ("search", {"q": "", "city": "", "near": "", "from": "", "price_max": "", "sort": "", "cursor": ""}, 1),
            ("search", {"near": "0,0"}, 0),
            ("search", {"genre": "folk"}, 1),
            ("search", {"utm_source": "mail"}, 1),  # what others add is theirs
        ],
    )
    async def test_what_fits(self, get: Get, season: SmallSeason, path: str, query: dict[str, str], found: int):
        answer = await get(path, **query)
        assert answer.status == 200, answer.text
        assert len(answer.json()[path.replace("search", "events")]) == found
        assert season.event.name

    async def test_what_is_over_is_there_for_who_asks(self, get: Get, database: Database, season: SmallSeason):
        await database.pool.execute("""
            UPDATE event SET on_sale_at = '2026-12-01', starts_at = '2027-01-01', ends_at = '2027-01-02'
        """)
        assert (await get("events")).json()["events"] == []
        [event] = (await get("events", **{"from": "2026-12-31"})).json()["events"]
        assert event["status"] == "ended"
        assert (await get("search", **{"from": "2026-12-31"})).json()["events"] == []
        assert season.event.name

    @pytest.mark.parametrize("event", ["0", "999", "x", "9" * 30, "1%00", "-1", "\u0661"])
    async def test_an_event_that_is_none(self, get: Get, season: SmallSeason, event: str):
        answer = await get(f"events/{event}")
        assert answer.problem() == "not-found"
        assert season.event.name


WRONG: Final = [
    ("search", {"sort": "cheapest"}, "query.sort"),
    ("search", {"sort": "distance"}, "query.sort"),  # from where?
    ("search", {"category": "circus"}, "query.category"),
    ("search", {"near": "91,0"}, "query.near"),
    ("search", {"near": "0,181"}, "query.near"),
    ("search", {"near": "nan,nan"}, "query.near"),
    ("search", {"near": "1e3,0"}, "query.near"),
    ("search", {"near": "52.5"}, "query.near"),
    ("search", {"near": "0,0", "radius_km": "0"}, "query.radius_km"),
    ("search", {"near": "0,0", "radius_km": "inf"}, "query.radius_km"),
    ("search", {"near": "0,0", "radius_km": "1001"}, "query.radius_km"),
    ("search", {"near": "0,0", "postal_code": "8001"}, "query.postal_code"),  # which?
    ("search", {"postal_code": "8001"}, "query.postal_code"),  # nobody imported it
    ("search", {"from": "2027-03-02", "to": "2027-03-01"}, "query.to"),
    ("search", {"from": "2027-03-01T12:00:00Z", "to": "2027-03-01T11:00:00Z"}, "query.to"),
    ("search", {"from": "2027-02-30"}, "query.from"),
    ("search", {"from": "yesterday"}, "query.from"),
    ("search", {"from": "1700000000"}, "query.from"),
    ("search", {"from": "2027-03-01T12:00:00"}, "query.from"),  # by whose clock?
    ("search", {"from": "0001-01-01T00:00:00+14:00"}, "query.from"),  # before the calendar
    ("search", {"price_max": "-1"}, "query.price_max"),
    ("search", {"price_max": "1.5"}, "query.price_max"),
    ("search", {"price_max": "9" * 30}, "query.price_max"),
    ("search", {"price_min": "10", "price_max": "9"}, "query.price_max"),
    ("search", {"available": "perhaps"}, "query.available"),
    ("search", {"q": "x" * 201}, "query.q"),
    ("search", {"cursor": "made-up"}, "query.cursor"),
    ("search", {"limit": "0"}, "query.limit"),
    ("search", {"limit": "101"}, "query.limit"),
    ("search/suggest", {"q": "x" * 201}, "query.q"),
    ("events", {"from": "2027-03-02", "to": "2027-03-01"}, "query.to"),
    ("events", {"cursor": "made-up"}, "query.cursor"),
    ("productions", {"category": "circus"}, "query.category"),
    ("productions", {"cursor": "made-up"}, "query.cursor"),
    ("venues", {"cursor": "made-up"}, "query.cursor"),
]


@pytest.mark.parametrize(("path", "query", "where"), WRONG)
async def test_what_makes_no_sense_is_refused_by_its_name(get: Get, path: str, query: dict[str, str], where: str):
    answer = await get(path, **query)
    assert answer.problem() == "invalid"
    assert answer.status == 422
    assert [wrong["where"] for wrong in answer.json()["errors"]] == [where]
    for value in query.values():
        assert len(value) < 9 or value not in answer.text, "what was sent is not repeated"


async def test_an_address_beyond_measure_is_refused(get: Get):
    assert (await get("search", q="x" * 10_000)).problem() == "address-too-long"


class TestCursors:
    async def test_one_of_another_list_is_refused(self, get: Get, database: Database, season: SmallSeason):
        await self.add(database, 30)
        page = (await get("events", limit=5)).json()
        assert (await get("events", limit=5, cursor=page["next"])).status == 200
        assert (await get("search", cursor=page["next"])).problem() == "invalid"
        assert (await get("events", cursor=page["next"], city=season.city.city_id)).problem() == "invalid"
        assert (await get("events", cursor=page["next"][:-1])).problem() == "invalid"

    @pytest.mark.parametrize(
        ("path", "key"), [("productions", "productions"), ("venues", "venues"), ("events", "events")]
    )
    @pytest.mark.parametrize("limit", [1, 3, 100])
    async def test_pages_have_each_once(
        self, get: Get, database: Database, season: SmallSeason, path: str, key: str, limit: int
    ):
        await self.add(database, 11)
        found: list[str] = []
        cursor = ""
        while cursor is not None:
            page = (await get(path, limit=limit, cursor=cursor)).json()
            found += [each["id"] for each in page[key]]
            cursor = page["next"]
        assert len(found) == len(set(found)) == 12
        assert season.event.name

    @staticmethod
    async def add(database: Database, count: int) -> None:
        """So many of each more: productions of two names and popularities, venues of two names, an event each."""
        await database.pool.execute(MORE.replace(":count", str(count)))


MORE: Final = """
    INSERT INTO production (organizer_id, name, performers, category, genre, about, minutes, popularity)
    SELECT organizer_id, 'Again ' || n % 2, '{}', category, genre, '', 90, (n % 2) / 2.0
      FROM production, generate_series(1, :count) AS n;
    INSERT INTO venue (city_id, name, street, postal_code, latitude, longitude)
    SELECT city_id, 'House ' || n % 2, '', '', 47, 8 FROM city, generate_series(1, :count) AS n;
    INSERT INTO hall (venue_id, name) SELECT venue_id, 'Hall' FROM venue WHERE name LIKE 'House%';
    INSERT INTO hall_seat_map SELECT hall_id, 1, sha256 FROM hall, seat_map WHERE hall.name = 'Hall';
    INSERT INTO event (production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
                       waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
    SELECT p.production_id, h.hall_id, sha256, 'Again', 'announced', '2027-02-01', '2027-03-09', '2027-03-10', 'EUR',
           false, 300, 6, 8
      FROM (SELECT *, row_number() OVER () AS n FROM production WHERE name LIKE 'Again%') AS p
      JOIN (SELECT *, row_number() OVER () AS n FROM hall WHERE name = 'Hall') AS h USING (n), seat_map;
    INSERT INTO lane (event_id) SELECT event_id FROM event WHERE name = 'Again';
    INSERT INTO price_level
    SELECT event_id, level, level, 1000, 100 FROM event, unnest('{A,B}'::text[]) AS level WHERE name = 'Again';
"""

PARAMETERS: Final = [
    "q", "city", "near", "radius_km", "postal_code", "country", "from", "to", "category", "genre", "price_min",
    "price_max", "currency", "available", "sort", "cursor", "limit", "production", "venue",
]  # fmt: skip
NASTY: Final = st.sampled_from(
    [
        "' OR 1=1 --", "a:*&!b|(c", "\x00", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "\\", "%", "_",
        "{}", "NaN", "-0", "1e308", "9" * 25, "0,0", "90,180", "-90,-180", "true", "null", "relevance", "2027-03-01",
        "9999-12-31", "0001-01-01", "9999-12-31T23:59:59-14:00", "SW1A 1AA", "\u202e", "🎭" * 40, "a " * 90, "ﷺ" * 100,
    ]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from([*LISTS, "search/suggest"]),
    query=st.lists(st.tuples(st.sampled_from(PARAMETERS), NASTY | st.text(max_size=60)), max_size=5),
)
async def test_no_query_breaks_anything(get: Get, season: SmallSeason, path: str, query: list[tuple[str, str]]):
    raw = "&".join(f"{name}={quote(value, errors='replace')}" for name, value in query)
    answer = await get(path, raw=raw)
    assert answer.status in {200, 414, 422}, answer.text
    assert season.event.name


@given(raw=st.text(st.characters(max_codepoint=127), max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_nor_what_is_no_query_at_all(get: Get, raw: str):
    assert (await get("search", raw=raw)).status in {200, 422}
