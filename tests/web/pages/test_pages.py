"""The pages over a real catalogue: what they say, whom they harm, what they load."""

import gzip
import json
import re
from datetime import timedelta
from typing import Any, Final

import pytest
from tests.postgres.small_season import NOW, SEATS, SmallSeason
from tests.web.asking import BROWSER, HOST
from tests.web.pages.conftest import Clock, Open
from tests.web.pages.reading import Page

from frontrow.adapters.postgres.pool import Database

DATA: Final = "application/ld+json"


async def test_the_home_page_lists_what_is_on(opened: Open, season: SmallSeason):
    answer = await opened("/")
    page = Page(answer.text)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "public, max-age=5"
    assert season.production.name in page.text
    assert season.venue.name in page.text
    assert "from €27" in page.text  # 25 and a fee of 2: all-in from the first page on
    assert f"/events/{season.event.event_id}" in page.values("href")


async def test_an_event_page_says_what_where_when_and_how_much(opened: Open, season: SmallSeason):
    page = Page((await opened(f"/events/{season.event.event_id}")).text)
    for words in (
        season.event.name,
        season.venue.street,
        "Monday 8 March 2027",
        "Stalls",
        "€48",
        "€27",
        f"{SEATS} seats",
    ):
        assert words in page.text
    assert len(page.all("polygon")) == 3  # the stage, the row, the floor


@pytest.mark.parametrize(
    ("change", "hours", "words"),
    [
        ("on_sale_at = starts_at - interval '1 day'", 0, "On sale in"),
        ("waiting_room = false", 0, "On sale since"),
        ("publication = 'cancelled'", 0, "does not take place"),
        ("waiting_room = true", 24 * 8, "This event is over"),
    ],
)
async def test_an_event_page_is_honest_about_its_state(
    opened: Open, season: SmallSeason, database: Database, clock: Clock, change: str, hours: int, words: str
):
    await database.pool.execute(f"UPDATE event SET {change}")  # noqa: S608 -- the rows above
    clock.at = NOW + timedelta(hours=hours)
    page = Page((await opened(f"/events/{season.event.event_id}")).text)
    assert words in page.text
    assert [button.attributes.get("aria-label") for button in page.all("button")] == ["Search"]  # all others lead on


async def test_the_countdown_stands_on_the_page_without_a_script(
    opened: Open, season: SmallSeason, database: Database, clock: Clock
):
    await database.pool.execute("UPDATE event SET on_sale_at = starts_at - interval '1 day'")
    clock.at = season.event.starts_at - timedelta(days=1, seconds=103)
    for path in ("/", f"/events/{season.event.event_id}"):
        page = Page((await opened(path)).text)
        assert "1 min 43 s" in page.text
        assert "103" in page.values("data-seconds")


async def test_a_hostile_name_is_a_name(opened: Open, season: SmallSeason, database: Database):
    named = ("event", "production", "venue", "city", "price_level")
    for table in named:
        hostile = f'"><script>alert("{table}")</script><img src=x onerror=a>{{{{7*7}}}}'
        await database.pool.execute(f"UPDATE {table} SET name = $1", hostile)  # noqa: S608 -- our own tables
    pages = [Page((await opened(path)).text) for path in every_page(season)]
    for page in pages:
        assert {element.attributes.get("type") for element in page.all("script")} <= {"module", DATA}
        assert not page.values("onerror")
        assert "49" not in page.text
    for table in named:
        assert any(f'alert("{table}")' in page.text for page in pages), table


def every_page(season: SmallSeason) -> list[str]:
    """Of each kind of page one, as far as they are the same for everybody."""
    return [
        "/",
        "/search",
        "/cities",
        f"/cities/{season.city.city_id}",
        f"/cities/{season.city.city_id}/films",
        f"/productions/{season.production.production_id}",
        f"/venues/{season.venue.venue_id}",
        f"/events/{season.event.event_id}",
    ]


async def test_pages_are_whole_and_one_finds_one_s_way_in_them(opened: Open, season: SmallSeason):
    for path in (*every_page(season), "/nothing"):
        check_whole(Page((await opened(path)).text))


def check_whole(page: Page) -> None:
    [html], [main], [h1] = (page.all(name) for name in ("html", "main", "h1"))
    assert html.attributes["lang"] == "en"
    assert f"#{main.attributes['id']}" in page.values("href")  # the way past the navigation
    assert h1
    assert page.all("title")
    assert page.all("header")
    assert page.all("footer")
    assert [meta for meta in page.all("meta") if meta.attributes.get("name") == "description"]
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    assert set(page.values("aria-labelledby")) <= set(ids)
    for image in page.all("img"):
        assert {"alt", "width", "height"} <= image.attributes.keys()  # nothing jumps when it comes
    assert not page.values("style")  # the policy would drop it
    inline = [element for element in page.all("script") if "src" not in element.attributes]
    assert {element.attributes.get("type") for element in inline} <= {DATA}  # which no browser runs


async def test_a_page_loads_only_what_is_ours_and_is_there(opened: Open, season: SmallSeason):
    for path in every_page(season):
        page = Page((await opened(path)).text)
        links = [link.attributes["href"] for link in page.all("link")]
        loads = {address for address in [*links, *page.values("src")] if address}
        assert loads
        for address in loads:
            answer = await opened(address)
            assert answer.status == 200, address
            assert "immutable" in answer.headers["cache-control"]
            again = await opened(address, headers=[HOST, ("if-none-match", answer.headers["etag"])])
            assert (again.status, again.body) == (304, b"")


async def test_links_on_the_page_lead_somewhere(opened: Open, season: SmallSeason):
    for path in every_page(season):
        for link in Page((await opened(path)).text).values("href"):
            address, _, query = link.partition("#")[0].partition("?")
            elsewhere = {"", "/docs", "/sign-in", "/orders", f"/events/{season.event.event_id}/line"}
            if address not in elsewhere:  # of the API, tests/fans, tests/browser, test_waiting.py
                assert (await opened(address, query=query)).status == 200, link


async def test_nothing_on_is_said_in_words(opened: Open):
    page = Page((await opened("/")).text)
    assert "Nothing is announced at the moment." in page.text


NAMES_OF_NOTHING = (
    "0",
    "-1",
    "1e3",
    "01",
    "1.0",
    "\u0663",  # a digit, in Arabic
    "\u00b2",  # a digit to some
    "9223372036854775807",  # the largest id there can be
    "9223372036854775808",  # one more
    "9" * 400,
    "drop table event",
    "%s",
)


@pytest.mark.parametrize(
    "path",
    [
        "/events/{}",
        "/events/{}/calendar.ics",
        "/posters/{}/0123456789ab.svg",
        "/cities/{}",
        "/cities/{}/films",
        "/productions/{}",
        "/venues/{}",
    ],
)
async def test_what_names_nothing_is_not_found(opened: Open, path: str):
    for name in NAMES_OF_NOTHING:
        answer = await opened(path.format(name))
        assert answer.status == 404, name
        page = Page(answer.text)
        assert "There is nothing here" in page.text
        assert [form.attributes["action"] for form in page.all("form")] == ["/search"]  # and a way on
        assert answer.headers["x-request-id"] in page.text


async def test_a_draft_is_nobody_s_business(opened: Open, season: SmallSeason, database: Database):
    poster = next(address for address in Page((await opened("/")).text).values("src") if "posters" in address)
    await database.pool.execute("UPDATE event SET publication = 'draft'")
    assert season.production.name not in (await opened("/")).text
    assert (await opened(f"/events/{season.event.event_id}")).status == 404
    assert (await opened(poster)).status == 404


async def test_a_program_gets_json(opened: Open):
    answer = await opened("/events/7", headers=[HOST, ("accept", "application/json")])
    assert answer.problem() == "not-found"


async def test_a_renamed_production_keeps_its_old_poster_s_address_without_a_promise(
    opened: Open, season: SmallSeason, database: Database
):
    assert season.production.name
    old = next(address for address in Page((await opened("/")).text).values("src") if "posters" in address)
    await database.pool.execute("UPDATE production SET name = 'Another name'")
    answer = await opened(old)
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")


async def test_pages_are_sent_packed_to_those_who_unpack(opened: Open, season: SmallSeason):
    assert season
    packed = await opened("/", headers=[HOST, BROWSER, ("accept-encoding", "gzip, br")])
    assert packed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in packed.headers["vary"].lower()
    assert gzip.decompress(packed.body).startswith(b"<!doctype html>")
    assert "content-encoding" not in (await opened("/")).headers


async def test_the_small_things(opened: Open):
    robots = await opened("/robots.txt")
    assert "Disallow: /api/" in robots.text
    icon = await opened("/favicon.ico")
    assert icon.status == 308
    assert (await opened(icon.headers["location"])).headers["content-type"] == "image/svg+xml"
    assert (await opened("/static/site.css")).status == 404  # an address without its content promises nothing
    assert (await opened("/static/..%2fsite.py")).status == 404


async def test_an_event_can_be_put_into_a_calendar(opened: Open, season: SmallSeason):
    answer = await opened(f"/events/{season.event.event_id}/calendar.ics")
    assert answer.headers["content-type"].startswith("text/calendar")
    assert re.search(r"\r\nDTSTART:20270308T120000Z\r\n", answer.text)


async def in_data(opened: Open, season: SmallSeason) -> dict[str, Any]:
    page = Page((await opened(f"/events/{season.event.event_id}")).text)
    [script] = [script for script in page.all("script") if script.attributes.get("type") == DATA]
    return json.loads("".join(script.said))


async def test_programs_read_what_people_read(opened: Open, season: SmallSeason):
    told = await in_data(opened, season)
    assert told["@type"] == "MusicEvent"
    assert told["name"] == season.event.name
    assert told["startDate"] == "2027-03-08T13:00:00+01:00"  # by the clock of the venue
    assert told["eventStatus"] == "https://schema.org/EventScheduled"
    assert told["location"]["address"]["addressLocality"] == "Zürich"
    offers = told["offers"]
    assert (offers["lowPrice"], offers["highPrice"], offers["priceCurrency"]) == ("27.00", "48.00", "EUR")  # all-in
    assert offers["availability"] == "https://schema.org/InStock"
    assert told["url"] == f"http://tickets.example/events/{season.event.event_id}"


@pytest.mark.parametrize(
    ("change", "status", "availability"),
    [
        ("on_sale_at = starts_at - interval '1 day'", "EventScheduled", "PreOrder"),
        ("publication = 'cancelled'", "EventCancelled", "Discontinued"),
    ],
)
async def test_programs_are_told_what_became_of_it(
    opened: Open, season: SmallSeason, database: Database, change: str, status: str, availability: str
):
    await database.pool.execute(f"UPDATE event SET {change}")  # noqa: S608 -- the rows above
    told = await in_data(opened, season)
    assert told["eventStatus"].endswith(status)
    assert told["offers"]["availability"].endswith(availability)


async def test_a_name_cannot_leave_the_data(opened: Open, season: SmallSeason, database: Database):
    name = "</script><script>alert(1)</script><!--"
    await database.pool.execute("UPDATE event SET name = $1", name)
    assert (await in_data(opened, season))["name"] == name


async def test_the_map_of_the_site_has_every_page_once(opened: Open, season: SmallSeason):
    robots = await opened("/robots.txt")
    assert "Sitemap: http://tickets.example/sitemap.xml" in robots.text
    answer = await opened("/sitemap.xml")
    found = re.findall(r"<loc>http://tickets\.example(.*?)</loc>", answer.text)
    assert len(set(found)) == len(found) == 5
    for path in found:
        assert (await opened(path)).status == 200
    assert f"/events/{season.event.event_id}" in found
