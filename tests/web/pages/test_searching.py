"""The page that finds events: what it asks, what it keeps, what it says of what makes no sense."""

from datetime import timedelta
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.postgres.small_season import NOW, SmallSeason
from tests.web.pages.conftest import Open
from tests.web.pages.reading import Element, Page

from frontrow.adapters.postgres.pool import Database
from frontrow.web.pages.searching import EVENTS_PER_PAGE

# Fifty more like the one there is, an hour apart.
MORE: Final = """
WITH added AS (
    INSERT INTO event (production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
                       waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
    SELECT production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at + n * interval '1 hour',
           ends_at + n * interval '1 hour', currency, waiting_room, hold_seconds, seats_per_hold_max,
           tickets_per_fan_max
      FROM event, generate_series(1, 50) AS n
    RETURNING event_id
), lanes AS (
    INSERT INTO lane (event_id) SELECT event_id FROM added
)
INSERT INTO price_level (event_id, level, name, amount_minor, fee_minor)
SELECT added.event_id, level, name, amount_minor, fee_minor FROM added, price_level
"""


async def search(opened: Open, query: str = "") -> tuple[int, Page]:
    answer = await opened("/search", query=query)
    return answer.status, Page(answer.text)


def events(page: Page) -> list[str]:
    """The events that the page leads to, in its order."""
    links = [link.attributes["href"] or "" for link in page.all("a")]
    return [link for link in links if link.startswith("/events/")]


def named(page: Page, words: str) -> Element:
    [link] = [link for link in page.all("a") if link.words == words]
    return link


def asked(link: Element) -> dict[str, list[str]]:
    return parse_qs(urlsplit(link.attributes["href"] or "").query)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "q=twelve+moons",
        "q=tvelve+mons",  # as people type
        "q=odessa",  # who is in it
        "q=zurich&category=concert&genre=folk",
        "from=2027-03-08&to=2027-03-08",
        "price_max=2700",  # all-in: 25 and a fee of 2
        "available=true",
        "near=47.37,8.54&radius_km=5&sort=distance",
        "city=&from=&to=&postal_code=&radius_km=50&price_max=",  # the form as it is
        "utm_source=mail&q=moons",  # what is nothing to us
    ],
)
async def test_it_finds(opened: Open, season: SmallSeason, query: str):
    status, page = await search(opened, query)
    assert status == 200
    assert events(page) == [f"/events/{season.event.event_id}"]
    assert "1 event" in page.text
    assert "from €27" in page.text


@pytest.mark.parametrize(
    "query", ["q=xylophone", "category=film", "from=2027-03-09", "to=2027-03-07", "price_max=2699", "city=99999"]
)
async def test_it_does_not_find_and_says_how_to_go_on(opened: Open, season: SmallSeason, query: str):
    status, page = await search(opened, query)
    assert (status, events(page)) == (200, [])
    ways = [link.attributes["href"] for link in page.all("a")]
    assert "/search" in ways or f"/cities/{season.city.city_id}" in ways


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("from=yesterday", "first day is no day"),
        ("from=2027-03-09&to=2027-03-08", "lies before the first"),
        ("price_max=lots", "highest price"),
        ("price_min=500&price_max=400", "below the lowest"),
        ("near=somewhere", "no latitude and longitude"),
        ("near=91,0", "no latitude and longitude"),
        ("radius_km=-1", "between 0 and 1,000 km"),
        ("postal_code=00000", "do not know this postal code"),
        ("sort=distance", "needs a place"),
        ("sort=best", "no such order"),
        ("category=opera", "left out"),
        ("country=Germany", "left out"),
        ("cursor=abc", "list anew"),
        ("q=" + "x" * 201, "searched without them"),
    ],
)
async def test_what_makes_no_sense_is_named_and_the_rest_is_answered(
    opened: Open, season: SmallSeason, query: str, words: str
):
    status, page = await search(opened, query)
    assert words in page.text
    assert events(page) == [f"/events/{season.event.event_id}"] or query == "from=2027-03-09&to=2027-03-08"
    assert status == (200 if query.startswith("cursor") else 422)  # a page that has grown old is nobody's mistake


async def test_several_things_may_make_no_sense_at_once(opened: Open, season: SmallSeason):
    assert season
    status, page = await search(opened, "from=x&to=y&price_max=z&sort=distance&near=1")
    assert status == 422
    assert len([said for said in page.all("p") if said.attributes.get("role") == "alert"]) == 5


async def test_what_was_chosen_stays_chosen_and_can_be_taken_away(opened: Open, season: SmallSeason):
    city = season.city.city_id
    query = f"q=moons&city={city}&category=concert&from=2027-03-01&to=2027-03-31&price_max=5000&available=true"
    _, page = await search(opened, query)
    form = next(form for form in page.all("form") if form.attributes.get("class") == "filters-form")
    written = dict(page.written(form))
    assert written["q"] == "moons"
    assert written["city"] == str(city)
    assert written["from"] == "2027-03-01"
    assert written["price_max"] == "5000"
    assert written["available"] == "true"
    without = asked(named(page, f"Without {season.city.name}"))
    assert "city" not in without
    assert without["q"] == ["moons"]
    days = asked(named(page, "Without from 1 Mar 2027 to 31 Mar 2027"))
    assert not {"from", "to"} & days.keys()


async def test_facets_count_and_narrow(opened: Open, season: SmallSeason, database: Database):
    await database.pool.execute(MORE)
    await database.pool.execute("UPDATE event SET starts_at = starts_at + interval '40 days', "
                                "ends_at = ends_at + interval '40 days' WHERE event_id % 2 = 0")  # fmt: skip
    _, page = await search(opened)
    assert season
    april = next(link for link in page.all("a") if link.words.startswith("April 2027"))
    count = int(april.words.split()[-1])
    assert asked(april) == {"from": ["2027-04-01"], "to": ["2027-04-30"]}
    _, narrowed = await search(opened, urlsplit(april.attributes["href"] or "").query)
    assert f"{count} events" in narrowed.text
    assert "March 2027" not in narrowed.text


async def test_page_after_page_has_every_event_once(opened: Open, season: SmallSeason, database: Database):
    await database.pool.execute(MORE)
    _, page = await search(opened, "q=moons&sort=date")
    first = events(page)
    more = named(page, "More events")
    assert asked(more)["q"] == ["moons"]
    _, page = await search(opened, urlsplit(more.attributes["href"] or "").query)
    second = events(page)
    assert season
    assert len(first) == EVENTS_PER_PAGE
    assert len({*first, *second}) == len(first) + len(second) == 51
    assert "More events" not in page.text
    assert asked(named(page, "Back to the first")) == {"q": ["moons"], "sort": ["date"]}


async def test_the_same_production_on_one_day_is_one_entry(opened: Open, season: SmallSeason, database: Database):
    await database.pool.execute(MORE)
    _, page = await search(opened, f"from={NOW:%Y-%m-%d}&to={NOW + timedelta(days=7):%Y-%m-%d}")
    assert season
    assert len(page.all("article")) == 1
    assert len(events(page)) > 1


async def test_hostile_words_are_words(opened: Open, season: SmallSeason):
    assert season
    answer = await opened(
        "/search", query="q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&genre=%3Cb%3E&city=%00&price_max=0"
    )
    page = Page(answer.text)
    assert "<script>alert" not in answer.text
    assert "alert(1)" in page.text
