"""Searches of the demo's season: what is found, in which order, page by page; compared with plain Python."""

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import asin, cos, radians, sin, sqrt
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.search.conftest import NOW

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Category, CityId, EventId, Listing, Place, Publication
from frontrow.core.search import Found, FoundPage, Near, Position, Sort, Wish
from frontrow.demo import places
from frontrow.flows.search import Search

ALL: Final = 1_000  # more than the season has
BERLIN: Final = places.BERLIN.place


async def listings(season: Database) -> Sequence[Listing]:
    return await season.catalogue.upcoming(now=NOW, limit=ALL)


async def find(search: Search, wish: Wish, sort: Sort = Sort.DATE, *, limit: int = ALL) -> FoundPage:
    return await search.find(wish, sort=sort, after=Position.first(NOW), limit=limit)


def ids(found: Sequence[Found]) -> list[EventId]:
    return [each.listing.event_id for each in found]


def metres(one: Place, other: Place) -> float:
    north, east = radians(other.latitude - one.latitude), radians(other.longitude - one.longitude)
    part = sin(north / 2) ** 2 + cos(radians(one.latitude)) * cos(radians(other.latitude)) * sin(east / 2) ** 2
    return 2 * 6_371_000 * asin(sqrt(part))


def fits(listing: Listing, wish: Wish, where: Place) -> bool:
    """The oracle of filters: what a wish means, said once more."""
    day = listing.starts_at.astimezone(ZoneInfo(listing.time_zone)).date()
    return all(
        (
            wish.city_id is None or listing.city_id == wish.city_id,
            wish.category is None or listing.category is wish.category,
            wish.genre is None or listing.genre == wish.genre,
            wish.from_at is None or listing.starts_at >= wish.from_at,
            wish.to_at is None or listing.starts_at <= wish.to_at,
            wish.from_on is None or day >= wish.from_on,
            wish.to_on is None or day <= wish.to_on,
            wish.price_min is None or listing.price_from.amount >= wish.price_min,
            wish.price_max is None or listing.price_from.amount <= wish.price_max,
            wish.currency is None or listing.price_from.currency == wish.currency,
            not wish.with_seats or (listing.seats_left > 0 and listing.publication is Publication.ANNOUNCED),
            wish.near is None or metres(wish.near.place, where) <= wish.near.metres,
        )
    )


def key(sort: Sort, listing: Listing, distance: int | None) -> tuple[object, ...]:
    """The order, said once more."""
    first: object = {
        Sort.DATE: 0,
        Sort.PRICE: listing.price_from.amount,
        Sort.RATING: -round((listing.rating or 0) * 1000),
        Sort.DISTANCE: distance,
    }[sort]
    return first, listing.starts_at, listing.event_id


days = st.dates(NOW.date() - timedelta(days=2), NOW.date() + timedelta(days=100))
moments = st.datetimes(
    NOW.replace(tzinfo=None) - timedelta(days=2),
    NOW.replace(tzinfo=None) + timedelta(days=100),
    timezones=st.just(UTC),
)
some_place = st.sampled_from([city.place for city in (places.BERLIN, places.LONDON, places.LISBON)])


@st.composite
def wishes(draw: st.DrawFn) -> Wish:
    near = draw(st.none() | st.builds(Near, some_place, st.integers(1, 3_000_000)))
    return Wish(
        near=near,
        city_id=draw(st.none() | st.builds(CityId, st.integers(0, 4))),
        category=draw(st.none() | st.sampled_from(Category)),
        genre=draw(st.none() | st.sampled_from(["Drama", "Soul", "Comedy", "drama", ""])),
        from_at=draw(st.none() | moments),
        to_at=draw(st.none() | moments),
        from_on=draw(st.none() | days),
        to_on=draw(st.none() | days),
        price_min=draw(st.none() | st.integers(0, 10_000)),
        price_max=draw(st.none() | st.integers(0, 10_000)),
        currency=draw(st.none() | st.sampled_from(["EUR", "GBP", "CHF"])),
        with_seats=draw(st.booleans()),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wish=wishes(), sort=st.sampled_from([Sort.DATE, Sort.PRICE, Sort.RATING, Sort.DISTANCE]))
async def test_filters_and_orders_are_those_of_the_oracle(season: Database, search: Search, wish: Wish, sort: Sort):
    if sort is Sort.DISTANCE and wish.near is None:
        sort = Sort.PRICE
    where = {
        row["venue_id"]: Place(row["latitude"], row["longitude"])
        for row in await season.pool.fetch("SELECT venue_id, latitude, longitude FROM venue")
    }
    page = await find(search, wish, sort)
    expected = [listing for listing in await listings(season) if fits(listing, wish, where[listing.venue_id])]
    assert sorted(ids(page.found)) == sorted(listing.event_id for listing in expected)
    keys = [key(sort, found.listing, found.metres) for found in page.found]
    assert keys == sorted(keys)
    assert page.spread.events == len(expected)
    assert sum(page.spread.categories.values()) == sum(page.spread.months.values()) == len(expected)
    assert {city.city_id: count for city, count in page.spread.cities.items()} == {
        city: sum(listing.city_id == city for listing in expected) for city in {each.city_id for each in expected}
    }
    if wish.near:
        assert all(
            found.metres == pytest.approx(metres(wish.near.place, where[found.listing.venue_id]), abs=1)
            for found in page.found
        )


PAGED: Final = {
    "everything": Wish(),
    "in a city": Wish(city_id=CityId(1)),
    "near": Wish(near=Near(BERLIN, 3_000_000)),
    "words": Wish(words="the"),
    "words near": Wish(words="film", near=Near(BERLIN, 3_000_000)),
    "with a word left out": Wish(words="lamplighter qqqq marrow"),
    "of a genre": Wish(genre="Drama"),
}


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize("sort", Sort)
@pytest.mark.parametrize("name", PAGED)
async def test_pages_have_each_event_once(search: Search, name: str, sort: Sort, size: int):
    wish = PAGED[name]
    if sort is Sort.DISTANCE and wish.near is None:
        pytest.skip("a distance is from somewhere")
    whole = ids((await find(search, wish, sort)).found)
    assert len(whole) > 0
    paged: list[EventId] = []
    after: Position | None = Position.first(NOW)
    while after is not None and len(paged) < min(len(whole), 60):
        page = await search.find(wish, sort=sort, after=after, limit=size)
        paged += ids(page.found)
        after = page.next
    assert paged == whole[: len(paged)]
    if len(whole) <= 60:
        assert paged == whole
        assert after is None


async def test_no_page_is_after_the_last(search: Search):
    everything = await find(search, Wish(), limit=ALL)
    assert everything.next is None
    exactly = await find(search, Wish(), limit=len(everything.found))
    assert exactly.next is None


def folded(text: str) -> set[str]:
    """The words of a text, for names of the demo, which are Latin."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    spelt = "".join(c if c.isalnum() else " " for c in plain.replace("ß", "ss").replace("&", " and ").lower())
    return set(spelt.split())


async def words_of(season: Database) -> dict[EventId, set[str]]:
    """All words that lead to each event."""
    rows = await season.pool.fetch("""
        SELECT event_id, concat_ws(' ', event.name, production.name, array_to_string(performers, ' '), genre,
                                   array_to_string(production.also_known_as, ' '), venue.name, city.name,
                                   array_to_string(city.also_known_as, ' ')) AS names
          FROM event JOIN production USING (production_id) JOIN hall USING (hall_id) JOIN venue USING (venue_id)
          JOIN city USING (city_id)
    """)
    return {EventId(row["event_id"]): folded(row["names"]) for row in rows}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_every_event_that_has_all_words_is_found(season: Database, search: Search, data: st.DataObject):
    names = await words_of(season)
    event_id = data.draw(st.sampled_from(sorted(names)))
    words = data.draw(st.lists(st.sampled_from(sorted(names[event_id])), min_size=1, max_size=4, unique=True))
    found = set(ids((await find(search, Wish(words=" ".join(words)), Sort.RELEVANCE)).found))
    assert {other for other, theirs in names.items() if set(words) <= theirs} <= found


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("odessa quill", "Odessa Quill: Back to the River"),
        ("odesa qiull", "Odessa Quill: Back to the River"),  # misspelt
        ("ILSE MARROW", "Ilse Marrow: Tidal Rooms"),
        ("lamplihgter", "Lamplighter on Io"),
        ("mossb", "Mossbeard and the Missing Hour"),  # half typed
        ("tidalrooms", "Ilse Marrow: Tidal Rooms"),  # run together
        ("neun küchen", "Nine Kitchens"),  # another language
        ("nove cozinhas", "Nine Kitchens"),
        ("kapelle mowe", "Brass & Brine"),  # without its dots
        ("captain crumb tickets", "Captain Crumb and the Paper Sea"),  # a word that nothing has
        ("halogen parade lissabon", "Halogen Parade: Second Summer"),
        ("the river derby", "Odessa Quill: Back to the River"),  # one word of it
    ],
)
async def test_what_comes_first(search: Search, typed: str, first: str):
    page = await find(search, Wish(words=typed), Sort.RELEVANCE)
    assert page.found[0].listing.production == first


async def test_an_artist_in_a_city_is_there_and_nowhere_else(search: Search):
    page = await find(search, Wish(words="ilse marrow berlim"), Sort.RELEVANCE)
    assert {(found.listing.production, found.listing.city) for found in page.found} == {
        ("Ilse Marrow: Tidal Rooms", "Berlin")
    }


async def test_where_no_event_has_all_words_those_with_most_are_found(search: Search):
    page = await find(search, Wish(words="odessa quill lissabon"), Sort.RELEVANCE)
    assert page.found[0].listing.production == "Odessa Quill: Back to the River"


@pytest.mark.parametrize("typed", ["qqqq", "?", "§$%", "' OR 1=1 --", "a:* & !b | (c", "\\", "%_%", "''"])
async def test_what_means_nothing_finds_nothing(search: Search, typed: str):
    page = await find(search, Wish(words=typed), Sort.RELEVANCE)
    assert page.next is None or page.found
    if typed in {"qqqq", "?", "§$%"}:
        assert not page.found


async def test_what_is_popular_and_soon_comes_first_of_what_matches_alike(search: Search):
    page = await find(search, Wish(words="film"), Sort.RELEVANCE)
    by_production: dict[str, list[datetime]] = {}
    for found in page.found:
        by_production.setdefault(found.listing.production, []).append(found.listing.starts_at)
    assert all(one <= other for times in by_production.values() for one, other in pairwise(times))


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("ils", "Ilse Marrow"),
        ("odesa", "Odessa Quill"),
        ("lissab", "Lisbon"),
        ("larksp", "Larkspur Theatre"),
        ("teatro das mar", "Teatro das Marés"),
        ("forty a", "Forty Acres of Sky"),
        ("o", "Odessa Quill"),
    ],
)
async def test_names_are_suggested_while_they_are_typed(search: Search, typed: str, suggested: str):
    found = await search.suggest(typed, now=NOW, limit=8)
    assert suggested in [suggestion.text for suggestion in found]


async def test_nothing_is_suggested_that_is_over(search: Search):
    assert not await search.suggest("ilse", now=NOW + timedelta(days=400), limit=8)
