"""The pages one walks through: cities, a city, its films by day, a production, a venue."""

from datetime import timedelta

import pytest
from tests.postgres.small_season import NOW, SmallSeason
from tests.web.pages.conftest import Clock, Open
from tests.web.pages.reading import Page

from frontrow.adapters.postgres.pool import Database


async def page_of(opened: Open, path: str, query: str = "") -> Page:
    answer = await opened(path, query=query)
    assert answer.status == 200, path
    assert answer.headers["cache-control"] == "public, max-age=5"
    return Page(answer.text)


async def test_a_city_has_its_events_and_venues(opened: Open, season: SmallSeason):
    assert f"/cities/{season.city.city_id}" in (await page_of(opened, "/cities")).values("href")
    page = await page_of(opened, f"/cities/{season.city.city_id}")
    assert f"on in {season.city.name}" in page.text
    assert season.production.name in page.text
    assert f"/venues/{season.venue.venue_id}" in page.values("href")


async def test_a_city_where_nothing_is_on_says_so(opened: Open, season: SmallSeason, clock: Clock):
    clock.at = NOW + timedelta(days=30)
    page = await page_of(opened, f"/cities/{season.city.city_id}")
    assert f"Nothing is announced in {season.city.name}" in page.text
    assert "Nothing is announced" in (await page_of(opened, "/cities")).text


async def test_a_production_has_its_dates_by_city(opened: Open, season: SmallSeason):
    page = await page_of(opened, f"/productions/{season.production.production_id}")
    for words in (
        season.production.name,
        season.production.about,
        "Odessa Quill",
        "Zürich",
        "Kleines Haus",
        "from €27",
    ):
        assert words.lower() in page.text.lower(), words
    assert f"/events/{season.event.event_id}" in page.values("href")
    for query in (f"city={season.city.city_id}", "city=nowhere", "cursor=abc"):
        assert season.venue.name in (await page_of(opened, page_path(season), query)).text
    assert "No dates are announced" in (await page_of(opened, page_path(season), "city=9999")).text


def page_path(season: SmallSeason) -> str:
    return f"/productions/{season.production.production_id}"


async def test_a_production_counts_down_to_its_next_sale(
    opened: Open, season: SmallSeason, database: Database, clock: Clock
):
    await database.pool.execute("UPDATE event SET on_sale_at = starts_at - interval '1 day'")
    clock.at = season.event.starts_at - timedelta(days=1, seconds=103)
    page = await page_of(opened, page_path(season))
    assert "Next on sale" in page.text
    assert "103" in page.values("data-seconds")


async def test_a_venue_has_its_days(opened: Open, season: SmallSeason):
    path = f"/venues/{season.venue.venue_id}"
    page = await page_of(opened, path)
    assert season.venue.street in page.text
    assert f"/events/{season.event.event_id}" in page.values("href")
    on_the_day = await page_of(opened, path, "day=2027-03-08")
    assert f"/events/{season.event.event_id}" in on_the_day.values("href")
    assert "Nothing is announced for 9 March 2027" in (await page_of(opened, path, "day=2027-03-09")).text
    assert "Nothing is announced for 1 March 2027" in (await page_of(opened, path, "day=soon")).text  # then today


@pytest.mark.parametrize(("day", "is_on"), [("2027-03-08", True), ("2027-03-09", False), ("0001-01-01", False)])
async def test_films_of_a_day(opened: Open, season: SmallSeason, database: Database, day: str, is_on: bool):  # noqa: FBT001 -- of the rows above
    await database.pool.execute("UPDATE production SET category = 'film'")
    page = await page_of(opened, f"/cities/{season.city.city_id}/films", f"day={day}")
    assert (f"/events/{season.event.event_id}" in page.values("href")) == is_on
    assert ("No film is on" in page.text) != is_on
    assert ("13:00" in page.text) == is_on  # by the clock of the city


async def test_what_is_no_film_is_not_among_them(opened: Open, season: SmallSeason):
    page = await page_of(opened, f"/cities/{season.city.city_id}/films", "day=2027-03-08")
    assert season.production.name not in page.text


async def test_later_dates_are_on_the_next_page(opened: Open, season: SmallSeason, database: Database):
    await database.pool.execute(
        """
        WITH added AS (
            INSERT INTO event (production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at,
                               currency, waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
            SELECT production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at + n * interval '1 day',
                   ends_at + n * interval '1 day', currency, waiting_room, hold_seconds, seats_per_hold_max,
                   tickets_per_fan_max
              FROM event, generate_series(1, 150) AS n
            RETURNING event_id
        ), lanes AS (
            INSERT INTO lane (event_id) SELECT event_id FROM added
        )
        INSERT INTO price_level (event_id, level, name, amount_minor, fee_minor)
        SELECT added.event_id, level, name, amount_minor, fee_minor FROM added, price_level
        """
    )
    for path in (page_path(season), f"/venues/{season.venue.venue_id}"):
        found: set[str] = set()
        page = await page_of(opened, path)
        found |= {link for link in page.values("href") if link.startswith("/events/")}
        [later] = [link.attributes["href"] or "" for link in page.all("a") if link.words == "Later dates"]
        page = await page_of(opened, path, later.partition("?")[2].partition("#")[0])
        found |= {link for link in page.values("href") if link.startswith("/events/")}
        assert len(found) == 151, path
